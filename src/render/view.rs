//! A frame's uniforms.

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::{
    Environment, Quality,
    occlusion::{self, ViewDepth},
    shadow::ShadowFit,
    uniforms::{FrameUniforms, Ray},
};
use crate::scene::{Background, CameraFrame, Frame};

/// Looks at the coverage, for a point of the ground's shadow.
const GROUND_TAPS: i32 = 8;
/// Looks for what occludes ambient light from a point; neighbours look elsewhere.
const OCCLUSION_TAPS: i32 = 12;

/// What is behind the stage, linear, and how grid lines stand out on it.
struct Backdrop {
    top: Vec4,
    bottom: Vec4,
    grid: Vec4,
    /// Share of the ground's brightness that a full shadow takes.
    shadow: f32,
    /// Share that full ambient occlusion takes.
    occlusion: f32,
}

fn backdrop(background: Background) -> Backdrop {
    match background {
        Background::Dark => Backdrop {
            top: Vec4::new(0.0135, 0.0145, 0.0168, 1.0),
            bottom: Vec4::new(0.054, 0.0565, 0.062, 1.0),
            grid: Vec4::new(0.30, 0.32, 0.36, 0.22),
            shadow: 0.85,
            occlusion: 0.8,
        },
        Background::Light => Backdrop {
            top: Vec4::new(0.80, 0.82, 0.85, 1.0),
            bottom: Vec4::new(0.62, 0.635, 0.66, 1.0),
            grid: Vec4::new(0.05, 0.055, 0.065, 0.22),
            shadow: 0.62,
            occlusion: 0.6,
        },
        Background::Transparent => Backdrop {
            top: Vec4::ZERO,
            bottom: Vec4::ZERO,
            grid: Vec4::new(0.10, 0.11, 0.13, 0.40),
            shadow: 0.6,
            occlusion: 0.6,
        },
    }
}

/// What of the stage a frame shows where.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extent {
    /// Target size in pixels.
    pub size: (u32, u32),
    /// `None` without shadows.
    pub shadow: Option<ShadowFit>,
    /// Whether there is ambient occlusion.
    pub occlusion: bool,
}

/// Whether the frame has a ground to be seen.
pub(super) fn has_ground(frame: &Frame) -> bool {
    frame.grid.is_some() || frame.shadow
}

/// Rows of pixels, from the top, that can show ground. The horizon is level; seen from
/// below, ground is above it.
pub(super) fn ground_rows(frame: &Frame, height: u32) -> core::ops::Range<u32> {
    let camera = &frame.camera;
    // Where the ray of the middle column is level: forward.y + up.y · y / P11 = 0.
    let forward = -camera.view_from_world.y_axis.z;
    let up = camera.view_from_world.y_axis.y / camera.clip_from_view.y_axis.y;
    let row = (0.5 + 0.5 * forward / up) * height as f32;
    // A parallel view has no horizon.
    if camera.clip_from_view.z_axis.w == 0.0 || row.is_nan() {
        return 0..height;
    }
    // Rays within a row of the horizon meet the ground far past its fade.
    let row = row.clamp(0.0, height as f32) as u32;
    if camera.eye.y >= frame.ground_height {
        row..height
    } else {
        0..(row + 1).min(height)
    }
}

/// What decides a frame's uniforms besides the frame itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting<'a> {
    pub extent: Extent,
    pub pixels_per_point: f32,
    pub quality: &'a Quality,
    pub environment: &'a Environment,
    /// Of `environment`.
    pub irradiance: &'a [Vec3; 9],
}

pub(super) fn frame_uniforms(frame: &Frame, setting: &Setting<'_>) -> FrameUniforms {
    let camera = &frame.camera;
    let environment = setting.environment;
    let backdrop = backdrop(frame.background);
    let reach = frame.bounds.diagonal().max(1e-6);
    let middle = frame.bounds.center().with_y(frame.ground_height);
    // Without a grid the ground only has to carry the shadow.
    let (radius, spacing) = frame
        .grid
        .map_or((reach * 3.0, 1.0), |grid| (grid.radius, grid.spacing));
    let (radius, spacing) = (radius.max(reach), spacing.max(1e-9));
    // A whole number of the largest cells that the shader draws.
    let cell = spacing * 1000.0;
    let light_from_world = setting
        .extent
        .shadow
        .map_or(Mat4::IDENTITY, |fit| fit.light_from_world);
    let in_map = |v: Vec4| (light_from_world * v).truncate().truncate() * Vec2::new(0.5, -0.5);
    let shadows = |value: f32| {
        if setting.extent.shadow.is_some() {
            value
        } else {
            0.0
        }
    };
    let depth = ViewDepth::new(camera, frame.ground_height);
    FrameUniforms {
        clip_from_world: camera.clip_from_view * camera.view_from_world,
        view_from_world: camera.view_from_world,
        light_from_world,
        eye: shading_eye(camera, middle),
        exposure: frame.exposure_stops.exp2(),
        key_direction: environment.key_direction,
        key_shadow: shadows(1.0),
        key_radiance: environment.key_radiance,
        shadow_texel: setting.extent.shadow.map_or(1.0, |fit| fit.texel),
        viewport: [setting.extent.size.0 as f32, setting.extent.size.1 as f32],
        dither: if setting.quality.dither { 1.0 } else { 0.0 },
        pixels_per_point: setting.pixels_per_point,
        ground_height: frame.ground_height,
        grid_spacing: spacing,
        ground_radius: radius,
        ground_shadow: shadows(backdrop.shadow),
        grid_origin: Vec2::new(
            (middle.x / cell).rem_euclid(1.0),
            (middle.z / cell).rem_euclid(1.0),
        ) * 1000.0,
        shadow_height: (frame.bounds.max.y - frame.ground_height).max(reach * 0.05),
        key_width: environment.key_width,
        ground_light_origin: in_map(middle.extend(1.0)) + 0.5,
        ground_light_x: in_map(Vec4::X),
        ground_light_z: in_map(Vec4::Z),
        // Over light backgrounds bones are dark, and the clay stays pale.
        clay: match frame.background {
            Background::Light => 1.0,
            _ if frame.bones.is_empty() => 1.0,
            Background::Dark | Background::Transparent => 0.4,
        },
        ray: rays(camera, middle),
        depth_range: depth.depth_range,
        ground_depth: if has_ground(frame) {
            depth.ground_depth
        } else {
            Vec4::ZERO
        },
        ground_plane: depth.ground_plane,
        view_per_ndc: Vec2::new(
            1.0 / camera.clip_from_view.x_axis.x,
            1.0 / camera.clip_from_view.y_axis.y,
        ),
        occlusion_radius: occlusion::radius(frame.bounds),
        occlusion_strength: occlusion::STRENGTH,
        ground_occlusion: backdrop.occlusion,
        taps: [GROUND_TAPS, OCCLUSION_TAPS],
        grid_axes: Vec2::new(middle.x, middle.z) / spacing,
        background_top: backdrop.top,
        background_bottom: backdrop.bottom,
        grid_color: if frame.grid.is_some() {
            backdrop.grid
        } else {
            Vec4::ZERO
        },
        irradiance: setting.irradiance.map(|c| c.extend(0.0)),
        key_specular: environment.key_specular,
        key_reflected: if environment.sky.boxes.iter().any(|b| b.is_key) {
            1.0
        } else {
            0.0
        },
        ..FrameUniforms::default()
    }
}

/// Whence surfaces are seen when they are shaded: a parallel projection has one
/// viewing direction, so that its eye counts as far off.
fn shading_eye(camera: &CameraFrame, middle: Vec3) -> Vec3 {
    if is_parallel(camera) {
        let backward = camera.view_from_world.row(2).truncate();
        middle + backward * (camera.eye.distance(middle) * 1e4)
    } else {
        camera.eye
    }
}

/// A parallel projection leaves w alone.
fn is_parallel(camera: &CameraFrame) -> bool {
    camera.clip_from_view.z_axis.w == 0.0
}

/// Rays of the pixels relative to `middle`, from the camera's matrices.
fn rays(camera: &CameraFrame, middle: Vec3) -> Ray {
    let right = camera.view_from_world.row(0).truncate();
    let up = camera.view_from_world.row(1).truncate();
    let forward = -camera.view_from_world.row(2).truncate();
    let reach = |scale: f32| if scale == 0.0 { 0.0 } else { 1.0 / scale };
    let across_x = right * reach(camera.clip_from_view.x_axis.x);
    let across_y = up * reach(camera.clip_from_view.y_axis.y);
    let origin = camera.eye - middle;
    if is_parallel(camera) {
        Ray {
            origin,
            origin_x: across_x,
            origin_y: across_y,
            direction: forward,
            ..Ray::default()
        }
    } else {
        Ray {
            origin,
            direction: forward,
            direction_x: across_x,
            direction_y: across_y,
            ..Ray::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::OrbitCamera;

    #[test]
    fn a_pixels_ray_passes_through_the_points_that_project_to_it() {
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
            let middle = Vec3::new(0.5, 0.0, 0.25);
            let ray = rays(&frame, middle);
            let point = Vec3::new(0.3, 1.2, -2.0);
            let clip = frame.clip_from_view * frame.view_from_world * point.extend(1.0);
            let ndc = clip.truncate() / clip.w;
            let origin = ray.origin + ray.origin_x * ndc.x + ray.origin_y * ndc.y + middle;
            let direction =
                (ray.direction + ray.direction_x * ndc.x + ray.direction_y * ndc.y).normalize();
            let off = (point - origin).reject_from_normalized(direction);
            assert!(off.length() < 1e-4, "{orthographic}: off by {off}");
        }
    }
}
