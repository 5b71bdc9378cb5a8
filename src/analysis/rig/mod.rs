//! Checks of skeleton, skins and meshes, whatever the clip.

use super::{Found, Subject};

/// Everything about the rig.
pub(super) fn check(subject: &Subject<'_>) -> Found {
    let _ = (subject.effort, subject.document, subject.watch);
    Found::default()
}
