//! Scales that go wrong only while a clip plays.

use glam::{Mat3, Vec3};
use rayon::prelude::*;

use super::{
    few,
    rest::{Rest, is_uneven},
    words,
};
use crate::{
    analysis::{Effort, Found, Subject, Watch, measures},
    anim::{Globals, Modes, Pose, globals, sample},
    document::{Clip, Document, Finding, FindingCode, JointTracks, Property, Severity, Track},
};

/// Times at which a clip is looked at for shear: so many of its key times, evenly taken.
const USUAL_TIMES: usize = 64;
/// The same where everything is asked for.
const WHOLE_TIMES: usize = 4096;
/// Joints placed, over all clips and times, before the usual effort ends: a second or so.
const USUAL_JOINTS: usize = 8_000_000;

/// `scale-shear`, `scale-mirrored` and `scale-zero` of every clip, where the rest pose
/// has none of it.
pub(super) fn check(subject: &Subject<'_>, rest: &Rest) -> Found {
    let document = subject.document;
    let clips: Vec<Playing<'_>> = (0..document.clips.len())
        .into_par_iter()
        .map(|clip| Playing::new(subject, rest, clip))
        .collect();
    let work: usize = clips
        .iter()
        .map(|playing| playing.times.len() * document.skeleton.joints.len())
        .sum();
    let is_too_much = work > USUAL_JOINTS && subject.effort == Effort::Usual;
    let findings = clips.par_iter().flat_map_iter(|playing| {
        let shear = (!is_too_much).then(|| playing.shear(subject.watch));
        let keys = playing.keys();
        shear.flatten().into_iter().chain(keys)
    });
    let mut found: Found = findings.collect::<Vec<_>>().into();
    if is_too_much {
        let sampled = clips.iter().filter(|playing| !playing.times.is_empty());
        found.left_out.push(format!(
            "{} of {} with uneven scale were not looked at for shear",
            words::counted(sampled.count(), "clip", "clips"),
            words::counted(document.skeleton.joints.len(), "joint", "joints"),
        ));
    }
    found
}

/// A clip with the times at which it may shear something.
struct Playing<'a> {
    document: &'a Document,
    rest: &'a Rest,
    index: usize,
    clip: &'a Clip,
    /// Empty where nothing in the clip can bring a shear about.
    times: Vec<f32>,
}

impl<'a> Playing<'a> {
    fn new(subject: &Subject<'a>, rest: &'a Rest, index: usize) -> Self {
        let document = subject.document;
        let mut playing = Self {
            document,
            rest,
            index,
            clip: &document.clips[index],
            times: Vec::new(),
        };
        let limit = match subject.effort {
            Effort::Usual => USUAL_TIMES,
            Effort::Whole => WHOLE_TIMES,
        };
        playing.times = playing.worth_a_look(limit);
        playing
    }

    /// Key times of the joints that could be sheared, thinned out to `limit`.
    ///
    /// The cheap bound: a shear takes an uneven scale with something below it that is
    /// turned. Without such a scale, at rest or at any key, there is none.
    fn worth_a_look(&self, limit: usize) -> Vec<f32> {
        let joints = &self.document.skeleton.joints;
        let is_uneven: Vec<bool> = (0..joints.len())
            .map(|joint| self.is_uneven(joint))
            .collect();
        let mut is_below = vec![false; joints.len()];
        for (index, joint) in joints.iter().enumerate() {
            is_below[index] = joint.parent.is_some_and(|p| is_uneven[p] || is_below[p]);
        }
        let concerned = self.clip.joints.iter().filter(|tracks| {
            let joint = tracks.joint();
            let is_matrix = matches!(tracks, JointTracks::Matrix { .. });
            is_matrix
                || is_below[joint]
                || (is_uneven[joint] && !self.rest.children[joint].is_empty())
        });
        let mut times: Vec<f32> = concerned
            .flat_map(JointTracks::times)
            .flat_map(|times| times.iter().copied())
            .collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let step = times.len().div_ceil(limit).max(1);
        let last = times.last().copied();
        let mut thinned: Vec<f32> = times.into_iter().step_by(step).collect();
        if thinned.last() != last.as_ref() {
            thinned.extend(last);
        }
        thinned
    }

    /// Whether a joint's scale is uneven at rest or at any key of the clip.
    fn is_uneven(&self, joint: usize) -> bool {
        match self.clip.joint_tracks(joint) {
            Some(JointTracks::Matrix { .. }) => true,
            Some(JointTracks::Trs {
                scale: Some(track), ..
            }) => {
                let uneven = |&scale: &Vec3| is_uneven(Mat3::from_diagonal(scale));
                track.keys.values().iter().any(uneven)
            }
            _ => is_uneven(Mat3::from_mat4(
                self.document.skeleton.joints[joint].rest_mat4(),
            )),
        }
    }

    /// The worst shear of a joint that has none at rest.
    fn shear(&self, watch: &Watch) -> Option<Finding> {
        let modes = Modes::default();
        let (mut pose, mut worlds) = (Pose::default(), Globals::default());
        let mut worst = (measures::SHEAR_DEGREES, 0, 0.0);
        let mut is_sheared = vec![false; self.rest.worlds.len()];
        for &time in &self.times {
            if watch.is_cancelled() {
                return None;
            }
            sample(self.clip, self.document, time, &modes, &mut pose);
            globals(&self.document.skeleton, &pose, &mut worlds);
            for (joint, world) in worlds.worlds().enumerate() {
                let shear = measures::shear(Mat3::from_mat4(world));
                let is_news = self.rest.counts[joint] && !self.rest.is_sheared(joint);
                if shear <= measures::SHEAR_DEGREES || !is_news {
                    continue;
                }
                is_sheared[joint] = true;
                if shear > worst.0 {
                    worst = (shear, joint, time);
                }
            }
        }
        let count = is_sheared.iter().filter(|&&sheared| sheared).count();
        let (degrees, joint, time) = worst;
        (count > 0).then(|| {
            sample(self.clip, self.document, time, &modes, &mut pose);
            let cause = self.cause(&pose, joint);
            let by = cause.map_or_else(String::new, |(cause, scale)| {
                format!(
                    ", by the uneven scale {} of {}",
                    words::scale(scale),
                    words::node(self.document, cause)
                )
            });
            let message = format!(
                "{} shears {} that {} not at rest; the worst is {} at {}, its axes {degrees:.1}° off right angles{by}",
                words::clip(self.document, self.index),
                words::counted(count, "joint", "joints"),
                if count == 1 { "is" } else { "are" },
                words::node(self.document, joint),
                words::secs(time),
            );
            let mut finding =
                Finding::new(FindingCode::ScaleShear, Severity::Warning, message)
                    .in_clip(self.index)
                    .at_node(self.document.skeleton.joints[joint].node)
                    .with("shear_degrees", f64::from(degrees))
                    .with("joints", count as f64);
            finding.time_secs = Some(time);
            if let Some((cause, _)) = cause {
                let node = self.document.skeleton.joints[cause].node;
                finding = finding.with("cause_node", node as f64);
            }
            finding
        })
    }

    /// The nearest joint above that scales its axes unlike in a pose, and how; `None` where
    /// the joint's own matrix is the sheared one.
    fn cause(&self, pose: &Pose, joint: usize) -> Option<(usize, Vec3)> {
        let axes = |joint: usize| Mat3::from_mat4(pose.local(joint).to_mat4());
        if measures::shear(axes(joint)) > measures::SHEAR_DEGREES {
            return None;
        }
        let parent = |joint: usize| self.document.skeleton.joints[joint].parent;
        let mut above = core::iter::successors(parent(joint), |&joint| parent(joint));
        let cause = above.find(|&joint| is_uneven(axes(joint)))?;
        Some((cause, measures::scale(axes(cause))))
    }

    /// Keys that scale a joint to nothing or mirror it, where its rest pose does not: the
    /// first of each track. An info: clips hide things so.
    fn keys(&self) -> Vec<Finding> {
        let tracks = self.clip.joints.iter().filter_map(|tracks| match tracks {
            JointTracks::Trs {
                joint,
                scale: Some(track),
                ..
            } => Some((*joint, track)),
            _ => None,
        });
        let found = tracks.flat_map(|(joint, track)| self.keys_of(joint, track));
        let (zeros, mirrors) = found.partition(|f| f.code == FindingCode::ScaleZero);
        [few(zeros), few(mirrors)].concat()
    }

    fn keys_of(&self, joint: usize, track: &Track<Vec3>) -> Vec<Finding> {
        let stored = &self.document.skeleton.joints[joint];
        let is_zero = |scale: Vec3| measures::is_flat(Mat3::from_diagonal(scale));
        let is_mirror = |scale: Vec3| scale.element_product() < 0.0;
        let finding = |key: usize, code, [verb, outcome]: [&str; 2]| {
            let (scale, time) = (track.keys.values()[key], track.times[key]);
            let message = format!(
                "{} {verb} {}{outcome} at {}: scale {}",
                words::clip(self.document, self.index),
                words::node(self.document, joint),
                words::secs(time),
                words::scale(scale)
            );
            let [x, y, z] = scale.to_array().map(f64::from);
            Finding::new(code, Severity::Info, message)
                .in_clip(self.index)
                .at_node(stored.node)
                .of(Property::Scale)
                .at_key(key, time)
                .with("scale_x", x)
                .with("scale_y", y)
                .with("scale_z", z)
        };
        let first = |is: &dyn Fn(Vec3) -> bool| {
            let mut keys = track.keys.values().iter();
            // What the rest pose has too is told of the rest pose.
            (!is(stored.scale)).then(|| keys.position(|&scale| is(scale)))?
        };
        let zero = first(&is_zero)
            .map(|key| finding(key, FindingCode::ScaleZero, ["scales", " to nothing"]));
        let mirror =
            first(&is_mirror).map(|key| finding(key, FindingCode::ScaleMirrored, ["mirrors", ""]));
        zero.into_iter().chain(mirror).collect()
    }
}
