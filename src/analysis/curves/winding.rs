//! Angles that go on past ±180°: a number of turns, which no single rotation has, is
//! counted along the track from its first key.

use glam::Vec3;

use super::{
    joint::JointCurves,
    turns::{aligns, euler, is_flip, unit},
};
use crate::{
    anim::{Interpolation, Modes},
    math::EulerOrder,
};

/// Steps of a walk through one interval, so that no step turns by half a turn.
const STEPS: usize = 12;
/// Steps over a whole track: long ones are walked more coarsely.
const MAX_STEPS: usize = 500_000;

/// What was counted along the track, for the modes that were asked for last.
#[derive(Debug, Clone, Default)]
pub(super) struct Winding {
    modes: Option<Modes>,
    order: Option<EulerOrder>,
    /// For each key, the sign that makes the quaternion of the interval it begins
    /// continuous as played.
    signs: Vec<bool>,
    /// For each key, the angles where its interval begins.
    starts: Vec<Vec3>,
    /// Where the last walk ended: time and angles.
    last: Option<(f32, Vec3)>,
}

impl JointCurves {
    /// ±1: what makes the quaternion of the interval that a rotation key begins
    /// continuous, as played from the first key on.
    pub(super) fn sign(&mut self, key: usize, modes: &Modes) -> f64 {
        self.count_signs(modes);
        match self.winding.signs.get(key) {
            Some(true) => -1.0,
            _ => 1.0,
        }
    }

    /// Counts hemispheres for these modes, unless that is done.
    fn count_signs(&mut self, modes: &Modes) {
        if self.winding.modes == Some(*modes) {
            return;
        }
        let mut signs = Vec::new();
        if let Some(track) = self.rotation() {
            let values = track.keys.values();
            let aligns = aligns(&track.keys, modes);
            // Begin on the side where the angle is the smaller one.
            let first = self.joint.animated_rotation(unit(values[0]));
            let mut negative = first.w < 0.0;
            signs.push(negative);
            for pair in values.windows(2) {
                negative ^= aligns && is_flip(pair[0], pair[1]);
                signs.push(negative);
            }
        } else {
            let q = self.joint.rest_rotation;
            signs.push(q.w < 0.0);
        }
        self.winding = Winding {
            modes: Some(*modes),
            signs,
            ..Winding::default()
        };
    }

    /// Euler angles at a time, counted on from the first key.
    pub(super) fn wound_degrees(
        &mut self,
        order: EulerOrder,
        time_secs: f32,
        modes: &Modes,
    ) -> Vec3 {
        self.count_turns(order, modes);
        let Some(key) = self.key_at(time_secs) else {
            let q = self.animated(time_secs, modes);
            return euler(order, q);
        };
        let (start, angles) = self.start(key);
        // Going on from where the last walk ended is shorter than from the key.
        let (from, angles) = match self.winding.last {
            Some((last, angles)) if (start..=time_secs).contains(&last) => (last, angles),
            _ => (start, angles),
        };
        let end = self
            .rotation()
            .and_then(|track| track.times.get(key + 1))
            .copied();
        let share = end.map_or(0.0, |end| (time_secs - from) / (end - start));
        let steps = (share * STEPS as f32).ceil().max(1.0) as usize;
        let wound = self.walk(order, modes, from..time_secs, angles, steps);
        self.winding.last = Some((time_secs, wound));
        wound
    }

    fn start(&self, key: usize) -> (f32, Vec3) {
        let time = self.rotation().map_or(0.0, |track| track.times[key]);
        (time, self.winding.starts[key])
    }

    fn walk(
        &mut self,
        order: EulerOrder,
        modes: &Modes,
        range: core::ops::Range<f32>,
        from: Vec3,
        steps: usize,
    ) -> Vec3 {
        let mut angles = from;
        for step in 1..=steps {
            let time = if step == steps {
                range.end
            } else {
                range.start + (range.end - range.start) * (step as f32 / steps as f32)
            };
            let q = self.animated(time, modes);
            angles = order.nearest(euler(order, q), angles);
        }
        angles
    }

    fn count_turns(&mut self, order: EulerOrder, modes: &Modes) {
        self.count_signs(modes);
        if self.winding.order == Some(order) {
            return;
        }
        self.winding.order = Some(order);
        self.winding.last = None;
        self.winding.starts.clear();
        let Some(times) = self.rotation().map(|track| track.times.clone()) else {
            return;
        };
        let holds = modes.interpolation == Interpolation::Step;
        let steps = if holds {
            1
        } else {
            (MAX_STEPS / times.len()).clamp(1, STEPS)
        };
        let q = self.animated(times[0], modes);
        let mut angles = euler(order, q);
        let mut starts = vec![angles];
        for pair in times.windows(2) {
            angles = self.walk(order, modes, pair[0]..pair[1].next_down(), angles, steps);
            let q = self.animated(pair[1], modes);
            angles = order.nearest(euler(order, q), angles);
            starts.push(angles);
        }
        self.winding.starts = starts;
    }
}
