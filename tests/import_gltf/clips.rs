//! Clips, channels and keys.

use std::sync::Arc;

use glam::{Quat, Vec3};
use rigscope::document::{Clip, Document, FindingCode, JointTracks, Keys, Severity, Track};
use serde_json::{Value, json};

use crate::{
    common::glb::{Builder, F32, I8, I16, U8, U16},
    fixture::{assert_names, bytes, finding, load, load_clean, primitive, refusal, rig},
};

type Parts<'a> = (
    Option<&'a Track<Vec3>>,
    Option<&'a Track<Quat>>,
    Option<&'a Track<Vec3>>,
);

/// Translation, rotation and scale tracks of a joint.
fn parts(clip: &Clip, joint: usize) -> Parts<'_> {
    match clip.joint_tracks(joint) {
        Some(JointTracks::Trs {
            translation,
            rotation,
            scale,
            ..
        }) => (translation.as_ref(), rotation.as_ref(), scale.as_ref()),
        _ => (None, None, None),
    }
}

fn rotation(document: &Document) -> &Track<Quat> {
    parts(&document.clips[0], 2).1.expect("a rotation track")
}

/// The fixture with other key times.
fn with_times(times: &[f32]) -> Builder {
    let mut file = rig();
    let accessor = file.floats("SCALAR", times);
    file.json["animations"][0]["samplers"][0]["input"] = json!(accessor);
    file
}

/// The fixture with other rotation keys.
fn with_rotations(keys: &[[f32; 4]]) -> Builder {
    let mut file = rig();
    let accessor = file.floats("VEC4", &keys.concat());
    file.json["animations"][0]["samplers"][0]["output"] = json!(accessor);
    file
}

#[test]
fn every_path_and_interpolation() {
    let mut file = rig();
    let late = file.floats("SCALAR", &[0.25, 2.0]);
    let two = file.floats("VEC3", &[1., 2., 3., 4., 5., 6.]);
    let cubic = file.floats("VEC3", &(0..18).map(|v| v as f32).collect::<Vec<_>>());
    file.push(
        "animations",
        json!({"name": "All",
        "samplers": [
            {"input": late, "output": two, "interpolation": "STEP"},
            {"input": late, "output": cubic, "interpolation": "CUBICSPLINE"},
            {"input": 5, "output": 6, "interpolation": "LINEAR"}
        ],
        "channels": [
            {"sampler": 0, "target": {"node": 2, "path": "translation"}},
            {"sampler": 2, "target": {"node": 1, "path": "rotation"}},
            {"sampler": 1, "target": {"node": 2, "path": "scale"}}
        ]}),
    );
    let document = load_clean(&file);
    let clip = &document.clips[1];
    assert_eq!((clip.start_secs, clip.duration_secs), (0.0, 2.0));
    assert_eq!(clip.name, "All");
    let (translation, none, scale) = parts(clip, 2);
    assert!(none.is_none());
    assert_eq!(
        translation.expect("a track").keys,
        Keys::Step(vec![Vec3::new(1., 2., 3.), Vec3::new(4., 5., 6.)])
    );
    let v = |first: f32| Vec3::new(first, first + 1.0, first + 2.0);
    assert_eq!(
        scale.expect("a track").keys,
        Keys::Cubic {
            in_tangents: vec![v(0.0), v(9.0)],
            values: vec![v(3.0), v(12.0)],
            out_tangents: vec![v(6.0), v(15.0)],
        }
    );
    assert!(parts(clip, 1).1.is_some());
    // One accessor, one allocation.
    let shared = &parts(clip, 1).1.expect("a track").times;
    assert!(Arc::ptr_eq(shared, &rotation(&document).times));
    assert!(Arc::ptr_eq(
        &translation.expect("a track").times,
        &scale.expect("a track").times
    ));
}

#[test]
fn normalised_integer_rotations() {
    for (component, raw, expected) in [
        (
            I8,
            vec![0, 0, 0x81, 0x81, 0, 0, 0, 127, 0, 0, 127, 0x80],
            [-1.0, -1.0],
        ),
        (
            I16,
            bytes(&[0, 0, 0x8001, 0x7fff, 0, 0, 0, 0x7fff, 0, 0, 0x7fff, 0]),
            [-1.0, 1.0],
        ),
        (
            U8,
            vec![0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255, 0],
            [1.0, 0.0],
        ),
        (
            U16,
            bytes(&[0, 0, 0xffff, 0, 0, 0, 0, 0xffff, 0, 0, 0xffff, 0]),
            [1.0, 0.0],
        ),
    ] {
        let mut file = rig();
        let accessor = file.accessor(component, "VEC4", 3, &raw);
        file.json["accessors"][accessor]["normalized"] = json!(true);
        file.json["animations"][0]["samplers"][0]["output"] = json!(accessor);
        let document = load(&file);
        let key = rotation(&document).keys.values()[0];
        assert_eq!([key.z, key.w], expected);
        // Kept as stored: neither normalised nor aligned.
        assert_eq!(rotation(&document).keys.values()[1].w, 1.0);
    }
}

#[test]
fn morph_weights() {
    let mut file = rig();
    primitive(&mut file)["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    let output = file.floats("SCALAR", &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    let clip = &mut file.json["animations"][0];
    clip["samplers"] = json!([{"input": 5, "output": output}]);
    clip["channels"] = json!([{"sampler": 0, "target": {"node": 0, "path": "weights"}}]);
    let document = load_clean(&file);
    let morphs = &document.clips[0].morphs[0];
    assert_eq!((morphs.joint, morphs.target_count), (0, 2));
    assert_eq!(morphs.weights.keys.values(), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);

    let bytes = [0, 51, 102, 153, 204, 255];
    let output = file.accessor(U8, "SCALAR", 6, &bytes);
    file.json["animations"][0]["samplers"][0]["output"] = json!(output);
    let document = load_clean(&file);
    let weights = document.clips[0].morphs[0].weights.keys.values();
    assert!((weights[1] - 0.2).abs() < 1e-6 && weights[5] == 1.0);

    file.json["accessors"][output]["count"] = json!(5);
    assert_names(
        &finding(&load(&file), FindingCode::ChannelInvalid).message,
        &[
            "\"Bend\" channel 0",
            "weights of node 0 \"Mesh\"",
            "6 values",
            "are 5",
        ],
    );
    file.json["animations"][0]["channels"][0]["target"]["node"] = json!(1);
    assert_names(
        &finding(&load(&file), FindingCode::ChannelInvalid).message,
        &["node 1 \"lower\"", "no mesh with morph targets"],
    );
}

#[test]
fn times_out_of_order_are_sorted_with_their_keys() {
    let document = load(&with_times(&[0.0, 0.8, 0.5]));
    let track = rotation(&document);
    assert_eq!(&*track.times, [0.0, 0.5, 0.8]);
    let z: Vec<_> = track.keys.values().iter().map(|q| q.z).collect();
    assert_eq!((z[1], z[2] > 0.7 && z[2] < 0.8), (1.0, true));
    let finding = finding(&document, FindingCode::TimesNotIncreasing);
    assert_names(
        &finding.message,
        &["clip 0 \"Bend\"", "sampler 0", "key 2 at 0.5 s"],
    );
    assert_eq!(
        (finding.severity, finding.clip, finding.node),
        (Severity::Error, Some(0), Some(2))
    );

    // Of two keys at one time the later counts.
    let document = load(&with_times(&[0.0, 0.5, 0.5]));
    assert_eq!(&*rotation(&document).times, [0.0, 0.5]);
    assert_eq!(rotation(&document).keys.values()[1].z, 1.0);

    let document = load(&with_times(&[-1.0, f32::NAN, 2.0]));
    assert_eq!(&*rotation(&document).times, [2.0]);
    assert_eq!(document.clips[0].start_secs, 2.0);

    let document = load(&with_times(&[f32::NAN, f32::INFINITY, -1.0]));
    assert!(document.clips[0].joints.is_empty());
    assert_names(
        &finding_of(&document, FindingCode::ChannelInvalid),
        &["\"Bend\" channel 0", "sampler 0", "no usable keys"],
    );
}

fn finding_of(document: &Document, code: FindingCode) -> String {
    finding(document, code).message.clone()
}

#[test]
fn one_bad_time_accessor_is_told_once_a_clip() {
    let mut file = with_times(&[0.0, 0.8, 0.5]);
    file.json["animations"][0]["channels"] = json!([
        {"sampler": 0, "target": {"node": 2, "path": "rotation"}},
        {"sampler": 0, "target": {"node": 1, "path": "rotation"}}
    ]);
    let document = load(&file);
    assert_eq!(document.clips[0].joints.len(), 2);
    finding(&document, FindingCode::TimesNotIncreasing);
}

#[test]
fn keys_that_are_no_numbers() {
    let unit = [0., 0., 0., 1.];
    let turn = [0., 0., 1., 0.];
    let document = load(&with_rotations(&[turn, [f32::NAN, 0., 0., 0.], unit]));
    assert_eq!(rotation(&document).keys.values()[1], Quat::from_array(turn));
    let found = finding(&document, FindingCode::KeysNonFinite);
    assert_names(
        &found.message,
        &["\"Bend\" channel 0", "\"upper\"", "key 1"],
    );
    assert_eq!((found.key, found.time_secs), (Some(1), Some(0.5)));

    let document = load(&with_rotations(&[turn, [0.; 4], unit]));
    assert_eq!(rotation(&document).keys.values()[1], Quat::IDENTITY);
    let found = finding(&document, FindingCode::RotationNotUnit);
    assert_names(
        &found.message,
        &["\"Bend\"", "\"upper\"", "no length", "key 1 at 0.5 s"],
    );
    assert_eq!(found.severity, Severity::Error);

    let document = load(&with_rotations(&[turn, [0., 0., 3., 0.], unit]));
    assert_eq!(rotation(&document).keys.values()[1].z, 3.0);
    let found = finding(&document, FindingCode::RotationNotUnit);
    assert_eq!((found.severity, found.key), (Severity::Warning, Some(1)));
    assert_eq!(found.values, [("length", 3.0)]);
    // Within storage and arithmetic: no word.
    load_clean(&with_rotations(&[turn, [0., 0., 1.0005, 0.], unit]));
}

#[test]
fn played_against_the_format() {
    let mut file = rig();
    file.json["nodes"][2] = json!({"name": "upper", "matrix": crate::fixture::identity()});
    let document = load(&file);
    let found = finding(&document, FindingCode::ChannelInvalid);
    assert_eq!((found.severity, found.node), (Severity::Warning, Some(2)));
    assert_names(&found.message, &["\"Bend\"", "\"upper\"", "matrix"]);
    assert_eq!(rotation(&document).keys.values().len(), 3);

    let mut file = with_times(&[0.5]);
    let keys = file.floats("VEC4", &[0., 0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0.]);
    let sampler = &mut file.json["animations"][0]["samplers"][0];
    (sampler["output"], sampler["interpolation"]) = (json!(keys), json!("CUBICSPLINE"));
    let document = load(&file);
    let found = finding(&document, FindingCode::ChannelInvalid);
    assert_eq!(found.severity, Severity::Warning);
    assert_names(&found.message, &["one key", "holds"]);
    assert_eq!(rotation(&document).keys.values().len(), 1);
}

#[test]
fn tangents_that_are_no_numbers() {
    let mut file = rig();
    let mut keys = [0., 0., 0., 1.].repeat(9);
    keys[0] = f32::INFINITY;
    let accessor = file.floats("VEC4", &keys);
    file.json["animations"][0]["samplers"][0] =
        json!({"input": 5, "output": accessor, "interpolation": "CUBICSPLINE"});
    let document = load(&file);
    let Keys::Cubic { in_tangents, .. } = &rotation(&document).keys else {
        panic!("a cubic track");
    };
    assert_eq!(in_tangents[0].length(), 0.0);
    assert_eq!(finding(&document, FindingCode::KeysNonFinite).key, Some(0));
}

#[test]
fn channels_that_cannot_be_used_leave_the_rest() {
    let good = json!({"sampler": 0, "target": {"node": 2, "path": "rotation"}});
    let with = |bad: Value| {
        let mut file = rig();
        file.json["animations"][0]["channels"] = json!([bad, good]);
        file.push(
            "accessors",
            json!({"bufferView": 5, "componentType": F32, "type": "SCALAR", "count": 0}),
        );
        let samplers = file.json["animations"][0]["samplers"]
            .as_array_mut()
            .expect("a list");
        samplers.extend([
            json!({"input": 5, "output": 0}),
            json!({"input": 5}),
            json!({"input": 5, "output": 6, "interpolation": "BEZIER"}),
            json!({"input": 70, "output": 6}),
            json!({"input": 5, "output": 5}),
            json!({"input": 7, "output": 6}),
        ]);
        let document = load(&file);
        assert_eq!(document.clips[0].joints.len(), 1, "the good one plays");
        document
    };
    let rotation =
        |sampler: usize| json!({"sampler": sampler, "target": {"node": 1, "path": "rotation"}});
    for (channel, words) in [
        (
            json!({"sampler": 0, "target": {"node": 70, "path": "rotation"}}),
            &["node 70", "3 nodes"][..],
        ),
        (
            json!({"sampler": 0, "target": {"node": 1, "path": "pointer"}}),
            &["\"pointer\"", "unknown"],
        ),
        (rotation(70), &["sampler is 70"]),
        (
            json!({"target": {"node": 1, "path": "rotation"}}),
            &["sampler is none"],
        ),
        (rotation(1), &["VEC3", "4 components"]),
        (rotation(2), &["sampler 2", "no output"]),
        (rotation(3), &["sampler 3", "BEZIER"]),
        (rotation(4), &["accessor 70"]),
        (rotation(5), &["SCALAR", "4 components"]),
        (rotation(6), &["sampler 6", "no usable keys"]),
    ] {
        let document = with(channel);
        let message = finding_of(&document, FindingCode::ChannelInvalid);
        assert_names(&message, &["clip 0 \"Bend\" channel 0", "left out"]);
        assert_names(&message, words);
    }
    let document = with(json!({"sampler": 0, "target": {"path": "rotation"}}));
    assert_eq!(
        finding(&document, FindingCode::ChannelNoTarget).severity,
        Severity::Info
    );
}

#[test]
fn of_two_channels_on_one_property_the_later_is_played() {
    let mut file = rig();
    let other = file.floats("VEC4", &[1., 0., 0., 0.].repeat(3));
    let clip = &mut file.json["animations"][0];
    let samplers = clip["samplers"].as_array_mut().expect("a list");
    samplers.push(json!({"input": 5, "output": other}));
    let second = json!({"sampler": 1, "target": {"node": 2, "path": "rotation"}});
    clip["channels"]
        .as_array_mut()
        .expect("a list")
        .push(second);
    let document = load(&file);
    assert_eq!(rotation(&document).keys.values()[0].x, 1.0);
    assert_names(
        &finding_of(&document, FindingCode::ChannelDuplicate),
        &["clip 0 \"Bend\" channel 1", "rotation of node 2 \"upper\""],
    );
}

#[test]
fn a_clip_of_nothing_keeps_its_place() {
    let mut file = rig();
    let list = file.json["animations"].as_array_mut().expect("a list");
    list.insert(0, json!({"name": "Nothing"}));
    let document = load(&file);
    assert_eq!(document.clips.len(), 2);
    assert_eq!(
        (
            document.clips[0].duration_secs,
            document.clips[1].duration_secs
        ),
        (0.0, 1.0)
    );
    assert_names(
        &finding_of(&document, FindingCode::ClipEmpty),
        &["clip 0 \"Nothing\""],
    );
}

#[test]
fn key_data_past_its_bytes_is_one_channels_fault_but_memory_is_everyones() {
    let mut file = rig();
    file.json["accessors"][6]["count"] = json!(400);
    assert_names(
        &finding_of(&load(&file), FindingCode::ChannelInvalid),
        &["accessor 6", "6400 bytes", "bufferView 6", "48 are"],
    );
    let output = file.json["accessors"][6]
        .as_object_mut()
        .expect("an object");
    output.remove("bufferView");
    output["count"] = json!(1_000_000_000);
    assert_names(&refusal(&file), &["accessor 6", "16000000000"]);
}
