//! Transport buttons, time, clip and modes, in one row or two.

use egui::{Align, DragValue, Layout, RichText, Slider, Ui, vec2};

use crate::{
    anim::{Hemisphere, Interpolation, LoopPolicy, Modes},
    scene::{Character, PoseSource},
    session::{Action, Command},
    ui::{
        Context,
        format::clip_name,
        icons::Icon,
        shortcuts,
        theme::{CONTROL, GAP, PAD, SMALL, colors},
        widgets,
    },
};

/// From this width on everything stands in one row.
const ONE_ROW_FROM: f32 = 1240.0;

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, fps: f32) {
    let session = context.session;
    let Some(character) = session.character() else {
        ui.add_enabled_ui(false, |ui| {
            ui.horizontal(|ui| transport(ui, context, None));
        });
        return;
    };
    if ui.available_width() >= ONE_ROW_FROM {
        ui.horizontal(|ui| {
            left(ui, context, character, fps);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                modes(ui, context, character);
            });
        });
    } else {
        ui.horizontal(|ui| left(ui, context, character, fps));
        ui.horizontal(|ui| {
            clip_chooser(ui, context, character);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                modes(ui, context, character);
            });
        });
        return;
    }
}

/// Transport, loop, speed, time; the clip too where there is one row only.
fn left(ui: &mut Ui, context: &mut Context<'_>, character: &Character, fps: f32) {
    let one_row = ui.available_width() >= ONE_ROW_FROM;
    transport(ui, context, Some(character));
    gap(ui);
    loop_policy(ui, context, character);
    speed(ui, context, character);
    gap(ui);
    time(ui, context, character, fps);
    if one_row {
        gap(ui);
        clip_chooser(ui, context, character);
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
                let (rect, response) =
                    ui.allocate_exact_size(vec2(size, size), egui::Sense::click());
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
    let mut speed = character.player.speed;
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
    response.context_menu(|ui| {
        for preset in [-1.0f32, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0] {
            let text = format!("× {preset}").replace('-', "\u{2212}");
            if ui.selectable_label(speed == preset, text).clicked() {
                context.commands.push(Command::SetSpeed(preset));
                ui.close();
            }
        }
    });
    response.on_hover_text("Speed, −2 … 4: drag, click to type, right-click for presets");
}

fn time(ui: &mut Ui, context: &mut Context<'_>, character: &Character, fps: f32) {
    let player = &character.player;
    let mut secs = player.time_secs;
    let enabled = character.clip().is_some();
    ui.add_enabled_ui(enabled, |ui| {
        ui.spacing_mut().item_spacing.x = PAD;
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
        let text = if enabled {
            frame_text(player.time_secs, player.playing, fps)
        } else {
            "no clip".to_owned()
        };
        // A fixed width, so that nothing moves while it counts.
        ui.allocate_ui_with_layout(
            vec2(118.0, CONTROL),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.set_min_width(118.0);
                let text = RichText::new(text).size(12.5).color(colors(ui.visuals()).weak);
                ui.add(egui::Label::new(text).selectable(false)).on_hover_text(
                    "glTF stores no frame rate: this one is a guess, from the smallest key spacing of the clip",
                );
            },
        );
    });
}

/// `frame 10 @ 24 fps?`; with a decimal where time stands between frames.
pub(super) fn frame_text(time_secs: f32, playing: bool, fps: f32) -> String {
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
    format!("frame {frame} @ {rate} fps?")
}

fn clip_chooser(ui: &mut Ui, context: &mut Context<'_>, character: &Character) {
    let clips = &character.document.clips;
    let text = match character.source {
        PoseSource::Clip(index) => clips
            .get(index)
            .map_or_else(String::new, |clip| clip_name(clip, index)),
        PoseSource::Rest => "Rest pose".to_owned(),
        PoseSource::Bind => "Bind pose".to_owned(),
    };
    let entries = clips
        .iter()
        .enumerate()
        .map(|(index, clip)| (PoseSource::Clip(index), clip_name(clip, index), ""))
        .chain([
            (PoseSource::Rest, "Rest pose".to_owned(), ""),
            (PoseSource::Bind, "Bind pose".to_owned(), ""),
        ]);
    let chosen = widgets::dropdown(ui, "Clip", 136.0, character.source, &text, entries);
    if let Some(source) = chosen {
        context.commands.push(Command::SetSource(source));
    }
}

/// Right to left.
fn modes(ui: &mut Ui, context: &mut Context<'_>, character: &Character) {
    let mut modes = character.modes;
    ui.spacing_mut().item_spacing.x = PAD;
    threshold(ui, &mut modes);
    gap(ui);
    let entries = Hemisphere::ALL.map(|h| (h, h.as_str().to_owned(), h.description()));
    let current = modes.hemisphere;
    if let Some(hemisphere) =
        widgets::dropdown(ui, "Hemisphere", 88.0, current, current.as_str(), entries)
    {
        modes.hemisphere = hemisphere;
    }
    weak(ui, "Hemisphere");
    gap(ui);
    let entries =
        Interpolation::ALL.map(|mode| (mode, mode.as_str().to_owned(), mode.description()));
    let current = modes.interpolation;
    if let Some(interpolation) = widgets::dropdown(
        ui,
        "Interpolation",
        92.0,
        current,
        current.as_str(),
        entries,
    ) {
        modes.interpolation = interpolation;
    }
    weak(ui, "Mode");
    if modes != character.modes {
        context.commands.push(Command::SetModes(modes));
    }
}

fn threshold(ui: &mut Ui, modes: &mut Modes) {
    let applies = matches!(
        modes.interpolation,
        Interpolation::Slerp | Interpolation::Authored
    );
    ui.add_enabled_ui(applies, |ui| {
        ui.spacing_mut().slider_width = 84.0;
        ui.spacing_mut().item_spacing.x = GAP;
        let slider = Slider::new(&mut modes.threshold, 0.0..=1.0).fixed_decimals(4);
        let response = ui.add(slider).accessible_name("Slerp threshold");
        if response.double_clicked() {
            modes.threshold = Modes::default().threshold;
        }
        response
            .on_hover_text(
                "Where |cos Ω| exceeds this, slerp falls back to nlerp: 1 is pure slerp, 0 pure nlerp",
            )
            .on_disabled_hover_text("Only slerp and authored keys use the threshold");
    });
    weak(ui, "Threshold");
}

fn weak(ui: &mut Ui, text: &str) {
    let text = RichText::new(text)
        .size(SMALL + 0.5)
        .color(colors(ui.visuals()).weak);
    ui.add(egui::Label::new(text).selectable(false));
}
