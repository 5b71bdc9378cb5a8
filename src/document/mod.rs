//! What a file contains, independent of its format: immutable once imported.
//!
//! Everything is in the file's own units and axes (glTF: metres, +Y up, right
//! handed). Indices are plain `usize` or `u32` into the vectors of [`Document`];
//! the importer guarantees that every index stored here is in range, that
//! parallel arrays have equal length and that every number used for drawing is
//! finite, so that code behind the importer needs no checks.

mod clip;
mod finding;
mod material;
mod mesh;
mod skeleton;
mod skin;

use std::path::PathBuf;

pub use clip::{Clip, JointTracks, Keys, MorphTracks, Property, Track};
pub use finding::{Finding, FindingCode, Severity};
pub use material::{
    AlphaMode, Filter, Image, Material, PixelFormat, Sampler, Texture, TextureRef, Wrap,
};
pub use mesh::{Influences, Mesh, MeshInstance, MorphTarget, Primitive, Topology};
pub use skeleton::{Joint, Skeleton};
pub use skin::Skin;

/// A whole file in memory.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// File name without folders, for titles and messages.
    pub name: String,
    /// Every transform node of the file.
    pub skeleton: Skeleton,
    /// Geometry, each mesh once however many nodes show it.
    pub meshes: Vec<Mesh>,
    /// Joint lists with inverse bind matrices.
    pub skins: Vec<Skin>,
    /// Which node shows which mesh under which skin, for every node that has a
    /// mesh, in the file's order of nodes. See [`MeshInstance::in_scene`].
    pub instances: Vec<MeshInstance>,
    /// Surface descriptions.
    pub materials: Vec<Material>,
    /// Image and sampler pairs that materials refer to.
    pub textures: Vec<Texture>,
    /// Decoded pictures.
    pub images: Vec<Image>,
    /// Cameras of the file.
    pub cameras: Vec<Camera>,
    /// Animations, in file order.
    pub clips: Vec<Clip>,
    /// What the importer found wrong and how it was mended.
    pub findings: Vec<Finding>,
    /// Every file on disk that was read: the model first, then buffers and images.
    pub sources: Vec<PathBuf>,
    /// What the file says about itself.
    pub asset: Asset,
}

/// What the file says about itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Asset {
    /// Format and version, such as `glTF 2.0 binary`.
    pub format: String,
    /// The exporter, as stored.
    pub generator: Option<String>,
    /// The copyright line, as stored.
    pub copyright: Option<String>,
    /// Extensions named by the file, with what becomes of them here.
    pub extensions: Vec<ExtensionUse>,
    /// Size on disk of all sources together, in bytes.
    pub size_bytes: u64,
}

impl Asset {
    /// `size_bytes` for reading: `213.4 KiB`.
    pub fn size_text(&self) -> String {
        const KIB: f64 = 1024.0;
        let bytes = self.size_bytes as f64;
        if bytes < KIB {
            format!("{bytes} bytes")
        } else if bytes < KIB * KIB {
            format!("{:.1} KiB", bytes / KIB)
        } else {
            format!("{:.1} MiB", bytes / (KIB * KIB))
        }
    }
}

/// One extension that the file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtensionUse {
    /// Name such as `KHR_texture_transform`.
    pub name: String,
    /// Whether the file says that it cannot be shown without it.
    pub required: bool,
    /// Whether this program understands it; otherwise it is ignored.
    pub supported: bool,
}

/// A camera of the file, placed by its node.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// Name as stored, or empty.
    pub name: String,
    /// The joint that carries it; looks along that joint's −Z with +Y up.
    pub joint: usize,
    /// Lens.
    pub projection: Projection,
}

/// A camera's lens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Lines of sight from one point.
    Perspective {
        /// Vertical field of view, radians.
        yfov_radians: f32,
        /// Width over height, where the file fixes it.
        aspect: Option<f32>,
        /// Near plane distance.
        near: f32,
        /// Far plane distance; `None` for infinite.
        far: Option<f32>,
    },
    /// Parallel lines of sight; all in scene units.
    Orthographic {
        /// Half width.
        xmag: f32,
        /// Half height.
        ymag: f32,
        /// Near plane distance.
        near: f32,
        /// Far plane distance.
        far: f32,
    },
}

/// The stored name, or such as `clip 3` where there is none.
fn label(name: &str, what: &str, index: usize) -> String {
    if name.is_empty() {
        format!("{what} {index}")
    } else {
        name.to_owned()
    }
}

impl Document {
    /// Vertices over all primitives, as stored in the file.
    pub fn vertex_count(&self) -> usize {
        self.meshes.iter().map(Mesh::file_vertex_count).sum()
    }

    /// Triangles over all primitives.
    pub fn triangle_count(&self) -> usize {
        self.meshes.iter().map(Mesh::triangle_count).sum()
    }

    /// Every primitive of every mesh.
    pub fn primitives(&self) -> impl Iterator<Item = &Primitive> {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives)
    }

    /// Joints that any skin refers to, without repeats.
    pub fn skinned_joint_count(&self) -> usize {
        let mut joints: Vec<u32> = self
            .skins
            .iter()
            .flat_map(|s| s.joints.iter().copied())
            .collect();
        joints.sort_unstable();
        joints.dedup();
        joints.len()
    }
}
