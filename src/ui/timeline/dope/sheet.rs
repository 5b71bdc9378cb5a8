//! What a clip does to each joint, in the order of the hierarchy: made once per clip.

use core::cell::OnceCell;
use std::sync::{Arc, Weak};

use super::{
    held::{Held, held_runs},
    rows::Row,
};
use crate::document::{Clip, Document, JointTracks, Keys, MorphTracks, Property, Track};

/// How a key is drawn: by what happens after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyShape {
    /// STEP.
    Square,
    /// LINEAR, and rows that mix.
    Diamond,
    /// CUBICSPLINE.
    Disc,
}

impl KeyShape {
    fn of<T>(keys: &Keys<T>) -> Self {
        match keys {
            Keys::Step(_) => Self::Square,
            Keys::Linear(_) => Self::Diamond,
            Keys::Cubic { .. } => Self::Disc,
        }
    }

    /// The format's word, and what it means.
    pub fn description(self) -> &'static str {
        match self {
            Self::Square => "STEP: each key is held until the next",
            Self::Diamond => "LINEAR: even motion from key to key",
            Self::Disc => "CUBICSPLINE: a curve through the keys, with tangents",
        }
    }

    /// The format's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Square => "STEP",
            Self::Diamond => "LINEAR",
            Self::Disc => "CUBICSPLINE",
        }
    }
}

/// One property of one joint over time.
#[derive(Debug)]
pub struct TrackLine {
    /// Which property.
    pub property: Property,
    /// Which of the mesh's morph targets, for morph weights.
    pub target: Option<usize>,
    /// The property's or target's name.
    pub label: String,
    /// How its keys are drawn.
    pub shape: KeyShape,
    /// Key times, strictly increasing.
    pub times: Arc<[f32]>,
    held: OnceCell<Vec<Held>>,
}

/// One joint.
#[derive(Debug)]
pub struct JointLine {
    /// Joint index.
    pub joint: usize,
    /// Its name.
    pub label: String,
    /// The name in lower case, for the filter.
    pub haystack: String,
    /// What the clip keys of it; empty where it keys nothing.
    pub tracks: Vec<TrackLine>,
    union: OnceCell<Arc<[f32]>>,
}

impl JointLine {
    /// Times of all its keys together, sorted and distinct.
    pub fn times(&self) -> &Arc<[f32]> {
        self.union.get_or_init(|| union(&self.tracks))
    }

    /// The shape of all its keys, or the usual one where they differ.
    pub fn shape(&self) -> KeyShape {
        let mut shapes = self.tracks.iter().map(|track| track.shape);
        match shapes.next() {
            Some(first) if shapes.all(|shape| shape == first) => first,
            _ => KeyShape::Diamond,
        }
    }

    /// Translation, rotation and scale that the clip leaves at rest, of a joint that it
    /// moves.
    pub fn unkeyed(&self) -> impl Iterator<Item = Property> + '_ {
        let keys = |property| self.tracks.iter().any(|track| track.property == property);
        let is_split = self
            .tracks
            .iter()
            .any(|track| !matches!(track.property, Property::Matrix | Property::MorphWeights));
        [Property::Translation, Property::Rotation, Property::Scale]
            .into_iter()
            .filter(move |&property| is_split && !keys(property))
    }
}

/// All joints of a document with what one clip keys of them.
#[derive(Debug, Default)]
pub struct Sheet {
    document: Weak<Document>,
    clip: usize,
    /// In the order of the hierarchy, depth first.
    pub lines: Vec<JointLine>,
    /// Joints that the clip keys nothing of.
    pub unkeyed: usize,
    /// Counts how often it was made anew.
    pub generation: u64,
}

impl Sheet {
    /// Follows document and clip; costs nothing where they are the same as before.
    pub fn follow(&mut self, document: &Arc<Document>, clip: usize) {
        let is_same = core::ptr::eq(self.document.as_ptr(), Arc::as_ptr(document));
        if is_same && self.clip == clip && self.generation > 0 {
            return;
        }
        self.document = Arc::downgrade(document);
        self.clip = clip;
        self.generation += 1;
        self.lines = match document.clips.get(clip) {
            Some(clip) => lines(document, clip),
            None => Vec::new(),
        };
        let unkeyed = self.lines.iter().filter(|line| line.tracks.is_empty());
        self.unkeyed = unkeyed.count();
    }

    /// Key times of a row; none for rows without keys.
    pub fn times(&self, row: Row) -> &[f32] {
        match row {
            Row::Joint(line) => self.lines[line].times(),
            Row::Track(line, track) => &self.lines[line].tracks[track].times,
            Row::Rest(..) | Row::Unkeyed(_) => &[],
        }
    }

    /// How the keys of a row are drawn.
    pub fn shape(&self, row: Row) -> KeyShape {
        match row {
            Row::Joint(line) => self.lines[line].shape(),
            Row::Track(line, track) => self.lines[line].tracks[track].shape,
            Row::Rest(..) | Row::Unkeyed(_) => KeyShape::Diamond,
        }
    }

    /// Where values stand still between keys of a track.
    pub fn held(&self, document: &Document, line: usize, track: usize) -> &[Held] {
        let line = &self.lines[line];
        let track = &line.tracks[track];
        track.held.get_or_init(|| {
            let clip = document.clips.get(self.clip);
            clip.map_or_else(Vec::new, |clip| held_runs(clip, line.joint, track))
        })
    }
}

fn lines(document: &Document, clip: &Clip) -> Vec<JointLine> {
    let joints = &document.skeleton.joints;
    let mut tracks: Vec<Vec<TrackLine>> = joints.iter().map(|_| Vec::new()).collect();
    for of_joint in &clip.joints {
        if let Some(tracks) = tracks.get_mut(of_joint.joint()) {
            add_joint(of_joint, tracks);
        }
    }
    for morph in &clip.morphs {
        if let Some(tracks) = tracks.get_mut(morph.joint) {
            add_morphs(document, morph, tracks);
        }
    }
    let children = document.skeleton.children();
    let mut pending: Vec<usize> = (0..joints.len())
        .filter(|&joint| joints[joint].parent.is_none())
        .rev()
        .collect();
    let mut lines = Vec::with_capacity(joints.len());
    while let Some(joint) = pending.pop() {
        let label = joints[joint].label();
        lines.push(JointLine {
            joint,
            haystack: label.to_lowercase(),
            label,
            tracks: core::mem::take(&mut tracks[joint]),
            union: OnceCell::new(),
        });
        pending.extend(children[joint].iter().rev());
    }
    lines
}

fn track<T>(property: Property, keys: &Track<T>) -> TrackLine {
    TrackLine {
        property,
        target: None,
        label: property.as_str().to_owned(),
        shape: KeyShape::of(&keys.keys),
        times: keys.times.clone(),
        held: OnceCell::new(),
    }
}

fn add_joint(of_joint: &JointTracks, tracks: &mut Vec<TrackLine>) {
    match of_joint {
        JointTracks::Trs {
            translation,
            rotation,
            scale,
            ..
        } => {
            let add = |keys| track(Property::Translation, keys);
            tracks.extend(translation.as_ref().map(add));
            tracks.extend(
                rotation
                    .as_ref()
                    .map(|keys| track(Property::Rotation, keys)),
            );
            tracks.extend(scale.as_ref().map(|keys| track(Property::Scale, keys)));
        }
        JointTracks::Matrix { matrix, .. } => tracks.push(track(Property::Matrix, matrix)),
    }
}

fn add_morphs(document: &Document, morph: &MorphTracks, tracks: &mut Vec<TrackLine>) {
    let mut instances = document.instances.iter();
    let instance = instances.find(|instance| instance.joint == morph.joint);
    let mesh = instance.and_then(|instance| document.meshes.get(instance.mesh));
    for target in 0..morph.target_count {
        let name = mesh.and_then(|mesh| mesh.morph_names.get(target));
        let label = match name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("target {target}"),
        };
        tracks.push(TrackLine {
            target: Some(target),
            label,
            ..track(Property::MorphWeights, &morph.weights)
        });
    }
}

/// All times together; tracks that share one allocation count once.
fn union(tracks: &[TrackLine]) -> Arc<[f32]> {
    let Some(first) = tracks.first() else {
        return Arc::from([]);
    };
    let mut distinct: Vec<&Arc<[f32]>> = Vec::new();
    for track in tracks {
        if !distinct
            .iter()
            .any(|known| Arc::ptr_eq(known, &track.times))
        {
            distinct.push(&track.times);
        }
    }
    if distinct.len() == 1 {
        return first.times.clone();
    }
    let mut times: Vec<f32> = distinct
        .iter()
        .flat_map(|times| times.iter().copied())
        .collect();
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    times.into()
}

#[cfg(test)]
pub(super) mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::document::{Joint, Skeleton};

    pub fn document() -> Arc<Document> {
        let joint = |node: usize, name: &str, parent: Option<usize>| Joint {
            name: name.to_owned(),
            node,
            parent,
            ..Joint::default()
        };
        let times: Arc<[f32]> = [0.0, 0.5, 1.0].into();
        let clip = Clip {
            duration_secs: 1.0,
            joints: vec![JointTracks::Trs {
                joint: 3,
                translation: Some(Track {
                    times: [0.25, 0.5].into(),
                    keys: Keys::Step(vec![Vec3::ZERO; 2]),
                }),
                rotation: Some(Track {
                    times: times.clone(),
                    keys: Keys::Linear(vec![Quat::IDENTITY; 3]),
                }),
                scale: None,
            }],
            morphs: vec![MorphTracks {
                joint: 2,
                target_count: 2,
                weights: Track {
                    times,
                    keys: Keys::Linear(vec![0.0; 6]),
                },
            }],
            ..Clip::default()
        };
        Arc::new(Document {
            skeleton: Skeleton {
                joints: vec![
                    joint(0, "Hips", None),
                    joint(1, "Spine", Some(0)),
                    joint(2, "Leg", Some(0)),
                    joint(3, "Head", Some(1)),
                ],
                joint_of_node: (0..4).collect(),
            },
            clips: vec![clip],
            ..Document::default()
        })
    }

    #[test]
    fn lines_follow_the_hierarchy_and_join_their_keys() {
        let document = document();
        let mut sheet = Sheet::default();
        sheet.follow(&document, 0);
        let joints: Vec<usize> = sheet.lines.iter().map(|line| line.joint).collect();
        assert_eq!(joints, [0, 1, 3, 2]);
        assert_eq!(sheet.unkeyed, 2);
        let head = &sheet.lines[2];
        assert_eq!(&head.times()[..], [0.0, 0.25, 0.5, 1.0]);
        assert_eq!(head.shape(), KeyShape::Diamond, "mixed");
        assert_eq!(head.tracks[0].shape, KeyShape::Square);
        assert_eq!(head.unkeyed().collect::<Vec<_>>(), [Property::Scale]);
        let leg = &sheet.lines[3];
        assert_eq!(leg.tracks.len(), 2, "a row per target");
        assert_eq!(leg.tracks[1].label, "target 1");
        assert!(Arc::ptr_eq(leg.times(), &leg.tracks[0].times));
        assert_eq!(leg.unkeyed().count(), 0, "morphs say nothing of the node");
    }

    #[test]
    fn the_same_clip_is_not_made_twice() {
        let document = document();
        let mut sheet = Sheet::default();
        for (clip, generation) in [(0, 1), (0, 1), (7, 2), (0, 3)] {
            sheet.follow(&document, clip);
            assert_eq!(sheet.generation, generation);
        }
        sheet.follow(&Arc::new(Document::clone(&document)), 0);
        assert_eq!(sheet.generation, 4);
    }
}
