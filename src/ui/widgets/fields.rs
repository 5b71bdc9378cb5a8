//! Fields that hold a value: search, slider, chooser.

use egui::{
    Key, Modifiers, Popup, Rect, RectAlign, Response, RichText, Sense, Stroke, TextEdit, Ui, vec2,
};

use super::paint_icon_button;
use crate::ui::{
    icons::{Icon, square},
    text::display,
    theme::{CONTROL, GAP, PAD, SMALL, colors},
};

/// Where the keyboard goes in the hits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seek {
    /// Enter: the present hit, or else the first.
    First,
    /// Arrow down.
    Next,
    /// Arrow up.
    Previous,
}

impl Seek {
    /// The hit to go to, of `count` with `current` among them.
    pub fn target(self, current: Option<usize>, count: usize) -> Option<usize> {
        let last = count.checked_sub(1)?;
        Some(match (self, current) {
            (_, None) => 0,
            (Self::First, Some(current)) => current.min(last),
            (Self::Next, Some(current)) => (current + 1).min(last),
            (Self::Previous, Some(current)) => current.saturating_sub(1).min(last),
        })
    }
}

/// A search field with a glass and a clear button. Enter and the vertical arrows ask
/// for a hit; Escape clears the text, then leaves the field.
pub fn search_field(ui: &mut Ui, text: &mut String, hint: &str) -> Option<Seek> {
    let colors = colors(ui.visuals());
    let id = ui.scope_id().with(hint);
    let mut seek = None;
    if ui.memory(|memory| memory.has_focus(id)) {
        seek = ui.input_mut(|input| {
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            if pressed(Key::ArrowDown) {
                Some(Seek::Next)
            } else if pressed(Key::ArrowUp) {
                Some(Seek::Previous)
            } else if pressed(Key::Enter) {
                Some(Seek::First)
            } else {
                None
            }
        });
    }
    let response = ui.add(
        TextEdit::singleline(text)
            .id(id)
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
    let escaped = response.lost_focus()
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if escaped && !text.is_empty() {
        text.clear();
        response.request_focus();
    }
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
    response.accessible_name(hint);
    seek
}

/// A thin slider with its value beside it.
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

/// A chooser that shows the present choice; it and its entries have tooltips. Returns
/// a new choice.
pub fn dropdown<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    width: f32,
    current: T,
    current_text: &str,
    tooltip: &str,
    entries: impl IntoIterator<Item = (T, String, &'static str)>,
) -> Option<T> {
    let entries = entries.into_iter().map(|entry| (None, entry));
    grouped_dropdown(ui, name, width, current, current_text, tooltip, entries)
}

/// [`dropdown`] in groups: an entry with a heading begins one.
pub fn grouped_dropdown<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    width: f32,
    current: T,
    current_text: &str,
    tooltip: &str,
    entries: impl IntoIterator<Item = (Option<&'static str>, (T, String, &'static str))>,
) -> Option<T> {
    let mut chosen = None;
    let combo = egui::ComboBox::from_id_salt(name)
        .selected_text(display(current_text))
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
            let opens = has_just_opened(ui);
            for (heading, (value, text, tooltip)) in entries {
                if let Some(heading) = heading {
                    ui.add_space(GAP);
                    ui.separator();
                    let weak = colors(ui.visuals()).weak;
                    ui.label(RichText::new(heading).size(SMALL).color(weak));
                }
                let response = ui.selectable_label(value == current, display(&text));
                if opens && value == current {
                    response.scroll_to_me(Some(egui::Align::Center));
                }
                if !tooltip.is_empty() {
                    // Beside the list, not over the entries below.
                    let mut tip = egui::Tooltip::for_enabled(&response);
                    tip.popup = tip
                        .popup
                        .align(RectAlign::RIGHT_START)
                        .align_alternatives(&[RectAlign::LEFT_START, RectAlign::RIGHT_END]);
                    tip.show(|ui| ui.label(tooltip));
                }
                if response.clicked() {
                    chosen = (value != current).then_some(value);
                }
            }
        })
    });
    let response = shown.inner.response;
    let response = response.accessible_name(name.to_owned());
    if !Popup::is_any_open(ui.ctx()) {
        response.on_hover_text(tooltip);
    }
    chosen
}

/// Whether a popup's contents were not there a few frames ago: its first frame only
/// measures them.
fn has_just_opened(ui: &Ui) -> bool {
    let id = ui.scope_id().with("opened");
    let now = ui.ctx().cumulative_frame_nr();
    let (mut opened, last): (u64, u64) = ui.data(|data| data.get_temp(id)).unwrap_or((now, 0));
    if last + 1 < now {
        opened = now;
    }
    ui.data_mut(|data| data.insert_temp(id, (opened, now)));
    now < opened + 3
}
