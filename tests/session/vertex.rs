//! The selected vertex and the weight views.

use rigscope::{
    document::{Primitive, Skin},
    scene::{VertexRef, WeightView},
};

use super::*;

fn at(instance: usize, vertex: usize) -> VertexRef {
    VertexRef {
        instance,
        primitive: 0,
        vertex,
    }
}

/// Nodes of these names that each show a mesh of three vertices.
fn shown(names: &[&str]) -> Arc<Document> {
    let mut document = Document::clone(&document(names, Vec::new()));
    document.meshes[0].primitives = vec![Primitive {
        positions: vec![Vec3::ZERO; 3],
        file_vertex_count: 3,
        ..Primitive::default()
    }];
    document.skins = vec![Skin::default()];
    Arc::new(document)
}

fn open(names: &[&str]) -> Session {
    let mut session = Session::default();
    session.apply(loaded(shown(names), "hero.glb"));
    session
}

#[test]
fn only_vertices_that_exist_are_selected() {
    let mut session = open(&["hips", "arm"]);
    session.apply(Command::SelectVertex(Some(at(1, 2))));
    assert_eq!(session.view.selected_vertex, Some(at(1, 2)));
    for nowhere in [
        at(2, 0),
        at(1, 3),
        VertexRef {
            primitive: 1,
            ..at(0, 0)
        },
        at(usize::MAX, usize::MAX),
    ] {
        session.apply(Command::SelectVertex(Some(nowhere)));
        assert_eq!(session.view.selected_vertex, None, "{nowhere:?}");
        let mut view = session.view.clone();
        view.selected_vertex = Some(nowhere);
        session.apply(Command::SetView(Box::new(view)));
        assert_eq!(session.view.selected_vertex, None, "{nowhere:?}");
    }
    let mut empty = Session::default();
    empty.apply(Command::SelectVertex(Some(at(0, 0))));
    assert_eq!(empty.view.selected_vertex, None);
}

#[test]
fn a_reload_keeps_a_vertex_that_is_still_there_and_another_file_none() {
    let mut session = open(&["hips", "arm"]);
    session.apply(Command::SelectVertex(Some(at(1, 2))));
    session.apply(loaded(shown(&["hips", "spine", "arm"]), "hero.glb"));
    assert_eq!(session.view.selected_vertex, Some(at(2, 2)), "arm is third");
    session.apply(loaded(shown(&["hips", "spine"]), "hero.glb"));
    assert_eq!(session.view.selected_vertex, None, "there is no arm");
    session.apply(Command::SelectVertex(Some(at(1, 2))));
    session.apply(loaded(shown(&["hips", "spine"]), "other.glb"));
    assert_eq!(session.view.selected_vertex, None);
}

#[test]
fn selections_and_weight_views_can_be_undone() {
    let mut session = open(&["hips", "arm"]);
    session.checkpoint();
    run(&mut session, [Command::SelectVertex(Some(at(0, 1)))]);
    session.checkpoint();
    act(&mut session, Action::ShowJointWeights);
    session.checkpoint();
    assert_eq!(session.view.weight_view, Some(WeightView::Joint));
    run(&mut session, [Command::Undo]);
    assert_eq!(session.view.weight_view, None);
    assert_eq!(session.view.selected_vertex, Some(at(0, 1)));
    run(&mut session, [Command::Undo]);
    assert_eq!(session.view.selected_vertex, None);
}

#[test]
fn a_weight_view_goes_by_its_own_key_by_another_and_by_normals() {
    let mut session = open(&["hips"]);
    let all = [
        (Action::ShowJointWeights, WeightView::Joint),
        (Action::ShowJointColors, WeightView::Joints),
        (Action::ShowInfluences, WeightView::Influences),
        (Action::ShowWeightSum, WeightView::Sum),
        (Action::ShowFourInfluences, WeightView::FourInfluences),
    ];
    for (action, view) in all {
        act(&mut session, action);
        assert_eq!(session.view.weight_view, Some(view));
        for (other, _) in all {
            assert_eq!(other.is_on(&session), Some(other == action));
        }
    }
    act(&mut session, Action::ToggleNormals);
    assert_eq!(session.view.weight_view, None);
    assert_eq!(session.view.shading, Shading::Normals);
    act(&mut session, Action::ShowJointWeights);
    act(&mut session, Action::ShowJointWeights);
    assert_eq!(session.view.weight_view, None);
    // Without a skin there are no weights.
    let mut session = session_with([]);
    act(&mut session, Action::ShowJointWeights);
    assert_eq!(session.view.weight_view, None);
}
