//! The one mutable state of the window, without input or output.
//!
//! Panels read `&Session` and push [`Command`]s; [`Session::apply`] carries them
//! out and answers with a [`Request`] where the shell has to do something
//! (read a file, open a dialog, copy text). The shell reports back by a command.

mod action;
mod command;
mod messages;
mod navigate;
mod undo;

use std::{path::PathBuf, sync::Arc};

pub use action::{Action, KeyChord, Scope};
pub use command::{Command, Request};
pub use messages::{Message, Messages};
use undo::History;

use crate::{
    document::{Document, Severity},
    scene::{Character, PoseSource, Stage, View},
};

/// How many recent files are kept.
pub const RECENT_LIMIT: usize = 12;

/// Everything the window shows and remembers.
#[derive(Debug, Default)]
pub struct Session {
    /// Who is on stage; the open document is the first character.
    pub stage: Stage,
    /// Where the open document came from; `None` for the built-in character.
    pub path: Option<PathBuf>,
    /// Camera and display switches.
    pub view: View,
    /// Which panels are open.
    pub panels: Panels,
    /// Notices and errors, newest last.
    pub messages: Messages,
    /// What is being read, if anything.
    pub loading: Option<Loading>,
    /// Files opened before, newest first.
    pub recent: Vec<PathBuf>,
    history: History,
}

/// A file on its way in.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    /// The file.
    pub path: PathBuf,
    /// 0 … 1.
    pub fraction: f32,
    /// What is happening, such as `textures`.
    pub stage: String,
    /// A reload of the open file: the camera stays.
    pub reload: bool,
}

/// Which panels and sheets are open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Panels {
    /// Left: joints, meshes, clips.
    pub outliner: bool,
    /// Right: the selected joint and display switches.
    pub inspector: bool,
    /// Bottom: transport, modes, key ticks.
    pub timeline: bool,
    /// The sheet of all keys.
    pub help: bool,
    /// File facts and findings.
    pub info: bool,
    /// The command palette.
    pub palette: bool,
}

impl Default for Panels {
    fn default() -> Self {
        Self {
            outliner: true,
            inspector: true,
            timeline: true,
            help: false,
            info: false,
            palette: false,
        }
    }
}

impl Session {
    /// The character on show, if any.
    pub fn character(&self) -> Option<&Character> {
        self.stage.characters.first()
    }

    /// The open document, if any.
    pub fn document(&self) -> Option<&Document> {
        self.character().map(|character| &*character.document)
    }

    /// Whether the picture changes by itself, so that the next frame is needed.
    pub fn is_animating(&self) -> bool {
        self.character()
            .is_some_and(|c| c.player.playing && c.player.duration_secs > c.player.start_secs)
    }

    /// Moves time by `dt_secs` of real time and updates poses.
    pub fn advance(&mut self, dt_secs: f32) {
        for character in &mut self.stage.characters {
            if character.player.playing {
                character.player.advance(dt_secs);
                character.update();
            }
        }
    }

    /// Carries out one command; applying it again does no harm.
    pub fn apply(&mut self, command: Command) -> Option<Request> {
        match command {
            Command::Open(path) => return Some(Request::Load(path)),
            Command::OpenDialog => return Some(Request::OpenDialog),
            Command::OpenBuiltIn => return Some(Request::LoadBuiltIn),
            Command::Reload => return self.path.clone().map(Request::Reload),
            Command::SavePicture => return Some(Request::SavePicture),
            Command::CopyText(text) => return Some(Request::CopyText(text)),
            Command::Quit => return Some(Request::Quit),
            Command::LoadProgress(loading) => self.loading = Some(loading),
            Command::LoadFinished { document, path } => self.show(document, path),
            Command::LoadFailed { path, message } => self.load_failed(&path, message),
            Command::SetTime(time_secs) => self.edit(|c| c.player.seek(time_secs)),
            Command::SetPlaying(playing) => self.set_playing(playing),
            Command::SetSpeed(speed) => self.edit(|c| c.player.speed = speed.clamp(-2.0, 4.0)),
            Command::SetLoopPolicy(policy) => self.edit(|c| c.player.loop_policy = policy),
            Command::SetStartAtFirstKey(on) => self.edit(|c| {
                c.player.start_secs = match c.clip() {
                    Some(clip) if on => clip.start_secs,
                    _ => 0.0,
                };
            }),
            Command::SetSource(source) => self.edit(|c| {
                if c.source != source {
                    c.set_source(source);
                }
            }),
            Command::SetModes(modes) => self.edit(|c| c.modes = modes),
            Command::SetWeights(weights) => self.edit(|c| c.weights = weights),
            Command::SetSkinning(on) => self.edit(|c| c.skinning = on),
            Command::SelectJoint(joint) => self.view.selected_joint = joint,
            Command::HoverJoint(joint) => self.view.hovered_joint = joint,
            Command::SetCamera(camera) => self.view.camera = camera,
            Command::SetView(view) => self.view = *view,
            Command::SetPanels(panels) => self.panels = panels,
            Command::Dismiss(id) => self.messages.dismiss(id),
            Command::Notify(severity, text) => self.messages.push(severity, text),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
        }
        None
    }

    fn edit(&mut self, change: impl FnOnce(&mut Character)) {
        if let Some(character) = self.stage.characters.first_mut() {
            change(character);
            character.update();
        }
    }

    fn set_playing(&mut self, playing: bool) {
        self.edit(|c| {
            let player = &mut c.player;
            let at_end = player.time_secs >= player.duration_secs && player.speed > 0.0;
            if playing
                && !player.playing
                && at_end
                && player.loop_policy == crate::anim::LoopPolicy::Once
            {
                player.time_secs = player.start_secs;
            }
            player.playing = playing;
        });
    }

    /// Puts a document on stage. A reload of the open file keeps clip, time,
    /// modes and selection, matched by name.
    fn show(&mut self, document: Arc<Document>, path: Option<PathBuf>) {
        self.loading = None;
        let reload = path.is_some() && path == self.path;
        let mut character = Character::new(document);
        if let Some(old) = self.stage.characters.first() {
            character.modes = old.modes;
            character.weights = old.weights;
            character.player.playing = old.player.playing;
            character.player.speed = old.player.speed;
            character.player.loop_policy = old.player.loop_policy;
            if reload {
                carry_over(old, &mut character);
                self.view.selected_joint = self
                    .view
                    .selected_joint
                    .and_then(|joint| find_joint(old, joint, &character));
            }
        }
        if !reload {
            self.view.selected_joint = None;
            self.view.hidden_instances.clear();
        }
        self.view.hovered_joint = None;
        character.update();
        if let Some(path) = &path {
            self.recent.retain(|known| known != path);
            self.recent.insert(0, path.clone());
            self.recent.truncate(RECENT_LIMIT);
        }
        self.path = path;
        self.stage.characters = vec![character];
        self.history = History::default();
    }

    fn load_failed(&mut self, path: &std::path::Path, message: String) {
        self.loading = None;
        let shown = self.document().map(|d| d.name.clone());
        let kept = shown.map_or(String::new(), |name| format!(" ({name} stays open)"));
        self.messages
            .push(Severity::Error, format!("{message}{kept}"));
        self.recent.retain(|known| known != path || path.exists());
    }
}

/// Clip and time, by clip name and then by index; switches that belong to the view.
fn carry_over(old: &Character, new: &mut Character) {
    if let PoseSource::Clip(index) = old.source {
        let name = old.document.clips.get(index).map(|clip| &clip.name);
        let by_name = new
            .document
            .clips
            .iter()
            .position(|clip| !clip.name.is_empty() && Some(&clip.name) == name);
        let index = by_name.unwrap_or(index);
        if index < new.document.clips.len() {
            new.set_source(PoseSource::Clip(index));
            new.player.seek(old.player.time_secs);
        }
    } else {
        new.set_source(old.source);
    }
    new.player.playing = old.player.playing;
    new.skinning = old.skinning;
}

fn find_joint(old: &Character, joint: usize, new: &Character) -> Option<usize> {
    let wanted = &old.document.skeleton.joints.get(joint)?.name;
    let joints = &new.document.skeleton.joints;
    joints
        .iter()
        .position(|joint| !joint.name.is_empty() && joint.name == *wanted)
        .or((joint < joints.len()).then_some(joint))
}
