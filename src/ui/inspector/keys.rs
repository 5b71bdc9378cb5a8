//! What else there is to say of a node: the mesh it shows, the keys it gets.

use egui::Ui;

use super::facts::{self, fact, fact_with, link, quiet};
use crate::{
    document::{Clip, JointTracks, Track},
    scene::Character,
    session::{Command, Inspected},
    ui::{
        Context,
        format::{self, count, plural},
        icons::Icon,
        theme::{GAP, colors},
        widgets,
    },
};

/// The meshes that the joint's node shows, with a notice where its place is ignored.
pub(super) fn shown_meshes(
    ui: &mut Ui,
    context: &mut Context<'_>,
    character: &Character,
    joint: usize,
) {
    let document = &character.document;
    for (index, instance) in document.instances.iter().enumerate() {
        if instance.joint != joint {
            continue;
        }
        fact_with(ui, "Shows", |ui| {
            let name = format::mesh_name(document, instance);
            if link(ui, &name, "Show the mesh").clicked() {
                let command = Command::Inspect(Inspected::Mesh(index));
                context.commands.push(command);
            }
        });
        let world = character.globals.world(joint);
        if instance.skin.is_some() && !world.abs_diff_eq(glam::Mat4::IDENTITY, 1e-5) {
            let color = colors(ui.visuals()).info;
            facts::notice(
                ui,
                Icon::Ignored,
                color,
                "Transform ignored: the mesh follows its skin's joints alone",
            );
        }
        ui.add_space(GAP);
    }
}

/// What the present clip does to the joint.
pub(super) fn keys(ui: &mut Ui, character: &Character, joint: usize) {
    let Some(clip) = character.clip() else { return };
    widgets::section(ui, "Keys in this clip", true, |ui| {
        let lines = lines(clip, joint);
        if lines.is_empty() {
            quiet(ui, "None: the clip leaves it at rest.");
        }
        for (property, text) in lines {
            fact(ui, property, &text);
        }
    });
}

fn lines(clip: &Clip, joint: usize) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    match clip.joint_tracks(joint) {
        Some(JointTracks::Trs {
            translation,
            rotation,
            scale,
            ..
        }) => {
            lines.extend(translation.iter().map(|t| ("Translation", line(t))));
            lines.extend(rotation.iter().map(|t| ("Rotation", line(t))));
            lines.extend(scale.iter().map(|t| ("Scale", line(t))));
        }
        Some(JointTracks::Matrix { matrix, .. }) => lines.push(("Matrix", line(matrix))),
        None => {}
    }
    let morphs = clip.morphs.iter().filter(|morph| morph.joint == joint);
    lines.extend(morphs.map(|morph| {
        let targets = plural(morph.target_count, "target");
        (
            "Morph weights",
            format!("{}, {targets}", line(&morph.weights)),
        )
    }));
    lines
}

/// `25, LINEAR, 0.00–1.00 s`.
fn line<T>(track: &Track<T>) -> String {
    format!(
        "{}, {}, {:.2}–{:.2} s",
        count(track.times.len()),
        track.keys.interpolation_name(),
        track.start_secs(),
        track.end_secs(),
    )
}
