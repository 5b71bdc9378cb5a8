//! Materials on the device.

use std::collections::{BTreeSet, HashMap};

use glam::Vec4;

use super::{
    mips::Smaller,
    textures::{Samplers, upload},
};
use crate::{
    document::{AlphaMode, Document, Material, TextureRef},
    render::{
        RenderError,
        buffers::check_size,
        cores::on_all_cores,
        draws::Uploads,
        uniforms::{MaterialUniforms, UvMap},
    },
};

/// Bits of [`GpuMaterial::textures`], in the order of the bindings.
pub(in crate::render) const BASE_COLOR: u8 = 1;
pub(in crate::render) const METALLIC_ROUGHNESS: u8 = 2;
pub(in crate::render) const NORMAL: u8 = 4;
pub(in crate::render) const OCCLUSION: u8 = 8;
pub(in crate::render) const EMISSIVE: u8 = 16;

/// How alpha is used, without the cutoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::render) enum Alpha {
    Opaque,
    Mask,
    Blend,
}

/// A material's bindings and what pipelines need to know of it.
#[derive(Debug)]
pub(in crate::render) struct GpuMaterial {
    pub bind_group: wgpu::BindGroup,
    pub textures: u8,
    pub alpha: Alpha,
    pub double_sided: bool,
    pub unlit: bool,
}

/// Uploads what materials refer to; the last one made is the default material.
pub(super) fn upload_materials(
    uploads: &mut Uploads<'_>,
    samplers: &mut Samplers,
    document: &Document,
    smaller: SmallerLevels,
) -> Result<Vec<GpuMaterial>, RenderError> {
    let (device, queue, layouts) = (uploads.device, uploads.queue, uploads.layouts);
    let anisotropy = uploads.anisotropy;
    let default = Material::default();
    let materials = || document.materials.iter().chain(core::iter::once(&default));
    let align = u64::from(device.limits().min_uniform_buffer_offset_alignment);
    let size = size_of::<MaterialUniforms>() as u64;
    let stride = size.next_multiple_of(align);
    let label = format!("materials of {}", document.name);
    let total = stride * materials().count() as u64;
    check_size(device, &label, total, wgpu::BufferUsages::UNIFORM)?;
    let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(&label),
        size: total,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });

    let mut textures = Textures {
        views: HashMap::new(),
        limit: device.limits().max_texture_dimension_2d,
        staged: 0,
        smaller,
    };
    let mut made = Vec::new();
    for (index, material) in materials().enumerate() {
        let offset = stride * index as u64;
        queue.write_buffer(
            &uniforms,
            offset,
            bytemuck::bytes_of(&material_uniforms(material)),
        );
        let slots = texture_slots(material);
        let mut mask = 0;
        let mut bound = Vec::new();
        for (slot, (texture, srgb)) in slots.into_iter().enumerate() {
            let Some(texture) = texture.map(|r| document.textures[r.texture]) else {
                bound.push((
                    layouts.white.clone(),
                    samplers.get(device, Default::default(), anisotropy),
                ));
                continue;
            };
            mask |= 1 << slot;
            let mips = texture.sampler.mip.is_some();
            let view = textures.get(
                device,
                queue,
                document,
                texture.image,
                srgb,
                mips,
                uploads.messages,
            );
            bound.push((view, samplers.get(device, texture.sampler, anisotropy)));
        }
        let mut entries = vec![wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: &uniforms,
                offset,
                size: core::num::NonZeroU64::new(size),
            }),
        }];
        for (slot, (view, sampler)) in bound.iter().enumerate() {
            let binding = slot as u32 * 2 + 1;
            entries.push(wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::TextureView(view),
            });
            entries.push(wgpu::BindGroupEntry {
                binding: binding + 1,
                resource: wgpu::BindingResource::Sampler(sampler),
            });
        }
        made.push(GpuMaterial {
            bind_group: device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(&format!("material {} of {}", material.name, document.name)),
                layout: &layouts.material,
                entries: &entries,
            }),
            textures: mask,
            alpha: match material.alpha_mode {
                AlphaMode::Opaque => Alpha::Opaque,
                AlphaMode::Mask(_) => Alpha::Mask,
                AlphaMode::Blend => Alpha::Blend,
            },
            double_sided: material.double_sided,
            unlit: material.unlit,
        });
    }
    Ok(made)
}

/// Smaller levels of images made ahead, by image and whether its colours are sRGB.
pub(super) type SmallerLevels = HashMap<(usize, bool), Smaller>;

/// Makes the smaller levels that [`upload_materials`] will want.
pub(super) fn smaller_levels(document: &Document) -> SmallerLevels {
    let wanted: BTreeSet<(usize, bool)> = document
        .materials
        .iter()
        .flat_map(texture_slots)
        .filter_map(|(reference, srgb)| {
            let texture = document.textures[reference?.texture];
            texture.sampler.mip.map(|_| (texture.image, srgb))
        })
        .collect();
    let wanted: Vec<_> = wanted.into_iter().collect();
    let made = on_all_cores(&wanted, |_, &(image, srgb)| {
        Smaller::all(&document.images[image], srgb)
    });
    wanted.into_iter().zip(made).collect()
}

/// Texture references by slot, and whether their colours are sRGB.
fn texture_slots(material: &Material) -> [(Option<TextureRef>, bool); 5] {
    [
        (material.base_color_texture, true),
        (material.metallic_roughness_texture, false),
        (material.normal_texture, false),
        (material.occlusion_texture, false),
        (material.emissive_texture, true),
    ]
}

fn material_uniforms(material: &Material) -> MaterialUniforms {
    let slots = texture_slots(material);
    MaterialUniforms {
        base_color: material.base_color,
        emissive: material.emissive,
        alpha_cutoff: match material.alpha_mode {
            AlphaMode::Mask(cutoff) => cutoff,
            AlphaMode::Opaque => 0.0,
            // Only for shadows, which are cast or not.
            AlphaMode::Blend => 0.5,
        },
        metallic: material.metallic,
        roughness: material.roughness,
        normal_scale: material.normal_scale,
        occlusion_strength: material.occlusion_strength,
        uv_maps: slots.map(|(texture, _)| {
            texture.map_or_else(UvMap::default, |texture| {
                let matrix = texture.uv_transform.matrix2;
                let offset = texture.uv_transform.translation;
                UvMap {
                    row0: Vec4::new(
                        matrix.x_axis.x,
                        matrix.y_axis.x,
                        offset.x,
                        texture.uv_set as f32,
                    ),
                    row1: Vec4::new(matrix.x_axis.y, matrix.y_axis.y, offset.y, 0.0),
                }
            })
        }),
    }
}

/// Uploaded images by index, colour space and mips, each once.
struct Textures {
    views: HashMap<(usize, bool, bool), wgpu::TextureView>,
    limit: u32,
    /// Bytes written since the device last caught up.
    staged: usize,
    smaller: SmallerLevels,
}

/// Copies of pixels that may wait for the device at a time: many large textures would
/// otherwise all lie in memory twice before the first picture.
const MOST_STAGED: usize = 128 << 20;

impl Textures {
    #[expect(clippy::too_many_arguments, reason = "a private step of one loop")]
    fn get(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        document: &Document,
        image: usize,
        srgb: bool,
        mips: bool,
        messages: &mut Vec<String>,
    ) -> wgpu::TextureView {
        self.views
            .entry((image, srgb, mips))
            .or_insert_with(|| {
                let (view, message) = upload(
                    device,
                    queue,
                    &document.images[image],
                    srgb,
                    mips,
                    self.limit,
                    self.smaller.remove(&(image, srgb)).unwrap_or_default(),
                );
                messages.extend(message);
                self.staged += document.images[image].pixels.len();
                if self.staged > MOST_STAGED {
                    self.staged = 0;
                    queue.submit([]);
                    // A device that is lost says so when the picture is drawn.
                    let _ = device.poll(wgpu::PollType::wait_indefinitely());
                }
                view
            })
            .clone()
    }
}
