//! Files → [`Document`].
//!
//! Bytes from outside are hostile until proven otherwise: every index, offset and
//! number is checked here, so that the rest of the program needs no checks. What
//! cannot be used fails with an [`ImportError`] that names the object and the
//! number; what can be mended is mended, and said as a finding of the document.

mod builtin;
mod error;
mod file;
mod gltf;
mod ogex;
mod picture;
mod progress;
mod shading;

use std::path::Path;

pub use builtin::built_in;
pub use error::ImportError;
pub use gltf::{GltfError, UriError};
pub use ogex::{OgexError, OgexProblem};
pub use progress::Progress;

use crate::document::Document;
use file::ModelFile;
use progress::Stage;

/// Ends of the names of files that are read. What a file is its content decides.
pub const EXTENSIONS: [&str; 5] = ["glb", "gltf", "vrm", "vrma", "ogex"];

/// Reads a file from disk. The format is told by its first bytes, or else by its
/// extension.
///
/// # Errors
///
/// See [`ImportError`]; a load stopped by [`Progress::cancel`] is
/// [`ImportError::Cancelled`].
pub fn load(path: &Path, progress: &Progress) -> Result<Document, ImportError> {
    progress.set(Stage::Reading, 0, 0);
    let mut file = ModelFile::open(path)?;
    let size_bytes = file.length();
    if size_bytes == 0 {
        return Err(ImportError::Empty { path: path.into() });
    }
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned();
    let folder = path.parent();
    let begin = file.begin()?;
    let mut document = match container_of(path, &begin) {
        Some(Container::Glb) => {
            gltf::read_glb_file(&mut file, folder, progress).map_err(|e| at(path, e))?
        }
        Some(Container::Json) => {
            gltf::read_json(&mut file, &begin, folder, progress).map_err(|e| at(path, e))?
        }
        Some(Container::Ogex) => {
            ogex::read_file(&mut file, folder, progress).map_err(|problem| problem.at(path))?
        }
        None => return Err(ImportError::UnknownFormat { path: path.into() }),
    };
    document.name = name;
    document.sources.insert(0, path.into());
    document.asset.size_bytes += size_bytes;
    progress.set(Stage::Done, 0, 0);
    Ok(document)
}

/// Reads a self-contained GLB from memory: the built-in character, or a test's
/// file. `name` stands for the file name. A buffer or image file beside it cannot
/// be reached.
///
/// # Errors
///
/// As [`load`].
pub fn from_glb_bytes(name: &str, bytes: &[u8]) -> Result<Document, ImportError> {
    let path = Path::new(name);
    if bytes.is_empty() {
        return Err(ImportError::Empty { path: path.into() });
    }
    let mut document = gltf::read_glb(bytes, None, &Progress::new()).map_err(|e| at(path, e))?;
    document.name = name.into();
    document.asset.size_bytes = bytes.len() as u64;
    Ok(document)
}

/// Reads an `OpenGEX` text from memory. `name` stands for the file name. A texture
/// beside it cannot be reached.
///
/// # Errors
///
/// As [`load`].
pub fn from_ogex_text(name: &str, text: &[u8]) -> Result<Document, ImportError> {
    let path = Path::new(name);
    if text.is_empty() {
        return Err(ImportError::Empty { path: path.into() });
    }
    let mut document =
        ogex::read(text, None, &Progress::new()).map_err(|problem| problem.at(path))?;
    document.name = name.into();
    document.asset.size_bytes = text.len() as u64;
    Ok(document)
}

/// What a file is: how the parts of a glTF are packed, or another format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    /// One binary file.
    Glb,
    /// JSON text that refers to other files or holds data URIs.
    Json,
    /// `OpenGEX` text.
    Ogex,
}

fn at(path: &Path, problem: GltfError) -> ImportError {
    match problem {
        GltfError::Cancelled => ImportError::Cancelled,
        GltfError::Unreadable { error } => ImportError::Unreadable {
            error,
            path: path.into(),
        },
        problem => ImportError::Gltf {
            problem,
            path: path.into(),
        },
    }
}

/// Tells the format: by content where that is clear, else by what the file claims
/// to be, so that the reader can say what is wrong with it. `begin` is as much of
/// the file as [`ModelFile::begin`] gives.
fn container_of(path: &Path, begin: &[u8]) -> Option<Container> {
    let extension = path.extension().unwrap_or_default();
    let claims = |known: &[&str]| known.iter().any(|k| extension.eq_ignore_ascii_case(k));
    if gltf::is_glb(begin) {
        Some(Container::Glb)
    } else if gltf::text_of(begin).starts_with(b"{") || claims(&["gltf"]) {
        Some(Container::Json)
    } else if claims(&["glb", "vrm", "vrma"]) {
        Some(Container::Glb)
    } else if claims(&["ogex"]) || ogex::is_ogex(begin) {
        Some(Container::Ogex)
    } else {
        None
    }
}
