//! Following the open file on disk.

use std::time::{Duration, Instant};

use super::{
    loader::{Loaded, Wanted},
    shell::Shell,
    watch::{Stamps, Watch},
};
use crate::{
    analysis::Effort,
    document::{Document, Severity},
    scene,
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
            Ok(document) if matches!(loaded.what, Wanted::Beside(_)) => {
                let graphics = self.open.as_mut().and_then(|open| open.graphics.as_mut());
                if let (Some(graphics), Some(prepared)) = (graphics, loaded.prepared) {
                    graphics.expect(prepared);
                }
                self.perform(Command::LoadCancelled);
                if let Some(path) = path {
                    self.perform(Command::BesideFinished { document, path });
                }
            }
            Ok(document) => {
                let reload = path.is_some() && path == self.session.path;
                let size_before = self.character_size();
                if let Some(id) = self.reload.message.take() {
                    self.perform(Command::Dismiss(id));
                }
                self.reload.failing_since = None;
                self.reload.retry_at = None;
                let graphics = self.open.as_mut().and_then(|open| open.graphics.as_mut());
                if let (Some(graphics), Some(prepared)) = (graphics, loaded.prepared) {
                    graphics.expect(prepared);
                }
                self.perform(Command::LoadFinished {
                    document: document.clone(),
                    path,
                });
                let resized = has_other_size(size_before, self.character_size());
                self.framing_due |= !reload || resized;
                self.analyse(Effort::Usual);
                if reload {
                    let message = format!("Reloaded {}", document.name);
                    self.perform(Command::Notify(Severity::Info, message));
                }
                self.follow(&document, loaded.started);
                self.save_settings();
                if let Some(path) = self.beside.take() {
                    self.perform(Command::OpenBeside(path));
                }
            }
            Err(message) => self.load_failed(&loaded.what, message),
        }
    }

    /// Diagonal of what the character takes up over its clip; 0 without one.
    fn character_size(&self) -> f32 {
        (self.session.character()).map_or(0.0, |c| scene::animated_bounds(c).diagonal())
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

/// Whether a reloaded character is so much larger or smaller that the camera, which
/// stays otherwise, would miss it: an export in other units.
fn has_other_size(before: f32, after: f32) -> bool {
    const FACTOR: f32 = 4.0;
    after > before * FACTOR || after * FACTOR < before
}

#[cfg(test)]
mod tests {
    use super::has_other_size;

    #[test]
    fn only_a_leap_in_size_moves_the_camera() {
        assert!(has_other_size(1.8, 180.0) && has_other_size(180.0, 1.8));
        assert!(!has_other_size(1.8, 2.5) && !has_other_size(2.5, 1.8));
        assert!(has_other_size(0.0, 1.0) && !has_other_size(0.0, 0.0));
    }
}
