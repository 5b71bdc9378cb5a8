//! The `?` sheet: all keys and the mouse.

use egui::{Grid, RichText, Ui, vec2};

use super::{
    Context, sheet, shortcuts,
    theme::{MARGIN, PAD, SMALL, colors},
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
    ("Shift-click a tree arrow", "Open or close all below"),
];

/// Between columns.
const BETWEEN: f32 = MARGIN * 2.0;
/// Width of a column of keys.
const KEYS_WIDTH: f32 = 256.0;
/// Width of the mouse's column.
const MOUSE_WIDTH: f32 = 340.0;

/// Shows the sheet while it is open.
pub fn show(ui: &mut Ui, context: &mut Context<'_>) {
    if !context.session.panels.help {
        return;
    }
    let rest = [Scope::Play, Scope::File, Scope::Help];
    let three = 2.0 * KEYS_WIDTH + MOUSE_WIDTH + 2.0 * BETWEEN;
    let two = KEYS_WIDTH + MOUSE_WIDTH + BETWEEN;
    let room = sheet::room(ui.ctx());
    let width = if room >= three {
        three
    } else if room >= two {
        two
    } else {
        room
    };
    let closed = sheet::show(ui, "Keyboard and mouse", width, |ui| {
        if width < two {
            keys(ui, &[Scope::View]);
            keys(ui, &rest);
            mouse(ui);
            return;
        }
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = BETWEEN;
            column(ui, KEYS_WIDTH, |ui| keys(ui, &[Scope::View]));
            if width < three {
                column(ui, MOUSE_WIDTH, |ui| {
                    keys(ui, &rest);
                    mouse(ui);
                });
            } else {
                column(ui, KEYS_WIDTH, |ui| keys(ui, &rest));
                column(ui, MOUSE_WIDTH, mouse);
            }
        });
    });
    if closed {
        let mut panels = context.session.panels;
        panels.help = false;
        context.commands.push(Command::SetPanels(panels));
    }
}

fn column(ui: &mut Ui, width: f32, contents: impl FnOnce(&mut Ui)) {
    ui.vertical(|ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.x = PAD;
        contents(ui);
    });
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
        .wrap();
    let response = ui.add(meaning);
    if !tooltip.is_empty() {
        response.on_hover_text(tooltip);
    }
    ui.end_row();
}
