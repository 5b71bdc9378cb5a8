//! The time axis that dope sheet, curves and bar share: which stretch of time is seen,
//! how the wheel zooms it, and where the playhead goes when a hand takes it.
//!
//! The stretch itself is state of the session ([`Session::shown_times`]), so every view
//! derives its axis afresh and none can disagree.

use egui::accesskit;
use egui::{
    Event, MouseWheelUnit, PointerButton, Rect, Response, Role, Ui, WidgetInfo, emath::NumExt as _,
};

use crate::{
    anim::Player,
    session::{Command, Session},
    ui::Context,
};

/// Room for half a playhead at both ends of a whole clip, in points.
pub const INSET: f32 = 9.0;
/// The shortest stretch to zoom to, in seconds.
const SHORTEST_SECS: f32 = 0.002;
/// And as a part of the clip, so that neighbouring pixels still differ in `f32`.
const SHORTEST_PART: f32 = 2e-5;

/// A stretch of time laid over the width of a rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeAxis {
    /// Seconds at the left edge; below 0 where the clip's start has room before it.
    pub from_secs: f32,
    /// Seconds at the right edge.
    pub to_secs: f32,
}

impl TimeAxis {
    /// A whole clip, with [`INSET`] at both ends.
    pub fn whole(rect: Rect, duration_secs: f32) -> Self {
        let duration_secs = duration_secs.at_least(1e-6);
        let inner = (rect.width() - 2.0 * INSET).at_least(1.0);
        let margin = duration_secs * INSET / inner;
        Self {
            from_secs: -margin,
            to_secs: duration_secs + margin,
        }
    }

    /// What is seen now of the clip in play.
    pub fn of(session: &Session, rect: Rect) -> Self {
        let whole = Self::whole(rect, duration_secs(session));
        match session.shown_times {
            Some([from_secs, to_secs]) => Self { from_secs, to_secs }.within(whole),
            None => whole,
        }
    }

    /// Where a time lies, in points; may be outside of `rect`.
    pub fn x_of(&self, rect: Rect, secs: f32) -> f32 {
        rect.left() + rect.width() * ((secs - self.from_secs) / self.span())
    }

    /// The time at a place; before 0 and after the clip's end it goes on.
    pub fn secs_at(&self, rect: Rect, x: f32) -> f32 {
        self.from_secs + self.span() * ((x - rect.left()) / rect.width().at_least(1.0))
    }

    /// Seconds that a point covers.
    pub fn secs_per_point(&self, rect: Rect) -> f32 {
        self.span() / rect.width().at_least(1.0)
    }

    /// Seconds from edge to edge.
    pub fn span(&self) -> f32 {
        (self.to_secs - self.from_secs).at_least(1e-9)
    }

    /// `factor` times nearer (above 1) or farther, the time at `x` staying where it is
    /// unless the clip's ends are in the way.
    pub fn zoomed(self, rect: Rect, x: f32, factor: f32, duration_secs: f32) -> Self {
        if !factor.is_finite() || factor <= 0.0 {
            return self;
        }
        let whole = Self::whole(rect, duration_secs);
        let shortest = (duration_secs * SHORTEST_PART).at_least(SHORTEST_SECS);
        let span = (self.span() / factor)
            .at_least(shortest)
            .at_most(whole.span());
        let at = self.secs_at(rect, x);
        let part = (at - self.from_secs) / self.span();
        Self::placed(at - span * part, span, whole)
    }

    /// Moved along by `points`, to the right for later times.
    pub fn panned(self, rect: Rect, points: f32, duration_secs: f32) -> Self {
        let secs = points * self.secs_per_point(rect);
        let whole = Self::whole(rect, duration_secs);
        Self::placed(self.from_secs + secs, self.span(), whole)
    }

    /// Shifted, and if need be shortened, to lie inside of the whole.
    fn within(self, whole: Self) -> Self {
        Self::placed(self.from_secs, self.span(), whole)
    }

    fn placed(from_secs: f32, span: f32, whole: Self) -> Self {
        let span = span.at_most(whole.span());
        let last = whole.to_secs - span;
        let from_secs = from_secs.at_most(last).at_least(whole.from_secs);
        Self {
            from_secs,
            to_secs: from_secs + span,
        }
    }

    /// The stretch as the session keeps it; none for all there is.
    fn to_command(self, rect: Rect, duration_secs: f32) -> Command {
        let whole = Self::whole(rect, duration_secs);
        let is_whole = self.span() > whole.span() * 0.9999;
        Command::ShowTimes((!is_whole).then_some([self.from_secs, self.to_secs]))
    }
}

/// Seconds of the clip in play; 0 for none.
pub fn duration_secs(session: &Session) -> f32 {
    session.character().map_or(0.0, |c| c.player.duration_secs)
}

/// Zooms by Ctrl (Cmd) and the wheel, or a pinch, at the pointer; pans sideways by
/// Shift and the wheel, by a sideways wheel or by the middle button; a double-click
/// shows the whole clip. Once a frame for each part of a view that `rect` spans.
pub fn navigate(
    ui: &Ui,
    context: &mut Context<'_>,
    rect: Rect,
    response: &Response,
    axis: TimeAxis,
) {
    let duration_secs = duration_secs(context.session);
    if duration_secs <= 0.0 {
        return;
    }
    let mut wanted = axis;
    if response.contains_pointer()
        && let Some(pointer) = response.hover_pos()
    {
        let (zoom, scroll) = ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta()));
        if zoom != 1.0 {
            wanted = wanted.zoomed(rect, pointer.x, zoom, duration_secs);
        }
        if scroll.x != 0.0 {
            wanted = wanted.panned(rect, -scroll.x, duration_secs);
        }
    }
    if response.dragged_by(PointerButton::Middle) {
        wanted = wanted.panned(rect, -response.drag_delta().x, duration_secs);
    }
    if response.double_clicked_by(PointerButton::Primary) {
        context.commands.push(Command::ShowTimes(None));
    } else if wanted != axis {
        let command = wanted.to_command(rect, duration_secs);
        context.commands.push(command);
    }
}

/// Follows the pointer with the playhead while the primary button holds it (Shift
/// snaps to keys).
pub fn drag_playhead(
    ui: &Ui,
    context: &mut Context<'_>,
    rect: Rect,
    response: &Response,
    axis: TimeAxis,
    player: &Player,
) {
    let primary = ui.input(|input| input.pointer.primary_down());
    let held = response.is_pointer_button_down_on() && primary;
    context.scrubbing |= held;
    // The last move often comes in one frame with the release.
    let released = response.drag_stopped_by(PointerButton::Primary)
        || response.clicked_by(PointerButton::Primary);
    if (held || released)
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let mut secs = axis.secs_at(rect, pointer.x);
        if ui.input(|input| input.modifiers.shift) {
            secs = nearest(context.session.key_times(), secs).unwrap_or(secs);
        }
        let secs = secs.clamp(
            player.start_secs.min(player.duration_secs),
            player.duration_secs,
        );
        // Held without moving, there is nothing to draw.
        if secs != player.time_secs {
            context.commands.push(Command::SetTime(secs));
        }
    }
}

/// Steps frames by the wheel over `response`, and by what assistive tools ask of it.
pub fn step_frames(ui: &Ui, context: &mut Context<'_>, response: &Response) {
    let mut frames = 0.0;
    if response.contains_pointer() {
        frames += wheel_frames(ui, response);
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

/// Whole frames that the plain wheel asks for; a notch is a frame. What is not yet a
/// whole one waits for the next turn.
fn wheel_frames(ui: &Ui, response: &Response) -> f32 {
    let travel = ui.input(|input| {
        let wheel = input.events.iter().filter_map(|event| match event {
            Event::MouseWheel {
                unit,
                delta,
                modifiers,
                ..
            } if !modifiers.command && !modifiers.shift => {
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
    if travel == 0.0 {
        return 0.0;
    }
    let id = response.id.with("wheel");
    let rest: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let travel = rest + travel;
    let whole = travel.trunc();
    ui.data_mut(|data| data.insert_temp(id, travel - whole));
    // Rolling towards oneself goes on in time, as it goes on in a text.
    -whole
}

/// A slider over the clip's seconds, for assistive tools.
pub fn describe(ui: &Ui, response: &Response, player: &Player, frame_secs: f32) {
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

/// The one of `times` (sorted) that is nearest; the earlier of two at one distance.
pub fn nearest(times: &[f32], secs: f32) -> Option<f32> {
    nearest_index(times, secs).map(|index| times[index])
}

/// Its index.
pub fn nearest_index(times: &[f32], secs: f32) -> Option<usize> {
    let after = times.partition_point(|&time| time < secs);
    let before = after.checked_sub(1);
    let distance = |index: usize| (times[index] - secs).abs();
    match (before, (after < times.len()).then_some(after)) {
        (Some(before), Some(after)) if distance(before) <= distance(after) => Some(before),
        (_, Some(after)) => Some(after),
        (before, None) => before,
    }
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;

    fn rect() -> Rect {
        Rect::from_min_size(pos2(100.0, 0.0), vec2(818.0, 40.0))
    }

    fn close(a: f32, b: f32, epsilon: f32) {
        assert!((a - b).abs() <= epsilon, "{a} and {b}");
    }

    #[test]
    fn a_whole_clip_leaves_room_for_half_a_playhead() {
        let axis = TimeAxis::whole(rect(), 2.0);
        close(axis.x_of(rect(), 0.0), 109.0, 1e-3);
        close(axis.x_of(rect(), 2.0), 909.0, 1e-3);
        close(axis.secs_at(rect(), 509.0), 1.0, 1e-6);
    }

    #[test]
    fn zooming_keeps_the_time_under_the_pointer() {
        for duration in [0.3, 1.0, 600.0] {
            let mut axis = TimeAxis::whole(rect(), duration);
            for (x, factor) in [(500.0, 1.5), (520.0, 3.0), (700.0, 1.2), (690.0, 0.8)] {
                let before = axis.secs_at(rect(), x);
                axis = axis.zoomed(rect(), x, factor, duration);
                close(axis.secs_at(rect(), x), before, duration * 1e-5);
            }
        }
    }

    #[test]
    fn zoom_and_pan_end_at_the_clips_ends_and_at_two_milliseconds() {
        let whole = TimeAxis::whole(rect(), 1.0);
        let mut axis = whole;
        for _ in 0..200 {
            axis = axis.zoomed(rect(), 400.0, 1.5, 1.0);
        }
        close(axis.span(), SHORTEST_SECS, 1e-6);
        let right = axis.panned(rect(), 1e9, 1.0);
        close(right.to_secs, whole.to_secs, 1e-6);
        close(right.span(), axis.span(), 1e-6);
        assert_eq!(axis.panned(rect(), -1e9, 1.0).from_secs, whole.from_secs);
        for _ in 0..200 {
            axis = axis.zoomed(rect(), 800.0, 0.5, 1.0);
        }
        close(axis.from_secs, whole.from_secs, 1e-6);
        close(axis.to_secs, whole.to_secs, 1e-6);
        for factor in [f32::NAN, 0.0, -1.0, f32::INFINITY] {
            assert_eq!(axis.zoomed(rect(), 400.0, factor, 1.0), axis);
        }
    }

    #[test]
    fn the_nearest_key_may_lie_on_either_side() {
        let times = [0.0, 0.5, 1.0];
        assert_eq!(nearest(&times, 0.6), Some(0.5));
        assert_eq!(nearest(&times, 0.9), Some(1.0));
        assert_eq!(nearest(&times, 7.0), Some(1.0));
        assert_eq!(nearest(&times, -1.0), Some(0.0));
        assert_eq!(nearest(&[], 7.0), None);
    }
}
