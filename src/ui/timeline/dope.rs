//! Dope sheet: a row of keys for each joint and property.

use egui::Ui;

use crate::ui::Context;

/// The view's state.
#[derive(Debug, Default)]
pub struct DopeSheet;

impl DopeSheet {
    /// Fills the place below the controls.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        super::scrub::show(ui, context);
    }
}
