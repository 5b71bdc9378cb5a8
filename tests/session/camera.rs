//! Camera moves: at once where nobody looks, in a fifth of a second in a window.

use core::f32::consts::{FRAC_PI_2, PI};

use rigscope::{scene::OrbitCamera, session::GLIDE_SECS};

use super::*;

/// A frame at 60 Hz.
const FRAME: f32 = 1.0 / 60.0;

fn session(smooth: bool) -> Session {
    let mut session = session_with([
        Command::SetPlaying(false),
        Command::SetCamera(OrbitCamera::default()),
    ]);
    session.smooth_camera = smooth;
    session
}

/// The cameras of all frames until the move is over.
fn frames(session: &mut Session) -> Vec<OrbitCamera> {
    let mut cameras = vec![session.view.camera];
    while session.is_animating() {
        session.advance(FRAME);
        cameras.push(session.view.camera);
        assert!(cameras.len() < 100, "the move does not end");
    }
    cameras
}

fn half_height(camera: &OrbitCamera) -> f32 {
    camera.distance * (camera.yfov_radians * 0.5).tan()
}

#[test]
fn without_a_window_the_camera_is_there_at_once() {
    let mut session = session(false);
    act(&mut session, Action::ViewFront);
    assert_eq!(session.view.camera.yaw_radians, 0.0);
    act(&mut session, Action::ToggleOrthographic);
    assert!(session.view.camera.orthographic);
    assert!(!session.is_animating());
}

#[test]
fn a_move_begins_where_the_camera_is_and_ends_exactly_within_a_fifth_of_a_second() {
    for action in [
        Action::FrameAll,
        Action::ViewFront,
        Action::ViewRight,
        Action::ViewTop,
        Action::ToggleOrthographic,
    ] {
        let mut there = session(false);
        act(&mut there, action);
        let mut session = session(true);
        let start = session.view.camera;
        act(&mut session, action);
        assert_eq!(session.view.camera, start, "{action:?}");
        assert_eq!(session.settled_camera(), there.view.camera);
        let cameras = frames(&mut session);
        assert!(
            (cameras.len() - 1) as f32 * FRAME <= 0.2 + 1e-4,
            "{action:?}"
        );
        assert_eq!(session.view.camera, there.view.camera, "{action:?}");
        // And then nothing asks for a frame any more.
        assert!(!session.is_animating());
        session.advance(FRAME);
        assert_eq!(session.view.camera, there.view.camera);
    }
    const { assert!(GLIDE_SECS < 0.2) };
}

#[test]
fn a_move_never_turns_back_and_goes_the_shorter_way_round() {
    let mut session = session(true);
    let mut camera = OrbitCamera {
        yaw_radians: 0.9 * PI,
        distance: 12.0,
        ..OrbitCamera::default()
    };
    session.apply(Command::SetCamera(camera));
    camera.yaw_radians = -0.9 * PI;
    camera.pitch_radians = FRAC_PI_2;
    camera.distance = 3.0;
    session.apply(Command::MoveCamera(camera));
    let cameras = frames(&mut session);
    // The last frame has the target's own number, a whole turn away.
    for pair in cameras[..cameras.len() - 1].windows(2) {
        assert!(pair[1].yaw_radians > pair[0].yaw_radians, "{cameras:?}");
        assert!(pair[1].yaw_radians <= 1.1 * PI + 1e-5);
    }
    for pair in cameras.windows(2) {
        assert!(pair[1].pitch_radians > pair[0].pitch_radians);
        assert!(pair[1].distance < pair[0].distance);
    }
}

#[test]
fn a_hand_takes_over_at_once() {
    let mut session = session(true);
    act(&mut session, Action::ViewTop);
    session.advance(0.05);
    let mut camera = session.view.camera;
    assert!(session.is_camera_moving());
    camera.yaw_radians += 0.1;
    session.apply(Command::SetCamera(camera));
    assert!(!session.is_animating());
    assert_eq!(session.view.camera.yaw_radians, camera.yaw_radians);
    assert_eq!(session.view.camera.pitch_radians, camera.pitch_radians);
}

#[test]
fn between_projections_the_target_keeps_its_size_even_when_interrupted() {
    let mut session = session(true);
    let wanted = half_height(&session.view.camera);
    for _ in 0..2 {
        act(&mut session, Action::ToggleOrthographic);
        for camera in frames(&mut session) {
            let height = half_height(&camera);
            assert!((height / wanted - 1.0).abs() < 1e-3, "{height} of {wanted}");
        }
    }
    let lens = session.view.camera.yfov_radians;
    act(&mut session, Action::ToggleOrthographic);
    session.advance(0.06);
    let mut camera = session.view.camera;
    assert!(camera.yfov_radians < lens, "the lens narrows on the way");
    camera.yaw_radians += 0.1;
    session.apply(Command::SetCamera(camera));
    let camera = session.view.camera;
    assert!(camera.orthographic);
    assert!((camera.yfov_radians - lens).abs() < 1e-6);
    assert!((half_height(&camera) / wanted - 1.0).abs() < 1e-3);
}

#[test]
fn a_switch_thrown_on_the_way_does_not_stop_the_camera_and_undo_brings_it_back() {
    let mut session = session(true);
    session.checkpoint();
    let start = session.view.camera;
    act(&mut session, Action::ViewFront);
    session.advance(FRAME);
    session.checkpoint();
    act(&mut session, Action::ToggleGrid);
    assert!(session.is_camera_moving());
    frames(&mut session);
    assert_eq!(session.view.camera.yaw_radians, 0.0);
    session.checkpoint();
    // One step for the grid, one for the whole move.
    for _ in 0..2 {
        act(&mut session, Action::Undo);
        frames(&mut session);
    }
    assert_eq!(session.view.camera, start);
    assert!(!session.can_undo());
}

#[test]
fn two_moves_in_a_row_build_on_each_other() {
    let mut session = session(true);
    act(&mut session, Action::ViewFront);
    session.advance(FRAME);
    act(&mut session, Action::FrameAll);
    frames(&mut session);
    assert_eq!(session.view.camera.yaw_radians, 0.0, "1 is not lost to F");
}
