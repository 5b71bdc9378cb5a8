//! A vertex of the open document: where it is now.

use glam::Vec3;

use super::{Stage, VertexRef, View, frame::shown_skinning};
use crate::document::{Document, MeshInstance, Primitive};

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
        let position = character.vertex_place(
            at,
            character.technique.weights,
            shown_skinning(character, view),
        )?;
        Some(Self { at, position })
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
