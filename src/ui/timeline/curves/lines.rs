//! Lines: what is played, what is compared with, and the loop beyond the clip's ends.

use core::ops::Range;

use egui::{Color32, Painter, Pos2, Rect, Stroke, Ui, pos2};

use super::{
    Curves, View,
    lanes::Lane,
    palette::{self, LineStyle},
    store::{Store, Whole},
};
use crate::{
    analysis::curves::{Curve, Reading, Trace},
    anim::LoopPolicy,
};

/// Width of what is played.
const LINE: f32 = 1.5;
/// Of what is compared with, and beyond the loop.
const FAINT_LINE: f32 = 1.0;
const FAINT: f32 = 0.45;
const BEYOND: f32 = 0.35;
/// Components with a line of their own: more morph targets are more than eyes can follow.
const MOST_LINES: usize = 24;

/// Times of a curve beyond the clip's ends as those inside that look the same.
struct Beyond {
    /// Inside, in seconds.
    range: Range<f32>,
    /// From inside to where it is drawn.
    shift_secs: f32,
    /// Backwards: drawn at `shift_secs − time`.
    mirrored: bool,
}

/// How a joint's lines are drawn.
pub(super) struct Look {
    pub reading: Reading,
    pub style: LineStyle,
    /// Faintly, for comparison.
    pub is_ghost: bool,
}

impl Curves {
    /// All components of a joint's curve.
    pub(super) fn lines(
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
        let pixels_of = |range: &Range<f32>| {
            let points = (range.end - range.start) / view.axis.secs_per_point(view.plot);
            (points * scale_of).ceil().max(1.0) as usize
        };
        // A quarter of a pixel, by the component that is blown up most.
        let components = components_shown(&whole, lane.curve);
        let blown_up = components.iter().map(|&c| scale(lane, &played, c).0);
        let blown_up = blown_up.fold(0.0_f32, f32::max).max(1e-12);
        let tolerance = 0.25 * lane.per_point() / scale_of / blown_up;
        let trace = |store: &mut Store, range: Range<f32>| {
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
}

/// Factor and offset of a component, by what is played.
pub(super) fn scale(lane: &Lane, played: &Whole, component: usize) -> (f32, f32) {
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
