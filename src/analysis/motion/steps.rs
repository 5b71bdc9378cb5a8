//! Jumps within one frame, between plateaus, stored as LINEAR: what an exporter makes of
//! a STEP when it samples every frame.

use glam::Vec3;

use super::{clip::Lane, turns::Turns, words};
use crate::document::{Finding, FindingCode, Property, Severity};

/// Nothing below these is a jump that anybody would see.
const MIN_DEGREES: f64 = 10.0;
/// Of the rig's height.
const MIN_TRAVEL: f64 = 0.01;
/// Of the larger of the two.
const MIN_SCALE: f64 = 0.05;
const MIN_WEIGHT: f64 = 0.1;

/// Plateaus last at least so many frames …
const PLATEAU_FRAMES: f64 = 2.0;
/// … and are this flat, as a part of the jump.
const PLATEAU: f64 = 0.01;

/// Intervals of rotation or matrix keys that jump, and the findings about them.
pub(super) fn of_turns(turns: &Turns<'_>) -> (Vec<usize>, Vec<Finding>) {
    let lane = &turns.lane;
    let jumps = jumps(lane, MIN_DEGREES, |a, b| {
        if b == a + 1 {
            turns.all[a].degrees
        } else {
            turns.degrees_between(a, b)
        }
    });
    let findings = lane.few(&jumps, |&key| {
        let degrees = turns.all[key].degrees;
        let what = format!("turns {}", words::degrees(degrees));
        finding(lane, key, &what).with("jump_deg", degrees)
    });
    (jumps, findings)
}

pub(super) fn of_translation(lane: &Lane<'_>, keys: &[Vec3]) -> Vec<Finding> {
    let unit = lane.motion.unit_of_translation(lane.joint);
    let metres = |a: usize, b: usize| f64::from(keys[a].distance(keys[b])) * unit;
    let least = lane.motion.height * MIN_TRAVEL;
    let jumps = jumps(lane, least, metres);
    lane.few(&jumps, |&key| {
        let jump = metres(key, key + 1);
        let what = format!("moves {}", words::metres(jump));
        finding(lane, key, &what).with("jump", jump)
    })
}

pub(super) fn of_scale(lane: &Lane<'_>, keys: &[Vec3]) -> Vec<Finding> {
    let part = |a: usize, b: usize| {
        let size = keys[a].abs().max(keys[b].abs()).max_element();
        f64::from((keys[a] - keys[b]).abs().max_element() / size.max(f32::MIN_POSITIVE))
    };
    let jumps = jumps(lane, MIN_SCALE, part);
    lane.few(&jumps, |&key| {
        let [from, to] = [keys[key], keys[key + 1]].map(|scale| {
            let [x, y, z] = scale.to_array().map(|s| words::number(f64::from(s), 3));
            if x == y && y == z {
                x
            } else {
                format!("({x}, {y}, {z})")
            }
        });
        let what = format!("changes its scale from {from} to {to}");
        finding(lane, key, &what).with("jump_ratio", part(key, key + 1))
    })
}

/// `weights` holds `targets` entries a key.
pub(super) fn of_weights(lane: &Lane<'_>, weights: &[f32], targets: usize) -> Vec<Finding> {
    let of = |key: usize| &weights[key * targets..(key + 1) * targets];
    let farthest = |a: usize, b: usize| {
        let apart = of(a).iter().zip(of(b)).map(|(a, b)| (a - b).abs());
        apart
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b))
            .unwrap_or((0, 0.0))
    };
    let jumps = jumps(lane, MIN_WEIGHT, |a, b| f64::from(farthest(a, b).1));
    lane.few(&jumps, |&key| {
        let (target, jump) = farthest(key, key + 1);
        let what = format!(
            "changes the weight of morph target {target} by {}",
            words::number(f64::from(jump), 3)
        );
        finding(lane, key, &what)
            .with("jump", f64::from(jump))
            .with("target", target as f64)
    })
}

fn finding(lane: &Lane<'_>, key: usize, what: &str) -> Finding {
    let of = match lane.property {
        Property::Matrix => "its matrix",
        property => property.as_str(),
    };
    let message = format!(
        "{} {what} between {}, within one frame, while its {of} holds before and after: probably a STEP that was exported as LINEAR",
        lane.name(),
        lane.keys(key, key + 1)
    );
    lane.finding(
        FindingCode::ProbableLostStep,
        Severity::Info,
        (key, key + 1),
        message,
    )
    .with("interval_secs", lane.gap_secs(key))
}

/// Keys after which the value jumps by at least `least` within a frame, with plateaus
/// around; `distance` is that between two keys.
fn jumps(lane: &Lane<'_>, least: f64, distance: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let frame_secs = f64::from(lane.motion.frame_secs);
    let times = lane.times;
    let plateau = PLATEAU_FRAMES * frame_secs * 0.99;
    (0..times.len().saturating_sub(1))
        .filter(|&key| {
            if lane.gap_secs(key) > frame_secs * 1.1 {
                return false;
            }
            let jump = distance(key, key + 1);
            let flat = jump * PLATEAU;
            jump >= least
                && jump > 0.0
                && held_before(times, key, plateau, |k| distance(k, key) <= flat)
                && held_after(lane, key + 1, plateau, |k| distance(key + 1, k) <= flat)
        })
        .collect()
}

/// Whether the value held for so many seconds up to `key`. It holds before the first key.
fn held_before(times: &[f32], key: usize, secs: f64, same: impl Fn(usize) -> bool) -> bool {
    let held = |since: f32| f64::from(times[key] - since) >= secs;
    for earlier in (0..key).rev() {
        if !same(earlier) {
            return false;
        }
        if held(times[earlier]) {
            return true;
        }
    }
    held(0.0)
}

/// The same from `key` on. It holds after the last key, up to the end of the clip.
fn held_after(lane: &Lane<'_>, key: usize, secs: f64, same: impl Fn(usize) -> bool) -> bool {
    let times = lane.times;
    let held = |until: f32| f64::from(until - times[key]) >= secs;
    for (later, &secs_of_later) in times.iter().enumerate().skip(key + 1) {
        if !same(later) {
            return false;
        }
        if held(secs_of_later) {
            return true;
        }
    }
    held(lane.motion.clip.duration_secs)
}
