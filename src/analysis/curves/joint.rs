//! One joint in one clip.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::{
    Curve,
    turns::{angle_degrees, arc_degrees, euler, flips, length, negated, unit},
    winding::Winding,
};
use crate::{
    anim::{self, Cursor, Local, Modes, Pose, Sampler},
    document::{Clip, Document, Joint, JointTracks, MeshInstance, MorphTracks, Property, Track},
    math::Transform,
};

/// How curves are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reading {
    /// What plays.
    pub modes: Modes,
    /// Angles go on past ±180° instead of starting over.
    pub continuous: bool,
}

/// Keys of a curve.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dots {
    /// Seconds, increasing.
    pub times: Vec<f32>,
    /// As many numbers per time as the curve has components.
    pub values: Vec<f32>,
}

/// A joint and what a clip does to it, ready to be asked for values at any time.
///
/// It owns what it needs, at the cost of a copy of the joint's keys.
#[derive(Debug, Clone)]
pub struct JointCurves {
    pub(super) joint: Joint,
    /// At most this joint's tracks, of joint 0.
    tracks: Option<JointTracks>,
    morph: Option<MorphTracks>,
    morph_names: Vec<String>,
    duration_secs: f32,
    sampler: Sampler,
    cursor: Cursor,
    pose: Pose,
    /// For each rotation key, whether alignment from the first key on negates it.
    negated: Vec<bool>,
    /// Start and end of intervals between hemispheres.
    flips: Vec<[f32; 2]>,
    pub(super) winding: Winding,
}

impl JointCurves {
    /// `None` without such a clip or joint.
    pub fn new(document: &Document, clip: usize, joint: usize) -> Option<Self> {
        let clip = document.clips.get(clip)?;
        let stored = document.skeleton.joints.get(joint)?;
        let tracks = clip.joint_tracks(joint).map(at_zero);
        let shown = morphing_instance(document, clip, joint);
        let morph = shown.and_then(|instance| {
            let fits = |morph: &&MorphTracks| {
                morph.joint == joint && morph.target_count == instance.morph_weights.len()
            };
            clip.morphs.iter().find(fits)
        });
        let morph = morph.map(|morph| MorphTracks {
            joint: 0,
            ..morph.clone()
        });
        // A document of this joint alone: its lane computes what it does among others.
        let mut alone = Document::default();
        alone.skeleton.joints.push(Joint {
            parent: None,
            ..stored.clone()
        });
        alone.skeleton.joint_of_node.push(0);
        alone.instances.extend(shown.map(|instance| MeshInstance {
            joint: 0,
            ..instance.clone()
        }));
        let tracks_alone = Clip {
            joints: tracks.iter().cloned().collect(),
            morphs: morph.iter().cloned().collect(),
            ..Clip::default()
        };
        let names = shown.and_then(|instance| document.meshes.get(instance.mesh));
        let mut curves = Self {
            joint: stored.clone(),
            sampler: Sampler::new(&alone, &tracks_alone),
            cursor: Cursor::default(),
            pose: Pose::rest(&alone),
            tracks,
            morph,
            morph_names: names.map_or_else(Vec::new, |mesh| mesh.morph_names.clone()),
            duration_secs: clip.duration_secs,
            negated: Vec::new(),
            flips: Vec::new(),
            winding: Winding::default(),
        };
        if let Some(track) = curves.rotation() {
            let negated = negated(track);
            let flips = flips(track, &negated);
            (curves.negated, curves.flips) = (negated, flips);
        }
        Some(curves)
    }

    /// Time of the clip's last key, in seconds.
    pub fn duration_secs(&self) -> f32 {
        self.duration_secs
    }

    /// Names of a curve's components, `target 3` for a morph target without one.
    pub fn components(&self, curve: Curve) -> Vec<String> {
        if curve != Curve::MorphWeights {
            return curve.components().iter().map(ToString::to_string).collect();
        }
        let count = self.pose.morph_weights.first().map_or(0, Vec::len);
        let name = |target: usize| match self.morph_names.get(target) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("target {target}"),
        };
        (0..count).map(name).collect()
    }

    /// How many numbers a curve has at a time; 0 for morph weights of a joint that
    /// shows nothing that morphs.
    pub fn width(&self, curve: Curve) -> usize {
        match curve {
            Curve::MorphWeights => self.pose.morph_weights.first().map_or(0, Vec::len),
            _ => curve.components().len(),
        }
    }

    /// Key times of the track that a curve reads; `None` where the clip leaves it at rest.
    pub fn times(&self, property: Property) -> Option<&Arc<[f32]>> {
        if property == Property::MorphWeights {
            return self.morph.as_ref().map(|morph| &morph.weights.times);
        }
        match (self.tracks.as_ref()?, property) {
            (JointTracks::Matrix { matrix, .. }, _) => Some(&matrix.times),
            (JointTracks::Trs { translation, .. }, Property::Translation) => {
                translation.as_ref().map(|track| &track.times)
            }
            (JointTracks::Trs { scale, .. }, Property::Scale) => {
                scale.as_ref().map(|track| &track.times)
            }
            (JointTracks::Trs { rotation, .. }, _) => rotation.as_ref().map(|track| &track.times),
        }
    }

    /// The format's word for how a property's track interpolates.
    pub fn interpolation_name(&self, property: Property) -> Option<&'static str> {
        if property == Property::MorphWeights {
            let morph = self.morph.as_ref()?;
            return Some(morph.weights.keys.interpolation_name());
        }
        match (self.tracks.as_ref()?, property) {
            (JointTracks::Matrix { matrix, .. }, _) => Some(matrix.keys.interpolation_name()),
            (JointTracks::Trs { translation, .. }, Property::Translation) => {
                Some(translation.as_ref()?.keys.interpolation_name())
            }
            (JointTracks::Trs { scale, .. }, Property::Scale) => {
                Some(scale.as_ref()?.keys.interpolation_name())
            }
            (JointTracks::Trs { rotation, .. }, _) => {
                Some(rotation.as_ref()?.keys.interpolation_name())
            }
        }
    }

    /// Intervals whose rotation keys lie in different hemispheres, as start and end in
    /// seconds, in the order of time: the way round depends on the player. Steps have
    /// none.
    pub fn flips(&self) -> &[[f32; 2]] {
        &self.flips
    }

    pub(super) fn rotation(&self) -> Option<&Track<Quat>> {
        match self.tracks.as_ref()? {
            JointTracks::Trs { rotation, .. } => rotation.as_ref(),
            JointTracks::Matrix { .. } => None,
        }
    }

    /// Appends the curve's numbers at a time, [`Self::width`] of them; NaN where there
    /// is none, such as an angle between keys before the first.
    pub fn value(&mut self, curve: Curve, reading: &Reading, time_secs: f32, out: &mut Vec<f32>) {
        let modes = &reading.modes;
        match curve {
            Curve::QuaternionStored => {
                out.extend(self.played(time_secs, modes).rotation.to_array());
            }
            Curve::QuaternionAligned => {
                let q = self.played(time_secs, modes).rotation;
                let negate = self.key_at(time_secs).is_some_and(|key| self.negated[key]);
                out.extend(if negate { -q } else { q }.to_array());
            }
            Curve::LengthBeforeNormalising => {
                let q = match self.rotation() {
                    Some(track) => anim::rotation_before_normalising(track, time_secs, modes),
                    None => self.played(time_secs, modes).rotation,
                };
                out.push(length(q));
            }
            Curve::AngleFromOrientation => {
                let q = self.animated(time_secs, modes);
                let key = self.key_at(time_secs).unwrap_or(0);
                let sign = reading.continuous.then(|| self.sign(key, modes));
                out.push(angle_degrees(q, sign));
            }
            Curve::AngleToPreviousKey => out.extend(self.arcs(time_secs)),
            Curve::AngularSpeed => {
                let speed = self.degrees_per_second(time_secs, modes);
                out.push(speed);
            }
            Curve::Euler(order) if reading.continuous => {
                out.extend(self.wound_degrees(order, time_secs, modes).to_array());
            }
            Curve::Euler(order) => {
                let q = self.animated(time_secs, modes);
                out.extend(euler(order, q).to_array());
            }
            Curve::Translation => {
                out.extend(self.played(time_secs, modes).translation.to_array());
            }
            Curve::Scale => out.extend(self.played(time_secs, modes).scale.to_array()),
            Curve::MorphWeights => {
                self.sample(time_secs, modes);
                out.extend(self.pose.morph_weights.first().into_iter().flatten());
            }
        }
    }

    /// The keys that a curve reads. Components are exactly as stored; what is derived
    /// from a rotation is derived from the key brought to unit length.
    pub fn dots(&mut self, curve: Curve, reading: &Reading) -> Dots {
        let Some(times) = self.times(curve.property()).cloned() else {
            return Dots::default();
        };
        let mut dots = Dots {
            times: times.to_vec(),
            values: Vec::with_capacity(times.len() * self.width(curve)),
        };
        match curve {
            // A speed belongs to no key, and an angle between keys to its later one.
            Curve::AngularSpeed => return Dots::default(),
            Curve::AngleToPreviousKey => {
                dots.times.remove(0);
                for pair in 0..dots.times.len() {
                    dots.values.extend(self.arcs(times[pair]));
                }
            }
            Curve::MorphWeights => {
                let keys = self.morph.as_ref().map(|morph| morph.weights.keys.values());
                dots.values.extend(keys.unwrap_or_default());
            }
            _ => {
                for key in 0..times.len() {
                    self.dot(curve, reading, key, times[key], &mut dots.values);
                }
            }
        }
        dots
    }

    fn dot(
        &mut self,
        curve: Curve,
        reading: &Reading,
        key: usize,
        time_secs: f32,
        out: &mut Vec<f32>,
    ) {
        let stored = self.stored(key);
        let q = stored.rotation;
        match curve {
            Curve::QuaternionAligned => {
                let negate = self.negated.get(key) == Some(&true);
                out.extend(if negate { -q } else { q }.to_array());
            }
            Curve::LengthBeforeNormalising => out.push(length(q)),
            Curve::AngleFromOrientation => {
                let q = self.joint.animated_rotation(unit(q));
                let sign = reading.continuous.then(|| self.sign(key, &reading.modes));
                out.push(angle_degrees(q, sign));
            }
            Curve::Euler(order) => {
                let mut angles = euler(order, self.joint.animated_rotation(unit(q)));
                if reading.continuous {
                    let played = self.wound_degrees(order, time_secs, &reading.modes);
                    angles = order.nearest(angles, played);
                }
                out.extend(angles.to_array());
            }
            Curve::Translation => out.extend(stored.translation.to_array()),
            Curve::Scale => out.extend(stored.scale.to_array()),
            _ => out.extend(q.to_array()),
        }
    }

    /// A key of each track of the joint, as stored; rest where there is no such key.
    fn stored(&self, key: usize) -> Transform {
        let rest = self.joint.rest();
        match &self.tracks {
            Some(JointTracks::Trs {
                translation,
                rotation,
                scale,
                ..
            }) => Transform {
                translation: stored_key(translation.as_ref(), key).unwrap_or(rest.translation),
                rotation: stored_key(rotation.as_ref(), key).unwrap_or(rest.rotation),
                scale: stored_key(scale.as_ref(), key).unwrap_or(rest.scale),
            },
            Some(JointTracks::Matrix { matrix, .. }) => stored_key(Some(matrix), key)
                .map_or(rest, |matrix| transform(Local::Matrix(matrix))),
            None => rest,
        }
    }

    fn sample(&mut self, time_secs: f32, modes: &Modes) {
        let (cursor, pose) = (&mut self.cursor, &mut self.pose);
        self.sampler.sample(time_secs, modes, cursor, pose);
    }

    /// The joint relative to its parent, as a character with these modes has it.
    fn played(&mut self, time_secs: f32, modes: &Modes) -> Transform {
        self.sample(time_secs, modes);
        transform(self.pose.local(0))
    }

    /// `orientation⁻¹ · key`, as played.
    pub(super) fn animated(&mut self, time_secs: f32, modes: &Modes) -> Quat {
        let q = self.played(time_secs, modes).rotation;
        self.joint.animated_rotation(q)
    }

    /// The rotation key that holds or begins an interval at a time.
    pub(super) fn key_at(&self, time_secs: f32) -> Option<usize> {
        let times = &self.rotation()?.times;
        Some(
            times
                .partition_point(|&time| time <= time_secs)
                .saturating_sub(1),
        )
    }

    /// The interval of rotation keys that a time lies in, as the index of its first key;
    /// the last key belongs to the interval that it ends.
    fn interval(&self, time_secs: f32) -> Option<usize> {
        let times = &self.rotation()?.times;
        let after = times.partition_point(|&time| time <= time_secs);
        if after == times.len() && times.last() == Some(&time_secs) {
            return after.checked_sub(2);
        }
        (after > 0 && after < times.len()).then(|| after - 1)
    }

    /// Short and stored angle between the keys around a time.
    fn arcs(&self, time_secs: f32) -> [f32; 2] {
        let (Some(track), Some(key)) = (self.rotation(), self.interval(time_secs)) else {
            return [f32::NAN; 2];
        };
        let values = track.keys.values();
        let stored = arc_degrees(unit(values[key]), unit(values[key + 1]));
        [stored.min(360.0 - stored) as f32, stored as f32]
    }

    /// From two samples on both sides of a time, inside its interval; 0 where a key holds.
    fn degrees_per_second(&mut self, time_secs: f32, modes: &Modes) -> f32 {
        let Some(key) = self.interval(time_secs) else {
            return 0.0;
        };
        let times = self
            .rotation()
            .map(|track| (track.times[key], track.times[key + 1]));
        let Some((start, end)) = times else {
            return 0.0;
        };
        let step = ((end - start) / 64.0).max(4.0 * (time_secs.next_up() - time_secs));
        let before = (time_secs - step).max(start);
        let after = (time_secs + step).min(end.next_down());
        if after <= before {
            return 0.0;
        }
        let (a, b) = (
            unit(self.played(before, modes).rotation),
            unit(self.played(after, modes).rotation),
        );
        let degrees = arc_degrees(a, b);
        let short = degrees.min(360.0 - degrees);
        (short / (f64::from(after) - f64::from(before))) as f32
    }
}

/// The tracks with 0 for their joint.
fn at_zero(tracks: &JointTracks) -> JointTracks {
    let mut tracks = tracks.clone();
    match &mut tracks {
        JointTracks::Trs { joint, .. } | JointTracks::Matrix { joint, .. } => *joint = 0,
    }
    tracks
}

/// The first mesh that a joint shows whose weights the clip moves, or else the first
/// that has morph targets.
fn morphing_instance<'a>(
    document: &'a Document,
    clip: &Clip,
    joint: usize,
) -> Option<&'a MeshInstance> {
    let shown = || {
        let instances = document.instances.iter();
        instances.filter(|i| i.joint == joint && !i.morph_weights.is_empty())
    };
    let moved = |instance: &&MeshInstance| {
        let mut tracks = clip.morphs.iter().filter(|morph| morph.joint == joint);
        tracks.any(|morph| morph.target_count == instance.morph_weights.len())
    };
    shown().find(moved).or_else(|| shown().next())
}

fn stored_key<T: Copy>(track: Option<&Track<T>>, key: usize) -> Option<T> {
    track?.keys.values().get(key).copied()
}

/// Parts that a matrix does not have are NaN.
fn transform(local: Local) -> Transform {
    match local {
        Local::Trs(transform) => transform,
        Local::Matrix(matrix) => Transform::from_mat4(matrix, 1e-4).unwrap_or(Transform {
            translation: matrix.w_axis.truncate(),
            rotation: Quat::from_xyzw(f32::NAN, f32::NAN, f32::NAN, f32::NAN),
            scale: Vec3::NAN,
        }),
    }
}
