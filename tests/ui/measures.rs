//! Skeleton and measures: switches by key and in the panel, the ruler, the numbers.

use egui::{Event, Key, Modifiers, PointerButton};
use egui_kittest::{Harness, kittest::Queryable as _};
use rigscope::{
    scene::{BoneColor, BoneStyle, BoundsShown, JointScope, RulerEnd},
    session::Command,
};

use crate::{
    drive::{frame_all, harness, joint_position, press, session},
    support::{App, LOWER_ARM, human},
};

fn key(harness: &mut Harness<'_, App>, key: Key, modifiers: Modifiers) {
    for pressed in [true, false] {
        harness.input_mut().events.push(Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        });
    }
    harness.run_steps(2);
}

fn click(harness: &mut Harness<'_, App>, at: egui::Pos2) {
    harness.hover_at(at);
    harness.run_steps(2);
    press(harness, at, PointerButton::Primary, true);
    press(harness, at, PointerButton::Primary, false);
    harness.run_steps(2);
}

/// Opens a section and presses a control in it, by the keyboard alone.
fn by_keyboard(harness: &mut Harness<'_, App>, label: &str) {
    harness.get_by_label(label).focus();
    harness.run_steps(2);
    key(harness, Key::Space, Modifiers::NONE);
    harness.run_steps(2);
}

#[test]
fn keys_throw_the_switches_and_undo_takes_them_back() {
    let mut app = App::new(human());
    app.session.apply(Command::SelectJoint(Some(LOWER_ARM)));
    let mut harness = harness(app);
    harness.state_mut().session.checkpoint();
    let before = session(&harness).view.clone();
    let plain = [Key::O, Key::A, Key::A, Key::N, Key::X];
    for pressed in plain {
        key(&mut harness, pressed, Modifiers::NONE);
    }
    for pressed in [Key::C, Key::T, Key::P, Key::G] {
        key(&mut harness, pressed, Modifiers::SHIFT);
    }
    let view = &session(&harness).view;
    assert_eq!(view.bone_style, BoneStyle::Sticks);
    assert_eq!(view.bone_color, BoneColor::Findings);
    assert_eq!(
        (view.names, view.axes),
        (JointScope::Selected, JointScope::Children)
    );
    assert_eq!(view.bounds, BoundsShown::ALL);
    assert!(view.trail && view.figure);
    assert_eq!(view.pinned_trails, [LOWER_ARM]);
    harness.state_mut().session.apply(Command::Undo);
    assert_eq!(session(&harness).view.selected_joint, before.selected_joint);
    assert_eq!(session(&harness).view.bone_style, before.bone_style);
    assert!(session(&harness).view.pinned_trails.is_empty());
}

#[test]
fn the_panel_has_them_all_within_reach_of_the_keyboard() {
    let mut harness = harness(App::new(human()));
    // Shut, for its check box has the name of a section.
    by_keyboard(&mut harness, "Surface and light");
    by_keyboard(&mut harness, "Skeleton");
    by_keyboard(&mut harness, "Measures");
    by_keyboard(&mut harness, "Bones: Sticks");
    assert_eq!(session(&harness).view.bone_style, BoneStyle::Sticks);
    for label in ["Colour", "Names", "Axes"] {
        assert!(
            harness.query_by_label(label).is_some(),
            "{label} is offered"
        );
    }
    for label in [
        "Bounds as stored",
        "Bounds now",
        "Bounds over clip",
        "Reference figure",
        "Scale bar",
        "Motion trail",
        "Ruler",
    ] {
        by_keyboard(&mut harness, label);
    }
    let view = &session(&harness).view;
    assert_eq!(view.bounds, BoundsShown::ALL);
    assert!(view.figure && view.scale_bar && view.trail && view.ruler.is_some());
    assert!(harness.query_by_label_contains("Scale bar: ").is_some());
    assert!(
        harness.query_by_label_contains("now  ").is_some(),
        "boxes have sizes"
    );
}

#[test]
fn a_ruler_between_two_joints_says_how_far_they_are_and_escape_ends_it() {
    let mut app = App::new(human());
    app.session.view.skeleton = true;
    let mut harness = harness(app);
    frame_all(&mut harness);
    key(&mut harness, Key::U, Modifiers::NONE);
    assert!(
        harness
            .query_by_label_contains("click the first point")
            .is_some()
    );
    let elbow = joint_position(&harness, LOWER_ARM);
    click(&mut harness, elbow);
    assert!(
        harness
            .query_by_label_contains("click the second point")
            .is_some()
    );
    assert_eq!(
        session(&harness).view.selected_joint,
        None,
        "no joint is selected meanwhile"
    );
    let hand = joint_position(&harness, LOWER_ARM + 1);
    click(&mut harness, hand);
    let ruler = session(&harness).view.ruler.expect("it is out");
    assert_eq!(ruler.from, Some(RulerEnd::Joint(LOWER_ARM)));
    assert_eq!(ruler.to, Some(RulerEnd::Joint(LOWER_ARM + 1)));
    assert!(harness.query_by_label("Ruler: 25.0 cm").is_some());
    harness.get_by_label("Measures").click();
    harness.run_steps(2);
    assert!(
        harness
            .query_by_label("LowerArm.L → Hand.L: 25.0 cm")
            .is_some()
    );
    // Time goes on, and clicks mean joints again.
    harness.state_mut().session.apply(Command::SetTime(0.3));
    harness.run_steps(2);
    assert!(harness.query_by_label("Ruler: 25.0 cm").is_some());
    let at = joint_position(&harness, 6);
    click(&mut harness, at);
    assert_eq!(session(&harness).view.selected_joint, Some(6));
    key(&mut harness, Key::Escape, Modifiers::NONE);
    assert_eq!(session(&harness).view.ruler, None);
    assert_eq!(
        session(&harness).view.selected_joint,
        Some(6),
        "one thing at a time"
    );
    key(&mut harness, Key::Escape, Modifiers::NONE);
    assert_eq!(session(&harness).view.selected_joint, None);
}

#[test]
fn a_click_beside_everything_measures_from_the_ground() {
    let mut app = App::new(human());
    app.session.view.skeleton = true;
    let mut harness = harness(app);
    frame_all(&mut harness);
    key(&mut harness, Key::U, Modifiers::NONE);
    let view = harness
        .state()
        .output
        .expect("a frame has run")
        .viewport_points;
    click(&mut harness, view.left_bottom() + egui::vec2(60.0, -60.0));
    let ruler = session(&harness).view.ruler.expect("it is out");
    let Some(RulerEnd::Ground(place)) = ruler.from else {
        panic!("{ruler:?}");
    };
    assert!(place.y.abs() < 1e-3 && place.length() < 10.0, "{place}");
    // The key puts a ruler away that waits.
    key(&mut harness, Key::U, Modifiers::NONE);
    assert_eq!(session(&harness).view.ruler, None);
}

#[test]
fn trails_tell_path_and_distance_and_can_be_pinned() {
    let mut app = App::new(human());
    app.session.apply(Command::SelectJoint(Some(LOWER_ARM + 1)));
    let mut harness = harness(app);
    by_keyboard(&mut harness, "Panel: Display");
    by_keyboard(&mut harness, "Measures");
    assert!(
        harness
            .query_by_label("Hand.L to parent: 25.0 cm")
            .is_some()
    );
    by_keyboard(&mut harness, "Motion trail");
    let trail = harness.state().frame.trails[0].clone();
    assert_eq!(trail.joint, LOWER_ARM + 1);
    let text = format!("Trail of Hand.L: path {:.2} m", trail.length());
    assert!(harness.query_by_label_contains(&text).is_some(), "{text}");
    by_keyboard(&mut harness, "Pin the trail of Hand.L");
    harness
        .state_mut()
        .session
        .apply(Command::SelectJoint(Some(17)));
    harness.run_steps(2);
    let joints: Vec<usize> = (harness.state().frame.trails.iter())
        .map(|trail| trail.joint)
        .collect();
    assert_eq!(joints, [LOWER_ARM + 1, 17]);
    by_keyboard(&mut harness, "Unpin the trail of Hand.L");
    assert!(session(&harness).view.pinned_trails.is_empty());
}

#[test]
fn colours_of_bones_are_explained_in_the_view() {
    let mut app = App::new(human());
    app.session.view.skeleton = true;
    app.session.view.bone_color = BoneColor::Findings;
    let mut harness = harness(app);
    frame_all(&mut harness);
    assert!(
        harness
            .query_by_label_contains("Legend: Worst finding")
            .is_some()
    );
    // Node 9, the elbow, has a finding from the import.
    let marks = session(&harness)
        .character()
        .expect("open")
        .joint_marks
        .clone();
    assert!(marks[LOWER_ARM].is_some() && marks[1].is_none());
    harness.state_mut().session.view.bone_color = BoneColor::Shear;
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("Legend: Shear").is_some());
    harness.state_mut().session.view.bone_color = BoneColor::Plain;
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("Legend: ").is_none());
}

#[test]
fn a_height_that_nobody_has_is_doubted_in_the_bar() {
    let harness_of = |factor: f32| {
        let mut document = human();
        for joint in &mut document.skeleton.joints {
            joint.translation *= factor;
        }
        for primitive in &mut document.meshes[0].primitives {
            for position in &mut primitive.positions {
                *position *= factor;
            }
        }
        let globals = document.skeleton.rest_globals();
        let skin = &mut document.skins[0];
        for (matrix, &joint) in skin.joint_from_mesh.iter_mut().zip(&skin.joints) {
            *matrix = globals[joint as usize].inverse();
        }
        harness(App::new(document))
    };
    assert!(harness_of(1.0).query_by_label_contains(" m?").is_none());
    assert!(harness_of(100.0).query_by_label_contains(" m?").is_some());
    assert!(harness_of(0.01).query_by_label_contains(" cm?").is_some());
}
