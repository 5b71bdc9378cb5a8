//! What three axes amount to: scale, mirror, shear.

use glam::{Mat3, Vec3};

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
/// all of them below a millionth. So has one whose length is no finite number.
pub fn is_flat(axes: Mat3) -> bool {
    let scale = scale(axes);
    let longest = scale.max_element();
    if !scale.is_finite() {
        return true;
    }
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
        // Of what overflows nothing can be said.
        let endless = axes(Vec3::new(1.0, f32::INFINITY, 1.0));
        assert!(is_flat(endless) && shear(endless) == 0.0 && !is_mirrored(endless));
    }
}
