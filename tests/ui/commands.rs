//! Keys, menus, palette, messages.

use egui::{Event, Key, Modifiers};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use rigscope::{
    document::Severity,
    scene::JointScope,
    session::{Action, Command},
    ui::shortcuts,
};

use crate::{
    drive::{harness, player, session, sized},
    support::{App, human},
};

#[test]
fn every_chord_is_a_key_and_no_two_collide() {
    let mut seen: Vec<(bool, bool, Key)> = Vec::new();
    for action in Action::ALL {
        if let Some(chord) = action.key() {
            let key = shortcuts::key(chord);
            let key = key.unwrap_or_else(|| panic!("{action:?}: no key {:?}", chord.key));
            let chord = (chord.command, chord.shift, key);
            assert!(
                !seen.contains(&chord),
                "{action:?} has {chord:?} a second time"
            );
            seen.push(chord);
        }
    }
    assert!(seen.len() > 30);
}

#[test]
fn keys_do_what_the_table_says() {
    let mut harness = harness(App::new(human()));
    harness.key_press(Key::W);
    harness.run_steps(2);
    assert!(session(&harness).view.wireframe);
    harness.key_press(Key::Space);
    harness.run_steps(2);
    assert!(player(&harness).playing);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Questionmark);
    harness.run_steps(3);
    assert!(session(&harness).panels.help);
    assert!(harness.query_all_by_label("Keyboard and mouse").count() > 0);
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert!(!session(&harness).panels.help);
}

#[test]
fn the_palette_finds_and_runs_a_command() {
    let mut harness = harness(App::new(human()));
    let chord = Modifiers::COMMAND | Modifiers::SHIFT;
    harness.key_press_modifiers(chord, Key::P);
    harness.run_steps(3);
    assert!(session(&harness).panels.palette);
    harness.get_by_label("Search commands").type_text("skel");
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert!(session(&harness).view.skeleton);
    assert!(!session(&harness).panels.palette);

    harness.key_press_modifiers(chord, Key::P);
    harness.run_steps(3);
    harness
        .get_by_label("Search commands")
        .type_text("file info");
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert!(session(&harness).panels.info, "an action may open a panel");
    assert!(!session(&harness).panels.palette);
}

#[test]
fn menus_show_shortcuts_and_switches() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("View").click();
    harness.run_steps(3);
    let skeleton = harness
        .get_all_by_label("Skeleton")
        .find(|node| node.accesskit_node().data().keyboard_shortcut().is_some())
        .expect("an item with a shortcut");
    let node = skeleton.accesskit_node();
    assert_eq!(node.data().keyboard_shortcut(), Some("B"));
    skeleton.click();
    harness.run_steps(3);
    assert!(session(&harness).view.skeleton);
}

#[test]
fn escape_closes_a_sheet_and_only_then_lets_go_of_the_joint() {
    let mut app = App::new(human());
    app.session.apply(Command::SelectJoint(Some(3)));
    let mut harness = harness(app);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::I);
    harness.run_steps(3);
    assert!(session(&harness).panels.info);
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert!(!session(&harness).panels.info);
    assert_eq!(session(&harness).view.selected_joint, Some(3));
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert_eq!(session(&harness).view.selected_joint, None);
}

#[test]
fn the_badge_says_what_is_open_and_leads_to_its_problems() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("· 1.60 m");
    harness.get_by_label("· 22 joints");
    harness.get_by_label("2 problems").click();
    harness.run_steps(8);
    assert!(harness.query_by_label("Search problems").is_some());
    let message = harness.query_by_label_contains("131 of 4 096 vertices");
    assert!(message.is_some());
}

#[test]
fn notices_fade_and_errors_stay() {
    let mut app = App::new(human());
    let notice = Command::Notify(Severity::Info, "reloaded".into());
    app.session.apply(notice);
    let error = Command::Notify(Severity::Error, "accessor 3 is broken".into());
    app.session.apply(error);
    let mut harness = harness(app);
    assert_eq!(session(&harness).messages.iter().count(), 2);
    harness.run_steps(70);
    let left: Vec<_> = session(&harness).messages.iter().map(|m| &m.text).collect();
    assert_eq!(left, ["accessor 3 is broken"]);
    harness.get_by_label("Copy message").click();
    harness.run_steps(2);
    let copied = "CopyText(\"accessor 3 is broken\")".to_owned();
    assert!(harness.state().log.contains(&copied));
    harness.get_by_label("Dismiss message").click();
    harness.run_steps(2);
    assert_eq!(session(&harness).messages.iter().count(), 0);
}

#[test]
fn a_question_mark_whose_release_is_a_slash_works_again() {
    let mut harness = harness(App::new(human()));
    let key = |key, pressed, modifiers| Event::Key {
        key,
        physical_key: Some(Key::Slash),
        pressed,
        repeat: false,
        modifiers,
    };
    for open in [true, false, true] {
        harness.event(key(Key::Questionmark, true, Modifiers::SHIFT));
        harness.run_steps(2);
        assert_eq!(session(&harness).panels.help, open);
        // Held down it repeats, which must not act.
        harness.event(key(Key::Questionmark, true, Modifiers::SHIFT));
        harness.run_steps(2);
        assert_eq!(session(&harness).panels.help, open);
        // Shift went up first.
        harness.event(key(Key::Slash, false, Modifiers::NONE));
        harness.run_steps(2);
    }
}

#[test]
fn keys_of_one_frame_all_act_in_order() {
    let mut harness = harness(App::new(human()));
    let keys = [Key::B, Key::N, Key::W, Key::A, Key::F, Key::Num1, Key::B];
    for key in keys {
        for pressed in [true, false] {
            harness.input_mut().events.push(Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers: Modifiers::NONE,
            });
        }
    }
    let distance = session(&harness).view.camera.distance;
    harness.step();
    let view = &session(&harness).view;
    assert!(view.wireframe && !view.skeleton);
    // Nothing is selected: they go straight to all.
    assert_eq!((view.names, view.axes), (JointScope::All, JointScope::All));
    assert_eq!(view.camera.yaw_radians, 0.0);
    assert_ne!(view.camera.distance, distance, "F is not lost to 1");
}

#[test]
fn a_refused_file_is_told_in_the_middle_with_ways_on() {
    let refused = "bad.glb: accessor 3 reaches 12 bytes past its buffer";
    for size in [[1280.0, 800.0], [1024.0, 640.0]] {
        let mut app = App::empty();
        app.session.apply(Command::LoadFailed {
            path: "/files/bad.glb".into(),
            message: refused.to_owned(),
        });
        let mut harness = sized(app, size);
        let view = harness.state().output.expect("a frame").viewport_points;
        harness.run_steps(200);
        // Told once, in the middle, and for as long as nobody dismisses it.
        let told = harness.get_by_label_contains("accessor 3").rect();
        assert!(view.contains_rect(told), "{told} in {view}");
        let off = told.center() - view.center();
        assert!(
            off.x.abs() < 200.0 && off.y.abs() < 60.0,
            "{off} off the middle"
        );
        harness.get_by_label("The file was not opened");
        harness.get_by_label("Copy message").click();
        harness.run_steps(2);
        assert!(
            harness
                .state()
                .log
                .contains(&format!("CopyText({refused:?})"))
        );
        let way = |harness: &Harness<'_, App>, label: &str| {
            let mut nodes = harness.query_all_by_label(label);
            let node = nodes.find(|node| view.contains_rect(node.rect()));
            node.unwrap_or_else(|| panic!("{label} is in the view"))
                .click();
        };
        way(&harness, "Open…");
        harness.run_steps(2);
        way(&harness, "Built-in character");
        harness.run_steps(2);
        let log = &harness.state().log;
        for action in ["Open", "OpenBuiltIn"] {
            let act = format!("Act {{ action: {action},");
            assert!(
                log.iter().any(|done| done.starts_with(&act)),
                "{action}: {log:?}"
            );
        }
        harness.get_by_label("Dismiss message").click();
        harness.run_steps(3);
        assert!(harness.query_by_label_contains("accessor 3").is_none());
        harness.get_by_label("Nothing is open");
    }
}

#[test]
fn a_refusal_beside_an_open_file_says_what_stays_open() {
    let mut app = App::new(human());
    app.session.apply(Command::LoadFailed {
        path: "/files/bad.glb".into(),
        message: "bad.glb: accessor 3 is broken".to_owned(),
    });
    let mut harness = harness(app);
    harness.run_steps(200);
    let told = "bad.glb: accessor 3 is broken. hero.glb stays open.";
    assert!(harness.query_by_label(told).is_some());
    assert!(harness.query_by_label("The file was not opened").is_none());
}

#[test]
fn the_keyboard_sheet_keeps_clear_of_its_scroll_bar() {
    let mut app = App::new(human());
    app.session.panels.help = true;
    let harness = sized(app, [1024.0, 640.0]);
    let edge = harness.get_by_label("Close").rect().right() - 8.0;
    let longest = harness.get_by_label_contains("Select the joint under the pointer");
    let right = longest.rect().right();
    assert!(right < edge, "{right} reaches the bar at {edge}");
}
