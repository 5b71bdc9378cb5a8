//! Energy and colour of light on surfaces, where theory gives the numbers.

mod rigs;

use std::{f32::consts::PI, sync::Arc};

use glam::{Affine2, Vec2, Vec3, Vec4};
use rigs::{Studio, front_view};
use rigscope::{
    document::{Document, Image, PixelFormat, Sampler, Texture, TextureRef},
    render::{Environment, Pixels},
    scene::{Character, Light, View},
};

/// A ball of radius 0.5 about the origin.
fn ball(color: Vec3, metallic: f32, roughness: f32) -> Document {
    let mut document = rigs::document(
        "ball",
        vec![rigs::joint("a", None, Vec3::new(0.0, -0.5, 0.0))],
        rigs::tube(0.5, 1.0, 96, 128),
    );
    document.meshes[0].primitives[0].material = Some(0);
    document.materials = vec![rigs::paint(color.extend(1.0), metallic, roughness)];
    document
}

/// A square facing +Z.
fn plate(emissive: Vec3, metallic: f32, roughness: f32) -> Document {
    let mut document = rigs::document(
        "plate",
        vec![rigs::joint("a", None, Vec3::new(0.0, 0.0, -0.5))],
        rigs::cube(1.0),
    );
    document.meshes[0].primitives[0].material = Some(0);
    document.materials = vec![rigs::paint(Vec4::ONE, metallic, roughness)];
    document.materials[0].emissive = emissive;
    document
}

/// From +Z without perspective, so that every pixel looks the same way.
fn parallel_view() -> View {
    let mut view = front_view();
    view.camera.orthographic = true;
    view.camera.distance = 1.8;
    view
}

fn linear_from_srgb(byte: u8) -> f32 {
    let encoded = f32::from(byte) / 255.0;
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    }
}

/// The tone mapper as the Khronos Group publishes it (`PBRNeutralToneMapping` of the
/// glTF Sample Renderer).
fn tone_mapped(color: Vec3) -> Vec3 {
    const START: f32 = 0.8 - 0.04;
    const DESATURATION: f32 = 0.15;
    let x = color.min_element();
    let offset = if x < 0.08 { x - 6.25 * x * x } else { 0.04 };
    let color = color - offset;
    let peak = color.max_element();
    if peak < START {
        return color;
    }
    let d = 1.0 - START;
    let new_peak = 1.0 - d * d / (peak + d - START);
    let g = 1.0 - 1.0 / (DESATURATION * (peak - new_peak) + 1.0);
    (color * (new_peak / peak)).lerp(Vec3::splat(new_peak), g)
}

/// Grey radiance below 0.8 whose picture has this byte.
fn radiance_of(byte: u8) -> f32 {
    let shown = linear_from_srgb(byte);
    if shown < 0.04 {
        (shown / 6.25).sqrt()
    } else {
        shown + 0.04
    }
}

/// Pixels that show the ball, with the surface's normal.
fn ball_pixels(pixels: &Pixels) -> Vec<(Vec3, [u8; 4])> {
    let covered = pixels.rgba.chunks(4).filter(|p| p[3] == 255).count();
    let radius = (covered as f32 / PI).sqrt();
    let middle = Vec2::new(pixels.width as f32, pixels.height as f32) * 0.5;
    let mut found = Vec::new();
    for (x, y) in (0..pixels.height).flat_map(|y| (0..pixels.width).map(move |x| (x, y))) {
        let at = (Vec2::new(x as f32, y as f32) + 0.5 - middle) / radius;
        let pixel = pixels.pixel(x, y);
        if pixel[3] == 255 {
            let z = (1.0 - at.length_squared()).max(0.0).sqrt();
            found.push((Vec3::new(at.x, -at.y, z), pixel));
        }
    }
    found
}

#[test]
fn white_balls_vanish_in_a_furnace_up_to_their_rims() {
    let mut studio = Studio::new(96);
    studio.renderer.set_environment(Environment::furnace(0.5));
    for metallic in [0.0, 0.5, 1.0] {
        for roughness in [0.0, 0.1, 0.25, 0.5, 0.75, 1.0] {
            let document = ball(Vec3::ONE, metallic, roughness);
            let picture = studio.shoot(vec![Character::new(Arc::new(document))], &parallel_view());
            let pixels = ball_pixels(&picture);
            assert!(pixels.len() > 1500, "the ball shows: {}", pixels.len());
            for (normal, pixel) in pixels {
                for byte in &pixel[..3] {
                    let share = radiance_of(*byte) / 0.5;
                    assert!(
                        (share - 1.0).abs() <= 0.02,
                        "metallic {metallic}, roughness {roughness}, n·v {}: {share}",
                        normal.z
                    );
                }
            }
        }
    }
}

/// What one bounce in a surface reflects of a white sky, F0 · x + y: the integral of
/// GGX with height-correlated Smith shadowing, over half vectors by their share.
fn reflectance(roughness: f32, n_dot_v: f32) -> Vec2 {
    const STEPS: usize = 96;
    let a2 = roughness.powi(4).max(1e-6);
    let v = Vec3::new((1.0 - n_dot_v * n_dot_v).sqrt(), 0.0, n_dot_v);
    let mut sum = Vec2::ZERO;
    for i in 0..STEPS {
        let u = (i as f32 + 0.5) / STEPS as f32;
        let cos2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u);
        for j in 0..STEPS {
            let angle = PI * (j as f32 + 0.5) / STEPS as f32;
            let across = (1.0 - cos2).sqrt();
            let h = Vec3::new(across * angle.cos(), across * angle.sin(), cos2.sqrt());
            let v_dot_h = v.dot(h);
            let n_dot_l = 2.0 * v_dot_h * h.z - n_dot_v;
            if n_dot_l <= 0.0 || v_dot_h <= 0.0 {
                continue;
            }
            let smith = |a: f32, b: f32| a * (b * b * (1.0 - a2) + a2).sqrt();
            let visibility = 0.5 / (smith(n_dot_l, n_dot_v) + smith(n_dot_v, n_dot_l));
            let weight = 4.0 * visibility * n_dot_l * v_dot_h / h.z;
            let fresnel = (1.0 - v_dot_h).powi(5);
            sum += Vec2::new(1.0 - fresnel, fresnel) * weight;
        }
    }
    sum / (STEPS * STEPS) as f32
}

#[test]
fn reflections_of_a_white_sky_follow_the_integral() {
    let mut studio = Studio::new(128);
    studio.renderer.set_environment(Environment::furnace(0.5));
    for f0 in [0.0, 0.2, 0.6] {
        for roughness in [0.3, 0.5, 0.7, 0.85, 1.0] {
            let document = ball(Vec3::splat(f0), 1.0, roughness);
            let picture = studio.shoot(vec![Character::new(Arc::new(document))], &parallel_view());
            let pixels = ball_pixels(&picture);
            for (normal, pixel) in pixels.iter().step_by(97).filter(|(n, _)| n.z > 0.25) {
                let share = reflectance(roughness, normal.z);
                let single = f0 * share.x + share.y;
                let lost = 1.0 - share.x - share.y;
                let average = f0 + (1.0 - f0) / 21.0;
                let expected = single * (1.0 + lost * average / (1.0 - lost * average));
                let got = radiance_of(pixel[1]) / 0.5;
                assert!(
                    (got - expected).abs() < 0.025,
                    "F0 {f0}, roughness {roughness}, n·v {}: {got}, not {expected}",
                    normal.z
                );
            }
        }
    }
}

#[test]
fn no_surface_returns_more_of_the_key_light_than_it_gets() {
    const RADIANCE: f32 = 0.1;
    const DIRECTIONS: usize = 96;
    let mut studio = Studio::new(8);
    for (metallic, roughness) in [(0.0, 0.5), (0.0, 1.0), (1.0, 0.6), (1.0, 1.0)] {
        for yaw_degrees in [0.0, 55f32] {
            let document = Arc::new(plate(Vec3::ZERO, metallic, roughness));
            let mut view = parallel_view();
            view.camera.yaw_radians = yaw_degrees.to_radians();
            view.camera.distance = 0.4;
            let mut sum = 0.0;
            for i in 0..DIRECTIONS {
                // Evenly over the hemisphere.
                let z = (i as f32 + 0.5) / DIRECTIONS as f32;
                let angle = 2.399_963_2 * i as f32;
                let across = (1.0 - z * z).sqrt();
                studio.renderer.set_environment(Environment {
                    key_direction: Vec3::new(across * angle.cos(), across * angle.sin(), z),
                    key_radiance: Vec3::splat(RADIANCE),
                    key_width: 0.02,
                    key_specular: 1.0,
                    ..Environment::furnace(0.0)
                });
                let picture = studio.shoot(vec![Character::new(document.clone())], &view);
                sum += radiance_of(picture.pixel(4, 4)[1]);
            }
            // ∫ L dω / (π · irradiance / π).
            let albedo = 2.0 * sum / DIRECTIONS as f32 / RADIANCE;
            // Metal loses what would bounce more than once; only the sky gives it back.
            let least = if metallic > 0.0 { 0.6 } else { 0.93 };
            assert!(
                (least..=1.03).contains(&albedo),
                "metallic {metallic}, roughness {roughness}, seen from {yaw_degrees}°: {albedo}"
            );
        }
    }
}

#[test]
fn a_mirror_shows_the_sky_where_it_is() {
    let mut studio = Studio::new(320);
    for light in Light::ALL {
        let mut environment = Environment::of(light);
        environment.key_radiance = Vec3::ZERO;
        studio.renderer.set_environment(environment);
        let document = ball(Vec3::ONE, 1.0, 0.0);
        let picture = studio.shoot(vec![Character::new(Arc::new(document))], &parallel_view());
        let (mut same, mut all) = (0, 0);
        for (normal, pixel) in ball_pixels(&picture) {
            let reflected = normal * (2.0 * normal.z) - Vec3::Z;
            // Towards the rim a pixel sees much of the sky at once.
            if normal.z < 0.35 {
                continue;
            }
            let expected = tone_mapped(environment.sky.radiance(reflected.normalize()));
            let got = Vec3::from_array(core::array::from_fn(|i| linear_from_srgb(pixel[i])));
            all += 1;
            same += usize::from(got.abs_diff_eq(expected, 0.04));
        }
        assert!(
            same * 100 >= all * 85,
            "{light:?}: {same} of {all} pixels show the sky"
        );
    }
}

#[test]
fn radiance_is_tone_mapped_as_khronos_publishes_it() {
    let mut studio = Studio::new(8);
    studio.renderer.set_environment(Environment::furnace(0.0));
    for emissive in [
        Vec3::splat(0.02),
        Vec3::splat(0.5),
        Vec3::new(0.6, 0.1, 0.04),
        Vec3::new(0.9, 0.5, 0.2),
        Vec3::new(3.0, 0.4, 0.1),
        Vec3::splat(4.0),
    ] {
        let pixel = studio.middle(plate(emissive, 1.0, 1.0));
        let expected = tone_mapped(emissive);
        for (byte, expected) in pixel.iter().zip(expected.to_array()) {
            let got = linear_from_srgb(*byte);
            assert!(
                (got - expected).abs() < 0.006,
                "{emissive}: {got}, not {expected}"
            );
        }
    }
}

#[test]
fn a_bent_normal_reflects_nothing_from_below_the_surface() {
    let mut studio = Studio::new(16);
    studio.renderer.set_environment(Environment::furnace(0.5));
    let mut share_at = |tilt_degrees: f32| {
        let mut document = plate(Vec3::ZERO, 1.0, 0.0);
        let mesh = &mut document.meshes[0].primitives[0];
        mesh.tangents = mesh
            .normals
            .iter()
            .map(|n| Vec4::new(n.z, n.x, n.y, 1.0))
            .collect();
        let (sin, cos) = tilt_degrees.to_radians().sin_cos();
        let texel = [sin, 0.0, cos].map(|x| (x * 127.5 + 127.5).round() as u8);
        document.images = vec![Image {
            name: "tilt".to_owned(),
            width: 1,
            height: 1,
            format: PixelFormat::Rgba8,
            pixels: vec![texel[0], texel[1], texel[2], 255],
            placeholder: None,
        }];
        document.textures = vec![Texture {
            image: 0,
            sampler: Sampler::default(),
        }];
        document.materials[0].normal_texture = Some(TextureRef {
            texture: 0,
            uv_set: 0,
            uv_transform: Affine2::IDENTITY,
        });
        let picture = studio.shoot(vec![Character::new(Arc::new(document))], &parallel_view());
        radiance_of(picture.pixel(8, 8)[1]) / 0.5
    };
    // The mirror's direction is twice as steep: above, along and 30° below the plane.
    for (tilt_degrees, open) in [(30.0, 1.0), (45.0, 1.0), (60.0, 0.25)] {
        let got = share_at(tilt_degrees);
        assert!((got - open).abs() < 0.03, "{tilt_degrees}°: {got}");
    }
}

#[test]
fn presets_are_chosen_by_the_frame() {
    let mut studio = Studio::new(32);
    let mut middle = |light| {
        let view = View {
            light,
            ..parallel_view()
        };
        let document = Arc::new(ball(Vec3::ONE, 0.0, 0.5));
        studio
            .shoot(vec![Character::new(document)], &view)
            .pixel(16, 16)
    };
    let [studio_light, outdoor] = Light::ALL.map(&mut middle);
    assert_ne!(studio_light, outdoor);
    assert_eq!(middle(Light::Studio), studio_light, "and back");
}

/// Without reflections a polished ball has none of the studio's boxes on it, and is lit
/// all the same.
#[test]
fn reflections_can_be_left_out() {
    let mut studio = Studio::new(64);
    let mut greens = |reflections| -> Vec<u8> {
        let view = View {
            reflections,
            ..parallel_view()
        };
        let document = Arc::new(ball(Vec3::ONE, 1.0, 0.05));
        let pixels = studio.shoot(vec![Character::new(document)], &view);
        ball_pixels(&pixels).iter().map(|(_, p)| p[1]).collect()
    };
    // The largest step from one pixel to the next along the ball's rows.
    let edge = |greens: &[u8]| greens.windows(2).map(|w| w[0].abs_diff(w[1])).max();
    let [with, without] = [greens(true), greens(false)];
    assert!(edge(&with) > Some(60), "{:?}", edge(&with));
    assert!(edge(&without) < Some(30), "{:?}", edge(&without));
    let mean = |greens: &[u8]| {
        greens.iter().map(|&g| f32::from(g)).sum::<f32>() / 255.0 / greens.len() as f32
    };
    assert!(mean(&without) > 0.2, "{}", mean(&without));
}
