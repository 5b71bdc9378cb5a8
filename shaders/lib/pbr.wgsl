// Metallic-roughness surfaces (glTF 2.0, appendix B).

const PI: f32 = 3.14159265;
// Reflectance of a refractive index of 1.5 at normal incidence, and its mean over the
// hemisphere by Schlick's Fresnel: F0 + (1 − F0) / 21.
const DIELECTRIC_F0: f32 = 0.04;
const DIELECTRIC_AVERAGE: f32 = 0.0857143;

struct Surface {
    base_color: vec3<f32>,
    metallic: f32,
    // Perceptual; its square is GGX's α.
    roughness: f32,
    // Share of ambient light that arrives.
    occlusion: f32,
    emissive: vec3<f32>,
    // Unit, towards the viewer's side.
    normal: vec3<f32>,
    // Share of reflections that the mesh's own plane leaves open.
    horizon: f32,
}

// What a GGX surface with the height-correlated Smith term (E. Heitz, JCGT 2014) and
// Schlick's Fresnel reflects of a white sky, by one bounce: F0 · x + y. Rational
// functions of α and n·v fitted to the integral, whose errors are below 0.025.
fn sky_reflectance(alpha: f32, n_dot_v: f32) -> vec2<f32> {
    let m = n_dot_v;
    let lost = alpha * (4.63741 - 16.90762 * m * m * m
            + alpha * (-19.32141 + 103.35168 * m + alpha * (25.89902 + 372.5912 * m)))
        / (1.0 + 112.85896 * m * m - alpha * m * (73.08139 + 131.93422 * m)
            + alpha * alpha * (191.74271 + 582.70583 * m));
    let t = 1.0 - m;
    let grazing = t * t * (t * t * t * (1.0012 - 0.98704 * t + 1.22565 * alpha)
            + alpha * (0.77195 - 1.15909 * t - 0.27131 * alpha))
        / (1.0 + 0.17742 * alpha - 0.98661 * t + 1.17328 * alpha * t + 13.68002 * alpha * alpha);
    let bias = max(grazing, 0.0);
    return vec2(1.0 - max(lost, 0.0) - bias, bias);
}

// Variation of the normal within a pixel widens the lobe: highlights of fine normal
// maps and thin parts do not sparkle (Y. Tokuyoshi and A. Kaplanyan, "Improved
// Geometric Specular Antialiasing", I3D 2019).
fn filtered_alpha(roughness: f32, normal: vec3<f32>) -> f32 {
    let alpha = roughness * roughness;
    let across = dpdx(normal);
    let along = dpdy(normal);
    let widening = min(0.3183099 * (dot(across, across) + dot(along, along)), 0.18);
    return sqrt(min(alpha * alpha + widening, 1.0));
}

// Highlight of a key light that is too small for the sky's map: GGX, as wide as the
// light's disc at least.
fn key_highlight(alpha: f32, f0: vec3<f32>, n: vec3<f32>, v: vec3<f32>, n_dot_v: f32) -> vec3<f32> {
    let l = frame.key_direction;
    let h = normalize(l + v);
    let n_dot_l = max(dot(n, l), 0.0);
    let n_dot_h = clamp(dot(n, h), 0.0, 1.0);
    let a = min(alpha + 0.25 * frame.key_width, 1.0);
    let a2 = a * a;
    let f = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    let distribution = a2 / (PI * f * f);
    let visibility = 0.5 / (n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2)
        + n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2) + 1e-5);
    let grazing = 1.0 - clamp(dot(l, h), 0.0, 1.0);
    let grazing2 = grazing * grazing;
    let fresnel = f0 + (1.0 - f0) * (grazing2 * grazing2 * grazing);
    // `key_radiance` is irradiance / π.
    return fresnel * frame.key_radiance * (PI * distribution * visibility * n_dot_l * frame.key_specular);
}

// Cosine to the key light, averaged over its disc: its horizon is soft.
fn key_cosine(n: vec3<f32>) -> f32 {
    let cosine = dot(n, frame.key_direction);
    let risen = clamp(cosine + frame.key_width, 0.0, 2.0 * frame.key_width);
    return max(cosine, risen * risen / (4.0 * frame.key_width));
}

// A normal map may bend the mirror's direction below the surface, where there is no
// light (S. Lagarde and C. de Rousiers, "Moving Frostbite to PBR", 2014).
fn open_horizon(normal: vec3<f32>, v: vec3<f32>, mesh_normal: vec3<f32>) -> f32 {
    let up = select(-mesh_normal, mesh_normal, dot(mesh_normal, normal) >= 0.0);
    let open = clamp(1.0 + dot(reflect(-v, normal), up), 0.0, 1.0);
    return open * open;
}

// Radiance towards the viewer. The energy that one bounce in the surface loses comes
// back as diffuse light (C. Fdez-Agüera, "A Multiple-Scattering Microfacet Model for
// Real-Time Image-based Lighting", JCGT 2019): a white furnace stays white.
fn shade(s: Surface, v: vec3<f32>, key_visible: f32) -> vec3<f32> {
    let n = s.normal;
    let n_dot_v = clamp(dot(n, v), 1e-3, 1.0);
    let alpha = filtered_alpha(s.roughness, n);
    // Of metal and of anything else, mixed: what a mere mixture of F0 gives is too dark.
    let reflectance = sky_reflectance(alpha, n_dot_v);
    let lost = 1.0 - reflectance.x - reflectance.y;
    let metal_single = s.base_color * reflectance.x + reflectance.y;
    let metal_average = s.base_color + (1.0 - s.base_color) / 21.0;
    let metal_multiple = metal_single * (lost * metal_average / (1.0 - lost * metal_average));
    let plain_single = DIELECTRIC_F0 * reflectance.x + reflectance.y;
    let plain_multiple = plain_single * (lost * DIELECTRIC_AVERAGE / (1.0 - lost * DIELECTRIC_AVERAGE));
    let single = mix(vec3(plain_single), metal_single, s.metallic);
    let diffuse = mix(
        plain_multiple + s.base_color * (1.0 - plain_single - plain_multiple), metal_multiple, s.metallic,
    );
    let irradiance = sky_diffuse(n) * s.occlusion
        + frame.key_radiance * (key_cosine(n) * key_visible);

    // Rough lobes lean from the mirror's direction towards the normal.
    let reflected = mix(reflect(-v, n), n, alpha * alpha);
    var specular = sky_specular(reflected, alpha);
    // The open part of a mirror's lobe grows with n·v (Crytek's form of S. Lagarde's
    // specular occlusion, 2014).
    let open = n_dot_v + s.occlusion;
    specular *= clamp(open * open - 1.0 + s.occlusion, 0.0, 1.0) * s.horizon;
    // In the key light's shadow its lamp is not seen.
    let towards_key = dot(reflected, frame.key_direction);
    specular *= mix(1.0, key_visible, frame.key_reflected * clamp(2.0 * towards_key - 0.8, 0.0, 1.0));

    var radiance = single * specular + diffuse * irradiance + s.emissive;
    if frame.key_specular > 0.0 {
        let f0 = mix(vec3(DIELECTRIC_F0), s.base_color, s.metallic);
        radiance += key_highlight(alpha, f0, n, v, n_dot_v) * (key_visible * s.horizon);
    }
    return radiance;
}
