//! Numbers about matrices: what a scale, a mirror and a shear amount to.

use glam::{DMat3, DQuat, DVec3, Mat3, Mat4, Vec3};

/// Above this [`shear`], in degrees, a matrix counts as sheared: what a player that
/// splits it into translation, rotation and scale gets wrong can then be seen.
pub const SHEAR_DEGREES: f32 = 0.5;

/// Most joints in one skin that engines are known to take: uniform arrays of 64 or 128
/// matrices, 256 by 8-bit indices or a uniform block of 16 KiB, 1023 by one texture row.
pub const JOINT_LIMITS: [usize; 4] = [64, 128, 256, 1023];

/// The limits that a number of joints exceeds, ascending.
pub fn limits_crossed(joints: usize) -> &'static [usize] {
    const LIMITS: &[usize] = &JOINT_LIMITS;
    &LIMITS[..LIMITS.partition_point(|&limit| joints > limit)]
}

/// An axis below this length, relative to the longest or to 1, counts as nothing.
const FLAT: f32 = 1e-6;

/// Lengths of the axes: the scale of `rotation × scale`, without signs.
pub fn scale(axes: Mat3) -> Vec3 {
    Vec3::new(
        axes.x_axis.length(),
        axes.y_axis.length(),
        axes.z_axis.length(),
    )
}

/// Whether an axis has no length to speak of: below a millionth of the longest, or
/// all of them below a millionth.
pub fn is_flat(axes: Mat3) -> bool {
    let scale = scale(axes);
    let longest = scale.max_element();
    longest <= FLAT || scale.min_element() <= FLAT * longest
}

/// How far the axes are from right angles to each other: the largest of the three
/// pairs, in degrees, 0 … 90. With 0 the matrix is rotation × scale; with more, no
/// translation, rotation and scale give it. An axis of no length counts as right.
pub fn shear(axes: Mat3) -> f32 {
    if is_flat(axes) {
        return 0.0;
    }
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.as_dvec3().normalize());
    let lean = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    lean.min(1.0).asin().to_degrees() as f32
}

/// Whether the matrix turns a left hand into a right one: its determinant is negative,
/// whatever its size.
pub fn is_mirrored(axes: Mat3) -> bool {
    // Axes of unit length, so that a rig in millimetres counts, and nothing does that
    // is flat.
    !is_flat(axes)
        && [axes.x_axis, axes.y_axis, axes.z_axis]
            .map(Vec3::normalize_or_zero)
            .map(Vec3::as_dvec3)
            .split_first()
            .is_some_and(|(x, rest)| x.cross(rest[0]).dot(rest[1]) < -1e-12)
}

/// A matrix taken apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Of its rotation, 0 … 180; for a mirror, of what is left without it.
    pub degrees: f32,
    /// By which it moves a point, in the matrix's units.
    pub distance: f32,
    /// Lengths of its axes, 1 for none; all negative for a mirror.
    pub scale: Vec3,
}

impl Difference {
    /// What the identity amounts to.
    pub const NONE: Self = Self {
        degrees: 0.0,
        distance: 0.0,
        scale: Vec3::ONE,
    };

    /// The scale factor that is furthest from 1, either way.
    pub fn worst_scale(&self) -> f32 {
        let off = |factor: f32| factor.abs().max(f32::MIN_POSITIVE).ln().abs();
        self.scale
            .to_array()
            .into_iter()
            .fold(1.0, |worst, factor| {
                if factor < 0.0 && worst >= 0.0 || off(factor) > off(worst) {
                    factor
                } else {
                    worst
                }
            })
    }
}

/// Turn, shift of the origin and scale of an affine matrix.
pub fn difference(matrix: Mat4) -> Difference {
    difference_at(matrix.as_dmat4(), DVec3::ZERO)
}

/// Turn, scale, and the distance by which it moves `point`.
pub(super) fn difference_at(matrix: glam::DMat4, point: DVec3) -> Difference {
    let axes = DMat3::from_mat4(matrix);
    let sign = if axes.determinant() < 0.0 { -1.0 } else { 1.0 };
    let scale = DVec3::new(
        axes.x_axis.length(),
        axes.y_axis.length(),
        axes.z_axis.length(),
    );
    Difference {
        degrees: rotation(axes * sign).map_or(0.0, degrees),
        distance: matrix.transform_point3(point).distance(point) as f32,
        scale: (scale * sign).as_vec3(),
    }
}

/// Angle of a unit quaternion, 0 … 180; exact near 0, where the arc cosine is not.
fn degrees(rotation: DQuat) -> f32 {
    let sine = rotation.xyz().length();
    (2.0 * sine.atan2(rotation.w.abs())).to_degrees() as f32
}

/// The rotation nearest to a matrix of positive determinant: the polar decomposition
/// by Higham's iteration `U ← ½ (U + U⁻ᵀ)`, started from axes of like length. `None`
/// where the matrix is singular.
fn rotation(axes: DMat3) -> Option<DQuat> {
    let size = axes.determinant().cbrt();
    if !(size.is_finite() && size > f64::MIN_POSITIVE) {
        return None;
    }
    let mut unit = axes * size.recip();
    for _ in 0..32 {
        let next = (unit + unit.inverse().transpose()) * 0.5;
        if !next.is_finite() {
            return None;
        }
        let step = next - unit;
        unit = next;
        let change = [step.x_axis, step.y_axis, step.z_axis]
            .map(DVec3::length_squared)
            .into_iter()
            .sum::<f64>();
        if change < 1e-24 {
            break;
        }
    }
    let rotation = DQuat::from_mat3(&unit);
    rotation.is_finite().then(|| rotation.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn axes(scale: Vec3) -> Mat3 {
        let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.0);
        Mat3::from_quat(turn) * Mat3::from_diagonal(scale)
    }

    #[test]
    fn rotation_times_scale_is_not_sheared() {
        for scale in [
            Vec3::ONE,
            Vec3::new(0.01, 1.0, 100.0),
            Vec3::new(-1.0, 1.0, 1.0),
        ] {
            assert!(shear(axes(scale)) < 1e-3, "{scale}: {}", shear(axes(scale)));
        }
        assert_eq!(shear(axes(Vec3::new(1.0, 0.0, 1.0))), 0.0);
        assert_eq!(shear(Mat3::ZERO), 0.0);
    }

    #[test]
    fn a_turn_under_an_uneven_scale_shears() {
        // y twice as long, then 45° in that plane: axes (1, 2) and (−1, 2) over √2.
        let sheared = Mat3::from_diagonal(Vec3::new(1.0, 2.0, 1.0))
            * Mat3::from_rotation_z(core::f32::consts::FRAC_PI_4);
        let expected = (3.0_f32 / 5.0).asin().to_degrees();
        assert!((shear(sheared) - expected).abs() < 1e-4);
        let tiny = sheared * 1e-4;
        assert!((shear(tiny) - expected).abs() < 1e-4);
    }

    #[test]
    fn mirrors_of_any_size() {
        assert!(is_mirrored(axes(Vec3::new(-1.0, 1.0, 1.0))));
        assert!(is_mirrored(axes(Vec3::splat(-1e-4))));
        assert!(!is_mirrored(axes(Vec3::new(-1.0, -2.0, 1.0))));
        assert!(!is_mirrored(axes(Vec3::new(-1.0, 0.0, 1.0))));
        assert!(!is_mirrored(Mat3::ZERO));
    }

    #[test]
    fn flat_is_relative_and_absolute() {
        assert!(is_flat(axes(Vec3::new(1.0, 1e-8, 1.0))));
        assert!(is_flat(Mat3::ZERO));
        assert!(is_flat(axes(Vec3::splat(1e-7))));
        assert!(!is_flat(axes(Vec3::splat(1e-3))));
    }

    #[test]
    fn a_matrix_taken_apart() {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -1.0).normalize(), 0.5);
        for (scale, mirrored) in [
            (Vec3::ONE, false),
            (Vec3::new(0.5, 2.0, 3.0), false),
            (Vec3::splat(0.01), false),
            (Vec3::splat(-2.0), true),
        ] {
            let matrix = Mat4::from_scale_rotation_translation(scale, turn, Vec3::Y * 3.0);
            let found = difference(matrix);
            assert!(
                (found.degrees - 0.5_f32.to_degrees()).abs() < 1e-3,
                "{found:?}"
            );
            assert!((found.distance - 3.0).abs() < 1e-6);
            let sign = if mirrored { -1.0 } else { 1.0 };
            assert!(
                found.scale.abs_diff_eq(scale.abs() * sign, 1e-5),
                "{found:?}"
            );
        }
        assert_eq!(difference(Mat4::IDENTITY), Difference::NONE);
        let flat = difference(Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0)));
        assert_eq!((flat.degrees, flat.scale.y), (0.0, 0.0));
        let half = difference(Mat4::from_rotation_y(core::f32::consts::PI));
        assert!((half.degrees - 180.0).abs() < 1e-4);
    }

    #[test]
    fn the_scale_that_stands_out() {
        let worst = |scale| {
            Difference {
                scale,
                ..Difference::NONE
            }
            .worst_scale()
        };
        assert_eq!(worst(Vec3::new(1.0, 0.25, 2.0)), 0.25);
        assert_eq!(worst(Vec3::new(1.0, 1.1, 8.0)), 8.0);
        assert_eq!(worst(Vec3::splat(-1.0)), -1.0);
        assert_eq!(worst(Vec3::ONE), 1.0);
    }

    #[test]
    fn limits() {
        assert_eq!(limits_crossed(64), [0; 0]);
        assert_eq!(limits_crossed(65), [64]);
        assert_eq!(limits_crossed(256), [64, 128]);
        assert_eq!(limits_crossed(5000), JOINT_LIMITS);
    }
}
