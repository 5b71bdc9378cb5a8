//! What the card and the mark of a problem about weights say.

use std::sync::Arc;

use egui::{Pos2, Shape};
use egui_kittest::{Harness, kittest::Queryable as _};
use glam::Vec3;
use rigscope::{
    analysis::Report,
    document::{Finding, FindingCode, Severity},
    scene::{VertexRef, WeightView},
    session::Command,
};

use crate::{
    drive::harness,
    problems::checked,
    support::{App, human},
};

#[test]
fn numbers_of_a_problem_have_words_and_units_and_nothing_is_counted_as_zero() {
    let beyond = |outweighed: f64| {
        Finding::new(
            FindingCode::WeightsBeyondFour,
            Severity::Warning,
            "mesh 0 \"Body\": 12 vertices have more than four influences",
        )
        .at_mesh(0)
        .with("vertices", 12.0)
        .with("most_influences", 6.0)
        .with("outweighed_vertices", outweighed)
        .with("largest_share", 0.0834)
    };
    for (outweighed, is_told) in [(0.0, false), (3.0, true)] {
        let mut app = checked(vec![beyond(outweighed)], &[]);
        app.session.apply(Command::ShowFinding {
            index: 0,
            aspect: 1.2,
        });
        let harness = harness(app);
        for text in [
            "Vertices affected",
            "Most joints on a vertex",
            "Largest part of a vertex's weight lost",
            "8.3 %",
        ] {
            assert!(harness.query_by_label(text).is_some(), "{text}");
        }
        let told = harness.query_by_label_contains("lose a heavier weight");
        assert_eq!(told.is_some(), is_told);
        assert!(harness.query_by_label("Largest share").is_none());
    }
}

/// Where a place in the world is in the view.
fn on_screen(harness: &Harness<'_, App>, place: Vec3) -> Pos2 {
    let camera = &harness.state().frame.camera;
    let ndc = (camera.clip_from_view * camera.view_from_world).project_point3(place);
    let view = harness.state().output.expect("a frame").viewport_points;
    view.center() + egui::vec2(ndc.x * view.width() * 0.5, -ndc.y * view.height() * 0.5)
}

#[test]
fn the_ring_is_about_the_vertex_where_the_preview_draws_it() {
    const VERTEX: usize = 9;
    let mut document = human();
    let influences = &mut document.meshes[0].primitives[0].influences;
    let count = influences.joints.len() / 4;
    influences.per_vertex = 8;
    // The hand's vertex hangs on the forearm; the fifth weight, on the head, is dropped.
    influences.joints = [8, 0, 0, 0, 5, 0, 0, 0].repeat(count);
    influences.weights = [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0].repeat(count);
    document.findings.clear();
    let mut app = App::new(document);
    let document = app.session.character().expect("open").document.clone();
    let finding = Finding::new(
        FindingCode::WeightsBeyondFour,
        Severity::Warning,
        "beyond four",
    );
    let findings = vec![finding.at_mesh(0).at_vertex(0, VERTEX)];
    let report = Arc::new(Report {
        findings,
        left_out: Vec::new(),
    });
    app.session
        .apply(Command::AnalysisFinished { document, report });
    app.session.apply(Command::ShowFinding {
        index: 0,
        aspect: 1.2,
    });
    app.session.apply(Command::SetTime(0.3));
    let at = VertexRef {
        instance: 0,
        primitive: 0,
        vertex: VERTEX,
    };
    app.session.apply(Command::SelectVertex(Some(at)));
    let mut view = app.session.view.clone();
    view.weight_view = Some(WeightView::FourInfluences);
    app.session.apply(Command::SetView(Box::new(view)));
    let mut harness = harness(app);
    harness.run_steps(10);
    let session = &harness.state().session;
    let mark = harness.state().frame.vertex.expect("a vertex is selected");
    let drawn = on_screen(&harness, mark.position);
    let stored = session.place_of(session.finding_on_show().expect("on show"));
    let stored = on_screen(&harness, stored.expect("somewhere"));
    assert!(
        (drawn - stored).length() > 5.0,
        "{drawn} and {stored} differ"
    );
    let rings: Vec<Pos2> = (harness.output().shapes.iter())
        .filter_map(|clipped| match &clipped.shape {
            Shape::Circle(circle) if circle.radius == 11.0 => Some(circle.center),
            _ => None,
        })
        .collect();
    assert!(!rings.is_empty());
    for ring in rings {
        assert!((ring - drawn).length() < 1.0, "{ring} is not about {drawn}");
    }
}
