//! What the timeline does.

use egui::{Event, Modifiers, PointerButton, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use rigscope::{
    anim::{Hemisphere, Interpolation, LoopPolicy},
    scene::PoseSource,
    session::Command,
};

use crate::{
    drive::{drag, harness, modes, player, press, session, wheel},
    support::{App, LOWER_ARM, human},
};

#[test]
fn the_play_button_plays_and_pauses() {
    let mut harness = harness(App::new(human()));
    let button = harness
        .get_all_by_label("Play")
        .max_by(|a, b| a.rect().top().total_cmp(&b.rect().top()))
        .expect("menu and button");
    button.click();
    harness.run_steps(2);
    assert!(player(&harness).playing);
    harness.get_by_label("Pause").click();
    harness.run_steps(2);
    assert!(!player(&harness).playing);
}

#[test]
fn a_mode_chosen_in_the_list_acts_and_shows() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("Interpolation").click();
    harness.run_steps(3);
    harness.get_by_label("lerp").click();
    harness.run_steps(3);
    assert_eq!(modes(&harness).interpolation, Interpolation::Lerp);
    harness.get_by_label("Hemisphere").click();
    harness.run_steps(3);
    harness.get_by_label("keep").click();
    harness.run_steps(3);
    assert_eq!(modes(&harness).hemisphere, Hemisphere::Keep);
    let threshold = harness.get_by_label("Slerp threshold");
    assert!(
        threshold.accesskit_node().is_disabled(),
        "lerp has no threshold"
    );
}

#[test]
fn dragging_the_timeline_scrubs_without_stopping_playback() {
    let mut app = App::new(human());
    app.session.apply(Command::SetPlaying(true));
    let mut harness = harness(app);
    let bar = harness.get_by_label("Timeline").rect();
    drag(
        &mut harness,
        pos2(bar.left() + 60.0, bar.center().y),
        pos2(bar.center().x, bar.center().y),
        PointerButton::Primary,
    );
    let player = player(&harness);
    assert!(
        (player.time_secs - 0.5).abs() < 0.01,
        "at {}",
        player.time_secs
    );
    assert!(player.playing);
}

#[test]
fn shift_scrubbing_snaps_to_the_selected_joints_keys() {
    let mut app = App::new(human());
    app.session.apply(Command::SelectJoint(Some(LOWER_ARM)));
    let mut harness = harness(app);
    let bar = harness.get_by_label("Timeline").rect();
    let at = pos2(bar.left() + bar.width() * 0.43, bar.center().y);
    harness.hover_at(at);
    harness.step();
    harness.event(Event::ModifiersChanged(Modifiers::SHIFT));
    press(&harness, at, PointerButton::Primary, true);
    harness.step();
    let frames = player(&harness).time_secs * 24.0;
    assert!((frames - frames.round()).abs() < 1e-3, "frame {frames}");
    assert!(frames > 9.0 && frames < 12.0, "frame {frames}");
}

#[test]
fn the_wheel_on_the_timeline_steps_frames() {
    let mut harness = harness(App::new(human()));
    let at = harness.get_by_label("Timeline").rect().center();
    wheel(&mut harness, at, -1.0);
    assert!((player(&harness).time_secs - 1.0 / 24.0).abs() < 1e-5);
    wheel(&mut harness, at, -2.0);
    assert!((player(&harness).time_secs - 3.0 / 24.0).abs() < 1e-5);
    wheel(&mut harness, at, 1.0);
    assert!((player(&harness).time_secs - 2.0 / 24.0).abs() < 1e-5);
}

#[test]
fn the_timeline_is_a_slider_for_assistive_tools() {
    let mut harness = harness(App::new(human()));
    let bar = harness.get_by_label("Timeline");
    let node = bar.accesskit_node();
    assert_eq!(node.numeric_value(), Some(0.0));
    assert_eq!(node.max_numeric_value(), Some(1.0));
    bar.set_value_accesskit(0.25);
    harness.run_steps(2);
    assert!((player(&harness).time_secs - 0.25).abs() < 1e-6);
    harness.get_by_label("Timeline").increment_accesskit();
    harness.run_steps(2);
    assert!((player(&harness).time_secs - 7.0 / 24.0).abs() < 1e-5);
}

#[test]
fn loop_and_clip_follow_their_buttons() {
    let mut harness = harness(App::new(human()));
    harness
        .get_by_label("Ping-pong: turn round at the ends")
        .click();
    harness.run_steps(2);
    assert_eq!(player(&harness).loop_policy, LoopPolicy::PingPong);
    harness.get_by_label("Clip").click();
    harness.run_steps(3);
    harness.get_by_label("Wave").click();
    harness.run_steps(3);
    let source = session(&harness).character().map(|c| c.source);
    assert_eq!(source, Some(PoseSource::Clip(1)));
    harness
        .get_by_label("Start at the first key instead of 0")
        .click();
    harness.run_steps(2);
    assert!((player(&harness).start_secs - 0.5).abs() < 1e-6);
}

#[test]
fn a_quick_release_keeps_the_last_move() {
    let mut harness = harness(App::new(human()));
    let bar = harness.get_by_label("Timeline").rect();
    let from = pos2(bar.left() + 60.0, bar.center().y);
    harness.hover_at(from);
    harness.step();
    press(&harness, from, PointerButton::Primary, true);
    harness.step();
    harness.hover_at(from + egui::vec2(40.0, 0.0));
    harness.step();
    harness.step();
    assert!(session(&harness).scrubbing);
    // Both in one frame.
    let input = harness.input_mut();
    input.events.push(Event::PointerMoved(bar.center()));
    input.events.push(Event::PointerButton {
        pos: bar.center(),
        button: PointerButton::Primary,
        pressed: false,
        modifiers: Modifiers::NONE,
    });
    harness.step();
    let secs = player(&harness).time_secs;
    assert!((secs - 0.5).abs() < 0.01, "at {secs}");
    assert!(!session(&harness).scrubbing);
}
