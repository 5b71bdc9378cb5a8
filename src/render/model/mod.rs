//! Documents on the device: uploaded when first drawn, dropped when forgotten.

mod geometry;
mod materials;
mod mips;
mod order;
mod textures;
mod vertices;

use std::sync::{Arc, Weak};

pub(super) use geometry::{Edges, Geometry};
use materials::SmallerLevels;
pub(super) use materials::{
    Alpha, BASE_COLOR, EMISSIVE, GpuMaterial, METALLIC_ROUGHNESS, NORMAL, OCCLUSION,
};
pub(super) use textures::Samplers;
use vertices::PackedGeometry;
pub(super) use vertices::{Deform, GpuPrimitive, Method, VERTEX_LAYOUTS};

use super::{RenderError, draws::Uploads};
use crate::document::{Document, Skin};

/// A document's device copy.
#[derive(Debug)]
pub(super) struct GpuModel {
    /// Keeps the allocation, though not its contents, so that the pointer that
    /// identifies the document cannot come to mean another one.
    document: Weak<Document>,
    pub geometry: Geometry,
    /// By material index; the last one is the default material.
    pub materials: Vec<GpuMaterial>,
    /// By skin: whether it was bound to mirrored joints.
    mirrored_binds: Vec<bool>,
    /// Made when a wireframe is first asked for.
    pub edges: Option<Edges>,
    /// Bind group 1 and the generation of the frame buffers in it.
    pub bindings: Option<(u64, wgpu::BindGroup)>,
    /// Number of the last frame that drew it.
    pub last_frame: u64,
}

/// What an upload of a document needs that takes no device, made ahead: by the thread
/// that reads the document, or while a device is being opened. See
/// [`Renderer::expect`](super::Renderer::expect).
#[derive(Debug)]
pub struct Prepared {
    /// As in [`GpuModel`].
    document: Weak<Document>,
    geometry: PackedGeometry,
    smaller: SmallerLevels,
}

impl Prepared {
    /// Packs vertices and makes the smaller levels of textures, on all cores.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] for a document that no device could hold.
    pub fn new(document: &Arc<Document>) -> Result<Self, RenderError> {
        Ok(Self {
            document: Arc::downgrade(document),
            geometry: PackedGeometry::new(document)?,
            smaller: materials::smaller_levels(document),
        })
    }

    fn is_of(&self, document: &Arc<Document>) -> bool {
        self.document.as_ptr() == Arc::as_ptr(document)
    }
}

/// All device copies.
#[derive(Debug, Default)]
pub(super) struct Models {
    list: Vec<GpuModel>,
    /// The latest; it waits for its document to be drawn.
    prepared: Option<Prepared>,
    /// Documents that could not be uploaded: trying again each frame would only take
    /// time, and say the same.
    refused: Vec<Weak<Document>>,
    samplers: Samplers,
}

/// Frames for which an unused copy is kept while its document lives: long enough for
/// a switch back and forth between two.
const KEPT_FRAMES: u64 = 8;

impl Models {
    /// Index of a document's copy, uploaded now if it is new; `None` for one whose
    /// upload has failed before.
    pub(super) fn find_or_upload(
        &mut self,
        uploads: &mut Uploads<'_>,
        document: &Arc<Document>,
    ) -> Result<Option<usize>, RenderError> {
        let pointer = Arc::as_ptr(document);
        if self.refused.iter().any(|known| known.as_ptr() == pointer) {
            return Ok(None);
        }
        if let Some(index) = self.find(document) {
            return Ok(Some(index));
        }
        let uploaded = self.upload(uploads, document);
        if uploaded.is_err() {
            self.refused.push(Arc::downgrade(document));
        }
        uploaded.map(Some)
    }

    fn upload(
        &mut self,
        uploads: &mut Uploads<'_>,
        document: &Arc<Document>,
    ) -> Result<usize, RenderError> {
        let prepared = match self.prepared.take_if(|prepared| prepared.is_of(document)) {
            Some(prepared) => prepared,
            None => Prepared::new(document)?,
        };
        let (device, queue) = (uploads.device, uploads.queue);
        let geometry = Geometry::new(device, queue, document, prepared.geometry)?;
        let materials =
            materials::upload_materials(uploads, &mut self.samplers, document, prepared.smaller)?;
        self.list.push(GpuModel {
            document: Arc::downgrade(document),
            geometry,
            materials,
            mirrored_binds: document.skins.iter().map(Skin::mirrored_bind).collect(),
            edges: None,
            bindings: None,
            last_frame: 0,
        });
        Ok(self.list.len() - 1)
    }

    /// Keeps what is prepared until its document is drawn.
    pub(super) fn expect(&mut self, prepared: Prepared) {
        self.prepared = Some(prepared);
    }

    /// Index of a document's copy, if it is uploaded.
    pub(super) fn find(&self, document: &Arc<Document>) -> Option<usize> {
        let pointer = Arc::as_ptr(document);
        self.list
            .iter()
            .position(|model| model.document.as_ptr() == pointer)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, index: usize) -> &GpuModel {
        &self.list[index]
    }

    pub(super) fn get_mut(&mut self, index: usize) -> &mut GpuModel {
        &mut self.list[index]
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut GpuModel> {
        self.list.iter_mut()
    }

    /// Lets go of copies that no recent frame drew. Indices from before are void.
    pub(super) fn forget_unused(&mut self, frame: u64) {
        self.refused.retain(|known| known.strong_count() > 0);
        self.prepared
            .take_if(|prepared| prepared.document.strong_count() == 0);
        self.list.retain(|model| {
            model.document.strong_count() > 0 && model.last_frame + KEPT_FRAMES >= frame
        });
    }
}

impl GpuModel {
    /// Makes the edges for a wireframe if they are missing.
    pub(super) fn ensure_edges(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        document: &Document,
    ) -> Result<(), RenderError> {
        if self.edges.is_none() {
            self.edges = Some(Edges::new(device, queue, document)?);
        }
        Ok(())
    }

    /// Sets bind group 1 and the vertex buffers for one primitive.
    pub(super) fn bind(&self, pass: &mut wgpu::RenderPass<'_>, mesh: usize, primitive: usize) {
        let geometry = &self.geometry;
        if let Some((_, group)) = &self.bindings {
            pass.set_bind_group(1, group, &[]);
        }
        pass.set_vertex_buffer(0, geometry.vertices.slice(..));
        // An unskinned primitive never looks at influences: any buffer that is
        // long enough will do, and the vertices' has a larger stride.
        let influences = if geometry.meshes[mesh][primitive].deform.skinned {
            &geometry.influences
        } else {
            &geometry.vertices
        };
        pass.set_vertex_buffer(1, influences.slice(..));
    }

    /// Whether a mesh instance's skin was bound to mirrored joints.
    pub(super) fn mirrored_bind(&self, instance: usize, document: &Document) -> bool {
        let skin = document.instances[instance].skin;
        skin.is_some_and(|skin| self.mirrored_binds[skin])
    }

    pub(super) fn material(&self, index: Option<usize>) -> &GpuMaterial {
        &self.materials[index.unwrap_or(self.materials.len() - 1)]
    }
}
