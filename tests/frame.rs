//! Frames as plain data: bounds, ground, overlay, and no allocation once warm.

#[path = "support/counting.rs"]
mod counting;
mod rigs;

use std::sync::Arc;

use glam::{Mat4, Vec3};
use rigscope::{
    anim::Weights,
    document::Document,
    math::Aabb,
    scene::{
        self, BoundsShown, Character, Frame, JointScope, PoseSource, Ruler, RulerEnd, Stage, View,
        animated_bounds,
    },
};

fn build(characters: Vec<Character>, view: &View) -> Frame {
    let mut frame = Frame::default();
    scene::build(&Stage { characters }, view, 1.0, &mut frame);
    frame
}

#[test]
fn building_a_warm_frame_allocates_nothing() {
    let mut document = rigs::bending_tube(12, 8);
    rigs::add_swell(&mut document, 0.1, true);
    let document = Arc::new(document);
    let mut stage = Stage {
        characters: vec![Character::new(document.clone()), Character::new(document)],
    };
    let view = View {
        skeleton: true,
        names: JointScope::All,
        axes: JointScope::Selected,
        selected_joint: Some(4),
        hovered_joint: Some(2),
        hidden_instances: vec![7],
        bounds: BoundsShown::ALL,
        trail: true,
        pinned_trails: vec![1],
        figure: true,
        ruler: Some(Ruler {
            from: Some(RulerEnd::Joint(3)),
            to: Some(RulerEnd::Ground(Vec3::X)),
        }),
        ..View::default()
    };
    let mut frame = Frame::default();
    scene::build(&stage, &view, 1.0, &mut frame);
    assert!(frame.trails.len() == 2 && frame.ruler.is_some() && frame.notes.len() > 3);
    assert!(!frame.bones.is_empty() && !frame.labels.is_empty() && !frame.lines.is_empty());
    let poses = [0.1, 0.5, 0.9];
    for time_secs in poses {
        for character in &mut stage.characters {
            character.player.seek(time_secs);
            character.update();
        }
        let count = counting::allocations(|| scene::build(&stage, &view, 1.5, &mut frame));
        assert_eq!(count, 0, "at {time_secs} s");
    }
}

/// The box around every vertex at many times, by brute force.
fn exact_bounds(character: &Character) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    let mut frame = Frame::default();
    for step in 0..=60 {
        let mut posed = character.clone();
        posed
            .player
            .seek(character.player.duration_secs * step as f32 / 60.0);
        posed.update();
        let stage = Stage {
            characters: vec![posed],
        };
        scene::build(&stage, &View::default(), 1.0, &mut frame);
        for draw in &frame.characters[0].draws {
            let document = &frame.characters[0].document;
            let mesh = &document.meshes[document.instances[draw.instance].mesh];
            for primitive in &mesh.primitives {
                for (v, position) in primitive.positions.iter().enumerate() {
                    let start = draw.palette_start.expect("the tube is skinned") as usize;
                    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
                    for (slot, weight) in primitive.influences.of_vertex(v) {
                        let matrix = frame.skin_matrices[start + usize::from(slot)];
                        sum += matrix.transform_point(*position) * weight;
                        total += weight;
                    }
                    bounds.grow(draw.world_from_mesh.transform_point3(sum / total));
                }
            }
        }
    }
    bounds
}

#[test]
fn animated_bounds_are_those_of_the_vertices_over_the_clip() {
    for joints in [1, 5, 20] {
        let mut character = Character::new(Arc::new(rigs::bending_tube(joints, 4)));
        character.world_from_model = Mat4::from_translation(Vec3::new(3.0, 1.0, -2.0));
        let (quick, exact) = (animated_bounds(&character), exact_bounds(&character));
        let slack = exact.diagonal() * 0.02;
        assert!(
            quick.min.abs_diff_eq(exact.min, slack) && quick.max.abs_diff_eq(exact.max, slack),
            "{joints} joints: {quick:?} against {exact:?}"
        );
    }
}

#[test]
fn bounds_follow_the_pose_source() {
    let mut character = Character::new(Arc::new(rigs::bending_tube(5, 4)));
    let bent = animated_bounds(&character);
    character.set_source(PoseSource::Bind);
    let bind = animated_bounds(&character);
    assert!(bent.max.x > bind.max.x + 0.3, "{bent:?} {bind:?}");
    assert!((bind.max.y - 2.0).abs() < 0.01 && (bind.max.x - 0.25).abs() < 0.01);
    // The frame notices the change too, and that of the weights.
    let mut frame = build(vec![character.clone()], &View::default());
    assert_eq!(frame.bounds, bind);
    character.set_source(PoseSource::Clip(0));
    let mut stage = Stage {
        characters: vec![character],
    };
    scene::build(&stage, &View::default(), 1.0, &mut frame);
    assert_eq!(frame.bounds, bent);
    stage.characters[0].technique.weights = Weights::Stored;
    scene::build(&stage, &View::default(), 1.0, &mut frame);
    assert_ne!(frame.bounds, bent, "the tube's weights do not sum to 1");
}

#[test]
fn the_ground_is_at_zero_or_under_the_feet() {
    let mut character = Character::new(Arc::new(rigs::bending_tube(5, 4)));
    let ground = |character: &Character| {
        let frame = build(vec![character.clone()], &View::default());
        let grid = frame.grid.expect("the grid is on");
        assert_eq!(grid.height, frame.ground_height);
        (grid.height, grid.spacing)
    };
    assert_eq!(ground(&character), (0.0, 0.1));
    character.world_from_model = Mat4::from_translation(Vec3::Y * -0.03);
    assert_eq!(ground(&character).0, 0.0, "sunk a little");
    character.world_from_model = Mat4::from_translation(Vec3::Y * -1.0);
    assert!((ground(&character).0 + 1.0).abs() < 0.05, "a deep origin");
    character.world_from_model = Mat4::from_scale(Vec3::splat(100.0));
    assert_eq!(ground(&character), (0.0, 10.0));
    let empty = build(Vec::new(), &View::default());
    assert_eq!((empty.ground_height, empty.bounds.is_empty()), (0.0, true));
}

#[test]
fn a_file_of_joints_alone_shows_its_skeleton() {
    let joints = vec![
        rigs::joint("hips", None, Vec3::Y),
        rigs::joint("spine", Some(0), Vec3::Y),
        rigs::joint("head", Some(1), Vec3::Y),
    ];
    let document = Document {
        skeleton: rigs::skeleton(joints),
        ..Document::default()
    };
    let frame = build(vec![Character::new(Arc::new(document))], &View::default());
    assert_eq!(frame.joints.len(), 3);
    assert_eq!(
        frame.bones.len(),
        2,
        "the last node is where the second ends"
    );
    assert!((frame.bounds.size().y - 2.0).abs() < 1e-5);
}

#[test]
fn selection_colours_the_joint_and_its_chain() {
    let character = Character::new(Arc::new(rigs::bending_tube(6, 4)));
    let view = View {
        skeleton: true,
        selected_joint: Some(3),
        names: JointScope::Selected,
        axes: JointScope::Selected,
        ..View::default()
    };
    let frame = build(vec![character], &view);
    let color = |joint: usize| {
        let dot = frame.joints.iter().find(|dot| dot.joint == joint);
        dot.expect("every joint has a dot").color
    };
    assert_eq!(color(0), color(2), "both above the selected joint");
    assert_eq!(color(4), color(5), "both below it");
    // What it moves is closer to the accent than what moves it.
    let accent = color(3);
    let off = |joint: usize| color(joint).distance(accent);
    assert!(0.0 < off(4) && off(4) < off(2), "{} {}", off(4), off(2));
    let bone = |joint: usize| frame.bones.iter().find(|bone| bone.joint == joint);
    for joint in 0..6 {
        let bone = bone(joint).expect("every joint has a bone");
        assert_eq!(bone.color, color(joint), "bone of joint {joint}");
    }
    let labels: Vec<_> = frame.labels.iter().map(|l| (l.joint, l.strong)).collect();
    assert_eq!(labels, [(3, true)]);
    assert_eq!(frame.lines.len(), 3, "three axes");
}

#[test]
fn without_the_overlay_the_selected_joint_alone_is_marked() {
    let character = Character::new(Arc::new(rigs::bending_tube(6, 4)));
    let mut view = View {
        selected_joint: Some(3),
        names: JointScope::All,
        axes: JointScope::Selected,
        ..View::default()
    };
    let frame = build(vec![character.clone()], &view);
    assert_eq!(
        frame.joints.iter().map(|d| d.joint).collect::<Vec<_>>(),
        [3]
    );
    assert_eq!(frame.bones.iter().map(|b| b.joint).collect::<Vec<_>>(), [3]);
    assert_eq!(frame.lines.len(), 3, "axes of the selected joint only");
    view.selected_joint = None;
    let frame = build(vec![character], &view);
    assert!(frame.joints.is_empty() && frame.bones.is_empty() && frame.lines.is_empty());
}

#[test]
fn a_mesh_without_anything_to_draw_leaves_the_skeleton_to_show_and_frame() {
    let mut document = rigs::bending_tube(6, 4);
    document.meshes[0].primitives.clear();
    let character = Character::new(Arc::new(document));
    let frame = build(vec![character.clone()], &View::default());
    assert_eq!(frame.joints.len(), 6);
    // A surface too small for its joints: framed with them where they are shown.
    let mut document = rigs::bending_tube(6, 4);
    document.skins[0]
        .joint_from_mesh
        .fill(Mat4::from_scale(Vec3::splat(0.01)));
    let character = Character::new(Arc::new(document));
    let joints = scene::shown_bounds(&character, true);
    assert_eq!(
        scene::shown_bounds(&character, false),
        animated_bounds(&character)
    );
    for joint in 0..6 {
        let at = character.globals.world(joint).w_axis.truncate();
        assert!(joints.min.cmple(at).all() && at.cmple(joints.max).all());
    }
    assert_ne!(joints, animated_bounds(&character));
}
