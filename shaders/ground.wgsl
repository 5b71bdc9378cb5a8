// The ground plane: soft shadow of the key light and an anti-aliased grid, both
// fading out with distance, as a premultiplied layer.

@group(0) @binding(3) var shadow_coverage: texture_2d<f32>;
@group(0) @binding(4) var shadow_sampler: sampler;

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    // Relative to the fade's centre, which keeps derivatives exact far out.
    @location(0) offset: vec2<f32>,
}

@vertex
fn vs_ground(@builtin(vertex_index) index: u32) -> Varyings {
    let corner = vec2(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let offset = corner * frame.ground_radius;
    let world = vec3(frame.ground_center.x + offset.x, frame.ground_height, frame.ground_center.y + offset.y);
    return Varyings(frame.clip_from_world * vec4(world, 1.0), offset);
}

// Coverage of a pixel by lines a pixel wide at whole numbers of `at`, whose
// change per pixel is `width`; even grey where lines crowd closer than pixels.
fn lines(at: vec2<f32>, width: vec2<f32>) -> vec2<f32> {
    let distance = abs(fract(at - 0.5) - 0.5);
    let line = clamp(1.0 - distance / max(width, vec2(1e-6)), vec2(0.0), vec2(1.0));
    return mix(line, min(width, vec2(1.0)), clamp(width * 3.0 - 1.0, vec2(0.0), vec2(1.0)));
}

// Blocked share of key light: the farther the blocker, the wider the blur. Two
// looks at prefiltered levels stand in for a blocker search and a wide kernel
// (after R. Fernando, "Percentage-Closer Soft Shadows", 2005).
fn ground_shadow(world: vec3<f32>) -> f32 {
    let light = (frame.light_from_world * vec4(world, 1.0)).xy;
    let uv = light * vec2(0.5, -0.5) + 0.5;
    let around = textureSampleLevel(shadow_coverage, shadow_sampler, uv, 4.5).rg;
    let blocker_height = around.g / max(around.r, 1e-3) * frame.shadow_height;
    // The key light subtends about 20°.
    let blur_texels = 0.35 * blocker_height / frame.shadow_texel;
    let level = clamp(log2(max(blur_texels, 1.0)), 1.0, 5.5);
    return textureSampleLevel(shadow_coverage, shadow_sampler, uv, level).r;
}

@fragment
fn fs_ground(in: Varyings) -> @location(0) vec4<f32> {
    let world = vec3(frame.ground_center.x + in.offset.x, frame.ground_height, frame.ground_center.y + in.offset.y);
    let fade = 1.0 - smoothstep(0.15, 1.0, length(in.offset) / frame.ground_radius);

    // The same lines shifted by whole cells: small numbers stay exact.
    let cell = frame.grid_spacing * 10.0;
    let origin = fract(frame.ground_center / cell) * 10.0;
    let at = origin + in.offset / frame.grid_spacing;
    let width = fwidth(at);
    let thin = lines(at, width);
    let strong = lines(at * 0.1, width * 0.1);
    let line = max(max(thin.x, thin.y) * 0.3, max(strong.x, strong.y));
    let grid_alpha = line * fade * frame.grid_strength * frame.grid_color.a;

    var shadow_alpha = 0.0;
    if frame.ground_shadow > 0.0 {
        shadow_alpha = ground_shadow(world) * frame.ground_shadow * fade;
    }
    let noise = gradient_noise(in.clip.xy) * frame.dither / 255.0;
    let alpha = grid_alpha + shadow_alpha * (1.0 - grid_alpha) + noise;
    return vec4(frame.grid_color.rgb * grid_alpha, clamp(alpha, 0.0, 1.0));
}
