//! Codes about channels and clips, in pairs: a file that raises the code and one alike
//! that does not.

use glam::Vec3;
use rigscope::document::{Document, FindingCode, Property, Severity};
use serde_json::json;

use crate::{
    asserts::{assert_names, findings, load, raises, raises_not, value},
    common::glb::Builder,
    file::{
        Channel, LOWER, MESH, UPPER, animate, arm, bending_arm, lower, rotation, turns, vector,
    },
    rotation::FRAME,
};

/// The arm with these channels beside the plain motion of its lower joint.
pub fn with(channels: &[Channel]) -> Document {
    let mut file = arm();
    animate(&mut file, "Bend", &[&[lower()], channels].concat());
    load(&file)
}

/// 0 for some frames, then 1 for some, and so on.
fn blocks(frames: &[usize], values: &[f32]) -> Vec<f32> {
    let each = frames.iter().zip(values);
    each.flat_map(|(&frames, &value)| vec![value; frames])
        .collect()
}

/// A channel for each property that goes from block to block, by `degrees`, or as much.
fn stepping(path: &'static str, blocks: &[f32]) -> Channel {
    let scaled = |of: fn(f32) -> Vec3| blocks.iter().map(|&b| of(b)).collect::<Vec<_>>();
    match path {
        "rotation" => rotation(UPPER, FRAME, &turns(blocks)),
        "translation" => vector(UPPER, path, FRAME, &scaled(|b| Vec3::Y * (1.0 + b / 300.0))),
        "scale" => vector(
            UPPER,
            path,
            FRAME,
            &scaled(|b| Vec3::ONE * (1.0 + b / 300.0)),
        ),
        _ => Channel {
            node: MESH,
            path: "weights",
            interpolation: "LINEAR",
            times: (0..blocks.len()).map(|key| key as f32 * FRAME).collect(),
            width: 1,
            values: blocks.iter().flat_map(|b| [0.5, b / 100.0]).collect(),
        },
    }
}

/// The arm with two morph targets and one such channel.
fn stepped(channel: Channel) -> Document {
    let mut file = arm();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    animate(&mut file, "Bend", &[lower(), channel]);
    load(&file)
}

const PATHS: [(&str, Property); 4] = [
    ("rotation", Property::Rotation),
    ("translation", Property::Translation),
    ("scale", Property::Scale),
    ("weights", Property::MorphWeights),
];

#[test]
fn a_jump_between_plateaus_is_a_step_that_was_lost() {
    for (path, property) in PATHS {
        let jumps = blocks(&[8, 8, 9], &[0., 60., 0.]);
        let document = stepped(stepping(path, &jumps));
        let found = raises(&document, FindingCode::ProbableLostStep);
        assert_eq!(found.len(), 2, "{found:#?}");
        let node = if path == "weights" { MESH } else { UPPER };
        for (finding, key) in found.iter().zip([7, 15]) {
            assert_eq!(finding.severity, Severity::Info);
            assert_eq!((finding.node, finding.key), (Some(node), Some(key)));
            assert_eq!(finding.property, Some(property));
            assert_eq!(finding.end_secs, Some((key + 1) as f32 * FRAME));
            assert_names(&finding.message, &["keys", property.as_str(), "STEP"]);
        }
        let jump = match path {
            "rotation" => (value(&found[0], "jump_deg"), 60.0),
            "translation" => (value(&found[0], "jump"), 0.2),
            "scale" => (value(&found[0], "jump_ratio"), 0.2 / 1.2),
            _ => (value(&found[0], "jump"), 0.6),
        };
        assert!((jump.0 - jump.1).abs() < 1e-4, "{path}: {jump:?}");

        // Stored as STEP, or slid over two frames, it is none.
        let mut step = stepping(path, &jumps);
        step.interpolation = "STEP";
        raises_not(&stepped(step), FindingCode::ProbableLostStep);
        let slid = blocks(&[8, 1, 8, 1, 9], &[0., 30., 60., 30., 0.]);
        raises_not(
            &stepped(stepping(path, &slid)),
            FindingCode::ProbableLostStep,
        );
    }
}

#[test]
fn a_lost_step_needs_plateaus_and_neighbouring_frames() {
    let none = |document: Document| raises_not(&document, FindingCode::ProbableLostStep);
    // Moving before and after it.
    let moving: Vec<f32> = (0..25)
        .map(|key| key as f32 + if key > 11 { 9.0 } else { 0.0 })
        .collect();
    none(stepped(stepping("rotation", &moving)));
    // Too small to see.
    none(stepped(stepping("rotation", &blocks(&[8, 9], &[0., 8.]))));
    // Poses a second apart: the guessed frame is that second, but no frame.
    none(with(&[rotation(
        UPPER,
        1.0,
        &turns(&[0., 0., 60., 60., 0., 0.]),
    )]));
    // The last key jumps: nothing follows that could be a plateau …
    none(stepped(stepping("rotation", &blocks(&[24, 1], &[0., 60.]))));
    // … but where the clip goes on, the last key holds.
    raises(
        &stepped(stepping("rotation", &blocks(&[20, 1], &[0., 60.]))),
        FindingCode::ProbableLostStep,
    );
}

#[test]
fn a_late_start_is_said_with_its_time() {
    let late = |start: f32| {
        let mut file = arm();
        let mut channels = [lower(), rotation(UPPER, 0.5, &turns(&[0., 30., 0.]))];
        for channel in &mut channels {
            channel.times.iter_mut().for_each(|secs| *secs += start);
        }
        animate(&mut file, "Bend", &channels);
        load(&file)
    };
    let found = raises(&late(1.5), FindingCode::LateStart);
    assert_eq!((found.len(), found[0].severity), (1, Severity::Info));
    assert_eq!(
        (found[0].time_secs, found[0].end_secs),
        (Some(0.0), Some(1.5))
    );
    assert_eq!(value(&found[0], "start_secs"), 1.5);
    assert_names(&found[0].message, &["\"Bend\"", "1.5 s"]);
    raises_not(&late(0.0), FindingCode::LateStart);
    // One channel that starts at 0 is enough.
    let mut channel = rotation(UPPER, 0.25, &turns(&[0., 30., 0.]));
    channel.times.iter_mut().for_each(|secs| *secs += 0.5);
    raises_not(&with(&[channel]), FindingCode::LateStart);
}

#[test]
fn a_channel_at_rest_has_no_effect() {
    let bend = rotation(UPPER, 0.5, &turns(&[0., 30., 0.]));
    let still = |path, value| vector(UPPER, path, 0.5, &[value; 3]);
    for (path, rest, other) in [
        ("translation", Vec3::Y, Vec3::Y * 1.01),
        ("scale", Vec3::ONE, Vec3::ONE * 1.01),
    ] {
        let found = raises(
            &with(&[bend.clone(), still(path, rest)]),
            FindingCode::ChannelNoEffect,
        );
        assert_eq!((found.len(), found[0].severity), (1, Severity::Info));
        assert_eq!(found[0].node, Some(UPPER));
        assert_eq!(found[0].property.map(Property::as_str), Some(path));
        assert_names(&found[0].message, &["\"upper\"", path, "all its 3 keys"]);
        raises_not(
            &with(&[bend.clone(), still(path, other)]),
            FindingCode::ChannelNoEffect,
        );
    }
    let rest = rotation(UPPER, 0.5, &turns(&[0., 0., 0.]));
    raises(&with(&[rest]), FindingCode::ChannelNoEffect);
    // Tangents leave the rest pose between keys that do not.
    let mut rocking = rotation(UPPER, 0.5, &turns(&[0.; 9]));
    (rocking.interpolation, rocking.times) = ("CUBICSPLINE", vec![0.0, 0.5, 1.0]);
    for tangent in [0, 2, 3, 5, 6, 8] {
        rocking.values[tangent * 4..][..4].fill(0.0);
    }
    raises(&with(&[rocking.clone()]), FindingCode::ChannelNoEffect);
    rocking.values[2 * 4] = 0.3;
    raises_not(&with(&[rocking]), FindingCode::ChannelNoEffect);
}

#[test]
fn many_channels_without_effect_make_one_finding() {
    let mut file = arm();
    let mut channels = vec![lower(), rotation(UPPER, 0.5, &turns(&[0., 30., 0.]))];
    for node in [LOWER, UPPER] {
        let rest = if node == UPPER { Vec3::Y } else { Vec3::ZERO };
        channels.push(vector(node, "translation", 0.5, &[rest; 3]));
        channels.push(vector(node, "scale", 0.5, &[Vec3::ONE; 3]));
    }
    let count = |file: &Builder| raises(&load(file), FindingCode::ChannelNoEffect);
    animate(&mut file, "Bend", &channels);
    assert_eq!(count(&file).len(), 4);
    let mut more = arm();
    channels.push(vector(MESH, "scale", 0.5, &[Vec3::ONE; 3]));
    animate(&mut more, "Bend", &channels);
    let found = count(&more);
    assert_eq!((found.len(), found[0].node), (1, None));
    assert_eq!(value(&found[0], "count"), 5.0);
    assert_eq!(value(&found[0], "channels"), 7.0);
    assert_names(
        &found[0].message,
        &["5 of 7", "2 translation", "3 scale", "\"lower\""],
    );
}

#[test]
fn moving_a_skinned_meshs_own_node_is_ignored() {
    let bend = rotation(UPPER, 0.5, &turns(&[0., 30., 0.]));
    let shove = |node, by: f32| {
        vector(
            node,
            "translation",
            0.5,
            &[Vec3::ZERO, Vec3::X * by, Vec3::ZERO],
        )
    };
    let found = raises(
        &with(&[
            bend.clone(),
            shove(MESH, 1.0),
            rotation(MESH, 0.5, &turns(&[0., 9., 0.])),
        ]),
        FindingCode::ChannelIgnoredTransform,
    );
    assert_eq!((found.len(), found[0].severity), (1, Severity::Warning));
    assert_eq!(
        (found[0].node, found[0].property),
        (Some(MESH), Some(Property::Translation))
    );
    assert_names(&found[0].message, &["\"Mesh\"", "translation, rotation"]);
    raises_not(
        &with(&[bend.clone(), shove(LOWER, 1.0)]),
        FindingCode::ChannelIgnoredTransform,
    );
    // At rest there is nothing to ignore.
    raises_not(
        &with(&[bend.clone(), shove(MESH, 0.0)]),
        FindingCode::ChannelIgnoredTransform,
    );

    // A node above the mesh, unless it is above the joints too, or carries something else.
    let above = |children: serde_json::Value, prop: bool| {
        let mut file = arm();
        file.push("nodes", json!({"name": "Holder", "children": children}));
        if prop {
            file.push("nodes", json!({"name": "Prop", "mesh": 1}));
            file.push(
                "meshes",
                json!({"primitives": [{"attributes": {"POSITION": 0}}]}),
            );
        }
        file.json["scenes"][0]["nodes"] = json!([3]);
        if children == json!([0]) {
            file.json["scenes"][0]["nodes"] = json!([1, 3]);
        }
        animate(&mut file, "Bend", &[lower(), bend.clone(), shove(3, 1.0)]);
        load(&file)
    };
    let found = raises(
        &above(json!([0]), false),
        FindingCode::ChannelIgnoredTransform,
    );
    assert_eq!(found[0].node, Some(3));
    raises_not(
        &above(json!([0, 1]), false),
        FindingCode::ChannelIgnoredTransform,
    );
    let found = findings(&above(json!([0, 4]), true));
    let codes: Vec<_> = found.iter().map(|finding| finding.code).collect();
    assert!(
        !codes.contains(&FindingCode::ChannelIgnoredTransform),
        "{found:#?}"
    );
}

#[test]
fn joints_that_a_clip_does_not_key_are_named() {
    let found = raises(&with(&[]), FindingCode::ClipUnkeyedJoints);
    assert_eq!((found.len(), found[0].severity), (1, Severity::Info));
    assert_eq!(value(&found[0], "unkeyed_joints"), 1.0);
    assert_eq!(value(&found[0], "joints"), 2.0);
    assert_names(&found[0].message, &["1 of 2 joints", "\"upper\""]);
    raises_not(&load(&bending_arm()), FindingCode::ClipUnkeyedJoints);
    // A clip that moves a prop has no business with the skin.
    let mut file = arm();
    file.json["nodes"]
        .as_array_mut()
        .expect("a list")
        .push(json!({"name": "Lamp"}));
    file.json["scenes"][0]["nodes"] = json!([0, 1, 3]);
    animate(
        &mut file,
        "Swing",
        &[rotation(3, 0.5, &turns(&[0., 30., 0.]))],
    );
    raises_not(&load(&file), FindingCode::ClipUnkeyedJoints);
}

#[test]
fn the_importers_findings_say_where() {
    // Key times out of order.
    let mut channel = rotation(UPPER, 0.25, &turns(&[0., 30., 20., 0.]));
    raises_not(&with(&[channel.clone()]), FindingCode::TimesNotIncreasing);
    channel.times = vec![0.0, 0.75, 0.5, 1.0];
    let found = raises_error(&with(&[channel.clone()]), FindingCode::TimesNotIncreasing);
    assert_eq!(found.node, Some(UPPER));
    assert_eq!(found.property, Some(Property::Rotation));
    // Key 2 of the file plays as key 1.
    assert_eq!((found.key, found.time_secs), (Some(1), Some(0.5)));
    channel.times = vec![0.0, f32::NAN, 0.5, 1.0];
    let found = raises_error(&with(&[channel]), FindingCode::TimesNotIncreasing);
    assert_eq!((found.key, found.time_secs), (None, None));

    // A key that is no number.
    let mut channel = rotation(UPPER, 0.5, &turns(&[0., 30., 0.]));
    channel.values[4] = f32::NAN;
    let found = raises_error(&with(&[channel.clone()]), FindingCode::KeysNonFinite);
    // What plays in its place is rest, but nobody keyed it.
    channel.values[..4].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
    channel.values[8..].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
    let mended = raises_error(&with(&[channel.clone()]), FindingCode::KeysNonFinite);
    assert_eq!(mended.key, Some(1));
    let all = findings(&with(&[channel.clone()]));
    assert!(all.iter().all(|f| f.code != FindingCode::ChannelNoEffect));
    channel.values[4..8].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
    raises(&with(&[channel]), FindingCode::ChannelNoEffect);
    assert_eq!((found.node, found.key), (Some(UPPER), Some(1)));
    assert_eq!(found.property, Some(Property::Rotation));
    assert_eq!(found.time_secs, Some(0.5));

    // Two channels on one property.
    let bend = rotation(UPPER, 0.5, &turns(&[0., 30., 0.]));
    let found = raises(
        &with(&[bend.clone(), bend.clone()]),
        FindingCode::ChannelDuplicate,
    );
    assert_eq!(
        (found[0].severity, found[0].node),
        (Severity::Warning, Some(UPPER))
    );
    assert_eq!(found[0].property, Some(Property::Rotation));
    raises_not(&with(&[bend]), FindingCode::ChannelDuplicate);
}

/// The one finding of this code, an error; nothing else is wrong.
#[track_caller]
fn raises_error(document: &Document, code: FindingCode) -> rigscope::document::Finding {
    let mut found = raises(document, code);
    assert_eq!((found.len(), found[0].severity), (1, Severity::Error));
    found.remove(0)
}

#[test]
fn channels_without_target_or_data_and_clips_without_channels() {
    let change = |change: fn(&mut serde_json::Value)| {
        let mut file = bending_arm();
        let extra = json!({"sampler": 0, "target": {"node": 0, "path": "rotation"}});
        let channels = file.json["animations"][0]["channels"].as_array_mut();
        channels.expect("a list").push(extra);
        change(&mut file.json["animations"][0]["channels"][2]);
        load(&file)
    };
    let found = raises(
        &change(|channel| {
            channel["target"]
                .as_object_mut()
                .expect("an object")
                .remove("node");
        }),
        FindingCode::ChannelNoTarget,
    );
    assert_eq!(
        (found[0].severity, found[0].clip),
        (Severity::Info, Some(0))
    );
    let found = raises_error(
        &change(|channel| channel["sampler"] = json!(9)),
        FindingCode::ChannelInvalid,
    );
    assert_eq!(
        (found.node, found.property),
        (Some(MESH), Some(Property::Rotation))
    );
    for code in [
        FindingCode::ChannelNoTarget,
        FindingCode::ChannelInvalid,
        FindingCode::ClipEmpty,
    ] {
        raises_not(&load(&bending_arm()), code);
    }
    let mut file = bending_arm();
    file.push("animations", json!({"name": "Nothing"}));
    let found = raises(&load(&file), FindingCode::ClipEmpty);
    assert_eq!(
        (found[0].severity, found[0].clip),
        (Severity::Warning, Some(1))
    );
}
