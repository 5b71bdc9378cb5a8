//! At the left: which curves are shown, and how.

use egui::{Align, Layout, Rect, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};

use super::{
    choice::{Choice, Compare},
    palette,
};
use crate::{
    analysis::curves::Curve,
    math::EulerOrder,
    ui::{
        icons::Icon,
        theme::{CONTROL, GAP, colors},
        widgets,
    },
};

/// Height of a curve's row.
const ROW: f32 = 22.0;
/// Own scale's button.
const BUTTON: f32 = 18.0;
/// How hands move the plot.
const HANDS: &str = "Drag: move. Ctrl or Alt and drag, or the playhead itself: scrub (Shift snaps to keys).\nWheel: zoom values. Ctrl and wheel: zoom time. Shift and wheel: along time.\nDouble-click: fit. Click on a key: go there.\nWith the keyboard in the plot: ← → frames, ↑ ↓ keys, + − zoom.";
/// From this width on there is room for a word.
const WORD_FROM: f32 = 230.0;

/// Above the list: fit and compare. Returns whether to fit.
pub(super) fn corner(ui: &mut Ui, choice: &mut Choice, rect: Rect) -> bool {
    let builder = UiBuilder::new()
        .max_rect(rect)
        .layout(Layout::left_to_right(Align::Center))
        .id_salt("curves corner");
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let label = "Fit all curves";
        let fit = widgets::icon_toggle(ui, Icon::Fit, label, None, CONTROL);
        let (help, response) = ui.allocate_exact_size(vec2(CONTROL, CONTROL), Sense::hover());
        Icon::Info.paint(ui.painter(), help.shrink(4.0), colors(ui.visuals()).weak);
        response.on_hover_text(HANDS);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let current = choice.compare;
            let entry = |c: Compare| (c, c.label().to_owned(), c.description());
            let entries = Compare::ALL.map(|c| (c.heading(), entry(c)));
            let tip = "What is plotted faintly beside what is played";
            let label = current.label();
            let chosen =
                widgets::grouped_dropdown(ui, "Compare", 98.0, current, label, tip, entries);
            choice.compare = chosen.unwrap_or(current);
            if rect.width() >= WORD_FROM {
                widgets::word(ui, "Compare");
            }
        });
        fit.clicked()
    })
    .inner
}

/// A row for each curve.
pub(super) fn list(ui: &mut Ui, choice: &mut Choice, rect: Rect) {
    let builder = UiBuilder::new().max_rect(rect).id_salt("curves list");
    ui.scope_builder(builder, |ui| {
        ui.shrink_clip_rect(rect.expand2(vec2(3.0, 0.0)));
        ScrollArea::vertical()
            .id_salt("curves")
            .auto_shrink([false, false])
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.add_space(2.0);
                for index in 0..Curve::ALL.len() {
                    row(ui, choice, index);
                    details(ui, choice, index);
                }
            });
    });
}

fn row(ui: &mut Ui, choice: &mut Choice, index: usize) {
    let curve = Curve::ALL[index];
    let width = ui.available_width() - 6.0;
    let (rect, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let is_shown = choice.shown[index];
    let mut right = rect.right();
    if is_shown {
        right -= BUTTON;
        own_scale(
            ui,
            choice,
            index,
            Rect::from_min_max(
                pos2(right, rect.top() + 2.0),
                pos2(rect.right(), rect.bottom() - 2.0),
            ),
        );
        right -= bars(ui, curve, pos2(right - GAP, rect.center().y)) + GAP;
    }
    let check = Rect::from_min_max(rect.min, pos2(right, rect.bottom()));
    let builder = UiBuilder::new().max_rect(check).id_salt(("curve", index));
    ui.scope_builder(builder, |ui| {
        widgets::check_box(ui, &mut choice.shown[index], curve.label()).on_hover_text(format!(
            "{}\n{}",
            curve.label(),
            curve.description()
        ));
    });
}

fn own_scale(ui: &mut Ui, choice: &mut Choice, index: usize, rect: Rect) {
    let label = format!("{}: own scale", Curve::ALL[index].label());
    let id = ui.scope_id().with(("own scale", index));
    let response = ui.interact(rect, id, Sense::click());
    let on = Some(choice.own_scale[index]);
    widgets::paint_icon_button(ui, rect, &response, Icon::OwnScale, &label, on);
    if response.clicked() {
        choice.own_scale[index] = !choice.own_scale[index];
    }
    response.on_hover_text("Own scale: each component fills the lane, to compare shapes");
}

/// The colours of a curve's components, ending at `right`; returns their width.
fn bars(ui: &Ui, curve: Curve, right: egui::Pos2) -> f32 {
    const STEP: f32 = 4.0;
    let count = match curve {
        Curve::MorphWeights => 4,
        _ => curve.components().len(),
    };
    let width = STEP * count as f32;
    for component in 0..count {
        let left = right.x - width + STEP * component as f32;
        let bar = Rect::from_min_size(pos2(left, right.y - 5.0), vec2(2.5, 10.0));
        let color = palette::component(ui.visuals(), curve, component);
        ui.painter().rect_filled(bar, 1.0, color);
    }
    width
}

/// Below the rows of angles: order of turns, and whether they go on past ±180°.
fn details(ui: &mut Ui, choice: &mut Choice, index: usize) {
    let curve = Curve::ALL[index];
    if !matches!(curve, Curve::Euler(_)) {
        return;
    }
    let is_euler = choice.shown[index];
    let has_angles = choice.shown().any(|i| Curve::ALL[i].can_be_continuous());
    if !has_angles {
        return;
    }
    let indent = 23.0;
    if is_euler {
        ui.horizontal(|ui| {
            ui.add_space(indent);
            widgets::word(ui, "Order");
            let entries = EulerOrder::ALL.map(|order| (order, order.as_str().to_owned(), ""));
            let current = choice.order;
            let tip = "Order of the turns about moving axes";
            let name = "Euler order of curves";
            let chosen = widgets::dropdown(ui, name, 52.0, current, current.as_str(), tip, entries);
            choice.order = chosen.unwrap_or(current);
        });
    }
    ui.horizontal(|ui| {
        ui.add_space(indent);
        widgets::check_box(ui, &mut choice.continuous, "On past ±180°").on_hover_text(
            "Angles go on where they would start over, by the number of turns since the first key",
        );
    });
}
