//! A turn far faster than the motion around it.
//!
//! The yardstick is the motion itself: the fastest of the three intervals on either
//! side. A turn counts that is five times as fast, and a jump to the eye at all. That
//! leaves alone whatever speeds up and slows down over some frames, an even spin, and a
//! move out of stillness. It takes evenly spaced keys to tell: where somebody keyed
//! poses by hand, a fast interval between slow ones is what was meant.
//!
//! One rival in the neighbourhood is forgiven, for faults come in pairs: a joint that
//! snaps over also snaps back. Two fast intervals side by side are one quick move,
//! unless the second undoes the first: then the key between them is off.

use super::{
    signs,
    turns::{Turn, Turns},
    words,
};
use crate::document::{Finding, FindingCode, Severity};

/// Less is no jump.
const MIN_DEGREES: f64 = 20.0;
/// Slower is no jump: 8° a frame at 24 frames a second.
const MIN_SPEED: f64 = 200.0;
/// Times the fastest neighbour.
const RATIO: f64 = 5.0;
/// Neighbours on each side.
const REACH: usize = 3;
/// Neighbours that there must be on each side: the ends of a clip have no surroundings.
const MIN_REACH: usize = 2;
/// Keys count as evenly spaced if no gap is longer or shorter by this.
const UNEVEN: f64 = 2.0;
/// Up to this many degrees per second around it nothing moves. A jump from rest to rest
/// is a snap, which somebody may well have meant (see `steps`) …
const STILL_SPEED: f64 = 3.0;
/// … and so is a short flick there and back, such as a blink.
const FLICK_DEGREES: f64 = 45.0;

/// A jump, or a key that stands apart.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pop {
    /// The first of its intervals.
    first: usize,
    /// The last one: the same, or the next where the key between them is off.
    last: usize,
    /// The fastest of the motion around it.
    around: f64,
    /// Whether one interval nearby that is faster was forgiven.
    forgiven: bool,
}

/// `steps` are intervals that were reported as jumps between plateaus, sorted.
pub(super) fn check(turns: &Turns<'_>, steps: &[usize]) -> Vec<Finding> {
    let mut pops = Vec::new();
    let mut interval = 0;
    while interval < turns.all.len() {
        let pop = find(turns, interval);
        interval = pop.map_or(interval, |pop| pop.last) + 1;
        pops.extend(pop.filter(|pop| {
            let named_already =
                |i| steps.binary_search(&i).is_ok() || signs::is_near_half_turn(&turns.all[i]);
            !(pop.first..=pop.last).any(named_already)
        }));
    }
    turns.lane.few(&pops, |pop| finding(turns, pop))
}

fn is_jump(turn: &Turn) -> bool {
    turn.degrees >= MIN_DEGREES && turn.speed() >= MIN_SPEED
}

/// The pop that begins with this interval, if one does.
fn find(turns: &Turns<'_>, first: usize) -> Option<Pop> {
    let all = &turns.all;
    let turn = &all[first];
    if !is_jump(turn) {
        return None;
    }
    let back = all.get(first + 1).filter(|next| {
        let undone = turns.degrees_between(first, first + 2);
        is_jump(next) && undone <= turn.degrees.min(next.degrees) / 4.0
    });
    let last = first + usize::from(back.is_some());
    let before = first.saturating_sub(REACH)..first;
    let after = last + 1..all.len().min(last + 1 + REACH);
    if before.len() < MIN_REACH || after.len() < MIN_REACH {
        return None;
    }
    let neighbours = || before.clone().chain(after.clone());
    let even = |i: usize| (1.0 / UNEVEN..=UNEVEN).contains(&(all[i].secs / turn.secs));
    if !neighbours().all(even) {
        return None;
    }
    let speed = back.map_or(turn.speed(), |back| back.speed().min(turn.speed()));
    let beside = |i: usize| i + 1 == first || i == last + 1;
    let fastest = |except: Option<usize>| {
        neighbours()
            .filter(|&i| Some(i) != except)
            .max_by(|&a, &b| all[a].speed().total_cmp(&all[b].speed()))
    };
    let rival = fastest(None).filter(|&i| !beside(i));
    let around = fastest(rival).map_or(0.0, |i| all[i].speed());
    let from_rest = around < STILL_SPEED;
    let meant = from_rest && (back.is_none() || turn.degrees < FLICK_DEGREES);
    (speed >= RATIO * around && !meant).then_some(Pop {
        first,
        last,
        around,
        forgiven: rival.is_some_and(|i| all[i].speed() > around),
    })
}

fn finding(turns: &Turns<'_>, pop: &Pop) -> Finding {
    let Pop {
        first,
        last,
        around,
        forgiven,
    } = *pop;
    let but = if forgiven { ", all but one" } else { "" };
    let (lane, turn) = (&turns.lane, &turns.all[first]);
    let name = lane.name();
    let angle = words::degrees(turn.degrees);
    let (speed, slow) = (words::number(turn.speed(), 0), words::number(around, 0));
    let message = if first == last {
        format!(
            "{name} jumps {angle} between {}: {speed}°/s, where the keys around it turn no faster than {slow}°/s{but}",
            lane.keys(first, first + 1)
        )
    } else {
        format!(
            "Key {last} of {name} ({}) stands {angle} off the keys before and after it, which turn no faster than {slow}°/s{but}",
            words::secs(lane.times[last])
        )
    };
    lane.finding(
        FindingCode::RotationPop,
        Severity::Warning,
        (first, last + 1),
        message,
    )
    .with("true_angle_deg", turn.degrees)
    .with("speed_deg_per_sec", turn.speed())
    .with("speed_around_deg_per_sec", around)
}
