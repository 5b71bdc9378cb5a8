//! Cameras.
//!
//! A camera looks along its own −Z with +Y up, as exporters have it. The format has the
//! horizontal field of view (`fov`, `fovx`) or the vertical one (`fovy`), and no aspect
//! ratio: where the horizontal one is given, 16:9 is assumed, so that the width is right.

use super::{
    Source,
    ddl::{Data, Id, Tree},
    error::OgexError,
    nodes::{Nodes, name, object},
};
use crate::document::{Camera, Finding, FindingCode, Projection, Severity};

/// Width over height, of which the format says nothing.
const ASPECT: f32 = 16.0 / 9.0;
/// Where the file has no usable number: horizontal field of view of a lens as long as the
/// picture is wide; planes of the format's own importer.
const FOV_RADIANS: f32 = 0.927_295_2;
const NEAR: f32 = 0.1;
const FAR: f32 = 1000.0;

/// Every camera that a node places.
pub(super) fn read(
    source: &Source<'_>,
    nodes: &Nodes,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Camera>, OgexError> {
    let tree = source.tree;
    let mut cameras = Vec::new();
    for (joint, node) in nodes.stored() {
        if tree.get(node.id).kind != "CameraNode" {
            continue;
        }
        let Some(camera) = object(tree, node.id).filter(|&id| tree.get(id).kind == "CameraObject")
        else {
            findings.push(
                Finding::new(
                    FindingCode::ReferenceInvalid,
                    Severity::Warning,
                    format!(
                        "line {}: {} refers to no camera object; it shows nothing",
                        tree.get(node.id).line,
                        node.label
                    ),
                )
                .at_node(joint),
            );
            continue;
        };
        let own = name(tree, camera);
        cameras.push(Camera {
            name: if own.is_empty() {
                nodes.skeleton.joints[joint].name.clone()
            } else {
                own
            },
            joint: node.object.unwrap_or(joint),
            projection: projection(source, camera)?,
        });
    }
    Ok(cameras)
}

fn projection(source: &Source<'_>, camera: Id) -> Result<Projection, OgexError> {
    let (tree, metrics) = (source.tree, &source.metrics);
    let (mut across, mut upwards) = (None, None);
    let (mut near, mut far) = (None, None);
    for id in tree.of_kind(camera, "Param") {
        let value = number(tree, id);
        match tree.text(id, "attrib")?.unwrap_or_default() {
            "fov" | "fovx" => across = value.map(|angle| angle * metrics.angle),
            "fovy" => upwards = value.map(|angle| angle * metrics.angle),
            "near" => near = value.map(|length| length * metrics.distance),
            "far" => far = value.map(|length| length * metrics.distance),
            _ => {}
        }
    }
    let is_lens = |angle: &f32| (1e-4..core::f32::consts::PI).contains(angle);
    let is_place = |length: &f32| length.is_finite() && *length > 0.0;
    let across = across.filter(is_lens);
    let (yfov_radians, aspect) = match upwards.filter(is_lens) {
        Some(angle) if across.is_none() => (angle, None),
        _ => {
            let half = (across.unwrap_or(FOV_RADIANS) / 2.0).tan() / ASPECT;
            (2.0 * half.atan(), Some(ASPECT))
        }
    };
    let near = near.filter(is_place).unwrap_or(NEAR);
    Ok(Projection::Perspective {
        yfov_radians,
        aspect,
        near,
        far: Some(far.filter(is_place).unwrap_or(FAR)).filter(|&far| far > near),
    })
}

fn number(tree: &Tree<'_>, id: Id) -> Option<f32> {
    match &tree.data(id)?.data {
        Data::Floats(values) => values.first().copied(),
        _ => None,
    }
}
