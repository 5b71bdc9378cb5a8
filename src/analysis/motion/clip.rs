//! One clip as its checks see it, and how they name its tracks.

use std::collections::HashSet;

use glam::Mat4;

use super::words;
use crate::{
    analysis::{Subject, roles::Roles},
    document::{Clip, Document, Finding, FindingCode, Property, Severity},
    math::Aabb,
};

/// A clip with what several checks need to know.
pub(super) struct Motion<'a> {
    pub document: &'a Document,
    /// Index of the clip.
    pub index: usize,
    pub clip: &'a Clip,
    /// Seconds of one frame, guessed; at most a tenth of a second, so that what is
    /// keyed in wider steps has no two keys a frame apart.
    pub frame_secs: f32,
    /// World units. Upright, or half the length where the rig lies; 0 where there is
    /// but a point.
    pub height: f64,
    /// World matrices at rest, by joint.
    rest_globals: Vec<Mat4>,
    /// Names that several nodes have.
    shared_names: HashSet<&'a str>,
    /// What nodes are there for.
    pub roles: &'a Roles,
}

impl<'a> Motion<'a> {
    pub fn new(subject: &'a Subject<'_>, index: usize) -> Self {
        let document = subject.document;
        let clip = &document.clips[index];
        let rest_globals = document.skeleton.rest_globals();
        Self {
            document,
            index,
            clip,
            frame_secs: clip
                .guessed_fps()
                .map_or(1.0 / 30.0, |fps| 1.0 / fps)
                .min(0.1),
            height: height(document, &rest_globals),
            rest_globals,
            shared_names: shared_names(document),
            roles: subject.roles(),
        }
    }

    /// The clip for a sentence: `clip "Walk"`, or `clip 0` where it has no name.
    pub fn label(&self) -> String {
        match self.clip.name.as_str() {
            "" => format!("clip {}", self.index),
            name => format!("clip {name:?}"),
        }
    }

    /// The joint for a sentence: `"upper"`, `node 12 "upper"` where others have the name
    /// too, or `node 12` where it has none.
    pub fn name(&self, joint: usize) -> String {
        let joint = &self.document.skeleton.joints[joint];
        if joint.name.is_empty() {
            joint.label()
        } else if self.shared_names.contains(joint.name.as_str()) {
            format!("node {} {:?}", joint.node, joint.name)
        } else {
            format!("{:?}", joint.name)
        }
    }

    /// How long one unit of a joint's translation is in the world, at rest; 1 where its
    /// parent is scaled to nothing.
    pub fn unit_of_translation(&self, joint: usize) -> f64 {
        let parent = self.document.skeleton.joints[joint].parent;
        let scale = parent.map_or(1.0, |parent| {
            f64::from(self.rest_globals[parent].determinant().abs()).cbrt()
        });
        if scale.is_finite() && scale > 0.0 {
            scale
        } else {
            1.0
        }
    }

    /// A finding about the clip as a whole.
    pub fn finding(
        &self,
        code: FindingCode,
        severity: Severity,
        message: impl Into<String>,
    ) -> Finding {
        Finding::new(code, severity, message).in_clip(self.index)
    }

    /// The same about a joint.
    pub fn joint_finding(
        &self,
        code: FindingCode,
        severity: Severity,
        joint: usize,
        message: impl Into<String>,
    ) -> Finding {
        self.finding(code, severity, message)
            .at_node(self.document.skeleton.joints[joint].node)
    }

    /// One of the clip's tracks.
    pub fn lane(&'a self, joint: usize, property: Property, times: &'a [f32]) -> Lane<'a> {
        Lane {
            motion: self,
            joint,
            property,
            times,
        }
    }
}

fn shared_names(document: &Document) -> HashSet<&str> {
    let mut seen = HashSet::new();
    let names = document.skeleton.joints.iter().map(|joint| &*joint.name);
    names.filter(|&name| !seen.insert(name)).collect()
}

/// Height of the skinned part of a document at rest, or of all of it where there is no
/// skin. Skinned meshes stand where their first joint puts them: exact wherever rest and
/// bind pose agree, and near enough for one per cent elsewhere.
fn height(document: &Document, rest_globals: &[Mat4]) -> f64 {
    let mut bounds = Aabb::from_points([]);
    let mut grow = |part: Aabb| {
        let (min, max) = (part.min, part.max);
        if !part.is_empty() && min.is_finite() && max.is_finite() {
            bounds = bounds.union(part);
        }
    };
    let origin = |world: &Mat4| Aabb::from_points([world.w_axis.truncate()]);
    if document.skins.is_empty() {
        rest_globals.iter().for_each(|world| grow(origin(world)));
    }
    for skin in &document.skins {
        for &joint in &skin.joints {
            grow(origin(&rest_globals[joint as usize]));
        }
    }
    for instance in document.instances.iter().filter(|shown| shown.in_scene) {
        let world_from_mesh = match instance.skin.map(|skin| &document.skins[skin]) {
            Some(skin) => match (skin.joints.first(), skin.joint_from_mesh.first()) {
                (Some(&joint), Some(&bind)) => rest_globals[joint as usize] * bind,
                _ => continue,
            },
            None if document.skins.is_empty() => rest_globals[instance.joint],
            None => continue,
        };
        for primitive in &document.meshes[instance.mesh].primitives {
            grow(primitive.bounds.transformed(world_from_mesh));
        }
    }
    if bounds.is_empty() {
        return 0.0;
    }
    let size = bounds.size().as_dvec3();
    size.y.max(size.max_element() / 2.0)
}

/// A track, as far as it takes to name places in it.
#[derive(Clone, Copy)]
pub(super) struct Lane<'a> {
    pub motion: &'a Motion<'a>,
    pub joint: usize,
    pub property: Property,
    pub times: &'a [f32],
}

/// At most so many findings of one code on one track.
const FEW: usize = 3;

impl Lane<'_> {
    /// The joint's name.
    pub fn name(&self) -> String {
        self.motion.name(self.joint)
    }

    /// `keys 3 and 4 (0.125 s – 0.167 s)`.
    pub fn keys(&self, from: usize, to: usize) -> String {
        let [start, end] = [from, to].map(|key| words::secs(self.times[key]));
        format!("keys {from} and {to} ({start} – {end})")
    }

    /// Seconds between a key and the next.
    pub fn gap_secs(&self, key: usize) -> f64 {
        f64::from(self.times[key + 1]) - f64::from(self.times[key])
    }

    /// A finding about what happens from one key to another.
    pub fn finding(
        &self,
        code: FindingCode,
        severity: Severity,
        keys: (usize, usize),
        message: impl Into<String>,
    ) -> Finding {
        self.motion
            .joint_finding(code, severity, self.joint, message)
            .of(self.property)
            .at_key(keys.0, self.times[keys.0])
            .until(self.times[keys.1])
    }

    /// The first few of one kind of finding on this track. Where there are more, the
    /// last of the few says how many and up to which key: its value `count` stands for
    /// itself and all that follow, so that the sum of all counts (1 where there is
    /// none) is the number of places.
    pub fn few<T>(&self, all: &[T], make: impl Fn(&T) -> Finding) -> Vec<Finding> {
        let mut findings: Vec<Finding> = all.iter().take(FEW).map(&make).collect();
        let more = all.len().saturating_sub(FEW);
        if let (1.., Some(last), Some(end)) = (more, findings.last_mut(), all.last()) {
            let end = make(end);
            let key = end.key.unwrap_or(0);
            let until = end.time_secs.map_or_else(String::new, words::secs);
            last.message += &format!(
                "; {} on this track, the last at key {key} ({until})",
                words::counted(more, "more such place follows", "more such places follow")
            );
            last.values.push(("count", (more + 1) as f64));
            last.values.push(("last_key", key as f64));
        }
        findings
    }
}
