//! Rust mirrors of the structs in `shaders/lib`. `tests/shaders.rs` compares every
//! member's offset with what the shader compiler computes.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::{anim::SkinMatrix, scene::ramp::STOPS};

/// `Ray` in `shaders/lib/frame.wgsl`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader explains each member once")]
pub struct Ray {
    pub origin: Vec3,
    pub padding_0: f32,
    pub origin_x: Vec3,
    pub padding_1: f32,
    pub origin_y: Vec3,
    pub padding_2: f32,
    pub direction: Vec3,
    pub padding_3: f32,
    pub direction_x: Vec3,
    pub padding_4: f32,
    pub direction_y: Vec3,
    pub padding_5: f32,
}

/// `FrameUniforms` in `shaders/lib/frame.wgsl`, where members are explained.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader explains each member once")]
pub struct FrameUniforms {
    pub clip_from_world: Mat4,
    pub view_from_world: Mat4,
    pub light_from_world: Mat4,
    pub eye: Vec3,
    pub exposure: f32,
    pub key_direction: Vec3,
    pub key_shadow: f32,
    pub key_radiance: Vec3,
    pub shadow_texel: f32,
    pub viewport: [f32; 2],
    pub dither: f32,
    pub pixels_per_point: f32,
    pub ground_height: f32,
    pub grid_spacing: f32,
    pub ground_radius: f32,
    pub ground_shadow: f32,
    pub grid_origin: Vec2,
    pub shadow_height: f32,
    pub key_width: f32,
    pub ground_light_origin: Vec2,
    pub ground_light_x: Vec2,
    pub ground_light_z: Vec2,
    pub clay: f32,
    pub ground_occlusion: f32,
    pub ray: Ray,
    pub depth_range: Vec4,
    pub ground_depth: Vec4,
    pub ground_plane: Vec4,
    pub view_per_ndc: Vec2,
    pub occlusion_radius: f32,
    pub occlusion_strength: f32,
    pub grid_axes: Vec2,
    pub taps: [i32; 2],
    pub background_top: Vec4,
    pub background_bottom: Vec4,
    pub grid_color: Vec4,
    pub irradiance: [Vec4; 9],
    pub key_specular: f32,
    pub key_reflected: f32,
    pub sky_padding: Vec2,
}

impl FrameUniforms {
    /// For programs that draw what the key light sees: here they draw what the eye sees.
    pub(super) fn for_depth(&self) -> Self {
        Self {
            light_from_world: self.clip_from_world,
            ..*self
        }
    }
}

/// The value that means *none* where an index is expected.
pub const NONE: u32 = u32::MAX;
/// Flag of an instance: divide weights by their sum.
pub const NORMALIZE_WEIGHTS: u32 = 1;
/// Flag of an instance: its targets displace normals.
pub const MORPH_NORMALS: u32 = 2;
/// Flag of an instance: its targets displace tangents.
pub const MORPH_TANGENTS: u32 = 4;
/// Flag of an instance: its skin was bound to mirrored joints, so that its triangles
/// are stored clockwise.
pub const MIRRORED_BIND: u32 = 8;
/// Flag of an instance: normals go by the matrix of positions, as naive players do it.
pub const NAIVE_NORMALS: u32 = 16;

/// `Affine` in `shaders/lib/deform.wgsl`; the same bytes as a [`SkinMatrix`].
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader explains each member once")]
pub struct Affine {
    pub r0: Vec4,
    pub r1: Vec4,
    pub r2: Vec4,
}

impl From<Mat4> for Affine {
    fn from(matrix: Mat4) -> Self {
        SkinMatrix::from_mat4(matrix).into()
    }
}

impl From<SkinMatrix> for Affine {
    fn from(matrix: SkinMatrix) -> Self {
        let [r0, r1, r2] = matrix.rows;
        Self { r0, r1, r2 }
    }
}

/// `Instance` in `shaders/lib/deform.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader explains each member once")]
pub struct Instance {
    pub world_from_mesh: Affine,
    pub palette_start: u32,
    pub morph_start: u32,
    pub morph_count: u32,
    pub delta_start: u32,
    pub vertex_start: u32,
    pub vertex_count: u32,
    pub influence_start: u32,
    pub influence_count: u32,
    pub flags: u32,
    pub heat_start: u32,
    pub tint: u32,
    pub padding_1: u32,
}

/// `Influence` in `shaders/lib/deform.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader explains each member once")]
pub struct Influence {
    pub joint: u32,
    pub weight: f32,
}

/// `HeatUniforms` in `shaders/heat.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader explains each member once")]
pub struct HeatUniforms {
    pub plain: Vec3,
    pub has_zero: u32,
    pub unweighted: Vec3,
    pub are_colors: u32,
    pub low: f32,
    pub high: f32,
    pub padding_0: f32,
    pub padding_1: f32,
    pub stops: HeatStops,
}

/// [`HeatUniforms::stops`]: arrays of this length have no default of their own.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct HeatStops(pub [Vec4; STOPS]);

impl Default for HeatStops {
    fn default() -> Self {
        Self([Vec4::ZERO; STOPS])
    }
}

/// `UvMap` in `shaders/lib/material.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader explains each member once")]
pub struct UvMap {
    pub row0: Vec4,
    pub row1: Vec4,
}

/// `MaterialUniforms` in `shaders/lib/material.wgsl`.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
#[expect(missing_docs, reason = "the shader explains each member once")]
pub struct MaterialUniforms {
    pub base_color: Vec4,
    pub emissive: Vec3,
    pub alpha_cutoff: f32,
    pub metallic: f32,
    pub roughness: f32,
    pub normal_scale: f32,
    pub occlusion_strength: f32,
    pub uv_maps: [UvMap; 5],
}
