//! The open file comes again, changed.

use super::*;

/// `Walk` moved to the front, a new joint before `arm`, nothing else changed.
fn changed() -> Arc<Document> {
    document(
        &["hips", "spine", "shoulder", "arm"],
        vec![
            clip("Walk", vec![turn(0, &[0.25, 0.5, 1.0])]),
            clip("Idle", vec![turn(0, &[0.0, 2.0])]),
        ],
    )
}

#[test]
fn clip_time_selection_and_modes_carry_over_by_name() {
    let mut session = session_with([
        Command::SetSource(PoseSource::Clip(1)),
        Command::SetPlaying(false),
        Command::SetTime(0.6),
        Command::SelectJoint(Some(2)),
        Command::SetSkinning(false),
    ]);
    act(&mut session, Action::CycleMode);
    let mut view = session.view.clone();
    view.hidden_instances = vec![0, 2];
    view.shading = Shading::Normals;
    session.apply(Command::SetView(Box::new(view)));

    assert_eq!(
        session.apply(Command::Reload),
        Some(Request::Reload("hero.glb".into()))
    );
    session.apply(loaded(changed(), "hero.glb"));
    let character = session.character().expect("open");
    assert_eq!(character.source, PoseSource::Clip(0), "Walk is first now");
    assert_eq!(character.player.time_secs, 0.6);
    assert!(!character.player.playing);
    assert!(!character.skinned);
    assert_eq!(character.technique.modes.interpolation, Interpolation::Step);
    assert_eq!(session.view.selected_joint, Some(3), "arm is last now");
    assert_eq!(session.view.hidden_instances, [0, 3]);
    assert_eq!(session.view.shading, Shading::Normals);
    assert_eq!(session.recent.len(), 1);
}

#[test]
fn what_is_gone_falls_back() {
    let mut session = session_with([
        Command::SetSource(PoseSource::Clip(1)),
        Command::SetTime(0.9),
        Command::SelectJoint(Some(2)),
    ]);
    let short = document(&["hips"], vec![clip("Run", vec![turn(0, &[0.0, 0.5])])]);
    session.apply(loaded(short, "hero.glb"));
    assert_eq!(source(&session), PoseSource::Clip(0));
    assert_eq!(time(&session), 0.0);
    assert_eq!(session.view.selected_joint, None);

    session.apply(loaded(document(&["hips"], Vec::new()), "hero.glb"));
    assert_eq!(source(&session), PoseSource::Rest);
    assert!(!session.is_animating());
}

#[test]
fn a_renamed_clip_is_found_by_its_place() {
    let mut session = session_with([Command::SetSource(PoseSource::Clip(1))]);
    let clips = ["Idle", "Walk in place"].map(|name| clip(name, vec![turn(0, &[0.0, 1.0])]));
    session.apply(loaded(document(&["hips"], clips.to_vec()), "hero.glb"));
    assert_eq!(source(&session), PoseSource::Clip(1));
}

#[test]
fn a_shorter_clip_clamps_the_time() {
    let mut session = session_with([Command::SetTime(1.75)]);
    let short = document(&["hips"], vec![clip("Idle", vec![turn(0, &[0.0, 1.0])])]);
    session.apply(loaded(short, "hero.glb"));
    assert_eq!(time(&session), 1.0);
}

#[test]
fn the_rest_pose_stays_the_rest_pose() {
    let mut session = session_with([Command::SetSource(PoseSource::Rest)]);
    session.apply(loaded(changed(), "hero.glb"));
    assert_eq!(source(&session), PoseSource::Rest);
}

#[test]
fn a_failed_reload_says_which_version_stays() {
    let session = session_with([Command::LoadFailed {
        path: "hero.glb".into(),
        message: "hero.glb: ends in the middle".to_owned(),
    }]);
    let text = &session.messages.iter().next().expect("one message").text;
    assert!(
        text.ends_with("The version read before stays open."),
        "{text}"
    );
}

#[test]
fn the_first_clip_to_arrive_plays() {
    let mut session = Session::default();
    session.apply(loaded(document(&["hips"], Vec::new()), "hero.glb"));
    assert_eq!(source(&session), PoseSource::Rest);
    session.apply(loaded(changed(), "hero.glb"));
    assert_eq!(source(&session), PoseSource::Clip(0));
    assert!(session.is_animating());
}

#[test]
fn the_clip_left_for_the_rest_pose_is_found_again() {
    let mut session = session_with([
        Command::SetSource(PoseSource::Clip(1)),
        Command::SetSource(PoseSource::Rest),
    ]);
    session.apply(loaded(changed(), "hero.glb"));
    act(&mut session, Action::RestPose);
    assert_eq!(source(&session), PoseSource::Clip(0), "Walk is first now");
}
