//! What comes out as pixels, where the numbers can be known.

mod common;
mod rigs;

use std::sync::Arc;

use glam::{Affine2, Quat, Vec2, Vec3, Vec4};
use rigs::{Studio, framed, front_view};
use rigscope::{
    document::{
        AlphaMode, Document, Filter, Image, MorphTarget, PixelFormat, Primitive, Sampler, Texture,
        TextureRef, Topology, Wrap,
    },
    import,
    render::{Quality, RenderError},
    scene::{self, Background, Character, Frame, Stage, View},
};

/// A square of 2 × 2 about the origin, facing +Z, v down.
fn square() -> Primitive {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    rigs::finished(Primitive {
        positions: corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        uvs: [
            corners.map(|(x, y)| Vec2::new(x, -y) * 0.5 + 0.5).to_vec(),
            vec![Vec2::new(0.9, 0.1); 4],
        ],
        indices: vec![0, 1, 2, 0, 2, 3],
        material: Some(0),
        ..Primitive::default()
    })
}

fn square_document(change: impl FnOnce(&mut Document)) -> Document {
    let mut document = rigs::document("square", vec![rigs::joint("a", None, Vec3::ZERO)], square());
    document.materials = vec![rigs::paint(Vec4::ONE, 0.0, 1.0)];
    change(&mut document);
    document
}

/// Two by two texels: red, green / blue, white.
fn four_texels(document: &mut Document) -> TextureRef {
    document.images = vec![Image {
        name: "four".to_owned(),
        width: 2,
        height: 2,
        format: PixelFormat::Rgba8,
        pixels: [
            [200, 10, 20, 255],
            [30, 180, 40, 255],
            [50, 60, 160, 255],
            [255, 255, 255, 255],
        ]
        .concat(),
        placeholder: None,
    }];
    document.textures = vec![Texture {
        image: 0,
        sampler: Sampler {
            mag: Filter::Nearest,
            min: Filter::Nearest,
            mip: None,
            wrap_u: Wrap::Repeat,
            wrap_v: Wrap::Repeat,
        },
    }];
    TextureRef {
        texture: 0,
        uv_set: 0,
        uv_transform: Affine2::IDENTITY,
    }
}

#[test]
fn unlit_colours_come_out_exactly() {
    let mut studio = Studio::new(32);
    for (linear, bytes) in [(0.5, 188), (0.0, 0), (1.0, 255), (0.2158605, 128)] {
        let pixel = studio.middle(square_document(|document| {
            document.materials[0].base_color = Vec4::new(linear, linear, linear, 1.0);
            document.materials[0].unlit = true;
        }));
        assert_eq!(pixel, [bytes, bytes, bytes, 255], "linear {linear}");
    }
}

#[test]
fn texels_keep_their_bytes_and_places() {
    let mut studio = Studio::new(64);
    let mut shoot = |change: fn(&mut Document)| {
        let document = square_document(|document| {
            let texture = four_texels(document);
            document.materials[0].base_color_texture = Some(texture);
            document.materials[0].unlit = true;
            change(document);
        });
        let pixels = studio.shoot(vec![Character::new(Arc::new(document))], &front_view());
        [(28, 28), (36, 28), (28, 36), (36, 36)].map(|(x, y)| pixels.pixel(x, y)[0])
    };
    assert_eq!(shoot(|_| {}), [200, 30, 50, 255]);
    let shifted: fn(&mut Document) = |document| {
        let texture = document.materials[0].base_color_texture.as_mut();
        texture.expect("it was just set").uv_transform =
            Affine2::from_translation(Vec2::new(0.5, 0.0));
    };
    assert_eq!(shoot(shifted), [30, 200, 255, 50], "KHR_texture_transform");
    let second_set: fn(&mut Document) = |document| {
        let texture = document.materials[0].base_color_texture.as_mut();
        texture.expect("it was just set").uv_set = 1;
    };
    assert_eq!(shoot(second_set), [30; 4], "texture coordinate set 1");
    let tinted: fn(&mut Document) =
        |document| document.meshes[0].primitives[0].colors = vec![Vec4::new(0.0, 1.0, 1.0, 1.0); 4];
    assert_eq!(shoot(tinted), [0; 4], "vertex colours multiply");
}

#[test]
fn alpha_modes_cover_what_they_should() {
    let mut studio = Studio::new(32);
    let mut shoot = |alpha_mode, alpha| {
        studio.middle(square_document(|document| {
            document.materials[0].base_color = Vec4::new(1.0, 1.0, 1.0, alpha);
            document.materials[0].alpha_mode = alpha_mode;
            document.materials[0].unlit = true;
        }))
    };
    assert_eq!(shoot(AlphaMode::Opaque, 0.25)[3], 255);
    assert_eq!(shoot(AlphaMode::Mask(0.5), 0.25), [0; 4]);
    assert_eq!(shoot(AlphaMode::Mask(0.5), 0.75)[3], 255);
    let half = shoot(AlphaMode::Blend, 0.5);
    assert!((127..=128).contains(&half[3]), "{half:?}");
    assert!(
        half[0] >= 252,
        "straight alpha leaves white white: {half:?}"
    );
}

#[test]
fn nothing_is_alpha_zero_and_backgrounds_are_opaque() {
    let mut studio = Studio::new(16);
    let empty = studio.shoot(Vec::new(), &front_view());
    assert!(empty.rgba.iter().all(|&byte| byte == 0));
    for background in [Background::Dark, Background::Light] {
        let view = View {
            background,
            ..View::default()
        };
        let pixels = studio.shoot(Vec::new(), &view);
        assert!(pixels.rgba.chunks(4).all(|pixel| pixel[3] == 255));
    }
}

#[test]
fn one_sided_surfaces_are_seen_from_the_front_only() {
    let mut studio = Studio::new(32);
    let mut seen = |turned: bool, mirrored: bool, double_sided: bool| {
        let document = square_document(|document| {
            let joint = &mut document.skeleton.joints[0];
            if turned {
                joint.orientation = Quat::from_rotation_y(core::f32::consts::PI);
            }
            if mirrored {
                joint.scale = Vec3::new(-1.0, 1.0, 1.0);
            }
            document.materials[0].double_sided = double_sided;
        });
        studio.middle(document)
    };
    let front = seen(false, false, false);
    assert_eq!(front[3], 255);
    assert_eq!(seen(true, false, false)[3], 0);
    // A mirror must change neither which side shows nor how it is lit.
    assert_eq!(seen(false, true, false), front);
    assert_eq!(seen(true, true, false)[3], 0);
    assert_eq!(seen(true, false, true), front);
    assert_eq!(seen(true, true, true), front);
}

#[test]
fn a_skin_that_mixes_mirrored_and_plain_joints_is_not_inside_out() {
    let mut studio = Studio::new(64);
    let mut shoot = |scale: Vec3| {
        let mut document = rigs::bending_tube(12, 4);
        document.skeleton.joints[4].scale = scale;
        document.materials[0].metallic = 0.0;
        let mut view = front_view();
        view.camera.target = Vec3::Y;
        view.camera.distance = 4.0;
        studio.shoot(vec![Character::new(Arc::new(document))], &view)
    };
    let plain = shoot(Vec3::ONE);
    // The tube is symmetric: a mirrored upper half looks the same.
    let mirrored = shoot(Vec3::new(-1.0, 1.0, 1.0));
    // Between plain and mirrored joints the surface pinches: only above counts.
    let (mut covered, mut different) = (0, 0);
    for (x, y) in (0..64).flat_map(|x| (0..26).map(move |y| (x, y))) {
        let (a, b) = (plain.pixel(x, y), mirrored.pixel(x, y));
        covered += usize::from(a[3] == 255);
        different += usize::from(a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 24));
    }
    assert!(covered > 100, "{covered} pixels show the tube");
    assert!(different * 10 < covered, "{different} of {covered} differ");
}

#[test]
fn edges_show_on_their_faces_and_not_through_others() {
    let mut studio = Studio::new(64);
    for orthographic in [false, true] {
        let mut shoot = |wireframe: bool, behind: &[u32]| {
            let document = square_document(|document| {
                let mesh = &mut document.meshes[0].primitives[0];
                let near = mesh.positions.clone();
                let far = near.iter().map(|&p| p * 0.5 - Vec3::Z * 0.3);
                mesh.positions.extend(far);
                mesh.normals.extend([Vec3::Z; 4]);
                mesh.uvs = Default::default();
                mesh.indices.extend(behind);
                *mesh = rigs::finished(mesh.clone());
            });
            let mut view = front_view();
            view.wireframe = wireframe;
            view.camera.orthographic = orthographic;
            view.camera.distance = 8.0;
            studio.shoot(vec![Character::new(Arc::new(document))], &view)
        };
        let plain = shoot(false, &[]);
        let edges = shoot(true, &[]);
        assert!(edges != plain, "no edges; parallel: {orthographic}");
        let hidden = shoot(true, &[4, 5, 6, 4, 6, 7]);
        assert!(hidden == edges, "hidden edges; parallel: {orthographic}");
    }
}

#[test]
fn points_and_lines_are_drawn() {
    let mut studio = Studio::new(33);
    for topology in [Topology::Points, Topology::Lines] {
        let document = square_document(|document| {
            document.meshes[0].primitives[0] = rigs::finished(Primitive {
                topology,
                positions: vec![Vec3::new(-0.5, 0.0, 0.0), Vec3::new(0.5, 0.0, 0.0)],
                indices: vec![0, 1],
                material: Some(0),
                ..Primitive::default()
            });
        });
        let pixels = studio.shoot(vec![Character::new(Arc::new(document))], &front_view());
        let white = pixels.rgba.chunks(4).filter(|p| p == &[255; 4]).count();
        let expected = if topology == Topology::Points {
            2..=2
        } else {
            15..=19
        };
        assert!(expected.contains(&white), "{topology:?}: {white} pixels");
    }
}

#[test]
fn the_ground_is_darker_under_a_character() {
    let mut studio = Studio::new(64);
    let mut shoot = |shadow: bool| {
        let mut document = rigs::document(
            "cube",
            vec![rigs::joint("a", None, Vec3::new(0.0, 0.5, 0.0))],
            rigs::cube(1.0),
        );
        document.materials = vec![rigs::paint(Vec4::ONE, 0.0, 1.0)];
        let character = Character::new(Arc::new(document));
        let mut view = framed(&character);
        view.camera.yaw_radians = 0.9;
        view.camera.pitch_radians = 0.7;
        view.camera.distance *= 1.6;
        view.grid = false;
        view.background = Background::Light;
        view.shadow = shadow;
        studio.shoot(vec![character], &view)
    };
    let (lit, shaded) = (shoot(false), shoot(true));
    let darker = lit
        .rgba
        .chunks(4)
        .zip(shaded.rgba.chunks(4))
        .filter(|(a, b)| u32::from(b[1]) + 40 < u32::from(a[1]))
        .count();
    let brighter = lit
        .rgba
        .chunks(4)
        .zip(shaded.rgba.chunks(4))
        .filter(|(a, b)| b[1] > a[1] + 1)
        .count();
    assert!((60..1200).contains(&darker), "{darker} pixels are darker");
    assert_eq!(brighter, 0);
}

#[test]
fn multisampling_smooths_an_edge_in_linear_light() {
    let quality = Quality {
        samples: 4,
        ..Quality::deterministic()
    };
    let mut studio = Studio::with_quality(64, &quality);
    if studio.target.samples() == 1 {
        println!("SKIPPED: this device cannot multisample");
        return;
    }
    let document = square_document(|document| {
        document.skeleton.joints[0].orientation = Quat::from_rotation_z(0.3);
        document.materials[0].unlit = true;
    });
    let pixels = studio.shoot(vec![Character::new(Arc::new(document))], &front_view());
    let mut levels: Vec<u8> = pixels.rgba.chunks(4).map(|p| p[3]).collect();
    levels.sort_unstable();
    levels.dedup();
    assert!(levels.len() >= 4, "{levels:?}");
    assert!(
        levels.iter().all(|l| [0, 64, 128, 191, 255].contains(l)),
        "{levels:?}"
    );
    let partly = pixels.rgba.chunks(4).filter(|p| p[3] > 0);
    for pixel in partly {
        assert!(pixel[0] >= 253, "white stays white at the edge: {pixel:?}");
    }
}

#[test]
fn empty_targets_are_skipped_and_resized_ones_drawn() {
    let mut studio = Studio::new(0);
    let frame = Frame::default();
    studio
        .renderer
        .render(&frame, &studio.target)
        .expect("nothing to draw is no error");
    assert!(studio.target.color_view().is_none());
    assert!(studio.renderer.read_pixels(&studio.target).is_err());
    assert!(studio.target.resize(7, 3));
    assert!(!studio.target.resize(7, 3));
    let pixels = studio.shoot_frame(&frame);
    assert_eq!((pixels.width, pixels.height, pixels.rgba.len()), (7, 3, 84));
}

#[test]
fn an_image_larger_than_the_device_takes_is_shrunk_with_a_message() {
    let mut studio = Studio::new(32);
    let limit = studio.gpu.device.limits().max_texture_dimension_2d;
    let pixel = studio.middle(square_document(|document| {
        let texture = four_texels(document);
        let image = &mut document.images[0];
        (image.width, image.height) = (limit + 2, 1);
        image.pixels = [10, 200, 30, 255].repeat(limit as usize + 2);
        document.materials[0].base_color_texture = Some(texture);
        document.materials[0].unlit = true;
    }));
    assert_eq!(pixel, [10, 200, 30, 255]);
    let messages = studio.renderer.take_messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("four") && messages[0].contains(&limit.to_string()));
}

#[test]
fn what_does_not_fit_is_refused_by_name_and_number() {
    let mut studio = Studio::new(16);
    let limit = studio.gpu.device.limits().max_storage_buffer_binding_size;
    let mut document = rigs::document(
        "giant",
        vec![rigs::joint("a", None, Vec3::ZERO)],
        rigs::tube(1.0, 1.0, 300, 300),
    );
    // Targets without displacements weigh nothing here, but zeros on the device.
    let vertices = document.vertex_count() as u64;
    let targets = (limit / (vertices * 12) + 1) as usize;
    let mesh = &mut document.meshes[0];
    mesh.primitives[0].morph_targets = vec![MorphTarget::default(); targets];
    mesh.morph_weights = vec![0.0; targets];
    document.instances[0].morph_weights = vec![0.0; targets];
    let mut frame = Frame::default();
    let stage = Stage {
        characters: vec![Character::new(Arc::new(document))],
    };
    scene::build(&stage, &front_view(), 1.0, &mut frame);
    match studio.renderer.render(&frame, &studio.target) {
        Err(RenderError::TooLarge { object, bytes, .. }) => {
            assert!(object.contains("giant"), "{object}");
            assert!(bytes > limit);
        }
        other => panic!("{other:?}"),
    }
    // Once is enough: later frames do without it.
    let again = studio.renderer.render(&frame, &studio.target);
    assert!(again.is_ok(), "{again:?}");
    assert_eq!(studio.renderer.document_count(), 0);
    // The renderer lives on.
    let pixel = studio.middle(square_document(|document| {
        document.materials[0].unlit = true;
    }));
    assert_eq!(pixel, [255; 4]);
}

#[test]
fn documents_are_forgotten_when_no_frame_shows_them() {
    let mut studio = Studio::new(8);
    let view = front_view();
    let shown = Arc::new(square_document(|_| {}));
    studio.shoot(vec![Character::new(shown.clone())], &view);
    studio.shoot(vec![Character::new(shown.clone())], &view);
    assert_eq!(studio.renderer.document_count(), 1);
    let other = Arc::new(square_document(|_| {}));
    studio.shoot(vec![Character::new(other.clone())], &view);
    assert_eq!(
        studio.renderer.document_count(),
        2,
        "kept for a switch back"
    );
    for _ in 0..20 {
        studio.shoot(vec![Character::new(other.clone())], &view);
    }
    assert_eq!(studio.renderer.document_count(), 1);
    drop((shown, other));
    studio.shoot(Vec::new(), &view);
    assert_eq!(
        studio.renderer.document_count(),
        0,
        "nobody holds them any more"
    );
}

#[test]
fn every_corpus_file_draws_without_device_errors() {
    let Some(paths) = common::model_files() else {
        return;
    };
    let mut studio = Studio::new(48);
    let mut files = 0;
    for path in paths {
        // What the importer refuses is the importer's own test.
        let Ok(document) = import::load(&path, &import::Progress::new()) else {
            continue;
        };
        let character = Character::new(Arc::new(document));
        let bounds = scene::animated_bounds(&character);
        // From two sides: some are one-sided planes.
        let covered: usize = [0.5, 0.5 + core::f32::consts::PI]
            .into_iter()
            .map(|yaw_radians| {
                let mut view = front_view();
                view.skeleton = true;
                view.camera.yaw_radians = yaw_radians;
                view.camera.pitch_radians = 0.3;
                view.camera.frame(bounds, 1.0);
                let pixels = studio.shoot(vec![character.clone()], &view);
                pixels.rgba.chunks(4).filter(|p| p[3] > 0).count()
            })
            .sum();
        assert!(
            covered > 0 || bounds.diagonal() == 0.0,
            "{} shows nothing in {bounds:?}",
            path.display()
        );
        files += 1;
    }
    println!("{files} files");
    assert!(files >= 80, "only {files} files were drawn");
}
