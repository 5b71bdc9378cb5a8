//! Marks the finding on show in the view: a ring about its place, and what it is.

use egui::{Align2, FontId, Painter, Rect, Stroke, Ui, vec2};

use super::{Ink, pick::Projection};
use crate::{
    analysis::advice,
    scene::shown_skinning,
    ui::{
        Context,
        icons::{Icon, square},
        theme::{self, GAP, PAD, colors},
    },
};

/// Radius of the ring about the place.
const RING: f32 = 11.0;
/// From the place to the label's corner: up and to the side, where names are last.
const LABEL: egui::Vec2 = vec2(26.0, -30.0);
/// Size of the severity's glyph.
const GLYPH: f32 = 14.0;

pub(super) fn show(ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink) {
    let session = context.session;
    let Some(finding) = session.finding_on_show() else {
        return;
    };
    // Where a preview draws the vertex elsewhere than the file puts it, the ring is
    // about what is to be seen.
    let drawn = session.vertex_of(finding).and_then(|vertex| {
        let character = session.character()?;
        character.vertex_place(
            vertex,
            character.technique.weights,
            shown_skinning(character, &session.view),
        )
    });
    let Some(place) = drawn.or_else(|| session.place_of(finding)) else {
        return;
    };
    let Some((at, _)) = Projection::new(context.frame, rect).point(place) else {
        return;
    };
    if !rect.contains(at) {
        return;
    }
    let painter = ui.painter_at(rect);
    let around = Stroke::new(3.5, ink.outline.gamma_multiply(0.6));
    painter.circle_stroke(at, RING, around);
    painter.circle_stroke(at, RING, Stroke::new(1.5, ink.accent));
    let text = advice(finding.code).title.to_owned();
    let color = colors(ui.visuals()).severity(finding.severity);
    let icon = Icon::of_severity(finding.severity);
    let strong = colors(ui.visuals()).strong;
    let galley = painter.layout_no_wrap(text, FontId::proportional(12.5), strong);
    let size = vec2(GLYPH + GAP + 2.0, 0.0) + galley.size() + vec2(PAD * 2.0 - 2.0, 8.0);
    let plate = place_label(rect, at, size);
    leader(&painter, at, plate, ink);
    let popup = colors(ui.visuals()).popup;
    let border = Stroke::new(1.0, ink.accent);
    painter.rect(
        plate,
        theme::RADIUS,
        popup,
        border,
        egui::StrokeKind::Inside,
    );
    let y = plate.center().y;
    let glyph = square(plate.left() + PAD - 1.0, y, GLYPH);
    icon.paint(&painter, glyph, color);
    let at = glyph.right_center() + vec2(GAP + 2.0, 0.0);
    let at = Align2::LEFT_CENTER.anchor_size(at, galley.size());
    painter.galley(at.min, galley, strong);
}

/// Up and to the right of the place; mirrored where the view ends.
fn place_label(view: Rect, at: egui::Pos2, size: egui::Vec2) -> Rect {
    let inside = view.shrink(6.0);
    let sides = [LABEL.x, -LABEL.x - size.x];
    let heights = [LABEL.y - size.y, -LABEL.y];
    let candidates = heights
        .iter()
        .flat_map(|&y| sides.iter().map(move |&x| vec2(x, y)))
        .map(|offset| Rect::from_min_size(at + offset, size));
    let mut fitting = candidates.filter(|rect| inside.contains_rect(*rect));
    fitting.next().unwrap_or_else(|| {
        let last = (inside.max - size).max(inside.min);
        let min = (at + vec2(LABEL.x, LABEL.y - size.y)).clamp(inside.min, last);
        Rect::from_min_size(min, size)
    })
}

/// From the ring to the nearest corner of the label.
fn leader(painter: &Painter, at: egui::Pos2, plate: Rect, ink: Ink) {
    let corner = plate.clamp(at);
    let way = corner - at;
    if way.length() > RING {
        let start = at + way.normalized() * RING;
        painter.line_segment(
            [start, corner],
            Stroke::new(3.0, ink.outline.gamma_multiply(0.5)),
        );
        painter.line_segment([start, corner], Stroke::new(1.2, ink.accent));
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn the_label_stays_in_the_view_and_off_its_place() {
        let view = Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 300.0));
        let size = vec2(150.0, 24.0);
        for step in 0..40 * 30 {
            let at = view.min + vec2((step % 40) as f32, (step / 40) as f32) * 10.0;
            let label = place_label(view, at, size);
            assert!(view.contains_rect(label), "{label} for {at}");
            assert!(!label.contains(at), "{label} for {at}");
        }
    }
}
