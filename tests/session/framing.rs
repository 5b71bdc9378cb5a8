//! What framing takes in.

use super::*;

#[test]
fn framing_a_joint_shows_all_that_hangs_on_it() {
    let mut session = session_with([
        Command::SetSource(PoseSource::Rest),
        Command::SelectJoint(Some(0)),
    ]);
    act(&mut session, Action::FrameSelected);
    let camera = session.view.camera;
    let clip = camera.clip_from_view(1.5) * camera.view_from_world();
    // Hips, spine, and the arm that is no child of the hips.
    for height in [1.0, 2.0, 3.0] {
        let seen = clip.project_point3(Vec3::Y * height);
        assert!(seen.x.abs() < 1.0 && seen.y.abs() < 1.0, "{height}: {seen}");
    }
}

#[test]
fn what_was_seen_whole_stays_so_when_sides_come_and_go() {
    /// Narrower than the figure is for its height.
    const NARROW: f32 = 0.05;
    let mut session = session_with([loaded(hero(), "hero.glb")]);
    let framed = |session: &mut Session, aspect: f32| {
        let action = Action::FrameAll;
        session.apply(Command::Act { action, aspect });
        session.settled_camera()
    };
    let narrow = framed(&mut session, NARROW);
    let wide = framed(&mut session, 1.6);
    assert!(narrow.distance > wide.distance * 1.2);
    session.keep_whole(1.6, NARROW);
    assert!((session.settled_camera().distance - narrow.distance).abs() < 1e-3);
    session.keep_whole(NARROW, 1.6);
    assert!((session.settled_camera().distance - wide.distance).abs() < 1e-3);
    // Whoever looks at a detail goes on to look at it.
    let mut near = wide;
    near.distance *= 0.5;
    session.apply(Command::SetCamera(near));
    session.keep_whole(1.6, NARROW);
    assert_eq!(session.settled_camera(), near);
    Session::default().keep_whole(1.6, NARROW);
}
