//! The `?` sheet: all keys and the mouse.

use egui::{FontId, Rect, RichText, Role, Sense, Ui, WidgetInfo, vec2};

use super::{
    Context, sheet, shortcuts,
    theme::{GAP, MARGIN, PAD, SMALL, colors},
    widgets::fitted_text,
};
use crate::session::{Action, Command, Scope};

/// What the mouse does, as gesture and meaning.
const MOUSE: &[(&str, &str)] = &[
    ("Drag", "Orbit"),
    ("Shift-drag, middle drag", "Pan"),
    ("Wheel, pinch", "Zoom towards the pointer"),
    ("Click", "Select the joint under the pointer"),
    ("Click in weight views", "Select the vertex"),
    ("Ctrl-click", "The other of the two"),
    ("Double-click", "Frame the joint"),
    ("Drag the timeline", "Scrub, also while playing"),
    ("Shift-drag the timeline", "Snap to keys"),
    ("Wheel on the timeline", "Step frames"),
    ("Ctrl-wheel on keys", "Zoom in time; in curves too"),
    ("Shift-wheel, middle drag", "Move in time there"),
    ("Shift-click a tree arrow", "Open or close all below"),
];

/// Between columns.
const BETWEEN: f32 = MARGIN * 2.0;
/// Width of a column of keys.
const KEYS_WIDTH: f32 = 256.0;
/// Width of the mouse's column.
const MOUSE_WIDTH: f32 = 340.0;

/// Right of the last column, where the bar of a scrolled sheet is.
const BAR: f32 = MARGIN + GAP;

/// Width of the keys in front of their meaning.
const CHORD_WIDTH: f32 = 92.0;
/// Width of the gestures in front of their meaning.
const GESTURE_WIDTH: f32 = 146.0;
/// Height of a line.
const LINE: f32 = 20.0;

/// Shows the sheet while it is open.
pub fn show(ui: &mut Ui, context: &mut Context<'_>) {
    if !context.session.panels.help {
        return;
    }
    let rest = [Scope::Play, Scope::File, Scope::Help];
    let three = 2.0 * KEYS_WIDTH + MOUSE_WIDTH + 2.0 * BETWEEN;
    let two = KEYS_WIDTH + MOUSE_WIDTH + BETWEEN;
    let room = sheet::room(ui.ctx());
    let (three, two) = (three + BAR, two + BAR);
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
        heading(ui, scope.label());
        for &action in Action::ALL.iter().filter(|action| action.scope() == scope) {
            if let Some(chord) = action.key() {
                let text = shortcuts::text(ui.ctx(), chord);
                row(ui, &text, CHORD_WIDTH, action.label(), action.tooltip());
            }
        }
        ui.add_space(MARGIN);
    }
}

fn mouse(ui: &mut Ui) {
    heading(ui, "Mouse");
    for (gesture, meaning) in MOUSE {
        row(ui, gesture, GESTURE_WIDTH, meaning, "");
    }
    ui.add_space(MARGIN);
}

fn heading(ui: &mut Ui, title: &str) {
    let strong = colors(ui.visuals()).strong;
    ui.label(RichText::new(title).size(14.0).color(strong));
    ui.add_space(2.0);
}

/// Two columns on one line; all lines are equally high.
fn row(ui: &mut Ui, keys: &str, keys_width: f32, meaning: &str, tooltip: &str) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let colors = colors(ui.visuals());
    let size = vec2(ui.available_width(), LINE);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let y = rect.center().y;
    let small = FontId::proportional(SMALL + 0.5);
    let left = rect.left();
    fitted_text(ui, keys, small, colors.weak, left, y, keys_width - GAP);
    let (left, font) = (left + keys_width, FontId::proportional(13.0));
    let width = rect.right() - left;
    let (right, _) = fitted_text(ui, meaning, font, colors.text, left, y, width);
    let text = Rect::from_x_y_ranges(left..=right, rect.y_range());
    let response = ui.interact(text, ui.scope_id().with((keys, meaning)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{meaning}: {keys}")));
    if !tooltip.is_empty() {
        response.on_hover_text(tooltip);
    }
}
