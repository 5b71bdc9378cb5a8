//! At the left: what each side is, and its worst place, which a click shows.

use egui::{FontId, Rect, Role, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::{place_text, value_text};
use crate::{
    session::{Command, ErrorKind},
    ui::{
        Context, side,
        theme::{PAD, SMALL, colors},
        widgets,
    },
};

/// Height of a line of text.
const LINE: f32 = 17.0;
/// From a letter to what is said of it.
const INDENT: f32 = 16.0;

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, kind: ErrorKind, rect: Rect) {
    let builder = UiBuilder::new().max_rect(rect).id_salt("errors list");
    ui.scope_builder(builder, |ui| {
        ui.shrink_clip_rect(rect.expand2(vec2(3.0, 0.0)));
        ScrollArea::vertical()
            .id_salt("sides")
            .auto_shrink([false, false])
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.add_space(4.0);
                for side in 1..context.session.side_count() {
                    about(ui, context, kind, side);
                    ui.add_space(PAD);
                }
            });
    });
}

fn about(ui: &mut Ui, context: &mut Context<'_>, kind: ErrorKind, side: usize) {
    let session = context.session;
    let colors = colors(ui.visuals());
    let width = ui.available_width() - 6.0;
    let (title, _) = ui.allocate_exact_size(vec2(width, LINE + 2.0), Sense::hover());
    let label = match session.side_label(side) {
        label if label.is_empty() => "as A".to_owned(),
        label => label,
    };
    let letter = side::LETTERS[side.min(side::LETTERS.len() - 1)];
    let tint = side::color(side, ui.visuals().dark_mode, colors.accent);
    let y = title.center().y;
    let font = FontId::proportional(13.0);
    let room = width - INDENT;
    widgets::fitted_text(ui, letter, font.clone(), tint, title.left(), y, INDENT);
    let x = title.left() + INDENT;
    let (_, cut) = widgets::fitted_text(ui, &label, font, colors.strong, x, y, room);
    let heading = ui.interact(
        title,
        ui.scope_id().with(("side title", side)),
        Sense::hover(),
    );
    heading.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{letter}: {label}")));
    if cut {
        heading.on_hover_text(label);
    }
    let Some((errors, is_current)) = session.errors_over_clip(side) else {
        text(ui, side, "Working out the clip …");
        return;
    };
    let comparison = &errors.comparison;
    if kind == ErrorKind::Vertex && comparison.vertices == 0 {
        text(ui, side, "No vertices in common");
    } else {
        let worst = comparison.worst(|moment| kind.worst(moment));
        let place = worst.and_then(|moment| place_text(session, kind, moment));
        match worst.zip(place) {
            Some((moment, place)) => {
                let value = value_text(kind, kind.worst(moment));
                let line = format!("Worst {value} · {:.3} s · {place}", moment.time_secs);
                if link(ui, side, &line, is_current) {
                    context.commands.push(Command::ShowWorst { side, kind });
                }
                let mean = value_text(kind, comparison.mean(|moment| kind.mean(moment)));
                let now = session.side_error(side).map_or_else(String::new, |moment| {
                    format!(" · now {}", value_text(kind, kind.worst(&moment)))
                });
                text(ui, side, &format!("Mean {mean}{now}"));
            }
            None => text(ui, side, "The same all along the clip"),
        }
    }
    if !errors.matching.is_whole() {
        let response = text_response(ui, side, "Not all of both is compared");
        response.on_hover_text(left_out(context, side));
    }
}

/// What has no partner, for a tooltip.
fn left_out(context: &Context<'_>, side: usize) -> String {
    /// More are counted.
    const NAMES: usize = 12;
    let session = context.session;
    let (Some((errors, _)), Some(a), Some(b)) = (
        session.errors_over_clip(side),
        session.character(),
        session.side(side),
    ) else {
        return String::new();
    };
    let matching = &errors.matching;
    let mut lines = Vec::new();
    let letter = side::LETTERS[side.min(side::LETTERS.len() - 1)];
    for (document, joints, letter) in [
        (&a.document, &matching.only_a, "A"),
        (&b.document, &matching.only_b, letter),
    ] {
        let names = joints.iter().take(NAMES);
        let names = names.map(|&joint| document.skeleton.joints[joint].label());
        let mut names: Vec<String> = names.collect();
        if joints.len() > NAMES {
            names.push(format!("{} more", joints.len() - NAMES));
        }
        if !names.is_empty() {
            lines.push(format!("Only in {letter}: {}", names.join(", ")));
        }
    }
    lines.extend(matching.left_out.iter().cloned());
    lines.join("\n")
}

fn text(ui: &mut Ui, side: usize, text: &str) {
    text_response(ui, side, text);
}

fn text_response(ui: &mut Ui, side: usize, text: &str) -> egui::Response {
    let weak = colors(ui.visuals()).weak;
    let (rect, place) = line(ui);
    let font = FontId::proportional(SMALL);
    let room = rect.right() - place.x;
    let (_, cut) = widgets::fitted_text(ui, text, font, weak, place.x, place.y, room);
    let id = ui.scope_id().with(("side text", side, text));
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    if cut {
        return response.on_hover_text(text);
    }
    response
}

/// Text that shows a place; returns whether it was clicked.
fn link(ui: &mut Ui, side: usize, text: &str, is_current: bool) -> bool {
    let colors = colors(ui.visuals());
    let (rect, place) = line(ui);
    let id = ui.scope_id().with(("worst", side));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), text));
    let color = if is_current {
        colors.accent
    } else {
        colors.weak
    };
    let font = FontId::proportional(SMALL);
    let room = rect.right() - place.x;
    let (right, _) = widgets::fitted_text(ui, text, font, color, place.x, place.y, room);
    if response.hovered() {
        let y = rect.bottom() - 2.0;
        ui.painter()
            .hline(place.x..=right, y, Stroke::new(1.0, color));
    }
    widgets::focus_ring(ui, rect, &response);
    let clicked = response.clicked();
    let _ = response
        .on_hover_cursor(egui::CursorIcon::PointingHand)
        .on_hover_text(format!("{text}\nClick to go there"));
    clicked
}

fn line(ui: &mut Ui) -> (Rect, egui::Pos2) {
    let width = ui.available_width() - 6.0;
    let (rect, _) = ui.allocate_exact_size(vec2(width, LINE), Sense::hover());
    (rect, pos2(rect.left() + INDENT, rect.center().y))
}
