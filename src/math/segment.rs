//! Line segments in a plane.

use glam::Vec2;

/// Distance of a point from the segment between two points, which may be one.
pub fn segment_distance(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    let along = to - from;
    let length_squared = along.length_squared();
    let share = if length_squared > 0.0 {
        ((point - from).dot(along) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (from + along * share).distance(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_beyond_and_at_a_segment_without_length() {
        let (from, to) = (Vec2::ZERO, Vec2::new(4.0, 0.0));
        assert_eq!(segment_distance(Vec2::new(1.0, -3.0), from, to), 3.0);
        assert_eq!(segment_distance(Vec2::new(7.0, 4.0), from, to), 5.0);
        assert_eq!(segment_distance(Vec2::new(3.0, 4.0), from, from), 5.0);
    }
}
