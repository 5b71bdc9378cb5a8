//! The orbit camera.

use glam::{Mat4, Quat, Vec2, Vec3, camera::rh::proj::directx as proj};

use crate::math::Aabb;

/// A camera that turns round a target, +Y up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrbitCamera {
    /// The point looked at, world space.
    pub target: Vec3,
    /// Turn about +Y in radians; 0 looks from +Z (at the character's front).
    pub yaw_radians: f32,
    /// Height angle in radians; positive looks down from above.
    pub pitch_radians: f32,
    /// From target to eye, world units.
    pub distance: f32,
    /// Vertical field of view in radians.
    pub yfov_radians: f32,
    /// Parallel projection with the same height at the target.
    pub orthographic: bool,
}

impl Default for OrbitCamera {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            yaw_radians: 30f32.to_radians(),
            pitch_radians: 10f32.to_radians(),
            distance: 4.0,
            yfov_radians: 35f32.to_radians(),
            orthographic: false,
        }
    }
}

impl OrbitCamera {
    /// From camera axes (+X right, +Y up, −Z forward) to the world's.
    pub fn world_from_view_rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw_radians) * Quat::from_rotation_x(-self.pitch_radians)
    }

    /// Eye position in world space.
    pub fn eye(&self) -> Vec3 {
        self.target + self.world_from_view_rotation() * Vec3::Z * self.distance
    }

    /// World to view space.
    pub fn view_from_world(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.world_from_view_rotation(), self.eye()).inverse()
    }

    /// View to clip space, reverse-Z with an infinite far plane (perspective).
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        let near = (self.distance * 1e-3).max(1e-6);
        if self.orthographic {
            let half_height = self.distance * (self.yfov_radians * 0.5).tan();
            let half_width = half_height * aspect;
            let depth = self.distance * 1000.0;
            // Swapped near and far reverse the depth.
            proj::orthographic(
                -half_width,
                half_width,
                -half_height,
                half_height,
                depth,
                -depth,
            )
        } else {
            proj::perspective_infinite_reverse(self.yfov_radians, aspect, near)
        }
    }

    /// Moves target and distance so that `bounds` just fits a view of this aspect
    /// from the present direction, with a small margin; an empty box leaves the
    /// camera alone.
    ///
    /// In view axes about the box's centre, a corner p is inside the frustum of an
    /// eye e when `|p.x − e.x| ≤ tan_x (e.z − p.z)`, and likewise for y. The two
    /// sides of each axis give the eye's place across it and a least distance.
    pub fn frame(&mut self, bounds: Aabb, aspect: f32) {
        if bounds.is_empty() {
            return;
        }
        let center = bounds.center();
        let world_from_view = self.world_from_view_rotation();
        let tan_y = (self.yfov_radians * 0.5).tan();
        let tan = Vec2::new(tan_y * aspect.max(1e-3), tan_y);
        // A parallel view sees no depth.
        let depth = if self.orthographic { 0.0 } else { 1.0 };
        let (mut low, mut high) = (Vec2::NEG_INFINITY, Vec2::NEG_INFINITY);
        for corner in bounds.corners() {
            let p = world_from_view.inverse() * (corner - center);
            let reach = tan * (p.z * depth);
            high = high.max(p.truncate() + reach);
            low = low.max(reach - p.truncate());
        }
        let distance = ((high + low) / (2.0 * tan)).max_element();
        // As near to the centre as the sides allow.
        let reach = tan * distance;
        let across = Vec2::ZERO
            .max(high - reach)
            .min((reach - low).max(high - reach));
        self.target = center + world_from_view * across.extend(0.0);
        self.distance = (distance * MARGIN).max(1e-4);
    }
}

/// Air around what is framed.
const MARGIN: f32 = 1.1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_framed_box_touches_two_opposite_edges_of_the_view() {
        let bounds = Aabb::from_points([Vec3::new(-0.4, 0.0, -0.9), Vec3::new(0.5, 1.8, 0.7)]);
        for (yaw, pitch, aspect, orthographic) in [
            (0.5, 0.2, 1.8, false),
            (-2.0, 1.2, 0.6, false),
            (1.1, -0.4, 1.0, true),
        ] {
            let mut camera = OrbitCamera {
                yaw_radians: yaw,
                pitch_radians: pitch,
                orthographic,
                ..OrbitCamera::default()
            };
            camera.frame(bounds, aspect);
            // Without its margin the fit is exact.
            let eye = camera.target
                + camera.world_from_view_rotation() * Vec3::Z * (camera.distance / MARGIN);
            camera.distance /= MARGIN;
            assert!(camera.eye().abs_diff_eq(eye, 1e-5));
            let clip = camera.clip_from_view(aspect) * camera.view_from_world();
            let seen = bounds.corners().map(|corner| clip.project_point3(corner));
            let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            for point in seen {
                low = low.min(point.truncate());
                high = high.max(point.truncate());
            }
            let touches =
                |axis: usize| (high[axis] - 1.0).abs() < 1e-3 && (low[axis] + 1.0).abs() < 1e-3;
            assert!(touches(0) || touches(1), "{low} {high}");
            assert!(low.min_element() > -1.001 && high.max_element() < 1.001);
        }
    }
}
