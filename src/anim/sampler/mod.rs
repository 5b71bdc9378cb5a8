//! A clip made ready for speed.
//!
//! [`super::sample()`] reads the file's tracks one by one. A [`Sampler`] holds the
//! same keys in the order in which playing needs them:
//!
//! - Tracks that share their key times form a *band*: the search for a time is done
//!   once for all of them, and all values of one key lie in one run of memory.
//! - Inside a band four joints go into the lanes of each vector, in the groups of
//!   [`Pose`], so that results are stored without shuffling. A lane of another band
//!   is left alone.
//! - What slerp needs per key pair (Ω and the direction across the arc) is worked
//!   out once, in double precision; a frame is left with a sine and a cosine.
//!
//! Modes that a lab needs and a game does not (matrices, Euler angles, splines through the
//! keys) read the tracks as stored, joint by joint.
//!
//! Nothing of this is kept per character: forwards, backwards and jumping about
//! cost the same, and a thousand characters read one set of keys. A joint whose
//! key times are all its own has a band to itself and three idle lanes; it then
//! costs what scalar code would.

mod build;
mod rotation;
mod vector;

use std::sync::Arc;

use glam::{BVec4A, Vec4};

use self::{rotation::RotationBand, vector::VectorBand};
use super::{
    Interpolation, Local, Modes, Pose,
    sample::{blend, sample_joint},
    timeline::Span,
};
use crate::{
    document::{JointTracks, Keys},
    math::Transform,
};

/// A clip of a document in the layout of the runtime; immutable, and independent of
/// the document once built, so that any number of characters and threads can share
/// it. Gives what [`super::sample()`] gives, to within 1e-6.
#[derive(Debug, Clone)]
pub struct Sampler {
    /// Where joints that the clip leaves alone stay.
    rest: Pose,
    /// Key times, each sequence once.
    timelines: Vec<Arc<[f32]>>,
    translations: Vec<VectorBand>,
    rotations: Vec<RotationBand>,
    scales: Vec<VectorBand>,
    morphs: Vec<MorphBand>,
    /// The tracks as stored, sorted by joint, for what the bands do not know.
    tracks: Vec<JointTracks>,
}

/// Where a character is in each sequence of key times: a guess for the next search
/// that saves time and never changes a result. Starts as `Cursor::default()`, fits
/// any sampler, and allocates on its first use with a larger one only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cursor {
    spans: Vec<Span>,
}

impl Cursor {
    fn seek(&mut self, timelines: &[Arc<[f32]>], time_secs: f32) -> &[Span] {
        self.spans.resize_with(timelines.len(), Span::default);
        for (span, times) in self.spans.iter_mut().zip(timelines) {
            *span = Span::find_near(times, span.from, time_secs);
        }
        &self.spans
    }
}

impl Sampler {
    /// Samples at `time_secs` over the rest pose into `pose`, whatever it held.
    /// Before the first and after the last key of a track its end value holds.
    pub fn sample(&self, time_secs: f32, modes: &Modes, cursor: &mut Cursor, pose: &mut Pose) {
        let spans = cursor.seek(&self.timelines, time_secs);
        let hold = modes.interpolation == Interpolation::Step;
        pose.copy_from(&self.rest);
        let wide = modes.are_wide();
        if wide {
            for band in &self.translations {
                band.sample(&spans[band.timeline], hold, &mut pose.translations);
            }
            for band in &self.rotations {
                band.sample(&spans[band.timeline], modes, &mut pose.rotations);
            }
            for band in &self.scales {
                band.sample(&spans[band.timeline], hold, &mut pose.scales);
            }
        }
        for tracks in &self.tracks {
            if !wide || matches!(tracks, JointTracks::Matrix { .. }) {
                self.sample_tracks(tracks, time_secs, modes, pose);
            }
        }
        for band in &self.morphs {
            let span = &spans[band.timeline];
            let weights = &mut pose.morph_weights[band.instance];
            for (target, weight) in weights.iter_mut().enumerate() {
                let at = |key: usize| key * band.target_count + target;
                let (from, to) = (at(span.from), at(span.to));
                *weight = blend(&band.keys, from, to, span, hold, span.secs);
            }
        }
    }

    /// Samples one joint again by modes of its own. One that the clip does not move stays
    /// as it is.
    pub fn sample_joint(&self, joint: usize, time_secs: f32, modes: &Modes, pose: &mut Pose) {
        let place = self.tracks.binary_search_by_key(&joint, JointTracks::joint);
        if let Ok(place) = place {
            self.sample_tracks(&self.tracks[place], time_secs, modes, pose);
        }
    }

    fn sample_tracks(&self, tracks: &JointTracks, time_secs: f32, modes: &Modes, pose: &mut Pose) {
        let joint = tracks.joint();
        let rest = match self.rest.local(joint) {
            Local::Trs(rest) => rest,
            // Of a matrix track, which leaves nothing at rest.
            Local::Matrix(_) => Transform::IDENTITY,
        };
        pose.set_local(joint, sample_joint(tracks, &rest, time_secs, modes));
    }
}

/// How the tracks of a band are authored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Step,
    Linear,
    Cubic,
}

impl Kind {
    fn of<T>(keys: &Keys<T>) -> Self {
        match keys {
            Keys::Step(_) => Self::Step,
            Keys::Linear(_) => Self::Linear,
            Keys::Cubic { .. } => Self::Cubic,
        }
    }
}

/// Which joints four lanes belong to.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// Index of the group in [`Pose`].
    group: usize,
    /// The lanes that the band animates.
    lanes: BVec4A,
    /// Whether those are all that hold a joint.
    full: bool,
}

impl Slot {
    #[inline]
    fn store<const N: usize>(&self, groups: &mut [[Vec4; N]], values: [Vec4; N]) {
        let group = &mut groups[self.group];
        if self.full {
            *group = values;
        } else {
            *group = core::array::from_fn(|i| Vec4::select(self.lanes, values[i], group[i]));
        }
    }
}

/// A cubic spline's key, tangents per second.
#[derive(Debug, Clone, Copy)]
struct SplineRow<const N: usize> {
    in_tangent: [Vec4; N],
    value: [Vec4; N],
    out_tangent: [Vec4; N],
}

/// Morph weights of one mesh instance.
#[derive(Debug, Clone)]
struct MorphBand {
    timeline: usize,
    /// Index into `Pose::morph_weights`.
    instance: usize,
    target_count: usize,
    keys: Keys<f32>,
}
