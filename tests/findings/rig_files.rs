//! Numbers that are none, indices past the end, extensions.

use rigscope::{
    document::{FindingCode, Severity},
    import::from_glb_bytes,
};
use serde_json::json;

use crate::{
    asserts::{assert_names, value},
    common::glb::{Builder, U16},
    file::arm,
    rig::{clean, only},
};

#[test]
fn positions_that_are_no_numbers() {
    for broken in [f32::NAN, f32::INFINITY] {
        let mut file = arm();
        let mut positions = [0.0_f32; 18];
        positions[7] = broken;
        let accessor = file.floats("VEC3", &positions);
        crate::rig::attribute(&mut file, "POSITION", accessor);
        let found = only(&file, FindingCode::MeshNonFinite, Severity::Error);
        assert_names(
            &found.message,
            &["\"Strip\"", "POSITION", "1 of 6", "vertex 2"],
        );
        assert_eq!(
            (found.mesh, found.primitive, found.vertex),
            (Some(0), Some(0), Some(2))
        );
        assert_eq!(
            (value(&found, "count"), value(&found, "vertices")),
            (1.0, 6.0)
        );
    }
    clean(&arm());
}

fn with_indices(indices: [u16; 3]) -> Builder {
    let mut file = arm();
    let bytes: Vec<u8> = indices
        .iter()
        .flat_map(|index| index.to_le_bytes())
        .collect();
    let accessor = file.accessor(U16, "SCALAR", 3, &bytes);
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(accessor);
    file
}

#[test]
fn vertex_indices_past_the_vertices() {
    // Such a file is refused; the refusal is a finding as well.
    let file = with_indices([0, 1, 6]);
    let refusal = from_glb_bytes("test.glb", &file.glb()).expect_err("refused");
    let finding = refusal.finding().expect("a finding");
    assert_eq!(
        (finding.code, finding.severity),
        (FindingCode::MeshIndexOutOfRange, Severity::Error)
    );
    assert_names(&finding.message, &["\"Strip\"", "index 6", "6 vertices"]);
    assert!(!finding.message.contains("test.glb"));
    assert_eq!(finding.mesh, Some(0));
    assert_eq!(
        (value(&finding, "index"), value(&finding, "position")),
        (6.0, 2.0)
    );
    clean(&with_indices([0, 1, 5]));
}

#[test]
fn extensions_that_are_not_known() {
    let mut file = arm();
    file.json["extensionsUsed"] = json!(["VENDOR_fur"]);
    let ignored = only(&file, FindingCode::ExtensionUnsupported, Severity::Warning);
    assert_names(&ignored.message, &["VENDOR_fur", "ignored"]);
    file.json["extensionsRequired"] = json!(["VENDOR_fur"]);
    let refusal = from_glb_bytes("test.glb", &file.glb()).expect_err("refused");
    let required = refusal.finding().expect("a finding");
    assert_eq!(
        (required.code, required.severity),
        (FindingCode::ExtensionUnsupported, Severity::Error)
    );
    assert_names(&required.message, &["VENDOR_fur"]);
    // Alike: one that is read, and one that would change nothing.
    file.json["extensionsUsed"] = json!(["KHR_materials_unlit"]);
    file.json["extensionsRequired"] = json!(["KHR_materials_unlit"]);
    clean(&file);
    // Other refusals have no code.
    let refusal = from_glb_bytes("test.glb", b"glTF").expect_err("refused");
    assert_eq!(refusal.finding(), None);
}
