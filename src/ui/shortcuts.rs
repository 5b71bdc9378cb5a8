//! Keys, all read from the action table.

use egui::{Event, Key, KeyboardShortcut, Modifiers};

use super::Context;
use crate::session::{Action, Command, KeyChord};

/// The key of a chord, as egui knows it; `None` for an unknown name.
pub fn key(chord: KeyChord) -> Option<Key> {
    Key::from_name(chord.key)
}

/// A chord as text for menus and tooltips, in the system's manner.
pub fn text(ctx: &egui::Context, chord: KeyChord) -> String {
    let Some(key) = key(chord) else {
        return chord.key.to_owned();
    };
    let symbol = match chord.key {
        "?" => Some("?"),
        "ArrowLeft" => Some("←"),
        "ArrowRight" => Some("→"),
        "ArrowUp" => Some("↑"),
        "ArrowDown" => Some("↓"),
        _ => None,
    };
    if let Some(symbol) = symbol.filter(|_| !chord.command && !chord.shift) {
        return symbol.to_owned();
    }
    let mut modifiers = Modifiers::NONE;
    if chord.command {
        modifiers |= Modifiers::COMMAND;
    }
    if chord.shift {
        modifiers |= Modifiers::SHIFT;
    }
    ctx.format_shortcut(&KeyboardShortcut::new(modifiers, key))
}

/// `Frame  (F)`.
pub fn tooltip(ctx: &egui::Context, name: &str, action: Action) -> String {
    match action.key() {
        Some(chord) => format!("{name}  ({})", text(ctx, chord)),
        None => name.to_owned(),
    }
}

/// Pushes the commands of all keys pressed in this pass. While a text field has
/// the focus, only chords with Ctrl that no text field knows act; keys that move
/// the focus or press the focused widget are left to it.
pub(super) fn run(ctx: &egui::Context, context: &mut Context<'_>) {
    release_symbols(ctx);
    if ctx.any_popup_open() {
        return;
    }
    let is_typing = ctx.text_edit_focused();
    let has_focus = ctx.memory(|memory| memory.focused().is_some());
    let pressed: Vec<Action> = ctx.input(|input| {
        input
            .events
            .iter()
            .filter_map(|event| match *event {
                Event::Key {
                    key,
                    pressed: true,
                    repeat,
                    modifiers,
                    ..
                } => action_of(key, modifiers)
                    .filter(|&action| !repeat || repeats(action))
                    .filter(|&action| !is_typing || acts_while_typing(action))
                    .filter(|_| !(has_focus && belongs_to_widget(key))),
                _ => None,
            })
            .collect()
    });
    for action in pressed {
        context.act(action);
    }
}

/// Where Shift goes up first, `?` goes down and `/` comes up: egui would take `?` as
/// held for ever, and each later press as a repeat. So any key that comes up ends
/// all symbols.
fn release_symbols(ctx: &egui::Context) {
    let is_release = |event: &Event| matches!(event, Event::Key { pressed: false, .. });
    ctx.input_mut(|input| {
        if input.events.iter().any(is_release) {
            let chords = Action::ALL.iter().filter_map(|action| action.key());
            for symbol in chords.filter(|&chord| is_symbol(chord)).filter_map(key) {
                input.keys_down.remove(&symbol);
            }
        }
    });
}

/// Escape puts the ruler away, else closes the problem on show, else lets go of the
/// selected vertex, or else joint, unless the key was meant for something that is open
/// or has the keyboard. Called after the panels, which close their sheets.
pub(super) fn escape(ctx: &egui::Context, context: &mut Context<'_>) {
    let panels = context.session.panels;
    let taken = panels.help
        || panels.info
        || panels.palette
        || egui::Popup::is_any_open(ctx)
        || ctx.memory(|memory| memory.focused().is_some());
    if taken || !ctx.input(|input| input.key_pressed(Key::Escape)) {
        return;
    }
    if context.session.view.ruler.is_some() {
        let mut view = context.session.view.clone();
        view.ruler = None;
        context.commands.push(Command::SetView(Box::new(view)));
    } else if context.session.shown_finding.is_some() {
        context.commands.push(Command::HideFinding);
    } else if context.session.view.selected_vertex.is_some() {
        // Before the joint: it was chosen within what the joint moves.
        context.commands.push(Command::SelectVertex(None));
    } else if context.session.view.selected_joint.is_some() {
        context.commands.push(Command::SelectJoint(None));
    }
}

fn action_of(pressed: Key, modifiers: Modifiers) -> Option<Action> {
    Action::ALL.iter().copied().find(|action| {
        action.key().is_some_and(|chord| {
            key(chord) == Some(pressed)
                && modifiers.command == chord.command
                && !modifiers.alt
                // Symbols may or may not need Shift, depending on the keyboard.
                && (modifiers.shift == chord.shift || is_symbol(chord))
        })
    })
}

fn is_symbol(chord: KeyChord) -> bool {
    let mut characters = chord.key.chars();
    matches!((characters.next(), characters.next()), (Some(c), None) if c.is_ascii_punctuation())
}

fn acts_while_typing(action: Action) -> bool {
    let has_command = action.key().is_some_and(|chord| chord.command);
    has_command && !matches!(action, Action::Undo | Action::Redo)
}

/// Holding the key down goes on.
fn repeats(action: Action) -> bool {
    matches!(
        action,
        Action::StepBack
            | Action::StepForward
            | Action::PreviousKey
            | Action::NextKey
            | Action::PreviousClip
            | Action::NextClip
            | Action::PreviousProblem
            | Action::NextProblem
            | Action::Undo
            | Action::Redo
    )
}

fn belongs_to_widget(key: Key) -> bool {
    matches!(
        key,
        Key::Space
            | Key::Enter
            | Key::Tab
            | Key::ArrowLeft
            | Key::ArrowRight
            | Key::ArrowUp
            | Key::ArrowDown
            | Key::Home
            | Key::End
    )
}
