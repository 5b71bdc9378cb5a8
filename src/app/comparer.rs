//! Works out on a thread of its own how far the sides of a comparison are from A.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::Instant,
};

use super::{
    event::{AppEvent, panic_text},
    shell::{PROGRESS_INTERVAL, Shell},
};
use crate::{
    analysis::Watch,
    document::Severity,
    session::{Command, ErrorJob, SideErrors},
};

/// The side that is worked on, if any; dropping it stops the work.
#[derive(Default)]
pub(super) struct Comparer {
    running: Option<(ErrorJob, Watch)>,
    /// What could not be worked out, so that it is not tried in every frame.
    failed: Option<ErrorJob>,
}

impl Drop for Comparer {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Comparer {
    fn cancel(&mut self) {
        if let Some((_, watch)) = self.running.take() {
            watch.cancel();
        }
    }

    fn knows(&self, job: &ErrorJob) -> bool {
        let running = self.running.as_ref().map(|(running, _)| running);
        let known = running.into_iter().chain(&self.failed);
        known.into_iter().any(|known| known.is_same(job))
    }

    /// How far it is, while it runs.
    pub(super) fn fraction(&self) -> Option<f32> {
        self.running.as_ref().map(|(_, watch)| watch.fraction())
    }
}

impl Shell {
    /// Starts on what is not known yet; what is not wanted any more is given up.
    pub(super) fn measure_errors(&mut self) {
        let Some(job) = self.session.error_job() else {
            self.comparer.cancel();
            let measuring = self.session.comparison.as_ref().and_then(|c| c.measuring);
            if measuring.is_some() {
                self.session.apply(Command::ErrorsProgress(None));
            }
            return;
        };
        if self.comparer.knows(&job) {
            return;
        }
        self.comparer.cancel();
        let watch = Watch::new();
        self.comparer.running = Some((job.clone(), watch.clone()));
        let proxy = self.proxy.clone();
        let work = move || {
            let measured = catch_unwind(AssertUnwindSafe(|| job.run(&watch)));
            let event = match measured {
                Ok(Some(errors)) => AppEvent::ErrorsMeasured(Ok(Arc::new(errors))),
                // Another job has taken its place.
                Ok(None) => return,
                Err(payload) => AppEvent::ErrorsMeasured(Err(format!(
                    "a bug in rigscope, which stopped while comparing: {}",
                    panic_text(&*payload)
                ))),
            };
            // Without an event loop there is nobody left to tell.
            let _ = proxy.send_event(event);
        };
        self.progress_at = Some(Instant::now() + PROGRESS_INTERVAL);
        let spawned = thread::Builder::new().name("comparer".into()).spawn(work);
        if let Err(error) = spawned {
            self.errors_measured(Err(format!("Cannot start a thread to compare: {error}")));
        }
    }

    /// A side is done, or cannot be.
    pub(super) fn errors_measured(&mut self, measured: Result<Arc<SideErrors>, String>) {
        match measured {
            Ok(errors) => {
                // One that was given up may have been done just before.
                (self.comparer.running).take_if(|(job, _)| job.is_answered_by(&errors));
                self.perform(Command::ErrorsMeasured(errors));
            }
            Err(message) => {
                self.comparer.failed = self.comparer.running.take().map(|(job, _)| job);
                self.perform(Command::Notify(Severity::Error, message));
            }
        }
    }
}
