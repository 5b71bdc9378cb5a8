//! Controls that egui lacks or that must look the same everywhere.

use egui::{
    Align2, Color32, FontId, Id, Popup, Rect, Response, Role, Sense, Stroke, TextEdit, Ui,
    WidgetInfo, pos2, vec2,
};

use super::{
    icons::{Icon, square},
    theme::{self, CONTROL, GAP, PAD, RADIUS, ROW, SMALL, colors},
};

/// A small square button for lists and value tables.
pub fn small_icon_button(ui: &mut Ui, icon: Icon, label: &str) -> Response {
    icon_toggle(ui, icon, label, None, 18.0)
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
    let mut open = ui.data_mut(|data| *data.get_persisted_mut_or(id, default_open));
    let width = ui.available_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, CONTROL + 2.0), Sense::hover());
    let response = ui.interact(rect, id.with("header"), Sense::click());
    if response.clicked() {
        open = !open;
        ui.data_mut(|data| data.insert_persisted(id, open));
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

/// A search field with a glass and a clear button.
pub fn search_field(ui: &mut Ui, text: &mut String, hint: &str) -> Response {
    let colors = colors(ui.visuals());
    let response = ui.add(
        TextEdit::singleline(text)
            .hint_text(hint)
            .desired_width(f32::INFINITY)
            .margin(egui::Margin {
                left: 24,
                right: 22,
                top: 3,
                bottom: 3,
            })
            .min_size(vec2(0.0, CONTROL)),
    );
    let rect = response.rect;
    Icon::Search.paint(
        ui.painter(),
        square(rect.left() + 6.0, rect.center().y, 13.0),
        colors.weak,
    );
    if !text.is_empty() {
        let button = square(rect.right() - 21.0, rect.center().y, 18.0);
        let clear = ui.interact(button, response.id.with("clear"), Sense::click());
        paint_icon_button(ui, button, &clear, Icon::Close, "Clear search", None);
        if clear.clicked() {
            text.clear();
        }
    }
    response.accessible_name(hint)
}

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

/// Text cut to a width with an ellipsis, vertically centred at `y`; returns its
/// right edge and whether something was cut.
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
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let (size, elided) = (galley.size(), galley.elided);
    ui.painter()
        .galley(pos2(x, y - size.y * 0.5), galley, color);
    (x + size.x, elided)
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
            response.on_hover_text(format!("{}\n{}", self.title, self.detail).trim())
        } else {
            response
        }
    }
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

/// A thin slider with its value beside it; a double-click sets `neutral`. Returns
/// whether the value changed.
pub struct SliderField<'a> {
    /// Accessible name.
    pub name: &'a str,
    /// What it does.
    pub tooltip: &'a str,
    /// Why it can't be used, where the surroundings are disabled.
    pub disabled_tooltip: &'a str,
    /// Both ends.
    pub range: core::ops::RangeInclusive<f32>,
    /// Set by a double-click.
    pub neutral: f32,
    /// Digits after the point.
    pub decimals: usize,
    /// After the number.
    pub suffix: &'a str,
    /// Width of the number.
    pub value_width: f32,
    /// Width of both together.
    pub width: f32,
}

impl SliderField<'_> {
    /// Edits `value`.
    pub fn show(&self, ui: &mut Ui, value: &mut f32) {
        let before = *value;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = PAD;
            let slider = ui.scope(|ui| self.rail(ui, value)).inner;
            let drag = egui::DragValue::new(value)
                .range(self.range.clone())
                .speed((self.range.end() - self.range.start()) / 400.0)
                .fixed_decimals(self.decimals)
                .suffix(self.suffix);
            let field = ui
                .add_sized(vec2(self.value_width, CONTROL), drag)
                .accessible_name(format!("{}, number", self.name));
            if slider.double_clicked() {
                *value = self.neutral;
            }
            for response in [slider, field] {
                response
                    .on_hover_text(self.tooltip)
                    .on_disabled_hover_text(self.disabled_tooltip);
            }
        });
        if !value.is_finite() {
            *value = before;
        }
    }

    fn rail(&self, ui: &mut Ui, value: &mut f32) -> Response {
        let colors = colors(ui.visuals());
        ui.spacing_mut().slider_width = (self.width - self.value_width - PAD).max(32.0);
        ui.spacing_mut().interact_size.y = 14.0;
        ui.spacing_mut().slider_rail_height = 3.0;
        let visuals = ui.visuals_mut();
        visuals.selection.bg_fill = colors.accent;
        visuals.widgets.inactive.bg_fill = colors.pressed;
        for state in [
            &mut visuals.widgets.inactive,
            &mut visuals.widgets.hovered,
            &mut visuals.widgets.active,
        ] {
            state.fg_stroke = Stroke::new(1.5, colors.accent);
        }
        let slider = egui::Slider::new(value, self.range.clone()).show_value(false);
        ui.add(slider).accessible_name(self.name)
    }
}

/// A chooser that shows the present choice; entries have tooltips. Returns a new
/// choice.
pub fn dropdown<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    width: f32,
    current: T,
    current_text: &str,
    entries: impl IntoIterator<Item = (T, String, &'static str)>,
) -> Option<T> {
    let mut chosen = None;
    let combo = egui::ComboBox::from_id_salt(name)
        .selected_text(current_text)
        .width(width)
        .truncate()
        .icon(|ui, rect, visuals, _| {
            let rect = Rect::from_center_size(rect.center(), vec2(12.0, 12.0));
            Icon::ChevronDown.paint(ui.painter(), rect, visuals.fg_stroke.color);
        });
    // Long names are cut, whatever room there is.
    let shown = ui.scope(|ui| {
        ui.set_max_width(width + 2.0 * ui.spacing().button_padding.x);
        combo.show_ui(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            ui.set_min_width(width);
            for (value, text, tooltip) in entries {
                let response = ui.selectable_label(value == current, text);
                let response = if tooltip.is_empty() {
                    response
                } else {
                    response.on_hover_text(tooltip)
                };
                if response.clicked() {
                    chosen = (value != current).then_some(value);
                }
            }
        })
    });
    let response = shown.inner.response;
    let response = response.accessible_name(name.to_owned());
    if !Popup::is_any_open(ui.ctx()) {
        response.on_hover_text(name.to_owned());
    }
    chosen
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
