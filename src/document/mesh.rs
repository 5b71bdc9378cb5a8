//! Geometry: vertices, influences and morph targets.

use glam::{Vec2, Vec3, Vec4};

use crate::math::Aabb;

/// A mesh: primitives that share morph targets and default weights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Name as stored, or empty.
    pub name: String,
    /// Parts, each with one material.
    pub primitives: Vec<Primitive>,
    /// Default weight of each morph target; its length is the target count of
    /// every primitive.
    pub morph_weights: Vec<f32>,
    /// Name of each morph target; same length, empty strings where unnamed.
    pub morph_names: Vec<String>,
}

/// A node that shows a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshInstance {
    /// Joint index of the node. Its transform is ignored where there is a skin.
    pub joint: usize,
    /// Index into `Document::meshes`.
    pub mesh: usize,
    /// Index into `Document::skins`.
    pub skin: Option<usize>,
    /// Whether the node hangs in the file's default scene (always, where it has no
    /// scene). Only these are drawn; the others can still be asked about.
    pub in_scene: bool,
    /// Morph weights at rest: the node's own, or else the mesh's. Length is the
    /// mesh's target count.
    pub morph_weights: Vec<f32>,
}

/// What the indices form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Topology {
    /// One point each.
    Points,
    /// Two each.
    Lines,
    /// Three each, counter-clockwise seen from the front.
    #[default]
    Triangles,
}

/// A drawable part with one material. All vertex arrays are empty or have one
/// entry per vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Primitive {
    /// Lists only: strips, fans and loops are expanded on import.
    pub topology: Topology,
    /// Always present, each smaller than the vertex count.
    pub indices: Vec<u32>,
    /// Positions in mesh space.
    pub positions: Vec<Vec3>,
    /// Unit normals; generated for triangles where the file has none, else empty.
    pub normals: Vec<Vec3>,
    /// The file has no normals: faces are to be shaded flat, as glTF demands.
    /// `normals` then holds smooth ones for what else needs a direction.
    pub flat_shading: bool,
    /// Unit tangents, w = ±1 the bitangent's sign. Generated (mikktspace) where a
    /// normal-mapped primitive has none, else empty.
    pub tangents: Vec<Vec4>,
    /// Texture coordinate sets 0 and 1.
    pub uvs: [Vec<Vec2>; 2],
    /// Linear RGBA that multiplies the base colour.
    pub colors: Vec<Vec4>,
    /// Joints and weights, empty for an unskinned primitive.
    pub influences: Influences,
    /// Displacements; all primitives of a mesh have the same number.
    pub morph_targets: Vec<MorphTarget>,
    /// Index into `Document::materials`; `None` is the default material.
    pub material: Option<usize>,
    /// The first so many vertices are the file's, in its order. Copies that
    /// tangent generation had to split off follow behind.
    pub file_vertex_count: usize,
    /// Box around `positions`.
    pub bounds: Aabb,
}

/// Joints and weights of a primitive's vertices, any number per vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Influences {
    /// Influences per vertex: 4 × the file's attribute sets; 0 if unskinned.
    pub per_vertex: usize,
    /// `per_vertex` entries a vertex: index into `Skin::joints`, in range.
    pub joints: Vec<u16>,
    /// Weights as stored (finite, ≥ 0), parallel to `joints`.
    pub weights: Vec<f32>,
}

impl Influences {
    /// Whether the primitive has no influences at all.
    pub fn is_empty(&self) -> bool {
        self.per_vertex == 0
    }

    /// Joint slots and stored weights of one vertex.
    pub fn of_vertex(&self, vertex: usize) -> impl Iterator<Item = (u16, f32)> + '_ {
        let range = vertex * self.per_vertex..(vertex + 1) * self.per_vertex;
        self.joints[range.clone()]
            .iter()
            .copied()
            .zip(self.weights[range].iter().copied())
    }
}

/// Displacements per vertex at weight 1; an empty array means none of that kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Added to positions.
    pub positions: Vec<Vec3>,
    /// Added to normals.
    pub normals: Vec<Vec3>,
    /// Added to the tangents' xyz.
    pub tangents: Vec<Vec3>,
}

impl Primitive {
    /// Vertices including split copies.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// Triangles; none of points and lines.
    pub fn triangle_count(&self) -> usize {
        match self.topology {
            Topology::Triangles => self.indices.len() / 3,
            Topology::Points | Topology::Lines => 0,
        }
    }
}

impl Mesh {
    /// Vertices over all primitives, as stored in the file.
    pub fn file_vertex_count(&self) -> usize {
        self.primitives.iter().map(|p| p.file_vertex_count).sum()
    }

    /// Triangles over all primitives.
    pub fn triangle_count(&self) -> usize {
        self.primitives.iter().map(Primitive::triangle_count).sum()
    }
}
