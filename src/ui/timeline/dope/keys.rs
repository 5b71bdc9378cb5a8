//! One row of the plot, painted: keys, holds, and what was found.

use egui::{Color32, Rect, pos2};

use super::{batch::Batch, glyphs::Glyph, held::Held, marks::Mark, sheet::KeyShape};
use crate::ui::timeline::{axis::TimeAxis, columns::run};

/// Height of a tick.
const TICK: f32 = 9.0;
/// Height of a band.
const BAND_HEIGHT: f32 = 7.0;
/// Height of the bar between keys that hold.
const BAR: f32 = 5.0;
/// Narrower marks would hide behind their key.
const LEAST_MARK: f32 = 11.0;

/// Where and how one row is painted.
#[derive(Debug, Clone, Copy)]
pub struct RowPaint {
    /// The row's part of the plot.
    pub rect: Rect,
    /// Time along it.
    pub axis: TimeAxis,
}

impl RowPaint {
    fn x(&self, secs: f32) -> f32 {
        self.axis.x_of(self.rect, secs)
    }

    /// A stretch of time as part of the row, `height` high.
    fn stretch(&self, from_x: f32, to_x: f32, height: f32) -> Rect {
        let y = self.rect.center().y;
        let (left, right) = (self.rect.left() - 2.0, self.rect.right() + 2.0);
        Rect::from_min_max(
            pos2(from_x.clamp(left, right), y - height * 0.5),
            pos2(to_x.clamp(left, right), y + height * 0.5),
        )
    }

    /// Paints what [`glyphs`](super::glyphs::glyphs) found.
    pub fn keys(&self, batch: &mut Batch, glyphs: &[Glyph], shape: KeyShape, color: Color32) {
        let y = self.rect.center().y;
        let point = batch.pixel().max(1.0);
        for glyph in glyphs {
            match *glyph {
                Glyph::Key { x, radius } => batch.key(shape, pos2(x, y), radius, color),
                Glyph::Tick { x, several } => {
                    let strength = if several { 1.0 } else { 0.75 };
                    let rect = self.stretch(x, x + point, TICK);
                    batch.rect(rect, color.gamma_multiply(strength));
                }
                // How dense it is says the number beside the name.
                Glyph::Band {
                    from_x,
                    to_x,
                    dense,
                } => {
                    let strength = if dense { 0.85 } else { 0.65 };
                    let rect = self.stretch(from_x, to_x, BAND_HEIGHT);
                    batch.rect(rect, color.gamma_multiply(strength));
                }
            }
        }
    }

    /// Bars between keys that hold.
    pub fn held(&self, batch: &mut Batch, times: &[f32], held: &[Held], color: Color32) {
        let pixel = batch.pixel();
        let mut rest = held;
        let skipped = run(rest, |held| self.x(times[held.last]) < self.rect.left());
        rest = &rest[skipped..];
        while let Some(first) = rest.first() {
            let from_x = self.x(times[first.first]);
            if from_x > self.rect.right() {
                break;
            }
            // All that end within the same pixel are one.
            let mut end_x = self.x(times[first.last]);
            let limit = end_x.max(from_x + pixel);
            let same = run(rest, |held| self.x(times[held.last]) < limit).max(1);
            end_x = end_x.max(self.x(times[rest[same - 1].last]));
            batch.rect(self.stretch(from_x, end_x, BAR), color);
            rest = &rest[same..];
        }
    }

    /// Hatches the time before the first key and after the last.
    pub fn outside(&self, batch: &mut Batch, times: &[f32], duration_secs: f32, color: Color32) {
        const CLOSE_SECS: f32 = 1e-4;
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
            return;
        };
        let height = self.rect.height();
        let visible = |from: f32, to: f32| {
            self.stretch(self.x(from), self.x(to), height)
                .intersect(self.rect)
        };
        if first > CLOSE_SECS {
            batch.hatch(visible(0.0, first), color);
        }
        if last < duration_secs - CLOSE_SECS {
            batch.hatch(visible(last, duration_secs), color);
        }
    }

    /// Where a mark lies.
    pub fn mark_rect(&self, mark: &Mark) -> Rect {
        let (from_x, to_x) = (self.x(mark.from_secs), self.x(mark.to_secs));
        let missing = (LEAST_MARK - (to_x - from_x)).max(0.0) * 0.5;
        self.stretch(from_x - missing, to_x + missing, self.rect.height() - 2.0)
    }

    /// Findings: a field with firm ends, the one that is `shown` stronger. Marks are in
    /// the order of their beginnings; those that begin within one pixel are one.
    pub fn marks(
        &self,
        batch: &mut Batch,
        marks: &[Mark],
        shown: Option<usize>,
        color: impl Fn(&Mark) -> Color32,
    ) {
        let pixel = batch.pixel();
        let mut covered = f32::NEG_INFINITY;
        for mark in marks {
            let rect = self.mark_rect(mark);
            let is_shown = shown == Some(mark.finding);
            let is_seen = rect.right() > self.rect.left() && rect.left() < self.rect.right();
            if !is_seen || (rect.right() < covered + pixel && !is_shown) {
                continue;
            }
            covered = covered.max(rect.right());
            let color = color(mark);
            batch.rect(
                rect,
                color.gamma_multiply(if is_shown { 0.45 } else { 0.22 }),
            );
            let width = if is_shown { 2.0 } else { 1.0 };
            for x in [rect.left(), rect.right() - width] {
                let edge = Rect::from_x_y_ranges(x..=x + width, rect.y_range());
                batch.rect(edge, color);
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use egui::Painter;

    use super::{super::glyphs::glyphs, *};
    use crate::document::Severity;

    /// Ten seconds on eight hundred points.
    pub fn row() -> RowPaint {
        let rect = Rect::from_min_max(pos2(200.0, 100.0), pos2(1018.0, 120.0));
        RowPaint {
            rect,
            axis: TimeAxis::whole(rect, 10.0),
        }
    }

    fn batch() -> Batch {
        Batch::new(&Painter::new(
            egui::Context::default(),
            egui::LayerId::background(),
            Rect::EVERYTHING,
        ))
    }

    /// So many keys, evenly over the ten seconds.
    pub fn times(count: usize) -> Vec<f32> {
        let step = 10.0 / (count.max(2) - 1) as f32;
        (0..count).map(|key| key as f32 * step).collect()
    }

    fn vertices(count: usize, shape: KeyShape) -> usize {
        let mut batch = batch();
        let glyphs = glyphs(&row(), &times(count), 1.0);
        row().keys(&mut batch, &glyphs, shape, Color32::WHITE);
        batch.vertices()
    }

    #[test]
    fn interpolation_has_a_shape_of_its_own() {
        assert_eq!(vertices(3, KeyShape::Square), 3 * 4);
        assert_eq!(vertices(3, KeyShape::Diamond), 3 * 8);
        assert_eq!(vertices(3, KeyShape::Disc), 3 * 24);
    }

    #[test]
    fn crowds_cost_no_more_than_the_width() {
        // Ticks of four corners while they can be told apart.
        assert_eq!(vertices(201, KeyShape::Diamond), 201 * 4);
        // One band for all from there on.
        for count in [1000, 10_000, 1_000_000] {
            assert_eq!(vertices(count, KeyShape::Disc), 4, "{count} keys");
        }
        // Uneven crowds make several; never more than one shape a pixel.
        let uneven: Vec<f32> = (0..100_000)
            .map(|key| (key / 500) as f32 * 0.05 + (key % 500) as f32 * 1e-6)
            .collect();
        let glyphs = glyphs(&row(), &uneven, 1.0).len();
        assert!((150..=818).contains(&glyphs), "{glyphs} glyphs");
    }

    #[test]
    fn what_lies_outside_of_the_view_is_not_painted() {
        let mut row = row();
        row.axis = TimeAxis {
            from_secs: 4.0,
            to_secs: 4.1,
        };
        let mut batch = batch();
        let glyphs = glyphs(&row, &times(101), 1.0);
        row.keys(&mut batch, &glyphs, KeyShape::Diamond, Color32::WHITE);
        assert_eq!(batch.vertices(), 2 * 8);
        let held = [
            Held { first: 0, last: 90 },
            Held {
                first: 95,
                last: 100,
            },
        ];
        row.held(&mut batch, &times(101), &held, Color32::WHITE);
        assert_eq!(batch.vertices(), 2 * 8 + 4);
        assert!(row.rect.expand(8.0).contains_rect(batch.bounds()));
    }

    #[test]
    fn many_short_holds_are_as_few_as_the_pixels() {
        let times = times(100_001);
        let held: Vec<Held> = (0..50_000)
            .map(|pair| Held {
                first: 2 * pair,
                last: 2 * pair + 1,
            })
            .collect();
        let mut batch = batch();
        row().held(&mut batch, &times, &held, Color32::WHITE);
        let bars = batch.vertices() / 4;
        assert!((400..=820).contains(&bars), "{bars} bars on 800 pixels");
    }

    #[test]
    fn time_without_keys_is_hatched() {
        let hatched = |times: &[f32]| {
            let mut batch = batch();
            row().outside(&mut batch, times, 10.0, Color32::WHITE);
            (batch.vertices() > 0).then(|| batch.bounds())
        };
        assert_eq!(hatched(&times(11)), None);
        let before = hatched(&[5.0, 10.0]).expect("before the first");
        assert!(before.left() < 215.0 && before.right() < 611.0, "{before}");
        let after = hatched(&[0.0, 5.0]).expect("after the last");
        assert!(after.left() > 607.0 && after.right() > 1000.0, "{after}");
        let rect = row().rect.expand(1.0);
        assert!(rect.contains_rect(before) && rect.contains_rect(after));
    }

    #[test]
    fn a_mark_covers_its_interval_and_is_never_too_thin() {
        let mark = |from_secs: f32, to_secs: f32| Mark {
            from_secs,
            to_secs,
            severity: Severity::Warning,
            finding: 0,
        };
        let row = row();
        let wide = row.mark_rect(&mark(2.5, 5.0));
        assert!((wide.left() - 409.0).abs() < 0.01 && (wide.width() - 200.0).abs() < 0.01);
        assert!((row.mark_rect(&mark(5.0, 5.0)).width() - LEAST_MARK).abs() < 1e-3);
        // Thousands within a pixel are one field with two edges.
        let many: Vec<Mark> = (0..5000)
            .map(|index| mark(5.0 + index as f32 * 1e-7, 5.0 + index as f32 * 1e-7))
            .collect();
        let mut batch = batch();
        row.marks(&mut batch, &many, None, |_| Color32::RED);
        assert_eq!(batch.vertices(), 3 * 4);
    }
}
