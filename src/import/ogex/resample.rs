//! Curves that no key interpolation of ours gives exactly → dense linear keys.

use super::curve::{Curve, Shape, Side};

/// Keys that any file may gain by resampling: fifty turns of ten wheels.
const LEAST_KEYS: usize = 4096;
/// Bytes of the file for each further one.
const BYTES_PER_KEY: usize = 8;
/// Keys that no file may gain more of.
const MOST_KEYS: usize = 1 << 18;
/// Parts of one interval at most: 128 turns of an angle from one key to the next.
const MAX_PARTS: usize = 1024;
/// Halvings of an interval at most.
const MAX_DEPTH: u32 = 20;

/// What is left of the keys that may be added to a file: their number, and with it the
/// work of finding them, goes with the file's size.
pub(super) struct Budget {
    whole: usize,
    left: usize,
    /// Whether some curve got fewer than it needed.
    is_spent: bool,
    is_said: bool,
}

/// A function of time and how good its keys must be.
pub(super) struct Function<'a, V> {
    /// What it depends on.
    pub(super) curves: &'a [&'a Curve],
    pub(super) value: &'a dyn Fn(f64, Side) -> V,
    /// Equal parts that the interval between two neighbouring key times needs at least.
    pub(super) parts: &'a dyn Fn(f64, f64) -> usize,
    /// Whether the value halfway between two keys is near enough to what interpolating
    /// between the keys gives: (key, halfway, key).
    pub(super) is_near: &'a dyn Fn(&V, &V, &V) -> bool,
}

/// Keys of a function whose straight interpolation stays near it: at the key times of all
/// curves, and between them at halvings until the middle is near. Where a curve jumps,
/// the value before stands at the number next below the time.
pub(super) fn sample<V: Clone>(
    function: &Function<'_, V>,
    budget: &mut Budget,
) -> (Vec<f32>, Vec<V>) {
    let knots = knots(function.curves);
    let jumps = function
        .curves
        .iter()
        .any(|curve| curve.shape == Shape::Constant);
    let mut keys = Keys {
        secs: Vec::with_capacity(knots.len()),
        values: Vec::with_capacity(knots.len()),
    };
    let value = function.value;
    for (index, &knot) in knots.iter().enumerate() {
        let end = f64::from(knot);
        if index > 0 {
            let start = f64::from(knots[index - 1]);
            let mut parts = (function.parts)(start, end).max(1);
            if parts > MAX_PARTS {
                // No keys follow that: the ends are all there is.
                budget.is_spent = true;
                parts = 0;
            }
            for part in 1..=parts {
                let at = |part: usize| start + (end - start) * part as f64 / parts as f64;
                let (from, to) = (at(part - 1), at(part));
                keys.halve(function, (from, to), budget);
                if part < parts && budget.take() {
                    keys.push(to as f32, value(to, Side::After));
                }
            }
            if jumps {
                keys.push(knot.next_down(), value(end, Side::Before));
            }
        }
        keys.push(knot, value(end, Side::After));
    }
    (keys.secs, keys.values)
}

/// The key times of all curves, each once.
pub(super) fn knots(curves: &[&Curve]) -> Vec<f32> {
    let mut knots: Vec<f32> = curves
        .iter()
        .flat_map(|curve| curve.secs.iter().copied())
        .collect();
    knots.sort_by(f32::total_cmp);
    knots.dedup();
    knots
}

impl Budget {
    /// For a file of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let whole = (LEAST_KEYS + bytes / BYTES_PER_KEY).min(MOST_KEYS);
        Self {
            whole,
            left: whole,
            is_spent: false,
            is_said: false,
        }
    }

    /// The keys there were, when asked for the first time after some curve got too few.
    pub(super) fn spent(&mut self) -> Option<usize> {
        let is_news = self.is_spent && !self.is_said;
        self.is_said |= is_news;
        is_news.then_some(self.whole)
    }

    fn take(&mut self) -> bool {
        if self.left == 0 {
            self.is_spent = true;
            return false;
        }
        self.left -= 1;
        true
    }
}

struct Keys<V> {
    secs: Vec<f32>,
    values: Vec<V>,
}

impl<V: Clone> Keys<V> {
    /// Later than all before it, or nothing: between neighbouring floats there is no room.
    fn push(&mut self, secs: f32, value: V) {
        if self.secs.last().is_none_or(|&last| secs > last) {
            self.secs.push(secs);
            self.values.push(value);
        }
    }

    /// Adds what is needed inside an interval, its ends excluded.
    fn halve(&mut self, function: &Function<'_, V>, whole: (f64, f64), budget: &mut Budget) {
        let value = function.value;
        let mut open = vec![(
            whole.0,
            value(whole.0, Side::After),
            whole.1,
            value(whole.1, Side::Before),
            0,
        )];
        while let Some((start, first, end, last, depth)) = open.pop() {
            let half = |u: f64| start + (end - start) * u;
            let middle = value(half(0.5), Side::After);
            let quarters = [
                (&first, value(half(0.25), Side::After), &middle),
                (&middle, value(half(0.75), Side::After), &last),
            ];
            // The quarters hear of a curve that meets its chord in the middle.
            let near = (function.is_near)(&first, &middle, &last)
                && quarters
                    .iter()
                    .all(|(a, between, b)| (function.is_near)(a, between, b));
            if near || depth >= MAX_DEPTH || !budget.take() {
                if depth > 0 && end < whole.1 {
                    self.push(end as f32, last);
                }
                continue;
            }
            open.push((half(0.5), middle.clone(), end, last, depth + 1));
            open.push((start, first, half(0.5), middle, depth + 1));
        }
    }
}
