//! Left of the keys: names, counts and what was found.

use egui::{
    EventFilter, FontId, Id, Key, Modifiers, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2,
    vec2,
};

use super::{
    DopeSheet,
    batch::Batch,
    marks::RowMarks,
    rows::Row,
    sheet::{JointLine, KeyShape, TrackLine},
};
use crate::{
    document::Property,
    session::{Action, Command},
    ui::{
        Context,
        format::{count, plural},
        icons::{Icon, square},
        text::display,
        theme::{GAP, PAD, colors},
        widgets::{fitted_text, focus_ring},
    },
};

/// Width of the chevron's column.
const CHEVRON: f32 = 16.0;
/// Further in stand properties, with their key's shape before them.
const INDENT: f32 = 20.0;
/// Width of that shape's column.
const SHAPE: f32 = 15.0;
/// Size of the mark of what was found.
const SEVERITY: f32 = 13.0;
/// Least width of the column of counts.
const COUNT: f32 = 22.0;

/// What the keyboard asks of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// To the row above or below.
    Row(isize),
    /// Opens or closes.
    Open(bool),
    /// To the row's key before or after.
    Key(bool),
}

/// A row's identity: where it is in the document, not on the screen.
pub(super) fn row_id(sheet: &super::sheet::Sheet, row: Row) -> Id {
    match row {
        Row::Joint(line) => Id::unique(("dope joint", sheet.lines[line].joint)),
        Row::Track(line, track) => {
            let of = &sheet.lines[line];
            let track = &of.tracks[track];
            Id::unique(("dope track", of.joint, track.property, track.target))
        }
        Row::Rest(line, property) => Id::unique(("dope rest", sheet.lines[line].joint, property)),
        Row::Unkeyed(_) => Id::unique("dope unkeyed joints"),
    }
}

impl DopeSheet {
    /// The name of one row, in its place.
    pub(super) fn name(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        row: Row,
        rect: Rect,
    ) -> Response {
        let id = row_id(&self.sheet, row);
        let response = ui.interact(rect, id, Sense::click());
        match row {
            Row::Joint(line) => self.joint_name(ui, context, line, rect, &response),
            Row::Track(line, track) => {
                let of = &self.sheet.lines[line];
                let track = &of.tracks[track];
                let right = track_name(ui, context, of, track, rect, &response);
                if let Some(marks) = self.marks.of_track(of.joint, track.property) {
                    let y = rect.center().y;
                    severity(ui, context, marks, response.id, right, y);
                }
            }
            Row::Rest(line, property) => {
                rest_name(ui, &self.sheet.lines[line], property, rect, &response);
            }
            Row::Unkeyed(joints) => unkeyed_name(ui, joints, rect, &response),
        }
        focus_ring(ui, rect, &response);
        match row.line() {
            Some(line) => self.answer(ui, context, line, &response),
            None if response.clicked() => self.filters.only_keyed = false,
            None => {}
        }
        response
    }

    /// Clicks, hover and the menu of rows that have a joint.
    fn answer(&mut self, ui: &Ui, context: &mut Context<'_>, line: usize, response: &Response) {
        let joint = self.sheet.lines[line].joint;
        if response.hovered() {
            context.hovered_joint = Some(joint);
        }
        if response.clicked() || response.secondary_clicked() {
            self.seen_selection = Some(joint);
            context.commands.push(Command::SelectJoint(Some(joint)));
        }
        if response.double_clicked() {
            context.act(Action::FrameSelected);
        }
        let label = &self.sheet.lines[line].label;
        let mut all_open = None;
        response.context_menu(|ui| {
            ui.set_min_width(160.0);
            ui.spacing_mut().button_padding = vec2(PAD, 2.0);
            if ui.button("Frame in view").clicked() {
                context.act(Action::FrameSelected);
                ui.close();
            }
            if ui.button("Copy name").clicked() {
                context.commands.push(Command::CopyText(label.clone()));
                ui.close();
            }
            ui.separator();
            for (text, open) in [("Expand all", true), ("Collapse all", false)] {
                if ui.button(text).clicked() {
                    all_open = Some(open);
                    ui.close();
                }
            }
        });
        if let Some(open) = all_open {
            self.rows.set_all_open(open);
            ui.ctx().request_repaint();
        }
    }

    fn joint_name(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        line: usize,
        rect: Rect,
        response: &Response,
    ) {
        let colors = colors(ui.visuals());
        let of = &self.sheet.lines[line];
        let joint = of.joint;
        let selected = context.session.view.selected_joint == Some(joint);
        let has_tracks = !of.tracks.is_empty();
        let open = has_tracks && self.rows.is_open(joint);
        let keys = of.times().len();
        let text = match keys {
            0 => format!("{}: no keys", of.label),
            _ => format!("{}: {}", of.label, plural(keys, "key")),
        };
        response
            .widget_info(|| WidgetInfo::selected(Role::TreeItem, ui.is_enabled(), selected, &text));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_level(1);
            if has_tracks {
                node.set_expanded(open);
            }
        });
        let y = rect.center().y;
        let mut right = rect.right() - PAD;
        if has_tracks {
            right = count_text(ui, keys, right, y);
        }
        let marks = self.marks.of_joint(joint);
        if let Some(marks) = marks {
            right = severity(ui, context, marks, response.id, right - GAP, y);
        }
        let color = match (selected, has_tracks) {
            (true, _) => colors.strong,
            (false, true) => colors.text,
            (false, false) => colors.weak.gamma_multiply(0.8),
        };
        let x = rect.left() + CHEVRON + 2.0;
        let font = FontId::proportional(12.5);
        let (_, is_cut) = fitted_text(ui, &of.label, font, color, x, y, right - GAP - x);
        let tip = joint_tip(of, is_cut, marks.map_or(0, RowMarks::count));
        if !tip.is_empty() {
            response.clone().on_hover_text(tip);
        }
        if has_tracks {
            self.chevron(ui, line, open, rect);
        }
    }

    fn chevron(&mut self, ui: &Ui, line: usize, open: bool, rect: Rect) {
        let of = &self.sheet.lines[line];
        let target = Rect::from_min_size(rect.min, vec2(CHEVRON, rect.height()));
        let id = Id::unique(("dope chevron", of.joint));
        let response = ui.interact(target, id, Sense::click());
        response.widget_info(|| {
            let verb = if open { "Close" } else { "Open" };
            WidgetInfo::labeled(
                Role::Button,
                ui.is_enabled(),
                format!("{verb} {}", of.label),
            )
        });
        let colors = colors(ui.visuals());
        let color = if response.hovered() {
            colors.strong
        } else {
            colors.weak
        };
        let icon = if open {
            Icon::ChevronDown
        } else {
            Icon::ChevronRight
        };
        let glyph = square(rect.left() + 2.0, rect.center().y, 13.0);
        icon.paint(ui.painter(), glyph, color);
        if response.clicked() {
            let joint = of.joint;
            if ui.input(|input| input.modifiers.shift) {
                self.rows.set_all_open(!open);
            } else {
                self.rows.set_open(joint, !open);
            }
        }
        response.on_hover_text("Shift-click: all joints");
    }

    /// What the arrow keys ask of the focused row.
    pub(super) fn keyboard(&self, ui: &Ui, row: Row, response: &Response) -> Option<Step> {
        if !response.has_focus() {
            return None;
        }
        let filter = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let is_joint = matches!(row, Row::Joint(_));
        ui.input_mut(|input| {
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            if pressed(Key::ArrowUp) {
                Some(Step::Row(-1))
            } else if pressed(Key::ArrowDown) {
                Some(Step::Row(1))
            } else if pressed(Key::ArrowLeft) {
                Some(if is_joint {
                    Step::Open(false)
                } else {
                    Step::Key(false)
                })
            } else if pressed(Key::ArrowRight) {
                Some(if is_joint {
                    Step::Open(true)
                } else {
                    Step::Key(true)
                })
            } else {
                None
            }
        })
    }

    /// Does it; returns the row that gets the keyboard.
    pub(super) fn carry_out(
        &mut self,
        context: &mut Context<'_>,
        index: usize,
        step: Step,
    ) -> Option<usize> {
        let rows = self.rows.all();
        let row = *rows.get(index)?;
        match step {
            Step::Row(by) => {
                let next = index.checked_add_signed(by)?;
                (next < rows.len()).then_some(next)
            }
            Step::Open(open) => {
                let line = row.line()?;
                self.rows.set_open(self.sheet.lines[line].joint, open);
                None
            }
            Step::Key(forward) => {
                let Row::Track(line, track) = row else {
                    return None;
                };
                let times = &self.sheet.lines[line].tracks[track].times;
                let now = context.session.character()?.player.time_secs;
                let next = if forward {
                    times.get(times.partition_point(|&time| time <= now + 1e-4))
                } else {
                    let before = times.partition_point(|&time| time < now - 1e-4);
                    before.checked_sub(1).and_then(|key| times.get(key))
                };
                context
                    .commands
                    .extend(next.map(|&secs| Command::StepTo(secs)));
                None
            }
        }
    }
}

fn joint_tip(of: &JointLine, is_cut: bool, found: usize) -> String {
    let mut lines = Vec::new();
    if is_cut {
        lines.push(display(&of.label).into_owned());
    }
    let rest: Vec<&str> = of.unkeyed().map(Property::as_str).collect();
    if of.tracks.is_empty() {
        lines.push("The clip does not key this joint: it keeps its rest pose".to_owned());
    } else if !rest.is_empty() {
        lines.push(format!("Not keyed, so at rest: {}", rest.join(", ")));
    }
    if found > 0 {
        lines.push(plural(found, "finding"));
    }
    lines.join("\n")
}

/// Returns where the mark of what was found would end.
fn track_name(
    ui: &Ui,
    context: &Context<'_>,
    of: &JointLine,
    track: &TrackLine,
    rect: Rect,
    response: &Response,
) -> f32 {
    let colors = colors(ui.visuals());
    let selected = context.session.view.selected_joint == Some(of.joint);
    let keys = track.times.len();
    response.widget_info(|| {
        let (joint, label, keys) = (&of.label, &track.label, plural(keys, "key"));
        let text = format!("{joint}, {label}: {keys}, {}", track.shape.word());
        WidgetInfo::selected(Role::TreeItem, ui.is_enabled(), selected, text)
    });
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_level(2));
    let y = rect.center().y;
    let shape_color = if selected { colors.accent } else { colors.weak };
    paint_shape(ui, track.shape, rect.left() + INDENT + 5.0, y, shape_color);
    let mark = count_text(ui, keys, rect.right() - PAD, y) - GAP;
    let right = mark - SEVERITY;
    let x = rect.left() + INDENT + SHAPE;
    let color = if selected { colors.text } else { colors.weak };
    let font = FontId::proportional(12.0);
    let (_, is_cut) = fitted_text(ui, &track.label, font, color, x, y, right - GAP - x);
    let mut tip = String::new();
    if is_cut {
        tip = format!("{}\n", display(&track.label));
    }
    if let (Some(first), Some(last)) = (track.times.first(), track.times.last()) {
        let range = format!("{}: {first:.4} s to {last:.4} s\n", plural(keys, "key"));
        tip.push_str(&range);
    }
    tip.push_str(track.shape.description());
    response.clone().on_hover_text(tip);
    mark
}

/// The mark of what was found in a row, left of `right`; leads to the worst of it.
/// Returns its left edge.
fn severity(
    ui: &Ui,
    context: &mut Context<'_>,
    marks: &RowMarks,
    row: Id,
    right: f32,
    y: f32,
) -> f32 {
    let place = square(right - SEVERITY, y, SEVERITY);
    let Some((worst, index)) = marks.worst().zip(marks.first_of_worst()) else {
        return right;
    };
    let response = ui.interact(place.expand(2.0), row.with("found"), Sense::click());
    let text = plural(marks.count(), "finding");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &text));
    let colors = colors(ui.visuals());
    Icon::of_severity(worst).paint(ui.painter(), place, colors.severity(worst));
    focus_ring(ui, place.expand(2.0), &response);
    if response.clicked() {
        let aspect = context.aspect;
        context
            .commands
            .push(Command::ShowFinding { index, aspect });
    }
    let finding = context.session.findings().get(index);
    if let Some(finding) = finding {
        let more = match marks.count() - 1 {
            0 => String::new(),
            more => format!("\n… and {more} more in this row"),
        };
        response.on_hover_text(format!("{}{more}", display(&finding.message)));
    }
    place.left()
}

fn rest_name(ui: &Ui, of: &JointLine, property: Property, rect: Rect, response: &Response) {
    let label = property.as_str();
    response.widget_info(|| {
        let text = format!("{}, {label}: no keys", of.label);
        WidgetInfo::labeled(Role::TreeItem, ui.is_enabled(), text)
    });
    let color = colors(ui.visuals()).weak.gamma_multiply(0.7);
    let x = rect.left() + INDENT + SHAPE;
    let font = FontId::proportional(12.0);
    fitted_text(
        ui,
        label,
        font,
        color,
        x,
        rect.center().y,
        rect.right() - PAD - x,
    );
    response
        .clone()
        .on_hover_text("The clip does not key this: it keeps its rest value");
}

fn unkeyed_name(ui: &Ui, joints: usize, rect: Rect, response: &Response) {
    let colors = colors(ui.visuals());
    let text = format!("{} without keys", plural(joints, "joint"));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &text));
    let color = if response.hovered() {
        colors.text
    } else {
        colors.weak
    };
    let x = rect.left() + CHEVRON + 2.0;
    let font = FontId::proportional(12.0);
    fitted_text(
        ui,
        &text,
        font,
        color,
        x,
        rect.center().y,
        rect.right() - PAD - x,
    );
    response
        .clone()
        .on_hover_text("The clip leaves them in their rest pose. Click to list them.");
}

/// A key's shape beside a name.
fn paint_shape(ui: &Ui, shape: KeyShape, x: f32, y: f32, color: egui::Color32) {
    let mut batch = Batch::new(ui.painter());
    batch.key(shape, pos2(x, y), 3.8, color);
    batch.paint(ui.painter());
}

/// The number of keys, right-aligned; returns its left edge.
fn count_text(ui: &Ui, keys: usize, right: f32, y: f32) -> f32 {
    let color = colors(ui.visuals()).weak.gamma_multiply(0.8);
    let font = FontId::proportional(11.0);
    let galley = ui.painter().layout_no_wrap(count(keys), font, color);
    let size = galley.size();
    ui.painter()
        .galley(pos2(right - size.x, y - size.y * 0.5), galley, color);
    right - size.x.max(COUNT)
}
