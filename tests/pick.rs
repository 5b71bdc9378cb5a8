//! Picking of vertices: which one a ray means, on meshes as they are drawn.

mod rigs;

use std::{sync::Arc, time::Instant};

use glam::{Mat4, Quat, Vec2, Vec3};
use rigs::{SQUARE, front_view, weighted_square as square};
use rigscope::{
    document::{Influences, MeshInstance, MorphTarget},
    scene::{self, Character, Frame, Ray, Stage, View, WeightView, vertex_at},
};

fn built(characters: Vec<Character>, view: &View) -> Frame {
    let mut frame = Frame::default();
    scene::build(&Stage { characters }, view, 1.0, &mut frame);
    frame
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
        for (vertex, (x, y)) in SQUARE.into_iter().enumerate() {
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
    // From behind it shows its back, as it would without the mirror.
    let mut behind = front_view();
    behind.camera.yaw_radians = core::f32::consts::PI;
    let frame = built(vec![Character::new(Arc::new(document))], &behind);
    assert_eq!(picked(&frame, Vec3::new(0.9, 0.9, 0.0)), None);
    // A joint of the skin that mirrors, likewise.
    let mut skinned = square([&[(1, 1.0)]; 4]);
    skinned.skeleton.joints[1].translation = Vec3::new(40.0, 0.0, 0.0);
    skinned.skins[0].joint_from_mesh[1] = Mat4::IDENTITY;
    skinned.skeleton.joints[1].scale = Vec3::new(-1.0, 1.0, 1.0);
    let frame = built(vec![Character::new(Arc::new(skinned))], &front_view());
    assert_eq!(picked(&frame, Vec3::new(0.9, 0.9, 0.0)), Some((0, 3)));

    let mut morphed = square([&[(0, 1.0)]; 4]);
    morphed.meshes[0].primitives[0].morph_targets = vec![MorphTarget {
        positions: vec![Vec3::X * 3.0; 4],
        ..MorphTarget::default()
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
fn a_pose_that_is_broken_is_not_picked() {
    let mut character = Character::new(Arc::new(square([&[(0, 1.0)]; 4])));
    character
        .globals
        .set_world(0, Mat4::from_scale(Vec3::splat(f32::NAN)));
    let frame = built(vec![character], &front_view());
    assert_eq!(picked(&frame, Vec3::ZERO), None);
}

/// 204 800 triangles on several threads. Optimised it takes some milliseconds; that it is
/// no matter of seconds holds anywhere.
#[test]
fn a_large_mesh_is_picked_in_a_moment() {
    let mut document = square([&[(0, 1.0)]; 4]);
    let mut tube = rigs::tube(1.0, 2.0, 320, 320);
    let count = tube.positions.len();
    tube.influences = Influences {
        per_vertex: 4,
        joints: vec![0; count * 4],
        weights: [0.5, 0.25, 0.25, 0.0].repeat(count),
    };
    let positions = tube.positions.clone();
    document.meshes[0].primitives[0] = tube;
    let turn = Quat::from_rotation_y(0.3);
    document.skeleton.joints[0].orientation = turn;
    let root = document.skeleton.joints[0].translation;
    let frame = built(vec![Character::new(Arc::new(document))], &front_view());
    // A vertex that faces the eye, in the last thread's part.
    let vertex = positions
        .iter()
        .enumerate()
        .filter(|(_, p)| p.y > 1.0 && p.y < 1.2)
        .max_by(|a, b| a.1.z.total_cmp(&b.1.z))
        .map_or(0, |(vertex, _)| vertex);
    let now = root + turn * (positions[vertex] - root);
    let began = Instant::now();
    let hit = vertex_at(&frame, &ray_to(&frame, now)).expect("the tube is there");
    let took = began.elapsed();
    println!("{count} vertices: {took:?}");
    assert!(took.as_secs_f32() < 2.0, "{took:?}");
    let found = root + turn * (positions[hit.vertex] - root);
    assert!(found.distance(now) < 0.02, "{found} instead of {now}");
}
