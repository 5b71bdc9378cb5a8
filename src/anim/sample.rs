//! Clip at a time → pose, track by track: the readable reference that
//! [`super::Sampler`] is tested against, and the way to sample once.

use core::ops::{Add, Mul};

use glam::{Quat, Vec3};

use super::{Hemisphere, Interpolation, Local, Modes, Pose, timeline::Span};
use crate::{
    document::{Clip, Document, JointTracks, Keys, Track},
    math::quat,
};

/// Samples `clip` at `time_secs` over the rest pose of `document` into `pose`.
/// Before the first and after the last key of a track its end value holds.
///
/// What [`Modes`] do to which track is said at [`Interpolation`].
pub fn sample(clip: &Clip, document: &Document, time_secs: f32, modes: &Modes, pose: &mut Pose) {
    pose.set_rest(document);
    let hold = modes.interpolation == Interpolation::Step;
    for tracks in &clip.joints {
        match tracks {
            JointTracks::Trs {
                joint,
                translation,
                rotation,
                scale,
            } => {
                let mut transform = document.skeleton.joints[*joint].rest();
                if let Some(track) = translation {
                    transform.translation = sample_vec3(track, time_secs, hold);
                }
                if let Some(track) = rotation {
                    transform.rotation = sample_rotation(track, time_secs, modes);
                }
                if let Some(track) = scale {
                    transform.scale = sample_vec3(track, time_secs, hold);
                }
                pose.set_local(*joint, Local::Trs(transform));
            }
            JointTracks::Matrix { joint, matrix } => {
                let span = Span::find(&matrix.times, time_secs);
                pose.set_local(*joint, Local::Matrix(matrix.keys.values()[span.from]));
            }
        }
    }
    for tracks in &clip.morphs {
        let span = Span::find(&tracks.weights.times, time_secs);
        for (instance, weights) in document.instances.iter().zip(&mut pose.morph_weights) {
            if instance.joint == tracks.joint && weights.len() == tracks.target_count {
                for (target, weight) in weights.iter_mut().enumerate() {
                    let at = |key: usize| key * tracks.target_count + target;
                    *weight = blend(
                        &tracks.weights.keys,
                        at(span.from),
                        at(span.to),
                        &span,
                        hold,
                    );
                }
            }
        }
    }
}

fn sample_vec3(track: &Track<Vec3>, time_secs: f32, hold: bool) -> Vec3 {
    let span = Span::find(&track.times, time_secs);
    blend(&track.keys, span.from, span.to, &span, hold)
}

/// Between the entries `from` and `to` as the file says, or `from` if `hold`.
pub(super) fn blend<T>(keys: &Keys<T>, from: usize, to: usize, span: &Span, hold: bool) -> T
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
                + out_tangents[from] * (m0 * span.secs)
                + values[to] * p1
                + in_tangents[to] * (m1 * span.secs)
        }
    }
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

/// A key as every mode but the authored cubic uses it: of unit length, and no
/// rotation where it has none.
pub(super) fn unit(key: Quat) -> Quat {
    quat::normalize_or(key, Quat::IDENTITY)
}

/// One rotation track at a time; see [`Interpolation`] for the rules.
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
enum Blended {
    /// The result.
    Done(Quat),
    /// To be brought to unit length; `fallback` where it has none.
    ToNormalise { raw: Quat, fallback: Quat },
}

fn blended(track: &Track<Quat>, time_secs: f32, modes: &Modes) -> Blended {
    let span = Span::find(&track.times, time_secs);
    let values = track.keys.values();
    let a = unit(values[span.from]);
    if span.from == span.to {
        // Only cubic splines take keys literally.
        return match (modes.interpolation, &track.keys) {
            (Interpolation::Authored, Keys::Cubic { .. }) => Blended::ToNormalise {
                raw: values[span.from],
                fallback: Quat::IDENTITY,
            },
            _ => Blended::Done(a),
        };
    }
    let b = match modes.hemisphere {
        Hemisphere::Keep => unit(values[span.to]),
        Hemisphere::Align | Hemisphere::AlignAll => quat::aligned(unit(values[span.to]), a),
    };
    match (modes.interpolation, &track.keys) {
        (Interpolation::Step, _) | (Interpolation::Authored, Keys::Step(_)) => Blended::Done(a),
        (Interpolation::Authored, Keys::Linear(_)) | (Interpolation::Slerp, _)
            if !quat::falls_back(quat::dot(a, b), modes.threshold) =>
        {
            Blended::Done(quat::slerp(a, b, span.u, modes.threshold))
        }
        (Interpolation::Lerp, _) => Blended::Done(quat::lerp(a, b, span.u)),
        (Interpolation::Authored, Keys::Linear(_))
        | (Interpolation::Slerp | Interpolation::Nlerp, _) => Blended::ToNormalise {
            raw: quat::lerp(a, b, span.u),
            fallback: a,
        },
        (
            Interpolation::Authored,
            Keys::Cubic {
                in_tangents,
                out_tangents,
                ..
            },
        ) => {
            let flip = modes.hemisphere == Hemisphere::AlignAll
                && quat::dot(a, unit(values[span.to])) < 0.0;
            let sign = if flip { -1.0 } else { 1.0 };
            let [p0, m0, p1, m1] = hermite_weights(span.u);
            let raw = values[span.from] * p0
                + out_tangents[span.from] * (m0 * span.secs)
                + values[span.to] * (p1 * sign)
                + in_tangents[span.to] * (m1 * span.secs * sign);
            Blended::ToNormalise { raw, fallback: a }
        }
    }
}
