//! Skins: which joints move a mesh, and from where.

use glam::Mat4;

/// A list of joints with their inverse bind matrices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Name as stored, or empty.
    pub name: String,
    /// Joint indices; a vertex's influence `k` means `joints[k]`.
    pub joints: Vec<u32>,
    /// `M0⁻¹` per entry of `joints`: from mesh space to the joint's bind frame.
    /// Identity where the file gives none.
    pub joint_from_mesh: Vec<Mat4>,
    /// Whether the file gave inverse bind matrices.
    pub has_inverse_bind_matrices: bool,
    /// The joint named as `skeleton` root; a label only, it never affects a pose.
    pub root: Option<usize>,
    /// The matrices read row by row, parallel to `joints`, where the file's look as if
    /// they had been written so: their translations stand in the fourth row, which
    /// `joint_from_mesh` leaves out as the format demands.
    pub transposed_bind: Option<Vec<Mat4>>,
}

impl Skin {
    /// Whether the mesh was bound to mirrored joints: most of the `M0⁻¹` that are not
    /// singular have a negative determinant. Its triangles are then stored clockwise.
    ///
    /// glTF turns front faces round by `det M` (2.0, 3.7.4), and
    /// `sign det M = sign det(M M0⁻¹) · sign det M0⁻¹`.
    pub fn mirrored_bind(&self) -> bool {
        let balance: i64 = self
            .joint_from_mesh
            .iter()
            .map(|matrix| match matrix.determinant() {
                det if det < 0.0 => -1,
                det if det > 0.0 => 1,
                _ => 0,
            })
            .sum();
        balance < 0
    }

    /// The stored name, or `skin 1` where there is none; `index` is the skin's own.
    pub fn label(&self, index: usize) -> String {
        super::label(&self.name, "skin", index)
    }
}
