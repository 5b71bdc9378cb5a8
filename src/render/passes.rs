//! Render passes of a frame.

use super::{
    draws::{Draw, DrawList},
    frame_buffers::FrameBuffers,
    layouts::Layouts,
    model::Models,
    occlusion::OcclusionMaps,
    overlay::Overlay,
    pipelines::{PipelineKey, Pipelines},
    plan::{Plan, Region},
    shadow::ShadowMaps,
    target::Attachments,
    timing::{Stage, StageTimer},
};
use crate::{document::Topology, scene::Frame};

/// What passes read; all of it was prepared before the first pass begins.
pub(super) struct Context<'a> {
    pub pipelines: &'a Pipelines,
    pub models: &'a Models,
    pub draws: &'a DrawList,
    pub buffers: &'a FrameBuffers,
    pub overlay: &'a Overlay,
    pub shadow_maps: &'a ShadowMaps,
    /// Bind group 3, where the frame shows weights.
    pub heat: Option<&'a wgpu::BindGroup>,
    pub samples: u32,
    /// Only while stages are measured.
    pub timer: Option<&'a StageTimer>,
    pub plan: &'a Plan,
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
                timestamp_writes: self.stamps(Stage::Shadow),
                ..Default::default()
            });
            pass.set_bind_group(0, &self.buffers.frame, &[]);
            for draw in self.draws.solid.iter().chain(&self.draws.blended) {
                if !is_surface(draw) || draw.tinted {
                    continue;
                }
                pass.set_pipeline(self.pipelines.get(draw.shadow_key(), 1));
                self.draw(&mut pass, draw, draw.alpha != super::model::Alpha::Opaque);
            }
        }
        let smaller = &maps.coverage_levels[1..];
        for (index, (level, source)) in smaller.iter().zip(&maps.downsample).enumerate() {
            let (first, last) = (index == 0, index + 1 == smaller.len());
            let stage = Stage::ShadowLevels;
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow level"),
                color_attachments: &[Some(color(level))],
                timestamp_writes: self.timer.and_then(|t| t.writes(stage, first, last)),
                ..Default::default()
            });
            pass.set_pipeline(self.pipelines.get(PipelineKey::ShadowMips, 1));
            pass.set_bind_group(0, source, &[]);
            pass.draw(0..3, 0..1);
        }
    }

    /// The soft shadow on the ground, from the coverage.
    pub(super) fn ground_shadow_pass(&self, encoder: &mut wgpu::CommandEncoder) {
        let maps = self.shadow_maps;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("ground shadow"),
            color_attachments: &[Some(color(&maps.ground))],
            timestamp_writes: self.stamps(Stage::GroundShadow),
            ..Default::default()
        });
        pass.set_pipeline(self.pipelines.get(PipelineKey::GroundShadow, 1));
        pass.set_bind_group(0, &self.buffers.frame, &[]);
        pass.set_bind_group(1, &maps.coverage, &[]);
        pass.draw(0..3, 0..1);
    }

    /// Ambient occlusion where characters are: depth, openness, blur. Elsewhere the
    /// map says that everything is open.
    pub(super) fn occlusion_passes(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        maps: &OcclusionMaps,
    ) {
        let Some(region) = self.plan.occlusion.map(Region::halved) else {
            return;
        };
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("occlusion depth"),
                depth_stencil_attachment: Some(depth(&maps.depth, wgpu::StoreOp::Store)),
                timestamp_writes: self.stamps(Stage::OcclusionDepth),
                ..Default::default()
            });
            let (width, height) = maps.viewport();
            pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
            pass.set_bind_group(0, &self.buffers.depth_frame, &[]);
            for draw in &self.draws.solid {
                if is_surface(draw) {
                    pass.set_pipeline(self.pipelines.get(draw.depth_key(), 1));
                    self.draw(&mut pass, draw, draw.alpha != super::model::Alpha::Opaque);
                }
            }
        }
        let open = wgpu::Color {
            r: 1.0,
            g: 65504.0,
            b: 0.0,
            a: 1.0,
        };
        for (stage, view, source, key) in [
            (
                Stage::Occlusion,
                &maps.raw,
                &maps.depth_group,
                PipelineKey::Occlusion,
            ),
            (
                Stage::OcclusionBlur,
                &maps.blurred,
                &maps.raw_group,
                PipelineKey::OcclusionBlur,
            ),
        ] {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(stage.name()),
                color_attachments: &[Some(cleared(view, open))],
                timestamp_writes: self.stamps(stage),
                ..Default::default()
            });
            if region.is_empty() {
                continue;
            }
            pass.set_pipeline(self.pipelines.get(key, 1));
            pass.set_bind_group(0, &self.buffers.frame, &[]);
            pass.set_bind_group(1, source, &[]);
            region.scissor(&mut pass);
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
            timestamp_writes: self.stamps(Stage::Scene),
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
            timestamp_writes: self.stamps(Stage::Compose),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.buffers.lit_frame, &[]);
        pass.set_bind_group(1, &scene, &[]);
        for (ground, region) in self.plan.parts() {
            let key = PipelineKey::Compose {
                multisampled,
                ground,
            };
            pass.set_pipeline(self.pipelines.get(key, 1));
            region.scissor(&mut pass);
            pass.draw(0..3, 0..1);
        }
    }

    /// Time stamps of a stage that is one pass.
    pub(super) fn stamps(&self, stage: Stage) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.timer.and_then(|timer| timer.writes(stage, true, true))
    }

    fn pipeline(&self, key: PipelineKey) -> &wgpu::RenderPipeline {
        self.pipelines.get(key, self.samples)
    }

    fn meshes(&self, pass: &mut wgpu::RenderPass<'_>, draws: &[Draw]) {
        pass.set_bind_group(0, &self.buffers.lit_frame, &[]);
        if let Some(heat) = self.heat {
            pass.set_bind_group(3, heat, &[]);
        }
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

/// Points and lines are too thin to be seen as shadows.
fn is_surface(draw: &Draw) -> bool {
    matches!(draw.key, PipelineKey::Model(key) if key.topology == Topology::Triangles)
}

pub(super) fn color(view: &wgpu::TextureView) -> wgpu::RenderPassColorAttachment<'_> {
    cleared(view, wgpu::Color::TRANSPARENT)
}

fn cleared(view: &wgpu::TextureView, to: wgpu::Color) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations {
            load: wgpu::LoadOp::Clear(to),
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
