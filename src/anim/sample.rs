//! Clip at a time → pose, track by track: the readable reference that
//! [`super::Sampler`] is tested against, and the way to sample once.

use core::ops::{Add, Mul, Sub};

use glam::{Quat, Vec3};

use super::{
    Hemisphere, Interpolation, Local, Modes, Pose, VectorInterpolation, matrices, timeline::Span,
};
use crate::{
    document::{Clip, Document, JointTracks, Keys, Track},
    math::{Transform, quat},
};

/// Samples `clip` at `time_secs` over the rest pose of `document` into `pose`.
/// Before the first and after the last key of a track its end value holds.
///
/// What [`Modes`] do to which track is said at [`Interpolation`].
pub fn sample(clip: &Clip, document: &Document, time_secs: f32, modes: &Modes, pose: &mut Pose) {
    pose.set_rest(document);
    let hold = modes.interpolation == Interpolation::Step;
    for tracks in &clip.joints {
        let joint = tracks.joint();
        let rest = document.skeleton.joints[joint].rest();
        pose.set_local(joint, sample_joint(tracks, &rest, time_secs, modes));
    }
    for tracks in &clip.morphs {
        let span = Span::find(&tracks.weights.times, time_secs);
        for (instance, weights) in document.instances.iter().zip(&mut pose.morph_weights) {
            if instance.joint == tracks.joint && weights.len() == tracks.target_count {
                for (target, weight) in weights.iter_mut().enumerate() {
                    let at = |key: usize| key * tracks.target_count + target;
                    let (from, to) = (at(span.from), at(span.to));
                    *weight = blend(&tracks.weights.keys, from, to, &span, hold, span.secs);
                }
            }
        }
    }
}

/// One joint relative to its parent; `rest` is what components without a track have.
pub(super) fn sample_joint(
    tracks: &JointTracks,
    rest: &Transform,
    time_secs: f32,
    modes: &Modes,
) -> Local {
    match tracks {
        JointTracks::Trs { .. } if modes.interpolation.is_by_matrix() => {
            Local::Matrix(matrices::sample_baked(tracks, rest, time_secs, modes))
        }
        JointTracks::Trs {
            translation,
            rotation,
            scale,
            ..
        } => {
            let mut transform = *rest;
            if let Some(track) = translation {
                transform.translation = sample_vec3(track, time_secs, modes);
            }
            if let Some(track) = rotation {
                transform.rotation = sample_rotation(track, time_secs, modes);
            }
            if let Some(track) = scale {
                transform.scale = sample_vec3(track, time_secs, modes);
            }
            Local::Trs(transform)
        }
        JointTracks::Matrix { matrix, .. } => {
            Local::Matrix(matrices::sample_stored(matrix, time_secs, modes))
        }
    }
}

fn sample_vec3(track: &Track<Vec3>, time_secs: f32, modes: &Modes) -> Vec3 {
    let span = Span::find(&track.times, time_secs);
    let values = track.keys.values();
    let (a, b) = (values[span.from], values[span.to]);
    match modes.vectors {
        VectorInterpolation::Authored => {
            let hold = modes.interpolation == Interpolation::Step;
            let secs = tangent_secs(&span, modes);
            blend(&track.keys, span.from, span.to, &span, hold, secs)
        }
        VectorInterpolation::Step => a,
        VectorInterpolation::Linear => a * (1.0 - span.u) + b * span.u,
        VectorInterpolation::Cubic => catmull_rom(&track.times, |key| values[key], &span),
    }
}

/// What the tangents of a spline are multiplied by: the key spacing, or nothing.
fn tangent_secs(span: &Span, modes: &Modes) -> f32 {
    if modes.spline.scale_tangents {
        span.secs
    } else {
        1.0
    }
}

/// Between the entries `from` and `to` as the file says, or `from` if `hold`; tangents
/// of a spline count times `tangent_secs`.
pub(super) fn blend<T>(
    keys: &Keys<T>,
    from: usize,
    to: usize,
    span: &Span,
    hold: bool,
    tangent_secs: f32,
) -> T
where
    T: Copy + Add<Output = T> + Mul<f32, Output = T>,
{
    let values = keys.values();
    if hold || from == to {
        return values[from];
    }
    match keys {
        Keys::Step(_) => values[from],
        Keys::Linear(_) => values[from] * (1.0 - span.u) + values[to] * span.u,
        Keys::Cubic {
            in_tangents,
            out_tangents,
            ..
        } => {
            let [p0, m0, p1, m1] = hermite_weights(span.u);
            values[from] * p0
                + out_tangents[from] * (m0 * tangent_secs)
                + values[to] * p1
                + in_tangents[to] * (m1 * tangent_secs)
        }
    }
}

/// The Catmull–Rom spline through keys at uneven times: Hermite with the slope at a key
/// that of the parabola through it and its neighbours, `d₀ + d₁ − d₀₁` of the slopes to
/// them and between them (P. J. Barry and R. N. Goldman, SIGGRAPH 1988, with the key times
/// as knots). The first and last key have the slope to their only neighbour, so two keys
/// make a straight line.
fn catmull_rom<T>(times: &[f32], key: impl Fn(usize) -> T, span: &Span) -> T
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f32, Output = T>,
{
    if span.from == span.to {
        return key(span.from);
    }
    let slope = |a: usize, b: usize| (key(b) - key(a)) * (1.0 / (times[b] - times[a]));
    let along = slope(span.from, span.to);
    let start = match span.from.checked_sub(1) {
        Some(before) => slope(before, span.from) + along - slope(before, span.to),
        None => along,
    };
    let end = if span.to + 1 < times.len() {
        along + slope(span.to, span.to + 1) - slope(span.from, span.to + 1)
    } else {
        along
    };
    let [p0, m0, p1, m1] = hermite_weights(span.u);
    key(span.from) * p0 + start * (m0 * span.secs) + key(span.to) * p1 + end * (m1 * span.secs)
}

/// Weights of (value, tangent, next value, next tangent); glTF 2.0, appendix C.
pub(super) fn hermite_weights(u: f32) -> [f32; 4] {
    let (u2, u3) = (u * u, u * u * u);
    [
        2.0 * u3 - 3.0 * u2 + 1.0,
        u3 - 2.0 * u2 + u,
        -2.0 * u3 + 3.0 * u2,
        u3 - u2,
    ]
}

/// A raw spline whose squared length is beyond this makes a matrix that overflows down the
/// chain; it counts as broken.
const MOST_SQUARED: f32 = 1e12;

/// A key as every mode but the authored cubic uses it: of unit length, and no
/// rotation where it has none.
pub(super) fn unit(key: Quat) -> Quat {
    quat::normalize_or(key, Quat::IDENTITY)
}

/// One rotation track at a time; see [`Interpolation`] for the rules. Of the modes that
/// blend matrices it is the rotation alone that is given: slerp on the short arc in mode
/// `Polar`, the rotation nearest to the blended matrix in mode `MatrixLerp`.
pub fn sample_rotation(track: &Track<Quat>, time_secs: f32, modes: &Modes) -> Quat {
    match blended(track, time_secs, modes) {
        Blended::Done(q) => q,
        Blended::ToNormalise { raw, fallback } => quat::normalize_or(raw, fallback),
    }
}

/// What a mode brings to unit length in the end, as it is before that: the raw spline
/// or blend. Its length shows how far a player that forgets to normalise squashes the
/// joint; where a mode has nothing to normalise it is the result itself.
pub fn rotation_before_normalising(track: &Track<Quat>, time_secs: f32, modes: &Modes) -> Quat {
    match blended(track, time_secs, modes) {
        Blended::Done(raw) | Blended::ToNormalise { raw, .. } => raw,
    }
}

/// A mode's way from key to key, before its last step.
pub(super) enum Blended {
    /// The result.
    Done(Quat),
    /// To be brought to unit length; `fallback` where it has none.
    ToNormalise { raw: Quat, fallback: Quat },
}

fn blended(track: &Track<Quat>, time_secs: f32, modes: &Modes) -> Blended {
    let span = Span::find(&track.times, time_secs);
    let values = track.keys.values();
    match (modes.interpolation, &track.keys) {
        (
            Interpolation::Authored,
            Keys::Cubic {
                in_tangents,
                out_tangents,
                ..
            },
        ) => {
            // Only cubic splines take keys literally.
            let a = unit(values[span.from]);
            let raw = if span.from == span.to {
                values[span.from]
            } else {
                let flip = modes.hemisphere == Hemisphere::AlignAll
                    && quat::dot(a, unit(values[span.to])) < 0.0;
                let sign = if flip { -1.0 } else { 1.0 };
                let secs = tangent_secs(&span, modes);
                let [p0, m0, p1, m1] = hermite_weights(span.u);
                values[span.from] * p0
                    + out_tangents[span.from] * (m0 * secs)
                    + values[span.to] * (p1 * sign)
                    + in_tangents[span.to] * (m1 * secs * sign)
            };
            if modes.spline.normalize {
                Blended::ToNormalise { raw, fallback: a }
            } else if raw.length_squared() < MOST_SQUARED {
                Blended::Done(raw)
            } else {
                Blended::Done(a)
            }
        }
        (Interpolation::Authored, Keys::Step(_)) => Blended::Done(unit(values[span.from])),
        _ => between(&track.times, |key| unit(values[key]), &span, modes),
    }
}

/// Between unit keys at these times, whatever the file says of them.
pub(super) fn between(
    times: &[f32],
    key: impl Fn(usize) -> Quat,
    span: &Span,
    modes: &Modes,
) -> Blended {
    let a = key(span.from);
    if span.from == span.to {
        return Blended::Done(a);
    }
    let by_hemisphere = |q: Quat, reference: Quat| match modes.hemisphere {
        Hemisphere::Keep => q,
        Hemisphere::Align | Hemisphere::AlignAll => quat::aligned(q, reference),
    };
    let b = by_hemisphere(key(span.to), a);
    let blend = Blended::ToNormalise {
        raw: quat::lerp(a, b, span.u),
        fallback: a,
    };
    match modes.interpolation {
        Interpolation::Step => Blended::Done(a),
        Interpolation::Lerp => Blended::Done(quat::lerp(a, b, span.u)),
        Interpolation::Nlerp => blend,
        Interpolation::Authored | Interpolation::Slerp => {
            if quat::falls_back(quat::dot(a, b), modes.threshold) {
                blend
            } else {
                Blended::Done(quat::slerp(a, b, span.u, modes.threshold))
            }
        }
        Interpolation::Cubic => {
            let aligned = |index: usize| match index {
                _ if index == span.from => a,
                _ if index == span.to => b,
                _ if index < span.from => by_hemisphere(key(index), a),
                _ => by_hemisphere(key(index), b),
            };
            Blended::ToNormalise {
                raw: catmull_rom(times, aligned, span),
                fallback: a,
            }
        }
        Interpolation::MatrixLerp => Blended::Done(matrices::rotation_of_lerp(a, b, span.u)),
        // Matrices hold no sign: always the short arc.
        Interpolation::Polar => {
            let b = quat::aligned(b, a);
            Blended::Done(quat::slerp(a, b, span.u, modes.threshold))
        }
        Interpolation::Euler => {
            let order = modes.euler_order;
            let (from, mut to) = (order.degrees(a), order.degrees(b));
            if modes.hemisphere != Hemisphere::Keep {
                to = order.nearest(to, from);
            }
            let q = order.quat(from + (to - from) * span.u);
            Blended::Done(quat::aligned(q, a))
        }
    }
}
