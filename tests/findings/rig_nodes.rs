//! Scales, mirrors, shears and names of nodes.

use core::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

use glam::{Mat4, Quat, Vec3};
use rigscope::document::{Finding, FindingCode, Property, Severity};
use serde_json::json;

use crate::{
    asserts::{assert_names, findings, load, value},
    common::glb::Builder,
    file::{LOWER, UPPER, animate, arm, lower, rotation, turns, vector},
    rig::{clean, inverse_binds, node, only},
};

/// Binds the arm where it rests.
fn bind_at_rest(file: &mut Builder) {
    let document = load(file);
    let worlds = document.skeleton.rest_globals();
    let binds: Vec<Mat4> = document.skins[0]
        .joints
        .iter()
        .map(|&joint| worlds[joint as usize].inverse())
        .collect();
    inverse_binds(file, &binds);
}

#[test]
fn an_uneven_scale_under_a_turn_shears() {
    let mut file = arm();
    node(&mut file, LOWER)["scale"] = json!([1, 2, 1]);
    let half = (FRAC_PI_4 / 2.0).sin_cos();
    node(&mut file, UPPER)["rotation"] = json!([0, 0, half.0, half.1]);
    bind_at_rest(&mut file);
    let sheared = only(&file, FindingCode::ScaleShear, Severity::Warning);
    assert_names(
        &sheared.message,
        &["1 joint is", "(1, 2, 1)", "\"lower\"", "\"upper\"", "36.9°"],
    );
    assert_eq!((sheared.node, sheared.clip), (Some(UPPER), None));
    assert!((value(&sheared, "shear_degrees") - 36.87).abs() < 0.01);
    assert_eq!(
        (value(&sheared, "cause_node"), value(&sheared, "joints")),
        (1.0, 1.0)
    );
    // Alike: turned by a quarter, the axes change places; and an even scale.
    node(&mut file, UPPER)["rotation"] = json!([0, 0, FRAC_1_SQRT_2, FRAC_1_SQRT_2]);
    bind_at_rest(&mut file);
    clean(&file);
    node(&mut file, UPPER)["rotation"] = json!([0, 0, half.0, half.1]);
    node(&mut file, LOWER)["scale"] = json!([2, 2, 2]);
    bind_at_rest(&mut file);
    clean(&file);
}

#[test]
fn one_cause_is_one_finding_however_many_it_shears() {
    let mut file = arm();
    node(&mut file, LOWER)["scale"] = json!([1, 1.5, 1]);
    for turn in [20_f32, 45.0, 70.0] {
        let turn = Quat::from_rotation_z(turn.to_radians()).to_array();
        file.push(
            "nodes",
            json!({"name": format!("twig {}", turn[2]), "rotation": turn}),
        );
    }
    node(&mut file, LOWER)["children"] = json!([2, 3, 4, 5]);
    bind_at_rest(&mut file);
    let sheared = only(&file, FindingCode::ScaleShear, Severity::Warning);
    assert_eq!((value(&sheared, "joints"), sheared.node), (3.0, Some(4)));
}

#[test]
fn a_matrix_that_shears_by_itself() {
    let mut file = arm();
    let mut matrix = Mat4::from_translation(Vec3::Y);
    matrix.y_axis.x = 0.5;
    let upper = json!({"name": "upper", "matrix": matrix.to_cols_array()});
    *node(&mut file, UPPER) = upper;
    bind_at_rest(&mut file);
    let sheared = only(&file, FindingCode::ScaleShear, Severity::Warning);
    assert_names(&sheared.message, &["\"upper\"", "matrix", "sheared"]);
    assert_eq!(sheared.node, Some(UPPER));
    // Alike: a matrix of translation, rotation and scale.
    matrix.y_axis.x = 0.0;
    matrix.y_axis.y = 0.5;
    node(&mut file, UPPER)["matrix"] = json!(matrix.to_cols_array());
    bind_at_rest(&mut file);
    clean(&file);
}

/// The arm with a clip that turns `upper` to 45° under these scales of `lower`.
fn squashed(scales: &[Vec3]) -> Builder {
    let mut file = arm();
    let there_and_back = turns(&[0., 45., 0.]);
    animate(
        &mut file,
        "Squash",
        &[
            vector(LOWER, "scale", 0.5, scales),
            rotation(UPPER, 0.5, &there_and_back),
        ],
    );
    file
}

#[test]
fn a_shear_that_only_a_clip_brings_about() {
    let uneven = Vec3::new(1.0, 2.0, 1.0);
    let sheared = only(
        &squashed(&[Vec3::ONE, uneven, Vec3::ONE]),
        FindingCode::ScaleShear,
        Severity::Warning,
    );
    assert_names(
        &sheared.message,
        &[
            "clip 0 \"Squash\"",
            "1 joint",
            "\"upper\"",
            "0.5 s",
            "36.9°",
            "by the uneven scale (1, 2, 1) of node 1 \"lower\"",
        ],
    );
    assert_eq!(value(&sheared, "cause_node"), LOWER as f64);
    assert_eq!((sheared.clip, sheared.node), (Some(0), Some(UPPER)));
    assert_eq!(sheared.time_secs, Some(0.5));
    // Alike: as large, but even.
    let even = Vec3::splat(2.0);
    clean(&squashed(&[Vec3::ONE, even, Vec3::ONE]));
}

/// Root `lower` with this scale, bound at rest.
fn scaled(scale: [f32; 3]) -> Builder {
    let mut file = arm();
    node(&mut file, LOWER)["scale"] = json!(scale);
    bind_at_rest(&mut file);
    file
}

#[test]
fn mirrors() {
    let mirrored = only(
        &scaled([-1.0, 1.0, 1.0]),
        FindingCode::ScaleMirrored,
        Severity::Info,
    );
    assert_names(
        &mirrored.message,
        &["\"lower\"", "(-1, 1, 1)", "1 joint below"],
    );
    assert_eq!(mirrored.node, Some(LOWER));
    // Alike: two mirrors are a half turn.
    clean(&scaled([-1.0, -1.0, 1.0]));
}

#[test]
fn scaled_to_nothing() {
    let mut file = arm();
    file.push(
        "nodes",
        json!({"name": "hidden", "scale": [0, 0, 0], "children": [4]}),
    );
    file.push("nodes", json!({"name": "inside", "scale": [0, 0, 0]}));
    file.json["scenes"] = json!([{"nodes": [0, 1, 3]}]);
    let zero = only(&file, FindingCode::ScaleZero, Severity::Warning);
    assert_names(&zero.message, &["\"hidden\"", "scale 0", "1 joint below"]);
    assert_eq!(zero.node, Some(3));
    assert_eq!(value(&zero, "scale_x"), 0.0);
    // Alike: very small, but there.
    for index in [3, 4] {
        node(&mut file, index)["scale"] = json!([0.002, 0.002, 0.002]);
    }
    clean(&file);
}

#[test]
fn a_matrix_without_volume() {
    let mut file = arm();
    let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
    file.push(
        "nodes",
        json!({"name": "flat", "matrix": flat.to_cols_array()}),
    );
    file.json["scenes"] = json!([{"nodes": [0, 1, 3]}]);
    let zero = only(&file, FindingCode::ScaleZero, Severity::Warning);
    assert_names(&zero.message, &["\"flat\"", "matrix", "no length"]);
}

#[test]
fn a_clip_that_scales_to_nothing_or_mirrors() {
    for (scale, code, words) in [
        (Vec3::ZERO, FindingCode::ScaleZero, "to nothing"),
        (
            Vec3::new(-1.0, 1.0, 1.0),
            FindingCode::ScaleMirrored,
            "mirrors",
        ),
    ] {
        let mut file = arm();
        let keys = [Vec3::ONE, scale, Vec3::ONE];
        animate(
            &mut file,
            "Hide",
            &[lower(), vector(UPPER, "scale", 0.5, &keys)],
        );
        let found = only(&file, code, Severity::Info);
        assert_names(
            &found.message,
            &["clip 0 \"Hide\"", "\"upper\"", words, "0.5 s"],
        );
        assert_eq!(
            (found.clip, found.node, found.key),
            (Some(0), Some(UPPER), Some(1))
        );
        assert_eq!(found.property, Some(Property::Scale));
    }
    let mut file = arm();
    let keys = [Vec3::ONE, Vec3::splat(0.1), Vec3::ONE];
    animate(
        &mut file,
        "Shrink",
        &[lower(), vector(UPPER, "scale", 0.5, &keys)],
    );
    clean(&file);
}

#[test]
fn roots_in_other_units() {
    for (factor, words) in [(0.01, "by 0.01"), (100.0, "by 100"), (0.0103, "by 0.0103")] {
        let found = only(&scaled([factor; 3]), FindingCode::RootScale, Severity::Info);
        assert_names(&found.message, &["\"lower\"", words]);
        assert_eq!(found.node, Some(LOWER));
        let size = f64::from(factor);
        assert!(
            (value(&found, "size") / size - 1.0).abs() < 1e-4,
            "{found:#?}"
        );
    }
    // Alike: another size, and the same further down.
    for factor in [0.02, 1.5, 50.0, 0.001] {
        clean(&scaled([factor; 3]));
    }
    let mut file = arm();
    node(&mut file, UPPER)["scale"] = json!([0.01, 0.01, 0.01]);
    bind_at_rest(&mut file);
    clean(&file);
}

#[test]
fn a_unit_above_the_armature_and_one_that_undoes_it() {
    let mut file = arm();
    file.push(
        "nodes",
        json!({"name": "top", "scale": [0.01, 0.01, 0.01], "children": [LOWER]}),
    );
    file.json["scenes"] = json!([{"nodes": [0, 3]}]);
    node(&mut file, LOWER)["scale"] = json!([100, 100, 100]);
    let found = findings(&load(&file));
    let roots: Vec<&Finding> = found
        .iter()
        .filter(|finding| finding.code == FindingCode::RootScale)
        .collect();
    assert_eq!(roots.len(), 2, "{found:#?}");
    assert!(
        roots
            .iter()
            .any(|f| f.message.contains("which node 1 \"lower\" undoes"))
    );
}

#[test]
fn names_that_are_there_twice() {
    let mut file = arm();
    node(&mut file, UPPER)["name"] = json!("lower");
    let twice = only(&file, FindingCode::DuplicateNames, Severity::Warning);
    assert_names(
        &twice.message,
        &["2 nodes", "\"lower\"", "node 1 and node 2"],
    );
    assert_eq!((twice.node, value(&twice, "nodes")), (Some(LOWER), 2.0));
    // Alike: another case, and no name at all.
    node(&mut file, UPPER)["name"] = json!("Lower");
    clean(&file);
    for index in [LOWER, UPPER] {
        node(&mut file, index)["name"] = json!("");
    }
    clean(&file);
}

#[test]
fn many_names_that_are_there_twice_are_one_finding() {
    let mut file = arm();
    for _ in 0..2 {
        for number in 0..20 {
            file.push("nodes", json!({"name": format!("bone {number:02}")}));
        }
    }
    let twice = only(&file, FindingCode::DuplicateNames, Severity::Warning);
    assert_names(&twice.message, &["\"bone 00\"", "19 more"]);
    assert_eq!(
        (value(&twice, "alike"), value(&twice, "nodes")),
        (20.0, 2.0)
    );
}

#[test]
fn what_shows_nothing_may_be_mirrored() {
    let mut file = arm();
    file.push("nodes", json!({"name": "widget", "scale": [-1, 1, 1]}));
    file.json["scenes"] = json!([{"nodes": [0, 1, 3]}]);
    clean(&file);
    // With a mesh on it, it can be seen.
    let mesh = json!({"primitives": [{"attributes": {"POSITION": 0}}]});
    let mesh = file.push("meshes", mesh);
    node(&mut file, 3)["mesh"] = json!(mesh);
    let mirrored = only(&file, FindingCode::ScaleMirrored, Severity::Info);
    assert_eq!(mirrored.node, Some(3));
}

#[test]
fn names_that_come_to_be_alike() {
    let mut file = arm();
    node(&mut file, LOWER)["name"] = json!("arm.L");
    node(&mut file, UPPER)["name"] = json!("armL");
    let alike = only(&file, FindingCode::DuplicateNames, Severity::Info);
    assert_names(&alike.message, &["\"arm.L\"", "\"armL\"", "dots"]);
    node(&mut file, UPPER)["name"] = json!("arm.R");
    clean(&file);
}
