//! Nodes of every kind → the skeleton.

use std::collections::HashMap;

use glam::{DQuat, DVec3, Mat4, Quat};

use super::{
    Failure, Source,
    ddl::{Data, Id, Tree},
    metrics::Metrics,
    transform::{Kind, Part, parts},
};
use crate::{
    document::{Finding, Joint, Skeleton},
    import::gltf::{nodes::from_matrix, vertices::Finite as _},
    math::Transform,
};

/// One node; its index is its joint's, for the file has parents before children.
pub(super) struct Node {
    pub(super) id: Id,
    /// The factors of its transform in order, those for the object alone among them.
    pub(super) parts: Vec<Part>,
    /// `node 3 "upper"`, for messages.
    pub(super) label: String,
    pub(super) is_root: bool,
}

impl Node {
    /// The factors that children inherit.
    pub(super) fn own_parts(&self) -> Vec<&Part> {
        self.parts.iter().filter(|part| !part.is_object).collect()
    }
}

/// All nodes.
pub(super) struct Nodes {
    pub(super) list: Vec<Node>,
    pub(super) skeleton: Skeleton,
    by_id: HashMap<Id, usize>,
}

impl Nodes {
    /// The joint of a structure, if it is a node.
    pub(super) fn joint(&self, id: Id) -> Option<usize> {
        self.by_id.get(&id).copied()
    }
}

fn is_node(kind: &str) -> bool {
    [
        "Node",
        "BoneNode",
        "GeometryNode",
        "LightNode",
        "CameraNode",
    ]
    .contains(&kind)
}

/// The text of the first `Name` inside, or empty.
pub(super) fn name(tree: &Tree<'_>, id: Id) -> String {
    let data = tree.child(id, "Name").and_then(|name| tree.data(name));
    match data.map(|data| &data.data) {
        Some(Data::Strings(names)) => names.first().cloned().unwrap_or_default(),
        _ => String::new(),
    }
}

/// Reads the hierarchy. Nodes inside structures that the format does not know are left
/// out with them.
pub(super) fn read(source: &Source<'_>, findings: &mut Vec<Finding>) -> Result<Nodes, Failure> {
    let tree = source.tree;
    let mut nodes = Nodes {
        list: Vec::new(),
        skeleton: Skeleton::default(),
        by_id: HashMap::new(),
    };
    for id in tree.ids() {
        let parent = tree.parent(id);
        let joint_of_parent = parent.and_then(|parent| nodes.joint(parent));
        if !is_node(tree.get(id).kind) || parent.is_some() && joint_of_parent.is_none() {
            continue;
        }
        let index = nodes.list.len();
        let name = name(tree, id);
        let label = if name.is_empty() {
            format!("node {index}")
        } else {
            format!("node {index} {name:?}")
        };
        let node = Node {
            id,
            parts: parts(tree, id)?,
            label,
            is_root: parent.is_none(),
        };
        let (rest, rest_matrix) = rest(&node, index, &source.metrics, findings);
        nodes.skeleton.joints.push(Joint {
            name,
            node: index,
            parent: joint_of_parent,
            translation: rest.translation,
            orientation: rest.rotation,
            rest_rotation: Quat::IDENTITY,
            scale: rest.scale,
            rest_matrix,
        });
        nodes.skeleton.joint_of_node.push(index);
        nodes.by_id.insert(id, index);
        nodes.list.push(node);
    }
    Ok(nodes)
}

/// Whether factors are translations, then rotations, then scales: a product that needs
/// no matrix.
pub(super) fn is_trs(parts: &[&Part]) -> bool {
    let rank = |part: &&Part| match part.kind {
        Kind::Translation(_) => 0,
        Kind::Rotation(_) => 1,
        Kind::Scale(_) => 2,
        Kind::Matrix => 3,
    };
    parts.iter().all(|part| part.kind != Kind::Matrix) && parts.is_sorted_by_key(rank)
}

/// The transform at rest, with a matrix where it is no translation, rotation and scale.
fn rest(
    node: &Node,
    index: usize,
    metrics: &Metrics,
    findings: &mut Vec<Finding>,
) -> (Transform, Option<Mat4>) {
    let parts = node.own_parts();
    let before = if node.is_root {
        metrics.upright
    } else {
        Quat::IDENTITY
    };
    if is_trs(&parts) {
        let mut translation = DVec3::ZERO;
        let mut rotation = DQuat::IDENTITY;
        let mut scale = DVec3::ONE;
        for part in &parts {
            translation += part.kind.translation(&part.numbers, metrics);
            rotation *= part.kind.rotation(&part.numbers, metrics);
            scale *= part.kind.scale(&part.numbers);
        }
        let rest = Transform {
            translation: before * translation.as_vec3(),
            rotation: (before * rotation.as_quat()).normalize(),
            scale: scale.as_vec3(),
        };
        if rest.translation.is_usable() && rest.rotation.is_finite() && rest.scale.is_usable() {
            return (rest, None);
        }
    }
    let matrix = Mat4::from_quat(before) * super::transform::product(parts, metrics);
    from_matrix(index, matrix, &node.label, findings)
}
