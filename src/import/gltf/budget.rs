//! How much one load may unpack.

use core::sync::atomic::{AtomicU64, Ordering};

/// What accessors and compressed data may unpack to in all, besides
/// [`UNPACKED_PER_BYTE`] for each byte of the buffers. A file of a few hundred bytes can
/// ask for any amount of zeros, or for the same bytes again and again.
const UNPACKED_BASE: u64 = 512 << 20;
const UNPACKED_PER_BYTE: u64 = 64;

/// Bytes that have been unpacked, and how many may be.
#[derive(Debug)]
pub(super) struct Budget {
    used: AtomicU64,
    limit: u64,
}

impl Budget {
    /// For a file whose buffers have so many bytes together.
    pub(super) fn new(buffer_bytes: u64) -> Self {
        Self {
            used: AtomicU64::new(0),
            limit: UNPACKED_BASE.saturating_add(buffer_bytes.saturating_mul(UNPACKED_PER_BYTE)),
        }
    }

    /// All that may be unpacked.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// What is left of it.
    pub(super) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used.load(Ordering::Relaxed))
    }

    /// Counts bytes before they are allocated; the limit where that would be too many.
    pub(super) fn reserve(&self, bytes: u64) -> Result<(), u64> {
        let before = self.used.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) > self.limit {
            return Err(self.limit);
        }
        Ok(())
    }
}
