//! Over the view: the title of a scene of the lab, and what it shows.

use egui::{Align, Frame, Label, Layout, Margin, Panel, RichText, Ui, vec2};

use super::{
    Context,
    icons::Icon,
    theme::{GAP, MARGIN, PAD, colors},
    widgets,
};
use crate::{lab::SCENES, session::Command};

/// Narrower views have room for the title alone.
const TEXT_FROM: f32 = 360.0;

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(lab) = &context.session.lab else {
        return;
    };
    let scene = lab.scene;
    let colors = colors(ui.visuals());
    let frame = Frame::new()
        .fill(colors.panel)
        .inner_margin(Margin::symmetric(MARGIN as i8, PAD as i8));
    Panel::top("lab").frame(frame).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(PAD, GAP * 0.5);
        ui.horizontal(|ui| {
            ui.label(RichText::new(scene.title).size(15.0).color(colors.strong));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let place = SCENES.iter().position(|known| known.id == scene.id);
                let place = place.unwrap_or(0);
                let step = |ui: &mut Ui, icon, what: &str, to: Option<usize>| {
                    let scene = to.and_then(|to| SCENES.get(to));
                    ui.add_enabled_ui(scene.is_some(), |ui| {
                        let label = scene.map_or_else(
                            || format!("{what} scene"),
                            |scene| format!("{what} scene: {}", scene.title),
                        );
                        widgets::small_icon_button(ui, icon, &label).clicked()
                    })
                    .inner
                    .then_some(scene)
                    .flatten()
                };
                let next = step(ui, Icon::ChevronRight, "Next", Some(place + 1));
                ui.label(
                    RichText::new(format!("{} / {}", place + 1, SCENES.len())).color(colors.weak),
                );
                let previous = step(ui, Icon::PreviousFrame, "Previous", place.checked_sub(1));
                if let Some(scene) = next.or(previous) {
                    context.commands.push(Command::OpenLab(scene));
                }
            });
        });
        if ui.available_width() >= TEXT_FROM {
            let text = RichText::new(scene.text).color(colors.text);
            ui.add(Label::new(text).wrap());
        }
    });
}
