//! Where a character is over its whole clip, for framing, shadow and ground.

use glam::Vec3;

use super::{Character, Poser, View};
use crate::{
    anim::SkinMatrix,
    document::{Document, Primitive},
    math::Aabb,
};

/// The six axes, the diagonals of a cube and of its faces; the first six alone are
/// good enough for the many targets of a face.
const DIRECTIONS: [Vec3; 26] = [
    Vec3::X,
    Vec3::NEG_X,
    Vec3::Y,
    Vec3::NEG_Y,
    Vec3::Z,
    Vec3::NEG_Z,
    Vec3::new(1.0, 1.0, 1.0),
    Vec3::new(1.0, 1.0, -1.0),
    Vec3::new(1.0, -1.0, 1.0),
    Vec3::new(1.0, -1.0, -1.0),
    Vec3::new(-1.0, 1.0, 1.0),
    Vec3::new(-1.0, 1.0, -1.0),
    Vec3::new(-1.0, -1.0, 1.0),
    Vec3::new(-1.0, -1.0, -1.0),
    Vec3::new(1.0, 1.0, 0.0),
    Vec3::new(1.0, -1.0, 0.0),
    Vec3::new(-1.0, 1.0, 0.0),
    Vec3::new(-1.0, -1.0, 0.0),
    Vec3::new(1.0, 0.0, 1.0),
    Vec3::new(1.0, 0.0, -1.0),
    Vec3::new(-1.0, 0.0, 1.0),
    Vec3::new(-1.0, 0.0, -1.0),
    Vec3::new(0.0, 1.0, 1.0),
    Vec3::new(0.0, 1.0, -1.0),
    Vec3::new(0.0, -1.0, 1.0),
    Vec3::new(0.0, -1.0, -1.0),
];

/// A document's vertices that stick out: for each joint, those farthest out among
/// the vertices that follow mostly it. Whatever the pose, the box around them is
/// the box around all vertices but for what blending bulges.
#[derive(Debug, Clone, Default)]
pub(super) struct Probe {
    /// (instance, primitive, vertex), sorted.
    vertices: Vec<(u32, u32, u32)>,
}

impl Probe {
    pub(super) fn new(document: &Document) -> Self {
        let mut probe = Self::default();
        let instances = document.instances.iter().enumerate();
        for (i, instance) in instances.filter(|(_, instance)| instance.in_scene) {
            for (p, primitive) in document.meshes[instance.mesh].primitives.iter().enumerate() {
                let joints = instance
                    .skin
                    .map_or(1, |skin| document.skins[skin].joints.len());
                for vertex in extreme_vertices(primitive, joints.max(1)) {
                    probe.vertices.push((i as u32, p as u32, vertex));
                }
            }
        }
        probe
    }

    /// All vertices of the scene: exact, and as slow as there are many.
    pub(super) fn of_every_vertex(document: &Document) -> Self {
        let instances = document.instances.iter().enumerate();
        let shown = instances.filter(|(_, instance)| instance.in_scene);
        let vertices = shown.flat_map(|(i, instance)| {
            let primitives = document.meshes[instance.mesh].primitives.iter().enumerate();
            primitives.flat_map(move |(p, primitive)| {
                (0..primitive.vertex_count() as u32).map(move |v| (i as u32, p as u32, v))
            })
        });
        Self {
            vertices: vertices.collect(),
        }
    }

    /// [`Self::vertex_bounds`]; around the joints where there are no vertices.
    pub(super) fn bounds(&self, character: &Character, palette: &mut Vec<SkinMatrix>) -> Aabb {
        let mut bounds = self.vertex_bounds(character, palette);
        if bounds.is_empty() {
            for joint in 0..character.document.skeleton.joints.len() {
                bounds.grow(character.globals.world(joint).w_axis.truncate());
            }
        }
        bounds
    }

    /// Box around the probed vertices in the character's present pose, model space;
    /// empty where there are none.
    pub(super) fn vertex_bounds(
        &self,
        character: &Character,
        palette: &mut Vec<SkinMatrix>,
    ) -> Aabb {
        let document = &*character.document;
        let mut bounds = Aabb::EMPTY;
        let by_instance = self.vertices.chunk_by(|a, b| a.0 == b.0);
        for vertices in by_instance {
            let index = vertices[0].0 as usize;
            let primitives = &document.meshes[document.instances[index].mesh].primitives;
            let poser = Poser::in_model(character, index, palette);
            for &(_, primitive, vertex) in vertices {
                bounds.grow(poser.place(&primitives[primitive as usize], vertex as usize));
            }
        }
        bounds
    }

    /// [`Self::vertex_bounds`] over the whole clip in so many poses, first and last
    /// among them.
    pub(super) fn over_clip(&self, character: &Character, poses: usize) -> Aabb {
        let mut posed = character.clone();
        let mut palette = Vec::new();
        let Some(clip) = character.clip() else {
            return self.vertex_bounds(&posed, &mut palette);
        };
        let (duration, last) = (clip.duration_secs.max(0.0), poses.max(2) - 1);
        (0..=last).fold(Aabb::EMPTY, |bounds, pose| {
            posed.player.time_secs = duration * pose as f32 / last as f32;
            posed.update();
            bounds.union(self.vertex_bounds(&posed, &mut palette))
        })
    }

    /// [`Self::bounds`] over the whole clip.
    pub(super) fn animated_bounds(&self, character: &Character) -> Aabb {
        let mut palette = Vec::new();
        over_clip(character, |probed| self.bounds(probed, &mut palette))
    }
}

/// Box around what `now` finds in the poses of the character's clip, about fifteen a
/// second, or in its present pose without one.
pub(super) fn over_clip(character: &Character, mut now: impl FnMut(&Character) -> Aabb) -> Aabb {
    let mut probed = character.clone();
    let Some(clip) = character.clip() else {
        probed.update();
        return now(&probed);
    };
    let duration = clip.duration_secs.max(0.0);
    let steps = (duration * 15.0).clamp(8.0, 64.0) as usize;
    (0..=steps).fold(Aabb::EMPTY, |bounds, step| {
        probed.player.time_secs = duration * step as f32 / steps as f32;
        probed.update();
        bounds.union(now(&probed))
    })
}

/// Box around a character over its whole clip, or in its rest or bind pose, in
/// world space: what the camera frames. Takes a millisecond or so; keep the result
/// for as long as document, clip and pose source stay.
pub fn animated_bounds(character: &Character) -> Aabb {
    Probe::new(&character.document)
        .animated_bounds(character)
        .transformed(character.world_from_model)
}

/// [`animated_bounds`] of all that is seen when the skeleton is shown (`skeleton`, or
/// a document that has nothing else): controls and end joints often reach far beyond
/// the surface. [`Frame::shown_bounds`](super::Frame::shown_bounds) is the same for
/// who builds a frame next.
pub fn shown_bounds(character: &Character, skeleton: bool) -> Aabb {
    super::Frame::default().shown_bounds(character, skeleton)
}

/// What the camera frames in a view: [`shown_bounds`], and the reference figure where
/// it stands beside.
pub fn framed_bounds(character: &Character, view: &View) -> Aabb {
    super::Frame::default().framed_bounds(character, view)
}

/// World y of the ground under a box: its lower face, or 0 where that is near.
pub(super) fn ground_height(bounds: Aabb) -> f32 {
    let low = if bounds.is_empty() { 0.0 } else { bounds.min.y };
    if low.abs() <= 0.04 * bounds.diagonal() {
        0.0
    } else {
        low
    }
}

/// Vertices farthest out in some direction among those of their joint (one of
/// `joints`), at bind and under each morph target; sorted, without repeats.
fn extreme_vertices(primitive: &Primitive, joints: usize) -> Vec<u32> {
    // Joints that some vertex follows, numbered as they come: a skin may have many
    // more than one primitive needs.
    let mut number_of = vec![usize::MAX; joints];
    let mut groups = 0;
    let group_of: Vec<usize> = (0..primitive.vertex_count())
        .map(|vertex| {
            let heaviest = primitive
                .influences
                .of_vertex(vertex)
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .map_or(0, |(slot, _)| usize::from(slot));
            let number = &mut number_of[heaviest.min(joints - 1)];
            if *number == usize::MAX {
                *number = groups;
                groups += 1;
            }
            *number
        })
        .collect();
    let mut found = Vec::new();
    let mut collect = |directions: &[Vec3], positions: &dyn Fn(usize) -> Option<Vec3>| {
        let mut best = vec![(f32::NEG_INFINITY, u32::MAX); groups * directions.len()];
        for (vertex, group) in group_of.iter().enumerate() {
            let Some(position) = positions(vertex) else {
                continue;
            };
            let first = group * directions.len();
            let best = &mut best[first..first + directions.len()];
            for (direction, best) in directions.iter().zip(best) {
                let distance = direction.dot(position);
                if distance > best.0 {
                    *best = (distance, vertex as u32);
                }
            }
        }
        found.extend(best.iter().map(|b| b.1).filter(|&v| v != u32::MAX));
    };
    collect(&DIRECTIONS, &|vertex| Some(primitive.positions[vertex]));
    for target in &primitive.morph_targets {
        collect(&DIRECTIONS[..6], &|vertex| {
            let delta = *target.positions.get(vertex)?;
            (delta != Vec3::ZERO).then(|| primitive.positions[vertex] + delta)
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}
