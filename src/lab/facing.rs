//! A figure that turns towards a moving target, a step each frame, in three ways: baked
//! into dense keys, one clip a way.

use core::f32::consts::TAU;

use glam::{Mat3, Quat, Vec3};

use super::limb::{BLUE, Builder, CORAL, CREAM, SAND, SLATE, ball, rotation};
use crate::{
    document::{Document, JointTracks, Keys, Track},
    math::{EulerOrder, quat},
};

/// Frames a second of the simulation.
const RATE: usize = 60;
const SECONDS: usize = 8;
/// Share of what is left that each frame turns.
const EASE: f32 = 0.06;
/// What is left below this is turned at once.
const SNAP_DEGREES: f32 = 2.0;

/// A step from where it looks to where it should.
type Step = fn(Quat, Quat) -> Quat;

/// By name of the clip.
pub(super) const WAYS: [(&str, Step); 3] = [
    ("slerp", by_slerp),
    ("component lerp", by_lerp),
    ("Euler angles", by_euler),
];

fn by_slerp(from: Quat, to: Quat) -> Quat {
    quat::slerp(from, quat::aligned(to, from), EASE, 1.0)
}

/// As many players do it: no look at signs, normalised at the end.
fn by_lerp(from: Quat, to: Quat) -> Quat {
    quat::nlerp(from, to, EASE)
}

/// Angles one by one, without a thought for whole turns.
fn by_euler(from: Quat, to: Quat) -> Quat {
    let order = EulerOrder::Yxz;
    let (a, b) = (order.degrees(from), order.degrees(to));
    order.quat(a + (b - a) * EASE)
}

/// Where the target is: round the figure, up and down, and behind its back again and
/// again.
fn target(time_secs: f32) -> Vec3 {
    let share = time_secs / SECONDS as f32;
    let yaw = 2.6 * (share * TAU).sin() + share * TAU;
    let height = 1.15 + 0.45 * (share * TAU * 2.0).sin();
    Vec3::new(0.7 * yaw.sin(), height, 0.7 * yaw.cos())
}

/// The rotation that looks along a direction, head up.
fn looking(direction: Vec3) -> Quat {
    let z = direction.normalize_or(Vec3::Z);
    let x = Vec3::Y.cross(z).normalize_or(Vec3::X);
    Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z))
}

pub(super) fn document() -> Document {
    let mut builder = Builder::new("Turning to face");
    let body = builder.joint("body", None, Vec3::ZERO);
    let head = builder.joint("head", Some(body), Vec3::Y * 1.15);
    let goal = builder.joint("target", None, target(0.0));
    let profile = [
        (0.0, 0.0),
        (0.0, 0.2),
        (0.012, 0.215),
        (0.05, 0.21),
        (0.2, 0.185),
        (0.45, 0.16),
        (0.7, 0.17),
        (0.8, 0.165),
        (0.88, 0.13),
        (0.93, 0.07),
        (0.96, 0.05),
        (1.02, 0.045),
        (1.04, 0.0),
    ];
    builder.solid(body, &profile, SAND);
    builder.solid(head, &ball(0.19), CREAM);
    let part = |builder: &mut Builder, name: &str, at: Vec3, radius: f32, color| {
        let joint = builder.joint(name, Some(head), at);
        builder.solid(joint, &ball(radius), color);
    };
    part(
        &mut builder,
        "nose",
        Vec3::new(0.0, -0.02, 0.2),
        0.05,
        CORAL,
    );
    part(
        &mut builder,
        "left eye",
        Vec3::new(0.075, 0.05, 0.158),
        0.028,
        SLATE,
    );
    part(
        &mut builder,
        "right eye",
        Vec3::new(-0.075, 0.05, 0.158),
        0.028,
        SLATE,
    );
    builder.solid(goal, &ball(0.07), BLUE);
    let eyes = Vec3::Y * 1.15;
    for (name, step) in WAYS {
        let mut times = Vec::new();
        let (mut places, mut heads) = (Vec::new(), Vec::new());
        let mut now = looking(target(0.0) - eyes);
        for frame in 0..=SECONDS * RATE {
            let time_secs = frame as f32 / RATE as f32;
            let place = target(time_secs);
            let wanted = looking(place - eyes);
            let left = 2.0 * now.dot(wanted).abs().min(1.0).acos().to_degrees();
            now = if left < SNAP_DEGREES {
                wanted
            } else {
                step(now, wanted)
            };
            times.push(time_secs);
            places.push(place);
            heads.push(now);
        }
        let moves = JointTracks::Trs {
            joint: goal,
            translation: Some(Track {
                times: times.iter().copied().collect(),
                keys: Keys::Linear(places),
            }),
            rotation: None,
            scale: None,
        };
        let turns = rotation(head, times.into_iter(), Keys::Linear(heads));
        builder.clip(name, vec![moves, turns]);
    }
    builder.done()
}
