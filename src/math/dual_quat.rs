//! Dual quaternions: rigid motions that can be blended.

use core::ops::{Add, Mul};

use glam::{Mat3, Quat, Vec3};

use super::{Affine, quat};

/// A rotation and a translation as `real + ε dual` (K. Daniilidis 1999; L. Kavan et al.,
/// *Geometric skinning with approximate dual quaternion blending*, ACM TOG 27(4), 2008).
///
/// Of unit length: `|real| = 1` and `real · dual = 0`. `q` and `−q` are one motion, and a
/// weighted sum of several, brought to unit length, is again a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct DualQuat {
    /// The rotation.
    pub real: Quat,
    /// Half the translation, turned: `½ (t, 0) · real`.
    pub dual: Quat,
}

impl DualQuat {
    /// Moves nothing.
    pub const IDENTITY: Self = Self {
        real: Quat::IDENTITY,
        dual: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
    };

    /// Turns by a unit quaternion, then moves by `translation`.
    pub fn new(rotation: Quat, translation: Vec3) -> Self {
        let half = translation * 0.5;
        Self {
            real: rotation,
            dual: product(Quat::from_xyzw(half.x, half.y, half.z, 0.0), rotation),
        }
    }

    /// Divided by the length of the real part; the identity where that is zero or not
    /// finite, as when opposite motions cancel out.
    #[must_use]
    pub fn normalized(self) -> Self {
        if !quat::has_length(self.real) {
            return Self::IDENTITY;
        }
        self * (1.0 / self.real.length())
    }

    /// Where the origin goes: `2 dual · real*`. Of unit length only.
    pub fn translation(&self) -> Vec3 {
        let moved = product(self.dual, self.real.conjugate());
        Vec3::new(moved.x, moved.y, moved.z) * 2.0
    }

    /// The motion as a matrix. Of unit length only.
    pub fn to_affine(&self) -> Affine {
        let rotation: Mat3 = super::transform::mat3_from_quat_as_is(self.real);
        let t = self.translation();
        Affine {
            rows: [
                rotation.row(0).extend(t.x),
                rotation.row(1).extend(t.y),
                rotation.row(2).extend(t.z),
            ],
        }
    }
}

/// The Hamilton product, without glam's assertion of unit length.
fn product(a: Quat, b: Quat) -> Quat {
    let (u, v) = (a.xyz(), b.xyz());
    let xyz = v * a.w + u * b.w + u.cross(v);
    Quat::from_xyzw(xyz.x, xyz.y, xyz.z, a.w * b.w - u.dot(v))
}

impl Add for DualQuat {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            real: self.real + other.real,
            dual: self.dual + other.dual,
        }
    }
}

impl Mul<f32> for DualQuat {
    type Output = Self;

    fn mul(self, factor: f32) -> Self {
        Self {
            real: self.real * factor,
            dual: self.dual * factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Mat4;

    #[test]
    fn a_motion_goes_in_and_out_unchanged() {
        let q = Quat::from_euler(glam::EulerRot::XYZ, 0.4, -1.3, 2.2);
        let t = Vec3::new(3.0, -0.5, 8.0);
        let motion = DualQuat::new(q, t);
        assert!(motion.translation().abs_diff_eq(t, 1e-5));
        let wanted = Mat4::from_rotation_translation(q, t);
        assert!(motion.to_affine().to_mat4().abs_diff_eq(wanted, 1e-5));
        let other_sign = motion * -1.0;
        assert!(other_sign.to_affine().to_mat4().abs_diff_eq(wanted, 1e-5));
        let longer = (motion * 7.0).normalized();
        assert!(longer.to_affine().to_mat4().abs_diff_eq(wanted, 1e-5));
    }

    #[test]
    fn half_of_a_turn_about_a_far_axis_is_half_the_turn_about_it() {
        // A quarter turn about the line x = 1, z = 0: half way is an eighth about it.
        let about = |radians: f32| {
            let pivot = Vec3::X;
            let q = Quat::from_rotation_y(radians);
            DualQuat::new(q, pivot - q * pivot)
        };
        let half = (about(0.0) * 0.5 + about(1.5) * 0.5).normalized();
        let wanted = about(0.75).to_affine().to_mat4();
        assert!(half.to_affine().to_mat4().abs_diff_eq(wanted, 1e-6));
    }

    #[test]
    fn motions_that_cancel_out_move_nothing() {
        let motion = DualQuat::new(Quat::from_rotation_x(1.0), Vec3::Y);
        assert_eq!((motion + motion * -1.0).normalized(), DualQuat::IDENTITY);
        assert_eq!((motion * f32::NAN).normalized(), DualQuat::IDENTITY);
    }
}
