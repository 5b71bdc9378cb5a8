//! Bottom: transport, modes, and the scrub bar.

mod controls;
mod marks;
mod scrub;

use egui::Ui;

use super::{Context, theme};

/// A height for windows of this width, before anyone drags the panel's edge.
pub fn default_height(window_width: f32) -> f32 {
    if window_width >= controls::ONE_ROW_FROM {
        112.0
    } else {
        132.0
    }
}

/// The panel's state.
#[derive(Debug, Default)]
pub struct Timeline {
    /// Wheel travel that is not yet a whole frame.
    wheel_rest: f32,
    marks: marks::Marks,
}

impl Timeline {
    /// Fills the panel.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.spacing_mut().item_spacing.y = theme::GAP;
        controls::show(ui, context);
        ui.add_space(theme::GAP);
        self.scrub_bar(ui, context);
    }
}
