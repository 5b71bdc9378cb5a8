//! Images and samplers on the device.

use std::collections::HashMap;

use super::mips::{Smaller, level_count};
use crate::document::{Filter, Image, Sampler, Wrap};

/// Uploads a picture with its smaller levels if `mips`; `smaller` has those that are
/// made already. One larger than `limit` either way is halved until it fits; the
/// message says so.
pub(super) fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    image: &Image,
    srgb: bool,
    mips: bool,
    limit: u32,
    mut smaller: Smaller,
) -> (wgpu::TextureView, Option<String>) {
    let mut first = 0;
    let (mut width, mut height) = (image.width.max(1), image.height.max(1));
    while width > limit || height > limit {
        first += 1;
        (width, height, _) = smaller.level(image, srgb, first);
    }
    let message = (first > 0).then(|| {
        format!(
            "image {} is {} × {}, the GPU takes {limit}: shown at {width} × {height}",
            image.name, image.width, image.height
        )
    });
    let levels = if mips { level_count(width, height) } else { 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(&image.name),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: if srgb {
            wgpu::TextureFormat::Rgba8UnormSrgb
        } else {
            wgpu::TextureFormat::Rgba8Unorm
        },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let write = |level: u32, width: u32, height: u32, pixels: &[u8]| {
        queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level: level,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            pixels,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(width * 4),
                rows_per_image: Some(height),
            },
            wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
        );
    };
    for level in 0..levels {
        let (width, height, pixels) = smaller.level(image, srgb, first + level);
        write(level, width, height, pixels);
    }
    (
        texture.create_view(&wgpu::TextureViewDescriptor::default()),
        message,
    )
}

/// Samplers, each kind once.
#[derive(Debug, Default)]
pub(in crate::render) struct Samplers {
    made: HashMap<Sampler, wgpu::Sampler>,
}

impl Samplers {
    pub(super) fn get(
        &mut self,
        device: &wgpu::Device,
        sampler: Sampler,
        anisotropy: u16,
    ) -> wgpu::Sampler {
        self.made
            .entry(sampler)
            .or_insert_with(|| create_sampler(device, sampler, anisotropy))
            .clone()
    }
}

fn create_sampler(device: &wgpu::Device, sampler: Sampler, anisotropy: u16) -> wgpu::Sampler {
    let filter = |filter| match filter {
        Filter::Nearest => wgpu::FilterMode::Nearest,
        Filter::Linear => wgpu::FilterMode::Linear,
    };
    let wrap = |wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    };
    // Exporters write "nearest, with mips" without meaning it. Who wants to see
    // texels asks for nearest when enlarging.
    let min = if sampler.mip.is_some() && sampler.mag == Filter::Linear {
        Filter::Linear
    } else {
        sampler.min
    };
    let smooth = sampler.mag == Filter::Linear
        && min == Filter::Linear
        && sampler.mip == Some(Filter::Linear);
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("texture sampler"),
        address_mode_u: wrap(sampler.wrap_u),
        address_mode_v: wrap(sampler.wrap_v),
        mag_filter: filter(sampler.mag),
        min_filter: filter(min),
        mipmap_filter: match sampler.mip {
            Some(Filter::Linear) => wgpu::MipmapFilterMode::Linear,
            Some(Filter::Nearest) | None => wgpu::MipmapFilterMode::Nearest,
        },
        lod_max_clamp: if sampler.mip.is_some() { 32.0 } else { 0.0 },
        // Only all-linear filters may be anisotropic.
        anisotropy_clamp: if smooth { anisotropy.max(1) } else { 1 },
        ..Default::default()
    })
}
