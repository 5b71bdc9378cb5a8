//! Clip at a time → pose.

use glam::{Quat, Vec3};

use super::{Hemisphere, Interpolation, Local, Modes, Pose};
use crate::{
    document::{Clip, Document, JointTracks, Keys, Track},
    math::quat,
};

/// Where a time falls in a track.
struct Span {
    from: usize,
    to: usize,
    /// 0 at `from`, 1 at `to`.
    u: f32,
    /// Key spacing in seconds.
    secs: f32,
}

fn find(times: &[f32], time_secs: f32) -> Span {
    let after = times.partition_point(|&t| t <= time_secs);
    let hold = |key| Span {
        from: key,
        to: key,
        u: 0.0,
        secs: 0.0,
    };
    if after == 0 {
        return hold(0);
    }
    if after == times.len() {
        return hold(times.len() - 1);
    }
    let (from, to) = (after - 1, after);
    let secs = times[to] - times[from];
    Span {
        from,
        to,
        u: (time_secs - times[from]) / secs,
        secs,
    }
}

/// Samples `clip` at `time_secs` over the rest pose of `document` into `pose`.
/// Before the first and after the last key of a track its end value holds.
pub fn sample(clip: &Clip, document: &Document, time_secs: f32, modes: &Modes, pose: &mut Pose) {
    pose.set_rest(document);
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
                    transform.translation = sample_vec3(track, time_secs, modes);
                }
                if let Some(track) = rotation {
                    transform.rotation = sample_rotation(track, time_secs, modes);
                }
                if let Some(track) = scale {
                    transform.scale = sample_vec3(track, time_secs, modes);
                }
                pose.locals[*joint] = Local::Trs(transform);
            }
            JointTracks::Matrix { joint, matrix } => {
                let span = find(&matrix.times, time_secs);
                pose.locals[*joint] = Local::Matrix(matrix.keys.values()[span.from]);
            }
        }
    }
    for tracks in &clip.morphs {
        for (instance, weights) in document.instances.iter().zip(&mut pose.morph_weights) {
            if instance.joint == tracks.joint && weights.len() == tracks.target_count {
                let span = find(&tracks.weights.times, time_secs);
                for (target, weight) in weights.iter_mut().enumerate() {
                    let at = |key: usize| key * tracks.target_count + target;
                    *weight = blend(
                        &tracks.weights.keys,
                        at(span.from),
                        at(span.to),
                        &span,
                        modes.interpolation == Interpolation::Step,
                    );
                }
            }
        }
    }
}

fn sample_vec3(track: &Track<Vec3>, time_secs: f32, modes: &Modes) -> Vec3 {
    let span = find(&track.times, time_secs);
    blend(
        &track.keys,
        span.from,
        span.to,
        &span,
        modes.interpolation == Interpolation::Step,
    )
}

fn blend<T>(keys: &Keys<T>, from: usize, to: usize, span: &Span, hold: bool) -> T
where
    T: Copy + core::ops::Add<Output = T> + core::ops::Mul<f32, Output = T>,
{
    let values = keys.values();
    if hold || from == to {
        return values[from];
    }
    let u = span.u;
    match keys {
        Keys::Step(_) => values[from],
        Keys::Linear(_) => values[from] * (1.0 - u) + values[to] * u,
        Keys::Cubic {
            in_tangents,
            out_tangents,
            ..
        } => {
            let [p0, m0, p1, m1] = hermite_weights(u);
            values[from] * p0
                + out_tangents[from] * (m0 * span.secs)
                + values[to] * p1
                + in_tangents[to] * (m1 * span.secs)
        }
    }
}

/// Weights of (value, tangent, next value, next tangent); glTF 2.0, appendix C.
fn hermite_weights(u: f32) -> [f32; 4] {
    let (u2, u3) = (u * u, u * u * u);
    [
        2.0 * u3 - 3.0 * u2 + 1.0,
        u3 - 2.0 * u2 + u,
        -2.0 * u3 + 3.0 * u2,
        u3 - u2,
    ]
}

fn sample_rotation(track: &Track<Quat>, time_secs: f32, modes: &Modes) -> Quat {
    let span = find(&track.times, time_secs);
    let values = track.keys.values();
    let unit = |key: usize| quat::normalize_or(values[key], Quat::IDENTITY);
    let a = unit(span.from);
    if span.from == span.to {
        return a;
    }
    let b = match modes.hemisphere {
        Hemisphere::Keep => unit(span.to),
        Hemisphere::Align | Hemisphere::AlignAll => quat::aligned(unit(span.to), a),
    };
    match (modes.interpolation, &track.keys) {
        (Interpolation::Step, _) | (Interpolation::Authored, Keys::Step(_)) => a,
        (Interpolation::Authored, Keys::Linear(_)) | (Interpolation::Slerp, _) => {
            quat::slerp(a, b, span.u, modes.threshold)
        }
        (Interpolation::Lerp, _) => quat::lerp(a, b, span.u),
        (Interpolation::Nlerp, _) => quat::nlerp(a, b, span.u),
        (
            Interpolation::Authored,
            Keys::Cubic {
                in_tangents,
                out_tangents,
                ..
            },
        ) => {
            let sign = if modes.hemisphere == Hemisphere::AlignAll
                && values[span.from].dot(values[span.to]) < 0.0
            {
                -1.0
            } else {
                1.0
            };
            let [p0, m0, p1, m1] = hermite_weights(span.u);
            let spline = values[span.from] * p0
                + out_tangents[span.from] * (m0 * span.secs)
                + values[span.to] * (p1 * sign)
                + in_tangents[span.to] * (m1 * span.secs * sign);
            quat::normalize_or(spline, a)
        }
    }
}
