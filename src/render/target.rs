//! Where pictures go.

use super::{Gpu, Quality};

/// The scene: display-linear colours, premultiplied by alpha.
pub(super) const SCENE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// The finished picture: sRGB-encoded bytes.
pub(super) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Reverse-Z: 1 at the near plane, 0 at infinity.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// A picture on the device with all that it takes to draw one.
///
/// Its bytes are sRGB-encoded colours, multiplied by alpha after encoding, which is
/// how egui blends; over an opaque background alpha is 1 everywhere.
/// [`super::Renderer::read_pixels`] gives straight alpha, as PNG wants.
#[derive(Debug)]
pub struct Target {
    device: wgpu::Device,
    samples: u32,
    size: (u32, u32),
    attachments: Option<Attachments>,
}

#[derive(Debug)]
pub(super) struct Attachments {
    /// The finished picture.
    pub(super) picture: wgpu::Texture,
    pub(super) picture_view: wgpu::TextureView,
    /// What meshes and overlays are drawn into.
    pub(super) scene: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
}

impl Target {
    /// A target of `width` × `height` pixels. A zero size is no error: nothing is
    /// drawn into it and it has no [`Self::color_view`]. Sizes past the device's
    /// limit are clamped to it.
    pub fn new(gpu: &Gpu, width: u32, height: u32, quality: &Quality) -> Self {
        let mut target = Self {
            device: gpu.device.clone(),
            samples: quality.supported_samples(gpu),
            size: (0, 0),
            attachments: None,
        };
        target.resize(width, height);
        target
    }

    /// Makes it another size; the same size costs nothing. Views taken before are
    /// of the old picture. Returns whether anything changed.
    pub fn resize(&mut self, width: u32, height: u32) -> bool {
        let limit = self.device.limits().max_texture_dimension_2d;
        let size = (width.min(limit), height.min(limit));
        if size == self.size {
            return false;
        }
        self.size = size;
        self.attachments =
            (size.0 > 0 && size.1 > 0).then(|| Attachments::new(&self.device, size, self.samples));
        true
    }

    /// Pixels across and down; (0, 0) draws nothing.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Width over height, 1 for an empty target: what [`crate::scene::build`] wants.
    pub fn aspect(&self) -> f32 {
        if self.attachments.is_some() {
            self.size.0 as f32 / self.size.1 as f32
        } else {
            1.0
        }
    }

    /// The finished picture as an `Rgba8Unorm` texture of sRGB-encoded bytes, as
    /// egui's `register_native_texture` wants it. `None` for an empty target.
    pub fn color_view(&self) -> Option<&wgpu::TextureView> {
        self.attachments.as_ref().map(|made| &made.picture_view)
    }

    /// Samples per pixel.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    pub(super) fn attachments(&self) -> Option<&Attachments> {
        self.attachments.as_ref()
    }
}

impl Attachments {
    fn new(device: &wgpu::Device, (width, height): (u32, u32), samples: u32) -> Self {
        let texture = |label, format, sample_count, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width,
                    height,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        };
        let view =
            |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let bound = wgpu::TextureUsages::TEXTURE_BINDING;
        let picture = texture(
            "target picture",
            PICTURE_FORMAT,
            1,
            bound | wgpu::TextureUsages::COPY_SRC,
        );
        Self {
            picture_view: view(&picture),
            picture,
            scene: view(&texture("target scene", SCENE_FORMAT, samples, bound)),
            depth: view(&texture(
                "target depth",
                DEPTH_FORMAT,
                samples,
                // What the overlay lies behind.
                bound,
            )),
        }
    }
}
