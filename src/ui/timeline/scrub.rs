//! The scrub bar: ruler, key ticks, held zones and playhead.

use core::ops::Range;

use egui::{
    Align2, Color32, CursorIcon, FontId, Mesh, Painter, Rect, Response, Sense, Shape, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};

use super::{
    axis::{self, TimeAxis},
    columns::{Column, columns},
    marks::{self, Marks},
    ruler::{column, nice_step},
};
use crate::{
    anim::Player,
    document::Clip,
    scene::Character,
    session::Command,
    ui::{
        Context,
        format::plural,
        text::display,
        theme::{Colors, RADIUS, colors},
        widgets,
    },
};

/// Height of the ruler above the track.
const RULER: f32 = 18.0;
/// Smallest mean distance of keys drawn as diamonds.
const DIAMOND_SPACING: f32 = 12.0;
/// Smallest distance of two ruler labels.
const LABEL_SPACING: f32 = 76.0;

/// Fills the rest of the panel with the bar.
pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, marks: &mut Marks) {
    let size = vec2(
        ui.available_width(),
        ui.available_height().max(RULER + 20.0),
    );
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let session = context.session;
    let character = session.character().filter(|c| c.clip().is_some());
    let player = character.map(|c| c.player);
    let Some(player) = player.filter(|player| player.duration_secs > 0.0) else {
        paint_empty(ui, rect, &empty_text(session.character()));
        response.widget_info(|| WidgetInfo::slider(false, 0.0, "Timeline"));
        return;
    };
    let axis = TimeAxis::whole(rect, player.duration_secs);
    let track = track_of(rect);
    marks.follow(session);
    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    let pointed = pointer.and_then(|at| marks.at(track, axis, at));
    axis::drag_playhead(ui, context, rect, &response, axis, &player);
    if let Some(index) = pointed.filter(|_| response.clicked()) {
        let aspect = context.aspect;
        (context.commands).push(Command::ShowFinding { index, aspect });
    }
    axis::step_frames(ui, context, &response);
    axis::describe(ui, &response, &player, 1.0 / session.guessed_fps());
    if ui.is_rect_visible(rect) {
        paint(ui, rect, &response, &player, session.key_times(), axis);
        let shown = session.shown_finding;
        let painter = ui.painter_at(rect);
        marks.paint(&painter, track, axis, shown, colors(ui.visuals()));
    }
    match pointed.and_then(|finding| marks::text(session, finding)) {
        Some(text) => {
            let response = response.on_hover_cursor(CursorIcon::PointingHand);
            response.on_hover_text_at_pointer(display(&text));
        }
        None => {
            let _ = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
        }
    }
}

fn paint(
    ui: &Ui,
    rect: Rect,
    response: &Response,
    player: &Player,
    key_times: &[f32],
    axis: TimeAxis,
) {
    let colors = colors(ui.visuals());
    let painter = ui.painter_at(rect);
    let track = track_of(rect);
    painter.rect_filled(track, RADIUS, colors.sunken);
    ruler(&painter, rect, axis, player.duration_secs, colors);

    let x_of = |secs: f32| axis.x_of(rect, secs);
    let held = |range: Range<f32>| {
        Rect::from_x_y_ranges(x_of(range.start)..=x_of(range.end), track.y_range())
    };
    if let (Some(&first), Some(&last)) = (key_times.first(), key_times.last()) {
        if first > 1e-4 {
            hatch(&painter, held(0.0..first), colors);
        }
        if last < player.duration_secs - 1e-4 {
            hatch(&painter, held(last..player.duration_secs), colors);
        }
    }
    ticks(&painter, track, key_times, axis, colors);
    if player.start_secs > 0.0 {
        let x = x_of(player.start_secs);
        painter.vline(x, track.y_range(), Stroke::new(1.0, colors.accent));
    }
    if let Some(pointer) = response.hover_pos().filter(|_| !response.dragged()) {
        let x = pointer.x.clamp(x_of(0.0), x_of(player.duration_secs));
        painter.vline(
            x,
            track.y_range(),
            Stroke::new(1.0, colors.weak.gamma_multiply(0.6)),
        );
    }
    playhead(&painter, rect, track, x_of(player.time_secs), colors);
    widgets::focus_ring(ui, rect, response);
}

/// The bar without its ruler.
fn track_of(rect: Rect) -> Rect {
    Rect::from_min_max(pos2(rect.left(), rect.top() + RULER), rect.max)
}

/// What a timeline without length is about.
fn empty_text(character: Option<&Character>) -> String {
    let Some(character) = character else {
        return String::new();
    };
    match character.clip().map(Clip::key_count) {
        None | Some(0) => "A still pose: no keys".to_owned(),
        Some(keys) => format!(
            "A single pose: {} at {} s",
            plural(keys, "key"),
            character.player.duration_secs
        ),
    }
}

fn paint_empty(ui: &Ui, rect: Rect, text: &str) {
    let colors = colors(ui.visuals());
    let track = track_of(rect);
    ui.painter().rect_filled(track, RADIUS, colors.sunken);
    ui.painter().text(
        track.center(),
        Align2::CENTER_CENTER,
        text,
        FontId::proportional(12.0),
        colors.weak,
    );
}

fn ruler(painter: &Painter, rect: Rect, axis: TimeAxis, duration_secs: f32, colors: &Colors) {
    let step = nice_step(axis.secs_per_point(rect) * LABEL_SPACING);
    let minor = step / 5.0;
    let decimals = (-step.log10().floor()).clamp(0.0, 4.0) as usize;
    let bottom = rect.top() + RULER;
    let count = (duration_secs / minor + 1e-3).floor() as usize;
    for index in 0..=count.min(4096) {
        let secs = index as f32 * minor;
        let x = axis.x_of(rect, secs);
        let is_major = index % 5 == 0;
        let height = if is_major { 6.0 } else { 3.0 };
        let color = if is_major {
            colors.weak
        } else {
            colors.weak.gamma_multiply(0.5)
        };
        painter.vline(
            column(painter, x),
            (bottom - height)..=(bottom - 1.0),
            Stroke::new(1.0, color),
        );
        if is_major {
            let text = if index == 0 {
                "0 s".to_owned()
            } else {
                format!("{secs:.decimals$}")
            };
            let font = FontId::proportional(10.5);
            let galley = painter.layout_no_wrap(text, font, colors.weak);
            // The last label stays inside.
            let room = rect.right() - 2.0 - galley.size().x;
            let left = (x - galley.size().x * 0.5).clamp(rect.left() + 2.0, room.max(rect.left()));
            painter.galley(pos2(left, rect.top() - 1.0), galley, colors.weak);
        }
    }
}

/// Keys: diamonds while there is room, lines where they crowd; at most one per
/// pixel however many there are.
fn ticks(painter: &Painter, track: Rect, times: &[f32], axis: TimeAxis, colors: &Colors) {
    let pixel = 1.0 / painter.pixels_per_point();
    let ticks: Vec<Column> = columns(times, axis, track, pixel, 0.0).collect();
    let y = track.center().y;
    if (ticks.len() as f32) * DIAMOND_SPACING <= track.width() {
        for Column { x, .. } in ticks {
            let r = 4.0;
            let corners = vec![
                pos2(x, y - r),
                pos2(x + r, y),
                pos2(x, y + r),
                pos2(x - r, y),
            ];
            painter.add(Shape::convex_polygon(corners, colors.key, Stroke::NONE));
        }
        return;
    }
    let mut mesh = Mesh::default();
    let half_height = (track.height() * 0.28).max(4.0);
    for Column { x, keys } in ticks {
        // Exactly the pixel column, so that crowds close up without a pattern.
        let left = (x / pixel).floor() * pixel;
        let strength = if keys.len() > 1 { 0.85 } else { 0.6 };
        let tick = Rect::from_min_max(
            pos2(left, y - half_height),
            pos2(left + pixel, y + half_height),
        );
        mesh.add_colored_rect(tick, colors.key.gamma_multiply(strength));
    }
    painter.add(Shape::mesh(mesh));
}

/// Diagonal lines: the value is held here.
fn hatch(painter: &Painter, rect: Rect, colors: &Colors) {
    if rect.width() < 1.0 {
        return;
    }
    let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
    let stroke = Stroke::new(1.0, colors.line);
    let height = rect.height();
    let mut x = rect.left() - height;
    while x < rect.right() {
        painter.line_segment(
            [pos2(x, rect.bottom()), pos2(x + height, rect.top())],
            stroke,
        );
        x += 7.0;
    }
}

fn playhead(painter: &Painter, rect: Rect, track: Rect, x: f32, colors: &Colors) {
    // Below the ruler's numbers, so that it covers none.
    let top = rect.top() + RULER - 7.0;
    let head = vec![
        pos2(x - 5.0, top),
        pos2(x + 5.0, top),
        pos2(x + 5.0, top + 6.0),
        pos2(x, top + 11.0),
        pos2(x - 5.0, top + 6.0),
    ];
    painter.vline(
        x,
        (top + 6.0)..=track.bottom(),
        Stroke::new(1.5, colors.accent),
    );
    painter.add(Shape::convex_polygon(
        head,
        colors.accent,
        Stroke::new(1.0, Color32::from_black_alpha(60)),
    ));
}
