//! The CPU reference: vertices by both routes of linear blend skinning.

use glam::{Mat4, Vec3};

use super::SkinMatrix;
use crate::document::Primitive;

/// How stored weights are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Weights {
    /// Divided by their sum, vertex by vertex.
    #[default]
    Normalized,
    /// As stored.
    Stored,
}

impl Weights {
    /// Both, in menu order.
    pub const ALL: [Self; 2] = [Self::Normalized, Self::Stored];

    /// The name on the command line and in menus.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::Stored => "stored",
        }
    }

    /// Factor on a vertex's stored weights, given their sum.
    pub fn factor(self, sum: f32) -> f32 {
        match self {
            Self::Normalized if sum > 0.0 => 1.0 / sum,
            _ => 1.0,
        }
    }
}

/// A vertex in mesh space after morph targets: morph first, then skin.
fn morphed(primitive: &Primitive, vertex: usize, morph_weights: &[f32]) -> Vec3 {
    primitive
        .morph_targets
        .iter()
        .zip(morph_weights)
        .filter(|(target, _)| !target.positions.is_empty())
        .fold(
            primitive.positions[vertex],
            |position, (target, &weight)| position + target.positions[vertex] * weight,
        )
}

/// `Σ w (M M0⁻¹) v`: positions in world space. `palette` holds `M M0⁻¹` by the
/// skin's joint slots. A vertex whose weights are all zero stays at its bind position.
pub fn deform_by_skin_matrices(
    primitive: &Primitive,
    palette: &[SkinMatrix],
    morph_weights: &[f32],
    weights: Weights,
    out: &mut Vec<Vec3>,
) {
    out.clear();
    out.extend((0..primitive.vertex_count()).map(|vertex| {
        let position = morphed(primitive, vertex, morph_weights);
        let influences = &primitive.influences;
        let sum: f32 = influences.of_vertex(vertex).map(|(_, w)| w).sum();
        if sum == 0.0 {
            return position;
        }
        let factor = weights.factor(sum);
        influences
            .of_vertex(vertex)
            .filter(|&(_, w)| w != 0.0)
            .fold(Vec3::ZERO, |sum, (slot, w)| {
                sum + palette[usize::from(slot)].transform_point(position) * (w * factor)
            })
    }));
}

/// `Σ w M d` with `d = M0⁻¹ v`, the vertex in each joint's bind frame: the
/// equivalent second route, kept as a check of the first.
pub fn deform_by_joint_frames(
    primitive: &Primitive,
    world_from_joint: impl Fn(usize) -> Mat4,
    joint_from_mesh: &[Mat4],
    morph_weights: &[f32],
    weights: Weights,
    out: &mut Vec<Vec3>,
) {
    out.clear();
    out.extend((0..primitive.vertex_count()).map(|vertex| {
        let position = morphed(primitive, vertex, morph_weights);
        let influences = &primitive.influences;
        let sum: f32 = influences.of_vertex(vertex).map(|(_, w)| w).sum();
        if sum == 0.0 {
            return position;
        }
        let factor = weights.factor(sum);
        influences
            .of_vertex(vertex)
            .filter(|&(_, w)| w != 0.0)
            .fold(Vec3::ZERO, |sum, (slot, w)| {
                let slot = usize::from(slot);
                let in_joint = joint_from_mesh[slot].transform_point3(position);
                sum + world_from_joint(slot).transform_point3(in_joint) * (w * factor)
            })
    }));
}
