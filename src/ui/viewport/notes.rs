//! Sizes of boxes and of the reference figure, written where they stand.

use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Ui, Vec2, WidgetInfo, vec2};
use glam::Vec3;

use super::{Ink, pick::Projection};
use crate::{
    scene::{BoundsKind, Note, NoteText},
    ui::{Context, length, theme},
};

/// Points between a plate's edge and its text.
const PADDING: Vec2 = vec2(6.0, 2.5);
/// Points from what a note is about to its plate.
const OFFSET: f32 = 6.0;

/// Writes all notes of the frame, and gives back where, so that names keep clear.
pub(super) fn show(ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink) -> Vec<Rect> {
    let projection = Projection::new(context.frame, rect);
    let mut placed: Vec<Rect> = Vec::new();
    for note in &context.frame.notes {
        let (text, color) = match note.text {
            NoteText::Bounds(kind, size) => {
                let what = match kind {
                    BoundsKind::Stored => "stored",
                    BoundsKind::Clip => "over the clip",
                    BoundsKind::Now => "now",
                };
                let [r, g, b] = kind.color(context.session.view.background);
                let color = Color32::from_rgb(r, g, b);
                (format!("{what}  {}", length::dimensions(size)), color)
            }
            NoteText::Figure(height) => (length::length(height), ink.text),
        };
        if let Some(at) = anchor(note, &projection) {
            let area = plate(ui, rect, ink, at, &text, color, &placed);
            placed.extend(area);
        }
    }
    placed
}

/// The corner of its box, or the point, that a note stands by.
fn anchor(note: &Note, projection: &Projection) -> Option<Pos2> {
    let NoteText::Bounds(kind, size) = note.text else {
        return projection
            .point(note.place)
            .map(|(at, _)| at - vec2(0.0, OFFSET));
    };
    // Each kind has a corner of its own, for boxes often lie in one another.
    let side = |place: Pos2| match kind {
        BoundsKind::Stored => vec2(-1.0, -1.0).dot(place.to_vec2()),
        BoundsKind::Clip => vec2(1.0, -1.0).dot(place.to_vec2()),
        BoundsKind::Now => vec2(1.0, 1.0).dot(place.to_vec2()),
    };
    let corners = (0..8u32).filter_map(|index| {
        let inner = |bit: u32, length: f32| if index & bit == 0 { 0.0 } else { length };
        let back = Vec3::new(inner(1, size.x), inner(2, size.y), inner(4, size.z));
        projection.point(note.place - back).map(|(at, _)| at)
    });
    let corner = corners.max_by(|a, b| side(*a).total_cmp(&side(*b)))?;
    let down = if kind == BoundsKind::Now { 1.0 } else { -1.0 };
    Some(corner + vec2(0.0, down * (OFFSET + 8.0)))
}

/// A plate with text as near to `at` as others and the view's edges allow; `None` where
/// what it is about is far outside.
fn plate(
    ui: &Ui,
    view: Rect,
    ink: Ink,
    at: Pos2,
    text: &str,
    color: Color32,
    placed: &[Rect],
) -> Option<Rect> {
    if !view.expand(40.0).contains(at) {
        return None;
    }
    let painter = ui.painter_at(view);
    let font = FontId::proportional(theme::SMALL);
    let galley = painter.layout_no_wrap(text.to_owned(), font, color);
    let size = galley.size() + PADDING * 2.0;
    let inside = view.shrink(4.0);
    let step = size.y + 3.0;
    let candidates = [0.0, -1.0, 1.0, -2.0, 2.0, -3.0, 3.0].map(|rows| {
        let wanted = Align2::CENTER_CENTER.anchor_size(at + vec2(0.0, rows * step), size);
        let last = (inside.max - size).max(inside.min);
        Rect::from_min_size(wanted.min.clamp(inside.min, last), size)
    });
    let is_free = |area: &&Rect| !placed.iter().any(|other| other.intersects(**area));
    let area = *candidates.iter().find(is_free)?;
    painter.rect_filled(area, theme::RADIUS, ink.plate);
    painter.galley(area.min + PADDING, galley, color);
    let response = ui.interact(area, ui.scope_id().with(text), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, text));
    Some(area)
}
