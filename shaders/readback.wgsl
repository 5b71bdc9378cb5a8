// Writes what the vertex stage computes into texels, for tests against the CPU:
// one point per vertex, laid out in rows.

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) position: vec3<f32>,
    @location(1) @interpolate(flat) normal: vec3<f32>,
    @location(2) @interpolate(flat) mirrored: f32,
}

struct Texels {
    @location(0) position: vec4<f32>,
    @location(1) normal: vec4<f32>,
}

@vertex
fn vs_readback(in: VertexIn) -> Varyings {
    let deformed = deform(in);
    let vertex = in.index - instances[in.instance].vertex_start;
    let width = u32(frame.viewport.x);
    let texel = vec2(f32(vertex % width), f32(vertex / width)) + 0.5;
    let clip = vec4(texel / frame.viewport * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
    return Varyings(clip, deformed.position, deformed.normal, f32(u32(deformed.mirrored)));
}

@fragment
fn fs_readback(in: Varyings) -> Texels {
    return Texels(vec4(in.position, in.mirrored), vec4(in.normal, 0.0));
}
