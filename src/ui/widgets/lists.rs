//! Rows of lists and trees.

use egui::{FontId, Id, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::{fitted_text, focus_ring};
use crate::ui::{
    icons::{Icon, square},
    text::display,
    theme::{self, GAP, PAD, RADIUS, ROW, SMALL, colors},
};

/// What a [`Row`] paints.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowStyle {
    /// Selected.
    pub selected: bool,
    /// Marked from elsewhere, such as the view.
    pub highlighted: bool,
}

/// Background of a list row; call it before painting its contents.
pub fn row_background(ui: &Ui, rect: Rect, response: &Response, style: RowStyle) {
    let colors = colors(ui.visuals());
    let rect = rect.shrink2(vec2(GAP, 0.0));
    if style.selected {
        ui.painter().rect_filled(rect, RADIUS, colors.selected);
    } else if response.hovered() || style.highlighted {
        ui.painter().rect_filled(rect, RADIUS, colors.raised);
    }
    focus_ring(ui, rect, response);
}

/// A list row over the whole width with room for one or two lines.
pub struct Row<'a> {
    /// Identity within the list.
    pub id: Id,
    /// Glyph at the left.
    pub icon: Icon,
    /// First line.
    pub title: &'a str,
    /// Second line, smaller; empty for one-line rows.
    pub detail: &'a str,
    /// How it looks.
    pub style: RowStyle,
    /// Points kept free at the right.
    pub reserve: f32,
}

impl Row<'_> {
    /// Lays the row out at `rect`.
    pub fn show(&self, ui: &Ui, rect: Rect) -> Response {
        let response = ui.interact(rect, self.id, Sense::click());
        let selected = self.style.selected;
        response.widget_info(|| {
            WidgetInfo::selected(Role::ListItem, ui.is_enabled(), selected, self.title)
        });
        row_background(ui, rect, &response, self.style);
        let colors = colors(ui.visuals());
        let x = rect.left() + theme::MARGIN;
        let icon_color = if selected { colors.accent } else { colors.weak };
        let lines_height = if self.detail.is_empty() { 0.0 } else { 8.0 };
        let y = rect.center().y;
        self.icon
            .paint(ui.painter(), square(x, y - lines_height, 15.0), icon_color);
        let x = x + 15.0 + PAD;
        let width = rect.right() - PAD - self.reserve - x;
        let title_color = if selected { colors.strong } else { colors.text };
        let title = FontId::proportional(13.0);
        let (_, cut) = fitted_text(
            ui,
            self.title,
            title,
            title_color,
            x,
            y - lines_height,
            width,
        );
        let mut cut_detail = false;
        if !self.detail.is_empty() {
            let font = FontId::proportional(SMALL);
            (_, cut_detail) = fitted_text(ui, self.detail, font, colors.weak, x, y + 8.5, width);
        }
        if cut || cut_detail {
            response.on_hover_text(display(format!("{}\n{}", self.title, self.detail).trim()))
        } else {
            response
        }
    }
}

/// Rows of equal height of which only the visible ones are laid out. `scroll_to`
/// brings a row into view. `row` gets the row's index and rectangle.
pub fn rows(
    ui: &mut Ui,
    id: &str,
    count: usize,
    height: f32,
    scroll_to: Option<usize>,
    mut row: impl FnMut(&mut Ui, usize, Rect),
) {
    egui::ScrollArea::vertical()
        .id_salt(id)
        .auto_shrink([false, false])
        .show_viewport(ui, |ui, viewport| {
            ui.set_height(count as f32 * height);
            let origin = ui.min_rect().min;
            let width = ui.available_width();
            let rect_of = |index: usize| {
                Rect::from_min_size(
                    origin + vec2(0.0, index as f32 * height),
                    vec2(width, height),
                )
            };
            let first = (viewport.min.y / height).floor().max(0.0) as usize;
            let last = ((viewport.max.y / height).ceil().max(0.0) as usize).min(count);
            for index in first..last {
                row(ui, index, rect_of(index));
            }
            if let Some(index) = scroll_to.filter(|&index| index < count) {
                // Leave a few rows of surroundings.
                let target = rect_of(index).expand2(vec2(0.0, 3.0 * ROW));
                if !ui.clip_rect().contains_rect(rect_of(index)) {
                    ui.scroll_to_rect(target, None);
                }
            }
        });
}
/// An empty place that says what would be there.
pub fn empty_state(ui: &mut Ui, icon: Icon, title: &str, hint: &str) {
    let colors = colors(ui.visuals());
    ui.add_space(theme::MARGIN * 1.5);
    ui.vertical_centered(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(28.0, 28.0), Sense::hover());
        icon.paint(ui.painter(), rect, colors.weak.gamma_multiply(0.7));
        ui.add_space(GAP);
        ui.label(egui::RichText::new(title).color(colors.text));
        ui.label(
            egui::RichText::new(hint)
                .color(colors.weak)
                .size(SMALL + 0.5),
        );
    });
    ui.add_space(theme::MARGIN);
}
