//! Filters of the list of problems: severities, headings, order.

use egui::{Align, Align2, FontId, Layout, Popup, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::{
    document::Severity,
    session::{GroupOrder, Grouping, ProblemView, Session},
    ui::{
        format::count,
        icons::{Icon, square},
        theme::{CONTROL, GAP, PAD, RADIUS, colors},
        widgets,
    },
};

/// Size of a severity's glyph.
const GLYPH: f32 = 13.0;

pub(super) fn show(ui: &mut Ui, session: &Session, view: &mut ProblemView) {
    ui.spacing_mut().item_spacing = vec2(GAP, GAP + 2.0);
    ui.horizontal(|ui| {
        chip(ui, session, Severity::Error, "Errors", &mut view.errors);
        chip(
            ui,
            session,
            Severity::Warning,
            "Warnings",
            &mut view.warnings,
        );
        chip(ui, session, Severity::Info, "Notes", &mut view.infos);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            order_menu(ui, view);
        });
    });
    let entries = [
        (
            Grouping::Place,
            "By joint",
            "A heading for each joint, mesh or skin",
        ),
        (
            Grouping::Code,
            "By problem",
            "A heading for each kind of problem",
        ),
    ];
    if let Some(grouping) = widgets::segmented(ui, "Group", view.grouping, &entries) {
        view.grouping = grouping;
    }
    ui.add_space(GAP);
}

/// A switch with a severity's glyph and number.
fn chip(ui: &mut Ui, session: &Session, severity: Severity, name: &str, on: &mut bool) {
    let colors = colors(ui.visuals());
    let number = session.finding_count(severity);
    let font = FontId::proportional(12.0);
    let ink = match (*on, number) {
        (true, 1..) => colors.severity(severity),
        _ => colors.weak,
    };
    let text = if *on { colors.text } else { colors.weak };
    let galley = ui.painter().layout_no_wrap(count(number), font, text);
    let size = vec2(
        PAD * 2.0 + GLYPH + GAP + galley.size().x - 3.0,
        CONTROL - 2.0,
    );
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    if response.clicked() {
        *on = !*on;
    }
    let label = format!("{name} ({number})");
    let state = *on;
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, state, &label));
    let fill = match (*on, response.hovered()) {
        (_, true) => colors.hovered,
        (true, false) => colors.raised,
        (false, false) => colors.sunken,
    };
    ui.painter().rect_filled(rect, RADIUS, fill);
    let x = rect.left() + PAD - 2.0;
    let y = rect.center().y;
    Icon::of_severity(severity).paint(ui.painter(), square(x, y, GLYPH), ink);
    let at = Align2::LEFT_CENTER.anchor_size(pos2(x + GLYPH + GAP, y), galley.size());
    ui.painter().galley(at.min, galley, text);
    if !*on {
        // Struck through as well: colour alone tells too little.
        let line = Rect::from_center_size(rect.center(), vec2(rect.width() - PAD, 1.0));
        ui.painter().rect_filled(line, 0.0, colors.weak);
    }
    widgets::focus_ring(ui, rect, &response);
    let verb = if *on { "Hide" } else { "Show" };
    response.on_hover_text(format!("{verb} {}", name.to_lowercase()));
}

/// A button with the orders to choose from.
fn order_menu(ui: &mut Ui, view: &mut ProblemView) {
    let label = format!("Order: {}", view.order.as_str().to_lowercase());
    let response = widgets::icon_toggle(ui, Icon::Sort, &label, None, CONTROL - 2.0);
    Popup::menu(&response).show(|ui| {
        ui.set_min_width(120.0);
        for order in GroupOrder::ALL {
            let on = view.order == order;
            let response = ui.selectable_label(on, order.as_str());
            if response.clicked() {
                view.order = order;
                ui.close();
            }
        }
    });
}
