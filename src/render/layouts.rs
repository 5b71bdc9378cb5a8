//! Bind group layouts: group 0 belongs to the view, 1 to a model, 2 to a material.

/// Layouts and the few objects that every renderer shares.
#[derive(Debug)]
pub(super) struct Layouts {
    /// Frame uniforms only: shadow pass, overlays, background.
    pub frame: wgpu::BindGroupLayout,
    /// Frame uniforms, the key light's maps, the sky, ambient occlusion.
    pub lit_frame: wgpu::BindGroupLayout,
    /// Instances, skin matrices, morph targets.
    pub model: wgpu::BindGroupLayout,
    /// Uniforms, then five textures with samplers.
    pub material: wgpu::BindGroupLayout,
    /// The scene's samples, or the scene without multisampling; colours or depths.
    pub compose_multisampled: wgpu::BindGroupLayout,
    pub compose_single: wgpu::BindGroupLayout,
    /// Depth of what occludes ambient light.
    pub occlusion_depth: wgpu::BindGroupLayout,
    /// The overlay's layer: colour, depth.
    pub overlay: wgpu::BindGroupLayout,
    /// Weights as colours: uniforms, values by vertex.
    pub heat: wgpu::BindGroupLayout,
    /// A texture with its sampler, for downsampling.
    pub blit: wgpu::BindGroupLayout,
    /// Stands in for absent textures.
    pub white: wgpu::TextureView,
    /// Blends texels, stays inside.
    pub linear_clamp: wgpu::Sampler,
    /// Lit where the receiver is at least as near the light as the blocker.
    pub shadow_compare: wgpu::Sampler,
}

impl Layouts {
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let uniform = entry(
            0,
            wgpu::ShaderStages::VERTEX_FRAGMENT,
            wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
        );
        let storage = |binding| {
            entry(
                binding,
                wgpu::ShaderStages::VERTEX,
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Storage { read_only: true },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
            )
        };
        let mut material = vec![uniform];
        for slot in 0..5 {
            material.push(texture(slot * 2 + 1, FILTERED));
            material.push(sampler(slot * 2 + 2, wgpu::SamplerBindingType::Filtering));
        }
        Self {
            frame: layout("frame", &[uniform]),
            lit_frame: layout(
                "lit frame",
                &[
                    uniform,
                    texture(1, wgpu::TextureSampleType::Depth),
                    sampler(2, wgpu::SamplerBindingType::Comparison),
                    texture(3, FILTERED),
                    sampler(4, wgpu::SamplerBindingType::Filtering),
                    texture(5, FILTERED),
                    sampler(6, wgpu::SamplerBindingType::Filtering),
                    texture(7, FILTERED),
                ],
            ),
            model: layout(
                "model",
                &core::array::from_fn::<_, 5, _>(|i| storage(i as u32)),
            ),
            material: layout("material", &material),
            compose_multisampled: layout(
                "compose, multisampled",
                &[entry(
                    0,
                    wgpu::ShaderStages::FRAGMENT,
                    wgpu::BindingType::Texture {
                        sample_type: UNFILTERED,
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: true,
                    },
                )],
            ),
            occlusion_depth: layout(
                "occlusion depth",
                &[texture(0, wgpu::TextureSampleType::Depth)],
            ),
            compose_single: layout("compose", &[texture(1, UNFILTERED)]),
            overlay: layout("overlay", &[texture(0, UNFILTERED), texture(1, UNFILTERED)]),
            heat: layout("heat", &[uniform, storage(1)]),
            blit: layout(
                "blit",
                &[
                    texture(0, FILTERED),
                    sampler(1, wgpu::SamplerBindingType::Filtering),
                ],
            ),
            white: white(device, queue),
            linear_clamp: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("linear clamp"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..Default::default()
            }),
            shadow_compare: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("shadow compare"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                compare: Some(wgpu::CompareFunction::GreaterEqual),
                ..Default::default()
            }),
        }
    }
}

const FILTERED: wgpu::TextureSampleType = wgpu::TextureSampleType::Float { filterable: true };

const UNFILTERED: wgpu::TextureSampleType = wgpu::TextureSampleType::Float { filterable: false };

fn entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty,
        count: None,
    }
}

fn texture(binding: u32, sample_type: wgpu::TextureSampleType) -> wgpu::BindGroupLayoutEntry {
    entry(
        binding,
        wgpu::ShaderStages::FRAGMENT,
        wgpu::BindingType::Texture {
            sample_type,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
    )
}

fn sampler(binding: u32, kind: wgpu::SamplerBindingType) -> wgpu::BindGroupLayoutEntry {
    entry(
        binding,
        wgpu::ShaderStages::FRAGMENT,
        wgpu::BindingType::Sampler(kind),
    )
}

fn white(device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
    let size = wgpu::Extent3d {
        width: 1,
        height: 1,
        depth_or_array_layers: 1,
    };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("white"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    queue.write_texture(
        texture.as_image_copy(),
        &[255; 4],
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4),
            rows_per_image: None,
        },
        size,
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
