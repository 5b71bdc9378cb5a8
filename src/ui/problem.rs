//! The finding on show: what it is, its numbers, what it means and what to do.

use egui::{Align, Grid, Label, Layout, RichText, Ui, vec2};

use super::{
    Context,
    icons::{Icon, square},
    text::display,
    theme::{GAP, MARGIN, PAD, SMALL, colors},
    widgets,
};
use crate::{
    analysis::{Advice, advice, describe, report_text},
    anim::{Hemisphere, Modes},
    document::{Finding, FindingCode},
    scene::{Character, PoseSource, WeightView},
    session::{Action, Command, Session},
};

/// Width of the labels beside numbers.
const LABELS: f32 = 92.0;

/// The card's texts, made once for each finding on show.
#[derive(Debug, Default)]
pub struct ProblemCard {
    /// The findings' revision and the finding's index.
    made_for: Option<(u64, usize)>,
    rows: Vec<describe::Row>,
    /// The rule that \u{201c}keep\u{201d} took the place of.
    before: Option<Hemisphere>,
}

impl ProblemCard {
    /// Shows the card, if there is a finding on show.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let session = context.session;
        let (Some(finding), Some(character)) = (session.finding_on_show(), session.character())
        else {
            return;
        };
        let made_for = session
            .shown_finding
            .map(|index| (session.findings_revision(), index));
        if self.made_for != made_for {
            self.made_for = made_for;
            let document = &character.document;
            self.rows = describe::place_rows(document, finding);
            self.rows
                .extend(describe::short_key_rows(document, finding));
            self.rows.extend(describe::value_rows(document, finding));
        }
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = GAP;
            header(ui, context, finding);
            title(ui, finding);
            let text = RichText::new(display(&finding.message)).color(colors(ui.visuals()).text);
            ui.add(Label::new(text).wrap());
            ui.add_space(GAP);
            self.numbers(ui);
            self.short_path(ui, context, finding);
            four_influences(ui, context, finding);
            poses(ui, context, finding);
            words(ui, context, finding);
        });
        ui.add_space(PAD);
        ui.separator();
    }

    /// Place, keys and numbers: labels left, values under each other.
    fn numbers(&self, ui: &mut Ui) {
        if self.rows.is_empty() {
            return;
        }
        let colors = colors(ui.visuals());
        let room = ui.available_width() - LABELS - PAD;
        Grid::new("numbers of the problem")
            .num_columns(2)
            .min_col_width(LABELS)
            .spacing(vec2(PAD, 3.0))
            .min_row_height(17.0)
            .show(ui, |ui| {
                for (label, value) in &self.rows {
                    ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                        ui.set_max_width(LABELS);
                        let text = RichText::new(label).size(12.0).color(colors.weak);
                        ui.add(Label::new(text).wrap());
                    });
                    ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                        ui.set_max_width(room);
                        let text = RichText::new(display(value)).size(12.5);
                        ui.add(Label::new(text.color(colors.strong)).wrap());
                    });
                    ui.end_row();
                }
            });
        ui.add_space(GAP);
    }

    /// For what the short way hides: a switch that plays it as others do.
    fn short_path(&mut self, ui: &mut Ui, context: &mut Context<'_>, finding: &Finding) {
        let Some(character) = context.session.character() else {
            return;
        };
        if !is_hidden_by_short_path(finding) {
            return;
        }
        let modes = character.technique.modes;
        let keeps = modes.hemisphere == Hemisphere::Keep;
        let (text, tooltip) = if keeps {
            (
                "Back to the short path",
                "Rotations take the shorter arc again, as glTF asks for",
            )
        } else {
            (
                "Show without short path",
                "Rotations take the arc as stored, as in players that do not look for the \
                 shorter one",
            )
        };
        if ui.button(text).on_hover_text(tooltip).clicked() {
            let hemisphere = if keeps {
                self.before.take().unwrap_or_default()
            } else {
                self.before = Some(modes.hemisphere);
                Hemisphere::Keep
            };
            (context.commands).push(Command::SetModes(Modes {
                hemisphere,
                ..modes
            }));
        }
        ui.add_space(GAP);
    }
}

/// Faults that are to be seen only where nobody takes the shorter arc. Half a turn is
/// among them only where its keys have opposite signs.
fn is_hidden_by_short_path(finding: &Finding) -> bool {
    let stored = |wanted| {
        let value = finding.values.iter().find(|(name, _)| *name == wanted);
        value.map_or(0.0, |(_, value)| *value)
    };
    match finding.code {
        FindingCode::RotationSignFlip => true,
        FindingCode::RotationLostTurn | FindingCode::RotationNearHalfTurn => {
            stored("stored_arc_deg") > stored("true_angle_deg") + 0.01
        }
        _ => false,
    }
}

/// For what a view of the weights shows: a switch to it.
fn four_influences(ui: &mut Ui, context: &mut Context<'_>, finding: &Finding) {
    if finding.code != FindingCode::WeightsBeyondFour {
        return;
    }
    let mut view = context.session.view.clone();
    let shown = view.weight_view == Some(WeightView::FourInfluences);
    let (text, wanted) = if shown {
        ("Back to all influences", None)
    } else {
        (
            "Show with four influences",
            Some(WeightView::FourInfluences),
        )
    };
    let tooltip = "The mesh as engines show it that drop influences past the fourth, coloured by how \
                   far off it is";
    if ui.button(text).on_hover_text(tooltip).clicked() {
        view.weight_view = wanted;
        context.commands.push(Command::SetView(Box::new(view)));
    }
    ui.add_space(GAP);
}

/// For where the mesh was bound: bind and rest pose, one after the other.
fn poses(ui: &mut Ui, context: &mut Context<'_>, finding: &Finding) {
    if finding.code != FindingCode::BindRestMismatch {
        return;
    }
    let now = context.session.character().map(|c| c.source);
    let (text, wanted) = if now == Some(PoseSource::Bind) {
        ("Show the rest pose", PoseSource::Rest)
    } else {
        ("Show the bind pose", PoseSource::Bind)
    };
    if ui.button(text).clicked() {
        context.commands.push(Command::SetSource(wanted));
    }
    ui.add_space(GAP);
}

/// What can be done with it.
fn header(ui: &mut Ui, context: &mut Context<'_>, finding: &Finding) {
    let session = context.session;
    let weak = colors(ui.visuals()).weak;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        ui.label(RichText::new("Problem").size(SMALL).color(weak));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if widgets::small_icon_button(ui, Icon::Close, "Close problem").clicked() {
                context.commands.push(Command::HideFinding);
            }
            if widgets::copy_button(ui, "Copy as bug report").clicked()
                && let Some(text) = bug_report(session, finding)
            {
                context.commands.push(Command::CopyText(text));
            }
            for action in [Action::NextProblem, Action::PreviousProblem] {
                let icon = match action {
                    Action::NextProblem => Icon::NextFrame,
                    _ => Icon::PreviousFrame,
                };
                let tooltip = super::shortcuts::tooltip(ui.ctx(), action.label(), action);
                let response = widgets::small_icon_button(ui, icon, &tooltip);
                if response.clicked() {
                    context.act(action);
                }
            }
        });
    });
}

fn title(ui: &mut Ui, finding: &Finding) {
    let colors = colors(ui.visuals());
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = PAD - 2.0;
        let (rect, response) = ui.allocate_exact_size(vec2(16.0, 19.0), egui::Sense::hover());
        Icon::of_severity(finding.severity).paint(
            ui.painter(),
            square(rect.left(), rect.center().y, 16.0),
            colors.severity(finding.severity),
        );
        response.on_hover_text(finding.severity.to_string());
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let title = RichText::new(advice(finding.code).title);
            ui.add(Label::new(title.size(14.5).color(colors.strong)).wrap());
            let code = RichText::new(finding.code.as_str());
            ui.label(code.monospace().size(11.0).color(colors.weak));
        });
    });
}

/// What it means, here and elsewhere, and what to do.
fn words(ui: &mut Ui, context: &Context<'_>, finding: &Finding) {
    let Advice {
        title: _,
        wrong,
        here,
        elsewhere,
        fix,
    } = advice(finding.code);
    let colors = colors(ui.visuals());
    let keeps = |c: &Character| c.technique.modes.hemisphere == Hemisphere::Keep;
    let here = if is_hidden_by_short_path(finding) && context.session.character().is_some_and(keeps)
    {
        &"Now the arc as stored, without the short path."
    } else {
        here
    };
    for (heading, text) in [
        ("What is wrong", wrong),
        ("What this program shows", here),
        ("What other players do", elsewhere),
        ("In Blender or Maya", fix),
    ] {
        ui.add_space(GAP);
        ui.label(RichText::new(heading).size(SMALL).color(colors.weak));
        ui.add(Label::new(RichText::new(*text).color(colors.text)).wrap());
    }
    ui.add_space(MARGIN - PAD);
}

/// The text for the clipboard.
fn bug_report(session: &Session, finding: &Finding) -> Option<String> {
    let document = session.document()?;
    let file = match &session.path {
        Some(path) => path.display().to_string(),
        None => document.name.clone(),
    };
    Some(report_text(&file, document, finding))
}
