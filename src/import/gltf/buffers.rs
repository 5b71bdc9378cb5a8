//! The bytes behind the file's buffers.

use std::{borrow::Cow, path::Path};

use super::{
    Origin,
    error::{GltfError, UriError},
    meshopt,
    schema::Root,
    uri::{self, Resource},
};
use crate::import::progress::Stage;

/// Reads every buffer. The URIs are taken out of the JSON as they are used, so
/// that a data URI and its content are together in memory only once each. A
/// buffer without data is `None`: no harm as long as nothing reads it. Neither is
/// one read that holds unpacked what is read from compressed views.
pub(super) fn read<'a>(
    root: &mut Root,
    bin: Option<&'a [u8]>,
    origin: &mut Origin<'_>,
) -> Result<Vec<Option<Cow<'a, [u8]>>>, GltfError> {
    let total = root.buffers.len();
    let is_fallback = meshopt::fallback_buffers(root);
    let mut buffers = Vec::with_capacity(total);
    for (index, buffer) in root.buffers.iter_mut().enumerate() {
        origin.check(Stage::Reading, index, total)?;
        let stated = buffer.byte_length;
        let bytes = match buffer.uri.take() {
            Some(_) if is_fallback[index] => None,
            Some(uri) => Some(Cow::Owned(content(&uri, stated, origin).map_err(
                |reason| GltfError::BufferUri {
                    buffer: index,
                    reason,
                },
            )?)),
            None if index == 0 => bin.map(Cow::Borrowed),
            None => None,
        };
        if let Some(bytes) = &bytes {
            let actual = bytes.len() as u64;
            if actual < stated {
                return Err(GltfError::BufferTruncated {
                    buffer: index,
                    stated,
                    actual,
                });
            }
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// How many bytes of a BIN chunk of `available` bytes the file makes use of: buffer 0
/// where it has no uri, and views that reach past its stated end, which are read as
/// far as the chunk goes.
pub(super) fn bin_needs(root: &Root, available: u64) -> Result<u64, GltfError> {
    let Some(buffer) = root.buffers.first().filter(|buffer| buffer.uri.is_none()) else {
        return Ok(0);
    };
    let stated = buffer.byte_length;
    if available < stated {
        return Err(GltfError::BufferTruncated {
            buffer: 0,
            stated,
            actual: available,
        });
    }
    let viewed = root
        .buffer_views
        .iter()
        .filter(|view| view.buffer.unwrap_or(0) == 0)
        .map(|view| view.byte_offset.saturating_add(view.byte_length))
        .max();
    let streams = meshopt::end_in_first_buffer(root);
    Ok(stated.max(viewed.unwrap_or(0)).max(streams).min(available))
}

fn content(uri: &str, stated: u64, origin: &mut Origin<'_>) -> Result<Vec<u8>, UriError> {
    match uri::resolve(uri)? {
        Resource::Data(bytes) => Ok(bytes),
        Resource::Path(relative) => {
            let path = beside(origin.folder, &relative, uri)?;
            let bytes = uri::read(&path, Some(stated))?;
            origin.add_source(path);
            Ok(bytes)
        }
    }
}

/// The full path of a file named relative to the model's folder.
pub(super) fn beside(
    folder: Option<&Path>,
    relative: &Path,
    uri: &str,
) -> Result<std::path::PathBuf, UriError> {
    folder
        .map(|folder| folder.join(relative))
        .ok_or_else(|| UriError::NoFolder {
            uri: uri::shortened(uri),
        })
}
