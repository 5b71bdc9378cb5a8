//! The Escape key, which belongs to no single panel.

use egui::{Key, Popup};

use crate::session::{Command, Session};

/// Lets go of the selected joint, unless the key was meant for something that is
/// open or has the keyboard. Called after the panels, which close their sheets.
pub(super) fn escape(ctx: &egui::Context, session: &Session, commands: &mut Vec<Command>) {
    let panels = session.panels;
    let taken = panels.help
        || panels.info
        || panels.palette
        || Popup::is_any_open(ctx)
        || ctx.memory(|memory| memory.focused().is_some());
    if !taken
        && session.view.selected_joint.is_some()
        && ctx.input(|input| input.key_pressed(Key::Escape))
    {
        commands.push(Command::SelectJoint(None));
    }
}
