//! Bytes of files on disk.

use std::{fs::File, io, io::Read as _, path::Path};

/// Reads a file that must be an ordinary one: directories have no bytes of their own,
/// pipes and devices no end to them, and a pipe without a writer blocks whoever opens
/// it. Reads at most `limit` bytes, where one is given.
pub(super) fn read(path: &Path, limit: Option<u64>) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no ordinary file"));
    }
    let length = metadata.len().min(limit.unwrap_or(u64::MAX));
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    File::open(path)?.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}
