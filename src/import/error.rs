//! Why a file could not be loaded.

use core::fmt::Display;
use std::{io, path::PathBuf};

use super::{gltf::GltfError, ogex::OgexError};
use crate::document::{Finding, FindingCode, Severity};

/// A text from outside for a message. A newline or an escape sequence in it could
/// forge a message of its own on a terminal: `\n`, `\u{1b}`.
pub(super) fn escaped(text: impl Display) -> String {
    let mut shown = String::new();
    for character in text.to_string().chars() {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Why a file could not be loaded. The text names what is wrong with numbers
/// first and the file last, and stands on its own: nothing hides in `source()`.
/// Control characters from the file or its path are escaped in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// [`Progress::cancel`](super::Progress::cancel) was called.
    #[error("loading was cancelled")]
    Cancelled,
    /// The operating system does not give us the file.
    #[error("cannot read the file: {error}: {}", escaped(path.display()))]
    Unreadable {
        /// What the system says.
        error: io::Error,
        /// The path that was tried.
        path: PathBuf,
    },
    /// Zero bytes.
    #[error("the file is empty (0 bytes): {}", escaped(path.display()))]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Neither the first bytes nor the extension belong to a format we read.
    #[error("not a format that rigscope reads (glTF 2.0: .glb, .gltf, .vrm, .vrma; OpenGEX: .ogex): {}", escaped(path.display()))]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// A glTF file that breaks the format's rules beyond repair, or needs what
    /// is not supported.
    #[error("{}: {}", escaped(problem), escaped(path.display()))]
    Gltf {
        /// The broken rule, with the object and the numbers.
        problem: GltfError,
        /// The file.
        path: PathBuf,
    },
    /// An `OpenGEX` file that breaks the format's rules beyond repair.
    #[error("{}: {}", escaped(problem), escaped(path.display()))]
    Ogex {
        /// The broken rule, with the line, the structure and the numbers.
        problem: OgexError,
        /// The file.
        path: PathBuf,
    },
}

impl ImportError {
    /// The refusal as the list of findings calls it, for the faults that have a code
    /// there: a required extension, one finding for all of them, and a vertex index past
    /// the vertices. `None` for every other reason.
    pub fn finding(&self) -> Option<Finding> {
        let Self::Gltf { problem, .. } = self else {
            return None;
        };
        let message = escaped(problem);
        match problem {
            GltfError::ExtensionsRequired { list, .. } => Some(
                Finding::new(FindingCode::ExtensionUnsupported, Severity::Error, message)
                    .with("extensions", list.len() as f64),
            ),
            GltfError::VertexIndex {
                index,
                position,
                vertices,
                mesh,
                ..
            } => Some(
                Finding::new(FindingCode::MeshIndexOutOfRange, Severity::Error, message)
                    .at_mesh(*mesh)
                    .with("index", f64::from(*index))
                    .with("position", *position as f64)
                    .with("vertices", *vertices as f64),
            ),
            _ => None,
        }
    }
}
