//! Reads files on a thread of its own.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::SystemTime,
};

use winit::event_loop::EventLoopProxy;

use super::event::{AppEvent, panic_text};
use crate::{
    document::Document,
    import::{self, ImportError, Progress},
    render::Prepared,
    session::Loading,
};

/// Starts loads and knows which answer is still wanted: one load runs at a time,
/// a new one cancels the one before.
pub(super) struct Loader {
    proxy: EventLoopProxy<AppEvent>,
    current: Option<Job>,
    last_id: u64,
}

struct Job {
    id: u64,
    what: Wanted,
    progress: Progress,
}

/// What is to be read, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A file that a person asked for.
    Open(PathBuf),
    /// The open file again, because a person asked for it.
    Reload(PathBuf),
    /// The open file again, because it changed on disk.
    Changed(PathBuf),
    /// The character that comes with the program.
    BuiltIn,
    /// A file to be compared with the open one.
    Beside(PathBuf),
}

impl Wanted {
    /// The file, if it is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Open(path) | Self::Reload(path) | Self::Changed(path) | Self::Beside(path) => {
                Some(path)
            }
            Self::BuiltIn => None,
        }
    }
}

/// The loader's answer.
#[derive(Debug)]
pub(super) struct Loaded {
    id: u64,
    /// What was to be read.
    pub(super) what: Wanted,
    /// When reading began: whatever is younger may have been missed.
    pub(super) started: SystemTime,
    /// The document, or a message.
    pub(super) result: Result<Arc<Document>, String>,
    /// The document made ready for the device, so that the window need not. `None`
    /// leaves it to the window to say what is wrong with it.
    pub(super) prepared: Option<Prepared>,
}

impl Loader {
    pub(super) fn new(proxy: EventLoopProxy<AppEvent>) -> Self {
        Self {
            proxy,
            current: None,
            last_id: 0,
        }
    }

    /// Starts to read; the answer comes as [`AppEvent::Loaded`].
    pub(super) fn start(&mut self, what: Wanted) {
        self.cancel();
        self.last_id += 1;
        let job = Job {
            id: self.last_id,
            what: what.clone(),
            progress: Progress::new(),
        };
        let (id, progress, proxy) = (job.id, job.progress.clone(), self.proxy.clone());
        self.current = Some(job);
        let work = move || {
            let started = SystemTime::now();
            let Some((result, prepared)) = read(&what, &progress) else {
                return;
            };
            // Without an event loop there is nobody left to tell.
            let _ = proxy.send_event(AppEvent::Loaded(Box::new(Loaded {
                id,
                what,
                started,
                result,
                prepared,
            })));
        };
        if let Err(error) = thread::Builder::new().name("loader".into()).spawn(work) {
            let job = self.current.take();
            let _ = self.proxy.send_event(AppEvent::Trouble(format!(
                "Cannot start a thread to read a file ({error}): {}",
                job.as_ref()
                    .and_then(|job| job.what.path())
                    .unwrap_or(Path::new("built-in character"))
                    .display()
            )));
        }
    }

    /// Gives up on what is being read.
    pub(super) fn cancel(&mut self) {
        if let Some(job) = self.current.take() {
            job.progress.cancel();
        }
    }

    /// Whether this answer is to the latest question; answers to earlier ones
    /// are to be dropped.
    pub(super) fn accepts(&mut self, loaded: &Loaded) -> bool {
        let wanted = (self.current.as_ref()).is_some_and(|job| job.id == loaded.id);
        if wanted {
            self.current = None;
        }
        wanted
    }

    /// What is being read, if anything.
    pub(super) fn current(&self) -> Option<&Wanted> {
        self.current.as_ref().map(|job| &job.what)
    }

    /// How far it is.
    pub(super) fn loading(&self) -> Option<Loading> {
        let job = self.current.as_ref()?;
        Some(Loading {
            path: job.what.path()?.to_owned(),
            fraction: job.progress.fraction(),
            stage: job.progress.stage().to_owned(),
            reload: matches!(job.what, Wanted::Reload(_) | Wanted::Changed(_)),
        })
    }
}

/// What a load comes to.
type Answer = (Result<Arc<Document>, String>, Option<Prepared>);

/// The document, ready to be uploaded, or a message; `None` for a cancelled load. A
/// panic in a decoder is a bug, but no reason to take the window down.
fn read(what: &Wanted, progress: &Progress) -> Option<Answer> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let document = Arc::new(match what.path() {
            Some(path) => import::load(path, progress)?,
            None => import::built_in(),
        });
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        let prepared = Prepared::new(&document).ok();
        Ok((document, prepared))
    }));
    let message = match outcome {
        Ok(Ok((document, prepared))) => return Some((Ok(document), prepared)),
        Ok(Err(ImportError::Cancelled)) => return None,
        Ok(Err(error)) => error.to_string(),
        Err(payload) => format!(
            "a bug in rigscope, which stopped while reading ({}): {}",
            panic_text(&*payload),
            what.path()
                .unwrap_or(Path::new("built-in character"))
                .display(),
        ),
    };
    Some((Err(message), None))
}
