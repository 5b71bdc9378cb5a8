//! Which joints pull which vertex, and how hard; what is lost where only four count.
//!
//! Vertices are the file's, by index within their primitive. Copies that tangent
//! generation split off ([`Primitive::file_vertex_count`]) are left out of counts;
//! arrays with an entry per vertex cover them too.

mod four;
mod histogram;

pub use four::{BeyondFour, Displacement, Four, Keep, beyond_four, displacement, four};
pub(super) use four::{Dropped, moved};
pub use histogram::{Histogram, VertexSum, histogram};

use crate::{
    anim::Weights,
    document::{Document, MeshInstance, Primitive},
};

/// Influences of an attribute set.
pub const PER_SET: usize = 4;

/// One stored influence of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InfluenceRow {
    /// Attribute set: 0 for `JOINTS_0` and `WEIGHTS_0`, 1 for the next complete one.
    pub set: usize,
    /// Place within its set, 0 … 3.
    pub lane: usize,
    /// Index into [`crate::document::Skin::joints`].
    pub slot: usize,
    /// Joint index.
    pub joint: usize,
    /// Weight as stored.
    pub stored: f32,
    /// Its share in the sum of the vertex's weights, as this program uses it; 0 where
    /// that sum is too small to divide by.
    pub normalized: f32,
    /// No weight: moves nothing.
    pub is_zero: bool,
    /// Has weight, and so has another row of the same joint.
    pub is_duplicate: bool,
    /// Has weight outside the first set: most engines drop it.
    pub is_beyond_four: bool,
}

/// Every stored influence of a vertex, in stored order, those without weight too.
/// Empty where the mesh is shown without a skin, has no influences there, or an index
/// is out of range.
pub fn of_vertex(
    document: &Document,
    instance: usize,
    primitive: usize,
    vertex: usize,
) -> Vec<InfluenceRow> {
    let Some((instance, primitive)) = document.instances.get(instance).and_then(|instance| {
        let mesh = document.meshes.get(instance.mesh)?;
        Some((instance, mesh.primitives.get(primitive)?))
    }) else {
        return Vec::new();
    };
    let Some(skin) = instance.skin.and_then(|skin| document.skins.get(skin)) else {
        return Vec::new();
    };
    let influences = &primitive.influences;
    if influences.is_empty() || vertex >= primitive.vertex_count() {
        return Vec::new();
    }
    let stored: Vec<(u16, f32)> = influences.of_vertex(vertex).collect();
    let sum: f32 = stored.iter().map(|&(_, weight)| weight).sum();
    let share = if sum < Weights::MIN_SUM {
        0.0
    } else {
        sum.recip()
    };
    let rows = stored.iter().enumerate();
    rows.map(|(place, &(slot, weight))| {
        let twin = |&(other, &(joint, weight)): &(usize, &(u16, f32))| {
            other != place && joint == slot && weight > 0.0
        };
        let has_weight = weight > 0.0;
        InfluenceRow {
            set: place / PER_SET,
            lane: place % PER_SET,
            slot: usize::from(slot),
            joint: skin.joints[usize::from(slot)] as usize,
            stored: weight,
            normalized: weight * share,
            is_zero: !has_weight,
            is_duplicate: has_weight && stored.iter().enumerate().any(|other| twin(&other)),
            is_beyond_four: has_weight && place >= PER_SET,
        }
    })
    .collect()
}

/// Stored influences of the file's vertices of a primitive, a slice pair each: slots and
/// weights. Nothing of an unskinned primitive.
pub(super) fn file_vertices(primitive: &Primitive) -> impl Iterator<Item = (&[u16], &[f32])> {
    let influences = &primitive.influences;
    // `chunks` of 0 would panic; there is nothing to cut then.
    let per_vertex = influences.per_vertex.max(1);
    influences
        .joints
        .chunks_exact(per_vertex)
        .zip(influences.weights.chunks_exact(per_vertex))
        .take(primitive.file_vertex_count)
}

/// The primitives that instances show under a skin, with the instance.
pub(super) fn skinned(
    document: &Document,
    skin: usize,
) -> impl Iterator<Item = (&MeshInstance, &Primitive)> {
    let shows_skin = move |instance: &&MeshInstance| instance.skin == Some(skin);
    let instances = document.instances.iter().filter(shows_skin);
    instances.flat_map(|instance| {
        let primitives = &document.meshes[instance.mesh].primitives;
        primitives
            .iter()
            .map(move |primitive| (instance, primitive))
    })
}

/// By slot of a skin: vertices that have weight on it, over all instances that use the
/// skin. 0: the joint moves nothing. Empty where there is no such skin.
pub fn slot_usage(document: &Document, skin: usize) -> Vec<usize> {
    let Some(joints) = document.skins.get(skin).map(|skin| skin.joints.len()) else {
        return Vec::new();
    };
    let mut usage = vec![0; joints];
    for (_, primitive) in skinned(document, skin) {
        for (slots, weights) in file_vertices(primitive) {
            for (place, (&slot, &weight)) in slots.iter().zip(weights).enumerate() {
                // A joint that is there twice counts once.
                let again = || (0..place).any(|p| slots[p] == slot && weights[p] > 0.0);
                if weight > 0.0 && !again() {
                    usage[usize::from(slot)] += 1;
                }
            }
        }
    }
    usage
}

/// By joint index: whether any skinned vertex has weight on it.
pub fn used_joints(document: &Document) -> Vec<bool> {
    let mut used = vec![false; document.skeleton.joints.len()];
    for (index, skin) in document.skins.iter().enumerate() {
        for (slot, vertices) in slot_usage(document, index).into_iter().enumerate() {
            used[skin.joints[slot] as usize] |= vertices > 0;
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Influences, Mesh, Skeleton, Skin};
    use glam::Vec3;

    /// Three joints in the skin's order 2, 0, 1; two vertices with two sets each.
    fn document() -> Document {
        let primitive = Primitive {
            positions: vec![Vec3::ZERO; 2],
            file_vertex_count: 2,
            influences: Influences {
                per_vertex: 8,
                joints: vec![0, 1, 0, 2, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
                weights: vec![
                    0.5, 0.25, 0.25, 0.0, 1.0, 0.0, 0.0, 0.0, //
                    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
                ],
            },
            ..Primitive::default()
        };
        Document {
            skeleton: Skeleton {
                joints: vec![Default::default(); 3],
                joint_of_node: vec![0, 1, 2],
            },
            meshes: vec![Mesh {
                primitives: vec![primitive],
                ..Mesh::default()
            }],
            skins: vec![Skin {
                joints: vec![2, 0, 1],
                joint_from_mesh: vec![glam::Mat4::IDENTITY; 3],
                ..Skin::default()
            }],
            instances: vec![MeshInstance {
                joint: 0,
                mesh: 0,
                skin: Some(0),
                in_scene: true,
                morph_weights: Vec::new(),
            }],
            ..Document::default()
        }
    }

    #[test]
    fn every_stored_influence_of_a_vertex_is_told() {
        let rows = of_vertex(&document(), 0, 0, 0);
        assert_eq!(rows.len(), 8);
        let row = |set, lane, slot, joint, stored: f32| InfluenceRow {
            set,
            lane,
            slot,
            joint,
            stored,
            normalized: stored / 2.0,
            is_zero: stored == 0.0,
            is_duplicate: false,
            is_beyond_four: false,
        };
        let twice = |row| InfluenceRow {
            is_duplicate: true,
            ..row
        };
        assert_eq!(rows[0], twice(row(0, 0, 0, 2, 0.5)));
        assert_eq!(rows[1], row(0, 1, 1, 0, 0.25));
        assert_eq!(rows[2], twice(row(0, 2, 0, 2, 0.25)));
        assert_eq!(rows[3], row(0, 3, 2, 1, 0.0));
        let beyond = InfluenceRow {
            is_beyond_four: true,
            ..row(1, 0, 2, 1, 1.0)
        };
        assert_eq!(rows[4], beyond);
        // Without weight it is no duplicate, and nothing is lost with it.
        assert_eq!(rows[5], row(1, 1, 0, 2, 0.0));
    }

    #[test]
    fn a_vertex_without_weight_has_rows_but_no_shares() {
        let rows = of_vertex(&document(), 0, 0, 1);
        assert_eq!(rows.len(), 8);
        let idle = |row: &InfluenceRow| row.is_zero && row.normalized == 0.0 && !row.is_duplicate;
        assert!(rows.iter().all(idle));
    }

    #[test]
    fn what_is_not_there_has_no_rows() {
        let mut document = document();
        for (instance, primitive, vertex) in [(1, 0, 0), (0, 1, 0), (0, 0, 2), (9, 9, 9)] {
            assert_eq!(of_vertex(&document, instance, primitive, vertex), []);
        }
        document.instances[0].skin = None;
        assert_eq!(of_vertex(&document, 0, 0, 0), []);
        assert_eq!(used_joints(&document), [false; 3]);
    }

    #[test]
    fn usage_counts_vertices_and_speaks_of_joints() {
        let document = document();
        assert_eq!(slot_usage(&document, 0), [1, 1, 1]);
        assert_eq!(slot_usage(&document, 1), [0; 0]);
        let mut less = document.clone();
        less.meshes[0].primitives[0].influences.weights[4] = 0.0;
        assert_eq!(slot_usage(&less, 0), [1, 1, 0]);
        assert_eq!(used_joints(&less), [true, false, true]);
    }
}
