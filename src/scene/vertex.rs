//! A vertex of the open document: where it is now.

use glam::Vec3;

use super::{Character, Stage, VertexRef, View, frame::skinning};
use crate::{
    anim::{self, Skinning, Weights},
    document::{Document, MeshInstance, Primitive},
};

/// The selected vertex in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexMark {
    /// Which it is.
    pub at: VertexRef,
    /// Where it is drawn, world space.
    pub position: Vec3,
}

impl VertexMark {
    /// Of the selected vertex, if there is one that is somewhere; of a mesh that is not
    /// shown there is none.
    pub(super) fn of(stage: &Stage, view: &View) -> Option<Self> {
        let at = view.selected_vertex?;
        let character = stage.characters.first()?;
        let is_shown = view.mesh && !view.hidden_instances.contains(&at.instance);
        if !is_shown || !character.document.instances.get(at.instance)?.in_scene {
            return None;
        }
        let position = character.vertex_place(at, character.weights, skinning(view))?;
        Some(Self { at, position })
    }
}

impl Character {
    /// Where a vertex is in the present pose: morphed, skinned with the influences and
    /// weights that count, and placed on the stage. `None` without such a vertex, or
    /// where a broken pose puts it nowhere.
    pub fn vertex_place(
        &self,
        at: VertexRef,
        weights: Weights,
        skinning: Skinning,
    ) -> Option<Vec3> {
        let document = &*self.document;
        let (instance, primitive) = at.resolve(document)?;
        let morphs = &self.pose.morph_weights[at.instance];
        let place = match instance.skin {
            Some(skin) if self.skinning => {
                let mut palette = Vec::new();
                self.palette(skin, &mut palette);
                let (vertex, palette) = (at.vertex, &palette);
                anim::skinned_position_by(primitive, vertex, palette, morphs, weights, skinning)
            }
            Some(_) => anim::morphed_position(primitive, at.vertex, morphs),
            None => {
                let position = anim::morphed_position(primitive, at.vertex, morphs);
                self.globals
                    .world(instance.joint)
                    .transform_point3(position)
            }
        };
        let place = self.world_from_model.transform_point3(place);
        place.is_finite().then_some(place)
    }
}

impl VertexRef {
    /// The mesh instance and primitive that it names, if the document has the vertex.
    pub fn resolve(self, document: &Document) -> Option<(&MeshInstance, &Primitive)> {
        let instance = document.instances.get(self.instance)?;
        let primitive = document.meshes[instance.mesh]
            .primitives
            .get(self.primitive)?;
        (self.vertex < primitive.vertex_count()).then_some((instance, primitive))
    }
}
