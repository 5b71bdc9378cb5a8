// One level of the coverage map from the level above: the mean of 2×2 texels.

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var source_sampler: sampler;

@fragment
fn fs_downsample(@builtin(position) clip: vec4<f32>) -> @location(0) vec4<f32> {
    let uv = clip.xy * 2.0 / vec2<f32>(textureDimensions(source));
    return textureSampleLevel(source, source_sampler, uv, 0.0);
}
