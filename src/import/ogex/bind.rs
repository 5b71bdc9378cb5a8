//! Skins: bones, bind poses, influences.

use glam::{DMat4, Mat4};

use super::{
    Source,
    ddl::{Data, Id},
    error::{OgexError, OgexProblem},
    nodes::Nodes,
    transform::matrices,
};
use crate::{
    document::{Finding, FindingCode, Influences, Severity, Skin},
    import::gltf::{
        influences::mend,
        vertices::{Finite as _, Place},
    },
};

/// Reads a `Skin` structure: the document's skin, and the influences of each vertex.
pub(super) fn read(
    source: &Source<'_>,
    id: Id,
    nodes: &Nodes,
    (vertices, index): (usize, usize),
    place: Place,
    findings: &mut Vec<Finding>,
) -> Result<(Skin, Influences), OgexError> {
    let tree = source.tree;
    let missing = |owner: Id, what| tree.error(owner, OgexProblem::Missing { what });
    let skeleton = tree
        .child(id, "Skeleton")
        .ok_or_else(|| missing(id, "Skeleton"))?;
    let joints = bones(source, skeleton, nodes)?;
    let binds = tree
        .child(skeleton, "Transform")
        .ok_or_else(|| missing(skeleton, "Transform"))?;
    let bone_binds = matrices(tree, binds, &source.metrics)?;
    if bone_binds.len() != joints.len() {
        return Err(tree.error(
            binds,
            OgexProblem::Count {
                what: "bind matrices",
                actual: bone_binds.len(),
                expected: joints.len(),
            },
        ));
    }
    let mesh_bind = match tree.child(id, "Transform") {
        Some(own) => matrices(tree, own, &source.metrics)?
            .first()
            .copied()
            .unwrap_or(DMat4::IDENTITY),
        None => DMat4::IDENTITY,
    };
    let mut joint_from_mesh = Vec::with_capacity(joints.len());
    for (slot, bind) in bone_binds.iter().enumerate() {
        let mut inverse = (affine(*bind).inverse() * affine(mesh_bind)).as_mat4();
        for (column, last) in [0.0, 0.0, 0.0, 1.0].into_iter().enumerate() {
            inverse.col_mut(column).w = last;
        }
        let joint = joints[slot] as usize;
        joint_from_mesh.push(if inverse.is_usable() {
            inverse
        } else {
            findings.push(
                Finding::new(
                    FindingCode::InverseBindSingular,
                    Severity::Error,
                    format!(
                        "line {}: the bind matrix of joint {slot}, {}, cannot be inverted; none is used",
                        tree.get(binds).line,
                        nodes.list[joint].label
                    ),
                )
                .at_skin(index)
                .at_node(joint)
                .with("joint_slot", slot as f64),
            );
            Mat4::IDENTITY
        });
    }
    let mut influences = influences(source, id, vertices)?;
    let name = format!("mesh {}", place.mesh);
    // Six digits are what exporters write, and each weight is rounded to half of the last.
    mend(
        &mut influences,
        joints.len(),
        1e-6,
        (&name, place),
        findings,
    );
    let skin = Skin {
        joints,
        joint_from_mesh,
        has_inverse_bind_matrices: true,
        ..Skin::default()
    };
    Ok((skin, influences))
}

/// A bind pose is affine, whatever a file has in its fourth row.
fn affine(mut matrix: DMat4) -> DMat4 {
    for (column, last) in [0.0, 0.0, 0.0, 1.0].into_iter().enumerate() {
        matrix.col_mut(column).w = last;
    }
    matrix
}

/// The joints of the skeleton's bones.
fn bones(source: &Source<'_>, skeleton: Id, nodes: &Nodes) -> Result<Vec<u32>, OgexError> {
    let tree = source.tree;
    let list = tree.child(skeleton, "BoneRefArray").ok_or_else(|| {
        tree.error(
            skeleton,
            OgexProblem::Missing {
                what: "BoneRefArray",
            },
        )
    })?;
    let references = match tree.data(list).map(|data| &data.data) {
        Some(Data::Refs(references)) if !references.is_empty() => references,
        _ => {
            return Err(tree.error(
                list,
                OgexProblem::Missing {
                    what: "references to bones",
                },
            ));
        }
    };
    // Slots are stored in sixteen bits.
    if references.len() > usize::from(u16::MAX) {
        return Err(tree.error(
            list,
            OgexProblem::Count {
                what: "bones, of which there may be no more",
                actual: references.len(),
                expected: usize::from(u16::MAX),
            },
        ));
    }
    references
        .iter()
        .map(|reference| {
            reference
                .as_deref()
                .and_then(|names| tree.resolve(list, names))
                .and_then(|id| nodes.joint(id))
                .map(|joint| joint as u32)
                .ok_or_else(|| {
                    tree.error(
                        list,
                        OgexProblem::Reference {
                            reference: super::ddl::spelled(reference.as_deref()),
                            expected: "node",
                        },
                    )
                })
        })
        .collect()
}

/// The three arrays that say which bones move which vertex how much.
fn influences(source: &Source<'_>, skin: Id, vertices: usize) -> Result<Influences, OgexError> {
    let tree = source.tree;
    let array = |kind: &'static str| {
        let id = tree
            .child(skin, kind)
            .ok_or_else(|| tree.error(skin, OgexProblem::Missing { what: kind }))?;
        Ok::<_, OgexError>((id, tree.data(id).map_or(&Data::None, |data| &data.data)))
    };
    let integers = |kind: &'static str| match array(kind)? {
        (_, Data::Ints(values)) => Ok(values.as_slice()),
        (id, _) => Err(tree.error(
            id,
            OgexProblem::Data {
                expected: "unsigned integers".into(),
                found: "something else".into(),
            },
        )),
    };
    let counts = integers("BoneCountArray")?;
    let slots = integers("BoneIndexArray")?;
    let (weights_id, Data::Floats(weights)) = array("BoneWeightArray")? else {
        return Err(tree.error(skin, OgexProblem::Missing { what: "weights" }));
    };
    let wrong = |what, actual, expected| {
        tree.error(
            weights_id,
            OgexProblem::Count {
                what,
                actual,
                expected,
            },
        )
    };
    if counts.len() != vertices {
        return Err(wrong("bone counts", counts.len(), vertices));
    }
    let counts: Vec<usize> = counts
        .iter()
        .map(|&count| usize::try_from(count).unwrap_or(usize::MAX))
        .collect();
    let total = counts
        .iter()
        .fold(0_usize, |sum, &count| sum.saturating_add(count));
    if slots.len() != total {
        return Err(wrong("bone indices", slots.len(), total));
    }
    if weights.len() != total {
        return Err(wrong("bone weights", weights.len(), total));
    }
    // Every vertex has room for as many as the richest. A file in which one vertex has
    // thousands must not take thousands for each: there the heaviest are kept.
    let most = counts.iter().copied().max().unwrap_or(0);
    let room = (16 * vertices + 8 * total) / vertices.max(1);
    // In sets of four, as everything behind the importer has them.
    let per_vertex = most.min(room).max(1).next_multiple_of(4);
    let mut influences = Influences {
        per_vertex,
        joints: vec![0; per_vertex * vertices],
        weights: vec![0.0; per_vertex * vertices],
    };
    let mut at = 0;
    for (vertex, &count) in counts.iter().enumerate() {
        let mut order: Vec<usize> = (at..at + count).collect();
        at += count;
        if count > per_vertex {
            order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        }
        for (place, &from) in order.iter().take(per_vertex).enumerate() {
            let to = vertex * per_vertex + place;
            // What does not fit is past the skin's joints, and said to be so.
            influences.joints[to] = u16::try_from(slots[from]).unwrap_or(u16::MAX);
            influences.weights[to] = weights[from];
        }
    }
    Ok(influences)
}
