//! Tells when a source of the open file changed on disk and is quiet again.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, SystemTime},
};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};
use winit::event_loop::EventLoopProxy;

use super::event::AppEvent;

/// No event and no change of size for this long means that the writer is done.
const QUIET: Duration = Duration::from_millis(250);

/// Watches the *folders* of some files, because editors and exporters replace
/// files instead of writing into them. Dropping it ends the watch.
pub(super) struct Watch {
    _watcher: RecommendedWatcher,
}

/// Size and time of change of a file; `None` while it is not there.
type Stamp = Option<(u64, SystemTime)>;

/// The stamps of all watched files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Stamps(BTreeMap<PathBuf, Stamp>);

impl Stamps {
    /// As the files are now.
    pub(super) fn now(paths: &[PathBuf]) -> Self {
        let stamp = |path: &Path| {
            let data = fs::metadata(path).ok()?;
            Some((data.len(), data.modified().ok()?))
        };
        Self(paths.iter().map(|p| (p.clone(), stamp(p))).collect())
    }

    /// Whether any file was written at or after that moment.
    pub(super) fn changed_since(&self, moment: SystemTime) -> bool {
        (self.0.values()).any(|stamp| stamp.is_some_and(|(_, modified)| modified >= moment))
    }
}

impl Watch {
    /// Starts to watch; a change comes as [`AppEvent::SourcesChanged`]. Files
    /// that were already different from `known` count as changed at once.
    ///
    /// # Errors
    /// A readable sentence, where the system cannot watch.
    pub(super) fn start(
        paths: &[PathBuf],
        known: Stamps,
        proxy: EventLoopProxy<AppEvent>,
    ) -> Result<Self, String> {
        let fail = |error: notify::Error| format!("changes on disk will go unnoticed ({error})");
        let (sender, receiver) = mpsc::channel();
        let wanted: BTreeSet<PathBuf> = paths.iter().map(|path| resolved(path)).collect();
        let folders: BTreeSet<PathBuf> = (wanted.iter())
            .filter_map(|path| path.parent().map(Path::to_owned))
            .collect();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let hit = match &event {
                Ok(event) => is_change(event) && touches(event, &wanted),
                // Lost events: better one look too many.
                Err(_) => true,
            };
            if hit {
                let _ = sender.send(());
            }
        })
        .map_err(fail)?;
        for folder in &folders {
            watcher
                .watch(folder, RecursiveMode::NonRecursive)
                .map_err(fail)?;
        }
        let paths = paths.to_vec();
        thread::Builder::new()
            .name("watch".into())
            .spawn(move || report_changes(&paths, known, &receiver, &proxy))
            .map_err(|error| format!("changes on disk will go unnoticed ({error})"))?;
        Ok(Self { _watcher: watcher })
    }
}

/// Waits for events until the watcher is dropped.
fn report_changes(
    paths: &[PathBuf],
    mut known: Stamps,
    events: &Receiver<()>,
    proxy: &EventLoopProxy<AppEvent>,
) {
    let mut pending = Stamps::now(paths) != known;
    loop {
        if !pending && events.recv().is_err() {
            return;
        }
        pending = false;
        let Some(now) = settled(paths, events) else {
            return;
        };
        if now != known {
            known = now;
            if proxy.send_event(AppEvent::SourcesChanged).is_err() {
                return;
            }
        }
    }
}

/// The stamps after [`QUIET`] without events or changes; `None` once the watcher
/// is dropped.
fn settled(paths: &[PathBuf], events: &Receiver<()>) -> Option<Stamps> {
    let mut before = Stamps::now(paths);
    loop {
        match events.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => {
                let now = Stamps::now(paths);
                if now == before {
                    return Some(now);
                }
                before = now;
            }
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Reading a file is an event too; counting it would reload for ever.
fn is_change(event: &Event) -> bool {
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    }
}

fn touches(event: &Event, wanted: &BTreeSet<PathBuf>) -> bool {
    event.need_rescan() || event.paths.iter().any(|path| wanted.contains(path))
}

/// Absolute, with its folder free of links, as events will name it. The file
/// itself may be missing at the moment.
fn resolved(path: &Path) -> PathBuf {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
