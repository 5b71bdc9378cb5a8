//! Which joints and meshes of two documents mean the same.

use core::hash::Hash;
use std::{collections::HashMap, sync::Arc};

use super::vertices::{MeshPair, RestPoses, VertexPairs};
use crate::document::Document;

/// What two documents have in common, and what not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matching {
    /// Joint indices, A's and B's, in A's order.
    pub joints: Vec<(usize, usize)>,
    /// A's joints without a partner.
    pub only_a: Vec<usize>,
    /// B's joints without a partner.
    pub only_b: Vec<usize>,
    /// Meshes where nodes show them, each at most once.
    pub meshes: Vec<MeshPair>,
    /// What of the meshes has no partner, a sentence each.
    pub left_out: Vec<String>,
}

impl Matching {
    /// How many vertices are compared.
    pub fn vertex_count(&self, a: &Document) -> usize {
        self.meshes.iter().map(|pair| pair.count(a)).sum()
    }

    /// Whether there is nothing that both have.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty() && self.meshes.is_empty()
    }

    /// Whether all that either has is compared.
    pub fn is_whole(&self) -> bool {
        self.only_a.is_empty() && self.only_b.is_empty() && self.left_out.is_empty()
    }
}

/// Joints by name, the first of a name with the first, the second with the second; what has
/// no namesake by its place in a skin of as many joints; and what is left by the file's node
/// index, where both files have as many nodes. Meshes by the joint that shows them, or else
/// by name, or else by their order where both files show as many; their vertices by number,
/// or by place in the rest pose ([`VertexPairs`]).
///
/// Takes time where vertices are many and not in the same order; see [`matching_joints`].
pub fn matching(a: &Arc<Document>, b: &Arc<Document>) -> Matching {
    if Arc::ptr_eq(a, b) {
        return Matching {
            meshes: shown(a)
                .map(|instance| MeshPair {
                    a: instance,
                    b: instance,
                    vertices: VertexPairs::SameOrder,
                })
                .collect(),
            ..matching_joints(a, b)
        };
    }
    let mut found = matching_joints(a, b);
    match_meshes(a, b, &mut found);
    found
}

/// [`matching`] of joints alone.
pub fn matching_joints(a: &Arc<Document>, b: &Arc<Document>) -> Matching {
    let (count_a, count_b) = (a.skeleton.joints.len(), b.skeleton.joints.len());
    if Arc::ptr_eq(a, b) {
        return Matching {
            joints: (0..count_a).map(|joint| (joint, joint)).collect(),
            ..Matching::default()
        };
    }
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, joint) in b.skeleton.joints.iter().enumerate().rev() {
        if !joint.name.is_empty() {
            by_name.entry(&joint.name).or_default().push(index);
        }
    }
    let mut partner: Vec<Option<usize>> = (a.skeleton.joints.iter())
        .map(|joint| by_name.get_mut(joint.name.as_str())?.pop())
        .collect();
    let mut taken = vec![false; count_b];
    for &joint in partner.iter().flatten() {
        taken[joint] = true;
    }
    let mut pair = |of_a: usize, of_b: usize| {
        if partner[of_a].is_none() && !taken[of_b] {
            (partner[of_a], taken[of_b]) = (Some(of_b), true);
        }
    };
    for (skin_a, skin_b) in a.skins.iter().zip(&b.skins) {
        if skin_a.joints.len() == skin_b.joints.len() {
            for (&of_a, &of_b) in skin_a.joints.iter().zip(&skin_b.joints) {
                pair(of_a as usize, of_b as usize);
            }
        }
    }
    if count_a == count_b {
        let nodes = (a.skeleton.joint_of_node.iter()).zip(&b.skeleton.joint_of_node);
        for (&of_a, &of_b) in nodes {
            pair(of_a, of_b);
        }
    }
    Matching {
        joints: (0..count_a)
            .filter_map(|joint| Some((joint, partner[joint]?)))
            .collect(),
        only_a: (0..count_a)
            .filter(|&joint| partner[joint].is_none())
            .collect(),
        only_b: (0..count_b).filter(|&joint| !taken[joint]).collect(),
        ..Matching::default()
    }
}

/// The mesh instances that the scene has.
fn shown(document: &Document) -> impl Iterator<Item = usize> + '_ {
    let instances = document.instances.iter().enumerate();
    instances
        .filter(|(_, instance)| instance.in_scene)
        .map(|(index, _)| index)
}

fn match_meshes(a: &Arc<Document>, b: &Arc<Document>, found: &mut Matching) {
    let of_a: Vec<usize> = shown(a).collect();
    let of_b: Vec<usize> = shown(b).collect();
    let mut partner: Vec<Option<usize>> = vec![None; of_a.len()];
    let mut taken = vec![false; of_b.len()];
    let joint_in_b: HashMap<usize, usize> = found.joints.iter().copied().collect();
    let joint_of = |document: &Document, instance: usize| document.instances[instance].joint;
    pair_by(
        &mut partner,
        &mut taken,
        |at| joint_in_b.get(&joint_of(a, of_a[at])).copied(),
        |at| Some(joint_of(b, of_b[at])),
    );
    let name = |document: &'_ Document, instance: usize| {
        let name = document.meshes[document.instances[instance].mesh]
            .name
            .clone();
        (!name.is_empty()).then_some(name)
    };
    let (name_a, name_b) = (|at| name(a, of_a[at]), |at| name(b, of_b[at]));
    pair_by(&mut partner, &mut taken, name_a, name_b);
    if of_a.len() == of_b.len() {
        pair_by(&mut partner, &mut taken, Some, Some);
    }
    let mut rest = RestPoses::new(a, b);
    for (a_at, &instance) in of_a.iter().enumerate() {
        let name = a.skeleton.joints[a.instances[instance].joint].label();
        let Some(b_at) = partner[a_at] else {
            let sentence = format!("the mesh at {name:?} of A has no partner in B");
            found.left_out.push(sentence);
            continue;
        };
        let (vertices, lost) = rest.pair(instance, of_b[b_at]);
        if let Some(lost) = lost {
            found.left_out.push(format!("the mesh at {name:?} {lost}"));
        }
        if let Some(vertices) = vertices {
            found.meshes.push(MeshPair {
                a: instance,
                b: of_b[b_at],
                vertices,
            });
        }
    }
    for (b_at, &instance) in of_b.iter().enumerate() {
        if !taken[b_at] {
            let name = b.skeleton.joints[b.instances[instance].joint].label();
            let sentence = format!("the mesh at {name:?} of B has no partner in A");
            found.left_out.push(sentence);
        }
    }
}

/// Pairs what has no partner yet and the same key; of equal keys the first with the first.
fn pair_by<K: Eq + Hash>(
    partner: &mut [Option<usize>],
    taken: &mut [bool],
    key_a: impl Fn(usize) -> Option<K>,
    key_b: impl Fn(usize) -> Option<K>,
) {
    let mut by_key: HashMap<K, Vec<usize>> = HashMap::new();
    for at in (0..taken.len()).rev().filter(|&at| !taken[at]) {
        if let Some(key) = key_b(at) {
            by_key.entry(key).or_default().push(at);
        }
    }
    for (at, partner) in partner.iter_mut().enumerate() {
        if partner.is_none()
            && let Some(found) = key_a(at).and_then(|key| by_key.get_mut(&key)?.pop())
        {
            *partner = Some(found);
            taken[found] = true;
        }
    }
}
