//! Morph targets and their weights.

use glam::Vec3;

use super::{
    accessor::Accessors,
    component::Integers,
    error::GltfError,
    schema,
    vertices::{Attributes, Finite as _, MAX_MAGNITUDE, Place, mend_reported},
};
use crate::document::{Finding, FindingCode, MorphTarget, Severity};

/// Reads the displacements of a primitive.
pub(super) fn read(
    accessors: &Accessors<'_>,
    stored: &schema::Primitive,
    owner: &str,
    vertices: usize,
    place: Place,
    findings: &mut Vec<Finding>,
) -> Result<Vec<MorphTarget>, GltfError> {
    let mut targets = Vec::with_capacity(stored.targets.len());
    for (index, target) in stored.targets.iter().enumerate() {
        let owner = format!("{owner} morph target {index}");
        let attributes = Attributes {
            accessors,
            stored: target,
            owner: &owner,
            place,
            vertices,
        };
        let mut read = |name: &str| -> Result<Vec<Vec3>, GltfError> {
            let mut values = attributes
                .floats(name, Integers::AsFlagged)?
                .unwrap_or_default();
            let what = format_args!("{name} of {owner}");
            mend_reported(&mut values, Vec3::ZERO, what, place, findings);
            Ok(values)
        };
        targets.push(MorphTarget {
            positions: read("POSITION")?,
            normals: read("NORMAL")?,
            tangents: read("TANGENT")?,
        });
    }
    Ok(targets)
}

/// The names that exporters put beside the format: `extras.targetNames`.
pub(super) fn names(mesh: &schema::Mesh, count: usize) -> Vec<String> {
    let stored = mesh
        .extras
        .as_ref()
        .and_then(|extras| extras.get("targetNames")?.as_array());
    let mut names: Vec<String> = stored
        .into_iter()
        .flatten()
        .take(count)
        .map(|name| name.as_str().unwrap_or_default().to_owned())
        .collect();
    names.resize(count, String::new());
    names
}

/// Weights of a node or mesh, made to fit the target count and finite. None at all
/// means all zero.
pub(super) fn fit_weights(
    stored: &[f32],
    count: usize,
    owner: &str,
    findings: &mut Vec<Finding>,
) -> Vec<f32> {
    let mut report = |message| {
        findings.push(Finding::new(
            FindingCode::MeshInvalid,
            Severity::Warning,
            message,
        ));
    };
    if !stored.is_empty() && stored.len() != count {
        report(format!(
            "{owner} has {} morph weights for {count} targets; missing ones are 0",
            stored.len()
        ));
    }
    if stored.iter().any(|weight| !weight.is_usable()) {
        report(format!(
            "{owner} has morph weights that are not finite (NaN, infinite or beyond {MAX_MAGNITUDE:e}); they are 0"
        ));
    }
    let mut weights: Vec<f32> = stored
        .iter()
        .take(count)
        .map(|&weight| if weight.is_usable() { weight } else { 0.0 })
        .collect();
    weights.resize(count, 0.0);
    weights
}
