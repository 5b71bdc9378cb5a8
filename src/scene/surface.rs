//! Points on a character's surface, followed through poses.

use glam::Vec3;

use super::Character;
use crate::{
    anim::{self, SkinMatrix},
    document::{MeshInstance, Primitive},
};

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
        let poser = Poser::new(character, self.instance, instance, primitive, palette);
        let corners = self.vertices.map(|vertex| poser.place(vertex as usize));
        let sum: Vec3 = corners.iter().zip(self.shares).map(|(&c, s)| c * s).sum();
        sum.is_finite().then_some(sum)
    }
}

/// Vertices of one primitive in world space.
struct Poser<'a> {
    character: &'a Character,
    primitive: &'a Primitive,
    morph_weights: &'a [f32],
    /// `None` where no skin moves it.
    palette: Option<&'a [SkinMatrix]>,
    world_from_mesh: glam::Mat4,
}

impl<'a> Poser<'a> {
    fn new(
        character: &'a Character,
        index: usize,
        instance: &MeshInstance,
        primitive: &'a Primitive,
        palette: &'a mut Vec<SkinMatrix>,
    ) -> Self {
        palette.clear();
        let is_skinned = instance.skin.is_some() && character.skinning;
        if let Some(skin) = instance.skin.filter(|_| is_skinned) {
            character.palette(skin, palette);
        }
        // A skin takes the place of the node's transform, also while it is off.
        let world_from_mesh = match instance.skin {
            Some(_) => character.world_from_model,
            None => character.world_from_model * character.globals.world(instance.joint),
        };
        Self {
            character,
            primitive,
            morph_weights: &character.pose.morph_weights[index],
            palette: is_skinned.then_some(palette),
            world_from_mesh,
        }
    }

    fn place(&self, vertex: usize) -> Vec3 {
        let (primitive, weights) = (self.primitive, self.morph_weights);
        let position = match self.palette {
            Some(palette) => {
                let rule = self.character.weights;
                anim::skinned_position(primitive, vertex, palette, weights, rule)
            }
            None => anim::morphed_position(primitive, vertex, weights),
        };
        self.world_from_mesh.transform_point3(position)
    }
}
