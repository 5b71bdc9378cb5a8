// Bind group 0: what one view needs. Every program starts with this file and
// none redefines the group. Mirrored by `render::uniforms`.

// A spherical Gaussian light source of the sky: radiance · exp(sharpness · (cos − 1)).
struct Lobe {
    direction: vec3<f32>,
    sharpness: f32,
    radiance: vec3<f32>,
    padding: f32,
}

struct FrameUniforms {
    clip_from_world: mat4x4<f32>,
    view_from_world: mat4x4<f32>,
    // xy = light-space position in -1…1, z = depth in 0…1 (1 nearest the light).
    light_from_world: mat4x4<f32>,
    eye: vec3<f32>,
    // Factor on radiance before tone mapping.
    exposure: f32,
    // Towards the key light, unit length.
    key_direction: vec3<f32>,
    // 0 without a shadow map, else the share of key light that a blocker takes.
    key_shadow: f32,
    // What a white Lambertian surface facing the light sends out.
    key_radiance: vec3<f32>,
    // World units per shadow map texel.
    shadow_texel: f32,
    // Target size in pixels.
    viewport: vec2<f32>,
    // Amplitude of the noise that hides 8-bit steps, in steps; 0 in pictures for tests.
    dither: f32,
    // Pixels per point of the display, for widths.
    pixels_per_point: f32,
    // World y of the ground; thin line spacing; distance of full fade; line strength.
    ground_height: f32,
    grid_spacing: f32,
    ground_radius: f32,
    grid_strength: f32,
    // Centre of the ground's fade, xz; strength of the ground's shadow;
    // height in world units that the shadow map's green channel holds as 1.
    ground_center: vec2<f32>,
    ground_shadow: f32,
    shadow_height: f32,
    // sRGB-encoded, w = alpha.
    background_top: vec4<f32>,
    background_bottom: vec4<f32>,
    // Linear colour of grid lines.
    grid_color: vec4<f32>,
    // Radiance straight up, at the horizon, straight down.
    zenith: vec4<f32>,
    horizon: vec4<f32>,
    nadir: vec4<f32>,
    // Outgoing radiance of a white Lambertian surface: 9 SH coefficients.
    irradiance: array<vec4<f32>, 9>,
    lobes: array<Lobe, 3>,
}

@group(0) @binding(0) var<uniform> frame: FrameUniforms;
