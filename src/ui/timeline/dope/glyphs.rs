//! What stands for a row's keys on the screen: shapes where there is room, ticks and
//! bands where not.

use std::collections::HashMap;

use egui::Rangef;

use super::keys::RowPaint;
use crate::ui::timeline::{
    axis::TimeAxis,
    columns::{Column, columns},
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

/// What stands for the keys at `times`, from left to right: at most one glyph a
/// column of pixels, however many they are.
pub fn glyphs(row: &RowPaint, times: &[f32], pixel: f32) -> Vec<Glyph> {
    let mut glyphs = Vec::new();
    let mut columns = columns(times, row.axis, row.rect, pixel, RADIUS).peekable();
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
            .or_insert_with(|| glyphs(row, times, pixel))
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
    use super::{
        super::keys::tests::{row, times},
        *,
    };

    #[test]
    fn keys_with_room_have_shapes_and_crowds_among_them_do_not() {
        // Two by themselves, a burst of 50 within 4 points, two near each other.
        let mut times = vec![1.0, 2.0];
        times.extend((0..50).map(|key| 3.0 + key as f32 * 0.001));
        times.extend([5.0, 5.1]);
        let glyphs = glyphs(&row(), &times, 1.0);
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
}
