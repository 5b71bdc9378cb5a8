//! Keys to commands, from the one table of actions.

use egui::{Event, Key, Modifiers, Popup};

use crate::session::{Action, Command, KeyChord, Session};

/// The commands that the keys pressed since the last frame mean. Takes the keys
/// out of egui's input, so that a widget does not hear them too. Does nothing
/// while text is being edited; while another widget has the keyboard, the keys
/// that operate widgets are left to it.
pub(super) fn shortcuts(
    ctx: &egui::Context,
    session: &Session,
    aspect: f32,
    commands: &mut Vec<Command>,
) {
    if ctx.text_edit_focused() {
        return;
    }
    let focused = ctx.memory(|memory| memory.focused().is_some());
    let popup_open = Popup::is_any_open(ctx);
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key {
                key,
                pressed: true,
                repeat,
                modifiers,
                ..
            } = event
            else {
                return true;
            };
            if focused && operates_widgets(*key) || popup_open && *key == Key::Escape {
                return true;
            }
            if *key == Key::Escape {
                let command = escape(session);
                let heard = command.is_some();
                commands.extend(command);
                return !heard;
            }
            let Some(action) = action_of(*key, *modifiers) else {
                return true;
            };
            if !*repeat || repeats(action) {
                commands.extend(action.command(session, aspect));
            }
            false
        });
    });
}

/// Keys by which the widget that has the keyboard is used or left.
fn operates_widgets(key: Key) -> bool {
    use Key::{
        ArrowDown, ArrowLeft, ArrowRight, ArrowUp, End, Enter, Escape, Home, PageDown, PageUp,
        Space, Tab,
    };
    matches!(
        key,
        ArrowDown
            | ArrowLeft
            | ArrowRight
            | ArrowUp
            | End
            | Enter
            | Escape
            | Home
            | PageDown
            | PageUp
            | Space
            | Tab
    )
}

/// Closes the sheets, or else lets go of the selection.
fn escape(session: &Session) -> Option<Command> {
    let mut panels = session.panels;
    if panels.help || panels.info {
        panels.help = false;
        panels.info = false;
        return Some(Command::SetPanels(panels));
    }
    (session.view.selected_joint).map(|_| Command::SelectJoint(None))
}

fn action_of(key: Key, modifiers: Modifiers) -> Option<Action> {
    let fits = |chord: KeyChord| {
        Key::from_name(chord.key) == Some(key)
            && chord.command == modifiers.command
            && !modifiers.alt
            && (chord.shift == modifiers.shift || is_symbol(chord.key))
    };
    let all = Action::ALL.iter().copied();
    all.into_iter()
        .find(|action| action.key().is_some_and(fits))
}

/// Where symbols lie differs between keyboards: on one `?` needs shift, on
/// another it does not.
fn is_symbol(key: &str) -> bool {
    key.chars().count() == 1 && !key.chars().all(char::is_alphanumeric)
}

/// Whether holding the key does it again and again.
fn repeats(action: Action) -> bool {
    use Action::{NextClip, NextKey, PreviousClip, PreviousKey, Redo, StepBack, StepForward, Undo};
    matches!(
        action,
        StepBack | StepForward | PreviousKey | NextKey | PreviousClip | NextClip | Undo | Redo
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIFT: Modifiers = Modifiers::SHIFT;
    const NONE: Modifiers = Modifiers::NONE;

    #[test]
    fn every_key_of_the_table_is_a_key_and_leads_back() {
        for &action in Action::ALL {
            let Some(chord) = action.key() else { continue };
            let key = Key::from_name(chord.key);
            assert!(
                key.is_some(),
                "{action:?}: no key is called {:?}",
                chord.key
            );
            let mut modifiers = NONE;
            modifiers.shift = chord.shift;
            modifiers.command = chord.command;
            assert_eq!(key.and_then(|key| action_of(key, modifiers)), Some(action));
        }
    }

    #[test]
    fn modifiers_must_fit_except_for_symbols() {
        assert_eq!(action_of(Key::F, NONE), Some(Action::FrameAll));
        assert_eq!(action_of(Key::F, SHIFT), Some(Action::FrameSelected));
        assert_eq!(action_of(Key::F, Modifiers::ALT), None);
        assert_eq!(action_of(Key::O, NONE), None);
        assert_eq!(action_of(Key::Questionmark, SHIFT), Some(Action::Keys));
        assert_eq!(action_of(Key::Questionmark, NONE), Some(Action::Keys));
    }

    fn press(ctx: &egui::Context, session: &Session, key: Key, repeat: bool) -> Vec<Command> {
        let mut commands = Vec::new();
        let input = egui::RawInput {
            events: vec![Event::Key {
                key,
                physical_key: None,
                pressed: true,
                repeat,
                modifiers: NONE,
            }],
            ..egui::RawInput::default()
        };
        let output = ctx.run_ui(input, |ui| {
            shortcuts(ui.ctx(), session, 1.0, &mut commands);
            let mut text = String::new();
            ui.text_edit_singleline(&mut text);
            ui.button("button");
        });
        output.drop_without_applying_deltas();
        commands
    }

    #[test]
    fn keys_become_commands_unless_text_is_edited() {
        let ctx = egui::Context::default();
        let mut session = Session::default();
        let commands = press(&ctx, &session, Key::B, false);
        assert!(matches!(&commands[..], [Command::SetView(view)] if view.skeleton));
        assert!(
            press(&ctx, &session, Key::B, true).is_empty(),
            "a held switch"
        );

        session.panels.help = true;
        let commands = press(&ctx, &session, Key::Escape, false);
        assert!(matches!(&commands[..], [Command::SetPanels(panels)] if !panels.help));

        // Tab moves the keyboard to the text field.
        press(&ctx, &session, Key::Tab, false);
        press(&ctx, &session, Key::Tab, false);
        assert!(ctx.text_edit_focused());
        assert!(press(&ctx, &session, Key::B, false).is_empty());
    }
}
