//! Translation, rotation and scale of a joint relative to its parent.

use glam::{Mat3, Mat4, Quat, Vec3};

/// `T · R · S`: scale first, then rotate, then translate.
///
/// `rotation` is whatever the interpolation produced, **not necessarily of unit
/// length**: mode `lerp` shows what a player does that forgets to normalise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Position of the joint's origin in the parent's frame.
    pub translation: Vec3,
    /// Orientation · rotation, relative to the parent's frame.
    pub rotation: Quat,
    /// Scale along the joint's own axes; may be negative or zero.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    /// No move, no turn, unit scale.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// `parent_from_joint` as a matrix. The quaternion goes through the ordinary
    /// formula (`1 − 2(y² + z²)`, …) as it is, without normalising.
    pub fn to_mat4(&self) -> Mat4 {
        let rotation = mat3_from_quat_as_is(self.rotation);
        Mat4::from_cols(
            (rotation.x_axis * self.scale.x).extend(0.0),
            (rotation.y_axis * self.scale.y).extend(0.0),
            (rotation.z_axis * self.scale.z).extend(0.0),
            self.translation.extend(1.0),
        )
    }

    /// Splits an affine matrix into translation, unit rotation and scale. `None`
    /// if it is not such a product within `tolerance` (relative to its largest
    /// axis): sheared, singular or not finite. A mirrored matrix comes back with
    /// a negative x scale.
    pub fn from_mat4(matrix: Mat4, tolerance: f32) -> Option<Self> {
        if !matrix.is_finite() || !matrix.row(3).abs_diff_eq(glam::Vec4::W, tolerance) {
            return None;
        }
        let axes = Mat3::from_mat4(matrix);
        let sign = if axes.determinant() < 0.0 { -1.0 } else { 1.0 };
        let scale = Vec3::new(
            axes.x_axis.length() * sign,
            axes.y_axis.length(),
            axes.z_axis.length(),
        );
        if scale.abs().min_element() <= f32::MIN_POSITIVE {
            return None;
        }
        let rotation = Quat::from_mat3(&Mat3::from_cols(
            axes.x_axis / scale.x,
            axes.y_axis / scale.y,
            axes.z_axis / scale.z,
        ))
        .normalize();
        let transform = Self {
            translation: matrix.w_axis.truncate(),
            rotation,
            scale,
        };
        let largest = scale.abs().max_element();
        let back = Mat3::from_mat4(transform.to_mat4());
        axes.abs_diff_eq(back, tolerance * largest)
            .then_some(transform)
    }
}

/// The ordinary quaternion-to-matrix formula, applied to the quaternion as it
/// is: for |q| ≠ 1 the result is no rotation, which is what mode `lerp` shows.
/// (glam's own conversion asserts unit length in debug builds.)
pub fn mat3_from_quat_as_is(q: Quat) -> Mat3 {
    let (x2, y2, z2) = (q.x + q.x, q.y + q.y, q.z + q.z);
    let (xx, xy, xz) = (q.x * x2, q.x * y2, q.x * z2);
    let (yy, yz, zz) = (q.y * y2, q.y * z2, q.z * z2);
    let (wx, wy, wz) = (q.w * x2, q.w * y2, q.w * z2);
    Mat3::from_cols(
        Vec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
        Vec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
        Vec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_round_trip_keeps_mirrors_and_refuses_shear() {
        let transform = Transform {
            translation: Vec3::new(1.0, -2.0, 3.0),
            rotation: Quat::from_euler(glam::EulerRot::XYZ, 0.3, -0.8, 2.0),
            scale: Vec3::new(-2.0, 0.5, 3.0),
        };
        let back = Transform::from_mat4(transform.to_mat4(), 1e-5).expect("a product of T, R, S");
        assert!(back.to_mat4().abs_diff_eq(transform.to_mat4(), 1e-5));

        let sheared = transform.to_mat4()
            * Mat4::from_cols_array(&[
                1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
            ]);
        assert_eq!(Transform::from_mat4(sheared, 1e-5), None);
        assert_eq!(Transform::from_mat4(Mat4::ZERO, 1e-5), None);
    }

    #[test]
    fn a_short_quaternion_shrinks_the_axes() {
        let half = Quat::from_xyzw(0.0, 0.0, 0.5, 0.0);
        let matrix = mat3_from_quat_as_is(half);
        assert_eq!(matrix.x_axis, Vec3::new(0.5, 0.0, 0.0));
        assert_eq!(matrix.z_axis, Vec3::Z);
    }
}
