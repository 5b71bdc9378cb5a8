// What the key light sees: depth for shadows on meshes; coverage (red) and
// coverage × height over the ground (green) for the soft shadow on the ground.

struct SolidVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) height: f32,
}

struct MaskedVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) height: f32,
    @location(1) uvs: vec4<f32>,
    @location(2) color: vec4<f32>,
}

// Over the ground, 1 at the top of the characters.
fn ground_height(position: vec3<f32>) -> f32 {
    return (position.y - frame.ground_height) / frame.shadow_height;
}

@vertex
fn vs_solid(in: VertexIn) -> SolidVaryings {
    let position = deform(in).position;
    return SolidVaryings(frame.light_from_world * vec4(position, 1.0), ground_height(position));
}

@vertex
fn vs_masked(in: VertexIn) -> MaskedVaryings {
    let position = deform(in).position;
    return MaskedVaryings(
        frame.light_from_world * vec4(position, 1.0),
        ground_height(position),
        in.uvs,
        in.color,
    );
}

// What is under the ground throws nothing onto it.
fn coverage(height: f32) -> vec4<f32> {
    let above = select(0.0, 1.0, height > -0.02);
    return vec4(above, above * clamp(height, 0.0, 1.0), 0.0, 0.0);
}

@fragment
fn fs_solid(in: SolidVaryings) -> @location(0) vec4<f32> {
    return coverage(in.height);
}

@fragment
fn fs_masked(in: MaskedVaryings) -> @location(0) vec4<f32> {
    if base_color_at(in.uvs, in.color).a < material.alpha_cutoff {
        discard;
    }
    return coverage(in.height);
}
