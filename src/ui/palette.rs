//! The command palette: every action, mode, theme, clip and joint, found by a few letters.

mod entry;

use std::sync::{Arc, Weak};

use egui::{
    Align2, FontId, Id, Key, Modal, Modifiers, Role, Sense, TextEdit, Ui, WidgetInfo, vec2,
};

use super::{
    Context, shortcuts,
    theme::{GAP, MARGIN, PAD, ROW, SMALL, colors},
    widgets::{self, RowStyle},
};
use crate::{document::Document, session::Command};
use entry::Entry;

/// Rows shown at most.
const ROWS: usize = 10;
/// Width of the sheet.
const WIDTH: f32 = 560.0;
/// Width of the column that says what an entry is.
const KIND: f32 = 82.0;

/// What is typed and chosen.
#[derive(Debug, Default)]
pub struct Palette {
    query: String,
    chosen: usize,
    was_open: bool,
    found: Vec<Entry>,
    /// What `found` was searched for, and in which document.
    found_for: Option<(String, Weak<Document>)>,
}

impl Palette {
    /// Shows the palette while it is open.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let open = context.session.panels.palette;
        if open && !self.was_open {
            *self = Self::default();
        }
        let first = open && !self.was_open;
        self.was_open = open;
        if !open {
            return;
        }
        self.search(context);
        self.arrows(ui);
        let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let mut run = enter
            .then(|| self.found.get(self.chosen).cloned())
            .flatten();
        let screen = ui.ctx().content_rect();
        let area = Modal::default_area(Id::unique("command palette")).anchor(
            Align2::CENTER_TOP,
            vec2(0.0, (screen.height() * 0.14).min(120.0)),
        );
        let modal = Modal::new(Id::unique("command palette"))
            .area(area)
            .backdrop_color(super::sheet::BACKDROP)
            .show(ui.ctx(), |ui| {
                ui.set_width(WIDTH.min(screen.width() - 2.0 * MARGIN).max(80.0));
                let field = TextEdit::singleline(&mut self.query)
                    .hint_text("A command, mode, clip or joint")
                    .desired_width(f32::INFINITY)
                    .font(FontId::proportional(15.0))
                    .margin(egui::Margin::symmetric(PAD as i8, 6));
                let response = ui.add(field).accessible_name("Search commands");
                if response.changed() {
                    self.chosen = 0;
                }
                if first || !response.has_focus() {
                    response.request_focus();
                }
                ui.add_space(GAP);
                ui.spacing_mut().item_spacing.y = 0.0;
                let start = self.chosen.saturating_sub(ROWS - 1);
                for (index, entry) in self.found.iter().enumerate().skip(start).take(ROWS) {
                    if row(ui, context, entry, index == self.chosen) {
                        run = Some(entry.clone());
                    }
                }
                if self.found.is_empty() {
                    ui.add_space(PAD);
                    ui.vertical_centered(|ui| ui.weak("Nothing matches"));
                    ui.add_space(PAD);
                }
            });
        if modal.should_close() || run.is_some() {
            let mut panels = context.session.panels;
            panels.palette = false;
            context.commands.push(Command::SetPanels(panels));
            if let Some(entry) = run {
                entry.run(ui.ctx(), context);
            }
        }
    }

    /// Searches again where the letters or the document changed.
    fn search(&mut self, context: &Context<'_>) {
        let document = context
            .session
            .character()
            .map_or_else(Weak::new, |character| Arc::downgrade(&character.document));
        let is_same = self
            .found_for
            .as_ref()
            .is_some_and(|(query, known)| *query == self.query && Weak::ptr_eq(known, &document));
        if !is_same {
            self.found = entry::search(&self.query, context.session.document());
            self.found_for = Some((self.query.clone(), document));
        }
    }

    fn arrows(&mut self, ui: &Ui) {
        let (up, down) = ui.input_mut(|input| {
            (
                input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp),
                input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown),
            )
        });
        self.chosen = (self.chosen + down)
            .saturating_sub(up)
            .min(self.found.len().saturating_sub(1));
    }
}

fn row(ui: &mut Ui, context: &Context<'_>, entry: &Entry, chosen: bool) -> bool {
    let enabled = entry.is_enabled(context);
    let size = vec2(ui.available_width(), ROW + 6.0);
    let sense = if enabled {
        Sense::click()
    } else {
        Sense::hover()
    };
    let (rect, response) = ui.allocate_exact_size(size, sense);
    response
        .widget_info(|| WidgetInfo::selected(Role::ListBoxOption, enabled, chosen, entry.title()));
    let style = RowStyle {
        selected: chosen,
        highlighted: false,
    };
    widgets::row_background(ui, rect, &response, style);
    let colors = colors(ui.visuals());
    let y = rect.center().y;
    let dim = |color: egui::Color32| {
        if enabled {
            color
        } else {
            color.gamma_multiply(0.45)
        }
    };
    let mut right = rect.right() - MARGIN;
    if let Some(chord) = entry.key() {
        let text = shortcuts::text(ui.ctx(), chord);
        let font = FontId::proportional(SMALL + 0.5);
        let at = ui.painter().text(
            egui::pos2(right, y),
            Align2::RIGHT_CENTER,
            text,
            font,
            dim(colors.weak),
        );
        right = at.left() - PAD;
    }
    let small = FontId::proportional(SMALL + 0.5);
    let x = rect.left() + MARGIN;
    widgets::fitted_text(ui, entry.kind(), small, dim(colors.weak), x, y, KIND - PAD);
    let x = x + KIND;
    let font = FontId::proportional(13.5);
    let color = if entry.is_current(context) {
        colors.accent
    } else {
        dim(colors.strong)
    };
    let (x, _) = widgets::fitted_text(ui, entry.title(), font, color, x, y, right - x);
    let x = x + PAD;
    let font = FontId::proportional(SMALL);
    let color = dim(colors.weak);
    widgets::fitted_text(ui, entry.detail(), font, color, x, y, right - x);
    response.clicked()
}
