// The finished picture: samples of the scene averaged, laid over ground and
// background, encoded. The ground (soft shadow and grid) is found by intersecting
// each pixel's ray with its plane.

@group(0) @binding(3) var shadow_coverage: texture_2d<f32>;
@group(0) @binding(4) var shadow_sampler: sampler;
@group(1) @binding(0) var scene_samples: texture_multisampled_2d<f32>;
@group(1) @binding(1) var scene: texture_2d<f32>;

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
    // The pixel's ray, relative to the middle of the ground's fade.
    @location(1) origin: vec3<f32>,
    @location(2) direction: vec3<f32>,
}

@vertex
fn vs_compose(@builtin(vertex_index) index: u32) -> Varyings {
    let uv = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    let ndc = uv * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    let ray = frame.ray;
    return Varyings(
        vec4(ndc, 0.0, 1.0),
        uv,
        ray.origin + ray.origin_x * ndc.x + ray.origin_y * ndc.y,
        ray.direction + ray.direction_x * ndc.x + ray.direction_y * ndc.y,
    );
}

// Coverage of a pixel by lines a pixel wide at whole numbers of `at`, whose
// change per pixel is `width`; even grey where lines crowd closer than pixels.
fn lines(at: vec2<f32>, width: vec2<f32>) -> vec2<f32> {
    let distance = abs(fract(at - 0.5) - 0.5);
    let line = clamp(1.0 - distance / max(width, vec2(1e-6)), vec2(0.0), vec2(1.0));
    return mix(line, min(width, vec2(1.0)), clamp(width * 3.0 - 1.0, vec2(0.0), vec2(1.0)));
}

fn grid(offset: vec2<f32>) -> f32 {
    // Shifted by whole cells, so that numbers stay small and exact.
    let at = frame.grid_origin + offset / frame.grid_spacing;
    let width = fwidth(at);
    let thin = lines(at, width);
    let strong = lines(at * 0.1, width * 0.1);
    return max(max(thin.x, thin.y) * 0.3, max(strong.x, strong.y));
}

// Blocked share of key light: the farther the blocker, the wider the blur. Two
// looks at prefiltered levels stand in for a blocker search and a wide kernel
// (after R. Fernando, "Percentage-Closer Soft Shadows", 2005).
fn ground_shadow(offset: vec2<f32>) -> f32 {
    let light = frame.ground_light_origin + frame.ground_light_x * offset.x + frame.ground_light_z * offset.y;
    let around = textureSampleLevel(shadow_coverage, shadow_sampler, light, 4.0).rg;
    // Where hardly anything blocks, eight bits say little about its height.
    let blocker_height = (around.g + 0.01) / (around.r + 0.02) * frame.shadow_height;
    let blur_texels = frame.key_width * blocker_height / frame.shadow_texel;
    let level = clamp(log2(max(blur_texels, 1.0)), 0.5, 5.0);
    return textureSampleLevel(shadow_coverage, shadow_sampler, light, level).r;
}

// `scene_color` and the result of blending are linear with premultiplied alpha.
fn compose(in: Varyings, scene_color: vec4<f32>) -> vec4<f32> {
    let t = -in.origin.y / in.direction.y;
    let offset = in.origin.xz + in.direction.xz * t;
    let distance = length(offset) / frame.ground_radius;
    let fade = select(0.0, 1.0 - smoothstep(0.1, 1.0, distance), t > 0.0);
    let line = grid(offset) * fade * frame.grid_color.a;
    let shadow = ground_shadow(offset) * fade * frame.ground_shadow;
    let ground = vec4(frame.grid_color.rgb * line, line + shadow * (1.0 - line));

    let background = mix(frame.background_top, frame.background_bottom, in.uv.y);
    let behind = ground + background * (1.0 - ground.a);
    let color = scene_color + behind * (1.0 - scene_color.a);

    let encoded = srgb_from_linear(color.rgb / max(color.a, 1e-5));
    let noise = gradient_noise(in.clip.xy) * frame.dither / 255.0;
    // Premultiplied after encoding, which is how egui and most toolkits blend.
    return vec4((encoded + noise) * color.a, color.a);
}

@fragment
fn fs_multisampled(in: Varyings) -> @location(0) vec4<f32> {
    let at = vec2<i32>(in.clip.xy);
    let sum = textureLoad(scene_samples, at, 0) + textureLoad(scene_samples, at, 1)
        + textureLoad(scene_samples, at, 2) + textureLoad(scene_samples, at, 3);
    return compose(in, sum * 0.25);
}

@fragment
fn fs_single(in: Varyings) -> @location(0) vec4<f32> {
    return compose(in, textureLoad(scene, vec2<i32>(in.clip.xy), 0));
}
