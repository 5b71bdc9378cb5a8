//! Every scene of the lab is sound, and shows its point in numbers.

use std::sync::Arc;

use glam::{Quat, Vec3};
use rigscope::{
    anim::{self, Interpolation, Technique, Weights},
    document::{Document, JointTracks},
    lab::{self, SCENES, Scene},
    scene::{self as stage, Character, Frame, PoseSource, Poser, Stage, View},
    session::{Command, Session},
};

fn scene(id: &str) -> &'static Scene {
    lab::find(id).expect("a scene of that name")
}

/// One character for each side, at a time.
fn sides(scene: &Scene, time_secs: f32) -> Vec<Character> {
    let document = Arc::new((scene.document)());
    let side = |side: &lab::Side| {
        let mut character = Character::new(document.clone());
        character.technique = (side.technique)();
        character.set_source(PoseSource::Clip(side.clip));
        character.player.seek(time_secs);
        character.update();
        character
    };
    scene.sides.iter().map(side).collect()
}

fn joint(document: &Document, name: &str) -> usize {
    let mut joints = document.skeleton.joints.iter();
    joints
        .position(|joint| joint.name == name)
        .expect("a joint of that name")
}

fn place(character: &Character, name: &str) -> Vec3 {
    let joint = joint(&character.document, name);
    character.place(joint).expect("a finite pose")
}

/// How far the last part of the arm reaches.
fn reach(character: &Character) -> f32 {
    place(character, "tip").distance(place(character, "elbow"))
}

#[test]
fn every_scene_is_sound() {
    for scene in &SCENES {
        let document = (scene.document)();
        let id = scene.id;
        assert!(!scene.text.is_empty() && !scene.sides.is_empty(), "{id}");
        joint(&document, scene.joint);
        for (index, known) in document.skeleton.joints.iter().enumerate() {
            assert!(known.parent.is_none_or(|parent| parent < index), "{id}");
        }
        for instance in &document.instances {
            for primitive in &document.meshes[instance.mesh].primitives {
                let count = primitive.positions.len();
                assert_eq!(
                    (primitive.normals.len(), primitive.colors.len()),
                    (count, count)
                );
                assert!(
                    primitive
                        .indices
                        .iter()
                        .all(|&index| (index as usize) < count)
                );
                let unit = |normal: &Vec3| (normal.length() - 1.0).abs() < 1e-3;
                assert!(primitive.normals.iter().all(unit), "{id}: normals");
                let Some(skin) = instance.skin else { continue };
                for vertex in 0..count {
                    let influences = primitive.influences.of_vertex(vertex);
                    let mut sum = 0.0;
                    for (slot, weight) in influences {
                        let in_range = usize::from(slot) < document.skins[skin].joints.len();
                        assert!(in_range || weight == 0.0, "{id}: slot {slot}");
                        sum += weight;
                    }
                    assert!((sum - 1.0).abs() < 1e-5, "{id}: weights sum to {sum}");
                }
            }
        }
        for clip in &document.clips {
            for times in clip.times() {
                assert!(
                    times.windows(2).all(|pair| pair[0] < pair[1]),
                    "{id}: times"
                );
            }
        }
        for step in 0..=20 {
            for side in sides(scene, step as f32 * 0.2) {
                let mut palette = Vec::new();
                let document = side.document.clone();
                for (index, instance) in document.instances.iter().enumerate() {
                    let poser = Poser::new(&side, index, &mut palette);
                    let primitive = &document.meshes[instance.mesh].primitives[0];
                    for vertex in (0..primitive.positions.len()).step_by(37) {
                        assert!(poser.place(primitive, vertex).is_finite(), "{id}");
                    }
                }
            }
        }
    }
}

#[test]
fn in_the_half_turn_lerp_squashes_and_nlerp_lags() {
    let quarter = sides(scene("half-turn-elbow"), 0.47);
    let elbow = |side: &Character| {
        let moved = place(side, "tip") - place(side, "elbow");
        moved.x.atan2(moved.y).to_degrees()
    };
    let (slerp, nlerp) = (elbow(&quarter[0]), elbow(&quarter[1]));
    // Half of nlerp's lag on an arc of 170° between quaternions 85° apart.
    assert!((slerp - 170.0 * 0.235).abs() < 0.01, "{slerp}");
    assert!((1.0..7.0).contains(&(slerp - nlerp)), "{slerp} {nlerp}");
    let half = sides(scene("half-turn-elbow"), 1.0);
    assert!((reach(&half[0]) - 0.68).abs() < 1e-4);
    // The quaternion half way has the length cos 42.5°; what the ordinary formula makes of
    // z and w is the arm's axis.
    let (sin, cos) = 42.5_f32.to_radians().sin_cos();
    let (z, w) = (cos * sin, cos * cos);
    let wanted = 0.68 * (2.0 * w * z).hypot(1.0 - 2.0 * z * z);
    assert!(
        (reach(&half[2]) - wanted).abs() < 1e-4,
        "lerp leaves {}",
        reach(&half[2])
    );
}

#[test]
fn keep_goes_the_long_way_round() {
    let half = sides(scene("the-long-way-round"), 0.75);
    let [a, b] = [&half[0], &half[1]].map(|side| place(side, "tip"));
    let elbow = place(&half[0], "elbow");
    assert!((a - elbow).dot(b - elbow) < -0.4, "{a} and {b}");
}

#[test]
fn of_179_and_181_degrees_the_short_path_turns_one_back() {
    let half = sides(scene("179-and-181-degrees"), 1.0);
    let lean = |side: &Character, name: &str| {
        let joint = joint(&side.document, name);
        (side.globals.world(joint).y_axis.truncate()).x
    };
    let [align, keep] = [&half[0], &half[1]];
    assert!(lean(align, "elbow") > 0.9 && lean(align, "elbow 181") < -0.9);
    assert!(lean(keep, "elbow") > 0.9 && lean(keep, "elbow 181") > 0.9);
}

#[test]
fn the_candy_wrapper_closes_and_dual_quaternions_hold_it_open() {
    let thinnest = |side: &Character| {
        let primitive = &side.document.meshes[0].primitives[0];
        let mut palette = Vec::new();
        let poser = Poser::new(side, 0, &mut palette);
        let wide = primitive.positions.iter().enumerate();
        let body = wide.filter(|(_, p)| (0.2..1.2).contains(&p.y) && p.x.hypot(p.z) > 0.05);
        body.map(|(vertex, bound)| {
            let now = poser.place(primitive, vertex);
            now.x.hypot(now.z) / bound.x.hypot(bound.z)
        })
        .fold(f32::INFINITY, f32::min)
    };
    let turned = sides(scene("candy-wrapper"), 3.0);
    assert!(thinnest(&turned[0]) < 0.02, "{}", thinnest(&turned[0]));
    assert!(thinnest(&turned[1]) > 0.99, "{}", thinnest(&turned[1]));
    // Half of one matrix and half of another one 90° further: cos 45° is left.
    let turned = sides(scene("candy-wrapper"), 1.5);
    let least = thinnest(&turned[0]);
    assert!(
        (least - core::f32::consts::FRAC_1_SQRT_2).abs() < 5e-4,
        "{least}"
    );
    assert!(thinnest(&turned[1]) > 0.9999, "{}", thinnest(&turned[1]));
}

#[test]
fn the_matrix_collapses_to_the_cosine_of_half_the_turn() {
    let half = sides(scene("matrix-collapse"), 1.0);
    let [collapsed, whole] = [&half[0], &half[1]].map(reach);
    let wanted = 0.68 * 85_f32.to_radians().cos();
    assert!(
        (collapsed - wanted).abs() < 1e-4,
        "{collapsed} for {wanted}"
    );
    assert!((whole - 0.68).abs() < 1e-4, "{whole}");
}

#[test]
fn the_raw_spline_squashes_the_arm_and_unscaled_tangents_change_its_way() {
    let steps: Vec<_> = (0..40)
        .map(|step| sides(scene("squash-in-the-spline"), step as f32 * 0.1))
        .collect();
    let least = |side: usize| {
        let reaches = steps.iter().map(|sides| reach(&sides[side]));
        reaches.fold(f32::INFINITY, f32::min)
    };
    assert!(
        least(0) > 0.679 && least(1) < 0.6,
        "{} {}",
        least(0),
        least(1)
    );
    let apart = steps
        .iter()
        .map(|s| place(&s[0], "tip").distance(place(&s[2], "tip")));
    assert!(apart.fold(0.0, f32::max) > 0.03);
}

#[test]
fn euler_angles_take_more_than_twice_the_way() {
    let scene = scene("gimbal-detour");
    let mut lengths = [0.0; 3];
    let mut before: Option<Vec<Vec3>> = None;
    for step in 0..=100 {
        let sides = sides(scene, step as f32 * 0.02);
        let now: Vec<Vec3> = sides.iter().map(|side| place(side, "tip")).collect();
        if let Some(before) = &before {
            for (length, (a, b)) in lengths.iter_mut().zip(before.iter().zip(&now)) {
                *length += a.distance(*b);
            }
        }
        before = Some(now);
    }
    assert!(
        lengths[1] > 2.0 * lengths[0] && lengths[2] > 2.0 * lengths[0],
        "{lengths:?}"
    );
}

#[test]
fn dropped_shear_moves_the_skin() {
    let bent = sides(scene("mirror-and-shear"), 1.5);
    let apart = ["tip", "elbow"].map(|name| place(&bent[0], name).distance(place(&bent[1], name)));
    assert!(apart[0] > 0.1 && apart[1] < 1e-5, "{apart:?}");
}

#[test]
fn both_roads_end_at_the_same_vertex() {
    let side = &sides(scene("two-roads-to-a-vertex"), 1.3)[0];
    let (document, primitive) = (&side.document, &side.document.meshes[0].primitives[0]);
    let (skin, mut palette) = (&document.skins[0], Vec::new());
    side.palette(0, &mut palette);
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let weights = Weights::Normalized;
    anim::deform_by_skin_matrices(primitive, &palette, &[], weights, &mut first);
    anim::deform_by_joint_frames(
        primitive,
        |slot| side.globals.world(skin.joints[slot] as usize),
        &skin.joint_from_mesh,
        &[],
        weights,
        &mut second,
    );
    let off = first.iter().zip(&second).map(|(a, b)| a.distance(*b));
    assert!(off.fold(0.0, f32::max) < 1e-6);
}

#[test]
fn only_slerp_never_turns_the_long_way_to_the_target() {
    let document = (scene("turning-to-face").document)();
    let head = joint(&document, "head");
    let eyes = Vec3::Y * 1.15;
    // Most that is left to turn, once it had time to catch up.
    let left = |clip: usize| {
        let tracks = document.clips[clip]
            .joint_tracks(head)
            .expect("the head turns");
        let JointTracks::Trs {
            rotation: Some(track),
            ..
        } = tracks
        else {
            unreachable!("the head turns");
        };
        let mut character = Character::new(Arc::new(document.clone()));
        character.set_source(PoseSource::Clip(clip));
        let angle = |(&time, key): (&f32, &Quat)| {
            character.player.seek(time);
            character.update();
            let wanted = place(&character, "target") - eyes;
            (*key * Vec3::Z).angle_between(wanted).to_degrees()
        };
        track
            .times
            .iter()
            .zip(track.keys.values())
            .map(angle)
            .fold(0.0, f32::max)
    };
    let [slerp, lerp, euler] = [0, 1, 2].map(left);
    assert!(slerp < 60.0, "slerp is {slerp}° behind at worst");
    assert!(lerp > 120.0 && euler > 120.0, "{lerp} {euler}");
}

#[test]
fn a_scene_opens_with_its_sides_and_leaves_everything_as_it_was() {
    let mut session = Session::default();
    let file = Arc::new((scene("two-roads-to-a-vertex").document)());
    session.apply(Command::LoadFinished {
        document: file.clone(),
        path: None,
    });
    let technique = Technique {
        modes: anim::Modes {
            interpolation: Interpolation::Nlerp,
            ..Default::default()
        },
        ..Technique::default()
    };
    session.apply(Command::SetTechnique {
        side: 0,
        technique: Box::new(technique.clone()),
    });
    let (view, panels) = (session.view.clone(), session.panels);
    for scene in &SCENES {
        session.apply(Command::OpenLab(scene));
        assert_eq!(session.side_count(), scene.sides.len(), "{}", scene.id);
        let labels: Vec<String> = (0..session.side_count())
            .map(|side| session.side_label(side))
            .collect();
        let distinct = labels.iter().collect::<std::collections::HashSet<_>>();
        assert_eq!(distinct.len(), labels.len(), "{}: {labels:?}", scene.id);
    }
    session.apply(Command::LoadFinished {
        document: file,
        path: None,
    });
    assert!(session.lab.is_none() && session.comparison.is_none());
    assert_eq!(session.character().map(|c| &c.technique), Some(&technique));
    assert_eq!(session.view.skeleton, view.skeleton);
    assert_eq!(session.panels.timeline_view, panels.timeline_view);
}

#[test]
fn the_paths_of_all_sides_are_drawn_together_and_ones_own_on_top() {
    let all = sides(scene("half-turn-elbow"), 1.0);
    let tip = joint(&all[0].document, "tip");
    let frame = |characters: &[Character], side: usize| {
        let stage = Stage {
            characters: characters.to_vec(),
        };
        let view = View {
            pinned_trails: vec![tip],
            side: Some(side),
            grid: false,
            ..View::default()
        };
        let mut frame = Frame::default();
        stage::build(&stage, &view, 1.0, &mut frame);
        frame
    };
    let lerp = frame(&all[2..], 2);
    let mut slerp = frame(&all[..1], 0);
    let own = slerp.lines.clone();
    assert_eq!(slerp.trails.len(), 1);
    slerp.add_trails(&lerp.trails, 2, 1.0);
    let (others, last) = slerp.lines.split_at(slerp.lines.len() - own.len());
    assert_eq!(last, own, "on top");
    // The paths are different ones, each in the colour of its side.
    let path = &lerp.trails[0].points;
    assert_eq!((others[0].from, others[0].to), (path[0], path[1]));
    assert_eq!(others[0].color, lerp.lines[0].color);
    assert_ne!(others[0].color, own[0].color);
    assert!(others[0].width < own[0].width);
    let apart = slerp.trails[0].points[30].distance(path[30]);
    assert!(apart > 0.1, "{apart}");
    // Laid over each other they share a picture.
    let mut laid = all.clone();
    for (index, side) in laid.iter_mut().enumerate().skip(1) {
        side.tint = Some(stage::side_tint(index));
    }
    let overlay = frame(&laid, 0);
    assert_eq!(overlay.lines.len(), own.len() + 2 * others.len());
    assert_eq!(overlay.lines[overlay.lines.len() - own.len()..], own);
}
