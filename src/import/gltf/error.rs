//! Rules of glTF that a file breaks beyond repair.

use std::{io, path::PathBuf};

use crate::import::error::escaped;

/// A broken rule with the object that breaks it and the numbers. Objects are
/// named as `mesh 0 "Body"`: the file's index, then the stored name if any.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message beside each variant documents it")]
pub enum GltfError {
    // Container.
    #[error("not a GLB: the file begins with {found}, not \"glTF\"")]
    NotGlb { found: String },
    #[error("the GLB header is cut off: 12 bytes are needed, the file has {actual}")]
    HeaderTruncated { actual: u64 },
    #[error("GLB container version {version} is not supported, only 2 is")]
    ContainerVersion { version: u32 },
    #[error(
        "the file is truncated: its GLB header says {stated} bytes, but there are only {actual}"
    )]
    FileTruncated { stated: u64, actual: u64 },
    #[error("GLB chunk {chunk}: its header is cut off, 8 bytes are needed, {available} are left")]
    ChunkHeader { chunk: usize, available: u64 },
    #[error(
        "GLB chunk {chunk} ({kind}) runs past the file's end: it says {stated} bytes, {available} are left"
    )]
    ChunkTruncated {
        chunk: usize,
        kind: String,
        stated: u64,
        available: u64,
    },
    #[error("the first GLB chunk must be JSON, but is {found}")]
    FirstChunk { found: String },

    // JSON.
    #[error("its JSON is {stated} bytes long, more than the {limit} that are read")]
    JsonTooLarge { stated: u64, limit: u64 },
    #[error("the JSON does not parse: {message}")]
    Json { message: String },
    #[error("{object} is not as glTF demands: {message}")]
    Schema { object: String, message: String },
    #[error("glTF version {version} is not supported, only 2.x is")]
    Version { version: String },
    #[error("the file requires unsupported extensions: {names}")]
    ExtensionsRequired {
        /// Separated by commas.
        names: String,
        /// The same, one by one.
        list: Vec<String>,
    },
    #[error("{from} refers to {what} {index}, but the file has {count}")]
    Reference {
        from: String,
        what: &'static str,
        index: usize,
        count: usize,
    },

    // Data.
    #[error("buffer {buffer}: {reason}")]
    BufferUri { buffer: usize, reason: UriError },
    #[error("buffer {buffer} has no uri, and the file has no BIN chunk for it")]
    BufferMissing { buffer: usize },
    #[error("buffer {buffer} says {stated} bytes, but its data has only {actual}")]
    BufferTruncated {
        buffer: usize,
        stated: u64,
        actual: u64,
    },
    #[error(
        "bufferView {view} covers {wanted} bytes from byte {offset}, past the end of buffer {buffer}, which has {available}"
    )]
    ViewRange {
        view: usize,
        offset: u64,
        wanted: u64,
        buffer: usize,
        available: u64,
    },
    #[error("bufferView {view} cannot be unpacked by {extension}: {reason}")]
    ViewCompressed {
        view: usize,
        extension: &'static str,
        reason: String,
    },
    #[error(
        "bufferView {view} has a stride of {stride} bytes, smaller than the {element} bytes of an element of accessor {accessor}"
    )]
    Stride {
        view: usize,
        stride: u64,
        element: u64,
        accessor: usize,
    },
    #[error(
        "accessor {accessor} ({usage}) wants {wanted} bytes of bufferView {view}, of which {available} are available"
    )]
    AccessorRange {
        accessor: usize,
        usage: String,
        view: usize,
        wanted: u64,
        available: u64,
    },
    #[error("accessor {accessor} ({usage}) is {found}, but must be {expected}")]
    AccessorType {
        accessor: usize,
        usage: String,
        found: String,
        expected: String,
    },
    #[error(
        "accessor {accessor} ({usage}) would unpack to {bytes} bytes, more than the {limit} that are allowed here"
    )]
    AccessorTooLarge {
        accessor: usize,
        usage: String,
        bytes: u64,
        limit: u64,
    },
    #[error(
        "accessor {accessor} ({usage}): sparse index {index} is past its count of {count} elements"
    )]
    SparseIndex {
        accessor: usize,
        usage: String,
        index: u64,
        count: u64,
    },
    #[error(
        "accessor {accessor} ({usage}): {sparse} sparse elements, more than its count of {count}"
    )]
    SparseCount {
        accessor: usize,
        usage: String,
        sparse: u64,
        count: u64,
    },

    // Objects.
    #[error("the nodes form a cycle: {path}")]
    NodeCycle {
        /// Labels of the nodes along the cycle, the first one again at the end.
        path: String,
    },
    #[error("{node} is a child of both {first} and {second}")]
    NodeTwoParents {
        node: String,
        first: String,
        second: String,
    },
    #[error("{skin} has an empty list of joints")]
    SkinWithoutJoints { skin: String },
    #[error(
        "{primitive}: attribute {attribute} has {count} elements, but there are {vertices} vertices"
    )]
    AttributeCount {
        primitive: String,
        attribute: String,
        count: usize,
        vertices: usize,
    },
    #[error("{primitive} cannot be unpacked by KHR_draco_mesh_compression: {reason}")]
    PrimitiveCompressed { primitive: String, reason: String },
    #[error("{primitive}: index {index} at position {position} is past its {vertices} vertices")]
    VertexIndex {
        /// Index of the mesh.
        mesh: usize,
        primitive: String,
        index: u32,
        position: usize,
        vertices: usize,
    },

    /// The operating system stopped giving us the file.
    #[error("cannot read the file: {error}")]
    Unreadable { error: io::Error },
    /// Not the file's fault.
    #[error("loading was cancelled")]
    Cancelled,
}

/// Why a URI was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message beside each variant documents it")]
pub enum UriError {
    #[error(
        "\"{uri}\" has the scheme \"{scheme}\": only files beside the model are read, remote data is not fetched"
    )]
    Scheme { scheme: String, uri: String },
    #[error("\"{uri}\" is an absolute path: only files beside the model are read")]
    Absolute { uri: String },
    #[error("\"{uri}\" leaves the model's parent folder: only files beside the model are read")]
    Climbs { uri: String },
    #[error("\"{uri}\" holds bytes that no file name can hold")]
    NotAName { uri: String },
    #[error("its data URI is malformed: {message}")]
    Data { message: String },
    #[error("a file held in memory has no folder to read \"{uri}\" from")]
    NoFolder { uri: String },
    #[error("cannot read the file: {error}: {}", escaped(path.display()))]
    Unreadable { error: io::Error, path: PathBuf },
}
