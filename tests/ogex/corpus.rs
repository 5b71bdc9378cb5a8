//! The files of the shared corpus.

use glam::{Mat4, Quat, Vec3};
use rigscope::{
    anim::{Globals, Modes, Pose, globals, sample},
    document::{Document, JointTracks},
};

use super::{common, open};

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

/// World matrices by name at a time of a clip.
fn worlds(document: &Document, clip: usize, secs: f32) -> Vec<(&str, Mat4)> {
    let mut pose = Pose::rest(document);
    sample(
        &document.clips[clip],
        document,
        secs,
        &Modes::default(),
        &mut pose,
    );
    let mut worlds = Globals::default();
    globals(&document.skeleton, &pose, &mut worlds);
    let names = document.skeleton.joints.iter().map(|j| j.name.as_str());
    names.zip(worlds.worlds()).collect()
}

/// One rig by two exporters and two importers, at the key times of both: eighths of a
/// second.
#[test]
fn the_human_moves_as_its_gltf_does() {
    let Some(gltf) = open("blender/bl_human.glb") else {
        return;
    };
    let gltf = gltf.expect("a good file");
    for name in ["blender/bl_human.ogex", "blender/bl_human_trs.ogex"] {
        let ours = open(name).expect("shared").expect("a good file");
        let (mut worst, mut compared) = (0.0_f32, 0);
        for clip in ours.clips.iter().enumerate() {
            let other = gltf.clips.iter().position(|c| c.name == clip.1.name);
            let other = other.expect("the same clip");
            for eighth in 0..=8 {
                let secs = eighth as f32 / 8.0;
                let expected = worlds(&gltf, other, secs);
                for (joint, world) in worlds(&ours, clip.0, secs) {
                    // The nodes of mesh and armature carry the turn of the up axis.
                    let same = expected.iter().find(|(other, _)| *other == joint);
                    if let Some((_, same)) = same
                        && !["Human", "Body"].contains(&joint)
                    {
                        let off = (world - *same).to_cols_array();
                        worst = off.iter().fold(worst, |worst, off| worst.max(off.abs()));
                        compared += 1;
                    }
                }
            }
        }
        println!("{name}: {worst:.1e} over {compared} matrices");
        assert_eq!(compared, 26 * 9 * 2, "{name}");
        assert!(worst < 2e-5, "{name}: {worst}");
    }
}
