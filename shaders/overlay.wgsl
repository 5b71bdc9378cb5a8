// Lays the skeleton overlay over the finished picture. The overlay was drawn on a
// layer of its own, so that bones hide each other and never add up; here each of its
// pixels is softened by how far it lies behind the surface that was drawn there.

@group(1) @binding(0) var scene_depths: texture_multisampled_2d<f32>;
@group(1) @binding(1) var scene_depth: texture_2d<f32>;
@group(2) @binding(0) var layer: texture_2d<f32>;
@group(2) @binding(1) var layer_depth: texture_2d<f32>;

// Opacity of what lies behind a surface.
const BEHIND: f32 = 0.62;

@vertex
fn vs_overlay(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32((index << 1u) & 2u) * 2.0 - 1.0, 1.0 - f32(index & 2u) * 2.0, 0.0, 1.0);
}

@fragment
fn fs_multisampled(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(position.xy);
    let color = textureLoad(layer, at, 0);
    if color.a <= 0.0 {
        discard;
    }
    let depth = textureLoad(layer_depth, at, 0).r;
    var sum = 0.0;
    for (var i = 0; i < 4; i++) {
        sum += opacity(depth, textureLoad(scene_depths, at, i).r, BEHIND);
    }
    return color * (sum * 0.25);
}

@fragment
fn fs_single(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(position.xy);
    let color = textureLoad(layer, at, 0);
    if color.a <= 0.0 {
        discard;
    }
    let depth = textureLoad(layer_depth, at, 0).r;
    return color * opacity(depth, textureLoad(scene_depth, at, 0).r, BEHIND);
}
