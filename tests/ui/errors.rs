//! The timeline's view of how far the sides of a comparison are apart.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable as _};
use rigscope::{
    analysis::Watch,
    lab,
    scene::WeightView,
    session::{Command, ErrorKind, TimelineView},
};

use crate::{
    drive::{harness, session},
    support::{App, human},
};

fn scene(id: &str) -> Harness<'static, App> {
    let mut app = App::new(human());
    let scene = lab::find(id).expect("a scene");
    app.session.apply(Command::OpenLab(scene));
    app.session.apply(Command::SetPlaying(false));
    while let Some(job) = app.session.error_job() {
        let errors = job.run(&Watch::new()).expect("nobody cancels");
        app.session.apply(Command::ErrorsMeasured(Arc::new(errors)));
    }
    let mut harness = harness(app);
    harness.run_steps(3);
    harness
}

#[test]
fn each_side_tells_its_worst_and_a_click_goes_there() {
    let mut harness = scene("half-turn-elbow");
    for label in ["B: nlerp", "C: lerp"] {
        assert!(harness.query_by_label(label).is_some(), "{label}");
    }
    let line = "Worst 6.76° · 0.467 s · elbow";
    harness.get_by_label(line).click();
    harness.run_steps(3);
    let a = session(&harness).character().expect("A");
    assert!((a.player.time_secs - 0.467).abs() < 0.001);
    assert!(harness.query_by_label("Mean 2.19° · now 6.76°").is_some());
    let joint = session(&harness).view.selected_joint.expect("selected");
    assert_eq!(a.document.skeleton.joints[joint].label(), "elbow");
    harness.get_by_label("Difference: Vertices").click();
    harness.run_steps(3);
    let kind = session(&harness).comparison.as_ref().map(|c| c.kind);
    assert_eq!(kind, Some(ErrorKind::Vertex));
    let named = harness.query_all_by_label_contains("vertex 6321 of mesh");
    assert!(named.count() >= 2, "B's and C's tip");
}

#[test]
fn a_click_in_the_plot_jumps_there() {
    let mut harness = scene("half-turn-elbow");
    let label = "Difference over the clip: Angle between the world rotations of a joint";
    let plot = harness.get_by_label(label).rect();
    let at = plot.center();
    harness.hover_at(at);
    harness.run_steps(2);
    harness.drag_at(at);
    harness.run_steps(2);
    harness.drop_at(at);
    harness.run_steps(3);
    let a = session(&harness).character().expect("A");
    let half = a.player.duration_secs * 0.5;
    assert!((a.player.time_secs - half).abs() < 0.05, "{:?}", a.player);
}

#[test]
fn keys_open_it_and_colour_the_surface_while_there_is_something_to_compare() {
    let mut harness = harness(App::new(human()));
    harness.key_press(Key::E);
    harness.run_steps(2);
    let view = |harness: &Harness<'_, App>| session(harness).panels.timeline_view;
    assert_eq!(view(&harness), TimelineView::Bar, "nothing to compare");
    assert!(harness.query_by_label("Difference").is_none());
    harness.key_press(Key::V);
    harness.key_press(Key::E);
    harness.run_steps(3);
    assert_eq!(view(&harness), TimelineView::Errors);
    assert!(harness.query_by_label("Difference").is_some());
    assert!(harness.query_by_label("Working out the clip …").is_some());
    harness.key_press_modifiers(Modifiers::SHIFT, Key::E);
    harness.run_steps(2);
    let shown = |harness: &Harness<'_, App>| session(harness).view.weight_view;
    assert_eq!(shown(&harness), Some(WeightView::Difference));
    // Without B the bar is back, and the surface.
    harness.key_press(Key::V);
    harness.run_steps(3);
    assert_eq!(shown(&harness), None);
    assert!(harness.query_by_label("Difference").is_none());
}
