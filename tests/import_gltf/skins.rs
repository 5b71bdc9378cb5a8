//! Skins, influences, morph targets.

use glam::{Mat4, Vec3};
use rigscope::document::{FindingCode, Severity};
use serde_json::json;

use crate::{
    common::glb::{F32, I16, U8, U16},
    fixture::{
        assert_names, attribute, bytes, finding, first, identity, load, load_clean, primitive,
        quad, refusal, rig,
    },
};

#[test]
fn shared_joints_with_matrices_of_their_own() {
    let mut file = rig();
    let mut matrices = identity();
    matrices[12] = 5.0;
    let accessor = file.floats("MAT4", &matrices);
    file.push(
        "skins",
        json!({"joints": [2], "inverseBindMatrices": accessor, "skeleton": 1}),
    );
    let document = load_clean(&file);
    assert_eq!(document.skins[0].joints, [1, 2]);
    assert_eq!(document.skins[1].joints, [2]);
    assert_eq!(document.skins[0].joint_from_mesh[1].w_axis.y, -1.0);
    assert_eq!(document.skins[1].joint_from_mesh[0].w_axis.x, 5.0);
    assert_eq!(
        (document.skins[0].root, document.skins[1].root),
        (None, Some(1))
    );
    // The label changes nothing.
    file.json["skins"][0]["skeleton"] = json!(0);
    let labelled = load_clean(&file);
    assert_eq!(
        labelled.skins[0].joint_from_mesh,
        document.skins[0].joint_from_mesh
    );
    file.json["skins"][0]["skeleton"] = json!(70);
    assert_names(
        &load(&file).findings[0].message,
        &["skin 0 \"Rig\"", "node 70"],
    );
}

#[test]
fn without_inverse_bind_matrices_identity_is_assumed() {
    let mut file = rig();
    let skin = file.json["skins"][0].as_object_mut().expect("an object");
    skin.remove("inverseBindMatrices");
    let document = load(&file);
    assert!(!document.skins[0].has_inverse_bind_matrices);
    assert_eq!(document.skins[0].joint_from_mesh, [Mat4::IDENTITY; 2]);
    let finding = finding(&document, FindingCode::InverseBindMissing);
    assert_eq!((finding.severity, finding.skin), (Severity::Info, Some(0)));
}

#[test]
fn joints_outside_the_scene() {
    let mut file = rig();
    file.json["scenes"] = json!([{"nodes": [0]}]);
    let document = load_clean(&file);
    assert_eq!(document.skins[0].joints, [1, 2]);
    assert!(document.instances[0].in_scene);
}

#[test]
fn broken_skins() {
    let mut file = rig();
    file.json["skins"][0]["joints"] = json!([]);
    assert_names(&refusal(&file), &["skin 0 \"Rig\"", "empty"]);
    file.json["skins"][0]["joints"] = json!([1, 70]);
    assert_names(&refusal(&file), &["skin 0 \"Rig\"", "node 70", "has 3"]);
    file.json["skins"][0]["joints"] = json!([1, 1]);
    assert_names(
        &load(&file).findings[0].message,
        &["skin 0 \"Rig\"", "node 1 \"lower\"", "more than once"],
    );
    file.json["skins"][0]["joints"] = json!([1, 0]);
    assert_names(
        &finding(&load(&file), FindingCode::SkinInvalid).message,
        &["skin 0 \"Rig\"", "\"Mesh\"", "\"lower\"", "common root"],
    );
    file.json["skins"][0]["joints"] = json!([1, 2, 2]);
    let document = load(&file);
    assert_eq!(document.skins[0].joint_from_mesh[2], Mat4::IDENTITY);
    assert!(
        document
            .findings
            .iter()
            .any(|f| f.message.contains("3 joints, but only 2"))
    );
}

#[test]
fn broken_inverse_bind_matrices() {
    let with = |change: &dyn Fn(&mut Vec<f32>)| {
        let mut file = rig();
        let mut matrices = [identity(), identity()].concat();
        change(&mut matrices);
        let accessor = file.floats("MAT4", &matrices);
        file.json["skins"][0]["inverseBindMatrices"] = json!(accessor);
        load(&file)
    };
    let document = with(&|m| m[16 + 5] = f32::NAN);
    assert_eq!(document.skins[0].joint_from_mesh[1], Mat4::IDENTITY);
    assert_names(
        &finding(&document, FindingCode::InverseBindSingular).message,
        &["\"Rig\"", "joint 1", "\"upper\"", "not finite"],
    );
    let document = with(&|m| m[16 + 5] = 0.0);
    assert_names(
        &document.findings[0].message,
        &["\"upper\"", "cannot be inverted"],
    );
    // Stays as stored: it can still be multiplied with.
    assert_eq!(document.skins[0].joint_from_mesh[1].y_axis.y, 0.0);
    // A translation where it belongs beside one in the fourth row.
    let document = with(&|m| (m[3], m[16 + 13]) = (0.5, -1.0));
    assert_names(
        &document.findings[0].message,
        &["\"lower\"", "last row [0.5, 0, 0, 1]"],
    );
    assert_eq!(document.skins[0].joint_from_mesh[0], Mat4::IDENTITY);
    // One finding for all that are wrong in one way.
    let document = with(&|m| (m[5], m[16 + 5]) = (0.0, 0.0));
    let both = finding(&document, FindingCode::InverseBindSingular);
    assert_names(&both.message, &["\"lower\"", "the same goes for 1 more"]);
    assert_eq!(both.node, Some(1));
    // A rig in millimetres is not singular.
    let small = with(&|m| {
        for axis in [0, 5, 10, 16, 21, 26] {
            m[axis] = 1e-4;
        }
    });
    assert_eq!(small.findings, []);
}

#[test]
fn inverse_bind_matrices_written_row_by_row() {
    let meant = [
        Mat4::from_rotation_z(0.5),
        Mat4::from_rotation_x(1.0) * Mat4::from_translation(-Vec3::Y),
    ];
    let written = meant.map(|matrix| matrix.transpose().to_cols_array());
    let mut file = rig();
    let accessor = file.floats("MAT4", written.as_flattened());
    file.json["skins"][0]["inverseBindMatrices"] = json!(accessor);
    let document = load(&file);
    let hint = finding(&document, FindingCode::InverseBindTransposed);
    assert_eq!((hint.severity, hint.skin), (Severity::Warning, Some(0)));
    assert_names(&hint.message, &["\"Rig\"", "row by row", "1 of 2"]);
    assert_eq!(document.findings.len(), 1);
    // Shown as the format has it, without the fourth row; what was meant is kept beside.
    let skin = &document.skins[0];
    assert_eq!(skin.joint_from_mesh[1].w_axis, glam::Vec4::W);
    let kept = skin.transposed_bind.as_ref().expect("the other reading");
    for (kept, meant) in kept.iter().zip(meant) {
        assert!(kept.abs_diff_eq(meant, 1e-6), "{kept} {meant}");
    }
    assert!(load_clean(&rig()).skins[0].transposed_bind.is_none());
}

#[test]
fn weights_of_every_type_and_any_number_of_sets() {
    for (component, raw, expected) in [
        (U8, [51_u8, 204, 0, 0].repeat(4), 0.2),
        (U16, bytes(&[13107, 52428, 0, 0].repeat(4)), 0.2),
    ] {
        let mut file = rig();
        let accessor = file.accessor(component, "VEC4", 4, &raw);
        file.json["accessors"][accessor]["normalized"] = json!(true);
        attribute(&mut file, "WEIGHTS_0", accessor);
        let document = load_clean(&file);
        let weights: Vec<_> = first(&document).influences.of_vertex(3).collect();
        assert_eq!(weights[0].0, 1);
        assert!((weights[0].1 - expected).abs() < 1e-6);
    }

    let mut file = rig();
    for set in 0..3 {
        let joints = file.accessor(U16, "VEC4", 4, &bytes(&[1, 0, set % 2, 1].repeat(4)));
        let weights = file.floats("VEC4", &[0.125, 0.125, 1.0 / 12.0, 0.0].repeat(4));
        attribute(&mut file, &format!("JOINTS_{set}"), joints);
        attribute(&mut file, &format!("WEIGHTS_{set}"), weights);
    }
    let document = load_clean(&file);
    let influences = &first(&document).influences;
    assert_eq!(influences.per_vertex, 12);
    let slots: Vec<_> = influences.of_vertex(2).map(|(slot, _)| slot).collect();
    assert_eq!(slots, [1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1]);
}

#[test]
fn weights_that_cannot_be_used() {
    let with = |weights: &[f32]| {
        let mut file = rig();
        let accessor = file.floats("VEC4", weights);
        attribute(&mut file, "WEIGHTS_0", accessor);
        load(&file)
    };
    let unit = [1.0, 0.0, 0.0, 0.0];
    let document = with(&[unit, [f32::NAN, 1.0, 0.0, 0.0], unit, [-0.5, 1.0, 0.0, 0.0]].concat());
    let influences = &first(&document).influences;
    assert_eq!(influences.weights[4..8], [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(influences.weights[12..16], [0.0, 1.0, 0.0, 0.0]);
    let messages: Vec<_> = document.findings.iter().map(|f| &f.message).collect();
    assert_names(
        messages[0],
        &["mesh 0 \"Quad\"", "1 weight is NaN", "vertex 1"],
    );
    assert_names(
        messages[1],
        &["mesh 0 \"Quad\"", "1 weight is negative", "vertex 3"],
    );
    assert_eq!(messages.len(), 2);

    let document = with(
        &[
            unit,
            [0.0; 4],
            [0.5, 0.6, 0.0, 0.0],
            [0.5, 0.5001, 0.0, 0.0],
        ]
        .concat(),
    );
    assert_names(
        &finding(&document, FindingCode::WeightsZero).message,
        &["\"Quad\"", "1 vertex", "vertex 1"],
    );
    let off = finding(&document, FindingCode::WeightsNotNormalized);
    assert_names(&off.message, &["2 vertices", "vertex 2", "1.1000"]);
    // Kept as stored.
    assert_eq!(first(&document).influences.weights[8], 0.5);
}

#[test]
fn rounding_of_stored_weights_is_no_fault() {
    for (component, raw, findings) in [
        (U8, vec![85_u8, 85, 84, 0], 0),
        (U8, vec![85, 85, 80, 0], 1),
        (U16, bytes(&[21845, 21845, 21844, 0]), 0),
        (U16, bytes(&[21845, 21845, 21800, 0]), 1),
        (
            F32,
            [0.333_333_3_f32, 0.333_333_3, 0.333_333_4, 0.0]
                .map(f32::to_le_bytes)
                .concat(),
            0,
        ),
        (
            F32,
            [0.333_f32, 0.333, 0.333, 0.0]
                .map(f32::to_le_bytes)
                .concat(),
            1,
        ),
    ] {
        let mut file = rig();
        let accessor = file.accessor(component, "VEC4", 4, &raw.repeat(4));
        attribute(&mut file, "WEIGHTS_0", accessor);
        assert_eq!(load(&file).findings.len(), findings, "{raw:?}");
    }
}

#[test]
fn joint_indices_out_of_range() {
    let mut file = rig();
    let joints = [[0_u8, 9, 0, 0], [1, 0, 0, 0], [7, 1, 0, 0], [8, 0, 0, 0]].concat();
    let accessor = file.accessor(U8, "VEC4", 4, &joints);
    attribute(&mut file, "JOINTS_0", accessor);
    let document = load(&file);
    let of_code: Vec<_> = document
        .findings
        .iter()
        .filter(|f| f.code == FindingCode::JointIndexOutOfRange)
        .map(|f| (f.severity, f.message.as_str()))
        .collect();
    assert_eq!(
        (of_code[0].0, of_code[1].0),
        (Severity::Info, Severity::Error)
    );
    assert_names(
        of_code[0].1,
        &["\"Quad\"", "largest is 9", "2 joints", "vertex 0"],
    );
    assert_names(
        of_code[1].1,
        &["2 joint indices", "largest is 8", "vertex 2"],
    );
    assert_eq!(first(&document).influences.joints[8..10], [0, 1]);
    assert_eq!(first(&document).influences.weights[8], 0.0);
}

#[test]
fn half_a_set_is_left_out() {
    let mut file = rig();
    let weights = file.floats("VEC4", &[0.0; 16]);
    attribute(&mut file, "WEIGHTS_1", weights);
    let document = load(&file);
    assert_eq!(first(&document).influences.per_vertex, 4);
    assert_names(
        &finding(&document, FindingCode::WeightsInvalid).message,
        &["\"Quad\"", "WEIGHTS_1, but no JOINTS_1"],
    );
    // Without a skin there is nothing to read, but the fault is told all the same.
    file.json["nodes"][0]
        .as_object_mut()
        .expect("an object")
        .remove("skin");
    let document = load(&file);
    assert!(first(&document).influences.is_empty());
    finding(&document, FindingCode::WeightsInvalid);
}

#[test]
fn a_skin_on_a_mesh_without_influences() {
    let mut file = rig();
    *primitive(&mut file) = json!({"attributes": {"POSITION": 0}});
    let document = load(&file);
    assert_eq!(document.instances[0].skin, None);
    assert_names(
        &finding(&document, FindingCode::SkinInvalid).message,
        &["node 0 \"Mesh\"", "mesh 0 \"Quad\"", "unskinned"],
    );
}

#[test]
fn morph_targets_with_default_weights() {
    let mut file = quad();
    let moved = file.floats("VEC3", &[0., 0., 1.].repeat(4));
    let turned = file.floats("VEC3", &[1., 0., 0.].repeat(4));
    let small = file.accessor(I16, "VEC3", 4, &bytes(&[0x7fff, 0x8001, 0].repeat(4)));
    file.json["accessors"][small]["normalized"] = json!(true);
    primitive(&mut file)["targets"] = json!([
        {"POSITION": moved, "NORMAL": turned, "TANGENT": turned},
        {"POSITION": small}
    ]);
    file.json["meshes"][0]["weights"] = json!([0.25, 0.5]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["smile", "frown"]});
    file.push("nodes", json!({"mesh": 0, "weights": [1.0, 0.0]}));
    file.json["scenes"] = json!([{"nodes": [0, 1]}]);
    let document = load_clean(&file);
    let mesh = &document.meshes[0];
    assert_eq!(mesh.morph_weights, [0.25, 0.5]);
    assert_eq!(mesh.morph_names, ["smile", "frown"]);
    assert_eq!(document.instances[0].morph_weights, [0.25, 0.5]);
    assert_eq!(document.instances[1].morph_weights, [1.0, 0.0]);
    let targets = &first(&document).morph_targets;
    assert_eq!(targets[0].positions[3], Vec3::Z);
    assert_eq!(targets[0].normals[3], Vec3::X);
    assert_eq!(targets[0].tangents[3], Vec3::X);
    assert_eq!(targets[1].positions[0], Vec3::new(1.0, -1.0, 0.0));
    assert!(targets[1].normals.is_empty());

    // Weights that do not fit are made to.
    file.json["meshes"][0]["weights"] = json!([0.25]);
    file.json["nodes"][1]["weights"] = json!([1, 2, 3]);
    let document = load(&file);
    assert_eq!(document.meshes[0].morph_weights, [0.25, 0.0]);
    assert_eq!(document.instances[1].morph_weights, [1.0, 2.0]);
    assert_eq!(document.findings.len(), 2);
    assert_names(
        &document.findings[0].message,
        &["mesh 0 \"Quad\"", "1 morph weight", "2 targets"],
    );
    assert_names(
        &document.findings[1].message,
        &["node 1", "3 morph weights", "2 targets"],
    );
}

#[test]
fn numbers_too_large_to_work_with_are_mended() {
    // Weights are shares; positions and matrices may be large, but not endless.
    let mut file = rig();
    let mut weights = [1.0, 0.0, 0.0, 0.0].repeat(4);
    weights[4..6].copy_from_slice(&[1.0, 3e38]);
    let accessor = file.floats("VEC4", &weights);
    attribute(&mut file, "WEIGHTS_0", accessor);
    let document = load(&file);
    assert_names(
        &finding(&document, FindingCode::WeightsInvalid).message,
        &["1 weight is larger than 1000000", "vertex 1"],
    );
    assert_eq!(first(&document).influences.weights[4..6], [1.0, 0.0]);

    let mut file = rig();
    let far = [0., 0., 0., 1e38, 0., 0., 1., 1., 0., 0., 1e18, 0.];
    let accessor = file.floats("VEC3", &far);
    attribute(&mut file, "POSITION", accessor);
    file.json["nodes"][2]["translation"] = json!([0, 1e30, 0]);
    let document = load(&file);
    assert_names(
        &finding(&document, FindingCode::MeshNonFinite).message,
        &["1 of 4", "beyond 1e18", "vertex 1"],
    );
    assert_eq!(first(&document).positions[1], Vec3::ZERO);
    assert_eq!(first(&document).positions[3].y, 1e18);
    assert_names(
        &finding(&document, FindingCode::NodeInvalid).message,
        &["\"upper\"", "translation", "beyond 1e18"],
    );
}
