//! Right: the selected joint in numbers, and how things are displayed.

mod display;
mod joint;
mod values;

use egui::{ScrollArea, Ui};

use super::{
    Context,
    format::EulerOrder,
    icons::Icon,
    problem::ProblemCard,
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
    problem: ProblemCard,
}

impl Inspector {
    /// Fills the panel.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let margin = egui::Margin::symmetric(MARGIN as i8, theme::PAD as i8);
        let body = egui::Frame::new().inner_margin(margin);
        // The card of a problem needs the room.
        let has_problem = context.session.finding_on_show().is_some();
        if ui.available_height() < DOCKED_FROM || has_problem {
            ScrollArea::vertical()
                .auto_shrink([false, false])
                .show(ui, |ui| {
                    body.show(ui, |ui| {
                        self.problem.show(ui, context);
                        // A problem without a joint needs no word about joints.
                        if !has_problem || context.session.view.selected_joint.is_some() {
                            self.joint(ui, context);
                        }
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
