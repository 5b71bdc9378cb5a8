//! Checks of one clip.

use super::{Found, Subject};

/// Everything about one clip.
pub(super) fn check(subject: &Subject<'_>, clip: usize) -> Found {
    let _ = (subject.effort, &subject.document.clips[clip]);
    Found::default()
}
