//! Weights as colours: what `shaders/heat.wgsl` reads besides the model.

use super::{
    RenderError,
    buffers::GrowBuffer,
    layouts::Layouts,
    model::{Alpha, BASE_COLOR, VERTEX_LAYOUTS},
    pipelines::{Cull, ModelKey, Recipe},
    shaders,
    uniforms::{HeatStops, HeatUniforms},
};
use crate::scene::{Heat, ramp};

/// Bind group 3, made when a frame first shows weights.
#[derive(Debug)]
pub(super) struct HeatBuffers {
    uniforms: wgpu::Buffer,
    values: GrowBuffer,
    pub(super) group: wgpu::BindGroup,
}

impl HeatBuffers {
    pub(super) fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("heat"),
            size: size_of::<HeatUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let values = GrowBuffer::new(device, "heat values", wgpu::BufferUsages::STORAGE);
        let group = bind(device, layouts, &uniforms, &values);
        Self {
            uniforms,
            values,
            group,
        }
    }

    pub(super) fn update(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        layouts: &Layouts,
        heat: &Heat,
    ) -> Result<(), RenderError> {
        queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&uniforms(heat)));
        if self.values.write(device, queue, &heat.values)? {
            self.group = bind(device, layouts, &self.uniforms, &self.values);
        }
        Ok(())
    }
}

fn bind(
    device: &wgpu::Device,
    layouts: &Layouts,
    uniforms: &wgpu::Buffer,
    values: &GrowBuffer,
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("heat"),
        layout: &layouts.heat,
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: uniforms.as_entire_binding(),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: values.buffer().as_entire_binding(),
            },
        ],
    })
}

fn uniforms(heat: &Heat) -> HeatUniforms {
    let mut uniforms = HeatUniforms {
        plain: ramp::PLAIN,
        unweighted: ramp::UNWEIGHTED,
        are_colors: u32::from(heat.ramp.is_none()),
        ..HeatUniforms::default()
    };
    if let Some(ramp) = &heat.ramp {
        [uniforms.low, uniforms.high] = ramp.range;
        uniforms.has_zero = u32::from(ramp.zero.is_some());
        uniforms.stops = HeatStops(ramp.stops.map(|stop| stop.extend(1.0)));
    }
    uniforms
}

impl<'a> Recipe<'a> {
    /// A mesh in the colours of its weights.
    pub(super) fn heat(key: ModelKey, layouts: &'a Layouts) -> Self {
        let constants = [
            ("HAS_BASE_COLOR_TEXTURE", key.textures & BASE_COLOR != 0),
            ("HAS_VERTEX_COLORS", key.vertex_colors),
            // 0 is opaque, 1 is masked; nothing is blended.
            ("ALPHA_MODE", key.alpha == Alpha::Mask),
            ("FLAT", key.flat),
            ("DOUBLE_SIDED", key.double_sided),
            ("CULL_IN_SHADER", key.cull == Cull::InShader),
            ("OCCLUSION", key.occlusion),
        ];
        let constants = constants.map(|(name, on)| (name, f64::from(u8::from(on))));
        Self {
            groups: vec![
                &layouts.lit_frame,
                &layouts.model,
                &layouts.material,
                &layouts.heat,
            ],
            buffers: &VERTEX_LAYOUTS,
            cull: key.cull.face(),
            constants: (constants.into_iter())
                .chain(key.deform.constants())
                .collect(),
            ..Self::new(shaders::HEAT, "vs_heat", "fs_heat")
        }
    }
}
