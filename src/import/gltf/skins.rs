//! Skins: joint lists and inverse bind matrices.

use glam::{Mat4, Vec4};

use super::{
    accessor::Accessors,
    component::{Component, Integers},
    error::GltfError,
    label,
    nodes::Nodes,
    schema::{self, Root},
    vertices::{Finite as _, MAX_MAGNITUDE},
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
            let matrices = inverse_bind_matrices(
                accessors,
                Named {
                    index,
                    name: &name,
                    stored,
                    nodes,
                },
                findings,
            )?;
            Ok(Skin {
                name: stored.name.clone(),
                joints,
                has_inverse_bind_matrices: matrices.is_some(),
                joint_from_mesh: matrices
                    .unwrap_or_else(|| vec![Mat4::IDENTITY; stored.joints.len()]),
                root: stored.skeleton.and_then(|node| nodes.joint(node)),
                transposed_bind: None,
            })
        })
        .collect()
}

/// A skin with what messages need.
#[derive(Clone, Copy)]
struct Named<'a> {
    index: usize,
    name: &'a str,
    stored: &'a schema::Skin,
    nodes: &'a Nodes,
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

/// One matrix per joint, or `None` where the file gives none.
fn inverse_bind_matrices(
    accessors: &Accessors<'_>,
    skin: Named<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Option<Vec<Mat4>>, GltfError> {
    let Named {
        index,
        name,
        stored,
        nodes,
    } = skin;
    let count = stored.joints.len();
    let Some(accessor) = stored.inverse_bind_matrices else {
        findings.push(
            Finding::new(
                FindingCode::InverseBindMissing,
                Severity::Info,
                format!("{name} has no inverse bind matrices: identity is assumed for its {count} joints"),
            )
            .at_skin(index)
            .with("joints", count as f64),
        );
        return Ok(None);
    };
    let stored_matrices: Vec<[f32; 16]> = accessors.floats(
        accessor,
        format_args!("inverse bind matrices of {name}"),
        Component::FLOAT,
        Integers::AsFlagged,
    )?;
    if stored_matrices.len() < count {
        findings.push(
            Finding::new(
                FindingCode::SkinInvalid,
                Severity::Error,
                format!(
                    "{name} has {count} joints, but only {} inverse bind matrices (accessor {accessor}); identity is used for the rest",
                    stored_matrices.len()
                ),
            )
            .at_skin(index)
            .with("joints", count as f64)
            .with("matrices", stored_matrices.len() as f64),
        );
    }
    let mut matrices: Vec<Mat4> = stored_matrices
        .iter()
        .take(count)
        .map(Mat4::from_cols_array)
        .collect();
    for (slot, matrix) in matrices.iter_mut().enumerate() {
        let node = stored.joints[slot];
        let mut report = |severity, what: String| {
            findings.push(
                Finding::new(
                    FindingCode::InverseBindSingular,
                    severity,
                    format!(
                        "{name}: the inverse bind matrix of joint {slot}, {}, {what}",
                        nodes.label(node)
                    ),
                )
                .at_skin(index)
                .at_node(node),
            );
        };
        mend(matrix, &mut report);
    }
    matrices.resize(count, Mat4::IDENTITY);
    Ok(Some(matrices))
}

/// Makes a matrix finite and affine; a singular one stays as it is, for it can
/// still be multiplied with.
fn mend(matrix: &mut Mat4, report: &mut impl FnMut(Severity, String)) {
    if !matrix.is_usable() {
        report(
            Severity::Error,
            format!("is not finite (NaN, infinite or beyond {MAX_MAGNITUDE:e}); identity is used"),
        );
        *matrix = Mat4::IDENTITY;
        return;
    }
    let last_row = matrix.row(3);
    if !last_row.abs_diff_eq(Vec4::W, 1e-5) {
        report(
            Severity::Error,
            format!("has the last row {last_row}, not [0, 0, 0, 1], which is used"),
        );
    }
    for column in 0..4 {
        matrix.col_mut(column).w = if column == 3 { 1.0 } else { 0.0 };
    }
    // Relative to the size of its axes: a rig in millimetres is not singular.
    let axes = glam::Mat3::from_mat4(*matrix);
    let volume = axes.x_axis.length() * axes.y_axis.length() * axes.z_axis.length();
    let has_volume = axes.determinant().abs() > volume * 1e-6;
    if !has_volume || !matrix.inverse().is_finite() {
        report(
            Severity::Error,
            "cannot be inverted: the joint has no bind pose".to_string(),
        );
    }
}
