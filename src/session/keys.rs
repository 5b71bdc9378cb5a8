//! Key times and the guessed frame rate of the clip in play.

use std::{collections::HashSet, sync::Arc};

use super::Session;
use crate::{
    document::{Clip, Document, JointTracks},
    scene::PoseSource,
};

/// Frame rate where nothing can be guessed.
const DEFAULT_FPS: f32 = 30.0;

/// What panels ask for in every frame, computed once per clip and selection:
/// a clip of a thousand joints holds hundreds of thousands of keys.
#[derive(Debug)]
pub(super) struct KeyCache {
    document: Option<Arc<Document>>,
    source: PoseSource,
    joint: Option<usize>,
    fps: f32,
    /// Sorted and distinct, in seconds.
    pub(super) times: Vec<f32>,
}

impl Default for KeyCache {
    fn default() -> Self {
        Self {
            document: None,
            source: PoseSource::Rest,
            joint: None,
            fps: DEFAULT_FPS,
            times: Vec::new(),
        }
    }
}

impl Session {
    /// Frames per second, **guessed** as the reciprocal of the smallest key
    /// spacing of the clip in play, rounded to a whole number where close; 30
    /// where nothing can be guessed. glTF stores no frame rate.
    pub fn guessed_fps(&self) -> f32 {
        self.keys.fps
    }

    /// Sorted, distinct key times in seconds of the selected joint, or of all
    /// joints where none is selected or the clip does not move it.
    pub fn key_times(&self) -> Vec<f32> {
        self.keys.times.clone()
    }

    /// Brings the cache up to date after a change of document, clip or selection.
    pub(super) fn refresh_keys(&mut self) {
        let Some(character) = self.stage.characters.first() else {
            return;
        };
        let cache = &mut self.keys;
        let document = &character.document;
        let same_clip = cache.source == character.source
            && (cache.document.as_ref()).is_some_and(|known| Arc::ptr_eq(known, document));
        let joint = self.view.selected_joint;
        if same_clip && cache.joint == joint {
            return;
        }
        let clip = character.clip();
        let tracks = joint.and_then(|joint| clip?.joint_tracks(joint));
        cache.times = match (tracks, clip) {
            (Some(tracks), _) => distinct(joint_times(tracks)),
            (None, Some(clip)) => distinct(clip_times(clip)),
            (None, None) => Vec::new(),
        };
        if !same_clip {
            cache.fps = clip.map_or(DEFAULT_FPS, guess_fps);
        }
        cache.document = Some(document.clone());
        cache.source = character.source;
        cache.joint = joint;
    }
}

fn guess_fps(clip: &Clip) -> f32 {
    let gaps = clip_times(clip).flat_map(|times| times.windows(2).map(|pair| pair[1] - pair[0]));
    let spacing = gaps.filter(|&gap| gap > 1e-4).fold(f32::INFINITY, f32::min);
    let fps = 1.0 / spacing;
    if !(1.0..=240.0).contains(&fps) {
        DEFAULT_FPS
    } else if (fps - fps.round()).abs() < 0.05 {
        fps.round()
    } else {
        fps
    }
}

/// All times together; tracks that share one allocation count once.
fn distinct<'a>(tracks: impl Iterator<Item = &'a Arc<[f32]>>) -> Vec<f32> {
    let mut seen = HashSet::new();
    let mut times: Vec<f32> = tracks
        .filter(|times| seen.insert(times.as_ptr()))
        .flat_map(|times| times.iter().copied())
        .collect();
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    times
}

fn joint_times(tracks: &JointTracks) -> impl Iterator<Item = &Arc<[f32]>> {
    let times = match tracks {
        JointTracks::Trs {
            translation,
            rotation,
            scale,
            ..
        } => [
            translation.as_ref().map(|t| &t.times),
            rotation.as_ref().map(|t| &t.times),
            scale.as_ref().map(|t| &t.times),
        ],
        JointTracks::Matrix { matrix, .. } => [Some(&matrix.times), None, None],
    };
    times.into_iter().flatten()
}

fn clip_times(clip: &Clip) -> impl Iterator<Item = &Arc<[f32]>> {
    clip.joints
        .iter()
        .flat_map(joint_times)
        .chain(clip.morphs.iter().map(|morph| &morph.weights.times))
}
