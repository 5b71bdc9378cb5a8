// The sky as light on surfaces, see `render::environment`.

// An unfolded octahedron of directions, zenith in the middle; smaller levels are
// the sky as rougher surfaces reflect it.
@group(0) @binding(5) var sky: texture_2d<f32>;
@group(0) @binding(6) var sky_sampler: sampler;

// Without, what is mirrored is as even as diffuse light.
override REFLECTIONS: bool = true;

const SKY_LEVELS: f32 = 5.0;

// Radiance that a surface of this α reflects whose mirror would show `direction`, of
// any length. Levels are even in √α; near a mirror, where a share of the next level's
// wide lobe would show as a halo, they are approached more slowly.
fn sky_specular(direction: vec3<f32>, alpha: f32) -> vec3<f32> {
    if !REFLECTIONS {
        return sky_diffuse(normalize(direction));
    }
    let p = direction / dot(abs(direction), vec3(1.0));
    let folded = (1.0 - abs(p.zx)) * select(vec2(-1.0), vec2(1.0), p.xz >= vec2(0.0));
    let at = select(folded, p.xz, p.y >= 0.0);
    let even = sqrt(alpha) * (SKY_LEVELS - 1.0);
    return textureSampleLevel(sky, sky_sampler, at * 0.5 + 0.5, min(even, even * even)).rgb;
}

// Radiance of a white Lambertian surface under the sky, from 9 spherical
// harmonics (R. Ramamoorthi, P. Hanrahan, SIGGRAPH 2001); basis constants and the
// cosine lobe are folded into the coefficients.
fn sky_diffuse(n: vec3<f32>) -> vec3<f32> {
    let c = frame.irradiance;
    let radiance = c[0].rgb
        + c[1].rgb * n.y + c[2].rgb * n.z + c[3].rgb * n.x
        + c[4].rgb * (n.x * n.y) + c[5].rgb * (n.y * n.z)
        + c[6].rgb * (3.0 * n.z * n.z - 1.0)
        + c[7].rgb * (n.x * n.z) + c[8].rgb * (n.x * n.x - n.y * n.y);
    return max(radiance, vec3(0.0));
}
