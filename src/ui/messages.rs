//! Notices and errors at the lower right of the view.

use std::collections::HashMap;

use egui::{Align, Align2, Area, Frame, Id, Label, Layout, Order, Rect, RichText, Ui, vec2};

use super::{
    Context,
    icons::Icon,
    text::display,
    theme::{GAP, MARGIN, PAD, colors},
    viewport, widgets,
};
use crate::{
    document::Severity,
    session::{Command, Message},
};

/// Seconds that a notice stays; warnings stay twice as long, errors until dismissed.
const STAY_SECS: f64 = 6.0;
/// Widest toast.
const WIDTH: f32 = 340.0;

/// When each message was first seen.
#[derive(Debug, Default)]
pub struct Toasts {
    since: HashMap<u64, f64>,
}

impl Toasts {
    /// Shows the open messages over `view`, newest at the bottom.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, view: Rect) {
        // What the view tells in its middle is not told twice.
        let told = viewport::told_in_the_middle(context.session).map(|message| message.id);
        let messages = context.session.messages.iter();
        let messages: Vec<&Message> = messages.filter(|m| Some(m.id) != told).collect();
        self.since
            .retain(|id, _| messages.iter().any(|message| message.id == *id));
        let width = WIDTH.min(view.width() - 2.0 * MARGIN);
        if messages.is_empty() || width < 80.0 {
            return;
        }
        let now = ui.input(|input| input.time);
        let mut bottom = view.bottom() - MARGIN;
        for message in messages.into_iter().rev() {
            if bottom < view.top() + 60.0 {
                break;
            }
            let area = Area::new(Id::unique(("toast", message.id)))
                .order(Order::Foreground)
                .pivot(Align2::RIGHT_BOTTOM)
                .fixed_pos(egui::pos2(view.right() - MARGIN, bottom))
                .constrain_to(view);
            let shown = area.show(ui.ctx(), |ui| toast(ui, context, message, width));
            bottom = shown.response.rect.top() - PAD;
            self.fade(ui, context, message, now, shown.response.contains_pointer());
        }
    }

    fn fade(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        message: &Message,
        now: f64,
        held: bool,
    ) {
        let stay = match message.severity {
            Severity::Info => STAY_SECS,
            Severity::Warning => 2.0 * STAY_SECS,
            Severity::Error => return,
        };
        let since = self.since.entry(message.id).or_insert(now);
        if held {
            // Being read: the clock starts over.
            *since = now;
        }
        let left = *since + stay - now;
        if left <= 0.0 {
            context.commands.push(Command::Dismiss(message.id));
        } else {
            let wait = std::time::Duration::from_secs_f64(left + 0.02);
            ui.ctx().request_repaint_after(wait);
        }
    }
}

fn toast(ui: &mut Ui, context: &mut Context<'_>, message: &Message, width: f32) {
    let colors = colors(ui.visuals());
    let accent = colors.severity(message.severity);
    let frame = Frame::popup(ui.style())
        .fill(colors.popup)
        .stroke(egui::Stroke::new(1.0, colors.line))
        .corner_radius(6)
        .inner_margin(egui::Margin {
            left: MARGIN as i8 + 2,
            right: PAD as i8,
            top: PAD as i8,
            bottom: PAD as i8,
        });
    let shown = frame.show(ui, |ui| {
        ui.set_width(width - MARGIN - PAD - 4.0);
        ui.spacing_mut().item_spacing = vec2(GAP, GAP);
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            if widgets::small_icon_button(ui, Icon::Close, "Dismiss message").clicked() {
                context.commands.push(Command::Dismiss(message.id));
            }
            if widgets::copy_button(ui, "Copy message").clicked() {
                let text = message.text.clone();
                context.commands.push(Command::CopyText(text));
            }
            ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                let (icon, _) = ui.allocate_exact_size(vec2(16.0, 18.0), egui::Sense::hover());
                Icon::of_severity(message.severity).paint(ui.painter(), icon, accent);
                ui.add_space(2.0);
                let text = RichText::new(display(&message.text)).color(colors.text);
                ui.add(Label::new(text).wrap());
            });
        });
    });
    let rect = shown.response.rect;
    let stripe = Rect::from_min_max(rect.min, egui::pos2(rect.left() + 3.0, rect.bottom()));
    let corners = egui::CornerRadius {
        nw: 6,
        sw: 6,
        ne: 0,
        se: 0,
    };
    ui.painter().rect_filled(stripe, corners, accent);
}
