//! Render passes of a frame.

use super::{
    draws::{Draw, DrawList},
    layouts::Layouts,
    model::Models,
    overlay::Overlay,
    pipelines::{PipelineKey, Pipelines},
    renderer::FrameBuffers,
    shadow::ShadowMaps,
    target::Attachments,
};
use crate::scene::Frame;

/// What passes read; all of it was prepared before the first pass begins.
pub(super) struct Context<'a> {
    pub pipelines: &'a Pipelines,
    pub models: &'a Models,
    pub draws: &'a DrawList,
    pub buffers: &'a FrameBuffers,
    pub overlay: &'a Overlay,
    pub shadow_maps: &'a ShadowMaps,
    pub samples: u32,
}

impl Context<'_> {
    /// Casters into the key light's maps, then the coverage's smaller levels.
    pub(super) fn shadow_pass(&self, encoder: &mut wgpu::CommandEncoder) {
        let maps = self.shadow_maps;
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow"),
                color_attachments: &[Some(color(&maps.coverage_levels[0]))],
                depth_stencil_attachment: Some(depth(&maps.depth, wgpu::StoreOp::Store)),
                ..Default::default()
            });
            pass.set_bind_group(0, &self.buffers.frame, &[]);
            for draw in self.draws.solid.iter().chain(&self.draws.blended) {
                let PipelineKey::Model(key) = draw.key else {
                    continue;
                };
                // Points and lines are too thin to be seen as shadows.
                if key.topology != crate::document::Topology::Triangles {
                    continue;
                }
                pass.set_pipeline(self.pipelines.get(draw.shadow_key(), 1));
                self.draw(&mut pass, draw, draw.alpha != super::model::Alpha::Opaque);
            }
        }
        for (level, source) in maps.coverage_levels[1..].iter().zip(&maps.downsample) {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow level"),
                color_attachments: &[Some(color(level))],
                ..Default::default()
            });
            pass.set_pipeline(self.pipelines.get(PipelineKey::ShadowMips, 1));
            pass.set_bind_group(0, source, &[]);
            pass.draw(0..3, 0..1);
        }
    }

    /// Meshes.
    pub(super) fn scene_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame,
        attachments: &Attachments,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(color(&attachments.scene))],
            depth_stencil_attachment: Some(depth(&attachments.depth, self.overlay.depth_use())),
            ..Default::default()
        });
        self.meshes(&mut pass, &self.draws.solid);
        self.meshes(&mut pass, &self.draws.blended);
        if frame.wireframe {
            self.edges(&mut pass);
        }
    }

    /// The finished picture.
    pub(super) fn compose_pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        device: &wgpu::Device,
        layouts: &Layouts,
        attachments: &Attachments,
    ) {
        let multisampled = self.samples > 1;
        let (layout, binding) = if multisampled {
            (&layouts.compose_multisampled, 0)
        } else {
            (&layouts.compose_single, 1)
        };
        let scene = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("compose"),
            layout,
            entries: &[wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::TextureView(&attachments.scene),
            }],
        });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("compose"),
            color_attachments: &[Some(color(&attachments.picture_view))],
            ..Default::default()
        });
        pass.set_pipeline(self.pipelines.get(PipelineKey::Compose { multisampled }, 1));
        pass.set_bind_group(0, &self.buffers.lit_frame, &[]);
        pass.set_bind_group(1, &scene, &[]);
        pass.draw(0..3, 0..1);
    }

    fn pipeline(&self, key: PipelineKey) -> &wgpu::RenderPipeline {
        self.pipelines.get(key, self.samples)
    }

    fn meshes(&self, pass: &mut wgpu::RenderPass<'_>, draws: &[Draw]) {
        pass.set_bind_group(0, &self.buffers.lit_frame, &[]);
        for draw in draws {
            pass.set_pipeline(self.pipeline(draw.key));
            self.draw(pass, draw, true);
        }
    }

    /// Draws a primitive with the pipeline that is set.
    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, draw: &Draw, with_material: bool) {
        let model = self.models.get(draw.model);
        let primitive = &model.geometry.meshes[draw.mesh][draw.primitive];
        let geometry = &model.geometry;
        self.bind_model(pass, draw);
        if with_material {
            pass.set_bind_group(2, &model.material(primitive.material).bind_group, &[]);
        }
        pass.set_index_buffer(geometry.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(
            primitive.indices.clone(),
            primitive.vertex_start as i32,
            draw.instance..draw.instance + 1,
        );
    }

    fn bind_model(&self, pass: &mut wgpu::RenderPass<'_>, draw: &Draw) {
        let model = self.models.get(draw.model);
        model.bind(pass, draw.mesh, draw.primitive);
    }

    fn edges(&self, pass: &mut wgpu::RenderPass<'_>) {
        let draws = self.draws.solid.iter().chain(&self.draws.blended);
        pass.set_bind_group(0, &self.buffers.frame, &[]);
        for draw in draws {
            let model = self.models.get(draw.model);
            let Some(edges) = &model.edges else {
                continue;
            };
            let range = edges.ranges[draw.mesh][draw.primitive].clone();
            if range.is_empty() {
                continue;
            }
            let primitive = &model.geometry.meshes[draw.mesh][draw.primitive];
            pass.set_pipeline(self.pipeline(PipelineKey::Edges(draw.deform)));
            self.bind_model(pass, draw);
            pass.set_index_buffer(edges.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(
                range,
                primitive.vertex_start as i32,
                draw.instance..draw.instance + 1,
            );
        }
    }
}

pub(super) fn color(view: &wgpu::TextureView) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations {
            load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
            store: wgpu::StoreOp::Store,
        },
    }
}

/// Reverse-Z: cleared to 0, infinitely far.
pub(super) fn depth(
    view: &wgpu::TextureView,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: wgpu::LoadOp::Clear(0.0),
            store,
        }),
        stencil_ops: None,
    }
}
