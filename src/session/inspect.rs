//! What the inspector is about.

use super::{Inspected, Session};
use crate::document::Document;

impl Session {
    /// Ignored where the open document has no such thing.
    pub(super) fn inspect(&mut self, wanted: Inspected) {
        if self.document().is_some_and(|d| wanted.exists_in(d)) {
            self.inspected = wanted;
        }
    }

    /// Another document is open: what was inspected is looked up by index, after a
    /// reload of the same file only.
    pub(super) fn inspect_again(&mut self, reload: bool) {
        let kept = reload && (self.document()).is_some_and(|d| self.inspected.exists_in(d));
        if !kept {
            self.inspected = Inspected::Joint;
        }
    }

    /// Puts the weight of a morph target under a hand's control, or back under the
    /// clip's with `None`; ignored where there is no such target.
    pub(super) fn set_morph(&mut self, instance: usize, target: usize, weight: Option<f32>) {
        if weight.is_none_or(f32::is_finite) {
            self.edit(|c| c.hold_morph(instance, target, weight));
        }
    }
}

impl Inspected {
    /// Whether a document has it. The selected joint, which may be none, always exists.
    pub fn exists_in(self, document: &Document) -> bool {
        match self {
            Self::Joint => true,
            Self::Mesh(instance) => instance < document.instances.len(),
            Self::Skin(skin) => skin < document.skins.len(),
            Self::Clip(clip) => clip < document.clips.len(),
            Self::Material(material) => material < document.materials.len(),
            Self::Image(image) => image < document.images.len(),
        }
    }
}
