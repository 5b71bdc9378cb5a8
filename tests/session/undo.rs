//! Taking back, and doing again.

use super::*;

fn yaw(session: &Session) -> f32 {
    session.view.camera.yaw_radians
}

fn turned(session: &Session, yaw_radians: f32) -> Command {
    let mut camera = session.view.camera;
    camera.yaw_radians = yaw_radians;
    Command::SetCamera(camera)
}

#[test]
fn a_drag_is_one_step() {
    let mut session = session_with([]);
    session.checkpoint();
    let before = yaw(&session);
    for step in 0..10 {
        let command = turned(&session, step as f32);
        session.apply(command);
    }
    session.checkpoint();
    session.apply(Command::Undo);
    assert_eq!(yaw(&session), before);
    session.apply(Command::Redo);
    assert_eq!(yaw(&session), 9.0);
    session.apply(Command::Redo);
    assert_eq!(yaw(&session), 9.0);
}

#[test]
fn modes_and_switches_come_back_but_time_does_not() {
    let mut session = session_with([Command::SetPlaying(false)]);
    session.checkpoint();
    act(&mut session, Action::CycleMode);
    session.checkpoint();
    act(&mut session, Action::ToggleSkeleton);
    run(&mut session, [Command::SetTime(1.0)]);
    assert!(session.can_undo(), "an unmarked change counts");
    run(&mut session, [Command::Undo]);
    assert!(!session.view.skeleton);
    let mode = |s: &Session| s.character().expect("open").technique.modes.interpolation;
    assert_eq!(mode(&session), Interpolation::Step);
    run(&mut session, [Command::Undo]);
    assert_eq!(mode(&session), Interpolation::Authored);
    assert_eq!(time(&session), 1.0);
    assert!(!session.can_undo() && session.can_redo());
    run(&mut session, [Command::Redo, Command::Redo]);
    assert!(session.view.skeleton);
    assert_eq!(mode(&session), Interpolation::Step);
}

#[test]
fn a_new_change_ends_the_redo_line() {
    let mut session = session_with([]);
    session.checkpoint();
    let change = turned(&session, 1.0);
    run(&mut session, [change, Command::Undo]);
    let change = turned(&session, 2.0);
    run(&mut session, [change, Command::Redo]);
    assert_eq!(yaw(&session), 2.0);
    run(&mut session, [Command::Undo]);
    assert_ne!(yaw(&session), 2.0);
}

#[test]
fn hovering_is_no_step() {
    let mut session = session_with([]);
    session.checkpoint();
    run(&mut session, [Command::HoverJoint(Some(1))]);
    session.checkpoint();
    assert!(!session.can_undo());
}
