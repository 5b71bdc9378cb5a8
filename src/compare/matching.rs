//! Which joints and meshes of two documents mean the same.

use std::{collections::HashMap, sync::Arc};

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
    /// Mesh instances, A's and B's, of equal vertex counts.
    pub instances: Vec<(usize, usize)>,
    /// Why a mesh was left out, a sentence each.
    pub left_out: Vec<String>,
}

impl Matching {
    /// How many vertices are compared.
    pub fn vertex_count(&self, a: &Document) -> usize {
        let vertices = |&(instance, _): &(usize, usize)| {
            a.meshes[a.instances[instance].mesh].file_vertex_count()
        };
        self.instances.iter().map(vertices).sum()
    }
}

/// Joints by name, the first of a name with the first, the second with the second; what has
/// no namesake by its place in a skin of as many joints; and what is left by the file's node
/// index, where both files have as many nodes. Mesh instances by the joint that shows them,
/// or else by their own index.
pub fn matching(a: &Arc<Document>, b: &Arc<Document>) -> Matching {
    let (count_a, count_b) = (a.skeleton.joints.len(), b.skeleton.joints.len());
    if Arc::ptr_eq(a, b) {
        return Matching {
            joints: (0..count_a).map(|joint| (joint, joint)).collect(),
            instances: (0..a.instances.len())
                .filter(|&instance| a.instances[instance].in_scene)
                .map(|instance| (instance, instance))
                .collect(),
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
        let nodes = a
            .skeleton
            .joint_of_node
            .iter()
            .zip(&b.skeleton.joint_of_node);
        for (&of_a, &of_b) in nodes {
            pair(of_a, of_b);
        }
    }
    let mut found = Matching {
        joints: (0..count_a)
            .filter_map(|joint| Some((joint, partner[joint]?)))
            .collect(),
        only_a: (0..count_a)
            .filter(|&joint| partner[joint].is_none())
            .collect(),
        only_b: (0..count_b).filter(|&joint| !taken[joint]).collect(),
        ..Matching::default()
    };
    match_instances(a, b, &partner, &mut found);
    found
}

fn match_instances(a: &Document, b: &Document, partner: &[Option<usize>], found: &mut Matching) {
    for (index, instance) in a.instances.iter().enumerate() {
        if !instance.in_scene {
            continue;
        }
        let name = a.skeleton.joints[instance.joint].label();
        let shown = |joint: usize| {
            let mut instances = b.instances.iter();
            instances.position(|other| other.in_scene && other.joint == joint)
        };
        let at_joint = partner[instance.joint].and_then(shown);
        let at_index = || (index < b.instances.len()).then_some(index);
        let other = at_joint.or_else(at_index);
        let Some(other) = other else {
            found
                .left_out
                .push(format!("the mesh at {name:?} has no partner"));
            continue;
        };
        let counts = |document: &Document, mesh: usize| -> Vec<usize> {
            let primitives = document.meshes[mesh].primitives.iter();
            primitives
                .map(|primitive| primitive.file_vertex_count)
                .collect()
        };
        let of_a = counts(a, instance.mesh);
        let of_b = counts(b, b.instances[other].mesh);
        if of_a == of_b {
            found.instances.push((index, other));
        } else {
            let [sum_a, sum_b] = [of_a, of_b].map(|counts| counts.iter().sum::<usize>());
            found.left_out.push(format!(
                "the mesh at {name:?} has {sum_a} vertices in A and {sum_b} in B"
            ));
        }
    }
}
