//! Values over time.

use egui::Ui;

use crate::ui::Context;

/// The view's state.
#[derive(Debug, Default)]
pub struct Curves;

impl Curves {
    /// Fills the place below the controls.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        super::scrub::show(ui, context);
    }
}
