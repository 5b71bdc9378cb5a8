//! Rotation keys and the arcs between them.

use glam::{Mat4, Quat};

use super::clip::Lane;
use crate::math::{Transform, quat};

/// The way from one rotation key to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Turn {
    /// The true angle, along the short arc: 0 … 180.
    pub degrees: f64,
    /// Whether the keys lie in opposite hemispheres: as stored, the arc is
    /// 360° − `degrees`.
    pub opposite: bool,
    /// How long it takes.
    pub secs: f64,
}

impl Turn {
    /// The arc of players that take keys as they are stored.
    pub fn stored_degrees(&self) -> f64 {
        if self.opposite {
            360.0 - self.degrees
        } else {
            self.degrees
        }
    }

    /// Degrees per second along the short arc.
    pub fn speed(&self) -> f64 {
        self.degrees / self.secs
    }
}

/// A track that turns straight from key to key.
pub(super) struct Turns<'a> {
    pub lane: Lane<'a>,
    /// Of unit length.
    keys: Vec<Quat>,
    /// One less than keys.
    pub all: Vec<Turn>,
}

impl<'a> Turns<'a> {
    /// Of rotation keys, which are played at unit length, and as no rotation where they
    /// have none.
    pub fn new(lane: Lane<'a>, keys: &[Quat]) -> Self {
        let unit = |&key| quat::normalize_or(key, Quat::IDENTITY);
        Self::of_units(lane, keys.iter().map(unit).collect())
    }

    /// Of whole matrices; `None` where one of them shears or is singular, so that there
    /// is no rotation to speak of. Matrices have no sign to go wrong.
    pub fn of_matrices(lane: Lane<'a>, keys: &[Mat4]) -> Option<Self> {
        let mut last = Quat::IDENTITY;
        let rotations: Option<Vec<Quat>> = keys
            .iter()
            .map(|&matrix| {
                let rotation = Transform::from_mat4(matrix, 1e-3)?.rotation;
                last = quat::aligned(rotation, last);
                Some(last)
            })
            .collect();
        Some(Self::of_units(lane, rotations?))
    }

    fn of_units(lane: Lane<'a>, keys: Vec<Quat>) -> Self {
        let all = keys
            .windows(2)
            .enumerate()
            .map(|(key, pair)| Turn {
                degrees: degrees_between(pair[0], pair[1]),
                opposite: quat::dot(pair[0], pair[1]) < 0.0,
                secs: lane.gap_secs(key),
            })
            .collect();
        Self { lane, keys, all }
    }

    /// The true angle between any two keys.
    pub fn degrees_between(&self, a: usize, b: usize) -> f64 {
        degrees_between(self.keys[a], self.keys[b])
    }
}

/// Along the short arc, for unit quaternions; exact near 0 and near 180.
pub(super) fn degrees_between(a: Quat, b: Quat) -> f64 {
    let (a, b) = (a.as_dquat(), b.as_dquat());
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (4.0 * (a - b).length().atan2((a + b).length())).to_degrees()
}
