//! Key times and the guessed frame rate of the clip in play.

use std::{collections::HashSet, sync::Arc};

use super::Session;
use crate::{
    document::{Clip, Document},
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
    times: Vec<f32>,
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
    /// Frames per second of the clip in play, **guessed** (see
    /// [`Clip::guessed_fps`]); 30 where nothing can be guessed.
    pub fn guessed_fps(&self) -> f32 {
        self.keys.fps
    }

    /// Sorted, distinct key times in seconds of the selected joint, or of all
    /// joints where none is selected or the clip does not move it.
    pub fn key_times(&self) -> &[f32] {
        &self.keys.times
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
            (Some(tracks), _) => distinct(tracks.times()),
            (None, Some(clip)) => distinct(clip.times()),
            (None, None) => Vec::new(),
        };
        if !same_clip {
            cache.fps = clip.and_then(Clip::guessed_fps).unwrap_or(DEFAULT_FPS);
        }
        cache.document = Some(document.clone());
        cache.source = character.source;
        cache.joint = joint;
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
