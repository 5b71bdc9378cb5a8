//! Modes that work on a joint's matrix relative to its parent.

use glam::{Mat3, Mat4, Quat, Vec3};

use super::{
    Interpolation, Modes,
    sample::{Blended, between, sample_joint},
    timeline::Span,
};
use crate::{
    document::{JointTracks, Keys, Track},
    math::{Polar, Transform, quat, transform::mat3_from_quat_as_is},
};

/// A joint with separate tracks as a player moves it that bakes a matrix wherever one of
/// them has a key.
pub(super) fn sample_baked(
    tracks: &JointTracks,
    rest: &Transform,
    time_secs: f32,
    modes: &Modes,
) -> Mat4 {
    let as_stored = Modes {
        interpolation: Interpolation::Authored,
        ..*modes
    };
    let baked = |time_secs: f32| sample_joint(tracks, rest, time_secs, &as_stored).to_mat4();
    let (mut start, mut end) = (f32::NEG_INFINITY, f32::INFINITY);
    for times in tracks.times() {
        let after = times.partition_point(|&t| t <= time_secs);
        if let Some(before) = after.checked_sub(1) {
            start = start.max(times[before]);
        }
        if let Some(&next) = times.get(after) {
            end = end.min(next);
        }
    }
    if !(start.is_finite() && end.is_finite()) {
        // Before the first key or after the last one of all.
        return baked(time_secs);
    }
    let u = (time_secs - start) / (end - start);
    let (from, to) = (baked(start), baked(end));
    if modes.interpolation == Interpolation::MatrixLerp {
        from * (1.0 - u) + to * u
    } else {
        let (from, to) = (Parts::of(from), Parts::of(to));
        let rotation = quat::slerp(
            from.rotation,
            quat::aligned(to.rotation, from.rotation),
            u,
            modes.threshold,
        );
        from.lerp(&to, u, rotation)
    }
}

/// A track that stores matrices.
pub(super) fn sample_stored(track: &Track<Mat4>, time_secs: f32, modes: &Modes) -> Mat4 {
    let span = Span::find(&track.times, time_secs);
    let keys = track.keys.values();
    let holds = match modes.interpolation {
        Interpolation::Step => true,
        Interpolation::Authored => matches!(track.keys, Keys::Step(_)),
        _ => false,
    };
    if holds || span.from == span.to {
        return keys[span.from];
    }
    let (from, to) = (keys[span.from], keys[span.to]);
    if modes.interpolation == Interpolation::MatrixLerp {
        return from * (1.0 - span.u) + to * span.u;
    }
    let (from, to) = (Parts::of(from), Parts::of(to));
    let key = |index: usize| match index {
        _ if index == span.from => from.rotation,
        // A matrix holds no sign: the short arc, also for those who keep signs.
        _ if index == span.to => quat::aligned(to.rotation, from.rotation),
        _ => Parts::of(keys[index]).rotation,
    };
    let rotation = match between(&track.times, key, &span, modes) {
        Blended::Done(q) => q,
        Blended::ToNormalise { raw, fallback } => quat::normalize_or(raw, fallback),
    };
    from.lerp(&to, span.u, rotation)
}

/// The rotation nearest to the blend of two rotations' matrices; `a`'s where the blend
/// has none.
pub(super) fn rotation_of_lerp(a: Quat, b: Quat, u: f32) -> Quat {
    let blend = mat3_from_quat_as_is(a) * (1.0 - u) + mat3_from_quat_as_is(b) * u;
    quat::aligned(Polar::split(blend).0, a)
}

/// A matrix as translation · rotation · stretch.
struct Parts {
    translation: Vec3,
    rotation: Quat,
    stretch: Mat3,
}

impl Parts {
    fn of(matrix: Mat4) -> Self {
        let (rotation, stretch) = Polar::split(Mat3::from_mat4(matrix));
        Self {
            translation: matrix.w_axis.truncate(),
            rotation,
            stretch,
        }
    }

    /// Straight lines, with a rotation from elsewhere.
    fn lerp(&self, to: &Self, u: f32, rotation: Quat) -> Mat4 {
        let stretch = self.stretch * (1.0 - u) + to.stretch * u;
        let axes = mat3_from_quat_as_is(rotation) * stretch;
        let mut matrix = Mat4::from_mat3(axes);
        matrix.w_axis = (self.translation * (1.0 - u) + to.translation * u).extend(1.0);
        matrix
    }
}
