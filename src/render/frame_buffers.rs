//! Buffers that every frame writes anew.

use super::{
    RenderError,
    buffers::GrowBuffer,
    draws::DrawList,
    environment::SkyMap,
    layouts::Layouts,
    model::Models,
    shadow::ShadowMaps,
    uniforms::{Affine, FrameUniforms},
};
use crate::scene::Frame;

/// Buffers written anew each frame, with the bind groups of group 0.
#[derive(Debug)]
pub(super) struct FrameBuffers {
    pub(super) uniforms: wgpu::Buffer,
    depth_uniforms: wgpu::Buffer,
    /// Frame uniforms for the depth of what occludes ambient light.
    pub(super) depth_frame: wgpu::BindGroup,
    pub(super) frame: wgpu::BindGroup,
    pub(super) lit_frame: wgpu::BindGroup,
    pub(super) instances: GrowBuffer,
    skin_matrices: GrowBuffer,
    morph_weights: GrowBuffer,
    /// The skin matrices as the device reads them.
    packed: Vec<Affine>,
    /// Counts replacements of buffers, which void the models' bind groups.
    pub(super) generation: u64,
}

/// Bind group 0 for what is lit.
pub(super) fn lit_frame(
    device: &wgpu::Device,
    layouts: &Layouts,
    uniforms: &wgpu::Buffer,
    maps: &ShadowMaps,
    sky: &SkyMap,
    occlusion: &wgpu::TextureView,
) -> wgpu::BindGroup {
    let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("lit frame"),
        layout: &layouts.lit_frame,
        entries: &[
            entry(0, uniforms.as_entire_binding()),
            entry(1, wgpu::BindingResource::TextureView(&maps.depth)),
            entry(2, wgpu::BindingResource::Sampler(&layouts.shadow_compare)),
            entry(3, wgpu::BindingResource::TextureView(&maps.ground)),
            entry(4, wgpu::BindingResource::Sampler(&layouts.linear_clamp)),
            entry(5, wgpu::BindingResource::TextureView(&sky.view)),
            entry(6, wgpu::BindingResource::Sampler(&layouts.linear_clamp)),
            entry(7, wgpu::BindingResource::TextureView(occlusion)),
        ],
    })
}

impl FrameBuffers {
    pub(super) fn new(
        device: &wgpu::Device,
        layouts: &Layouts,
        maps: &ShadowMaps,
        sky: &SkyMap,
    ) -> Self {
        let uniform_buffer = || {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("frame uniforms"),
                size: size_of::<FrameUniforms>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let frame_group = |uniforms: &wgpu::Buffer| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("frame"),
                layout: &layouts.frame,
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource: uniforms.as_entire_binding(),
                }],
            })
        };
        let (uniforms, depth_uniforms) = (uniform_buffer(), uniform_buffer());
        let frame = frame_group(&uniforms);
        let depth_frame = frame_group(&depth_uniforms);
        let lit_frame = lit_frame(device, layouts, &uniforms, maps, sky, &layouts.white);
        let storage = |label| GrowBuffer::new(device, label, wgpu::BufferUsages::STORAGE);
        Self {
            uniforms,
            depth_uniforms,
            depth_frame,
            frame,
            lit_frame,
            instances: storage("instances"),
            skin_matrices: storage("skin matrices"),
            morph_weights: storage("morph weights"),
            packed: Vec::new(),
            generation: 0,
        }
    }

    pub(super) fn update(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        uniforms: &FrameUniforms,
        draws: &DrawList,
        frame: &Frame,
    ) -> Result<(), RenderError> {
        queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(uniforms));
        if frame.ambient_occlusion {
            let uniforms = uniforms.for_depth();
            queue.write_buffer(&self.depth_uniforms, 0, bytemuck::bytes_of(&uniforms));
        }
        self.packed.clear();
        self.packed
            .extend(frame.skin_matrices.iter().map(|&m| Affine::from(m)));
        let replaced = [
            self.instances.write(device, queue, &draws.instances)?,
            self.skin_matrices.write(device, queue, &self.packed)?,
            self.morph_weights
                .write(device, queue, &frame.morph_weights)?,
        ];
        if replaced.contains(&true) {
            self.generation += 1;
        }
        Ok(())
    }

    /// Makes bind group 1 of every model whose buffers were replaced.
    pub(super) fn bind_models(
        &self,
        device: &wgpu::Device,
        layouts: &Layouts,
        models: &mut Models,
    ) {
        for model in models.iter_mut() {
            if matches!(model.bindings, Some((generation, _)) if generation == self.generation) {
                continue;
            }
            let buffers = [
                self.instances.buffer(),
                self.skin_matrices.buffer(),
                self.morph_weights.buffer(),
                &model.geometry.morph_deltas,
                &model.geometry.more_influences,
            ];
            let entries: [_; 5] = core::array::from_fn(|i| wgpu::BindGroupEntry {
                binding: i as u32,
                resource: buffers[i].as_entire_binding(),
            });
            let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("model"),
                layout: &layouts.model,
                entries: &entries,
            });
            model.bindings = Some((self.generation, group));
        }
    }
}
