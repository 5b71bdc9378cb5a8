//! The command palette: every action, found by a few letters.

use egui::{
    Align2, FontId, Id, Key, Modal, Modifiers, Role, Sense, TextEdit, Ui, WidgetInfo, vec2,
};

use super::{
    Context, shortcuts,
    theme::{GAP, MARGIN, PAD, ROW, SMALL, colors},
    widgets::{self, RowStyle},
};
use crate::session::{Action, Command};

/// Rows shown at most.
const ROWS: usize = 10;
/// Width of the sheet.
const WIDTH: f32 = 520.0;

/// What is typed and chosen.
#[derive(Debug, Default)]
pub struct Palette {
    query: String,
    chosen: usize,
    was_open: bool,
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
        let found = search(&self.query);
        self.arrows(ui, found.len());
        let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let mut run = enter.then(|| found.get(self.chosen).copied()).flatten();
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
                    .hint_text("What do you want to do?")
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
                for (index, &action) in found.iter().enumerate().skip(start).take(ROWS) {
                    if row(ui, context, action, index == self.chosen) {
                        run = Some(action);
                    }
                }
                if found.is_empty() {
                    ui.add_space(PAD);
                    ui.vertical_centered(|ui| ui.weak("No command matches"));
                    ui.add_space(PAD);
                }
            });
        if modal.should_close() || run.is_some() {
            let mut panels = context.session.panels;
            panels.palette = false;
            context.commands.push(Command::SetPanels(panels));
            match run.map(|action| context.command(action)) {
                Some(Command::SetPanels(mut wanted)) => {
                    wanted.palette = false;
                    context.commands.push(Command::SetPanels(wanted));
                }
                command => context.commands.extend(command),
            }
        }
    }

    fn arrows(&mut self, ui: &Ui, count: usize) {
        let (up, down) = ui.input_mut(|input| {
            (
                input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp),
                input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown),
            )
        });
        self.chosen = (self.chosen + down)
            .saturating_sub(up)
            .min(count.saturating_sub(1));
    }
}

fn row(ui: &mut Ui, context: &Context<'_>, action: Action, chosen: bool) -> bool {
    let enabled = action.is_enabled(context.session);
    let size = vec2(ui.available_width(), ROW + 6.0);
    let sense = if enabled {
        Sense::click()
    } else {
        Sense::hover()
    };
    let (rect, response) = ui.allocate_exact_size(size, sense);
    response
        .widget_info(|| WidgetInfo::selected(Role::ListBoxOption, enabled, chosen, action.label()));
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
    if let Some(chord) = action.key() {
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
    let x = rect.left() + MARGIN;
    ui.painter().text(
        egui::pos2(x, y),
        Align2::LEFT_CENTER,
        action.scope().label(),
        FontId::proportional(SMALL + 0.5),
        dim(colors.weak),
    );
    let x = x + 40.0;
    let font = FontId::proportional(13.5);
    let color = dim(colors.strong);
    let (x, _) = widgets::fitted_text(ui, action.label(), font, color, x, y, right - x);
    let x = x + PAD;
    let font = FontId::proportional(SMALL);
    let color = dim(colors.weak);
    widgets::fitted_text(ui, action.tooltip(), font, color, x, y, right - x);
    response.clicked()
}

/// Actions whose label has the typed letters in order, best first, then those
/// whose tooltip has them as they are.
pub(super) fn search(query: &str) -> Vec<Action> {
    let mut found: Vec<(i32, usize, Action)> = Action::ALL
        .iter()
        .enumerate()
        .filter(|(_, action)| **action != Action::CommandPalette)
        .filter_map(|(index, &action)| {
            let label = score(action.label(), query);
            // Any letters in order would find nearly every sentence.
            let wanted = query.trim().to_lowercase();
            let tooltip = (wanted.len() > 2 && action.tooltip().to_lowercase().contains(&wanted))
                .then_some(-40);
            Some((label.max(tooltip)?, index, action))
        })
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, _, action)| action).collect()
}

/// How well `text` matches: letters in order, with points for runs and for the
/// beginnings of words; `None` where a letter is missing.
fn score(text: &str, query: &str) -> Option<i32> {
    if query.trim().is_empty() {
        // The table's own order.
        return Some(0);
    }
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let mut at = 0;
    let mut total = 0;
    let mut last = None;
    for wanted in query.to_lowercase().chars().filter(|c| !c.is_whitespace()) {
        let found = at + text.get(at..)?.iter().position(|&c| c == wanted)?;
        let starts_word = found == 0 || !text[found - 1].is_alphanumeric();
        let continues = last.is_some_and(|last: usize| last + 1 == found);
        total += match (continues, starts_word) {
            (true, _) => 8,
            (_, true) => 6,
            _ => -((found - at) as i32).min(6),
        };
        if found == 0 {
            total += 6;
        }
        last = Some(found);
        at = found + 1;
    }
    Some(total - text.len() as i32 / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_letters_find_the_action() {
        let best = |query: &str| search(query).first().copied();
        assert_eq!(best("skel"), Some(Action::ToggleSkeleton));
        assert_eq!(best("nk"), Some(Action::NextKey));
        assert_eq!(best("Rest"), Some(Action::RestPose));
        assert_eq!(best("wire"), Some(Action::ToggleWireframe));
        assert_eq!(best("zzzz"), None);
        assert!(search("nor").len() < 4, "{:?}", search("nor"));
        assert!(search("triangle").contains(&Action::ToggleWireframe));
        assert_eq!(search("").len(), Action::ALL.len() - 1);
    }
}
