//! A frame's uniforms.

use glam::{Mat4, Vec3, Vec4};

use super::{Environment, Quality, shadow::ShadowFit, uniforms::FrameUniforms};
use crate::scene::{Background, Frame};

/// What a background looks like, sRGB-encoded, and how grid lines stand out on it.
struct Backdrop {
    top: Vec4,
    bottom: Vec4,
    grid: Vec4,
}

fn backdrop(background: Background) -> Backdrop {
    match background {
        Background::Dark => Backdrop {
            top: Vec4::new(0.118, 0.125, 0.137, 1.0),
            bottom: Vec4::new(0.235, 0.243, 0.259, 1.0),
            grid: Vec4::new(0.55, 0.58, 0.63, 0.30),
        },
        Background::Light => Backdrop {
            top: Vec4::new(0.905, 0.915, 0.93, 1.0),
            bottom: Vec4::new(0.80, 0.81, 0.825, 1.0),
            grid: Vec4::new(0.10, 0.11, 0.13, 0.30),
        },
        Background::Transparent => Backdrop {
            top: Vec4::ZERO,
            bottom: Vec4::ZERO,
            grid: Vec4::new(0.35, 0.37, 0.40, 0.40),
        },
    }
}

/// Uniforms of a frame for a target of `size` pixels.
pub(super) fn frame_uniforms(
    frame: &Frame,
    size: (u32, u32),
    pixels_per_point: f32,
    quality: &Quality,
    environment: &Environment,
    irradiance: &[Vec4; 9],
    shadow: Option<&ShadowFit>,
) -> FrameUniforms {
    let camera = &frame.camera;
    let Backdrop { top, bottom, grid } = backdrop(frame.background);
    let bounds = frame.bounds;
    let reach = bounds.diagonal().max(1e-6);
    let center = bounds.center();
    // Without a grid the ground only has to carry the shadow.
    let radius = frame
        .grid
        .map_or(reach * 3.0, |grid| grid.radius.max(reach));
    let spacing = frame.grid.map_or(1.0, |grid| grid.spacing);
    FrameUniforms {
        clip_from_world: camera.clip_from_view * camera.view_from_world,
        view_from_world: camera.view_from_world,
        light_from_world: shadow.map_or(Mat4::IDENTITY, |fit| fit.light_from_world),
        eye: camera.eye,
        exposure: frame.exposure_stops.exp2(),
        key_direction: environment.key_direction,
        key_shadow: if shadow.is_some() { 1.0 } else { 0.0 },
        key_radiance: environment.key_radiance,
        shadow_texel: shadow.map_or(1.0, |fit| fit.texel),
        viewport: [size.0 as f32, size.1 as f32],
        dither: if quality.dither { 1.0 } else { 0.0 },
        pixels_per_point,
        ground_height: frame.ground_height,
        grid_spacing: spacing.max(1e-9),
        ground_radius: radius,
        grid_strength: if frame.grid.is_some() { 1.0 } else { 0.0 },
        ground_center: [center.x, center.z],
        ground_shadow: if shadow.is_some() { 0.75 } else { 0.0 },
        shadow_height: (bounds.max.y - frame.ground_height).max(reach * 0.05),
        background_top: top,
        background_bottom: bottom,
        grid_color: grid,
        zenith: environment.zenith.extend(0.0),
        horizon: environment.horizon.extend(0.0),
        nadir: environment.nadir.extend(0.0),
        irradiance: *irradiance,
        lobes: environment.lobes,
    }
}

/// Whether the eye looks at the ground from above.
pub(super) fn above_ground(frame: &Frame) -> bool {
    let eye: Vec3 = frame.camera.eye;
    eye.y >= frame.ground_height
}
