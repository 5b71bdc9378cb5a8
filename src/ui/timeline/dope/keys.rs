//! One row of keys, painted: shapes where there is room, ticks and bands where not.

use std::collections::HashMap;

use egui::{Color32, Rangef, Rect, pos2};

use super::{batch::Batch, held::Held, marks::Mark, sheet::KeyShape};
use crate::ui::timeline::{
    axis::TimeAxis,
    columns::{Column, columns, run},
};

/// Radius of a key that has room.
pub const RADIUS: f32 = 4.6;
/// Radius of one that has little.
const SMALL_RADIUS: f32 = 3.0;
/// Distance of neighbours from which a key has room.
const ROOM: f32 = 11.0;
/// Distance from which it still has a shape.
const LITTLE_ROOM: f32 = 7.0;
/// Closer columns close up to a band.
const BAND: f32 = 2.6;
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

    /// What stands for the keys at `times`, from left to right: at most one glyph a
    /// column of pixels, however many they are.
    pub fn glyphs(&self, times: &[f32], pixel: f32) -> Vec<Glyph> {
        let mut glyphs = Vec::new();
        let mut columns = columns(times, self.axis, self.rect, pixel, RADIUS).peekable();
        let mut last_x = f32::NEG_INFINITY;
        let mut band: Option<Band> = None;
        while let Some(column) = columns.next() {
            let next_x = columns.peek().map_or(f32::INFINITY, |next| next.x);
            let gap = (column.x - last_x).min(next_x - column.x);
            last_x = column.x;
            if gap >= LITTLE_ROOM && column.keys.len() == 1 {
                let radius = if gap >= ROOM { RADIUS } else { SMALL_RADIUS };
                glyphs.push(Glyph::Key {
                    x: column.x,
                    radius,
                });
                continue;
            }
            let open = band.get_or_insert_with(|| Band::new(&column, pixel));
            open.take(&column, pixel);
            if next_x - column.x > BAND {
                glyphs.push(open.glyph());
                band = None;
            }
        }
        glyphs.extend(band.map(|band| band.glyph()));
        glyphs
    }

    /// Paints what [`glyphs`](Self::glyphs) found.
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

/// One thing to paint for one or more keys; places in points along the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Glyph {
    /// A key by itself.
    Key {
        /// Its middle.
        x: f32,
        /// Half its size.
        radius: f32,
    },
    /// A column of pixels too close to its neighbours for a shape.
    Tick {
        /// Its left edge.
        x: f32,
        /// It stands for more than one key.
        several: bool,
    },
    /// Columns that touch.
    Band {
        /// Left edge.
        from_x: f32,
        /// Right edge.
        to_x: f32,
        /// More than two keys a column.
        dense: bool,
    },
}

/// Glyphs of the rows that were seen, kept while the view of time stays: joints of one
/// export share their key times, and most frames move nothing along the axis.
#[derive(Debug, Default)]
pub struct GlyphCache {
    key: Option<(u64, TimeAxis, Rangef, f32)>,
    /// By address and number of the times.
    glyphs: HashMap<(usize, usize), Vec<Glyph>>,
}

impl GlyphCache {
    /// The glyphs of `times`, which live as long as the sheet of this `generation`.
    pub fn of(&mut self, generation: u64, row: &RowPaint, times: &[f32], pixel: f32) -> &[Glyph] {
        let key = Some((generation, row.axis, row.rect.x_range(), pixel));
        if self.key != key {
            self.key = key;
            self.glyphs.clear();
        }
        self.glyphs
            .entry((times.as_ptr().addr(), times.len()))
            .or_insert_with(|| row.glyphs(times, pixel))
    }
}

/// Columns of keys that lie too close for shapes.
#[derive(Debug)]
struct Band {
    from_x: f32,
    to_x: f32,
    columns: usize,
    keys: usize,
}

impl Band {
    fn new(column: &Column, pixel: f32) -> Self {
        let from_x = (column.x / pixel).floor() * pixel;
        Self {
            from_x,
            to_x: from_x,
            columns: 0,
            keys: 0,
        }
    }

    fn take(&mut self, column: &Column, pixel: f32) {
        self.to_x = ((column.x / pixel).floor() + 1.0) * pixel;
        self.columns += 1;
        self.keys += column.keys.len();
    }

    fn glyph(&self) -> Glyph {
        if self.columns > 1 {
            Glyph::Band {
                from_x: self.from_x,
                to_x: self.to_x,
                dense: self.keys > 2 * self.columns,
            }
        } else {
            Glyph::Tick {
                x: self.from_x,
                several: self.keys > 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Severity;

    fn row() -> RowPaint {
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

    use egui::Painter;

    fn times(count: usize) -> Vec<f32> {
        let step = 10.0 / (count.max(2) - 1) as f32;
        (0..count).map(|key| key as f32 * step).collect()
    }

    fn vertices(count: usize, shape: KeyShape) -> usize {
        let mut batch = batch();
        let glyphs = row().glyphs(&times(count), 1.0);
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
        let glyphs = row().glyphs(&uneven, 1.0).len();
        assert!((150..=818).contains(&glyphs), "{glyphs} glyphs");
    }

    #[test]
    fn keys_with_room_have_shapes_and_crowds_among_them_do_not() {
        // Two by themselves, a burst of 50 within 4 points, two near each other.
        let mut times = vec![1.0, 2.0];
        times.extend((0..50).map(|key| 3.0 + key as f32 * 0.001));
        times.extend([5.0, 5.1]);
        let glyphs = row().glyphs(&times, 1.0);
        let kinds: Vec<&str> = glyphs
            .iter()
            .map(|glyph| match glyph {
                Glyph::Key { radius, .. } if *radius == RADIUS => "key",
                Glyph::Key { .. } => "small key",
                Glyph::Tick { .. } => "tick",
                Glyph::Band { dense: true, .. } => "dense band",
                Glyph::Band { .. } => "band",
            })
            .collect();
        assert_eq!(
            kinds,
            ["key", "key", "dense band", "small key", "small key"]
        );
    }

    #[test]
    fn glyphs_are_worked_out_once_while_the_view_of_time_stays() {
        let (first, second) = (times(11), times(21));
        let mut cache = GlyphCache::default();
        let mut row = row();
        assert_eq!(cache.of(1, &row, &first, 1.0).len(), 11);
        assert_eq!(cache.of(1, &row, &second, 1.0).len(), 21);
        // Another row at another height shares them.
        row.rect = row.rect.translate(egui::vec2(0.0, 20.0));
        cache.of(1, &row, &first, 1.0);
        assert_eq!(cache.glyphs.len(), 2);
        row.axis.to_secs *= 0.5;
        assert_eq!(cache.of(1, &row, &first, 1.0).len(), 6);
        assert_eq!(cache.glyphs.len(), 1, "the others are stale");
    }

    #[test]
    fn what_lies_outside_of_the_view_is_not_painted() {
        let mut row = row();
        row.axis = TimeAxis {
            from_secs: 4.0,
            to_secs: 4.1,
        };
        let mut batch = batch();
        let glyphs = row.glyphs(&times(101), 1.0);
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
        assert!(row.rect.expand(RADIUS + 2.0).contains_rect(batch.bounds()));
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
