//! What can be asked of the session, and what the session asks of its shell.

use std::{path::PathBuf, sync::Arc};

use super::{
    Action, ErrorKind, Inspected, Layout, Loading, Panels, ProblemView, Saving, SideErrors,
};
use crate::{
    analysis::{Effort, Report},
    anim::{LoopPolicy, Modes, Technique, Weights},
    document::{Document, Severity},
    lab::Scene,
    scene::{OrbitCamera, PoseSource, VertexRef, View},
};

/// A change of state. All but [`Act`](Self::Act) are absolute, so that repeating
/// one does no harm.
#[derive(Debug, Clone)]
pub enum Command {
    /// Do what this action means in the state that it finds, so that several in a
    /// row build on each other. Pushed only for an event, which comes once.
    Act {
        /// What to do.
        action: Action,
        /// The view's width over its height, for framing.
        aspect: f32,
    },
    /// Read this file and show it.
    Open(PathBuf),
    /// Ask the person for a file.
    OpenDialog,
    /// Show the built-in character.
    OpenBuiltIn,
    /// Read the open file again.
    Reload,
    /// Write the view to a PNG file.
    SavePicture,
    /// Write the clip, seen as now, to a moving picture.
    SaveAnimation,
    /// Give up on the moving picture that is being written.
    CancelSave,
    /// From the shell: how far a moving picture is; `None` when it is over.
    SaveProgress(Option<Saving>),
    /// Put text on the clipboard.
    CopyText(String),
    /// Close the window.
    Quit,
    /// From the loader: how far it is.
    LoadProgress(Loading),
    /// From the loader: done.
    LoadFinished {
        /// What was read.
        document: Arc<Document>,
        /// From where; `None` for the built-in character.
        path: Option<PathBuf>,
    },
    /// From the loader: not to be had. What was open stays open.
    LoadFailed {
        /// The file.
        path: PathBuf,
        /// Why, naming file, object and number.
        message: String,
    },
    /// From the shell: nothing is being read any more, and there is nothing to say.
    LoadCancelled,
    /// From the analyst: how far the checks of the open document are, 0 … 1.
    AnalysisProgress(f32),
    /// From the analyst: what was found. Dropped if another document is open by now.
    AnalysisFinished {
        /// What was looked at.
        document: Arc<Document>,
        /// What was found.
        report: Arc<Report>,
    },
    /// Run the checks that were left out because the file is large.
    AnalyseWhole,
    /// Show a finding: select its place, jump to its time and send the eye there.
    ShowFinding {
        /// Index into [`Session::findings`](super::Session::findings).
        index: usize,
        /// The view's width over its height, for framing.
        aspect: f32,
    },
    /// Show no finding any more; what it selected stays selected.
    HideFinding,
    /// Filter, group and order the list of problems.
    SetProblems(Box<ProblemView>),
    /// Take a file off the recent list, because it is gone.
    ForgetRecent(PathBuf),
    /// Playhead in seconds, clamped to the clip; time keeps running if it ran.
    SetTime(f32),
    /// A hand holds the playhead, or lets go of it: meanwhile time stands still,
    /// but the clip counts as playing if it did.
    SetScrubbing(bool),
    /// Show this stretch of time, from and to in seconds, in dope sheet and curves;
    /// `None` for the whole clip.
    ShowTimes(Option<[f32; 2]>),
    /// Stop and put the playhead there: stepping by frame or key.
    StepTo(f32),
    /// Run or stop; at the end of a clip played once, running starts over.
    SetPlaying(bool),
    /// Factor on real time, clamped to −2 … 4.
    SetSpeed(f32),
    /// At the clip's ends.
    SetLoopPolicy(LoopPolicy),
    /// Start at the clip's first key instead of 0.
    SetStartAtFirstKey(bool),
    /// Clip, rest or bind pose.
    SetSource(PoseSource),
    /// From the rest or bind pose back to the clip and time that were left for it,
    /// or to the first clip.
    ReturnToClip,
    /// Interpolation, hemisphere and threshold.
    SetModes(Modes),
    /// By what means a side is played, A being 0.
    SetTechnique {
        /// The side.
        side: usize,
        /// The means.
        technique: Box<Technique>,
    },
    /// One more side to compare A with; the first begins a comparison. Pushed only for an
    /// event, which comes once.
    AddSide,
    /// Take a side away, B being 1. Pushed only for an event.
    RemoveSide(usize),
    /// Show A alone again.
    EndComparison,
    /// Exchange what A and B do. Pushed only for an event.
    SwapSides,
    /// Give a side but A a clip or pose of its own, or A's with `None`.
    SetSideSource {
        /// The side, B being 1.
        side: usize,
        /// Its own.
        source: Option<PoseSource>,
    },
    /// How sides share the view.
    SetLayout(Layout),
    /// Share of the view's width that A has in a wipe, 0 … 1.
    SetWipe(f32),
    /// What of the errors of a comparison is plotted and shown on surfaces.
    SetErrorKind(ErrorKind),
    /// Stop where a side, B being 1, is farthest from A, and select what is.
    ShowWorst {
        /// The side.
        side: usize,
        /// By what.
        kind: ErrorKind,
    },
    /// From the shell: how far the errors over the clip are, 0 … 1; `None` when nobody
    /// works on them.
    ErrorsProgress(Option<f32>),
    /// From the shell: the errors of a side over the clip. Dropped where something else is
    /// compared by now.
    ErrorsMeasured(Arc<SideErrors>),
    /// Show a scene of the lab. Pushed only for an event.
    OpenLab(&'static Scene),
    /// Ask the person for a file to compare with.
    OpenBesideDialog,
    /// Read this file and show it beside the open one.
    OpenBeside(PathBuf),
    /// From the loader: done.
    BesideFinished {
        /// What was read.
        document: Arc<Document>,
        /// From where.
        path: PathBuf,
    },
    /// Use of stored weights.
    SetWeights(Weights),
    /// Read inverse bind matrices that look written row by row as if they were, to see
    /// what was meant.
    ReadBindTransposed(bool),
    /// Deform by the skin, or show the mesh as stored.
    SetSkinning(bool),
    /// Select a joint, or none.
    SelectJoint(Option<usize>),
    /// Show this in the inspector; selecting a joint shows that again.
    Inspect(Inspected),
    /// Hold the weight of a morph target whatever the clip says, or let go of it.
    HoldMorph {
        /// Index of the mesh instance.
        instance: usize,
        /// Index of the target.
        target: usize,
        /// The weight; `None` gives it back to the clip.
        weight: Option<f32>,
    },
    /// Let go of all morph targets.
    ReleaseMorphs,
    /// Select a vertex, or none.
    SelectVertex(Option<VertexRef>),
    /// The joint under the pointer.
    HoverJoint(Option<usize>),
    /// Put the eye there now: a hand moves it.
    SetCamera(OrbitCamera),
    /// Send the eye there; in a window it takes a moment.
    MoveCamera(OrbitCamera),
    /// Replace all view switches.
    SetView(Box<View>),
    /// Open and close panels.
    SetPanels(Panels),
    /// Take a message away.
    Dismiss(u64),
    /// Tell the person something.
    Notify(Severity, String),
    /// Take back the last change of view or modes.
    Undo,
    /// Do it again.
    Redo,
}

/// What only the shell can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Read a file in the background; answer with `LoadFinished` or `LoadFailed`.
    Load(PathBuf),
    /// The same for the open file.
    Reload(PathBuf),
    /// Show the built-in character.
    LoadBuiltIn,
    /// Read a file in the background to be compared; answer with `BesideFinished` or
    /// `LoadFailed`.
    LoadBeside(PathBuf),
    /// Another document is on stage: point the camera at it and run the checks.
    SceneOpened,
    /// Let the person choose a file, then `OpenBeside` it.
    OpenBesideDialog,
    /// Run the checks over the open document in the background; answer with
    /// `AnalysisProgress` and `AnalysisFinished`. One that runs is given up.
    Analyse(Effort),
    /// Let the person choose a file, then `Open` it.
    OpenDialog,
    /// Write the present view as PNG.
    SavePicture,
    /// Write the clip, seen as now, in the background; answer with `SaveProgress`.
    SaveAnimation,
    /// Stop that.
    CancelSave,
    /// Clipboard.
    CopyText(String),
    /// End the program.
    Quit,
}
