//! From a joint's curve to lines for a plot.

use core::ops::Range;

use super::{Curve, JointCurves, Reading, reduce::reduce};

/// What a plot can show.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolution {
    /// Seconds, from left to right.
    pub range: Range<f32>,
    /// Width in pixels.
    pub pixels: usize,
    /// How far a line may lie beside the curve, in the curve's unit; `None` for a
    /// thousandth of what the curve spans.
    pub tolerance: Option<f32>,
}

/// A curve as lines.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// Per component its continuous stretches, each a list of (seconds, value); between
    /// stretches the curve jumps, or has no value.
    pub components: Vec<Vec<Vec<[f32; 2]>>>,
}

/// Segments this wide are looked at more closely where they bend.
const COARSE_PIXELS: f32 = 8.0;
/// Segments this narrow are not.
const FINE_PIXELS: f32 = 0.5;
/// Keys that are looked at where many fall on each pixel.
const MAX_DENSE_KEYS: usize = 100_000;
/// A change within a pixel that may be a start-over of an angle, in degrees.
const JUMP_DEGREES: f32 = 60.0;

impl Trace {
    /// Points over all components and stretches.
    pub fn point_count(&self) -> usize {
        self.components.iter().flatten().map(Vec::len).sum()
    }

    /// Smallest and largest value of a component.
    pub fn extent(&self, component: usize) -> Option<[f32; 2]> {
        let points = self.components.get(component)?.iter().flatten();
        points.map(|point| point[1]).fold(None, |extent, value| {
            let [low, high] = extent.unwrap_or([value; 2]);
            Some([low.min(value), high.max(value)])
        })
    }
}

/// Samples of all components over an interval between keys.
#[derive(Debug, Default)]
struct Stretch {
    times: Vec<f32>,
    /// `width` numbers per time.
    values: Vec<f32>,
}

/// One trace being made.
struct Tracer<'a> {
    joint: &'a mut JointCurves,
    curve: Curve,
    reading: &'a Reading,
    width: usize,
    pixel_secs: f32,
    /// Points that may still be added.
    budget: usize,
}

impl JointCurves {
    /// The curve over a range: per component at most two points per pixel and two per
    /// key in it, fewer where it is straight. Where keys are denser than pixels, each
    /// pixel gets the smallest and largest value in it. Times outside the clip hold
    /// the values at its ends.
    pub fn trace(&mut self, curve: Curve, reading: &Reading, resolution: &Resolution) -> Trace {
        let width = self.width(curve);
        let mut trace = Trace {
            components: vec![Vec::new(); width],
        };
        let Range { start, end } = resolution.range;
        let pixels = resolution.pixels.clamp(1, 1 << 14);
        if width == 0 || !(end > start && start.is_finite() && end.is_finite()) {
            return trace;
        }
        let keys: Vec<f32> = self.times(curve.property()).map_or_else(Vec::new, |times| {
            let first = times.partition_point(|&time| time <= start);
            let last = times.partition_point(|&time| time <= end).max(first);
            times[first..last].to_vec()
        });
        let mut tracer = Tracer {
            joint: self,
            curve,
            reading,
            width,
            pixel_secs: (end - start) / pixels as f32,
            budget: pixels,
        };
        if keys.len() > pixels / 2 {
            tracer.dense(&keys, &resolution.range, &mut trace);
            let tolerance = resolution.tolerance.unwrap_or(0.0) * 0.5;
            for line in trace.components.iter_mut().flatten() {
                reduce(line, tolerance);
            }
            return trace;
        }
        let mut stretches = tracer.coarse(&keys, &resolution.range);
        let tolerance = tolerance(&stretches, resolution.tolerance, curve);
        tracer.refine(&mut stretches, tolerance);
        tracer.lines(&stretches, tolerance, &mut trace);
        trace
    }
}

/// In the curve's unit, above what single precision leaves of its values.
fn tolerance(stretches: &[Stretch], wanted: Option<f32>, curve: Curve) -> f32 {
    let values = || stretches.iter().flat_map(|s| &s.values).copied();
    let finite = || values().filter(|value| value.is_finite());
    let low = finite().fold(f32::INFINITY, f32::min);
    let high = finite().fold(f32::NEG_INFINITY, f32::max);
    let span = (high - low).max(0.0);
    let noise = low.abs().max(high.abs()) * 4.0 * f32::EPSILON;
    let floor = noise.max(curve.unit().stillness() * 0.02);
    let tolerance = wanted.unwrap_or(span * 1e-3).max(floor);
    if tolerance.is_finite() {
        tolerance
    } else {
        f32::MAX
    }
}

impl Tracer<'_> {
    fn value(&mut self, time_secs: f32, out: &mut Vec<f32>) {
        self.joint.value(self.curve, self.reading, time_secs, out);
    }

    /// One stretch per interval between keys, from its first moment to its last, with a
    /// few samples between.
    fn coarse(&mut self, keys: &[f32], range: &Range<f32>) -> Vec<Stretch> {
        let starts = core::iter::once(range.start).chain(keys.iter().copied());
        let ends = keys.iter().map(|key| key.next_down()).chain([range.end]);
        let mut stretches = Vec::with_capacity(keys.len() + 1);
        for (start, end) in starts.zip(ends) {
            let mut stretch = Stretch::default();
            let pixels = (end - start) / self.pixel_secs;
            // Even a narrow interval shows whether it bends.
            let segments = (pixels / COARSE_PIXELS).ceil().max(4.0).min(pixels / 2.0);
            let segments = (segments as usize).max(1);
            for index in 0..=segments {
                let time = if index == segments {
                    end
                } else {
                    start + (end - start) * (index as f32 / segments as f32)
                };
                if stretch.times.last().is_none_or(|&last| time > last) {
                    stretch.times.push(time);
                    self.value(time, &mut stretch.values);
                }
            }
            stretches.push(stretch);
        }
        stretches
    }

    /// Halves segments whose middle lies beside them, round by round while the budget
    /// lasts, so that all of the plot gets its share.
    fn refine(&mut self, stretches: &mut [Stretch], tolerance: f32) {
        let mut middle = Vec::new();
        // Segments that were found straight are not asked again.
        let mut open: Vec<Vec<bool>> = stretches
            .iter()
            .map(|stretch| vec![true; stretch.times.len().saturating_sub(1)])
            .collect();
        loop {
            let mut is_done = true;
            for (stretch, open) in stretches.iter_mut().zip(&mut open) {
                let old = core::mem::take(stretch);
                let was_open = core::mem::take(open);
                for (index, &here_time) in old.times.iter().enumerate() {
                    stretch.times.push(here_time);
                    let here = &old.values[index * self.width..][..self.width];
                    stretch.values.extend_from_slice(here);
                    let Some(&next_time) = old.times.get(index + 1) else {
                        continue;
                    };
                    let time = here_time + (next_time - here_time) * 0.5;
                    let is_narrow = next_time - here_time < 2.0 * FINE_PIXELS * self.pixel_secs
                        || time <= here_time
                        || time >= next_time;
                    if !was_open[index] || is_narrow || self.budget == 0 {
                        open.push(false);
                        continue;
                    }
                    self.budget -= 1;
                    middle.clear();
                    self.value(time, &mut middle);
                    let next = &old.values[(index + 1) * self.width..][..self.width];
                    let bends = here.iter().zip(next).zip(&middle).any(|((a, b), m)| {
                        let beside = ((a + b) * 0.5 - m).abs();
                        // NaN on one side only bends too.
                        beside > tolerance || (m.is_nan() != (a.is_nan() && b.is_nan()))
                    });
                    stretch.times.push(time);
                    stretch.values.extend_from_slice(&middle);
                    open.extend([bends, bends]);
                    is_done &= !bends;
                }
            }
            if is_done || self.budget == 0 {
                return;
            }
        }
    }

    /// Joins stretches where the curve goes on, cuts them where it jumps.
    fn lines(&mut self, stretches: &[Stretch], tolerance: f32, trace: &mut Trace) {
        for component in 0..self.width {
            let mut lines: Vec<Vec<[f32; 2]>> = Vec::new();
            let mut line: Vec<[f32; 2]> = Vec::new();
            for stretch in stretches {
                for (index, &time) in stretch.times.iter().enumerate() {
                    let value = stretch.values[index * self.width + component];
                    let point = [time, value];
                    match line.last().copied() {
                        _ if !value.is_finite() => lines.push(core::mem::take(&mut line)),
                        Some(last) if index == 0 && (last[1] - value).abs() > tolerance => {
                            lines.push(core::mem::take(&mut line));
                            line.push(point);
                        }
                        // The same moment, seen from its other side.
                        Some(last) if index == 0 && last[0] >= time.next_down() => {
                            line.pop();
                            line.push(point);
                        }
                        Some(last) if self.may_start_over(last, point) => {
                            if let Some([before, after]) = self.jump(component, last, point) {
                                line.push(before);
                                lines.push(core::mem::take(&mut line));
                                line.push(after);
                            }
                            line.push(point);
                        }
                        _ => line.push(point),
                    }
                }
            }
            lines.push(line);
            lines.retain(|line| !line.is_empty());
            for line in &mut lines {
                line.dedup_by_key(|point| point[0].to_bits());
                reduce(line, tolerance * 0.5);
            }
            trace.components[component] = lines;
        }
    }

    /// Only angles start over between keys.
    fn may_start_over(&self, a: [f32; 2], b: [f32; 2]) -> bool {
        matches!(self.curve, Curve::Euler(_)) && (b[1] - a[1]).abs() > JUMP_DEGREES
    }

    /// The last point before and the first after a jump between two samples; `None` if
    /// the curve is only steep.
    fn jump(&mut self, component: usize, a: [f32; 2], b: [f32; 2]) -> Option<[[f32; 2]; 2]> {
        let (mut a, mut b) = (a, b);
        let mut values = Vec::new();
        for _ in 0..24 {
            let time = a[0] + (b[0] - a[0]) * 0.5;
            if time <= a[0] || time >= b[0] {
                break;
            }
            values.clear();
            self.value(time, &mut values);
            let middle = [time, values[component]];
            if (middle[1] - a[1]).abs() > (b[1] - middle[1]).abs() {
                b = middle;
            } else {
                a = middle;
            }
        }
        ((b[1] - a[1]).abs() > JUMP_DEGREES * 0.5).then_some([a, b])
    }

    /// Smallest and largest value per pixel, from keys and the middles between them.
    fn dense(&mut self, keys: &[f32], range: &Range<f32>, trace: &mut Trace) {
        let stride = keys.len().div_ceil(MAX_DENSE_KEYS);
        let mut lines: Vec<Vec<[f32; 2]>> = vec![Vec::new(); self.width];
        let mut extremes: Vec<[[f32; 2]; 2]> = Vec::new();
        let mut values = Vec::new();
        let mut column = i64::MIN;
        let mut times = Vec::with_capacity(2 * keys.len() / stride + 2);
        times.push(range.start);
        for (index, &key) in keys.iter().enumerate().step_by(stride) {
            times.push(key);
            if let Some(&next) = keys.get(index + 1) {
                times.push(key + (next - key) * 0.5);
            }
        }
        times.push(range.end);
        for time in times {
            let here = ((time - range.start) / self.pixel_secs) as i64;
            if here != column {
                flush(&mut extremes, &mut lines);
                column = here;
            }
            values.clear();
            self.value(time, &mut values);
            if extremes.is_empty() {
                extremes.extend(values.iter().map(|&value| [[time, value]; 2]));
            }
            for (extreme, &value) in extremes.iter_mut().zip(&values) {
                if value < extreme[0][1] {
                    extreme[0] = [time, value];
                }
                if value > extreme[1][1] {
                    extreme[1] = [time, value];
                }
            }
        }
        flush(&mut extremes, &mut lines);
        for (component, line) in lines.into_iter().enumerate() {
            trace.components[component].extend((!line.is_empty()).then_some(line));
        }
    }
}

/// Ends a pixel: its extremes in the order of time.
fn flush(extremes: &mut Vec<[[f32; 2]; 2]>, lines: &mut [Vec<[f32; 2]>]) {
    for ([low, high], line) in extremes.drain(..).zip(lines) {
        let (first, second) = if low[0] <= high[0] {
            (low, high)
        } else {
            (high, low)
        };
        for point in [first, second] {
            let is_new = line.last().is_none_or(|last| last[0] < point[0]);
            if is_new && point[1].is_finite() {
                line.push(point);
            }
        }
    }
}
