// Overlay lines of a width in points, as quads turned to the screen, over everything.
// Colours are sRGB-encoded, multiplied by alpha.

struct LineIn {
    @builtin(vertex_index) index: u32,
    @location(0) origin: vec3<f32>,
    @location(1) end: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) width: f32,
}

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
    // Pixels from the line's middle.
    @location(1) @interpolate(linear) beside: f32,
    @location(2) @interpolate(flat) half_width: f32,
}

@vertex
fn vs_line(in: LineIn) -> Varyings {
    var a = frame.clip_from_world * vec4(in.origin, 1.0);
    var b = frame.clip_from_world * vec4(in.end, 1.0);
    // Cut at the near plane (reverse-Z: z ≤ w), where screen directions end.
    let limit_a = a.w - a.z;
    let limit_b = b.w - b.z;
    if limit_a < 0.0 && limit_b > 0.0 {
        a = mix(a, b, limit_a / (limit_a - limit_b));
    } else if limit_b < 0.0 && limit_a > 0.0 {
        b = mix(b, a, limit_b / (limit_b - limit_a));
    }
    let along = (b.xy / b.w - a.xy / a.w) * frame.viewport;
    let direction = along / max(length(along), 1e-6);
    let half_width = in.width * frame.pixels_per_point * 0.5;
    // A pixel of room on either side for a smooth edge.
    let beside = (half_width + 1.0) * select(-1.0, 1.0, (in.index & 1u) == 1u);
    var clip = a;
    if in.index >= 2u {
        clip = b;
    }
    let side = vec2(-direction.y, direction.x) * beside * 2.0;
    clip += vec4(side / frame.viewport * clip.w, 0.0, 0.0);
    return Varyings(clip, in.color, beside, half_width);
}

@fragment
fn fs_line(in: Varyings) -> @location(0) vec4<f32> {
    let coverage = clamp(in.half_width + 0.5 - abs(in.beside), 0.0, 1.0);
    let alpha = in.color.a * coverage;
    return vec4(srgb_from_linear(in.color.rgb) * alpha, alpha);
}
