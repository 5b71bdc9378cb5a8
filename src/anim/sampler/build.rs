//! From a clip's tracks to bands.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use glam::{BVec4A, Vec4};

use super::{Kind, MorphBand, Sampler, Slot, rotation::RotationBand, vector::VectorBand};
use crate::{
    anim::{Local, Pose},
    document::{Clip, Document, JointTracks, Keys, Track},
};

/// The keys of four neighbouring joints, as far as they are in a band.
type Lanes<'a, T> = [Option<&'a Keys<T>>; 4];

/// Up to four tracks of a band, in the lanes of one group of joints.
pub(super) struct Member<'a, T> {
    pub slot: Slot,
    tracks: Lanes<'a, T>,
}

impl<T> Member<'_, T> {
    /// Some numbers of a key, lane by lane; `other` in lanes without a track.
    pub fn lanes<const N: usize>(
        &self,
        key: usize,
        other: [f32; N],
        get: impl Fn(&Keys<T>, usize) -> [f32; N],
    ) -> [Vec4; N] {
        let lanes = self
            .tracks
            .map(|keys| keys.map_or(other, |keys| get(keys, key)));
        core::array::from_fn(|i| Vec4::from_array(lanes.map(|lane| lane[i])))
    }
}

/// Key times, each sequence once.
#[derive(Default)]
struct Timelines {
    all: Vec<Arc<[f32]>>,
    /// By their bits; a file may repeat one sequence in many accessors.
    known: HashMap<Vec<u32>, usize>,
    /// By allocation, to spare the look at every key of tracks that share one.
    seen: HashMap<*const f32, usize>,
}

impl Timelines {
    fn index_of(&mut self, times: &Arc<[f32]>) -> usize {
        let allocation = times.as_ptr();
        if let Some(&index) = self.seen.get(&allocation) {
            return index;
        }
        let bits = times.iter().map(|t| t.to_bits()).collect();
        let index = *self.known.entry(bits).or_insert_with(|| {
            self.all.push(times.clone());
            self.all.len() - 1
        });
        self.seen.insert(allocation, index);
        index
    }
}

impl Sampler {
    /// Prepares `clip` for playing on the skeleton of `document`.
    pub fn new(document: &Document, clip: &Clip) -> Self {
        let mut timelines = Timelines::default();
        let mut rest = Pose::rest(document);
        let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        for tracks in &clip.joints {
            match tracks {
                JointTracks::Trs {
                    joint,
                    translation,
                    rotation,
                    scale,
                } => {
                    // What the clip moves by components is no matrix any more.
                    let at_rest = document.skeleton.joints[*joint].rest();
                    rest.set_local(*joint, Local::Trs(at_rest));
                    translations.extend(translation.as_ref().map(|track| (*joint, track)));
                    rotations.extend(rotation.as_ref().map(|track| (*joint, track)));
                    scales.extend(scale.as_ref().map(|track| (*joint, track)));
                }
                JointTracks::Matrix { joint, matrix } => {
                    rest.set_local(*joint, Local::Matrix(matrix.keys.values()[0]));
                }
            }
        }
        let joint_count = rest.len();
        let rotations = bands(&rotations, joint_count, &mut timelines, RotationBand::new);
        let translations = bands(&translations, joint_count, &mut timelines, VectorBand::new);
        let scales = bands(&scales, joint_count, &mut timelines, VectorBand::new);
        let morphs = morph_bands(document, clip, &mut timelines);
        Self {
            rest,
            timelines: timelines.all,
            translations,
            rotations,
            scales,
            morphs,
            tracks: clip.joints.clone(),
        }
    }
}

/// Sorts tracks by key times and interpolation, and within those by group of joints.
fn bands<T, B>(
    tracks: &[(usize, &Track<T>)],
    joint_count: usize,
    timelines: &mut Timelines,
    new: impl Fn(usize, Kind, usize, &[Member<'_, T>]) -> B,
) -> Vec<B> {
    let mut sorted: BTreeMap<(usize, Kind), BTreeMap<usize, Lanes<'_, T>>> = BTreeMap::new();
    for &(joint, track) in tracks {
        let band = (timelines.index_of(&track.times), Kind::of(&track.keys));
        let group = sorted.entry(band).or_default().entry(joint / 4);
        group.or_default()[joint % 4] = Some(&track.keys);
    }
    sorted
        .into_iter()
        .map(|((timeline, kind), groups)| {
            let members: Vec<Member<'_, T>> = groups
                .into_iter()
                .map(|(group, tracks)| Member {
                    slot: Slot::new(group, tracks.map(|track| track.is_some()), joint_count),
                    tracks,
                })
                .collect();
            new(timeline, kind, timelines.all[timeline].len(), &members)
        })
        .collect()
}

impl Slot {
    fn new(group: usize, lanes: [bool; 4], joint_count: usize) -> Self {
        Self {
            group,
            lanes: BVec4A::from_array(lanes),
            full: (0..4).all(|lane| lanes[lane] || group * 4 + lane >= joint_count),
        }
    }
}

fn morph_bands(document: &Document, clip: &Clip, timelines: &mut Timelines) -> Vec<MorphBand> {
    let mut bands = Vec::new();
    for tracks in &clip.morphs {
        let timeline = timelines.index_of(&tracks.weights.times);
        for (instance, shown) in document.instances.iter().enumerate() {
            if shown.joint == tracks.joint && shown.morph_weights.len() == tracks.target_count {
                bands.push(MorphBand {
                    timeline,
                    instance,
                    target_count: tracks.target_count,
                    keys: tracks.weights.keys.clone(),
                });
            }
        }
    }
    bands
}
