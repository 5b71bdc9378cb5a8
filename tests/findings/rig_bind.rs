//! Bind poses, skins, and the nodes that show skinned meshes.

use glam::{Mat4, Quat, Vec3};
use rigscope::document::{Finding, FindingCode, Severity};
use serde_json::json;

use crate::{
    asserts::{assert_names, findings, load, value},
    common::glb::Builder,
    file::{LOWER, MESH, UPPER, arm},
    rig::{clean, inverse_binds, node, only},
};

/// The arm's inverse bind matrices.
fn binds() -> [Mat4; 2] {
    [Mat4::IDENTITY, Mat4::from_translation(Vec3::NEG_Y)]
}

fn rotate(file: &mut Builder, index: usize, rotation: Quat) {
    node(file, index)["rotation"] = json!(rotation.to_array());
}

#[test]
fn none_at_all() {
    let mut file = arm();
    let skin = file.json["skins"][0].as_object_mut().expect("an object");
    skin.remove("inverseBindMatrices");
    // And no word about a rest pose that differs from what nobody has given.
    let missing = only(&file, FindingCode::InverseBindMissing, Severity::Info);
    assert_names(&missing.message, &["\"Rig\"", "identity", "2 joints"]);
    assert_eq!(missing.skin, Some(0));
    clean(&arm());
}

#[test]
fn one_that_cannot_be_inverted() {
    let mut file = arm();
    inverse_binds(&mut file, &[Mat4::IDENTITY, Mat4::ZERO]);
    // All zero: its last row is none either.
    only(&file, FindingCode::InverseBindSingular, Severity::Error);
    let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
    inverse_binds(&mut file, &[Mat4::IDENTITY, flat]);
    let singular = only(&file, FindingCode::InverseBindSingular, Severity::Error);
    assert_names(
        &singular.message,
        &["\"Rig\"", "\"upper\"", "cannot be inverted"],
    );
    assert_eq!((singular.skin, singular.node), (Some(0), Some(UPPER)));
    // Alike: small, but no less than three axes. The rest pose is as small.
    let small = Mat4::from_scale(Vec3::splat(1e-4));
    inverse_binds(&mut file, &[small, binds()[1] * small]);
    node(&mut file, LOWER)["scale"] = json!([1e4, 1e4, 1e4]);
    clean(&file);
}

#[test]
fn written_row_by_row() {
    let mut file = arm();
    inverse_binds(&mut file, &binds().map(|matrix| matrix.transpose()));
    let turned = only(&file, FindingCode::InverseBindTransposed, Severity::Warning);
    assert_names(&turned.message, &["\"Rig\"", "row by row", "1 of 2", "-1"]);
    assert_eq!(turned.skin, Some(0));
    // Alike: a fourth row that is wrong beside translations that are right.
    let mut wrong = binds()[1];
    wrong.y_axis.w = -1.0;
    inverse_binds(&mut file, &[Mat4::IDENTITY, wrong]);
    only(&file, FindingCode::InverseBindSingular, Severity::Error);
}

#[test]
fn rest_differs_from_bind() {
    let mut file = arm();
    rotate(&mut file, UPPER, Quat::from_rotation_z(45_f32.to_radians()));
    let bent = only(&file, FindingCode::BindRestMismatch, Severity::Info);
    assert_names(
        &bent.message,
        &["\"Rig\"", "1 of 2 joints", "\"upper\"", "turned by 45.0°"],
    );
    assert_eq!((bent.skin, bent.node), (Some(0), Some(UPPER)));
    assert_eq!((value(&bent, "joints"), value(&bent, "of")), (1.0, 2.0));
    assert!((value(&bent, "turned_degrees") - 45.0).abs() < 0.01);
    // Moved, and a rigid mesh on it.
    let mut file = arm();
    node(&mut file, UPPER)["translation"] = json!([0, 1.5, 0]);
    node(&mut file, UPPER)["children"] = json!([3]);
    let mesh = file.push(
        "meshes",
        json!({"primitives": [{"attributes": {"POSITION": 0}}]}),
    );
    file.push("nodes", json!({"name": "lamp", "mesh": mesh}));
    let moved = only(&file, FindingCode::BindRestMismatch, Severity::Info);
    assert_names(
        &moved.message,
        &["moved by 0.5 m", "1 unskinned mesh hangs on"],
    );
    assert!((value(&moved, "moved") - 0.5).abs() < 1e-6);
    // Alike: bound just as it rests.
    inverse_binds(
        &mut file,
        &[Mat4::IDENTITY, Mat4::from_translation(Vec3::NEG_Y * 1.5)],
    );
    clean(&file);
}

#[test]
fn one_matrix_for_all_joints_bends_nothing() {
    let mut file = arm();
    let lying = Mat4::from_rotation_x(90_f32.to_radians());
    inverse_binds(&mut file, &binds().map(|matrix| matrix * lying));
    let moved = only(&file, FindingCode::BindRestMismatch, Severity::Info);
    assert_names(
        &moved.message,
        &["as a whole", "turned by 90.0°", "no joint bends"],
    );
    assert_eq!((moved.skin, moved.node), (Some(0), None));
    assert_eq!(value(&moved, "joints"), 0.0);
}

/// One cause is told once: the node's transform is what the joints do as well.
#[test]
fn what_the_meshs_node_says_too_is_told_of_the_node() {
    let lying = Mat4::from_rotation_x(90_f32.to_radians());
    let with_node = |degrees: f32| {
        let mut file = arm();
        inverse_binds(&mut file, &binds().map(|matrix| matrix * lying));
        rotate(&mut file, MESH, Quat::from_rotation_x(degrees.to_radians()));
        let mut codes: Vec<FindingCode> = (findings(&load(&file)).iter())
            .map(|finding| finding.code)
            .collect();
        codes.sort_by_key(|code| code.as_str());
        codes
    };
    let (bind, node) = (
        FindingCode::BindRestMismatch,
        FindingCode::SkinnedMeshTransform,
    );
    assert_eq!(with_node(90.0), [node]);
    assert_eq!(with_node(45.0), [bind, node]);
}

/// Positions as whole numbers go back to their units by the bind matrices, for a skinned
/// mesh has nowhere else to put that.
#[test]
fn quantised_positions_are_no_mismatch() {
    let scaled = |quantised: bool, scale: Vec3| {
        let mut file = arm();
        let units = Mat4::from_translation(Vec3::Y) * Mat4::from_scale(scale);
        inverse_binds(&mut file, &binds().map(|matrix| matrix * units));
        if quantised {
            file.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
        }
        let found = findings(&load(&file));
        let is_mismatch = |finding: &&Finding| finding.code == FindingCode::BindRestMismatch;
        found.iter().filter(is_mismatch).count()
    };
    let even = Vec3::splat(0.01);
    assert_eq!((scaled(true, even), scaled(false, even)), (0, 1));
    assert_eq!(scaled(true, Vec3::new(0.01, 0.02, 0.01)), 1);
}

#[test]
fn a_joint_without_weights_may_be_bound_anywhere() {
    let mut file = arm();
    node(&mut file, UPPER)["children"] = json!([3]);
    file.push("nodes", json!({"name": "end", "translation": [0, 1, 0]}));
    file.json["skins"][0]["joints"] = json!([LOWER, UPPER, 3]);
    // As exporters write it for the ends of chains.
    inverse_binds(&mut file, &[binds()[0], binds()[1], Mat4::IDENTITY]);
    clean(&file);
}

#[test]
fn a_skinned_mesh_under_a_transform() {
    let mut file = arm();
    node(&mut file, MESH)["translation"] = json!([0, 0, 3]);
    let own = only(&file, FindingCode::SkinnedMeshTransform, Severity::Info);
    assert_names(
        &own.message,
        &[
            "\"Mesh\"",
            "\"Strip\"",
            "\"Rig\"",
            "of its own",
            "moved by 3 m",
        ],
    );
    assert_eq!(
        (own.node, own.mesh, own.skin),
        (Some(MESH), Some(0), Some(0))
    );
    assert_eq!(value(&own, "moved"), 3.0);

    let mut file = arm();
    file.push(
        "nodes",
        json!({"name": "shelf", "children": [MESH], "scale": [2, 2, 2]}),
    );
    file.json["scenes"] = json!([{"nodes": [3, LOWER]}]);
    let above = only(&file, FindingCode::SkinnedMeshTransform, Severity::Info);
    assert_names(&above.message, &["from the nodes above", "scaled by 2"]);
    // Alike: a node above that does nothing, and a rigid mesh under a transform.
    node(&mut file, 3)["scale"] = json!([1, 1, 1]);
    clean(&file);
    let mut file = arm();
    let mesh = file.push(
        "meshes",
        json!({"primitives": [{"attributes": {"POSITION": 0}}]}),
    );
    file.push(
        "nodes",
        json!({"name": "rock", "mesh": mesh, "translation": [3, 0, 0]}),
    );
    file.json["scenes"] = json!([{"nodes": [MESH, LOWER, 3]}]);
    clean(&file);
}

/// The arm with so many joints in its skin, the others beside `upper`.
fn crowd(joints: usize) -> Builder {
    let mut file = arm();
    let mut list = vec![LOWER, UPPER];
    for number in 2..joints {
        let name = format!("extra {number}");
        list.push(file.push("nodes", json!({"name": name})));
    }
    node(&mut file, LOWER)["children"] = json!(list[1..]);
    file.json["skins"][0]["joints"] = json!(list);
    let mut many = vec![Mat4::IDENTITY; joints];
    many[1] = binds()[1];
    inverse_binds(&mut file, &many);
    file
}

#[test]
fn more_joints_than_common_limits() {
    for (joints, limit, words) in [
        (65, 64.0, "the 64 that"),
        (129, 128.0, "64 and 128"),
        (257, 256.0, "64, 128 and 256"),
        (1024, 1023.0, "64, 128, 256 and 1023"),
    ] {
        let many = only(&crowd(joints), FindingCode::JointCount, Severity::Info);
        assert_names(
            &many.message,
            &["\"Rig\"", &joints.to_string(), "2 move vertices", words],
        );
        assert_eq!(many.skin, Some(0));
        assert_eq!(value(&many, "limit"), limit);
        assert_eq!(
            (value(&many, "joints"), value(&many, "used_joints")),
            (joints as f64, 2.0)
        );
    }
    clean(&crowd(64));
}
