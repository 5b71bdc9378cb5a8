//! Words for the tests of the rig's findings, stricter than those for clips: a file has
//! exactly what is meant, or nothing at all.

use glam::Mat4;
use rigscope::document::{Document, Finding, FindingCode, Severity};
use serde_json::{Value, json};

use crate::{
    asserts::{findings, load},
    common::glb::Builder,
};

/// Asserts that a document has exactly this finding, and gives it back.
#[track_caller]
pub fn only_in(document: &Document, code: FindingCode, severity: Severity) -> Finding {
    let mut found = findings(document);
    assert_eq!(found.len(), 1, "{found:#?}");
    let finding = found.remove(0);
    assert_eq!(
        (finding.code, finding.severity),
        (code, severity),
        "{}",
        finding.message
    );
    finding
}

/// [`only_in`] of a file.
#[track_caller]
pub fn only(file: &Builder, code: FindingCode, severity: Severity) -> Finding {
    only_in(&load(file), code, severity)
}

/// Asserts that nothing at all is found in a file.
#[track_caller]
pub fn clean(file: &Builder) {
    assert_eq!(findings(&load(file)), []);
}

/// Sets an attribute of the arm's strip.
pub fn attribute(file: &mut Builder, name: &str, accessor: usize) {
    file.json["meshes"][0]["primitives"][0]["attributes"][name] = json!(accessor);
}

/// Replaces the arm's weights, of six vertices.
pub fn weights(file: &mut Builder, rows: [[f32; 4]; 6]) {
    let accessor = file.floats("VEC4", rows.as_flattened());
    attribute(file, "WEIGHTS_0", accessor);
}

/// The arm's weights as they are.
pub const WEIGHTS: [[f32; 4]; 6] = [
    [1.0, 0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0, 0.0],
    [0.5, 0.5, 0.0, 0.0],
    [0.5, 0.5, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
];

/// The inverse bind matrices, by columns as they are stored.
pub fn inverse_binds(file: &mut Builder, matrices: &[Mat4]) {
    let columns: Vec<f32> = matrices.iter().flat_map(Mat4::to_cols_array).collect();
    let accessor = file.floats("MAT4", &columns);
    file.json["skins"][0]["inverseBindMatrices"] = json!(accessor);
}

/// A node's JSON.
pub fn node(file: &mut Builder, index: usize) -> &mut Value {
    &mut file.json["nodes"][index]
}
