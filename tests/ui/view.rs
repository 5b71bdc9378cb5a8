//! The mouse in the view.

use egui::{PointerButton, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};

use rigscope::session::Saving;

use crate::{
    drive::{drag, frame_all, harness, joint_position, press, session, wheel},
    support::{App, LOWER_ARM, human},
};

#[test]
fn the_mouse_orbits_pans_zooms_and_picks() {
    let mut harness = harness(App::new(human()));
    frame_all(&mut harness);
    let start = session(&harness).view.camera;

    let at = joint_position(&harness, LOWER_ARM);
    harness.hover_at(at);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.hovered_joint, Some(LOWER_ARM));
    press(&harness, at, PointerButton::Primary, true);
    press(&harness, at, PointerButton::Primary, false);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_joint, Some(LOWER_ARM));

    let empty = harness
        .state()
        .output
        .expect("ran")
        .viewport_points
        .left_top()
        + vec2(20.0, 200.0);
    drag(
        &mut harness,
        empty,
        empty + vec2(100.0, 50.0),
        PointerButton::Primary,
    );
    let orbited = session(&harness).view.camera;
    assert!(orbited.yaw_radians < start.yaw_radians - 0.5);
    assert!(orbited.pitch_radians > start.pitch_radians + 0.2);
    assert_eq!(orbited.target, start.target);
    assert_eq!(
        session(&harness).view.selected_joint,
        Some(LOWER_ARM),
        "a drag is no click"
    );

    press(&harness, empty, PointerButton::Primary, true);
    harness.step();
    let over_joint = joint_position(&harness, LOWER_ARM);
    harness.hover_at(over_joint);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.hovered_joint, None, "while orbiting");
    press(&harness, over_joint, PointerButton::Primary, false);
    harness.step();

    let orbited = session(&harness).view.camera;
    drag(
        &mut harness,
        empty,
        empty + vec2(0.0, 60.0),
        PointerButton::Middle,
    );
    let panned = session(&harness).view.camera;
    assert!(panned.target.y > orbited.target.y && panned.yaw_radians == orbited.yaw_radians);

    wheel(&mut harness, empty, 2.0);
    assert!(session(&harness).view.camera.distance < panned.distance * 0.95);

    press(&harness, empty, PointerButton::Primary, true);
    press(&harness, empty, PointerButton::Primary, false);
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_joint, None);
}

#[test]
fn the_picture_is_asked_for_in_whole_pixels() {
    for scale in [1.0, 1.25, 1.5, 2.0] {
        let mut harness = Harness::builder()
            .with_size(vec2(1111.0, 777.0))
            .with_pixels_per_point(scale)
            .build_ui_state(|ui, app: &mut App| app.run(ui, None), App::new(human()));
        harness.run_steps(3);
        let output = harness.state().output.expect("ran");
        let size = output.viewport_points.size() * scale;
        let [width, height] = output.viewport_pixels.map(|pixels| pixels as f32);
        assert!((size.x - width).abs() < 0.01, "{} at {scale}", size.x);
        assert!((size.y - height).abs() < 0.01, "{} at {scale}", size.y);
    }
}

#[test]
fn an_arm_of_the_axes_looks_along_it() {
    let mut harness = harness(App::new(human()));
    frame_all(&mut harness);
    harness.get_by_label("Look from +X").click();
    harness.run_steps(2);
    let camera = session(&harness).view.camera;
    let eye = (camera.eye() - camera.target).normalize();
    assert!(eye.abs_diff_eq(glam::Vec3::X, 1e-5), "eye at {eye}");
}

#[test]
fn a_moving_picture_on_its_way_out_can_be_stopped() {
    let mut harness = harness(App::new(human()));
    frame_all(&mut harness);
    assert!(harness.query_by_label("Stop saving").is_none());
    harness.state_mut().session.saving = Some(Saving {
        path: "folder/walk.gif".into(),
        fraction: 0.3,
    });
    harness.run_steps(2);
    harness.get_by_label("Stop saving").click();
    harness.run_steps(2);
    assert!(harness.state().log.contains(&"CancelSave".to_owned()));
    assert_eq!(session(&harness).saving, None);
    assert!(harness.query_by_label("Stop saving").is_none());
}
