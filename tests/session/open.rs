//! Files arrive, or fail to.

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
    assert_eq!(character.technique.modes.interpolation, Interpolation::Step);
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
