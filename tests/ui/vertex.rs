//! Weights: the list of a vertex's influences, the histogram, the legend, picking.

use egui::{Key, Modifiers, PointerButton};
use egui_kittest::{Harness, kittest::Queryable as _};
use glam::Vec3;
use rigscope::{
    anim::Weights,
    document::{Document, Influences},
    math::Aabb,
    scene::{VertexRef, WeightView},
    session::Command,
};

use crate::{
    drive::{harness, press, session, sized},
    support::{App, human},
};

/// What vertex 2 has: (joint slot, weight) in two sets. Slots count from the hips:
/// 3 is `UpperChest`, 4 `Neck`, 6 `Shoulder.L`.
const TORN: [(u16, f32); 8] = [
    (3, 0.5),
    (4, 0.0),
    (4, 0.125),
    (3, 0.125),
    (6, 0.15),
    (0, 0.0),
    (0, 0.0),
    (0, 0.0),
];

const VERTEX: VertexRef = VertexRef {
    instance: 0,
    primitive: 0,
    vertex: 2,
};

/// The figure with a large square for a body that faces the front.
fn screen() -> Document {
    let mut document = human();
    let primitive = &mut document.meshes[0].primitives[0];
    let corners = [(-0.5, 0.4), (0.5, 0.4), (0.5, 1.6), (-0.5, 1.6)];
    primitive.positions = corners.map(|(x, y)| Vec3::new(x, y, 0.3)).to_vec();
    primitive.bounds = Aabb::from_points(primitive.positions.iter().copied());
    primitive.indices = vec![0, 1, 2, 0, 2, 3];
    primitive.file_vertex_count = 4;
    primitive.influences = Influences {
        per_vertex: 8,
        ..Influences::default()
    };
    let plain: [(u16, f32); 8] = [
        (0, 1.0),
        (0, 0.0),
        (0, 0.0),
        (0, 0.0),
        (0, 0.0),
        (0, 0.0),
        (0, 0.0),
        (0, 0.0),
    ];
    for rows in [plain, plain, TORN, plain] {
        for (slot, weight) in rows {
            primitive.influences.joints.push(slot);
            primitive.influences.weights.push(weight);
        }
    }
    // The rest pose, so that places are known.
    document.clips.clear();
    document
}

fn opened(commands: impl IntoIterator<Item = Command>) -> App {
    let mut app = App::new(screen());
    for command in commands {
        app.session.apply(command);
    }
    app
}

fn shown(app: &mut App, view: WeightView) {
    app.session.view.weight_view = Some(view);
}

/// Where a place in the world appears.
fn place(harness: &Harness<'_, App>, world: Vec3) -> egui::Pos2 {
    let app = harness.state();
    let camera = &app.frame.camera;
    let ndc = (camera.clip_from_view * camera.view_from_world).project_point3(world);
    let view = app.output.expect("a frame has run").viewport_points;
    view.center() + egui::vec2(ndc.x * view.width() * 0.5, -ndc.y * view.height() * 0.5)
}

#[test]
fn every_influence_is_listed_with_its_numbers() {
    let mut app = opened([Command::SelectVertex(Some(VERTEX))]);
    app.session
        .apply(Command::SetPanels(rigscope::session::Panels {
            outliner: false,
            ..app.session.panels
        }));
    let mut harness = sized(app, [1280.0, 1400.0]);
    for row in [
        "UpperChest: stored 0.5000, share 55.6 %, set 0, place 0, twice",
        "Neck: stored 0.0000, share 0.0 %, set 0, place 1",
        "Neck: stored 0.1250, share 13.9 %, set 0, place 2",
        "UpperChest: stored 0.1250, share 13.9 %, set 0, place 3, twice",
        "Shoulder.L: stored 0.1500, share 16.7 %, set 1, place 0, dropped by many",
        "Hips: stored 0.0000, share 0.0 %, set 1, place 1",
        "Sum of stored weights: 0.9",
        "Sum of the first four: 0.75",
        "Position, stored: 0.5000 1.6000 0.3000",
        "Position now: 0.5000 1.6000 0.3000",
    ] {
        assert!(harness.query_by_label(row).is_some(), "{row}");
    }
    harness.get_by_label("Copy influences").click_accesskit();
    harness.run_steps(2);
    let log = harness.state().log.join("\n");
    for part in [
        "hero.glb: vertex 2 of mesh 0",
        "set 0 place 0: node 4",
        "weight 0.15, share 16.67 %, outside the first four",
        "sum of stored weights 0.9",
    ] {
        assert!(log.contains(part), "{part} is not in {log}");
    }
}

#[test]
fn the_keyboard_reaches_an_influence_and_selects_its_joint() {
    let app = opened([Command::SelectVertex(Some(VERTEX))]);
    let mut harness = sized(app, [1280.0, 1400.0]);
    let row = "Shoulder.L: stored 0.1500, share 16.7 %, set 1, place 0, dropped by many";
    harness.get_by_label(row).focus();
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_joint, Some(7));
    harness.get_by_label("Deselect vertex").click_accesskit();
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_vertex, None);
    assert!(harness.query_by_label(row).is_none());
}

#[test]
fn a_click_in_a_weight_view_picks_the_vertex_and_its_heaviest_joint() {
    let mut app = opened([]);
    shown(&mut app, WeightView::Joint);
    let mut harness = harness(app);
    crate::drive::frame_all(&mut harness);
    let hint = "No joint selected";
    assert!(harness.query_all_by_label(hint).count() >= 1);
    let inside = place(&harness, Vec3::new(0.42, 1.5, 0.3));
    let click = |harness: &mut Harness<'_, App>, at: egui::Pos2, modifiers: Modifiers| {
        harness.hover_at(at);
        harness.step();
        for pressed in [true, false] {
            harness.event(egui::Event::PointerButton {
                pos: at,
                button: PointerButton::Primary,
                pressed,
                modifiers,
            });
        }
        harness.run_steps(2);
    };
    click(&mut harness, inside, Modifiers::NONE);
    assert_eq!(session(&harness).view.selected_vertex, Some(VERTEX));
    assert_eq!(session(&harness).view.selected_joint, Some(4), "UpperChest");
    assert!(harness.query_by_label("Weight of UpperChest").is_some());
    assert!(harness.query_by_label("1 vertex with weight").is_some());
    // Beside the surface there is none; the joint stays.
    let outside = place(&harness, Vec3::new(0.62, 1.5, 0.3));
    click(&mut harness, outside, Modifiers::NONE);
    assert_eq!(session(&harness).view.selected_vertex, None);
    assert_eq!(session(&harness).view.selected_joint, Some(4));
    // Escape first lets go of the vertex, then of the joint.
    click(&mut harness, inside, Modifiers::NONE);
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_vertex, None);
    assert_eq!(session(&harness).view.selected_joint, Some(4));
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_joint, None);
    // Without weights on show a plain click means joints.
    harness.state_mut().session.view.weight_view = None;
    harness.run_steps(2);
    press(&harness, inside, PointerButton::Primary, true);
    press(&harness, inside, PointerButton::Primary, false);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_vertex, None);
}

#[test]
fn the_legend_and_the_histogram_tell_numbers_and_lead_to_vertices() {
    let mut app = opened([]);
    shown(&mut app, WeightView::Sum);
    let mut harness = sized(app, [1280.0, 1400.0]);
    harness.get_by_label("Panel: Details").click();
    harness.run_steps(2);
    assert!(harness.query_by_label("1 joint: 3 vertices").is_some());
    assert!(harness.query_by_label("4 joints: 1 vertex").is_some());
    let range = "Sums of stored weights: 0.9 … 1";
    assert!(harness.query_by_label(range).is_some());
    harness.get_by_label("Vertex 2 sums to 0.9").click();
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_vertex, Some(VERTEX));
    harness.state_mut().session.view.selected_vertex = None;
    harness.run_steps(2);
    harness
        .get_by_label("Furthest from 1: 0.9, vertex 2")
        .click_accesskit();
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_vertex, Some(VERTEX));
    harness.get_by_label("4 joints: 1 vertex").click_accesskit();
    harness.run_steps(2);
    let view = session(&harness).view.weight_view;
    assert_eq!(view, Some(WeightView::Influences));
    assert!(
        harness.query_by_label("4: 1 vertex").is_some(),
        "the legend"
    );
}

#[test]
fn four_influences_say_how_far_off_and_whether_they_are_renormalised() {
    let mut app = opened([]);
    shown(&mut app, WeightView::FourInfluences);
    let mut harness = harness(app);
    // Bind and rest agree: nothing moves until a joint does.
    let title = "First four influences, renormalised";
    assert!(harness.query_by_label(title).is_some());
    assert!(
        harness
            .query_by_label("In this pose every vertex is in place")
            .is_some()
    );
    let state = harness.state_mut();
    state.session.apply(Command::SetWeights(Weights::Stored));
    harness.run_steps(2);
    let title = "First four influences, not renormalised";
    assert!(harness.query_by_label(title).is_some());
    // A quarter of the vertex at (0.5, 1.6, 0.3) is missing.
    assert!(
        harness
            .query_by_label("Largest: 425.7 mm, vertex 2")
            .is_some()
    );
    assert!(harness.query_by_label("1 vertex out of place").is_some());
}

#[test]
fn the_key_and_the_chooser_switch_views() {
    let mut harness = harness(opened([]));
    harness.key_press(Key::H);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.weight_view, Some(WeightView::Joint));
    harness.get_by_label("Heat map").click();
    harness.run_steps(4);
    harness.get_by_label("Influence count").click();
    harness.run_steps(3);
    let view = session(&harness).view.weight_view;
    assert_eq!(view, Some(WeightView::Influences));
    // Another surface is to be seen at once.
    harness.get_by_label("Surface: Clay").click();
    harness.run_steps(2);
    assert_eq!(session(&harness).view.weight_view, None);
}
