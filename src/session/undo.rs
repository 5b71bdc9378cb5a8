//! Undo of view and mode settings.

use super::Session;
use crate::{
    anim::Technique,
    scene::{HeldMorph, View},
};

/// Steps kept.
const LIMIT: usize = 100;

/// What undo brings back.
#[derive(Debug, Clone, PartialEq)]
struct Settings {
    view: View,
    technique: Technique,
    skinned: bool,
    held_morphs: Vec<HeldMorph>,
}

/// Settings before and after the present ones.
#[derive(Debug, Default)]
pub(super) struct History {
    past: Vec<Settings>,
    future: Vec<Settings>,
    present: Option<Settings>,
}

impl Session {
    fn settings(&self) -> Option<Settings> {
        let character = self.character()?;
        let mut view = self.view.clone();
        view.hovered_joint = None;
        view.camera = self.settled_camera();
        Some(Settings {
            view,
            technique: character.technique.clone(),
            skinned: character.skinned,
            held_morphs: character.held_morphs().to_vec(),
        })
    }

    fn restore(&mut self, settings: Settings) {
        let camera = self.view.camera;
        let wanted = settings.view.camera;
        self.view = settings.view;
        self.view.camera = camera;
        self.keep_measures();
        self.move_camera(wanted);
        self.edit(|character| {
            character.technique = settings.technique;
            character.skinned = settings.skinned;
            character.set_held_morphs(settings.held_morphs);
        });
    }

    /// Remembers the present settings as a step, if they changed since the last
    /// one. The shell calls it once a frame while no pointer button is down, so
    /// that a whole drag is one step.
    pub fn checkpoint(&mut self) {
        let Some(now) = self.settings() else { return };
        let history = &mut self.history;
        match &history.present {
            Some(present) if *present == now => {}
            Some(_) => {
                history.past.extend(history.present.replace(now));
                history.future.clear();
                if history.past.len() > LIMIT {
                    history.past.remove(0);
                }
            }
            None => history.present = Some(now),
        }
    }

    /// Whether there is a step to take back.
    pub fn can_undo(&self) -> bool {
        !self.history.past.is_empty()
            || self.history.present.is_some() && self.history.present != self.settings()
    }

    /// Whether a step that was taken back can be done again.
    pub fn can_redo(&self) -> bool {
        !self.history.future.is_empty() && self.history.present == self.settings()
    }

    pub(super) fn undo(&mut self) {
        self.checkpoint();
        if let Some(settings) = self.history.past.pop() {
            self.history
                .future
                .extend(self.history.present.replace(settings.clone()));
            self.restore(settings);
        }
    }

    pub(super) fn redo(&mut self) {
        // A change since the last undo is a step of its own and ends the redo line.
        self.checkpoint();
        if let Some(settings) = self.history.future.pop() {
            self.history
                .past
                .extend(self.history.present.replace(settings.clone()));
            self.restore(settings);
        }
    }
}
