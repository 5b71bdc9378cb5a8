//! How far a piece of work is, and whether it is still wanted.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Shared by who works and who waits; clones speak of the same work.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    units: AtomicUsize,
    done: AtomicUsize,
    cancelled: AtomicBool,
}

impl Watch {
    /// Nothing done, nothing expected.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the worker to stop soon.
    pub fn cancel(&self) {
        self.state.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the work is not wanted any more; long checks ask now and then.
    pub fn is_cancelled(&self) -> bool {
        self.state.cancelled.load(Ordering::Relaxed)
    }

    /// How far it is, 0 … 1.
    pub fn fraction(&self) -> f32 {
        let units = self.state.units.load(Ordering::Relaxed).max(1);
        let done = self.state.done.load(Ordering::Relaxed);
        (done as f32 / units as f32).min(1.0)
    }

    /// So many units of work are ahead.
    pub(crate) fn expect(&self, units: usize) {
        self.state.units.store(units, Ordering::Relaxed);
    }

    /// One of them is done.
    pub(crate) fn done(&self) {
        self.state.done.fetch_add(1, Ordering::Relaxed);
    }
}
