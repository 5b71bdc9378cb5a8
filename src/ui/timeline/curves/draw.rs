//! The plot itself.

use core::ops::RangeInclusive;

use egui::{Align2, Color32, Painter, Rect, Stroke, Ui, pos2, vec2};

use super::{
    Curves, View,
    keys::dots,
    lanes::{self, Lane},
    lines::{Look, scale},
    marks,
    palette::{self, LineStyle},
    pointer::Hit,
};
use crate::{
    analysis::curves::Curve,
    ui::{
        theme::{Colors, colors},
        timeline::ruler,
    },
};

/// Between hatching lines.
const HATCH: f32 = 7.0;
const LABEL: f32 = 10.5;

impl Curves {
    pub(super) fn paint(
        &mut self,
        ui: &Ui,
        view: &View<'_>,
        hit: &Hit,
        labels: RangeInclusive<f32>,
    ) {
        let painter = ui.painter_at(view.plot);
        ruler::grid(ui, &painter, view.plot, view.axis, view.session);
        for (index, lane) in view.lanes.iter().enumerate() {
            if index > 0 {
                // Between lanes lies the panel.
                let gap = Rect::from_min_max(
                    pos2(view.plot.left(), view.lanes[index - 1].rect.bottom()),
                    pos2(view.plot.right(), lane.rect.top()),
                );
                painter.rect_filled(gap, 0.0, colors(ui.visuals()).panel);
            }
            self.lane(ui, view, hit, index, &labels);
        }
        ruler::playhead(
            ui,
            &painter,
            view.plot,
            view.axis,
            view.character.player.time_secs,
        );
        if let Some(at) = hit.at.filter(|_| self.grab.is_none()) {
            let x = hit.key.map_or(at.x, |key| view.x_of(key.secs));
            ruler::pointer_line(ui, &painter, view.plot, x);
        }
    }

    fn lane(
        &mut self,
        ui: &Ui,
        view: &View<'_>,
        hit: &Hit,
        index: usize,
        labels: &RangeInclusive<f32>,
    ) {
        let lane = &view.lanes[index];
        let painter = ui.painter_at(lane.rect);
        lane.paint_axis(ui, labels.clone());
        self.marks(ui, &painter, view, lane);
        // Later ones lie over earlier ones: the selected joint on top.
        for &(joint, style) in view.joints.iter().rev() {
            if let Some(&reading) = view.ghost_of(lane.curve) {
                let look = Look {
                    reading,
                    style: LineStyle(style),
                    is_ghost: true,
                };
                self.lines(ui, &painter, view, lane, joint, &look);
            }
        }
        for (slot, &(joint, style)) in view.joints.iter().enumerate().rev() {
            let look = Look {
                reading: view.reading,
                style: LineStyle(style),
                is_ghost: false,
            };
            self.lines(ui, &painter, view, lane, joint, &look);
            let whole = self.store.whole(joint, lane.curve, &view.reading);
            dots(ui, &painter, view, lane, &whole, style == 0);
            let hits_here = hit.key.filter(|key| key.lane == index && key.joint == slot);
            if let Some(key) = hits_here {
                let color = palette::component(ui.visuals(), lane.curve, key.component);
                let (factor, offset) = scale(lane, &whole, key.component);
                let at = pos2(view.x_of(key.secs), lane.y_of(key.value * factor + offset));
                painter.circle(
                    at,
                    4.5,
                    color,
                    Stroke::new(1.5, colors(ui.visuals()).strong),
                );
            }
            if slot == 0 {
                self.letters(ui, &painter, view, lane, joint, &whole);
            }
        }
        self.title(ui, &painter, view, lane);
    }

    /// Held zones, intervals that flip, and what was found here.
    fn marks(&mut self, ui: &Ui, painter: &Painter, view: &View<'_>, lane: &Lane) {
        let colors = colors(ui.visuals());
        let Some(&(joint, _)) = view.joints.first() else {
            return;
        };
        let Some(curves) = self.store.joint(joint) else {
            return;
        };
        let end = curves.duration_secs();
        let across = |from: f32, to: f32| {
            Rect::from_x_y_ranges(view.x_of(from)..=view.x_of(to), lane.rect.y_range())
        };
        if let Some(times) = curves.times(lane.curve.property()) {
            let (first, last) = (times[0], times[times.len() - 1]);
            if first > 1e-4 {
                hatch(painter, across(0.0, first), colors);
            }
            if last < end - 1e-4 {
                hatch(painter, across(last, end), colors);
            }
        }
        let tint = |from: f32, to: f32, color: Color32| {
            let band = across(from, to);
            let band = band.expand2(vec2((2.0 - band.width()).max(0.0) * 0.5, 0.0));
            painter.rect_filled(band, 0.0, color.gamma_multiply(0.1));
            let top = Rect::from_min_max(band.min, pos2(band.right(), band.top() + 2.0));
            painter.rect_filled(top, 0.0, color.gamma_multiply(0.8));
        };
        let pixel = view.axis.secs_per_point(view.plot) / painter.pixels_per_point();
        for mark in marks::merged(marks::marks(view, curves, lane.curve), pixel) {
            tint(mark.from, mark.to, colors.severity(mark.severity));
        }
    }

    /// What a lane shows, and what stands in the way of it.
    fn title(&mut self, ui: &Ui, painter: &Painter, view: &View<'_>, lane: &Lane) {
        let colors = colors(ui.visuals());
        let unit = lane.curve.unit().symbol();
        let mut title = lane.curve.label().to_owned();
        if let Curve::Euler(order) = lane.curve {
            title += &format!(" {}", order.as_str());
        }
        if !unit.is_empty() {
            title += &format!(", {unit}");
        }
        if lane.own_scale {
            title += ", own scale";
        }
        let at = lane.rect.left_top() + vec2(6.0, 3.0);
        let align = Align2::LEFT_TOP;
        let rect = super::plate(ui, painter, at, align, &title, LABEL, colors.weak);
        let Some(&(joint, _)) = view.joints.first() else {
            return;
        };
        let label = view.joint_label(joint);
        let Some(curves) = self.store.joint(joint) else {
            return;
        };
        let hint = if curves.width(lane.curve) == 0 {
            format!("{label} shows no mesh with morph targets")
        } else if curves.times(lane.curve.property()).is_none()
            && lanes::is_first_of_property(&view.lanes, lane)
        {
            let property = lane.curve.property().as_str();
            format!("{label}: this clip keys no {property}, it stays at rest")
        } else {
            return;
        };
        let at = pos2(rect.right() + 10.0, at.y);
        super::plate(ui, painter, at, align, &hint, LABEL, colors.text);
    }
}

/// Diagonal lines: the value is held here.
fn hatch(painter: &Painter, rect: Rect, colors: &Colors) {
    let rect = rect.intersect(painter.clip_rect());
    if rect.width() < 1.0 {
        return;
    }
    let painter = painter.with_clip_rect(rect);
    let stroke = Stroke::new(1.0, colors.line);
    let height = rect.height();
    // From a fixed origin, so that hatching does not crawl while the plot moves.
    let mut x = ((rect.left() - height) / HATCH).floor() * HATCH;
    while x < rect.right() {
        painter.line_segment(
            [pos2(x, rect.bottom()), pos2(x + height, rect.top())],
            stroke,
        );
        x += HATCH;
    }
}
