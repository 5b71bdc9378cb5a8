//! Weights as colours, and the preview of four influences, where the numbers can be known.

mod rigs;

use std::sync::Arc;

use glam::{Mat4, Vec3};
use rigs::{Studio, front_view, weighted_square as square};
use rigscope::{
    analysis::influences::{Keep, four},
    anim::{self, Weights},
    document::{Document, Influences, MeshInstance, Primitive},
    math::color::srgb_bytes,
    scene::{self, Character, Frame, NO_WEIGHTS, Ramp, Stage, VertexRef, View, WeightView, ramp},
};

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
    let full: &[(u16, f32)] = &[(1, 1.0)];
    let half: &[(u16, f32)] = &[(1, 0.4), (0, 0.6)];
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
        character.technique.weights = weights;
        let pixels = studio.shoot(vec![character], &seen(WeightView::Joint, Some(1)));
        let [red, green, blue, _] = pixels.pixel(16, 16);
        [red, green, blue]
    };
    let pixel = shoot(&mut studio, Weights::Normalized);
    assert_color(pixel, legend.srgb(0.5), "0.3 of 0.6");
    let frame = {
        let mut character = Character::new(Arc::new(square([corner; 4])));
        character.technique.weights = Weights::Stored;
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
        character.technique.weights = weights;
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
    stage.characters[0].skinned = false;
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
fn broken_poses_do_no_harm() {
    let mut character = tube();
    character
        .globals
        .set_world(0, Mat4::from_scale(Vec3::splat(f32::NAN)));
    for view in WeightView::ALL {
        let mut view = seen(view, Some(0));
        view.selected_vertex = Some(VertexRef {
            instance: 0,
            primitive: 0,
            vertex: 3,
        });
        let frame = built(vec![character.clone()], &view);
        assert_eq!(frame.vertex, None);
        let heat = frame.heat.expect("weights are shown");
        if let Some(ramp) = heat.ramp {
            assert!(ramp.range[1].is_finite() && ramp.range[0] < ramp.range[1]);
        }
    }
}
