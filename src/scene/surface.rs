//! Points on a character's surface, followed through poses.

use glam::Vec3;

use super::{Character, Poser};
use crate::anim::SkinMatrix;

/// A point of a triangle, wherever the pose takes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Index into `Document::instances`.
    pub instance: usize,
    /// Index within the instance's mesh.
    pub primitive: usize,
    /// The triangle's corners, vertex indices of the primitive.
    pub vertices: [u32; 3],
    /// Weight of each corner; they sum to 1.
    pub shares: [f32; 3],
}

impl SurfacePoint {
    /// Where it is in the world, in the present pose; `None` in a document that has no
    /// such triangle, or where a broken pose puts it nowhere. `palette` is scratch space.
    pub fn place(&self, character: &Character, palette: &mut Vec<SkinMatrix>) -> Option<Vec3> {
        let document = &character.document;
        let instance = document.instances.get(self.instance)?;
        let mesh = &document.meshes[instance.mesh];
        let primitive = mesh.primitives.get(self.primitive)?;
        let count = primitive.vertex_count();
        if self.vertices.iter().any(|&vertex| vertex as usize >= count) {
            return None;
        }
        let poser = Poser::new(character, self.instance, palette);
        let place = |vertex: u32| poser.place(primitive, vertex as usize);
        let corners = self.vertices.map(place);
        let sum: Vec3 = corners.iter().zip(self.shares).map(|(&c, s)| c * s).sum();
        sum.is_finite().then_some(sum)
    }
}
