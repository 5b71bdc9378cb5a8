//! Ghosts: the character a little before and a little after, as translucent figures.

use std::sync::Arc;

use glam::{Vec3, Vec4};

use super::{Character, Stage};

/// Most ghosts on either side of the present.
pub const MOST_GHOSTS: u8 = 12;

/// Which ghosts are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ghosts {
    /// Whether any are.
    pub on: bool,
    /// How many before the present, at most [`MOST_GHOSTS`].
    pub before: u8,
    /// How many after it.
    pub after: u8,
    /// How far apart.
    pub spacing: GhostSpacing,
}

/// How far ghosts are from each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GhostSpacing {
    /// Seconds of the clip.
    Seconds(f32),
    /// One at each key: of the selected joint, or of all where none is selected or it has
    /// none.
    Keys,
}

impl Default for Ghosts {
    fn default() -> Self {
        Self {
            on: false,
            before: 3,
            after: 3,
            spacing: GhostSpacing::Seconds(0.1),
        }
    }
}

/// Past and future; linear RGB. Blue and vermilion of M. Okabe and K. Ito's palette.
const PAST: Vec3 = Vec3::new(0.0, 0.168, 0.445);
const FUTURE: Vec3 = Vec3::new(0.665, 0.112, 0.0);
/// How solid the nearest and the farthest ghosts are.
const SOLID: [f32; 2] = [0.42, 0.12];

/// When ghosts are, and how they look, the farthest first: those nearer lie over them.
pub(super) fn plan(
    character: &Character,
    joint: Option<usize>,
    ghosts: &Ghosts,
) -> Vec<(f32, Vec4)> {
    let Some(clip) = character.clip().filter(|_| ghosts.on) else {
        return Vec::new();
    };
    let now = character.player.time_secs;
    let (start, end) = (character.player.start_secs, clip.duration_secs);
    let counts = [ghosts.before, ghosts.after].map(|count| usize::from(count.min(MOST_GHOSTS)));
    let [before, after]: [Vec<f32>; 2] = match ghosts.spacing {
        GhostSpacing::Seconds(secs) => {
            let secs = if secs.is_finite() {
                secs.max(1e-3)
            } else {
                0.1
            };
            let at = |sign: f32, count: usize| -> Vec<f32> {
                let times = (1..=count).map(|step| now + sign * secs * step as f32);
                times.filter(|time| (start..=end).contains(time)).collect()
            };
            [at(-1.0, counts[0]), at(1.0, counts[1])]
        }
        GhostSpacing::Keys => {
            let tracks = joint.and_then(|joint| clip.joint_tracks(joint));
            let mut keys: Vec<f32> = match tracks {
                Some(tracks) => tracks
                    .times()
                    .flat_map(|times| times.iter().copied())
                    .collect(),
                None => clip
                    .times()
                    .flat_map(|times| times.iter().copied())
                    .collect(),
            };
            keys.retain(|time| (start..=end).contains(time));
            keys.sort_unstable_by(f32::total_cmp);
            keys.dedup();
            let (first, next) = (
                keys.partition_point(|&key| key < now - 1e-4),
                keys.partition_point(|&key| key <= now + 1e-4),
            );
            let before = keys[..first].iter().rev().take(counts[0]).copied();
            let after = keys[next..].iter().take(counts[1]).copied();
            [before.collect(), after.collect()]
        }
    };
    let mut planned = Vec::with_capacity(before.len() + after.len());
    for (times, count, color) in [(before, counts[0], PAST), (after, counts[1], FUTURE)] {
        let shown = times.into_iter().enumerate().map(|(index, time_secs)| {
            let share = index as f32 / count.max(2).saturating_sub(1) as f32;
            let alpha = SOLID[0] + (SOLID[1] - SOLID[0]) * share;
            (time_secs, color.extend(alpha))
        });
        planned.extend(shown);
    }
    let far = |ghost: &(f32, Vec4)| -(ghost.0 - now).abs();
    planned.sort_by(|a, b| far(a).total_cmp(&far(b)));
    planned
}

/// Ghosts of the stage's first character, kept from frame to frame.
#[derive(Debug, Clone, Default)]
pub(super) struct GhostCache {
    kept: Vec<Character>,
}

impl GhostCache {
    /// The ghosts of this frame, in their poses.
    pub(super) fn update(
        &mut self,
        stage: &Stage,
        joint: Option<usize>,
        ghosts: &Ghosts,
    ) -> &[Character] {
        let first = stage.characters.first();
        let planned = first.map_or_else(Vec::new, |character| plan(character, joint, ghosts));
        self.kept.truncate(planned.len());
        let Some(character) = first else {
            return &self.kept;
        };
        for (index, (time_secs, tint)) in planned.into_iter().enumerate() {
            let fits = |kept: &Character| {
                Arc::ptr_eq(&kept.document, &character.document) && kept.source == character.source
            };
            if !self.kept.get(index).is_some_and(fits) {
                self.kept.truncate(index);
                self.kept.push(character.clone());
            }
            let ghost = &mut self.kept[index];
            if ghost.technique != character.technique {
                ghost.technique.clone_from(&character.technique);
            }
            if ghost.held_morphs() != character.held_morphs() {
                ghost.set_held_morphs(character.held_morphs().to_vec());
            }
            ghost.skinned = character.skinned;
            ghost.world_from_model = character.world_from_model;
            ghost.tint = Some(tint);
            ghost.player.time_secs = time_secs;
            ghost.update();
        }
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Clip, Document, Joint, JointTracks, Keys, Track};
    use crate::scene::PoseSource;

    fn character() -> Character {
        let track = |times: &[f32]| Track {
            times: times.into(),
            keys: Keys::Linear(vec![Vec3::ONE; times.len()]),
        };
        let tracks = |joint, times: &[f32]| JointTracks::Trs {
            joint,
            translation: Some(track(times)),
            rotation: None,
            scale: None,
        };
        let mut document = Document::default();
        document.skeleton.joints = vec![Joint::default(), Joint::default()];
        document.clips.push(Clip {
            duration_secs: 2.0,
            joints: vec![
                tracks(0, &[0.0, 0.5, 1.0, 1.5, 2.0]),
                tracks(1, &[0.0, 0.9, 2.0]),
            ],
            ..Clip::default()
        });
        let mut character = Character::new(Arc::new(document));
        assert_eq!(character.source, PoseSource::Clip(0));
        character.player.seek(1.0);
        character
    }

    fn times(planned: &[(f32, Vec4)]) -> Vec<f32> {
        let mut times: Vec<f32> = planned.iter().map(|ghost| ghost.0).collect();
        times.sort_by(f32::total_cmp);
        times
    }

    #[test]
    fn ghosts_stand_in_even_steps_inside_the_clip() {
        let character = character();
        let ghosts = Ghosts {
            on: true,
            before: 2,
            after: 5,
            spacing: GhostSpacing::Seconds(0.4),
        };
        let planned = plan(&character, None, &ghosts);
        let wanted = [0.2, 0.6, 1.4, 1.8];
        for (got, wanted) in times(&planned).iter().zip(wanted) {
            assert!((got - wanted).abs() < 1e-6, "{got} for {wanted}");
        }
        assert_eq!(planned.len(), 4);
        // The farthest are drawn first and are the faintest.
        assert!(planned[0].1.w < planned[3].1.w);
        assert!(plan(&character, None, &Ghosts::default()).is_empty(), "off");
    }

    #[test]
    fn ghosts_at_keys_are_those_of_the_selected_joint() {
        let character = character();
        let ghosts = Ghosts {
            on: true,
            before: 1,
            after: 1,
            spacing: GhostSpacing::Keys,
        };
        assert_eq!(times(&plan(&character, Some(1), &ghosts)), [0.9, 2.0]);
        assert_eq!(times(&plan(&character, Some(0), &ghosts)), [0.5, 1.5]);
        assert_eq!(times(&plan(&character, None, &ghosts)), [0.9, 1.5]);
    }

    #[test]
    fn a_ghost_has_the_pose_that_the_character_has_then() {
        let mut character = character();
        let stage = Stage {
            characters: vec![character.clone()],
        };
        let ghosts = Ghosts {
            on: true,
            before: 0,
            after: 1,
            spacing: GhostSpacing::Seconds(0.25),
        };
        let mut cache = GhostCache::default();
        let ghost = &cache.update(&stage, None, &ghosts)[0];
        character.player.seek(1.25);
        character.update();
        assert_eq!(ghost.globals, character.globals);
        assert!(ghost.tint.is_some());
        assert!(cache.update(&stage, None, &Ghosts::default()).is_empty());
    }
}
