//! Above the names: which rows are shown.

use egui::{Align, Layout, Rect, Sense, Ui, UiBuilder, vec2};

use super::rows::Filters;
use crate::ui::{icons::Icon, theme::CONTROL, widgets};

/// Size of a switch.
const SWITCH: f32 = 22.0;

/// The filter by name and the four switches; in `corner`.
pub(super) fn show(ui: &mut Ui, corner: Rect, filters: &mut Filters) {
    let place = Rect::from_min_size(corner.min, vec2(corner.width(), CONTROL));
    let builder = UiBuilder::new()
        .id_salt("dope filters")
        .max_rect(place)
        .layout(Layout::right_to_left(Align::Center));
    let mut ui = ui.new_child(builder);
    ui.spacing_mut().item_spacing.x = 1.0;
    let ui = &mut ui;
    switch(
        ui,
        Icon::Follow,
        "Follow the selection",
        "Open the selected joint and scroll to it",
        &mut filters.follow,
    );
    switch(
        ui,
        Icon::Key,
        "Keyed only",
        "Leave out joints and properties that the clip does not key",
        &mut filters.only_keyed,
    );
    switch(
        ui,
        Icon::Warning,
        "With findings only",
        "Only joints that something was found at in this clip",
        &mut filters.only_findings,
    );
    switch(
        ui,
        Icon::Pointer,
        "Selected joint only",
        "Only the rows of the selected joint",
        &mut filters.only_selected,
    );
    ui.add_space(3.0);
    let room = vec2(ui.available_width(), CONTROL);
    ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
        widgets::search_field(ui, &mut filters.query, "Filter joints");
    });
}

fn switch(ui: &mut Ui, icon: Icon, label: &str, tooltip: &str, on: &mut bool) {
    let (rect, response) = ui.allocate_exact_size(vec2(SWITCH, SWITCH), Sense::click());
    widgets::paint_icon_button(ui, rect, &response, icon, label, Some(*on));
    if response.clicked() {
        *on = !*on;
    }
    response.on_hover_text(format!("{label}\n{tooltip}"));
}
