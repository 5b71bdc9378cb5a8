//! Blocks of numbers on one grid of four columns, so that vectors, quaternions
//! and matrices line up under each other.

use egui::{Align2, Color32, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use glam::Mat4;

use crate::session::Command;
use crate::ui::{
    Context, format,
    theme::{self, MONO, SMALL, colors},
    widgets,
};

/// Of an angle in degrees beside its axis.
const ANGLE_DECIMALS: usize = 2;
/// Height of a line of numbers.
const LINE: f32 = 17.0;

/// A block: a title, numbers and what its copy button puts on the clipboard.
pub(super) struct Block<'a> {
    /// What it is.
    pub title: &'a str,
    /// In which space, unit or convention; the title's tooltip.
    pub tooltip: &'a str,
    /// Up to four numbers.
    pub values: &'a [f32],
    /// Decimals wanted.
    pub decimals: usize,
    /// After the last number, such as a degree sign.
    pub unit: &'a str,
    /// With every digit.
    pub copy: String,
}

impl Block<'_> {
    /// Shows the block; `extra` adds controls left of the copy button.
    pub(super) fn show(&self, ui: &mut Ui, context: &mut Context<'_>, extra: impl FnOnce(&mut Ui)) {
        heading(ui, context, self.title, self.tooltip, &self.copy, extra);
        // An angle beside an axis has decimals of its own, so that the axis stands
        // under the quaternion.
        let angle = match self.values {
            [_, _, _, angle] if !self.unit.is_empty() => core::slice::from_ref(angle),
            _ => &[],
        };
        let decimals = |values: &[f32], wanted| format::shared_decimals(values, wanted, room(ui));
        let first = &self.values[..self.values.len() - angle.len()];
        let mut texts = texts(first, decimals(first, self.decimals));
        texts.extend(self::texts(angle, decimals(angle, ANGLE_DECIMALS)));
        let rect = line(ui, self.title, &texts.join(" "));
        numbers(ui, rect, &texts, self.unit);
        ui.add_space(theme::GAP);
    }
}

/// A 4 × 4 matrix, rows as written on paper.
pub(super) fn matrix(
    ui: &mut Ui,
    context: &mut Context<'_>,
    title: &str,
    tooltip: &str,
    matrix: &Mat4,
    extra: impl FnOnce(&mut Ui),
) {
    let copy = format::exact_matrix(matrix);
    heading(ui, context, title, tooltip, &copy, extra);
    let all = matrix.to_cols_array();
    let decimals = format::shared_decimals(&all, 4, room(ui));
    for row in 0..4 {
        let values = matrix.row(row).to_array();
        let texts = texts(&values, decimals);
        let rect = line(ui, &format!("{title}, row {}", row + 1), &texts.join(" "));
        numbers(ui, rect, &texts, "");
    }
    ui.add_space(theme::GAP);
}

/// The letters above the columns.
pub(super) fn column_letters(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    let colors = colors(ui.visuals());
    let tints = [colors.axes[0], colors.axes[1], colors.axes[2], colors.weak];
    for (column, (letter, tint)) in ["x", "y", "z", "w"].into_iter().zip(tints).enumerate() {
        ui.painter().text(
            pos2(column_right(rect, column), rect.center().y),
            Align2::RIGHT_CENTER,
            letter,
            FontId::monospace(MONO),
            tint,
        );
    }
}

fn column_right(rect: Rect, column: usize) -> f32 {
    // The last column leaves room for a unit sign.
    rect.left() + (rect.width() - 8.0) * (column + 1) as f32 / 4.0
}

fn heading(
    ui: &mut Ui,
    context: &mut Context<'_>,
    title: &str,
    tooltip: &str,
    copy: &str,
    extra: impl FnOnce(&mut Ui),
) {
    ui.horizontal(|ui| {
        ui.set_height(18.0);
        ui.spacing_mut().item_spacing.x = theme::GAP;
        let text = egui::RichText::new(title)
            .size(SMALL + 0.5)
            .color(colors(ui.visuals()).weak);
        ui.add(egui::Label::new(text).selectable(false))
            .on_hover_text(tooltip);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let label = format!("Copy {title}");
            if widgets::copy_button(ui, &label).clicked() {
                context.commands.push(Command::CopyText(copy.to_owned()));
            }
            extra(ui);
        });
    });
}

/// Space for a line of numbers, with its text for screen readers.
fn line(ui: &mut Ui, title: &str, text: &str) -> Rect {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{title}: {text}")));
    rect
}

/// Characters of a column; a digit's width keeps the columns apart.
fn room(ui: &Ui) -> usize {
    let font = FontId::monospace(MONO);
    let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    ((ui.available_width() - 8.0) / 4.0 / digit.max(1.0) - 0.8).max(1.0) as usize
}

fn texts(values: &[f32], decimals: Option<usize>) -> Vec<String> {
    let text = |&value: &f32| format::number(value, decimals).trim().to_owned();
    values.iter().map(text).collect()
}

fn numbers(ui: &Ui, rect: Rect, texts: &[String], unit: &str) {
    let colors = colors(ui.visuals());
    let font = FontId::monospace(MONO);
    for (column, text) in texts.iter().enumerate() {
        // As shown: noise in the last bits is a zero too.
        let is_zero = text.chars().all(|c| matches!(c, '0' | '.'));
        let color = if is_zero {
            fade(colors.text)
        } else {
            colors.text
        };
        ui.painter().text(
            pos2(column_right(rect, column), rect.center().y),
            Align2::RIGHT_CENTER,
            text,
            font.clone(),
            color,
        );
    }
    if !unit.is_empty() && !texts.is_empty() {
        // A column of its own at the right, whatever the block holds.
        ui.painter().text(
            pos2(column_right(rect, 3) + 1.0, rect.center().y),
            Align2::LEFT_CENTER,
            unit,
            font,
            colors.weak,
        );
    }
}

/// Zeros step back, so that the numbers that matter stand out.
fn fade(color: Color32) -> Color32 {
    color.gamma_multiply(0.5)
}
