//! Joint names in the view, thinned where they would cover each other.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Ui, pos2, vec2};

use super::{Ink, pick::Projection};
use crate::ui::{Context, text::display, theme};

/// Points from a joint to its name.
const OFFSET: f32 = 9.0;
/// Names written at most.
const LIMIT: usize = 300;

/// Where a name may stand about its joint, best first: its edge or corner that is
/// next to the joint, and the direction it lies in.
const PLACES: [(Align2, egui::Vec2); 6] = [
    (Align2::LEFT_CENTER, vec2(1.0, 0.0)),
    (Align2::RIGHT_CENTER, vec2(-1.0, 0.0)),
    (Align2::LEFT_BOTTOM, vec2(0.4, -1.0)),
    (Align2::LEFT_TOP, vec2(0.4, 1.0)),
    (Align2::RIGHT_BOTTOM, vec2(-0.4, -1.0)),
    (Align2::RIGHT_TOP, vec2(-0.4, 1.0)),
];

/// Buffers that live on.
#[derive(Debug, Default)]
pub(super) struct Labels {
    placed: Vec<Rect>,
    order: Vec<(usize, Pos2)>,
    /// Joints whose names are written.
    shown: Vec<usize>,
}

impl Labels {
    /// Whether the joint's name is written in this frame.
    pub(super) fn shows(&self, joint: usize) -> bool {
        self.shown.contains(&joint)
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink) {
        let labels = &context.frame.labels;
        let projection = Projection::new(context.frame, rect);
        self.order.clear();
        let on_screen = labels.iter().enumerate().filter_map(|(index, label)| {
            let (at, _) = projection.point(label.position)?;
            rect.contains(at).then_some((index, at))
        });
        self.order.extend(on_screen);
        // Strong ones first, then parents before children: an order that does not
        // change while the character moves, so that names do not come and go.
        self.order
            .sort_by_key(|&(index, _)| (!labels[index].strong, labels[index].joint));
        self.placed.clear();
        self.shown.clear();
        let painter = ui.painter_at(rect);
        for &(index, at) in &self.order {
            if self.placed.len() >= LIMIT {
                break;
            }
            let label = &labels[index];
            let Some(name) = context.joint_label(label.joint) else {
                continue;
            };
            let (size, color) = if label.strong {
                (13.0, ink.accent)
            } else {
                (11.5, ink.text)
            };
            let galley = painter.layout_no_wrap(
                display(&name).into_owned(),
                FontId::proportional(size),
                color,
            );
            let Some(area) = free_place(&self.placed, rect, at, galley.size()) else {
                continue;
            };
            self.placed.push(area);
            self.shown.push(label.joint);
            outlined(&painter, area.min, &galley, ink.outline);
        }
    }
}

/// The first place about a joint at `at` where a name covers no other.
fn free_place(placed: &[Rect], view: Rect, at: Pos2, size: egui::Vec2) -> Option<Rect> {
    PLACES.iter().find_map(|&(anchor, direction)| {
        let area = anchor.anchor_size(at + direction * OFFSET, size);
        let margin = area.expand2(vec2(3.0, 0.0));
        let is_free = view.contains_rect(area) && !placed.iter().any(|p| p.intersects(margin));
        is_free.then_some(area)
    })
}

/// Text with a soft outline that reads on every surface.
pub(super) fn outlined(painter: &Painter, at: Pos2, galley: &Arc<Galley>, outline: Color32) {
    let faint = outline.gamma_multiply(0.45);
    for (reach, color) in [(2.0, faint), (1.0, outline)] {
        for (x, y) in [
            (-1.0, 0.0),
            (1.0, 0.0),
            (0.0, -1.0),
            (0.0, 1.0),
            (-0.7, -0.7),
            (0.7, -0.7),
            (-0.7, 0.7),
            (0.7, 0.7),
        ] {
            let at = at + vec2(x, y) * reach;
            painter.galley_with_override_text_color(at, galley.clone(), color);
        }
    }
    painter.galley(at, galley.clone(), Color32::WHITE);
}

/// The name of the joint under the pointer, beside it.
pub(super) fn tooltip(ui: &Ui, rect: Rect, pointer: Pos2, name: &str) {
    let colors = theme::colors(ui.visuals());
    let painter = ui.painter_at(rect);
    let galley = painter.layout_no_wrap(
        display(name).into_owned(),
        FontId::proportional(12.5),
        colors.strong,
    );
    let size = galley.size() + vec2(14.0, 8.0);
    // Right of the pointer, or left of it at the edge.
    let left = if pointer.x + 16.0 + size.x > rect.right() {
        pointer.x - 12.0 - size.x
    } else {
        pointer.x + 16.0
    };
    let top =
        (pointer.y - size.y * 0.5).clamp(rect.top(), (rect.bottom() - size.y).max(rect.top()));
    let plate = Rect::from_min_size(pos2(left, top), size);
    painter.rect(
        plate,
        theme::RADIUS,
        colors.popup,
        egui::Stroke::new(1.0, colors.line),
        egui::StrokeKind::Inside,
    );
    painter.galley(plate.min + vec2(7.0, 4.0), galley, colors.strong);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_moves_about_its_joint_before_it_is_left_out() {
        let view = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 300.0));
        let (at, size) = (pos2(200.0, 150.0), vec2(60.0, 14.0));
        let mut placed = Vec::new();
        while let Some(area) = free_place(&placed, view, at, size) {
            assert!(placed.iter().all(|p: &Rect| !p.intersects(area)));
            placed.push(area);
        }
        assert!(placed.len() >= 4, "{placed:?}");
        assert!(placed[0].left() > at.x && placed[1].right() < at.x);
    }

    #[test]
    fn a_name_at_the_edge_stays_in_the_view() {
        let view = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 300.0));
        let area = free_place(&[], view, pos2(390.0, 150.0), vec2(60.0, 14.0));
        assert!(area.is_some_and(|area| view.contains_rect(area)));
    }
}
