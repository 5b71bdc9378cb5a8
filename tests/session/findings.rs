//! Findings: shown, found again after a reload, walked through.

use rigscope::{
    analysis::{Effort, Report},
    document::{Finding, FindingCode, Property},
    session::{Analysis, GroupKey, GroupOrder, Grouping, ProblemView},
};

use super::*;

/// `arm` flips between its two keys of `Walk`.
fn flip(node: usize) -> Finding {
    Finding::new(FindingCode::RotationSignFlip, Severity::Warning, "flips")
        .in_clip(1)
        .at_node(node)
        .of(Property::Rotation)
        .at_key(0, 0.3)
        .until(0.7)
        .with("true_angle_deg", 21.0)
}

fn seam() -> Finding {
    Finding::new(FindingCode::LoopSeam, Severity::Info, "does not close")
        .in_clip(0)
        .at_node(0)
        .at_key(4, 2.0)
}

fn broken() -> Finding {
    Finding::new(FindingCode::MeshNonFinite, Severity::Error, "no numbers").at_mesh(0)
}

fn report(findings: Vec<Finding>) -> Arc<Report> {
    Arc::new(Report {
        findings,
        left_out: Vec::new(),
    })
}

fn checked(document: &Arc<Document>, findings: Vec<Finding>) -> Command {
    Command::AnalysisFinished {
        document: document.clone(),
        report: report(findings),
    }
}

fn show(index: usize) -> Command {
    Command::ShowFinding { index, aspect: 1.5 }
}

/// A session that has checked `hero`.
fn session_of(findings: Vec<Finding>) -> (Session, Arc<Document>) {
    let document = hero();
    let mut session = Session::default();
    run(
        &mut session,
        [
            loaded(document.clone(), "hero.glb"),
            checked(&document, findings),
        ],
    );
    (session, document)
}

#[test]
fn showing_one_leads_to_joint_clip_and_moment() {
    let (mut session, _) = session_of(vec![broken(), flip(2), seam()]);
    let camera = session.view.camera;
    run(&mut session, [show(1)]);
    assert_eq!(session.shown_finding, Some(1));
    assert_eq!(session.view.selected_joint, Some(2));
    assert_eq!(source(&session), PoseSource::Clip(1));
    assert!(
        (time(&session) - 0.5).abs() < 1e-6,
        "half way between the keys"
    );
    assert!(!playing(&session));
    assert_ne!(session.view.camera, camera, "the eye went there");
    // What has no end is shown at its key.
    run(&mut session, [show(2)]);
    assert_eq!(source(&session), PoseSource::Clip(0));
    assert_eq!(time(&session), 2.0);
    run(&mut session, [Command::HideFinding]);
    assert_eq!(session.shown_finding, None);
    assert_eq!(session.view.selected_joint, Some(0), "stays selected");
}

#[test]
fn what_does_not_exist_is_survived() {
    let lost = flip(77).in_clip(9);
    let vertex = broken().at_vertex(3, 99);
    let (mut session, _) = session_of(vec![lost, vertex]);
    run(&mut session, [show(5)]);
    assert_eq!(session.shown_finding, None);
    run(&mut session, [show(0)]);
    assert_eq!(session.shown_finding, Some(0));
    assert_eq!(session.view.selected_joint, None);
    assert_eq!(source(&session), PoseSource::Clip(0));
    run(&mut session, [show(1)]);
    assert!(
        session
            .finding_on_show()
            .is_some_and(|f| session.place_of(f).is_none())
    );
}

#[test]
fn a_report_of_another_document_is_dropped() {
    let (mut session, old) = session_of(vec![flip(2)]);
    run(&mut session, [loaded(hero(), "hero.glb")]);
    assert_eq!(session.analysis, Analysis::Running(0.0));
    run(
        &mut session,
        [Command::AnalysisProgress(0.5), checked(&old, vec![flip(2)])],
    );
    assert_eq!(session.analysis, Analysis::Running(0.5));
    assert!(session.findings().is_empty());
}

#[test]
fn progress_comes_too_late_after_the_report() {
    let (mut session, _) = session_of(vec![flip(2)]);
    run(&mut session, [Command::AnalysisProgress(0.9)]);
    assert!(matches!(session.analysis, Analysis::Done(_)));
}

#[test]
fn after_a_reload_the_same_finding_is_shown_again() {
    let (mut session, _) = session_of(vec![broken(), flip(2)]);
    run(&mut session, [show(1)]);
    // `Walk` is first now and `arm` is node 3.
    let changed = document(
        &["hips", "spine", "shoulder", "arm"],
        vec![
            clip("Walk", vec![turn(0, &[0.25, 1.0]), turn(3, &[0.3, 0.7])]),
            clip("Idle", vec![turn(0, &[0.0, 2.0])]),
        ],
    );
    run(&mut session, [loaded(changed.clone(), "hero.glb")]);
    assert_eq!(session.shown_finding, None, "not yet found");
    let findings = vec![flip(2).in_clip(0), flip(3).in_clip(0)];
    run(&mut session, [checked(&changed, findings)]);
    assert_eq!(session.shown_finding, Some(1), "joint and clip by name");
    // Mended: nothing is shown, now or later.
    run(
        &mut session,
        [
            loaded(changed.clone(), "hero.glb"),
            checked(&changed, vec![]),
        ],
    );
    assert_eq!(session.shown_finding, None);
    run(&mut session, [checked(&changed, vec![flip(3).in_clip(0)])]);
    assert_eq!(session.shown_finding, None);
}

#[test]
fn another_file_shows_nothing() {
    let (mut session, _) = session_of(vec![flip(2)]);
    run(&mut session, [show(0)]);
    let other = hero();
    run(
        &mut session,
        [
            loaded(other.clone(), "other.glb"),
            checked(&other, vec![flip(2)]),
        ],
    );
    assert_eq!(session.shown_finding, None);
}

#[test]
fn checking_everything_keeps_list_and_finding_meanwhile() {
    let (mut session, document) = session_of(vec![broken(), flip(2)]);
    run(&mut session, [show(1)]);
    let revision = session.findings_revision();
    let request = session.apply(Command::AnalyseWhole);
    assert_eq!(request, Some(Request::Analyse(Effort::Whole)));
    assert_eq!(session.analysis, Analysis::Running(0.0));
    assert_eq!(session.findings().len(), 2);
    assert_eq!(session.shown_finding, Some(1));
    run(
        &mut session,
        [checked(&document, vec![broken(), seam(), flip(2)])],
    );
    assert_eq!(
        session.shown_finding,
        Some(2),
        "the same one at its new place"
    );
    assert_ne!(session.findings_revision(), revision);
}

#[test]
fn next_and_previous_go_round_the_list_as_it_is_shown() {
    let (mut session, _) = session_of(vec![broken(), flip(2), flip(1), seam()]);
    let walk = |session: &mut Session, action| {
        act(session, action);
        session.shown_finding.expect("one is shown")
    };
    // By joint in the order of the report; the worst first.
    let order: Vec<usize> = (0..5)
        .map(|_| walk(&mut session, Action::NextProblem))
        .collect();
    assert_eq!(order, [0, 1, 2, 3, 0]);
    assert_eq!(walk(&mut session, Action::PreviousProblem), 3);
    let view = ProblemView {
        errors: false,
        query: "flip ARM".to_owned(),
        ..ProblemView::default()
    };
    session.apply(Command::SetProblems(Box::new(view)));
    assert_eq!(walk(&mut session, Action::NextProblem), 1, "only the arm's");
    assert_eq!(walk(&mut session, Action::NextProblem), 1);
}

#[test]
fn of_one_severity_what_explains_a_wrong_motion_comes_first() {
    let unkeyed = Finding {
        code: FindingCode::ClipUnkeyedJoints,
        node: None,
        severity: Severity::Warning,
        ..seam()
    };
    let late_flip = Finding {
        severity: Severity::Warning,
        ..flip(2)
    };
    let seam = Finding {
        severity: Severity::Warning,
        node: Some(2),
        time_secs: Some(0.0),
        ..seam()
    };
    let (session, _) = session_of(vec![unkeyed, seam, late_flip]);
    let groups = session.problem_groups();
    let order: Vec<usize> = groups.iter().flat_map(|g| g.findings.clone()).collect();
    assert_eq!(order, [2, 1, 0]);
}

#[test]
fn groups_hold_what_belongs_together_in_the_order_asked_for() {
    let (mut session, _) = session_of(vec![broken(), flip(2), flip(1), seam()]);
    let keys = |session: &Session| -> Vec<(GroupKey, usize)> {
        let groups = session.problem_groups();
        groups.iter().map(|g| (g.key, g.findings.len())).collect()
    };
    let node = GroupKey::Node;
    assert_eq!(
        keys(&session),
        [
            (GroupKey::Mesh(0), 1),
            (node(2), 1),
            (node(1), 1),
            (node(0), 1)
        ]
    );
    let by = |grouping, order| {
        Command::SetProblems(Box::new(ProblemView {
            grouping,
            order,
            ..ProblemView::default()
        }))
    };
    session.apply(by(Grouping::Code, GroupOrder::Most));
    let code = GroupKey::Code;
    assert_eq!(
        keys(&session),
        [
            (code(FindingCode::RotationSignFlip), 2),
            (code(FindingCode::MeshNonFinite), 1),
            (code(FindingCode::LoopSeam), 1)
        ]
    );
    session.apply(by(Grouping::Place, GroupOrder::Earliest));
    let keys: Vec<_> = keys(&session).into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, [node(0), node(2), node(1), GroupKey::Mesh(0)]);
}

#[test]
fn the_list_opens_and_closes_by_its_action() {
    let (mut session, _) = session_of(vec![]);
    act(&mut session, Action::Problems);
    assert_eq!(Action::Problems.is_on(&session), Some(true));
    act(&mut session, Action::Problems);
    assert_eq!(Action::Problems.is_on(&session), Some(false));
    assert!(!Action::NextProblem.is_enabled(&session));
}
