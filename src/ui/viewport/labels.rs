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

    /// Writes the frame's names where nothing is `taken` by other writing.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        context: &Context<'_>,
        rect: Rect,
        ink: Ink,
        taken: &[Rect],
    ) {
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
        self.placed.extend_from_slice(taken);
        self.shown.clear();
        let painter = ui.painter_at(rect);
        for &(index, at) in &self.order {
            if self.shown.len() >= LIMIT {
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

/// The name of the joint that the pointer means, beside both.
pub(super) fn tooltip(ui: &Ui, rect: Rect, pointer: Pos2, joint: Option<Pos2>, name: &str) {
    let colors = theme::colors(ui.visuals());
    let painter = ui.painter_at(rect);
    let widest = (rect.width() - 2.0 * CHIP_PADDING.x - 8.0).max(20.0);
    let mut job = egui::text::LayoutJob::simple_singleline(
        display(name).into_owned(),
        FontId::proportional(12.5),
        colors.strong,
    );
    job.wrap = egui::text::TextWrapping::truncate_at_width(widest);
    let galley = painter.layout_job(job);
    let plate = chip_place(rect, pointer, joint, galley.size() + CHIP_PADDING * 2.0);
    painter.rect(
        plate,
        theme::RADIUS,
        colors.popup,
        egui::Stroke::new(1.0, colors.line),
        egui::StrokeKind::Inside,
    );
    painter.galley(plate.min + CHIP_PADDING, galley, colors.strong);
}

/// Points between a chip's edge and its text.
const CHIP_PADDING: egui::Vec2 = vec2(7.0, 4.0);

/// Where a chip stands so that it covers neither pointer nor joint and stays in the
/// view: to the right if it can, then left, above, below.
fn chip_place(view: Rect, pointer: Pos2, joint: Option<Pos2>, size: egui::Vec2) -> Rect {
    // The pointer's arrow hangs down to the right of its tip.
    let arrow = Rect::from_min_max(pointer - vec2(4.0, 4.0), pointer + vec2(12.0, 16.0));
    let disc = joint.map(|at| Rect::from_center_size(at, egui::Vec2::splat(16.0)));
    let near = disc.filter(|disc| disc.center().distance(pointer) < 40.0);
    let both = near.map_or(arrow, |disc| disc.union(arrow));
    let all = disc.map_or(arrow, |disc| disc.union(arrow));
    let inside = view.shrink(4.0);
    let fitted = |min: Pos2| {
        let last = (inside.max - size).max(inside.min);
        Rect::from_min_size(min.clamp(inside.min, last), size)
    };
    let (x, y) = (pointer.x - size.x * 0.5, pointer.y - size.y * 0.5);
    let places = [
        pos2(both.right() + 4.0, y),
        pos2(both.left() - 4.0 - size.x, y),
        pos2(x, both.top() - 4.0 - size.y),
        pos2(x, both.bottom() + 4.0),
        pos2(x, all.top() - 4.0 - size.y),
        pos2(x, all.bottom() + 4.0),
    ]
    .map(fitted);
    let covers =
        |place: &Rect| place.intersects(arrow) || disc.is_some_and(|disc| place.intersects(disc));
    let free = places.iter().find(|place| !covers(place));
    *free.unwrap_or(&places[0])
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

    #[test]
    fn a_chip_covers_neither_pointer_nor_joint_and_never_leaves_the_view() {
        let view = Rect::from_min_size(pos2(20.0, 30.0), vec2(400.0, 300.0));
        let size = vec2(120.0, 24.0);
        for step in 0..40 * 30 {
            let pointer = view.min + vec2((step % 40) as f32, (step / 40) as f32) * 10.0;
            for offset in [
                vec2(0.0, 0.0),
                vec2(13.0, 3.0),
                vec2(-9.0, -9.0),
                vec2(90.0, 0.0),
            ] {
                let joint = pointer + offset;
                let place = chip_place(view, pointer, Some(joint), size);
                assert!(view.contains_rect(place), "{place} at {pointer}");
                assert!(!place.contains(pointer), "{place} at {pointer}");
                assert!(!place.expand(6.0).contains(joint), "{place}, joint {joint}");
            }
        }
        let narrow = Rect::from_min_size(pos2(0.0, 0.0), vec2(60.0, 40.0));
        let place = chip_place(narrow, pos2(30.0, 20.0), None, size);
        assert_eq!(
            place.min,
            pos2(4.0, 4.0).max(place.min),
            "its start is to be seen"
        );
    }
}
