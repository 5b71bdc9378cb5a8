//! The list of problems, the card of the one on show, and their marks.

use std::sync::Arc;

use egui::{Key, pos2};
use egui_kittest::{Harness, kittest::Queryable as _};
use rigscope::{
    analysis::Report,
    anim::Hemisphere,
    document::{Finding, FindingCode, Property, Severity},
    scene::PoseSource,
    session::{Command, OutlinerTab},
};

use crate::{
    drive::{harness, modes, player, session, sized},
    support::{App, LOWER_ARM, human},
};

fn flip(clip: usize, joint: usize, key: usize) -> Finding {
    let secs = key as f32 / 24.0;
    Finding::new(
        FindingCode::RotationSignFlip,
        Severity::Warning,
        format!(
            "clip {clip}, node {joint}: keys {key} and {} are 21° apart and stored as 339°",
            key + 1
        ),
    )
    .in_clip(clip)
    .at_node(joint)
    .of(Property::Rotation)
    .at_key(key, secs)
    .until((key + 1) as f32 / 24.0)
    .with("true_angle_deg", 21.0)
    .with("stored_arc_deg", 339.0)
}

fn findings() -> Vec<Finding> {
    vec![
        Finding::new(
            FindingCode::WeightsZero,
            Severity::Error,
            "mesh 0 \"Body\": vertex 4 has no weight",
        )
        .at_mesh(0)
        .at_vertex(0, 4),
        flip(0, LOWER_ARM, 12),
        flip(0, LOWER_ARM, 18),
        flip(2, 16, 3),
        Finding::new(FindingCode::LateStart, Severity::Info, "starts at 0.5 s")
            .in_clip(1)
            .at_key(0, 0.5),
    ]
}

/// A figure whose checks found this; the list is open.
pub fn checked(findings: Vec<Finding>, left_out: &[&str]) -> App {
    let mut document = human();
    document.findings.clear();
    let mut app = App::new(document);
    let document = app.session.character().expect("open").document.clone();
    app.session.apply(Command::AnalysisFinished {
        document,
        report: Arc::new(Report {
            findings,
            left_out: left_out.iter().map(|&text| text.to_owned()).collect(),
        }),
    });
    app.session.panels.outliner_tab = OutlinerTab::Problems;
    app
}

fn shown(harness: &Harness<'_, App>) -> Option<usize> {
    session(harness).shown_finding
}

fn there(harness: &Harness<'_, App>, label: &str) -> bool {
    harness.query_all_by_label_contains(label).count() > 0
}

fn click(harness: &mut Harness<'_, App>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(3);
}

const FLIP_ROW: &str = "Rotation flips sign, 0.5 s · key 12 · Walk";

#[test]
fn the_badge_opens_the_list() {
    let mut app = checked(findings(), &[]);
    app.session.panels.outliner_tab = OutlinerTab::Joints;
    let mut harness = harness(app);
    click(&mut harness, "4 problems");
    for label in [
        "Problems (4)",
        "Errors (1)",
        "Warnings (3)",
        "Notes (1)",
        "Body: 1 of severity error",
        "LowerArm.L: 2 of severity warning",
        "LowerLeg.L: 1 of severity warning",
        "Wave: 1 of severity info",
        FLIP_ROW,
    ] {
        assert!(harness.query_by_label(label).is_some(), "{label}");
    }
}

#[test]
fn a_click_shows_joint_moment_and_numbers() {
    let mut harness = harness(checked(findings(), &[]));
    let camera = session(&harness).view.camera;
    click(&mut harness, FLIP_ROW);
    assert_eq!(shown(&harness), Some(1));
    assert_eq!(session(&harness).view.selected_joint, Some(LOWER_ARM));
    assert!((player(&harness).time_secs - 12.5 / 24.0).abs() < 1e-5);
    assert!(!player(&harness).playing);
    assert_ne!(session(&harness).view.camera, camera);
    for label in [
        "True angle",
        "21°",
        "Arc as stored",
        "339°",
        "12 and 13",
        "Walk (clip 0)",
        "LowerArm.L (node 9)",
        "rotation, LINEAR",
        "Key 12",
        "What this program shows",
        "What other players do",
        "In Blender or Maya",
    ] {
        assert!(there(&harness, label), "{label}");
    }
}

#[test]
fn a_vertex_is_framed_where_the_pose_has_put_it() {
    let mut app = checked(findings(), &[]);
    app.session.apply(Command::SetTime(0.3));
    let wide = app.session.settled_camera().distance;
    let mut harness = harness(app);
    harness.key_press(Key::Period);
    harness.run_steps(3);
    let session = session(&harness);
    let finding = session.finding_on_show().expect("one is shown");
    let place = session.place_of(finding).expect("it has a place");
    // Vertex 4 was bound at the joint of slot 4 and follows it alone.
    let joint = crate::support::world(session, 5).w_axis.truncate();
    assert!(place.distance(joint) < 1e-4, "{place} is not {joint}");
    let camera = session.settled_camera();
    // Perspective framing is not quite about the middle.
    let off = camera.target.distance(place);
    assert!(off < camera.distance * 0.05, "{camera:?}");
    assert!(camera.distance < wide * 0.5, "{camera:?} from {wide}");
}

#[test]
fn copied_text_is_a_bug_report() {
    let mut harness = harness(checked(findings(), &[]));
    click(&mut harness, FLIP_ROW);
    click(&mut harness, "Copy as bug report");
    let copied = harness.state().log.iter().find(|c| c.contains("CopyText"));
    let copied = copied.expect("something was copied").replace("\\n", "\n");
    for line in [
        "Rotation flips sign (rotation-sign-flip, warning)",
        "File: /characters/hero.glb",
        "Made by: Khronos glTF Blender I/O v4.5.47",
        "Clip: Walk (clip 0)",
        "Joint: LowerArm.L (node 9)",
        "Property: rotation, LINEAR",
        "Keys: 12 and 13",
        "Time: 0.5 … 0.542 s, frames 12 … 13 at a guessed 24 per second",
        "True angle: 21°",
        "Arc as stored: 339°",
    ] {
        assert!(
            copied.lines().any(|l| l.ends_with(line)),
            "{line} in {copied}"
        );
    }
}

#[test]
fn the_keyboard_goes_all_the_way() {
    let mut app = checked(findings(), &[]);
    app.session.panels.outliner_tab = OutlinerTab::Joints;
    let mut harness = harness(app);
    let press = |harness: &mut Harness<'_, App>, key| {
        harness.key_press(key);
        harness.run_steps(3);
    };
    press(&mut harness, Key::P);
    assert!(harness.query_by_label("Search problems").is_some());
    for (key, wanted) in [
        (Key::Period, 0),
        (Key::Period, 1),
        (Key::Period, 2),
        (Key::Comma, 1),
    ] {
        press(&mut harness, key);
        assert_eq!(shown(&harness), Some(wanted));
    }
    press(&mut harness, Key::Escape);
    assert_eq!(shown(&harness), None);
    assert_eq!(session(&harness).view.selected_joint, Some(LOWER_ARM));
    press(&mut harness, Key::Escape);
    assert_eq!(session(&harness).view.selected_joint, None);

    harness.get_by_label("Search problems").click();
    harness.run_steps(2);
    harness
        .get_by_label("Search problems")
        .type_text("lowerarm");
    harness.run_steps(3);
    assert!(!there(&harness, "LowerLeg.L"));
    press(&mut harness, Key::Enter);
    assert_eq!(shown(&harness), Some(1));
    press(&mut harness, Key::ArrowDown);
    assert_eq!(shown(&harness), Some(2));
    // A row that has the focus is pressed like any button.
    harness.get_by_label(FLIP_ROW).focus();
    harness.run_steps(2);
    press(&mut harness, Key::Enter);
    assert_eq!(shown(&harness), Some(1));
}

#[test]
fn filters_and_headings() {
    let mut harness = harness(checked(findings(), &[]));
    click(&mut harness, "Warnings (3)");
    assert!(!there(&harness, "LowerArm.L:"));
    assert!(there(&harness, "Body:"));
    click(&mut harness, "Warnings (3)");
    click(&mut harness, "Group: By problem");
    assert!(
        harness
            .query_by_label("Rotation flips sign: 3 of severity warning")
            .is_some()
    );
    assert!(
        harness
            .query_by_label("LowerArm.L, 0.5 s · key 12 · Walk")
            .is_some()
    );
    // Folded away, and there again for what is shown from elsewhere.
    click(&mut harness, "Rotation flips sign: 3 of severity warning");
    assert!(
        harness
            .query_by_label("LowerArm.L, 0.5 s · key 12 · Walk")
            .is_none()
    );
    for _ in 0..2 {
        harness.key_press(Key::Period);
        harness.run_steps(3);
    }
    assert!(
        harness
            .query_by_label("LowerArm.L, 0.5 s · key 12 · Walk")
            .is_some()
    );
    for severity in ["Errors (1)", "Warnings (3)", "Notes (1)"] {
        click(&mut harness, severity);
    }
    assert!(there(&harness, "No match"));
}

#[test]
fn without_the_short_path_and_back() {
    let mut app = checked(findings(), &[]);
    let mut kept = app.session.character().expect("open").technique.modes;
    kept.hemisphere = Hemisphere::AlignAll;
    app.session.apply(Command::SetModes(kept));
    let mut harness = harness(app);
    click(&mut harness, FLIP_ROW);
    click(&mut harness, "Show without short path");
    assert_eq!(modes(&harness).hemisphere, Hemisphere::Keep);
    click(&mut harness, "Back to the short path");
    assert_eq!(
        modes(&harness).hemisphere,
        Hemisphere::AlignAll,
        "as it was"
    );
    click(&mut harness, "Body: 1 of severity error");
    click(&mut harness, "Body: 1 of severity error");
    harness.key_press(Key::Comma);
    harness.run_steps(3);
    assert_eq!(shown(&harness), Some(0));
    assert!(!there(&harness, "short path"), "no matter of arcs");
}

#[test]
fn while_checks_run_and_when_they_found_nothing() {
    let mut document = human();
    document.findings.clear();
    let mut app = App::new(document);
    app.session.panels.outliner_tab = OutlinerTab::Problems;
    app.session.apply(Command::AnalysisProgress(0.4));
    let mut running = harness(app);
    assert!(there(&running, "Checking … 40 %"));
    assert!(running.query_by_label("checking …").is_some());
    assert!(!there(&running, "Nothing to report"));

    let harness = harness(checked(Vec::new(), &[]));
    assert!(there(&harness, "Nothing to report"));
    assert!(harness.query_by_label("no problems").is_some());
    running.run_steps(1);
}

#[test]
fn what_was_left_out_can_be_asked_for() {
    let sentence = "The loop seams of 12 clips were left out";
    let mut harness = harness(checked(findings(), &[sentence]));
    assert!(there(&harness, sentence));
    click(&mut harness, "Check everything");
    assert!(harness.state().log.iter().any(|c| c == "AnalyseWhole"));
    assert!(there(&harness, FLIP_ROW), "the list stays meanwhile");
}

#[test]
fn a_mark_on_the_timeline_leads_to_its_problem() {
    let mut harness = harness(checked(findings(), &[]));
    let bar = harness.get_by_label("Timeline").rect();
    // Clip 0 lasts 1 s and the bar is inset by 9 points.
    let x = bar.left() + 9.0 + (bar.width() - 18.0) * (18.5 / 24.0);
    harness.hover_at(pos2(x, bar.bottom() - 3.0));
    harness.run_steps(12);
    assert!(there(&harness, "LowerArm.L · 0.75 s"), "says what it is");
    for pressed in [true, false] {
        let at = pos2(x, bar.bottom() - 3.0);
        crate::drive::press(&harness, at, egui::PointerButton::Primary, pressed);
        harness.step();
    }
    harness.run_steps(3);
    assert_eq!(shown(&harness), Some(2));
    assert_eq!(
        session(&harness).character().map(|c| c.source),
        Some(PoseSource::Clip(0))
    );
    assert!((player(&harness).time_secs - 18.5 / 24.0).abs() < 1e-5);
}

#[test]
fn where_no_inspector_fits_the_card_is_below_the_list() {
    let mut harness = sized(checked(findings(), &[]), [700.0, 600.0]);
    harness.key_press(Key::Period);
    harness.run_steps(4);
    let close = harness.get_by_label("Close problem").rect();
    assert!(close.right() < 350.0, "{close}");
    click(&mut harness, "Close problem");
    assert_eq!(shown(&harness), None);
    // Without side panels the inspector's place is free.
    let mut wide = sized(checked(findings(), &[]), [1280.0, 800.0]);
    wide.key_press(Key::Period);
    wide.run_steps(4);
    assert!(wide.get_by_label("Close problem").rect().left() > 900.0);
}

#[test]
fn file_info_counts_and_leads_to_the_list() {
    let mut app = checked(findings(), &[]);
    app.session.panels.outliner_tab = OutlinerTab::Clips;
    app.session.panels.info = true;
    let mut harness = harness(app);
    harness.run_steps(4);
    assert!(there(&harness, "4 problems, 1 note"));
    click(&mut harness, "Show the list");
    assert!(!session(&harness).panels.info);
    assert_eq!(session(&harness).panels.outliner_tab, OutlinerTab::Problems);
}

#[test]
fn of_ten_thousand_only_those_in_sight_are_laid_out() {
    let many: Vec<Finding> = (0..10_000).map(|n| flip(0, 1 + n % 22, n % 24)).collect();
    let mut harness = harness(checked(many, &[]));
    let rows = |harness: &Harness<'_, App>| {
        harness
            .query_all_by_label_contains("Rotation flips sign, ")
            .count()
    };
    assert!((5..40).contains(&rows(&harness)), "{}", rows(&harness));
    // The last of all is scrolled to.
    harness.key_press(Key::Comma);
    harness.run_steps(20);
    let shown = shown(&harness).expect("one is shown");
    assert!(session(&harness).findings()[shown].node == Some(22));
    assert!((5..40).contains(&rows(&harness)), "{}", rows(&harness));
    let started = std::time::Instant::now();
    harness.run_steps(20);
    let frame = started.elapsed() / 20;
    println!("10 000 findings: {frame:?} a frame");
    assert!(frame < std::time::Duration::from_millis(200), "{frame:?}");
}
