//! The dope sheet: rows, keys, filters, and the time axis that it shares.

use std::sync::Arc;

use egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Rect, TouchPhase, pos2,
    vec2,
};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use rigscope::{
    document::{Document, Finding, FindingCode, Property, Severity},
    scene::PoseSource,
    session::{Command, TimelineView},
};

use crate::{
    drive::{drag, harness, player, press, session, sized},
    layout,
    support::{App, LOWER_ARM, crowd, human},
};

/// The figure with a sign flip of the left elbow between keys 12 and 13.
fn flipping() -> Document {
    let mut document = human();
    let flip = Finding::new(
        FindingCode::RotationSignFlip,
        Severity::Warning,
        "LowerArm.L turns 21°, stored as 339°",
    );
    document.findings = vec![
        flip.in_clip(0)
            .at_node(LOWER_ARM)
            .of(Property::Rotation)
            .at_key(12, 0.5)
            .until(13.0 / 24.0),
    ];
    document
}

fn app(document: Document) -> App {
    let mut app = App::new(document);
    app.session.panels.timeline_view = TimelineView::DopeSheet;
    app
}

fn open() -> Harness<'static, App> {
    harness(app(flipping()))
}

fn is_there(harness: &Harness<'_, App>, label: &str) -> bool {
    harness.query_all_by_label(label).count() > 0
}

/// Labels of the rows that are laid out, from top to bottom.
fn rows(harness: &Harness<'_, App>) -> Vec<String> {
    let is_row = |label: &str| label.contains(" key") || label.contains(": no keys");
    let mut rows: Vec<(f32, String)> = harness
        .query_all_by_role(egui::accesskit::Role::TreeItem)
        .filter_map(|node| {
            let label = node.accesskit_node().label()?;
            is_row(&label).then(|| (node.rect().top(), label))
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, label)| label).collect()
}

/// The plot has the ruler's place along the window's width.
fn plot(harness: &Harness<'_, App>) -> Rect {
    harness.get_by_label("Timeline").rect()
}

/// Where a time of the whole clip lies in a row.
fn place(harness: &Harness<'_, App>, row: &str, part: f32) -> egui::Pos2 {
    let plot = plot(harness);
    let y = harness.get_by_label(row).rect().center().y;
    pos2(plot.left() + 9.0 + (plot.width() - 18.0) * part, y)
}

fn click(harness: &mut Harness<'_, App>, at: egui::Pos2) {
    harness.hover_at(at);
    harness.step();
    press(harness, at, PointerButton::Primary, true);
    harness.step();
    press(harness, at, PointerButton::Primary, false);
    harness.run_steps(3);
}

#[test]
fn the_switch_and_its_key_open_the_sheet_and_go_back() {
    let mut harness = harness(App::new(flipping()));
    let low = plot(&harness).top();
    harness.get_by_label("Dope sheet").click();
    harness.run_steps(3);
    let view = |harness: &Harness<'_, App>| session(harness).panels.timeline_view;
    assert_eq!(view(&harness), TimelineView::DopeSheet);
    assert!(plot(&harness).top() < low - 100.0, "the panel grows");
    assert!(is_there(&harness, "Chest: 25 keys"));
    harness.key_press(Key::D);
    harness.run_steps(3);
    assert_eq!(view(&harness), TimelineView::Bar);
    assert!(!is_there(&harness, "Chest: 25 keys"));
    harness.key_press(Key::C);
    harness.run_steps(2);
    assert_eq!(view(&harness), TimelineView::Curves);
    // A closed timeline opens with the view that was asked for.
    harness.state_mut().session.panels.timeline = false;
    harness.key_press(Key::D);
    harness.run_steps(3);
    assert!(session(&harness).panels.shows(TimelineView::DopeSheet));
}

#[test]
fn rows_are_the_joints_that_the_clip_keys_in_the_order_of_the_hierarchy() {
    let harness = sized(app(flipping()), [1280.0, 1200.0]);
    let wanted = [
        "Chest: 25 keys",
        "UpperArm.L: 25 keys",
        "LowerArm.L: 25 keys",
        "UpperArm.R: 25 keys",
        "UpperLeg.L: 25 keys",
        "LowerLeg.L: 25 keys",
        "UpperLeg.R: 25 keys",
        "LowerLeg.R: 25 keys",
    ];
    assert_eq!(rows(&harness), wanted);
    assert!(is_there(&harness, "16 joints without keys"));
}

#[test]
fn a_joint_opens_into_its_properties() {
    let mut harness = open();
    harness.get_by_label("Open UpperArm.L").click();
    harness.run_steps(3);
    let row = "UpperArm.L, rotation: 25 keys, LINEAR";
    assert!(is_there(&harness, row));
    harness.get_by_label("Close UpperArm.L").click();
    harness.run_steps(3);
    assert!(!is_there(&harness, row));
}

#[test]
fn a_click_on_a_key_goes_there_and_selects_the_joint() {
    let mut app = app(flipping());
    app.session.apply(Command::SetPlaying(true));
    let mut harness = harness(app);
    // A little beside key 6 of 25.
    let at = place(&harness, "UpperArm.L: 25 keys", 6.0 / 24.0) + vec2(4.0, 0.0);
    click(&mut harness, at);
    assert_eq!(session(&harness).view.selected_joint, Some(8));
    let player = player(&harness);
    assert!(
        (player.time_secs - 0.25).abs() < 1e-6,
        "{}",
        player.time_secs
    );
    assert!(!player.playing, "stepping stops time");
    assert!(
        is_there(&harness, "UpperArm.L, rotation: 25 keys, LINEAR"),
        "the selected joint is open"
    );
}

#[test]
fn a_click_beside_keys_moves_the_playhead_and_a_drag_scrubs() {
    let mut harness = open();
    let at = place(&harness, "Chest: 25 keys", 0.5 / 24.0);
    click(&mut harness, at);
    let secs = player(&harness).time_secs;
    assert!((secs - 0.5 / 24.0).abs() < 2e-3, "{secs}");
    assert_eq!(session(&harness).view.selected_joint, None);
    let to = place(&harness, "LowerArm.L: 25 keys", 0.6);
    drag(&mut harness, at, to, PointerButton::Primary);
    let secs = player(&harness).time_secs;
    assert!((secs - 0.6).abs() < 2e-3, "{secs}");
}

#[test]
fn a_click_on_a_finding_shows_it() {
    let mut harness = open();
    let at = place(&harness, "LowerArm.L: 25 keys", 12.5 / 24.0);
    click(&mut harness, at);
    assert_eq!(session(&harness).shown_finding, Some(0));
    assert_eq!(session(&harness).view.selected_joint, Some(LOWER_ARM));
    // Half way through the interval, where a flip is at its worst.
    assert!((player(&harness).time_secs - 12.5 / 24.0).abs() < 1e-6);
    // The mark beside the name leads there too.
    let mut harness = open();
    harness.get_by_label("1 finding").click();
    harness.run_steps(3);
    assert_eq!(session(&harness).shown_finding, Some(0));
}

#[test]
fn filters_leave_what_they_say() {
    let mut harness = sized(app(flipping()), [1280.0, 1200.0]);
    harness.get_by_label("With findings only").click();
    harness.run_steps(3);
    assert_eq!(rows(&harness), ["LowerArm.L: 25 keys"]);
    harness.get_by_label("With findings only").click();
    harness.get_by_label("Selected joint only").click();
    harness.run_steps(3);
    assert!(rows(&harness).is_empty());
    assert!(is_there(&harness, "No joint selected"));
    let command = Command::SelectJoint(Some(12));
    harness.state_mut().session.apply(command);
    harness.run_steps(3);
    let wanted = [
        "UpperArm.R: 25 keys",
        "UpperArm.R, rotation: 25 keys, LINEAR",
    ];
    assert_eq!(rows(&harness), wanted);
    harness.get_by_label("Selected joint only").click();
    harness.get_by_label("Filter joints").focus();
    harness.run_steps(2);
    harness.get_by_label("Filter joints").type_text("lowerleg");
    harness.run_steps(3);
    assert_eq!(
        rows(&harness),
        ["LowerLeg.L: 25 keys", "LowerLeg.R: 25 keys"]
    );
}

#[test]
fn what_the_clip_does_not_key_is_told_and_can_be_listed() {
    let mut harness = sized(app(flipping()), [1280.0, 1400.0]);
    harness.get_by_label("16 joints without keys").click();
    harness.run_steps(3);
    assert!(is_there(&harness, "Hips: no keys"));
    assert!(!is_there(&harness, "16 joints without keys"));
    harness.get_by_label("Open Chest").click();
    harness.run_steps(3);
    assert!(is_there(&harness, "Chest, scale: no keys"));
    harness.get_by_label("Keyed only").click();
    harness.run_steps(3);
    assert!(!is_there(&harness, "Hips: no keys"));
}

#[test]
fn only_rows_in_sight_are_laid_out_and_the_selection_is_scrolled_to() {
    let mut harness = harness(app(crowd(2000, 50)));
    let count = rows(&harness).len();
    assert!((5..40).contains(&count), "{count} rows");
    assert!(!is_there(&harness, "Node_01500: 50 keys"));
    let command = Command::SelectJoint(Some(1500));
    harness.state_mut().session.apply(command);
    harness.run_steps(12);
    assert!(is_there(&harness, "Node_01500: 50 keys"));
    assert!(is_there(&harness, "Node_01500, rotation: 50 keys, LINEAR"));
    harness.get_by_label("Follow the selection").click();
    harness.run_steps(3);
    let command = Command::SelectJoint(Some(3));
    harness.state_mut().session.apply(command);
    harness.run_steps(12);
    assert!(!is_there(&harness, "Node_00003: 50 keys"), "it stays");
}

#[test]
fn the_keyboard_reaches_rows_and_keys() {
    let mut harness = open();
    harness.get_by_label("UpperArm.L: 25 keys").focus();
    harness.run_steps(2);
    harness.key_press(Key::ArrowRight);
    harness.run_steps(3);
    let row = "UpperArm.L, rotation: 25 keys, LINEAR";
    assert!(is_there(&harness, row), "it opens");
    harness.key_press(Key::ArrowDown);
    harness.run_steps(3);
    assert!(harness.get_by_label(row).accesskit_node().is_focused());
    for frames in [1.0, 2.0] {
        harness.key_press(Key::ArrowRight);
        harness.run_steps(2);
        let secs = player(&harness).time_secs;
        assert!((secs - frames / 24.0).abs() < 1e-5, "{secs}");
    }
    harness.key_press(Key::ArrowLeft);
    harness.run_steps(2);
    assert!((player(&harness).time_secs - 1.0 / 24.0).abs() < 1e-5);
    // Enter is a click.
    harness.key_press(Key::Enter);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_joint, Some(8));
    for _ in 0..2 {
        harness.key_press(Key::ArrowUp);
        harness.run_steps(3);
    }
    let chest = harness.get_by_label("Chest: 25 keys");
    assert!(chest.accesskit_node().is_focused());
}

fn wheel(harness: &mut Harness<'_, App>, at: egui::Pos2, lines: f32, modifiers: Modifiers) {
    harness.hover_at(at);
    harness.step();
    harness.event(Event::ModifiersChanged(modifiers));
    harness.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, lines),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers,
    });
    harness.run_steps(8);
    harness.event(Event::ModifiersChanged(Modifiers::NONE));
    harness.step();
}

#[test]
fn the_wheel_zooms_at_the_pointer_and_a_key_shows_the_whole_clip() {
    let mut harness = open();
    let at = place(&harness, "Chest: 25 keys", 0.75);
    wheel(&mut harness, at, 5.0, Modifiers::COMMAND);
    let [from, to] = session(&harness).shown_times.expect("zoomed");
    assert!(to - from < 0.8, "{from} to {to}");
    let plot = plot(&harness);
    let secs = from + (to - from) * (at.x - plot.left()) / plot.width();
    assert!((secs - 0.75).abs() < 1e-3, "{secs} under the pointer");
    assert!((player(&harness).time_secs).abs() < 1e-6, "time stands");
    wheel(&mut harness, at, 2.0, Modifiers::SHIFT);
    let [earlier, _] = session(&harness).shown_times.expect("moved");
    assert!(earlier < from - 0.01, "{earlier} after {from}");
    // A step out of sight brings the view along.
    for (key, secs) in [(Key::End, 1.0), (Key::Home, 0.0)] {
        harness.key_press(key);
        harness.run_steps(4);
        let [from, to] = session(&harness).shown_times.expect("still zoomed");
        assert!(from <= secs && secs <= to, "{secs} in {from} to {to}");
    }
    harness.key_press(Key::Z);
    harness.run_steps(2);
    assert_eq!(session(&harness).shown_times, None);
    // Another clip begins whole.
    wheel(&mut harness, at, 5.0, Modifiers::COMMAND);
    assert!(session(&harness).shown_times.is_some());
    let command = Command::SetSource(PoseSource::Clip(1));
    harness.state_mut().session.apply(command);
    assert_eq!(session(&harness).shown_times, None);
}

#[test]
fn a_stretch_of_time_that_is_none_changes_nothing() {
    let mut app = app(human());
    for times in [
        [1.0, 1.0],
        [2.0, 1.0],
        [f32::NAN, 1.0],
        [0.0, f32::INFINITY],
    ] {
        app.session.apply(Command::ShowTimes(Some(times)));
        assert_eq!(app.session.shown_times, None, "{times:?}");
    }
}

#[test]
fn still_poses_and_empty_files_say_why_there_are_no_rows() {
    let mut harness = open();
    let command = Command::SetSource(PoseSource::Rest);
    harness.state_mut().session.apply(command);
    harness.run_steps(3);
    assert!(is_there(&harness, "A still pose"));
    let mut empty = App::empty();
    empty.session.panels.timeline_view = TimelineView::DopeSheet;
    let harness = sized(empty, [1280.0, 800.0]);
    assert!(is_there(&harness, "Filter joints"));
}

#[test]
fn no_text_is_cut_or_overlaps_at_any_size() {
    for size in layout::SIZES {
        let mut app = app(flipping());
        app.session.apply(Command::SelectJoint(Some(LOWER_ARM)));
        let mut harness = sized(app, size);
        harness.run_steps(8);
        layout::check(&harness, "dope sheet", size);
        let view = harness.state().output.expect("ran").viewport_points;
        assert!(view.height() >= size[1] * 0.44, "{view:?} in {size:?}");
    }
}

#[test]
fn a_window_that_is_too_low_shows_the_bar_and_says_so() {
    let mut harness = sized(app(flipping()), [640.0, 300.0]);
    assert!(!is_there(&harness, "Filter joints"));
    let tab = |harness: &Harness<'_, App>, label: &str| {
        let tab = harness.get_by_label(label);
        let node = tab.accesskit_node();
        let is_on = node.toggled() == Some(egui::accesskit::Toggled::True);
        (node.is_disabled(), is_on)
    };
    assert_eq!(tab(&harness, "Dope sheet"), (true, false));
    assert_eq!(tab(&harness, "Bar"), (false, true));
    harness.set_size(vec2(640.0, 400.0));
    harness.run_steps(4);
    assert!(is_there(&harness, "Filter joints"));
    assert_eq!(tab(&harness, "Dope sheet"), (false, true));
}

#[test]
fn each_view_remembers_the_height_that_a_hand_gave_it() {
    let mut harness = open();
    let edge = |harness: &Harness<'_, App>| {
        let output = harness.state().output.expect("ran");
        output.viewport_points.bottom()
    };
    let before = edge(&harness);
    let (from, to) = (pos2(640.0, before + 1.0), pos2(640.0, before + 61.0));
    drag(&mut harness, from, to, PointerButton::Primary);
    harness.run_steps(4);
    let sheet = edge(&harness);
    assert!(
        (sheet - before - 60.0).abs() < 4.0,
        "{sheet} after {before}"
    );
    harness.key_press(Key::D);
    harness.run_steps(4);
    assert!(edge(&harness) > sheet + 40.0, "the bar keeps its own");
    harness.key_press(Key::D);
    harness.run_steps(4);
    assert!((edge(&harness) - sheet).abs() < 1.0);
    let panels = harness.state().ui.as_ref().expect("ran");
    let kept = panels.arrangement(&harness.ctx);
    assert!(
        kept.dope_sheet.is_some() && kept.timeline.is_none(),
        "{kept:?}"
    );
    let mut again = app(flipping());
    again.arrangement = kept;
    let again = sized(again, [1280.0, 800.0]);
    assert!((edge(&again) - sheet).abs() < 1.0);
}

#[test]
fn every_widget_of_it_has_a_name() {
    let mut app = app(flipping());
    app.session.apply(Command::SelectJoint(Some(LOWER_ARM)));
    let mut harness = harness(app);
    harness.run_steps(2);
    harness.check_accessibility();
}

/// Ten thousand keys a channel on two hundred joints: no frame takes long. Generous, for
/// this is not optimised; `cargo bench --bench panels` has the numbers.
#[test]
fn ten_thousand_keys_a_channel_are_no_burden() {
    let document = Arc::new(crowd(222, 10_000));
    let mut harness = harness(app(Document::clone(&document)));
    let at = plot(&harness).center_bottom() + vec2(0.0, 60.0);
    let start = std::time::Instant::now();
    for step in 0..20 {
        harness.hover_at(at + vec2(step as f32 * 5.0, step as f32 * 3.0));
        harness.step();
    }
    let each = start.elapsed() / 20;
    assert!(each.as_millis() < 250, "{each:?} a frame");
}
