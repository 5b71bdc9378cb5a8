//! Dope sheet: a row of keys for each joint and property.
//!
//! What a clip keys ([`sheet`]) and what was found in it ([`marks`]) is worked out once
//! per clip; which rows are shown ([`rows`]) once per change of filter; a frame lays out
//! and paints only the rows that are seen, and at most one shape a pixel in each.

mod batch;
mod filters;
mod glyphs;
mod held;
mod hover;
mod keys;
mod marks;
mod names;
mod rows;
mod sheet;
mod stored;

use std::sync::Arc;

use egui::{Color32, Painter, PointerButton, Rect, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};

use self::{
    batch::Batch,
    glyphs::GlyphCache,
    hover::Hit,
    keys::RowPaint,
    marks::{Marks, RowMarks},
    rows::{Filters, Row, Rows},
    sheet::Sheet,
};
use super::{
    areas::{Areas, areas},
    axis::{self, TimeAxis},
    ruler,
};
use crate::{
    document::{Clip, Document},
    scene::PoseSource,
    session::Command,
    ui::{
        Context,
        icons::Icon,
        theme::{Colors, RADIUS, colors},
        widgets,
    },
};

/// Height of a row.
const ROW: f32 = 20.0;
/// Rows around one that is scrolled to.
const SURROUNDINGS: f32 = 2.0;

/// The view's state.
#[derive(Debug, Default)]
pub struct DopeSheet {
    filters: Filters,
    sheet: Sheet,
    marks: Marks,
    rows: Rows,
    glyphs: GlyphCache,
    /// The selection that was scrolled to, or made here.
    seen_selection: Option<usize>,
    /// A row that is to get the keyboard.
    focus: Option<usize>,
}

/// What one pass works on.
struct Pass<'a> {
    document: &'a Arc<Document>,
    clip: &'a Clip,
    areas: Areas,
    axis: TimeAxis,
}

impl DopeSheet {
    /// Fills the place below the controls.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let session = context.session;
        let areas = areas(ui);
        filters::show(ui, areas.corner, &mut self.filters);
        let axis = TimeAxis::of(session, areas.plot);
        ruler::show(ui, context, areas.ruler, axis);
        let colors = colors(ui.visuals());
        ui.painter().rect_filled(areas.plot, RADIUS, colors.sunken);
        let character = session.character();
        let clip = character.and_then(|c| match c.source {
            PoseSource::Clip(index) => Some((c, index, c.document.clips.get(index)?)),
            PoseSource::Rest | PoseSource::Bind => None,
        });
        let Some((character, index, clip)) = clip else {
            let (title, hint) = match character {
                None => ("No file open", "Drop a glTF file here"),
                Some(c) if c.document.clips.is_empty() => ("No clips", "This file has none"),
                Some(_) => ("A still pose", "Choose a clip to see its keys"),
            };
            say(ui, areas.plot, title, hint);
            return;
        };
        let document = &character.document;
        self.sheet.follow(document, index);
        self.marks.follow(session, index);
        let selected = session.view.selected_joint;
        self.rows
            .follow(&self.sheet, &self.marks, &self.filters, selected);
        if self.rows.all().is_empty() {
            let (title, hint) = self.nothing(selected);
            say(ui, areas.plot, title, hint);
            return;
        }
        let pass = Pass {
            document,
            clip,
            areas,
            axis,
        };
        self.body(ui, context, &pass);
    }

    /// Why no row is left.
    fn nothing(&self, selected: Option<usize>) -> (&'static str, &'static str) {
        let filters = &self.filters;
        if filters.only_selected && selected.is_none() {
            (
                "No joint selected",
                "Click one in the view or in the outliner",
            )
        } else if filters.only_selected {
            ("No keys", "The clip does not key the selected joint")
        } else if filters.only_findings {
            ("No findings", "Nothing was found at a joint in this clip")
        } else if filters.query.trim().is_empty() {
            ("No keys", "This clip keys no joint")
        } else {
            ("No match", "No joint has this in its name")
        }
    }

    /// Names and keys, scrolled together.
    fn body(&mut self, ui: &mut Ui, context: &mut Context<'_>, pass: &Pass<'_>) {
        let place = pass.areas.names.union(pass.areas.plot);
        let scroll_to = self.new_selection(context.session.view.selected_joint);
        let mut child = ui.new_child(UiBuilder::new().id_salt("dope rows").max_rect(place));
        child.spacing_mut().item_spacing = vec2(0.0, 0.0);
        child.set_clip_rect(place.intersect(ui.clip_rect()));
        ScrollArea::vertical()
            .id_salt("dope scroll")
            .auto_shrink([false, false])
            .show_viewport(&mut child, |ui, viewport| {
                let count = self.rows.all().len();
                ui.set_height(count as f32 * ROW);
                let origin = ui.min_rect().min;
                let rect_of = |index: usize| {
                    let top = origin.y + index as f32 * ROW;
                    Rect::from_x_y_ranges(place.x_range(), top..=top + ROW)
                };
                let first = (viewport.min.y / ROW).floor().max(0.0) as usize;
                let last = ((viewport.max.y / ROW).ceil().max(0.0) as usize).min(count);
                let hit = self.plot(ui, context, pass, first..last, &rect_of);
                self.names(ui, context, pass, first..last, &rect_of);
                self.answer_hit(ui, context, pass, hit);
                if let Some(index) = scroll_to {
                    let rows = self.rows.all()[index..].iter();
                    let line = self.rows.all()[index].line();
                    let same = rows.take_while(|row| row.line() == line).count();
                    let last = index + same.clamp(1, 8) - 1;
                    let target = rect_of(index).union(rect_of(last));
                    if !ui.clip_rect().contains_rect(target) {
                        let target = target.expand2(vec2(0.0, SURROUNDINGS * ROW));
                        ui.scroll_to_rect(target, None);
                    }
                }
            });
    }

    /// The row of the selected joint, if something else than this view selected it.
    fn new_selection(&mut self, selected: Option<usize>) -> Option<usize> {
        if self.seen_selection == selected {
            return None;
        }
        self.seen_selection = selected;
        let joint = selected.filter(|_| self.filters.follow)?;
        let is_row =
            |row: &Row| matches!(row, Row::Joint(line) if self.sheet.lines[*line].joint == joint);
        self.rows.all().iter().position(is_row)
    }

    fn names(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        pass: &Pass<'_>,
        seen: core::ops::Range<usize>,
        rect_of: &dyn Fn(usize) -> Rect,
    ) {
        let mut ui = ui.new_child(UiBuilder::new().id_salt("dope names"));
        ui.set_clip_rect(pass.areas.names.intersect(ui.clip_rect()));
        let count = self.rows.all().len();
        let focus = self.focus.take();
        let mut step = None;
        // One row more at both ends, for the keyboard to go to.
        for index in seen.start.saturating_sub(1)..(seen.end + 1).min(count) {
            let Some(&row) = self.rows.all().get(index) else {
                break;
            };
            let names = pass.areas.names.x_range();
            let rect = Rect::from_x_y_ranges(names, rect_of(index).y_range());
            let response = self.name(&mut ui, context, row, rect);
            if focus == Some(index) {
                response.request_focus();
                if !ui.clip_rect().contains_rect(rect) {
                    response.scroll_to_me(None);
                }
            }
            if let Some(wanted) = self.keyboard(&ui, row, &response) {
                step = Some((index, wanted));
            }
        }
        if let Some((index, step)) = step {
            self.focus = self.carry_out(context, index, step);
            ui.ctx().request_repaint();
        }
    }

    /// Paints the rows that are seen and says what is under the pointer.
    fn plot(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        pass: &Pass<'_>,
        seen: core::ops::Range<usize>,
        rect_of: &dyn Fn(usize) -> Rect,
    ) -> (egui::Response, Option<Hit>) {
        let plot = pass.areas.plot;
        let response = ui.interact(
            plot.intersect(ui.clip_rect()),
            ui.scope_id().with("dope plot"),
            Sense::click_and_drag(),
        );
        let paint_of = |index: usize| RowPaint {
            rect: Rect::from_x_y_ranges(plot.x_range(), rect_of(index).y_range()),
            axis: pass.axis,
        };
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        let under = pointer.and_then(|pointer| {
            let mut rows = seen.clone();
            rows.find(|&index| rect_of(index).y_range().contains(pointer.y))
        });
        let hit = pointer.zip(under).map(|(pointer, index)| {
            let row = self.rows.all()[index];
            self.hit(row, paint_of(index), pointer.x)
        });

        let painter = ui.painter_at(pass.areas.names.union(plot));
        let plot_painter = ui.painter_at(plot);
        self.backgrounds(ui, &painter, context, seen.clone(), rect_of);
        ruler::grid(ui, &plot_painter, plot, pass.axis, context.session);
        let mut batch = Batch::new(&plot_painter);
        for index in seen {
            self.paint_row(ui, context, pass, index, paint_of(index), &mut batch);
        }
        if let Some(hit) = &hit
            && let Some((_, secs)) = hit.key
        {
            let at = pos2(hit.paint.axis.x_of(plot, secs), hit.paint.rect.center().y);
            let color = colors(ui.visuals()).strong;
            batch.key(self.sheet.shape(hit.row), at, glyphs::RADIUS + 1.5, color);
        }
        batch.paint(&plot_painter);
        if let Some(pointer) = response.hover_pos().filter(|_| !response.dragged()) {
            ruler::pointer_line(ui, &plot_painter, plot, pointer.x);
            ruler::pointer_time(ui, pass.areas.ruler, pass.axis, pointer.x);
        }
        if let Some(character) = context.session.character() {
            let secs = character.player.time_secs;
            ruler::playhead(ui, &plot_painter, plot, pass.axis, secs);
        }
        (response, hit)
    }

    fn backgrounds(
        &self,
        ui: &Ui,
        painter: &Painter,
        context: &Context<'_>,
        seen: core::ops::Range<usize>,
        rect_of: &dyn Fn(usize) -> Rect,
    ) {
        let colors = colors(ui.visuals());
        let view = &context.session.view;
        let mut batch = Batch::new(painter);
        for index in seen {
            let row = self.rows.all()[index];
            let rect = rect_of(index);
            let Some(joint) = row.line().map(|line| self.sheet.lines[line].joint) else {
                continue;
            };
            let is_joint = matches!(row, Row::Joint(_));
            if is_joint {
                batch.rect(rect, colors.raised.gamma_multiply(0.38));
            }
            if view.selected_joint == Some(joint) {
                let strength = if is_joint { 0.85 } else { 0.4 };
                batch.rect(rect, colors.selected.gamma_multiply(strength));
            } else if is_joint && view.hovered_joint == Some(joint) {
                batch.rect(rect, colors.raised.gamma_multiply(0.5));
            }
            let is_under = ui.rect_contains_pointer(rect);
            if is_under {
                batch.rect(rect, colors.hovered.gamma_multiply(0.3));
            }
            let line = Rect::from_x_y_ranges(
                rect.x_range(),
                rect.bottom() - batch.pixel()..=rect.bottom(),
            );
            batch.rect(line, colors.line.gamma_multiply(0.55));
        }
        batch.paint(painter);
    }

    fn paint_row(
        &mut self,
        ui: &Ui,
        context: &Context<'_>,
        pass: &Pass<'_>,
        index: usize,
        paint: RowPaint,
        batch: &mut Batch,
    ) {
        let colors = colors(ui.visuals());
        let session = context.session;
        let row = self.rows.all()[index];
        let Some(line) = row.line() else { return };
        let duration_secs = axis::duration_secs(session);
        let of = &self.sheet.lines[line];
        let selected = session.view.selected_joint == Some(of.joint);
        let hatch = colors.weak.gamma_multiply(0.3);
        let times = self.sheet.times(row);
        if times.is_empty() {
            let still = [duration_secs];
            paint.outside(batch, &still, duration_secs, hatch.gamma_multiply(0.6));
            return;
        }
        paint.outside(batch, times, duration_secs, hatch);
        if let Some(marks) = self.row_marks(row) {
            let color = |mark: &marks::Mark| colors.severity(mark.severity);
            paint.marks(batch, &marks.timed, session.shown_finding, color);
        }
        let color = key_color(colors, row, selected);
        if let Row::Track(_, track) = row {
            let held = self.sheet.held(pass.document, line, track);
            paint.held(batch, times, held, color.gamma_multiply(0.3));
        }
        let (shape, generation) = (self.sheet.shape(row), self.sheet.generation);
        let times = self.sheet.times(row);
        let glyphs = self.glyphs.of(generation, &paint, times, batch.pixel());
        paint.keys(batch, glyphs, shape, color);
    }

    /// Clicks and drags in the plot, and its tooltip.
    fn answer_hit(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        pass: &Pass<'_>,
        (response, hit): (egui::Response, Option<Hit>),
    ) {
        let plot = pass.areas.plot;
        axis::navigate(ui, context, plot, &response, pass.axis);
        let joint = hit
            .and_then(|hit| hit.row.line())
            .map(|line| self.sheet.lines[line].joint);
        if response.hovered() && joint.is_some() {
            context.hovered_joint = joint;
        }
        let Some(player) = context.session.character().map(|c| c.player) else {
            return;
        };
        let key = hit.and_then(|hit| hit.key);
        let dragged = response.dragged_by(PointerButton::Primary)
            || response.drag_stopped_by(PointerButton::Primary);
        // A press on a key waits: it may become a click.
        if player.duration_secs > 0.0 && (key.is_none() || dragged) {
            axis::drag_playhead(ui, context, plot, &response, pass.axis, &player);
        }
        if response.clicked_by(PointerButton::Primary)
            && let Some(hit) = hit
        {
            let mark = hit.mark.filter(|_| key.is_none());
            if let Some((_, secs)) = key {
                context.commands.push(Command::StepTo(secs));
                self.seen_selection = joint;
                context.commands.push(Command::SelectJoint(joint));
            } else if let Some(mark) = mark {
                self.seen_selection = joint;
                context.commands.push(Command::ShowFinding {
                    index: mark.finding,
                    aspect: context.aspect,
                });
            }
        }
        if let Some(hit) = hit.filter(|_| response.hovered() && !response.dragged()) {
            self.tell(ui, context, pass.clip, &response, &hit);
        }
    }

    fn row_marks(&self, row: Row) -> Option<&RowMarks> {
        match row {
            Row::Joint(line) => self.marks.of_joint(self.sheet.lines[line].joint),
            Row::Track(line, track) => {
                let of = &self.sheet.lines[line];
                self.marks.of_track(of.joint, of.tracks[track].property)
            }
            Row::Rest(..) | Row::Unkeyed(_) => None,
        }
    }
}

fn key_color(colors: &Colors, row: Row, selected: bool) -> Color32 {
    match row {
        _ if selected => colors.accent,
        Row::Joint(_) => colors.key,
        _ => colors.key.gamma_multiply(0.8),
    }
}

/// An empty plot that says what would be there.
fn say(ui: &mut Ui, plot: Rect, title: &str, hint: &str) {
    let builder = UiBuilder::new().id_salt("dope says").max_rect(plot);
    let mut ui = ui.new_child(builder);
    ui.set_clip_rect(plot.intersect(ui.clip_rect()));
    widgets::empty_state(&mut ui, Icon::DopeSheet, title, hint);
}
