//! Curves over time as the format has them: key times and values, each constant, linear
//! or with Bézier control points, values also by tension, continuity and bias.

/// How values run between keys.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// Hold until the next key.
    Constant,
    /// Straight.
    Linear,
    /// By control points, `width` numbers per key: before the key and after it.
    Bezier { before: Vec<f64>, after: Vec<f64> },
}

/// A curve, in seconds and the numbers of its target.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Curve {
    /// Strictly increasing, at least one.
    pub(super) secs: Vec<f32>,
    /// Control points of the times, before each key and after it; none for linear time.
    pub(super) time_controls: Option<(Vec<f64>, Vec<f64>)>,
    /// Numbers per key.
    pub(super) width: usize,
    pub(super) values: Vec<f64>,
    pub(super) shape: Shape,
}

/// What the target of a linear curve makes of two keys, at a part of the way from 0 to 1:
/// turns go along arcs.
pub(super) type Between<'a> = &'a dyn Fn(&[f64], &[f64], f64) -> Vec<f64>;

/// Which side of a key a value is asked at: curves that hold jump there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

impl Curve {
    pub(super) fn key(&self, key: usize) -> &[f64] {
        &self.values[key * self.width..(key + 1) * self.width]
    }

    /// The numbers at a time; the first and last key hold outside.
    pub(super) fn at(&self, secs: f64, side: Side) -> Vec<f64> {
        let after = match side {
            Side::After => self.secs.partition_point(|&key| f64::from(key) <= secs),
            Side::Before => self.secs.partition_point(|&key| f64::from(key) < secs),
        };
        if after == 0 {
            return self.key(0).to_vec();
        }
        let (from, to) = (after - 1, after);
        if to == self.secs.len() || self.shape == Shape::Constant {
            return self.key(from).to_vec();
        }
        let s = self.parameter(from, secs);
        let numbers = self.key(from).iter().zip(self.key(to));
        match &self.shape {
            Shape::Bezier { before, after } => numbers
                .enumerate()
                .map(|(i, (&a, &b))| {
                    bezier(
                        [
                            a,
                            after[from * self.width + i],
                            before[to * self.width + i],
                            b,
                        ],
                        s,
                    )
                })
                .collect(),
            _ => numbers.map(|(&a, &b)| a + (b - a) * s).collect(),
        }
    }

    /// Where in the interval after a key a time lies, 0 to 1.
    fn parameter(&self, from: usize, secs: f64) -> f64 {
        let (start, end) = (f64::from(self.secs[from]), f64::from(self.secs[from + 1]));
        let linear = (secs - start) / (end - start);
        let Some((before, after)) = &self.time_controls else {
            return linear;
        };
        // Kept inside the interval, time never runs backwards.
        let points = [
            start,
            after[from].clamp(start, end),
            before[from + 1].clamp(start, end),
            end,
        ];
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..52 {
            let middle = 0.5 * (low + high);
            if bezier(points, middle) < secs {
                low = middle;
            } else {
                high = middle;
            }
        }
        0.5 * (low + high)
    }

    /// Whether time runs evenly between all keys: linear, or with its control points at
    /// thirds, within a thousandth of the interval.
    pub(super) fn has_even_time(&self) -> bool {
        let Some((before, after)) = &self.time_controls else {
            return true;
        };
        self.secs.windows(2).enumerate().all(|(key, pair)| {
            let (start, end) = (f64::from(pair[0]), f64::from(pair[1]));
            let third = (end - start) / 3.0;
            (after[key] - start - third).abs() <= third * 3e-3
                && (end - before[key + 1] - third).abs() <= third * 3e-3
        })
    }

    /// Tangents per second of a Bézier curve with even time, arriving at keys and leaving:
    /// three times the way to the control point, over the interval. Zero at the ends.
    pub(super) fn tangents(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let Shape::Bezier { before, after } = &self.shape else {
            return None;
        };
        if !self.has_even_time() {
            return None;
        }
        let count = self.secs.len();
        let mut arriving = vec![0.0; self.values.len()];
        let mut leaving = arriving.clone();
        for (at, &value) in self.values.iter().enumerate() {
            let key = at / self.width;
            let gap = |a: usize, b: usize| f64::from(self.secs[b]) - f64::from(self.secs[a]);
            if key > 0 {
                arriving[at] = 3.0 * (value - before[at]) / gap(key - 1, key);
            }
            if key + 1 < count {
                leaving[at] = 3.0 * (after[at] - value) / gap(key, key + 1);
            }
        }
        Some((arriving, leaving))
    }
}

/// Cutting.
impl Curve {
    /// Makes the curve begin here: nothing before it is kept, or what the first key has
    /// holds from here on.
    pub(super) fn begin_at(&mut self, secs: f32, between: Between<'_>) {
        let key = self.key_at(secs, between);
        self.keep(key, self.secs.len());
    }

    /// Makes the curve end here: nothing after it is kept, or what the last key has holds
    /// up to here.
    pub(super) fn end_at(&mut self, secs: f32, between: Between<'_>) {
        let key = self.key_at(secs, between);
        self.keep(0, key + 1);
    }

    fn keep(&mut self, from: usize, to: usize) {
        fn cut(numbers: &mut Vec<f64>, from: usize, to: usize) {
            numbers.truncate(to);
            numbers.drain(..from);
        }
        self.secs.truncate(to);
        self.secs.drain(..from);
        let rows = (from * self.width, to * self.width);
        cut(&mut self.values, rows.0, rows.1);
        if let Some((before, after)) = &mut self.time_controls {
            cut(before, from, to);
            cut(after, from, to);
        }
        if let Shape::Bezier { before, after } = &mut self.shape {
            cut(before, rows.0, rows.1);
            cut(after, rows.0, rows.1);
        }
    }

    /// The key at a time, made where there is none, without a change to the curve.
    fn key_at(&mut self, secs: f32, between: Between<'_>) -> usize {
        let key = self.secs.partition_point(|&key| key < secs);
        if self.secs.get(key) == Some(&secs) {
            return key;
        }
        if key == 0 || key == self.secs.len() {
            // Outside, where the curve holds: control points at thirds of the way, level.
            let end = key.saturating_sub(1);
            let value = self.key(end).to_vec();
            let time = f64::from(self.secs[end]);
            let third = (f64::from(secs) - time) / 3.0;
            if let Some((before, after)) = &mut self.time_controls {
                let side = if key == 0 { before } else { after };
                side[end] = time + third;
            }
            let row = end * self.width..(end + 1) * self.width;
            if let Shape::Bezier { before, after } = &mut self.shape {
                let side = if key == 0 { before } else { after };
                side[row].copy_from_slice(&value);
            }
            self.insert(key, secs, &value, [&value, &value], third);
            return key;
        }
        let (from, to) = (key - 1, key);
        let s = self.parameter(from, f64::from(secs));
        let (start, end) = (f64::from(self.secs[from]), f64::from(self.secs[to]));
        let mut time_sides = None;
        if let Some((before, after)) = &mut self.time_controls {
            let points = [
                start,
                after[from].clamp(start, end),
                before[to].clamp(start, end),
                end,
            ];
            let [leaving, arriving, left, right] = halves(points, s);
            (after[from], before[to]) = (leaving, right);
            time_sides = Some((arriving, left));
        }
        let width = self.width;
        let rows = (from * width, to * width);
        let mut value = match self.shape {
            Shape::Constant => self.key(from).to_vec(),
            _ => between(self.key(from), self.key(to), s),
        };
        let (mut arriving, mut leaving) = (value.clone(), value.clone());
        if let Shape::Bezier { before, after } = &mut self.shape {
            for i in 0..width {
                let (a, b) = (rows.0 + i, rows.1 + i);
                let points = [self.values[a], after[a], before[b], self.values[b]];
                value[i] = bezier(points, s);
                [after[a], arriving[i], leaving[i], before[b]] = halves(points, s);
            }
        }
        self.insert(key, secs, &value, [&arriving, &leaving], 0.0);
        if let (Some((before, after)), Some(sides)) = (&mut self.time_controls, time_sides) {
            (before[key], after[key]) = sides;
        }
        key
    }

    /// Puts in a key with its control points; those of its time lie `third` away.
    fn insert(&mut self, key: usize, secs: f32, value: &[f64], sides: [&[f64]; 2], third: f64) {
        self.secs.insert(key, secs);
        let row = key * self.width;
        self.values.splice(row..row, value.iter().copied());
        if let Some((before, after)) = &mut self.time_controls {
            before.insert(key, f64::from(secs) - third);
            after.insert(key, f64::from(secs) - third);
        }
        if let Shape::Bezier { before, after } = &mut self.shape {
            before.splice(row..row, sides[0].iter().copied());
            after.splice(row..row, sides[1].iter().copied());
        }
    }
}

/// The inner control points of the two halves of a Bézier curve cut at `s` (de Casteljau):
/// of the first one after its start and before the cut, then of the second one after the
/// cut and before its end.
fn halves([a, b, c, d]: [f64; 4], s: f64) -> [f64; 4] {
    let mix = |a: f64, b: f64| a + (b - a) * s;
    let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
    [ab, mix(ab, bc), mix(bc, cd), cd]
}

/// A cubic Bézier curve (Bernstein's form).
fn bezier(points: [f64; 4], s: f64) -> f64 {
    let r = 1.0 - s;
    r * r * r * points[0]
        + 3.0 * r * r * s * points[1]
        + 3.0 * r * s * s * points[2]
        + s * s * s * points[3]
}

/// The control points that make a Bézier curve of a spline by tension, continuity and
/// bias (Kochanek and Bartels, "Interpolating Splines with Local Tension, Continuity, and
/// Bias Control", SIGGRAPH 1984): with `a = vᵢ − vᵢ₋₁` and `b = vᵢ₊₁ − vᵢ`,
///
/// ```text
/// leaving  = (1−t)(1+c)(1+β)/2 · a + (1−t)(1−c)(1−β)/2 · b
/// arriving = (1−t)(1−c)(1+β)/2 · a + (1−t)(1+c)(1−β)/2 · b
/// ```
///
/// over the interval, whatever its length: as in the format's own importer, without the
/// paper's correction for uneven key spacing. At an end the missing chord is zero.
pub(super) fn tcb(values: &[f64], width: usize, params: &[[f64; 3]]) -> Shape {
    let last = params.len().saturating_sub(1);
    let mut before = values.to_vec();
    let mut after = values.to_vec();
    for (key, &[t, c, b]) in params.iter().enumerate() {
        for i in 0..width {
            let value = |key: usize| values[key * width + i];
            let from_last = value(key) - value(key.saturating_sub(1));
            let to_next = value((key + 1).min(last)) - value(key);
            let half = 0.5 * (1.0 - t);
            let leaving =
                half * ((1.0 + c) * (1.0 + b) * from_last + (1.0 - c) * (1.0 - b) * to_next);
            let arriving =
                half * ((1.0 - c) * (1.0 + b) * from_last + (1.0 + c) * (1.0 - b) * to_next);
            let at = key * width + i;
            after[at] += leaving / 3.0;
            before[at] -= arriving / 3.0;
        }
    }
    Shape::Bezier { before, after }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bezier_time_is_solved() {
        let curve = Curve {
            secs: vec![0.0, 1.0],
            time_controls: Some((vec![0.0, 1.0], vec![0.0, 1.0])),
            width: 1,
            values: vec![0.0, 1.0],
            shape: Shape::Linear,
        };
        // Time is 3s² − 2s³ here.
        for s in [0.0, 0.1, 0.5, 0.8, 1.0] {
            let secs = 3.0 * s * s - 2.0 * s * s * s;
            assert!((curve.at(secs, Side::After)[0] - s).abs() < 1e-7, "{s}");
        }
        assert!(!curve.has_even_time());
    }

    /// A cut curve is the curve, inside; outside, its ends hold.
    #[test]
    fn cut_curves_are_the_same_curves() {
        let lerp = |a: &[f64], b: &[f64], s: f64| vec![a[0] + (b[0] - a[0]) * s];
        let bent = Shape::Bezier {
            before: vec![0.0, 3.0, -1.0],
            after: vec![2.0, 0.5, 0.0],
        };
        let uneven = Some((vec![0.0, 0.9, 1.2], vec![0.4, 1.1, 3.0]));
        for shape in [Shape::Constant, Shape::Linear, bent] {
            for time_controls in [None, uneven.clone()] {
                let whole = Curve {
                    secs: vec![0.5, 1.0, 3.0],
                    time_controls,
                    width: 1,
                    values: vec![0.0, 1.0, -2.0],
                    shape: shape.clone(),
                };
                for (begin, end) in [(0.7, 2.5), (0.0, 4.0), (1.0, 3.0), (0.6, 0.7), (3.5, 3.75)] {
                    let mut cut = whole.clone();
                    cut.begin_at(begin, &lerp);
                    cut.end_at(end, &lerp);
                    assert_eq!((cut.secs[0], cut.secs.last()), (begin, Some(&end)));
                    assert_eq!(cut.values.len(), cut.secs.len());
                    for step in 0..=50 {
                        let secs = f64::from(begin + (end - begin) * step as f32 / 50.0);
                        let (a, b) = (whole.at(secs, Side::Before), cut.at(secs, Side::Before));
                        let inside = step > 0;
                        assert!(
                            !inside || (a[0] - b[0]).abs() < 1e-6,
                            "{shape:?} {begin} {end} {secs}: {a:?} {b:?}"
                        );
                    }
                }
            }
        }
    }
}
