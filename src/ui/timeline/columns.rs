//! Many keys on few pixels.

use core::ops::Range;

use egui::Rect;

use super::axis::TimeAxis;

/// Keys that fall into one column of pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Where the first of them lies, in points.
    pub x: f32,
    /// Their indices.
    pub keys: Range<usize>,
}

/// The keys of sorted `times` that are seen, and a margin of `margin` points around,
/// column by column of `pixel` points. Jumps from column to column by search, so that
/// ten thousand keys cost no more than the width.
pub fn columns(
    times: &[f32],
    axis: TimeAxis,
    rect: Rect,
    pixel: f32,
    margin: f32,
) -> impl Iterator<Item = Column> + '_ {
    let x_of = move |secs: f32| axis.x_of(rect, secs);
    let last_x = rect.right() + margin;
    let mut next = times.partition_point(|&secs| x_of(secs) < rect.left() - margin);
    core::iter::from_fn(move || {
        let x = x_of(*times.get(next)?);
        if x > last_x {
            return None;
        }
        let end = ((x / pixel).floor() + 1.0) * pixel;
        let first = next;
        next += run(&times[first..], |secs| x_of(secs) < end).max(1);
        Some(Column {
            x,
            keys: first..next,
        })
    })
}

/// How many at the start satisfy `is_in`, which holds up to some index and not from
/// there on; steps that double, then halve, so that short runs cost next to nothing.
pub fn run<T: Copy>(items: &[T], is_in: impl Fn(T) -> bool) -> usize {
    let mut step = 1;
    while step <= items.len() && is_in(items[step - 1]) {
        step *= 2;
    }
    let from = step / 2;
    let to = step.min(items.len());
    from + items[from..to].partition_point(|&item| is_in(item))
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;

    fn rect() -> Rect {
        Rect::from_min_size(pos2(0.0, 0.0), vec2(418.0, 40.0))
    }

    #[test]
    fn columns_are_at_most_one_per_pixel_and_lose_no_key() {
        let times: Vec<f32> = (0..10_000).map(|k| k as f32 * 0.001).collect();
        let axis = TimeAxis::whole(rect(), 9.999);
        let found: Vec<_> = columns(&times, axis, rect(), 1.0, 0.0).collect();
        assert!(found.len() <= 401, "{} on 400 pixels", found.len());
        let mut next = 0;
        for column in &found {
            assert_eq!(column.keys.start, next);
            assert!(!column.keys.is_empty());
            next = column.keys.end;
        }
        assert_eq!(next, 10_000);
        let axis = TimeAxis::whole(rect(), 0.002);
        assert_eq!(columns(&times[..3], axis, rect(), 1.0, 0.0).count(), 3);
    }

    #[test]
    fn only_what_is_seen_has_a_column() {
        let times: Vec<f32> = (0..1000).map(|k| k as f32 * 0.01).collect();
        let axis = TimeAxis {
            from_secs: 4.995,
            to_secs: 5.095,
        };
        let found: Vec<_> = columns(&times, axis, rect(), 1.0, 0.0).collect();
        assert_eq!(found.first().map(|c| c.keys.clone()), Some(500..501));
        assert_eq!(found.last().map(|c| c.keys.clone()), Some(509..510));
        let wide: Vec<_> = columns(&times, axis, rect(), 1.0, 42.0).collect();
        assert_eq!(wide.len(), found.len() + 2);
        assert_eq!(columns(&[], axis, rect(), 1.0, 0.0).count(), 0);
    }

    #[test]
    fn a_run_ends_where_the_first_fails() {
        for length in 0..40 {
            for count in 0..=length {
                let items: Vec<usize> = (0..length).collect();
                assert_eq!(run(&items, |item| item < count), count);
            }
        }
    }
}
