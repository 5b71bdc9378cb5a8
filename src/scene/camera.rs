//! The orbit camera.

use glam::{Mat4, Quat, Vec3, camera::rh::proj::directx as proj};

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

    /// Moves target and distance so that `bounds` fits a view of this aspect from
    /// the present direction; an empty box leaves the camera alone.
    pub fn frame(&mut self, bounds: Aabb, aspect: f32) {
        if bounds.is_empty() {
            return;
        }
        self.target = bounds.center();
        let view_from_world = Mat4::from_quat(self.world_from_view_rotation().inverse())
            * Mat4::from_translation(-self.target);
        let tan_y = (self.yfov_radians * 0.5).tan();
        let tan_x = tan_y * aspect.max(1e-3);
        let extent = bounds.transformed(view_from_world);
        // The farthest of the corner constraints |x| ≤ tan·(distance − z).
        let needed = (extent.max.x.max(-extent.min.x) / tan_x)
            .max(extent.max.y.max(-extent.min.y) / tan_y)
            + extent.max.z.max(0.0);
        self.distance = (needed * 1.08).max(1e-4);
    }
}
