// Vectors.

// `v` at unit length, or `fallback` where it has none.
fn unit_or(v: vec3<f32>, fallback: vec3<f32>) -> vec3<f32> {
    let squared = dot(v, v);
    if squared > 0.0 {
        return v * inverseSqrt(squared);
    }
    return fallback;
}
