//! Geometry as the vertex stage reads it, made without a device.

use std::borrow::Cow;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec4};

use super::order::with_neighbours_together;
use crate::{
    anim::Skinning,
    document::{AlphaMode, Document, Primitive, Topology},
    render::{
        RenderError,
        uniforms::{Influence, MORPH_NORMALS, MORPH_TANGENTS},
    },
};

/// What every vertex has: 64 bytes.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Vertex {
    position: Vec3,
    normal: Vec3,
    tangent: [f32; 4],
    uvs: [Vec2; 2],
    color: [u16; 4],
}

/// The first four influences of a skinned vertex: 24 bytes.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FourInfluences {
    joints: [u16; 4],
    weights: [f32; 4],
}

/// Attributes of [`Vertex`] and [`FourInfluences`], as in `shaders/lib/deform.wgsl`.
pub(in crate::render) const VERTEX_LAYOUTS: [Option<wgpu::VertexBufferLayout<'static>>; 2] = [
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<Vertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32x4, 4 => Unorm16x4
        ],
    }),
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<FourInfluences>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![5 => Uint16x4, 6 => Float32x4],
    }),
];

/// Which parts of the deformation a primitive needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) struct Deform {
    pub skinned: bool,
    /// More than four a vertex.
    pub more_influences: bool,
    pub morphed: bool,
    /// How joints move vertices.
    pub method: Method,
}

/// `SKINNING` of `shaders/lib/deform.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(in crate::render) enum Method {
    #[default]
    Linear,
    DualQuaternion,
    DualQuaternionUnaligned,
    Rigid,
}

impl From<Skinning> for Method {
    fn from(skinning: Skinning) -> Self {
        match skinning {
            Skinning::Linear | Skinning::FourInfluences => Self::Linear,
            Skinning::DualQuaternion => Self::DualQuaternion,
            Skinning::DualQuaternionUnaligned => Self::DualQuaternionUnaligned,
            Skinning::Rigid => Self::Rigid,
        }
    }
}

impl Deform {
    /// As constants of `shaders/lib/deform.wgsl`.
    pub(in crate::render) fn constants(self) -> [(&'static str, f64); 4] {
        let flag = |on: bool| f64::from(u8::from(on));
        [
            ("SKINNED", flag(self.skinned)),
            ("MORE_INFLUENCES", flag(self.more_influences)),
            ("MORPHED", flag(self.morphed)),
            ("SKINNING", f64::from(self.method as u8)),
        ]
    }
}

/// A primitive's place in the document's buffers.
#[derive(Debug, Clone)]
pub(in crate::render) struct GpuPrimitive {
    pub topology: Topology,
    pub vertex_start: u32,
    pub vertex_count: u32,
    pub indices: core::ops::Range<u32>,
    pub delta_start: u32,
    pub influence_start: u32,
    pub influence_count: u32,
    /// `MORPH_NORMALS`, `MORPH_TANGENTS`.
    pub flags: u32,
    pub deform: Deform,
    pub has_normals: bool,
    pub has_colors: bool,
    pub flat: bool,
    pub material: Option<usize>,
    /// Middle of the undeformed box, for sorting.
    pub center: Vec3,
}

/// Running totals while places are handed out.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub vertices: u64,
    pub skinned_vertices: u64,
    pub indices: u64,
    pub deltas: u64,
    pub more_influences: u64,
}

/// A document's geometry as the device takes it, on the CPU.
#[derive(Debug)]
pub(super) struct PackedGeometry {
    pub totals: Totals,
    /// By mesh and primitive.
    pub meshes: Vec<Vec<GpuPrimitive>>,
    /// In the order of the device's buffers.
    pub primitives: Vec<PackedPrimitive>,
}

/// A primitive's part of the buffers; but for the displacements of morph targets, which
/// may be many zeros that no file had to store: see [`pack_deltas`].
#[derive(Debug)]
pub(super) struct PackedPrimitive {
    /// Mesh of the document, and primitive of the mesh.
    pub source: (usize, usize),
    pub vertices: Vec<Vertex>,
    /// Empty, or as many as vertices.
    pub influences: Vec<FourInfluences>,
    pub indices: Vec<u32>,
    pub more_influences: Vec<Influence>,
}

impl PackedGeometry {
    pub(super) fn new(document: &Document) -> Result<Self, RenderError> {
        let mut totals = Totals::default();
        let mut meshes: Vec<Vec<Option<GpuPrimitive>>> = document
            .meshes
            .iter()
            .map(|mesh| vec![None; mesh.primitives.len()])
            .collect();
        // Skinned ones first, so that influences cover a prefix of the vertices.
        let mut order = Vec::new();
        for skinned in [true, false] {
            for (m, mesh) in document.meshes.iter().enumerate() {
                for (p, primitive) in mesh.primitives.iter().enumerate() {
                    if primitive.influences.is_empty() != skinned {
                        meshes[m][p] = Some(totals.place(document, primitive)?);
                        order.push((m, p));
                    }
                }
            }
        }
        Ok(Self {
            totals,
            meshes: meshes
                .into_iter()
                .map(|primitives| primitives.into_iter().flatten().collect())
                .collect(),
            primitives: order
                .into_iter()
                .map(|(m, p)| {
                    let primitive = &document.meshes[m].primitives[p];
                    PackedPrimitive {
                        source: (m, p),
                        vertices: pack_vertices(primitive),
                        influences: pack_influences(primitive),
                        indices: ordered_indices(document, primitive).into_owned(),
                        more_influences: pack_more_influences(primitive).collect(),
                    }
                })
                .collect(),
        })
    }
}

impl Totals {
    /// The next free place, for one primitive.
    fn place(
        &mut self,
        document: &Document,
        primitive: &Primitive,
    ) -> Result<GpuPrimitive, RenderError> {
        let count = primitive.vertex_count() as u64;
        let influences = &primitive.influences;
        let more = influences.per_vertex.saturating_sub(4) as u64;
        let flags = morph_flags(primitive);
        let start = (
            self.vertices,
            self.indices,
            self.deltas,
            self.more_influences,
        );
        self.vertices += count;
        self.indices += primitive.indices.len() as u64;
        self.deltas +=
            count * 3 * primitive.morph_targets.len() as u64 * (1 + u64::from(flags.count_ones()));
        self.more_influences += count * more;
        if !influences.is_empty() {
            self.skinned_vertices = self.vertices;
        }
        // Signed 32-bit base vertices are the narrowest of the indices in use.
        let largest = [
            self.vertices,
            self.indices,
            self.deltas,
            self.more_influences,
        ]
        .into_iter()
        .max()
        .unwrap_or(0);
        if largest > i32::MAX as u64 {
            return Err(RenderError::TooLarge {
                object: format!("geometry of {}", document.name),
                bytes: largest * 4,
                limit: "31-bit indices",
                allowed: i32::MAX as u64 * 4,
            });
        }
        Ok(GpuPrimitive {
            topology: primitive.topology,
            vertex_start: start.0 as u32,
            vertex_count: count as u32,
            indices: start.1 as u32..self.indices as u32,
            delta_start: start.2 as u32,
            influence_start: start.3 as u32,
            influence_count: more as u32,
            flags,
            deform: Deform {
                skinned: !influences.is_empty(),
                more_influences: more > 0,
                morphed: !primitive.morph_targets.is_empty(),
                method: Method::default(),
            },
            has_normals: !primitive.normals.is_empty(),
            has_colors: !primitive.colors.is_empty(),
            flat: primitive.flat_shading,
            material: primitive.material,
            center: primitive.bounds.center(),
        })
    }
}

/// Which kinds of displacement any of the targets has, besides positions.
fn morph_flags(primitive: &Primitive) -> u32 {
    let targets = &primitive.morph_targets;
    let normals = !primitive.normals.is_empty() && targets.iter().any(|t| !t.normals.is_empty());
    let tangents = !primitive.tangents.is_empty() && targets.iter().any(|t| !t.tangents.is_empty());
    u32::from(normals) * MORPH_NORMALS + u32::from(tangents) * MORPH_TANGENTS
}

/// Indices as they are drawn. What is blended keeps the order of the file.
fn ordered_indices<'a>(document: &Document, primitive: &'a Primitive) -> Cow<'a, [u32]> {
    let material = primitive.material.map(|index| &document.materials[index]);
    let is_blended = material.is_some_and(|m| m.alpha_mode == AlphaMode::Blend);
    if is_blended || primitive.topology != Topology::Triangles {
        return Cow::Borrowed(&primitive.indices);
    }
    with_neighbours_together(&primitive.indices, primitive.vertex_count())
}

fn pack_vertices(primitive: &Primitive) -> Vec<Vertex> {
    (0..primitive.vertex_count())
        .map(|v| {
            let uv = |set: usize| primitive.uvs[set].get(v).copied().unwrap_or_default();
            let color = primitive.colors.get(v).copied().unwrap_or(Vec4::ONE);
            Vertex {
                position: primitive.positions[v],
                normal: primitive.normals.get(v).copied().unwrap_or_default(),
                tangent: primitive
                    .tangents
                    .get(v)
                    .copied()
                    .unwrap_or(Vec4::new(1.0, 0.0, 0.0, 1.0))
                    .to_array(),
                uvs: [uv(0), uv(1)],
                // glTF clamps vertex colours to 0…1.
                color: (color.clamp(Vec4::ZERO, Vec4::ONE) * 65535.0)
                    .round()
                    .to_array()
                    .map(|channel| channel as u16),
            }
        })
        .collect()
}

fn pack_influences(primitive: &Primitive) -> Vec<FourInfluences> {
    let count = if primitive.influences.is_empty() {
        0
    } else {
        primitive.vertex_count()
    };
    (0..count)
        .map(|v| {
            let mut packed = FourInfluences::default();
            for (i, (joint, weight)) in primitive.influences.of_vertex(v).take(4).enumerate() {
                packed.joints[i] = joint;
                packed.weights[i] = weight;
            }
            packed
        })
        .collect()
}

fn pack_more_influences(primitive: &Primitive) -> impl Iterator<Item = Influence> + '_ {
    let count = if primitive.influences.per_vertex > 4 {
        primitive.vertex_count()
    } else {
        0
    };
    (0..count).flat_map(|v| {
        primitive
            .influences
            .of_vertex(v)
            .skip(4)
            .map(|(joint, weight)| Influence {
                joint: u32::from(joint),
                weight,
            })
    })
}

/// Target by target: positions, then normals and tangents where any target has
/// such; zeros where this one has none.
pub(super) fn pack_deltas(primitive: &Primitive) -> Vec<Vec3> {
    let flags = morph_flags(primitive);
    let count = primitive.vertex_count();
    let mut packed = Vec::new();
    let mut push = |deltas: &[Vec3]| {
        if deltas.is_empty() {
            packed.extend(core::iter::repeat_n(Vec3::ZERO, count));
        } else {
            packed.extend_from_slice(deltas);
        }
    };
    for target in &primitive.morph_targets {
        push(&target.positions);
        if flags & MORPH_NORMALS != 0 {
            push(&target.normals);
        }
        if flags & MORPH_TANGENTS != 0 {
            push(&target.tangents);
        }
    }
    packed
}
