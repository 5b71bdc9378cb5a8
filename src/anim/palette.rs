//! Skin matrices.

use super::Globals;
use crate::{document::Skin, math::Affine};

/// The upper three rows of `M · M0⁻¹`, as the GPU's storage buffer holds them
/// (48 bytes).
pub type SkinMatrix = Affine;

/// `M · M0⁻¹` for each joint of a skin, appended to `out`.
pub fn palette(skin: &Skin, globals: &Globals, out: &mut Vec<SkinMatrix>) {
    let worlds = globals.affines();
    out.extend(
        skin.joints
            .iter()
            .zip(&skin.joint_from_mesh)
            .map(|(&joint, joint_from_mesh)| worlds[joint as usize].mul_mat4(joint_from_mesh)),
    );
}
