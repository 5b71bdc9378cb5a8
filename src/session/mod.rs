//! The one mutable state of the window, without input or output.
//!
//! Panels read `&Session` and push [`Command`]s; [`Session::apply`] carries them
//! out and answers with a [`Request`] where the shell has to do something
//! (read a file, open a dialog, copy text). The shell reports back by a command.

mod action;
mod analysis;
mod command;
mod compare;
mod errors;
mod glide;
mod inspect;
mod keys;
mod lab;
mod label;
mod load;
mod measures;
mod messages;
mod navigate;
mod place;
mod problems;
mod undo;

use std::path::PathBuf;

pub use action::{Action, KeyChord, Scope};
pub use analysis::Analysis;
use analysis::Followed;
pub use command::{Command, Request};
pub use compare::{Comparison, Layout, MOST_SIDES, Side};
pub use errors::{ErrorJob, ErrorKind, SideErrors};
pub use glide::GLIDE_SECS;
use glide::Glide;
use keys::KeyCache;
pub use lab::Lab;
pub use label::ways;
pub use messages::{Message, Messages};
pub use problems::{GroupKey, GroupOrder, Grouping, ProblemGroup, ProblemView};
use undo::History;

use crate::{
    document::{Document, Finding},
    scene::{Character, PoseSource, Stage, VertexRef, View},
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
    /// What is shown beside it.
    pub comparison: Option<Comparison>,
    /// The scene of the lab that is open, if it is one.
    pub lab: Option<Lab>,
    /// Camera and display switches.
    pub view: View,
    /// Which panels are open.
    pub panels: Panels,
    /// Notices and errors, newest last.
    pub messages: Messages,
    /// What was found in the open document, or how far the checks are.
    pub analysis: Analysis,
    /// The finding on show, as an index into [`Session::findings`].
    pub shown_finding: Option<usize>,
    /// What the inspector is about.
    pub inspected: Inspected,
    /// What the list of problems shows, and how.
    pub problems: ProblemView,
    /// What is being read, if anything.
    pub loading: Option<Loading>,
    /// The moving picture that is being written, if any.
    pub saving: Option<Saving>,
    /// Files opened before, newest first.
    pub recent: Vec<PathBuf>,
    /// Clips start at their first key instead of at 0. Stays on from clip to clip.
    pub start_at_first_key: bool,
    /// The stretch of time that dope sheet and curves show, from and to, in seconds;
    /// `None` for the whole clip. Another clip begins whole.
    pub shown_times: Option<[f32; 2]>,
    /// A hand holds the playhead: time does not run by itself.
    pub scrubbing: bool,
    /// Framing and views from a side arrive in [`GLIDE_SECS`] instead of at once. For
    /// windows; whoever turns it on calls [`advance`](Self::advance) while
    /// [`is_animating`](Self::is_animating).
    pub smooth_camera: bool,
    /// Scenes of the lab opened so far.
    scenes_opened: u64,
    glide: Option<Glide>,
    /// Clip and time that were left for the rest or bind pose.
    left_clip: Option<(usize, f32)>,
    history: History,
    keys: KeyCache,
    followed: Followed,
}

/// What the inspector is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Inspected {
    /// The selected joint.
    #[default]
    Joint,
    /// A mesh where a node shows it, by instance index.
    Mesh(usize),
    /// A skin.
    Skin(usize),
    /// A clip.
    Clip(usize),
    /// A material.
    Material(usize),
    /// A picture that textures show.
    Image(usize),
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

/// A moving picture on its way out.
#[derive(Debug, Clone, PartialEq)]
pub struct Saving {
    /// The file.
    pub path: PathBuf,
    /// 0 … 1.
    pub fraction: f32,
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
    /// What the timeline shows below its transport.
    pub timeline_view: TimelineView,
    /// Which list the outliner shows.
    pub outliner_tab: OutlinerTab,
}

/// What the timeline shows below its transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum TimelineView {
    /// One bar with all key times.
    #[default]
    Bar,
    /// A row of keys per joint and property.
    DopeSheet,
    /// Values over time.
    Curves,
    /// How far the sides of a comparison are apart over time.
    Errors,
}

impl TimelineView {
    /// Every view, in the order of their switch.
    pub const ALL: [Self; 4] = [Self::Bar, Self::DopeSheet, Self::Curves, Self::Errors];
}

impl Panels {
    /// Whether the timeline is open and shows this.
    pub fn shows(&self, view: TimelineView) -> bool {
        self.timeline && self.timeline_view == view
    }

    /// Opens the timeline with this view, or goes back to the bar where it is shown.
    pub fn toggle(&mut self, view: TimelineView) {
        self.timeline_view = if self.shows(view) {
            TimelineView::Bar
        } else {
            view
        };
        self.timeline = true;
    }
}

/// Which list the outliner shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum OutlinerTab {
    /// The tree of joints.
    #[default]
    Joints,
    /// Meshes.
    Meshes,
    /// Clips and poses.
    Clips,
    /// What is wrong.
    Problems,
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
            timeline_view: TimelineView::default(),
            outliner_tab: OutlinerTab::default(),
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
        self.is_camera_moving() || self.is_time_running()
    }

    fn is_time_running(&self) -> bool {
        !self.scrubbing
            && self.character().is_some_and(|c| {
                let player = &c.player;
                player.playing && player.speed != 0.0 && player.duration_secs > player.start_secs
            })
    }

    /// Moves the camera on its way, and time by `dt_secs` of real time, unless a hand
    /// holds the playhead; updates poses.
    pub fn advance(&mut self, dt_secs: f32) {
        self.advance_camera(dt_secs);
        if self.scrubbing {
            return;
        }
        for character in &mut self.stage.characters {
            if character.player.playing {
                character.player.advance(dt_secs);
                character.update();
            }
        }
        self.follow_a();
    }

    /// Carries out one command; applying it again does no harm, but for an action. Numbers that are
    /// not finite and joints that do not exist are ignored.
    pub fn apply(&mut self, command: Command) -> Option<Request> {
        let request = self.carry_out(command);
        self.follow_a();
        self.refresh_keys();
        request
    }

    fn carry_out(&mut self, command: Command) -> Option<Request> {
        match command {
            Command::Act { action, aspect } => {
                return action
                    .command(self, aspect)
                    .and_then(|command| self.carry_out(command));
            }
            Command::Open(path) => return Some(Request::Load(path)),
            Command::OpenDialog => return Some(Request::OpenDialog),
            Command::OpenBuiltIn => return Some(Request::LoadBuiltIn),
            Command::Reload => return self.path.clone().map(Request::Reload),
            Command::SavePicture => return Some(Request::SavePicture),
            Command::SaveAnimation => return Some(Request::SaveAnimation),
            Command::CancelSave => {
                return self.saving.take().map(|_| Request::CancelSave);
            }
            Command::SaveProgress(saving) => self.saving = saving,
            Command::CopyText(text) => return Some(Request::CopyText(text)),
            Command::Quit => return Some(Request::Quit),
            Command::LoadProgress(loading) => self.loading = Some(loading),
            Command::LoadCancelled => self.loading = None,
            Command::LoadFinished { document, path } => {
                self.leave_lab();
                self.show(document, path);
            }
            Command::LoadFailed { path, message } => self.load_failed(&path, &message),
            Command::AnalysisProgress(fraction) => self.analysis_progress(fraction),
            Command::AnalysisFinished { document, report } => {
                self.analysis_finished(&document, report);
            }
            Command::AnalyseWhole => return self.analyse_whole(),
            Command::ShowFinding { index, aspect } => self.show_finding(index, aspect),
            Command::HideFinding => self.hide_finding(),
            Command::SetProblems(view) => self.problems = *view,
            Command::ForgetRecent(path) => self.recent.retain(|known| *known != path),
            Command::SetTime(time_secs) => self.edit(|c| c.player.seek(time_secs)),
            Command::SetScrubbing(on) => self.scrubbing = on,
            Command::ShowTimes(times) => self.show_times(times),
            Command::StepTo(time_secs) => self.edit(|c| {
                c.player.playing = false;
                c.player.seek(time_secs);
            }),
            Command::SetPlaying(playing) => self.set_playing(playing),
            Command::SetSpeed(speed) if speed.is_finite() => {
                self.edit(|c| c.player.speed = speed.clamp(-2.0, 4.0));
            }
            Command::SetSpeed(_) => {}
            Command::SetLoopPolicy(policy) => self.edit(|c| {
                c.player.loop_policy = policy;
                // Otherwise a loop chosen on the way back would run backwards.
                c.player.returning = false;
            }),
            Command::SetStartAtFirstKey(on) => {
                self.start_at_first_key = on;
                self.edit(|c| start_at_first_key(c, on));
            }
            Command::SetSource(source) => self.set_source(source),
            Command::ReturnToClip => self.return_to_clip(),
            Command::SetModes(modes) if modes.threshold.is_finite() => self.edit(|c| {
                c.technique.modes = modes;
                c.technique.modes.threshold = modes.threshold.clamp(0.0, 1.0);
            }),
            Command::SetModes(_) => {}
            Command::SetTechnique { side, technique } => self.set_technique(side, *technique),
            Command::AddSide => self.add_side(),
            Command::RemoveSide(side) => self.remove_side(side),
            Command::EndComparison => self.end_comparison(),
            Command::SwapSides => self.swap_sides(),
            Command::SetSideSource { side, source } => self.set_side_source(side, source),
            Command::SetLayout(layout) => self.change_comparison(|c| c.layout = layout),
            Command::SetWipe(share) if share.is_finite() => {
                self.change_comparison(|c| c.wipe = share.clamp(0.0, 1.0));
            }
            Command::SetWipe(_) => {}
            Command::SetErrorKind(kind) => self.change_comparison(|c| c.kind = kind),
            Command::ErrorsProgress(so_far) => self.change_comparison(|c| c.measuring = so_far),
            Command::ErrorsMeasured(errors) => self.errors_measured(&errors),
            Command::ShowWorst { side, kind } => self.show_worst(side, kind),
            Command::OpenLab(scene) => return self.open_lab(scene),
            Command::OpenBesideDialog => return Some(Request::OpenBesideDialog),
            Command::OpenBeside(path) => return Some(Request::LoadBeside(path)),
            Command::BesideFinished { document, path } => self.show_beside(document, path),
            Command::SetWeights(weights) => self.edit(|c| c.technique.weights = weights),
            Command::ReadBindTransposed(on) => self.edit(|c| c.read_bind_transposed(on)),
            Command::SetSkinning(on) => self.edit(|c| c.skinned = on),
            Command::SelectJoint(joint) => {
                self.view.selected_joint = self.existing(joint);
                self.inspected = Inspected::Joint;
            }
            Command::Inspect(wanted) => self.inspect(wanted),
            Command::HoldMorph {
                instance,
                target,
                weight,
            } => self.set_morph(instance, target, weight),
            Command::ReleaseMorphs => self.edit(Character::release_morphs),
            Command::SelectVertex(vertex) => {
                self.view.selected_vertex = self.existing_vertex(vertex);
                self.inspected = Inspected::Joint;
            }
            Command::HoverJoint(joint) => self.view.hovered_joint = self.existing(joint),
            Command::SetCamera(camera) => self.set_camera(camera),
            Command::MoveCamera(camera) => self.move_camera(camera),
            Command::SetView(view) => self.set_view(*view),
            Command::SetPanels(panels) => self.panels = panels,
            Command::Dismiss(id) => self.messages.dismiss(id),
            Command::Notify(severity, text) => self.messages.push(severity, text),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
        }
        None
    }

    /// The joint, if the open document has it.
    fn existing(&self, joint: Option<usize>) -> Option<usize> {
        let count = self.document().map_or(0, |d| d.skeleton.joints.len());
        joint.filter(|&joint| joint < count)
    }

    /// The vertex, if the open document has it.
    fn existing_vertex(&self, vertex: Option<VertexRef>) -> Option<VertexRef> {
        let document = self.document()?;
        vertex.filter(|vertex| vertex.resolve(document).is_some())
    }

    fn set_view(&mut self, view: View) {
        let camera = self.view.camera;
        let wanted = view.camera;
        self.view = view;
        self.view.camera = camera;
        // A switch thrown while the camera moves does not stop it.
        if wanted != camera {
            self.set_camera(wanted);
        }
        self.view.selected_joint = self.existing(self.view.selected_joint);
        self.view.hovered_joint = self.existing(self.view.hovered_joint);
        self.keep_measures();
        self.view.selected_vertex = self.existing_vertex(self.view.selected_vertex);
    }

    fn edit(&mut self, change: impl FnOnce(&mut Character)) {
        if let Some(character) = self.stage.characters.first_mut() {
            change(character);
            character.update();
        }
    }

    /// A stretch that is empty, backwards or not finite changes nothing.
    fn show_times(&mut self, times: Option<[f32; 2]>) {
        let is_usable = |&[from, to]: &[f32; 2]| from.is_finite() && to.is_finite() && from < to;
        if times.as_ref().is_none_or(is_usable) {
            self.shown_times = times;
        }
    }

    fn set_source(&mut self, source: PoseSource) {
        let Some(character) = self.character() else {
            return;
        };
        if character.source == source {
            return;
        }
        if let PoseSource::Clip(index) = character.source {
            self.left_clip = Some((index, character.player.time_secs));
        }
        self.shown_times = None;
        let on = self.start_at_first_key;
        self.edit(|c| {
            c.set_source(source);
            start_at_first_key(c, on);
        });
    }

    fn return_to_clip(&mut self) {
        let standing =
            (self.character()).is_some_and(|c| c.clip().is_none() && !c.document.clips.is_empty());
        if standing {
            let (index, time_secs) = self.left_clip.unwrap_or_default();
            self.set_source(PoseSource::Clip(index));
            self.edit(|c| c.player.seek(time_secs));
        }
    }

    fn set_playing(&mut self, playing: bool) {
        self.edit(|c| match playing {
            true if !c.player.playing => c.player.play(),
            true => {}
            false => c.player.playing = false,
        });
    }
}

/// Puts the clip's start at its first key, or at 0.
fn start_at_first_key(character: &mut Character, on: bool) {
    let start = match character.clip() {
        Some(clip) if on => clip.start_secs,
        _ => 0.0,
    };
    let end = character.player.duration_secs;
    character.player.set_range(start, end);
}
