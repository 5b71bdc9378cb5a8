//! Numbers about matrices: what a scale, a mirror and a shear amount to.

use glam::{DMat3, DQuat, DVec3, Mat4, Vec3};

pub use crate::math::axes::{is_flat, is_mirrored, scale, shear};

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
