// Overlay lines of a width in points with round ends, as quads turned to the screen,
// over everything but paler where they lie behind a surface. A line of no length is a
// disc. Colours are sRGB-encoded, multiplied by alpha.

@group(1) @binding(0) var scene_depths: texture_multisampled_2d<f32>;
@group(1) @binding(1) var scene_depth: texture_2d<f32>;

struct LineIn {
    @builtin(vertex_index) index: u32,
    @location(0) origin: vec3<f32>,
    @location(1) end: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) width: f32,
    // Opacity where it lies behind a surface.
    @location(4) behind: f32,
}

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    // Pixels from the line's start, along it and across.
    @location(1) @interpolate(linear) place: vec2<f32>,
    // Length and half the width in pixels.
    @location(2) @interpolate(flat) size: vec2<f32>,
    @location(3) @interpolate(flat) hidden: f32,
}

@vertex
fn vs_line(in: LineIn) -> Varyings {
    var a = frame.clip_from_world * vec4(in.origin, 1.0);
    var b = frame.clip_from_world * vec4(in.end, 1.0);
    // Cut at the near plane (reverse-Z: z ≤ w), where screen directions end.
    let limit_a = a.w - a.z;
    let limit_b = b.w - b.z;
    if limit_a <= 0.0 && limit_b <= 0.0 {
        return Varyings(vec4(2.0, 2.0, 2.0, 1.0), vec4(0.0), vec2(0.0), vec2(0.0), 0.0);
    }
    if limit_a < 0.0 {
        a = mix(a, b, limit_a / (limit_a - limit_b));
    } else if limit_b < 0.0 {
        b = mix(b, a, limit_b / (limit_b - limit_a));
    }
    let run = (b.xy / b.w - a.xy / a.w) * frame.viewport * 0.5;
    let extent = length(run);
    var along = vec2(1.0, 0.0);
    if extent > 1e-4 {
        along = run / extent;
    }
    let half_width = in.width * frame.pixels_per_point * 0.5;
    // A pixel of room all round for a smooth edge.
    let reach = half_width + 1.0;
    let across = reach * select(-1.0, 1.0, (in.index & 1u) == 1u);
    let is_end = in.index >= 2u;
    let past = select(-reach, reach, is_end);
    var clip = a;
    if is_end {
        clip = b;
    }
    let offset = along * past + vec2(-along.y, along.x) * across;
    clip += vec4(offset * 2.0 / frame.viewport * clip.w, 0.0, 0.0);
    let place = vec2(select(0.0, extent, is_end) + past, across);
    return Varyings(clip, in.color, place, vec2(extent, half_width), in.behind);
}

fn covered(in: Varyings) -> vec4<f32> {
    let outside = length(vec2(max(max(-in.place.x, in.place.x - in.size.x), 0.0), in.place.y));
    let coverage = clamp(in.size.y + 0.5 - outside, 0.0, 1.0);
    let alpha = in.color.a * coverage;
    return vec4(srgb_from_linear(in.color.rgb) * alpha, alpha);
}

@fragment
fn fs_line_multisampled(in: Varyings) -> @location(0) vec4<f32> {
    let at = vec2<i32>(in.clip.xy);
    var sum = 0.0;
    for (var i = 0; i < 4; i++) {
        sum += opacity(in.clip.z, textureLoad(scene_depths, at, i).r, in.hidden);
    }
    return covered(in) * (sum * 0.25);
}

@fragment
fn fs_line_single(in: Varyings) -> @location(0) vec4<f32> {
    let depth = textureLoad(scene_depth, vec2<i32>(in.clip.xy), 0).r;
    return covered(in) * opacity(in.clip.z, depth, in.hidden);
}
