//! Right: the selected joint in numbers, and how things are displayed.

mod display;
mod joint;
mod values;
mod vertex;
mod weights;

use egui::{ScrollArea, Ui};

use super::{
    Context,
    format::EulerOrder,
    icons::Icon,
    theme::{self, MARGIN},
    widgets,
};

/// Below this height the display switches scroll along with the joint.
const DOCKED_FROM: f32 = 600.0;

/// The panel's state.
#[derive(Debug, Default)]
pub struct Inspector {
    euler_order: EulerOrder,
    /// Which of the selected joint's skins is shown, by skin index.
    skin: Option<usize>,
    weights: weights::Weights,
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
                        self.joint(ui, context);
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
                body.show(ui, |ui| self.joint(ui, context));
            });
    }

    fn joint(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let session = context.session;
        if let (Some(character), Some(vertex)) = (session.character(), session.view.selected_vertex)
        {
            widgets::section(ui, "Vertex", true, |ui| {
                vertex::show(ui, context, character, vertex);
            });
        }
        if session.view.weight_view.is_some() {
            self.weights.show(ui, context);
        }
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
                if session.view.weight_view.is_some() {
                    "Click a joint in the tree, or a vertex in the view"
                } else {
                    "Click a joint in the view or the tree"
                },
            ),
        }
    }
}
