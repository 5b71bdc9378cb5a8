// Metallic-roughness surfaces (glTF 2.0, appendix B).

const PI: f32 = 3.14159265;

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
}

// Scale and bias on F0 of the environment's reflection, fitted by B. Karis,
// "Physically Based Shading on Mobile" (2014).
fn environment_brdf(roughness: f32, n_dot_v: f32) -> vec2<f32> {
    let r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * n_dot_v)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a + r.zw;
}

// Light from the whole sky, with the energy that single scattering loses given
// back (C. Fdez-Agüera, "A Multiple-Scattering Microfacet Model for Real-Time
// Image-based Lighting", JCGT 2019): a white furnace stays white.
fn ambient_light(s: Surface, f0: vec3<f32>, diffuse: vec3<f32>, v: vec3<f32>, n_dot_v: f32) -> vec3<f32> {
    let irradiance = sky_diffuse(s.normal);
    let reflected = reflect(-v, s.normal);
    let specular = sky_specular(reflected, s.roughness * s.roughness, n_dot_v);
    let brdf = environment_brdf(s.roughness, n_dot_v);
    let single = f0 * brdf.x + brdf.y;
    let lost = 1.0 - (brdf.x + brdf.y);
    let average = f0 + (1.0 - f0) / 21.0;
    let multiple = lost * single * average / (1.0 - lost * average);
    let remaining = diffuse * (1.0 - single - multiple);
    return (single * specular + (multiple + remaining) * irradiance) * s.occlusion;
}

// The key light by GGX with the height-correlated Smith term (E. Heitz, JCGT
// 2014) and Schlick's Fresnel.
fn key_light(s: Surface, f0: vec3<f32>, diffuse: vec3<f32>, v: vec3<f32>, n_dot_v: f32) -> vec3<f32> {
    let l = frame.key_direction;
    let h = normalize(l + v);
    let n_dot_l = clamp(dot(s.normal, l), 0.0, 1.0);
    let n_dot_h = clamp(dot(s.normal, h), 0.0, 1.0);
    let l_dot_h = clamp(dot(l, h), 0.0, 1.0);
    let alpha = max(s.roughness * s.roughness, 2e-3);
    let alpha2 = alpha * alpha;
    let f = n_dot_h * n_dot_h * (alpha2 - 1.0) + 1.0;
    let distribution = alpha2 / (PI * f * f);
    let visibility = 0.5 / (n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - alpha2) + alpha2)
        + n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - alpha2) + alpha2) + 1e-5);
    let grazing = 1.0 - l_dot_h;
    let grazing2 = grazing * grazing;
    let fresnel = f0 + (1.0 - f0) * (grazing2 * grazing2 * grazing);
    // `key_radiance` is irradiance / π: Lambert's 1/π is in it, GGX needs a π.
    return frame.key_radiance * n_dot_l * (diffuse * (1.0 - fresnel) + fresnel * (PI * distribution * visibility));
}

fn shade(s: Surface, v: vec3<f32>, key_visible: f32) -> vec3<f32> {
    let n_dot_v = clamp(dot(s.normal, v), 1e-3, 1.0);
    let f0 = mix(vec3(0.04), s.base_color, s.metallic);
    let diffuse = s.base_color * (1.0 - s.metallic);
    return ambient_light(s, f0, diffuse, v, n_dot_v)
        + key_light(s, f0, diffuse, v, n_dot_v) * key_visible
        + s.emissive;
}
