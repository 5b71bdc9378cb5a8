//! Facts in two columns, and links from one thing to another.

use egui::{Label, Response, RichText, Sense, Ui, vec2};

use crate::{
    session::Command,
    ui::{
        Context,
        icons::{Icon, square},
        text::display,
        theme::{GAP, PAD, SMALL, colors},
        widgets,
    },
};

/// Share of the width that labels take.
const LABELS: f32 = 0.42;
/// Height of a line of facts.
const LINE: f32 = 19.0;

/// Icon, name and copy button, and a quieter line below.
pub(super) fn header(
    ui: &mut Ui,
    context: &mut Context<'_>,
    icon: Icon,
    name: &str,
    below: impl FnOnce(&mut Ui, &mut Context<'_>),
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if widgets::copy_button(ui, "Copy name").clicked() {
                context.commands.push(Command::CopyText(name.to_owned()));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::hover());
                let glyph = square(rect.left(), rect.center().y, 16.0);
                icon.paint(ui.painter(), glyph, colors(ui.visuals()).accent);
                let text = RichText::new(display(name))
                    .heading()
                    .color(colors(ui.visuals()).strong);
                ui.add(Label::new(text).truncate());
            });
        });
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        below(ui, context);
    });
    ui.add_space(PAD);
}

/// Small quiet text.
pub(super) fn quiet(ui: &mut Ui, text: &str) -> Response {
    let color = colors(ui.visuals()).weak;
    ui.label(RichText::new(display(text)).size(SMALL + 0.5).color(color))
}

/// A line: what it is, and its value.
pub(super) fn fact(ui: &mut Ui, label: &str, value: &str) -> Response {
    fact_with(ui, label, |ui| {
        let color = colors(ui.visuals()).text;
        let text = RichText::new(display(value)).color(color);
        ui.add(Label::new(text).wrap())
    })
}

/// A line with something of its own for a value.
pub(super) fn fact_with<R>(ui: &mut Ui, label: &str, value: impl FnOnce(&mut Ui) -> R) -> R {
    let labels = (ui.available_width() * LABELS).clamp(84.0, 130.0);
    ui.horizontal_top(|ui| {
        ui.set_min_height(LINE);
        ui.spacing_mut().item_spacing.x = 0.0;
        let color = colors(ui.visuals()).weak;
        let name = RichText::new(label).color(color);
        ui.allocate_ui(vec2(labels, LINE), |ui| {
            ui.set_min_width(labels);
            ui.add(Label::new(name).selectable(false).truncate());
        });
        ui.vertical(|ui| value(ui)).inner
    })
    .inner
}

/// Text that leads somewhere.
pub(super) fn link(ui: &mut Ui, text: &str, tooltip: &str) -> Response {
    let color = colors(ui.visuals()).accent;
    let text = RichText::new(display(text)).color(color);
    ui.add(Label::new(text).truncate().sense(Sense::click()))
        .on_hover_cursor(egui::CursorIcon::PointingHand)
        .on_hover_text(tooltip)
}

/// A link to a joint; hovering it marks the joint in the view.
pub(super) fn joint_link(ui: &mut Ui, context: &mut Context<'_>, joint: usize) {
    let Some(label) = context.joint_label(joint) else {
        return;
    };
    let response = link(ui, &label, "Select the joint");
    if response.hovered() {
        context.hovered_joint = Some(joint);
    }
    if response.clicked() {
        context.commands.push(Command::SelectJoint(Some(joint)));
    }
}

/// A notice with a sign in its colour, over the whole width.
pub(super) fn notice(ui: &mut Ui, icon: Icon, color: egui::Color32, text: &str) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, LINE), Sense::hover());
        icon.paint(
            ui.painter(),
            square(rect.left(), rect.center().y - 1.0, 14.0),
            color,
        );
        let text = RichText::new(display(text))
            .size(SMALL + 0.5)
            .color(colors(ui.visuals()).text);
        ui.add(Label::new(text).wrap());
    });
}
