//! A few small pictures against references made by this program.
//!
//! `RIGSCOPE_BLESS=1 cargo test --test pictures` writes the references anew; look
//! at them before committing. A picture that differs is left in the target folder.

#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

mod rigs;

use std::{path::PathBuf, sync::Arc};

use glam::{Affine2, Mat4, Vec2, Vec3, Vec4};
use rigs::{Studio, framed};
use rigscope::{
    document::{AlphaMode, Filter, Image, PixelFormat, Sampler, Texture, TextureRef},
    math::Aabb,
    render::Pixels,
    scene::{Background, Character, JointScope, OrbitCamera, Shading, View},
};

/// Largest difference of a channel that passes, and the share of pixels that may
/// differ more: rasterisers round edges differently.
const CHANNEL_TOLERANCE: u8 = 10;
const BAD_SHARE: f64 = 0.01;

fn compare_with_reference(name: &str, pixels: &Pixels) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"));
    let save = |path: &std::path::Path| {
        image::save_buffer(
            path,
            &pixels.rgba,
            pixels.width,
            pixels.height,
            image::ColorType::Rgba8,
        )
        .expect("the picture can be written");
    };
    if std::env::var_os("RIGSCOPE_BLESS").is_some() {
        save(&path);
        return;
    }
    let reference = image::open(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .to_rgba8();
    assert_eq!(reference.dimensions(), (pixels.width, pixels.height));
    let bad = reference
        .as_raw()
        .chunks(4)
        .zip(pixels.rgba.chunks(4))
        .filter(|(a, b)| {
            a.iter()
                .zip(*b)
                .any(|(a, b)| a.abs_diff(*b) > CHANNEL_TOLERANCE)
        })
        .count();
    let all = f64::from(pixels.width * pixels.height);
    if bad as f64 > all * BAD_SHARE {
        let actual = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
        save(&actual);
        panic!(
            "{name}: {bad} of {all} pixels differ; see {}",
            actual.display()
        );
    }
}

/// The tube, bent, textured by a checker and morphed a little.
fn model() -> Character {
    let mut document = rigs::bending_tube(5, 4);
    rigs::add_swell(&mut document, 0.25, true);
    document.instances[0].morph_weights = vec![0.6];
    let texel = |x: usize, y: usize| {
        if (x + y).is_multiple_of(2) {
            [235, 180, 90, 255]
        } else {
            [40, 80, 150, 255]
        }
    };
    document.images = vec![Image {
        name: "checker".to_owned(),
        width: 8,
        height: 8,
        format: PixelFormat::Rgba8,
        pixels: (0..64).flat_map(|i| texel(i % 8, i / 8)).collect(),
        placeholder: None,
    }];
    document.textures = vec![Texture {
        image: 0,
        sampler: Sampler {
            mag: Filter::Nearest,
            mip: Some(Filter::Linear),
            ..Sampler::default()
        },
    }];
    let material = &mut document.materials[0];
    material.base_color = Vec4::ONE;
    material.roughness = 0.35;
    material.base_color_texture = Some(TextureRef {
        texture: 0,
        uv_set: 0,
        uv_transform: Affine2::from_scale(Vec2::new(1.0, 2.0)),
    });
    let mut character = Character::new(Arc::new(document));
    character.player.seek(0.8);
    character.update();
    character
}

#[test]
fn pictures() {
    let mut studio = Studio::new(128);
    let base = framed(&model());
    let views = [
        ("shaded", base.clone()),
        (
            "clay_skeleton",
            View {
                shading: Shading::Clay,
                skeleton: true,
                selected_joint: Some(3),
                axes: JointScope::Selected,
                ..base.clone()
            },
        ),
        (
            "normals_wireframe_light",
            View {
                shading: Shading::Normals,
                wireframe: true,
                background: Background::Light,
                ..base.clone()
            },
        ),
        (
            "transparent_from_behind",
            View {
                camera: OrbitCamera {
                    yaw_radians: 2.6,
                    pitch_radians: 0.6,
                    ..base.camera
                },
                background: Background::Transparent,
                ..base
            },
        ),
    ];
    for (name, view) in views {
        let pixels = studio.shoot(vec![model()], &view);
        compare_with_reference(name, &pixels);
    }

    // Metal and glass: reflections, and blending over what is behind.
    let mut ball = rigs::document(
        "ball",
        vec![rigs::joint("a", None, Vec3::ZERO)],
        rigs::tube(0.5, 1.0, 32, 48),
    );
    ball.meshes[0].primitives[0].material = Some(0);
    ball.materials = vec![rigs::paint(Vec4::new(0.95, 0.78, 0.45, 1.0), 1.0, 0.25)];
    let mut glass = ball.clone();
    glass.materials = vec![rigs::paint(Vec4::new(0.3, 0.6, 0.9, 0.45), 0.0, 0.1)];
    glass.materials[0].alpha_mode = AlphaMode::Blend;
    let metal = Character::new(Arc::new(ball));
    let mut pane = Character::new(Arc::new(glass));
    pane.world_from_model = Mat4::from_translation(Vec3::new(0.85, 0.0, 0.45));
    let mut view = View::default();
    view.camera.frame(
        Aabb::from_points([Vec3::new(-0.5, 0.0, -0.5), Vec3::new(1.3, 1.0, 0.9)]),
        1.0,
    );
    let pixels = studio.shoot(vec![pane, metal], &view);
    compare_with_reference("metal_and_glass", &pixels);
}
