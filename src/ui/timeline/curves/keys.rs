//! Keys as dots, and the letters at the ends of lines.

use egui::{Align2, FontId, Painter, Rect, Stroke, Ui, pos2, vec2};

use super::{
    Curves, View,
    lanes::Lane,
    lines::{components_shown, scale},
    palette,
    store::Whole,
};
use crate::{analysis::curves::Curve, ui::theme::colors};

/// Keys at least so far apart are full dots.
const DOTS_FROM: f32 = 7.0;
/// And so far, small ones; nearer, none.
const SMALL_DOTS_FROM: f32 = 3.0;
const DOT: f32 = 2.6;
const SMALL_DOT: f32 = 1.6;
/// Size of letters.
const LETTER: f32 = 10.5;
/// From the middle of a label to that of the next: the height of a letter's line.
const APART: f32 = 12.0;
/// A label that stands farther off its line has a leader.
const MOVED_FROM: f32 = 3.0;
/// Width of leaders, in the gap between a line's end and its label.
const LEADER: f32 = 3.5;

impl Curves {
    /// Names of components at the right ends of their lines, apart from each other.
    pub(super) fn letters(
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
        let inside = lane.rect.shrink2(vec2(0.0, 6.0));
        if names.len() < 2 || !fits(components.len(), inside) {
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
        let mut places: Vec<Place> = components
            .into_iter()
            .filter(|&component| values.get(component).is_some_and(|v| v.is_finite()))
            .map(|component| {
                let (factor, offset) = scale(lane, whole, component);
                let line = lane.y_of(values[component] * factor + offset);
                Place {
                    component,
                    line,
                    label: line,
                }
            })
            .collect();
        spread(&mut places, inside);
        // A letter fits right of the clip's end; names stand left of the last dot.
        let is_short = places.iter().all(|place| names[place.component].len() == 1);
        let end_x = view.x_of(end);
        let has_margin = is_short && end_x + 9.0 <= lane.rect.right() + 0.5;
        for place in places {
            let y = place.label;
            let color = palette::component(ui.visuals(), lane.curve, place.component);
            let name = &names[place.component];
            if place.is_moved() {
                // On the side of the end where the label stands.
                let reach = if has_margin { LEADER } else { -LEADER };
                let line = place.line.clamp(lane.rect.top(), lane.rect.bottom());
                let ends = [pos2(end_x, line), pos2(end_x + reach, y)];
                let outside = ui.painter_at(lane.rect.expand2(vec2(5.0, 0.0)));
                outside.line_segment(ends, Stroke::new(1.0, color.gamma_multiply(0.7)));
            }
            if has_margin {
                // A wide letter reaches a little over the plot's edge.
                let outside = ui.painter_at(lane.rect.expand2(vec2(5.0, 0.0)));
                let (at, font) = (pos2(end_x + 3.5, y), FontId::proportional(LETTER));
                outside.text(at, Align2::LEFT_CENTER, name, font, color);
            } else {
                let at = pos2((end_x - 6.0).min(lane.rect.right() - 4.0), y);
                super::plate(ui, painter, at, Align2::RIGHT_CENTER, name, LETTER, color);
            }
        }
    }
}

/// Keys as stored; the ones at the playhead ringed.
pub(super) fn dots(
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

/// A component's label beside the end of its line.
#[derive(Debug, Clone, Copy)]
struct Place {
    component: usize,
    /// Where the line ends, in points from the top.
    line: f32,
    /// Where the middle of its label is, likewise.
    label: f32,
}

impl Place {
    /// So far from its line that it is to be led back to it.
    fn is_moved(self) -> bool {
        (self.label - self.line).abs() > MOVED_FROM
    }
}

/// Whether so many labels have room under each other.
fn fits(count: usize, rect: Rect) -> bool {
    count.saturating_sub(1) as f32 * APART <= rect.height()
}

/// Moves labels apart, no farther than needed, within `rect`.
fn spread(places: &mut [Place], rect: Rect) {
    places.sort_by(|a, b| a.line.total_cmp(&b.line));
    let mut least = rect.top();
    for place in places.iter_mut() {
        place.label = place.label.max(least).min(rect.bottom());
        least = place.label + APART;
    }
    let mut most = rect.bottom();
    for place in places.iter_mut().rev() {
        place.label = place.label.min(most);
        most = place.label - APART;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart_and_inside() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(10.0, 60.0));
        let mut places = places_at(&[58.0, 59.0, 57.5, 3.0]);
        spread(&mut places, rect);
        assert_eq!(places[0].component, 3);
        assert!(!places[0].is_moved(), "it was in nobody's way");
        for pair in places.windows(2) {
            assert!(pair[1].label - pair[0].label >= APART - 0.01, "{places:?}");
        }
        assert!(places.iter().all(|p| rect.y_range().contains(p.label)));
        assert!(places[1].is_moved(), "three end together: {places:?}");
    }

    #[test]
    fn where_labels_fit_they_never_overlap() {
        for count in 1..9 {
            for height in 1..120 {
                let rect = Rect::from_min_max(pos2(0.0, 7.0), pos2(9.0, 7.0 + height as f32));
                if !fits(count, rect) {
                    continue;
                }
                for end in [-50.0, 7.0, 30.0, 500.0] {
                    let mut places = places_at(&vec![end; count]);
                    spread(&mut places, rect);
                    for pair in places.windows(2) {
                        let apart = pair[1].label - pair[0].label;
                        assert!(apart >= APART - 0.01, "{count} in {height}: {places:?}");
                    }
                    let reach = rect.y_range().expand(0.01);
                    assert!(places.iter().all(|p| reach.contains(p.label)), "{places:?}");
                }
            }
        }
    }

    fn places_at(ends: &[f32]) -> Vec<Place> {
        let places = ends.iter().enumerate();
        places
            .map(|(component, &line)| Place {
                component,
                line,
                label: line,
            })
            .collect()
    }
}
