//! Strips, fans and loops → lists.

use crate::document::Topology;

/// Lists made of a primitive's vertices.
pub(in crate::import) struct Expanded {
    pub(in crate::import) topology: Topology,
    pub(in crate::import) indices: Vec<u32>,
    /// Vertices at the end that fill no whole line or triangle.
    pub(in crate::import) left_over: usize,
}

/// Expands by the drawing mode (glTF 2.0, 3.7.2.1); `None` for an unknown mode.
/// Triangles of a strip that only turn it round (two equal corners) are left out.
pub(in crate::import) fn expand(mode: u32, indices: Vec<u32>) -> Option<Expanded> {
    let count = indices.len();
    let at_least = |needed: usize| if count < needed { count } else { 0 };
    let (topology, indices, left_over) = match mode {
        0 => (Topology::Points, indices, 0),
        1 => {
            let left_over = count % 2;
            (Topology::Lines, whole(indices, left_over), left_over)
        }
        2 => {
            let mut lines = pairs(&indices);
            if count > 2 {
                lines.extend([indices[count - 1], indices[0]]);
            }
            (Topology::Lines, lines, at_least(2))
        }
        3 => (Topology::Lines, pairs(&indices), at_least(2)),
        4 => {
            let left_over = count % 3;
            (Topology::Triangles, whole(indices, left_over), left_over)
        }
        5 => {
            let triangles = indices.windows(3).enumerate().flat_map(|(i, corners)| {
                let [a, b, c] = [corners[0], corners[1 + i % 2], corners[2 - i % 2]];
                [a, b, c]
                    .into_iter()
                    .filter(move |_| a != b && b != c && c != a)
            });
            (Topology::Triangles, triangles.collect(), at_least(3))
        }
        6 => {
            let fan = indices.get(1..).unwrap_or_default().windows(2);
            let triangles = fan.flat_map(|edge| [edge[0], edge[1], indices[0]]);
            (Topology::Triangles, triangles.collect(), at_least(3))
        }
        _ => return None,
    };
    Some(Expanded {
        topology,
        indices,
        left_over,
    })
}

fn whole(mut indices: Vec<u32>, left_over: usize) -> Vec<u32> {
    indices.truncate(indices.len() - left_over);
    indices
}

fn pairs(indices: &[u32]) -> Vec<u32> {
    indices.windows(2).flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(mode: u32, indices: &[u32]) -> (Topology, Vec<u32>, usize) {
        let expanded = expand(mode, indices.to_vec()).expect("a known mode");
        (expanded.topology, expanded.indices, expanded.left_over)
    }

    #[test]
    fn every_mode() {
        use Topology::{Lines, Points, Triangles};
        assert_eq!(list(0, &[3, 1]), (Points, vec![3, 1], 0));
        assert_eq!(list(1, &[0, 1, 2]), (Lines, vec![0, 1], 1));
        assert_eq!(list(2, &[0, 1, 2]), (Lines, vec![0, 1, 1, 2, 2, 0], 0));
        assert_eq!(list(2, &[4, 5]), (Lines, vec![4, 5], 0));
        assert_eq!(list(3, &[0, 1, 2]), (Lines, vec![0, 1, 1, 2], 0));
        assert_eq!(list(4, &[0, 1, 2, 3]), (Triangles, vec![0, 1, 2], 1));
        // Every second triangle of a strip is turned, so that all face one way.
        assert_eq!(
            list(5, &[0, 1, 2, 3, 4]),
            (Triangles, vec![0, 1, 2, 1, 3, 2, 2, 3, 4], 0)
        );
        assert_eq!(
            list(6, &[9, 1, 2, 3]),
            (Triangles, vec![1, 2, 9, 2, 3, 9], 0)
        );
        assert!(expand(7, vec![0]).is_none());
    }

    #[test]
    fn stitches_and_stubs() {
        assert_eq!(list(5, &[0, 1, 2, 2, 3, 3, 4, 5]).1.len(), 6);
        for mode in [2, 3, 5, 6] {
            assert_eq!(list(mode, &[7]), (list(mode, &[7]).0, vec![], 1));
            assert_eq!(list(mode, &[]).1, Vec::<u32>::new());
        }
    }
}
