//! Skins: joint lists; their matrices are read by [`inverse_binds`].

use super::{
    accessor::Accessors,
    error::GltfError,
    inverse_binds, label,
    nodes::Nodes,
    schema::{self, Root},
};
use crate::document::{Finding, FindingCode, Severity, Skin};

/// Reads all skins.
pub(super) fn read(
    root: &Root,
    accessors: &Accessors<'_>,
    nodes: &Nodes,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Skin>, GltfError> {
    root.skins
        .iter()
        .enumerate()
        .map(|(index, stored)| {
            let name = label("skin", index, &stored.name);
            let joints = joints(&name, stored, nodes)?;
            check_joints(index, &name, stored, &joints, nodes, findings);
            let named = Named {
                index,
                name: &name,
                stored,
                nodes,
            };
            let has_matrices = stored.inverse_bind_matrices.is_some();
            let bind = inverse_binds::read(accessors, named, findings)?;
            Ok(Skin {
                name: stored.name.clone(),
                joints,
                has_inverse_bind_matrices: has_matrices,
                joint_from_mesh: bind.matrices,
                root: stored.skeleton.and_then(|node| nodes.joint(node)),
                transposed_bind: bind.transposed,
            })
        })
        .collect()
}

/// A skin with what messages need.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) index: usize,
    pub(super) name: &'a str,
    pub(super) stored: &'a schema::Skin,
    pub(super) nodes: &'a Nodes,
}

fn joints(name: &str, stored: &schema::Skin, nodes: &Nodes) -> Result<Vec<u32>, GltfError> {
    if stored.joints.is_empty() {
        return Err(GltfError::SkinWithoutJoints { skin: name.into() });
    }
    stored
        .joints
        .iter()
        .map(|&node| {
            nodes
                .joint(node)
                .and_then(|joint| u32::try_from(joint).ok())
                .ok_or_else(|| GltfError::Reference {
                    from: name.into(),
                    what: "node",
                    index: node,
                    count: nodes.skeleton.joints.len(),
                })
        })
        .collect()
}

/// The format's rules about joints that players do not depend on.
fn check_joints(
    index: usize,
    name: &str,
    stored: &schema::Skin,
    joints: &[u32],
    nodes: &Nodes,
    findings: &mut Vec<Finding>,
) {
    let mut report = |message: String| {
        findings.push(
            Finding::new(FindingCode::SkinInvalid, Severity::Warning, message).at_skin(index),
        );
    };
    let mut sorted = joints.to_vec();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let node = nodes.skeleton.joints[pair[0] as usize].node;
        report(format!("{name} lists {} more than once", nodes.label(node)));
    }
    // Depth-first order: the root of a joint is the nearest one at or before it.
    let root_of = |joint: u32| {
        let joints = &nodes.skeleton.joints[..=joint as usize];
        joints.iter().rposition(|joint| joint.parent.is_none())
    };
    let (first, last) = (sorted[0], sorted[sorted.len() - 1]);
    if root_of(first) != root_of(last) {
        let name_of = |joint: u32| nodes.label(nodes.skeleton.joints[joint as usize].node);
        report(format!(
            "the joints of {name} have no common root: {} and {} hang on different ones",
            name_of(first),
            name_of(last)
        ));
    }
    if let Some(node) = stored.skeleton.filter(|&node| nodes.joint(node).is_none()) {
        report(format!(
            "{name} names node {node} as its root, but the file has {} nodes",
            nodes.skeleton.joints.len()
        ));
    }
}
