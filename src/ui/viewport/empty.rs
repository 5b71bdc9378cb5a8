//! In the middle of the view while nothing is open: why, and the ways on.

use egui::{Align2, Area, Frame, Id, Label, Order, Rect, RichText, ScrollArea, Ui, vec2};

use crate::{
    document::Severity,
    session::{Action, Command, Message, Session},
    ui::{
        Context,
        icons::Icon,
        text::display,
        theme::{GAP, MARGIN, PAD, colors},
        widgets,
    },
};

/// Widest card.
const WIDTH: f32 = 440.0;
/// What the card needs beside the message's text: heading, buttons, margins.
const AROUND: f32 = 130.0;

/// The error that the card tells: the newest, while there is nothing else to look at.
pub fn told(session: &Session) -> Option<&Message> {
    if session.document().is_some() || session.loading.is_some() {
        return None;
    }
    let mut errors = session.messages.iter().rev();
    errors.find(|message| message.severity == Severity::Error)
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, rect: Rect) {
    let session = context.session;
    let width = WIDTH.min(rect.width() - 2.0 * MARGIN);
    if session.document().is_some() || session.loading.is_some() || width < 120.0 {
        return;
    }
    let colors = colors(ui.visuals());
    let frame = Frame::popup(ui.style())
        .fill(colors.popup)
        .stroke(egui::Stroke::new(1.0, colors.line))
        .corner_radius(8)
        .inner_margin(MARGIN);
    Area::new(Id::unique("nothing is open"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(rect.center())
        .constrain_to(rect)
        .show(ui.ctx(), |ui| {
            frame.show(ui, |ui| {
                ui.set_width(width - 2.0 * MARGIN);
                ui.spacing_mut().item_spacing = vec2(PAD, GAP);
                contents(ui, context, rect.height());
            });
        });
}

fn contents(ui: &mut Ui, context: &mut Context<'_>, height: f32) {
    let session = context.session;
    let colors = colors(ui.visuals());
    let error = told(session);
    let heading = match error {
        Some(_) => "The file was not opened",
        None => "Nothing is open",
    };
    ui.horizontal(|ui| {
        if let Some(message) = error {
            let (icon, _) = ui.allocate_exact_size(vec2(16.0, 18.0), egui::Sense::hover());
            let accent = colors.severity(message.severity);
            Icon::of_severity(message.severity).paint(ui.painter(), icon, accent);
        }
        ui.label(RichText::new(heading).size(14.5).color(colors.strong));
    });
    let text = match error {
        Some(message) => display(&message.text).into_owned(),
        None => "Open a glTF file, or drop one here.".to_owned(),
    };
    ScrollArea::vertical()
        .id_salt("why nothing is open")
        .max_height((height - AROUND).max(40.0))
        .show(ui, |ui| {
            ui.add(Label::new(RichText::new(text).color(colors.text)).wrap());
        });
    ui.add_space(GAP);
    ui.horizontal_wrapped(|ui| {
        for action in [Action::Open, Action::OpenBuiltIn] {
            let response = ui.button(action.label());
            if response.on_hover_text(action.tooltip()).clicked() {
                context.act(action);
            }
        }
        let Some(message) = error else { return };
        if widgets::copy_button(ui, "Copy message").clicked() {
            let text = message.text.clone();
            context.commands.push(Command::CopyText(text));
        }
        if widgets::small_icon_button(ui, Icon::Close, "Dismiss message").clicked() {
            context.commands.push(Command::Dismiss(message.id));
        }
    });
}
