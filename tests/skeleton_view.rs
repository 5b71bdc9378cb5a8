//! Which joints the skeleton view shows, how they connect, and what colours them.

mod rigs;

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use rigscope::{
    document::{Finding, FindingCode, Severity},
    math::Handedness::{Kept, Mirrored},
    scene::{self, BoneColor, Character, Frame, JointScope, Stage, View, ramps},
};

fn build(character: &Character, view: &View) -> Frame {
    let mut frame = Frame::default();
    let characters = vec![character.clone()];
    scene::build(&Stage { characters }, view, 1.0, &mut frame);
    frame
}

fn tube() -> Character {
    Character::new(Arc::new(rigs::bending_tube(5, 4)))
}

fn linear([r, g, b]: [u8; 3]) -> Vec4 {
    let channel = |value: u8| {
        let value = f32::from(value) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    Vec4::new(channel(r), channel(g), channel(b), 1.0)
}

/// Colour of the dot of a joint.
fn dot_color(frame: &Frame, joint: usize) -> Vec4 {
    let dot = frame.joints.iter().find(|dot| dot.joint == joint);
    dot.expect("the joint is shown").color
}

#[test]
fn joints_have_the_colour_of_their_worst_finding() {
    let mut character = tube();
    let finding =
        |severity, node| Finding::new(FindingCode::RotationNotUnit, severity, "").at_node(node);
    let findings = [
        finding(Severity::Info, 1),
        finding(Severity::Error, 2),
        finding(Severity::Warning, 2),
    ];
    character.joint_marks = scene::joint_marks(&character.document, &findings);
    let view = View {
        skeleton: true,
        bone_color: BoneColor::Findings,
        ..View::default()
    };
    let frame = build(&character, &view);
    for (joint, severity) in [
        (0, None),
        (1, Some(Severity::Info)),
        (2, Some(Severity::Error)),
    ] {
        let wanted = linear(ramps::severity_color(severity));
        assert!(
            dot_color(&frame, joint).abs_diff_eq(wanted, 1e-5),
            "{joint}"
        );
        let bone = frame.bones.iter().find(|bone| bone.joint == joint);
        assert!(
            bone.is_some_and(|bone| bone.color.abs_diff_eq(wanted, 1e-5)),
            "{joint}"
        );
    }
}

#[test]
fn shear_and_mirroring_show_on_the_joints_that_have_them() {
    let mut document = rigs::bending_tube(3, 4);
    document.clips.clear();
    // Stretched, turned below, and mirrored below that.
    document.skeleton.joints[0].scale = Vec3::new(2.0, 1.0, 1.0);
    document.skeleton.joints[1].orientation = Quat::from_rotation_z(45f32.to_radians());
    document.skeleton.joints[2].scale = Vec3::new(1.0, 1.0, -1.0);
    let character = Character::new(Arc::new(document));
    let colored = |bone_color| {
        let view = View {
            skeleton: true,
            bone_color,
            ..View::default()
        };
        build(&character, &view)
    };
    let shear = colored(BoneColor::Shear);
    let degrees = (2.0 * 2f32.atan()).to_degrees() - 90.0;
    let wanted = linear(ramps::shear_color(ramps::shear_place(degrees)));
    assert!(dot_color(&shear, 0).abs_diff_eq(linear(ramps::shear_color(0.0)), 1e-4));
    assert!(dot_color(&shear, 1).abs_diff_eq(wanted, 1e-3), "{degrees}°");
    let sign = colored(BoneColor::Determinant);
    let of = |handedness| linear(ramps::handedness_color(handedness));
    for (joint, handedness) in [(0, Kept), (1, Kept), (2, Mirrored)] {
        assert!(
            dot_color(&sign, joint).abs_diff_eq(of(handedness), 1e-5),
            "{joint}"
        );
    }
}

#[test]
fn joints_without_weights_are_grey_and_helpers_are_bridged() {
    let mut document = rigs::bending_tube(4, 4);
    // Nothing follows joint 1 any more, and joint 2 is in no skin.
    let influences = &mut document.meshes[0].primitives[0].influences;
    for (slot, weight) in influences.joints.iter_mut().zip(&mut influences.weights) {
        match *slot {
            1 => *weight = 0.0,
            2 | 3 => *slot = 2,
            _ => {}
        }
    }
    let skin = &mut document.skins[0];
    skin.joints.remove(2);
    skin.joint_from_mesh.remove(2);
    let character = Character::new(Arc::new(document));
    let view = View {
        skeleton: true,
        ..View::default()
    };
    let frame = build(&character, &view);
    let luma = |joint| {
        let color = dot_color(&frame, joint);
        color.x * 0.21 + color.y * 0.72 + color.z * 0.07
    };
    assert!(luma(1) < luma(0) * 0.4, "{} {}", luma(1), luma(0));
    assert_eq!(luma(3), luma(0));
    assert!(frame.joints.iter().all(|dot| dot.joint != 2));
    let across = frame
        .bones
        .iter()
        .find(|bone| bone.joint == 1)
        .expect("a bone");
    let end = character.place(3).expect("finite");
    assert!(across.to.abs_diff_eq(end, 1e-5), "from joint 1 to joint 3");
}

#[test]
fn names_and_axes_are_of_the_joints_asked_for() {
    let character = tube();
    let counts = |scope, selected_joint| {
        let view = View {
            names: scope,
            axes: scope,
            selected_joint,
            skeleton: true,
            ..View::default()
        };
        let frame = build(&character, &view);
        (frame.labels.len(), frame.lines.len() / 3)
    };
    assert_eq!(counts(JointScope::Off, Some(2)), (0, 0));
    assert_eq!(counts(JointScope::Selected, Some(2)), (1, 1));
    assert_eq!(counts(JointScope::Children, Some(2)), (3, 3));
    assert_eq!(counts(JointScope::All, Some(2)), (5, 5));
    assert_eq!(counts(JointScope::Children, None), (0, 0));
    assert_eq!(counts(JointScope::All, None), (5, 5));
}

#[test]
fn a_file_without_any_mesh_shows_all_of_its_skeleton() {
    let mut document = rigs::bending_tube(4, 4);
    document.meshes.clear();
    document.instances.clear();
    document.skins.clear();
    document.clips[0].joints.truncate(2);
    let character = Character::new(Arc::new(document));
    let frame = build(&character, &View::default());
    assert_eq!(frame.joints.len(), 4);
    assert_eq!(frame.bones.len(), 3);
}
