//! What a shell or panel should never send, and what nobody opened.

use super::*;

#[test]
fn joints_that_do_not_exist_are_not_selected() {
    let mut session = session_with([
        Command::SelectJoint(Some(3)),
        Command::HoverJoint(Some(usize::MAX)),
    ]);
    assert_eq!(session.view.selected_joint, None);
    assert_eq!(session.view.hovered_joint, None);
    let mut view = session.view.clone();
    view.selected_joint = Some(17);
    run(&mut session, [Command::SetView(Box::new(view))]);
    assert_eq!(session.view.selected_joint, None);
}

#[test]
fn a_camera_that_is_not_finite_is_refused() {
    let mut session = session_with([]);
    let before = session.view.camera;
    for spoil in [0, 1, 2] {
        let mut camera = before;
        match spoil {
            0 => camera.distance = 0.0,
            1 => camera.target.x = f32::NAN,
            _ => camera.pitch_radians = f32::INFINITY,
        }
        run(&mut session, [Command::SetCamera(camera)]);
        assert_eq!(session.view.camera, before);
    }
}

#[test]
fn every_action_works_with_nothing_open() {
    for &action in Action::ALL {
        let mut session = Session::default();
        act(&mut session, action);
        assert!(session.character().is_none());
    }
}

#[test]
fn every_action_is_absolute() {
    for &action in Action::ALL {
        let mut session = session_with([Command::SetTime(0.6), Command::SelectJoint(Some(1))]);
        session.checkpoint();
        let Some(command) = action.command(&session, 1.5) else {
            continue;
        };
        if matches!(command, Command::Undo | Command::Redo) {
            continue;
        }
        session.apply(command.clone());
        let once = format!("{:?}{:?}", session.view, session.stage.characters[0].player);
        session.apply(command);
        let twice = format!("{:?}{:?}", session.view, session.stage.characters[0].player);
        assert_eq!(once, twice, "{action:?}");
    }
}

#[test]
fn no_two_actions_share_a_key() {
    for (index, a) in Action::ALL.iter().enumerate() {
        for b in &Action::ALL[index + 1..] {
            assert!(a.key().is_none() || a.key() != b.key(), "{a:?} and {b:?}");
        }
    }
}
