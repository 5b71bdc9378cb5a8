//! What is measured in the view, in numbers: bounds, trails, the ruler, the figure.
#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

mod rigs;

use std::{path::Path, sync::Arc};

use glam::{Mat4, Quat, Vec3};
use rigscope::{
    anim::{self, Hemisphere, Interpolation},
    document::{JointTracks, Keys, Track},
    import::{self, Progress},
    math::Aabb,
    scene::{
        self, BoundsKind, BoundsShown, Character, FIGURE_HEIGHT, Frame, NoteText, PoseSource, Ray,
        Ruler, RulerEnd, Stage, Trail, View,
    },
};

fn build(character: &Character, view: &View) -> Frame {
    let mut frame = Frame::default();
    let characters = vec![character.clone()];
    scene::build(&Stage { characters }, view, 1.0, &mut frame);
    frame
}

/// A file of the shared corpus; `None`, said aloud, where that is absent.
fn corpus(name: &str) -> Option<Character> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !root.exists() {
        println!("SKIPPED: ../shared is absent");
        return None;
    }
    let document = import::load(&root.join(name), &Progress::default()).expect(name);
    Some(Character::new(Arc::new(document)))
}

fn tube() -> Character {
    Character::new(Arc::new(rigs::bending_tube(5, 4)))
}

fn posed(character: &Character, time_secs: f32) -> Character {
    let mut posed = character.clone();
    posed.player.seek(time_secs);
    posed.update();
    posed
}

/// The box around every vertex, by the CPU reference.
fn vertex_box(character: &Character) -> Aabb {
    let document = &character.document;
    let mut bounds = Aabb::EMPTY;
    for (index, instance) in document.instances.iter().enumerate() {
        let weights = &character.pose.morph_weights[index];
        let mut palette = Vec::new();
        if let Some(skin) = instance.skin {
            character.palette(skin, &mut palette);
        }
        for primitive in &document.meshes[instance.mesh].primitives {
            for vertex in 0..primitive.vertex_count() {
                let place = if instance.skin.is_some() {
                    let rule = character.technique.weights;
                    anim::skinned_position(primitive, vertex, &palette, weights, rule)
                } else {
                    let world = character.globals.world(instance.joint);
                    world.transform_point3(anim::morphed_position(primitive, vertex, weights))
                };
                bounds.grow(character.world_from_model.transform_point3(place));
            }
        }
    }
    bounds
}

/// The box of a kind that a frame tells of.
fn noted(frame: &Frame, wanted: BoundsKind) -> Aabb {
    let found = frame.notes.iter().find_map(|note| match note.text {
        NoteText::Bounds(kind, size) if kind == wanted => Some((note.place, size)),
        _ => None,
    });
    let (max, size) = found.expect("the box is shown");
    Aabb {
        min: max - size,
        max,
    }
}

fn assert_boxes(a: Aabb, b: Aabb, slack: f32, what: &str) {
    let near = |a: Vec3, b: Vec3| a.abs_diff_eq(b, slack);
    assert!(
        near(a.min, b.min) && near(a.max, b.max),
        "{what}: {a:?} {b:?}"
    );
}

fn with_bounds() -> View {
    View {
        bounds: BoundsShown::ALL,
        ..View::default()
    }
}

#[test]
fn boxes_are_those_of_the_vertices_now_and_over_the_clip() {
    let mut moved = tube();
    moved.world_from_model = Mat4::from_translation(Vec3::new(3.0, 1.0, -2.0));
    let mut characters = vec![("tube", moved)];
    for name in [
        "blender/bl_human.glb",
        "gltf/Fox.glb",
        "blender/bl_shapekeys_skin.glb",
    ] {
        characters.extend(corpus(name).map(|character| (name, character)));
    }
    for (name, character) in characters {
        let seconds = character.player.duration_secs;
        let mut whole = Aabb::EMPTY;
        let frames = (seconds * 30.0) as usize;
        for frame in 0..=frames {
            let now = posed(&character, frame as f32 / frames as f32 * seconds);
            whole = whole.union(vertex_box(&now));
        }
        for share in [0.0, 0.37, 1.0] {
            let now = posed(&character, seconds * share);
            let frame = build(&now, &with_bounds());
            let exact = vertex_box(&now);
            let slack = exact.diagonal() * 1e-5;
            assert_boxes(noted(&frame, BoundsKind::Now), exact, slack, name);
            let clip = noted(&frame, BoundsKind::Clip);
            let slack = exact.diagonal() * 0.01;
            assert_boxes(clip, whole, slack, name);
        }
    }
}

#[test]
fn the_stored_box_goes_by_the_node_that_the_skin_overrules() {
    let mut document = rigs::bending_tube(5, 4);
    let stored = document.meshes[0].primitives[0].bounds;
    let offset = Vec3::new(0.0, 0.0, 7.0);
    document.skeleton.joints.push(rigscope::document::Joint {
        node: 5,
        translation: offset,
        ..Default::default()
    });
    document.skeleton.joint_of_node.push(5);
    document.instances[0].joint = 5;
    let character = Character::new(Arc::new(document));
    let frame = build(&character, &with_bounds());
    let shifted = Aabb {
        min: stored.min + offset,
        max: stored.max + offset,
    };
    assert_boxes(noted(&frame, BoundsKind::Stored), shifted, 1e-5, "stored");
    assert!(noted(&frame, BoundsKind::Now).max.z < 1.0, "the skin stays");
    // Twelve edges each, one of them in dashes.
    assert!(frame.lines.len() > 36);
    assert!(build(&character, &View::default()).lines.is_empty());
    assert!(build(&character, &View::default()).notes.is_empty());
}

#[test]
fn a_trail_is_where_the_sampler_puts_the_joint_in_every_mode() {
    let mut characters = vec![("tube", tube(), 4)];
    characters.extend(corpus("blender/bl_human_keys.glb").map(|c| ("keys", c, 12)));
    characters.extend(corpus("edge/edge_interp.glb").map(|c| ("interp", c, 1)));
    for (name, mut character, joint) in characters {
        for interpolation in Interpolation::ALL {
            character.technique.modes.interpolation = interpolation;
            character.technique.modes.hemisphere = Hemisphere::Keep;
            let trail = Trail::new(&character, joint).expect(name);
            let seconds = character.player.duration_secs;
            assert!(trail.points.len() as f32 > seconds * 60.0, "{name}");
            assert_eq!(trail.times_secs.last(), Some(&seconds), "{name}");
            let at = |time: f32| posed(&character, time).place(joint).expect("finite");
            let size = trail.length().max(1.0);
            for (place, &time) in trail.points.iter().zip(&trail.times_secs).step_by(7) {
                let wanted = at(time);
                assert!(
                    place.abs_diff_eq(wanted, size * 1e-5),
                    "{name} {time}: {place} {wanted}"
                );
            }
            for dot in trail.dots.iter().step_by(5) {
                assert!(
                    dot.place.abs_diff_eq(at(dot.time_secs), size * 1e-5),
                    "{name}"
                );
            }
            let first = trail.points[0].distance(trail.points[trail.points.len() - 1]);
            assert_eq!(trail.start_to_end(), first);
            assert!(trail.length() >= first);
        }
    }
}

/// A joint that goes a metre along x in one second, then stands, keyed at 0, 1 and 2 s,
/// and a child turning in a clip of 24 frames a second.
fn slider() -> Character {
    let mut document = rigs::document(
        "slider",
        vec![
            rigs::joint("cart", None, Vec3::ZERO),
            rigs::joint("lamp", Some(0), Vec3::Y),
        ],
        rigs::cube(0.2),
    );
    let baked: Vec<f32> = (0..=48).map(|frame| frame as f32 / 24.0).collect();
    document.clips = vec![rigscope::document::Clip {
        name: "Roll".to_owned(),
        duration_secs: 2.0,
        start_secs: 0.0,
        joints: vec![
            JointTracks::Trs {
                joint: 0,
                translation: Some(Track {
                    times: Arc::from([0.0, 1.0, 2.0]),
                    keys: Keys::Linear(vec![Vec3::ZERO, Vec3::X, Vec3::X]),
                }),
                rotation: None,
                scale: None,
            },
            JointTracks::Trs {
                joint: 1,
                translation: None,
                rotation: Some(Track {
                    keys: Keys::Linear(vec![Quat::IDENTITY; baked.len()]),
                    times: baked.into(),
                }),
                scale: None,
            },
        ],
        morphs: Vec::new(),
    }];
    Character::new(Arc::new(document))
}

#[test]
fn dots_are_even_in_time_and_keys_stand_out_unless_every_frame_has_one() {
    let character = slider();
    let trail = Trail::new(&character, 0).expect("it moves");
    assert!((trail.length() - 1.0).abs() < 1e-4, "{}", trail.length());
    assert!((trail.start_to_end() - 1.0).abs() < 1e-6);
    assert_eq!(trail.dots_per_sec, 24.0);
    let keys: Vec<f32> = (trail.dots.iter().filter(|dot| dot.is_key))
        .map(|dot| dot.time_secs)
        .collect();
    assert_eq!(keys, [0.0, 1.0, 2.0]);
    let even: Vec<f32> = (trail.dots.iter().filter(|dot| !dot.is_key))
        .map(|dot| dot.time_secs * 24.0)
        .collect();
    assert_eq!(even.len(), 49 - 3, "keys take the places of frames");
    assert!(
        even.iter()
            .all(|frame| (frame - frame.round()).abs() < 1e-3)
    );
    // The lamp has a key in every frame: none of them says anything.
    let baked = Trail::new(&character, 1).expect("it is carried along");
    assert!(baked.dots.iter().all(|dot| !dot.is_key) && baked.dots.len() == 49);
    // No clip, no trail.
    let mut standing = character;
    standing.set_source(PoseSource::Rest);
    assert_eq!(Trail::new(&standing, 0), None);
    assert_eq!(Trail::new(&slider(), 99), None);
}

#[test]
fn trails_of_the_selected_and_of_pinned_joints_are_shown_once_each() {
    let mut view = View {
        trail: true,
        selected_joint: Some(0),
        pinned_trails: vec![1, 0],
        ..View::default()
    };
    let joints = |view: &View| -> Vec<usize> {
        let frame = build(&slider(), view);
        frame.trails.iter().map(|trail| trail.joint).collect()
    };
    assert_eq!(joints(&view), [1, 0]);
    view.pinned_trails = vec![1];
    assert_eq!(joints(&view), [1, 0]);
    view.trail = false;
    assert_eq!(joints(&view), [1]);
    view.pin_selected();
    assert_eq!(view.pinned_trails, [1, 0]);
    view.pin_selected();
    assert_eq!(view.pinned_trails, [1]);
}

#[test]
fn the_ruler_follows_joints_and_surface_and_holds_on_to_the_ground() {
    let character = slider();
    let ground = Vec3::new(0.0, 0.0, 3.0);
    let measure = |from, to, time| {
        let view = View {
            ruler: Some(Ruler {
                from: Some(from),
                to: Some(to),
            }),
            ..View::default()
        };
        build(&posed(&character, time), &view)
            .ruler
            .expect("measured")
    };
    let lamp = RulerEnd::Joint(1);
    let at_rest = measure(RulerEnd::Joint(0), lamp, 0.0);
    assert_eq!(at_rest.offset(), Vec3::Y);
    let from_ground = measure(RulerEnd::Ground(ground), lamp, 1.0);
    assert!(
        from_ground
            .offset()
            .abs_diff_eq(Vec3::new(1.0, 1.0, -3.0), 1e-5)
    );
    assert!((from_ground.distance() - 11f32.sqrt()).abs() < 1e-5);

    // The front of the cube, a fifth of a metre across, seen from +Z.
    let ahead = |x: f32, y: f32| Ray {
        origin: Vec3::new(x, y, 5.0),
        direction: Vec3::NEG_Z,
    };
    let shown = build(&character, &View::default());
    let (point, place) = scene::surface_at(&shown, &ahead(0.03, 0.02)).expect("hit");
    assert!(
        place.abs_diff_eq(Vec3::new(0.03, 0.02, 0.1), 1e-5),
        "{place}"
    );
    let rolled = measure(RulerEnd::Surface(point), RulerEnd::Air(Vec3::ZERO), 1.0);
    assert!(
        rolled.from.abs_diff_eq(place + Vec3::X, 1e-5),
        "{}",
        rolled.from
    );
    let hidden = View {
        hidden_instances: vec![0],
        ..View::default()
    };
    let missed = scene::surface_at(&build(&character, &hidden), &ahead(0.0, 0.0));
    assert_eq!(missed, None, "hidden meshes are passed through");
    // An end that the document does not have measures nothing.
    let view = View {
        ruler: Some(Ruler::default().with(RulerEnd::Joint(9)).with(lamp)),
        ..View::default()
    };
    assert_eq!(build(&character, &view).ruler, None);
}

#[test]
fn a_point_of_a_bending_surface_goes_with_the_skin() {
    let character = posed(&tube(), 0.0);
    let ray = Ray {
        origin: Vec3::new(0.0, 1.5, 4.0),
        direction: Vec3::NEG_Z,
    };
    let shown = build(&character, &View::default());
    let (point, start) = scene::surface_at(&shown, &ray).expect("the tube is hit");
    assert!((start.z - 0.25).abs() < 0.01, "{start}");
    let bent = posed(&tube(), 1.0);
    let place = point
        .place(&bent, &mut Vec::new())
        .expect("it is somewhere");
    assert!(place.x > 0.3, "{place}");
    assert!(vertex_box(&bent).union(Aabb::from_points([place])) == vertex_box(&bent));
}

#[test]
fn the_figure_stands_beside_and_counts_only_while_it_is_shown() {
    let character = tube();
    let (without, with) = (
        build(&character, &View::default()),
        build(
            &character,
            &View {
                figure: true,
                ..View::default()
            },
        ),
    );
    assert_eq!((without.characters.len(), with.characters.len()), (1, 2));
    assert_eq!(without.ground_height, with.ground_height);
    let draw = with.characters[1].draws[0];
    let bounds = with.characters[1].document.meshes[0].primitives[0].bounds;
    let placed = bounds.transformed(draw.world_from_mesh);
    assert!((placed.size().y - FIGURE_HEIGHT).abs() < 1e-4);
    assert!((placed.min.y - with.ground_height).abs() < 1e-4);
    assert!(placed.max.x < without.bounds.min.x, "beside, not in it");
    assert_boxes(with.bounds, without.bounds.union(placed), 0.05, "framed");
    let view = View {
        figure: true,
        ..View::default()
    };
    let framed = scene::framed_bounds(&character, &view);
    assert_boxes(framed, with.bounds, 1e-4, "what the camera frames");
    assert_eq!(
        scene::framed_bounds(&character, &View::default()),
        scene::shown_bounds(&character, false)
    );
}
