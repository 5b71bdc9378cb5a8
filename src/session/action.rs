//! Every command a person can give, declared once: menus, tooltips, shortcuts,
//! the `?` sheet and the command palette all read this table.

use super::{Command, Layout, MOST_SIDES, OutlinerTab, Panels, Session, TimelineView};
use crate::{
    anim::Interpolation,
    scene::{BoneStyle, BoundsShown, JointScope, PoseSource, Ruler, Shading, View, WeightView},
};

/// Which menu an action belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Files and the program.
    File,
    /// What is seen.
    View,
    /// Time and modes.
    Play,
    /// Comparing.
    Lab,
    /// Help.
    Help,
}

impl Scope {
    /// All, in the order of the menu bar.
    pub const ALL: [Self; 5] = [Self::File, Self::View, Self::Play, Self::Lab, Self::Help];

    /// The menu's title.
    pub fn label(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::View => "View",
            Self::Play => "Play",
            Self::Lab => "Lab",
            Self::Help => "Help",
        }
    }
}

/// A key with modifiers, by name: `Space`, `ArrowLeft`, `F`, `1`, `?`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyChord {
    /// Ctrl (Cmd on macOS).
    pub command: bool,
    /// Shift.
    pub shift: bool,
    /// Key name as `egui::Key::from_name` knows it.
    pub key: &'static str,
}

const fn key(key: &'static str) -> Option<KeyChord> {
    Some(KeyChord {
        command: false,
        shift: false,
        key,
    })
}
const fn ctrl(key: &'static str) -> Option<KeyChord> {
    Some(KeyChord {
        command: true,
        shift: false,
        key,
    })
}
const fn shift(key: &'static str) -> Option<KeyChord> {
    Some(KeyChord {
        command: false,
        shift: true,
        key,
    })
}
const fn ctrl_shift(key: &'static str) -> Option<KeyChord> {
    Some(KeyChord {
        command: true,
        shift: true,
        key,
    })
}

macro_rules! actions {
    ($($variant:ident: $scope:ident, $label:literal, $tooltip:literal, $key:expr;)*) => {
        /// Something a person can do by menu, key or button.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each variant's tooltip in the table below is its meaning")]
        pub enum Action { $($variant,)* }

        impl Action {
            /// All, in menu order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Text in menus.
            pub fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)* }
            }

            /// One sentence on what it does.
            pub fn tooltip(self) -> &'static str {
                match self { $(Self::$variant => $tooltip,)* }
            }

            /// Its menu.
            pub fn scope(self) -> Scope {
                match self { $(Self::$variant => Scope::$scope,)* }
            }

            /// Its shortcut, if it has one.
            pub fn key(self) -> Option<KeyChord> {
                match self { $(Self::$variant => $key,)* }
            }
        }
    };
}

actions! {
    Open: File, "Open…", "Choose a glTF file", ctrl("O");
    Reload: File, "Reload", "Read the open file again", ctrl("R");
    OpenBuiltIn: File, "Built-in character", "Show the character that comes with the program", None;
    SavePicture: File, "Save picture…", "Write the view to a PNG file", ctrl("S");
    SaveAnimation: File, "Save animation…", "Write the clip, seen as now, to a GIF, APNG or WebP file", ctrl_shift("S");
    CloseWindow: File, "Quit", "Close the window", ctrl("Q");
    Undo: View, "Undo", "Take back the last change of view or modes", ctrl("Z");
    Redo: View, "Redo", "Do it again", ctrl_shift("Z");
    FrameAll: View, "Frame", "Fit the character, over its whole animation, into the view", key("F");
    FrameSelected: View, "Frame selection", "Fit the selected joint and its children into the view", shift("F");
    ViewFront: View, "Front", "Look from the front", key("1");
    ViewRight: View, "Right", "Look from the character's right", key("3");
    ViewTop: View, "Top", "Look from above", key("7");
    ToggleOrthographic: View, "Parallel projection", "Switch between perspective and parallel projection", key("5");
    ToggleSkeleton: View, "Skeleton", "Joints and bones through the mesh", key("B");
    ToggleSticks: View, "Bones as sticks", "Balls and thin lines instead of tapered bones", key("O");
    CycleBoneColor: View, "Next bone colouring", "Colour bones plainly, by findings, by shear, by mirroring", shift("C");
    ToggleNames: View, "Joint names", "Names in the view: of the selected joint, with its children, of all, of none", key("N");
    ToggleAxes: View, "Joint axes", "Local axes: of the selected joint, with its children, of all, of none", key("A");
    ToggleTrail: View, "Motion trail", "The selected joint's path over the clip, dotted evenly in time", shift("T");
    PinTrail: View, "Pin the trail", "Keep the selected joint's trail when another is selected; again to let go", shift("P");
    ToggleGhosts: View, "Ghosts", "The character a little before (blue) and after (red), translucent", key("J");
    ToggleBounds: View, "Bounds", "Boxes around the character: as stored, now, over the clip", key("X");
    ToggleRuler: View, "Ruler", "Measure between two points: click joints, the surface or the ground; Esc ends", key("U");
    ToggleFigure: View, "Reference figure", "A person 1.8 m tall beside the character", shift("G");
    ToggleScaleBar: View, "Scale bar", "A bar of known length in the corner of the view", None;
    ToggleMesh: View, "Mesh", "Show or hide all meshes", key("M");
    ToggleWireframe: View, "Wireframe", "Triangle edges over the surface", key("W");
    ToggleNormals: View, "Normals", "World-space normals as colours", shift("N");
    ShowJointWeights: View, "Weight heat map", "How much of each vertex the selected joint moves", key("H");
    ShowJointColors: View, "Joint colours", "A colour for each joint, mixed by weight", None;
    ShowInfluences: View, "Influence count", "How many joints move each vertex; more than four stand out", shift("H");
    ShowWeightSum: View, "Weight sums", "How far the weights of each vertex are from summing to 1", None;
    ShowFourInfluences: View, "Four influences", "The mesh as engines show it that drop influences past the fourth, and how far off it is", None;
    ToggleSkinning: View, "Skinning", "Deform by the skin, or show the mesh as stored", key("K");
    ToggleGrid: View, "Grid", "Ground grid", key("G");
    ToggleShadow: View, "Shadow", "Shadows, on the ground and on the character itself", None;
    ToggleOcclusion: View, "Ambient occlusion", "Darker corners, and contact with the ground", None;
    ToggleReflections: View, "Reflections", "The sky mirrored in surfaces", None;
    ToggleOutliner: View, "Outliner", "Panel with joints, meshes and clips", key("T");
    ToggleInspector: View, "Inspector", "Panel with the selected joint and display switches", key("I");
    ToggleTimeline: View, "Timeline", "Panel with transport, modes and keys", None;
    DopeSheet: View, "Dope sheet", "Keys in rows, by joint and property; again for the bar", key("D");
    Curves: View, "Curves", "Values over time, as they are played; again for the bar", key("C");
    WholeClip: View, "Whole clip", "Show the clip from end to end in dope sheet and curves", key("Z");
    Problems: View, "Problems", "List of what is wrong, with causes and cures", key("P");
    NextProblem: View, "Next problem", "Show the next problem of the list: its joint and its moment", key(".");
    PreviousProblem: View, "Previous problem", "Show the problem before", key(",");
    PlayPause: Play, "Play / pause", "Run or stop time", key("Space");
    StepBack: Play, "Previous frame", "One frame back (guessed frame rate)", key("ArrowLeft");
    StepForward: Play, "Next frame", "One frame forward (guessed frame rate)", key("ArrowRight");
    PreviousKey: Play, "Previous key", "Jump to the key before, of the selected joint or of all", key("ArrowUp");
    NextKey: Play, "Next key", "Jump to the key after, of the selected joint or of all", key("ArrowDown");
    ToStart: Play, "To the start", "Jump to the clip's start", key("Home");
    ToEnd: Play, "To the end", "Jump to the clip's end", key("End");
    PreviousClip: Play, "Previous clip", "Show the clip before", key("PageUp");
    NextClip: Play, "Next clip", "Show the next clip", key("PageDown");
    RestPose: Play, "Rest pose", "Node transforms as stored; again for the clip", key("R");
    BindPose: Play, "Bind pose", "Inverses of the inverse bind matrices; again for the clip", shift("B");
    ModeAuthored: Play, "As authored", "Interpolate as the file says", None;
    CycleMode: Play, "Next interpolation mode", "Switch to the next interpolation mode", key("L");
    Compare: Lab, "Compare", "Show the character a second time, played another way; again for one view", key("V");
    CompareFile: Lab, "Compare with a file…", "Show another file beside the open one", ctrl_shift("O");
    AddSide: Lab, "Add a side", "One more view beside the others, up to four", None;
    NextLayout: Lab, "Next layout", "Side by side, a wipe, or laid over each other", shift("V");
    SwapSides: Lab, "Swap A and B", "Exchange what A and B do", key("Y");
    ErrorCurve: Lab, "Difference over the clip", "How far the others are from A, all along the clip; again for the bar", key("E");
    ShowDifference: Lab, "Colour by difference", "Surfaces of the other sides coloured by how far they are from A", shift("E");
    Keys: Help, "Keyboard and mouse", "Show all keys", key("?");
    FileInfo: Help, "File info", "Counts, extensions and what was found", ctrl("I");
    CommandPalette: Help, "Command palette", "Find any command by a few letters", ctrl_shift("P");
}

impl Action {
    /// Whether it can be done now.
    pub fn is_enabled(self, session: &Session) -> bool {
        match self {
            Self::Reload => session.path.is_some(),
            Self::FrameSelected => session.view.selected_joint.is_some(),
            Self::PinTrail => session.view.selected_joint.is_some(),
            Self::ToggleRuler => session.character().is_some(),
            Self::NextProblem | Self::PreviousProblem => !session.findings().is_empty(),
            Self::Undo => session.can_undo(),
            Self::Redo => session.can_redo(),
            Self::PreviousClip | Self::NextClip => {
                session.document().is_some_and(|d| !d.clips.is_empty())
            }
            Self::BindPose => session.document().is_some_and(|d| !d.skins.is_empty()),
            Self::ShowJointWeights
            | Self::ShowJointColors
            | Self::ShowInfluences
            | Self::ShowWeightSum
            | Self::ShowFourInfluences => session.document().is_some_and(|d| !d.skins.is_empty()),
            Self::FrameAll
            | Self::SavePicture
            | Self::ToggleSkinning
            | Self::RestPose
            | Self::ModeAuthored
            | Self::CycleMode => session.character().is_some(),
            Self::SaveAnimation => {
                session.saving.is_none() && session.character().is_some_and(|c| c.clip().is_some())
            }
            Self::WholeClip => session.shown_times.is_some(),
            Self::Compare | Self::CompareFile => session.character().is_some(),
            Self::AddSide => session.character().is_some() && session.side_count() < MOST_SIDES,
            Self::NextLayout | Self::SwapSides | Self::ErrorCurve => session.comparison.is_some(),
            Self::ShowDifference => session
                .layout()
                .is_some_and(|layout| layout != Layout::Overlay),
            Self::PlayPause
            | Self::ToStart
            | Self::ToEnd
            | Self::StepBack
            | Self::StepForward
            | Self::PreviousKey
            | Self::NextKey => session
                .character()
                .is_some_and(|character| character.clip().is_some()),
            _ => true,
        }
    }

    /// Whether a switch is on; `None` for what is no switch.
    pub fn is_on(self, session: &Session) -> Option<bool> {
        let view = &session.view;
        Some(match self {
            Self::ToggleOrthographic => session.settled_camera().orthographic,
            Self::ToggleSkeleton => view.skeleton,
            Self::ToggleSticks => view.bone_style == BoneStyle::Sticks,
            Self::ToggleNames => view.names != JointScope::Off,
            Self::ToggleAxes => view.axes != JointScope::Off,
            Self::ToggleTrail => view.trail,
            Self::PinTrail => {
                (view.selected_joint).is_some_and(|joint| view.pinned_trails.contains(&joint))
            }
            Self::ToggleGhosts => view.ghosts.on,
            Self::ToggleBounds => view.bounds.any(),
            Self::ToggleRuler => view.ruler.is_some(),
            Self::ToggleFigure => view.figure,
            Self::ToggleScaleBar => view.scale_bar,
            Self::ToggleMesh => view.mesh,
            Self::ToggleWireframe => view.wireframe,
            Self::ToggleNormals => view.shading == Shading::Normals && view.weight_view.is_none(),
            Self::ShowJointWeights
            | Self::ShowJointColors
            | Self::ShowInfluences
            | Self::ShowWeightSum
            | Self::ShowFourInfluences => view.weight_view == self.weight_view(),
            Self::ToggleSkinning => session.character().is_some_and(|c| c.skinned),
            Self::ToggleGrid => view.grid,
            Self::ToggleShadow => view.shadow,
            Self::ToggleOcclusion => view.ambient_occlusion,
            Self::ToggleReflections => view.reflections,
            Self::ToggleOutliner => session.panels.outliner,
            Self::ToggleInspector => session.panels.inspector,
            Self::Problems => {
                session.panels.outliner && session.panels.outliner_tab == OutlinerTab::Problems
            }
            Self::ToggleTimeline => session.panels.timeline,
            Self::DopeSheet => session.panels.shows(TimelineView::DopeSheet),
            Self::Curves => session.panels.shows(TimelineView::Curves),
            Self::Compare => session.comparison.is_some(),
            Self::ErrorCurve => session.panels.shows(TimelineView::Errors),
            Self::ShowDifference => view.weight_view == Some(WeightView::Difference),
            Self::Keys => session.panels.help,
            Self::FileInfo => session.panels.info,
            Self::CommandPalette => session.panels.palette,
            Self::PlayPause => session.character().is_some_and(|c| c.player.playing),
            Self::RestPose => session
                .character()
                .is_some_and(|c| c.source == PoseSource::Rest),
            Self::BindPose => session
                .character()
                .is_some_and(|c| c.source == PoseSource::Bind),
            Self::ModeAuthored => session
                .character()
                .is_some_and(|c| c.technique.modes.interpolation == Interpolation::Authored),
            _ => return None,
        })
    }

    /// The weight view that it switches.
    pub fn weight_view(self) -> Option<WeightView> {
        match self {
            Self::ShowJointWeights => Some(WeightView::Joint),
            Self::ShowJointColors => Some(WeightView::Joints),
            Self::ShowInfluences => Some(WeightView::Influences),
            Self::ShowWeightSum => Some(WeightView::Sum),
            Self::ShowFourInfluences => Some(WeightView::FourInfluences),
            _ => None,
        }
    }

    /// The absolute command that it means in the present state; `None` where it
    /// means nothing now. Framing needs the view's aspect (width over height).
    pub fn command(self, session: &Session, aspect: f32) -> Option<Command> {
        if !self.is_enabled(session) {
            return None;
        }
        let view = |change: &dyn Fn(&mut View)| {
            let mut view = session.view.clone();
            change(&mut view);
            Some(Command::SetView(Box::new(view)))
        };
        let panels = |change: &dyn Fn(&mut Panels)| {
            let mut panels = session.panels;
            change(&mut panels);
            Some(Command::SetPanels(panels))
        };
        match self {
            Self::Open => Some(Command::OpenDialog),
            Self::Reload => Some(Command::Reload),
            Self::OpenBuiltIn => Some(Command::OpenBuiltIn),
            Self::SavePicture => Some(Command::SavePicture),
            Self::SaveAnimation => Some(Command::SaveAnimation),
            Self::CloseWindow => Some(Command::Quit),
            Self::Undo => Some(Command::Undo),
            Self::Redo => Some(Command::Redo),
            Self::FrameAll => session.framed(aspect, false),
            Self::FrameSelected => session.framed(aspect, true),
            Self::ViewFront => session.looking_from(0.0, 0.0),
            Self::ViewRight => session.looking_from(-90.0, 0.0),
            Self::ViewTop => session.looking_from(0.0, 90.0),
            Self::ToggleOrthographic => {
                let mut camera = session.settled_camera();
                camera.orthographic = !camera.orthographic;
                Some(Command::MoveCamera(camera))
            }
            Self::ToggleSkeleton => view(&|v| v.skeleton = !v.skeleton),
            Self::ToggleSticks => view(&|v| {
                v.bone_style = match v.bone_style {
                    BoneStyle::Octahedra => BoneStyle::Sticks,
                    BoneStyle::Sticks => BoneStyle::Octahedra,
                };
            }),
            Self::CycleBoneColor => view(&|v| v.bone_color = v.bone_color.next()),
            Self::ToggleNames => view(&|v| v.names = v.names.next(v.selected_joint.is_some())),
            Self::ToggleAxes => view(&|v| v.axes = v.axes.next(v.selected_joint.is_some())),
            Self::ToggleTrail => view(&|v| v.trail = !v.trail),
            Self::PinTrail => view(&|v| v.pin_selected()),
            Self::ToggleGhosts => view(&|v| v.ghosts.on = !v.ghosts.on),
            Self::ToggleBounds => view(&|v| {
                v.bounds = if v.bounds.any() {
                    BoundsShown::default()
                } else {
                    BoundsShown::ALL
                };
            }),
            // Out with a ruler that has measured, a new one starts.
            Self::ToggleRuler => view(&|v| {
                let puts_away = v.ruler.is_some_and(|ruler| ruler.is_waiting());
                v.ruler = (!puts_away).then(Ruler::default);
            }),
            Self::ToggleFigure => view(&|v| v.figure = !v.figure),
            Self::ToggleScaleBar => view(&|v| v.scale_bar = !v.scale_bar),
            Self::ToggleMesh => view(&|v| v.mesh = !v.mesh),
            Self::ToggleWireframe => view(&|v| v.wireframe = !v.wireframe),
            Self::ShowJointWeights
            | Self::ShowJointColors
            | Self::ShowInfluences
            | Self::ShowWeightSum
            | Self::ShowFourInfluences => view(&|v| {
                let wanted = self.weight_view();
                v.weight_view = wanted.filter(|_| v.weight_view != wanted);
            }),
            Self::ToggleNormals => view(&|v| {
                v.shading = if v.shading == Shading::Normals && v.weight_view.is_none() {
                    Shading::Shaded
                } else {
                    Shading::Normals
                };
                v.weight_view = None;
            }),
            Self::ToggleGrid => view(&|v| v.grid = !v.grid),
            Self::ToggleShadow => view(&|v| v.shadow = !v.shadow),
            Self::ToggleOcclusion => view(&|v| v.ambient_occlusion = !v.ambient_occlusion),
            Self::ToggleReflections => view(&|v| v.reflections = !v.reflections),
            Self::ToggleSkinning => session
                .character()
                .map(|c| Command::SetSkinning(!c.skinned)),
            Self::ToggleOutliner => panels(&|p| p.outliner = !p.outliner),
            Self::ToggleInspector => panels(&|p| p.inspector = !p.inspector),
            Self::ToggleTimeline => panels(&|p| p.timeline = !p.timeline),
            Self::DopeSheet => panels(&|p| p.toggle(TimelineView::DopeSheet)),
            Self::Curves => panels(&|p| p.toggle(TimelineView::Curves)),
            Self::WholeClip => Some(Command::ShowTimes(None)),
            Self::Problems => panels(&|p| {
                let shown = p.outliner && p.outliner_tab == OutlinerTab::Problems;
                p.outliner = true;
                p.outliner_tab = if shown {
                    OutlinerTab::Joints
                } else {
                    OutlinerTab::Problems
                };
            }),
            Self::NextProblem => session.problem_step(true, aspect),
            Self::PreviousProblem => session.problem_step(false, aspect),
            Self::Compare => Some(if session.comparison.is_some() {
                Command::EndComparison
            } else {
                Command::AddSide
            }),
            Self::CompareFile => Some(Command::OpenBesideDialog),
            Self::AddSide => Some(Command::AddSide),
            Self::NextLayout => session.layout().map(|layout| {
                let all = Layout::ALL;
                let place = all.iter().position(|&known| known == layout).unwrap_or(0);
                Command::SetLayout(all[(place + 1) % all.len()])
            }),
            Self::SwapSides => Some(Command::SwapSides),
            Self::ErrorCurve => panels(&|p| p.toggle(TimelineView::Errors)),
            Self::ShowDifference => view(&|v| {
                let wanted = Some(WeightView::Difference);
                v.weight_view = wanted.filter(|_| v.weight_view != wanted);
            }),
            Self::Keys => panels(&|p| p.help = !p.help),
            Self::FileInfo => panels(&|p| p.info = !p.info),
            Self::CommandPalette => panels(&|p| p.palette = !p.palette),
            Self::PlayPause => session
                .character()
                .map(|c| Command::SetPlaying(!c.player.playing)),
            Self::StepBack => session.frame_step(-1.0),
            Self::StepForward => session.frame_step(1.0),
            Self::PreviousKey => session.key_step(false),
            Self::NextKey => session.key_step(true),
            Self::ToStart => session
                .character()
                .map(|c| Command::SetTime(c.player.start_secs)),
            Self::ToEnd => session
                .character()
                .map(|c| Command::SetTime(c.player.duration_secs)),
            Self::PreviousClip => session.clip_step(-1),
            Self::NextClip => session.clip_step(1),
            Self::RestPose => session.pose_or_clip(PoseSource::Rest),
            Self::BindPose => session.pose_or_clip(PoseSource::Bind),
            Self::ModeAuthored => session.character().map(|c| {
                let mut modes = c.technique.modes;
                modes.interpolation = Interpolation::Authored;
                Command::SetModes(modes)
            }),
            Self::CycleMode => session.character().map(|c| {
                let mut modes = c.technique.modes;
                let all = Interpolation::ALL;
                let index = all
                    .iter()
                    .position(|&m| m == modes.interpolation)
                    .unwrap_or(0);
                modes.interpolation = all[(index + 1) % all.len()];
                Command::SetModes(modes)
            }),
        }
    }
}
