//! Absolute commands from relative wishes: the next key, the next clip, framing.

use super::{Command, Session};
use crate::{
    document::{Clip, JointTracks},
    math::Aabb,
    scene::PoseSource,
};

impl Session {
    /// Frames per second, **guessed** as the reciprocal of the smallest common
    /// key spacing of the clip in play, rounded to a whole number where close;
    /// 30 where nothing can be guessed. glTF stores no frame rate.
    pub fn guessed_fps(&self) -> f32 {
        let Some(clip) = self.character().and_then(|c| c.clip()) else {
            return 30.0;
        };
        let mut spacing = f32::INFINITY;
        for times in clip_times(clip) {
            for pair in times.windows(2) {
                let gap = pair[1] - pair[0];
                if gap > 1e-4 {
                    spacing = spacing.min(gap);
                }
            }
        }
        let fps = 1.0 / spacing;
        if !(1.0..=240.0).contains(&fps) {
            30.0
        } else if (fps - fps.round()).abs() < 0.05 {
            fps.round()
        } else {
            fps
        }
    }

    /// Sorted, distinct key times of the selected joint, or of all joints where
    /// none is selected or the clip does not move it.
    pub fn key_times(&self) -> Vec<f32> {
        let Some(clip) = self.character().and_then(|c| c.clip()) else {
            return Vec::new();
        };
        let selected = self
            .view
            .selected_joint
            .and_then(|joint| clip.joint_tracks(joint));
        let mut times: Vec<f32> = match selected {
            Some(tracks) => joint_times(tracks).flatten().copied().collect(),
            None => clip_times(clip).flatten().copied().collect(),
        };
        times.sort_unstable_by(f32::total_cmp);
        times.dedup();
        times
    }

    pub(super) fn frame_step(&self, frames: i32) -> Option<Command> {
        let player = self.character()?.player;
        let fps = self.guessed_fps();
        let frame = (player.time_secs * fps).round() + frames as f32;
        Some(Command::SetTime(
            (frame / fps).clamp(0.0, player.duration_secs),
        ))
    }

    pub(super) fn key_step(&self, forward: bool) -> Option<Command> {
        let now = self.character()?.player.time_secs;
        let times = self.key_times();
        // A hair of tolerance, so that a step never sticks to its own key.
        let next = if forward {
            times.iter().find(|&&t| t > now + 1e-4)
        } else {
            times.iter().rev().find(|&&t| t < now - 1e-4)
        };
        next.map(|&time| Command::SetTime(time))
    }

    pub(super) fn clip_step(&self, step: isize) -> Option<Command> {
        let character = self.character()?;
        let count = character.document.clips.len() as isize;
        if count == 0 {
            return None;
        }
        let now = match character.source {
            PoseSource::Clip(index) => index as isize,
            PoseSource::Rest | PoseSource::Bind => -step.max(0),
        };
        let next = (now + step).rem_euclid(count) as usize;
        Some(Command::SetSource(PoseSource::Clip(next)))
    }

    pub(super) fn looking_from(&self, yaw_degrees: f32, pitch_degrees: f32) -> Option<Command> {
        let mut camera = self.view.camera;
        camera.yaw_radians = yaw_degrees.to_radians();
        camera.pitch_radians = pitch_degrees.to_radians();
        Some(Command::SetCamera(camera))
    }

    /// A camera that shows the whole character, or the selected joint with its
    /// children, in a view of this aspect.
    pub(super) fn framed(&self, aspect: f32, selection: bool) -> Option<Command> {
        let character = self.character()?;
        let bounds = match self.view.selected_joint.filter(|_| selection) {
            Some(joint) => self.joint_bounds(joint),
            None => crate::scene::animated_bounds(character),
        };
        let mut camera = self.view.camera;
        camera.frame(bounds, aspect);
        Some(Command::SetCamera(camera))
    }

    fn joint_bounds(&self, joint: usize) -> Aabb {
        let Some(character) = self.character() else {
            return Aabb::EMPTY;
        };
        let at = |joint: usize| {
            character
                .world_from_model
                .transform_point3(character.globals.world_from_joint[joint].w_axis.truncate())
        };
        let joints = &character.document.skeleton.joints;
        let children = (0..joints.len()).filter(|&child| joints[child].parent == Some(joint));
        let mut bounds = Aabb::from_points(children.map(at));
        bounds.grow(at(joint));
        let whole = crate::scene::animated_bounds(character).diagonal();
        let margin = glam::Vec3::splat((whole * 0.05).max(bounds.diagonal() * 0.25));
        bounds.grow(bounds.min - margin);
        bounds.grow(bounds.max + margin);
        bounds
    }
}

fn joint_times(tracks: &JointTracks) -> impl Iterator<Item = &[f32]> {
    let times: [Option<&[f32]>; 3] = match tracks {
        JointTracks::Trs {
            translation,
            rotation,
            scale,
            ..
        } => [
            translation.as_ref().map(|t| &*t.times),
            rotation.as_ref().map(|t| &*t.times),
            scale.as_ref().map(|t| &*t.times),
        ],
        JointTracks::Matrix { matrix, .. } => [Some(&*matrix.times), None, None],
    };
    times.into_iter().flatten()
}

/// The time arrays of all tracks; tracks that share one yield it each.
fn clip_times(clip: &Clip) -> impl Iterator<Item = &[f32]> {
    clip.joints
        .iter()
        .flat_map(joint_times)
        .chain(clip.morphs.iter().map(|morph| &*morph.weights.times))
}
