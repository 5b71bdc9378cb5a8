//! What hangs on the nodes: meshes under their skins, and cameras.

use super::{
    label,
    morphs::fit_weights,
    nodes::Nodes,
    schema::{self, Root},
};
use crate::document::{
    Camera, Finding, FindingCode, Mesh, MeshInstance, Projection, Severity, Skin,
};

/// By mesh: how many joint slots every skin offers that any node shows it under;
/// `None` where no node shows it under a skin.
pub(super) fn slot_limits(root: &Root, skins: &[Skin]) -> Vec<Option<usize>> {
    let mut limits: Vec<Option<usize>> = vec![None; root.meshes.len()];
    for node in &root.nodes {
        let slots = node
            .skin
            .and_then(|skin| Some(skins.get(skin)?.joints.len()));
        let limit = node.mesh.and_then(|mesh| limits.get_mut(mesh));
        if let (Some(slots), Some(limit)) = (slots, limit) {
            *limit = Some(limit.map_or(slots, |known| known.min(slots)));
        }
    }
    limits
}

/// The nodes that have a mesh, in file order.
pub(super) fn read(
    root: &Root,
    nodes: &Nodes,
    meshes: &[Mesh],
    skin_count: usize,
    findings: &mut Vec<Finding>,
) -> Vec<MeshInstance> {
    let mut instances = Vec::new();
    for (index, node) in root.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let mut dropped = |what: &str, target: usize, count: usize, outcome: &str| {
            findings.push(
                Finding::new(
                    FindingCode::ReferenceInvalid,
                    Severity::Error,
                    format!(
                        "{} refers to {what} {target}, but the file has {count}; {outcome}",
                        nodes.labels[index]
                    ),
                )
                .at_node(index),
            );
        };
        let Some(shown) = meshes.get(mesh) else {
            dropped("mesh", mesh, meshes.len(), "nothing is shown there");
            continue;
        };
        let mut skin = node.skin;
        if let Some(missing) = skin.filter(|&skin| skin >= skin_count) {
            dropped("skin", missing, skin_count, "its mesh is shown unskinned");
            skin = None;
        }
        if skin.is_some() && shown.primitives.iter().all(|p| p.influences.is_empty()) {
            if !shown.primitives.is_empty() {
                findings.push(
                    Finding::new(
                        FindingCode::SkinInvalid,
                        Severity::Warning,
                        format!(
                            "{} has a skin, but {} has no joints and weights; it is shown unskinned",
                            nodes.labels[index],
                            label("mesh", mesh, &shown.name)
                        ),
                    )
                    .at_node(index)
                    .at_mesh(mesh),
                );
            }
            skin = None;
        }
        let weights = node.weights.as_deref().unwrap_or(&shown.morph_weights);
        instances.push(MeshInstance {
            joint: nodes.skeleton.joint_of_node[index],
            mesh,
            skin,
            in_scene: nodes.in_scene[index],
            morph_weights: fit_weights(
                weights,
                shown.morph_weights.len(),
                &nodes.labels[index],
                findings,
            ),
        });
    }
    instances
}

/// Every camera that a node places.
pub(super) fn cameras(root: &Root, nodes: &Nodes, findings: &mut Vec<Finding>) -> Vec<Camera> {
    let mut cameras = Vec::new();
    for (index, node) in root.nodes.iter().enumerate() {
        let Some(camera) = node.camera else { continue };
        match root.cameras.get(camera).map(|c| (c, projection(c))) {
            Some((stored, Some(projection))) => cameras.push(Camera {
                name: stored.name.clone(),
                joint: nodes.skeleton.joint_of_node[index],
                projection,
            }),
            Some((stored, None)) => findings.push(
                Finding::new(
                    FindingCode::ReferenceInvalid,
                    Severity::Warning,
                    format!(
                        "{} of {} has no usable projection and is left out",
                        label("camera", camera, &stored.name),
                        nodes.labels[index]
                    ),
                )
                .at_node(index),
            ),
            None => findings.push(
                Finding::new(
                    FindingCode::ReferenceInvalid,
                    Severity::Warning,
                    format!(
                        "{} refers to camera {camera}, but the file has {}",
                        nodes.labels[index],
                        root.cameras.len()
                    ),
                )
                .at_node(index),
            ),
        }
    }
    cameras
}

/// The lens, if its numbers make sense.
fn projection(camera: &schema::Camera) -> Option<Projection> {
    let positive = |value: f32| value.is_finite() && value > 0.0;
    if let Some(lens) = &camera.perspective {
        let valid =
            positive(lens.yfov) && lens.yfov < core::f32::consts::PI && positive(lens.znear);
        return valid.then(|| Projection::Perspective {
            yfov_radians: lens.yfov,
            aspect: lens.aspect_ratio.filter(|&aspect| positive(aspect)),
            near: lens.znear,
            far: lens.zfar.filter(|&far| positive(far) && far > lens.znear),
        });
    }
    let lens = camera.orthographic.as_ref()?;
    let is_half_size = |value: f32| value.is_finite() && value != 0.0;
    let valid = is_half_size(lens.xmag)
        && is_half_size(lens.ymag)
        && lens.znear.is_finite()
        && lens.zfar.is_finite()
        && lens.zfar > lens.znear;
    valid.then_some(Projection::Orthographic {
        xmag: lens.xmag,
        ymag: lens.ymag,
        near: lens.znear,
        far: lens.zfar,
    })
}
