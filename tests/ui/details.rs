//! What the inspector says of meshes, skins, clips, materials and pictures.

use egui::Key;
use egui_kittest::kittest::Queryable as _;
use glam::{Mat4, Quat, Vec3};
use rigscope::{
    document::{Document, Image, MorphTarget, Sampler, Texture, TextureRef},
    scene::PoseSource,
    session::{Command, Inspected},
};

use crate::{
    drive::{harness, session},
    support::{App, LOWER_ARM, human},
};

/// The figure with a smile, a picture, and a forearm that rests elsewhere than bound.
fn detailed() -> Document {
    let mut document = human();
    let vertices = document.meshes[0].primitives[0].positions.len();
    document.meshes[0].morph_weights = vec![0.0, 0.0];
    document.meshes[0].morph_names = vec!["Smile".to_owned(), String::new()];
    document.meshes[0].primitives[0].morph_targets = vec![
        MorphTarget {
            positions: vec![Vec3::Y * 0.01; vertices],
            ..MorphTarget::default()
        };
        2
    ];
    document.instances[0].morph_weights = vec![0.25, 0.0];
    document.images.push(Image {
        name: "skin.png".to_owned(),
        width: 2,
        height: 1,
        pixels: vec![255, 0, 0, 255, 0, 255, 0, 255],
        ..Image::default()
    });
    document.textures.push(Texture {
        image: 0,
        sampler: Sampler::default(),
    });
    document.materials[0].base_color_texture = Some(TextureRef {
        texture: 0,
        uv_set: 0,
        uv_transform: glam::Affine2::IDENTITY,
    });
    let slot = LOWER_ARM - 1;
    let bound = document.skins[0].joint_from_mesh[slot].inverse();
    let turned = bound * Mat4::from_quat(Quat::from_rotation_y(30f32.to_radians()));
    document.skins[0].joint_from_mesh[slot] = turned.inverse();
    document
}

#[test]
fn a_mesh_row_leads_to_its_facts_and_on_to_skin_and_material() {
    let mut harness = harness(App::new(detailed()));
    harness.get_by_label("Meshes (1)").click();
    harness.run_steps(2);
    // The row, not the node in the tree.
    harness.get_by_label("Body").click();
    harness.run_steps(2);
    assert_eq!(session(&harness).inspected, Inspected::Mesh(0));
    for fact in [
        "22",
        "7",
        "1 set (up to 4 per vertex)",
        "22 vertices, 7 triangles",
    ] {
        let found = harness.query_all_by_label(fact).count();
        assert!(found > 0, "{fact} is missing");
    }
    let link = |harness: &egui_kittest::Harness<'_, App>, text: &str| {
        let right = harness
            .get_all_by_label(text)
            .find(|node| node.rect().left() > 900.0);
        right.expect("a link in the inspector").click_accesskit();
    };
    link(&harness, "Cloth");
    harness.run_steps(2);
    assert_eq!(session(&harness).inspected, Inspected::Material(0));
    harness
        .get_by_label("Base colour: skin.png")
        .click_accesskit();
    harness.run_steps(2);
    assert_eq!(session(&harness).inspected, Inspected::Image(0));
    assert!(harness.query_by_label("2 × 1 pixels").is_some());
    link(&harness, "Cloth");
    harness.run_steps(2);
    assert_eq!(session(&harness).inspected, Inspected::Material(0));
    // A joint takes the panel back.
    let session = &mut harness.state_mut().session;
    session.apply(Command::SelectJoint(Some(LOWER_ARM)));
    harness.run_steps(2);
    assert!(harness.query_by_label("Copy Translation").is_some());
}

#[test]
fn a_slider_holds_a_morph_target_against_the_clip_and_undo_lets_go() {
    let mut harness = harness(App::new(detailed()));
    harness
        .state_mut()
        .session
        .apply(Command::Inspect(Inspected::Mesh(0)));
    harness.state_mut().session.checkpoint();
    harness.run_steps(2);
    let weights = |harness: &egui_kittest::Harness<'_, App>| {
        let character = session(harness).character().expect("a character");
        character.pose.morph_weights[0].clone()
    };
    assert_eq!(weights(&harness), [0.25, 0.0]);
    harness.get_by_label("Smile").focus();
    harness.step();
    for _ in 0..4 {
        harness.key_press(Key::ArrowRight);
        harness.step();
    }
    harness.run_steps(2);
    let held = weights(&harness)[0];
    assert!(held > 0.25, "{held}");
    assert_eq!(weights(&harness)[1], 0.0);
    let session_mut = &mut harness.state_mut().session;
    session_mut.apply(Command::SetTime(0.5));
    assert_eq!(weights(&harness)[0], held, "held over time");
    harness.state_mut().session.checkpoint();
    harness.state_mut().session.apply(Command::Undo);
    assert_eq!(weights(&harness)[0], 0.25);
    harness.state_mut().session.apply(Command::Redo);
    harness.run_steps(2);
    harness
        .get_by_label("Give Smile back to the clip")
        .click_accesskit();
    harness.run_steps(2);
    assert_eq!(weights(&harness)[0], 0.25);
}

#[test]
fn a_weight_that_is_no_number_or_for_no_target_is_ignored() {
    let mut app = App::new(detailed());
    for (instance, target, weight) in [(0, 2, 1.0), (1, 0, 1.0), (0, 0, f32::NAN)] {
        app.session.apply(Command::HoldMorph {
            instance,
            target,
            weight: Some(weight),
        });
    }
    let character = app.session.character().expect("a character");
    assert!(character.held_morphs().is_empty());
    for nothing in [Inspected::Skin(1), Inspected::Image(7), Inspected::Mesh(1)] {
        app.session.apply(Command::Inspect(nothing));
        assert_eq!(app.session.inspected, Inspected::Joint);
    }
}

#[test]
fn a_clip_tells_first_and_last_key_the_guessed_rate_and_what_it_leaves_alone() {
    let mut harness = harness(App::new(detailed()));
    harness.get_by_label("Clips (3)").click();
    harness.run_steps(2);
    harness.get_by_label("Wave").click();
    harness.run_steps(2);
    assert_eq!(session(&harness).inspected, Inspected::Clip(1));
    for fact in [
        "0.500 s",
        "2.000 s",
        "24 per second, a guess",
        "LINEAR 8",
        "8 of 22",
        "Joints without keys",
    ] {
        let found = harness.query_all_by_label(fact).count();
        assert!(found > 0, "{fact} is missing");
    }
    let link = harness
        .get_all_by_label("Head")
        .find(|node| node.rect().left() > 900.0);
    link.expect("a joint that the clip does not key")
        .click_accesskit();
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_joint, Some(6));
    assert!(
        harness
            .query_by_label("None: the clip leaves it at rest.")
            .is_some()
    );
}

#[test]
fn a_skin_compares_bind_and_rest_and_its_buttons_show_them() {
    let mut harness = harness(App::new(detailed()));
    harness.get_by_label("Meshes (1)").click();
    harness.run_steps(2);
    harness.get_by_label("Armature").click();
    harness.run_steps(2);
    assert_eq!(session(&harness).inspected, Inspected::Skin(0));
    assert!(harness.query_by_label("none: under 64").is_some());
    // The worst first: the forearm, turned by 30°.
    let row = harness.get_by_label_contains("LowerArm.L: 30.0°, 0.000 m");
    row.click_accesskit();
    harness.run_steps(2);
    assert_eq!(session(&harness).view.selected_joint, Some(LOWER_ARM));
    assert_eq!(session(&harness).inspected, Inspected::Skin(0), "it stays");
    for (button, source) in [
        ("Pose: Bind", PoseSource::Bind),
        ("Pose: Rest", PoseSource::Rest),
        ("Pose: Clip", PoseSource::Clip(0)),
    ] {
        let buttons: Vec<_> = harness.get_all_by_label(button).collect();
        buttons[0].click_accesskit();
        drop(buttons);
        harness.run_steps(2);
        let now = session(&harness).character().map(|c| c.source);
        assert_eq!(now, Some(source), "{button}");
    }
}

#[test]
fn matrices_written_row_by_row_can_be_tried_the_other_way() {
    let mut document = detailed();
    let right = human().skins[0].joint_from_mesh.clone();
    let skin = &mut document.skins[0];
    // As the importer leaves them: the fourth row is gone, and what it held is kept.
    skin.transposed_bind = Some(right.clone());
    for matrix in &mut skin.joint_from_mesh {
        matrix.w_axis = glam::Vec4::W;
    }
    let mut app = App::new(document);
    app.session.apply(Command::SetSource(PoseSource::Rest));
    app.session.apply(Command::Inspect(Inspected::Skin(0)));
    let mut harness = harness(app);
    let residual = |harness: &egui_kittest::Harness<'_, App>| {
        let mut palette = Vec::new();
        let character = session(harness).character().expect("a character");
        character.palette(0, &mut palette);
        let all = palette.iter().map(|matrix| matrix.to_mat4());
        all.map(|matrix| matrix.w_axis.truncate().length())
            .fold(0.0, f32::max)
    };
    assert!(residual(&harness) > 0.5);
    harness
        .get_by_label("Preview them transposed")
        .click_accesskit();
    harness.run_steps(2);
    assert!(residual(&harness) < 1e-5);
    assert!(
        harness
            .query_by_label("The rest pose is the bind pose.")
            .is_some()
    );
}

#[test]
fn a_node_whose_transform_is_ignored_says_so() {
    let mut document = detailed();
    document.skeleton.joints[23].translation = Vec3::X;
    let mut app = App::new(document);
    app.session.apply(Command::SelectJoint(Some(23)));
    let mut harness = harness(app);
    let notice = "Transform ignored: the mesh follows its skin's joints alone";
    assert!(harness.query_by_label(notice).is_some());
    let session = &mut harness.state_mut().session;
    session.apply(Command::Inspect(Inspected::Mesh(0)));
    harness.run_steps(2);
    assert!(harness.query_by_label("Ignored transform").is_some());
    assert!(
        harness
            .query_by_label("Translation: 1.0000 0.0000 0.0000")
            .is_some()
    );
}

#[test]
fn the_node_that_shows_a_mesh_has_its_morph_sliders_by_name() {
    let mut app = App::new(detailed());
    // The node of the mesh, and one that shows none.
    for (node, has_sliders) in [(23, true), (LOWER_ARM, false)] {
        app.session.apply(Command::SelectJoint(Some(node)));
        let mut harness = harness(app);
        for name in ["Smile", "target 1"] {
            let found = harness.query_by_label(name).is_some();
            assert_eq!(found, has_sliders, "{name} at node {node}");
        }
        if has_sliders {
            harness.get_by_label("Smile").focus();
            harness.step();
            harness.key_press(Key::ArrowRight);
            harness.run_steps(2);
            let character = session(&harness).character().expect("a character");
            assert!(character.pose.morph_weights[0][0] > 0.25);
        }
        app = App::new(detailed());
    }
}
