//! Fewer points for the same line.

/// Leaves out points that lie within `tolerance`, in value, of a straight line between
/// points that stay: a cone of admissible slopes is narrowed from point to point, and a
/// new line begins where it closes. Points are time and value, times increasing; first
/// and last stay.
pub fn reduce(points: &mut Vec<[f32; 2]>, tolerance: f32) {
    if points.len() < 3 {
        return;
    }
    let point = |p: [f32; 2]| (f64::from(p[0]), f64::from(p[1]));
    let tolerance = f64::from(tolerance);
    let mut kept = 1;
    let mut anchor = point(points[0]);
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for index in 1..points.len() {
        let (t, v) = point(points[index]);
        let step = t - anchor.0;
        let slope = (v - anchor.1) / step;
        if !(low..=high).contains(&slope) {
            // The point before is the last that a line from the anchor reaches.
            points[kept] = points[index - 1];
            anchor = point(points[kept]);
            kept += 1;
            let step = t - anchor.0;
            (low, high) = (
                (v - tolerance - anchor.1) / step,
                (v + tolerance - anchor.1) / step,
            );
        } else {
            low = low.max((v - tolerance - anchor.1) / step);
            high = high.min((v + tolerance - anchor.1) / step);
        }
    }
    points[kept] = points[points.len() - 1];
    points.truncate(kept + 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(points: &[[f32; 2]], t: f32) -> f32 {
        let after = points
            .partition_point(|p| p[0] <= t)
            .clamp(1, points.len() - 1);
        let ([t0, v0], [t1, v1]) = (points[after - 1], points[after]);
        v0 + (v1 - v0) * (t - t0) / (t1 - t0)
    }

    #[test]
    fn straight_lines_keep_their_ends_and_curves_their_shape() {
        let mut line: Vec<_> = (0..100).map(|i| [i as f32, 2.0 * i as f32]).collect();
        reduce(&mut line, 1e-3);
        assert_eq!(line, [[0.0, 0.0], [99.0, 198.0]]);

        let wave: Vec<_> = (0..=1000)
            .map(|i| [i as f32 * 0.01, (i as f32 * 0.01).sin()])
            .collect();
        let mut reduced = wave.clone();
        reduce(&mut reduced, 0.01);
        assert!(reduced.len() < 100, "{} points", reduced.len());
        for [t, v] in wave {
            let error = (value(&reduced, t) - v).abs();
            assert!(error < 0.011, "off by {error} at {t}");
        }
    }

    #[test]
    fn corners_stay() {
        let mut corner = vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 5.0], [4.0, 5.0]];
        reduce(&mut corner, 0.1);
        assert_eq!(corner, [[0.0, 0.0], [2.0, 0.0], [3.0, 5.0], [4.0, 5.0]]);
        let mut two = vec![[0.0, 1.0], [1.0, 1.0]];
        reduce(&mut two, 0.1);
        assert_eq!(two.len(), 2);
    }
}
