//! What becomes of LINEAR rotation keys in players that do not look for the short arc.

use super::{
    turns::{Turn, Turns},
    words,
};
use crate::document::{Finding, FindingCode, Severity};

/// Closer to half a turn than this, rounding may decide the direction.
const HALF_TURN_MARGIN_DEG: f64 = 5.0;

/// A stored arc at least this long ends where it began: a whole turn.
const WHOLE_TURN_DEG: f64 = 355.0;

/// Nobody means a whole turn in less than this, eleven turns a second; keys of opposite
/// sign that close are baked frames, and only their sign is wrong.
const QUICKEST_TURN_SECS: f64 = 0.09;

/// Two keys only, at least so far apart in time and in angle, but no more than that: a
/// nearly whole turn may have been meant the other way round.
const LONE_ARC_SECS: f64 = 0.5;
const LONE_ARC_DEG: core::ops::RangeInclusive<f64> = 2.0..=45.0;

/// Less would read as 0.0°.
const STILL_DEG: f64 = 0.05;

/// What is wrong with the way from one key to the next; one thing at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The long arc as stored.
    SignFlip,
    /// Either way is as long, whatever the signs.
    NearHalfTurn,
    /// A whole turn as stored, next to nothing on the short arc.
    LostTurn,
}

const FAULTS: [Fault; 3] = [Fault::SignFlip, Fault::NearHalfTurn, Fault::LostTurn];

fn fault(turn: &Turn) -> Option<Fault> {
    if turn.degrees >= 180.0 - HALF_TURN_MARGIN_DEG {
        Some(Fault::NearHalfTurn)
    } else if !turn.opposite {
        None
    } else if turn.stored_degrees() >= WHOLE_TURN_DEG && turn.secs >= QUICKEST_TURN_SECS {
        Some(Fault::LostTurn)
    } else {
        Some(Fault::SignFlip)
    }
}

/// Whether the direction between two keys is a toss of a coin.
pub(super) fn is_near_half_turn(turn: &Turn) -> bool {
    fault(turn) == Some(Fault::NearHalfTurn)
}

pub(super) fn check(turns: &Turns<'_>) -> Vec<Finding> {
    let faults: Vec<(usize, Fault)> = turns
        .all
        .iter()
        .enumerate()
        .filter_map(|(key, turn)| Some((key, fault(turn)?)))
        .collect();
    if faults.is_empty() {
        return lone_arc(turns).into_iter().collect();
    }
    let of = |kind: Fault| {
        let keys = faults.iter().filter(|(_, fault)| *fault == kind);
        let keys: Vec<usize> = keys.map(|(key, _)| *key).collect();
        turns.lane.few(&keys, |&key| finding(turns, key, kind))
    };
    FAULTS.into_iter().flat_map(of).collect()
}

/// Of a track with two keys, what a longer turn than half of one would have become: the
/// rest of it, the other way round.
fn lone_arc(turns: &Turns<'_>) -> Option<Finding> {
    let [turn] = turns.all[..] else {
        return None;
    };
    if turn.secs < LONE_ARC_SECS || !LONE_ARC_DEG.contains(&turn.degrees) {
        return None;
    }
    let lane = &turns.lane;
    let other_way = 360.0 - turn.degrees;
    let message = format!(
        "{} turns {} between its only two keys, 0 and 1 ({} – {}). If {} the other way was meant, that turn is lost: two quaternions hold no direction and no count of turns",
        lane.name(),
        words::degrees(turn.degrees),
        words::secs(lane.times[0]),
        words::secs(lane.times[1]),
        words::degrees(other_way),
    );
    let code = FindingCode::RotationLostTurn;
    let finding = lane.finding(code, Severity::Info, (0, 1), message);
    Some(
        finding
            .with("true_angle_deg", turn.degrees)
            .with("other_way_deg", other_way)
            .with("interval_secs", turn.secs),
    )
}

fn finding(turns: &Turns<'_>, key: usize, fault: Fault) -> Finding {
    let (lane, turn) = (&turns.lane, &turns.all[key]);
    let (name, keys) = (lane.name(), lane.keys(key, key + 1));
    let stored = words::degrees(turn.stored_degrees());
    let turns = if turn.degrees < STILL_DEG {
        "keeps its pose".to_owned()
    } else {
        format!("turns {}", words::degrees(turn.degrees))
    };
    let (code, message) = match fault {
        Fault::SignFlip => (
            FindingCode::RotationSignFlip,
            format!(
                "{name} {turns} between {keys}, but the two are stored with opposite signs: without the short path it turns {stored} the other way"
            ),
        ),
        Fault::NearHalfTurn => (
            FindingCode::RotationNearHalfTurn,
            format!(
                "{name} {turns} between {keys}: so close to half a turn, either direction is as good and players may differ"
            ),
        ),
        Fault::LostTurn => (
            FindingCode::RotationLostTurn,
            format!(
                "{name} {turns} between {keys}, which are stored with opposite signs, {stored} apart: a whole turn that the short path loses, or a pose to hold that other players spin"
            ),
        ),
    };
    // Controls that move nothing hold still by keys like these, and nobody sees it.
    let unseen = fault == Fault::LostTurn && !lane.motion.roles.moves[lane.joint];
    let (severity, message) = if unseen {
        let message = format!("{message}; no mesh hangs on it, so nothing of it is seen");
        (Severity::Info, message)
    } else {
        (Severity::Warning, message)
    };
    lane.finding(code, severity, (key, key + 1), message)
        .with("true_angle_deg", turn.degrees)
        .with("stored_arc_deg", turn.stored_degrees())
        .with("interval_secs", turn.secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fault_at_most_and_the_borders_belong_to_it() {
        let turn = |degrees: f64, opposite: bool, secs: f64| Turn {
            degrees,
            opposite,
            secs,
        };
        for (turn, expected) in [
            (turn(21.0, true, 1.0 / 24.0), Some(Fault::SignFlip)),
            (turn(21.0, false, 1.0 / 24.0), None),
            (turn(174.9, false, 1.0), None),
            (turn(174.9, true, 1.0), Some(Fault::SignFlip)),
            (turn(175.0, false, 1.0), Some(Fault::NearHalfTurn)),
            (turn(175.0, true, 1.0), Some(Fault::NearHalfTurn)),
            (turn(0.0, false, 1.0), None),
            (turn(0.0, true, 1.0), Some(Fault::LostTurn)),
            (turn(5.0, true, 1.0), Some(Fault::LostTurn)),
            (turn(5.1, true, 1.0), Some(Fault::SignFlip)),
            // A frame of a bake: nothing turns as fast as that.
            (turn(0.0, true, 1.0 / 24.0), Some(Fault::SignFlip)),
            (turn(0.0, true, 1.0 / 12.0), Some(Fault::SignFlip)),
        ] {
            assert_eq!(fault(&turn), expected, "{turn:?}");
        }
    }
}
