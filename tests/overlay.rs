//! The skeleton overlay in pixels: outlines, the part behind surfaces, overlaps.

mod rigs;

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use rigs::{Studio, front_view};
use rigscope::{
    document::Primitive,
    render::{Pixels, Quality},
    scene::{self, Bone, BoneStyle, Character, Frame, JointDot, Line, Stage, View},
};

/// Share of the light that the shader leaves to an outline.
const OUTLINE_SHADE: f32 = 0.13;
/// Brightness of the darkest facet over that of the lightest.
const DARKEST: f32 = 0.7;
/// Outline width in points.
const OUTLINE: f32 = 1.1;
/// Opacity behind a surface.
const BEHIND: f32 = 0.62;

fn upright(x: f32, z: f32, radius: f32) -> Bone {
    Bone {
        joint: 0,
        from: Vec3::new(x, -0.5, z),
        to: Vec3::new(x, 0.5, z),
        side: Vec3::X,
        radius,
        color: Vec4::ONE,
    }
}

/// A frame of nothing but these, seen from +Z.
fn bare(view: &View, bones: Vec<Bone>, joints: Vec<JointDot>) -> Frame {
    let mut frame = Frame::default();
    scene::build(&Stage::default(), view, 1.0, &mut frame);
    (frame.bones, frame.joints) = (bones, joints);
    frame
}

/// A black square of two units at z = 0 before these bones.
fn before_black(view: &View, bones: Vec<Bone>) -> Frame {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let mut document = rigs::document(
        "square",
        vec![rigs::joint("a", None, Vec3::ZERO)],
        rigs::finished(Primitive {
            positions: corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
            normals: vec![Vec3::Z; 4],
            uvs: [vec![Vec2::ZERO; 4], Vec::new()],
            indices: vec![0, 1, 2, 0, 2, 3],
            material: Some(0),
            ..Primitive::default()
        }),
    );
    document.materials = vec![rigs::paint(Vec4::new(0.0, 0.0, 0.0, 1.0), 0.0, 1.0)];
    document.materials[0].unlit = true;
    let stage = Stage {
        characters: vec![Character::new(Arc::new(document))],
    };
    let mut frame = Frame::default();
    scene::build(&stage, view, 1.0, &mut frame);
    frame.bones = bones;
    frame
}

/// How many pixels wide fill and left outline are in a row: the outline is what is
/// covered but not filled.
fn widths(pixels: &Pixels, y: u32) -> (f32, f32) {
    let row: Vec<[f32; 2]> = (0..pixels.width)
        .map(|x| pixels.pixel(x, y))
        .map(|p| [f32::from(p[0]) / 255.0, f32::from(p[3]) / 255.0])
        .collect();
    let middle = row.iter().map(|p| p[0]).fold(0.0, f32::max);
    let dark = middle * OUTLINE_SHADE;
    let (mut fill, mut outline) = (0.0, 0.0);
    for [value, alpha] in row {
        let share = ((value - dark) / (middle * DARKEST - dark)).clamp(0.0, 1.0);
        fill += alpha * share;
        outline += alpha * (1.0 - share);
    }
    (fill, outline / 2.0)
}

#[test]
fn an_outline_is_as_wide_from_near_and_far_and_scales_with_the_display() {
    let mut studio = Studio::new(160);
    let mut fills = Vec::new();
    for orthographic in [false, true] {
        for scale in [1.0, 2.0] {
            for distance in [2.0, 4.0] {
                let mut view = front_view();
                view.camera.distance = distance;
                view.camera.orthographic = orthographic;
                studio.renderer.set_pixels_per_point(scale);
                let frame = bare(&view, vec![upright(0.0, 0.0, 0.12)], Vec::new());
                let pixels = studio.shoot_frame(&frame);
                let (fill, outline) = widths(&pixels, 86);
                assert!(
                    (outline - OUTLINE * scale).abs() < 0.25,
                    "{outline} px at {distance}, scale {scale}, parallel: {orthographic}"
                );
                fills.push(fill);
            }
        }
    }
    for pair in fills.chunks(2) {
        assert!((pair[0] / pair[1] - 1.8).abs() < 0.2, "{fills:?}");
    }
}

#[test]
fn a_far_bone_and_a_far_joint_keep_a_readable_size() {
    let mut studio = Studio::new(96);
    let mut view = front_view();
    view.camera.distance = 6.0;
    for scale in [1.0, 2.0] {
        studio.renderer.set_pixels_per_point(scale);
        let frame = bare(&view, vec![upright(0.0, 0.0, 1e-5)], Vec::new());
        let pixels = studio.shoot_frame(&frame);
        let (fill, _) = (45..54)
            .map(|y| widths(&pixels, y))
            .fold((0f32, 0f32), |a, b| (a.0.max(b.0), a.1.max(b.1)));
        assert!(
            fill > 1.5 * scale && fill < 4.0 * scale,
            "{fill} at {scale}"
        );

        let dot = |room| JointDot {
            joint: 0,
            position: Vec3::ZERO,
            radius: 1e-5,
            least_radius: 3.0,
            room,
            color: Vec4::ONE,
        };
        let shoot = |studio: &mut Studio, room| {
            let pixels = studio.shoot_frame(&bare(&view, Vec::new(), vec![dot(room)]));
            let sum: u32 = pixels.rgba.chunks(4).map(|p| u32::from(p[3])).sum();
            (sum as f32 / 255.0 / core::f32::consts::PI).sqrt()
        };
        let roomy = shoot(&mut studio, f32::INFINITY);
        let crowded = shoot(&mut studio, 0.01);
        assert!((roomy / scale - 3.0 - OUTLINE).abs() < 0.25, "{roomy}");
        assert!((crowded / scale - 0.6 - OUTLINE).abs() < 0.25, "{crowded}");
    }
}

#[test]
fn behind_a_surface_a_bone_is_quieter_and_overlaps_do_not_add_up() {
    for samples in [1, 4] {
        let mut studio = Studio::with_quality(
            96,
            &Quality {
                samples,
                ..Quality::deterministic()
            },
        );
        for orthographic in [false, true] {
            let mut view = front_view();
            view.camera.orthographic = orthographic;
            let mut middle = |bones: Vec<Bone>| {
                let pixels = studio.shoot_frame(&before_black(&view, bones));
                let [red, .., alpha] = pixels.pixel(46, 52);
                assert_eq!(alpha, 255);
                f32::from(red)
            };
            let front = middle(vec![upright(0.0, 0.4, 0.2)]);
            let behind = middle(vec![upright(0.0, -0.4, 0.2)]);
            assert!(front > 150.0, "{front}");
            assert!(
                (behind / front - BEHIND).abs() < 0.02,
                "{behind} behind, {front} in front, {samples} samples, parallel: {orthographic}"
            );
            let several = (0..5).map(|i| upright(0.0, -0.3 - 0.1 * i as f32, 0.2));
            let overlapping = middle(several.collect());
            assert!(
                (overlapping - behind).abs() <= 1.0,
                "{overlapping} where five overlap, {behind} for one"
            );
            assert_eq!(middle(Vec::new()), 0.0);
        }
    }
}

#[test]
fn a_bone_that_grazes_the_surface_fades_without_speckle() {
    for samples in [1, 4] {
        let mut studio = Studio::with_quality(
            128,
            &Quality {
                samples,
                ..Quality::deterministic()
            },
        );
        let bone = Bone {
            from: Vec3::new(0.0, -0.5, -0.05),
            to: Vec3::new(0.0, 0.5, 0.03),
            ..upright(0.0, 0.0, 0.001)
        };
        let view = front_view();
        let grazing = studio.shoot_frame(&before_black(&view, vec![bone]));
        let free = studio.shoot_frame(&bare(&view, vec![bone], Vec::new()));
        // Opacity from the tail, which is before the surface, down to the head.
        let opacities: Vec<f32> = (42..84)
            .map(|y| {
                let [value, .., alpha] = free.pixel(64, y).map(f32::from);
                f32::from(grazing.pixel(64, y)[0]) * 255.0 / (value * alpha)
            })
            .collect();
        assert!(opacities[0] > 0.97, "{opacities:?}");
        assert!((opacities[41] - BEHIND).abs() < 0.03, "{opacities:?}");
        for pair in opacities.windows(2) {
            let step = pair[0] - pair[1];
            assert!((-0.02..0.12).contains(&step), "{opacities:?}");
        }
    }
}

#[test]
fn a_bone_through_the_eye_does_not_cover_the_picture() {
    let mut studio = Studio::new(64);
    for orthographic in [false, true] {
        let mut view = front_view();
        view.camera.orthographic = orthographic;
        let bone = Bone {
            from: Vec3::new(0.1, 0.0, 0.0),
            to: Vec3::new(0.2, 0.3, 20.0),
            ..upright(0.0, 0.0, 0.01)
        };
        for (from, to) in [(bone.from, bone.to), (bone.to, bone.from)] {
            let frame = bare(&view, vec![Bone { from, to, ..bone }], Vec::new());
            let pixels = studio.shoot_frame(&frame);
            let covered = pixels.rgba.chunks(4).filter(|p| p[3] > 0).count();
            assert!((1..64 * 64 / 5).contains(&covered), "{covered} pixels");
        }
        let behind = bare(&view, vec![upright(0.0, 9.0, 0.1)], Vec::new());
        let pixels = studio.shoot_frame(&behind);
        if !orthographic {
            assert!(pixels.rgba.iter().all(|&byte| byte == 0));
        }
    }
}
#[test]
fn only_what_the_overlay_may_cover_is_drawn_and_that_is_enough() {
    let mut studio = Studio::new(120);
    // Nothing of it shows, but it reaches the eye: the whole picture is drawn.
    let unseen = upright(0.0, 9.0, 0.1);
    for scale in [1.0, 2.5] {
        studio.renderer.set_pixels_per_point(scale);
        for x in [-0.9, 0.0, 0.7] {
            let mut view = front_view();
            view.camera.pitch_radians = 0.4;
            let dot = JointDot {
                joint: 0,
                position: Vec3::new(x, 0.6, 0.3),
                radius: 0.1,
                least_radius: 3.5,
                room: 1.0,
                color: Vec4::ONE,
            };
            let bone = upright(x, 0.5, 0.11);
            let part = studio.shoot_frame(&bare(&view, vec![bone], vec![dot]));
            let whole = studio.shoot_frame(&bare(&view, vec![bone, unseen], vec![dot]));
            assert!(part == whole, "at {x}, scale {scale}");
        }
    }
}

fn line(from: Vec3, to: Vec3, width: f32, behind: f32) -> Line {
    Line {
        from,
        to,
        color: Vec4::ONE,
        width,
        behind,
    }
}

#[test]
fn a_line_behind_a_surface_is_paler_by_as_much_as_it_says() {
    for samples in [1, 4] {
        let quality = Quality {
            samples,
            ..Quality::deterministic()
        };
        let mut studio = Studio::with_quality(96, &quality);
        let view = front_view();
        let mut middle = |z: f32, behind| {
            let mut frame = before_black(&view, Vec::new());
            let (from, to) = (Vec3::new(0.0, -0.5, z), Vec3::new(0.0, 0.5, z));
            frame.lines = vec![line(from, to, 6.0, behind)];
            f32::from(studio.shoot_frame(&frame).pixel(48, 48)[0]) / 255.0
        };
        assert_eq!(middle(0.4, 0.25), 1.0, "before it, whole");
        assert!(
            (middle(-0.4, 0.25) - 0.25).abs() < 0.01,
            "{samples} samples"
        );
        assert_eq!(middle(-0.4, 1.0), 1.0, "axes are never hidden");
    }
}

#[test]
fn a_line_without_length_is_a_disc_and_ends_are_round() {
    let mut studio = Studio::new(96);
    let view = front_view();
    for scale in [1.0, 2.0] {
        studio.renderer.set_pixels_per_point(scale);
        let mut area = |to: Vec3| {
            let mut frame = bare(&view, Vec::new(), Vec::new());
            frame.lines = vec![line(Vec3::ZERO, to, 12.0, 1.0)];
            let pixels = studio.shoot_frame(&frame);
            let sum: u32 = pixels.rgba.chunks(4).map(|p| u32::from(p[3])).sum();
            sum as f32 / 255.0 / (scale * scale)
        };
        let disc = core::f32::consts::PI * 36.0;
        let dot = area(Vec3::ZERO);
        assert!(
            (dot / disc - 1.0).abs() < 0.03,
            "{dot} for {disc} at {scale}"
        );
        // The same disc, cut in two and drawn apart.
        let run = 96.0 / (6.0 * 17.5f32.to_radians().tan()) / scale;
        let long = area(Vec3::X * 0.5);
        let wanted = disc + 12.0 * run * 0.5;
        assert!(
            (long / wanted - 1.0).abs() < 0.03,
            "{long} for {wanted} at {scale}"
        );
    }
}

#[test]
fn a_stick_is_as_thick_from_near_and_far() {
    let mut studio = Studio::new(160);
    for scale in [1.0, 2.0] {
        for distance in [2.0, 4.0] {
            let mut view = front_view();
            view.camera.distance = distance;
            view.bone_style = BoneStyle::Sticks;
            studio.renderer.set_pixels_per_point(scale);
            let frame = bare(&view, vec![upright(0.0, 0.0, 0.12)], Vec::new());
            let (fill, outline) = widths(&studio.shoot_frame(&frame), 86);
            assert!((fill / scale - 2.2).abs() < 0.3, "{fill} at {scale}");
            assert!(
                (outline / scale - OUTLINE).abs() < 0.3,
                "{outline} at {scale}"
            );
        }
    }
}
