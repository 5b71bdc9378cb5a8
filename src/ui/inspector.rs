//! Right: what is selected in numbers, and how things are displayed.

mod clip;
mod display;
mod facts;
mod joint;
mod keys;
mod material;
mod measures;
mod mesh;
mod skeleton;
mod skin;
mod values;
mod vertex;
mod weights;

use egui::{ScrollArea, Ui};

use super::{
    Context,
    format::EulerOrder,
    icons::Icon,
    problem::ProblemCard,
    shortcuts,
    theme::{self, MARGIN},
    widgets,
};
use crate::{
    scene::{Character, PoseSource, VertexRef},
    session::{Action, Command, Inspected},
};

/// The panel's two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
enum Tab {
    /// What the view shows, and how: there first, when nothing is selected yet.
    #[default]
    Display,
    /// What is selected, in numbers.
    Details,
}

/// What there is to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Seen {
    inspected: Inspected,
    joint: Option<usize>,
    vertex: Option<VertexRef>,
    finding: Option<usize>,
}

/// The panel's state.
#[derive(Debug, Default)]
pub struct Inspector {
    euler_order: EulerOrder,
    /// Which of the selected joint's skins is shown, by skin index.
    skin: Option<usize>,
    problem: ProblemCard,
    skin_facts: skin::SkinFacts,
    clip_facts: clip::ClipFacts,
    thumbnails: material::Thumbnails,
    morph_query: String,
    tab: Tab,
    /// Somebody chose the switches.
    stays_on_display: bool,
    /// What was there to see in the frame before.
    seen: Seen,
    scroll_up: bool,
    weights: weights::Weights,
}

impl Inspector {
    /// Fills the panel.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        self.come_forward(context);
        let margin = egui::Margin::symmetric(MARGIN as i8, theme::PAD as i8);
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            let entries = [
                (Tab::Details, "Details", "What is selected, in numbers"),
                (Tab::Display, "Display", "What the view shows, and how"),
            ];
            if let Some(tab) = widgets::segmented(ui, "Panel", self.tab, &entries) {
                self.tab = tab;
                self.stays_on_display = tab == Tab::Display;
            }
        });
        let mut area = ScrollArea::vertical()
            .id_salt(self.tab)
            .auto_shrink([false, false]);
        if std::mem::take(&mut self.scroll_up) {
            area = area.vertical_scroll_offset(0.0);
        }
        let margin = egui::Margin { top: 0, ..margin };
        area.show(ui, |ui| {
            egui::Frame::new()
                .inner_margin(margin)
                .show(ui, |ui| match self.tab {
                    Tab::Details => self.details(ui, context),
                    Tab::Display => switches(ui, context),
                });
        });
    }

    /// Turns to the details of what was just asked for. A joint or vertex picked in the
    /// view does not, while somebody is at the switches.
    fn come_forward(&mut self, context: &Context<'_>) {
        let session = context.session;
        let seen = Seen {
            inspected: session.inspected,
            joint: session.view.selected_joint,
            vertex: session.view.selected_vertex,
            finding: session.shown_finding,
        };
        if self.seen == seen {
            return;
        }
        let is_asked_for = (seen.inspected != Inspected::Joint
            && seen.inspected != self.seen.inspected)
            || (seen.finding.is_some() && seen.finding != self.seen.finding);
        self.seen = seen;
        self.scroll_up = true;
        if is_asked_for || !self.stays_on_display {
            self.tab = Tab::Details;
            self.stays_on_display = false;
        }
    }

    /// The problem on show before what it is about.
    fn details(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let session = context.session;
        self.problem.show(ui, context);
        let has_problem = session.finding_on_show().is_some();
        let view = &session.view;
        let is_nothing = session.inspected == Inspected::Joint
            && view.selected_joint.is_none()
            && view.selected_vertex.is_none();
        // A problem without a place needs no word about joints.
        if !(has_problem && is_nothing) {
            self.subject(ui, context);
        }
    }

    /// What the session says that this is about.
    fn subject(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let session = context.session;
        let inspected = session.inspected;
        let Some(character) = session.character() else {
            self.joint(ui, context);
            return;
        };
        if !inspected.exists_in(&character.document) {
            self.joint(ui, context);
            return;
        }
        ui.push_id(inspected, |ui| match inspected {
            Inspected::Joint => self.joint(ui, context),
            Inspected::Mesh(index) => self.mesh_facts(ui, context, character, index),
            Inspected::Skin(index) => self.skin_facts.show(ui, context, character, index),
            Inspected::Clip(index) => self.clip_facts.show(ui, context, character, index),
            Inspected::Material(index) => {
                let document = &character.document;
                self.thumbnails.material(ui, context, document, index);
            }
            Inspected::Image(index) => {
                let document = &character.document;
                self.thumbnails.image(ui, context, document, index);
            }
        });
    }

    fn joint(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let session = context.session;
        if let (Some(character), Some(vertex)) = (session.character(), session.view.selected_vertex)
        {
            widgets::section(ui, "Vertex", true, |ui| {
                vertex::show(ui, context, character, vertex);
            });
        }
        if session.view.shows_weights() {
            self.weights.show(ui, context);
        }
        let selected = session.character().and_then(|character| {
            let joint = session.view.selected_joint?;
            (joint < character.document.skeleton.joints.len()).then_some((character, joint))
        });
        match selected {
            Some((character, joint)) => self.joint_facts(ui, context, character, joint),
            None if session.view.selected_vertex.is_some() => {}
            None => widgets::empty_state(
                ui,
                Icon::Joint,
                "No joint selected",
                if session.view.shows_weights() {
                    "Click a joint in the tree, or a vertex in the view"
                } else {
                    "Click a joint in the view or the tree"
                },
            ),
        }
    }
}

/// Where the pose comes from: bind pose, rest pose or clip.
fn pose_buttons(ui: &mut Ui, context: &mut Context<'_>, character: &Character) {
    let rest = shortcuts::tooltip(ui.ctx(), "Node transforms as stored", Action::RestPose);
    let bind = "Where the mesh was bound: the inverses of the inverse bind matrices";
    let bind = shortcuts::tooltip(ui.ctx(), bind, Action::BindPose);
    let entries = [
        (Pose::Bind, "Bind", &*bind),
        (Pose::Rest, "Rest", &*rest),
        (
            Pose::Clip,
            "Clip",
            "The clip that was shown last, at its time",
        ),
    ];
    let has_clip = !character.document.clips.is_empty();
    let entries = if has_clip {
        &entries[..]
    } else {
        &entries[..2]
    };
    let now = match character.source {
        PoseSource::Bind => Pose::Bind,
        PoseSource::Rest => Pose::Rest,
        PoseSource::Clip(_) => Pose::Clip,
    };
    let chosen = widgets::labelled(ui, "Pose", |ui| {
        widgets::segmented(ui, "Pose", now, entries)
    });
    match chosen {
        Some(Pose::Bind) => context.commands.push(Command::SetSource(PoseSource::Bind)),
        Some(Pose::Rest) => context.commands.push(Command::SetSource(PoseSource::Rest)),
        Some(Pose::Clip) => context.commands.push(Command::ReturnToClip),
        None => {}
    }
}

/// The choices of [`pose_buttons`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pose {
    Bind,
    Rest,
    Clip,
}

/// What of the picture is shown, and how.
fn switches(ui: &mut Ui, context: &mut Context<'_>) {
    widgets::section(ui, "Surface and light", true, |ui| {
        display::show(ui, context);
    });
    widgets::section(ui, "Skeleton", false, |ui| skeleton::show(ui, context));
    widgets::section(ui, "Measures", false, |ui| measures::show(ui, context));
}
