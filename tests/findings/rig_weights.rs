//! Weights and influences.

use rigscope::document::{FindingCode, Severity};

use crate::{
    asserts::{assert_names, load, value},
    common::glb::U8,
    file::{LOWER, UPPER, animate, arm, rotation, turns},
    rig::{WEIGHTS, attribute, clean, only, weights},
};

#[test]
fn sums_off_one() {
    let mut file = arm();
    let mut rows = WEIGHTS;
    (rows[1][0], rows[4][1]) = (0.9, 0.75);
    weights(&mut file, rows);
    let off = only(&file, FindingCode::WeightsNotNormalized, Severity::Warning);
    assert_names(
        &off.message,
        &["\"Strip\"", "2 vertices", "vertex 1", "vertex 4"],
    );
    // The worst is the place, the first is told too.
    let place = (off.mesh, off.primitive, off.vertex);
    assert_eq!(place, (Some(0), Some(0), Some(4)));
    assert_eq!(value(&off, "first_vertex"), 1.0);
    assert_eq!(value(&off, "worst_sum"), 0.75);
    // Alike: what rounding explains.
    rows = WEIGHTS;
    rows[1][0] = 1.0 - f32::EPSILON;
    weights(&mut file, rows);
    clean(&file);
}

#[test]
fn no_weight_at_all() {
    let mut file = arm();
    let mut rows = WEIGHTS;
    rows[3] = [0.0; 4];
    weights(&mut file, rows);
    let zero = only(&file, FindingCode::WeightsZero, Severity::Error);
    assert_names(&zero.message, &["\"Strip\"", "1 vertex", "vertex 3"]);
    assert_eq!((zero.mesh, zero.vertex), (Some(0), Some(3)));
    // Alike: all of it on one joint.
    rows[3] = [0.0, 1.0, 0.0, 0.0];
    weights(&mut file, rows);
    clean(&file);
}

#[test]
fn weights_that_are_none() {
    for (weight, word) in [
        (f32::NAN, "NaN"),
        (f32::INFINITY, "infinite"),
        (-0.5, "negative"),
    ] {
        let mut file = arm();
        let mut rows = WEIGHTS;
        rows[5][2] = weight;
        weights(&mut file, rows);
        let invalid = only(&file, FindingCode::WeightsInvalid, Severity::Error);
        assert_names(&invalid.message, &["\"Strip\"", word, "vertex 5"]);
        assert_eq!((invalid.mesh, invalid.vertex), (Some(0), Some(5)));
    }
    // Nor about the sum of what is left.
    for weight in [f32::NAN, f32::INFINITY, 1e30] {
        let mut file = arm();
        let mut rows = WEIGHTS;
        rows[5] = [0.0, 0.5, weight, 0.0];
        weights(&mut file, rows);
        only(&file, FindingCode::WeightsInvalid, Severity::Error);
    }
}

#[test]
fn a_joint_twice() {
    let mut file = arm();
    let slots = [
        [0_u8, 1, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 1, 0, 0],
        [0, 1, 0, 0],
        [0, 1, 0, 0],
    ];
    let accessor = file.accessor(U8, "VEC4", 6, slots.as_flattened());
    attribute(&mut file, "JOINTS_0", accessor);
    let mut rows = WEIGHTS;
    rows[2] = [0.25, 0.25, 0.5, 0.0];
    weights(&mut file, rows);
    let twice = only(&file, FindingCode::WeightsDuplicateJoint, Severity::Warning);
    assert_names(
        &twice.message,
        &["\"Strip\"", "1 vertex", "vertex 2", "\"lower\"", "0.25"],
    );
    assert_eq!((twice.node, twice.skin), (Some(LOWER), Some(0)));
    assert_eq!(
        (twice.mesh, twice.primitive, twice.vertex),
        (Some(0), Some(0), Some(2))
    );
    // Alike: the second time without weight, as every exporter fills up.
    rows[2] = [0.5, 0.0, 0.5, 0.0];
    weights(&mut file, rows);
    clean(&file);
}

/// The arm with a second set of influences that has this much weight of vertex 4 on
/// `lower`, taken from the first one.
fn two_sets(beyond: f32) -> crate::common::glb::Builder {
    let mut file = arm();
    let mut rows = WEIGHTS;
    rows[4][1] = 1.0 - beyond;
    weights(&mut file, rows);
    let mut second = [[0.0; 4]; 6];
    second[4][0] = beyond;
    let accessor = file.floats("VEC4", second.as_flattened());
    attribute(&mut file, "WEIGHTS_1", accessor);
    let slots = file.accessor(U8, "VEC4", 6, &[0; 24]);
    attribute(&mut file, "JOINTS_1", slots);
    file
}

#[test]
fn more_than_four_influences() {
    let mut file = two_sets(0.25);
    let at_rest = only(&file, FindingCode::WeightsBeyondFour, Severity::Info);
    assert_names(
        &at_rest.message,
        &["\"Strip\"", "1 of 6 vertices", "at rest"],
    );
    assert_eq!(
        (at_rest.mesh, at_rest.primitive, at_rest.vertex),
        (Some(0), Some(0), Some(4))
    );
    assert_eq!(at_rest.clip, None);
    assert_eq!(value(&at_rest, "vertices"), 1.0);
    assert_eq!(value(&at_rest, "outweighed_vertices"), 1.0);
    assert!((value(&at_rest, "largest_share") - 0.25).abs() < 1e-6);
    // At rest renormalising gives the vertex back; without, it keeps three quarters of
    // its way from the origin: (−0.1, 2).
    assert!(value(&at_rest, "displacement_mm") < 1e-3);
    let short = 0.25 * 0.1_f64.hypot(2.0) * 1e3;
    assert!((value(&at_rest, "displacement_stored_mm") - short).abs() < 0.01);

    // In motion: `upper` turns by 60° about (0, 1); of the vertex at 1 m from there
    // `lower` holds back a quarter. Held all along, so that any pose shows it.
    animate(
        &mut file,
        "Held",
        &[
            rotation(UPPER, 1.0, &turns(&[60., 60.])),
            rotation(LOWER, 1.0, &turns(&[0., 0.1])),
        ],
    );
    let moving = crate::asserts::findings(&load(&file));
    let moving = moving
        .iter()
        .find(|finding| finding.code == FindingCode::WeightsBeyondFour)
        .expect("more than four");
    assert_eq!(moving.clip, Some(0));
    assert!(moving.time_secs.is_some());
    assert_names(&moving.message, &["clip 0 \"Held\"", "vertex 4", "mm"]);
    // The chord of 60° at 0.1² + 1² is as long as that radius.
    let expected = 0.25 * 0.1_f64.hypot(1.0) * 1e3;
    assert!(
        (value(moving, "displacement_mm") - expected).abs() < 0.01,
        "{moving:#?}"
    );
}

#[test]
fn a_second_set_without_weight_is_no_more_than_four() {
    clean(&two_sets(0.0));
}

#[test]
fn joint_indices_past_the_skin() {
    let mut file = arm();
    let mut slots = [[0_u8, 1, 0, 0]; 6];
    slots[3][2] = 9;
    let accessor = file.accessor(U8, "VEC4", 6, slots.as_flattened());
    attribute(&mut file, "JOINTS_0", accessor);
    let idle = only(&file, FindingCode::JointIndexOutOfRange, Severity::Info);
    assert_names(
        &idle.message,
        &[
            "\"Strip\"",
            "largest is 9",
            "2 joints",
            "vertex 3",
            "no weight",
        ],
    );
    assert_eq!(
        (idle.mesh, idle.primitive, idle.vertex),
        (Some(0), Some(0), Some(3))
    );
    let mut rows = WEIGHTS;
    rows[3] = [0.5, 0.25, 0.25, 0.0];
    weights(&mut file, rows);
    // And no word about the sum that is left without it.
    let lost = only(&file, FindingCode::JointIndexOutOfRange, Severity::Error);
    assert_eq!((lost.mesh, lost.vertex), (Some(0), Some(3)));
    assert_eq!(
        (value(&lost, "largest_index"), value(&lost, "joints")),
        (9.0, 2.0)
    );
    // Alike: the last joint there is.
    slots[3][2] = 1;
    let accessor = file.accessor(U8, "VEC4", 6, slots.as_flattened());
    attribute(&mut file, "JOINTS_0", accessor);
    weights(&mut file, WEIGHTS);
    clean(&file);
}
