//! Influences of vertices as numbers. Vertices are the file's indices within their
//! primitive; split copies are left out of summaries.

use crate::{
    anim::{self, SkinMatrix, Skinning, Weights},
    document::{Document, Primitive},
};

/// One stored influence of a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InfluenceRow {
    /// 0 for the first complete attribute set.
    pub set: usize,
    /// Place within its set, 0 … 3.
    pub lane: usize,
    /// Index into `Skin::joints`.
    pub slot: usize,
    /// Joint index.
    pub joint: usize,
    /// Weight as stored.
    pub stored: f32,
    /// Stored by the vertex's sum; 0 where that is too small to use.
    pub normalized: f32,
    /// It moves nothing.
    pub is_zero: bool,
    /// The same joint has weight in another row too, and so has this one.
    pub is_duplicate: bool,
    /// It has weight, but not in the first set.
    pub is_beyond_four: bool,
}

/// Every stored influence of a vertex in stored order. Empty without skin or
/// influences, or where an index is out of range.
pub fn of_vertex(
    document: &Document,
    instance: usize,
    primitive: usize,
    vertex: usize,
) -> Vec<InfluenceRow> {
    let found = document.instances.get(instance).and_then(|instance| {
        let skin = document.skins.get(instance.skin?)?;
        let mesh = document.meshes.get(instance.mesh)?;
        Some((skin, mesh.primitives.get(primitive)?))
    });
    let Some((skin, primitive)) = found.filter(|(_, p)| vertex < p.vertex_count()) else {
        return Vec::new();
    };
    let stored: Vec<(u16, f32)> = primitive.influences.of_vertex(vertex).collect();
    let sum: f32 = stored.iter().map(|&(_, weight)| weight).sum();
    let joint = |slot: u16| skin.joints[usize::from(slot)] as usize;
    (stored.iter().enumerate())
        .map(|(index, &(slot, weight))| InfluenceRow {
            set: index / 4,
            lane: index % 4,
            slot: usize::from(slot),
            joint: joint(slot),
            stored: weight,
            normalized: if sum >= Weights::MIN_SUM {
                weight / sum
            } else {
                0.0
            },
            is_zero: weight == 0.0,
            is_duplicate: weight != 0.0
                && (stored.iter().enumerate()).any(|(other, &(other_slot, other_weight))| {
                    other != index && other_weight != 0.0 && joint(other_slot) == joint(slot)
                }),
            is_beyond_four: weight != 0.0 && index >= 4,
        })
        .collect()
}

/// A vertex and the sum of its stored weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexSum {
    /// Primitive index.
    pub primitive: usize,
    /// Vertex index.
    pub vertex: usize,
    /// Sum of its stored weights.
    pub sum: f64,
}

/// Influences of a mesh in numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Histogram {
    /// `vertices[n]`: how many have `n` influences with weight; ends with the last in use.
    pub vertices: Vec<usize>,
    /// Smallest and largest sum of stored weights.
    pub sums: Option<[f64; 2]>,
    /// At most 16, furthest from 1 first; only where a sum is off by more than 1e-6.
    pub worst: Vec<VertexSum>,
}

/// Of all of a mesh's primitives; those without influences are left out.
pub fn histogram(primitives: &[Primitive]) -> Histogram {
    let mut histogram = Histogram::default();
    for (p, primitive) in primitives.iter().enumerate() {
        if primitive.influences.is_empty() {
            continue;
        }
        for vertex in 0..primitive.file_vertex_count {
            let (mut count, mut sum) = (0, 0.0);
            for (_, weight) in primitive.influences.of_vertex(vertex) {
                count += usize::from(weight != 0.0);
                sum += f64::from(weight);
            }
            if histogram.vertices.len() <= count {
                histogram.vertices.resize(count + 1, 0);
            }
            histogram.vertices[count] += 1;
            let [low, high] = histogram.sums.unwrap_or([sum, sum]);
            histogram.sums = Some([low.min(sum), high.max(sum)]);
            if (sum - 1.0).abs() > 1e-6 {
                histogram.worst.push(VertexSum {
                    primitive: p,
                    vertex,
                    sum,
                });
            }
        }
    }
    let off = |v: &VertexSum| (v.sum - 1.0).abs();
    histogram.worst.sort_by(|a, b| off(b).total_cmp(&off(a)));
    histogram.worst.truncate(16);
    histogram
}

/// Which four influences an engine keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Keep {
    /// The first attribute set.
    #[default]
    FirstSet,
}

/// How an engine with four influences shows a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Four {
    /// Which ones it keeps.
    pub keep: Keep,
    /// Whether it divides them by their sum.
    pub weights: Weights,
}

/// How far vertices are from where they should be.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Displacement {
    /// By vertex, world units.
    pub distances: Vec<f32>,
    /// The vertex that is farthest off, and how far.
    pub worst: Option<(usize, f32)>,
}

/// How far each vertex is from where it is with all influences when only four count.
pub fn displacement(
    primitive: &Primitive,
    palette: &[SkinMatrix],
    morph_weights: &[f32],
    shown: Weights,
    four: Four,
) -> Displacement {
    let all = Skinning::Linear;
    let cut = Skinning::FourInfluences;
    let place = |vertex, weights, skinning| {
        anim::skinned_position_by(primitive, vertex, palette, morph_weights, weights, skinning)
    };
    let distances: Vec<f32> = (0..primitive.vertex_count())
        .map(|v| place(v, shown, all).distance(place(v, four.weights, cut)))
        .collect();
    let worst = (distances.iter().copied().enumerate())
        .filter(|(_, distance)| *distance > 0.0)
        .max_by(|a, b| a.1.total_cmp(&b.1));
    Displacement { distances, worst }
}
