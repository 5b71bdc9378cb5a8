//! Skin matrices.

use glam::{Mat4, Vec3, Vec4};

use super::Globals;
use crate::document::Skin;

/// The upper three rows of an affine `M · M0⁻¹`, as the GPU's storage buffer
/// holds them (48 bytes).
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct SkinMatrix {
    /// Row i gives the i-th coordinate of the result.
    pub rows: [Vec4; 3],
}

impl SkinMatrix {
    /// Leaves vertices where they are.
    pub const IDENTITY: Self = Self {
        rows: [Vec4::X, Vec4::Y, Vec4::Z],
    };

    /// Drops the fourth row, which is 0 0 0 1 in an affine matrix.
    pub fn from_mat4(matrix: Mat4) -> Self {
        Self {
            rows: [matrix.row(0), matrix.row(1), matrix.row(2)],
        }
    }

    /// Back to a full matrix.
    pub fn to_mat4(self) -> Mat4 {
        Mat4::from_cols(self.rows[0], self.rows[1], self.rows[2], Vec4::W).transpose()
    }

    /// Applies it to a point.
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        let point = point.extend(1.0);
        Vec3::new(
            self.rows[0].dot(point),
            self.rows[1].dot(point),
            self.rows[2].dot(point),
        )
    }
}

/// `M · M0⁻¹` for each joint of a skin, appended to `out`.
pub fn palette(skin: &Skin, globals: &Globals, out: &mut Vec<SkinMatrix>) {
    out.extend(
        skin.joints
            .iter()
            .zip(&skin.joint_from_mesh)
            .map(|(&joint, &joint_from_mesh)| {
                SkinMatrix::from_mat4(globals.world_from_joint[joint as usize] * joint_from_mesh)
            }),
    );
}
