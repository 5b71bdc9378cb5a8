//! What a matrix does to left and right.

use glam::{Mat4, Vec3, Vec4};

/// Whether a matrix keeps, mirrors or flattens what it moves: the sign of the
/// determinant of its upper 3 × 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Handedness {
    /// Positive: right-handed frames stay right-handed.
    Kept,
    /// Negative: left and right change places.
    Mirrored,
    /// Zero against the size of the axes: space is squashed onto a plane, a line or a
    /// point.
    Flat,
}

/// Determinant over the product of the axes' lengths, below which a frame counts as
/// flat: the axes then lie within some 0.0001° of a plane. And length of an axis over
/// the longest one's, with the same meaning.
const FLAT: f32 = 1e-6;

fn axes(matrix: &Mat4) -> [Vec3; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec4::truncate)
}

/// The sign of a matrix's determinant, judged against the size of its axes, so that a
/// rig in millimetres is not flat. Not finite counts as flat.
pub fn handedness(matrix: &Mat4) -> Handedness {
    let [x, y, z] = axes(matrix);
    let lengths = [x, y, z].map(Vec3::length);
    let longest = lengths.into_iter().fold(0.0, f32::max);
    let shortest = lengths.into_iter().fold(f32::INFINITY, f32::min);
    if !longest.is_finite() || shortest.is_nan() || shortest <= longest * FLAT {
        return Handedness::Flat;
    }
    let volume = (x / lengths[0]).dot((y / lengths[1]).cross(z / lengths[2]));
    if volume.is_nan() || volume.abs() <= FLAT {
        Handedness::Flat
    } else if volume > 0.0 {
        Handedness::Kept
    } else {
        Handedness::Mirrored
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    fn frame(scale: Vec3) -> Mat4 {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5).normalize(), 1.1);
        Mat4::from_scale_rotation_translation(scale, turn, Vec3::new(3.0, -1.0, 8.0))
    }

    #[test]
    fn mirrors_are_told_from_turns_whatever_the_size() {
        for size in [1e-8, 1.0, 1e8] {
            let kept = |scale: Vec3| handedness(&frame(scale * size));
            assert_eq!(kept(Vec3::new(1.0, 2.0, 3.0)), Handedness::Kept);
            assert_eq!(kept(Vec3::new(-1.0, -2.0, 3.0)), Handedness::Kept);
            assert_eq!(kept(Vec3::new(-1.0, 2.0, 3.0)), Handedness::Mirrored);
            assert_eq!(kept(Vec3::splat(-1.0)), Handedness::Mirrored);
            assert_eq!(kept(Vec3::new(1.0, 0.0, 1.0)), Handedness::Flat);
        }
        assert_eq!(handedness(&Mat4::NAN), Handedness::Flat);
        assert_eq!(handedness(&Mat4::ZERO), Handedness::Flat);
    }
}
