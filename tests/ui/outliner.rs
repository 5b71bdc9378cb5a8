//! The lists at the left.

use egui::{Key, pos2};
use egui_kittest::kittest::Queryable as _;
use rigscope::{anim::Interpolation, scene::PoseSource, session::Command};

use crate::{
    drive::{harness, modes, player, session},
    support::{App, crowd, human},
};

#[test]
fn searching_shows_matches_with_their_ancestors() {
    let mut harness = harness(App::new(human()));
    assert!(harness.query_by_label("Head").is_some());
    harness.get_by_label("Search joints").focus();
    harness.step();
    harness.get_by_label("Search joints").type_text("lowerleg");
    harness.run_steps(3);
    for shown in ["LowerLeg.L", "LowerLeg.R", "UpperLeg.L", "Hips"] {
        assert!(
            harness.query_by_label(shown).is_some(),
            "{shown} is missing"
        );
    }
    for hidden in ["Head", "Hand.L", "Foot.L"] {
        assert!(
            harness.query_by_label(hidden).is_none(),
            "{hidden} is there"
        );
    }
    // Typing is no shortcut: `w` would switch the wireframe, `l` the mode.
    harness.key_press(Key::W);
    harness.key_press(Key::L);
    harness.run_steps(2);
    assert!(!session(&harness).view.wireframe);
    assert_eq!(modes(&harness).interpolation, Interpolation::Authored);
}

#[test]
fn tree_and_view_share_selection_and_hover() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("Chest").hover();
    harness.run_steps(2);
    assert_eq!(session(&harness).view.hovered_joint, Some(3));
    harness.get_by_label("Chest").click();
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_joint, Some(3));
    assert!(harness.query_by_label("Copy Translation").is_some());
    harness.hover_at(pos2(640.0, 14.0));
    harness.run_steps(2);
    assert_eq!(session(&harness).view.hovered_joint, None);
}

#[test]
fn a_selection_made_elsewhere_scrolls_the_tree_to_it() {
    let mut harness = harness(App::new(crowd(5000, 2)));
    assert!(harness.query_by_label("Node_01200").is_none());
    let session = &mut harness.state_mut().session;
    session.apply(Command::SelectJoint(Some(1200)));
    harness.run_steps(20);
    // The inspector's heading has the same name, at the right.
    let row = harness
        .query_all_by_label("Node_01200")
        .find(|node| node.rect().left() < 200.0)
        .expect("the row of the selected joint is laid out");
    let outliner = 90.0..680.0;
    assert!(
        outliner.contains(&row.rect().center().y),
        "{:?}",
        row.rect()
    );
}

#[test]
fn collapsing_hides_what_is_below() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("Collapse UpperChest").click();
    harness.run_steps(2);
    assert!(harness.query_by_label("Neck").is_none());
    assert!(harness.query_by_label("UpperLeg.L").is_some());
    harness.get_by_label("Expand UpperChest").click();
    harness.run_steps(2);
    assert!(harness.query_by_label("Neck").is_some());
}

#[test]
fn the_eye_hides_a_mesh_and_a_clip_row_plays() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("Meshes (1)").click();
    harness.run_steps(2);
    harness.get_by_label("Hide Body").click();
    harness.run_steps(2);
    assert_eq!(session(&harness).view.hidden_instances, [0]);
    harness.get_by_label("Show Body").click();
    harness.run_steps(2);
    assert!(session(&harness).view.hidden_instances.is_empty());
    harness.get_by_label("Clips (3)").click();
    harness.run_steps(2);
    harness.get_by_label("clip 2").click();
    harness.run_steps(2);
    let source = session(&harness).character().map(|c| c.source);
    assert_eq!(source, Some(PoseSource::Clip(2)));
    assert!(player(&harness).playing);
}

#[test]
fn the_keyboard_walks_through_the_hits_of_a_search() {
    let mut harness = harness(App::new(human()));
    harness.get_by_label("Search joints").click();
    harness.run_steps(2);
    harness.get_by_label("Search joints").type_text("arm.l");
    harness.run_steps(2);
    for (key, wanted) in [
        (Key::Enter, 8),
        (Key::ArrowDown, 9),
        (Key::ArrowDown, 9),
        (Key::ArrowUp, 8),
    ] {
        harness.key_press(key);
        harness.run_steps(2);
        assert_eq!(session(&harness).view.selected_joint, Some(wanted));
    }
    assert!(harness.query_by_label("Hips").is_some());
    assert!(harness.query_by_label("Foot.R").is_none());
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert!(harness.query_by_label("Foot.R").is_some(), "cleared");
    assert!(harness.ctx.text_edit_focused());
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert!(!harness.ctx.text_edit_focused());
    assert_eq!(session(&harness).view.selected_joint, Some(8), "kept");
}
