//! A clip: what it keys, when, and what it leaves alone.

use std::sync::{Arc, Weak};

use egui::Ui;

use super::facts::{self, fact, joint_link, quiet};
use crate::{
    document::{Clip, Document, JointTracks, Keys},
    scene::{Character, PoseSource},
    session::Command,
    ui::{
        Context,
        format::{count, plural},
        icons::Icon,
        theme::{GAP, PAD},
        widgets,
    },
};

/// Joints listed at most.
const LISTED: usize = 200;

/// Facts of one clip, counted once.
#[derive(Debug, Default)]
pub(super) struct ClipFacts {
    document: Weak<Document>,
    clip: usize,
    rows: Vec<(&'static str, String, &'static str)>,
    /// Joints of skins that the clip does not key.
    unkeyed: Vec<usize>,
}

impl ClipFacts {
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        character: &Character,
        index: usize,
    ) {
        let document = &character.document;
        if !std::ptr::eq(self.document.as_ptr(), Arc::as_ptr(document)) || self.clip != index {
            *self = Self::new(document, index);
        }
        let clip = &document.clips[index];
        facts::header(ui, context, Icon::Clip, &clip.label(index), |ui, _| {
            quiet(ui, &format!("Clip {index}, of {}", document.clips.len()));
        });
        for (label, value, tooltip) in &self.rows {
            let response = fact(ui, label, value);
            if !tooltip.is_empty() {
                response.on_hover_text(*tooltip);
            }
        }
        if character.source != PoseSource::Clip(index) {
            ui.add_space(GAP);
            if ui.button("Play this clip").clicked() {
                let source = PoseSource::Clip(index);
                context.commands.push(Command::SetSource(source));
                context.commands.push(Command::SetPlaying(true));
            }
        }
        ui.add_space(PAD);
        if self.unkeyed.is_empty() {
            return;
        }
        widgets::section(ui, "Joints without keys", true, |ui| {
            quiet(
                ui,
                "They stay at rest here; players that blend clips may leave them in the pose of the clip before.",
            );
            ui.add_space(GAP);
            for &joint in self.unkeyed.iter().take(LISTED) {
                joint_link(ui, context, joint);
            }
            let more = self.unkeyed.len().saturating_sub(LISTED);
            if more > 0 {
                quiet(ui, &format!("and {} more", count(more)));
            }
        });
    }

    fn new(document: &Arc<Document>, index: usize) -> Self {
        let clip = &document.clips[index];
        let unkeyed = unkeyed(document, clip);
        Self {
            rows: rows(document, clip, unkeyed.len()),
            unkeyed,
            document: Arc::downgrade(document),
            clip: index,
        }
    }
}

/// Joints of skins, in joint order, without a track in the clip.
fn unkeyed(document: &Document, clip: &Clip) -> Vec<usize> {
    let mut joints: Vec<usize> = (document.skins.iter())
        .flat_map(|skin| skin.joints.iter().map(|&joint| joint as usize))
        .collect();
    joints.sort_unstable();
    joints.dedup();
    joints.retain(|&joint| clip.joint_tracks(joint).is_none());
    joints
}

fn rows(
    document: &Document,
    clip: &Clip,
    unkeyed: usize,
) -> Vec<(&'static str, String, &'static str)> {
    let channels = clip.times().count();
    let last = clip.duration_secs;
    let mut rows = vec![
        ("Length", format!("{last:.3} s"), "From 0 to the last key"),
        ("First key", format!("{:.3} s", clip.start_secs), ""),
        ("Last key", format!("{last:.3} s"), ""),
        (
            "Channels",
            count(channels),
            "Tracks of translation, rotation, scale or weights",
        ),
        ("Keys", count(clip.key_count()), "Over all channels"),
    ];
    let guess = "Files store no frame rate: the smallest spacing of two keys says this one";
    rows.push(match clip.guessed_fps() {
        Some(fps) => ("Frame rate", format!("{fps} per second, a guess"), guess),
        None => ("Frame rate", "not to be guessed".to_owned(), guess),
    });
    rows.push((
        "Interpolation",
        interpolations(clip),
        "Channels by kind of keys",
    ));
    let skinned = document.skinned_joint_count();
    if skinned > 0 {
        let text = format!(
            "{} of {}",
            count(skinned - unkeyed.min(skinned)),
            count(skinned)
        );
        rows.push(("Joints keyed", text, "Of the joints that skins use"));
    }
    let nodes = (clip.joints.iter())
        .filter(|tracks| !is_skinned(document, tracks.joint()))
        .count();
    if nodes > 0 {
        rows.push((
            "Other nodes",
            plural(nodes, "node"),
            "Keyed, but in no skin",
        ));
    }
    if !clip.morphs.is_empty() {
        let targets: usize = clip.morphs.iter().map(|morph| morph.target_count).sum();
        rows.push((
            "Morph targets",
            count(targets),
            "Weights that the clip keys",
        ));
    }
    rows
}

fn is_skinned(document: &Document, joint: usize) -> bool {
    let uses = |&slot: &u32| slot as usize == joint;
    document
        .skins
        .iter()
        .any(|skin| skin.joints.iter().any(uses))
}

/// `LINEAR 150 · STEP 2`.
fn interpolations(clip: &Clip) -> String {
    fn tally<T>(keys: &Keys<T>, counts: &mut [(&'static str, usize); 3]) {
        let name = keys.interpolation_name();
        if let Some(entry) = counts.iter_mut().find(|entry| entry.0 == name) {
            entry.1 += 1;
        }
    }
    let mut counts = [("LINEAR", 0), ("STEP", 0), ("CUBICSPLINE", 0)];
    for tracks in &clip.joints {
        match tracks {
            JointTracks::Trs {
                translation,
                rotation,
                scale,
                ..
            } => {
                translation.iter().for_each(|t| tally(&t.keys, &mut counts));
                rotation.iter().for_each(|t| tally(&t.keys, &mut counts));
                scale.iter().for_each(|t| tally(&t.keys, &mut counts));
            }
            JointTracks::Matrix { matrix, .. } => tally(&matrix.keys, &mut counts),
        }
    }
    for morph in &clip.morphs {
        tally(&morph.weights.keys, &mut counts);
    }
    let parts: Vec<String> = (counts.iter())
        .filter(|(_, number)| *number > 0)
        .map(|(name, number)| format!("{name} {}", count(*number)))
        .collect();
    if parts.is_empty() {
        "no channels".to_owned()
    } else {
        parts.join(" · ")
    }
}
