//! Axis-aligned bounding boxes.

use glam::{Mat4, Vec3};

/// An axis-aligned box; empty when `min > max` on any axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest corner.
    pub min: Vec3,
    /// Largest corner.
    pub max: Vec3,
}

impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Aabb {
    /// The box that holds nothing; growing it by a point gives that point.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// The smallest box around all finite points; others are skipped so that a
    /// broken vertex cannot ruin framing.
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut aabb = Self::EMPTY;
        for point in points {
            aabb.grow(point);
        }
        aabb
    }

    /// Whether the box holds no point.
    pub fn is_empty(&self) -> bool {
        !(self.min.cmple(self.max).all())
    }

    /// Extends the box to a point; a non-finite point is ignored.
    pub fn grow(&mut self, point: Vec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Midpoint; zero for an empty box.
    pub fn center(&self) -> Vec3 {
        if self.is_empty() {
            Vec3::ZERO
        } else {
            self.min.midpoint(self.max)
        }
    }

    /// Edge lengths; zero for an empty box.
    pub fn size(&self) -> Vec3 {
        if self.is_empty() {
            Vec3::ZERO
        } else {
            self.max - self.min
        }
    }

    /// Length of the space diagonal; zero for an empty box.
    pub fn diagonal(&self) -> f32 {
        self.size().length()
    }

    /// The eight corners.
    pub fn corners(&self) -> impl Iterator<Item = Vec3> {
        let Self { min, max } = *self;
        (0..8u32).map(move |i| {
            let pick = |bit: u32, low: f32, high: f32| if i & bit == 0 { low } else { high };
            Vec3::new(
                pick(1, min.x, max.x),
                pick(2, min.y, max.y),
                pick(4, min.z, max.z),
            )
        })
    }

    /// The box around this box's eight corners after `target_from_source`.
    #[must_use]
    pub fn transformed(&self, target_from_source: Mat4) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        Self::from_points(
            self.corners()
                .map(|corner| target_from_source.transform_point3(corner)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_finite_points_are_skipped() {
        let aabb = Aabb::from_points([Vec3::ONE, Vec3::NAN, Vec3::INFINITY, -Vec3::ONE]);
        assert_eq!((aabb.min, aabb.max), (-Vec3::ONE, Vec3::ONE));
        assert!(Aabb::from_points([Vec3::NAN]).is_empty());
        assert_eq!(Aabb::EMPTY.diagonal(), 0.0);
    }

    #[test]
    fn a_transformed_box_holds_the_turned_corners() {
        let unit = Aabb::from_points([Vec3::ZERO, Vec3::ONE]);
        let turned = unit.transformed(Mat4::from_rotation_z(core::f32::consts::FRAC_PI_2));
        assert!(turned.min.abs_diff_eq(Vec3::new(-1.0, 0.0, 0.0), 1e-6));
        assert!(turned.max.abs_diff_eq(Vec3::new(0.0, 1.0, 1.0), 1e-6));
    }
}
