//! Small maths of rotations for curves.

use glam::{Quat, Vec3};

use crate::{
    anim::{Hemisphere, Interpolation, Modes},
    document::{Keys, Track},
    math::{EulerOrder, quat},
};

/// As the sampler takes keys; NaN stays.
pub fn unit(q: Quat) -> Quat {
    if q.is_nan() {
        return q;
    }
    quat::normalize_or(q, Quat::IDENTITY)
}

/// |q|, in double precision on the way.
pub fn length(q: Quat) -> f32 {
    q.as_dquat().length() as f32
}

/// Angles in degrees; NaN for NaN.
pub fn euler(order: EulerOrder, q: Quat) -> Vec3 {
    if q.is_nan() {
        return Vec3::NAN;
    }
    order.degrees(q)
}

/// `2 acos |w|`, by a form that keeps its digits at both ends; with a sign to go by, 0 …
/// 360 of `sign · q`.
pub fn angle_degrees(q: Quat, sign: Option<f64>) -> f32 {
    let q = q.as_dquat();
    let sine = q.xyz().length();
    let cosine = sign.map_or(q.w.abs(), |sign| q.w * sign);
    (2.0 * sine.atan2(cosine)).to_degrees() as f32
}

/// Angle between two rotations on the arc between their quaternions as they are, 0 … 360.
pub fn arc_degrees(a: Quat, b: Quat) -> f64 {
    let (a, b) = (a.as_dquat(), b.as_dquat());
    let omega = 2.0 * (a - b).length().atan2((a + b).length());
    (2.0 * omega).to_degrees()
}

/// Which keys alignment negates, each by the one before it.
pub fn negated(track: &Track<Quat>) -> Vec<bool> {
    let values = track.keys.values();
    let mut negated = Vec::with_capacity(values.len());
    let mut is_negated = false;
    for (key, value) in values.iter().enumerate() {
        if key > 0 && is_flip(values[key - 1], *value) {
            is_negated = !is_negated;
        }
        negated.push(is_negated);
    }
    negated
}

/// Intervals between keys of which alignment negates one.
pub fn flips(track: &Track<Quat>, negated: &[bool]) -> Vec<[f32; 2]> {
    if matches!(track.keys, Keys::Step(_)) {
        return Vec::new();
    }
    let intervals = negated.windows(2).zip(track.times.windows(2));
    intervals
        .filter(|(negated, _)| negated[0] != negated[1])
        .map(|(_, times)| [times[0], times[1]])
        .collect()
}

/// As the sampler decides.
pub fn is_flip(a: Quat, b: Quat) -> bool {
    quat::dot(unit(a), unit(b)) < 0.0
}

/// Whether playing from a key arrives at the negative of the next where they are in
/// different hemispheres; a step arrives nowhere, and counts as if.
pub fn aligns<T>(keys: &Keys<T>, modes: &Modes) -> bool {
    match (modes.interpolation, modes.hemisphere, keys) {
        (Interpolation::Step, ..) | (Interpolation::Authored, _, Keys::Step(_)) => true,
        (_, Hemisphere::Keep, _) => false,
        (Interpolation::Authored, Hemisphere::Align, Keys::Cubic { .. }) => false,
        (_, Hemisphere::Align | Hemisphere::AlignAll, _) => true,
    }
}
