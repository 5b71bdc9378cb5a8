//! Geometry on the device.

use super::vertices::{FourInfluences, GpuPrimitive, PackedGeometry, Vertex, pack_deltas};
use crate::{
    document::{Document, Topology},
    render::{
        RenderError,
        buffers::{check_size, filled},
        uniforms::Influence,
    },
};

/// Geometry of a document on the device.
#[derive(Debug)]
pub(in crate::render) struct Geometry {
    pub vertices: wgpu::Buffer,
    /// Covers the skinned primitives, which come first.
    pub influences: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    pub morph_deltas: wgpu::Buffer,
    pub more_influences: wgpu::Buffer,
    /// By mesh and primitive.
    pub meshes: Vec<Vec<GpuPrimitive>>,
}

impl Geometry {
    /// Uploads what was packed from the document.
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        document: &Document,
        packed: PackedGeometry,
    ) -> Result<Self, RenderError> {
        let PackedGeometry {
            totals,
            meshes,
            primitives,
        } = packed;
        let name = &document.name;
        let buffer = |kind: &str, usage, stride: u64, count: u64| {
            let label = format!("{kind} of {name}");
            let size = (count * stride).max(16).next_multiple_of(4);
            check_size(device, &label, size, usage)?;
            Ok(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(&label),
                size,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }))
        };
        let vertex = wgpu::BufferUsages::VERTEX;
        let stride = size_of::<Vertex>() as u64;
        let vertices = buffer("vertices", vertex, stride, totals.vertices)?;
        let four = size_of::<FourInfluences>() as u64;
        let influences = buffer("influences", vertex, four, totals.skinned_vertices)?;
        let index = wgpu::BufferUsages::INDEX;
        let indices = buffer("indices", index, 4, totals.indices)?;
        let storage = wgpu::BufferUsages::STORAGE;
        let morph_deltas = buffer("morph targets", storage, 4, totals.deltas)?;
        let eight = size_of::<Influence>() as u64;
        let more_influences = buffer("further influences", storage, eight, totals.more_influences)?;
        let mut starts = [0; 5];
        // Each is let go of once it is written.
        for primitive in primitives {
            let (mesh, index) = primitive.source;
            let deltas = pack_deltas(&document.meshes[mesh].primitives[index]);
            let parts: [(&wgpu::Buffer, &[u8]); 5] = [
                (&vertices, bytemuck::cast_slice(&primitive.vertices)),
                (&influences, bytemuck::cast_slice(&primitive.influences)),
                (&indices, bytemuck::cast_slice(&primitive.indices)),
                (&morph_deltas, bytemuck::cast_slice(&deltas)),
                (
                    &more_influences,
                    bytemuck::cast_slice(&primitive.more_influences),
                ),
            ];
            for ((buffer, bytes), start) in parts.into_iter().zip(&mut starts) {
                if !bytes.is_empty() {
                    queue.write_buffer(buffer, *start, bytes);
                    *start += bytes.len() as u64;
                }
            }
        }
        Ok(Self {
            vertices,
            influences,
            indices,
            morph_deltas,
            more_influences,
            meshes,
        })
    }
}

/// The edges of a document's triangles, each once, as line lists.
#[derive(Debug)]
pub(in crate::render) struct Edges {
    pub indices: wgpu::Buffer,
    /// By mesh and primitive.
    pub ranges: Vec<Vec<core::ops::Range<u32>>>,
}

impl Edges {
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        document: &Document,
    ) -> Result<Self, RenderError> {
        let mut indices: Vec<[u32; 2]> = Vec::new();
        let ranges = document
            .meshes
            .iter()
            .map(|mesh| {
                mesh.primitives
                    .iter()
                    .map(|primitive| {
                        let start = indices.len() as u32 * 2;
                        if primitive.topology == Topology::Triangles {
                            let first = indices.len();
                            for triangle in primitive.indices.chunks_exact(3) {
                                for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                                    let (a, b) = (triangle[a], triangle[b]);
                                    indices.push([a.min(b), a.max(b)]);
                                }
                            }
                            indices[first..].sort_unstable();
                            let mut kept = first;
                            for i in first..indices.len() {
                                if i == first || indices[i] != indices[kept - 1] {
                                    indices[kept] = indices[i];
                                    kept += 1;
                                }
                            }
                            indices.truncate(kept);
                        }
                        start..indices.len() as u32 * 2
                    })
                    .collect()
            })
            .collect();
        let label = format!("edges of {}", document.name);
        Ok(Self {
            indices: filled(device, queue, &label, wgpu::BufferUsages::INDEX, &indices)?,
            ranges,
        })
    }
}
