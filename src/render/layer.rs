//! The skeleton overlay's passes: bones and joints on a layer of their own with its
//! own depth, so that they hide each other and never add up; then the layer over the
//! finished picture, quieter where the scene's surface is before it. The layer holds
//! encoded colours, so that the accent is the same as in panels whatever the light.

use super::{
    layouts::Layouts,
    overlay::Overlay,
    passes::{Context, color, depth},
    pipelines::PipelineKey,
    target::{Attachments, DEPTH_FORMAT, PICTURE_FORMAT},
    timing::Stage,
};

/// Colour and depth of the overlay, one sample each: its edges are smooth by
/// themselves.
#[derive(Debug)]
pub(super) struct Layer {
    size: (u32, u32),
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
}

/// A layer, kept while targets of one size ask for it.
#[derive(Debug, Default)]
pub(super) struct LayerCache {
    layer: Option<Layer>,
}

impl LayerCache {
    /// A layer of this size if the overlay needs any drawing; without bones and joints
    /// the old one stays, for the next frame that has some.
    pub(super) fn fit(
        &mut self,
        device: &wgpu::Device,
        overlay: &Overlay,
        size: (u32, u32),
    ) -> Option<&Layer> {
        if !overlay.has_layer() && overlay.lines.is_empty() {
            return None;
        }
        if self.layer.as_ref().is_none_or(|layer| layer.size != size) {
            self.layer = Some(Layer::new(device, size));
        }
        self.layer.as_ref()
    }
}

impl Layer {
    fn new(device: &wgpu::Device, size: (u32, u32)) -> Self {
        let view = |label, format| {
            device
                .create_texture(&wgpu::TextureDescriptor {
                    label: Some(label),
                    size: wgpu::Extent3d {
                        width: size.0,
                        height: size.1,
                        depth_or_array_layers: 1,
                    },
                    mip_level_count: 1,
                    sample_count: 1,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage: wgpu::TextureUsages::TEXTURE_BINDING
                        | wgpu::TextureUsages::RENDER_ATTACHMENT,
                    view_formats: &[],
                })
                .create_view(&wgpu::TextureViewDescriptor::default())
        };
        Self {
            size,
            color: view("overlay layer", PICTURE_FORMAT),
            depth: view("overlay depth", DEPTH_FORMAT),
        }
    }
}

impl Context<'_> {
    /// Bones and joints on their layer.
    pub(super) fn layer_pass(&self, encoder: &mut wgpu::CommandEncoder, layer: &Layer) {
        if !self.overlay.has_layer() {
            return;
        }
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("overlay layer"),
            color_attachments: &[Some(color(&layer.color))],
            depth_stencil_attachment: Some(depth(&layer.depth, wgpu::StoreOp::Store)),
            timestamp_writes: self.stamps(Stage::Layer),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.buffers.frame, &[]);
        self.overlay.limit(&mut pass);
        if !self.overlay.bones.is_empty() {
            pass.set_pipeline(self.pipelines.get(self.overlay.bone_pipeline(), 1));
            self.overlay.bones.draw(&mut pass);
        }
        if !self.overlay.dots.is_empty() {
            pass.set_pipeline(self.pipelines.get(PipelineKey::Dots, 1));
            self.overlay.dots.draw(&mut pass);
        }
    }

    /// The layer over the finished picture, and lines over both.
    pub(super) fn overlay_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        device: &wgpu::Device,
        layouts: &Layouts,
        attachments: &Attachments,
        layer: &Layer,
    ) {
        let multisampled = self.samples > 1;
        let (layout, binding) = if multisampled {
            (&layouts.compose_multisampled, 0)
        } else {
            (&layouts.compose_single, 1)
        };
        let texture = |binding, view| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::TextureView(view),
        };
        let group = |label, layout, entries: &[wgpu::BindGroupEntry<'_>]| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout,
                entries,
            })
        };
        let scene = group(
            "scene depth",
            layout,
            &[texture(binding, &attachments.depth)],
        );
        let overlay = group(
            "overlay",
            &layouts.overlay,
            &[texture(0, &layer.color), texture(1, &layer.depth)],
        );
        let over = wgpu::RenderPassColorAttachment {
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Load,
                store: wgpu::StoreOp::Store,
            },
            ..color(&attachments.picture_view)
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("overlay"),
            color_attachments: &[Some(over)],
            timestamp_writes: self.stamps(Stage::Overlay),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.buffers.frame, &[]);
        if self.overlay.has_layer() {
            self.overlay.limit(&mut pass);
            pass.set_pipeline(self.pipelines.get(PipelineKey::Overlay { multisampled }, 1));
            pass.set_bind_group(1, &scene, &[]);
            pass.set_bind_group(2, &overlay, &[]);
            pass.draw(0..3, 0..1);
        }
        if !self.overlay.lines.is_empty() {
            pass.set_scissor_rect(0, 0, layer.size.0, layer.size.1);
            pass.set_pipeline(self.pipelines.get(PipelineKey::Lines { multisampled }, 1));
            pass.set_bind_group(1, &scene, &[]);
            self.overlay.lines.draw(&mut pass);
        }
    }
}
