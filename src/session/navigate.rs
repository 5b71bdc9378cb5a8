//! Absolute commands from relative wishes: the next key, the next clip, framing.

use super::{Command, Session};
use crate::{math::Aabb, scene::PoseSource};

/// As a part of the distance that frames a character: from there on it counts as seen
/// whole.
const SEEN_WHOLE: f32 = 0.9;

impl Session {
    /// The time in seconds so many frames on (back, if negative) by the guessed
    /// frame rate. From between two frames the first step leads to the neighbour.
    /// May lie outside the clip; `None` without a character.
    pub fn frames_on(&self, frames: f32) -> Option<f32> {
        // Rounding of the time must not count as being past a frame, or before it.
        const ON_FRAME: f32 = 0.05;
        let fps = self.guessed_fps();
        let now = self.character()?.player.time_secs * fps;
        let from = if frames > 0.0 {
            (now + ON_FRAME).floor()
        } else {
            (now - ON_FRAME).ceil()
        };
        Some((from + frames) / fps)
    }

    pub(super) fn frame_step(&self, frames: f32) -> Option<Command> {
        self.frames_on(frames).map(Command::StepTo)
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
        next.map(|&time| Command::StepTo(time))
    }

    pub(super) fn clip_step(&self, step: isize) -> Option<Command> {
        let character = self.character()?;
        let count = character.document.clips.len() as isize;
        if count == 0 {
            return None;
        }
        let now = match character.source {
            PoseSource::Clip(index) => index as isize,
            PoseSource::Rest | PoseSource::Bind => match self.left_clip {
                Some((index, _)) => index as isize,
                None => -step.max(0),
            },
        };
        let next = (now + step).rem_euclid(count) as usize;
        Some(Command::SetSource(PoseSource::Clip(next)))
    }

    /// To that pose, or from it back to the clip where there is one.
    pub(super) fn pose_or_clip(&self, pose: PoseSource) -> Option<Command> {
        let character = self.character()?;
        let shown = character.source == pose;
        Some(if shown && !character.document.clips.is_empty() {
            Command::ReturnToClip
        } else {
            Command::SetSource(pose)
        })
    }

    pub(super) fn looking_from(&self, yaw_degrees: f32, pitch_degrees: f32) -> Option<Command> {
        let mut camera = self.settled_camera();
        camera.yaw_radians = yaw_degrees.to_radians();
        camera.pitch_radians = pitch_degrees.to_radians();
        Some(Command::MoveCamera(camera))
    }

    /// A camera that shows the whole character, or the selected joint with all that
    /// hangs on it, in a view of this aspect.
    pub(super) fn framed(&self, aspect: f32, selection: bool) -> Option<Command> {
        let character = self.character()?;
        let bounds = match self.view.selected_joint.filter(|_| selection) {
            Some(joint) => self.joint_bounds(joint),
            None => self.others_bounds(crate::scene::framed_bounds(character, &self.view)),
        };
        let mut camera = self.settled_camera();
        camera.frame(bounds, aspect);
        Some(Command::MoveCamera(camera))
    }

    /// Sides have come or gone, and with them the shape of each picture, from one aspect
    /// to another: what was seen whole goes on to be seen whole. A camera that is nearer
    /// stays.
    pub fn keep_whole(&mut self, before: f32, now: f32) {
        let Some(character) = self.character() else {
            return;
        };
        let bounds = self.others_bounds(crate::scene::framed_bounds(character, &self.view));
        let mut camera = self.settled_camera();
        let framed = |aspect: f32| {
            let mut framed = camera;
            framed.frame(bounds, aspect);
            framed.distance
        };
        let (was, is) = (framed(before), framed(now));
        if camera.distance < was * SEEN_WHOLE {
            return;
        }
        camera.distance *= is / was;
        self.move_camera(camera);
    }

    /// These bounds and those of all that is compared, for all sides have one camera.
    fn others_bounds(&self, bounds: Aabb) -> Aabb {
        let others = (1..self.side_count()).filter_map(|side| self.side(side));
        others.fold(bounds, |bounds, side| {
            bounds.union(crate::scene::shown_bounds(side, self.view.skeleton))
        })
    }

    pub(super) fn joint_bounds(&self, joint: usize) -> Aabb {
        let Some(character) = self.character() else {
            return Aabb::EMPTY;
        };
        let at = |joint: usize| {
            character
                .world_from_model
                .transform_point3(character.globals.world(joint).w_axis.truncate())
        };
        let joints = &character.document.skeleton.joints;
        // Parents come before children.
        let mut below = vec![false; joints.len()];
        let mut bounds = Aabb::EMPTY;
        for (index, entry) in joints.iter().enumerate() {
            below[index] = index == joint || entry.parent.is_some_and(|parent| below[parent]);
            if below[index] {
                bounds.grow(at(index));
            }
        }
        let whole = crate::scene::animated_bounds(character).diagonal();
        let margin = glam::Vec3::splat((whole * 0.05).max(bounds.diagonal() * 0.25));
        bounds.grow(bounds.min - margin);
        bounds.grow(bounds.max + margin);
        bounds
    }
}
