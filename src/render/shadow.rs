//! The key light's maps and where they point.

use glam::{Mat4, Vec3, Vec4};

use super::{
    layouts::Layouts, pipelines::COVERAGE_FORMAT, soft_shadow::GROUND_SHADOW_FORMAT,
    target::DEPTH_FORMAT,
};
use crate::math::Aabb;

/// Levels of the coverage map in use; the smallest blurs over 1/16 of the map.
pub(super) const COVERAGE_LEVELS: u32 = 7;

/// Depth and coverage as the key light sees them.
#[derive(Debug)]
pub(super) struct ShadowMaps {
    pub size: u32,
    pub depth: wgpu::TextureView,
    /// One view per level, to draw into.
    pub coverage_levels: Vec<wgpu::TextureView>,
    /// Reads level i to make level i + 1.
    pub downsample: Vec<wgpu::BindGroup>,
    /// Reads all levels.
    pub coverage: wgpu::BindGroup,
    /// The soft shadow on the ground, at half the resolution: it is soft.
    pub ground: wgpu::TextureView,
}

impl ShadowMaps {
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts, size: u32) -> Self {
        let size = size.clamp(16, device.limits().max_texture_dimension_2d);
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let texture = |label, format, size, levels| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width: size,
                    height: size,
                    depth_or_array_layers: 1,
                },
                mip_level_count: levels,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let whole =
            |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let levels = COVERAGE_LEVELS.min(u32::BITS - size.leading_zeros());
        let coverage = texture("shadow coverage", COVERAGE_FORMAT, size, levels);
        let coverage_levels: Vec<_> = (0..levels)
            .map(|level| {
                coverage.create_view(&wgpu::TextureViewDescriptor {
                    label: Some("shadow coverage level"),
                    base_mip_level: level,
                    mip_level_count: Some(1),
                    ..Default::default()
                })
            })
            .collect();
        let reading = |view| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("shadow coverage"),
                layout: &layouts.blit,
                entries: &[
                    wgpu::BindGroupEntry {
                        binding: 0,
                        resource: wgpu::BindingResource::TextureView(view),
                    },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: wgpu::BindingResource::Sampler(&layouts.linear_clamp),
                    },
                ],
            })
        };
        Self {
            size,
            depth: whole(&texture("shadow depth", DEPTH_FORMAT, size, 1)),
            ground: whole(&texture("ground shadow", GROUND_SHADOW_FORMAT, size / 2, 1)),
            coverage: reading(&whole(&coverage)),
            downsample: coverage_levels.iter().map(reading).collect(),
            coverage_levels,
        }
    }
}

/// Where the key light's parallel view is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ShadowFit {
    pub light_from_world: Mat4,
    /// World units per texel.
    pub texel: f32,
}

impl ShadowFit {
    /// How far the softest shadow on the ground reaches over its blocker's outline,
    /// world units: what the coarsest level in use blurs over.
    pub(super) fn widest_blur(&self) -> f32 {
        self.texel * 48.0
    }
}

/// Fits the key light's view around what casts shadows, with room for the blur.
/// `towards_light` is of unit length. A receiver behind the casters needs no room:
/// along the light it lies under them.
pub(super) fn fit(casters: Aabb, towards_light: Vec3, map_size: u32) -> ShadowFit {
    let right = if towards_light.y.abs() > 0.99 {
        Vec3::X
    } else {
        Vec3::Y.cross(towards_light).normalize()
    };
    let up = towards_light.cross(right);
    // Rows: right, up, towards the light.
    let view = Mat4::from_cols(
        right.extend(0.0),
        up.extend(0.0),
        towards_light.extend(0.0),
        Vec4::W,
    )
    .transpose();
    let bounds = casters.transformed(view);
    let center = bounds.center();
    // Square texels, and a tenth around for blurred edges.
    let extent = bounds.size().truncate().max_element().max(1e-6) * 1.2;
    let depth = bounds.size().z.max(1e-6) * 1.02;
    let scale = Vec3::new(2.0 / extent, 2.0 / extent, 1.0 / depth);
    let to_clip = Mat4::from_translation(Vec3::new(0.0, 0.0, 0.5))
        * Mat4::from_scale(scale)
        * Mat4::from_translation(-center);
    ShadowFit {
        light_from_world: to_clip * view,
        texel: extent / map_size as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_casters_are_inside_and_nearer_ones_are_larger() {
        let casters = Aabb::from_points([Vec3::new(-1.0, 0.0, -3.0), Vec3::new(2.0, 5.0, 1.0)]);
        for light in [
            Vec3::Y,
            Vec3::new(0.4, 0.8, 0.5).normalize(),
            Vec3::new(-0.9, 0.1, 0.0).normalize(),
        ] {
            let fit = fit(casters, light, 512);
            let inside = casters.transformed(fit.light_from_world);
            assert!(
                inside.min.cmpge(Vec3::new(-0.9, -0.9, 0.0)).all(),
                "{inside:?}"
            );
            assert!(
                inside.max.cmple(Vec3::new(0.9, 0.9, 1.0)).all(),
                "{inside:?}"
            );
            let at = |p: Vec3| fit.light_from_world.project_point3(p);
            let center = casters.center();
            assert!(at(center + light * 0.1).z > at(center).z);
            // Moving along the light does not move the point in the map.
            let moved = at(center + light * 3.0) - at(center);
            assert!(moved.truncate().length() < 1e-5);
        }
    }
}
