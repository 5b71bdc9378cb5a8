//! What threads tell the event loop.

use std::{any::Any, path::PathBuf, sync::Arc};

use egui_winit::accesskit_winit;

use super::loader::Loaded;
use crate::{analysis::Report, document::Document, session::SideErrors};

/// Sent through the event loop's proxy.
#[derive(Debug)]
pub(super) enum AppEvent {
    /// A screen reader asks.
    Accessibility(accesskit_winit::Event),
    /// The loader is done with a file.
    Loaded(Box<Loaded>),
    /// The checks of a document are done.
    Analysed {
        /// What was checked.
        document: Arc<Document>,
        /// What was found.
        report: Arc<Report>,
    },
    /// How far a side of a comparison is from A over the clip, or why nobody knows.
    ErrorsMeasured(Result<Arc<SideErrors>, String>),
    /// A source of the open file changed and is quiet again.
    SourcesChanged,
    /// The open dialog closed: a choice, nothing, or why there was no dialog.
    FileChosen {
        /// The answer.
        answer: Result<Option<PathBuf>, String>,
        /// The file is to be shown beside the open one.
        beside: bool,
    },
    /// A picture was written, abandoned, or why it was not.
    PictureSaved(Result<Option<PathBuf>, String>),
    /// The save dialog for a moving picture closed: a choice, nothing, or why there
    /// was no dialog.
    AnimationChosen(Result<Option<PathBuf>, String>),
    /// So much of a moving picture is drawn, 0 … 1.
    AnimationProgress(f32),
    /// A moving picture was written, abandoned, or why it was not.
    AnimationSaved(Result<Option<PathBuf>, String>),
    /// Something went wrong outside the event loop.
    Trouble(String),
}

impl From<accesskit_winit::Event> for AppEvent {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

/// The text of a caught panic.
pub(super) fn panic_text(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".to_owned())
}
