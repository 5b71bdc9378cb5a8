//! Numbers and switches at the right.

use egui_kittest::kittest::Queryable as _;
use rigscope::{anim::Interpolation, session::Command};

use crate::{
    drive::{harness, modes, session},
    support::{self, App, LOWER_ARM, human},
};

#[test]
fn numbers_are_shown_aligned_and_copied_in_full() {
    let mut app = App::new(human());
    app.session.apply(Command::SelectJoint(Some(LOWER_ARM)));
    app.session.apply(Command::SetTime(0.3));
    let mut harness = harness(app);
    let translation = harness.get_by_label("Translation: 0.2700 0.0000 0.0000");
    assert!(translation.rect().width() > 200.0);
    harness
        .get_by_label("Copy World matrix M")
        .click_accesskit();
    harness.run_steps(2);
    let world = support::world(session(&harness), LOWER_ARM);
    let wanted = format!("CopyText(\"{:?}\")", world.to_cols_array());
    assert!(
        harness.state().log.contains(&wanted),
        "{wanted} is not in {:?}",
        harness.state().log
    );
    harness.run_steps(2);
    assert!(harness.query_by_label("Copied").is_some(), "it says so");
    harness.run_steps(15);
    assert!(harness.query_by_label("Copied").is_none(), "for a moment");
}

#[test]
fn the_unnormalised_quaternion_of_lerp_is_pointed_out() {
    let mut document = human();
    // Two keys half a turn apart: half way the blend is short.
    document.clips[0]
        .joints
        .retain(|tracks| tracks.joint() != 8);
    if let Some(rigscope::document::JointTracks::Trs {
        rotation: Some(track),
        ..
    }) = document.clips[0]
        .joints
        .iter_mut()
        .find(|tracks| tracks.joint() == LOWER_ARM)
    {
        track.times = [0.0, 1.0].into();
        track.keys = rigscope::document::Keys::Linear(vec![
            glam::Quat::IDENTITY,
            glam::Quat::from_rotation_y(2.6),
        ]);
    }
    let mut app = App::new(document);
    app.session.apply(Command::SelectJoint(Some(LOWER_ARM)));
    app.session.apply(Command::SetTime(0.5));
    let mut harness = harness(app);
    assert!(harness.query_by_label_contains("length 0.").is_none());
    let mut modes = modes(&harness);
    modes.interpolation = Interpolation::Lerp;
    harness.state_mut().session.apply(Command::SetModes(modes));
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("length 0.").is_some());
}

#[test]
fn display_switches_change_the_view_and_nothing_else() {
    let mut harness = harness(App::new(human()));
    let before = session(&harness).view.clone();
    harness.get_by_label("Wireframe").click();
    harness.run_steps(2);
    harness.get_by_label("Surface: Normals").click();
    harness.run_steps(2);
    harness.get_by_label("Light: Outdoor").click();
    harness.run_steps(2);
    let mut wanted = before;
    wanted.wireframe = true;
    wanted.light = rigscope::scene::Light::Outdoor;
    wanted.shading = rigscope::scene::Shading::Normals;
    wanted.hovered_joint = session(&harness).view.hovered_joint;
    assert_eq!(session(&harness).view, wanted);
    harness.get_by_label("Skinning").click();
    harness.run_steps(2);
    assert_eq!(
        session(&harness).character().map(|c| c.skinned),
        Some(false)
    );
}
