//! Checks the open document on a thread of its own.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::Instant,
};

use winit::event_loop::EventLoopProxy;

use super::{
    event::{AppEvent, panic_text},
    shell::{PROGRESS_INTERVAL, Shell},
};
use crate::{
    analysis::{self, Effort, Report, Watch},
    document::{Document, Severity},
    session::Command,
};

/// The checks that run, if any; dropping it stops them.
#[derive(Default)]
pub(super) struct Analyst {
    watch: Option<Watch>,
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Analyst {
    /// Starts to check; the answer comes as [`AppEvent::Analysed`].
    fn start(
        &mut self,
        document: Arc<Document>,
        effort: Effort,
        proxy: EventLoopProxy<AppEvent>,
    ) -> std::io::Result<()> {
        self.cancel();
        let watch = Watch::new();
        self.watch = Some(watch.clone());
        let work = move || {
            let analysed = catch_unwind(AssertUnwindSafe(|| {
                analysis::analyse(&document, effort, &watch)
            }));
            // Without an event loop there is nobody left to tell.
            let _ = match analysed {
                Ok(Some(report)) => proxy.send_event(AppEvent::Analysed {
                    document,
                    report: Arc::new(report),
                }),
                Ok(None) => return,
                Err(payload) => {
                    let trouble = format!(
                        "a bug in rigscope, which stopped while checking ({}): {}",
                        panic_text(&*payload),
                        document.name,
                    );
                    let _ = proxy.send_event(AppEvent::Trouble(trouble));
                    // Else the checks would seem to run for ever.
                    let report = Report {
                        findings: document.findings.clone(),
                        left_out: vec!["The checks stopped on a bug in rigscope.".to_owned()],
                    };
                    proxy.send_event(AppEvent::Analysed {
                        document,
                        report: Arc::new(report),
                    })
                }
            };
        };
        thread::Builder::new()
            .name("analyst".into())
            .spawn(work)
            .map(drop)
    }

    fn cancel(&mut self) {
        if let Some(watch) = self.watch.take() {
            watch.cancel();
        }
    }

    /// How far it is, while it runs.
    pub(super) fn fraction(&self) -> Option<f32> {
        self.watch.as_ref().map(Watch::fraction)
    }
}

impl Shell {
    /// Starts the checks of the open document; those that run are given up.
    pub(super) fn analyse(&mut self, effort: Effort) {
        let Some(character) = self.session.character() else {
            return;
        };
        let document = character.document.clone();
        self.progress_at = Some(Instant::now() + PROGRESS_INTERVAL);
        if let Err(error) = self.analyst.start(document, effort, self.proxy.clone()) {
            let message = format!("Cannot start a thread to check the file: {error}");
            self.perform(Command::Notify(Severity::Error, message));
        }
    }

    /// The checks are done.
    pub(super) fn analysed(&mut self, document: Arc<Document>, report: Arc<Report>) {
        let is_open =
            (self.session.character()).is_some_and(|c| Arc::ptr_eq(&c.document, &document));
        if is_open {
            self.analyst = Analyst::default();
            self.perform(Command::AnalysisFinished { document, report });
        }
    }
}
