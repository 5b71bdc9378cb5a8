//! Controls that egui lacks or that must look the same everywhere.

mod fields;
mod lists;

use egui::{
    Align2, Color32, FontId, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

pub use fields::{Seek, SliderField, dropdown, grouped_dropdown, search_field};
pub use lists::{Row, RowStyle, empty_state, row_background, rows};

use super::{
    arrangement,
    icons::{Icon, square},
    text::display,
    theme::{CONTROL, PAD, RADIUS, SMALL, colors},
};

/// A small square button for lists and value tables.
pub fn small_icon_button(ui: &mut Ui, icon: Icon, label: &str) -> Response {
    icon_toggle(ui, icon, label, None, 18.0)
}

/// How long a copy button says that it has copied, in seconds.
const COPIED_SECS: f64 = 1.2;

/// A button that copies; says so for a moment after it was pressed.
pub fn copy_button(ui: &mut Ui, label: &str) -> Response {
    let id = ui.scope_id().with(("copied", label));
    let now = ui.input(|input| input.time);
    let since: Option<f64> = ui.data(|data| data.get_temp(id));
    let left = since.map_or(0.0, |since| since + COPIED_SECS - now);
    if left <= 0.0 {
        let response = small_icon_button(ui, Icon::Copy, label);
        if response.clicked() {
            ui.data_mut(|data| data.insert_temp(id, now));
            ui.ctx().request_repaint();
        }
        return response;
    }
    let (rect, response) = ui.allocate_exact_size(vec2(18.0, 18.0), Sense::click());
    paint_icon_button(ui, rect, &response, Icon::Check, label, Some(true));
    if response.clicked() {
        ui.data_mut(|data| data.insert_temp(id, now));
    }
    egui::Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, rect).show(|ui| {
        ui.label("Copied");
    });
    let wait = std::time::Duration::from_secs_f64(left + 0.02);
    ui.ctx().request_repaint_after(wait);
    response
}

/// An icon button that shows whether it is on, where `on` says so.
pub fn icon_toggle(ui: &mut Ui, icon: Icon, label: &str, on: Option<bool>, size: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(size, size), Sense::click());
    paint_icon_button(ui, rect, &response, icon, label, on);
    response.on_hover_text(label)
}

/// Paints and names an icon button at a place of its own.
pub fn paint_icon_button(
    ui: &Ui,
    rect: Rect,
    response: &Response,
    icon: Icon,
    label: &str,
    on: Option<bool>,
) {
    let enabled = ui.is_enabled();
    response.widget_info(|| match on {
        Some(on) => WidgetInfo::selected(Role::Button, enabled, on, label),
        None => WidgetInfo::labeled(Role::Button, enabled, label),
    });
    if !ui.is_rect_visible(rect) {
        return;
    }
    let colors = colors(ui.visuals());
    let on = on == Some(true);
    let fill = if response.is_pointer_button_down_on() {
        Some(colors.pressed)
    } else if on {
        Some(colors.selected)
    } else if response.hovered() {
        Some(colors.hovered)
    } else {
        None
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect, RADIUS, fill);
    }
    focus_ring(ui, rect, response);
    let color = if on {
        colors.accent
    } else if response.hovered() {
        colors.strong
    } else if rect.height() < CONTROL {
        colors.weak
    } else {
        colors.text
    };
    let glyph = (rect.height().min(rect.width() + 2.0) * 0.66).min(16.0);
    let glyph = Rect::from_center_size(rect.center(), vec2(glyph, glyph));
    icon.paint(ui.painter(), glyph, color);
}

/// Outline of what the keyboard acts on.
pub fn focus_ring(ui: &Ui, rect: Rect, response: &Response) {
    if response.has_focus() {
        ui.painter().rect_stroke(
            rect,
            RADIUS,
            Stroke::new(1.5, colors(ui.visuals()).accent),
            egui::StrokeKind::Inside,
        );
    }
}

/// A choice between a few values side by side; returns a new choice.
/// Entries are value, text and tooltip.
pub fn segmented<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    current: T,
    entries: &[(T, &str, &str)],
) -> Option<T> {
    let colors = colors(ui.visuals());
    let width = ui.available_width();
    let (outer, _) = ui.allocate_exact_size(vec2(width, CONTROL), Sense::hover());
    ui.painter().rect_filled(outer, RADIUS, colors.sunken);
    let mut chosen = None;
    let step = outer.width() / entries.len().max(1) as f32;
    for (index, &(value, text, tooltip)) in entries.iter().enumerate() {
        let rect = Rect::from_min_size(
            pos2(outer.left() + step * index as f32, outer.top()),
            vec2(step, outer.height()),
        );
        let id = ui.scope_id().with((name, index));
        let response = ui.interact(rect, id, Sense::click());
        let on = value == current;
        response.widget_info(|| {
            WidgetInfo::selected(
                Role::RadioButton,
                ui.is_enabled(),
                on,
                format!("{name}: {text}"),
            )
        });
        let inner = rect.shrink(2.0);
        if on {
            ui.painter().rect_filled(inner, RADIUS - 1, colors.pressed);
        } else if response.hovered() {
            ui.painter().rect_filled(inner, RADIUS - 1, colors.raised);
        }
        focus_ring(ui, inner, &response);
        let color = if on { colors.strong } else { colors.weak };
        let galley =
            ui.painter()
                .layout_no_wrap(text.to_owned(), FontId::proportional(12.5), color);
        let at = Align2::CENTER_CENTER.anchor_size(inner.center(), galley.size());
        ui.painter()
            .with_clip_rect(inner.intersect(ui.clip_rect()))
            .galley(at.min, galley, color);
        let response = if tooltip.is_empty() {
            response
        } else {
            response.on_hover_text(tooltip)
        };
        if response.clicked() && !on {
            chosen = Some(value);
        }
    }
    chosen
}

/// A box with a tick and a label, over the width that is there.
pub fn check_box(ui: &mut Ui, on: &mut bool, label: &str) -> Response {
    let size = vec2(ui.available_width(), CONTROL);
    let (rect, mut response) = ui.allocate_exact_size(size, Sense::click());
    if response.clicked() {
        *on = !*on;
        response.mark_changed();
    }
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, enabled, *on, label));
    let colors = colors(ui.visuals());
    let tick = square(rect.left(), rect.center().y, 15.0);
    if *on {
        ui.painter().rect_filled(tick, 4.0, colors.accent);
        Icon::Check.paint(ui.painter(), tick.shrink(1.0), colors.on_accent);
    } else {
        let fill = if response.hovered() {
            colors.hovered
        } else {
            colors.sunken
        };
        let border = Stroke::new(1.0, colors.weak.gamma_multiply(0.6));
        ui.painter()
            .rect(tick, 4.0, fill, border, egui::StrokeKind::Inside);
    }
    let color = if response.hovered() {
        colors.strong
    } else {
        colors.text
    };
    let x = tick.right() + PAD;
    let font = FontId::proportional(13.0);
    fitted_text(ui, label, font, color, x, rect.center().y, rect.right() - x);
    focus_ring(ui, rect.expand(1.0), &response);
    response
}

/// A heading that opens and closes what follows; remembers its state.
pub fn section(ui: &mut Ui, title: &str, default_open: bool, contents: impl FnOnce(&mut Ui)) {
    let id = ui.make_persistent_id(("section", title));
    let mut open = arrangement::is_open(ui.ctx(), title, default_open);
    let width = ui.available_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, CONTROL + 2.0), Sense::hover());
    let response = ui.interact(rect, id.with("header"), Sense::click());
    if response.clicked() {
        open = !open;
        arrangement::set_open(ui.ctx(), title, open);
    }
    response.widget_info(|| {
        WidgetInfo::selected(Role::DisclosureTriangle, ui.is_enabled(), open, title)
    });
    let colors = colors(ui.visuals());
    let color = if response.hovered() {
        colors.strong
    } else {
        colors.text
    };
    let chevron = if open {
        Icon::ChevronDown
    } else {
        Icon::ChevronRight
    };
    chevron.paint(
        ui.painter(),
        square(rect.left() - 2.0, rect.center().y, 14.0),
        colors.weak,
    );
    ui.painter().text(
        pos2(rect.left() + 16.0, rect.center().y),
        Align2::LEFT_CENTER,
        title,
        FontId::proportional(13.5),
        color,
    );
    focus_ring(ui, rect, &response);
    if open {
        contents(ui);
        ui.add_space(PAD);
    }
}

/// A row with a label on the left and a control that fills the rest.
pub fn labelled<R>(ui: &mut Ui, label: &str, control: impl FnOnce(&mut Ui) -> R) -> R {
    let label_width = (ui.available_width() * 0.34).clamp(64.0, 104.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let (rect, _) = ui.allocate_exact_size(vec2(label_width, CONTROL), Sense::hover());
        ui.painter().text(
            rect.left_center(),
            Align2::LEFT_CENTER,
            label,
            FontId::proportional(13.0),
            colors(ui.visuals()).weak,
        );
        control(ui)
    })
    .inner
}

/// Weak text beside a control that carries its own name, so that it is read out once.
pub fn word(ui: &mut Ui, text: &str) {
    let color = colors(ui.visuals()).weak;
    let font = FontId::proportional(SMALL + 0.5);
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, color);
    let (rect, _) = ui.allocate_exact_size(vec2(galley.size().x, CONTROL), Sense::hover());
    let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    ui.painter().galley(at.min, galley, color);
}

/// Text cut to a width with an ellipsis, vertically centred at `y`, in the order in
/// which it is read; returns its right edge and whether something was cut.
pub fn fitted_text(
    ui: &Ui,
    text: &str,
    font: FontId,
    color: Color32,
    x: f32,
    y: f32,
    width: f32,
) -> (f32, bool) {
    if width <= 0.0 {
        return (x, true);
    }
    let text = display(text).into_owned();
    let mut job = egui::text::LayoutJob::simple_singleline(text, font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let (size, elided) = (galley.size(), galley.elided);
    ui.painter()
        .galley(pos2(x, y - size.y * 0.5), galley, color);
    (x + size.x, elided)
}
