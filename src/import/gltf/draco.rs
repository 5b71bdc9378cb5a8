//! `KHR_draco_mesh_compression`: primitives whose indices and attributes are one Draco
//! stream. The `draco-core` crate decodes it; what comes out takes the place of the
//! accessors that the primitive names ([`Accessors::with`]), and is read and checked as
//! theirs. Vertices keep the stream's order, as morph targets beside it need.

use std::collections::BTreeMap;

use draco_core::{
    DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex,
};
use serde::Deserialize;

use super::{accessor::Accessors, component::Component, error::GltfError, schema};
use crate::document::{Finding, FindingCode, Severity};

/// Bytes of work memory that the decoder may need for each vertex and each face.
const WORK_BYTES: u64 = 64;

/// A decoded primitive.
pub(super) struct Unpacked {
    /// Three for each triangle.
    pub(super) indices: Vec<u32>,
    /// By the accessor whose place they take.
    columns: BTreeMap<usize, Column>,
}

/// A decoded attribute.
pub(super) struct Column {
    /// What its numbers are.
    pub(super) component: Component,
    /// One element behind the other.
    pub(super) bytes: Vec<u8>,
}

impl Unpacked {
    /// What is read in place of an accessor.
    pub(super) fn column(&self, accessor: usize) -> Option<&Column> {
        self.columns.get(&accessor)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Stored {
    buffer_view: Option<usize>,
    /// Ids in the stream by attribute.
    attributes: BTreeMap<String, u32>,
}

/// Decodes a primitive, if it is compressed. Where accessors count other than the
/// stream does, as those of old exporters do, the stream is right; that is a finding.
pub(super) fn read(
    accessors: &Accessors<'_>,
    primitive: &schema::Primitive,
    owner: &str,
    mesh: usize,
    findings: &mut Vec<Finding>,
) -> Result<Option<Unpacked>, GltfError> {
    let Some(value) = primitive.extensions.get("KHR_draco_mesh_compression") else {
        return Ok(None);
    };
    let fault = |reason: String| GltfError::PrimitiveCompressed {
        primitive: owner.into(),
        reason,
    };
    let stored = Stored::deserialize(value)
        .map_err(|error| fault(format!("its description does not fit: {error}")))?;
    if let Some(mode @ ..=3 | mode @ 6..) = primitive.mode {
        return Err(fault(format!("its mode is {mode}, but must be 4 or 5")));
    }
    let view = stored
        .buffer_view
        .ok_or_else(|| fault("it names no bufferView".into()))?;
    let stream = accessors.view(view, format_args!("the Draco stream of {owner}"))?;
    let decoded = decode(stream, accessors.budget().left())
        .map_err(|reason| fault(format!("the stream in bufferView {view}: {reason}")))?;

    let charge = |bytes: usize| {
        let charged = accessors.budget().reserve(bytes as u64);
        charged.map_err(|limit| {
            fault(format!(
                "it would unpack to {bytes} bytes more, past the {limit} that are allowed here"
            ))
        })
    };
    charge(decoded.num_faces() * 12)?;
    let faces = decoded.faces().iter();
    let indices: Vec<u32> = faces.flatten().map(|point| point.0).collect();
    let mut columns = BTreeMap::new();
    let mut miscounted = Vec::new();
    let mut compare = |accessor: usize, what: &str, found: usize| {
        let stated = accessors.stated_count(accessor);
        if let Some(stated) = stated.filter(|&stated| stated != found as u64) {
            miscounted.push(format!("{found} {what}, not {stated}"));
        }
    };
    if let Some(accessor) = primitive.indices {
        compare(accessor, "indices", indices.len());
    }
    for (name, &id) in &stored.attributes {
        // What the stream has beyond the primitive, nothing shows.
        let Some(&accessor) = primitive.attributes.get(name) else {
            continue;
        };
        let attribute = decoded.attribute_by_unique_id(id).ok_or_else(|| {
            let count = decoded.num_attributes();
            fault(format!(
                "{name} is attribute {id}, which the stream in bufferView {view} with its {count} lacks"
            ))
        })?;
        let column = column(
            attribute,
            decoded.num_points(),
            accessors.width(accessor),
            charge,
        )?
        .map_err(|reason| fault(format!("{name} in bufferView {view} {reason}")))?;
        compare(accessor, name, decoded.num_points());
        columns.insert(accessor, column);
    }
    if !miscounted.is_empty() {
        let message = format!(
            "{owner}: its Draco stream has other counts than its accessors and is followed: {}",
            miscounted.join(", ")
        );
        findings
            .push(Finding::new(FindingCode::MeshInvalid, Severity::Warning, message).at_mesh(mesh));
    }
    Ok(Some(Unpacked { indices, columns }))
}

/// The stream's mesh, as long as that takes no more memory than `bytes`.
fn decode(stream: &[u8], bytes: u64) -> Result<Mesh, String> {
    let limits = DecodeLimits::default()
        .with_max_points(bytes / WORK_BYTES)
        .with_max_faces(bytes / WORK_BYTES)
        .with_max_decoded_bytes(bytes);
    let mut buffer = DecoderBuffer::new(stream).with_limits(limits);
    let mut mesh = Mesh::new();
    MeshDecoder::new()
        .decode(&mut buffer, &mut mesh)
        .map_err(|error| format!("{} ({} bytes)", error.message(), stream.len()))?;
    Ok(mesh)
}

/// An attribute's values by vertex. The outer error is the charge's, the inner one says
/// what is wrong with the attribute.
fn column<E>(
    attribute: &PointAttribute,
    vertices: usize,
    width: usize,
    charge: impl Fn(usize) -> Result<(), E>,
) -> Result<Result<Column, String>, E> {
    let found = usize::from(attribute.num_components());
    if found != width {
        return Ok(Err(format!(
            "has {found} components, but its accessor has {width}"
        )));
    }
    let component = match attribute.data_type() {
        DataType::Int8 => Component::I8,
        DataType::Uint8 => Component::U8,
        DataType::Int16 => Component::I16,
        DataType::Uint16 => Component::U16,
        DataType::Uint32 => Component::U32,
        DataType::Float32 => Component::F32,
        other => return Ok(Err(format!("is made of {other:?}, which glTF lacks"))),
    };
    let size = component.bytes() * width;
    charge(vertices.saturating_mul(size))?;
    let stored = attribute.buffer().data();
    let stride = usize::try_from(attribute.byte_stride()).unwrap_or(size);
    let mut bytes = Vec::with_capacity(vertices.saturating_mul(size));
    for vertex in 0..vertices {
        let index = attribute.mapped_index(PointIndex(vertex as u32)).0 as usize;
        let start = index.checked_mul(stride);
        let value = start.and_then(|start| stored.get(start..start.checked_add(size)?));
        let Some(value) = value else {
            let count = attribute.size();
            return Ok(Err(format!(
                "has {count} values, and vertex {vertex} refers to value {index}"
            )));
        };
        bytes.extend_from_slice(value);
    }
    Ok(Ok(Column { component, bytes }))
}
