// The procedural sky: a vertical gradient with soft lights in it, all analytic,
// so that nothing is baked before the first picture.

// Radiance from direction `d` as a mirror lobe of the given width sees it.
// `width` widens the horizon's step: 0 sharp … 1 hemispherical.
fn sky_gradient(d: vec3<f32>, width: f32) -> vec3<f32> {
    let half_width = mix(0.12, 1.0, width);
    let up = smoothstep(-half_width, half_width, d.y);
    let towards_zenith = mix(max(d.y, 0.0), 0.4, width);
    let sky = mix(frame.horizon.rgb, frame.zenith.rgb, sqrt(max(towards_zenith, 0.0)));
    let towards_nadir = mix(max(-d.y, 0.0), 0.4, width);
    let floor = mix(frame.horizon.rgb, frame.nadir.rgb, smoothstep(0.0, 0.5, towards_nadir));
    return mix(floor, sky, up);
}

// The sky convolved with a GGX lobe of `alpha` = roughness² around `reflected`.
// The lobe is taken as the spherical Gaussian of J. Wang et al., "All-Frequency
// Rendering of Dynamic, Spatially-Varying Reflectance" (2009); the product of
// two Gaussians is a Gaussian, which gives the lights in closed form.
fn sky_specular(reflected: vec3<f32>, alpha: f32, n_dot_v: f32) -> vec3<f32> {
    let lobe = 2.0 / max(alpha * alpha, 1e-4) / (4.0 * max(n_dot_v, 0.1));
    var radiance = sky_gradient(reflected, alpha);
    for (var i = 0; i < 3; i++) {
        let light = frame.lobes[i];
        let share = lobe / (lobe + light.sharpness);
        radiance += light.radiance
            * (share * exp(light.sharpness * share * (dot(reflected, light.direction) - 1.0)));
    }
    return radiance;
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
