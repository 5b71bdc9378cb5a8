// The finished picture: samples of the scene averaged, laid over ground and
// background, encoded. The ground (soft shadow and grid) is found by intersecting
// each pixel's ray with its plane.

@group(0) @binding(3) var ground_shadow: texture_2d<f32>;
@group(0) @binding(4) var shadow_sampler: sampler;
@group(0) @binding(7) var occlusion_map: texture_2d<f32>;
@group(1) @binding(0) var scene_samples: texture_multisampled_2d<f32>;
@group(1) @binding(1) var scene: texture_2d<f32>;

// What of the ground the part of the picture shows: see `render::plan`.
override GRID: bool = true;
override SHADOW: bool = true;
override OCCLUSION: bool = true;

// Where a pixel is, in 0…1 from the top left.
fn uv_of(pixel: vec2<f32>) -> vec2<f32> {
    return pixel / frame.viewport;
}

// Where a pixel's ray meets the ground, from the middle of the fade.
struct GroundPoint {
    offset: vec2<f32>,
    // From the eye along the view's axis; negative where the ray meets no ground.
    distance: f32,
    // Change of `offset` per pixel across and down.
    per_x: vec2<f32>,
    per_y: vec2<f32>,
}

// The ray comes from the uniforms rather than from the vertex stage: so this pass has
// the inputs of every other pass over a whole picture, and a rasteriser on the CPU need
// not compile another triangle setup for it.
fn ground_point(pixel: vec2<f32>) -> GroundPoint {
    let ndc = uv_of(pixel) * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    let ray = frame.ray;
    let origin = ray.origin + ray.origin_x * ndc.x + ray.origin_y * ndc.y;
    let direction = ray.direction + ray.direction_x * ndc.x + ray.direction_y * ndc.y;
    let t = -origin.y / direction.y;
    let x = (ray.origin_x + ray.direction_x * t) * (2.0 / frame.viewport.x);
    let y = (ray.origin_y + ray.direction_y * t) * (2.0 / frame.viewport.y);
    let along = direction.xz / direction.y;
    return GroundPoint(origin.xz + direction.xz * t, t, x.xz - along * x.y, y.xz - along * y.y);
}

// Share of a box about `at` that a line of `width` at 0 covers.
fn covered(at: vec2<f32>, width: vec2<f32>, box: vec2<f32>) -> vec2<f32> {
    let half_line = width * 0.5;
    return (clamp(at + box * 0.5, -half_line, half_line) - clamp(at - box * 0.5, -half_line, half_line)) / box;
}

// The same for lines at all whole numbers: the exact integral, so that lines neither
// flicker nor beat with the pixels. Where they crowd closer than pixels only their
// even grey is left (after B. Golus, "The Best Darn Grid Shader (Yet)", 2023).
fn all_covered(at: vec2<f32>, width: vec2<f32>, box: vec2<f32>) -> vec2<f32> {
    let low = at - 0.5 * (box - width);
    let high = low + box;
    let sum = (floor(high) - floor(low)) * width + min(fract(high), width) - min(fract(low), width);
    // A box leaves a ripple where it is no whole number of cells wide.
    return mix(sum / box, width, clamp(box * 2.0 - 1.0, vec2(0.0), vec2(1.0)));
}

// A filter's width over a pixel's.
const BOX: f32 = 1.3;

// Lines every `cell`: a point wide, and paler where that is much of a cell.
fn lines(at: vec2<f32>, pixel: vec2<f32>, cell: f32) -> f32 {
    let width = pixel * (frame.pixels_per_point / cell);
    let share = all_covered(at / cell, min(width, vec2(0.5)), pixel * (BOX / cell))
        * min(vec2(0.1) / width, vec2(1.0));
    return max(share.x, share.y);
}

// Colour of the ground's lines and the share of a pixel that they take. Spacings are
// powers of ten and follow the size of a pixel: as one comes closer, finer lines
// appear between those that are there.
fn grid(ground: GroundPoint) -> vec4<f32> {
    let per_x = ground.per_x / frame.grid_spacing;
    let per_y = ground.per_y / frame.grid_spacing;
    let pixel = max(sqrt(per_x * per_x + per_y * per_y), vec2(1e-7));
    let area = abs(per_x.x * per_y.y - per_x.y * per_y.x);
    // The finest lines vanish when they stand five points apart.
    let size = log2(5.0 * frame.pixels_per_point * sqrt(area)) * 0.30103;
    let step = floor(clamp(size, -4.0, 0.0));
    let part = clamp(size - step, 0.0, 1.0);
    let cell = exp2((step + 1.0) * 3.3219281);
    // Shifted by whole cells, so that numbers stay small and exact.
    let at = frame.grid_origin + ground.offset / frame.grid_spacing;
    let share = max(
        max(lines(at, pixel, cell) * 0.3 * (1.0 - part), lines(at, pixel, cell * 10.0) * mix(1.0, 0.3, part)),
        lines(at, pixel, cell * 100.0),
    );
    let from_axes = frame.grid_axes + ground.offset / frame.grid_spacing;
    let axes = covered(from_axes, pixel * frame.pixels_per_point, pixel * BOX);
    // Along z where x is 0, and along x where z is 0.
    let tint = mix(mix(vec3(1.0), vec3(0.5, 0.9, 2.2), axes.x), vec3(2.2, 0.55, 0.5), axes.y);
    return vec4(frame.grid_color.rgb * tint, max(share, max(axes.x, axes.y)) * frame.grid_color.a);
}

// Ground over nothing: linear, premultiplied by alpha.
fn ground_color(pixel: vec2<f32>) -> vec4<f32> {
    if !GRID {
        return vec4(0.0);
    }
    let ground = ground_point(pixel);
    let far = length(ground.offset) / frame.ground_radius;
    let fade = select(0.0, 1.0 - smoothstep(0.1, 1.0, far), ground.distance > 0.0);
    var color = vec4(0.0);
    // Once where the ground is seen. A loop rather than a branch, which a rasteriser on
    // the CPU would run over the horizon too.
    let times = select(0, 1, fade > 0.0);
    for (var i = 0; i < times; i++) {
        var line = grid(ground);
        line.a *= fade;
        let dark = (1.0 - light_on(ground, pixel)) * fade;
        color = vec4(line.rgb * line.a, line.a + dark * (1.0 - line.a));
    }
    return color;
}

// Share of its light that characters leave to the ground.
fn light_on(ground: GroundPoint, pixel: vec2<f32>) -> f32 {
    var light = 1.0;
    if SHADOW {
        let at = frame.ground_light_origin + frame.ground_light_x * ground.offset.x
            + frame.ground_light_z * ground.offset.y;
        light -= textureSampleLevel(ground_shadow, shadow_sampler, at, 0.0).r * frame.ground_shadow;
    }
    if OCCLUSION {
        let open = ambient_open(occlusion_map, pixel, ground.distance);
        light *= 1.0 - (1.0 - open) * frame.ground_occlusion;
    }
    return light;
}

// `scene_color` and the result of blending are linear with premultiplied alpha.
fn compose(pixel: vec2<f32>, scene_color: vec4<f32>) -> vec4<f32> {
    let ground = ground_color(pixel);
    let background = mix(frame.background_top, frame.background_bottom, uv_of(pixel).y);
    let behind = ground + background * (1.0 - ground.a);
    let color = scene_color + behind * (1.0 - scene_color.a);

    let encoded = srgb_from_linear(color.rgb / max(color.a, 1e-5));
    let noise = gradient_noise(pixel) * frame.dither / 255.0;
    // Premultiplied after encoding, which is how egui and most toolkits blend.
    return vec4((encoded + noise) * color.a, color.a);
}

@fragment
fn fs_multisampled(@builtin(position) clip: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(clip.xy);
    let sum = textureLoad(scene_samples, at, 0) + textureLoad(scene_samples, at, 1)
        + textureLoad(scene_samples, at, 2) + textureLoad(scene_samples, at, 3);
    return compose(clip.xy, sum * 0.25);
}

@fragment
fn fs_single(@builtin(position) clip: vec4<f32>) -> @location(0) vec4<f32> {
    return compose(clip.xy, textureLoad(scene, vec2<i32>(clip.xy), 0));
}
