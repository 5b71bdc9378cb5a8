//! What is painted along the time axis: ruler, grid and playhead.

use egui::{
    Align2, Color32, CursorIcon, FontId, Painter, Rect, Response, Sense, Shape, Stroke, Ui, pos2,
    vec2,
};

use super::axis::{self, TimeAxis};
use crate::{
    anim::Player,
    session::{Command, Session},
    ui::{
        Context,
        theme::{Colors, RADIUS, colors},
        widgets,
    },
};

/// Height of the ruler: seconds above, guessed frames below.
pub const RULER: f32 = 32.0;
/// Where the frames' line begins.
const FRAMES: f32 = 15.0;
/// Smallest distance of two labels of seconds.
const SECONDS_SPACING: f32 = 84.0;
/// Smallest distance of two labels of frames.
const FRAMES_SPACING: f32 = 44.0;
/// Frames farther apart leave the grid to the seconds.
const FAR: f32 = 300.0;
/// Smallest distance of two ticks.
const TICK_SPACING: f32 = 4.0;
const LABEL: f32 = 10.5;

/// The ruler above a plot of the same width: drag to scrub (Shift snaps to keys), wheel
/// to step frames, Ctrl and wheel to zoom, double-click for the whole clip. Carries the
/// playhead's head, with the frame.
pub fn show(ui: &mut Ui, context: &mut Context<'_>, rect: Rect, axis: TimeAxis) {
    let session = context.session;
    let response = ui.interact(rect, ui.scope_id().with("ruler"), Sense::click_and_drag());
    let player = session.character().map(|c| c.player).unwrap_or_default();
    axis::navigate(ui, context, rect, &response, axis);
    if player.duration_secs > 0.0 {
        axis::drag_playhead(ui, context, rect, &response, axis, &player);
        axis::step_frames(ui, context, &response);
        keep_in_sight(ui, context, rect, &response, axis, &player);
    }
    axis::describe(ui, &response, &player, 1.0 / session.guessed_fps());
    paint(ui, session, rect, axis, &player);
    widgets::focus_ring(ui, rect, &response);
    let _ = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
}

/// Follows a playhead that was sent out of sight: by a step, a key, a finding. While
/// it runs, or a hand holds it, the view stands still.
fn keep_in_sight(
    ui: &Ui,
    context: &mut Context<'_>,
    rect: Rect,
    response: &Response,
    axis: TimeAxis,
    player: &Player,
) {
    let id = response.id.with("playhead");
    let now = player.time_secs;
    let before: Option<f32> = ui.data(|data| data.get_temp(id));
    ui.data_mut(|data| data.insert_temp(id, now));
    let was_sent = before.is_some_and(|before| before != now)
        && !player.playing
        && !context.session.scrubbing
        && !context.scrubbing;
    let x = axis.x_of(rect, now);
    if was_sent && !rect.x_range().contains(x) {
        let to_middle = x - rect.center().x;
        let seen = axis.panned(rect, to_middle, player.duration_secs);
        let times = Some([seen.from_secs, seen.to_secs]);
        context.commands.push(Command::ShowTimes(times));
    }
}

fn paint(ui: &Ui, session: &Session, rect: Rect, axis: TimeAxis, player: &Player) {
    let colors = colors(ui.visuals());
    let painter = ui.painter_at(rect);
    painter.hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(1.0, colors.line),
    );
    let fps = session.guessed_fps();
    let head = Head::new(&painter, rect, axis, player, fps, colors);
    let duration = player.duration_secs;
    let step = nice_step(axis.secs_per_point(rect) * SECONDS_SPACING);
    let decimals = (-(step * 1.001).log10().floor()).clamp(0.0, 4.0) as usize;
    for secs in multiples(axis, step, duration) {
        let x = axis.x_of(rect, secs);
        let text = format!("{secs:.decimals$} s");
        label(&painter, rect, x, rect.top() + 7.0, text, colors, None);
    }
    let step = frame_step(axis.secs_per_point(rect) * fps * FRAMES_SPACING);
    for secs in multiples(axis, step / fps, duration) {
        let x = axis.x_of(rect, secs);
        let text = format!("{:.0}", secs * fps);
        let y = rect.top() + FRAMES + 6.0;
        label(
            &painter,
            rect,
            x,
            y,
            text,
            colors,
            head.as_ref().map(|h| h.rect),
        );
        tick(&painter, rect, x, 5.0, colors.weak);
    }
    let small = frame_step(axis.secs_per_point(rect) * fps * TICK_SPACING);
    let weak = colors.weak.gamma_multiply(0.45);
    if small < step {
        for secs in multiples(axis, small / fps, duration) {
            tick(&painter, rect, axis.x_of(rect, secs), 3.0, weak);
        }
    }
    if let Some(head) = head {
        head.paint(&painter, rect, colors);
    }
}

/// A number centred at `x`, kept inside; left out where it would touch `taken`.
fn label(
    painter: &Painter,
    rect: Rect,
    x: f32,
    y: f32,
    text: String,
    colors: &Colors,
    taken: Option<Rect>,
) {
    let galley = painter.layout_no_wrap(text, FontId::proportional(LABEL), colors.weak);
    let size = galley.size();
    let room = (rect.right() - 2.0 - size.x).max(rect.left() + 2.0);
    let left = (x - size.x * 0.5).clamp(rect.left() + 2.0, room);
    // One that was pushed far off says something else than it seems.
    let is_off = (left + size.x * 0.5 - x).abs() > size.x * 0.5;
    let place = Rect::from_min_size(pos2(left, y - size.y * 0.5), size);
    let is_taken = taken.is_some_and(|taken| taken.expand2(vec2(3.0, 0.0)).intersects(place));
    if !is_off && !is_taken {
        painter.galley(place.min, galley, colors.weak);
    }
}

fn tick(painter: &Painter, rect: Rect, x: f32, height: f32, color: Color32) {
    let x = column(painter, x);
    let range = rect.bottom() - 1.0 - height..=rect.bottom() - 1.0;
    painter.vline(x, range, Stroke::new(1.0, color));
}

/// The middle of the pixel column that holds `x`, for crisp hairlines.
pub fn column(painter: &Painter, x: f32) -> f32 {
    let scale = painter.pixels_per_point();
    ((x * scale).floor() + 0.5) / scale
}

/// Multiples of `step` seconds that are seen and lie in the clip.
fn multiples(axis: TimeAxis, step: f32, duration_secs: f32) -> impl Iterator<Item = f32> {
    let end = axis.to_secs.min(duration_secs * (1.0 + 1e-5));
    let first = (axis.from_secs.max(0.0) / step).ceil();
    let count = ((end / step).floor() - first + 1.0).clamp(0.0, 4096.0) as usize;
    (0..count).map(move |index| (first + index as f32) * step)
}

/// The smallest of 1, 2, 5 × 10ⁿ that is not below `wanted`.
pub fn nice_step(wanted: f32) -> f32 {
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

/// The same in whole frames.
fn frame_step(wanted: f32) -> f32 {
    nice_step(wanted.max(1.0)).round()
}

/// Lines at the labelled frames (at seconds, where frames are long), and shade where the clip is not. Before the contents.
pub fn grid(ui: &Ui, painter: &Painter, rect: Rect, axis: TimeAxis, session: &Session) {
    let colors = colors(ui.visuals());
    let duration = axis::duration_secs(session);
    let (start, end) = (axis.x_of(rect, 0.0), axis.x_of(rect, duration));
    for (from, to) in [(rect.left(), start), (end, rect.right())] {
        if to > from {
            let outside = Rect::from_x_y_ranges(from..=to, rect.y_range()).intersect(rect);
            painter.rect_filled(outside, 0.0, colors.panel.gamma_multiply(0.75));
        }
    }
    let fps = session.guessed_fps();
    let point = axis.secs_per_point(rect);
    let frames = frame_step(point * fps * FRAMES_SPACING) / fps;
    let step = if frames > point * FAR {
        nice_step(point * SECONDS_SPACING)
    } else {
        frames
    };
    let stroke = Stroke::new(1.0, colors.line.gamma_multiply(0.8));
    for secs in multiples(axis, step, duration) {
        painter.vline(
            column(painter, axis.x_of(rect, secs)),
            rect.y_range(),
            stroke,
        );
    }
}

/// The playhead's line down a plot; the ruler above carries its head. After the contents.
pub fn playhead(ui: &Ui, painter: &Painter, rect: Rect, axis: TimeAxis, secs: f32) {
    let x = axis.x_of(rect, secs);
    if rect.x_range().expand(1.0).contains(x) {
        let stroke = Stroke::new(1.5, colors(ui.visuals()).accent);
        painter.vline(x, rect.y_range(), stroke);
    }
}

/// A thin line where the pointer is.
pub fn pointer_line(ui: &Ui, painter: &Painter, rect: Rect, x: f32) {
    let color = colors(ui.visuals()).weak.gamma_multiply(0.45);
    painter.vline(column(painter, x), rect.y_range(), Stroke::new(1.0, color));
}

/// The time where the pointer is, in the ruler above.
pub fn pointer_time(ui: &Ui, ruler: Rect, axis: TimeAxis, x: f32) {
    let colors = colors(ui.visuals());
    // The contents' own clip ends below the ruler.
    let painter = ui.ctx().layer_painter(ui.layer_id()).with_clip_rect(ruler);
    let secs = axis.secs_at(ruler, x);
    // As many digits as a point is worth.
    let decimals = (-axis.secs_per_point(ruler).log10().floor()).clamp(2.0, 5.0) as usize;
    let text = format!("{secs:.decimals$} s").replace('-', "\u{2212}");
    let galley = painter.layout_no_wrap(text, FontId::proportional(LABEL), colors.text);
    let size = galley.size() + vec2(10.0, 1.0);
    let left = (x - size.x * 0.5).clamp(ruler.left(), (ruler.right() - size.x).max(ruler.left()));
    let place = Rect::from_min_size(pos2(left, ruler.top()), vec2(size.x, FRAMES - 1.0));
    painter.rect_filled(place, RADIUS - 1, colors.hovered);
    let at = Align2::CENTER_CENTER.anchor_size(place.center(), galley.size());
    painter.galley(at.min, galley, colors.text);
}

/// The head of the playhead: a flag with the frame.
struct Head {
    rect: Rect,
    x: f32,
    galley: std::sync::Arc<egui::Galley>,
}

impl Head {
    /// None where the playhead is out of sight, or there is no clip.
    fn new(
        painter: &Painter,
        rect: Rect,
        axis: TimeAxis,
        player: &Player,
        fps: f32,
        colors: &Colors,
    ) -> Option<Self> {
        let x = axis.x_of(rect, player.time_secs);
        if player.duration_secs <= 0.0 || !rect.x_range().expand(1.0).contains(x) {
            return None;
        }
        let (frame, _) = super::controls::frame_text(player.time_secs, player.playing, fps);
        let font = FontId::proportional(LABEL + 0.5);
        let galley = painter.layout_no_wrap(frame, font, colors.on_accent);
        let size = vec2(
            (galley.size().x + 8.0).max(14.0),
            rect.height() - FRAMES - 3.0,
        );
        let left = (x - size.x * 0.5).clamp(rect.left(), (rect.right() - size.x).max(rect.left()));
        let head = Rect::from_min_size(pos2(left, rect.top() + FRAMES), size);
        Some(Self {
            rect: head,
            x,
            galley,
        })
    }

    fn paint(self, painter: &Painter, rect: Rect, colors: &Colors) {
        let tip = self.rect.bottom();
        painter.rect_filled(self.rect, RADIUS - 1, colors.accent);
        let triangle = vec![
            pos2(self.x - 3.0, tip - 0.5),
            pos2(self.x + 3.0, tip - 0.5),
            pos2(self.x, rect.bottom()),
        ];
        painter.add(Shape::convex_polygon(triangle, colors.accent, Stroke::NONE));
        let at = Align2::CENTER_CENTER.anchor_size(self.rect.center(), self.galley.size());
        painter.galley(at.min, self.galley, colors.on_accent);
    }
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
        assert_eq!(frame_step(0.3), 1.0, "frames are whole");
        assert_eq!(frame_step(11.0), 20.0);
    }

    #[test]
    fn labels_stay_in_the_clip_and_are_few() {
        let axis = TimeAxis {
            from_secs: -0.1,
            to_secs: 1.3,
        };
        let seen: Vec<f32> = multiples(axis, 0.25, 1.0).collect();
        assert_eq!(seen, [0.0, 0.25, 0.5, 0.75, 1.0]);
        let zoomed = TimeAxis {
            from_secs: 0.3,
            to_secs: 0.6,
        };
        assert_eq!(multiples(zoomed, 0.25, 1.0).collect::<Vec<_>>(), [0.5]);
        assert!(multiples(axis, 1e-9, 1.0).count() <= 4096);
    }
}
