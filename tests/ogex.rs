//! `OpenGEX` files: those of the shared corpus, ones built in code, and broken ones.

mod common;

use glam::{Mat4, Quat, Vec3};
use rigscope::{
    document::{Document, FindingCode, JointTracks, Keys},
    import::{ImportError, Progress, from_ogex_text, load},
};

fn open(name: &str) -> Option<Result<Document, ImportError>> {
    let path = common::shared()?.join("corpus").join(name);
    Some(load(&path, &Progress::new()))
}

fn read(text: &str) -> Document {
    let document = from_ogex_text("test.ogex", text.as_bytes()).expect("a good text");
    let violations = common::validate::violations(&document);
    assert!(violations.is_empty(), "{violations:#?}");
    document
}

#[test]
fn the_corpus_loads() {
    for (name, joints, vertices, clips) in [
        ("ogex/animation_example.ogex", 10, 104, 1),
        ("ogex/collada.ogex", 8, 3370, 0),
        ("ogex/magnum_mesh.ogex", 0, 7, 0),
        ("ogex/magnum_scene-rotation.ogex", 6, 0, 0),
        ("ogex/magnum_scene-transformation-metrics.ogex", 7, 0, 0),
        ("ogex/magnum_scene-transformation.ogex", 1, 0, 0),
        ("blender/bl_flip.ogex", 4, 0, 1),
        ("blender/bl_human.ogex", 28, 0, 2),
        ("blender/bl_human_trs.ogex", 28, 0, 2),
    ] {
        let Some(document) = open(name) else { return };
        let document = document.unwrap_or_else(|error| panic!("{error}"));
        let violations = common::validate::violations(&document);
        assert!(violations.is_empty(), "{name}: {violations:#?}");
        println!(
            "{name}: {} joints, {} vertices, {} clips, {} skins, {:?}",
            document.skeleton.joints.len(),
            document.vertex_count(),
            document.clips.len(),
            document.skins.len(),
            document
                .findings
                .iter()
                .map(|f| &f.message)
                .collect::<Vec<_>>()
        );
        assert_eq!(document.skeleton.joints.len(), joints, "{name}");
        if vertices > 0 {
            assert_eq!(document.vertex_count(), vertices, "{name}");
        }
        assert_eq!(document.clips.len(), clips, "{name}");
    }
}

#[test]
fn broken_files_of_the_corpus_are_refused_with_their_line() {
    for (name, place) in [
        (
            "ogex/magnum_mesh-invalid.ogex",
            "line 9: GeometryObject › Mesh › VertexArray: it holds float[4], not float[3]",
        ),
        (
            "ogex/magnum_scene-invalid-transformation-array-size.ogex",
            "line 5: Node › Transform: it holds float[9], not float[16]",
        ),
    ] {
        let Some(result) = open(name) else { return };
        let error = result.expect_err("a broken file").to_string();
        assert!(error.starts_with(place), "{error}");
    }
}

/// The rest of each node stands twice in the file, as factors and as a matrix.
#[test]
fn metrics_apply_to_factors_as_to_matrices() {
    let Some(document) = open("ogex/magnum_scene-transformation-metrics.ogex") else {
        return;
    };
    let joints = document.expect("a good file").skeleton.joints;
    for pair in joints[1..].chunks_exact(2) {
        let [a, b] = [pair[0].rest_mat4(), pair[1].rest_mat4()];
        assert!(a.abs_diff_eq(b, 1e-4), "{a} {b}");
    }
    // 100 m a unit, Z up: (1, −2, 5.5) → (100, 550, 200).
    let place = joints[1].translation;
    assert!(
        place.abs_diff_eq(Vec3::new(100.0, 550.0, 200.0), 1e-3),
        "{place}"
    );
}

/// Blender's own joint positions, as the corpus has them for every export of this rig.
#[test]
fn the_human_stands_where_blender_has_it() {
    let Some(shared) = common::shared() else {
        return;
    };
    let path = shared.join("corpus/blender/expected/bl_human.json");
    let expected: serde_json::Value =
        serde_json::from_slice(&std::fs::read(path).expect("the file")).expect("JSON");
    for name in ["blender/bl_human_trs.ogex", "blender/bl_human.ogex"] {
        let document = open(name).expect("shared").expect("a good file");
        assert_eq!(document.clips[0].name, "Walk");
        let first = &expected["clips"]["Walk"][0]["joints"];
        // The pose of key 0, by hand.
        let mut globals: Vec<Mat4> = Vec::new();
        let mut checked = 0;
        for (index, joint) in document.skeleton.joints.iter().enumerate() {
            let local = match document.clips[0].joint_tracks(index) {
                Some(JointTracks::Matrix { matrix, .. }) => matrix.keys.values()[0],
                Some(JointTracks::Trs {
                    translation,
                    rotation,
                    scale,
                    ..
                }) => Mat4::from_scale_rotation_translation(
                    scale.as_ref().map_or(joint.scale, |t| t.keys.values()[0]),
                    rotation
                        .as_ref()
                        .map_or(joint.orientation, |t| t.keys.values()[0])
                        .normalize(),
                    translation
                        .as_ref()
                        .map_or(joint.translation, |t| t.keys.values()[0]),
                ),
                None => joint.rest_mat4(),
            };
            globals.push(joint.parent.map_or(local, |parent| globals[parent] * local));
            if let Some(place) = first[&joint.name].as_array() {
                let number = |at: usize| place[at].as_f64().expect("a number") as f32;
                let place = Vec3::new(number(0), number(1), number(2));
                let ours = globals[index].w_axis.truncate();
                assert!(
                    ours.abs_diff_eq(place, 2e-4),
                    "{name} {}: {ours} {place}",
                    joint.name
                );
                checked += 1;
            }
        }
        assert!(checked >= 26, "{checked}");
        assert_eq!(document.instances.len(), 1);
        assert_eq!(document.skins[0].joints.len(), 26);
        // At rest, and the rest is the bind pose here, the skin moves nothing: all
        // palette matrices are the one that stands the mesh up.
        let rest = document.skeleton.rest_globals();
        let skin = &document.skins[0];
        for (slot, &joint) in skin.joints.iter().enumerate() {
            let palette = rest[joint as usize] * skin.joint_from_mesh[slot];
            let upright = Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2);
            assert!(
                palette.abs_diff_eq(upright, 1e-4),
                "{name} {slot}: {palette}"
            );
        }
    }
}

#[test]
fn every_kind_of_rotation() {
    let Some(document) = open("ogex/magnum_scene-rotation.ogex") else {
        return;
    };
    let quarter = std::f32::consts::FRAC_PI_2;
    let joints = document.expect("a good file").skeleton.joints;
    for (joint, expected) in joints.iter().zip([
        Quat::from_rotation_z(quarter),
        Quat::from_rotation_z(quarter),
        Quat::from_rotation_z(quarter),
        Quat::from_rotation_x(quarter),
        Quat::from_rotation_y(quarter),
        Quat::from_rotation_z(quarter),
    ]) {
        assert!(
            joint.orientation.dot(expected).abs() > 0.999_999,
            "{joint:?}"
        );
    }
}

const UP: &str = "Metric (key = \"up\") {string {\"y\"}}\n";

fn track(kind: &str, rest: &str, curves: &str) -> Document {
    read(&format!(
        "{UP}Node {{ {kind} {{ {rest} }} Animation {{ Track (target = %t) {{ {curves} }} }} }}"
    ))
}

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
    // Kochanek and Bartels' formulas by hand, per second: chords 4 and −3 around key 2,
    // t = 0.25, c = −0.5, b = 0.3; intervals 1 s and 2 s.
    let leaving = 0.75 / 2.0 * (0.5 * 1.3 * 4.0 + 1.5 * 0.7 * -3.0);
    let arriving = 0.75 / 2.0 * (1.5 * 1.3 * 4.0 + 0.5 * 0.7 * -3.0);
    // Scaled by twice the left (right) interval over both, then from interval to second.
    let expected_out = leaving * (2.0 * 1.0 / 3.0) / 2.0;
    let expected_in = arriving * (2.0 * 2.0 / 3.0) / 1.0;
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

const QUAD: &str = r#"GeometryObject $g { Mesh (primitive = "quads") {
    VertexArray (attrib = "position") { float[3] {{0,0,0},{1,0,0},{1,1,0},{0,1,0}} }
    VertexArray (attrib = "position", morph = 1) { float[3] {{0,0,1},{1,0,1},{1,1,1},{0,1,1}} }
    SKIN } Morph (index = 1, base = 0) { Name { string {"out"} } } }"#;

#[test]
fn skins_of_one_to_seven_influences() {
    for count in 1..=7_usize {
        let list = |text: &str| vec![text; 4 * count].join(",");
        let weight = format!("{}", 1.0 / count as f32);
        let skin = format!(
            "Skin {{ Transform {{ float[16] {{{{1,0,0,0, 0,1,0,0, 0,0,1,0, 5,0,0,1}}}} }}
               Skeleton {{ BoneRefArray {{ ref {{$b}} }}
                 Transform {{ float[16] {{{{1,0,0,0, 0,1,0,0, 0,0,1,0, 0,2,0,1}}}} }} }}
               BoneCountArray {{ u16 {{{}}} }} BoneIndexArray {{ u8 {{{}}} }} BoneWeightArray {{ float {{{}}} }} }}",
            vec![count.to_string(); 4].join(","),
            list("0"),
            list(&weight)
        );
        let document = read(&format!(
            "{UP}BoneNode $b {{}} GeometryNode {{ ObjectRef {{ ref {{$g}} }} MorphWeight (index = 1) {{ float {{0.25}} }} }} {}",
            QUAD.replace("SKIN", &skin)
        ));
        let primitive = &document.meshes[0].primitives[0];
        assert_eq!(primitive.influences.per_vertex, count.next_multiple_of(4));
        let used = primitive
            .influences
            .of_vertex(3)
            .filter(|&(_, weight)| weight > 0.0);
        assert_eq!(used.count(), count);
        assert_eq!(primitive.indices, [0, 1, 2, 0, 2, 3]);
        assert_eq!(primitive.morph_targets[0].positions, [Vec3::Z; 4]);
        assert_eq!(document.meshes[0].morph_names, ["out"]);
        assert_eq!(document.instances[0].morph_weights, [0.25]);
        assert_eq!(
            document.skins[0].joint_from_mesh[0],
            Mat4::from_translation(Vec3::new(5.0, -2.0, 0.0))
        );
    }
}

#[test]
fn object_transforms_move_the_mesh_and_not_the_children() {
    let document = read(&format!(
        "{UP}GeometryNode {{ ObjectRef {{ ref {{$g}} }} MaterialRef {{ ref {{$m}} }}
           Translation (object = true) {{ float[3] {{{{0, 0, 3}}}} }} Translation {{ float[3] {{{{1, 0, 0}}}} }}
           Node {{}} }}
         Material $m {{ Color (attrib = \"diffuse\") {{ float[3] {{{{0.5, 0.25, 0}}}} }}
           Texture (attrib = \"diffuse\") {{ string {{\"no such.png\"}} }} }} {}",
        QUAD.replace("SKIN", "")
    ));
    assert_eq!(
        document.meshes[0].primitives[0].positions[1],
        Vec3::new(1.0, 0.0, 3.0)
    );
    let globals = document.skeleton.rest_globals();
    assert_eq!(globals[1].w_axis.truncate(), Vec3::X);
    assert_eq!(
        document.materials[0].base_color.truncate(),
        Vec3::new(0.5, 0.25, 0.0)
    );
    assert_eq!(document.meshes[0].primitives[0].material, Some(0));
    assert!(
        document
            .findings
            .iter()
            .any(|f| f.code == FindingCode::ImageUnreadable)
    );
}

/// Deterministic numbers (Knuth's multiplier).
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn broken_texts_never_panic() {
    let skin = "Skin { Skeleton { BoneRefArray { ref {$b} } Transform { float[16] {{1,0,0,0, 0,1,0,0, 0,0,1,0, 0,2,0,1}} } }
        BoneCountArray { u16 {1,1,1,1} } BoneIndexArray { u8 {0,0,0,0} } BoneWeightArray { float {1,1,1,1} } }";
    let seed = format!(
        "{UP}Metric (key = \"time\") {{float {{0.5}}}} Clip (index = 0) {{ Name {{ string {{\"c\"}} }} }}
         BoneNode $b {{ Translation %p {{ float[3] {{{{0,1,0}}}} }} Rotation %t (kind = \"x\") {{ float {{0}} }}
           Animation {{ Track (target = %t) {{ Time (curve = \"bezier\") {{ Key {{ float {{0,1}} }}
              Key (kind = \"-control\") {{ float {{0,0.9}} }} Key (kind = \"+control\") {{ float {{0.1,1}} }} }}
              Value (curve = \"tcb\") {{ Key {{ float {{0,9}} }} Key (kind = \"tension\") {{ float {{0,0}} }}
              Key (kind = \"continuity\") {{ float {{0,0}} }} Key (kind = \"bias\") {{ float {{0,0}} }} }} }}
             Track (target = %p) {{ Time {{ Key {{ float {{0,1}} }} }} Value (curve = \"constant\") {{ Key {{ float[3] {{{{0,0,0}},{{1,2,3}}}} }} }} }} }} }}
         GeometryNode {{ ObjectRef {{ ref {{$g}} }} Transform (object = true) {{ float[16] {{{{1,0,0,0, 0,1,0,0, 0,0,1,0, 0,2,0,1}}}} }} }} {}",
        QUAD.replace("SKIN", skin)
    );
    read(&seed);
    let mut state = 7;
    let words = [
        "1e38",
        "-1",
        "0x7FC00000",
        "4294967295",
        "$b",
        "%t",
        "{",
        "}",
        "null",
        "float[3]",
        "\"",
        "'",
    ];
    let mut loaded = 0;
    for round in 0..20_000 {
        let mut bytes = seed.clone().into_bytes();
        for _ in 0..=next(&mut state) % 3 {
            let at = next(&mut state) % bytes.len();
            match round % 4 {
                0 => bytes[at] = next(&mut state) as u8,
                1 => bytes.truncate(at.max(1)),
                2 => {
                    let word = words[next(&mut state) % words.len()];
                    let end = (at + next(&mut state) % 4).min(bytes.len());
                    bytes.splice(at..end, word.bytes());
                }
                _ => {
                    // A number for a number.
                    if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                        let word = words[next(&mut state) % 4];
                        bytes.splice(at + digit..=at + digit, word.bytes());
                    }
                }
            }
        }
        if let Ok(document) = from_ogex_text("x.ogex", &bytes) {
            let violations = common::validate::violations(&document);
            assert!(
                violations.is_empty(),
                "{violations:#?}\n{}",
                String::from_utf8_lossy(&bytes)
            );
            loaded += 1;
        }
    }
    println!("{loaded} of 20000 loaded");
    assert!(loaded > 2000, "{loaded}");
    let deep = "Node {".repeat(100_000);
    let error = from_ogex_text("deep.ogex", deep.as_bytes()).expect_err("too deep");
    assert!(error.to_string().contains("nested deeper"), "{error}");
}
