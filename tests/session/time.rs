//! The playhead.

use super::*;

fn paused(commands: impl IntoIterator<Item = Command>) -> Session {
    let mut session = session_with([Command::SetPlaying(false)]);
    run(&mut session, commands);
    session
}

#[test]
fn a_clip_wraps_runs_out_or_turns_round() {
    let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    let mut session = session_with([Command::SetTime(1.5)]);
    session.advance(0.75);
    near(time(&session), 0.25);
    run(&mut session, [Command::SetSpeed(-1.0)]);
    session.advance(0.5);
    near(time(&session), 1.75);

    let mut session = session_with([
        Command::SetLoopPolicy(LoopPolicy::Once),
        Command::SetTime(1.5),
    ]);
    session.advance(0.75);
    near(time(&session), 2.0);
    assert!(!playing(&session) && !session.is_animating());
    run(&mut session, [Command::SetPlaying(true)]);
    near(time(&session), 0.0);
    run(&mut session, [Command::SetSpeed(-1.0)]);
    session.advance(0.1);
    assert!(!playing(&session), "ran out backwards");
    run(&mut session, [Command::SetPlaying(true)]);
    near(time(&session), 2.0);

    let mut session = session_with([
        Command::SetLoopPolicy(LoopPolicy::PingPong),
        Command::SetTime(1.5),
    ]);
    session.advance(0.75);
    near(time(&session), 1.75);
    session.advance(0.25);
    near(time(&session), 1.5);
    run(&mut session, [Command::SetLoopPolicy(LoopPolicy::Loop)]);
    session.advance(0.25);
    near(time(&session), 1.75);
    run(&mut session, [Command::SetLoopPolicy(LoopPolicy::PingPong)]);
    session.advance(0.125);
    near(time(&session), 1.875);
}

#[test]
fn the_playhead_is_clamped_and_ignores_nonsense() {
    let mut session = paused([Command::SetTime(99.0)]);
    assert_eq!(time(&session), 2.0);
    run(
        &mut session,
        [
            Command::SetTime(f32::NAN),
            Command::SetSpeed(f32::NAN),
            Command::SetSpeed(9.0),
        ],
    );
    assert_eq!(time(&session), 2.0);
    assert_eq!(session.character().expect("open").player.speed, 4.0);
}

#[test]
fn speed_zero_stands_still_and_needs_no_frames() {
    let session = session_with([Command::SetSpeed(0.0)]);
    assert!(playing(&session) && !session.is_animating());
}

#[test]
fn stepping_a_key_stops_on_each_and_sticks_to_none() {
    let mut session = session_with([Command::SetTime(0.7)]);
    let mut seen = Vec::new();
    for _ in 0..4 {
        act(&mut session, Action::NextKey);
        seen.push(time(&session));
    }
    assert_eq!(seen, [1.0, 1.5, 2.0, 2.0]);
    assert!(!playing(&session), "a step stops time");
    act(&mut session, Action::PreviousKey);
    assert_eq!(time(&session), 1.5);
}

#[test]
fn keys_are_those_of_the_selected_joint() {
    let mut session = paused([Command::SetSource(PoseSource::Clip(1))]);
    assert_eq!(session.key_times(), [0.25, 0.3, 0.5, 0.7, 1.0]);
    run(&mut session, [Command::SelectJoint(Some(2))]);
    assert_eq!(session.key_times(), [0.3, 0.7]);
    run(&mut session, [Command::SelectJoint(Some(1))]);
    assert_eq!(session.key_times().len(), 5, "spine is not moved: all keys");
    run(&mut session, [Command::SetSource(PoseSource::Rest)]);
    assert!(session.key_times().is_empty());
}

#[test]
fn stepping_a_frame_uses_the_guessed_rate() {
    let mut session = paused([]);
    assert_eq!(session.guessed_fps(), 2.0, "keys every half second");
    act(&mut session, Action::StepForward);
    assert_eq!(time(&session), 0.5);
    act(&mut session, Action::StepBack);
    act(&mut session, Action::StepBack);
    assert_eq!(time(&session), 0.0);
    act(&mut session, Action::ToEnd);
    assert_eq!(time(&session), 2.0);
    act(&mut session, Action::ToStart);
    assert_eq!(time(&session), 0.0);
    for between in [0.6, 0.9] {
        for (action, neighbour) in [(Action::StepForward, 1.0), (Action::StepBack, 0.5)] {
            run(&mut session, [Command::SetTime(between)]);
            act(&mut session, action);
            assert_eq!(time(&session), neighbour, "from {between}");
        }
    }
    run(&mut session, [Command::SetSource(PoseSource::Rest)]);
    assert_eq!(session.guessed_fps(), 30.0, "nothing to guess from");
}

#[test]
fn starting_at_the_first_key_holds_for_every_clip() {
    let mut session = paused([
        Command::SetStartAtFirstKey(true),
        Command::SetSource(PoseSource::Clip(1)),
    ]);
    assert_eq!(time(&session), 0.25);
    let playing = [Command::SetPlaying(true), Command::SetTime(0.9)];
    run(&mut session, playing);
    session.advance(0.2);
    assert!(
        (time(&session) - 0.35).abs() < 1e-5,
        "wraps to the first key"
    );
    run(&mut session, [Command::SetStartAtFirstKey(false)]);
    act(&mut session, Action::ToStart);
    assert_eq!(time(&session), 0.0);
}

#[test]
fn clips_step_round_and_out_of_the_rest_pose() {
    let mut session = paused([]);
    let mut seen = Vec::new();
    for action in [Action::NextClip, Action::NextClip, Action::PreviousClip] {
        act(&mut session, action);
        seen.push(source(&session));
    }
    assert_eq!(seen, [1, 0, 1].map(PoseSource::Clip));
    run(&mut session, [Command::SetSource(PoseSource::Rest)]);
    act(&mut session, Action::NextClip);
    assert_eq!(source(&session), PoseSource::Clip(0));
    run(&mut session, [Command::SetSource(PoseSource::Rest)]);
    act(&mut session, Action::PreviousClip);
    assert_eq!(source(&session), PoseSource::Clip(1));
    run(&mut session, [Command::SetSource(PoseSource::Clip(77))]);
    assert_eq!(source(&session), PoseSource::Rest);
}

#[test]
fn the_rest_pose_again_goes_back_to_clip_and_time() {
    let mut session = paused([
        Command::SetSource(PoseSource::Clip(1)),
        Command::SetTime(0.6),
    ]);
    act(&mut session, Action::RestPose);
    assert_eq!(source(&session), PoseSource::Rest);
    run(&mut session, [Command::SetSource(PoseSource::Bind)]);
    act(&mut session, Action::RestPose);
    assert_eq!(source(&session), PoseSource::Rest);
    act(&mut session, Action::RestPose);
    assert_eq!(source(&session), PoseSource::Clip(1));
    assert_eq!(time(&session), 0.6);
    act(&mut session, Action::RestPose);
    act(&mut session, Action::PreviousClip);
    assert_eq!(source(&session), PoseSource::Clip(0), "the one before 1");
}

#[test]
fn time_stands_still_while_a_hand_holds_it() {
    let mut session = paused([
        Command::SetPlaying(true),
        Command::SetScrubbing(true),
        Command::SetTime(0.5),
    ]);
    assert!(playing(&session) && !session.is_animating());
    session.advance(0.2);
    assert_eq!(time(&session), 0.5);
    run(&mut session, [Command::SetScrubbing(false)]);
    session.advance(0.25);
    assert_eq!(time(&session), 0.75);
}
