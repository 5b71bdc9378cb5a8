//! What a weight view shows of each vertex, a number or a colour.

use glam::Vec3;

use super::{NO_WEIGHTS, Peak, ramp};
use crate::{
    analysis::influences::{Displacement, Four, Histogram, Keep, PER_SET, displacement},
    anim::{SkinMatrix, Weights},
    document::{Primitive, Skin},
    math::color::{linear_from_oklab, srgb_bytes},
    scene::{VertexRef, WeightView},
};

/// One primitive of a mesh instance, and where it is.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub instance: usize,
    pub index: usize,
    pub primitive: &'a Primitive,
    pub skin: &'a Skin,
}

impl Part<'_> {
    fn at(&self, vertex: usize) -> VertexRef {
        VertexRef {
            instance: self.instance,
            primitive: self.index,
            vertex,
        }
    }

    /// Whether the vertex counts: copies that were split off stand for file vertices.
    fn counts(&self, vertex: usize) -> bool {
        vertex < self.primitive.file_vertex_count
    }

    fn sum(&self, vertex: usize) -> f32 {
        let weights = self.primitive.influences.of_vertex(vertex);
        weights.map(|(_, weight)| weight).sum()
    }
}

/// What is counted while values are made.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub vertices: usize,
    pub without_weights: usize,
    pub counts: Vec<usize>,
    pub peak: Option<Peak>,
}

impl Tally {
    fn peak(&mut self, at: VertexRef, value: f32) {
        if self.peak.is_none_or(|peak| value.abs() > peak.value.abs()) {
            self.peak = Some(Peak { value, at });
        }
    }
}

/// Adds a number for each vertex; those without weights get [`NO_WEIGHTS`].
fn numbers(
    part: Part<'_>,
    values: &mut Vec<u32>,
    tally: &mut Tally,
    mut number: impl FnMut(&mut Tally, usize, f32) -> f32,
) {
    for vertex in 0..part.primitive.vertex_count() {
        let sum = part.sum(vertex);
        values.push(if sum >= Weights::MIN_SUM {
            number(tally, vertex, sum).to_bits()
        } else {
            tally.without_weights += usize::from(part.counts(vertex));
            NO_WEIGHTS
        });
    }
}

/// Grey for what has no influences at all.
pub(super) fn nothing(part: Part<'_>, view: WeightView, values: &mut Vec<u32>) {
    let value = match view {
        WeightView::Joints | WeightView::Influences => packed(ramp::PLAIN),
        WeightView::Joint
        | WeightView::Sum
        | WeightView::FourInfluences
        | WeightView::Difference => 0f32.to_bits(),
    };
    let count = part.primitive.vertex_count();
    values.extend(core::iter::repeat_n(value, count));
}

/// Weight of one joint, as `weights` uses it. A joint may be in several slots.
pub(super) fn joint(
    part: Part<'_>,
    joint: Option<usize>,
    weights: Weights,
    values: &mut Vec<u32>,
    tally: &mut Tally,
) {
    let is_it: Vec<bool> = (part.skin.joints.iter())
        .map(|&slot| Some(slot as usize) == joint)
        .collect();
    numbers(part, values, tally, |tally, vertex, sum| {
        let own = part.primitive.influences.of_vertex(vertex);
        let own = own.filter(|&(slot, _)| is_it[usize::from(slot)]);
        let weight: f32 = own.map(|(_, weight)| weight).sum();
        tally.vertices += usize::from(weight > 0.0 && part.counts(vertex));
        weight * weights.factor(sum)
    });
}

/// Sum of the stored weights less 1.
pub(super) fn sum(part: Part<'_>, values: &mut Vec<u32>, tally: &mut Tally) {
    numbers(part, values, tally, |tally, vertex, _| {
        let weights = part.primitive.influences.of_vertex(vertex);
        let sum: f64 = weights.map(|(_, weight)| f64::from(weight)).sum();
        let off = (sum - 1.0) as f32;
        let is_rounding = f64::from(off.abs()) <= Histogram::ROUNDING;
        if part.counts(vertex) && !is_rounding {
            tally.peak(part.at(vertex), off);
        }
        off
    });
}

/// Distance from where all influences, normalised, bring a vertex to where the first
/// four do. `least` is what counts as no distance.
pub(super) fn four(
    part: Part<'_>,
    palette: &[SkinMatrix],
    morph_weights: &[f32],
    weights: Weights,
    least: f32,
    values: &mut Vec<u32>,
    tally: &mut Tally,
) {
    let all = Weights::Normalized;
    let loses_none = part.primitive.influences.per_vertex <= PER_SET;
    if loses_none && weights == all {
        return numbers(part, values, tally, |_, _, _| 0.0);
    }
    let keep = Keep::FirstSet;
    let four = Four { keep, weights };
    let Displacement { distances, .. } =
        displacement(part.primitive, palette, morph_weights, all, four);
    numbers(part, values, tally, |tally, vertex, _| {
        let distance = distances.get(vertex).copied().unwrap_or(0.0);
        // A pose that is broken puts vertices nowhere.
        if !distance.is_finite() || distance <= least {
            return 0.0;
        }
        if part.counts(vertex) {
            tally.vertices += 1;
            tally.peak(part.at(vertex), distance);
        }
        distance
    });
}

/// Numbers that somebody else has made, of all primitives of a mesh. `least` is what
/// counts as none.
pub(super) fn differences(
    primitives: &[Primitive],
    numbers: &[f32],
    least: f32,
    values: &mut Vec<u32>,
    tally: &mut Tally,
) {
    let mut numbers = numbers.iter();
    for primitive in primitives {
        for vertex in 0..primitive.vertex_count() {
            let counts = usize::from(vertex < primitive.file_vertex_count);
            values.push(match numbers.next() {
                Some(number) if number.is_finite() => {
                    let number = if *number > least { *number } else { 0.0 };
                    tally.vertices += counts * usize::from(number > 0.0);
                    number.to_bits()
                }
                _ => {
                    tally.without_weights += counts;
                    NO_WEIGHTS
                }
            });
        }
    }
}

/// A colour by the number of influences with weight.
pub(super) fn influences(part: Part<'_>, values: &mut Vec<u32>, tally: &mut Tally) {
    for vertex in 0..part.primitive.vertex_count() {
        let weights = part.primitive.influences.of_vertex(vertex);
        let count = weights.filter(|&(_, weight)| weight != 0.0).count();
        values.push(packed(ramp::count_color(count)));
        if part.counts(vertex) {
            if tally.counts.len() <= count {
                tally.counts.resize(count + 1, 0);
            }
            tally.counts[count] += 1;
            tally.vertices += usize::from(count > 4);
            tally.without_weights += usize::from(count == 0);
        }
    }
}

/// The colours of joints, mixed in Oklab by weight.
pub(super) fn joints(part: Part<'_>, values: &mut Vec<u32>, tally: &mut Tally) {
    let colors: Vec<Vec3> = (part.skin.joints.iter())
        .map(|&joint| ramp::joint_color(joint as usize))
        .collect();
    for vertex in 0..part.primitive.vertex_count() {
        let sum = part.sum(vertex);
        if sum < Weights::MIN_SUM {
            tally.without_weights += usize::from(part.counts(vertex));
            values.push(packed(ramp::UNWEIGHTED));
            continue;
        }
        let own = part.primitive.influences.of_vertex(vertex);
        let mixed: Vec3 = own
            .map(|(slot, weight)| colors[usize::from(slot)] * (weight / sum))
            .sum();
        values.push(packed(linear_from_oklab(mixed)));
    }
}

/// A linear colour as encoded bytes, red lowest, opaque.
fn packed(color: Vec3) -> u32 {
    let [red, green, blue] = srgb_bytes(color);
    u32::from_le_bytes([red, green, blue, 255])
}
