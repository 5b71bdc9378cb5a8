//! The session: command lists in, state out. No window, no files.

use std::{path::PathBuf, sync::Arc};

use glam::{Quat, Vec3};
use rigscope::{
    anim::{Interpolation, LoopPolicy},
    document::{
        Clip, Document, Joint, JointTracks, Keys, Mesh, MeshInstance, Severity, Skeleton, Track,
    },
    scene::{PoseSource, Shading},
    session::{Action, Command, Loading, Request, Session},
};

fn joint(name: &str, node: usize, parent: Option<usize>) -> Joint {
    Joint {
        name: name.to_owned(),
        node,
        parent,
        translation: Vec3::Y,
        orientation: Quat::IDENTITY,
        rest_rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
        rest_matrix: None,
    }
}

fn turn(joint: usize, times: &[f32]) -> JointTracks {
    let angle = |&time: &f32| Quat::from_rotation_z(time);
    JointTracks::Trs {
        joint,
        translation: None,
        rotation: Some(Track {
            times: times.into(),
            keys: Keys::Linear(times.iter().map(angle).collect()),
        }),
        scale: None,
    }
}

fn clip(name: &str, joints: Vec<JointTracks>) -> Clip {
    let times = |tracks: &JointTracks| match tracks {
        JointTracks::Trs {
            rotation: Some(track),
            ..
        } => (track.start_secs(), track.end_secs()),
        _ => (0.0, 0.0),
    };
    let start = joints.iter().map(|t| times(t).0).fold(f32::MAX, f32::min);
    let end = joints.iter().map(|t| times(t).1).fold(0.0, f32::max);
    Clip {
        name: name.to_owned(),
        duration_secs: end,
        start_secs: start,
        joints,
        morphs: Vec::new(),
    }
}

/// Joints `names` in a chain, shown meshes at each; clips as given.
fn document(names: &[&str], clips: Vec<Clip>) -> Arc<Document> {
    let joints = names
        .iter()
        .enumerate()
        .map(|(index, name)| joint(name, index, index.checked_sub(1)))
        .collect();
    let instance = |joint| MeshInstance {
        joint,
        mesh: 0,
        skin: None,
        in_scene: true,
        morph_weights: Vec::new(),
    };
    Arc::new(Document {
        name: "hero.glb".to_owned(),
        skeleton: Skeleton {
            joints,
            joint_of_node: (0..names.len()).collect(),
        },
        meshes: vec![Mesh::default()],
        instances: (0..names.len()).map(instance).collect(),
        clips,
        ..Document::default()
    })
}

/// `Idle` of 2 s with keys every half second; `Walk` of 1 s from 0.25 s on whose
/// arm has keys of its own.
fn hero() -> Arc<Document> {
    document(
        &["hips", "spine", "arm"],
        vec![
            clip("Idle", vec![turn(0, &[0.0, 0.5, 1.0, 1.5, 2.0])]),
            clip(
                "Walk",
                vec![turn(0, &[0.25, 0.5, 1.0]), turn(2, &[0.3, 0.7])],
            ),
        ],
    )
}

fn loaded(document: Arc<Document>, path: &str) -> Command {
    Command::LoadFinished {
        document,
        path: Some(PathBuf::from(path)),
    }
}

fn session_with(commands: impl IntoIterator<Item = Command>) -> Session {
    let mut session = Session::default();
    run(&mut session, [loaded(hero(), "hero.glb")]);
    run(&mut session, commands);
    session
}

fn run(session: &mut Session, commands: impl IntoIterator<Item = Command>) {
    for command in commands {
        assert_eq!(session.apply(command), None);
    }
}

fn act(session: &mut Session, action: Action) {
    if let Some(command) = action.command(session, 1.5) {
        session.apply(command);
    }
}

fn time(session: &Session) -> f32 {
    session
        .character()
        .expect("a document is open")
        .player
        .time_secs
}

fn playing(session: &Session) -> bool {
    session
        .character()
        .expect("a document is open")
        .player
        .playing
}

fn source(session: &Session) -> PoseSource {
    session.character().expect("a document is open").source
}

mod open {
    use super::*;

    #[test]
    fn opening_asks_the_shell_and_shows_the_answer() {
        let mut session = Session::default();
        let path = PathBuf::from("hero.glb");
        let request = session.apply(Command::Open(path.clone()));
        assert_eq!(request, Some(Request::Load(path.clone())));
        session.apply(Command::LoadProgress(Loading {
            path: path.clone(),
            fraction: 0.5,
            stage: "textures".to_owned(),
            reload: false,
        }));
        assert!(session.loading.is_some());
        session.apply(loaded(hero(), "hero.glb"));
        assert_eq!(session.loading, None);
        assert_eq!(session.path, Some(path));
        assert_eq!(source(&session), PoseSource::Clip(0));
        assert!(session.is_animating());
    }

    #[test]
    fn a_failure_keeps_the_old_document_and_says_so() {
        let mut session = session_with([
            Command::SetTime(1.25),
            Command::LoadFailed {
                path: "broken.glb".into(),
                message: "broken.glb: accessor 3 reads past its buffer".to_owned(),
            },
        ]);
        assert_eq!(session.path, Some("hero.glb".into()));
        assert_eq!(time(&session), 1.25);
        let message = session.messages.iter().next().expect("one message").clone();
        assert_eq!(message.severity, Severity::Error);
        assert_eq!(
            message.text,
            "broken.glb: accessor 3 reads past its buffer. hero.glb stays open."
        );
        run(
            &mut session,
            [Command::Dismiss(message.id), Command::Dismiss(99)],
        );
        assert_eq!(session.messages.iter().count(), 0);
    }

    #[test]
    fn a_message_that_repeats_is_shown_once() {
        let notify = |text: &str| Command::Notify(Severity::Warning, text.to_owned());
        let session = session_with([notify("a"), notify("b"), notify("a")]);
        let texts: Vec<_> = session.messages.iter().map(|m| &*m.text).collect();
        assert_eq!(texts, ["b", "a"]);
    }

    #[test]
    fn another_file_plays_from_its_start_under_the_same_modes() {
        let mut session = session_with([
            Command::SetSource(PoseSource::Clip(1)),
            Command::SetSpeed(0.5),
            Command::SetPlaying(false),
            Command::SelectJoint(Some(2)),
        ]);
        act(&mut session, Action::CycleMode);
        session.apply(loaded(hero(), "other.glb"));
        let character = session.character().expect("open");
        assert_eq!(character.source, PoseSource::Clip(0));
        assert_eq!(character.modes.interpolation, Interpolation::Step);
        assert_eq!(character.player.speed, 0.5);
        assert!(character.player.playing);
        assert_eq!(session.view.selected_joint, None);
    }

    #[test]
    fn recent_files_are_newest_first_without_repeats() {
        let mut session = Session::default();
        for name in ["a", "b", "a", "c"] {
            session.apply(loaded(hero(), name));
        }
        assert_eq!(session.recent, ["c", "a", "b"].map(PathBuf::from));
        session.apply(Command::ForgetRecent("a".into()));
        assert_eq!(session.recent, ["c", "b"].map(PathBuf::from));
        for index in 0..40 {
            session.apply(loaded(hero(), &index.to_string()));
        }
        assert_eq!(session.recent.len(), rigscope::session::RECENT_LIMIT);
        assert_eq!(session.recent[0], PathBuf::from("39"));
    }

    #[test]
    fn the_built_in_character_is_no_recent_file() {
        let mut session = Session::default();
        assert_eq!(
            session.apply(Command::OpenBuiltIn),
            Some(Request::LoadBuiltIn)
        );
        session.apply(Command::LoadFinished {
            document: hero(),
            path: None,
        });
        assert_eq!(session.recent, Vec::<PathBuf>::new());
        assert_eq!(session.apply(Command::Reload), None);
        assert!(!Action::Reload.is_enabled(&session));
    }
}

mod reload {
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
        assert!(!character.skinning);
        assert_eq!(character.modes.interpolation, Interpolation::Step);
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
}

mod time {
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
}

mod undo {
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
        let mode = |s: &Session| s.character().expect("open").modes.interpolation;
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
}

mod bad_input {
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
}
