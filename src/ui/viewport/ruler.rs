//! The ruler in the view: putting its ends somewhere, and what it says.

use egui::{
    Align2, CursorIcon, FontId, PointerButton, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2,
    WidgetInfo, pos2, text::LayoutJob, vec2,
};
use glam::Vec3;

use super::{
    Ink, labels,
    pick::{self, Projection},
};
use crate::{
    scene::{self, Frame, Measured, Ray, RulerEnd},
    session::Command,
    ui::{Context, length, theme},
};

/// Vertices up to which the surface under a moving pointer is looked for; beyond, it
/// is at a click.
const MOST_VERTICES: usize = 150_000;
/// How far away the ground counts, in distances of the eye from its target: further
/// off nobody means it.
const FARTHEST_GROUND: f32 = 8.0;

/// Whether clicks in the view put ends of the ruler.
pub(super) fn is_picking(context: &Context<'_>) -> bool {
    context
        .session
        .view
        .ruler
        .is_some_and(|ruler| ruler.is_waiting())
}

/// Pointer and clicks while an end is to be put somewhere.
pub(super) fn pointer(
    ui: &Ui,
    context: &mut Context<'_>,
    rect: Rect,
    ink: Ink,
    response: &Response,
) {
    if response.dragged() {
        return;
    }
    let Some(pointer) = response.hover_pos() else {
        return;
    };
    ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    let clicked = response.clicked_by(PointerButton::Primary);
    let keeps_off = ui.input(|input| input.modifiers.shift);
    let Some((end, place)) = end_at(context, rect, pointer, !keeps_off, clicked) else {
        return;
    };
    if let RulerEnd::Joint(joint) = end {
        context.hovered_joint = Some(joint);
    }
    preview(ui, context, rect, ink, place);
    if let RulerEnd::Joint(joint) = end
        && let Some(name) = context.joint_label(joint)
    {
        let at = Projection::new(context.frame, rect).point(place);
        labels::tooltip(ui, rect, pointer, at.map(|(at, _)| at), &name);
    }
    let ruler = context.session.view.ruler.unwrap_or_default();
    if clicked {
        let mut view = context.session.view.clone();
        view.ruler = Some(ruler.with(end));
        context.commands.push(Command::SetView(Box::new(view)));
    }
}

/// What the pointer means, and where that is: a joint within reach where joints are
/// shown, else the surface, the ground, or the plane that the camera looks at.
fn end_at(
    context: &Context<'_>,
    rect: Rect,
    pointer: Pos2,
    snaps: bool,
    clicked: bool,
) -> Option<(RulerEnd, Vec3)> {
    let (session, frame) = (context.session, context.frame);
    let character = session.character()?;
    if snaps
        && frame.joints.len() > 1
        && let Some(joint) = pick::joint_at(session, frame, rect, pointer)
        && let Some(place) = character.place(joint)
    {
        return Some((RulerEnd::Joint(joint), place));
    }
    let (origin, direction) = sight(frame, rect, pointer);
    let view = &session.view;
    let is_light = character.document.vertex_count() <= MOST_VERTICES;
    if view.mesh
        && (is_light || clicked)
        && let Some((point, place)) = scene::surface_at(frame, &Ray { origin, direction })
    {
        return Some((RulerEnd::Surface(point), place));
    }
    let camera = &view.camera;
    let ground = (frame.ground_height - origin.y) / direction.y;
    let place = origin + direction * ground;
    let reach = camera.distance * FARTHEST_GROUND;
    if ground > 0.0 && place.distance(camera.target) < reach {
        return Some((RulerEnd::Ground(place), place));
    }
    let forward = camera.world_from_view_rotation() * Vec3::NEG_Z;
    let share = (camera.target - origin).dot(forward) / direction.dot(forward);
    let place = origin + direction * share;
    place.is_finite().then_some((RulerEnd::Air(place), place))
}

/// The line of sight through a point on the screen: where it starts, before all that is
/// on stage, and a unit vector along it; world space.
fn sight(frame: &Frame, rect: Rect, at: Pos2) -> (Vec3, Vec3) {
    let camera = &frame.camera;
    let half = rect.size() * 0.5;
    let from_center = at - rect.center();
    let clip = camera.clip_from_view;
    let x = from_center.x / half.x / clip.x_axis.x;
    let y = -from_center.y / half.y / clip.y_axis.y;
    let world_from_view = camera.view_from_world.inverse();
    let is_parallel = clip.z_axis.w == 0.0;
    if is_parallel {
        let reach = frame.bounds.diagonal() + frame.bounds.center().distance(camera.eye);
        let origin = world_from_view.transform_point3(Vec3::new(x, y, reach));
        (origin, world_from_view.transform_vector3(Vec3::NEG_Z))
    } else {
        let direction = world_from_view.transform_vector3(Vec3::new(x, y, -1.0));
        (camera.eye, direction.normalize())
    }
}

/// Where a click would put the end, and the way there from the first.
fn preview(ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink, place: Vec3) {
    let projection = Projection::new(context.frame, rect);
    let Some((at, _)) = projection.point(place) else {
        return;
    };
    let painter = ui.painter_at(rect);
    let from = context.frame.ruler.map(|measured| measured.from);
    if let Some(from) = from
        && let Some((start, _)) = projection.point(from)
    {
        for (width, color) in [(4.0, ink.outline.gamma_multiply(0.5)), (1.5, ink.text)] {
            painter.line_segment([start, at], Stroke::new(width, color));
        }
        let measured = Measured { from, to: place };
        plate(ui, rect, ink, start, at, &measured);
    }
    for (width, color) in [(3.5, ink.outline), (1.5, ink.text)] {
        painter.circle_stroke(at, 6.0, Stroke::new(width, color));
    }
}

/// What the ruler measures, beside its line; or what to do next. Gives back where.
pub(super) fn show(ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink) -> Option<Rect> {
    let ruler = context.session.view.ruler?;
    if ruler.is_waiting() {
        let text = match ruler.from {
            None => "Ruler: click the first point",
            Some(_) => "Ruler: click the second point",
        };
        return Some(hint(ui, rect, ink, text));
    }
    let measured = context.frame.ruler?;
    let projection = Projection::new(context.frame, rect);
    let ((from, _), (to, _)) = (
        projection.point(measured.from)?,
        projection.point(measured.to)?,
    );
    plate(ui, rect, ink, from, to, &measured)
}

fn hint(ui: &Ui, rect: Rect, ink: Ink, text: &str) -> Rect {
    let painter = ui.painter_at(rect);
    let whole = format!("{text}  ·  Shift keeps off joints  ·  Esc ends");
    let text = if rect.width() > 420.0 { &whole } else { text };
    let font = FontId::proportional(12.5);
    let galley = painter.layout_no_wrap(text.to_owned(), font, ink.text);
    let at = rect.center_top() + vec2(0.0, theme::MARGIN);
    let area = Align2::CENTER_TOP.anchor_size(at, galley.size() + vec2(20.0, 10.0));
    painter.rect_filled(area, theme::RADIUS, ink.plate);
    painter.galley(area.min + vec2(10.0, 5.0), galley, ink.text);
    label(ui, area, "ruler hint", text);
    area
}

/// Distance, and the ways along x, y and z in the colours of their axes.
fn plate(ui: &Ui, rect: Rect, ink: Ink, from: Pos2, to: Pos2, measured: &Measured) -> Option<Rect> {
    let painter = ui.painter_at(rect);
    let distance = length::length(measured.distance());
    let offset = measured.offset();
    let axes = if ink.is_dark {
        theme::DARK.axes
    } else {
        theme::LIGHT.axes
    };
    let mut job = LayoutJob::default();
    let mut append = |text: &str, size: f32, color| {
        let format = egui::TextFormat::simple(FontId::proportional(size), color);
        job.append(text, 0.0, format);
    };
    append(&distance, 14.0, ink.text);
    append("\n", 11.5, ink.text);
    let numbers = length::in_one_unit(offset);
    for ((letter, number), color) in ["x ", "  y ", "  z "].iter().zip(&numbers).zip(axes) {
        append(letter, 11.5, color);
        append(number, 11.5, ink.text);
    }
    append(&format!(" {}", length::common_unit(offset)), 11.5, ink.text);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let padding = vec2(9.0, 5.0);
    let size = galley.size() + padding * 2.0;
    let area = beside(rect.shrink(4.0), from, to, size)?;
    painter.rect_filled(area, theme::RADIUS, ink.plate);
    painter.galley(area.min + padding, galley, ink.text);
    label(ui, area, "ruler", &format!("Ruler: {distance}"));
    Some(area)
}

fn label(ui: &Ui, area: Rect, name: &str, text: &str) {
    let response = ui.interact(area, ui.scope_id().with(name), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, text));
}

/// A place of this size beside the middle of a line, off it, inside the view; `None`
/// where the line is nowhere near.
fn beside(view: Rect, from: Pos2, to: Pos2, size: Vec2) -> Option<Rect> {
    let middle = from + (to - from) * 0.5;
    if !view.expand(200.0).contains(middle) {
        return None;
    }
    let run = (to - from).normalized();
    // To the right of a line that goes up or down, above one that lies.
    let mut across = vec2(-run.y, run.x);
    if across == Vec2::ZERO {
        across = vec2(1.0, 0.0);
    }
    if across.x < -0.2 || (across.x < 0.2 && across.y > 0.0) {
        across = -across;
    }
    let reach = (across.x.abs() * size.x + across.y.abs() * size.y) * 0.5 + 12.0;
    let center = middle + across * reach;
    let wanted = Rect::from_center_size(center, size);
    let last = pos2(
        (view.max.x - size.x).max(view.min.x),
        (view.max.y - size.y).max(view.min.y),
    );
    Some(Rect::from_min_size(wanted.min.clamp(view.min, last), size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_sight_shows_as_the_point_it_goes_through() {
        let view = Rect::from_min_size(pos2(30.0, 20.0), vec2(600.0, 400.0));
        for orthographic in [false, true] {
            let mut look = scene::View::default();
            look.camera.orthographic = orthographic;
            look.camera.target = Vec3::new(1.0, 2.0, -3.0);
            let mut frame = Frame::default();
            let aspect = view.aspect_ratio();
            scene::build(&scene::Stage::default(), &look, aspect, &mut frame);
            let projection = Projection::new(&frame, view);
            for at in [view.center(), pos2(40.0, 390.0), pos2(611.0, 30.0)] {
                let (origin, direction) = sight(&frame, view, at);
                assert!((direction.length() - 1.0).abs() < 1e-5);
                for share in [0.5, 1.0, 3.0] {
                    let place = origin + direction * look.camera.distance * share;
                    let (shown, _) = projection.point(place).expect("before the eye");
                    assert!(shown.distance(at) < 0.01, "{shown} for {at}");
                }
            }
        }
    }

    #[test]
    fn the_plate_lies_off_its_line_and_in_the_view() {
        let view = Rect::from_min_size(pos2(0.0, 0.0), vec2(600.0, 400.0));
        let size = vec2(120.0, 40.0);
        let middle = pos2(300.0, 200.0);
        for degrees in (0..360).step_by(15) {
            let reach = Vec2::angled((degrees as f32).to_radians()) * 90.0;
            let area = beside(view, middle - reach, middle + reach, size).expect("in view");
            for step in 0..=20 {
                let at = middle + reach * (step as f32 / 10.0 - 1.0);
                assert!(!area.contains(at), "{degrees}°: {area} covers {at}");
            }
            assert!(view.contains_rect(area));
        }
        let corner = beside(view, pos2(590.0, 5.0), pos2(599.0, 300.0), size);
        assert!(corner.is_some_and(|area| view.contains_rect(area)));
        assert_eq!(
            beside(view, pos2(2000.0, 0.0), pos2(2000.0, 9.0), size),
            None
        );
    }
}
