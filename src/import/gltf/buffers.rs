//! The bytes behind the file's buffers.

use std::{borrow::Cow, path::Path};

use super::{
    Origin,
    error::{GltfError, UriError},
    schema::Root,
    uri::{self, Resource},
};
use crate::import::progress::Stage;

/// Reads every buffer. The URIs are taken out of the JSON as they are used, so
/// that a data URI and its content are together in memory only once each. A
/// buffer without data is `None`: no harm as long as nothing reads it.
pub(super) fn read<'a>(
    root: &mut Root,
    bin: Option<&'a [u8]>,
    origin: &mut Origin<'_>,
) -> Result<Vec<Option<Cow<'a, [u8]>>>, GltfError> {
    let total = root.buffers.len();
    let mut buffers = Vec::with_capacity(total);
    for (index, buffer) in root.buffers.iter_mut().enumerate() {
        origin.check(Stage::Reading, index, total)?;
        let stated = buffer.byte_length;
        let bytes = match buffer.uri.take() {
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
