//! Animation data as stored.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

/// A named animation. Joints that it does not mention stay at rest.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clip {
    /// Name as stored, or empty.
    pub name: String,
    /// Time of the last key of all tracks, in seconds; the clip starts at 0.
    pub duration_secs: f32,
    /// Time of the first key of all tracks, in seconds.
    pub start_secs: f32,
    /// Sorted by joint, each joint at most once.
    pub joints: Vec<JointTracks>,
    /// Morph weights, sorted by joint.
    pub morphs: Vec<MorphTracks>,
}

/// What a track moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// A joint's place relative to its parent.
    Translation,
    /// A joint's orientation · rotation.
    Rotation,
    /// A joint's scale.
    Scale,
    /// A joint's whole matrix relative to its parent.
    Matrix,
    /// Morph weights of the mesh that a joint shows.
    MorphWeights,
}

impl Property {
    /// Every property, in the order in which they are listed.
    pub const ALL: [Self; 5] = [
        Self::Translation,
        Self::Rotation,
        Self::Scale,
        Self::Matrix,
        Self::MorphWeights,
    ];

    /// The word in panels and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Matrix => "matrix",
            Self::MorphWeights => "morph weights",
        }
    }
}

/// What a clip does to one joint.
#[derive(Debug, Clone, PartialEq)]
pub enum JointTracks {
    /// Separate components; a missing one stays at rest.
    Trs {
        /// Joint index.
        joint: usize,
        /// Relative to the parent.
        translation: Option<Track<Vec3>>,
        /// Orientation · rotation, keys as stored in the file: neither aligned
        /// to one hemisphere nor normalised.
        rotation: Option<Track<Quat>>,
        /// Along the joint's own axes.
        scale: Option<Track<Vec3>>,
    },
    /// Whole `parent_from_joint` matrices (`OpenGEX`, COLLADA).
    Matrix {
        /// Joint index.
        joint: usize,
        /// The matrices.
        matrix: Track<Mat4>,
    },
}

impl JointTracks {
    /// The joint these tracks move.
    pub fn joint(&self) -> usize {
        match self {
            Self::Trs { joint, .. } | Self::Matrix { joint, .. } => *joint,
        }
    }

    /// Key times of each track, translation before rotation before scale; tracks
    /// that share one time array yield it each.
    pub fn times(&self) -> impl Iterator<Item = &Arc<[f32]>> {
        let times = match self {
            Self::Trs {
                translation,
                rotation,
                scale,
                ..
            } => [
                translation.as_ref().map(|track| &track.times),
                rotation.as_ref().map(|track| &track.times),
                scale.as_ref().map(|track| &track.times),
            ],
            Self::Matrix { matrix, .. } => [Some(&matrix.times), None, None],
        };
        times.into_iter().flatten()
    }
}

/// Morph weights of the mesh shown by one joint.
#[derive(Debug, Clone, PartialEq)]
pub struct MorphTracks {
    /// Joint index of the mesh's node.
    pub joint: usize,
    /// Weights per key: the mesh's target count.
    pub target_count: usize,
    /// `target_count` consecutive entries per key in each key array.
    pub weights: Track<f32>,
}

/// Keys over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Track<T> {
    /// Strictly increasing, finite, ≥ 0, in seconds; at least one. Tracks that
    /// share a time accessor in the file share this allocation.
    pub times: Arc<[f32]>,
    /// Values at those times.
    pub keys: Keys<T>,
}

/// Key values with the interpolation the file asks for. Each array has one entry
/// per time (for [`MorphTracks`], `target_count` entries).
#[derive(Debug, Clone, PartialEq)]
pub enum Keys<T> {
    /// Hold until the next key.
    Step(Vec<T>),
    /// Straight line; for rotations, slerp on the short arc.
    Linear(Vec<T>),
    /// Cubic Hermite; tangents are per second and get scaled by the key spacing.
    Cubic {
        /// Arriving at the key.
        in_tangents: Vec<T>,
        /// At the key.
        values: Vec<T>,
        /// Leaving the key.
        out_tangents: Vec<T>,
    },
}

impl<T> Keys<T> {
    /// The values at the keys.
    pub fn values(&self) -> &[T] {
        match self {
            Self::Step(values) | Self::Linear(values) | Self::Cubic { values, .. } => values,
        }
    }

    /// The format's word for it.
    pub fn interpolation_name(&self) -> &'static str {
        match self {
            Self::Step(_) => "STEP",
            Self::Linear(_) => "LINEAR",
            Self::Cubic { .. } => "CUBICSPLINE",
        }
    }
}

impl<T> Track<T> {
    /// Time of the first key, seconds.
    pub fn start_secs(&self) -> f32 {
        self.times.first().copied().unwrap_or(0.0)
    }

    /// Time of the last key, seconds.
    pub fn end_secs(&self) -> f32 {
        self.times.last().copied().unwrap_or(0.0)
    }
}

impl Clip {
    /// The stored name, or `clip 3` where there is none; `index` is the clip's own.
    pub fn label(&self, index: usize) -> String {
        super::label(&self.name, "clip", index)
    }

    /// The tracks of one joint, if the clip moves it.
    pub fn joint_tracks(&self, joint: usize) -> Option<&JointTracks> {
        self.joints
            .binary_search_by_key(&joint, JointTracks::joint)
            .ok()
            .map(|index| &self.joints[index])
    }

    /// Key times of every track; tracks that share one time array yield it each.
    pub fn times(&self) -> impl Iterator<Item = &Arc<[f32]>> {
        let morphs = self.morphs.iter().map(|morph| &morph.weights.times);
        self.joints
            .iter()
            .flat_map(JointTracks::times)
            .chain(morphs)
    }

    /// Keys over all tracks.
    pub fn key_count(&self) -> usize {
        self.times().map(|times| times.len()).sum()
    }

    /// Frames per second, **guessed** as the reciprocal of the smallest spacing of
    /// two keys of one track, rounded to a whole number where close; `None` where
    /// that gives nothing between 1 and 240. Files store no frame rate.
    pub fn guessed_fps(&self) -> Option<f32> {
        let spacing = self
            .times()
            .flat_map(|times| times.windows(2).map(|pair| pair[1] - pair[0]))
            .filter(|&gap| gap > 1e-4)
            .fold(f32::INFINITY, f32::min);
        let fps = 1.0 / spacing;
        let rounded = fps.round();
        (1.0..=240.0)
            .contains(&fps)
            .then_some(if (fps - rounded).abs() < 0.05 {
                rounded
            } else {
                fps
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(times: &[f32]) -> Clip {
        Clip {
            joints: vec![JointTracks::Trs {
                joint: 0,
                translation: None,
                rotation: None,
                scale: Some(Track {
                    times: times.into(),
                    keys: Keys::Step(vec![Vec3::ONE; times.len()]),
                }),
            }],
            ..Clip::default()
        }
    }

    #[test]
    fn the_frame_rate_is_guessed_from_the_smallest_gap() {
        assert_eq!(clip(&[0.0, 0.5, 0.541_666_7]).guessed_fps(), Some(24.0));
        assert_eq!(clip(&[0.0, 0.4]).guessed_fps(), Some(2.5));
        for nothing in [&[0.5][..], &[0.0, 3.0], &[0.0, 0.001]] {
            assert_eq!(clip(nothing).guessed_fps(), None, "{nothing:?}");
        }
    }
}
