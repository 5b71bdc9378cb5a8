//! What the curve view plots: the same that is played, and the right numbers where they
//! are known.

#[path = "support/random_rig.rs"]
#[allow(dead_code, reason = "each test program uses its own part of this")]
mod random_rig;

use std::sync::Arc;

use glam::{Quat, Vec3};
use proptest::prelude::*;
use rigscope::{
    analysis::curves::{Curve, Dots, JointCurves, Reading, Resolution, Trace, Unit},
    anim::{Hemisphere, Interpolation, Local, Modes, sample_rotation},
    document::{Clip, Document, Joint, JointTracks, Keys, Property, Track},
    math::EulerOrder,
    scene::Character,
};

/// One joint with these rotation keys, a second apart.
fn turning(keys: Keys<Quat>) -> JointCurves {
    let times: Arc<[f32]> = (0..keys.values().len()).map(|key| key as f32).collect();
    let duration_secs = times.last().copied().unwrap_or_default();
    let mut document = Document::default();
    document.skeleton.joints.push(Joint::default());
    document.clips.push(Clip {
        duration_secs,
        joints: vec![JointTracks::Trs {
            joint: 0,
            translation: None,
            rotation: Some(Track { times, keys }),
            scale: None,
        }],
        ..Clip::default()
    });
    JointCurves::new(&document, 0, 0).expect("clip and joint exist")
}

fn reading(interpolation: Interpolation, hemisphere: Hemisphere) -> Reading {
    Reading {
        modes: Modes {
            interpolation,
            hemisphere,
            threshold: 1.0,
            ..Modes::default()
        },
        continuous: false,
    }
}

fn value(joint: &mut JointCurves, curve: Curve, reading: &Reading, time: f32) -> Vec<f32> {
    let mut out = Vec::new();
    joint.value(curve, reading, time, &mut out);
    assert_eq!(out.len(), joint.width(curve));
    out
}

fn over(start: f32, end: f32, pixels: usize) -> Resolution {
    Resolution {
        range: start..end,
        pixels,
        tolerance: None,
    }
}

/// The value of a trace's component on its line at a time.
fn on_line(trace: &Trace, component: usize, time: f32) -> Option<f32> {
    let line = trace.components[component]
        .iter()
        .find(|line| line[0][0] <= time && line[line.len() - 1][0] >= time)?;
    let after = line
        .partition_point(|p| p[0] <= time)
        .clamp(1, (line.len() - 1).max(1));
    let [Some(a), b] = [line.get(after - 1), line.get(after)] else {
        return None;
    };
    let b = b.unwrap_or(a);
    let share = if b[0] > a[0] {
        (time - a[0]) / (b[0] - a[0])
    } else {
        0.0
    };
    Some(a[1] + (b[1] - a[1]) * share)
}

#[test]
fn slerp_turns_evenly_and_nlerp_is_fast_in_the_middle() {
    // Half a turn: the keys' quaternions are at right angles.
    let mut joint = turning(Keys::Linear(vec![
        Quat::IDENTITY,
        Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
    ]));
    let slerp = reading(Interpolation::Slerp, Hemisphere::Align);
    for step in 0..64 {
        let speed = value(&mut joint, Curve::AngularSpeed, &slerp, step as f32 / 64.0);
        assert!(
            (speed[0] - 180.0).abs() < 0.05,
            "slerp at {step}: {speed:?}"
        );
    }
    // For a blend of a and b at right angles the half angle is atan(u / (1 − u)), whose
    // derivative is 1 / (u² + (1 − u)²): 1 at the ends, 2 in the middle.
    let nlerp = reading(Interpolation::Nlerp, Hemisphere::Align);
    for step in 2..63 {
        let u = step as f32 / 64.0;
        let speed = value(&mut joint, Curve::AngularSpeed, &nlerp, u);
        let wanted = 2.0_f32.to_degrees() / (u * u + (1.0 - u) * (1.0 - u));
        assert!(
            (speed[0] / wanted - 1.0).abs() < 2e-3,
            "nlerp at {u}: {speed:?}, not {wanted}"
        );
    }
    let length = value(&mut joint, Curve::LengthBeforeNormalising, &nlerp, 0.5);
    assert!((length[0] - 0.5_f32.sqrt()).abs() < 1e-6, "{length:?}");
    let length = value(&mut joint, Curve::LengthBeforeNormalising, &slerp, 0.5);
    assert!((length[0] - 1.0).abs() < 1e-6, "{length:?}");
    let step = reading(Interpolation::Step, Hemisphere::Align);
    assert_eq!(value(&mut joint, Curve::AngularSpeed, &step, 0.5), [0.0]);
}

#[test]
fn a_flip_shows_its_stored_and_its_true_angle() {
    let turn = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
    let mut joint = turning(Keys::Linear(vec![
        turn(0.0),
        turn(10.0),
        -turn(31.0),
        -turn(40.0),
    ]));
    let align = reading(Interpolation::Authored, Hemisphere::Align);
    let keep = reading(Interpolation::Authored, Hemisphere::Keep);
    let [short, stored] = value(&mut joint, Curve::AngleToPreviousKey, &align, 1.5)[..] else {
        unreachable!("two components");
    };
    assert!((short - 21.0).abs() < 1e-3 && (stored - 339.0).abs() < 1e-3);
    assert_eq!(joint.flips(), [[1.0, 2.0]]);
    // Played one way it turns by 21°, the other way by 339°.
    for (reading, degrees) in [(align, 21.0), (keep, 339.0)] {
        let speed = value(&mut joint, Curve::AngularSpeed, &reading, 1.5);
        assert!((speed[0] - degrees).abs() < 0.1, "{speed:?}, not {degrees}");
    }
    // After alignment the components have no step, as stored they have.
    let dots = joint.dots(Curve::QuaternionAligned, &align);
    let steps = |dots: &Dots| -> f32 {
        let pairs = dots.values.chunks(4).zip(dots.values[4..].chunks(4));
        pairs
            .flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()))
            .fold(0.0, f32::max)
    };
    assert!(steps(&dots) < 0.2, "{dots:?}");
    let dots = joint.dots(Curve::QuaternionStored, &align);
    assert!(steps(&dots) > 1.5, "{dots:?}");
    assert_eq!(
        dots.values[8..12],
        (-turn(31.0)).to_array(),
        "exactly as stored"
    );
    // The line jumps at the key, once.
    for (curve, runs) in [(Curve::QuaternionStored, 2), (Curve::QuaternionAligned, 1)] {
        let trace = joint.trace(curve, &align, &over(0.0, 3.0, 300));
        assert_eq!(trace.components[3].len(), runs, "{curve:?}");
    }
}

#[test]
fn half_a_turn_and_equal_keys_have_their_angles() {
    let q = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5);
    let mut joint = turning(Keys::Linear(vec![
        Quat::IDENTITY,
        Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        q,
        -q,
        -q,
    ]));
    let align = reading(Interpolation::Slerp, Hemisphere::Align);
    let arcs =
        |joint: &mut JointCurves, time| value(joint, Curve::AngleToPreviousKey, &align, time);
    assert_eq!(arcs(&mut joint, 0.5), [180.0, 180.0]);
    assert_eq!(arcs(&mut joint, 2.5), [0.0, 360.0], "a lost turn");
    assert_eq!(arcs(&mut joint, 3.5), [0.0, 0.0]);
    assert_eq!(
        arcs(&mut joint, 4.0),
        [0.0, 0.0],
        "the last key ends an interval"
    );
    for time in [-1.0, 4.001, 9.0] {
        assert!(
            arcs(&mut joint, time).iter().all(|a| a.is_nan()),
            "at {time}"
        );
    }
    let angle = value(&mut joint, Curve::AngleFromOrientation, &align, 1.0);
    assert!((angle[0] - 180.0).abs() < 1e-4);
}

#[test]
fn a_spline_through_opposite_keys_gets_short() {
    let turn = |degrees: f32| Quat::from_rotation_y(degrees.to_radians());
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut joint = turning(Keys::Cubic {
        in_tangents: vec![zero; 2],
        values: vec![turn(-90.0), -turn(80.0)],
        out_tangents: vec![zero; 2],
    });
    let authored = reading(Interpolation::Authored, Hemisphere::Align);
    let length = value(&mut joint, Curve::LengthBeforeNormalising, &authored, 0.5);
    assert!(length[0] < 0.9, "{length:?}");
    let trace = joint.trace(
        Curve::LengthBeforeNormalising,
        &authored,
        &over(0.0, 1.0, 200),
    );
    let [low, high] = trace.extent(0).expect("there are points");
    assert!(low <= length[0] + 1e-3 && (high - 1.0).abs() < 1e-4);
    // What is played is of unit length all the same.
    let q = value(&mut joint, Curve::QuaternionStored, &authored, 0.5);
    let q = Quat::from_slice(&q);
    assert!((q.length() - 1.0).abs() < 1e-5);
}

#[test]
fn keys_off_unit_length_are_shown_as_they_are() {
    let q = Quat::from_rotation_x(0.4);
    let mut joint = turning(Keys::Linear(vec![q * 0.8, q * 1.5, q * 0.0]));
    let align = reading(Interpolation::Authored, Hemisphere::Align);
    let dots = joint.dots(Curve::LengthBeforeNormalising, &align);
    for (length, wanted) in dots.values.iter().zip([0.8, 1.5, 0.0]) {
        assert!((length - wanted).abs() < 1e-6, "{dots:?}");
    }
    let dots = joint.dots(Curve::QuaternionStored, &align);
    assert_eq!(dots.values[..4], (q * 0.8).to_array());
}

#[test]
fn euler_angles_start_over_or_go_on() {
    let turns: Vec<Quat> = (0..=8)
        .map(|key| Quat::from_rotation_z((key as f32 * 90.0).to_radians()))
        .collect();
    let mut joint = turning(Keys::Linear(turns));
    let curve = Curve::Euler(EulerOrder::Xyz);
    let mut reading = reading(Interpolation::Authored, Hemisphere::Align);
    // Two whole turns: from 180° it starts over, twice.
    let trace = joint.trace(curve, &reading, &over(0.0, 8.0, 400));
    let runs = &trace.components[2];
    assert_eq!(runs.len(), 3, "{runs:?}");
    for run in runs {
        for pair in run.windows(2) {
            assert!((pair[1][1] - pair[0][1]).abs() < 360.0, "{pair:?}");
        }
    }
    assert!((runs[0][runs[0].len() - 1][0] - 2.0).abs() < 0.01);
    reading.continuous = true;
    let trace = joint.trace(curve, &reading, &over(0.0, 8.0, 400));
    assert_eq!(trace.components[2].len(), 1);
    for (time, degrees) in [(0.0, 0.0), (2.5, 225.0), (6.25, 562.5), (8.0, 720.0)] {
        let angles = value(&mut joint, curve, &reading, time);
        assert!((angles[2] - degrees).abs() < 0.05, "at {time}: {angles:?}");
        let line = on_line(&trace, 2, time).expect("within the clip");
        assert!((line - degrees).abs() < 1.0, "line at {time}: {line}");
    }
    let dots = joint.dots(curve, &reading);
    assert!((dots.values[8 * 3 + 2] - 720.0).abs() < 0.05, "{dots:?}");
    // The plain angle turns back at half a turn, the continuous one goes on to 360.
    let angle = Curve::AngleFromOrientation;
    assert!((value(&mut joint, angle, &reading, 3.0)[0] - 270.0).abs() < 0.05);
    reading.continuous = false;
    assert!((value(&mut joint, angle, &reading, 3.0)[0] - 90.0).abs() < 0.05);
}

#[test]
fn a_gimbal_is_passed_without_numbers_that_are_none() {
    let through =
        |degrees: f32| Quat::from_rotation_x(0.3) * Quat::from_rotation_y(degrees.to_radians());
    let mut joint = turning(Keys::Linear(vec![
        through(60.0),
        through(90.0),
        through(120.0),
    ]));
    let reading = reading(Interpolation::Authored, Hemisphere::Align);
    let curve = Curve::Euler(EulerOrder::Xyz);
    let trace = joint.trace(curve, &reading, &over(0.0, 2.0, 400));
    // The middle angle turns back at 90°; the outer ones jump by half a turn.
    let [_, high] = trace.extent(1).expect("points");
    assert!((high - 90.0).abs() < 0.5, "{high}");
    assert!(trace.components[0].len() > 1, "the jump of x is visible");
    let mut smooth = reading;
    smooth.continuous = true;
    let angles = value(&mut joint, curve, &smooth, 2.0);
    assert!((angles[1] - 120.0).abs() < 0.1, "{angles:?}");
}

#[test]
fn steps_are_drawn_as_steps() {
    let turn = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
    let mut joint = turning(Keys::Step(vec![turn(0.0), turn(50.0), turn(90.0)]));
    let authored = reading(Interpolation::Authored, Hemisphere::Align);
    let trace = joint.trace(Curve::AngleFromOrientation, &authored, &over(0.0, 2.0, 100));
    let runs = &trace.components[0];
    assert_eq!(runs.len(), 3);
    assert!(
        (runs[0][1][0] - 1.0).abs() < 1e-6,
        "up to the key: {runs:?}"
    );
    assert_eq!(runs[0].len(), 2, "level: {runs:?}");
    assert!(joint.flips().is_empty());
}

#[test]
fn no_more_points_than_a_plot_can_show_and_no_spike_lost() {
    for (keys, pixels) in [
        (2, 800),
        (25, 800),
        (300, 800),
        (5_000, 800),
        (100_000, 300),
    ] {
        let rotations: Vec<Quat> = (0..keys)
            .map(|key| {
                let spike = if key == keys / 2 { 2.5 } else { 0.0 };
                Quat::from_rotation_x((key as f32 * 0.01).sin() * 0.5 + spike)
            })
            .collect();
        let mut joint = turning(Keys::Linear(rotations));
        let end = joint.duration_secs();
        let align = reading(Interpolation::Authored, Hemisphere::Align);
        for curve in Curve::ALL {
            let trace = joint.trace(curve, &align, &over(0.0, end, pixels));
            for component in &trace.components {
                let points: usize = component.iter().map(Vec::len).sum();
                let limit = 2 * pixels + 2 * keys.min(pixels) + 2;
                assert!(points <= limit, "{curve:?} {keys}: {points} points");
            }
        }
        let trace = joint.trace(Curve::AngleFromOrientation, &align, &over(0.0, end, pixels));
        let [_, high] = trace.extent(0).expect("points");
        assert!(high > 110.0, "{keys} keys: the spike is lost, {high}");
    }
}

#[test]
fn a_joint_that_the_clip_leaves_alone_stays_at_rest() {
    let mut document = Document::default();
    document.skeleton.joints.push(Joint {
        translation: Vec3::new(1.0, 2.0, 3.0),
        ..Joint::default()
    });
    document.clips.push(Clip {
        duration_secs: 2.0,
        ..Clip::default()
    });
    let mut joint = JointCurves::new(&document, 0, 0).expect("clip and joint exist");
    let reading = Reading::default();
    assert!(joint.times(Property::Translation).is_none());
    assert_eq!(joint.dots(Curve::Translation, &reading), Dots::default());
    assert_eq!(
        value(&mut joint, Curve::Translation, &reading, 1.0),
        [1.0, 2.0, 3.0]
    );
    let trace = joint.trace(Curve::Translation, &reading, &over(0.0, 2.0, 100));
    assert_eq!(trace.components[1], [[[0.0, 2.0], [2.0, 2.0]]]);
    assert_eq!(joint.width(Curve::MorphWeights), 0);
    assert!(JointCurves::new(&document, 1, 0).is_none());
    assert!(JointCurves::new(&document, 0, 1).is_none());
}

#[test]
fn units_and_names_fit_each_other() {
    for curve in Curve::ALL {
        assert!(!curve.label().is_empty() && !curve.description().is_empty());
        assert_eq!(curve.components().is_empty(), curve.unit() == Unit::Weight);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Bit for bit, in every mode, for every joint: at any time, and at each point of
    /// each line.
    #[test]
    fn what_is_plotted_is_what_is_played(document in random_rig::document()) {
        let document = Arc::new(document);
        let mut character = Character::new(document.clone());
        for interpolation in Interpolation::ALL {
            for hemisphere in Hemisphere::ALL {
                let reading = Reading {
                    modes: Modes { interpolation, hemisphere, threshold: 0.9, ..Modes::default() },
                    continuous: false,
                };
                character.technique.modes = reading.modes;
                for joint in 0..document.skeleton.joints.len() {
                    let mut curves = JointCurves::new(&document, 0, joint).expect("exists");
                    let resolution = Resolution { range: -0.1..4.2, pixels: 60, tolerance: None };
                    for curve in [
                        Curve::QuaternionStored,
                        Curve::Translation,
                        Curve::Scale,
                        Curve::MorphWeights,
                    ] {
                        let trace = curves.trace(curve, &reading, &resolution);
                        for (component, lines) in trace.components.iter().enumerate() {
                            for &[time, plotted] in lines.iter().flatten() {
                                // The stage has no time outside the clip.
                                let Some(played) = played(&mut character, joint, curve, time)
                                else { continue };
                                prop_assert_eq!(
                                    plotted.to_bits(),
                                    played[component].to_bits(),
                                    "{:?} {:?} joint {} at {}: {} and {:?}",
                                    curve, reading.modes, joint, time, plotted, played
                                );
                            }
                        }
                    }
                }
            }
        }
    }

    /// Degenerate keys give finite numbers, and lines without end are never made.
    #[test]
    fn wild_keys_make_no_wild_curves(track in random_rig::wild_rotation_track()) {
        let mut document = Document::default();
        document.skeleton.joints.push(Joint::default());
        document.clips.push(Clip {
            duration_secs: track.end_secs(),
            joints: vec![JointTracks::Trs {
                joint: 0, translation: None, rotation: Some(track.clone()), scale: None,
            }],
            ..Clip::default()
        });
        let mut joint = JointCurves::new(&document, 0, 0).expect("exists");
        let end = track.end_secs() + 0.5;
        for interpolation in Interpolation::ALL {
            for hemisphere in Hemisphere::ALL {
                for continuous in [false, true] {
                    let modes = Modes { interpolation, hemisphere, threshold: 0.9995, ..Modes::default() };
                    let reading = Reading { modes, continuous };
                    for curve in Curve::ALL {
                        let trace = joint.trace(curve, &reading, &over(0.0, end, 100));
                        for line in trace.components.iter().flatten() {
                            prop_assert!(line.windows(2).all(|pair| pair[0][0] < pair[1][0]));
                            prop_assert!(line.iter().all(|p| p[1].is_finite()));
                        }
                        let dots = joint.dots(curve, &reading);
                        prop_assert_eq!(
                            dots.values.len(),
                            dots.times.len() * joint.width(curve)
                        );
                    }
                    // The raw blend and what is played point the same way.
                    for step in 0..20 {
                        let time = end * step as f32 / 20.0;
                        let played = sample_rotation(&track, time, &modes);
                        let raw = rigscope::anim::rotation_before_normalising(
                            &track, time, &modes,
                        );
                        if interpolation != Interpolation::Lerp
                            && raw.length().is_finite() && raw.length() > 1e-6
                        {
                            prop_assert!(raw.normalize().dot(played) > 1.0 - 1e-5);
                        }
                    }
                }
            }
        }
    }
}

/// A joint's numbers in the pose of a character at a time; `None` outside the clip.
fn played(character: &mut Character, joint: usize, curve: Curve, time: f32) -> Option<Vec<f32>> {
    if !(0.0..=character.player.duration_secs).contains(&time) {
        return None;
    }
    character.player.seek(time);
    character.update();
    if curve == Curve::MorphWeights {
        return character.pose.morph_weights.first().cloned();
    }
    let Local::Trs(local) = character.pose.local(joint) else {
        // Taken apart for the plot; the matrix itself has no such components.
        return None;
    };
    Some(match curve {
        Curve::Translation => local.translation.to_array().to_vec(),
        Curve::Scale => local.scale.to_array().to_vec(),
        _ => local.rotation.to_array().to_vec(),
    })
}
