//! Nodes → the skeleton.

use glam::{Mat3, Mat4, Quat, Vec3, Vec4};

use super::{
    error::GltfError,
    label,
    schema::{self, Root},
    vertices::{Finite as _, MAX_MAGNITUDE},
};
use crate::{
    document::{Finding, FindingCode, Joint, Severity, Skeleton},
    math::{Transform, axes, quat},
};

/// The hierarchy.
pub(super) struct Nodes {
    pub(super) skeleton: Skeleton,
    /// By node: whether the default scene shows it.
    pub(super) in_scene: Vec<bool>,
    /// By node: `node 3 "upper"`, for messages.
    pub(super) labels: Vec<String>,
}

impl Nodes {
    /// `node 3 "upper"`, also for an index that does not exist.
    pub(super) fn label(&self, node: usize) -> String {
        self.labels
            .get(node)
            .map_or_else(|| label("node", node, ""), Clone::clone)
    }

    /// Joint index of a node, if there is such a node.
    pub(super) fn joint(&self, node: usize) -> Option<usize> {
        self.skeleton.joint_of_node.get(node).copied()
    }
}

/// Orders the nodes parents first: depth first from the roots in file order, so
/// that a subtree is one run of joints. Loops only, no recursion.
pub(super) fn read(root: &Root, findings: &mut Vec<Finding>) -> Result<Nodes, GltfError> {
    let nodes = &root.nodes;
    let labels: Vec<String> = nodes
        .iter()
        .enumerate()
        .map(|(index, node)| label("node", index, &node.name))
        .collect();
    let parents = parents(nodes, &labels, findings)?;

    let mut joint_of_node = vec![usize::MAX; nodes.len()];
    let mut joints = Vec::with_capacity(nodes.len());
    let mut pending: Vec<usize> = (0..nodes.len())
        .rev()
        .filter(|&node| parents[node].is_none())
        .collect();
    while let Some(index) = pending.pop() {
        if joint_of_node[index] != usize::MAX {
            continue;
        }
        joint_of_node[index] = joints.len();
        let parent = parents[index].map(|parent| joint_of_node[parent]);
        joints.push(joint(nodes, index, parent, &labels[index], findings));
        pending.extend(nodes[index].children.iter().rev());
    }
    // Every node has at most one parent, so what no root reaches is in or below a cycle.
    if let Some(lost) = joint_of_node.iter().position(|&joint| joint == usize::MAX) {
        return Err(cycle(lost, &parents, &labels));
    }
    let skeleton = Skeleton {
        joints,
        joint_of_node,
    };
    let in_scene = in_scene(root, &skeleton, findings);
    Ok(Nodes {
        skeleton,
        in_scene,
        labels,
    })
}

/// Parent of each node.
fn parents(
    nodes: &[schema::Node],
    labels: &[String],
    findings: &mut Vec<Finding>,
) -> Result<Vec<Option<usize>>, GltfError> {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            if child == index {
                return Err(GltfError::NodeCycle {
                    path: format!("{0} is its own child", labels[index]),
                });
            }
            let Some(parent) = parents.get_mut(child) else {
                return Err(GltfError::Reference {
                    from: labels[index].clone(),
                    what: "node",
                    index: child,
                    count: nodes.len(),
                });
            };
            match *parent {
                None => *parent = Some(index),
                Some(first) if first == index => findings.push(node_finding(
                    index,
                    Severity::Warning,
                    format!("{} lists {} as a child twice", labels[index], labels[child]),
                )),
                Some(first) => {
                    return Err(GltfError::NodeTwoParents {
                        node: labels[child].clone(),
                        first: labels[first].clone(),
                        second: labels[index].clone(),
                    });
                }
            }
        }
    }
    Ok(parents)
}

/// Names the nodes of the cycle that `start` lies in or below.
fn cycle(start: usize, parents: &[Option<usize>], labels: &[String]) -> GltfError {
    const SHOWN: usize = 8;
    let mut seen = vec![false; parents.len()];
    let mut node = start;
    while !seen[node] {
        seen[node] = true;
        // A node without a parent is a root, and no root leads here.
        node = parents[node].unwrap_or(start);
    }
    let mut members = vec![node];
    let mut next = parents[node].unwrap_or(node);
    while next != node {
        members.push(next);
        next = parents[next].unwrap_or(node);
    }
    members.push(node);
    // Collected from child to parent; told from parent to child.
    members.reverse();
    let total = members.len() - 1;
    let mut names: Vec<&str> = members
        .iter()
        .take(SHOWN + 1)
        .map(|&member| labels[member].as_str())
        .collect();
    if total > SHOWN {
        names.push("…");
    }
    GltfError::NodeCycle {
        path: format!("{} ({total} nodes)", names.join(" → ")),
    }
}

fn node_finding(node: usize, severity: Severity, message: String) -> Finding {
    Finding::new(FindingCode::NodeInvalid, severity, message).at_node(node)
}

/// By node: whether it hangs below a root of the default scene. Without any scene
/// in the file everything is shown.
fn in_scene(root: &Root, skeleton: &Skeleton, findings: &mut Vec<Finding>) -> Vec<bool> {
    let index = root.scene.unwrap_or(0);
    let Some(scene) = root.scenes.get(index) else {
        if root.scene.is_some() {
            findings.push(Finding::new(
                FindingCode::ReferenceInvalid,
                Severity::Warning,
                format!(
                    "the default scene is {index}, but the file has {}; all nodes are shown",
                    root.scenes.len()
                ),
            ));
        }
        return vec![true; root.nodes.len()];
    };
    let mut shown = vec![false; root.nodes.len()];
    for &node in &scene.nodes {
        match shown.get_mut(node) {
            Some(shown) => *shown = true,
            None => findings.push(Finding::new(
                FindingCode::ReferenceInvalid,
                Severity::Warning,
                format!(
                    "scene {index} lists node {node}, but the file has {}",
                    root.nodes.len()
                ),
            )),
        }
    }
    for joint in &skeleton.joints {
        if let Some(parent) = joint.parent {
            shown[joint.node] |= shown[skeleton.joints[parent].node];
        }
    }
    shown
}

fn joint(
    nodes: &[schema::Node],
    index: usize,
    parent: Option<usize>,
    label: &str,
    findings: &mut Vec<Finding>,
) -> Joint {
    let node = &nodes[index];
    let (rest, rest_matrix) = match node.matrix {
        Some(matrix) => from_matrix(index, Mat4::from_cols_array(&matrix), label, findings),
        None => (from_trs(index, node, label, findings), None),
    };
    Joint {
        name: node.name.clone(),
        node: index,
        parent,
        translation: rest.translation,
        orientation: rest.rotation,
        rest_rotation: Quat::IDENTITY,
        scale: rest.scale,
        rest_matrix,
    }
}

fn from_trs(
    index: usize,
    node: &schema::Node,
    label: &str,
    findings: &mut Vec<Finding>,
) -> Transform {
    let mut finite = |what: &str, value: Vec3, fallback: Vec3| {
        if value.is_usable() {
            return value;
        }
        findings.push(node_finding(
            index,
            Severity::Error,
            format!("{label}: its {what} is not finite (NaN, infinite or beyond {MAX_MAGNITUDE:e}); {fallback} is used"),
        ));
        fallback
    };
    let translation = finite(
        "translation",
        node.translation.map_or(Vec3::ZERO, Vec3::from),
        Vec3::ZERO,
    );
    let scale = finite("scale", node.scale.map_or(Vec3::ONE, Vec3::from), Vec3::ONE);
    let stored = node.rotation.map_or(Quat::IDENTITY, Quat::from_array);
    let length = stored.length();
    // False for NaN.
    let is_unit = (length - 1.0).abs() <= 1e-3;
    if !is_unit {
        let (severity, outcome) = if quat::has_length(stored) {
            (Severity::Warning, "it is normalised")
        } else {
            (Severity::Error, "no rotation is used")
        };
        findings.push(
            Finding::new(
                FindingCode::RotationNotUnit,
                severity,
                format!("{label}: its rotation has the length {length}, not 1; {outcome}"),
            )
            .at_node(index)
            .with("length", f64::from(length)),
        );
    }
    Transform {
        translation,
        rotation: quat::normalize_or(stored, Quat::IDENTITY),
        scale,
    }
}

/// Splits a node's matrix, or keeps it beside the nearest split.
pub(in crate::import) fn from_matrix(
    index: usize,
    stored: Mat4,
    label: &str,
    findings: &mut Vec<Finding>,
) -> (Transform, Option<Mat4>) {
    let mut report = |severity, what: &str| {
        findings.push(node_finding(index, severity, format!("{label}: {what}")));
    };
    if !stored.is_usable() {
        report(
            Severity::Error,
            &format!(
                "its matrix is not finite (NaN, infinite or beyond {MAX_MAGNITUDE:e}); no transform is used"
            ),
        );
        return (Transform::IDENTITY, None);
    }
    let mut matrix = stored;
    if !stored.row(3).abs_diff_eq(Vec4::W, 1e-5) {
        report(
            Severity::Warning,
            &format!(
                "the last row of its matrix is {}, not [0, 0, 0, 1], which is used",
                stored.row(3)
            ),
        );
    }
    for column in 0..4 {
        matrix.col_mut(column).w = if column == 3 { 1.0 } else { 0.0 };
    }
    if let Some(transform) = Transform::from_mat4(matrix, 1e-5) {
        return (transform, None);
    }
    // Numbers written with few digits are not worth a word, but they are kept.
    let nearest = Transform::from_mat4(matrix, 1e-3).unwrap_or_else(|| {
        findings.push(no_product(matrix, label).at_node(index));
        nearest_transform(matrix)
    });
    (nearest, Some(matrix))
}

/// A matrix that no translation, rotation and scale give.
fn no_product(matrix: Mat4, label: &str) -> Finding {
    let axes = Mat3::from_mat4(matrix);
    let (code, why) = if axes::is_flat(axes) {
        (FindingCode::ScaleZero, "an axis of it has no length".into())
    } else {
        let degrees = axes::shear(axes);
        (
            FindingCode::ScaleShear,
            format!("its axes are {degrees:.1}° off right angles (sheared)"),
        )
    };
    let message = format!(
        "{label}: its matrix is no product of translation, rotation and scale: {why}; it is kept as it is"
    );
    let finding = Finding::new(code, Severity::Warning, message);
    if code == FindingCode::ScaleShear {
        return finding.with("shear_degrees", f64::from(axes::shear(axes)));
    }
    finding
}

/// Translation, axis lengths, and a rotation by Gram and Schmidt's method with
/// axes made up where the matrix has none.
fn nearest_transform(matrix: Mat4) -> Transform {
    let axes = Mat3::from_mat4(matrix);
    let x = axes.x_axis.normalize_or(Vec3::X);
    let y = axes
        .y_axis
        .reject_from_normalized(x)
        .try_normalize()
        .unwrap_or_else(|| x.any_orthonormal_vector());
    let z = x.cross(y);
    let mirrored = axes.z_axis.dot(z) < 0.0;
    Transform {
        translation: matrix.w_axis.truncate(),
        rotation: Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize(),
        scale: Vec3::new(
            axes.x_axis.length(),
            axes.y_axis.length(),
            axes.z_axis.length() * if mirrored { -1.0 } else { 1.0 },
        ),
    }
}
