//! The plot itself.

use core::ops::RangeInclusive;

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, Ui, pos2, vec2};

use super::{
    Curves, View,
    lanes::{self, Lane},
    marks,
    palette::{self, LineStyle},
    pointer::Hit,
    store::Whole,
};
use crate::{
    analysis::curves::{Curve, Reading, Trace},
    anim::LoopPolicy,
    ui::{
        theme::{Colors, colors},
        timeline::ruler,
    },
};

/// Width of what is played.
const LINE: f32 = 1.5;
/// Of what is compared with, and beyond the loop.
const FAINT_LINE: f32 = 1.0;
const FAINT: f32 = 0.45;
const BEYOND: f32 = 0.35;
/// Keys at least so far apart are full dots.
const DOTS_FROM: f32 = 7.0;
/// And so far, small ones; nearer, none.
const SMALL_DOTS_FROM: f32 = 3.0;
const DOT: f32 = 2.6;
const SMALL_DOT: f32 = 1.6;
/// Components with a line of their own: more morph targets are more than eyes can follow.
pub(super) const MOST_LINES: usize = 24;
/// Between hatching lines.
const HATCH: f32 = 7.0;
const LABEL: f32 = 10.5;

/// Times of a curve beyond the clip's ends as those inside that look the same.
struct Beyond {
    /// Inside, in seconds.
    range: core::ops::Range<f32>,
    /// From inside to where it is drawn.
    shift_secs: f32,
    /// Backwards: drawn at `shift_secs − time`.
    mirrored: bool,
}

/// How a joint's lines are drawn.
struct Look {
    reading: Reading,
    style: LineStyle,
    /// Faintly, for comparison.
    is_ghost: bool,
}

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

    /// All components of a joint's curve.
    fn lines(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        view: &View<'_>,
        lane: &Lane,
        joint: usize,
        look: &Look,
    ) {
        let Look { reading, style, .. } = look;
        let strength = if look.is_ghost { FAINT } else { 1.0 };
        let end = view.character.player.duration_secs;
        let whole = self.store.whole(joint, lane.curve, reading);
        let played = self.store.whole(joint, lane.curve, &view.reading);
        let seen = view.axis.from_secs.max(0.0)..view.axis.to_secs.min(end);
        if seen.end <= seen.start {
            return;
        }
        let scale_of = painter.pixels_per_point();
        let pixels_of = |range: &core::ops::Range<f32>| {
            let points = (range.end - range.start) / view.axis.secs_per_point(view.plot);
            (points * scale_of).ceil().max(1.0) as usize
        };
        // A quarter of a pixel, by the component that is blown up most.
        let components = components_shown(&whole, lane.curve);
        let blown_up = components.iter().map(|&c| scale(lane, &played, c).0);
        let blown_up = blown_up.fold(0.0_f32, f32::max).max(1e-12);
        let tolerance = 0.25 * lane.per_point() / scale_of / blown_up;
        let trace = |store: &mut super::Store, range: core::ops::Range<f32>| {
            let pixels = pixels_of(&range);
            store.trace(joint, lane.curve, reading, range, pixels, tolerance)
        };
        let width = if look.is_ghost { FAINT_LINE } else { LINE };
        let played_lines = trace(&mut self.store, seen);
        let place = |factor: f32, offset: f32| {
            move |[time, value]: [f32; 2]| pos2(view.x_of(time), lane.y_of(value * factor + offset))
        };
        for &component in &components {
            let color = palette::component(ui.visuals(), lane.curve, component);
            let stroke = Stroke::new(width, color.gamma_multiply(strength));
            let (factor, offset) = scale(lane, &played, component);
            let place = place(factor, offset);
            stretches(painter, &played_lines, component, *style, stroke, &place);
            if lane.curve == Curve::AngleToPreviousKey && !look.is_ghost && style.0 == 0 {
                bars(painter, lane, &played_lines, component, color, &place);
            }
        }
        for beyond in beyond(view) {
            let lines = trace(&mut self.store, beyond.range.clone());
            for &component in &components {
                let color = palette::component(ui.visuals(), lane.curve, component);
                let stroke = Stroke::new(FAINT_LINE, color.gamma_multiply(strength * BEYOND));
                let (factor, offset) = scale(lane, &played, component);
                let inside = place(factor, offset);
                let outside = |[time, value]: [f32; 2]| {
                    let time = if beyond.mirrored { -time } else { time };
                    inside([time + beyond.shift_secs, value])
                };
                stretches(painter, &lines, component, LineStyle(0), stroke, &outside);
            }
        }
    }

    /// Names of components at the right ends of their lines, apart from each other.
    fn letters(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        view: &View<'_>,
        lane: &Lane,
        joint: usize,
        whole: &Whole,
    ) {
        let components = components_shown(whole, lane.curve);
        let Some(curves) = self.store.joint(joint) else {
            return;
        };
        let names = curves.components(lane.curve);
        let room = lane.rect.height() / 11.0;
        if names.len() < 2 || components.len() as f32 > room {
            return;
        }
        let end = curves.duration_secs().min(view.axis.to_secs);
        let mut values = Vec::new();
        // Where a curve ends before the clip does, its last value has the letter.
        let last = whole.dots.times.last().copied().unwrap_or(end).min(end);
        let at = if lane.curve == Curve::AngleToPreviousKey {
            last.next_down()
        } else {
            end
        };
        curves.value(lane.curve, &view.reading, at, &mut values);
        let mut places: Vec<(usize, f32)> = components
            .into_iter()
            .filter(|&component| values.get(component).is_some_and(|v| v.is_finite()))
            .map(|component| {
                let (factor, offset) = scale(lane, whole, component);
                (component, lane.y_of(values[component] * factor + offset))
            })
            .collect();
        spread(&mut places, lane.rect.shrink2(vec2(0.0, 6.0)));
        // A letter fits right of the clip's end; names stand left of the last dot.
        let is_short = places
            .iter()
            .all(|&(component, _)| names[component].len() == 1);
        let end_x = view.x_of(end);
        let has_margin = is_short && end_x + 9.0 <= lane.rect.right() + 0.5;
        for (component, y) in places {
            let color = palette::component(ui.visuals(), lane.curve, component);
            let name = &names[component];
            if has_margin {
                // A wide letter reaches a little over the plot's edge.
                let outside = ui.painter_at(lane.rect.expand2(vec2(5.0, 0.0)));
                let (at, font) = (pos2(end_x + 3.5, y), FontId::proportional(LABEL));
                outside.text(at, Align2::LEFT_CENTER, name, font, color);
            } else {
                let at = pos2((end_x - 6.0).min(lane.rect.right() - 4.0), y);
                super::plate(ui, painter, at, Align2::RIGHT_CENTER, name, LABEL, color);
            }
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

/// Factor and offset of a component, by what is played.
fn scale(lane: &Lane, played: &Whole, component: usize) -> (f32, f32) {
    lane.scale(played.extents.get(component).copied().flatten())
}

/// Components that get a line: all, but of many morph targets those that move.
pub(super) fn components_shown(whole: &Whole, curve: Curve) -> Vec<usize> {
    let count = whole.extents.len();
    if count <= MOST_LINES {
        return (0..count).collect();
    }
    let still = curve.unit().stillness();
    let moves =
        |&component: &usize| whole.extents[component].is_some_and(|[low, high]| high - low > still);
    let moving: Vec<usize> = (0..count).filter(moves).take(MOST_LINES).collect();
    if moving.is_empty() {
        (0..MOST_LINES).collect()
    } else {
        moving
    }
}

/// The loop goes on at both ends, as far as the plot reaches.
fn beyond(view: &View<'_>) -> impl Iterator<Item = Beyond> {
    let player = view.character.player;
    let (start, end) = (player.start_secs, player.duration_secs);
    let length = end - start;
    let before = (start - view.axis.from_secs).clamp(0.0, length.max(0.0));
    let after = (view.axis.to_secs - end).clamp(0.0, length.max(0.0));
    let plays = length > 0.0 && start <= 0.0;
    let parts = match player.loop_policy {
        LoopPolicy::Once => [None, None],
        LoopPolicy::Loop => [
            Some(Beyond {
                range: end - before..end,
                shift_secs: -length,
                mirrored: false,
            }),
            Some(Beyond {
                range: start..start + after,
                shift_secs: length,
                mirrored: false,
            }),
        ],
        LoopPolicy::PingPong => [
            Some(Beyond {
                range: start..start + before,
                shift_secs: 2.0 * start,
                mirrored: true,
            }),
            Some(Beyond {
                range: end - after..end,
                shift_secs: 2.0 * end,
                mirrored: true,
            }),
        ],
    };
    let shown = parts.into_iter().flatten().filter(move |_| plays);
    shown.filter(|part| part.range.end > part.range.start)
}

/// Continuous stretches as lines, jumps between them as thin ones.
fn stretches(
    painter: &Painter,
    trace: &Trace,
    component: usize,
    style: LineStyle,
    stroke: Stroke,
    place: &impl Fn([f32; 2]) -> Pos2,
) {
    let Some(lines) = trace.components.get(component) else {
        return;
    };
    for line in lines {
        style.paint(
            painter,
            line.iter().map(|&point| place(point)).collect(),
            stroke,
        );
    }
    let thin = Stroke::new(1.0, stroke.color.gamma_multiply(0.5));
    for pair in lines.windows(2) {
        let (Some(&end), Some(&start)) = (pair[0].last(), pair[1].first()) else {
            continue;
        };
        let (end, start) = (place(end), place(start));
        // Across a hole in the curve there is no line.
        if (start.x - end.x).abs() < 2.0 {
            painter.line_segment([end, start], thin);
        }
    }
}

/// Fills from zero up to steps.
fn bars(
    painter: &Painter,
    lane: &Lane,
    trace: &Trace,
    component: usize,
    color: Color32,
    place: &impl Fn([f32; 2]) -> Pos2,
) {
    let ground = lane.y_of(0.0);
    let fill = color.gamma_multiply(0.13);
    for line in trace.components.get(component).into_iter().flatten() {
        for pair in line.windows(2) {
            let (from, to) = (place(pair[0]), place(pair[1]));
            let bar = Rect::from_two_pos(pos2(from.x, ground), pos2(to.x, to.y));
            painter.rect_filled(bar, 0.0, fill);
        }
    }
}

/// Keys as stored; the ones at the playhead ringed.
fn dots(
    ui: &Ui,
    painter: &Painter,
    view: &View<'_>,
    lane: &Lane,
    whole: &Whole,
    is_selected: bool,
) {
    let dots = &whole.dots;
    let Some(width) = dots.values.len().checked_div(dots.times.len()) else {
        return;
    };
    let reach = 6.0 * view.axis.secs_per_point(view.plot);
    let first = (dots.times).partition_point(|&time| time < view.axis.from_secs - reach);
    let last = (dots.times).partition_point(|&time| time <= view.axis.to_secs + reach);
    let last = last.max(first);
    let span = match (dots.times.get(first), dots.times.get(last.wrapping_sub(1))) {
        (Some(&first), Some(&last)) => view.x_of(last) - view.x_of(first),
        _ => return,
    };
    let spacing = span / (last - first).saturating_sub(1).max(1) as f32;
    let playhead = view.character.player.time_secs;
    let colors = colors(ui.visuals());
    let radius = if last - first < 2 || spacing >= DOTS_FROM {
        DOT
    } else if spacing >= SMALL_DOTS_FROM {
        SMALL_DOT
    } else {
        0.0
    };
    let radius = if is_selected { radius } else { radius * 0.8 };
    // Exactly at a key, as stepping to it leaves the playhead.
    let close = (view.axis.secs_per_point(view.plot) * 0.5).min(1e-4);
    for component in components_shown(whole, lane.curve) {
        let color = palette::component(ui.visuals(), lane.curve, component);
        let (factor, offset) = scale(lane, whole, component);
        for key in first..last {
            let value = dots.values[key * width + component];
            if !value.is_finite() {
                continue;
            }
            let at = pos2(
                view.x_of(dots.times[key]),
                lane.y_of(value * factor + offset),
            );
            if is_selected && (dots.times[key] - playhead).abs() <= close {
                painter.circle(at, 4.0, color, Stroke::new(1.5, colors.accent));
            } else if radius > 0.0 {
                painter.circle(at, radius, color, Stroke::new(1.0, colors.sunken));
            } else {
                // Only the key at the playhead is wanted, and times increase.
                break;
            }
        }
        if radius == 0.0 && is_selected {
            let key = dots.times.partition_point(|&time| time < playhead - close);
            if (first..last).contains(&key) && (dots.times[key] - playhead).abs() <= close {
                let value = dots.values[key * width + component] * factor + offset;
                let at = pos2(view.x_of(playhead), lane.y_of(value));
                painter.circle(at, 3.5, color, Stroke::new(1.5, colors.accent));
            }
        }
    }
}

/// Moves labels apart, no farther than needed, within `rect`.
fn spread(places: &mut [(usize, f32)], rect: Rect) {
    const APART: f32 = 11.0;
    places.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut least = rect.top();
    for place in places.iter_mut() {
        place.1 = place.1.max(least).min(rect.bottom());
        least = place.1 + APART;
    }
    let mut most = rect.bottom();
    for place in places.iter_mut().rev() {
        place.1 = place.1.min(most);
        most = place.1 - APART;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart_and_inside() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(10.0, 60.0));
        let mut places = vec![(0, 58.0), (1, 59.0), (2, 57.5), (3, 3.0)];
        spread(&mut places, rect);
        assert_eq!(places[0].0, 3);
        for pair in places.windows(2) {
            assert!(pair[1].1 - pair[0].1 >= 10.99, "{places:?}");
        }
        assert!(places.iter().all(|p| rect.y_range().contains(p.1)));
    }
}
