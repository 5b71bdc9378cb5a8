//! At the right: every number at the pointer, or else at the playhead.

use core::fmt::Write as _;

use egui::{
    Align2, Color32, FontId, Rect, Role, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};

use super::{
    Curves, View,
    choice::{Compare, MOST_PINNED},
    lanes::{self, Lane},
    lines::components_shown,
    marks,
    palette::{self, LineStyle},
    pointer::Hit,
};
use crate::{
    analysis::curves::{Curve, Reading},
    document::Severity,
    session::Command,
    ui::{
        Context, format,
        icons::Icon,
        text::display,
        theme::{CONTROL, GAP, MONO, SMALL, colors},
        timeline::controls,
        widgets,
    },
};

/// Height of a line of numbers.
const LINE: f32 = 16.0;
/// Height of a heading.
const HEADING: f32 = 20.0;
/// Numbers side by side.
const COLUMNS: usize = 4;
/// Size of numbers: four with their letters fit side by side.
const NUMBER: f32 = MONO - 1.0;
/// Left of a column's number.
const LETTER: f32 = 9.0;
const INDENT: f32 = 4.0;

/// One curve of one joint at the moment of the read-out.
struct Entry {
    joint: String,
    curve: Curve,
    components: Vec<(usize, String)>,
    values: Vec<f32>,
    /// Of what is compared with.
    ghost: Option<Vec<f32>>,
}

impl Curves {
    pub(super) fn readout(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        view: &View<'_>,
        hit: &Hit,
        rect: Rect,
    ) {
        let secs = hit.secs.unwrap_or(view.character.player.time_secs);
        let builder = UiBuilder::new().max_rect(rect).id_salt("curves read-out");
        ui.scope_builder(builder, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.shrink_clip_rect(rect);
            let entries = self.entries(view, secs);
            moment(ui, context, view, hit, secs, &entries);
            ScrollArea::vertical()
                .id_salt("numbers")
                .auto_shrink([false, false])
                .show(ui, |ui| {
                    self.numbers(ui, view, secs, &entries);
                    ui.add_space(GAP);
                });
        });
    }

    /// Joint by joint, lane by lane.
    fn entries(&mut self, view: &View<'_>, secs: f32) -> Vec<Entry> {
        let mut entries = Vec::new();
        for &(joint, _) in &view.joints {
            for Lane { curve, .. } in &view.lanes {
                let curve = *curve;
                let whole = self.store.whole(joint, curve, &view.reading);
                let shown = components_shown(&whole, curve);
                let Some(curves) = self.store.joint(joint) else {
                    continue;
                };
                let names = curves.components(curve);
                let mut at = |reading: &Reading| {
                    let mut values = Vec::new();
                    curves.value(curve, reading, secs, &mut values);
                    values
                };
                entries.push(Entry {
                    joint: view.joint_label(joint),
                    curve,
                    values: at(&view.reading),
                    ghost: view.ghost_of(curve).map(at),
                    components: (shown.into_iter())
                        .filter_map(|index| Some((index, names.get(index)?.clone())))
                        .collect(),
                });
            }
        }
        entries
    }

    fn numbers(&mut self, ui: &mut Ui, view: &View<'_>, secs: f32, entries: &[Entry]) {
        let mut entries = entries.iter();
        for &(joint, style) in &view.joints {
            self.joint_heading(ui, view, joint, style);
            for lane in &view.lanes {
                if let Some(entry) = entries.next() {
                    numbers_of(ui, entry);
                }
                // One sentence about a track is enough; each interval has its own.
                if style == 0
                    && lanes::is_first_of_property(&view.lanes, lane)
                    && let Some(curves) = self.store.joint(joint)
                {
                    let marks = marks::marks(view, curves, lane.curve);
                    let here = |mark: &&marks::Mark| mark.from <= secs && secs <= mark.to;
                    if let Some(mark) = marks.iter().rev().find(here) {
                        let text = marks::text(mark, view, curves);
                        sentence(ui, mark.severity, &text);
                    }
                }
            }
        }
    }

    /// Stroke, name and pin.
    fn joint_heading(&mut self, ui: &mut Ui, view: &View<'_>, joint: usize, style: usize) {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::hover());
        let label = view.joint_label(joint);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
        let colors = colors(ui.visuals());
        let y = rect.center().y;
        let sample = pos2(rect.left() + INDENT, y);
        let color = if style == 0 {
            colors.accent
        } else {
            colors.text
        };
        LineStyle(style).sample(ui.painter(), sample, 20.0, Stroke::new(1.5, color));
        let pin = Rect::from_min_size(pos2(rect.right() - 24.0, y - 9.0), vec2(18.0, 18.0));
        let x = sample.x + 26.0;
        let room = pin.left() - GAP - x;
        let font = FontId::proportional(12.5);
        let (_, is_cut) = widgets::fitted_text(ui, &label, font, colors.strong, x, y, room);
        if is_cut {
            response.on_hover_text(display(&label));
        }
        let is_pinned = self.choice.pinned.contains(&joint);
        let name = format!("Pin {label}");
        let id = ui.scope_id().with(("pin", joint));
        let response = ui.interact(pin, id, Sense::click());
        widgets::paint_icon_button(ui, pin, &response, Icon::Pin, &name, Some(is_pinned));
        if response.clicked() {
            self.choice.toggle_pin(joint);
        }
        response.on_hover_text(if is_pinned {
            "Pinned: stays in the plot; click to let go".to_owned()
        } else if self.choice.pinned.len() >= MOST_PINNED {
            format!("{MOST_PINNED} joints are pinned: let go of one first")
        } else {
            "Pin: keep this joint's curves beside those of the next".to_owned()
        });
    }
}

/// The first line: when, and a button that copies all of it.
fn moment(
    ui: &mut Ui,
    context: &mut Context<'_>,
    view: &View<'_>,
    hit: &Hit,
    secs: f32,
    entries: &[Entry],
) {
    let fps = view.session.guessed_fps();
    let (frame, _) = controls::frame_text(secs, false, fps);
    let colors = colors(ui.visuals());
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), CONTROL - 2.0), Sense::hover());
    let place = if hit.secs.is_some() {
        "pointer"
    } else {
        "playhead"
    };
    let (time, frame) = (format!("{secs:.3} s"), format!("frame {frame}"));
    response.widget_info(|| {
        WidgetInfo::labeled(
            Role::Label,
            true,
            format!("At the {place}: {time}, {frame}"),
        )
    });
    let y = rect.center().y;
    let icon = Rect::from_center_size(pos2(rect.left() + INDENT + 6.0, y), vec2(13.0, 13.0));
    let (glyph, color) = if hit.secs.is_some() {
        (Icon::Pointer, colors.weak)
    } else {
        (Icon::Play, colors.accent)
    };
    glyph.paint(ui.painter(), icon, color);
    let text = |text: &str, x: f32, font: FontId, color: Color32| {
        let at = pos2(x, y);
        ui.painter()
            .text(at, Align2::LEFT_CENTER, text, font, color)
    };
    let end = text(
        &time,
        icon.right() + 7.0,
        FontId::monospace(MONO + 0.5),
        colors.strong,
    );
    // In a place of fixed width, so that nothing moves while time runs.
    let x = (end.right() + 10.0).max(rect.left() + 104.0);
    text(&frame, x, FontId::proportional(SMALL + 0.5), colors.weak);
    let copy = Rect::from_min_size(pos2(rect.right() - 24.0, y - 9.0), vec2(18.0, 18.0));
    let builder = UiBuilder::new().max_rect(copy).id_salt("copy numbers");
    ui.scope_builder(builder, |ui| {
        if widgets::copy_button(ui, "Copy these numbers").clicked() {
            let text = as_text(view, secs, &frame, entries);
            context.commands.push(Command::CopyText(text));
        }
    });
    if let Some(ghost) = view.ghost {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
        let modes = modes_text(&ghost);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Faint: {modes}")));
        let y = rect.center().y;
        let line = [
            pos2(rect.left() + INDENT, y),
            pos2(rect.left() + INDENT + 20.0, y),
        ];
        let stroke = Stroke::new(1.0, colors.text.gamma_multiply(0.5));
        ui.painter().line_segment(line, stroke);
        let text = format!("faint: {modes}");
        let font = FontId::proportional(SMALL);
        let (x, room) = (rect.left() + INDENT + 26.0, rect.width() - 38.0);
        widgets::fitted_text(ui, &text, font, colors.weak, x, y, room);
    }
}

/// A heading, and numbers below it in columns.
fn numbers_of(ui: &mut Ui, entry: &Entry) {
    let colors = colors(ui.visuals());
    let unit = entry.curve.unit().symbol();
    let decimals = decimals(entry);
    let spoken = entry
        .components
        .iter()
        .fold(String::new(), |mut text, (index, name)| {
            let value = number(entry.values.get(*index), decimals);
            let space = if matches!(unit, "" | "°") { "" } else { " " };
            let _ = write!(text, " {name} {value}{space}{unit}");
            text
        });
    let title = title(entry);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    response.widget_info(|| {
        WidgetInfo::labeled(
            Role::Label,
            true,
            format!("{}, {title}:{spoken}", entry.joint),
        )
    });
    let font = FontId::proportional(SMALL);
    let (x, y) = (rect.left() + INDENT, rect.center().y);
    widgets::fitted_text(ui, &title, font, colors.weak, x, y, rect.width() - 12.0);
    if entry.curve == Curve::MorphWeights {
        for (index, name) in &entry.components {
            let values = (entry.values.get(*index), entry.ghost.as_ref());
            named(ui, entry, *index, name, values, decimals);
        }
    } else {
        columns(ui, entry, Some(&entry.values), decimals, false);
        if entry.ghost.is_some() {
            columns(ui, entry, entry.ghost.as_ref(), decimals, true);
        }
    }
    ui.add_space(2.0);
}

fn title(entry: &Entry) -> String {
    let unit = entry.curve.unit().symbol();
    let order = match entry.curve {
        Curve::Euler(order) => format!(" {}", order.as_str()),
        _ => String::new(),
    };
    if unit.is_empty() {
        format!("{}{order}", entry.curve.label())
    } else {
        format!("{}{order}, {unit}", entry.curve.label())
    }
}

/// Enough for all of an entry's numbers, so that points stand under each other.
fn decimals(entry: &Entry) -> Option<usize> {
    let mut all = entry.values.clone();
    all.extend(entry.ghost.iter().flatten());
    format::shared_decimals(&all, 4, 7)
}

fn number(value: Option<&f32>, decimals: Option<usize>) -> String {
    match value {
        Some(value) if value.is_finite() => format::number(*value, decimals).trim().to_owned(),
        // Between no two keys there is no angle.
        _ => "–".to_owned(),
    }
}

fn columns(
    ui: &mut Ui,
    entry: &Entry,
    values: Option<&Vec<f32>>,
    decimals: Option<usize>,
    is_ghost: bool,
) {
    let colors = colors(ui.visuals());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let width = (rect.width() - 10.0) / COLUMNS as f32;
    // Names longer than a letter take the room of two numbers.
    let is_wide = entry.components.iter().any(|(_, name)| name.len() > 1);
    let span = if is_wide { 2.0 } else { 1.0 };
    for (place, (index, name)) in entry.components.iter().enumerate() {
        let left = rect.left() + INDENT + width * span * place as f32;
        let right = left + width * span - 5.0;
        let y = rect.center().y;
        if !is_ghost {
            let color = palette::component(ui.visuals(), entry.curve, *index);
            let font = FontId::proportional(SMALL);
            let at = pos2(left, y);
            ui.painter()
                .text(at, Align2::LEFT_CENTER, name, font, color);
        }
        let text = number(values.and_then(|values| values.get(*index)), decimals);
        let color = if is_ghost { colors.weak } else { colors.text };
        let font = FontId::monospace(NUMBER);
        let at = pos2(right.max(left + LETTER), y);
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, text, font, color);
    }
}

/// A line of its own for a component with a name.
fn named(
    ui: &mut Ui,
    entry: &Entry,
    index: usize,
    name: &str,
    (value, ghost): (Option<&f32>, Option<&Vec<f32>>),
    decimals: Option<usize>,
) {
    let colors = colors(ui.visuals());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let y = rect.center().y;
    let color = palette::component(ui.visuals(), entry.curve, index);
    let bar = Rect::from_min_size(pos2(rect.left() + INDENT, y - 5.0), vec2(2.5, 10.0));
    ui.painter().rect_filled(bar, 1.0, color);
    let font = FontId::proportional(SMALL);
    let (x, room) = (bar.right() + 6.0, rect.width() - 142.0);
    widgets::fitted_text(ui, name, font, colors.text, x, y, room);
    let mono = FontId::monospace(NUMBER);
    let right = rect.right() - 11.0;
    if let Some(ghost) = ghost {
        let text = number(ghost.get(index), decimals);
        let at = pos2(right, y);
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, text, mono.clone(), colors.weak);
    }
    let right = if ghost.is_some() { right - 58.0 } else { right };
    let text = number(value, decimals);
    ui.painter().text(
        pos2(right, y),
        Align2::RIGHT_CENTER,
        text,
        mono,
        colors.text,
    );
}

/// What is to be said about the interval, in its severity's colour.
fn sentence(ui: &mut Ui, severity: Severity, text: &str) {
    const ICON: f32 = 13.0;
    let color = colors(ui.visuals()).severity(severity);
    let width = ui.available_width();
    let room = (width - INDENT - ICON - GAP - 10.0).max(40.0);
    let font = FontId::proportional(SMALL);
    let job = egui::text::LayoutJob::simple(display(text).into_owned(), font, color, room);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let size = vec2(width, galley.size().y + GAP);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    let icon = Rect::from_min_size(rect.min + vec2(INDENT, 1.0), vec2(ICON, ICON));
    Icon::of_severity(severity).paint(ui.painter(), icon, color);
    let at = pos2(icon.right() + GAP, rect.top());
    ui.painter().galley(at, galley, color);
}

fn modes_text(reading: &Reading) -> String {
    let modes = reading.modes;
    let (mode, rule) = (modes.interpolation.as_str(), modes.hemisphere.as_str());
    if reading.modes == crate::anim::Modes::default() {
        Compare::Format.label().to_owned()
    } else {
        format!("{mode}, {rule}")
    }
}

/// For a report: file, clip, modes, moment and every number.
fn as_text(view: &View<'_>, secs: f32, frame: &str, entries: &[Entry]) -> String {
    let document = &view.character.document;
    let mut text = document.name.clone();
    if let crate::scene::PoseSource::Clip(clip) = view.character.source
        && let Some(stored) = document.clips.get(clip)
    {
        let _ = write!(text, ", clip \"{}\"", stored.label(clip));
    }
    let _ = writeln!(text, ", {secs} s ({frame})");
    let modes = view.reading.modes;
    let (mode, rule) = (modes.interpolation.as_str(), modes.hemisphere.as_str());
    let _ = writeln!(
        text,
        "mode {mode}, hemisphere {rule}, threshold {}",
        modes.threshold
    );
    for entry in entries {
        let _ = write!(text, "{}, {}:", entry.joint, title(entry));
        for (index, name) in &entry.components {
            if let Some(value) = entry.values.get(*index).filter(|value| value.is_finite()) {
                let _ = write!(text, " {name} {value}");
            }
        }
        text.push('\n');
        if let (Some(values), Some(ghost)) = (&entry.ghost, &view.ghost) {
            let _ = write!(text, "  {}:", modes_text(ghost));
            for (index, name) in &entry.components {
                if let Some(value) = values.get(*index).filter(|value| value.is_finite()) {
                    let _ = write!(text, " {name} {value}");
                }
            }
            text.push('\n');
        }
    }
    text
}
