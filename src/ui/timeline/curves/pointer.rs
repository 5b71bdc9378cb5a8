//! What hands and keys do in the plot.

use egui::{
    CursorIcon, EventFilter, Key, PointerButton, Pos2, Response, Role, Sense, Ui, WidgetInfo,
};

use super::{Curves, View, lanes::Lane};
use crate::{
    session::{Action, Command},
    ui::{
        Context, format,
        timeline::{
            axis::{self, TimeAxis},
            controls,
        },
    },
};

/// How near to a key its dot is hit, in points.
const DOT: f32 = 7.0;
/// How near to the playhead it is taken hold of.
const PLAYHEAD: f32 = 5.0;
/// A drag moves a lane up or down only once it has left this strip, so that moving
/// along time does not.
const LEVEL: f32 = 7.0;
/// A key press zooms by this factor.
const KEY_ZOOM: f32 = 1.25;

/// What a pressed button holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Grab {
    /// The playhead.
    Playhead,
    /// The plot; the lane, by its index in the list of curves, and how far up or down
    /// the hand has gone in all.
    Plot { lane: Option<usize>, height: f32 },
}

/// What the pointer is at.
#[derive(Debug, Default)]
pub(super) struct Hit {
    /// Where it is in the plot, unless it drags.
    pub at: Option<Pos2>,
    /// The time that the read-out is for: of the key or the pointer; `None` for the
    /// playhead's.
    pub secs: Option<f32>,
    /// The key under it.
    pub key: Option<KeyHit>,
}

/// A key under the pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KeyHit {
    /// In [`View::lanes`].
    pub lane: usize,
    /// In [`View::joints`].
    pub joint: usize,
    pub component: usize,
    pub key: usize,
    pub secs: f32,
    pub value: f32,
}

impl Curves {
    /// Carries out what hands and keys ask for, and tells what is under the pointer.
    pub(super) fn pointer(&mut self, ui: &Ui, context: &mut Context<'_>, view: &View<'_>) -> Hit {
        let id = ui.scope_id().with("plot");
        let response = ui.interact(view.plot, id, Sense::click_and_drag());
        let name = describe(view);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), &name));
        axis::navigate(ui, context, view.plot, &response, view.axis);
        if response.double_clicked_by(PointerButton::Primary) {
            self.heights = Default::default();
        }
        let mut hit = Hit::default();
        if let Some(at) = response.hover_pos().filter(|_| response.contains_pointer()) {
            hit.key = self.key_at(view, at);
            hit.at = Some(at);
            let secs = view.axis.secs_at(view.plot, at.x);
            let end = view.character.player.duration_secs;
            hit.secs = Some(hit.key.map_or(secs.clamp(0.0, end), |key| key.secs));
            self.wheel(ui, view, at);
        }
        self.hold(ui, context, view, &response, &hit);
        if response.clicked_by(PointerButton::Primary)
            && let Some(key) = hit.key
        {
            context.commands.push(Command::StepTo(key.secs));
        }
        if response.has_focus() {
            keyboard(ui, context, view, &response);
        }
        super::focus(ui, view.plot, &response);
        self.cursor(view, response, &hit);
        hit
    }

    /// The plain wheel zooms the values of the lane under the pointer.
    fn wheel(&mut self, ui: &Ui, view: &View<'_>, at: Pos2) {
        let scroll = ui.input(|input| {
            let is_plain = !input.modifiers.command && !input.modifiers.shift;
            if is_plain {
                input.smooth_scroll_delta().y
            } else {
                0.0
            }
        });
        if scroll != 0.0
            && let Some(lane) = lane_at(view, at)
        {
            self.heights[lane.index] = Some(lane.zoomed(at.y, (scroll / 240.0).exp()));
        }
    }

    /// Drags: the playhead by itself, or with Ctrl or Alt from anywhere; else the plot.
    fn hold(
        &mut self,
        ui: &Ui,
        context: &mut Context<'_>,
        view: &View<'_>,
        response: &Response,
        hit: &Hit,
    ) {
        let player = view.character.player;
        let (pressed, modifiers) =
            ui.input(|input| (input.pointer.primary_pressed(), input.modifiers));
        if pressed
            && response.is_pointer_button_down_on()
            && let Some(at) = response.interact_pointer_pos()
        {
            let near = (at.x - view.x_of(player.time_secs)).abs() <= PLAYHEAD;
            let takes_playhead = modifiers.command || modifiers.alt || (near && hit.key.is_none());
            self.grab = Some(if takes_playhead && player.duration_secs > 0.0 {
                Grab::Playhead
            } else {
                Grab::Plot {
                    lane: lane_at(view, at).map(|lane| lane.index),
                    height: 0.0,
                }
            });
        }
        match &mut self.grab {
            Some(Grab::Playhead) => {
                axis::drag_playhead(ui, context, view.plot, response, view.axis, &player);
            }
            Some(Grab::Plot { lane, height }) if response.dragged_by(PointerButton::Primary) => {
                let delta = response.drag_delta();
                if delta.x != 0.0 {
                    let axis = view.axis.panned(view.plot, -delta.x, player.duration_secs);
                    show_times(context, view.axis, axis);
                }
                let was_level = height.abs() <= LEVEL;
                *height += delta.y;
                let lane = lane.and_then(|index| view.lanes.iter().find(|l| l.index == index));
                if let Some(lane) = lane
                    && !(was_level && height.abs() <= LEVEL)
                {
                    let shift = delta.y * lane.per_point();
                    self.heights[lane.index] = Some([lane.low + shift, lane.high + shift]);
                }
            }
            _ => {}
        }
        if !response.is_pointer_button_down_on() {
            self.grab = None;
        }
    }

    /// The key whose dot is nearest to a place, if near enough.
    fn key_at(&mut self, view: &View<'_>, at: Pos2) -> Option<KeyHit> {
        let lane_index = view.lanes.iter().position(|lane| lane.rect.contains(at))?;
        let lane = &view.lanes[lane_index];
        let reach = DOT * view.axis.secs_per_point(view.plot);
        let secs = view.axis.secs_at(view.plot, at.x);
        let mut best: Option<(f32, KeyHit)> = None;
        for (slot, &(joint, _)) in view.joints.iter().enumerate() {
            let whole = self.store.whole(joint, lane.curve, &view.reading);
            let dots = &whole.dots;
            let Some(width) = dots.values.len().checked_div(dots.times.len()) else {
                continue;
            };
            let first = dots.times.partition_point(|&time| time < secs - reach);
            // Where keys crowd there are no dots to hit.
            for key in (first..dots.times.len()).take(64) {
                let time = dots.times[key];
                if time > secs + reach {
                    break;
                }
                for component in 0..width {
                    let value = dots.values[key * width + component];
                    let extent = whole.extents.get(component).copied().flatten();
                    let (factor, offset) = lane.scale(extent);
                    let place = Pos2::new(view.x_of(time), lane.y_of(value * factor + offset));
                    let distance = place.distance(at);
                    if distance <= DOT && best.is_none_or(|(nearest, _)| distance < nearest) {
                        let hit = KeyHit {
                            lane: lane_index,
                            joint: slot,
                            component,
                            key,
                            secs: time,
                            value,
                        };
                        best = Some((distance, hit));
                    }
                }
            }
        }
        best.map(|(_, hit)| hit)
    }

    fn cursor(&mut self, view: &View<'_>, response: Response, hit: &Hit) {
        if let Some(key) = hit.key
            && self.grab.is_none()
        {
            let text = self.key_text(view, key);
            let _ = response
                .on_hover_cursor(CursorIcon::PointingHand)
                .on_hover_text_at_pointer(text);
            return;
        }
        let near = |at: Pos2| (at.x - view.x_of(view.character.player.time_secs)).abs() <= PLAYHEAD;
        let cursor = match self.grab {
            Some(Grab::Playhead) => CursorIcon::ResizeHorizontal,
            Some(Grab::Plot { .. }) => CursorIcon::Grabbing,
            None if hit.at.is_some_and(near) => CursorIcon::ResizeHorizontal,
            None => return,
        };
        let _ = response.on_hover_cursor(cursor);
    }

    /// What a key's tooltip says.
    fn key_text(&mut self, view: &View<'_>, hit: KeyHit) -> String {
        let (lane, (joint, _)) = (&view.lanes[hit.lane], view.joints[hit.joint]);
        let fps = view.session.guessed_fps();
        let (frame, _) = controls::frame_text(hit.secs, false, fps);
        let mut text = view.joint_label(joint);
        let dots = self
            .store
            .whole(joint, lane.curve, &view.reading)
            .dots
            .times
            .len();
        let property = lane.curve.property();
        let curves = self.store.joint(joint);
        let count = curves.and_then(|curves| Some(curves.times(property)?.len()));
        if let Some(count) = count {
            // An angle between keys has its dot at the later one.
            let key = hit.key + count.saturating_sub(dots) + 1;
            text += &format!(", key {key} of {count}");
        }
        text += &format!("\n{:.4} s · frame {frame}", hit.secs);
        let names = self
            .store
            .joint(joint)
            .map(|curves| curves.components(lane.curve));
        let name = names.and_then(|names| names.get(hit.component).cloned());
        let unit = lane.curve.unit().symbol();
        let value = format::number(hit.value, format::shared_decimals(&[hit.value], 6, 9));
        text += &format!("\n{} {}{unit}", name.unwrap_or_default(), value.trim());
        text
    }
}

fn lane_at<'a>(view: &'a View<'_>, at: Pos2) -> Option<&'a Lane> {
    view.lanes.iter().find(|lane| lane.rect.contains(at))
}

fn show_times(context: &mut Context<'_>, before: TimeAxis, wanted: TimeAxis) {
    if wanted != before {
        let times = [wanted.from_secs, wanted.to_secs];
        context.commands.push(Command::ShowTimes(Some(times)));
    }
}

/// For assistive tools.
fn describe(view: &View<'_>) -> String {
    let joints: Vec<String> = (view.joints.iter())
        .map(|&(joint, _)| view.joint_label(joint))
        .collect();
    let curves: Vec<&str> = view.lanes.iter().map(|lane| lane.curve.label()).collect();
    format!("Curves of {}: {}", joints.join(", "), curves.join(", "))
}

/// Keys while the plot has the keyboard; arrows go on meaning frames and keys.
fn keyboard(ui: &Ui, context: &mut Context<'_>, view: &View<'_>, response: &Response) {
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let actions = [
        (Key::ArrowLeft, Action::StepBack),
        (Key::ArrowRight, Action::StepForward),
        (Key::ArrowUp, Action::PreviousKey),
        (Key::ArrowDown, Action::NextKey),
        (Key::Home, Action::ToStart),
        (Key::End, Action::ToEnd),
    ];
    for (key, action) in actions {
        if ui.input(|input| input.key_pressed(key)) {
            context.act(action);
        }
    }
    let (nearer, farther) = ui.input(|input| {
        (
            input.key_pressed(Key::Plus) || input.key_pressed(Key::Equals),
            input.key_pressed(Key::Minus),
        )
    });
    if nearer != farther {
        let factor = if nearer { KEY_ZOOM } else { KEY_ZOOM.recip() };
        let player = view.character.player;
        let x = view
            .x_of(player.time_secs)
            .clamp(view.plot.left(), view.plot.right());
        let axis = view.axis.zoomed(view.plot, x, factor, player.duration_secs);
        show_times(context, view.axis, axis);
    }
}
