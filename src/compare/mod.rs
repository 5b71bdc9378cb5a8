//! One character against another, in numbers: by what angle and distance joints differ,
//! by what distance vertices do, where and when.
//!
//! What differs between the two can be anything that [`Character`] has: the file, the clip,
//! the technique, rest against bind pose.

mod matching;
mod measure;
mod times;
mod vertices;

pub use matching::{Matching, matching, matching_joints};
pub use measure::{Measure, VertexErrors, now, over_clip, vertex_errors};
pub use times::{Times, times};
pub use vertices::{MeshPair, VertexPair, VertexPairs};

use crate::scene::{Character, VertexRef};

/// What is compared, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Moments a second; key times and the middles between them come on top, for errors
    /// hide between keys.
    pub rate_hz: f32,
    /// From and to, seconds; 0 and the end of the shorter clip where not given.
    pub range_secs: [Option<f32>; 2],
    /// Vertices too, not joints alone.
    pub vertices: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rate_hz: 60.0,
            range_secs: [None; 2],
            vertices: true,
        }
    }
}

/// The largest of some numbers, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worst<T> {
    /// Degrees or world units (metres in glTF); 0 where there is nothing to compare.
    pub value: f64,
    /// A's joint index or vertex; `None` where all are equal.
    pub at: Option<T>,
}

impl<T> Default for Worst<T> {
    fn default() -> Self {
        Self {
            value: 0.0,
            at: None,
        }
    }
}

/// Whether an error is larger than another one. What is not a number is the worst of all.
fn is_worse(value: f64, than: f64) -> bool {
    value > than || (value.is_nan() && !than.is_nan())
}

impl<T: Copy> Worst<T> {
    fn take(&mut self, value: f64, at: T) {
        if is_worse(value, self.value) {
            *self = Self {
                value,
                at: Some(at),
            };
        }
    }
}

/// How far two characters are apart at one time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moment {
    /// Seconds on A's clip.
    pub time_secs: f32,
    /// Angle between the world rotations of a joint (polar parts), degrees.
    pub angle: Worst<usize>,
    /// Distance between the places of a joint, world units.
    pub position: Worst<usize>,
    /// Distance between the places of a vertex, world units.
    pub vertex: Worst<VertexRef>,
    /// Over all joints, degrees.
    pub mean_angle: f64,
    /// Over all joints, world units.
    pub mean_position: f64,
    /// Over all vertices, world units; 0 without any.
    pub mean_vertex: f64,
}

/// The worst of one joint over the clip.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JointError {
    /// A's joint index.
    pub joint: usize,
    /// Degrees, and when, seconds.
    pub angle: (f64, f32),
    /// World units, and when, seconds.
    pub position: (f64, f32),
}

impl JointError {
    fn take(&mut self, other: &Self) {
        if is_worse(other.angle.0, self.angle.0) {
            self.angle = other.angle;
        }
        if is_worse(other.position.0, self.position.0) {
            self.position = other.position;
        }
    }

    /// Whether the joint is anywhere else than its partner, at any time.
    pub fn differs(&self) -> bool {
        self.angle.0 != 0.0 || self.position.0 != 0.0
    }
}

/// Two characters over a stretch of time.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// In order of time; at least one.
    pub moments: Vec<Moment>,
    /// Every joint that both have, in A's order.
    pub joints: Vec<JointError>,
    /// How many vertices were compared.
    pub vertices: usize,
    /// What was not looked at because there is too much of it, a sentence each.
    pub left_out: Vec<String>,
}

impl Comparison {
    /// The moment with the largest of something; the first of equals.
    pub fn worst(&self, by: impl Fn(&Moment) -> f64) -> Option<&Moment> {
        self.moments.iter().reduce(|best, next| {
            if is_worse(by(next), by(best)) {
                next
            } else {
                best
            }
        })
    }

    /// The mean of something over time: each moment counts for the time about it, so that
    /// many keys in one place count no more than few.
    pub fn mean(&self, of: impl Fn(&Moment) -> f64) -> f64 {
        let span = match (self.moments.first(), self.moments.last()) {
            (Some(first), Some(last)) => f64::from(last.time_secs) - f64::from(first.time_secs),
            _ => return 0.0,
        };
        if span <= 0.0 {
            return self.moments.iter().map(of).sum::<f64>() / self.moments.len() as f64;
        }
        let areas = self.moments.windows(2).map(|pair| {
            let step = f64::from(pair[1].time_secs) - f64::from(pair[0].time_secs);
            step * 0.5 * (of(&pair[0]) + of(&pair[1]))
        });
        areas.sum::<f64>() / span
    }

    /// The joints that differ, the worst angle first; of equals the farthest off.
    pub fn worst_joints(&self) -> Vec<&JointError> {
        let mut joints: Vec<_> = self.joints.iter().filter(|error| error.differs()).collect();
        joints.sort_by(|a, b| {
            // NaN above all numbers.
            let angles = b.angle.0.abs().total_cmp(&a.angle.0.abs());
            angles.then(b.position.0.abs().total_cmp(&a.position.0.abs()))
        });
        joints
    }
}

/// How long the clips of two characters are, seconds; `None` in rest and bind pose.
pub fn durations(a: &Character, b: &Character) -> [Option<f32>; 2] {
    [a, b].map(|side| side.clip().map(|clip| clip.duration_secs))
}
