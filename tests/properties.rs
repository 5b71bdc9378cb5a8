//! What must hold for any rig, track and time.

#[path = "support/random_rig.rs"]
mod random_rig;

use glam::{Mat4, Quat};
use proptest::{collection::vec, prelude::*, sample::select};
use rigscope::{
    anim::{
        self, Cursor, Globals, Hemisphere, Interpolation, Local, LoopPolicy, Modes, Player, Pose,
        Sampler, SkinMatrix, SplineReading, VectorInterpolation, Weights, sample_rotation,
    },
    document::{Document, Influences, JointTracks, Keys, Primitive, Skin, Track},
    math::{EulerOrder, quat},
};

use random_rig::{document, matrix, rotation_track, times, unit_quat, vec3, wild_rotation_track};

fn modes() -> impl Strategy<Value = Modes> {
    let threshold = prop_oneof![Just(0.0), Just(0.9995), Just(1.0), 0.0_f32..1.0];
    let enums = (
        select(&Interpolation::ALL[..]),
        select(&Hemisphere::ALL[..]),
        select(&EulerOrder::ALL[..]),
        select(&VectorInterpolation::ALL[..]),
    );
    let faults = prop_oneof![3 => Just((true, true)), 1 => any::<(bool, bool)>()];
    (enums, threshold, faults).prop_map(|(enums, threshold, (normalize, scale_tangents))| Modes {
        interpolation: enums.0,
        hemisphere: enums.1,
        threshold,
        euler_order: enums.2,
        vectors: enums.3,
        spline: SplineReading {
            normalize,
            scale_tangents,
        },
    })
}

fn with(interpolation: Interpolation, hemisphere: Hemisphere, threshold: f32) -> Modes {
    Modes {
        interpolation,
        hemisphere,
        threshold,
        ..Modes::default()
    }
}

/// Angle of the rotation between two, radians, after bringing both to unit length.
fn angle(a: Quat, b: Quat) -> f64 {
    let (a, b) = (a.as_dquat().normalize(), b.as_dquat().normalize());
    let b = if a.dot(b) < 0.0 { -b } else { b };
    4.0 * (a - b).length().atan2((a + b).length())
}

/// Two keys one second apart, LINEAR.
fn two_keys(a: Quat, b: Quat) -> Track<Quat> {
    Track {
        times: [0.0, 1.0].into(),
        keys: Keys::Linear(vec![a, b]),
    }
}

fn numbers(local: Local) -> Vec<f32> {
    match local {
        Local::Matrix(matrix) => matrix.to_cols_array().to_vec(),
        Local::Trs(t) => {
            let (translation, scale) = (t.translation.to_array(), t.scale.to_array());
            [&translation[..], &t.rotation.to_array(), &scale].concat()
        }
    }
}

fn assert_same_pose(a: &Pose, b: &Pose, tolerance: f32) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.len(), b.len());
    for (joint, (a, b)) in a.locals().zip(b.locals()).enumerate() {
        let (a, b) = (numbers(a), numbers(b));
        prop_assert_eq!(a.len(), b.len());
        for (x, y) in a.iter().zip(&b) {
            let close = (x - y).abs() <= tolerance * x.abs().max(1.0);
            prop_assert!(close, "joint {}: {:?} and {:?}", joint, a, b);
        }
    }
    prop_assert_eq!(&a.morph_weights, &b.morph_weights);
    Ok(())
}

proptest! {
    #[test]
    fn every_mode_returns_the_key_at_a_key_time(track in rotation_track(), modes in modes()) {
        for (&time, &key) in track.times.iter().zip(track.keys.values()) {
            let got = sample_rotation(&track, time, &modes);
            prop_assert!(angle(got, key) < 1e-6, "{:?}", modes);
            prop_assert!((got.length() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn every_mode_but_step_arrives_at_the_next_key(track in rotation_track(), modes in modes()) {
        let steps = modes.interpolation == Interpolation::Step
            || (modes.interpolation == Interpolation::Authored
                && matches!(track.keys, Keys::Step(_)));
        let keys = track.keys.values();
        for (key, &time) in track.times.iter().enumerate().skip(1) {
            let got = sample_rotation(&track, time.next_down(), &modes);
            let wanted = if steps { keys[key - 1] } else { keys[key] };
            prop_assert!(angle(got, wanted) < 1e-3, "{:?}: {} for {}", modes, got, wanted);
        }
    }

    #[test]
    fn nlerp_and_slerp_meet_half_way(a in unit_quat(), b in unit_quat()) {
        let track = two_keys(a, b);
        let at = |mode| sample_rotation(&track, 0.5, &with(mode, Hemisphere::Align, 1.0));
        prop_assert!(angle(at(Interpolation::Nlerp), at(Interpolation::Slerp)) < 1e-6);
    }

    #[test]
    fn slerp_has_constant_speed_on_both_arcs(a in unit_quat(), b in unit_quat()) {
        let track = two_keys(a, b);
        for (hemisphere, b) in [(Hemisphere::Align, quat::aligned(b, a)), (Hemisphere::Keep, b)] {
            let modes = with(Interpolation::Slerp, hemisphere, 1.0);
            // Twice the angle between the quaternions, hence up to a whole turn.
            let (p, q) = (a.as_dquat(), b.as_dquat());
            let whole = 4.0 * (p - q).length().atan2((p + q).length());
            for step in 0..16 {
                let at = |i: i32| sample_rotation(&track, i as f32 / 16.0, &modes);
                let moved = angle(at(step), at(step + 1));
                prop_assert!((moved - whole / 16.0).abs() < 2e-6, "step {}: {}", step, moved);
            }
        }
    }

    #[test]
    fn aligned_modes_do_not_see_signs(
        track in rotation_track(),
        signs in vec(any::<bool>(), 8),
        modes in modes(),
        time in 0.0_f32..6.0,
    ) {
        prop_assume!(modes.hemisphere != Hemisphere::Keep);
        // "Align" leaves authored cubic splines as they are stored.
        let literal = modes.hemisphere == Hemisphere::Align
            && modes.interpolation == Interpolation::Authored;
        prop_assume!(!(literal && matches!(track.keys, Keys::Cubic { .. })));
        let mut flipped = track.clone();
        let flip = |values: &mut Vec<Quat>| {
            for (value, _) in values.iter_mut().zip(&signs).filter(|(_, flip)| **flip) {
                *value = -*value;
            }
        };
        match &mut flipped.keys {
            Keys::Step(values) | Keys::Linear(values) => flip(values),
            Keys::Cubic { in_tangents, values, out_tangents } => {
                [in_tangents, values, out_tangents].into_iter().for_each(flip);
            }
        }
        let (a, b) = (
            sample_rotation(&track, time, &modes),
            sample_rotation(&flipped, time, &modes),
        );
        prop_assert!(a.abs_diff_eq(b, 1e-6) || a.abs_diff_eq(-b, 1e-6), "{} and {}", a, b);
    }

    #[test]
    fn keep_takes_the_other_way_round(a in unit_quat(), b in unit_quat()) {
        prop_assume!((0.1..0.99).contains(&a.dot(b).abs()));
        let track = two_keys(a, -quat::aligned(b, a));
        for mode in [Interpolation::Authored, Interpolation::Slerp, Interpolation::Nlerp] {
            let at = |hemisphere| sample_rotation(&track, 0.5, &with(mode, hemisphere, 1.0));
            let apart = angle(at(Hemisphere::Align), at(Hemisphere::Keep));
            prop_assert!((apart - std::f64::consts::PI).abs() < 1e-3, "{}", apart);
        }
    }

    #[test]
    fn the_threshold_runs_from_nlerp_to_slerp(
        a in unit_quat(),
        b in unit_quat(),
        u in 0.0_f32..1.0,
        hemisphere in select(&Hemisphere::ALL[..]),
    ) {
        let track = two_keys(a, b);
        let at = |mode, threshold| sample_rotation(&track, u, &with(mode, hemisphere, threshold));
        let nlerp = at(Interpolation::Nlerp, 0.5);
        prop_assert_eq!(at(Interpolation::Slerp, 0.0), nlerp);
        prop_assert_eq!(at(Interpolation::Authored, 0.0), nlerp);
        let cos = quat::dot(a, b).abs();
        prop_assume!(cos < 0.999);
        let slerp = at(Interpolation::Slerp, 1.0);
        prop_assert_eq!(at(Interpolation::Slerp, cos + 1e-5), slerp);
        prop_assert_eq!(at(Interpolation::Slerp, cos - 1e-5), nlerp);
    }

    #[test]
    fn cubic_splines_are_smooth_across_uneven_keys(
        (times, values, tangents) in times(0.2..2.0).prop_flat_map(|times| {
            let count = times.len();
            (Just(times), vec(unit_quat(), count), vec(vec3(2.0), count))
        }),
    ) {
        let tangents: Vec<Quat> =
            tangents.iter().map(|t| Quat::from_vec4(t.extend(0.5))).collect();
        let track = Track {
            times: times.clone(),
            keys: Keys::Cubic {
                in_tangents: tangents.clone(),
                values: values.clone(),
                out_tangents: tangents.clone(),
            },
        };
        let modes = Modes::default();
        for key in 1..times.len().saturating_sub(1) {
            // The derivative of q / |q| where q has unit length.
            let wanted = tangents[key] - values[key] * values[key].dot(tangents[key]);
            for side in [-1.0_f32, 1.0] {
                let at = |steps: f32| {
                    sample_rotation(&track, times[key] + side * steps * 2e-3, &modes)
                };
                let slope = (at(0.0) * -3.0 + at(1.0) * 4.0 - at(2.0)) * (side / 4e-3);
                let error = (slope - wanted).length();
                prop_assert!(error < 0.1, "key {}, side {}: {}", key, side, error);
            }
        }
    }

    #[test]
    fn broken_keys_give_finite_and_repeatable_rotations(
        track in wild_rotation_track(),
        modes in modes(),
        time in 0.0_f32..6.0,
    ) {
        let got = sample_rotation(&track, time, &modes);
        prop_assert!(got.is_finite());
        prop_assert_eq!(got, sample_rotation(&track, time, &modes));
        let lets_be = modes.interpolation == Interpolation::Lerp
            || (modes.interpolation == Interpolation::Authored && !modes.spline.normalize);
        if !lets_be {
            prop_assert!((got.length() - 1.0).abs() < 1e-6, "{}", got);
        }
        // The sampler too, in a rig of one joint.
        let mut document = one_joint();
        document.clips[0].joints.push(JointTracks::Trs {
            joint: 0,
            translation: None,
            rotation: Some(track),
            scale: None,
        });
        let mut pose = Pose::default();
        let sampler = Sampler::new(&document, &document.clips[0]);
        sampler.sample(time, &modes, &mut Cursor::default(), &mut pose);
        match pose.local(0) {
            Local::Trs(local) => {
                let close = local.rotation.abs_diff_eq(got, 1e-6);
                prop_assert!(close, "{} and {}", local.rotation, got);
            }
            Local::Matrix(matrix) => {
                prop_assert!(modes.interpolation.is_by_matrix());
                prop_assert!(matrix.is_finite(), "{}", matrix);
            }
        }
    }

    #[test]
    fn a_sampler_gives_what_plain_sampling_gives(
        document in document(),
        visits in vec((-0.5_f32..5.0, modes()), 1..20),
    ) {
        let clip = &document.clips[0];
        let sampler = Sampler::new(&document, clip);
        // One cursor for all: forwards, backwards and jumping, whatever the modes.
        let (mut cursor, mut fast, mut plain) = (Cursor::default(), Pose::default(), Pose::default());
        for (time, modes) in visits {
            // Nor does it matter what the pose held.
            for joint in 0..fast.len() {
                fast.set_local(joint, [Local::Matrix(Mat4::ZERO), fast.local(0)][joint % 2]);
            }
            fast.morph_weights.iter_mut().flatten().for_each(|weight| *weight = 9.0);
            sampler.sample(time, &modes, &mut cursor, &mut fast);
            anim::sample(clip, &document, time, &modes, &mut plain);
            assert_same_pose(&fast, &plain, 1e-6)?;
        }
        // Key times are where intervals could be mixed up; a strange cursor is no harm.
        for joint in &clip.joints {
            if let JointTracks::Trs { rotation: Some(track), .. } = joint {
                for &time in track.times.iter().rev() {
                    sampler.sample(time, &Modes::default(), &mut cursor, &mut fast);
                    anim::sample(clip, &document, time, &Modes::default(), &mut plain);
                    assert_same_pose(&fast, &plain, 1e-6)?;
                }
            }
        }
    }

    #[test]
    fn globals_are_products_down_the_chain(document in document(), time in 0.0_f32..4.0) {
        let (pose, globals) = posed(&document, time);
        let mut worlds: Vec<Mat4> = Vec::new();
        for (joint, local) in document.skeleton.joints.iter().zip(pose.locals()) {
            let parent = joint.parent.map_or(Mat4::IDENTITY, |parent| worlds[parent]);
            worlds.push(parent * local.to_mat4());
        }
        let scale = worlds.iter().fold(1.0, |s: f32, m| s.max(largest(*m)));
        for (wanted, got) in worlds.iter().zip(globals.worlds()) {
            prop_assert!(wanted.abs_diff_eq(got, 1e-5 * scale), "{} and {}", wanted, got);
        }
    }

    #[test]
    fn the_bind_pose_has_identity_palettes(
        document in document(),
        inverse_binds in vec(matrix(), 13),
    ) {
        let mut document = document;
        let count = document.skeleton.joints.len();
        document.skins.push(Skin {
            joints: (0..count as u32).rev().collect(),
            joint_from_mesh: inverse_binds[..count].to_vec(),
            ..Skin::default()
        });
        let (_, mut globals) = posed(&document, 0.3);
        anim::bind_globals(&document.skins, &mut globals);
        let mut palette = Vec::new();
        anim::palette(&document.skins[0], &globals, &mut palette);
        prop_assert_eq!(palette.len(), count);
        for matrix in palette {
            prop_assert!(matrix.to_mat4().abs_diff_eq(Mat4::IDENTITY, 1e-4));
        }
    }

    #[test]
    fn the_order_of_joints_does_not_matter(
        document in document(),
        keys in vec(any::<u32>(), 14),
        time in 0.0_f32..4.0,
    ) {
        let (shuffled, place) = shuffle(&document, &keys);
        let (_, straight) = posed(&document, time);
        let (_, turned) = posed(&shuffled, time);
        for (joint, &place) in place.iter().enumerate() {
            let (a, b) = (straight.world(joint), turned.world(place));
            prop_assert!(a.abs_diff_eq(b, 1e-6 * largest(a).max(1.0)), "{} and {}", a, b);
        }
    }

    #[test]
    fn both_routes_of_deforming_agree(
        worlds in vec(matrix(), 3),
        inverse_binds in vec(matrix(), 3),
        vertices in vec((vec3(1.0), [0_u16..3, 0_u16..3], [0.0_f32..1.0, 0.0_f32..1.0]), 1..9),
        weights in select(&Weights::ALL[..]),
    ) {
        let primitive = Primitive {
            positions: vertices.iter().map(|v| v.0).collect(),
            influences: Influences {
                per_vertex: 2,
                joints: vertices.iter().flat_map(|v| v.1).collect(),
                weights: vertices.iter().flat_map(|v| v.2).collect(),
            },
            ..Primitive::default()
        };
        let palette: Vec<SkinMatrix> = worlds
            .iter()
            .zip(&inverse_binds)
            .map(|(world, inverse_bind)| SkinMatrix::from_mat4(*world * *inverse_bind))
            .collect();
        let (mut by_matrices, mut by_frames) = (Vec::new(), Vec::new());
        anim::deform_by_skin_matrices(&primitive, &palette, &[], weights, &mut by_matrices);
        anim::deform_by_joint_frames(
            &primitive,
            |slot| worlds[slot],
            &inverse_binds,
            &[],
            weights,
            &mut by_frames,
        );
        for (a, b) in by_matrices.iter().zip(&by_frames) {
            prop_assert!(a.abs_diff_eq(*b, 1e-4), "{} and {}", a, b);
        }
    }

    #[test]
    fn a_playhead_stays_in_range_and_lands_where_small_steps_do(
        policy in select(&LoopPolicy::ALL[..]),
        start in 0.0_f32..2.0,
        length in 0.1_f32..3.0,
        steps in vec((-2.0_f32..4.0, 0.0_f32..5.0), 1..12),
    ) {
        let mut player = Player { loop_policy: policy, ..Player::default() };
        player.set_range(start, start + length);
        for (speed, dt) in steps {
            player.speed = speed;
            player.play();
            let mut slow = player;
            player.advance(dt);
            prop_assert!((start..=start + length).contains(&player.time_secs));
            (0..64).for_each(|_| slow.advance(dt / 64.0));
            // Two ends of a loop are one place.
            let apart = (player.time_secs - slow.time_secs).abs();
            let around = if policy == LoopPolicy::Loop { length - apart } else { apart };
            prop_assert!(apart.min(around) < 1e-4, "{} and {}", player.time_secs, slow.time_secs);
        }
    }

    #[test]
    fn ping_pong_visits_both_ends_and_all_between(
        start in 0.0_f32..2.0,
        length in 0.5_f32..3.0,
        speed in prop_oneof![-2.0_f32..-0.5, 0.5_f32..2.0],
    ) {
        let mut player = Player { loop_policy: LoopPolicy::PingPong, speed, ..Player::default() };
        player.set_range(start, start + length);
        let (mut seen, mut last) = ([false; 8], player.time_secs);
        for _ in 0..(2.0 * length / speed.abs() * 60.0) as usize + 2 {
            player.advance(1.0 / 60.0);
            let step = (player.time_secs - last).abs();
            prop_assert!(step <= speed.abs() / 60.0 + 1e-5, "jumped by {}", step);
            last = player.time_secs;
            seen[(((last - start) / length * 8.0) as usize).min(7)] = true;
        }
        prop_assert_eq!(seen, [true; 8]);
    }
}

fn one_joint() -> Document {
    Document {
        skeleton: rigscope::document::Skeleton {
            joints: vec![rigscope::document::Joint::default()],
            joint_of_node: vec![0],
        },
        clips: vec![rigscope::document::Clip::default()],
        ..Document::default()
    }
}

/// Pose and world matrices of the first clip.
fn posed(document: &Document, time: f32) -> (Pose, Globals) {
    let (mut pose, mut globals) = (Pose::default(), Globals::default());
    let sampler = Sampler::new(document, &document.clips[0]);
    sampler.sample(time, &Modes::default(), &mut Cursor::default(), &mut pose);
    anim::globals(&document.skeleton, &pose, &mut globals);
    (pose, globals)
}

fn largest(matrix: Mat4) -> f32 {
    matrix
        .to_cols_array()
        .iter()
        .fold(0.0, |max, x| max.max(x.abs()))
}

/// The same rig with its joints in another order, parents still before children, and
/// the new place of each joint.
fn shuffle(document: &Document, keys: &[u32]) -> (Document, Vec<usize>) {
    let joints = &document.skeleton.joints;
    let mut order: Vec<usize> = Vec::new();
    while order.len() < joints.len() {
        let ready = |&joint: &usize| {
            !order.contains(&joint)
                && joints[joint]
                    .parent
                    .is_none_or(|parent| order.contains(&parent))
        };
        let next = (0..joints.len())
            .filter(ready)
            .min_by_key(|&joint| keys[joint]);
        order.push(next.expect("parents come first, so some joint is always ready"));
    }
    let mut place = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    let mut shuffled = document.clone();
    for (new, &old) in order.iter().enumerate() {
        let mut joint = joints[old].clone();
        joint.parent = joint.parent.map(|parent| place[parent]);
        shuffled.skeleton.joint_of_node[joint.node] = new;
        shuffled.skeleton.joints[new] = joint;
    }
    let clip = &mut shuffled.clips[0];
    for tracks in &mut clip.joints {
        match tracks {
            JointTracks::Trs { joint, .. } | JointTracks::Matrix { joint, .. } => {
                *joint = place[*joint];
            }
        }
    }
    clip.joints.sort_by_key(JointTracks::joint);
    for joint in [&mut clip.morphs[0].joint, &mut shuffled.instances[0].joint] {
        *joint = place[*joint];
    }
    (shuffled, place)
}
