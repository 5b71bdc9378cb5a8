//! Following the open file on disk.

use std::time::{Duration, Instant};

use super::{
    loader::{Loaded, Wanted},
    shell::Shell,
    watch::{Stamps, Watch},
};
use crate::{
    document::{Document, Severity},
    session::Command,
};

/// How long a changed file may fail to load before a message says so: exporters
/// write a file in several goes, and buffers and images after it.
const PATIENCE: Duration = Duration::from_secs(2);
/// Between two attempts while it fails.
const RETRY: Duration = Duration::from_millis(400);

/// Where a reload stands.
#[derive(Default)]
pub(super) struct Reload {
    watch: Option<Watch>,
    /// Since when the changed file has failed to load.
    failing_since: Option<Instant>,
    /// When to try again.
    pub(super) retry_at: Option<Instant>,
    /// The message about the failure, taken away when a reload succeeds.
    message: Option<u64>,
    /// What the files were when a reload was started because they had changed
    /// while being read; the same state does not start a second one.
    overtaken: Option<Stamps>,
}

impl Shell {
    /// A source changed and is quiet: read again, unless something else is being
    /// read right now.
    pub(super) fn sources_changed(&mut self) {
        self.reload.retry_at = None;
        let Some(path) = self.session.path.clone() else {
            return;
        };
        let busy = |what: &Wanted| matches!(what, Wanted::Open(_) | Wanted::BuiltIn);
        if !self.loader.current().is_some_and(busy) {
            self.loader.start(Wanted::Changed(path));
        }
    }

    /// The loader's answer, if it is still wanted.
    pub(super) fn loaded(&mut self, loaded: Loaded) {
        if !self.loader.accepts(&loaded) {
            return;
        }
        let path = loaded.what.path().map(ToOwned::to_owned);
        match loaded.result {
            Ok(document) => {
                let reload = path.is_some() && path == self.session.path;
                self.framing_due |= !reload;
                if let Some(id) = self.reload.message.take() {
                    self.perform(Command::Dismiss(id));
                }
                self.reload.failing_since = None;
                self.reload.retry_at = None;
                self.perform(Command::LoadFinished {
                    document: document.clone(),
                    path,
                });
                self.follow(&document, loaded.started);
                self.save_settings();
            }
            Err(message) => self.load_failed(&loaded.what, message),
        }
    }

    fn load_failed(&mut self, what: &Wanted, message: String) {
        let Some(path) = what.path() else {
            self.perform(Command::LoadCancelled);
            self.perform(Command::Notify(Severity::Error, message));
            return;
        };
        if let Wanted::Changed(_) = what {
            let since = *self.reload.failing_since.get_or_insert_with(Instant::now);
            if since.elapsed() < PATIENCE {
                self.reload.retry_at = Some(Instant::now() + RETRY);
                self.perform(Command::LoadCancelled);
                return;
            }
        }
        self.reload.failing_since = None;
        if !path.exists() {
            self.perform(Command::ForgetRecent(path.to_owned()));
        }
        self.perform(Command::LoadFailed {
            path: path.to_owned(),
            message,
        });
        if self.session.path.as_deref() == Some(path) {
            self.reload.message = self.session.messages.iter().last().map(|m| m.id);
        }
    }

    /// Watches the sources of a document that was read from `started` on.
    fn follow(&mut self, document: &Document, started: std::time::SystemTime) {
        self.reload.watch = None;
        if document.sources.is_empty() {
            return;
        }
        let stamps = Stamps::now(&document.sources);
        match Watch::start(&document.sources, stamps.clone(), self.proxy.clone()) {
            Ok(watch) => self.reload.watch = Some(watch),
            Err(error) => self.perform(Command::Notify(
                Severity::Warning,
                format!("{}: {error}. Reload by hand instead.", document.name),
            )),
        }
        if stamps.changed_since(started) && self.reload.overtaken.as_ref() != Some(&stamps) {
            self.reload.overtaken = Some(stamps);
            self.sources_changed();
        }
    }
}
