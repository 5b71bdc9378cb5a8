//! Where values stand still between keys.

use glam::{Mat4, Quat, Vec3};

use super::sheet::TrackLine;
use crate::document::{Clip, JointTracks, Keys, Property};

/// Relative to the larger of the value and 1: what export and resampling leave behind.
const SAME: f32 = 1e-6;

/// Neighbouring keys between which nothing changes: from the first to the last of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// Key index.
    pub first: usize,
    /// Key index, larger than `first`.
    pub last: usize,
}

/// The longest stretches of a track in which every key is held until the next: all of
/// it for STEP, between equal keys for LINEAR, between equal keys with flat tangents for
/// CUBICSPLINE. `q` and `−q` count as different here: what happens between them is a
/// question of the hemisphere rule.
pub(super) fn held_runs(clip: &Clip, joint: usize, track: &TrackLine) -> Vec<Held> {
    let count = track.times.len();
    if let Some(target) = track.target {
        let morph = clip.morphs.iter().find(|morph| morph.joint == joint);
        return morph.map_or_else(Vec::new, |morph| {
            let at = |key: usize| key * morph.target_count + target;
            runs(&morph.weights.keys, count, at, |value| [*value])
        });
    }
    let Some(tracks) = clip.joint_tracks(joint) else {
        return Vec::new();
    };
    let at = |key: usize| key;
    let found = match (tracks, track.property) {
        (JointTracks::Trs { translation, .. }, Property::Translation) => translation
            .as_ref()
            .map(|track| runs(&track.keys, count, at, Vec3::to_array)),
        (JointTracks::Trs { scale, .. }, Property::Scale) => scale
            .as_ref()
            .map(|track| runs(&track.keys, count, at, Vec3::to_array)),
        (JointTracks::Trs { rotation, .. }, Property::Rotation) => rotation
            .as_ref()
            .map(|track| runs(&track.keys, count, at, |q: &Quat| q.to_array())),
        (JointTracks::Matrix { matrix, .. }, Property::Matrix) => {
            Some(runs(&matrix.keys, count, at, Mat4::to_cols_array))
        }
        _ => None,
    };
    found.unwrap_or_default()
}

fn runs<T, const N: usize>(
    keys: &Keys<T>,
    count: usize,
    at: impl Fn(usize) -> usize,
    numbers: impl Fn(&T) -> [f32; N],
) -> Vec<Held> {
    let is_same = |values: &[T], key: usize| {
        let (a, b) = (numbers(&values[at(key)]), numbers(&values[at(key + 1)]));
        a.iter()
            .zip(b)
            .all(|(a, b)| (a - b).abs() <= SAME * a.abs().max(1.0))
    };
    let is_flat = |tangents: &[T], key: usize| {
        numbers(&tangents[at(key)])
            .iter()
            .all(|number| number.abs() <= SAME)
    };
    join(count, |key| match keys {
        Keys::Step(_) => true,
        Keys::Linear(values) => is_same(values, key),
        Keys::Cubic {
            in_tangents,
            values,
            out_tangents,
        } => is_same(values, key) && is_flat(out_tangents, key) && is_flat(in_tangents, key + 1),
    })
}

/// Joins neighbouring intervals that hold; interval `k` lies between keys `k` and `k + 1`.
fn join(count: usize, holds: impl Fn(usize) -> bool) -> Vec<Held> {
    let mut runs: Vec<Held> = Vec::new();
    for key in 0..count.saturating_sub(1) {
        if !holds(key) {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.last == key => run.last = key + 1,
            _ => runs.push(Held {
                first: key,
                last: key + 1,
            }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(keys: &Keys<f32>, count: usize) -> Vec<(usize, usize)> {
        let runs = runs(keys, count, |key| key, |value| [*value]);
        runs.iter().map(|held| (held.first, held.last)).collect()
    }

    #[test]
    fn equal_keys_hold_and_neighbouring_holds_are_one() {
        let values = vec![1.0, 1.0, 1.0 + 1e-7, 2.0, 3.0, 3.0];
        assert_eq!(of(&Keys::Linear(values.clone()), 6), [(0, 2), (4, 5)]);
        assert_eq!(of(&Keys::Step(values), 6), [(0, 5)]);
        assert_eq!(of(&Keys::Linear(vec![1.0]), 1), []);
    }

    #[test]
    fn a_tangent_moves_what_equal_keys_would_hold() {
        let cubic = |out_tangents: Vec<f32>| Keys::Cubic {
            in_tangents: vec![0.0; 3],
            values: vec![1.0; 3],
            out_tangents,
        };
        assert_eq!(of(&cubic(vec![0.0, 0.0, 9.0]), 3), [(0, 2)]);
        assert_eq!(of(&cubic(vec![0.0, 0.5, 0.0]), 3), [(0, 1)]);
    }
}
