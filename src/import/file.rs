//! Files on disk: whole ones beside the model, and the model itself piece by piece,
//! only what its beginning asks for.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::Path,
};

use super::ImportError;

/// Opens a file that must be an ordinary one, following symbolic links: directories
/// have no bytes of their own, pipes and devices no end to them, and a pipe without a
/// writer blocks whoever opens it, so it is looked at first.
fn open(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no ordinary file"));
    }
    File::open(path)
}

/// Reads an ordinary file, at most `limit` bytes of it where one is given.
pub(super) fn read(path: &Path, limit: Option<u64>) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len().min(limit.unwrap_or(u64::MAX));
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Enough to tell a format by, and to skip the white space before JSON.
const BEGIN_BYTES: u64 = 4096;

/// An open ordinary file.
#[derive(Debug)]
pub(super) struct ModelFile<'a> {
    path: &'a Path,
    file: File,
    length: u64,
}

impl<'a> ModelFile<'a> {
    /// Opens an ordinary file.
    ///
    /// # Errors
    ///
    /// [`ImportError::Unreadable`].
    pub(super) fn open(path: &'a Path) -> Result<Self, ImportError> {
        let unreadable = |error| ImportError::Unreadable {
            error,
            path: path.into(),
        };
        let file = open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        Ok(Self { path, file, length })
    }

    /// Bytes in the file.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// The first bytes: all of a small file.
    ///
    /// # Errors
    ///
    /// [`ImportError::Unreadable`].
    pub(super) fn begin(&mut self) -> Result<Vec<u8>, ImportError> {
        self.part(0, self.length.min(BEGIN_BYTES))
            .map_err(|error| ImportError::Unreadable {
                error,
                path: self.path.into(),
            })
    }

    /// Reads `length` bytes from byte `start` on. Fewer than that are an error: the
    /// file has shrunk since it was opened.
    pub(super) fn part(&mut self, start: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        bytes
            .try_reserve_exact(length)
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.file.seek(SeekFrom::Start(start))?;
        let read = (&self.file).take(length as u64).read_to_end(&mut bytes)?;
        if read < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes)
    }
}
