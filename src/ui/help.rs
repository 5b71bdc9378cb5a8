//! The `?` sheet: all keys and the mouse.

use egui::{Align2, Grid, RichText, ScrollArea, Ui, Window, vec2};

use super::{
    Context, shortcuts,
    theme::{self, MARGIN, PAD, SMALL, colors},
};
use crate::session::{Action, Command, Scope};

/// What the mouse does, as gesture and meaning.
const MOUSE: &[(&str, &str)] = &[
    ("Drag", "Orbit"),
    ("Shift-drag, middle drag", "Pan"),
    ("Wheel, pinch", "Zoom towards the pointer"),
    ("Click", "Select the joint under the pointer"),
    ("Double-click", "Frame the joint"),
    ("Drag the timeline", "Scrub, also while playing"),
    ("Shift-drag the timeline", "Snap to keys"),
    ("Wheel on the timeline", "Step frames"),
    (
        "Shift-click an arrow in the tree",
        "Open or close all below",
    ),
];

/// Shows the sheet while it is open.
pub fn show(ui: &mut Ui, context: &mut Context<'_>) {
    if !context.session.panels.help {
        return;
    }
    let mut open = true;
    let screen = ui.ctx().content_rect();
    Window::new("Keyboard and mouse")
        .open(&mut open)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .collapsible(false)
        .resizable(false)
        .title_frame(theme::title_frame())
        .default_height((screen.height() - 80.0).max(60.0))
        .max_height((screen.height() - 80.0).max(60.0))
        .show(ui.ctx(), |ui| {
            ScrollArea::vertical()
                .auto_shrink([true, true])
                .show(ui, |ui| {
                    if screen.width() > 760.0 {
                        ui.horizontal_top(|ui| {
                            ui.spacing_mut().item_spacing.x = MARGIN * 2.5;
                            ui.vertical(|ui| keys(ui, &[Scope::View]));
                            ui.vertical(|ui| keys(ui, &[Scope::Play, Scope::File, Scope::Help]));
                            ui.vertical(mouse);
                        });
                    } else {
                        keys(ui, &[Scope::View, Scope::Play, Scope::File, Scope::Help]);
                        mouse(ui);
                    }
                });
        });
    let escape = ui.input(|input| input.key_pressed(egui::Key::Escape));
    if !open || escape {
        let mut panels = context.session.panels;
        panels.help = false;
        context.commands.push(Command::SetPanels(panels));
    }
}

fn keys(ui: &mut Ui, scopes: &[Scope]) {
    for &scope in scopes {
        table(ui, scope.label(), |ui| {
            for &action in Action::ALL.iter().filter(|action| action.scope() == scope) {
                if let Some(chord) = action.key() {
                    let text = shortcuts::text(ui.ctx(), chord);
                    row(ui, &text, action.label(), action.tooltip());
                }
            }
        });
    }
}

fn mouse(ui: &mut Ui) {
    table(ui, "Mouse", |ui| {
        for (gesture, meaning) in MOUSE {
            row(ui, gesture, meaning, "");
        }
    });
}

fn table(ui: &mut Ui, title: &str, rows: impl FnOnce(&mut Ui)) {
    let strong = colors(ui.visuals()).strong;
    ui.label(RichText::new(title).size(14.0).color(strong));
    ui.add_space(2.0);
    Grid::new(("keys", title))
        .num_columns(2)
        .min_col_width(78.0)
        .spacing(vec2(MARGIN, 3.0))
        .min_row_height(18.0)
        .show(ui, rows);
    ui.add_space(PAD + 2.0);
}

fn row(ui: &mut Ui, keys: &str, meaning: &str, tooltip: &str) {
    let colors = colors(ui.visuals());
    let keys = RichText::new(keys).size(SMALL + 0.5).color(colors.weak);
    ui.add(egui::Label::new(keys).selectable(false).extend());
    let meaning = egui::Label::new(RichText::new(meaning).color(colors.text))
        .selectable(false)
        .extend();
    let response = ui.add(meaning);
    if !tooltip.is_empty() {
        response.on_hover_text(tooltip);
    }
    ui.end_row();
}
