//! What an engine shows that uses four influences a vertex.

use glam::Vec3;
use rayon::prelude::*;

use super::{PER_SET, file_vertices};
use crate::{
    anim::{SkinMatrix, Weights, morphed_position},
    document::{Influences, Primitive},
};

/// Which four influences an engine keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Keep {
    /// `JOINTS_0` and `WEIGHTS_0` as stored: most engines read no other set.
    #[default]
    FirstSet,
    /// The four heaviest: importers that sort first.
    Heaviest,
}

impl Keep {
    /// Both, in menu order.
    pub const ALL: [Self; 2] = [Self::FirstSet, Self::Heaviest];

    /// The words in menus and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FirstSet => "first set",
            Self::Heaviest => "heaviest four",
        }
    }
}

/// How an engine with four influences shows a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Four {
    /// Which ones count.
    pub keep: Keep,
    /// Whether their weights are divided by their sum afterwards.
    pub weights: Weights,
}

/// The four influences of one vertex that stay, with weights as stored.
fn kept(joints: &[u16], weights: &[f32], keep: Keep) -> ([u16; PER_SET], [f32; PER_SET]) {
    let (mut slots, mut shares) = ([0; PER_SET], [0.0; PER_SET]);
    let mut take = |place: usize, from: usize| {
        (slots[place], shares[place]) = (joints[from], weights[from]);
    };
    match keep {
        Keep::FirstSet => {
            for place in 0..PER_SET.min(joints.len()) {
                take(place, place);
            }
        }
        Keep::Heaviest => {
            let mut order: Vec<usize> = (0..joints.len()).collect();
            // Stable: of equals the first stored stays.
            order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
            for (place, &from) in order.iter().take(PER_SET).enumerate() {
                take(place, from);
            }
        }
    }
    (slots, shares)
}

/// The influences reduced to four a vertex, with weights as stored. Deform with
/// [`Weights::Normalized`] for an engine that renormalises what is left, with
/// [`Weights::Stored`] for one that does not. One set or none comes back as it is.
pub fn four(influences: &Influences, keep: Keep) -> Influences {
    if influences.per_vertex <= PER_SET {
        return influences.clone();
    }
    let (per_vertex, vertices) = (
        influences.per_vertex,
        influences.joints.len() / influences.per_vertex,
    );
    let mut reduced = Influences {
        per_vertex: PER_SET,
        joints: Vec::with_capacity(vertices * PER_SET),
        weights: Vec::with_capacity(vertices * PER_SET),
    };
    let slots = influences.joints.chunks_exact(per_vertex);
    for (joints, weights) in slots.zip(influences.weights.chunks_exact(per_vertex)) {
        let (slots, shares) = kept(joints, weights, keep);
        reduced.joints.extend_from_slice(&slots);
        reduced.weights.extend_from_slice(&shares);
    }
    reduced
}

/// Where these influences put a point of mesh space, in world space. As in
/// [`crate::anim::skinned_position`]: without weight it stays where it is.
fn placed(
    point: Vec3,
    joints: &[u16],
    weights: &[f32],
    rule: Weights,
    palette: &[SkinMatrix],
) -> Vec3 {
    let sum: f32 = weights.iter().sum();
    if sum < Weights::MIN_SUM {
        return point;
    }
    let factor = rule.factor(sum);
    let slots = joints.iter().zip(weights);
    slots
        .filter(|&(_, &weight)| weight != 0.0)
        .map(|(&slot, &weight)| {
            palette[usize::from(slot)].transform_point(point) * (weight * factor)
        })
        .sum()
}

/// A vertex that two ways of weighting show, here and elsewhere.
#[derive(Debug, Clone, Copy)]
pub(in crate::analysis) struct Dropped<'a> {
    pub(in crate::analysis) primitive: &'a Primitive,
    pub(in crate::analysis) palette: &'a [SkinMatrix],
    pub(in crate::analysis) morph_weights: &'a [f32],
}

/// Distance between where this program shows a vertex, by all influences under the rule
/// `shown`, and where an engine shows it that keeps `four`.
pub(in crate::analysis) fn moved(
    of: Dropped<'_>,
    vertex: usize,
    shown: Weights,
    four: Four,
) -> f32 {
    let influences = &of.primitive.influences;
    let range = vertex * influences.per_vertex..(vertex + 1) * influences.per_vertex;
    let (joints, weights) = (
        &influences.joints[range.clone()],
        &influences.weights[range],
    );
    let point = morphed_position(of.primitive, vertex, of.morph_weights);
    let (slots, shares) = kept(joints, weights, four.keep);
    let here = placed(point, joints, weights, shown, of.palette);
    let there = placed(point, &slots, &shares, four.weights, of.palette);
    here.distance(there)
}

/// How far vertices move.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Displacement {
    /// By vertex, split copies too: world units (metres in glTF). Empty for an
    /// unskinned primitive.
    pub distances: Vec<f32>,
    /// Vertex and distance of the largest; `None` where nothing moves.
    pub worst: Option<(usize, f32)>,
}

/// How far each vertex is from where this program shows it, by all influences under the
/// rule `shown`, if only `four` count. `palette` holds `M M0⁻¹` by the skin's slots.
///
/// A vertex that loses all of its weight is taken to stay at its bind position, as
/// everywhere in this program.
pub fn displacement(
    primitive: &Primitive,
    palette: &[SkinMatrix],
    morph_weights: &[f32],
    shown: Weights,
    four: Four,
) -> Displacement {
    if primitive.influences.is_empty() {
        return Displacement::default();
    }
    let of = Dropped {
        primitive,
        palette,
        morph_weights,
    };
    let vertices = (0..primitive.vertex_count()).into_par_iter();
    let distances: Vec<f32> = vertices
        .with_min_len(1024)
        .map(|vertex| moved(of, vertex, shown, four))
        .collect();
    let worst = distances
        .iter()
        .copied()
        .enumerate()
        .filter(|&(_, distance)| distance > 0.0)
        // The first of equals.
        .reduce(|a, b| if b.1 > a.1 { b } else { a });
    Displacement { distances, worst }
}

/// What a primitive has outside its first attribute set.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BeyondFour {
    /// Vertices with weight there: most engines drop it.
    pub vertices: usize,
    /// The largest number of influences with weight of any one vertex.
    pub most: usize,
    /// Vertices of which a weight outside the first set is larger than one inside.
    pub outweighed: usize,
    /// The vertex that loses the largest share of its weight, and that share, 0 … 1.
    pub worst: Option<(usize, f32)>,
}

/// Counts the vertices whose weight does not all fit into the first attribute set.
pub fn beyond_four(primitive: &Primitive) -> BeyondFour {
    let mut beyond = BeyondFour::default();
    for (vertex, (_, weights)) in file_vertices(primitive).enumerate() {
        let used = weights.iter().filter(|&&weight| weight > 0.0).count();
        beyond.most = beyond.most.max(used);
        let (first, rest) = weights.split_at(PER_SET.min(weights.len()));
        let dropped: f32 = rest.iter().sum();
        if dropped <= 0.0 {
            continue;
        }
        beyond.vertices += 1;
        let share = dropped / weights.iter().sum::<f32>();
        if beyond.worst.is_none_or(|(_, worst)| share > worst) {
            beyond.worst = Some((vertex, share));
        }
        let heaviest = rest.iter().copied().fold(0.0, f32::max);
        let lightest = first.iter().copied().fold(f32::INFINITY, f32::min);
        beyond.outweighed += usize::from(heaviest > lightest);
    }
    beyond
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim;
    use glam::Mat4;

    /// Two sets a vertex; joint `k` moves by `k` units along y.
    fn primitive(weights: &[[f32; 8]]) -> Primitive {
        let all: Vec<f32> = weights.iter().flatten().copied().collect();
        Primitive {
            positions: vec![Vec3::X; weights.len()],
            file_vertex_count: weights.len(),
            influences: Influences {
                per_vertex: 8,
                joints: [0, 1, 2, 3, 4, 5, 6, 7].repeat(weights.len()),
                weights: all,
            },
            ..Primitive::default()
        }
    }

    fn palette() -> Vec<SkinMatrix> {
        (0..8)
            .map(|k| SkinMatrix::from_mat4(Mat4::from_translation(Vec3::Y * k as f32)))
            .collect()
    }

    const SPREAD: [f32; 8] = [0.2, 0.1, 0.1, 0.1, 0.5, 0.0, 0.0, 0.0];
    const FITS: [f32; 8] = [0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    const ALL_OUTSIDE: [f32; 8] = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

    #[test]
    fn the_first_set_or_the_heaviest_stay() {
        let influences = primitive(&[SPREAD]).influences;
        let first = four(&influences, Keep::FirstSet);
        assert_eq!(first.per_vertex, 4);
        assert_eq!(first.joints, [0, 1, 2, 3]);
        assert_eq!(first.weights, [0.2, 0.1, 0.1, 0.1]);
        let heaviest = four(&influences, Keep::Heaviest);
        assert_eq!(heaviest.joints, [4, 0, 1, 2]);
        assert_eq!(heaviest.weights, [0.5, 0.2, 0.1, 0.1]);
        // Nothing to be left out.
        assert_eq!(four(&first, Keep::Heaviest), first);
        let none = Influences::default();
        assert_eq!(four(&none, Keep::FirstSet), none);
    }

    #[test]
    fn displacements_are_those_of_the_two_meshes() {
        let whole = primitive(&[SPREAD, FITS, ALL_OUTSIDE]);
        let palette = palette();
        for keep in Keep::ALL {
            for weights in Weights::ALL {
                let reduced = Primitive {
                    influences: four(&whole.influences, keep),
                    ..whole.clone()
                };
                let (mut here, mut there) = (Vec::new(), Vec::new());
                let normalized = Weights::Normalized;
                anim::deform_by_skin_matrices(&whole, &palette, &[], normalized, &mut here);
                anim::deform_by_skin_matrices(&reduced, &palette, &[], weights, &mut there);
                let rule = Four { keep, weights };
                let found = displacement(&whole, &palette, &[], normalized, rule);
                for (vertex, distance) in found.distances.iter().enumerate() {
                    let expected = here[vertex].distance(there[vertex]);
                    assert!((distance - expected).abs() < 1e-6, "{rule:?} {vertex}");
                }
                assert_eq!(found.distances[1], 0.0);
            }
        }
    }

    #[test]
    fn numbers_by_hand() {
        let whole = primitive(&[SPREAD, FITS]);
        // All: 0.1·1 + 0.1·2 + 0.1·3 + 0.5·4 = 2.6 up. First four of 0.5 in all: 0.6 / 0.5.
        let found = |weights| {
            let keep = Keep::FirstSet;
            let rule = Four { keep, weights };
            displacement(&whole, &palette(), &[], Weights::Normalized, rule).worst
        };
        let (vertex, distance) = found(Weights::Normalized).expect("a displacement");
        assert_eq!(vertex, 0);
        assert!((distance - 1.4).abs() < 1e-6, "{distance}");
        // Without renormalising it is drawn half-way to the origin: (0.5, 0.6).
        let (_, distance) = found(Weights::Stored).expect("a displacement");
        assert!((distance - 0.5_f32.hypot(2.0)).abs() < 1e-6, "{distance}");
        let fits = primitive(&[FITS]);
        let still = displacement(&fits, &palette(), &[], Weights::Stored, Four::default());
        assert_eq!(still.worst, None);
        let unskinned = Primitive::default();
        let none = displacement(&unskinned, &[], &[], Weights::Stored, Four::default());
        assert_eq!(none, Displacement::default());
    }

    #[test]
    fn what_is_outside_the_first_set_is_counted() {
        let beyond = beyond_four(&primitive(&[FITS, SPREAD, ALL_OUTSIDE]));
        assert_eq!(beyond.vertices, 2);
        assert_eq!(beyond.most, 5);
        assert_eq!(beyond.outweighed, 2);
        assert_eq!(beyond.worst, Some((2, 1.0)));
        assert_eq!(beyond_four(&primitive(&[FITS])).vertices, 0);
        assert_eq!(beyond_four(&Primitive::default()), BeyondFour::default());
    }
}
