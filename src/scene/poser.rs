//! Vertices of a character as they stand in the world: the CPU reference of what is drawn.

use glam::{Mat4, Vec3};

use super::{Character, VertexRef};
use crate::{
    anim::{self, SkinMatrix, Skinning, Weights},
    document::Primitive,
};

/// One mesh instance of a character in its present pose.
#[derive(Debug)]
pub struct Poser<'a> {
    /// `None` where no skin moves it.
    palette: Option<&'a [SkinMatrix]>,
    morph_weights: &'a [f32],
    world_from_mesh: Mat4,
    weights: Weights,
    skinning: Skinning,
}

impl<'a> Poser<'a> {
    /// Of the instance of this index, by the character's own technique. `palette` is scratch
    /// space.
    pub fn new(
        character: &'a Character,
        instance: usize,
        palette: &'a mut Vec<SkinMatrix>,
    ) -> Self {
        Self::by(character, instance, character.technique.skinning, palette)
    }

    /// [`Self::new`] by another method of skinning.
    pub fn by(
        character: &'a Character,
        instance: usize,
        skinning: Skinning,
        palette: &'a mut Vec<SkinMatrix>,
    ) -> Self {
        palette.clear();
        let skin = character.document.instances[instance].skin;
        let skin = skin.filter(|_| character.skinned);
        if let Some(skin) = skin {
            character.palette_by(skin, skinning, palette);
        }
        Self {
            palette: skin.map(|_| &**palette),
            morph_weights: &character.pose.morph_weights[instance],
            world_from_mesh: character.world_from_mesh(instance),
            weights: character.technique.weights,
            skinning,
        }
    }

    /// [`Self::new`] in model space: without the placement on the stage.
    pub(super) fn in_model(
        character: &'a Character,
        instance: usize,
        palette: &'a mut Vec<SkinMatrix>,
    ) -> Self {
        Self {
            world_from_mesh: character.model_from_mesh(instance),
            ..Self::new(character, instance, palette)
        }
    }

    /// The same with another rule for weights.
    #[must_use]
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Where a vertex of one of the instance's primitives is, world space.
    pub fn place(&self, primitive: &Primitive, vertex: usize) -> Vec3 {
        let morphs = self.morph_weights;
        let position = match self.palette {
            Some(palette) => {
                let (weights, skinning) = (self.weights, self.skinning);
                anim::skinned_position_by(primitive, vertex, palette, morphs, weights, skinning)
            }
            None => anim::morphed_position(primitive, vertex, morphs),
        };
        self.world_from_mesh.transform_point3(position)
    }
}

impl Character {
    /// Where a vertex is in the present pose, by a method of skinning and a rule for
    /// weights, world space. `None` without such a vertex, or where a broken pose puts it
    /// nowhere.
    pub fn vertex_place(
        &self,
        at: VertexRef,
        weights: Weights,
        skinning: Skinning,
    ) -> Option<Vec3> {
        let (_, primitive) = at.resolve(&self.document)?;
        let mut palette = Vec::new();
        let poser = Poser::by(self, at.instance, skinning, &mut palette).with_weights(weights);
        let place = poser.place(primitive, at.vertex);
        place.is_finite().then_some(place)
    }
}
