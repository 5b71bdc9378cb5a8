//! Pinned trails, ruler and marks of joints, as documents come and go.

use rigscope::{
    analysis::Report,
    document::{Finding, FindingCode},
    scene::{Ruler, RulerEnd},
};

use super::*;

fn with_measures() -> Session {
    let mut session = session_with([]);
    let mut view = session.view.clone();
    view.pinned_trails = vec![2, 7, 0];
    view.ruler = Some(Ruler {
        from: Some(RulerEnd::Joint(2)),
        to: Some(RulerEnd::Ground(Vec3::X)),
    });
    session.apply(Command::SetView(Box::new(view)));
    session
}

#[test]
fn what_a_document_lacks_is_let_go_of() {
    let mut session = with_measures();
    assert_eq!(session.view.pinned_trails, [2, 0], "there is no joint 7");
    let mut view = session.view.clone();
    view.ruler = Some(Ruler::default().with(RulerEnd::Joint(9)));
    session.apply(Command::SetView(Box::new(view)));
    assert_eq!(session.view.ruler, Some(Ruler::default()));
}

#[test]
fn a_reload_keeps_them_by_name_and_another_file_has_its_own() {
    let mut session = with_measures();
    let longer = document(&["hips", "spine", "shoulder", "arm"], Vec::new());
    session.apply(loaded(longer, "hero.glb"));
    assert_eq!(session.view.pinned_trails, [3, 0], "arm is last now");
    let ruler = session.view.ruler.expect("it is out");
    assert_eq!(ruler.from, Some(RulerEnd::Joint(3)));
    assert_eq!(ruler.to, Some(RulerEnd::Ground(Vec3::X)));

    let armless = document(&["hips"], Vec::new());
    session.apply(loaded(armless, "hero.glb"));
    assert_eq!(session.view.pinned_trails, [0]);
    assert_eq!(session.view.ruler, Some(Ruler::default()));

    session.apply(loaded(hero(), "other.glb"));
    assert!(session.view.pinned_trails.is_empty());
    assert_eq!(session.view.ruler, None);
}

#[test]
fn the_ruler_starts_anew_once_it_has_measured() {
    let mut session = with_measures();
    act(&mut session, Action::ToggleRuler);
    assert_eq!(session.view.ruler, Some(Ruler::default()), "a new one");
    act(&mut session, Action::ToggleRuler);
    assert_eq!(session.view.ruler, None, "put away while it waits");
}

#[test]
fn a_report_marks_the_joints() {
    let document = hero();
    let mut session = Session::default();
    session.apply(loaded(document.clone(), "hero.glb"));
    let marks = |session: &Session| session.character().expect("open").joint_marks.to_vec();
    assert_eq!(marks(&session), [None; 3]);
    let finding = Finding::new(FindingCode::RotationNotUnit, Severity::Warning, "").at_node(1);
    let report = Report {
        findings: vec![finding],
        ..Report::default()
    };
    let report = Arc::new(report);
    let finished = |document| Command::AnalysisFinished {
        document,
        report: report.clone(),
    };
    session.apply(finished(hero()));
    assert_eq!(marks(&session), [None; 3], "of another document");
    session.apply(finished(document));
    assert_eq!(marks(&session), [None, Some(Severity::Warning), None]);
    session.apply(loaded(hero(), "hero.glb"));
    assert_eq!(marks(&session), [None; 3], "not known yet");
}
