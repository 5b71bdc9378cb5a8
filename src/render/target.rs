//! Where pictures go.

use super::{Gpu, Quality};

/// Attachments are sRGB so that blending and multisample resolve happen in
/// linear light; [`Target::color_view`] shows the same bytes as plain numbers.
pub(super) const ATTACHMENT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// What consumers see.
pub(super) const VIEW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Reverse-Z: 1 at the near plane, 0 at infinity.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// A picture on the device with all that it takes to draw one.
///
/// The colour bytes are sRGB-encoded with **premultiplied** alpha (in linear
/// light, before encoding); over an opaque background alpha is 1 everywhere.
/// [`super::Renderer::read_pixels`] turns them into straight alpha, as PNG wants.
#[derive(Debug)]
pub struct Target {
    device: wgpu::Device,
    /// Whether textures can be seen as another format.
    views: bool,
    samples: u32,
    size: (u32, u32),
    attachments: Option<Attachments>,
}

#[derive(Debug)]
pub(super) struct Attachments {
    pub(super) color: wgpu::Texture,
    /// What the pass resolves into, or draws into without multisampling.
    pub(super) resolved: wgpu::TextureView,
    /// The multisampled colours, if any.
    pub(super) multisampled: Option<wgpu::TextureView>,
    pub(super) depth: wgpu::TextureView,
    /// A copy of the bytes in the plain format, where views cannot change it (OpenGL).
    shown_copy: Option<wgpu::Texture>,
    shown: wgpu::TextureView,
}

impl Target {
    /// A target of `width` × `height` pixels. A zero size is no error: nothing is
    /// drawn into it and it has no [`Self::color_view`]. Sizes past the device's
    /// limit are clamped to it.
    pub fn new(gpu: &Gpu, width: u32, height: u32, quality: &Quality) -> Self {
        let mut target = Self {
            device: gpu.device.clone(),
            views: gpu
                .adapter
                .get_downlevel_capabilities()
                .flags
                .contains(wgpu::DownlevelFlags::VIEW_FORMATS),
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
        self.attachments = (size.0 > 0 && size.1 > 0)
            .then(|| Attachments::new(&self.device, size, self.samples, self.views));
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
        self.attachments.as_ref().map(|made| &made.shown)
    }

    /// Samples per pixel.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// What is left to do after the passes.
    pub(super) fn finish(&self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(Attachments {
            color,
            shown_copy: Some(copy),
            ..
        }) = &self.attachments
        {
            encoder.copy_texture_to_texture(
                color.as_image_copy(),
                copy.as_image_copy(),
                color.size(),
            );
        }
    }

    pub(super) fn attachments(&self) -> Option<&Attachments> {
        self.attachments.as_ref()
    }
}

impl Attachments {
    fn new(device: &wgpu::Device, (width, height): (u32, u32), samples: u32, views: bool) -> Self {
        let describe = |label, format, samples, usage| wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: samples,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let color = device.create_texture(&wgpu::TextureDescriptor {
            view_formats: if views { &[VIEW_FORMAT] } else { &[] },
            ..describe(
                "target colour",
                ATTACHMENT_FORMAT,
                1,
                attachment | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC,
            )
        });
        let multisampled = (samples > 1).then(|| {
            device
                .create_texture(&describe(
                    "target samples",
                    ATTACHMENT_FORMAT,
                    samples,
                    attachment | wgpu::TextureUsages::TRANSIENT_ATTACHMENT,
                ))
                .create_view(&wgpu::TextureViewDescriptor::default())
        });
        let depth = device
            .create_texture(&describe(
                "target depth",
                DEPTH_FORMAT,
                samples,
                attachment | wgpu::TextureUsages::TRANSIENT_ATTACHMENT,
            ))
            .create_view(&wgpu::TextureViewDescriptor::default());
        let shown_copy = (!views).then(|| {
            device.create_texture(&describe(
                "target colour, plain",
                VIEW_FORMAT,
                1,
                wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            ))
        });
        Self {
            resolved: color.create_view(&wgpu::TextureViewDescriptor {
                label: Some("target colour, drawn"),
                usage: Some(attachment),
                ..Default::default()
            }),
            shown: shown_copy.as_ref().unwrap_or(&color).create_view(
                &wgpu::TextureViewDescriptor {
                    label: Some("target colour, shown"),
                    format: Some(VIEW_FORMAT),
                    usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
                    ..Default::default()
                },
            ),
            color,
            shown_copy,
            multisampled,
            depth,
        }
    }
}
