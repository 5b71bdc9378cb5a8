//! What a right click on a joint offers, in the tree and in the view.

use egui::{Ui, vec2};

use super::{Context, theme::PAD};
use crate::{
    anim::{Hemisphere, Interpolation, Modes},
    session::{Action, Command},
};

/// The entries that tree and view share.
pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, joint: usize) {
    ui.set_min_width(160.0);
    ui.spacing_mut().button_padding = vec2(PAD, 2.0);
    let Some(label) = context.joint_label(joint) else {
        ui.close();
        return;
    };
    if ui.button("Frame in view").clicked() {
        context.act(Action::FrameSelected);
        ui.close();
    }
    if ui.button("Copy name").clicked() {
        context.commands.push(Command::CopyText(label));
        ui.close();
    }
    let pinned = context.session.view.pinned_trails.contains(&joint);
    let text = if pinned {
        "Let go of the trail"
    } else {
        "Pin the trail"
    };
    if ui.button(text).clicked() {
        context.act(Action::PinTrail);
        ui.close();
    }
    own_modes(ui, context, joint);
}

/// How this joint alone goes from key to key, where the clip moves it.
fn own_modes(ui: &mut Ui, context: &mut Context<'_>, joint: usize) {
    let Some(character) = context.session.character() else {
        return;
    };
    let is_moved = (character.clip()).is_some_and(|clip| clip.joint_tracks(joint).is_some());
    if !is_moved {
        return;
    }
    let technique = &character.technique;
    let own = technique.joint_modes.iter().find(|own| own.0 == joint);
    let own = own.map(|own| own.1);
    let now = *technique.modes_of(joint);
    ui.separator();
    ui.menu_button("Modes of this joint only", |ui| {
        let mut chosen: Option<Option<Modes>> = None;
        if ui.radio(own.is_none(), "As the rig").clicked() {
            chosen = Some(None);
        }
        ui.separator();
        for mode in Interpolation::ALL {
            let on = own.is_some_and(|own| own.interpolation == mode);
            let entry = ui.radio(on, mode.as_str());
            if entry.on_hover_text(mode.description()).clicked() {
                chosen = Some(Some(Modes {
                    interpolation: mode,
                    ..now
                }));
            }
        }
        ui.separator();
        for rule in Hemisphere::ALL {
            let on = own.is_some_and(|own| own.hemisphere == rule);
            let entry = ui.radio(on, format!("Hemisphere: {}", rule.as_str()));
            if entry.on_hover_text(rule.description()).clicked() {
                chosen = Some(Some(Modes {
                    hemisphere: rule,
                    ..now
                }));
            }
        }
        if let Some(modes) = chosen {
            let mut technique = technique.clone();
            technique.set_modes_of(joint, modes);
            let (side, technique) = (0, Box::new(technique));
            context
                .commands
                .push(Command::SetTechnique { side, technique });
            ui.close();
        }
    });
}
