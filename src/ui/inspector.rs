//! Right: the selected joint in numbers, and how things are displayed.

mod display;
mod joint;
mod measures;
mod skeleton;
mod values;

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

/// Share of the panel's height that switches take at most, however many are open.
const SWITCHES_SHARE: f32 = 0.62;

/// The panel's state.
#[derive(Debug, Default)]
pub struct Inspector {
    euler_order: EulerOrder,
    /// Which of the selected joint's skins is shown, by skin index.
    skin: Option<usize>,
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
                        switches(ui, context);
                    });
                });
            return;
        }
        let most = ui.available_height() * SWITCHES_SHARE;
        egui::Panel::bottom("display")
            .frame(body)
            .resizable(false)
            .show(ui, |ui| {
                ScrollArea::vertical()
                    .max_height(most)
                    .min_scrolled_height(most)
                    .show(ui, |ui| switches(ui, context));
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

/// What of the picture is shown, and how.
fn switches(ui: &mut Ui, context: &mut Context<'_>) {
    widgets::section(ui, "Display", true, |ui| display::show(ui, context));
    widgets::section(ui, "Skeleton", false, |ui| skeleton::show(ui, context));
    widgets::section(ui, "Measures", false, |ui| measures::show(ui, context));
}
