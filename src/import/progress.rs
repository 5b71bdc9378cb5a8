//! What a loading thread tells the window, and how the window stops it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering},
};

/// How far a load has come, shared between the loading thread and whoever
/// watches it. Clones refer to the same load.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Bits of an `f32` in 0 ..= 1.
    fraction: AtomicU32,
    /// Index into [`Stage::ALL`].
    stage: AtomicU8,
    cancelled: AtomicBool,
}

/// What the importer is busy with, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Starting,
    Reading,
    Parsing,
    Skeleton,
    Meshes,
    Clips,
    Images,
    Done,
}

impl Stage {
    const ALL: [Self; 8] = [
        Self::Starting,
        Self::Reading,
        Self::Parsing,
        Self::Skeleton,
        Self::Meshes,
        Self::Clips,
        Self::Images,
        Self::Done,
    ];

    /// Share of the whole load at the stage's start and end. Images take by far
    /// the longest in real files.
    fn span(self) -> (f32, f32) {
        match self {
            Self::Starting => (0.0, 0.0),
            Self::Reading => (0.0, 0.1),
            Self::Parsing => (0.1, 0.15),
            Self::Skeleton => (0.15, 0.2),
            Self::Meshes => (0.2, 0.4),
            Self::Clips => (0.4, 0.5),
            Self::Images => (0.5, 1.0),
            Self::Done => (1.0, 1.0),
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Reading => "reading files",
            Self::Parsing => "parsing",
            Self::Skeleton => "building the skeleton",
            Self::Meshes => "reading meshes",
            Self::Clips => "reading clips",
            Self::Images => "decoding images",
            Self::Done => "done",
        }
    }
}

impl Progress {
    /// A load that has not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// Share of the work done, 0 ..= 1; never falls during a load.
    pub fn fraction(&self) -> f32 {
        f32::from_bits(self.shared.fraction.load(Ordering::Relaxed))
    }

    /// What is being done, such as `decoding images`.
    pub fn stage(&self) -> &'static str {
        let index = usize::from(self.shared.stage.load(Ordering::Relaxed));
        Stage::ALL
            .get(index)
            .copied()
            .unwrap_or(Stage::Starting)
            .label()
    }

    /// Asks the load to stop; it ends with `ImportError::Cancelled` at its next
    /// check, usually within milliseconds.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// Enters a stage with `done` of `total` of its parts finished.
    pub(crate) fn set(&self, stage: Stage, done: usize, total: usize) {
        let (start, end) = stage.span();
        let part = if total == 0 {
            0.0
        } else {
            done.min(total) as f32 / total as f32
        };
        self.shared.stage.store(stage as u8, Ordering::Relaxed);
        // Worker threads report out of order: the bits of non-negative floats
        // sort like the floats, so the larger one stays.
        self.shared
            .fraction
            .fetch_max((start + (end - start) * part).to_bits(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fraction_only_grows_and_clones_share_the_cancel_flag() {
        let progress = Progress::new();
        assert_eq!((progress.fraction(), progress.stage()), (0.0, "starting"));
        progress.set(Stage::Images, 3, 4);
        progress.set(Stage::Images, 1, 4);
        assert_eq!(progress.fraction(), 0.875);
        assert_eq!(progress.stage(), "decoding images");
        progress.set(Stage::Done, 0, 0);
        assert_eq!(progress.fraction(), 1.0);

        progress.clone().cancel();
        assert!(progress.is_cancelled());
    }

    #[test]
    fn stages_cover_the_load_without_gaps() {
        for pair in Stage::ALL.windows(2) {
            assert_eq!(pair[0].span().1, pair[1].span().0, "{pair:?}");
            assert_eq!(Stage::ALL[pair[0] as usize], pair[0]);
        }
    }
}
