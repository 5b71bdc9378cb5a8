//! `OpenGEX` 1 to 3 → [`Document`]: the exchange format of E. Lengyel (opengex.org),
//! written by exporters for Blender, Maya and 3ds Max, on top of his `OpenDDL`.
//!
//! ```text
//! text ─ ddl ─▶ tree of structures ─▶ metrics, nodes, skins, meshes, clips, materials
//! ```
//!
//! **Space.** A document is in metres with +Y up. Lengths are multiplied by the metric
//! `distance` wherever they stand (positions, translations, bind poses), which leaves
//! rotations and scales as they are. The up axis is turned by one rotation put before the
//! transform of every *root* node, at rest and in its tracks: no node is added, and all
//! other transforms and tracks stay as stored. A file with Z up and no metric `forward`
//! turns as Blender's exporters have it, (x, y, z) → (x, z, −y); where `forward` is
//! given, that direction becomes +Z, glTF's front.
//!
//! **Skins.** The format's skin takes a mesh by its own transform `K` to the world of
//! the bind pose, where the bones stand at `Bᵢ`. So `joint_from_mesh` is `Bᵢ⁻¹ K`, and
//! the transform of the geometry node, also its part for the object alone, counts for
//! nothing under a skin, as in glTF. (The turn of the up axis cancels out.)
//!
//! **Object transforms** (`object = true`) are not inherited by child nodes. They are
//! applied to the vertices of the mesh, one copy of it per different transform; where one
//! moves, the object gets a joint of its own below the node's.
//!
//! **Animation.** See [`clips`].
//!
//! **Not read**, and said to be so by [`left_out`]: lights, levels of detail beyond the
//! first, animations of anything but nodes, textures and colours that the document has no
//! place for, structures that the format does not know.

mod arrays;
mod bind;
mod cameras;
mod clips;
mod compose;
mod curve;
mod ddl;
mod error;
mod left_out;
mod materials;
mod meshes;
mod metrics;
mod morphs;
mod moved;
mod nodes;
mod resample;
mod track;
mod transform;

use std::{
    io,
    path::{Path, PathBuf},
};

use self::{ddl::Tree, metrics::Metrics};
use super::{
    ImportError,
    file::ModelFile,
    progress::{Progress, Stage},
};
use crate::document::{Asset, Document, Finding};

pub use error::{OgexError, OgexProblem};

/// Largest text that is read.
const MAX_BYTES: u64 = 512 << 20;

/// Why a file cannot be loaded, before its path is known.
pub(super) enum Failure {
    Ogex(OgexError),
    Io(io::Error),
    Cancelled,
}

impl From<OgexError> for Failure {
    fn from(error: OgexError) -> Self {
        Self::Ogex(error)
    }
}

impl Failure {
    /// Names the file.
    pub(super) fn at(self, path: &Path) -> ImportError {
        let path = path.into();
        match self {
            Self::Ogex(problem) => ImportError::Ogex { problem, path },
            Self::Io(error) => ImportError::Unreadable { error, path },
            Self::Cancelled => ImportError::Cancelled,
        }
    }
}

/// Whether a text begins as an `OpenGEX` file does: with one of its structures.
pub(super) fn is_ogex(begin: &[u8]) -> bool {
    const FIRST: [&str; 12] = [
        "Metric",
        "Node",
        "BoneNode",
        "GeometryNode",
        "LightNode",
        "CameraNode",
        "GeometryObject",
        "LightObject",
        "CameraObject",
        "Material",
        "Clip",
        "Extension",
    ];
    let begin = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin);
    // The beginning may be cut inside a character.
    let text = String::from_utf8_lossy(begin);
    ddl::first_word(&text)
        .is_some_and(|(word, sign)| FIRST.contains(&word) && b"($%{".contains(&sign))
}

/// Reads a file from disk.
pub(super) fn read_file(
    file: &mut ModelFile<'_>,
    folder: Option<&Path>,
    progress: &Progress,
) -> Result<Document, Failure> {
    let bytes = file.length();
    if bytes > MAX_BYTES {
        return Err(outside(OgexProblem::TooLarge {
            bytes,
            limit: MAX_BYTES,
        })
        .into());
    }
    let text = file.part(0, bytes).map_err(Failure::Io)?;
    read(&text, folder, progress)
}

/// Something wrong with the file as a whole.
fn outside(problem: OgexProblem) -> OgexError {
    OgexError {
        line: 1,
        structure: "file".into(),
        problem,
    }
}

/// What all parts of the importer work with.
struct Source<'a> {
    tree: &'a Tree<'a>,
    metrics: Metrics,
    /// Length of the text.
    bytes: usize,
    /// The model's folder; `None` for bytes in memory.
    folder: Option<&'a Path>,
    progress: &'a Progress,
}

impl Source<'_> {
    /// Reports progress, and stops a cancelled load.
    fn check(&self, stage: Stage, done: usize, total: usize) -> Result<(), Failure> {
        self.progress.set(stage, done, total);
        if self.progress.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        Ok(())
    }
}

/// Reads a text.
pub(super) fn read(
    text: &[u8],
    folder: Option<&Path>,
    progress: &Progress,
) -> Result<Document, Failure> {
    progress.set(Stage::Parsing, 0, 0);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    // Names in another encoding are worth less than a character.
    let text = String::from_utf8_lossy(text);
    let tree = ddl::parse(&text)?;
    let mut findings: Vec<Finding> = Vec::new();
    let source = Source {
        metrics: Metrics::read(&tree, &mut findings)?,
        tree: &tree,
        bytes: text.len(),
        folder,
        progress,
    };
    source.check(Stage::Skeleton, 0, 1)?;
    let nodes = nodes::read(&source, &mut findings)?;
    let surfaces = materials::read(&source, &mut findings)?;
    let scene = meshes::read(&source, &nodes, &surfaces, &mut findings)?;
    let cameras = cameras::read(&source, &nodes, &mut findings)?;
    left_out::report(&source, &mut findings);
    let clips = clips::read(&source, &nodes, &scene, &mut findings)?;
    let pictures = surfaces.pictures(&source, &mut findings)?;
    Ok(Document {
        skeleton: nodes.skeleton,
        meshes: scene.meshes,
        skins: scene.skins,
        instances: scene.instances,
        materials: surfaces.materials,
        textures: surfaces.textures,
        images: pictures.images,
        cameras,
        clips,
        findings,
        sources: pictures.sources,
        asset: Asset {
            format: "OpenGEX".into(),
            size_bytes: pictures.size_bytes,
            ..Asset::default()
        },
        ..Document::default()
    })
}

/// Decoded pictures and the files they came from.
#[derive(Default)]
struct Pictures {
    images: Vec<crate::document::Image>,
    sources: Vec<PathBuf>,
    size_bytes: u64,
}
