//! The lines.

use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui,
    WidgetInfo, pos2,
};

use super::{Line, place_text, value_text};
use crate::{
    compare::Moment,
    session::{ErrorKind, Session},
    ui::{
        Context, side,
        theme::colors,
        timeline::{
            axis::{self, TimeAxis},
            controls, ruler,
        },
        widgets,
    },
};

/// Above the highest line, as a part of it.
const MARGIN: f32 = 0.12;
/// At the top of the plot, for what it shows.
const TITLE: f32 = 18.0;
/// Smallest distance of two labelled values.
const LABEL_SPACING: f32 = 24.0;
const LABEL: f32 = 10.5;
/// Lines whose largest value is below are drawn on an axis of this height: degrees, metres.
const LEAST: [f64; 2] = [0.1, 1e-3];

/// The plot and what hands do in it.
pub(super) fn show(
    ui: &Ui,
    context: &mut Context<'_>,
    kind: ErrorKind,
    lines: &[Line<'_>],
    rect: Rect,
    axis: TimeAxis,
    labels: f32,
) {
    let session = context.session;
    let response = ui.interact(rect, ui.scope_id().with("plot"), Sense::click_and_drag());
    let told = format!("Difference over the clip: {}", kind.description());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), &told));
    axis::navigate(ui, context, rect, &response, axis);
    let player = session.character().map(|c| c.player).unwrap_or_default();
    if player.duration_secs > 0.0 {
        axis::drag_playhead(ui, context, rect, &response, axis, &player);
        axis::step_frames(ui, context, &response);
    }
    let plot = Plot {
        session,
        kind,
        rect,
        axis,
        most: most(kind, lines),
    };
    let painter = ui.painter_at(rect);
    ruler::grid(ui, &painter, rect, axis, session);
    plot.values(ui, &painter, labels);
    for line in lines.iter().rev() {
        plot.line(ui, &painter, line);
    }
    plot.title(ui, &painter);
    if lines.is_empty() {
        let color = colors(ui.visuals()).weak;
        let font = FontId::proportional(12.5);
        let text = "Comparing all along the clip …";
        painter.text(rect.center(), Align2::CENTER_CENTER, text, font, color);
    }
    ruler::playhead(ui, &painter, rect, axis, player.time_secs);
    widgets::focus_ring(ui, rect, &response);
    plot.hover(ui, &painter, lines, response);
}

/// The largest value of all sides.
fn most(kind: ErrorKind, lines: &[Line<'_>]) -> f64 {
    let worst = lines.iter().filter_map(|line| {
        let moments = line.errors.comparison.moments.iter();
        moments
            .map(|moment| kind.worst(moment))
            .filter(|value| value.is_finite())
            .reduce(f64::max)
    });
    worst.fold(LEAST[usize::from(!kind.is_angle())], f64::max)
}

struct Plot<'a> {
    session: &'a Session,
    kind: ErrorKind,
    rect: Rect,
    axis: TimeAxis,
    most: f64,
}

impl Plot<'_> {
    fn y_of(&self, value: f64) -> f32 {
        let height = (self.rect.height() - TITLE).max(1.0);
        let part = (value / self.most) as f32 / (1.0 + MARGIN);
        // Of what is no number there is no place; the top says "very far".
        let part = if part.is_finite() { part.min(1.2) } else { 1.2 };
        self.rect.bottom() - 1.0 - height * part
    }

    /// Grid lines with their values.
    fn values(&self, ui: &Ui, painter: &Painter, labels: f32) {
        let colors = colors(ui.visuals());
        let per_point = self.most as f32 * (1.0 + MARGIN) / (self.rect.height() - TITLE).max(1.0);
        let step = ruler::nice_step(per_point * LABEL_SPACING);
        let (factor, _) = self.unit();
        let decimals = (-(step * factor * 1.001).log10().floor()).clamp(0.0, 5.0) as usize;
        let count = (self.most as f32 * (1.0 + MARGIN) / step).floor() as usize;
        for index in 0..=count.min(200) {
            let value = step * index as f32;
            let y = self.y_of(f64::from(value));
            let strength = if index == 0 { 1.6 } else { 0.8 };
            let stroke = Stroke::new(1.0, colors.line.gamma_multiply(strength));
            painter.hline(self.rect.x_range(), ruler::column(painter, y), stroke);
            let y = y.min(self.rect.bottom() - LABEL * 0.5);
            let text = format!("{:.decimals$}", value * factor);
            let font = FontId::proportional(LABEL);
            let at = pos2(labels, y);
            ui.painter()
                .text(at, Align2::RIGHT_CENTER, text, font, colors.weak);
        }
    }

    /// What values are multiplied by, and what they are then.
    fn unit(&self) -> (f32, &'static str) {
        match self.kind {
            ErrorKind::Angle => (1.0, "°"),
            _ if self.most >= 2.0 => (1.0, "m"),
            _ if self.most >= 0.01 => (100.0, "cm"),
            _ => (1e3, "mm"),
        }
    }

    fn title(&self, ui: &Ui, painter: &Painter) {
        let (_, unit) = self.unit();
        let text = match self.kind {
            ErrorKind::Angle => format!("Worst joint by angle, {unit}"),
            ErrorKind::Position => format!("Worst joint by place, {unit}"),
            ErrorKind::Vertex => format!("Worst vertex, {unit}"),
        };
        let text = format!("{text}; thin: the mean");
        let at = self.rect.left_top() + egui::vec2(6.0, 3.0);
        let color = colors(ui.visuals()).weak;
        painter.text(
            at,
            Align2::LEFT_TOP,
            text,
            FontId::proportional(LABEL),
            color,
        );
    }

    fn line(&self, ui: &Ui, painter: &Painter, line: &Line<'_>) {
        let accent = colors(ui.visuals()).accent;
        let color = side::color(line.side, ui.visuals().dark_mode, accent);
        let color = color.gamma_multiply(if line.is_current { 1.0 } else { 0.4 });
        let moments = &line.errors.comparison.moments;
        let points = |value: &dyn Fn(&Moment) -> f64| self.points(painter, moments, value);
        let worst = points(&|moment| self.kind.worst(moment));
        if let Some(shade) = shade(&worst, self.rect.bottom() - 1.0, color.gamma_multiply(0.13)) {
            painter.add(shade);
        }
        let mean = points(&|moment| self.kind.mean(moment));
        painter.add(Shape::line(
            mean,
            Stroke::new(1.0, color.gamma_multiply(0.75)),
        ));
        painter.add(Shape::line(worst, Stroke::new(1.8, color)));
    }

    /// At most two points a column of pixels, the lowest and the highest of it.
    fn points(
        &self,
        painter: &Painter,
        moments: &[Moment],
        value: &dyn Fn(&Moment) -> f64,
    ) -> Vec<Pos2> {
        let pixel = 1.0 / painter.pixels_per_point();
        let seen = self.axis.from_secs - self.axis.span() * 0.01
            ..=self.axis.to_secs + self.axis.span() * 0.01;
        let first = moments.partition_point(|moment| moment.time_secs < *seen.start());
        let last = moments.partition_point(|moment| moment.time_secs <= *seen.end());
        let range = first.saturating_sub(1)..(last + 1).min(moments.len());
        let mut points: Vec<Pos2> = Vec::new();
        let mut column = f32::NEG_INFINITY;
        for moment in &moments[range] {
            let at = pos2(
                self.axis.x_of(self.rect, moment.time_secs),
                self.y_of(value(moment)),
            );
            if at.x - column >= pixel || points.len() < 2 {
                column = at.x;
                points.push(at);
                continue;
            }
            // A third point of this column takes the place of one between the other two.
            let (before, previous) = (points[points.len() - 2], points[points.len() - 1]);
            let is_between = (previous.y - before.y) * (at.y - previous.y) >= 0.0;
            if before.x >= column && is_between {
                points.pop();
            }
            points.push(at);
        }
        points
    }

    /// What the lines are where the pointer is.
    fn hover(&self, ui: &Ui, painter: &Painter, lines: &[Line<'_>], response: Response) {
        let Some(at) = response.hover_pos().filter(|_| response.contains_pointer()) else {
            return;
        };
        ruler::pointer_line(ui, painter, self.rect, at.x);
        let secs = self.axis.secs_at(self.rect, at.x);
        let fps = self.session.guessed_fps();
        let mut text = String::new();
        for line in lines {
            let moments = &line.errors.comparison.moments;
            let after = moments.partition_point(|moment| moment.time_secs < secs);
            let near = [
                after.checked_sub(1),
                (after < moments.len()).then_some(after),
            ];
            let near = near.into_iter().flatten().min_by(|&a, &b| {
                let off = |index: usize| (moments[index].time_secs - secs).abs();
                off(a).total_cmp(&off(b))
            });
            let Some(moment) = near.and_then(|index| moments.get(index)) else {
                continue;
            };
            if text.is_empty() {
                let (frame, _) = controls::frame_text(moment.time_secs, false, fps);
                text = format!("{:.3} s · frame {frame}", moment.time_secs);
            }
            let worst = value_text(self.kind, self.kind.worst(moment));
            let letter = side::LETTERS[line.side.min(side::LETTERS.len() - 1)];
            text += &format!("\n{letter}: {worst}");
            if let Some(place) = place_text(self.session, self.kind, moment) {
                text += &format!(", {place}");
            }
            let x = self.axis.x_of(self.rect, moment.time_secs);
            let y = self.y_of(self.kind.worst(moment));
            let accent = colors(ui.visuals()).accent;
            let color = side::color(line.side, ui.visuals().dark_mode, accent);
            painter.circle(
                pos2(x, y),
                3.5,
                color,
                Stroke::new(1.5, colors(ui.visuals()).sunken),
            );
        }
        if !text.is_empty() {
            let _ = response.on_hover_text_at_pointer(text);
        }
    }
}

/// The area below a line.
fn shade(points: &[Pos2], bottom: f32, color: Color32) -> Option<Shape> {
    let mut mesh = Mesh::default();
    for (index, point) in points.iter().enumerate() {
        mesh.colored_vertex(*point, color);
        mesh.colored_vertex(pos2(point.x, bottom), color);
        if index > 0 {
            let last = 2 * index as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    (points.len() > 1).then(|| Shape::mesh(mesh))
}
