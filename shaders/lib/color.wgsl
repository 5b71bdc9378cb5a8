// Colour spaces, tone mapping, dither.

// IEC 61966-2-1.
fn srgb_from_linear(linear: vec3<f32>) -> vec3<f32> {
    let low = linear * 12.92;
    let high = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return select(high, low, linear <= vec3(0.0031308));
}

fn linear_from_srgb(encoded: vec3<f32>) -> vec3<f32> {
    let low = encoded / 12.92;
    let high = pow((max(encoded, vec3(0.0)) + 0.055) / 1.055, vec3(2.4));
    return select(high, low, encoded <= vec3(0.04045));
}

// Khronos PBR Neutral Tone Mapper (Khronos Group, 2024): base colours under
// even light come out as authored, highlights are compressed and desaturated.
fn tone_map(radiance: vec3<f32>) -> vec3<f32> {
    let start = 0.8 - 0.04;
    let desaturation = 0.15;
    let low = min(radiance.r, min(radiance.g, radiance.b));
    let offset = select(0.04, low - 6.25 * low * low, low < 0.08);
    let color = radiance - offset;
    let peak = max(color.r, max(color.g, color.b));
    let d = 1.0 - start;
    let compressed_peak = 1.0 - d * d / (max(peak, start) + d - start);
    let compressed = color * (compressed_peak / max(peak, 1e-6));
    let gray = 1.0 - 1.0 / (desaturation * (peak - compressed_peak) + 1.0);
    return select(color, mix(compressed, vec3(compressed_peak), gray), peak >= start);
}

// Interleaved gradient noise in -0.5…0.5 (J. Jimenez, SIGGRAPH 2014).
fn gradient_noise(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5;
}
