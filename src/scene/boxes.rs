//! Boxes around a character: as its file would have it, and as it really is.

use std::sync::Arc;

use super::{Character, PoseSource, bounds::Probe};
use crate::{
    anim::{SkinMatrix, Technique},
    document::{Document, Primitive},
    math::Aabb,
};

/// Vertices up to which every one of them is posed in every frame; of more, those that
/// stick out ([`Probe::new`]).
const MOST_VERTICES: usize = 200_000;
/// Vertices posed for a clip's box at most; longer clips are looked at less often, and
/// by what sticks out.
const MOST_WORK: usize = 3_000_000;
/// Poses a second that a clip's box is made of.
const POSES_PER_SEC: f32 = 30.0;

/// Boxes of one document, and what they were made for.
#[derive(Debug, Clone)]
pub(super) struct Boxes {
    document: Arc<Document>,
    /// Model space.
    stored: Aabb,
    every_vertex: Option<Probe>,
    outermost: Option<Probe>,
    clip: Option<(ClipKey, Aabb)>,
}

/// What a clip's box depends on.
#[derive(Debug, Clone, PartialEq)]
struct ClipKey {
    source: PoseSource,
    skinning: bool,
    technique: Technique,
}

impl Boxes {
    pub(super) fn new(document: &Arc<Document>) -> Self {
        Self {
            document: document.clone(),
            stored: stored_bounds(document),
            every_vertex: None,
            outermost: None,
            clip: None,
        }
    }

    /// Makes it one of this document.
    pub(super) fn follow(&mut self, document: &Arc<Document>) {
        if !Arc::ptr_eq(&self.document, document) {
            *self = Self::new(document);
        }
    }

    /// Around the positions as stored, each mesh under the rest transform of the node
    /// that shows it, skin or no skin; world space.
    pub(super) fn stored(&self, character: &Character) -> Aabb {
        self.stored.transformed(character.world_from_model)
    }

    /// Around all vertices in the present pose, world space. `palette` is scratch space.
    pub(super) fn now(&mut self, character: &Character, palette: &mut Vec<SkinMatrix>) -> Aabb {
        let probe = self.probe(1);
        probe
            .vertex_bounds(character, palette)
            .transformed(character.world_from_model)
    }

    /// Around all vertices over the whole clip, or in the rest or bind pose; world space.
    pub(super) fn over_clip(&mut self, character: &Character) -> Aabb {
        let key = ClipKey {
            source: character.source,
            skinning: character.skinned,
            technique: character.technique.clone(),
        };
        if self.clip.as_ref().is_none_or(|(known, _)| *known != key) {
            let seconds = character.clip().map_or(0.0, |clip| clip.duration_secs);
            let poses = (seconds * POSES_PER_SEC).clamp(8.0, 240.0) as usize;
            let bounds = self.probe(poses).over_clip(character, poses);
            self.clip = Some((key, bounds));
        }
        let bounds = self
            .clip
            .as_ref()
            .map_or(Aabb::EMPTY, |(_, bounds)| *bounds);
        bounds.transformed(character.world_from_model)
    }

    /// The vertices to look at in so many poses.
    fn probe(&mut self, poses: usize) -> &Probe {
        let document = &self.document;
        let count: usize = document
            .instances
            .iter()
            .filter(|i| i.in_scene)
            .fold(0, |sum, i| {
                let primitives = document.meshes[i.mesh].primitives.iter();
                sum + primitives.map(Primitive::vertex_count).sum::<usize>()
            });
        if count <= MOST_VERTICES && count.saturating_mul(poses) <= MOST_WORK {
            self.every_vertex
                .get_or_insert_with(|| Probe::of_every_vertex(document))
        } else {
            self.outermost.get_or_insert_with(|| Probe::new(document))
        }
    }
}

/// Around the positions as stored under the nodes' rest transforms, model space.
fn stored_bounds(document: &Document) -> Aabb {
    let rest = document.skeleton.rest_globals();
    let shown = document
        .instances
        .iter()
        .filter(|instance| instance.in_scene);
    shown.fold(Aabb::EMPTY, |bounds, instance| {
        let primitives = document.meshes[instance.mesh].primitives.iter();
        primitives.fold(bounds, |bounds, primitive| {
            bounds.union(primitive.bounds.transformed(rest[instance.joint]))
        })
    })
}
