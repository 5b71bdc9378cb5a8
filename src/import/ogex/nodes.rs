//! Nodes of every kind → the skeleton.

use std::collections::HashMap;

use glam::{DQuat, DVec3, Mat4, Quat};

use super::{
    Failure, Source,
    ddl::{Data, Id, Tree, Value},
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
    /// The joint of the node's object, where it moves by itself.
    pub(super) object: Option<usize>,
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
    /// How many of the list are nodes of the file; objects come after them.
    stored: usize,
}

impl Nodes {
    /// The nodes of the file, without the joints made for objects.
    pub(super) fn stored(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.list[..self.stored].iter().enumerate()
    }

    /// The joint of a structure, if it is a node.
    pub(super) fn joint(&self, id: Id) -> Option<usize> {
        self.by_id.get(&id).copied()
    }
}

pub(super) fn is_node(kind: &str) -> bool {
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
        stored: 0,
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
            object: None,
        };
        nodes.push(node, name, joint_of_parent, source, findings);
        nodes.by_id.insert(id, index);
    }
    nodes.stored = nodes.list.len();
    nodes.objects(source, findings);
    Ok(nodes)
}

impl Nodes {
    /// Adds a node and its joint.
    fn push(
        &mut self,
        node: Node,
        name: String,
        parent: Option<usize>,
        source: &Source<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let index = self.list.len();
        let (rest, rest_matrix) = rest(&node, index, &source.metrics, findings);
        self.skeleton.joints.push(Joint {
            name,
            node: index,
            parent,
            translation: rest.translation,
            orientation: rest.rotation,
            rest_rotation: Quat::IDENTITY,
            scale: rest.scale,
            rest_matrix,
        });
        self.skeleton.joint_of_node.push(index);
        self.list.push(node);
    }

    /// Adds joints for objects with a transform of their own that moves, or that carries
    /// a camera: children must not inherit it. (One that is still moves the vertices.)
    fn objects(&mut self, source: &Source<'_>, findings: &mut Vec<Finding>) {
        let tree = source.tree;
        for joint in 0..self.stored {
            let node = &self.list[joint];
            let parts: Vec<Part> = node
                .parts
                .iter()
                .filter(|part| part.is_object)
                .map(|part| Part {
                    is_object: false,
                    ..part.clone()
                })
                .collect();
            let moves = |part: &Part| {
                let animations = tree.of_kind(node.id, "Animation");
                let mut tracks = animations.flat_map(|id| tree.of_kind(id, "Track"));
                tracks.any(|track| match tree.property(track, "target") {
                    Some(Value::Ref(Some(names))) => tree.resolve(track, names) == Some(part.id),
                    _ => false,
                })
            };
            let has_joint = !parts.is_empty()
                && match tree.get(node.id).kind {
                    "CameraNode" => true,
                    "GeometryNode" => {
                        let object = object(tree, node.id);
                        !object.is_some_and(|id| is_skinned(tree, id)) && parts.iter().any(moves)
                    }
                    _ => false,
                };
            if !has_joint {
                continue;
            }
            let name = format!("{} (object)", self.skeleton.joints[joint].name);
            let made = Node {
                id: node.id,
                parts,
                label: format!("the object of {}", node.label),
                is_root: false,
                object: None,
            };
            self.list[joint].object = Some(self.list.len());
            self.push(
                made,
                name.trim_start().into(),
                Some(joint),
                source,
                findings,
            );
        }
    }
}

/// Where the first reference in a structure leads.
pub(super) fn referred(tree: &Tree<'_>, id: Id) -> Option<Id> {
    match &tree.data(id)?.data {
        Data::Refs(references) => tree.resolve(id, references.first()?.as_deref()?),
        _ => None,
    }
}

/// The object that a node shows.
pub(super) fn object(tree: &Tree<'_>, node: Id) -> Option<Id> {
    referred(tree, tree.child(node, "ObjectRef")?)
}

/// Whether a geometry object has a skin.
pub(super) fn is_skinned(tree: &Tree<'_>, object: Id) -> bool {
    tree.of_kind(object, "Mesh")
        .any(|mesh| tree.child(mesh, "Skin").is_some())
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
