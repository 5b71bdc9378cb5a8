//! Codes about rotation keys, in pairs: a file that raises the code and one alike that
//! does not.

use glam::Quat;
use rigscope::document::{Document, FindingCode, Property, Severity};
use serde_json::json;

use crate::{
    asserts::{assert_names, load, raises, raises_not, value},
    file::{Channel, LOWER, MESH, UPPER, animate, arm, lower, rotation, turns},
};

/// Seconds a frame.
pub const FRAME: f32 = 1.0 / 24.0;

/// The arm with these channels beside the plain motion of its lower joint.
fn with(channel: Channel) -> Document {
    let mut file = arm();
    animate(&mut file, "Bend", &[lower(), channel]);
    load(&file)
}

/// `upper` turned by these angles, a key each.
fn upper(step_secs: f32, degrees: &[f32]) -> Document {
    with(rotation(UPPER, step_secs, &turns(degrees)))
}

/// The same with some keys negated.
fn negated(step_secs: f32, degrees: &[f32], keys: &[usize]) -> Document {
    let mut all = turns(degrees);
    keys.iter().for_each(|&key| all[key] = -all[key]);
    with(rotation(UPPER, step_secs, &all))
}

#[test]
fn a_sign_flip_names_joint_keys_and_both_angles() {
    let document = negated(0.25, &[0., 21., 42., 21., 0.], &[0]);
    let found = raises(&document, FindingCode::RotationSignFlip);
    let [flip] = &found[..] else {
        panic!("{found:#?}");
    };
    assert_eq!(flip.severity, Severity::Warning);
    assert_eq!((flip.clip, flip.node), (Some(0), Some(UPPER)));
    assert_eq!(
        (flip.property, flip.key),
        (Some(Property::Rotation), Some(0))
    );
    assert_eq!((flip.time_secs, flip.end_secs), (Some(0.0), Some(0.25)));
    assert!((value(flip, "true_angle_deg") - 21.0).abs() < 1e-3);
    assert!((value(flip, "stored_arc_deg") - 339.0).abs() < 1e-3);
    assert_names(
        &flip.message,
        &[
            "\"upper\"",
            "21.0°",
            "keys 0 and 1",
            "0 s – 0.25 s",
            "339.0°",
        ],
    );
    raises_not(
        &upper(0.25, &[0., 21., 42., 21., 0.]),
        FindingCode::RotationSignFlip,
    );
}

/// Signs matter only where players blend.
#[test]
fn signs_of_held_keys_are_nobodys_concern() {
    let mut channel = rotation(UPPER, 0.5, &turns(&[0., 30., 0.]));
    channel.values.iter_mut().take(4).for_each(|v| *v = -*v);
    raises(&with(channel.clone()), FindingCode::RotationSignFlip);
    channel.interpolation = "STEP";
    raises_not(&with(channel), FindingCode::RotationSignFlip);
}

/// In a bake nobody turns once round within a frame: what is wrong is the sign.
#[test]
fn a_flip_between_frames_is_no_lost_turn_however_small_the_angle() {
    let bake: Vec<f32> = (0..25)
        .map(|key| 3.0 * (12.0 - (key as f32 - 12.0).abs()))
        .collect();
    let found = raises(
        &negated(FRAME, &bake, &[7, 8]),
        FindingCode::RotationSignFlip,
    );
    let keys: Vec<_> = found.iter().map(|finding| finding.key).collect();
    assert_eq!(keys, [Some(6), Some(8)]);
    raises_not(&upper(FRAME, &bake), FindingCode::RotationSignFlip);
}

#[test]
fn a_track_full_of_flips_makes_a_few_findings_that_count_them_all() {
    let wave: Vec<f32> = (0..10_001)
        .map(|key| 20.0 * (key as f32 * 0.1).sin())
        .collect();
    let odd: Vec<usize> = (0..wave.len()).filter(|key| key % 2 == 1).collect();
    let found = raises(&negated(FRAME, &wave, &odd), FindingCode::RotationSignFlip);
    assert_eq!(found.len(), 3);
    let count = |finding| {
        let values: &Vec<(&str, f64)> = finding;
        values
            .iter()
            .find(|(name, _)| *name == "count")
            .map_or(1.0, |(_, count)| *count)
    };
    let sum: f64 = found.iter().map(|finding| count(&finding.values)).sum();
    assert_eq!(sum, 10_000.0);
    assert_names(&found[2].message, &["9997 more", "key 9999"]);
    assert_eq!(value(&found[2], "last_key"), 9999.0);
}

#[test]
fn half_a_turn_is_a_toss_of_a_coin() {
    let document = upper(0.5, &[0., 178.0, 0.]);
    let found = raises(&document, FindingCode::RotationNearHalfTurn);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].severity, Severity::Warning);
    assert!((value(&found[0], "true_angle_deg") - 178.0).abs() < 1e-3);
    assert_names(&found[0].message, &["\"upper\"", "178.0°", "keys 0 and 1"]);
    raises_not(
        &upper(0.5, &[0., 174.0, 0.]),
        FindingCode::RotationNearHalfTurn,
    );
    // Beyond half a turn it is as near, whatever the signs.
    raises(
        &upper(0.5, &[0., 184.0, 0.]),
        FindingCode::RotationNearHalfTurn,
    );
    raises(
        &negated(0.5, &[0., 178.0, 0.], &[1]),
        FindingCode::RotationNearHalfTurn,
    );
}

#[test]
fn a_whole_turn_between_two_keys_is_lost() {
    // As stored the quaternions are a turn apart: cos 180° = −1.
    let document = upper(0.5, &[10., 370., 10.]);
    let found = raises(&document, FindingCode::RotationLostTurn);
    assert_eq!((found.len(), found[0].severity), (2, Severity::Warning));
    assert!((value(&found[0], "stored_arc_deg") - 360.0).abs() < 1e-3);
    assert_names(
        &found[0].message,
        &["\"upper\" keeps its pose", "keys 0 and 1", "360.0°"],
    );
    // The same poses held.
    raises_not(&upper(0.5, &[10., 10., 10.]), FindingCode::RotationLostTurn);
    // 350° are no whole turn: there the short way is plainly another one.
    raises(
        &upper(0.5, &[10., 360., 10.]),
        FindingCode::RotationSignFlip,
    );
}

/// A control that moves no vertex keeps its pose by keys like these, and nobody sees it.
#[test]
fn a_turn_that_nothing_shows_is_no_warning() {
    let hold = |node: usize| rotation(node, 1.0, &turns(&[10., 370.]));
    let severity = |hangs: bool| {
        let mut file = arm();
        let control = file.push("nodes", json!({"name": "IK.foot"}));
        let mut tops = vec![json!(LOWER), json!(control)];
        if hangs {
            let mesh = json!({"primitives": [{"attributes": {"POSITION": 0}}]});
            let mesh = file.push("meshes", mesh);
            let shoe = file.push("nodes", json!({"name": "Shoe", "mesh": mesh}));
            file.json["nodes"][control]["children"] = json!([shoe]);
        }
        tops.push(json!(MESH));
        file.json["scenes"][0]["nodes"] = json!(tops);
        animate(&mut file, "Bend", &[lower(), hold(control)]);
        let found = raises(&load(&file), FindingCode::RotationLostTurn);
        assert_eq!((found.len(), found[0].node), (1, Some(control)));
        let says_so = found[0].message.contains("no mesh hangs on it");
        assert_eq!(says_so, !hangs, "{}", found[0].message);
        found[0].severity
    };
    assert_eq!(severity(false), Severity::Info);
    assert_eq!(severity(true), Severity::Warning);
}

/// Keyed from 0° to 350°, exported as 10° the other way round.
#[test]
fn two_keys_cannot_tell_a_turn_from_its_complement() {
    let document = upper(1.0, &[0., -10.]);
    let found = raises(&document, FindingCode::RotationLostTurn);
    let [turn] = &found[..] else {
        panic!("{found:#?}");
    };
    assert_eq!((turn.severity, turn.key), (Severity::Info, Some(0)));
    assert_eq!((turn.time_secs, turn.end_secs), (Some(0.0), Some(1.0)));
    assert!((value(turn, "other_way_deg") - 350.0).abs() < 1e-3);
    assert_names(
        &turn.message,
        &["\"upper\" turns 10.0°", "only two keys, 0 and 1", "350.0°"],
    );
    // A third key says which way, a wide arc is no rest of a turn, a quick one is a frame.
    for other in [
        upper(0.5, &[0., -5., -10.]),
        upper(1.0, &[0., 60.]),
        upper(0.25, &[0., -10.]),
    ] {
        raises_not(&other, FindingCode::RotationLostTurn);
    }
}

/// A slow swing with one step too far.
fn swing(jump: f32) -> Vec<f32> {
    (0..25)
        .map(|key| 2.0 * key as f32 + if key > 11 { jump } else { 0.0 })
        .collect()
}

/// Whatever the clip's end has to say.
fn there_and_back(mut degrees: Vec<f32>) -> Vec<f32> {
    let back: Vec<f32> = degrees.iter().rev().skip(1).copied().collect();
    degrees.extend(back);
    degrees
}

#[test]
fn a_pop_is_a_turn_far_faster_than_those_around_it() {
    let found = raises(&upper(FRAME, &swing(60.0)), FindingCode::RotationPop);
    let [pop] = &found[..] else {
        panic!("{found:#?}");
    };
    assert_eq!((pop.severity, pop.key), (Severity::Warning, Some(11)));
    assert_eq!(pop.end_secs, Some(12.0 * FRAME));
    assert!((value(pop, "true_angle_deg") - 62.0).abs() < 1e-3);
    assert!((value(pop, "speed_deg_per_sec") - 62.0 * 24.0).abs() < 0.1);
    assert!((value(pop, "speed_around_deg_per_sec") - 48.0).abs() < 0.1);
    assert_names(
        &pop.message,
        &["\"upper\"", "62.0°", "keys 11 and 12", "1488°/s", "48°/s"],
    );
    raises_not(&upper(FRAME, &swing(7.0)), FindingCode::RotationPop);
    // There and back is two.
    assert_eq!(
        raises(
            &upper(FRAME, &there_and_back(swing(60.0))),
            FindingCode::RotationPop
        )
        .len(),
        2
    );
}

#[test]
fn one_key_that_stands_apart_is_one_pop() {
    let mut keys = swing(0.0);
    keys[12] += 60.0;
    let found = raises(&upper(FRAME, &keys), FindingCode::RotationPop);
    let [pop] = &found[..] else {
        panic!("{found:#?}");
    };
    assert_eq!((pop.key, pop.end_secs), (Some(11), Some(13.0 * FRAME)));
    assert_names(&pop.message, &["Key 12 of \"upper\"", "0.5 s", "62.0°"]);
    // Also out of stillness, where a blink is none.
    let flick = |degrees: f32| {
        upper(
            FRAME,
            &[[0.0; 8], [0., 0., 0., degrees, 0., 0., 0., 0.]].concat(),
        )
    };
    raises(&flick(70.0), FindingCode::RotationPop);
    raises_not(&flick(30.0), FindingCode::RotationPop);
}

#[test]
fn what_is_fast_but_smooth_does_not_pop() {
    let ease = |key: usize, from: usize, frames: usize, degrees: f32| {
        let u = (key.saturating_sub(from) as f32 / frames as f32).min(1.0);
        degrees * u * u * (3.0 - 2.0 * u)
    };
    let mut cases: Vec<(&str, Vec<f32>)> = vec![
        ("a spin", (0..25).map(|key| key as f32 * 15.0).collect()),
        (
            "a fast spin",
            (0..25).map(|key| key as f32 * 100.0).collect(),
        ),
        (
            "from rest to a spin",
            (0..25_u8)
                .map(|key| f32::from(key.saturating_sub(12)) * 40.0)
                .collect(),
        ),
        (
            "a step at the start",
            [&[0.0][..], &[80.0; 12], &[0.0]].concat(),
        ),
        (
            "a move over two frames",
            [&[0.0; 10][..], &[45.0], &[90.0; 10]].concat(),
        ),
        (
            "hits in a row",
            (0..25)
                .map(|key| if key % 2 == 0 { 0.0 } else { 60.0 })
                .collect(),
        ),
    ];
    for frames in [3, 4, 6, 10] {
        for degrees in [60.0, 120.0, 170.0] {
            cases.push((
                "a punch",
                (0..25).map(|key| ease(key, 7, frames, degrees)).collect(),
            ));
        }
    }
    for (what, degrees) in cases {
        let document = upper(FRAME, &degrees);
        println!("{what}: {degrees:?}");
        raises_not(&document, FindingCode::RotationPop);
    }
    // Held keys snap on purpose; sparse ones have no motion around them to compare with.
    let mut channel = rotation(UPPER, FRAME, &turns(&swing(60.0)));
    channel.interpolation = "STEP";
    raises_not(&with(channel), FindingCode::RotationPop);
    let mut channel = rotation(UPPER, 1.0, &turns(&[0., 3., 5., 90., 92., 94., 0.]));
    channel.times = vec![0.0, 0.4, 1.0, 1.1, 1.5, 2.2, 3.0];
    raises_not(&with(channel), FindingCode::RotationPop);
    raises_not(
        &upper(1.0, &[0., 3., 5., 90., 92., 94., 0.]),
        FindingCode::RotationPop,
    );
}

#[test]
fn a_sign_is_no_pop_and_a_pop_is_no_sign() {
    // 178° the long way in one frame are 2° the short way.
    raises(
        &negated(FRAME, &swing(0.0), &[12]),
        FindingCode::RotationSignFlip,
    );
    let found = crate::asserts::findings(&negated(FRAME, &swing(60.0), &[12, 13, 14]));
    let codes: Vec<_> = (found.iter().filter(|f| f.severity > Severity::Info))
        .map(|finding| (finding.code, finding.key))
        .collect();
    assert_eq!(
        codes,
        [
            (FindingCode::RotationSignFlip, Some(11)),
            (FindingCode::RotationPop, Some(11)),
            (FindingCode::RotationSignFlip, Some(14)),
        ]
    );
}

/// A cubic channel without tangents.
fn cubic(keys: &[Quat]) -> Channel {
    let zero = Quat::from_xyzw(0., 0., 0., 0.);
    let mut channel = rotation(UPPER, 0.5, keys);
    channel.interpolation = "CUBICSPLINE";
    channel.values = keys
        .iter()
        .flat_map(|&key| [zero, key, zero])
        .flat_map(|key| key.to_array())
        .collect();
    channel
}

#[test]
fn a_spline_through_opposite_signs_gets_short() {
    let [a, b, c] = turns(&[0., 40., 0.])[..] else {
        panic!("three keys");
    };
    let found = raises(&with(cubic(&[a, -b, c])), FindingCode::CubicDegenerate);
    assert_eq!((found.len(), found[0].severity), (2, Severity::Warning));
    assert_eq!((found[0].key, found[0].end_secs), (Some(0), Some(0.5)));
    // Half way between q and −q': half of what their sum lacks.
    let expected = f64::from((a - b).length()) / 2.0;
    assert!((value(&found[0], "min_length") - expected).abs() < 1e-6);
    assert!((value(&found[0], "min_at_secs") - 0.25).abs() < 1e-4);
    assert_names(
        &found[0].message,
        &["\"upper\"", "0.17", "0.25 s", "keys 0 and 1", "opposite"],
    );
    raises_not(&with(cubic(&[a, b, c])), FindingCode::CubicDegenerate);
}

/// Between two keys that are alike, tangents alone can do it, off the middle.
#[test]
fn a_spline_that_its_tangents_pull_short_is_found_where_it_is_shortest() {
    let mut channel = cubic(&turns(&[0., 0., 0.]));
    let pull = |channel: &mut Channel, size: f32| channel.values[8 + 3] = -size;
    pull(&mut channel, 2.0);
    let found = raises(&with(channel.clone()), FindingCode::CubicDegenerate);
    let [short] = &found[..] else {
        panic!("{found:#?}");
    };
    // w(u) = 1 − 2 · 0.5 · (u³ − 2u² + u) is least at u = 1/3.
    let least = 1.0 - 4.0 / 27.0;
    assert!(
        (value(short, "min_length") - least).abs() < 1e-6,
        "{short:#?}"
    );
    assert!(
        (value(short, "min_at_secs") - 0.5 / 3.0).abs() < 1e-4,
        "{short:#?}"
    );
    pull(&mut channel, 1.2);
    raises_not(&with(channel), FindingCode::CubicDegenerate);
}

#[test]
fn a_key_of_another_length_is_the_importers_finding() {
    let mut channel = rotation(UPPER, 0.5, &turns(&[0., 30., 0.]));
    raises_not(&with(channel.clone()), FindingCode::RotationNotUnit);
    channel.values[4..8].iter_mut().for_each(|v| *v *= 1.5);
    let found = raises(&with(channel), FindingCode::RotationNotUnit);
    assert_eq!((found.len(), found[0].severity), (1, Severity::Warning));
    assert_eq!(found[0].property, Some(Property::Rotation));
    assert_eq!((found[0].key, found[0].time_secs), (Some(1), Some(0.5)));
    // Short keys make a short spline, which is not another fault.
    let half: Vec<Quat> = turns(&[0., 30., 0.]).iter().map(|&key| key * 0.5).collect();
    raises(&with(cubic(&half)), FindingCode::RotationNotUnit);
}
