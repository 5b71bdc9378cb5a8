//! Right: what is selected in numbers, and how things are displayed.

mod clip;
mod display;
mod facts;
mod joint;
mod keys;
mod material;
mod mesh;
mod skin;
mod values;

use egui::{ScrollArea, Ui};

use super::{
    Context,
    format::EulerOrder,
    icons::Icon,
    shortcuts,
    theme::{self, MARGIN},
    widgets,
};
use crate::{
    scene::{Character, PoseSource},
    session::{Action, Command, Inspected},
};

/// Below this height the display switches scroll along with the joint.
const DOCKED_FROM: f32 = 600.0;

/// The panel's state.
#[derive(Debug, Default)]
pub struct Inspector {
    euler_order: EulerOrder,
    /// Which of the selected joint's skins is shown, by skin index.
    skin: Option<usize>,
    skin_facts: skin::SkinFacts,
    clip_facts: clip::ClipFacts,
    thumbnails: material::Thumbnails,
    morph_query: String,
    /// What was shown in the frame before.
    seen: Inspected,
}

impl Inspector {
    /// Fills the panel.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let margin = egui::Margin::symmetric(MARGIN as i8, theme::PAD as i8);
        let body = egui::Frame::new().inner_margin(margin);
        if ui.available_height() < DOCKED_FROM {
            ScrollArea::vertical()
                .auto_shrink([false, false])
                .show(ui, |ui| {
                    body.show(ui, |ui| {
                        self.subject(ui, context);
                        widgets::section(ui, "Display", true, |ui| display::show(ui, context));
                    });
                });
            return;
        }
        egui::Panel::bottom("display")
            .frame(body)
            .resizable(false)
            .show(ui, |ui| {
                widgets::section(ui, "Display", true, |ui| display::show(ui, context));
            });
        ScrollArea::vertical()
            .auto_shrink([false, false])
            .show(ui, |ui| {
                body.show(ui, |ui| self.subject(ui, context));
            });
    }

    /// What the session says that this is about.
    fn subject(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let session = context.session;
        let inspected = session.inspected;
        if self.seen != inspected {
            self.seen = inspected;
            ui.scroll_to_cursor(Some(egui::Align::TOP));
        }
        let Some(character) = session.character() else {
            self.joint(ui, context);
            return;
        };
        if !inspected.exists_in(&character.document) {
            self.joint(ui, context);
            return;
        }
        ui.push_id(inspected, |ui| match inspected {
            Inspected::Joint => self.joint(ui, context),
            Inspected::Mesh(index) => self.mesh_facts(ui, context, character, index),
            Inspected::Skin(index) => self.skin_facts.show(ui, context, character, index),
            Inspected::Clip(index) => self.clip_facts.show(ui, context, character, index),
            Inspected::Material(index) => {
                let document = &character.document;
                self.thumbnails.material(ui, context, document, index);
            }
            Inspected::Image(index) => {
                let document = &character.document;
                self.thumbnails.image(ui, context, document, index);
            }
        });
    }

    fn joint(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let session = context.session;
        let selected = session.character().and_then(|character| {
            let joint = session.view.selected_joint?;
            (joint < character.document.skeleton.joints.len()).then_some((character, joint))
        });
        match selected {
            Some((character, joint)) => self.joint_facts(ui, context, character, joint),
            None => widgets::empty_state(
                ui,
                Icon::Joint,
                "No joint selected",
                "Click a joint in the view or the tree",
            ),
        }
    }
}

/// Where the pose comes from: bind pose, rest pose or clip.
fn pose_buttons(ui: &mut Ui, context: &mut Context<'_>, character: &Character) {
    let rest = shortcuts::tooltip(ui.ctx(), "Node transforms as stored", Action::RestPose);
    let bind = "Where the mesh was bound: the inverses of the inverse bind matrices";
    let bind = shortcuts::tooltip(ui.ctx(), bind, Action::BindPose);
    let entries = [
        (Pose::Bind, "Bind", &*bind),
        (Pose::Rest, "Rest", &*rest),
        (Pose::Clip, "Clip", "The clip that was shown last, at its time"),
    ];
    let has_clip = !character.document.clips.is_empty();
    let entries = if has_clip { &entries[..] } else { &entries[..2] };
    let now = match character.source {
        PoseSource::Bind => Pose::Bind,
        PoseSource::Rest => Pose::Rest,
        PoseSource::Clip(_) => Pose::Clip,
    };
    let chosen = widgets::labelled(ui, "Pose", |ui| {
        widgets::segmented(ui, "Pose", now, entries)
    });
    match chosen {
        Some(Pose::Bind) => context.commands.push(Command::SetSource(PoseSource::Bind)),
        Some(Pose::Rest) => context.commands.push(Command::SetSource(PoseSource::Rest)),
        Some(Pose::Clip) => context.commands.push(Command::ReturnToClip),
        None => {}
    }
}

/// The choices of [`pose_buttons`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pose {
    Bind,
    Rest,
    Clip,
}
