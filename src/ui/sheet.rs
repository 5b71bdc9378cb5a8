//! A titled sheet over the window: centred at every size, with what is behind it dimmed.

use egui::{Align, Color32, Frame, Id, Layout, Modal, RichText, ScrollArea, Ui};

use super::{
    icons::Icon,
    theme::{GAP, MARGIN, colors},
    widgets,
};

/// Laid over everything behind a sheet.
pub const BACKDROP: Color32 = Color32::from_black_alpha(60);

/// Width that a sheet's contents may have in this window.
pub fn room(ctx: &egui::Context) -> f32 {
    (ctx.content_rect().width() - 5.0 * MARGIN).max(60.0)
}

/// Shows a sheet whose contents are `width` wide, or as wide as there is room;
/// returns whether it was closed, by its cross, Escape or a click beside it.
pub fn show(ui: &Ui, title: &str, width: f32, contents: impl FnOnce(&mut Ui)) -> bool {
    let mut closed = false;
    let width = width.min(room(ui.ctx()));
    let height = (ui.ctx().content_rect().height() - 96.0).max(40.0);
    let modal = Modal::new(Id::unique(("sheet", title)))
        .backdrop_color(BACKDROP)
        .frame(Frame::popup(&ui.global_style()).inner_margin(MARGIN))
        .show(ui.ctx(), |ui| {
            ui.set_width(width);
            // An area is 400 points high until it is told otherwise.
            ui.set_max_height(height + 64.0);
            ui.horizontal(|ui| {
                let color = colors(ui.visuals()).strong;
                ui.label(RichText::new(title).heading().color(color));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    closed = widgets::small_icon_button(ui, Icon::Close, "Close").clicked();
                });
            });
            ui.add_space(GAP);
            ScrollArea::vertical()
                .max_height(height)
                .auto_shrink([false, true])
                .show(ui, contents);
        });
    closed || modal.should_close()
}
