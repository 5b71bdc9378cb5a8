//! Transport buttons, time, clip and modes, in one row or two.

use egui::{Align, DragValue, FontId, Layout, Popup, Role, Sense, Ui, WidgetInfo, vec2};

use super::tabs;
use crate::{
    anim::{Hemisphere, Interpolation, LoopPolicy, Modes},
    scene::{Character, PoseSource},
    session::{Action, Command, TimelineView},
    ui::{
        Context,
        icons::Icon,
        shortcuts,
        theme::{CONTROL, PAD, colors},
        widgets::{self, SliderField},
    },
};

/// From this width on everything stands in one row.
pub(super) const ONE_ROW_FROM: f32 = 1336.0;
/// From this width on nothing in it has to be small.
const ROOMY_FROM: f32 = 1416.0;
/// From this width on the views' names stand in it beside their icons.
const TAB_WORDS_FROM: f32 = 1580.0;
/// The same in two rows.
const TAB_WORDS_IN_TWO_FROM: f32 = 890.0;
/// Narrower panels do without the switch of views.
const TABS_FROM: f32 = 474.0;
/// Narrower panels do without the frame number.
const FRAME_FROM: f32 = 736.0;
/// Narrower panels do without the loop switches.
const LOOP_FROM: f32 = 500.0;
/// Slider and number of the threshold.
const THRESHOLD_WIDTH: f32 = 150.0;
/// Narrower panels do without the words beside the mode boxes.
const WORDS_FROM: f32 = 690.0;
/// What the hemisphere rule is about.
const HEMISPHERE: &str = "Which way round between two keys: q and −q are the same rotation";
/// Narrower panels do without the threshold.
const DETAILS_FROM: f32 = 560.0;

/// Fills the rows above `view`, which is what the window has room for.
pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, view: TimelineView) {
    let session = context.session;
    let Some(character) = session.character() else {
        ui.add_enabled_ui(false, |ui| {
            ui.horizontal(|ui| transport(ui, context, None));
        });
        return;
    };
    let width = ui.available_width();
    let right = Layout::right_to_left(Align::Center);
    ui.horizontal(|ui| {
        transport(ui, context, Some(character));
        gap(ui);
        if width >= LOOP_FROM {
            loop_policy(ui, context, character);
        }
        speed(ui, context, character);
        gap(ui);
        time(ui, context, character);
        if width >= FRAME_FROM {
            frame_number(ui, character, session.guessed_fps());
        }
        if width >= ONE_ROW_FROM {
            gap(ui);
            clip_chooser(ui, context, character, width);
            gap(ui);
            tabs::show(ui, context, view, width >= TAB_WORDS_FROM);
            ui.with_layout(right, |ui| modes(ui, context, character, width));
        } else if width >= TABS_FROM {
            let words = width >= TAB_WORDS_IN_TWO_FROM;
            ui.with_layout(right, |ui| tabs::show(ui, context, view, words));
        }
    });
    if width < ONE_ROW_FROM {
        ui.horizontal(|ui| {
            clip_chooser(ui, context, character, width);
            ui.with_layout(right, |ui| modes(ui, context, character, width));
        });
    }
}

fn gap(ui: &mut Ui) {
    ui.add_space(PAD);
}

fn transport(ui: &mut Ui, context: &mut Context<'_>, character: Option<&Character>) {
    let playing = character.is_some_and(|c| c.player.playing);
    let buttons = [
        (Icon::ToStart, Action::ToStart),
        (Icon::PreviousKey, Action::PreviousKey),
        (Icon::PreviousFrame, Action::StepBack),
        (
            if playing { Icon::Pause } else { Icon::Play },
            Action::PlayPause,
        ),
        (Icon::NextFrame, Action::StepForward),
        (Icon::NextKey, Action::NextKey),
        (Icon::ToEnd, Action::ToEnd),
    ];
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (icon, action) in buttons {
            let name = match action {
                Action::PlayPause if playing => "Pause",
                Action::PlayPause => "Play",
                _ => action.label(),
            };
            let enabled = action.is_enabled(context.session);
            ui.add_enabled_ui(enabled, |ui| {
                let on = (action == Action::PlayPause).then_some(playing);
                let size = CONTROL + 2.0;
                let (rect, response) = ui.allocate_exact_size(vec2(size, size), Sense::click());
                widgets::paint_icon_button(ui, rect, &response, icon, name, on);
                if response.clicked() {
                    context.act(action);
                }
                response.on_hover_text(shortcuts::tooltip(ui.ctx(), name, action));
            });
        }
    });
}

fn loop_policy(ui: &mut Ui, context: &mut Context<'_>, character: &Character) {
    let current = character.player.loop_policy;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for policy in LoopPolicy::ALL {
            let (icon, label) = match policy {
                LoopPolicy::Loop => (Icon::Loop, "Loop: start over at the end"),
                LoopPolicy::Once => (Icon::Once, "Once: stop at the end"),
                LoopPolicy::PingPong => (Icon::PingPong, "Ping-pong: turn round at the ends"),
            };
            let on = Some(policy == current);
            if widgets::icon_toggle(ui, icon, label, on, CONTROL).clicked() {
                context.commands.push(Command::SetLoopPolicy(policy));
            }
        }
        let has_gap = character.clip().is_some_and(|clip| clip.start_secs > 0.0);
        let on = has_gap && character.player.start_secs > 0.0;
        ui.add_enabled_ui(has_gap, |ui| {
            let label = "Start at the first key instead of 0";
            let response = widgets::icon_toggle(ui, Icon::FirstKey, label, Some(on), CONTROL);
            if response.clicked() {
                context.commands.push(Command::SetStartAtFirstKey(!on));
            }
            response.on_disabled_hover_text("The first key is at 0: nothing to skip");
        });
    });
}

fn speed(ui: &mut Ui, context: &mut Context<'_>, character: &Character) {
    const PRESETS: [f32; 8] = [-1.0, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];
    let mut speed = character.player.speed;
    ui.spacing_mut().item_spacing.x = 2.0;
    let drag = DragValue::new(&mut speed)
        .range(-2.0..=4.0)
        .speed(0.01)
        .fixed_decimals(2)
        .prefix("×\u{2009}");
    let response = ui
        .add_sized(vec2(58.0, CONTROL), drag)
        .accessible_name("Speed");
    if response.changed() {
        context.commands.push(Command::SetSpeed(speed));
    }
    response.on_hover_text("Speed, −2 … 4: drag, or click to type");
    let (rect, list) = ui.allocate_exact_size(vec2(16.0, CONTROL), Sense::click());
    widgets::paint_icon_button(ui, rect, &list, Icon::ChevronDown, "Usual speeds", None);
    Popup::menu(&list).show(|ui| {
        ui.set_min_width(64.0);
        for preset in PRESETS {
            let text = format!("× {preset}").replace('-', "\u{2212}");
            if ui.selectable_label(speed == preset, text).clicked() {
                context.commands.push(Command::SetSpeed(preset));
                ui.close();
            }
        }
    });
    list.on_hover_text("Usual speeds");
    ui.spacing_mut().item_spacing.x = PAD;
}

fn time(ui: &mut Ui, context: &mut Context<'_>, character: &Character) {
    let player = &character.player;
    let mut secs = player.time_secs;
    ui.add_enabled_ui(character.clip().is_some(), |ui| {
        let drag = DragValue::new(&mut secs)
            .range(0.0..=player.duration_secs)
            .speed(0.002)
            .fixed_decimals(3)
            .suffix(" s");
        let response = ui
            .add_sized(vec2(72.0, CONTROL), drag)
            .accessible_name("Time in seconds");
        if response.changed() {
            context.commands.push(Command::SetTime(secs));
        }
        response.on_hover_text("Time: drag, or click to type");
    });
}

/// In a place of fixed width, so that nothing moves while it counts.
fn frame_number(ui: &mut Ui, character: &Character, fps: f32) {
    let player = &character.player;
    let (rect, response) = ui.allocate_exact_size(vec2(124.0, CONTROL), Sense::hover());
    let color = colors(ui.visuals()).weak;
    let font = FontId::proportional(12.5);
    let write = |text: &str, x: f32| {
        let room = rect.right() - x;
        widgets::fitted_text(ui, text, font.clone(), color, x, rect.center().y, room).0
    };
    if character.clip().is_some() {
        let (frame, rate) = frame_text(player.time_secs, player.playing, fps);
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Label, true, format!("frame {frame} @ {rate} fps?"))
        });
        // The number stands at the right of a place for the clip's last one.
        let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
        let last = format!("{:.0}", (player.duration_secs * fps).floor());
        let missing = last.len().saturating_sub(frame.len()) as f32;
        let x = write("frame", rect.left()) + PAD * 0.5;
        let x = write(&frame, x + missing * digit);
        write(&format!("@ {rate} fps?"), x + PAD * 0.5);
    } else {
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "no clip"));
        write("no clip", rect.left());
    }
    response.on_hover_text(
        "glTF stores no frame rate: this one is a guess, from the smallest key spacing of the clip",
    );
}

/// Frame and rate, such as `10` and `24`; with a decimal where time stands between
/// frames.
pub(super) fn frame_text(time_secs: f32, playing: bool, fps: f32) -> (String, String) {
    let frame = time_secs * fps;
    let is_whole = (frame - frame.round()).abs() < 0.05;
    let frame = if playing {
        format!("{:.0}", frame.floor())
    } else if is_whole {
        format!("{:.0}", frame.round())
    } else {
        format!("{frame:.1}")
    };
    let rate = if (fps - fps.round()).abs() < 0.01 {
        format!("{fps:.0}")
    } else {
        format!("{fps:.1}")
    };
    (frame, rate)
}

fn clip_chooser(ui: &mut Ui, context: &mut Context<'_>, character: &Character, width: f32) {
    let clips = &character.document.clips;
    let text = match character.source {
        PoseSource::Clip(index) => clips
            .get(index)
            .map_or_else(String::new, |clip| clip.label(index)),
        PoseSource::Rest => "Rest pose".to_owned(),
        PoseSource::Bind => "Bind pose".to_owned(),
    };
    let entries = clips
        .iter()
        .enumerate()
        .map(|(index, clip)| (PoseSource::Clip(index), clip.label(index), ""))
        .chain([
            (PoseSource::Rest, "Rest pose".to_owned(), ""),
            (PoseSource::Bind, "Bind pose".to_owned(), ""),
        ]);
    let room = match width {
        _ if is_tight(width) => 104.0,
        // The second row has room for the long names that exporters make.
        TAB_WORDS_IN_TWO_FROM..ONE_ROW_FROM => 220.0,
        _ => 136.0,
    };
    let tip = shortcuts::tooltip(ui.ctx(), "Clip; the next one", Action::NextClip);
    let chosen = widgets::dropdown(ui, "Clip", room, character.source, &text, &tip, entries);
    if let Some(source) = chosen {
        context.commands.push(Command::SetSource(source));
    }
}

/// Right to left: threshold, hemisphere, mode.
fn modes(ui: &mut Ui, context: &mut Context<'_>, character: &Character, width: f32) {
    let mut modes = character.technique.modes;
    ui.spacing_mut().item_spacing.x = PAD;
    let word = |ui: &mut Ui, text: &str| {
        if width >= WORDS_FROM {
            widgets::word(ui, text);
            gap(ui);
        }
    };
    if width >= DETAILS_FROM {
        let slider = if is_tight(width) {
            114.0
        } else {
            THRESHOLD_WIDTH
        };
        threshold(ui, &mut modes, slider);
        widgets::word(ui, "Threshold");
        gap(ui);
    }
    let entries = Hemisphere::ALL.map(|h| (h, h.as_str().to_owned(), h.description()));
    let current = modes.hemisphere;
    let chosen = widgets::dropdown(
        ui,
        "Hemisphere",
        84.0,
        current,
        current.as_str(),
        HEMISPHERE,
        entries,
    );
    modes.hemisphere = chosen.unwrap_or(current);
    word(ui, "Hemisphere");
    let entries = Interpolation::ALL.map(|m| (m, m.as_str().to_owned(), m.description()));
    let current = modes.interpolation;
    let tip = "What happens between keys; the next mode";
    let tip = shortcuts::tooltip(ui.ctx(), tip, Action::CycleMode);
    let chosen = widgets::dropdown(
        ui,
        "Interpolation",
        88.0,
        current,
        current.as_str(),
        &tip,
        entries,
    );
    modes.interpolation = chosen.unwrap_or(current);
    word(ui, "Mode");
    if modes != character.technique.modes {
        context.commands.push(Command::SetModes(modes));
    }
}

/// Where a full row leaves little room for its wider parts.
fn is_tight(width: f32) -> bool {
    width < WORDS_FROM || (ONE_ROW_FROM..ROOMY_FROM).contains(&width)
}

fn threshold(ui: &mut Ui, modes: &mut Modes, width: f32) {
    let applies = modes.interpolation.uses_threshold();
    ui.add_enabled_ui(applies, |ui| {
        ui.set_width(width);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            SliderField {
                name: "Slerp threshold",
                tooltip: "Where |cos Ω| exceeds this, slerp falls back to nlerp: 1 is pure slerp, 0 pure nlerp; double-click for 0.9995",
                disabled_tooltip: "Only slerp, polar and authored keys use the threshold",
                range: 0.0..=1.0,
                neutral: Modes::default().threshold,
                decimals: 4,
                suffix: "",
                value_width: 56.0,
                width,
            }
            .show(ui, &mut modes.threshold);
        });
    });
}
