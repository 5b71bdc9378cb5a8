//! Weights in the view: picking of vertices, the mark on the selected one, the legend.

use std::sync::Arc;

use egui::{
    Align2, Color32, FontId, Galley, Painter, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo,
    pos2, vec2,
};
use glam::Vec2;

use super::{Ink, pick::Projection, sides::Part};
use crate::{
    analysis::influences,
    anim::Weights,
    document::Document,
    math::color::srgb_bytes,
    scene::{Frame, Heat, Ramp, Ray, VertexRef, WeightView, ramp, vertex_at as vertex_on_ray},
    session::{Command, Session},
    ui::{
        Context, format,
        text::display,
        theme::{self, GAP, MARGIN, PAD, SMALL},
        widgets,
    },
};

/// Width of the ramp.
const BAR: f32 = 216.0;
/// A view with less room has no legend.
const LEAST_BAR: f32 = 130.0;
/// Height of the ramp and of swatches.
const SWATCH: f32 = 11.0;
/// Height of a line of text.
const LINE: f32 = 17.0;
/// Radius of the mark on the selected vertex.
const MARK: f32 = 5.5;

/// Selects the vertex that the pointer means; and where a joint's weights are asked for
/// but no joint is selected, the one that pulls the vertex hardest.
pub(super) fn pick(context: &mut Context<'_>, rect: Rect, pointer: Pos2) {
    let hit = vertex_at(context.frame, rect, pointer);
    context.commands.push(Command::SelectVertex(hit));
    let view = &context.session.view;
    if view.weight_view != Some(WeightView::Joint) || view.selected_joint.is_some() {
        return;
    }
    let rows = hit.zip(context.session.document()).map(|(at, document)| {
        influences::of_vertex(document, at.instance, at.primitive, at.vertex)
    });
    let heaviest = (rows.into_iter().flatten())
        .filter(|row| !row.is_zero)
        .max_by(|a, b| a.stored.total_cmp(&b.stored));
    if let Some(row) = heaviest {
        context.commands.push(Command::SelectJoint(Some(row.joint)));
    }
}

/// The vertex that the pointer means, by the surface that is drawn.
fn vertex_at(frame: &Frame, rect: Rect, pointer: Pos2) -> Option<VertexRef> {
    let from_center = (pointer - rect.center()) / (rect.size() * 0.5);
    let ray = Ray::through(&frame.camera, Vec2::new(from_center.x, -from_center.y))?;
    vertex_on_ray(frame, &ray)
}

/// A ring about the selected vertex, through whatever is before it.
pub(super) fn mark(ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink) {
    let Some(vertex) = context.frame.vertex else {
        return;
    };
    let projection = Projection::new(context.frame, rect);
    let Some((at, _)) = projection.point(vertex.position) else {
        return;
    };
    let painter = ui.painter_at(rect);
    painter.circle_stroke(at, MARK, Stroke::new(4.5, ink.outline));
    painter.circle_stroke(at, MARK, Stroke::new(2.0, ink.accent));
    painter.circle_filled(at, 2.6, ink.outline);
    painter.circle_filled(at, 1.7, ink.text);
}

/// A line of the legend.
enum Line {
    Title(String),
    Text(String),
    /// Selects a vertex.
    Link(String, VertexRef),
    /// A ramp with what its left end, middle and right end mean.
    Bar(Box<Ramp>, [String; 3]),
    /// What a colour means; its number at the right.
    Swatch(Color32, String, String),
}

/// What the colours mean, in a corner of the view.
pub(super) fn legend(ui: &Ui, context: &mut Context<'_>, part: Part, ink: Ink) {
    let (session, rect) = (context.session, part.clip);
    let picture = context.pictures.get(part.side);
    let heat = picture.and_then(|picture| picture.frame.heat.as_ref());
    let (Some(heat), Some(character)) = (heat, session.side(part.side)) else {
        return;
    };
    // The frame may be of the moment before.
    let bar = BAR.min(rect.width() - 2.0 * MARGIN - 2.0 * PAD);
    if heat.view != session.view.weight_view || bar < LEAST_BAR {
        return;
    }
    let lines = lines(
        session,
        heat,
        &character.document,
        character.technique.weights,
    );
    let painter = ui.painter_at(rect);
    let galleys: Vec<(Line, Arc<Galley>)> = (lines.into_iter())
        .map(|line| {
            let galley = text_of(&painter, &line, ink, bar);
            (line, galley)
        })
        .collect();
    let height: f32 = galleys.iter().map(|(line, _)| line.height()).sum();
    if height + 4.0 * MARGIN > rect.height() {
        return;
    }
    let widest = galleys.iter().map(|(line, galley)| line.width(galley));
    let width = widest.fold(bar, f32::max);
    // Above the badge of modes.
    let bottom = rect.bottom() - MARGIN - 25.0 - PAD;
    let size = vec2(width, height) + vec2(2.0 * PAD, 2.0 * GAP + 2.0);
    let left = rect.left() + MARGIN;
    let area = Rect::from_min_size(pos2(left, bottom - size.y), size);
    painter.rect_filled(area, theme::RADIUS, ink.plate);
    let mut top = area.top() + GAP + 1.0;
    for (line, galley) in galleys {
        let height = line.height();
        let place = Rect::from_min_size(pos2(area.left() + PAD, top), vec2(width, height));
        line.show(ui, context, &painter, place, &galley, ink);
        top += height;
    }
}

fn lines(session: &Session, heat: &Heat, document: &Document, weights: Weights) -> Vec<Line> {
    let Some(view) = heat.view else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    let ends = |low: &str, middle: &str, high: &str| [low, middle, high].map(str::to_owned);
    match (view, heat.ramp) {
        (WeightView::Joint, Some(ramp)) => {
            let joints = &document.skeleton.joints;
            match heat.joint.and_then(|joint| joints.get(joint)) {
                Some(joint) => {
                    lines.push(Line::Title(format!("Weight of {}", joint.label())));
                    lines.push(Line::Bar(ramp.into(), ends("0", "0.5", "1")));
                    let moved = format::plural(heat.vertices, "vertex");
                    lines.push(Line::Text(format!("{moved} with weight")));
                    lines.push(none("No weight"));
                }
                None => {
                    lines.push(Line::Title("No joint selected".to_owned()));
                    let hint = "Click a vertex, or choose a joint in the tree";
                    lines.push(Line::Text(hint.to_owned()));
                }
            }
        }
        (WeightView::Joints, _) => {
            lines.push(Line::Title("Joints, mixed by weight".to_owned()));
            lines.push(Line::Text("Click a vertex to see its joints".to_owned()));
        }
        (WeightView::Influences, _) => {
            lines.push(Line::Title("Influences of a vertex".to_owned()));
            let counts = heat.counts.iter().enumerate().skip(1);
            let (few, many): (Vec<_>, Vec<_>) = counts.partition(|&(count, _)| count < 8);
            for (count, &vertices) in few.into_iter().filter(|&(_, &vertices)| vertices > 0) {
                lines.push(counted(count, &count.to_string(), vertices));
            }
            let many: usize = many.into_iter().map(|(_, vertices)| vertices).sum();
            if many > 0 {
                let text = if heat.counts.len() > 9 {
                    "8 and more"
                } else {
                    "8"
                };
                lines.push(counted(8, text, many));
            }
        }
        (WeightView::Sum, Some(ramp)) => {
            lines.push(Line::Title("Sum of stored weights".to_owned()));
            let [low, high] = ramp
                .range
                .map(|off| format::weight_sum(1.0 + f64::from(off)));
            lines.push(Line::Bar(ramp.into(), [low, "1".to_owned(), high]));
            match heat.peak {
                Some(peak) => {
                    let sum = format::weight_sum(1.0 + f64::from(peak.value));
                    let text = format!("Furthest from 1: {sum}, vertex {}", peak.at.vertex);
                    lines.push(Line::Link(text, peak.at));
                }
                None => lines.push(Line::Text("Every vertex sums to 1".to_owned())),
            }
        }
        (WeightView::FourInfluences, Some(ramp)) => {
            let how = match weights {
                Weights::Normalized => "renormalised",
                Weights::Stored => "not renormalised",
            };
            lines.push(Line::Title(format!("First four influences, {how}")));
            match heat.peak {
                Some(peak) => {
                    let high = ramp.range[1];
                    let middle = format::millimetres(high * 0.5);
                    let high = format::millimetres(high);
                    lines.push(Line::Bar(ramp.into(), ["0".to_owned(), middle, high]));
                    let largest = format::millimetres(peak.value);
                    let text = format!("Largest: {largest}, vertex {}", peak.at.vertex);
                    lines.push(Line::Link(text, peak.at));
                    let moved = format::plural(heat.vertices, "vertex");
                    lines.push(Line::Text(format!("{moved} out of place")));
                    lines.push(none("In place"));
                }
                None => lines.push(Line::Text(
                    "In this pose every vertex is in place".to_owned(),
                )),
            }
        }
        (WeightView::Difference, Some(ramp)) => {
            difference(session, heat, &ramp, document, &mut lines)
        }
        _ => {}
    }
    if heat.without_weights > 0 {
        let color = color32(ramp::UNWEIGHTED);
        let count = format::count(heat.without_weights);
        let text = match view {
            WeightView::Difference => "Nothing like it in A",
            _ => "All weights 0",
        };
        lines.push(Line::Swatch(color, text.to_owned(), count));
    }
    lines
}

/// Of a side's surface by how far it is from A's.
fn difference(
    session: &Session,
    heat: &Heat,
    ramp: &Ramp,
    document: &Document,
    lines: &mut Vec<Line>,
) {
    let value = |value: f32| {
        if heat.is_angle {
            format!("{value:.4}")
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned()
                + "°"
        } else {
            format::millimetres(value)
        }
    };
    let title = if heat.is_angle {
        "Turned away from A"
    } else {
        "Away from A"
    };
    lines.push(Line::Title(title.to_owned()));
    let high = ramp.range[1];
    let ends = ["0".to_owned(), value(high * 0.5), value(high)];
    lines.push(Line::Bar((*ramp).into(), ends));
    match heat.peak {
        Some(peak) => {
            let largest = if heat.is_angle {
                format!("{:.2}°", peak.value)
            } else {
                format::millimetres(peak.value)
            };
            let text = format!("Now at most {largest}, vertex {}", peak.at.vertex);
            // A vertex is selected by A's numbers.
            let is_own = session
                .document()
                .is_some_and(|a| core::ptr::eq(a, document));
            lines.push(match is_own {
                true => Line::Link(text, peak.at),
                false => Line::Text(text),
            });
        }
        None => lines.push(Line::Text("Now exactly as A".to_owned())),
    }
    lines.push(none("No difference"));
}

fn none(text: &str) -> Line {
    Line::Swatch(color32(ramp::PLAIN), text.to_owned(), String::new())
}

fn counted(count: usize, text: &str, vertices: usize) -> Line {
    let color = color32(ramp::count_color(count));
    Line::Swatch(color, text.to_owned(), format::plural(vertices, "vertex"))
}

fn color32(linear: glam::Vec3) -> Color32 {
    let [red, green, blue] = srgb_bytes(linear);
    Color32::from_rgb(red, green, blue)
}

fn text_of(painter: &Painter, line: &Line, ink: Ink, bar: f32) -> Arc<Galley> {
    let (text, size, color) = match line {
        Line::Title(text) => (text.as_str(), 12.5, ink.text),
        Line::Text(text) => (text.as_str(), SMALL + 0.5, ink.text.gamma_multiply(0.85)),
        Line::Link(text, _) => (text.as_str(), SMALL + 0.5, ink.accent),
        Line::Swatch(_, text, _) => (text.as_str(), SMALL + 0.5, ink.text.gamma_multiply(0.85)),
        Line::Bar(..) => ("", SMALL, ink.text),
    };
    let text = display(text).into_owned();
    let mut job = egui::text::LayoutJob::simple_singleline(text, FontId::proportional(size), color);
    // Names of joints may be of any length.
    let room = if bar < BAR { bar } else { BAR * 1.4 };
    job.wrap = egui::text::TextWrapping::truncate_at_width(room);
    painter.layout_job(job)
}

impl Line {
    fn height(&self) -> f32 {
        match self {
            Self::Title(_) => LINE + 2.0,
            Self::Bar(..) => SWATCH + LINE + 2.0,
            Self::Text(_) | Self::Link(..) | Self::Swatch(..) => LINE,
        }
    }

    fn width(&self, galley: &Galley) -> f32 {
        match self {
            Self::Bar(..) => 0.0,
            Self::Swatch(..) => SWATCH + PAD + galley.size().x,
            _ => galley.size().x,
        }
    }

    fn show(
        self,
        ui: &Ui,
        context: &mut Context<'_>,
        painter: &Painter,
        place: Rect,
        galley: &Arc<Galley>,
        ink: Ink,
    ) {
        let put = |left: f32| {
            let at = Align2::LEFT_CENTER.anchor_size(pos2(left, place.center().y), galley.size());
            painter.galley(at.min, galley.clone(), ink.text);
        };
        match self {
            Self::Title(text) | Self::Text(text) => {
                put(place.left());
                let id = ui.scope_id().with(("legend", &text));
                ui.interact(place, id, Sense::hover())
                    .widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
            }
            Self::Link(text, vertex) => {
                put(place.left());
                let place = place.with_max_x(place.left() + galley.size().x);
                let id = ui.scope_id().with(("legend", vertex));
                let response = ui.interact(place, id, Sense::click());
                response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &text));
                widgets::focus_ring(ui, place.expand(2.0), &response);
                if response.hovered() {
                    let y = place.bottom() - 2.0;
                    painter.hline(place.x_range(), y, Stroke::new(1.0, ink.accent));
                }
                if response.clicked() {
                    context.commands.push(Command::SelectVertex(Some(vertex)));
                }
                response
                    .on_hover_cursor(egui::CursorIcon::PointingHand)
                    .on_hover_text("Select the vertex");
            }
            Self::Bar(ramp, ends) => bar(painter, place, &ramp, ends, ink),
            Self::Swatch(color, text, number) => {
                let y = place.center().y;
                let swatch = Rect::from_center_size(
                    pos2(place.left() + SWATCH * 0.5, y),
                    vec2(SWATCH, SWATCH),
                );
                painter.rect_filled(swatch, 2.0, color);
                put(swatch.right() + PAD);
                let id = ui.scope_id().with(("legend", &text));
                let said = format!("{text}: {number}");
                ui.interact(place, id, Sense::hover())
                    .widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
                let font = FontId::proportional(SMALL + 0.5);
                let at = pos2(place.right(), y);
                let color = ink.text.gamma_multiply(0.85);
                painter.text(at, Align2::RIGHT_CENTER, number, font, color);
            }
        }
    }
}

fn bar(painter: &Painter, place: Rect, ramp: &Ramp, ends: [String; 3], ink: Ink) {
    let strip = Rect::from_min_size(place.min, vec2(place.width(), SWATCH));
    let mut mesh = egui::Mesh::default();
    let steps = strip.width().ceil().max(1.0) as usize;
    for step in 0..steps {
        let share = (step as f32 + 0.5) / steps as f32;
        let left = strip.left() + strip.width() * step as f32 / steps as f32;
        let width = strip.width() / steps as f32;
        let piece = Rect::from_min_size(pos2(left, strip.top()), vec2(width, SWATCH));
        mesh.add_colored_rect(piece, shade(ramp, share));
    }
    painter.add(mesh);
    let y = strip.bottom() + 2.0 + LINE * 0.5;
    let anchors = [
        (strip.left(), Align2::LEFT_CENTER),
        (strip.center().x, Align2::CENTER_CENTER),
        (strip.right(), Align2::RIGHT_CENTER),
    ];
    for ((x, anchor), text) in anchors.into_iter().zip(ends) {
        let tick = Stroke::new(1.0, ink.text.gamma_multiply(0.7));
        let tick_x = x.clamp(strip.left() + 0.5, strip.right() - 0.5);
        painter.vline(tick_x, strip.bottom()..=strip.bottom() + 3.0, tick);
        painter.text(
            pos2(x, y + 1.0),
            anchor,
            text,
            FontId::proportional(SMALL),
            ink.text.gamma_multiply(0.85),
        );
    }
}

/// The colour so far along a ramp, 0 … 1.
fn shade(ramp: &Ramp, share: f32) -> Color32 {
    let [low, high] = ramp.range;
    let [red, green, blue] = ramp.srgb(low + (high - low) * share);
    Color32::from_rgb(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_runs_from_the_ramps_first_colour_to_its_last() {
        for ramp in [Ramp::amount(0.02), Ramp::difference(0.5)] {
            let byte = |stop: usize| color32(ramp.stops[stop]);
            let last = ramp::STOPS - 1;
            assert_eq!(shade(&ramp, 1e-6), byte(0));
            assert_eq!(shade(&ramp, 1.0), byte(last));
            let quarter = shade(&ramp, 0.25);
            assert_eq!(quarter, byte(last / 4));
        }
    }
}
