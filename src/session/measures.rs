//! What is measured in the view, kept in step with the open document.

use super::Session;
use crate::{
    document::Document,
    scene::{self, Ruler, RulerEnd, View},
};

impl Session {
    /// Marks the joints by what is known to be wrong with them.
    pub(super) fn mark_joints(&mut self) {
        let Some(character) = self.character() else {
            return;
        };
        let marks = scene::joint_marks(&character.document, self.findings());
        if let Some(character) = self.stage.characters.first_mut() {
            character.joint_marks = marks;
        }
    }

    /// Lets go of joints and points that the open document does not have.
    pub(super) fn keep_measures(&mut self) {
        let Some(character) = self.stage.characters.first() else {
            self.view.pinned_trails.clear();
            self.view.ruler = None;
            return;
        };
        let count = character.document.skeleton.joints.len();
        let view = &mut self.view;
        view.pinned_trails.retain(|&joint| joint < count);
        let fits = |end: RulerEnd| end.fits(character).then_some(end);
        view.ruler = view.ruler.map(|ruler| ruler.retain(fits));
    }
}

/// Carries pinned trails and ruler over to the next version of a document; `find`
/// gives a joint's index there. Points of a surface stay only if nothing about its
/// mesh has changed.
pub(super) fn carry_over(
    view: &mut View,
    old: &Document,
    new: &Document,
    find: impl Fn(usize) -> Option<usize>,
) {
    view.pinned_trails = view
        .pinned_trails
        .iter()
        .filter_map(|&joint| find(joint))
        .collect();
    let same_surface = old.instances == new.instances && old.meshes == new.meshes;
    let keep = |end: RulerEnd| match end {
        RulerEnd::Joint(joint) => find(joint).map(RulerEnd::Joint),
        RulerEnd::Surface(_) => same_surface.then_some(end),
        RulerEnd::Ground(_) | RulerEnd::Air(_) => Some(end),
    };
    view.ruler = view.ruler.map(|ruler: Ruler| ruler.retain(keep));
}
