//! A comparison in the view: where each side lies, its chip, and the line of a wipe.

use egui::{
    Align2, CursorIcon, FontId, Popup, PopupCloseBehavior, Rect, Response, Role, Sense, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};

use super::Ink;
use crate::{
    scene::PoseSource,
    session::{Command, Layout, MOST_SIDES, Session},
    ui::{
        Context,
        icons::{Icon, square},
        length, side, technique,
        theme::{self, MARGIN, PAD, colors},
        widgets,
    },
};

/// Points between parts that stand side by side.
const GAP: f32 = 2.0;

/// A part of the view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    /// Whose picture, A being 0.
    pub side: usize,
    /// What the picture was drawn for.
    pub rect: Rect,
    /// What of it is to be seen.
    pub clip: Rect,
}

/// How the sides share a view: parts from A on.
pub(super) fn parts(session: &Session, rect: Rect) -> Vec<Part> {
    let whole = |side: usize| Part {
        side,
        rect,
        clip: rect,
    };
    let Some(comparison) = &session.comparison else {
        return vec![whole(0)];
    };
    match comparison.layout {
        Layout::Overlay => vec![whole(0)],
        Layout::Wipe => {
            let x = rect.left() + rect.width() * comparison.wipe;
            let [mut a, mut b] = [whole(0), whole(1)];
            a.clip.max.x = x;
            b.clip.min.x = x;
            vec![a, b]
        }
        Layout::SideBySide => {
            let size = part_size(session, rect.size());
            (0..session.side_count())
                .map(|side| {
                    let left = rect.left() + (size.x + GAP) * side as f32;
                    let rect = Rect::from_min_size(pos2(left, rect.top()), size);
                    Part {
                        side,
                        rect,
                        clip: rect,
                    }
                })
                .collect()
        }
    }
}

/// Size of each part of a view of this size.
pub(super) fn part_size(session: &Session, size: egui::Vec2) -> egui::Vec2 {
    let count = match session.layout() {
        Some(Layout::SideBySide) => session.side_count() as f32,
        _ => 1.0,
    };
    vec2((size.x - GAP * (count - 1.0)) / count, size.y)
}

/// The line of a wipe, to be dragged.
pub(super) fn wipe(ui: &Ui, context: &mut Context<'_>, rect: Rect, ink: Ink) {
    let Some(comparison) = &context.session.comparison else {
        return;
    };
    if comparison.layout != Layout::Wipe {
        return;
    }
    let x = rect.left() + rect.width() * comparison.wipe;
    let grip = Rect::from_center_size(pos2(x, rect.center().y), vec2(14.0, rect.height()));
    let response = ui.interact(grip, ui.scope_id().with("wipe"), Sense::drag());
    response.widget_info(|| {
        WidgetInfo::slider(
            ui.is_enabled(),
            f64::from(comparison.wipe),
            "Wipe between A and B",
        )
    });
    let active = response.hovered() || response.dragged();
    if active {
        ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.dragged()
        && let Some(at) = response.interact_pointer_pos()
    {
        let share = (at.x - rect.left()) / rect.width().max(1.0);
        context.commands.push(Command::SetWipe(share));
    }
    let painter = ui.painter_at(rect);
    let color = if active { ink.accent } else { ink.text };
    painter.vline(x, rect.y_range(), Stroke::new(3.0, ink.outline));
    painter.vline(x, rect.y_range(), Stroke::new(1.5, color));
    let knob = pos2(x, rect.center().y);
    painter.circle_filled(knob, 11.0, ink.outline);
    painter.circle_filled(knob, 9.5, color);
    let (arm, tip) = (3.0, 5.5);
    for side in [-1.0, 1.0] {
        let points = [
            knob + vec2(side * 2.0, -arm),
            knob + vec2(side * tip, 0.0),
            knob + vec2(side * 2.0, arm),
        ];
        let stroke = Stroke::new(
            1.5,
            if ink.is_dark {
                egui::Color32::BLACK
            } else {
                egui::Color32::WHITE
            },
        );
        painter.line(points.to_vec(), stroke);
    }
}

/// A chip for each side: its letter and what tells it from the others; a click opens what
/// it can be changed to.
pub(super) fn chips(ui: &mut Ui, context: &mut Context<'_>, rect: Rect, parts: &[Part], ink: Ink) {
    let session = context.session;
    let Some(layout) = session.layout() else {
        return;
    };
    let count = session.side_count();
    for side in 0..count {
        let (left, room) = match parts.iter().find(|part| part.side == side) {
            Some(part) if layout != Layout::Overlay => {
                (part.clip.left(), part.clip.width() - 2.0 * MARGIN)
            }
            // Under each other where they share a picture.
            _ if layout == Layout::Overlay => (rect.left(), rect.width() * 0.6),
            _ => continue,
        };
        let rise = match layout {
            Layout::Overlay => 30.0 * (count - 1 - side) as f32,
            _ => 0.0,
        };
        if room < 24.0 {
            continue;
        }
        let at = pos2(left + MARGIN, rect.bottom() - MARGIN - rise);
        chip(ui, context, side, at, room, ink);
    }
}

fn chip(ui: &mut Ui, context: &mut Context<'_>, side: usize, at: egui::Pos2, room: f32, ink: Ink) {
    let session = context.session;
    let letter = side::LETTERS[side.min(MOST_SIDES - 1)];
    let label = session.side_label(side);
    let label = if label.is_empty() { "as A" } else { &label };
    let label = if side == 0 && label == "as A" {
        "the same"
    } else {
        label
    };
    let font = FontId::proportional(13.0);
    let text_room = (room - 26.0 - 24.0).max(0.0);
    let wanted = ui
        .painter()
        .layout_no_wrap(label.to_owned(), font.clone(), ink.text)
        .size()
        .x;
    let width = 26.0 + wanted.min(text_room) + 24.0;
    let area = Align2::LEFT_BOTTOM.anchor_size(at, vec2(width, 26.0));
    let response = ui.interact(
        area,
        ui.scope_id().with(("side chip", side)),
        Sense::click(),
    );
    response.widget_info(|| {
        WidgetInfo::labeled(
            Role::Button,
            ui.is_enabled(),
            format!("Side {letter}: {label}"),
        )
    });
    let painter = ui.painter();
    painter.rect_filled(area, theme::RADIUS, ink.plate);
    if response.hovered() || response.has_focus() {
        let stroke = Stroke::new(1.0, ink.accent);
        painter.rect_stroke(area, theme::RADIUS, stroke, egui::StrokeKind::Inside);
    }
    let tag = Rect::from_min_size(area.min, vec2(22.0, area.height()));
    painter.text(
        tag.center() + vec2(1.0, 0.0),
        Align2::CENTER_CENTER,
        letter,
        FontId::proportional(13.5),
        side::color(side, ink.is_dark, ink.accent),
    );
    let (x, y) = (tag.right() + 2.0, area.center().y);
    widgets::fitted_text(ui, label, font, ink.text, x, y, text_room);
    let left = room - area.width() - PAD;
    error(ui, context, side, pos2(area.right() + PAD, y), left, ink);
    let icon = square(area.right() - 19.0, y, 12.0);
    Icon::ChevronDown.paint(ui.painter(), icon, ink.text.gamma_multiply(0.7));
    // Not one of egui's popups, of which only one is open: the editor has lists of its own.
    let id = ui.scope_id().with("open chip");
    let opened: Option<usize> = ui.data(|data| data.get_temp(id)).flatten();
    let mut open = (opened == Some(side)) != response.clicked();
    let has_list = Popup::is_any_open(ui.ctx());
    let shown = Popup::from_response(&response)
        .open_bool(&mut open)
        .align(egui::RectAlign::TOP_START)
        .close_behavior(PopupCloseBehavior::IgnoreClicks)
        .width(270.0)
        .show(|ui| editor(ui, context, side));
    if let Some(shown) = shown {
        let elsewhere = shown.response.clicked_elsewhere() && !response.clicked();
        let escaped = ui.input(|input| input.key_pressed(egui::Key::Escape));
        if !has_list && (elsewhere || escaped) {
            open = false;
        }
    }
    if open != (opened == Some(side)) {
        ui.data_mut(|data| data.insert_temp(id, open.then_some(side)));
        ui.ctx().request_repaint();
    }
    if !open {
        tooltip(response, side);
    }
}

/// How far a side's joints are off now, beside its chip: the worst angle and the worst
/// distance.
fn error(ui: &Ui, context: &Context<'_>, side: usize, at: egui::Pos2, room: f32, ink: Ink) {
    let Some(moment) = context.session.side_error(side) else {
        return;
    };
    let text = match (moment.angle.at, moment.position.at) {
        (None, None) => match moment.vertex.at {
            Some(_) => format!("vertices {}", length::length(moment.vertex.value as f32)),
            None => "joints as A's now".to_owned(),
        },
        _ => format!(
            "{:.1}° · {}",
            moment.angle.value,
            length::length(moment.position.value as f32)
        ),
    };
    let font = FontId::proportional(12.5);
    let galley = ui.painter().layout_no_wrap(text.clone(), font, ink.text);
    let size = galley.size() + vec2(14.0, 6.0);
    if size.x > room {
        return;
    }
    let area = Align2::LEFT_CENTER.anchor_size(at, size);
    ui.painter().rect_filled(area, theme::RADIUS, ink.plate);
    ui.painter()
        .galley(area.min + vec2(7.0, 3.0), galley, ink.text);
    let response = ui.interact(
        area,
        ui.scope_id().with(("side error", side)),
        Sense::hover(),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text.clone()));
    let joint = |joint: Option<usize>| {
        joint
            .and_then(|joint| context.joint_label(joint))
            .unwrap_or_default()
    };
    let (turned, moved) = (joint(moment.angle.at), joint(moment.position.at));
    response.on_hover_text(format!(
        "Against A now\nTurned most: {turned}, {:.3}°\nMoved most: {moved}, {:.3} mm\nOn average {:.3}° and {:.3} mm",
        moment.angle.value,
        moment.position.value * 1e3,
        moment.mean_angle,
        moment.mean_position * 1e3,
    ));
}

fn tooltip(response: Response, side: usize) {
    response.on_hover_text(match side {
        0 => "A: the open file as it is played. Click to change how",
        _ => "Click to change how this side is played, or what it plays",
    });
}

fn editor(ui: &mut Ui, context: &mut Context<'_>, side: usize) {
    let session = context.session;
    let Some(character) = session.side(side) else {
        return;
    };
    ui.set_width(270.0);
    let mut technique = character.technique.clone();
    if side > 0 {
        source(ui, context, side);
    }
    technique::everything(ui, &mut technique);
    if technique != character.technique {
        let technique = Box::new(technique);
        context
            .commands
            .push(Command::SetTechnique { side, technique });
    }
    ui.separator();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = PAD;
        if side > 0
            && ui
                .button("Remove")
                .on_hover_text("Take this side away")
                .clicked()
        {
            context.commands.push(Command::RemoveSide(side));
            ui.close();
        }
        if side == 1
            && ui
                .button("Other file…")
                .on_hover_text("Show another file here")
                .clicked()
        {
            context.commands.push(Command::OpenBesideDialog);
            ui.close();
        }
        let more = session.side_count() < MOST_SIDES && session.layout() != Some(Layout::Wipe);
        if more
            && ui
                .button("Add a side")
                .on_hover_text("One more view, up to four")
                .clicked()
        {
            context.commands.push(Command::AddSide);
            ui.close();
        }
    });
}

/// Which clip or pose a side shows.
fn source(ui: &mut Ui, context: &mut Context<'_>, side: usize) {
    let session = context.session;
    let (Some(character), Some(comparison)) = (session.side(side), &session.comparison) else {
        return;
    };
    let own = comparison.sides.get(side - 1).is_some_and(|s| s.own_source);
    let current = own.then_some(character.source);
    let clips = character.document.clips.iter().enumerate();
    let entries: Vec<(Option<PoseSource>, String, &str)> =
        core::iter::once((None, "As A".to_owned(), "Whatever A plays"))
            .chain(clips.map(|(i, clip)| (Some(PoseSource::Clip(i)), clip.label(i), "")))
            .chain([
                (Some(PoseSource::Rest), "Rest pose".to_owned(), ""),
                (Some(PoseSource::Bind), "Bind pose".to_owned(), ""),
            ])
            .collect();
    let text = entries.iter().find(|entry| entry.0 == current);
    let text = text.map_or_else(String::new, |entry| entry.1.clone());
    let chosen = widgets::labelled(ui, "Clip", |ui| {
        let width = (ui.available_width() - 2.0 * PAD).max(60.0);
        widgets::dropdown(
            ui,
            "Side's clip",
            width,
            current,
            &text,
            "What this side plays",
            entries,
        )
    });
    if let Some(source) = chosen {
        context
            .commands
            .push(Command::SetSideSource { side, source });
    }
}

/// Lines between parts that stand side by side.
pub(super) fn seams(ui: &Ui, rect: Rect, parts: &[Part]) {
    let fill = colors(ui.visuals()).line;
    for pair in parts.windows(2) {
        if pair[0].rect != pair[1].rect {
            let seam =
                Rect::from_x_y_ranges(pair[0].rect.right()..=pair[1].rect.left(), rect.y_range());
            ui.painter().rect_filled(seam, 0.0, fill);
        }
    }
}
