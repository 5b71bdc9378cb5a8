// The soft shadow on the ground, in the key light's view: both are planes, so that a
// point of the map is a point of the ground.

@group(1) @binding(0) var coverage: texture_2d<f32>;
@group(1) @binding(1) var coverage_sampler: sampler;

// Cosine and sine of the golden angle: a spiral that fills a disc evenly.
const GOLDEN: vec2<f32> = vec2(-0.73736888, 0.67549029);

// Coverage, and coverage × height, within `radius` texels of a point. The taps' own
// levels fill what lies between them.
fn mean_within(uv: vec2<f32>, radius: f32, level: f32) -> vec2<f32> {
    let size = vec2<f32>(textureDimensions(coverage));
    var direction = vec2(1.0, 0.0);
    var sum = vec2(0.0);
    for (var i = 0; i < frame.taps.x; i++) {
        let offset = direction * (radius * sqrt((f32(i) + 0.5) / f32(frame.taps.x)));
        direction = vec2(
            direction.x * GOLDEN.x - direction.y * GOLDEN.y,
            direction.x * GOLDEN.y + direction.y * GOLDEN.x,
        );
        sum += textureSampleLevel(coverage, coverage_sampler, uv + offset / size, level).rg;
    }
    return sum / f32(frame.taps.x);
}

// Blocked share of key light: the farther the blockers, the wider the blur (after
// R. Fernando, "Percentage-Closer Soft Shadows", 2005).
@fragment
fn fs_ground_shadow(@builtin(position) clip: vec4<f32>) -> @location(0) vec4<f32> {
    // At half the coverage's resolution.
    let uv = clip.xy * 2.0 / vec2<f32>(textureDimensions(coverage));
    let around = mean_within(uv, 12.0, 3.0);
    // Where hardly anything blocks, eight bits say little about its height.
    let blocker_height = (around.g + 0.004) / (around.r + 0.008) * frame.shadow_height;
    let blur = 0.5 * frame.key_width * blocker_height / frame.shadow_texel;
    let radius = clamp(blur, 0.75, 24.0);
    return vec4(mean_within(uv, radius, max(log2(radius * 0.9), 0.0)).r, 0.0, 0.0, 1.0);
}
