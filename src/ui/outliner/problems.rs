//! What is wrong: findings under headings, with filters, and how far the checks are.

mod bar;
mod rows;

use std::collections::HashSet;

use egui::{RichText, ScrollArea, Ui, vec2};

use crate::{
    document::Severity,
    session::{Analysis, Command, GroupKey, ProblemGroup, ProblemView},
    ui::{
        Context,
        icons::Icon,
        problem::ProblemCard,
        theme::{GAP, MARGIN, PAD, SMALL, colors},
        widgets::{self, Seek},
    },
};

/// Share of the list's room that the card of a finding takes.
const CARD_SHARE: f32 = 0.62;
/// With less room than this the card takes the list's place.
const SHARED_FROM: f32 = 260.0;

/// The list's state.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// What the list was made for: the findings' revision and the view.
    made_for: Option<(u64, ProblemView)>,
    groups: Vec<ProblemGroup>,
    /// Headings whose findings are folded away.
    folded: HashSet<(Severity, GroupKey)>,
    lines: rows::Lines,
    /// The finding that the list has already scrolled to, or made the shown one itself.
    seen: Option<usize>,
    /// For windows without room for the inspector.
    card: ProblemCard,
}

impl Problems {
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        view: &mut ProblemView,
        seek: Option<Seek>,
    ) {
        if context.session.character().is_none() {
            widgets::empty_state(ui, Icon::Check, "No file open", "Drop a glTF file here");
            return;
        }
        let margin = egui::Margin::symmetric(PAD as i8, 0);
        egui::Frame::new()
            .inner_margin(margin)
            .show(ui, |ui| bar::show(ui, context.session, view));
        progress(ui, context);
        self.refresh(context);
        if context.session.finding_on_show().is_some() && !context.shows_inspector() {
            let room = ui.available_height();
            let shares = room >= SHARED_FROM;
            let height = if shares { room * CARD_SHARE } else { room };
            self.docked_card(ui, context, height);
            if !shares {
                return;
            }
        }
        left_out(ui, context);
        if self.lines.is_empty() {
            empty(ui, context);
            return;
        }
        self.walk(context, seek);
        let target = self.new_target(context);
        self.rows(ui, context, target);
    }

    /// Makes the list anew where findings or view have changed.
    fn refresh(&mut self, context: &Context<'_>) {
        let session = context.session;
        let revision = session.findings_revision();
        let is_current = (self.made_for.as_ref())
            .is_some_and(|(known, view)| *known == revision && *view == session.problems);
        if !is_current {
            self.groups = session.problem_groups();
            self.made_for = Some((revision, session.problems.clone()));
            self.lines = rows::Lines::new(&self.groups, &self.folded);
        }
    }

    /// Enter and the arrows in the search field go from finding to finding.
    fn walk(&mut self, context: &mut Context<'_>, seek: Option<Seek>) {
        let Some(seek) = seek else { return };
        let order: Vec<usize> = self.lines.findings().collect();
        let shown = context.session.shown_finding;
        let current = order.iter().position(|&index| Some(index) == shown);
        if let Some(hit) = seek.target(current, order.len()) {
            let index = order[hit];
            let aspect = context.aspect;
            (context.commands).push(Command::ShowFinding { index, aspect });
        }
    }

    /// The line of the finding on show, if something else than this list chose it.
    fn new_target(&mut self, context: &Context<'_>) -> Option<usize> {
        let shown = context.session.shown_finding;
        if shown == self.seen {
            return None;
        }
        self.seen = shown;
        let shown = shown?;
        let group = self.groups.iter().find(|g| g.findings.contains(&shown))?;
        if self.folded.remove(&(group.severity, group.key)) {
            self.lines = rows::Lines::new(&self.groups, &self.folded);
        }
        self.lines.of_finding(shown)
    }

    fn fold(&mut self, group: usize) {
        let Some(group) = self.groups.get(group) else {
            return;
        };
        let key = (group.severity, group.key);
        if !self.folded.remove(&key) {
            self.folded.insert(key);
        }
        self.lines = rows::Lines::new(&self.groups, &self.folded);
    }

    /// The card below the list, where no inspector shows it.
    fn docked_card(&mut self, ui: &mut Ui, context: &mut Context<'_>, height: f32) {
        let margin = egui::Margin::symmetric(MARGIN as i8, PAD as i8);
        egui::Panel::bottom("problem card")
            .frame(egui::Frame::new().inner_margin(margin))
            .resizable(false)
            .exact_size(height)
            .show(ui, |ui| {
                ScrollArea::vertical()
                    .auto_shrink([false, false])
                    .show(ui, |ui| self.card.show(ui, context));
            });
    }
}

/// A quiet line while the checks run.
fn progress(ui: &mut Ui, context: &Context<'_>) {
    let Analysis::Running(fraction) = context.session.analysis else {
        return;
    };
    let colors = colors(ui.visuals());
    let size = vec2(ui.available_width(), 20.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let percent = (fraction * 100.0).round();
    let text = format!("Checking … {percent} %");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ProgressIndicator, true, &text));
    let inner = rect.shrink2(vec2(MARGIN, 0.0));
    ui.painter().text(
        inner.left_center() - vec2(0.0, 2.0),
        egui::Align2::LEFT_CENTER,
        text,
        egui::FontId::proportional(SMALL),
        colors.weak,
    );
    let mut track = inner;
    track.set_top(rect.bottom() - 3.0);
    track.set_bottom(rect.bottom() - 1.0);
    ui.painter().rect_filled(track, 1.0, colors.raised);
    track.set_width(inner.width() * fraction.clamp(0.0, 1.0));
    ui.painter().rect_filled(track, 1.0, colors.accent);
}

/// What was not looked at, and the way to look at it.
fn left_out(ui: &mut Ui, context: &mut Context<'_>) {
    let sentences = context.session.left_out();
    if sentences.is_empty() {
        return;
    }
    let colors = colors(ui.visuals());
    let margin = egui::Margin::symmetric(MARGIN as i8, GAP as i8);
    egui::Frame::new().inner_margin(margin).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = GAP;
        for sentence in sentences {
            let text = RichText::new(sentence).size(SMALL).color(colors.weak);
            ui.add(egui::Label::new(text).wrap());
        }
        let response = ui.button("Check everything");
        if response.clicked() {
            context.commands.push(Command::AnalyseWhole);
        }
        response.on_hover_text("Also what takes longer than a few seconds");
    });
}

/// Why the list is empty.
fn empty(ui: &mut Ui, context: &Context<'_>) {
    let session = context.session;
    if !session.findings().is_empty() {
        let hint = "No problem has these words, or its severity is switched off";
        widgets::empty_state(ui, Icon::Search, "No match", hint);
    } else if let Analysis::Done(_) = session.analysis {
        widgets::empty_state(ui, Icon::Check, "Nothing to report", "All checks are done");
    }
}
