//! Key times and values, repaired where they cannot be used as stored.

use std::{collections::HashMap, sync::Arc};

use glam::{Quat, Vec3};

use super::{
    accessor::Accessors,
    component::{Component, Integers},
    counted,
    error::GltfError,
    vertices::{Finite, MAX_MAGNITUDE},
};
use crate::{
    document::{Finding, FindingCode, Keys, Property, Severity, Track},
    math::quat,
};

/// Key times fit to use, and which keys of the file they are.
#[derive(Clone)]
pub(in crate::import) struct Times {
    pub(in crate::import) secs: Arc<[f32]>,
    /// How many keys the file has.
    pub(in crate::import) stored: usize,
    /// The file's key behind each entry of `secs`, where keys were sorted or dropped.
    pub(in crate::import) kept: Option<Arc<[usize]>>,
    /// What was wrong: how many keys were dropped, and the first key out of order.
    pub(in crate::import) repair: Option<Repair>,
}

/// How key times had to be mended.
#[derive(Clone, Copy)]
pub(in crate::import) struct Repair {
    pub(in crate::import) dropped: usize,
    /// As the file counts.
    pub(in crate::import) first_key: usize,
    pub(in crate::import) first_secs: f32,
    /// Where that key is now, unless it was dropped.
    pub(in crate::import) mended_key: Option<usize>,
}

/// Times by accessor: tracks that share an accessor share the memory.
#[derive(Default)]
pub(super) struct TimeCache {
    times: HashMap<usize, Times>,
}

impl TimeCache {
    /// Reads an input accessor, once.
    pub(super) fn read(
        &mut self,
        accessors: &Accessors<'_>,
        accessor: usize,
        owner: &str,
    ) -> Result<Times, GltfError> {
        if let Some(known) = self.times.get(&accessor) {
            return Ok(known.clone());
        }
        let stored: Vec<[f32; 1]> = accessors.floats(
            accessor,
            format_args!("key times of {owner}"),
            Component::FLOAT,
            Integers::AsFlagged,
        )?;
        let times = usable(&stored.into_iter().map(|[secs]| secs).collect::<Vec<_>>());
        self.times.insert(accessor, times.clone());
        Ok(times)
    }
}

/// Times strictly increasing, finite and not negative: keys are sorted by time;
/// among keys at one time the file's last counts, which is what a player that runs
/// through them in order ends with; keys at no possible time are dropped.
pub(in crate::import) fn usable(stored: &[f32]) -> Times {
    let is_time = |secs: f32| secs.is_usable() && secs >= 0.0;
    let is_later = |key: usize| key == 0 || stored[key] > stored[key - 1];
    let wrong = (0..stored.len()).find(|&key| !is_time(stored[key]) || !is_later(key));
    let Some(first_key) = wrong else {
        return Times {
            secs: stored.into(),
            stored: stored.len(),
            kept: None,
            repair: None,
        };
    };
    let mut kept: Vec<usize> = (0..stored.len())
        .filter(|&key| is_time(stored[key]))
        .collect();
    kept.sort_by(|&a, &b| stored[a].total_cmp(&stored[b]));
    let mut unique: Vec<usize> = Vec::with_capacity(kept.len());
    for key in kept {
        match unique.last_mut() {
            Some(last) if stored[*last] == stored[key] => *last = key,
            _ => unique.push(key),
        }
    }
    Times {
        secs: unique.iter().map(|&key| stored[key]).collect(),
        stored: stored.len(),
        repair: Some(Repair {
            dropped: stored.len() - unique.len(),
            first_key,
            first_secs: stored[first_key],
            mended_key: unique.iter().position(|&key| key == first_key),
        }),
        kept: Some(unique.into()),
    }
}

/// How a channel's keys are stored and named in messages.
pub(in crate::import) struct Channel<'a> {
    pub(in crate::import) times: &'a Times,
    pub(in crate::import) interpolation: Interpolation,
    /// `clip 0 "Bend" channel 1 (rotation of node 2 "upper")`.
    pub(in crate::import) owner: &'a str,
    pub(in crate::import) clip: usize,
    pub(in crate::import) node: usize,
    pub(in crate::import) property: Property,
}

/// The format's three words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum Interpolation {
    Step,
    Linear,
    Cubic,
}

impl Interpolation {
    /// `None` for a word that the format does not know.
    pub(super) fn from_gltf(word: Option<&str>) -> Option<Self> {
        match word {
            None | Some("LINEAR") => Some(Self::Linear),
            Some("STEP") => Some(Self::Step),
            Some("CUBICSPLINE") => Some(Self::Cubic),
            Some(_) => None,
        }
    }

    /// Values per key: a cubic key is (in-tangent, value, out-tangent).
    pub(super) fn per_key(self) -> usize {
        if self == Self::Cubic { 3 } else { 1 }
    }
}

/// What tracks are made of.
pub(in crate::import) trait KeyValue: Finite {
    /// For a tangent that is not finite.
    const ZERO: Self;

    /// Looks at a value that is finite: a rotation must have a length.
    fn check(&mut self, _channel: &Channel<'_>, _key: usize, _tally: &mut Lengths) {}
}

impl KeyValue for f32 {
    const ZERO: Self = 0.0;
}

impl KeyValue for Vec3 {
    const ZERO: Self = Self::ZERO;
}

impl KeyValue for Quat {
    const ZERO: Self = Self::from_xyzw(0.0, 0.0, 0.0, 0.0);

    fn check(&mut self, channel: &Channel<'_>, key: usize, tally: &mut Lengths) {
        let length = self.length();
        let secs = channel.times.secs[key];
        if !quat::has_length(*self) {
            tally.zero.get_or_insert((key, secs, length));
            tally.zeros += 1;
            *self = Self::IDENTITY;
        } else if (length - 1.0).abs() > 1e-3 {
            let worst = tally.worst.get_or_insert((key, secs, length));
            if (length - 1.0).abs() > (worst.2 - 1.0).abs() {
                *worst = (key, secs, length);
            }
            tally.off += 1;
        }
    }
}

/// Rotation keys whose length is not 1: (key, time, length).
#[derive(Default)]
pub(in crate::import) struct Lengths {
    zeros: usize,
    zero: Option<(usize, f32, f32)>,
    off: usize,
    worst: Option<(usize, f32, f32)>,
}

/// Puts stored values into a track, in the order of its times. `width` values make
/// one key: the target count for morph weights, else 1. The caller has checked that
/// there are `width` × the interpolation's number per key of them.
pub(in crate::import) fn track<T: KeyValue>(
    channel: &Channel<'_>,
    width: usize,
    stored: &[T],
    rest: T,
    findings: &mut Vec<Finding>,
) -> Track<T> {
    let per_key = channel.interpolation.per_key();
    let part = |part: usize| -> Vec<T> {
        let of_key = |key: usize| {
            let start = (key * per_key + part) * width;
            &stored[start..start + width]
        };
        match &channel.times.kept {
            Some(kept) => kept.iter().flat_map(|&key| of_key(key)).copied().collect(),
            None => (0..channel.times.stored)
                .flat_map(of_key)
                .copied()
                .collect(),
        }
    };
    let mut values = part(usize::from(per_key == 3));
    let mut broken = super::vertices::mend(&mut values, rest);
    let mut lengths = Lengths::default();
    for (index, value) in values.iter_mut().enumerate() {
        value.check(channel, index / width, &mut lengths);
    }
    let keys = match channel.interpolation {
        Interpolation::Step => Keys::Step(values),
        Interpolation::Linear => Keys::Linear(values),
        Interpolation::Cubic => {
            let mut tangents = |which: usize| {
                let mut tangents = part(which);
                for (index, tangent) in tangents.iter_mut().enumerate() {
                    if !tangent.is_usable() {
                        *tangent = T::ZERO;
                        let (count, _) = broken.get_or_insert((0, index));
                        *count += 1;
                    }
                }
                tangents
            };
            Keys::Cubic {
                in_tangents: tangents(0),
                out_tangents: tangents(2),
                values,
            }
        }
    };
    let broken = broken.map(|(count, index)| (count, index / width));
    report(channel, broken, &lengths, findings);
    Track {
        times: channel.times.secs.clone(),
        keys,
    }
}

fn report(
    channel: &Channel<'_>,
    broken: Option<(usize, usize)>,
    lengths: &Lengths,
    findings: &mut Vec<Finding>,
) {
    let Channel { owner, .. } = channel;
    let place = |finding: Finding| {
        (finding.in_clip(channel.clip).at_node(channel.node)).of(channel.property)
    };
    if let Some((count, key)) = broken {
        findings.push(
            place(Finding::new(
                FindingCode::KeysNonFinite,
                Severity::Error,
                format!(
                    "{owner}: {} NaN, infinite or beyond {MAX_MAGNITUDE:e}, the first at key {key}; the key before it holds",
                    counted(count, "key value is", "key values are")
                ),
            ))
            .at_key(key, channel.times.secs[key])
            .with("count", count as f64),
        );
    }
    if let Some((key, secs, _)) = lengths.zero {
        findings.push(
            place(Finding::new(
                FindingCode::RotationNotUnit,
                Severity::Error,
                format!(
                    "{owner}: {} no length, the first is key {key} at {secs} s; no rotation is used there",
                    counted(lengths.zeros, "rotation key has", "rotation keys have")
                ),
            ))
            .at_key(key, secs)
            .with("length", 0.0),
        );
    }
    if let Some((key, secs, length)) = lengths.worst {
        findings.push(
            place(Finding::new(
                FindingCode::RotationNotUnit,
                Severity::Warning,
                format!(
                    "{owner}: {} not of length 1, the worst is key {key} at {secs} s with {length}; players normalise them or let the joint grow",
                    counted(lengths.off, "rotation key is", "rotation keys are")
                ),
            ))
            .at_key(key, secs)
            .with("length", f64::from(length)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_become_strictly_increasing() {
        let times = usable(&[0.0, 0.5, 1.0]);
        assert!(times.kept.is_none() && times.repair.is_none());

        let times = usable(&[0.0, 0.8, 0.5, f32::NAN, -1.0, 0.8]);
        assert_eq!(&*times.secs, [0.0, 0.5, 0.8]);
        assert_eq!(times.kept.as_deref(), Some(&[0, 2, 5][..]));
        let repair = times.repair.expect("it was mended");
        assert_eq!((repair.dropped, repair.first_key), (3, 2));
        assert_eq!(repair.mended_key, Some(1));

        let times = usable(&[0.0, f32::NAN, 1.0]);
        let repair = times.repair.expect("it was mended");
        assert_eq!((repair.first_key, repair.mended_key), (1, None));

        assert!(usable(&[f32::NAN]).secs.is_empty());
    }
}
