//! Left: what is in the file, as joints, meshes and clips, and what is wrong with it.

mod clips;
mod indent;
mod joints;
mod meshes;
mod problems;
mod tabs;

use egui::Ui;

use super::{Context, theme::PAD, widgets};
use crate::session::{Command, OutlinerTab};

/// The panel's state.
#[derive(Debug, Default)]
pub struct Outliner {
    joint_query: String,
    mesh_query: String,
    clip_query: String,
    joints: joints::JointTree,
    clips: clips::ClipList,
    problems: problems::Problems,
}

impl Outliner {
    /// Fills the panel.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.spacing_mut().item_spacing.y = 0.0;
        tabs::show(ui, context);
        let mut problems = context.session.problems.clone();
        let tab = context.session.panels.outliner_tab;
        let (query, hint) = match tab {
            OutlinerTab::Joints => (&mut self.joint_query, "Search joints"),
            OutlinerTab::Meshes => (&mut self.mesh_query, "Search all parts"),
            OutlinerTab::Clips => (&mut self.clip_query, "Search clips"),
            OutlinerTab::Problems => (&mut problems.query, "Search problems"),
        };
        let seek = egui::Frame::new()
            .inner_margin(egui::Margin::symmetric(PAD as i8, PAD as i8))
            .show(ui, |ui| widgets::search_field(ui, query, hint))
            .inner;
        match tab {
            OutlinerTab::Joints => self.joints.show(ui, context, &self.joint_query, seek),
            OutlinerTab::Meshes => meshes::show(ui, context, &self.mesh_query, seek),
            OutlinerTab::Clips => self.clips.show(ui, context, &self.clip_query, seek),
            OutlinerTab::Problems => self.problems.show(ui, context, &mut problems, seek),
        }
        if problems != context.session.problems {
            (context.commands).push(Command::SetProblems(Box::new(problems)));
        }
    }
}
