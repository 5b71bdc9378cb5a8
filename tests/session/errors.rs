//! How far the sides of a comparison are from A, over the clip and on the surface.

use std::sync::Arc;

use rigscope::{
    analysis::Watch,
    lab,
    scene::{View, WeightView},
    session::{Action, ErrorJob, ErrorKind, Layout, TimelineView},
};

use super::*;

/// A scene of the lab, standing still.
fn scene(id: &str) -> Session {
    let mut session = Session::default();
    let scene = lab::find(id).expect("a scene");
    session.apply(Command::OpenLab(scene));
    session.apply(Command::SetPlaying(false));
    session
}

/// Works out whatever is wanted, as the window's thread does.
fn measure(session: &mut Session) -> usize {
    let mut jobs = 0;
    while let Some(job) = session.error_job() {
        let errors = job.run(&Watch::new()).expect("nobody cancels");
        assert!(job.is_answered_by(&errors));
        session.apply(Command::ErrorsMeasured(Arc::new(errors)));
        jobs += 1;
        assert!(jobs < 10, "it is never done");
    }
    jobs
}

fn shows(session: &mut Session, view: TimelineView) {
    let mut panels = session.panels;
    panels.timeline_view = view;
    session.apply(Command::SetPanels(panels));
}

#[test]
fn errors_are_worked_out_once_while_they_are_shown() {
    let mut session = scene("half-turn-elbow");
    assert!(session.panels.shows(TimelineView::Errors));
    assert!(session.errors_over_clip(1).is_none());
    assert_eq!(measure(&mut session), 2, "B and C");
    let (errors, is_current) = session.errors_over_clip(1).expect("known");
    assert!(is_current);
    let worst = errors.comparison.worst(|m| m.angle.value).expect("moments");
    // Of 170° nlerp lags most by 6.758°.
    assert!((worst.angle.value - 6.758).abs() < 0.002, "{worst:?}");
    // Time and selection change nothing, other modes do.
    run(
        &mut session,
        [Command::SetTime(1.2), Command::SelectJoint(None)],
    );
    assert!(session.error_job().is_none());
    let mut technique = session.side(1).expect("B").technique.clone();
    technique.modes.threshold = 0.5;
    let set = |side| Command::SetTechnique {
        side,
        technique: Box::new(technique.clone()),
    };
    session.apply(set(1));
    assert!(
        session
            .errors_over_clip(1)
            .is_some_and(|(_, current)| !current)
    );
    assert_eq!(measure(&mut session), 1);
    // A is part of all.
    session.apply(set(0));
    assert_eq!(measure(&mut session), 2);
    shows(&mut session, TimelineView::Curves);
    technique.modes.threshold = 0.75;
    session.apply(Command::SetTechnique {
        side: 1,
        technique: Box::new(technique),
    });
    assert!(session.error_job().is_none(), "nobody looks at them");
    shows(&mut session, TimelineView::Errors);
    assert_eq!(measure(&mut session), 1);
}

#[test]
fn answers_to_what_nobody_asks_any_more_are_dropped() {
    let mut session = scene("half-turn-elbow");
    let job: ErrorJob = session.error_job().expect("not known yet");
    let errors = Arc::new(job.run(&Watch::new()).expect("nobody cancels"));
    run(&mut session, [Command::SwapSides]);
    session.apply(Command::ErrorsMeasured(errors.clone()));
    assert!(session.errors_over_clip(1).is_none());
    session.apply(Command::SwapSides);
    session.apply(Command::ErrorsMeasured(errors.clone()));
    assert!(session.errors_over_clip(1).is_some());
    session.apply(Command::EndComparison);
    session.apply(Command::ErrorsMeasured(errors));
    assert!(session.errors_over_clip(1).is_none());
}

#[test]
fn the_worst_place_is_stopped_at_and_selected() {
    let mut session = scene("matrix-collapse");
    measure(&mut session);
    session.apply(Command::SetPlaying(true));
    let kind = ErrorKind::Position;
    session.apply(Command::ShowWorst { side: 1, kind });
    let a = session.character().expect("A");
    assert!(!a.player.playing);
    let (errors, _) = session.errors_over_clip(1).expect("known");
    let worst = *errors.comparison.worst(|m| kind.worst(m)).expect("moments");
    assert_eq!(a.player.time_secs, worst.time_secs);
    assert_eq!(session.view.selected_joint, worst.position.at);
    let now = session.side_error(1).expect("B");
    assert!((now.position.value - worst.position.value).abs() < 1e-6);
    let kind = ErrorKind::Vertex;
    session.apply(Command::ShowWorst { side: 1, kind });
    assert!(session.view.selected_vertex.is_some());
    // Sides that there are not change nothing.
    session.apply(Command::ShowWorst { side: 3, kind });
}

#[test]
fn surfaces_of_the_others_show_how_far_they_are_and_as_stay() {
    let mut session = scene("candy-wrapper");
    session.apply(Command::SetTime(3.0));
    session.apply(Command::Act {
        action: Action::ShowDifference,
        aspect: 1.0,
    });
    assert_eq!(session.view.weight_view, Some(WeightView::Difference));
    let numbers = |session: &Session, side| session.side_view(side).numbers.clone();
    assert!(numbers(&session, 1).is_none(), "nobody knows yet");
    measure(&mut session);
    let shown = numbers(&session, 1).expect("known");
    let (peak, _) = shown.peak.expect("vertices");
    let (errors, _) = session.errors_over_clip(1).expect("known");
    let most = errors
        .comparison
        .worst(|m| m.vertex.value)
        .expect("moments");
    assert!((f64::from(peak) - most.vertex.value).abs() < 1e-6);
    assert!(shown.high >= peak && shown.high < peak * 1.3 && !shown.is_angle);
    // A has its own look, and what is laid over it has its tint.
    let look = |session: &Session, side| session.side_view(side).weight_view;
    assert_eq!(look(&session, 0), None);
    assert_eq!(look(&session, 1), Some(WeightView::Difference));
    session.apply(Command::SetLayout(Layout::Overlay));
    assert_eq!((look(&session, 0), look(&session, 1)), (None, None));
    session.apply(Command::SetLayout(Layout::Wipe));
    assert!(numbers(&session, 1).is_some());
    session.apply(Command::SetErrorKind(ErrorKind::Angle));
    let shown = numbers(&session, 1).expect("known");
    assert!(shown.is_angle && shown.peak.is_some_and(|(peak, _)| peak == 0.0));
    session.apply(Command::EndComparison);
    assert_eq!(
        session.view,
        View {
            weight_view: None,
            ..session.view.clone()
        }
    );
}
