//! What must hold for any motion.

use std::{sync::Arc, time::Instant};

use glam::{Mat4, Quat, Vec3};
use proptest::{collection::vec, prelude::*};
use rigscope::{
    analysis::{Effort, Watch, analyse},
    document::{
        Clip, Document, Finding, FindingCode, Joint, JointTracks, Keys, Property, Severity,
        Skeleton, Skin, Track,
    },
    math::quat,
};

use crate::{asserts::findings, random_rig};

/// A chain of joints, a metre each, that turn by these tracks.
fn turning(tracks: Vec<Track<Quat>>) -> Document {
    let joint = |index: usize| Joint {
        name: format!("joint {index}"),
        node: index,
        parent: index.checked_sub(1),
        translation: Vec3::Y,
        ..Joint::default()
    };
    let count = tracks.len();
    let ends = tracks.iter().map(Track::end_secs);
    let starts = tracks.iter().map(Track::start_secs);
    let clip = Clip {
        duration_secs: ends.fold(0.0, f32::max),
        start_secs: starts.fold(f32::INFINITY, f32::min),
        joints: (tracks.into_iter().enumerate())
            .map(|(joint, rotation)| JointTracks::Trs {
                joint,
                translation: None,
                rotation: Some(rotation),
                scale: None,
            })
            .collect(),
        ..Clip::default()
    };
    Document {
        skeleton: Skeleton {
            joints: (0..count).map(joint).collect(),
            joint_of_node: (0..count).collect(),
        },
        skins: vec![Skin {
            joints: (0..count as u32).collect(),
            joint_from_mesh: vec![Mat4::IDENTITY; count],
            has_inverse_bind_matrices: true,
            ..Skin::default()
        }],
        clips: vec![clip],
        ..Document::default()
    }
}

/// A LINEAR track of frames.
fn frames(fps: f32, keys: Vec<Quat>) -> Track<Quat> {
    Track {
        times: (0..keys.len()).map(|key| key as f32 / fps).collect(),
        keys: Keys::Linear(keys),
    }
}

fn complaints(document: &Document) -> Vec<Finding> {
    let mut found = findings(document);
    found.retain(|finding| is_motions(finding.code) && finding.severity > Severity::Info);
    found
}

/// Whether a code is about clips.
fn is_motions(code: FindingCode) -> bool {
    use FindingCode as C;
    matches!(
        code,
        C::RotationSignFlip
            | C::RotationNearHalfTurn
            | C::RotationLostTurn
            | C::RotationPop
            | C::CubicDegenerate
            | C::ProbableLostStep
            | C::LoopSeam
            | C::LateStart
            | C::ChannelNoEffect
            | C::ChannelIgnoredTransform
            | C::ClipUnkeyedJoints
    )
}

/// Every rotation track of the clips.
fn rotations(document: &mut Document) -> impl Iterator<Item = &mut Track<Quat>> {
    let joints = document.clips.iter_mut().flat_map(|clip| &mut clip.joints);
    joints.filter_map(|tracks| match tracks {
        JointTracks::Trs { rotation, .. } => rotation.as_mut(),
        JointTracks::Matrix { .. } => None,
    })
}

/// What is found, but for what is about signs and the sizes of stored arcs.
fn but_for_signs(document: &Document) -> Vec<String> {
    findings(document)
        .into_iter()
        .filter(|finding| {
            !matches!(
                finding.code,
                FindingCode::RotationSignFlip | FindingCode::RotationLostTurn
            )
        })
        .map(|mut finding| {
            finding.values.retain(|(name, _)| *name != "stored_arc_deg");
            format!("{finding:?}")
        })
        .collect()
}

proptest! {
    #[test]
    fn signs_change_nothing_but_findings_about_signs(
        mut document in random_rig::document(),
        signs in vec(any::<bool>(), 64),
    ) {
        let before = but_for_signs(&document);
        let mut sign = signs.into_iter().cycle();
        for track in rotations(&mut document) {
            if let Keys::Step(keys) | Keys::Linear(keys) = &mut track.keys {
                for key in keys {
                    *key = if sign.next() == Some(true) { -*key } else { *key };
                }
            }
        }
        prop_assert_eq!(before, but_for_signs(&document));
    }

    #[test]
    fn aligned_keys_have_no_flip(mut document in random_rig::document()) {
        for track in rotations(&mut document) {
            if let Keys::Linear(keys) = &mut track.keys {
                for key in 1..keys.len() {
                    keys[key] = quat::aligned(keys[key], keys[key - 1]);
                }
            }
        }
        for finding in findings(&document) {
            prop_assert_ne!(finding.code, FindingCode::RotationSignFlip);
            let is_lost = finding.code == FindingCode::RotationLostTurn;
            prop_assert!(!is_lost || finding.severity == Severity::Info);
        }
    }

    /// The turn of any axis and speed, in even steps: `product.md` promises it.
    #[test]
    fn an_even_spin_raises_nothing(
        axis in random_rig::unit_quat(),
        step in 0.1_f32..174.0,
        count in 2_usize..120,
        fps in 1.0_f32..120.0,
        from in random_rig::unit_quat(),
    ) {
        let turn = |key: usize| axis * Quat::from_rotation_y((step * key as f32).to_radians()) * from;
        let mut keys: Vec<Quat> = (0..count).map(|key| turn(key).normalize()).collect();
        for key in 1..count {
            keys[key] = quat::aligned(keys[key], keys[key - 1]);
        }
        let found = complaints(&turning(vec![frames(fps, keys)]));
        prop_assert!(found.is_empty(), "{:#?}", found);
    }

    /// A sum of swings about several axes, as fast as a body moves.
    #[test]
    fn smooth_motion_raises_nothing(
        swings in vec((-60.0_f32..60.0, 0.2_f32..2.5, 0.0_f32..6.3), 3),
        fps in 24.0_f32..120.0,
        count in 2_usize..150,
    ) {
        let at = |secs: f32| {
            let angles: Vec<f32> = swings
                .iter()
                .map(|(size, hertz, phase)| {
                    (size * (secs * hertz * core::f32::consts::TAU + phase).sin()).to_radians()
                })
                .collect();
            Quat::from_euler(glam::EulerRot::XYZ, angles[0], angles[1], angles[2])
        };
        let keys: Vec<Quat> = (0..count).map(|key| at(key as f32 / fps)).collect();
        let found = complaints(&turning(vec![frames(fps, keys)]));
        prop_assert!(found.is_empty(), "{:#?}", found);
    }

    /// Poses by hand, at least three frames apart, baked to frames: however fast it goes
    /// from one pose to another, that is no jump.
    #[test]
    fn a_baked_pose_to_pose_animation_does_not_pop(
        poses in vec((0.126_f32..1.0, random_rig::unit_quat()), 2..8),
    ) {
        let mut secs = 0.0;
        let times: Arc<[f32]> = poses.iter().map(|(gap, _)| { secs += gap; secs }).collect();
        let mut keys: Vec<Quat> = poses.iter().map(|(_, pose)| *pose).collect();
        for key in 1..keys.len() {
            keys[key] = quat::aligned(keys[key], keys[key - 1]);
        }
        let hand = Track { times, keys: Keys::Linear(keys) };
        let modes = rigscope::anim::Modes::default();
        let baked = (0..(secs * 24.0) as usize + 2)
            .map(|frame| rigscope::anim::sample_rotation(&hand, frame as f32 / 24.0, &modes))
            .collect();
        let mut found = complaints(&turning(vec![frames(24.0, baked)]));
        found.retain(|finding| finding.code != FindingCode::RotationNearHalfTurn);
        prop_assert!(found.is_empty(), "{:#?}", found);
    }

    /// Keys of every kind: nothing panics, places exist, numbers are numbers, and no
    /// track has more than a few findings of one code.
    #[test]
    fn any_keys_make_sound_findings(
        mut document in random_rig::document(),
        wild in vec(random_rig::wild_rotation_track(), 13),
        scale in prop_oneof![Just(0.0_f32), Just(-1.0), Just(1e-20), Just(1e15)],
    ) {
        for (track, wild) in rotations(&mut document).zip(wild) {
            *track = wild;
        }
        document.skeleton.joints[0].scale *= scale;
        document.skins = vec![Skin {
            joints: (0..document.skeleton.joints.len() as u32).collect(),
            joint_from_mesh: vec![Mat4::IDENTITY; document.skeleton.joints.len()],
            ..Skin::default()
        }];
        document.instances[0].skin = Some(0);
        let found = findings(&document);
        let mut seen = std::collections::HashMap::new();
        for finding in found.iter().filter(|finding| is_motions(finding.code)) {
            prop_assert_eq!(finding.clip, Some(0));
            let node = finding.node.unwrap_or(0);
            prop_assert!(node < document.skeleton.joints.len());
            for secs in [finding.time_secs, finding.end_secs].into_iter().flatten() {
                prop_assert!(secs.is_finite(), "{:#?}", finding);
            }
            for (name, value) in &finding.values {
                prop_assert!(value.is_finite(), "{} of {:#?}", name, finding);
            }
            let message = &finding.message;
            prop_assert!(!message.contains("NaN") && !message.contains("inf "), "{}", message);
            let track = (finding.code, finding.node, finding.property);
            let count: &mut usize = seen.entry(track).or_default();
            *count += 1;
            prop_assert!(*count <= 3, "{:?}", track);
        }
    }
}

/// As many joints as the largest of known characters, and as many keys.
fn large(joints: usize, keys: usize) -> Document {
    let times: Arc<[f32]> = (0..keys).map(|key| key as f32 / 30.0).collect();
    let track = |joint: usize| {
        let turn = |key: usize| {
            let angle = (key as f32 * 0.05 + joint as f32).sin();
            let q = Quat::from_rotation_z(angle);
            if (key / 7) % 2 == 1 { -q } else { q }
        };
        Track {
            times: times.clone(),
            keys: Keys::Linear((0..keys).map(turn).collect()),
        }
    };
    let mut document = turning((0..joints).map(track).collect());
    for tracks in &mut document.clips[0].joints {
        if let JointTracks::Trs {
            translation, scale, ..
        } = tracks
        {
            let still = |value| {
                Some(Track {
                    times: times.clone(),
                    keys: Keys::Linear(vec![value; keys]),
                })
            };
            (*translation, *scale) = (still(Vec3::Y), still(Vec3::ONE));
        }
    }
    document
}

/// Whole matrices (`OpenGEX`) turn like rotations; they have no sign.
#[test]
fn matrices_pop_and_have_no_sign() {
    let turned = |jump: f32| {
        let angle = |key: usize| 2.0 * key as f32 + if key > 11 { jump } else { 0.0 };
        let keys: Vec<Mat4> = (0..25)
            .map(|key| Mat4::from_rotation_z((angle(key) * 7.0).to_radians()))
            .collect();
        let times = (0..25).map(|key| key as f32 / 24.0).collect();
        let mut document = turning(vec![frames(24.0, vec![Quat::IDENTITY; 25])]);
        document.clips[0].joints = vec![JointTracks::Matrix {
            joint: 0,
            matrix: Track {
                times,
                keys: Keys::Linear(keys),
            },
        }];
        document
    };
    assert_eq!(complaints(&turned(0.0)), []);
    let found = complaints(&turned(15.0));
    let [pop] = &found[..] else {
        panic!("{found:#?}");
    };
    assert_eq!((pop.code, pop.key), (FindingCode::RotationPop, Some(11)));
    assert_eq!(pop.property, Some(Property::Matrix));
}

#[test]
fn large_clips_take_seconds() {
    for (joints, keys) in [(1484, 500), (100, 10_000)] {
        let document = large(joints, keys);
        let start = Instant::now();
        let found = findings(&document).len();
        let secs = start.elapsed().as_secs_f32();
        let all = 3 * joints * keys;
        println!(
            "{joints} joints × {keys} keys: {secs:.2} s, {found} findings, {:.0} ns a key",
            secs * 1e9 / all as f32
        );
        assert!(secs < 10.0, "{secs} s");
        assert!(found <= 3 * joints + 10, "{found} findings");
    }
}

#[test]
fn a_cancelled_watch_ends_it() {
    let watch = Watch::new();
    watch.cancel();
    assert!(analyse(&large(4, 100), Effort::Usual, &watch).is_none());
}

/// On any number of cores the same list in the same order.
#[test]
fn the_report_is_the_same_every_time() {
    let document = large(60, 200);
    let first = findings(&document);
    for _ in 0..4 {
        assert_eq!(findings(&document), first);
    }
}
