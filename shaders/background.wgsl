// Behind everything: a vertical gradient in display space, dithered.

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) color: vec4<f32>,
}

@vertex
fn vs_background(@builtin(vertex_index) index: u32) -> Varyings {
    let uv = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    let color = mix(frame.background_top, frame.background_bottom, uv.y);
    return Varyings(vec4(uv * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0), color);
}

@fragment
fn fs_background(in: Varyings) -> @location(0) vec4<f32> {
    let noise = gradient_noise(in.clip.xy) * frame.dither / 255.0;
    return vec4(linear_from_srgb(in.color.rgb + noise) * in.color.a, in.color.a);
}
