//! The sky on the device.

use super::{
    file::SkyFile,
    prefilter::{LEVELS, SIZE, level_size},
};

/// A sky's reflections as a texture, written anew when the light changes.
#[derive(Debug)]
pub(in crate::render) struct SkyMap {
    texture: wgpu::Texture,
    pub view: wgpu::TextureView,
}

impl SkyMap {
    pub(in crate::render) fn new(device: &wgpu::Device) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("sky"),
            size: extent(0),
            mip_level_count: LEVELS,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgb9e5Ufloat,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        Self {
            view: texture.create_view(&wgpu::TextureViewDescriptor::default()),
            texture,
        }
    }

    pub(in crate::render) fn write(&self, queue: &wgpu::Queue, file: &SkyFile) {
        for (level, texels) in (0..).zip(file.levels()) {
            queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    mip_level: level,
                    ..self.texture.as_image_copy()
                },
                texels,
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(level_size(level) * 4),
                    rows_per_image: None,
                },
                extent(level),
            );
        }
    }
}

fn extent(level: u32) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width: SIZE >> level,
        height: SIZE >> level,
        depth_or_array_layers: 1,
    }
}
