//! The scrub bar: ruler, key ticks, held zones and playhead.

use core::ops::Range;

use egui::accesskit;
use egui::{
    Align2, Color32, CursorIcon, Event, FontId, Mesh, MouseWheelUnit, Painter, Rect, Response,
    Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::{Timeline, marks};
use crate::{
    anim::Player,
    document::Clip,
    scene::Character,
    session::Command,
    ui::{
        Context,
        format::plural,
        text::display,
        theme::{Colors, RADIUS, colors},
        widgets,
    },
};

/// Height of the ruler above the track.
const RULER: f32 = 18.0;
/// Room for half a playhead at both ends.
const INSET: f32 = 9.0;
/// Smallest mean distance of keys drawn as diamonds.
const DIAMOND_SPACING: f32 = 12.0;
/// Smallest distance of two ruler labels.
const LABEL_SPACING: f32 = 76.0;

/// Between seconds and points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    left: f32,
    width: f32,
    duration_secs: f32,
}

impl Scale {
    fn new(rect: Rect, duration_secs: f32) -> Self {
        Self {
            left: rect.left() + INSET,
            width: (rect.width() - 2.0 * INSET).max(1.0),
            duration_secs: duration_secs.max(1e-6),
        }
    }

    pub(super) fn x(&self, secs: f32) -> f32 {
        self.left + self.width * (secs / self.duration_secs)
    }

    fn secs(&self, x: f32) -> f32 {
        ((x - self.left) / self.width).clamp(0.0, 1.0) * self.duration_secs
    }
}

impl Timeline {
    pub(super) fn scrub_bar(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let size = vec2(
            ui.available_width(),
            ui.available_height().max(RULER + 20.0),
        );
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let session = context.session;
        let character = session.character().filter(|c| c.clip().is_some());
        let player = character.map(|c| c.player);
        let Some(player) = player.filter(|player| player.duration_secs > 0.0) else {
            paint_empty(ui, rect, &empty_text(session.character()));
            response.widget_info(|| WidgetInfo::slider(false, 0.0, "Timeline"));
            return;
        };
        let scale = Scale::new(rect, player.duration_secs);
        let track = track_of(rect);
        self.marks.follow(session);
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        let pointed = pointer.and_then(|at| self.marks.at(track, scale, at));
        self.input(ui, context, &response, scale, &player);
        if let Some(index) = pointed.filter(|_| response.clicked()) {
            let aspect = context.aspect;
            (context.commands).push(Command::ShowFinding { index, aspect });
        }
        describe(ui, &response, &player, 1.0 / session.guessed_fps());
        if ui.is_rect_visible(rect) {
            paint(ui, rect, &response, &player, session.key_times(), scale);
            let shown = session.shown_finding;
            let painter = ui.painter_at(rect);
            (self.marks).paint(&painter, track, scale, shown, colors(ui.visuals()));
        }
        match pointed.and_then(|finding| marks::text(session, finding)) {
            Some(text) => {
                let response = response.on_hover_cursor(CursorIcon::PointingHand);
                response.on_hover_text_at_pointer(display(&text));
            }
            None => {
                let _ = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
            }
        }
    }

    fn input(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        response: &Response,
        scale: Scale,
        player: &Player,
    ) {
        let held = response.is_pointer_button_down_on();
        context.scrubbing = held;
        // The last move often comes in one frame with the release.
        let released = response.drag_stopped() || response.clicked();
        if (held || released)
            && let Some(pointer) = response.interact_pointer_pos()
        {
            let mut secs = scale.secs(pointer.x);
            if ui.input(|input| input.modifiers.shift) {
                secs = nearest(context.session.key_times(), secs).unwrap_or(secs);
            }
            secs = secs.max(player.start_secs);
            // Held without moving, there is nothing to draw.
            if secs != player.time_secs {
                context.commands.push(Command::SetTime(secs));
            }
        }
        let mut frames = 0.0;
        if response.contains_pointer() {
            frames += self.wheel_frames(ui);
        }
        ui.input(|input| {
            let count = |action| input.num_accesskit_action_requests(response.id, action) as f32;
            frames += count(accesskit::Action::Increment) - count(accesskit::Action::Decrement);
            let last = input
                .accesskit_action_requests(response.id, accesskit::Action::SetValue)
                .last();
            if let Some(accesskit::ActionData::NumericValue(secs)) =
                last.and_then(|request| request.data.as_ref())
            {
                context.commands.push(Command::SetTime(*secs as f32));
            }
        });
        if frames != 0.0 {
            let secs = context.session.frames_on(frames);
            context.commands.extend(secs.map(Command::SetTime));
        }
    }

    /// Whole frames that the wheel asks for; a notch is a frame.
    fn wheel_frames(&mut self, ui: &Ui) -> f32 {
        let travel = ui.input(|input| {
            let wheel = input.events.iter().filter_map(|event| match event {
                Event::MouseWheel { unit, delta, .. } => {
                    let delta = if delta.y.abs() >= delta.x.abs() {
                        delta.y
                    } else {
                        delta.x
                    };
                    Some(match unit {
                        MouseWheelUnit::Point => delta / 24.0,
                        MouseWheelUnit::Line | MouseWheelUnit::Page => delta,
                    })
                }
                _ => None,
            });
            wheel.sum::<f32>()
        });
        self.wheel_rest += travel;
        let whole = self.wheel_rest.trunc();
        self.wheel_rest -= whole;
        // Rolling towards oneself goes on in time, as it goes on in a text.
        -whole
    }
}

fn paint(
    ui: &Ui,
    rect: Rect,
    response: &Response,
    player: &Player,
    key_times: &[f32],
    scale: Scale,
) {
    let colors = colors(ui.visuals());
    let painter = ui.painter_at(rect);
    let track = track_of(rect);
    painter.rect_filled(track, RADIUS, colors.sunken);
    ruler(&painter, rect, scale, colors);

    let held = |range: Range<f32>| {
        Rect::from_x_y_ranges(scale.x(range.start)..=scale.x(range.end), track.y_range())
    };
    if let (Some(&first), Some(&last)) = (key_times.first(), key_times.last()) {
        if first > 1e-4 {
            hatch(&painter, held(0.0..first), colors);
        }
        if last < player.duration_secs - 1e-4 {
            hatch(&painter, held(last..player.duration_secs), colors);
        }
    }
    ticks(&painter, track, key_times, scale, colors);
    if player.start_secs > 0.0 {
        let x = scale.x(player.start_secs);
        painter.vline(x, track.y_range(), Stroke::new(1.0, colors.accent));
    }
    if let Some(pointer) = response.hover_pos().filter(|_| !response.dragged()) {
        let x = pointer.x.clamp(scale.x(0.0), scale.x(player.duration_secs));
        painter.vline(
            x,
            track.y_range(),
            Stroke::new(1.0, colors.weak.gamma_multiply(0.6)),
        );
    }
    playhead(&painter, rect, track, scale.x(player.time_secs), colors);
    widgets::focus_ring(ui, rect, response);
}

/// The bar without its ruler.
fn track_of(rect: Rect) -> Rect {
    Rect::from_min_max(pos2(rect.left(), rect.top() + RULER), rect.max)
}

fn describe(ui: &Ui, response: &Response, player: &Player, frame_secs: f32) {
    response.widget_info(|| {
        WidgetInfo::slider(ui.is_enabled(), f64::from(player.time_secs), "Timeline")
    });
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(f64::from(player.duration_secs));
        node.set_numeric_value_step(f64::from(frame_secs));
        node.set_role(Role::Slider);
        node.add_action(accesskit::Action::SetValue);
        node.add_action(accesskit::Action::Increment);
        node.add_action(accesskit::Action::Decrement);
    });
}

/// What a timeline without length is about.
fn empty_text(character: Option<&Character>) -> String {
    let Some(character) = character else {
        return String::new();
    };
    match character.clip().map(Clip::key_count) {
        None | Some(0) => "A still pose: no keys".to_owned(),
        Some(keys) => format!(
            "A single pose: {} at {} s",
            plural(keys, "key"),
            character.player.duration_secs
        ),
    }
}

fn paint_empty(ui: &Ui, rect: Rect, text: &str) {
    let colors = colors(ui.visuals());
    let track = track_of(rect);
    ui.painter().rect_filled(track, RADIUS, colors.sunken);
    ui.painter().text(
        track.center(),
        Align2::CENTER_CENTER,
        text,
        FontId::proportional(12.0),
        colors.weak,
    );
}

fn ruler(painter: &Painter, rect: Rect, scale: Scale, colors: &Colors) {
    let step = nice_step(scale.duration_secs * LABEL_SPACING / scale.width);
    let minor = step / 5.0;
    let decimals = (-step.log10().floor()).clamp(0.0, 4.0) as usize;
    let bottom = rect.top() + RULER;
    let count = (scale.duration_secs / minor + 1e-3).floor() as usize;
    for index in 0..=count.min(4096) {
        let secs = index as f32 * minor;
        let x = scale.x(secs);
        let is_major = index % 5 == 0;
        let height = if is_major { 6.0 } else { 3.0 };
        let color = if is_major {
            colors.weak
        } else {
            colors.weak.gamma_multiply(0.5)
        };
        painter.vline(
            x.round() + 0.5,
            (bottom - height)..=(bottom - 1.0),
            Stroke::new(1.0, color),
        );
        if is_major {
            let text = if index == 0 {
                "0 s".to_owned()
            } else {
                format!("{secs:.decimals$}")
            };
            let font = FontId::proportional(10.5);
            let galley = painter.layout_no_wrap(text, font, colors.weak);
            // The last label stays inside.
            let room = rect.right() - 2.0 - galley.size().x;
            let left = (x - galley.size().x * 0.5).clamp(rect.left() + 2.0, room.max(rect.left()));
            painter.galley(pos2(left, rect.top() - 1.0), galley, colors.weak);
        }
    }
}

/// The smallest of 1, 2, 5 × 10ⁿ that is not below `wanted`.
pub(super) fn nice_step(wanted: f32) -> f32 {
    if !wanted.is_finite() || wanted <= 0.0 {
        return 1.0;
    }
    let decade = 10f32.powf(wanted.log10().floor());
    for factor in [1.0, 2.0, 5.0] {
        if decade * factor >= wanted * 0.9999 {
            return decade * factor;
        }
    }
    decade * 10.0
}

/// Keys: diamonds while there is room, lines where they crowd; at most one per
/// pixel however many there are.
fn ticks(painter: &Painter, track: Rect, times: &[f32], scale: Scale, colors: &Colors) {
    let pixel = 1.0 / painter.pixels_per_point();
    let ticks: Vec<(f32, usize)> = merged(times, scale, pixel).collect();
    let y = track.center().y;
    if (ticks.len() as f32) * DIAMOND_SPACING <= scale.width {
        for (x, _) in ticks {
            let r = 4.0;
            let corners = vec![
                pos2(x, y - r),
                pos2(x + r, y),
                pos2(x, y + r),
                pos2(x - r, y),
            ];
            painter.add(Shape::convex_polygon(corners, colors.key, Stroke::NONE));
        }
        return;
    }
    let mut mesh = Mesh::default();
    let half_height = (track.height() * 0.28).max(4.0);
    for (x, crowd) in ticks {
        // Exactly the pixel column, so that crowds close up without a pattern.
        let left = (x / pixel).floor() * pixel;
        let strength = if crowd > 1 { 0.85 } else { 0.6 };
        let tick = Rect::from_min_max(
            pos2(left, y - half_height),
            pos2(left + pixel, y + half_height),
        );
        mesh.add_colored_rect(tick, colors.key.gamma_multiply(strength));
    }
    painter.add(Shape::mesh(mesh));
}

/// Positions of ticks with how many keys fall on each; jumps from pixel to pixel
/// by binary search, so that ten thousand keys cost no more than the width.
fn merged(times: &[f32], scale: Scale, pixel: f32) -> impl Iterator<Item = (f32, usize)> + '_ {
    let mut rest = times;
    core::iter::from_fn(move || {
        let &first = rest.first()?;
        let x = scale.x(first);
        // All that fall into the same column of pixels.
        let end = ((x / pixel).floor() + 1.0) * pixel;
        let crowd = rest.partition_point(|&time| scale.x(time) < end).max(1);
        rest = &rest[crowd..];
        Some((x, crowd))
    })
}

/// Diagonal lines: the value is held here.
fn hatch(painter: &Painter, rect: Rect, colors: &Colors) {
    if rect.width() < 1.0 {
        return;
    }
    let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
    let stroke = Stroke::new(1.0, colors.line);
    let height = rect.height();
    let mut x = rect.left() - height;
    while x < rect.right() {
        painter.line_segment(
            [pos2(x, rect.bottom()), pos2(x + height, rect.top())],
            stroke,
        );
        x += 7.0;
    }
}

fn playhead(painter: &Painter, rect: Rect, track: Rect, x: f32, colors: &Colors) {
    // Below the ruler's numbers, so that it covers none.
    let top = rect.top() + RULER - 7.0;
    let head = vec![
        pos2(x - 5.0, top),
        pos2(x + 5.0, top),
        pos2(x + 5.0, top + 6.0),
        pos2(x, top + 11.0),
        pos2(x - 5.0, top + 6.0),
    ];
    painter.vline(
        x,
        (top + 6.0)..=track.bottom(),
        Stroke::new(1.5, colors.accent),
    );
    painter.add(Shape::convex_polygon(
        head,
        colors.accent,
        Stroke::new(1.0, Color32::from_black_alpha(60)),
    ));
}

fn nearest(times: &[f32], secs: f32) -> Option<f32> {
    let after = times.partition_point(|&time| time < secs);
    let candidates = [after.checked_sub(1), Some(after)];
    candidates
        .into_iter()
        .flatten()
        .filter_map(|index| times.get(index).copied())
        .min_by(|a, b| (a - secs).abs().total_cmp(&(b - secs).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ruler_steps_are_one_two_or_five() {
        for (wanted, step) in [
            (0.9, 1.0),
            (1.0, 1.0),
            (1.1, 2.0),
            (3.0, 5.0),
            (7.0, 10.0),
            (0.03, 0.05),
        ] {
            assert!(
                (nice_step(wanted) - step).abs() < step * 1e-4,
                "{wanted} gave {}",
                nice_step(wanted)
            );
        }
        assert_eq!(nice_step(f32::NAN), 1.0);
        assert_eq!(nice_step(0.0), 1.0);
    }

    #[test]
    fn ticks_merge_to_at_most_one_per_pixel_and_lose_no_key() {
        let times: Vec<f32> = (0..10_000).map(|k| k as f32 * 0.001).collect();
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(418.0, 40.0));
        let ticks: Vec<_> = merged(&times, Scale::new(rect, 9.999), 1.0).collect();
        assert!(ticks.len() <= 401, "{} ticks on 400 pixels", ticks.len());
        assert_eq!(ticks.iter().map(|(_, crowd)| crowd).sum::<usize>(), 10_000);
        assert_eq!(merged(&times[..3], Scale::new(rect, 0.002), 1.0).count(), 3);
    }

    #[test]
    fn the_nearest_key_may_lie_on_either_side() {
        let times = [0.0, 0.5, 1.0];
        assert_eq!(nearest(&times, 0.6), Some(0.5));
        assert_eq!(nearest(&times, 0.9), Some(1.0));
        assert_eq!(nearest(&times, 7.0), Some(1.0));
        assert_eq!(nearest(&[], 7.0), None);
    }
}
