//! Tracks and clips.

use glam::{Quat, Vec3};
use rigscope::document::{Document, FindingCode, JointTracks, Keys};

use super::{QUAD, UP, messages, read, track};

#[test]
fn a_whole_turn_about_an_axis_is_kept() {
    let document = track(
        "Rotation %t (kind = \"y\")",
        "float {0}",
        "Time { Key { float {0, 1} } } Value { Key { float {0, 6.2831853} } }",
    );
    let Some(JointTracks::Trs {
        rotation: Some(rotation),
        ..
    }) = document.clips[0].joint_tracks(0)
    else {
        panic!("a rotation");
    };
    assert_eq!(rotation.times.len(), 9);
    for (key, value) in rotation.keys.values().iter().enumerate() {
        let angle = std::f32::consts::TAU * key as f32 / 8.0;
        let expected = Quat::from_xyzw(0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos());
        assert!(value.abs_diff_eq(expected, 1e-5), "{key}: {value}");
    }
}

#[test]
fn tcb_and_bezier_become_exact_splines() {
    let document = track(
        "Translation %t (kind = \"x\")",
        "float {0}",
        "Time { Key { float {0, 1, 2, 4} } }
         Value (curve = \"tcb\") { Key { float {0, 1, 5, 2} }
           Key (kind = \"tension\") { float {0, 0.5, 0.25, 0} }
           Key (kind = \"continuity\") { float {0, 0.1, -0.5, 0} }
           Key (kind = \"bias\") { float {0, -0.2, 0.3, 0} } }",
    );
    let Some(JointTracks::Trs {
        translation: Some(track),
        ..
    }) = document.clips[0].joint_tracks(0)
    else {
        panic!("a translation");
    };
    let Keys::Cubic {
        in_tangents,
        out_tangents,
        ..
    } = &track.keys
    else {
        panic!("cubic keys");
    };
    // Kochanek and Bartels' formulas by hand: chords 4 and −3 around key 2, t = 0.25,
    // c = −0.5, b = 0.3; over intervals of 1 s and 2 s.
    let expected_out = 0.75 / 2.0 * (0.5 * 1.3 * 4.0 + 1.5 * 0.7 * -3.0) / 2.0;
    let expected_in = 0.75 / 2.0 * (1.5 * 1.3 * 4.0 + 0.5 * 0.7 * -3.0) / 1.0;
    // At the ends one chord is missing.
    assert!((out_tangents[0].x - 0.5).abs() < 1e-6);
    assert!((in_tangents[3].x + 0.75).abs() < 1e-6);
    assert!(
        (out_tangents[2].x - expected_out).abs() < 1e-5,
        "{:?}",
        out_tangents[2]
    );
    assert!(
        (in_tangents[2].x - expected_in).abs() < 1e-5,
        "{:?}",
        in_tangents[2]
    );
    assert_eq!((out_tangents[2].y, out_tangents[2].z), (0.0, 0.0));

    let document = track_scale();
    let Some(JointTracks::Trs {
        scale: Some(track), ..
    }) = document.clips[0].joint_tracks(0)
    else {
        panic!("a scale");
    };
    let Keys::Cubic {
        in_tangents,
        out_tangents,
        values,
    } = &track.keys
    else {
        panic!("cubic keys");
    };
    assert_eq!(values[1], Vec3::new(1.0, 3.0, 1.0));
    assert_eq!(out_tangents[0], Vec3::new(0.0, 1.5, 0.0));
    assert_eq!(in_tangents[1], Vec3::ZERO);
}

fn track_scale() -> Document {
    track(
        "Scale %t (kind = \"y\")",
        "float {1}",
        "Time { Key { float {0, 2} } } Value (curve = \"bezier\") { Key { float {1, 3} }
           Key (kind = \"-control\") { float {1, 3} } Key (kind = \"+control\") { float {2, 3} } }",
    )
}

#[test]
fn uneven_time_is_resampled_within_the_bound() {
    let document = track(
        "Translation %t",
        "float[3] {{0, 0, 0}}",
        "Time (curve = \"bezier\") { Key { float {0, 1} } Key (kind = \"-control\") { float {0, 1} }
           Key (kind = \"+control\") { float {0, 1} } }
         Value { Key { float[3] {{0, 0, 0}, {10, 0, 0}} } }",
    );
    let Some(JointTracks::Trs {
        translation: Some(track),
        ..
    }) = document.clips[0].joint_tracks(0)
    else {
        panic!("a translation");
    };
    for step in 0..=100 {
        let s = f64::from(step) / 100.0;
        let secs = (3.0 * s * s - 2.0 * s * s * s) as f32;
        let after = track
            .times
            .partition_point(|&t| t <= secs)
            .clamp(1, track.times.len() - 1);
        let [a, b] = [after - 1, after].map(|key| (track.times[key], track.keys.values()[key].x));
        let x = a.1 + (b.1 - a.1) * (secs - a.0) / (b.0 - a.0);
        assert!((f64::from(x) - 10.0 * s).abs() < 0.002, "{s}: {x}");
    }
}

/// Key times and values of the translation that the first joint has.
fn steps(document: &Document, joint: usize) -> (Vec<f32>, Vec<Vec3>) {
    let Some(JointTracks::Trs {
        translation: Some(track),
        ..
    }) = document.clips[0].joint_tracks(joint)
    else {
        panic!("a translation");
    };
    (track.times.to_vec(), track.keys.values().to_vec())
}

#[test]
fn animations_are_cut_where_they_begin_and_end() {
    let moved = |span: &str| {
        read(&format!(
            "{UP}Metric (key = \"time\") {{float {{0.5}}}}
             Node {{ Translation %t {{ float[3] {{{{0, 0, 0}}}} }} Animation ({span}) {{ Track (target = %t) {{
               Time {{ Key {{ float {{0, 4, 8}} }} }} Value {{ Key {{ float[3] {{{{0, 0, 0}}, {{4, 0, 0}}, {{4, 2, 0}}}} }} }} }} }} }}"
        ))
    };
    // In the file's unit of time, of which two are a second.
    let document = moved("begin = 1, end = 6");
    let clip = &document.clips[0];
    assert_eq!((clip.start_secs, clip.duration_secs), (0.5, 3.0));
    let (secs, values) = steps(&document, 0);
    assert_eq!(secs, [0.5, 2.0, 3.0]);
    assert_eq!(values, [Vec3::X, Vec3::X * 4.0, Vec3::new(4.0, 1.0, 0.0)]);
    // Past the last key it holds.
    let (secs, values) = steps(&moved("end = 10"), 0);
    assert_eq!(secs, [0.0, 2.0, 4.0, 5.0]);
    assert_eq!(values[3], values[2]);
    // Ends before it begins: one instant.
    let (secs, values) = steps(&moved("begin = 2, end = 1"), 0);
    assert_eq!((secs, values), (vec![1.0], vec![Vec3::X * 2.0]));
}

#[test]
fn a_cut_turn_stays_on_its_arc() {
    // A quarter turn as quaternions, and as matrices: cut a third of the way.
    let document = read(&format!(
        "{UP}Node {{ Rotation %t (kind = \"quaternion\") {{ float[4] {{{{0, 0, 0, 1}}}} }} Animation (end = 1) {{ Track (target = %t) {{
           Time {{ Key {{ float {{0, 3}} }} }} Value {{ Key {{ float[4] {{{{0, 0, 0, 1}}, {{0, 0, 0.70710678, 0.70710678}}}} }} }} }} }} }}
         Node {{ Transform %t {{ float[16] {{{{1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1}}}} }} Animation (end = 1) {{ Track (target = %t) {{
           Time {{ Key {{ float {{0, 3}} }} }} Value {{ Key {{ float[16] {{{{1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1}}, {{0,1,0,0, -1,0,0,0, 0,0,1,0, 3,0,0,1}}}} }} }} }} }} }}"
    ));
    let expected = Quat::from_rotation_z(30_f32.to_radians());
    let Some(JointTracks::Trs {
        rotation: Some(rotation),
        ..
    }) = document.clips[0].joint_tracks(0)
    else {
        panic!("a rotation");
    };
    assert!(rotation.keys.values()[1].abs_diff_eq(expected, 1e-6));
    let Some(JointTracks::Matrix { matrix, .. }) = document.clips[0].joint_tracks(1) else {
        panic!("matrices");
    };
    let expected = glam::Mat4::from_rotation_translation(expected, Vec3::X);
    assert!(matrix.keys.values()[1].abs_diff_eq(expected, 1e-6));
}

#[test]
fn clips_by_index_and_name() {
    let animation = |clip: usize, x: usize| {
        format!(
            "Animation (clip = {clip}) {{ Track (target = %t) {{ Time {{ Key {{ float {{0, 1}} }} }}
             Value {{ Key {{ float[3] {{{{0, 0, 0}}, {{{x}, 0, 0}}}} }} }} }} }}"
        )
    };
    let document = read(&format!(
        "{UP}Clip (index = 7) {{ Name {{ string {{\"Run\"}} }} Param (attrib = \"rate\") {{ float {{24}} }} }}
         Clip (index = 2) {{ Name {{ string {{\"Walk\"}} }} }}
         Node {{ Translation %t {{ float[3] {{{{0, 0, 0}}}} }} {} {} }}
         Node {{ Translation %t {{ float[3] {{{{0, 0, 0}}}} }} {} }}",
        animation(7, 1),
        animation(2, 2),
        animation(0, 3)
    ));
    let names: Vec<&str> = document
        .clips
        .iter()
        .map(|clip| clip.name.as_str())
        .collect();
    assert_eq!(names, ["", "Walk", "Run"]);
    let moved: Vec<usize> = document
        .clips
        .iter()
        .map(|clip| clip.joints[0].joint())
        .collect();
    assert_eq!(moved, [1, 0, 0]);
}

#[test]
fn an_object_that_moves_has_a_joint_of_its_own() {
    let track = |target: &str| {
        format!(
            "Track (target = %{target}) {{ Time {{ Key {{ float {{0, 1}} }} }} Value {{ Key {{ float[3] {{{{0, 0, 1}}, {{0, 0, 2}}}} }} }} }}"
        )
    };
    let document = read(&format!(
        "{UP}GeometryNode {{ Name {{ string {{\"fan\"}} }} ObjectRef {{ ref {{$g}} }}
           Translation %own {{ float[3] {{{{1, 0, 0}}}} }} Translation %blade (object = true) {{ float[3] {{{{0, 0, 1}}}} }}
           Animation {{ {} {} }} Node {{}} }} {}",
        track("blade"),
        track("own"),
        QUAD.replace("SKIN", "")
    ));
    let joints = &document.skeleton.joints;
    assert_eq!(joints[2].name, "fan (object)");
    assert_eq!(joints[2].parent, Some(0));
    assert_eq!(document.instances[0].joint, 2);
    assert_eq!(
        document.meshes[0].primitives[0].positions[0],
        Vec3::ZERO,
        "the joint moves it, not the vertices"
    );
    for joint in [0, 2] {
        assert_eq!(steps(&document, joint).1[1], Vec3::Z * 2.0);
    }
    assert!(document.clips[0].joint_tracks(1).is_none());
    // On a node that shows nothing there is nothing to move.
    let idle = read(&format!(
        "{UP}Node {{ Translation %t (object = true) {{ float[3] {{{{0, 0, 1}}}} }} Animation {{ {} }} }}",
        track("t")
    ));
    assert_eq!(
        messages(&idle, FindingCode::ChannelIgnoredTransform).len(),
        1
    );
}

#[test]
fn weights_of_morphs_with_keys_at_different_times() {
    let weight = |index: usize, secs: &str, values: &str| {
        format!(
            "MorphWeight %w{index} (index = {index}) {{ float {{0.5}} }}
             Animation {{ Track (target = %w{index}) {{ Time {{ Key {{ float {{{secs}}} }} }} Value {{ Key {{ float {{{values}}} }} }} }} }}"
        )
    };
    let two = QUAD
        .replace("SKIN", "VertexArray (attrib = \"position\", morph = 2) { float[3] {{0,0,2},{1,0,1},{1,1,1},{0,1,1}} }");
    let document = read(&format!(
        "{UP}GeometryNode {{ ObjectRef {{ ref {{$g}} }} {} {} }} {two}",
        weight(1, "0, 1", "0, 1"),
        weight(2, "0.5, 1", "1, 0")
    ));
    let track = &document.clips[0].morphs[0];
    assert_eq!(track.target_count, 2);
    assert_eq!(track.weights.times[..], [0.0, 0.5, 1.0]);
    assert_eq!(track.weights.keys.values(), [0.0, 1.0, 0.5, 1.0, 1.0, 0.0]);
}

#[test]
fn turns_that_no_keys_can_follow_are_said() {
    let document = track(
        "Rotation %t (kind = \"y\")",
        "float {0}",
        "Time { Key { float {0, 1, 2} } } Value { Key { float {0, 1e9, 1e9} } }",
    );
    let said = messages(&document, FindingCode::ChannelInvalid);
    assert_eq!(said.len(), 1);
    assert!(said[0].contains("whole turns are lost"), "{said:?}");
}
