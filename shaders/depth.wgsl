// Depth of what occludes ambient light, as the eye sees it.

struct MaskedVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) uvs: vec4<f32>,
    @location(1) color: vec4<f32>,
}

@vertex
fn vs_solid(in: VertexIn) -> @builtin(position) vec4<f32> {
    return frame.clip_from_world * vec4(deform(in).position, 1.0);
}

@vertex
fn vs_masked(in: VertexIn) -> MaskedVaryings {
    return MaskedVaryings(
        frame.clip_from_world * vec4(deform(in).position, 1.0), in.uvs, in.color);
}

@fragment
fn fs_masked(in: MaskedVaryings) {
    if base_color_at(in.uvs, in.color).a < material.alpha_cutoff {
        discard;
    }
}
