//! Influences by number, and sums of weights.

use super::file_vertices;
use crate::document::Primitive;

/// The sum of a vertex's stored weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexSum {
    /// Index among the primitives that were asked about.
    pub primitive: usize,
    /// The file's vertex index.
    pub vertex: usize,
    /// Of its weights, as stored.
    pub sum: f64,
}

/// How many influences the vertices have, and what their weights sum to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Histogram {
    /// `vertices[n]`: vertices with `n` influences that have weight. Ends with the
    /// largest `n` there is; empty without skinned vertices.
    pub vertices: Vec<usize>,
    /// Smallest and largest sum of stored weights; `None` without skinned vertices.
    pub sums: Option<[f64; 2]>,
    /// The vertices whose sums are furthest from 1, at most [`Histogram::WORST`] and the
    /// worst first. Only what rounding does not explain ([`Histogram::ROUNDING`]).
    pub worst: Vec<VertexSum>,
}

impl Histogram {
    /// Longest list of worst vertices.
    pub const WORST: usize = 16;
    /// A sum this near to 1 is not worth a row.
    pub const ROUNDING: f64 = 1e-6;

    /// Vertices with influences at all, with weight or not.
    pub fn total(&self) -> usize {
        self.vertices.iter().sum()
    }
}

/// Of a mesh with `&mesh.primitives`, of one primitive with
/// [`core::slice::from_ref`]. Primitives without influences are left out.
pub fn histogram(primitives: &[Primitive]) -> Histogram {
    let mut histogram = Histogram::default();
    let mut worst: Vec<VertexSum> = Vec::new();
    let off = |entry: &VertexSum| (entry.sum - 1.0).abs();
    for (index, primitive) in primitives.iter().enumerate() {
        for (vertex, (_, weights)) in file_vertices(primitive).enumerate() {
            let used = weights.iter().filter(|&&weight| weight > 0.0).count();
            if histogram.vertices.len() <= used {
                histogram.vertices.resize(used + 1, 0);
            }
            histogram.vertices[used] += 1;
            let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
            let [min, max] = histogram.sums.unwrap_or([sum; 2]);
            histogram.sums = Some([min.min(sum), max.max(sum)]);
            let entry = VertexSum {
                primitive: index,
                vertex,
                sum,
            };
            if off(&entry) > Histogram::ROUNDING {
                worst.push(entry);
            }
        }
        // Kept short as it goes: a large file may have nothing but such vertices.
        // Stable, so that of equals the first ones stay.
        worst.sort_by(|a, b| off(b).total_cmp(&off(a)));
        worst.truncate(Histogram::WORST);
    }
    histogram.worst = worst;
    histogram
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Influences;
    use glam::Vec3;

    fn primitive(weights: &[[f32; 4]], copies: usize) -> Primitive {
        let all: Vec<f32> = weights.iter().flatten().copied().collect();
        Primitive {
            positions: vec![Vec3::ZERO; weights.len()],
            file_vertex_count: weights.len() - copies,
            influences: Influences {
                per_vertex: 4,
                joints: vec![0; all.len()],
                weights: all,
            },
            ..Primitive::default()
        }
    }

    #[test]
    fn vertices_by_number_of_influences_and_their_sums() {
        let first = primitive(
            &[
                [1.0, 0.0, 0.0, 0.0],
                [0.5, 0.25, 0.25, 0.0],
                [0.0; 4],
                [9.0; 4],
            ],
            1,
        );
        let second = primitive(&[[0.5, 0.0, 0.0, 0.75]], 0);
        let both = histogram(&[first, Primitive::default(), second]);
        assert_eq!(both.vertices, [1, 1, 1, 1]);
        assert_eq!(both.total(), 4);
        assert_eq!(both.sums, Some([0.0, 1.25]));
        let worst: Vec<_> = both
            .worst
            .iter()
            .map(|w| (w.primitive, w.vertex, w.sum))
            .collect();
        assert_eq!(worst, [(0, 2, 0.0), (2, 0, 1.25)]);
    }

    #[test]
    fn the_list_of_the_worst_stays_short_and_ordered() {
        let many: Vec<[f32; 4]> = (0..100).map(|i| [i as f32, 0.0, 0.0, 0.0]).collect();
        let worst = histogram(&[primitive(&many, 0)]).worst;
        assert_eq!(worst.len(), Histogram::WORST);
        assert_eq!((worst[0].vertex, worst[15].vertex), (99, 84));
    }

    #[test]
    fn nothing_skinned_gives_nothing() {
        assert_eq!(histogram(&[Primitive::default()]), Histogram::default());
    }
}
