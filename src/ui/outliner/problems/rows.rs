//! The lines of the list: headings, and two lines of text for each finding; only those
//! in sight are laid out.

use std::collections::HashSet;

use egui::{Align2, FontId, Id, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::Problems;
use crate::{
    analysis::{advice, describe},
    document::{Document, Finding, Severity},
    session::{Command, GroupKey, Grouping, ProblemGroup},
    ui::{
        Context,
        format::count,
        icons::{Icon, square},
        text::display,
        theme::{GAP, MARGIN, PAD, SMALL, colors},
        widgets::{RowStyle, fitted_text, row_background},
    },
};

/// Height of a heading.
const HEADING: f32 = 28.0;
/// Height of a finding.
const ITEM: f32 = 40.0;
/// Where the text of findings begins.
const INDENT: f32 = MARGIN + 19.0;

/// One line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// A group by index.
    Heading(usize),
    /// A finding by index.
    Item(usize),
}

/// All lines with where they begin.
#[derive(Debug, Default)]
pub(super) struct Lines {
    lines: Vec<Line>,
    /// Points from the list's top to each line's, and to its end.
    tops: Vec<f32>,
}

impl Lines {
    pub(super) fn new(groups: &[ProblemGroup], folded: &HashSet<(Severity, GroupKey)>) -> Self {
        let mut made = Self::default();
        let mut top = 0.0;
        let mut push = |made: &mut Self, line, height: f32| {
            made.lines.push(line);
            made.tops.push(top);
            top += height;
        };
        for (index, group) in groups.iter().enumerate() {
            push(&mut made, Line::Heading(index), HEADING);
            if !folded.contains(&(group.severity, group.key)) {
                for &finding in &group.findings {
                    push(&mut made, Line::Item(finding), ITEM);
                }
            }
        }
        made.tops.push(top);
        made
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The findings that are not folded away, from top to bottom.
    pub(super) fn findings(&self) -> impl Iterator<Item = usize> + '_ {
        self.lines.iter().filter_map(|line| match line {
            Line::Item(finding) => Some(*finding),
            Line::Heading(_) => None,
        })
    }

    pub(super) fn of_finding(&self, finding: usize) -> Option<usize> {
        let mut lines = self.lines.iter();
        lines.position(|&line| line == Line::Item(finding))
    }

    fn height(&self) -> f32 {
        self.tops.last().copied().unwrap_or(0.0)
    }

    /// Lines between two heights.
    fn between(&self, from: f32, to: f32) -> core::ops::Range<usize> {
        let first = self.tops.partition_point(|&top| top <= from).max(1) - 1;
        let last = self.tops.partition_point(|&top| top < to);
        first.min(self.lines.len())..last.min(self.lines.len())
    }
}

impl Problems {
    pub(super) fn rows(&mut self, ui: &mut Ui, context: &mut Context<'_>, target: Option<usize>) {
        let Some(document) = context.session.character().map(|c| c.document.clone()) else {
            return;
        };
        let mut fold = None;
        ScrollArea::vertical()
            .id_salt("problems")
            .auto_shrink([false, false])
            .show_viewport(ui, |ui, viewport| {
                ui.set_height(self.lines.height());
                let origin = ui.min_rect().min;
                let width = ui.available_width();
                let rect_of = |lines: &Lines, index: usize| {
                    let (top, bottom) = (lines.tops[index], lines.tops[index + 1]);
                    Rect::from_min_size(origin + vec2(0.0, top), vec2(width, bottom - top))
                };
                for index in self.lines.between(viewport.min.y, viewport.max.y) {
                    let rect = rect_of(&self.lines, index);
                    match self.lines.lines[index] {
                        Line::Heading(group) => {
                            if self.heading(ui, &document, group, rect) {
                                fold = Some(group);
                            }
                        }
                        Line::Item(finding) => self.item(ui, context, &document, finding, rect),
                    }
                }
                if let Some(index) = target {
                    let rect = rect_of(&self.lines, index);
                    if !ui.clip_rect().contains_rect(rect) {
                        // With the heading above and some of what follows.
                        ui.scroll_to_rect(rect.expand2(vec2(0.0, ITEM)), None);
                    }
                }
            });
        if let Some(group) = fold {
            self.fold(group);
        }
    }

    /// Returns whether it was clicked.
    fn heading(&self, ui: &Ui, document: &Document, index: usize, rect: Rect) -> bool {
        let group = &self.groups[index];
        let open = !self.folded.contains(&(group.severity, group.key));
        let title = group.title(document);
        let id = Id::unique(("problem heading", group.severity, group.key));
        let response = ui.interact(rect, id, Sense::click());
        let number = group.findings.len();
        response.widget_info(|| {
            let label = format!("{title}: {number} of severity {}", group.severity);
            WidgetInfo::selected(Role::TreeItem, ui.is_enabled(), false, label)
        });
        ui.ctx().accesskit_node_builder(id, |node| {
            node.set_level(1);
            node.set_expanded(open);
        });
        row_background(ui, rect, &response, RowStyle::default());
        let colors = colors(ui.visuals());
        let painter = ui.painter();
        let y = rect.center().y + 1.0;
        let chevron = if open {
            Icon::ChevronDown
        } else {
            Icon::ChevronRight
        };
        chevron.paint(
            painter,
            square(rect.left() + PAD - 2.0, y, 13.0),
            colors.weak,
        );
        let x = rect.left() + MARGIN + 10.0;
        let glyph = square(x, y, 14.0);
        Icon::of_severity(group.severity).paint(painter, glyph, colors.severity(group.severity));
        let font = FontId::proportional(11.5);
        let galley = painter.layout_no_wrap(count(number), font, colors.weak);
        let right = rect.right() - MARGIN;
        let at = Align2::RIGHT_CENTER.anchor_size(pos2(right, y), galley.size());
        painter.galley(at.min, galley, colors.weak);
        let x = glyph.right() + GAP + 2.0;
        let font = FontId::proportional(13.0);
        let (_, cut) = fitted_text(ui, &title, font, colors.strong, x, y, at.left() - GAP - x);
        let clicked = response.clicked();
        if cut {
            response.on_hover_text(display(&title));
        }
        clicked
    }

    fn item(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        document: &Document,
        index: usize,
        rect: Rect,
    ) {
        let Some(finding) = context.session.findings().get(index) else {
            return;
        };
        let selected = context.session.shown_finding == Some(index);
        let (title, detail) = words(document, finding, context.session.problems.grouping);
        let id = Id::unique(("problem", index));
        let response = ui.interact(rect, id, Sense::click());
        response.widget_info(|| {
            let label = format!("{title}, {detail}");
            WidgetInfo::selected(Role::TreeItem, ui.is_enabled(), selected, label)
        });
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_level(2));
        let style = RowStyle {
            selected,
            highlighted: false,
        };
        row_background(ui, rect, &response, style);
        let colors = colors(ui.visuals());
        let x = rect.left() + INDENT;
        let width = rect.right() - MARGIN - x;
        let ink = if selected { colors.strong } else { colors.text };
        let y = rect.center().y;
        let font = FontId::proportional(13.0);
        fitted_text(ui, &title, font, ink, x, y - 8.0, width);
        let font = FontId::proportional(SMALL);
        fitted_text(ui, &detail, font, colors.weak, x, y + 8.5, width);
        if response.hovered() {
            context.hovered_joint = describe::joint_of(document, finding);
        }
        if response.clicked() {
            self.seen = Some(index);
            let aspect = context.aspect;
            let command = Command::ShowFinding { index, aspect };
            context.commands.push(command);
        }
        response.on_hover_text(display(&finding.message));
    }
}

/// The two lines of a finding under such headings.
fn words(document: &Document, finding: &Finding, grouping: Grouping) -> (String, String) {
    let title = advice(finding.code).title.to_owned();
    let detail = moment(document, finding).unwrap_or_else(|| gist(&finding.message).to_owned());
    match grouping {
        Grouping::Place => (title, detail),
        Grouping::Code => {
            let what = describe::what_line(document, finding);
            let what = what.or_else(|| clip_label(document, finding));
            (what.unwrap_or(title), detail)
        }
    }
}

/// A message without the object in front, which stands above it: `mesh 0 "Body": …`.
fn gist(message: &str) -> &str {
    let objects = ["mesh ", "skin ", "node ", "clip ", "material ", "image "];
    match message.split_once(": ") {
        Some((object, rest)) if objects.iter().any(|begin| object.starts_with(begin)) => rest,
        _ => message,
    }
}

/// `0.5 s · key 12 · Walk`, what tells neighbours apart first; `None` for what has no
/// moment.
fn moment(document: &Document, finding: &Finding) -> Option<String> {
    let mut parts = vec![describe::seconds(finding.time_secs?)];
    parts.extend(finding.key.map(|key| format!("key {key}")));
    parts.push(clip_label(document, finding)?);
    Some(parts.join(" · "))
}

fn clip_label(document: &Document, finding: &Finding) -> Option<String> {
    let index = finding.clip?;
    Some(match document.clips.get(index) {
        Some(clip) => clip.label(index),
        None => format!("clip {index}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_in_sight_are_laid_out() {
        let group = ProblemGroup {
            severity: Severity::Warning,
            key: GroupKey::File,
            findings: (0..1000).collect(),
        };
        let groups = core::slice::from_ref(&group);
        let lines = Lines::new(groups, &HashSet::new());
        assert_eq!(lines.height(), HEADING + 1000.0 * ITEM);
        assert_eq!(lines.between(0.0, HEADING), 0..1);
        assert_eq!(lines.between(0.0, HEADING + 1.0), 0..2);
        assert_eq!(
            lines.between(HEADING + 10.0 * ITEM, HEADING + 12.0 * ITEM),
            11..13
        );
        assert_eq!(
            lines.between(lines.height() - 1.0, lines.height() + 500.0),
            1000..1001
        );
        assert_eq!(lines.of_finding(5), Some(6));
        let folded = HashSet::from([(group.severity, group.key)]);
        let lines = Lines::new(groups, &folded);
        assert_eq!((lines.height(), lines.findings().count()), (HEADING, 0));
    }
}
