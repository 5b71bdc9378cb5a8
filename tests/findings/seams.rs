//! Whether a clip ends as it begins.

use glam::{Quat, Vec3};
use rigscope::document::{FindingCode, Severity};

use crate::{
    asserts::{assert_names, findings, load, raises, raises_not, value},
    clips::with,
    file::{LOWER, MESH, UPPER, animate, arm, lower, rotation, turns, vector},
};

#[test]
fn a_clip_that_ends_elsewhere_has_a_seam() {
    let document = with(&[rotation(UPPER, 0.5, &turns(&[0., 30., 12.]))]);
    let found = raises(&document, FindingCode::LoopSeam);
    let [seam] = &found[..] else {
        panic!("{found:#?}");
    };
    assert_eq!((seam.severity, seam.node), (Severity::Info, Some(UPPER)));
    assert_eq!(seam.time_secs, Some(1.0));
    assert!((value(seam, "angle_deg") - 12.0).abs() < 1e-3);
    assert_eq!(value(seam, "joints"), 1.0);
    assert_names(
        &seam.message,
        &["\"Bend\"", "1 joint", "\"upper\"", "12.0°"],
    );
    raises_not(
        &with(&[rotation(UPPER, 0.5, &turns(&[0., 30., 4.]))]),
        FindingCode::LoopSeam,
    );

    // 4° at the foot of the arm are 7 cm a metre up, more than 1 % of its 2 m.
    let mut file = arm();
    let bend = rotation(UPPER, 0.5, &turns(&[0., 30., 0.]));
    animate(
        &mut file,
        "Bend",
        &[rotation(LOWER, 0.5, &turns(&[0., 10., 4.])), bend],
    );
    let found = raises(&load(&file), FindingCode::LoopSeam);
    assert_eq!(found[0].node, Some(UPPER));
    assert!(
        (value(&found[0], "distance") - 0.0698).abs() < 1e-3,
        "{found:#?}"
    );
    assert_names(&found[0].message, &["0.0698 m", "3 % of the height"]);
}

/// A skinned mesh stands where its joints are, wherever a clip leaves its node.
#[test]
fn what_does_not_count_has_no_seam() {
    let bend = rotation(UPPER, 0.5, &turns(&[0., 30., 0.]));
    let shoved = |node: usize| {
        let shove = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        let document = with(&[bend.clone(), vector(node, "translation", 0.5, &shove)]);
        let found = findings(&document);
        found.iter().any(|f| f.code == FindingCode::LoopSeam)
    };
    assert!(!shoved(MESH) && shoved(LOWER));
}

#[test]
fn a_walk_that_goes_somewhere_is_no_seam_of_every_joint() {
    let walk = |end: Vec3, bend: &[f32]| {
        let mut file = arm();
        let path = [Vec3::ZERO, end / 2.0, end];
        let channels = [
            lower(),
            vector(LOWER, "translation", 0.5, &path),
            rotation(UPPER, 0.5, &turns(bend)),
        ];
        animate(&mut file, "Walk", &channels);
        load(&file)
    };
    let found = raises(&walk(Vec3::Z * 1.2, &[0., 30., 0.]), FindingCode::LoopSeam);
    let [travels] = &found[..] else {
        panic!("{found:#?}");
    };
    assert_eq!(travels.node, Some(LOWER));
    assert_eq!(value(travels, "joints"), 0.0);
    assert!((value(travels, "root_travel") - 1.2).abs() < 1e-5);
    assert_names(
        &travels.message,
        &["\"Walk\" travels", "\"lower\"", "1.2 m", "60 %"],
    );
    raises_not(&walk(Vec3::Z * 0.01, &[0., 30., 0.]), FindingCode::LoopSeam);
    // And a real seam on top of it is still found.
    let found = raises(&walk(Vec3::Z * 1.2, &[0., 30., 12.]), FindingCode::LoopSeam);
    assert_eq!(
        (found[0].node, value(&found[0], "joints")),
        (Some(UPPER), 1.0)
    );
    assert_names(
        &found[0].message,
        &["travels", "relative to it", "\"upper\"", "12.0°"],
    );
}

#[test]
fn a_turn_on_the_spot_is_a_matter_of_its_root() {
    let turned = |degrees: f32| {
        let mut file = arm();
        let spin = [0.0, degrees].map(|d| Quat::from_rotation_y(d.to_radians()));
        let side = [
            Vec3::new(0.5, 1.0, 0.0),
            Vec3::new(0.6, 1.0, 0.0),
            Vec3::new(0.5, 1.0, 0.0),
        ];
        animate(
            &mut file,
            "Turn",
            &[
                rotation(LOWER, 1.0, &spin),
                vector(UPPER, "translation", 0.5, &side),
            ],
        );
        load(&file)
    };
    let found = raises(&turned(90.0), FindingCode::LoopSeam);
    assert_eq!(
        (found[0].node, value(&found[0], "joints")),
        (Some(LOWER), 0.0)
    );
    assert_names(&found[0].message, &["\"Turn\" turns", "\"lower\"", "90.0°"]);
    raises_not(&turned(0.0), FindingCode::LoopSeam);
}

/// Only what moves by its own doing can carry the rest: not the second of a chain that
/// the first one swings.
#[test]
fn a_joint_that_is_swung_by_its_parent_does_not_travel() {
    let mut file = arm();
    let bend = turns(&[0., 30., 20.]);
    let channels = [rotation(LOWER, 0.5, &bend), rotation(UPPER, 0.5, &bend)];
    animate(&mut file, "Curl", &channels);
    file.push(
        "nodes",
        serde_json::json!({"name": "tip", "translation": [0, 1, 0]}),
    );
    file.json["nodes"][UPPER]["children"] = serde_json::json!([3]);
    file.json["skins"][0]["joints"] = serde_json::json!([LOWER, UPPER, 3]);
    file.json["skins"][0]
        .as_object_mut()
        .expect("a skin")
        .remove("inverseBindMatrices");
    let found = raises(&load(&file), FindingCode::LoopSeam);
    assert_eq!(value(&found[0], "joints"), 3.0);
    assert!(
        !found[0].message.contains("travels"),
        "{}",
        found[0].message
    );
}
