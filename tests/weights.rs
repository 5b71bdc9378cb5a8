//! Weights as colours, the preview of four influences, and picking of vertices, where
//! the numbers can be known.

#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

mod rigs;

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use rigs::{Studio, front_view};
use rigscope::{
    analysis::influences::{Keep, four},
    anim::{self, Weights},
    document::{Document, Influences, MeshInstance, Primitive, Skin},
    math::color::srgb_bytes,
    scene::{
        self, Character, Frame, NO_WEIGHTS, Ramp, Ray, Stage, VertexRef, View, WeightView, ramp,
        vertex_at,
    },
};

/// The corners of a square of 2 × 2 about the origin, facing +Z.
const CORNERS: [(f32, f32); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];

/// A square whose corners have these influences, slot and weight. Joint 0 is the root,
/// joints 1 and 2 are far outside the picture.
fn square(corners: [&[(u16, f32)]; 4]) -> Document {
    let sets = corners.iter().map(|list| list.len().div_ceil(4)).max();
    let per_vertex = sets.unwrap_or(1).max(1) * 4;
    let mut influences = Influences {
        per_vertex,
        ..Influences::default()
    };
    for corner in corners {
        for place in 0..per_vertex {
            let (slot, weight) = corner.get(place).copied().unwrap_or_default();
            influences.joints.push(slot);
            influences.weights.push(weight);
        }
    }
    let primitive = rigs::finished(Primitive {
        positions: CORNERS.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        material: Some(0),
        influences,
        ..Primitive::default()
    });
    let far = Vec3::new(40.0, 0.0, 0.0);
    let joints = vec![
        rigs::joint("root", None, -far),
        rigs::joint("one", Some(0), far * 2.0),
        rigs::joint("two", Some(0), far * 2.0),
    ];
    let mut document = rigs::document("square", joints, primitive);
    let globals = document.skeleton.rest_globals();
    document.skins = vec![Skin {
        joints: vec![0, 1, 2],
        joint_from_mesh: globals.iter().map(Mat4::inverse).collect(),
        has_inverse_bind_matrices: true,
        ..Skin::default()
    }];
    document.instances[0].skin = Some(0);
    document.materials = vec![rigs::paint(Vec4::ONE, 0.0, 1.0)];
    document
}

fn seen(view: WeightView, joint: Option<usize>) -> View {
    View {
        weight_view: Some(view),
        selected_joint: joint,
        ..front_view()
    }
}

fn built(characters: Vec<Character>, view: &View) -> Frame {
    let mut frame = Frame::default();
    scene::build(&Stage { characters }, view, 1.0, &mut frame);
    frame
}

/// The middle pixel of a document in a weight view.
fn middle(studio: &mut Studio, document: Document, view: &View) -> [u8; 3] {
    let pixels = studio.shoot(vec![Character::new(Arc::new(document))], view);
    let [red, green, blue, alpha] = pixels.pixel(pixels.width / 2, pixels.height / 2);
    assert_eq!(alpha, 255);
    [red, green, blue]
}

fn assert_color(found: [u8; 3], wanted: [u8; 3], what: &str) {
    let off = found.iter().zip(wanted).map(|(a, b)| a.abs_diff(b)).max();
    assert!(off <= Some(2), "{what}: {found:?} instead of {wanted:?}");
}

#[test]
fn a_weight_has_the_legends_colour_where_the_surface_faces_the_eye() {
    let mut studio = Studio::new(33);
    let legend = Ramp::amount(1.0);
    for weight in [1e-3, 0.1, 0.25, 0.5, 0.75, 1.0] {
        let corner: &[(u16, f32)] = &[(1, weight), (0, 1.0 - weight)];
        let document = square([corner; 4]);
        let pixel = middle(&mut studio, document, &seen(WeightView::Joint, Some(1)));
        assert_color(pixel, legend.srgb(weight), &format!("weight {weight}"));
    }
    // No weight at all is grey, whatever the ramp begins with.
    let none = square([&[(0, 1.0)]; 4]);
    let pixel = middle(&mut studio, none.clone(), &seen(WeightView::Joint, Some(1)));
    assert_color(pixel, srgb_bytes(ramp::PLAIN), "no weight");
    let pixel = middle(&mut studio, none, &seen(WeightView::Joint, None));
    assert_color(pixel, srgb_bytes(ramp::PLAIN), "no joint selected");
    // Between vertices the number is blended, not the colour.
    let (full, half): (&[(u16, f32)], &[(u16, f32)]) = (&[(1, 1.0)], &[(1, 0.4), (0, 0.6)]);
    let document = square([full, half, half, full]);
    let pixel = middle(&mut studio, document, &seen(WeightView::Joint, Some(1)));
    assert_color(pixel, legend.srgb(0.7), "half-way");
}

#[test]
fn weights_are_summed_over_rows_and_sets_and_divided_as_the_skin_does() {
    let mut studio = Studio::new(33);
    let legend = Ramp::amount(1.0);
    let corner: &[(u16, f32)] = &[(1, 0.1), (0, 0.1), (0, 0.1), (0, 0.1), (1, 0.2)];
    let shoot = |studio: &mut Studio, weights| {
        let mut character = Character::new(Arc::new(square([corner; 4])));
        character.weights = weights;
        let pixels = studio.shoot(vec![character], &seen(WeightView::Joint, Some(1)));
        let [red, green, blue, _] = pixels.pixel(16, 16);
        [red, green, blue]
    };
    let pixel = shoot(&mut studio, Weights::Normalized);
    assert_color(pixel, legend.srgb(0.5), "0.3 of 0.6");
    let frame = {
        let mut character = Character::new(Arc::new(square([corner; 4])));
        character.weights = Weights::Stored;
        built(vec![character], &seen(WeightView::Joint, Some(1)))
    };
    let heat = frame.heat.expect("weights are shown");
    for bits in heat.values {
        assert!((f32::from_bits(bits) - 0.3).abs() < 1e-6, "as stored");
    }
    assert_eq!(heat.vertices, 4);
}

#[test]
fn the_other_views_have_their_colours_too() {
    let mut studio = Studio::new(33);
    for count in 1..=9u16 {
        let list: Vec<(u16, f32)> = (0..count).map(|_| (0, 1.0 / f32::from(count))).collect();
        let document = square([&list; 4]);
        let pixel = middle(&mut studio, document, &seen(WeightView::Influences, None));
        let wanted = srgb_bytes(ramp::count_color(usize::from(count)));
        assert_color(pixel, wanted, &format!("{count} influences"));
    }
    for (sum, reach) in [(0.7, 0.3), (1.22, 0.25), (0.998, 0.002)] {
        let document = square([&[(0, sum)]; 4]);
        let pixel = middle(&mut studio, document, &seen(WeightView::Sum, None));
        let wanted = Ramp::difference(reach).srgb(sum - 1.0);
        assert_color(pixel, wanted, &format!("sum {sum}"));
    }
    // One joint alone has its own colour.
    let document = square([&[(2, 1.0)]; 4]);
    let pixel = middle(&mut studio, document, &seen(WeightView::Joints, None));
    let own = rigscope::math::color::linear_from_oklab(ramp::joint_color(2));
    assert_color(pixel, srgb_bytes(own), "joint 2");
}

#[test]
fn vertices_without_weights_are_magenta_and_meshes_without_a_skin_grey() {
    let mut studio = Studio::new(33);
    for view in WeightView::ALL {
        let document = square([&[(0, 0.0)]; 4]);
        let pixel = middle(&mut studio, document, &seen(view, Some(1)));
        assert_color(pixel, srgb_bytes(ramp::UNWEIGHTED), view.label());
        let mut document = square([&[(0, 1.0)]; 4]);
        document.instances[0].skin = None;
        // Where the square is, its node may not be far away.
        document.skeleton.joints[0].translation = Vec3::ZERO;
        let pixel = middle(&mut studio, document, &seen(view, None));
        assert_color(pixel, srgb_bytes(ramp::PLAIN), view.label());
    }
    let frame = built(
        vec![Character::new(Arc::new(square([
            &[(0, 0.0)],
            &[(0, 1.0)],
            &[(0, 1.0)],
            &[(0, 1.0)],
        ])))],
        &seen(WeightView::Joint, Some(0)),
    );
    let heat = frame.heat.expect("weights are shown");
    assert_eq!((heat.values[0], heat.without_weights), (NO_WEIGHTS, 1));
}

#[test]
fn every_instance_has_values_of_its_own_and_hiding_one_moves_none() {
    let mut document = square([&[(1, 1.0)]; 4]);
    // The same mesh again under a skin in which slot 1 means joint 2, to the front.
    let mut other = document.skins[0].clone();
    other.joints.swap(1, 2);
    document.skins.push(other);
    document.instances.push(MeshInstance {
        skin: Some(1),
        ..document.instances[0].clone()
    });
    let character = Character::new(Arc::new(document));
    let mut view = seen(WeightView::Joint, Some(1));
    let weight_of = |frame: &Frame, draw: usize| {
        let heat = frame.heat.as_ref().expect("weights are shown");
        let start = frame.characters[0].draws[draw].heat_start.expect("a skin");
        f32::from_bits(heat.values[start as usize])
    };
    let frame = built(vec![character.clone()], &view);
    assert_eq!([0, 1].map(|draw| weight_of(&frame, draw)), [1.0, 0.0]);
    view.hidden_instances = vec![0];
    let frame = built(vec![character.clone()], &view);
    assert_eq!(weight_of(&frame, 0), 0.0);
    let mut studio = Studio::new(33);
    let pixels = studio.shoot(vec![character], &view);
    let [red, green, blue, _] = pixels.pixel(16, 16);
    assert_color([red, green, blue], srgb_bytes(ramp::PLAIN), "hidden");
}

/// A bent tube with eight influences a vertex whose weights do not sum to 1.
fn tube() -> Character {
    let mut character = Character::new(Arc::new(rigs::bending_tube(12, 8)));
    character.player.seek(1.0);
    character.update();
    character
}

#[test]
fn the_preview_of_four_influences_is_what_the_cpu_makes_of_them() {
    let gpu = rigs::gpu();
    let quality = rigscope::render::Quality::deterministic();
    let mut renderer = rigscope::render::Renderer::new(&gpu, &quality).expect("a fresh device");
    for weights in Weights::ALL {
        let mut character = tube();
        character.weights = weights;
        let primitive = &character.document.meshes[0].primitives[0];
        let mut palette = Vec::new();
        character.palette(0, &mut palette);
        let place = |influences: Influences, weights| {
            let reduced = Primitive {
                influences,
                ..primitive.clone()
            };
            let mut out = Vec::new();
            anim::deform_by_skin_matrices(&reduced, &palette, &[], weights, &mut out);
            out
        };
        let cut = place(four(&primitive.influences, Keep::FirstSet), weights);
        let whole = place(primitive.influences.clone(), Weights::Normalized);

        let frame = built(
            vec![character.clone()],
            &seen(WeightView::FourInfluences, None),
        );
        let read = renderer.read_deformed(&frame, 0, 0).expect("one draw");
        let heat = frame.heat.as_ref().expect("weights are shown");
        let mut largest = (0, 0.0);
        for vertex in 0..cut.len() {
            let off = read[0].positions[vertex].distance(cut[vertex]);
            assert!(off < 1e-4, "{weights:?}: vertex {vertex} is off by {off}");
            let wanted = cut[vertex].distance(whole[vertex]);
            let found = f32::from_bits(heat.values[vertex]);
            assert!(
                (found - wanted).abs() < 1e-4,
                "{weights:?} {vertex}: {found}, {wanted}"
            );
            if wanted > largest.1 {
                largest = (vertex, wanted);
            }
        }
        assert!(
            largest.1 > 0.02,
            "the tube is not moved at all: {largest:?}"
        );
        let peak = heat.peak.expect("vertices are out of place");
        assert!((peak.value - largest.1).abs() < 1e-4);
        // Vertices of a ring may be equally far off.
        assert!((cut[peak.at.vertex].distance(whole[peak.at.vertex]) - largest.1).abs() < 1e-4);
        // What is drawn otherwise is untouched.
        let frame = built(vec![character.clone()], &front_view());
        let read = renderer.read_deformed(&frame, 0, 0).expect("one draw");
        let all = place(primitive.influences.clone(), weights);
        for (vertex, position) in all.iter().enumerate() {
            assert!(read[0].positions[vertex].distance(*position) < 1e-4);
        }
    }
}

#[test]
fn four_influences_follow_the_pose_and_the_skinning_switch() {
    let mut stage = Stage {
        characters: vec![tube()],
    };
    let view = seen(WeightView::FourInfluences, None);
    let mut frame = Frame::default();
    let mut largest = |stage: &Stage| {
        scene::build(stage, &view, 1.0, &mut frame);
        frame.heat.as_ref().and_then(|heat| heat.peak)
    };
    let bent = largest(&stage).expect("out of place").value;
    stage.characters[0].player.seek(0.5);
    stage.characters[0].update();
    let less = largest(&stage).expect("out of place").value;
    assert!(less < bent * 0.8, "{less} {bent}");
    stage.characters[0].skinning = false;
    assert_eq!(largest(&stage), None);
}

#[test]
fn form_is_shaded_and_nothing_is_brighter_than_its_colour() {
    let mut studio = Studio::new(65);
    let mut view = seen(WeightView::Influences, None);
    view.camera.target = Vec3::Y;
    view.camera.distance = 4.0;
    let mut character = tube();
    character.player.seek(0.0);
    character.update();
    let pixels = studio.shoot(vec![character], &view);
    let row: Vec<u8> = (0..65)
        .map(|x| pixels.pixel(x, 32))
        .filter(|p| p[3] == 255)
        .map(|p| p[0])
        .collect();
    let (middle, edge) = (row[row.len() / 2], row[1]);
    let brightest = (1..9).map(|n| srgb_bytes(ramp::count_color(n))[0]).max();
    assert!(
        edge < middle - 20,
        "{edge} at the edge, {middle} in the middle"
    );
    assert!(row.iter().all(|&red| Some(red) <= brightest));
}

/// A ray through a point of the world as the camera of a frame sees it.
fn ray_to(frame: &Frame, point: Vec3) -> Ray {
    let clip = frame.camera.clip_from_view * frame.camera.view_from_world;
    let at = clip.project_point3(point);
    Ray::through(&frame.camera, Vec2::new(at.x, at.y)).expect("a usable camera")
}

fn picked(frame: &Frame, point: Vec3) -> Option<(usize, usize)> {
    vertex_at(frame, &ray_to(frame, point)).map(|hit| (hit.instance, hit.vertex))
}

#[test]
fn the_nearest_corner_is_picked_where_the_pose_has_brought_it() {
    for orthographic in [false, true] {
        let mut document = square([&[(1, 1.0)]; 4]);
        let mut view = front_view();
        view.camera.orthographic = orthographic;
        let frame = built(vec![Character::new(Arc::new(document.clone()))], &view);
        for (vertex, (x, y)) in CORNERS.into_iter().enumerate() {
            let inside = Vec3::new(x * 0.9, y * 0.8, 0.0);
            assert_eq!(picked(&frame, inside), Some((0, vertex)));
        }
        assert_eq!(picked(&frame, Vec3::new(1.1, 0.0, 0.0)), None);
        // The joint has moved since it was bound, and the square with it.
        document.skeleton.joints[1].translation.x += 2.5;
        let frame = built(vec![Character::new(Arc::new(document))], &view);
        assert_eq!(picked(&frame, Vec3::new(-0.9, 0.8, 0.0)), None);
        assert_eq!(picked(&frame, Vec3::new(1.6, 0.8, 0.0)), Some((0, 3)));
    }
}

#[test]
fn what_is_behind_or_hidden_or_turned_away_is_not_picked() {
    let mut document = square([&[(0, 1.0)]; 4]);
    document.instances.push(MeshInstance {
        skin: None,
        joint: 3,
        ..document.instances[0].clone()
    });
    document
        .skeleton
        .joints
        .push(rigs::joint("behind", None, Vec3::Z * -0.5));
    document.skeleton = rigs::skeleton(document.skeleton.joints.clone());
    let corner = Vec3::new(0.8, 0.8, 0.0);
    let mut view = front_view();
    let frame = built(vec![Character::new(Arc::new(document.clone()))], &view);
    assert_eq!(picked(&frame, corner), Some((0, 2)), "the one in front");
    view.hidden_instances = vec![0];
    let frame = built(vec![Character::new(Arc::new(document.clone()))], &view);
    assert_eq!(picked(&frame, corner), Some((1, 2)), "the one that is left");
    view.hidden_instances.clear();
    // From behind both are one-sided, until the material says otherwise.
    view.camera.yaw_radians = core::f32::consts::PI;
    let frame = built(vec![Character::new(Arc::new(document.clone()))], &view);
    assert_eq!(picked(&frame, corner), None);
    document.materials[0].double_sided = true;
    let frame = built(vec![Character::new(Arc::new(document))], &view);
    assert_eq!(picked(&frame, corner), Some((1, 2)));
}

#[test]
fn mirrored_and_morphed_surfaces_are_picked_as_they_are_drawn() {
    let mut document = square([&[(0, 1.0)]; 4]);
    // As a node, mirrored along x: what is at the right is the left corner.
    document.instances[0].skin = None;
    document.skeleton.joints[0].translation = Vec3::ZERO;
    document.skeleton.joints[0].scale = Vec3::new(-1.0, 1.0, 1.0);
    let frame = built(
        vec![Character::new(Arc::new(document.clone()))],
        &front_view(),
    );
    assert_eq!(picked(&frame, Vec3::new(0.9, 0.9, 0.0)), Some((0, 3)));
    // A joint of the skin that mirrors, likewise.
    let mut skinned = square([&[(1, 1.0)]; 4]);
    skinned.skeleton.joints[1].translation = Vec3::new(40.0, 0.0, 0.0);
    skinned.skins[0].joint_from_mesh[1] = Mat4::IDENTITY;
    skinned.skeleton.joints[1].scale = Vec3::new(-1.0, 1.0, 1.0);
    let frame = built(vec![Character::new(Arc::new(skinned))], &front_view());
    assert_eq!(picked(&frame, Vec3::new(0.9, 0.9, 0.0)), Some((0, 3)));

    let mut morphed = square([&[(0, 1.0)]; 4]);
    morphed.meshes[0].primitives[0].morph_targets = vec![rigscope::document::MorphTarget {
        positions: vec![Vec3::X * 3.0; 4],
        ..Default::default()
    }];
    morphed.meshes[0].morph_weights = vec![1.0];
    morphed.meshes[0].morph_names = vec![String::new()];
    morphed.instances[0].morph_weights = vec![1.0];
    let frame = built(vec![Character::new(Arc::new(morphed))], &front_view());
    assert_eq!(picked(&frame, Vec3::new(-0.9, 0.9, 0.0)), None);
    assert_eq!(picked(&frame, Vec3::new(2.2, 0.9, 0.0)), Some((0, 3)));
}

#[test]
fn a_copy_that_was_split_off_stands_for_the_files_vertex() {
    let mut document = square([&[(0, 1.0)]; 4]);
    let primitive = &mut document.meshes[0].primitives[0];
    // Corner 2 twice: the copy is what one of the triangles has.
    primitive.positions.push(primitive.positions[2]);
    primitive.normals.push(Vec3::Z);
    primitive.influences.joints.extend([0; 4]);
    primitive.influences.weights.extend([1.0, 0.0, 0.0, 0.0]);
    primitive.indices = vec![0, 1, 4, 0, 4, 3];
    let frame = built(vec![Character::new(Arc::new(document))], &front_view());
    assert_eq!(picked(&frame, Vec3::new(0.9, 0.8, 0.0)), Some((0, 2)));
}

#[test]
fn in_the_preview_the_surface_that_is_seen_is_picked() {
    // All of the weight that moves the square is in the second set.
    let corner: &[(u16, f32)] = &[(0, 0.5), (0, 0.0), (0, 0.0), (0, 0.0), (1, 0.5)];
    let mut document = square([corner; 4]);
    document.skeleton.joints[1].translation.x += 5.0;
    let stage = vec![Character::new(Arc::new(document))];
    let mut view = front_view();
    view.camera.distance = 8.0;
    let frame = built(stage.clone(), &view);
    assert_eq!(picked(&frame, Vec3::new(3.4, 0.9, 0.0)), Some((0, 2)));
    view.weight_view = Some(WeightView::FourInfluences);
    let frame = built(stage, &view);
    assert_eq!(picked(&frame, Vec3::new(3.4, 0.9, 0.0)), None);
    assert_eq!(picked(&frame, Vec3::new(0.9, 0.9, 0.0)), Some((0, 2)));
}

#[test]
fn the_mark_follows_the_vertex() {
    let character = tube();
    let at = VertexRef {
        instance: 0,
        primitive: 0,
        vertex: 700,
    };
    let mut view = View {
        selected_vertex: Some(at),
        ..front_view()
    };
    let mut palette = Vec::new();
    character.palette(0, &mut palette);
    let primitive = &character.document.meshes[0].primitives[0];
    let wanted = anim::skinned_position(primitive, 700, &palette, &[], Weights::Normalized);
    let frame = built(vec![character.clone()], &view);
    assert_eq!(frame.vertex.map(|mark| mark.position), Some(wanted));
    assert!(
        wanted.distance(primitive.positions[700]) > 0.1,
        "it is bent"
    );
    view.hidden_instances = vec![0];
    assert_eq!(built(vec![character], &view).vertex, None);
}

#[test]
fn broken_poses_and_large_meshes_do_no_harm() {
    let mut character = tube();
    let at = VertexRef {
        instance: 0,
        primitive: 0,
        vertex: 3,
    };
    character
        .globals
        .set_world(0, Mat4::from_scale(Vec3::splat(f32::NAN)));
    for view in WeightView::ALL {
        let mut view = seen(view, Some(0));
        view.selected_vertex = Some(at);
        let frame = built(vec![character.clone()], &view);
        assert_eq!(frame.vertex, None);
        assert_eq!(picked(&frame, Vec3::Y * 0.1), None);
        let heat = frame.heat.expect("weights are shown");
        if let Some(ramp) = heat.ramp {
            assert!(ramp.range[1].is_finite() && ramp.range[0] < ramp.range[1]);
        }
    }
    // 205 000 triangles are picked in a moment: some milliseconds, optimised.
    let mut document = square([&[(0, 1.0)]; 4]);
    let mut sphere = rigs::tube(1.0, 2.0, 320, 320);
    let count = sphere.positions.len();
    sphere.influences = Influences {
        per_vertex: 4,
        joints: vec![0; count * 4],
        weights: [0.5, 0.25, 0.25, 0.0].repeat(count),
    };
    document.meshes[0].primitives[0] = sphere;
    let turn = Quat::from_rotation_y(0.3);
    document.skeleton.joints[0].orientation = turn;
    let frame = built(vec![Character::new(Arc::new(document))], &front_view());
    let began = std::time::Instant::now();
    let hit = picked(&frame, Vec3::new(-40.0, 0.5, 0.0));
    println!(
        "picked {hit:?} of {count} vertices in {:?}",
        began.elapsed()
    );
}
