//! Triangles in an order that keeps neighbours together.
//!
//! A device shades a vertex again when the triangles that share it come too far apart.
//! On a card that is a little slower; on a rasteriser on the CPU, which works through
//! runs of some 340 triangles on one core, it may be the most of a pass: exporters
//! often leave three vertices to be shaded where one would do.

use std::borrow::Cow;

/// Vertices that are taken to be kept at a time. Not critical: anything from 16 to 64
/// comes within a few percent of the best on devices of every kind.
const KEPT: u32 = 32;

/// An order with this many vertices to be shaded per triangle is left as it is: a
/// closed mesh has half a vertex per triangle, an even grid in the best order 0.65.
const GOOD: f32 = 0.8;

/// The same triangles, each with its corners as they were, in an order that has few
/// vertices shaded again; borrowed where the file's order is good enough. Takes time
/// and memory in proportion to the mesh. Indices are below `vertex_count`.
///
/// This is "Tipsify" (P. Sander, D. Nehab, J. Barczak, "Fast Triangle Reordering for
/// Vertex Locality and Reduced Overdraw", SIGGRAPH 2007): all triangles around one
/// vertex, then around that neighbour of it which is likeliest to be still kept.
pub(super) fn with_neighbours_together(indices: &[u32], vertex_count: usize) -> Cow<'_, [u32]> {
    let triangles = indices.len() / 3;
    if shaded(indices, vertex_count) as f32 <= triangles as f32 * GOOD {
        return Cow::Borrowed(indices);
    }
    let around = Around::new(indices, vertex_count);
    // By vertex: triangles yet to be put out, and when it last became a kept one.
    let mut live = around.counts();
    let mut kept_since = vec![0u32; vertex_count];
    let mut now = KEPT + 1;
    let mut is_out = vec![false; triangles];
    let mut out = Vec::with_capacity(indices.len());
    // Corners put out, the latest last: where to go on from a dead end.
    let mut trail: Vec<u32> = Vec::with_capacity(indices.len());
    let mut untouched = 0..vertex_count as u32;
    let mut next = untouched.next();
    while let Some(fan) = next {
        let first_new = trail.len();
        for &triangle in around.triangles(fan) {
            if core::mem::replace(&mut is_out[triangle as usize], true) {
                continue;
            }
            let corners = &indices[triangle as usize * 3..][..3];
            out.extend_from_slice(corners);
            trail.extend_from_slice(corners);
            for &corner in corners {
                let corner = corner as usize;
                live[corner] -= 1;
                if now - kept_since[corner] > KEPT {
                    kept_since[corner] = now;
                    now += 1;
                }
            }
        }
        // The one kept longest that will still be kept when its fan is out.
        let age = |vertex: u32| {
            let age = now - kept_since[vertex as usize];
            let fits = age + 2 * live[vertex as usize] <= KEPT;
            if fits { age } else { 0 }
        };
        let is_live = |vertex: &u32| live[*vertex as usize] > 0;
        let mut best: Option<(u32, u32)> = None;
        for &vertex in trail[first_new..].iter().filter(|v| is_live(v)) {
            let age = age(vertex);
            if best.is_none_or(|(oldest, _)| age > oldest) {
                best = Some((age, vertex));
            }
        }
        next = best.map(|(_, vertex)| vertex);
        while next.is_none() {
            let Some(back) = trail.pop() else { break };
            next = Some(back).filter(is_live);
        }
        next = next.or_else(|| untouched.find(is_live));
    }
    Cow::Owned(out)
}

/// Vertices that a device with room for [`KEPT`] shades.
fn shaded(indices: &[u32], vertex_count: usize) -> u32 {
    let mut kept_since = vec![0u32; vertex_count];
    let mut now = KEPT + 1;
    for &index in indices {
        let since = &mut kept_since[index as usize];
        if now - *since > KEPT {
            *since = now;
            now += 1;
        }
    }
    now - (KEPT + 1)
}

/// The triangles around each vertex.
struct Around {
    /// By vertex, one more than there are: where its part of `triangles` starts.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Around {
    fn new(indices: &[u32], vertex_count: usize) -> Self {
        // Counted one place further on, then summed, then filled from the back.
        let mut starts = vec![0u32; vertex_count + 1];
        for &index in indices {
            starts[index as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut triangles = vec![0u32; indices.len()];
        for (at, &index) in indices.iter().enumerate().rev() {
            let start = &mut starts[index as usize];
            *start -= 1;
            triangles[*start as usize] = at as u32 / 3;
        }
        Self { starts, triangles }
    }

    fn triangles(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.triangles[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    fn counts(&self) -> Vec<u32> {
        self.starts
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles for each cell of a square, column by column of far-off rows.
    fn scattered_grid(side: u32) -> (Vec<u32>, usize) {
        let at = |x: u32, y: u32| y * (side + 1) + x;
        let mut indices = Vec::new();
        for cell in 0..side * side {
            // A step without a common divisor goes over all cells.
            let cell = cell * 7919 % (side * side);
            let (x, y) = (cell % side, cell / side);
            indices.extend([at(x, y), at(x + 1, y), at(x + 1, y + 1)]);
            indices.extend([at(x, y), at(x + 1, y + 1), at(x, y + 1)]);
        }
        (indices, ((side + 1) * (side + 1)) as usize)
    }

    fn sorted_triangles(indices: &[u32]) -> Vec<&[u32]> {
        let mut triangles: Vec<_> = indices.chunks(3).collect();
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn all_triangles_stay_and_hardly_a_vertex_is_shaded_twice() {
        let (indices, vertex_count) = scattered_grid(50);
        let before = shaded(&indices, vertex_count);
        let ordered = with_neighbours_together(&indices, vertex_count);
        assert_eq!(sorted_triangles(&ordered), sorted_triangles(&indices));
        let after = shaded(&ordered, vertex_count);
        assert!(before > 3 * vertex_count as u32, "{before}");
        assert!(
            after * 4 < vertex_count as u32 * 6,
            "{after} of {vertex_count}"
        );
        // What is in order stays so.
        let again = with_neighbours_together(&ordered, vertex_count);
        assert!(matches!(again, Cow::Borrowed(_)));
    }

    #[test]
    fn corners_that_coincide_and_vertices_without_triangles_do_no_harm() {
        let indices = [5, 5, 5, 1, 2, 1, 9, 8, 7, 0, 9, 3];
        let ordered = with_neighbours_together(&indices, 12);
        assert_eq!(sorted_triangles(&ordered), sorted_triangles(&indices));
        assert!(with_neighbours_together(&[], 0).is_empty());
    }
}
