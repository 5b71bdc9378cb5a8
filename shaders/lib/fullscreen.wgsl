// The vertex stage of passes over whole pictures: one for all, so that it is compiled
// once.

// Clip-space position of a corner of a triangle over the whole picture.
fn triangle_corner(index: u32) -> vec2<f32> {
    return vec2(f32((index << 1u) & 2u), f32(index & 2u)) * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
}

@vertex
fn vs_fullscreen(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(triangle_corner(index), 0.0, 1.0);
}
