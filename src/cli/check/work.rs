//! Many files on all cores, their results in order.

use std::{
    collections::BTreeMap,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use super::{Checked, Found, Refusal, Source};
use crate::{
    analysis::{self, Effort, Watch},
    document::Document,
    import::{self, Progress},
};

/// Checks all of them and hands the results over in the order of `sources`, each as
/// soon as those before it are there. Ends early with the error that `take` gives.
///
/// Threads of its own rather than the pool that the checks use: a pool's worker that
/// waits for part of one file would begin another meanwhile, and documents would pile
/// up. So there are never more in memory than cores.
pub(super) fn check_all(
    sources: &[Source],
    effort: Effort,
    take: &mut dyn FnMut(Checked) -> io::Result<()>,
) -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let stop = Stop::default();
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..workers.min(sources.len()) {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.is_set() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(index) else {
                        break;
                    };
                    let checked = check(source, effort, stop);
                    if sender.send((index, checked)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, checked) in results {
            waiting.insert(index, checked);
            while let Some(checked) = waiting.remove(&due) {
                due += 1;
                if let Err(error) = take(checked) {
                    stop.set();
                    return Err(error);
                }
            }
        }
        Ok(())
    })
}

/// Ends the work on all threads.
#[derive(Default)]
struct Stop {
    is_set: AtomicBool,
    /// What goes on now.
    current: Mutex<Vec<(Progress, Watch)>>,
}

impl Stop {
    fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    fn set(&self) {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_set.store(true, Ordering::Relaxed);
        for (progress, watch) in &*current {
            progress.cancel();
            watch.cancel();
        }
    }

    /// The means to stop one file.
    fn begin(&self) -> (Progress, Watch) {
        let both = (Progress::new(), Watch::new());
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        // What is over needs no stopping.
        current.retain(|(progress, watch)| progress.fraction() < 1.0 || watch.fraction() < 1.0);
        current.push(both.clone());
        if self.is_set() {
            both.0.cancel();
            both.1.cancel();
        }
        both
    }
}

fn check(source: &Source, effort: Effort, stop: &Stop) -> Checked {
    let name = match source {
        Source::BuiltIn => String::new(),
        Source::File(path) | Source::Trouble(path, _) => path.display().to_string(),
    };
    let (progress, watch) = stop.begin();
    let checked = catch_unwind(AssertUnwindSafe(|| {
        let document = match source {
            Source::BuiltIn => import::built_in(),
            Source::File(path) => import::load(path, &progress).map_err(|e| Refusal::from(&e))?,
            Source::Trouble(_, reason) => {
                return Err(Refusal::of(format!("{reason}: {name}")));
            }
        };
        Ok((document.name.clone(), found(&document, effort, &watch)))
    }));
    match checked {
        Ok(Ok((document_name, found))) => Checked {
            // Only what has no path goes by its own name.
            name: if name.is_empty() { document_name } else { name },
            result: Ok(found),
        },
        Ok(Err(refusal)) => Checked {
            name,
            result: Err(refusal),
        },
        // The panic itself has said where.
        Err(_) => Checked {
            result: Err(Refusal::of(format!(
                "a bug in rigscope stopped the check: {name}"
            ))),
            name,
        },
    }
}

/// The checks of a document; nothing where they were stopped, for then nobody asks.
fn found(document: &Document, effort: Effort, watch: &Watch) -> Found {
    let report = analysis::analyse(document, effort, watch).unwrap_or_default();
    let clips = document.clips.iter().enumerate();
    Found {
        findings: report.findings,
        clips: clips.map(|(index, clip)| clip.label(index)).collect(),
        left_out: report.left_out,
    }
}
