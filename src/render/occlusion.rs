//! Ambient occlusion's maps: half the picture's resolution, drawn where characters
//! are.

use glam::{Vec3, Vec4};

use super::{layouts::Layouts, target::DEPTH_FORMAT};
use crate::{math::Aabb, scene::CameraFrame};

/// Red: openness; green: distance from the eye's plane over the radius.
pub(super) const OCCLUSION_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;
/// Radius over the characters' height or, if they are flat, half their size.
const RADIUS: f32 = 0.11;
/// Turns the mean over the taps into a share of the light: an inner right angle
/// lets half of it through.
pub(super) const STRENGTH: f32 = 4.5;

/// Distance within which surfaces keep ambient light from one another, world units.
pub(super) fn radius(characters: Aabb) -> f32 {
    let size = characters.size();
    RADIUS * size.y.max(size.max_element() * 0.5).max(1e-6)
}

/// Maps for targets of one size.
#[derive(Debug)]
pub(super) struct OcclusionMaps {
    /// Of the target, in pixels.
    target: (u32, u32),
    /// What occludes.
    pub depth: wgpu::TextureView,
    /// Openness, a tap pattern in it.
    pub raw: wgpu::TextureView,
    /// Openness as surfaces read it.
    pub blurred: wgpu::TextureView,
    /// Reads `depth`.
    pub depth_group: wgpu::BindGroup,
    /// Reads `raw`.
    pub raw_group: wgpu::BindGroup,
}

impl OcclusionMaps {
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts, target: (u32, u32)) -> Self {
        let view = |label, format| {
            let usage =
                wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width: target.0.div_ceil(2),
                    height: target.1.div_ceil(2),
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let group = |layout, binding, view| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("occlusion"),
                layout,
                entries: &[wgpu::BindGroupEntry {
                    binding,
                    resource: wgpu::BindingResource::TextureView(view),
                }],
            })
        };
        let depth = view("occlusion depth", DEPTH_FORMAT);
        let raw = view("occlusion, raw", OCCLUSION_FORMAT);
        Self {
            target,
            depth_group: group(&layouts.occlusion_depth, 0, &depth),
            raw_group: group(&layouts.compose_single, 1, &raw),
            depth,
            raw,
            blurred: view("occlusion", OCCLUSION_FORMAT),
        }
    }

    pub(super) fn fits(&self, target: (u32, u32)) -> bool {
        self.target == target
    }

    /// Half the target's size: what depth is drawn to, in texels, so that two pixels
    /// are one texel for odd sizes too.
    pub(super) fn viewport(&self) -> (f32, f32) {
        (self.target.0 as f32 * 0.5, self.target.1 as f32 * 0.5)
    }
}

/// How depths and device coordinates become view-space points: members of the
/// frame's uniforms.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ViewDepth {
    /// Of `(x z + y) / (z z + w)`, the depth of a point at view-space z.
    pub depth_range: Vec4,
    /// View-space normal of the ground, and its height along it.
    pub ground_plane: Vec4,
    /// Depth of the ground: per normalised device x and y, and at the middle;
    /// w is 0 where the ground is not seen.
    pub ground_depth: Vec4,
}

impl ViewDepth {
    pub(super) fn new(camera: &CameraFrame, ground_height: f32) -> Self {
        let p = camera.clip_from_view;
        let (a, b, c, e) = (p.z_axis.z, p.w_axis.z, p.z_axis.w, p.w_axis.w);
        let normal = camera.view_from_world.y_axis.truncate();
        let on_ground = camera
            .view_from_world
            .transform_point3(Vec3::Y * ground_height);
        let height = normal.dot(on_ground);
        // A plane n · p = k in clip space, solved for z at w = 1. In doubles: the
        // near plane makes numbers of very different size.
        let [a64, b64, c64, e64] = [a, b, c, e].map(f64::from);
        let (nz, k) = (f64::from(normal.z), f64::from(height));
        let denominator = nz * e64 + k * c64;
        let solve = |numerator: f64| (-numerator / denominator) as f32;
        let determinant = a64 * e64 - b64 * c64;
        let depth = Vec4::new(
            solve(f64::from(normal.x / p.x_axis.x) * determinant),
            solve(f64::from(normal.y / p.y_axis.y) * determinant),
            solve(-nz * b64 - k * a64),
            1.0,
        );
        // Seen from above only; from below it would hide the characters.
        let above = if c == 0.0 {
            normal.z > 1e-3
        } else {
            height < 0.0
        };
        Self {
            depth_range: Vec4::new(a, b, c, e),
            ground_plane: normal.extend(height),
            ground_depth: if above && depth.is_finite() {
                depth
            } else {
                Vec4::ZERO
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::OrbitCamera;

    #[test]
    fn the_grounds_depth_is_that_of_its_points() {
        for orthographic in [false, true] {
            let camera = OrbitCamera {
                target: Vec3::new(1.0, 2.0, -3.0),
                yaw_radians: 0.7,
                pitch_radians: 0.4,
                distance: 5.0,
                orthographic,
                ..OrbitCamera::default()
            };
            let frame = CameraFrame {
                view_from_world: camera.view_from_world(),
                clip_from_view: camera.clip_from_view(1.5),
                eye: camera.eye(),
            };
            let view = ViewDepth::new(&frame, 0.25);
            for point in [Vec3::new(0.3, 0.25, -2.0), Vec3::new(-4.0, 0.25, -9.0)] {
                let seen = frame.view_from_world * point.extend(1.0);
                let clip = frame.clip_from_view * seen;
                let ndc = clip.truncate() / clip.w;
                let depth = view.ground_depth.dot(Vec4::new(ndc.x, ndc.y, 1.0, 0.0));
                assert!((depth - ndc.z).abs() < 1e-5 * ndc.z, "{depth} {}", ndc.z);
                let r = view.depth_range;
                let distance = (ndc.z * r.w - r.y) / (ndc.z * r.z - r.x);
                assert!((distance + seen.z).abs() < 2e-3 * distance, "{distance}");
                let plane = view.ground_plane;
                let off = plane.truncate().dot(seen.truncate()) - plane.w;
                assert!(off.abs() < 1e-5, "{off}");
            }
            let below = OrbitCamera {
                pitch_radians: -0.8,
                ..camera
            };
            let frame = CameraFrame {
                view_from_world: below.view_from_world(),
                clip_from_view: below.clip_from_view(1.5),
                eye: below.eye(),
            };
            assert_eq!(ViewDepth::new(&frame, 0.25).ground_depth, Vec4::ZERO);
        }
    }
}
