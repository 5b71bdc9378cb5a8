// Bind group 0: what one view needs. Every program starts with this file and
// none redefines the group. Mirrored by `render::uniforms`.

// Rays of pixels, relative to the middle of the ground's fade: origin and
// direction at the picture's middle, and their change along normalised device x, y.
struct Ray {
    origin: vec3<f32>,
    padding_0: f32,
    origin_x: vec3<f32>,
    padding_1: f32,
    origin_y: vec3<f32>,
    padding_2: f32,
    direction: vec3<f32>,
    padding_3: f32,
    direction_x: vec3<f32>,
    padding_4: f32,
    direction_y: vec3<f32>,
    padding_5: f32,
}

struct FrameUniforms {
    clip_from_world: mat4x4<f32>,
    view_from_world: mat4x4<f32>,
    // xy = light-space position in -1…1, z = depth in 0…1 (1 nearest the light).
    // The eye's clip space instead where that is what a depth pass draws.
    light_from_world: mat4x4<f32>,
    // Far off in a parallel projection.
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
    // World y of the ground; line spacing; distance of full fade; strength of the
    // ground's shadow.
    ground_height: f32,
    grid_spacing: f32,
    ground_radius: f32,
    ground_shadow: f32,
    // The fade's middle in thin lines, less whole strong ones.
    grid_origin: vec2<f32>,
    // Height over the ground that the shadow map's green channel holds as 1.
    shadow_height: f32,
    // Width of the key light's disc over its distance.
    key_width: f32,
    // Shadow map coordinates of the fade's middle, and their change along world x and z.
    ground_light_origin: vec2<f32>,
    ground_light_x: vec2<f32>,
    ground_light_z: vec2<f32>,
    // Factor on the clay's colour: darker under pale bones.
    clay: f32,
    // Share of the ground's brightness that full ambient occlusion takes.
    ground_occlusion: f32,
    ray: Ray,
    // Depth is (x z + y) / (z z + w) of view-space z.
    depth_range: vec4<f32>,
    // Depth of the ground: per normalised device x and y, and at the middle; w is 0
    // where the ground is not seen.
    ground_depth: vec4<f32>,
    // The ground's view-space normal, and its height along it.
    ground_plane: vec4<f32>,
    // View-space x and y per normalised device unit and clip w.
    view_per_ndc: vec2<f32>,
    // Distance within which surfaces occlude one another, world units.
    occlusion_radius: f32,
    occlusion_strength: f32,
    // The world's origin from the fade's middle, in thin lines.
    grid_axes: vec2<f32>,
    // Taps of the ground's shadow and of occlusion. Here, so that these loops stay
    // loops: unrolled, they take a compiler on the CPU longer than they save. Other
    // loops are worth it.
    taps: vec2<i32>,
    // Linear, premultiplied by alpha.
    background_top: vec4<f32>,
    background_bottom: vec4<f32>,
    // Linear colour of grid lines; alpha 0 without a grid.
    grid_color: vec4<f32>,
    // Outgoing radiance of a white Lambertian surface: 9 SH coefficients.
    irradiance: array<vec4<f32>, 9>,
    // Share of the key light that makes highlights of its own.
    key_specular: f32,
    // 1 where the sky shows the key light's lamp, else 0.
    key_reflected: f32,
    sky_padding: vec2<f32>,
}

@group(0) @binding(0) var<uniform> frame: FrameUniforms;
