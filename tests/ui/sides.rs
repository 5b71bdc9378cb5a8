//! Comparison, the lab and ghosts.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use rigscope::{
    anim::{Interpolation, Skinning},
    lab::SCENES,
    session::{Command, Layout},
};

use crate::{
    drive::{harness, session},
    support::{App, human},
};

#[test]
fn a_key_shows_the_character_twice_and_chips_tell_how_they_differ() {
    let mut harness = harness(App::new(human()));
    harness.key_press(Key::V);
    harness.run_steps(3);
    assert_eq!(session(&harness).side_count(), 2);
    assert!(harness.query_by_label("Side A: authored").is_some());
    harness.get_by_label("Side B: lerp").click();
    harness.run_steps(3);
    // Everything that can differ is there, and a click takes the side away.
    for control in [
        "Interpolation",
        "Hemisphere",
        "Skinning method",
        "Side's clip",
    ] {
        assert!(harness.query_all_by_label(control).count() > 0, "{control}");
    }
    harness.get_by_label("Remove").click();
    harness.run_steps(3);
    assert!(session(&harness).comparison.is_none());
    assert!(harness.query_by_label("Side A: authored").is_none());
}

#[test]
fn layouts_go_round_and_a_and_b_change_places() {
    let mut harness = harness(App::new(human()));
    harness.key_press(Key::V);
    harness.run_steps(2);
    for layout in [Layout::Wipe, Layout::Overlay, Layout::SideBySide] {
        harness.key_press_modifiers(Modifiers::SHIFT, Key::V);
        harness.run_steps(2);
        assert_eq!(session(&harness).layout(), Some(layout));
        let has_line = harness.query_by_label("Wipe between A and B").is_some();
        assert_eq!(has_line, layout == Layout::Wipe);
    }
    harness.key_press(Key::Y);
    harness.run_steps(2);
    assert!(harness.query_by_label("Side A: lerp").is_some());
}

#[test]
fn the_lab_menu_opens_a_scene_with_its_text_and_goes_on_to_the_next() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("Lab").click();
    harness.run_steps(2);
    harness.get_by_label("Candy wrapper").click();
    harness.run_steps(3);
    let at = |id: &str| {
        SCENES
            .iter()
            .position(|scene| scene.id == id)
            .expect("a scene")
    };
    let scene = &SCENES[at("candy-wrapper")];
    assert_eq!(
        session(&harness).lab.as_ref().map(|lab| lab.scene.id),
        Some(scene.id)
    );
    assert!(harness.query_by_label(scene.text).is_some());
    assert!(harness.query_by_label("Side B: dual-quaternion").is_some());
    let next = &SCENES[at("candy-wrapper") + 1];
    let label = format!("Next scene: {}", next.title);
    harness.get_by_label(&label).click();
    harness.run_steps(3);
    assert_eq!(
        session(&harness).lab.as_ref().map(|lab| lab.scene.id),
        Some(next.id)
    );
}

#[test]
fn what_other_players_do_is_a_check_box_and_a_badge() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("How others would play this").click();
    harness.run_steps(3);
    harness.get_by_label("Naive normals").click();
    harness.run_steps(2);
    let technique = &session(&harness).character().expect("open").technique;
    assert!(technique.quirks.naive_normals);
    assert_eq!(technique.modes.interpolation, Interpolation::Authored);
    assert_eq!(technique.skinning, Skinning::Linear);
}

#[test]
fn ghosts_have_a_key_and_numbers() {
    let mut harness = harness(App::new(human()));
    harness.key_press(Key::J);
    harness.run_steps(2);
    assert!(session(&harness).view.ghosts.on);
    harness.key_press(Key::J);
    harness.run_steps(2);
    assert!(!session(&harness).view.ghosts.on);
    let mut view = session(&harness).view.clone();
    view.ghosts.before = 200;
    view.ghosts.on = true;
    harness
        .state_mut()
        .session
        .apply(Command::SetView(Box::new(view)));
    harness.run_steps(2);
}

#[test]
fn a_right_click_on_a_joint_gives_it_modes_of_its_own() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("UpperArm.L").click_secondary();
    harness.run_steps(3);
    harness
        .get_by_label_contains("Modes of this joint only")
        .click();
    harness.run_steps(3);
    harness.get_by_label("matrix-lerp").click();
    harness.run_steps(3);
    let own = |harness: &egui_kittest::Harness<'_, App>| {
        let a = session(harness).character().expect("A");
        let joints = a.document.skeleton.joints.iter();
        let arm = joints.clone().position(|joint| joint.name == "UpperArm.L");
        let modes = a.technique.joint_modes.iter();
        let own = modes.clone().find(|own| Some(own.0) == arm);
        own.map(|own| own.1.interpolation)
    };
    assert_eq!(own(&harness), Some(Interpolation::MatrixLerp));
    // The inspector's heading has the name by now, too.
    let row = harness.query_all_by_label("UpperArm.L").next();
    row.expect("in the tree").click_secondary();
    harness.run_steps(3);
    harness
        .get_by_label_contains("Modes of this joint only")
        .click();
    harness.run_steps(3);
    harness.get_by_label("As the rig").click();
    harness.run_steps(3);
    assert_eq!(own(&harness), None);
}
