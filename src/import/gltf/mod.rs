//! glTF 2.0 → [`Document`], with the extensions listed in [`extensions`].
//!
//! ```text
//! bytes ─ glb ─▶ JSON ─ schema ─▶ Root ─┐
//!           └──▶ BIN ─ buffers, meshopt ┴─ accessor, draco ─▶ nodes, skins, meshes, clips, materials, images
//! ```
//!
//! The JSON is read into our own few structs ([`schema`]) rather than the `gltf`
//! crate's tree. The tree refuses legal files as a whole (a channel without a
//! target node, a WebP texture without a fallback source), and where a field does
//! not fit it cannot say in which object; a tool whose subject is broken exports
//! has to do better than that.
//!
//! Ownership: of a GLB's BIN chunk is read what the JSON makes use of, once, and
//! that is only borrowed; data URIs are taken out of the JSON as they are decoded. Each buffer
//! therefore exists once, beside the arrays made from it.

mod accessor;
mod budget;
mod buffers;
mod clips;
mod component;
mod draco;
mod error;
mod extensions;
mod glb;
mod images;
pub(super) mod influences;
mod instances;
mod inverse_binds;
pub(super) mod keys;
mod materials;
mod meshes;
mod meshopt;
mod morphs;
pub(super) mod nodes;
mod schema;
mod skins;
pub(super) mod topology;
pub(super) mod uri;
pub(super) mod vertices;

use core::ops::Range;
use std::path::{Path, PathBuf};

use self::{accessor::Accessors, budget::Budget, schema::Root};
use super::{
    file::ModelFile,
    progress::{Progress, Stage},
};
use crate::document::{Asset, Document, Finding, FindingCode, Severity};

pub use error::{GltfError, UriError};
pub(super) use glb::has_magic as is_glb;
pub(super) use schema::text_of;

/// Where a file comes from and how its load is doing.
struct Origin<'a> {
    /// The model's folder; `None` for bytes in memory.
    folder: Option<&'a Path>,
    progress: &'a Progress,
    /// Files read beside the model.
    sources: Vec<PathBuf>,
    /// Their sizes together.
    size_bytes: u64,
}

impl Origin<'_> {
    /// Reports progress, and stops a cancelled load.
    fn check(&self, stage: Stage, done: usize, total: usize) -> Result<(), GltfError> {
        self.progress.set(stage, done, total);
        if self.progress.is_cancelled() {
            return Err(GltfError::Cancelled);
        }
        Ok(())
    }

    /// Notes a file that was read.
    fn add_source(&mut self, path: PathBuf) {
        if !self.sources.contains(&path) {
            self.size_bytes += std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
            self.sources.push(path);
        }
    }
}

/// Largest JSON that is read. With room for a buffer of 190 MB in a data URI;
/// the structure of a model takes a few MB.
const MAX_JSON_BYTES: u64 = 256 << 20;

/// Reads a `.gltf`, of which `begin` is the beginning. The text is dropped early: it
/// may hold everything in data URIs.
pub(super) fn read_json(
    file: &mut ModelFile<'_>,
    begin: &[u8],
    folder: Option<&Path>,
    progress: &Progress,
) -> Result<Document, GltfError> {
    let text = text_of(begin);
    if !(text.is_empty() || text.starts_with(b"{")) {
        let space = &begin[..begin.len() - text.len()];
        let mut line = space.split(|&byte| byte == b'\n');
        return Err(GltfError::Json {
            message: format!(
                "at line {} column {} it begins with \"{}\", not \"{{\"",
                line.clone().count(),
                line.next_back().map_or(0, <[u8]>::len) + 1,
                text[..text.len().min(8)].escape_ascii()
            ),
        });
    }
    let root = read_root(file, 0..file.length(), progress)?;
    build(root, None, "", Vec::new(), folder, progress)
}

/// Reads the JSON in this part of a file.
fn read_root(
    file: &mut ModelFile<'_>,
    range: Range<u64>,
    progress: &Progress,
) -> Result<Root, GltfError> {
    let stated = range.end - range.start;
    if stated > MAX_JSON_BYTES {
        return Err(GltfError::JsonTooLarge {
            stated,
            limit: MAX_JSON_BYTES,
        });
    }
    let text = glb::read(file, range)?;
    progress.set(Stage::Parsing, 0, 0);
    schema::parse(&text)
}

/// Reads a `.glb` from memory. Findings about the container come first.
pub(super) fn read_glb(
    mut bytes: &[u8],
    folder: Option<&Path>,
    progress: &Progress,
) -> Result<Document, GltfError> {
    let mut findings = Vec::new();
    let glb = glb::parse(&mut bytes, &mut findings)?;
    progress.set(Stage::Parsing, 0, 0);
    let root = schema::parse(glb::slice(bytes, &glb.json))?;
    let bin = glb.bin.map(|range| glb::slice(bytes, &range));
    build(root, bin, " binary", findings, folder, progress)
}

/// Reads a `.glb` from disk: the JSON first, then as much of the BIN chunk as it
/// makes use of. Nothing else of the file is read, whatever its size.
pub(super) fn read_glb_file(
    file: &mut ModelFile<'_>,
    folder: Option<&Path>,
    progress: &Progress,
) -> Result<Document, GltfError> {
    let mut findings = Vec::new();
    let glb = glb::parse(file, &mut findings)?;
    let root = read_root(file, glb.json, progress)?;
    progress.set(Stage::Reading, 0, 0);
    let bin = match glb.bin {
        Some(range) => {
            let wanted = buffers::bin_needs(&root, range.end - range.start)?;
            Some(glb::read(file, range.start..range.start + wanted)?)
        }
        None => None,
    };
    build(root, bin.as_deref(), " binary", findings, folder, progress)
}

fn build(
    mut root: Root,
    bin: Option<&[u8]>,
    container: &str,
    mut findings: Vec<Finding>,
    folder: Option<&Path>,
    progress: &Progress,
) -> Result<Document, GltfError> {
    let mut origin = Origin {
        folder,
        progress,
        sources: Vec::new(),
        size_bytes: 0,
    };
    let version = extensions::check_version(&root.asset)?;
    let extensions = extensions::check(&root, &mut findings)?;
    let buffers = buffers::read(&mut root, bin, &mut origin)?;
    let image_sources = core::mem::take(&mut root.images);
    let sizes = buffers.iter().flatten().map(|bytes| bytes.len() as u64);
    let budget = Budget::new(sizes.sum());
    let compressed = meshopt::Views::new(&root);
    let accessors = Accessors::new(&root, &buffers, &compressed, &budget);

    origin.check(Stage::Skeleton, 0, 1)?;
    let nodes = nodes::read(&root, &mut findings)?;
    let skins = skins::read(&root, &accessors, &nodes, &mut findings)?;
    let surfaces = materials::read(&root, image_sources.len(), &mut findings);
    let slot_limits = instances::slot_limits(&root, &skins);
    let meshes = meshes::read(
        &root,
        &accessors,
        &slot_limits,
        &surfaces.materials,
        &origin,
        &mut findings,
    )?;
    let instances = instances::read(&root, &nodes, &meshes, skins.len(), &mut findings);
    let cameras = instances::cameras(&root, &nodes, &mut findings);
    let clips = clips::read(&root, &accessors, &nodes, &meshes, &origin, &mut findings)?;
    report_unused(&accessors, root.accessors.len(), &mut findings);
    let images = images::read(
        &image_sources,
        &surfaces.images,
        &accessors,
        &mut origin,
        &mut findings,
    )?;
    Ok(Document {
        name: String::new(),
        skeleton: nodes.skeleton,
        meshes,
        skins,
        instances,
        materials: surfaces.materials,
        textures: surfaces.textures,
        images,
        cameras,
        clips,
        findings,
        sources: origin.sources,
        asset: Asset {
            format: format!("glTF {version}{container}"),
            generator: root.asset.generator.take(),
            copyright: root.asset.copyright.take(),
            extensions,
            size_bytes: origin.size_bytes,
        },
    })
}

/// Accessors that nothing has read may be broken too: worth a word, no more.
fn report_unused(accessors: &Accessors<'_>, count: usize, findings: &mut Vec<Finding>) {
    for accessor in 0..count {
        if let Err(problem) = accessors.check_unused(accessor) {
            findings.push(Finding::new(
                FindingCode::AccessorInvalid,
                Severity::Warning,
                format!("{problem}; nothing uses it"),
            ));
        }
    }
}

/// `1 vertex`, `2 vertices`.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `mesh 0 "Body"`, or `mesh 0` where there is no name.
fn label(what: &str, index: usize, name: &str) -> String {
    if name.is_empty() {
        format!("{what} {index}")
    } else {
        format!("{what} {index} {name:?}")
    }
}
