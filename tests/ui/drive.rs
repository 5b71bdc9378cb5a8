//! What a hand does: moving, pressing, dragging, turning the wheel.

use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, TouchPhase, vec2};
use egui_kittest::Harness;
use rigscope::session::{Action, Session};

use crate::support::{self, App};

pub fn harness(app: App) -> Harness<'static, App> {
    sized(app, [1280.0, 800.0])
}

pub fn sized(app: App, size: [f32; 2]) -> Harness<'static, App> {
    let mut harness = Harness::builder()
        .with_size(vec2(size[0], size[1]))
        .with_step_dt(0.1)
        .build_ui_state(|ui, app: &mut App| app.run(ui, None), app);
    harness.run_steps(3);
    harness
}

pub fn session<'a>(harness: &'a Harness<'_, App>) -> &'a Session {
    &harness.state().session
}

pub fn player(harness: &Harness<'_, App>) -> rigscope::anim::Player {
    session(harness)
        .character()
        .expect("a document is open")
        .player
}

pub fn modes(harness: &Harness<'_, App>) -> rigscope::anim::Modes {
    session(harness)
        .character()
        .expect("a document is open")
        .technique
        .modes
}

/// Frames the character as the shell does after loading, so that it can be clicked.
pub fn frame_all(harness: &mut Harness<'_, App>) {
    let command = Action::FrameAll.command(session(harness), 1.2);
    harness
        .state_mut()
        .session
        .apply(command.expect("framing is possible"));
    harness.run_steps(2);
}

/// Where a joint appears in the view.
pub fn joint_position(harness: &Harness<'_, App>, joint: usize) -> egui::Pos2 {
    let app = harness.state();
    let camera = &app.frame.camera;
    let world = support::world(&app.session, joint).w_axis.truncate();
    let ndc = (camera.clip_from_view * camera.view_from_world).project_point3(world);
    let view = app.output.expect("a frame has run").viewport_points;
    view.center() + vec2(ndc.x * view.width() * 0.5, -ndc.y * view.height() * 0.5)
}

pub fn press(harness: &Harness<'_, App>, at: egui::Pos2, button: PointerButton, pressed: bool) {
    harness.event(Event::PointerButton {
        pos: at,
        button,
        pressed,
        modifiers: Modifiers::NONE,
    });
}

pub fn drag(
    harness: &mut Harness<'_, App>,
    from: egui::Pos2,
    to: egui::Pos2,
    button: PointerButton,
) {
    harness.hover_at(from);
    harness.step();
    press(harness, from, button, true);
    harness.step();
    for step in 1..=4 {
        harness.hover_at(from + (to - from) * (step as f32 / 4.0));
        harness.step();
    }
    press(harness, to, button, false);
    harness.step();
}

pub fn wheel(harness: &mut Harness<'_, App>, at: egui::Pos2, lines: f32) {
    harness.hover_at(at);
    harness.step();
    harness.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, lines),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    harness.run_steps(8);
}
