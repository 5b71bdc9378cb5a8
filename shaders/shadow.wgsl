// What the key light sees: depth for shadows on meshes; coverage (red) and
// coverage × height over the ground (green) for the soft shadow on the ground.

struct Varyings {
    @builtin(position) clip: vec4<f32>,
    @location(0) height: f32,
    @location(1) uvs: vec4<f32>,
    @location(2) color: vec4<f32>,
}

@vertex
fn vs_shadow(in: VertexIn) -> Varyings {
    let position = deform(in).position;
    var out: Varyings;
    out.clip = frame.light_from_world * vec4(position, 1.0);
    out.height = (position.y - frame.ground_height) / frame.shadow_height;
    out.uvs = in.uvs;
    out.color = in.color;
    return out;
}

// What is under the ground throws nothing onto it.
fn coverage(height: f32) -> vec4<f32> {
    let above = select(0.0, 1.0, height > -0.02);
    return vec4(above, above * clamp(height, 0.0, 1.0), 0.0, 0.0);
}

@fragment
fn fs_solid(in: Varyings) -> @location(0) vec4<f32> {
    return coverage(in.height);
}

@fragment
fn fs_masked(in: Varyings) -> @location(0) vec4<f32> {
    if base_color_at(in.uvs, in.color).a < material.alpha_cutoff {
        discard;
    }
    return coverage(in.height);
}
