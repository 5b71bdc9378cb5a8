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
