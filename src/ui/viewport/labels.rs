//! Joint names in the view, thinned where they would cover each other.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Ui, pos2, vec2};

use super::{Ink, pick::Projection};
use crate::ui::{Context, theme};

/// Points from a joint to its name.
const OFFSET: f32 = 9.0;
/// Names written at most.
const LIMIT: usize = 300;

/// Buffers that live on.
#[derive(Debug, Default)]
pub(super) struct Labels {
    placed: Vec<Rect>,
    order: Vec<(usize, Pos2, f32)>,
}

impl Labels {
    pub(super) fn show(&mut self, ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink) {
        let labels = &context.frame.labels;
        let projection = Projection::new(context.frame, rect);
        self.order.clear();
        let on_screen = labels.iter().enumerate().filter_map(|(index, label)| {
            let (at, depth) = projection.point(label.position)?;
            rect.contains(at).then_some((index, at, depth))
        });
        self.order.extend(on_screen);
        // Strong ones first, then the nearest.
        self.order.sort_by(|a, b| {
            let strong = |entry: &(usize, Pos2, f32)| labels[entry.0].strong;
            strong(b).cmp(&strong(a)).then(b.2.total_cmp(&a.2))
        });
        self.placed.clear();
        let painter = ui.painter_at(rect);
        for &(index, at, _) in &self.order {
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
            let galley = painter.layout_no_wrap(name, FontId::proportional(size), color);
            let area = Align2::LEFT_CENTER
                .anchor_size(at + vec2(OFFSET, 0.0), galley.size())
                .expand2(vec2(3.0, 0.0));
            if self.placed.iter().any(|other| other.intersects(area)) {
                continue;
            }
            self.placed.push(area);
            outlined(&painter, area.min + vec2(3.0, 0.0), &galley, ink.outline);
        }
    }
}

/// Text with a soft outline that reads on every surface.
pub(super) fn outlined(painter: &Painter, at: Pos2, galley: &Arc<Galley>, outline: Color32) {
    let faint = outline.gamma_multiply(0.5);
    for (x, y) in [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)] {
        let at = at + vec2(x, y);
        painter.galley_with_override_text_color(at, galley.clone(), outline);
    }
    for (x, y) in [(-1.4, -1.4), (1.4, -1.4), (-1.4, 1.4), (1.4, 1.4)] {
        let at = at + vec2(x, y);
        painter.galley_with_override_text_color(at, galley.clone(), faint);
    }
    painter.galley(at, galley.clone(), Color32::WHITE);
}

/// The name of the joint under the pointer, beside it.
pub(super) fn tooltip(ui: &Ui, rect: Rect, pointer: Pos2, name: &str) {
    let colors = theme::colors(ui.visuals());
    let painter = ui.painter_at(rect);
    let galley = painter.layout_no_wrap(name.to_owned(), FontId::proportional(12.5), colors.strong);
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
