//! Moving pictures on their way out.

use super::*;
use rigscope::session::Saving;

#[test]
fn a_clip_is_saved_once_at_a_time_and_can_be_stopped() {
    let mut session = Session::default();
    assert!(!Action::SaveAnimation.is_enabled(&session));
    session.apply(Command::LoadFinished {
        document: Arc::new(rigscope::import::built_in()),
        path: None,
    });
    let command = Action::SaveAnimation.command(&session, 1.0);
    let request = command.and_then(|command| session.apply(command));
    assert_eq!(request, Some(Request::SaveAnimation));
    assert_eq!(session.apply(Command::CancelSave), None, "nothing to stop");

    session.apply(Command::SaveProgress(Some(Saving {
        path: "walk.gif".into(),
        fraction: 0.5,
    })));
    assert!(
        !Action::SaveAnimation.is_enabled(&session),
        "while it is saved"
    );
    assert_eq!(
        session.apply(Command::CancelSave),
        Some(Request::CancelSave)
    );
    assert_eq!(session.saving, None);
    session.apply(Command::SetSource(PoseSource::Rest));
    assert!(
        !Action::SaveAnimation.is_enabled(&session),
        "without a clip"
    );
}
