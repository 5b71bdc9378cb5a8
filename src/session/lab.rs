//! A scene of the lab in the window.

use std::sync::Arc;

use super::{
    ErrorKind, Layout, Panels, Request, Session, TimelineView, compare::Comparison, compare::Side,
};
use crate::{
    anim::Technique,
    lab::{Below, Scene},
    scene::{Character, PoseSource, View},
};

/// The scene that is shown, and what it is to be left for.
#[derive(Debug)]
pub struct Lab {
    /// The scene.
    pub scene: &'static Scene,
    /// Counts scenes that were opened, so that panels notice a new one.
    pub opened: u64,
    view_before: Box<View>,
    panels_before: Panels,
    technique_before: Technique,
}

impl Session {
    /// Shows a scene: its document, sides, selection and curve.
    pub(super) fn open_lab(&mut self, scene: &'static Scene) -> Option<Request> {
        let document = Arc::new((scene.document)());
        self.scenes_opened += 1;
        let opened = self.scenes_opened;
        // What was there before the lab, not before this scene.
        let (view_before, panels_before, technique_before) = match self.lab.take() {
            Some(lab) => (lab.view_before, lab.panels_before, lab.technique_before),
            None => (
                Box::new(self.view.clone()),
                self.panels,
                self.character()
                    .map(|a| a.technique.clone())
                    .unwrap_or_default(),
            ),
        };
        self.comparison = None;
        self.show(document, None);
        let joints = self.document().map(|d| d.skeleton.joints.iter());
        let joint = joints.and_then(|mut joints| joints.position(|j| j.name == scene.joint));
        self.lab = Some(Lab {
            scene,
            opened,
            view_before,
            panels_before,
            technique_before,
        });
        let (first, others) = scene.sides.split_first()?;
        let a = self.stage.characters.first_mut()?;
        play(a, first);
        let others: Vec<Side> = others
            .iter()
            .map(|side| {
                let mut character = a.clone();
                play(&mut character, side);
                Side::of(character, side.clip != first.clip)
            })
            .collect();
        self.comparison = (!others.is_empty()).then(|| Comparison::new(Layout::SideBySide, others));
        self.view.selected_joint = joint;
        let tip = self.document().and_then(|document| {
            let mut joints = document.skeleton.joints.iter();
            joints.position(|joint| joint.name == "tip")
        });
        self.view.trail = false;
        self.view.pinned_trails = tip.filter(|_| scene.trail).into_iter().collect();
        self.view.skeleton = scene.skeleton;
        self.view.mesh = true;
        self.view.weight_view = None;
        let [yaw, pitch] = scene.camera.map(f32::to_radians);
        self.view.camera.yaw_radians = yaw;
        self.view.camera.pitch_radians = pitch;
        self.panels.timeline = true;
        let kind = match scene.below {
            Below::Curves => None,
            Below::Angle => Some(ErrorKind::Angle),
            Below::Position => Some(ErrorKind::Position),
            Below::Vertex => Some(ErrorKind::Vertex),
        };
        self.panels.timeline_view = TimelineView::Curves;
        if let (Some(kind), Some(comparison)) = (kind, &mut self.comparison) {
            comparison.kind = kind;
            self.panels.timeline_view = TimelineView::Errors;
        }
        Some(Request::SceneOpened)
    }

    /// Before another document comes: everything as it was before the lab.
    pub(super) fn leave_lab(&mut self) {
        let Some(lab) = self.lab.take() else { return };
        self.view = *lab.view_before;
        self.panels.timeline_view = lab.panels_before.timeline_view;
        self.panels.timeline = lab.panels_before.timeline;
        self.comparison = None;
        if let Some(a) = self.stage.characters.first_mut() {
            a.technique = lab.technique_before;
        }
    }
}

/// Plays a character as a side of a scene has it.
fn play(character: &mut Character, side: &crate::lab::Side) {
    character.technique = (side.technique)();
    character.set_source(PoseSource::Clip(side.clip));
    character.player.playing = true;
}
