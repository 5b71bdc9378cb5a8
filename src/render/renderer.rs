//! From a frame to pixels.

use glam::Vec3;

use super::{
    Environment, Gpu, Quality, RenderError, Target,
    buffers::GrowBuffer,
    draws::{Draw, DrawList, Shadowing, Uploads},
    environment::{SkyFile, SkyMap, prefilter},
    layer::LayerCache,
    layouts::Layouts,
    model::Models,
    occlusion::{self, OcclusionMaps},
    overlay::Overlay,
    passes,
    pipelines::{PipelineKey, Pipelines},
    plan::Plan,
    shadow::{self, ShadowFit, ShadowMaps},
    timing::{Stage, StageTimer},
    uniforms::{Affine, FrameUniforms, Instance},
    view,
};
use crate::scene::{self, Frame};

/// Draws frames. Owns everything on the device but the targets.
#[derive(Debug)]
pub struct Renderer {
    pub(super) gpu: Gpu,
    quality: Quality,
    environment: Environment,
    irradiance: [Vec3; 9],
    sky_map: SkyMap,
    /// The preset in use; `None` for an environment of the caller's own.
    preset: Option<scene::Light>,
    pixels_per_point: f32,
    pub(super) layouts: Layouts,
    pub(super) pipelines: Pipelines,
    pub(super) models: Models,
    pub(super) draws: DrawList,
    overlay: Overlay,
    layer: LayerCache,
    shadow_maps: ShadowMaps,
    /// Made when a frame first asks for them.
    occlusion_maps: Option<OcclusionMaps>,
    buffers: FrameBuffers,
    frame_number: u64,
    messages: Vec<String>,
    pub(super) timer: Option<StageTimer>,
    /// Stages of the last frame.
    pub(super) drawn: Vec<Stage>,
}

/// Buffers written anew each frame, with the bind groups of group 0.
#[derive(Debug)]
pub(super) struct FrameBuffers {
    uniforms: wgpu::Buffer,
    depth_uniforms: wgpu::Buffer,
    /// Frame uniforms for the depth of what occludes ambient light.
    pub(super) depth_frame: wgpu::BindGroup,
    pub(super) frame: wgpu::BindGroup,
    pub(super) lit_frame: wgpu::BindGroup,
    instances: GrowBuffer,
    skin_matrices: GrowBuffer,
    morph_weights: GrowBuffer,
    /// The skin matrices as the device reads them.
    packed: Vec<Affine>,
    /// Counts replacements of buffers, which void the models' bind groups.
    generation: u64,
}

impl Renderer {
    /// A renderer without documents. Pipelines are compiled when first used.
    ///
    /// # Errors
    /// [`RenderError::DeviceLost`] if the device is already gone.
    pub fn new(gpu: &Gpu, quality: &Quality) -> Result<Self, RenderError> {
        if gpu.is_lost() {
            return Err(RenderError::DeviceLost);
        }
        let device = &gpu.device;
        let layouts = Layouts::new(device, &gpu.queue);
        let shadow_maps = ShadowMaps::new(device, &layouts, quality.shadow_map_size);
        let sky_map = SkyMap::new(device);
        let preset = scene::Light::default();
        let sky_file = SkyFile::stored(preset);
        sky_map.write(&gpu.queue, &sky_file);
        Ok(Self {
            buffers: FrameBuffers::new(device, &layouts, &shadow_maps, &sky_map),
            occlusion_maps: None,
            quality: *quality,
            irradiance: sky_file.irradiance(),
            environment: Environment::of(preset),
            sky_map,
            preset: Some(preset),
            pixels_per_point: 1.0,
            pipelines: Pipelines::default(),
            models: Models::default(),
            draws: DrawList::default(),
            overlay: Overlay::new(device),
            layer: LayerCache::default(),
            shadow_maps,
            layouts,
            frame_number: 0,
            messages: Vec::new(),
            timer: None,
            drawn: Vec::new(),
            gpu: gpu.clone(),
        })
    }

    /// Lights the stage otherwise than frames ask for, from now on. A sky that is not
    /// the last one's is prefiltered first, which takes some tenths of a second.
    pub fn set_environment(&mut self, environment: Environment) {
        if environment.sky != self.environment.sky {
            self.show_sky(&SkyFile::new(&prefilter(&environment.sky)));
        }
        self.environment = environment;
        self.preset = None;
    }

    fn show_sky(&mut self, file: &SkyFile) {
        self.irradiance = file.irradiance();
        self.sky_map.write(&self.gpu.queue, file);
    }

    /// Size of overlay lines and dots on dense displays; 1 is one pixel per point.
    pub fn set_pixels_per_point(&mut self, pixels_per_point: f32) {
        self.pixels_per_point = pixels_per_point.clamp(0.25, 16.0);
    }

    /// What had to be changed to fit the device, such as a texture that was
    /// shrunk; empties the list.
    pub fn take_messages(&mut self) -> Vec<String> {
        core::mem::take(&mut self.messages)
    }

    /// Documents that have a copy on the device.
    pub fn document_count(&self) -> usize {
        self.models.len()
    }

    /// Draws a frame into a target and submits it, without waiting for the device.
    /// Documents seen for the first time are uploaded; those that no recent frame
    /// showed are dropped. An empty target is skipped.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] names what does not fit into the device, and
    /// [`RenderError::DeviceLost`] says that everything must be made anew.
    pub fn render(&mut self, frame: &Frame, target: &Target) -> Result<(), RenderError> {
        if self.gpu.is_lost() {
            return Err(RenderError::DeviceLost);
        }
        let Some(attachments) = target.attachments() else {
            return Ok(());
        };
        if self.preset.is_some_and(|preset| preset != frame.light) {
            self.show_sky(&SkyFile::stored(frame.light));
            self.environment = Environment::of(frame.light);
            self.preset = Some(frame.light);
        }
        let samples = target.samples();
        let fit = self.shadow_fit(frame);
        let occlusion = self.ensure_occlusion(frame, target.size());
        let extent = view::Extent {
            size: target.size(),
            shadow: fit,
            occlusion,
        };
        self.prepare(frame, &extent)?;
        let plan = Plan::new(
            frame,
            &extent,
            occlusion::radius(frame.bounds),
            self.environment.key_direction,
            // A second kind of ground pays from the second picture on.
            self.frame_number > 1,
        );
        self.ensure_pipelines(frame, samples, &plan);

        let mut encoder = self
            .gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("frame"),
            });
        let context = passes::Context {
            pipelines: &self.pipelines,
            models: &self.models,
            draws: &self.draws,
            buffers: &self.buffers,
            overlay: &self.overlay,
            shadow_maps: &self.shadow_maps,
            samples,
            timer: self.timer.as_ref(),
            plan: &plan,
        };
        self.drawn.clear();
        if fit.is_some() {
            context.shadow_pass(&mut encoder);
            context.ground_shadow_pass(&mut encoder);
            self.drawn
                .extend([Stage::Shadow, Stage::ShadowLevels, Stage::GroundShadow]);
        }
        if let Some(maps) = self.occlusion_maps.as_ref().filter(|_| occlusion) {
            context.occlusion_passes(&mut encoder, maps);
            self.drawn.extend([
                Stage::OcclusionDepth,
                Stage::Occlusion,
                Stage::OcclusionBlur,
            ]);
        }
        context.scene_pass(&mut encoder, frame, attachments);
        context.compose_pass(&mut encoder, &self.gpu.device, &self.layouts, attachments);
        self.drawn.extend([Stage::Scene, Stage::Compose]);
        if let Some(layer) = self
            .layer
            .fit(&self.gpu.device, &self.overlay, target.size())
        {
            context.layer_pass(&mut encoder, layer);
            context.overlay_pass(
                &mut encoder,
                &self.gpu.device,
                &self.layouts,
                attachments,
                layer,
            );
            if self.overlay.has_layer() {
                self.drawn.push(Stage::Layer);
            }
            self.drawn.push(Stage::Overlay);
        }
        if let Some(timer) = &self.timer {
            timer.resolve(&mut encoder, &self.drawn);
        }
        self.gpu.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// The key light's view, if there is anything that throws a shadow.
    fn shadow_fit(&self, frame: &Frame) -> Option<ShadowFit> {
        let casts = frame.characters.iter().any(|c| !c.draws.is_empty());
        (frame.shadow && !frame.bounds.is_empty() && casts).then(|| {
            shadow::fit(
                frame.bounds,
                self.environment.key_direction,
                self.shadow_maps.size,
            )
        })
    }

    /// Whether the frame has ambient occlusion, with maps of the right size then.
    fn ensure_occlusion(&mut self, frame: &Frame, size: (u32, u32)) -> bool {
        let wanted = frame.ambient_occlusion
            && !frame.bounds.is_empty()
            && frame.characters.iter().any(|c| !c.draws.is_empty());
        let fitting = |maps: &OcclusionMaps| maps.fits(size);
        if wanted && !self.occlusion_maps.as_ref().is_some_and(fitting) {
            let maps = OcclusionMaps::new(&self.gpu.device, &self.layouts, size);
            self.buffers.lit_frame = lit_frame(
                &self.gpu.device,
                &self.layouts,
                &self.buffers.uniforms,
                &self.shadow_maps,
                &self.sky_map,
                &maps.blurred,
            );
            self.occlusion_maps = Some(maps);
        }
        wanted
    }

    /// Uploads what the frame needs.
    pub(super) fn prepare(
        &mut self,
        frame: &Frame,
        extent: &view::Extent,
    ) -> Result<(), RenderError> {
        self.frame_number += 1;
        self.models.forget_unused(self.frame_number);
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        self.draws.update(
            frame,
            Shadowing {
                shadows: extent.shadow.is_some(),
                occlusion: extent.occlusion,
            },
            &mut self.models,
            &mut Uploads {
                device,
                queue,
                layouts: &self.layouts,
                anisotropy: self.quality.anisotropy,
                messages: &mut self.messages,
                frame_number: self.frame_number,
            },
        )?;
        self.overlay
            .update(device, queue, frame, extent.size, self.pixels_per_point)?;
        let setting = view::Setting {
            extent: *extent,
            pixels_per_point: self.pixels_per_point,
            quality: &self.quality,
            environment: &self.environment,
            irradiance: &self.irradiance,
        };
        let uniforms = view::frame_uniforms(frame, &setting);
        self.buffers
            .update(device, queue, &uniforms, &self.draws, frame)?;
        self.buffers
            .bind_models(device, &self.layouts, &mut self.models);
        Ok(())
    }

    /// Group 0 without the key light's maps.
    pub(super) fn frame_bind_group(&self) -> &wgpu::BindGroup {
        &self.buffers.frame
    }

    /// Replaces the frame's instance records, for one special draw.
    pub(super) fn write_instances(&mut self, records: &[Instance]) -> Result<(), RenderError> {
        let buffers = &mut self.buffers;
        if buffers
            .instances
            .write(&self.gpu.device, &self.gpu.queue, records)?
        {
            buffers.generation += 1;
        }
        buffers.bind_models(&self.gpu.device, &self.layouts, &mut self.models);
        Ok(())
    }

    fn ensure_pipelines(&mut self, frame: &Frame, samples: u32, plan: &Plan) {
        let (device, layouts) = (&self.gpu.device, &self.layouts);
        let mut ensure = |key, samples| self.pipelines.ensure(device, layouts, key, samples);
        let draws = || self.draws.solid.iter().chain(&self.draws.blended);
        for draw in draws() {
            ensure(draw.key, samples);
            if frame.wireframe {
                ensure(PipelineKey::Edges(draw.deform), samples);
            }
            if plan.shadows {
                ensure(draw.shadow_key(), 1);
            }
        }
        if plan.shadows {
            ensure(PipelineKey::ShadowMips, 1);
            ensure(PipelineKey::GroundShadow, 1);
        }
        if plan.occlusion.is_some() {
            for draw in &self.draws.solid {
                ensure(draw.depth_key(), 1);
            }
            for key in [
                PipelineKey::GroundDepth,
                PipelineKey::Occlusion,
                PipelineKey::OcclusionBlur,
            ] {
                ensure(key, 1);
            }
        }
        let multisampled = samples > 1;
        for (ground, _) in plan.parts() {
            ensure(
                PipelineKey::Compose {
                    multisampled,
                    ground,
                },
                1,
            );
        }
        if self.overlay.has_layer() {
            for key in [
                PipelineKey::Bones,
                PipelineKey::Dots,
                PipelineKey::Overlay { multisampled },
            ] {
                ensure(key, 1);
            }
        }
        if !self.overlay.lines.is_empty() {
            ensure(PipelineKey::Lines, 1);
        }
    }
}

impl Draw {
    /// Masked surfaces test their alpha before they occlude.
    pub(super) fn depth_key(&self) -> PipelineKey {
        PipelineKey::Depth {
            masked: self.alpha != super::model::Alpha::Opaque,
            deform: self.deform,
        }
    }

    /// Anything but an opaque surface tests its alpha before it throws a shadow.
    pub(super) fn shadow_key(&self) -> PipelineKey {
        PipelineKey::Shadow {
            masked: self.alpha != super::model::Alpha::Opaque,
            deform: self.deform,
        }
    }
}

/// Bind group 0 for what is lit.
fn lit_frame(
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
    fn new(device: &wgpu::Device, layouts: &Layouts, maps: &ShadowMaps, sky: &SkyMap) -> Self {
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

    fn update(
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
    fn bind_models(&self, device: &wgpu::Device, layouts: &Layouts, models: &mut Models) {
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
