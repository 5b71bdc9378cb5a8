// Bind group 2: one material. Which textures exist is known when a pipeline is
// made, so that absent ones cost nothing. Mirrored by `render::uniforms`.

// Rows of a 2×3 matrix on texture coordinates; w of the first row is the set.
struct UvMap {
    row0: vec4<f32>,
    row1: vec4<f32>,
}

struct MaterialUniforms {
    base_color: vec4<f32>,
    emissive: vec3<f32>,
    alpha_cutoff: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    // Base colour, metallic-roughness, normal, occlusion, emissive.
    uv_maps: array<UvMap, 5>,
}

@group(2) @binding(0) var<uniform> material: MaterialUniforms;
@group(2) @binding(1) var base_color_texture: texture_2d<f32>;
@group(2) @binding(2) var base_color_sampler: sampler;
@group(2) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(2) @binding(4) var metallic_roughness_sampler: sampler;
@group(2) @binding(5) var normal_texture: texture_2d<f32>;
@group(2) @binding(6) var normal_sampler: sampler;
@group(2) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(2) @binding(8) var occlusion_sampler: sampler;
@group(2) @binding(9) var emissive_texture: texture_2d<f32>;
@group(2) @binding(10) var emissive_sampler: sampler;

override HAS_BASE_COLOR_TEXTURE: bool = false;
override HAS_METALLIC_ROUGHNESS_TEXTURE: bool = false;
override HAS_NORMAL_TEXTURE: bool = false;
override HAS_OCCLUSION_TEXTURE: bool = false;
override HAS_EMISSIVE_TEXTURE: bool = false;
override HAS_VERTEX_COLORS: bool = false;
// 0 opaque, 1 mask, 2 blend.
override ALPHA_MODE: u32 = 0u;

fn mapped_uv(slot: u32, uvs: vec4<f32>) -> vec2<f32> {
    let map = material.uv_maps[slot];
    let uv = vec3(select(uvs.xy, uvs.zw, map.row0.w > 0.5), 1.0);
    return vec2(dot(map.row0.xyz, uv), dot(map.row1.xyz, uv));
}

// Base colour times its texture times the vertex colour.
fn base_color_at(uvs: vec4<f32>, vertex_color: vec4<f32>) -> vec4<f32> {
    var color = material.base_color;
    if HAS_VERTEX_COLORS {
        color *= vertex_color;
    }
    if HAS_BASE_COLOR_TEXTURE {
        color *= textureSample(base_color_texture, base_color_sampler, mapped_uv(0u, uvs));
    }
    return color;
}
