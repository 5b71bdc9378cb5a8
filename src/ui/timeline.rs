//! Bottom: transport, modes, and the scrub bar.

mod controls;
mod scrub;

use std::sync::{Arc, Weak};

use egui::Ui;

use super::{Context, theme};
use crate::{document::Document, scene::PoseSource, session::Session};

/// A height for windows of this width, before anyone drags the panel's edge.
pub fn default_height(window_width: f32) -> f32 {
    if window_width >= controls::ONE_ROW_FROM {
        112.0
    } else {
        132.0
    }
}

/// The panel's state: facts about the clip in play that are dear to compute.
#[derive(Debug, Default)]
pub struct Timeline {
    document: Weak<Document>,
    source: Option<PoseSource>,
    selected: Option<usize>,
    /// Key times of the selected joint or of all, sorted.
    key_times: Vec<f32>,
    fps: f32,
    /// Wheel travel that is not yet a whole frame.
    wheel_rest: f32,
}

impl Timeline {
    /// Fills the panel.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        self.follow(context.session);
        ui.spacing_mut().item_spacing.y = theme::GAP;
        controls::show(ui, context, self.fps);
        ui.add_space(theme::GAP);
        self.scrub_bar(ui, context);
    }

    fn follow(&mut self, session: &Session) {
        let Some(character) = session.character() else {
            *self = Self::default();
            return;
        };
        let is_same_clip = std::ptr::eq(self.document.as_ptr(), Arc::as_ptr(&character.document))
            && self.source == Some(character.source);
        if !is_same_clip {
            self.document = Arc::downgrade(&character.document);
            self.source = Some(character.source);
            self.fps = session.guessed_fps();
        }
        if !is_same_clip || self.selected != session.view.selected_joint {
            self.selected = session.view.selected_joint;
            self.key_times = session.key_times();
        }
    }
}
