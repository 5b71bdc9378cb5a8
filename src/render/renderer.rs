//! From a frame to pixels.

use glam::Vec3;

use super::{
    Environment, Gpu, Prepared, Quality, RenderError, Target,
    draws::{DrawList, LightParts, Uploads},
    environment::{SkyFile, SkyMap, prefilter},
    frame_buffers::{FrameBuffers, lit_frame},
    heat::HeatBuffers,
    layer::LayerCache,
    layouts::Layouts,
    model::Models,
    occlusion::{self, OcclusionMaps},
    overlay::Overlay,
    passes,
    pipelines::{PipelineKey, Pipelines},
    plan::Plan,
    shadow::{self, ShadowFit, ShadowMaps},
    target::Attachments,
    timing::{Stage, StageTimer},
    uniforms::Instance,
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
    splits_ground: bool,
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
    /// Made when a frame first shows weights.
    heat: Option<HeatBuffers>,
    frame_number: u64,
    messages: Vec<String>,
    pub(super) timer: Option<StageTimer>,
    /// Stages of the last frame.
    pub(super) drawn: Vec<Stage>,
}

/// What passes read. A macro, because it borrows only these parts of the renderer.
macro_rules! context {
    ($renderer:ident, $plan:expr, $samples:expr, $heat:expr) => {
        passes::Context {
            pipelines: &$renderer.pipelines,
            models: &$renderer.models,
            draws: &$renderer.draws,
            buffers: &$renderer.buffers,
            overlay: &$renderer.overlay,
            shadow_maps: &$renderer.shadow_maps,
            heat: $heat,
            samples: $samples,
            timer: $renderer.timer.as_ref(),
            plan: $plan,
        }
    };
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
            heat: None,
            quality: *quality,
            irradiance: sky_file.irradiance(),
            environment: Environment::of(preset),
            sky_map,
            preset: Some(preset),
            pixels_per_point: 1.0,
            splits_ground: false,
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

    /// Draws the ground part by part, each by the leanest program that shows it: for
    /// windows, which draw on and on. The first picture stays with one program, for
    /// compiling more takes longer than drawing it. Off, the same frame gives the same
    /// bytes whatever was drawn before; on, to a rounding.
    pub fn split_ground(&mut self, on: bool) {
        self.splits_ground = on;
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

    /// Takes what was prepared for a document, so that the first frame that shows it
    /// uploads it with less work. The last one counts.
    pub fn expect(&mut self, prepared: Prepared) {
        self.models.expect(prepared);
    }

    /// Draws a frame into a target and submits it, without waiting for the device.
    /// Documents seen for the first time are uploaded; those that no recent frame
    /// showed are dropped. An empty target is skipped.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] names what does not fit into the device, once for each
    /// document: later frames are drawn without it; and
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
            // More kinds of ground pay from the second picture on.
            self.splits_ground && self.frame_number > 1,
        );
        self.drawn.clear();
        let mut encoder = self.encoder();
        self.want_light_pipelines(&plan);
        self.pipelines.make(&self.gpu.device, &self.layouts);
        self.draw_light(&mut encoder, &plan);
        self.want_picture_pipelines(frame, samples, &plan);
        if self.pipelines.are_missing() {
            // The device can work while the rest is being compiled.
            let rest = self.encoder();
            let light = core::mem::replace(&mut encoder, rest);
            self.gpu.queue.submit([light.finish()]);
        }
        self.pipelines.make(&self.gpu.device, &self.layouts);
        self.draw_picture(&mut encoder, frame, attachments, &plan, target);
        if let Some(timer) = &self.timer {
            timer.resolve(&mut encoder, &self.drawn);
        }
        self.gpu.queue.submit([encoder.finish()]);
        Ok(())
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        let label = Some("frame");
        (self.gpu.device).create_command_encoder(&wgpu::CommandEncoderDescriptor { label })
    }

    /// The maps that light is looked up in.
    fn draw_light(&mut self, encoder: &mut wgpu::CommandEncoder, plan: &Plan) {
        let context = context!(self, plan, 1, None);
        if plan.shadows {
            context.shadow_pass(encoder);
            context.ground_shadow_pass(encoder);
            self.drawn
                .extend([Stage::Shadow, Stage::ShadowLevels, Stage::GroundShadow]);
        }
        if let (Some(maps), Some(_)) = (&self.occlusion_maps, plan.occlusion) {
            context.occlusion_passes(encoder, maps);
            self.drawn.extend([
                Stage::OcclusionDepth,
                Stage::Occlusion,
                Stage::OcclusionBlur,
            ]);
        }
    }

    /// All that the maps are for.
    fn draw_picture(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame,
        attachments: &Attachments,
        plan: &Plan,
        target: &Target,
    ) {
        let device = &self.gpu.device;
        let layer = (self.layer).fit(device, &self.overlay, target.size());
        let heat = (self.heat.as_ref())
            .filter(|_| frame.heat.is_some())
            .map(|heat| &heat.group);
        let context = context!(self, plan, target.samples(), heat);
        context.scene_pass(encoder, frame, attachments);
        context.compose_pass(encoder, device, &self.layouts, attachments);
        self.drawn.extend([Stage::Scene, Stage::Compose]);
        if let Some(layer) = layer {
            context.layer_pass(encoder, layer);
            context.overlay_pass(encoder, device, &self.layouts, attachments, layer);
            if self.overlay.has_layer() {
                self.drawn.push(Stage::Layer);
            }
            self.drawn.push(Stage::Overlay);
        }
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
            LightParts {
                shadows: extent.shadow.is_some(),
                occlusion: extent.occlusion,
                reflections: frame.reflections,
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
        if let Some(heat) = &frame.heat {
            let layouts = &self.layouts;
            let buffers = (self.heat).get_or_insert_with(|| HeatBuffers::new(device, layouts));
            buffers.update(device, queue, layouts, heat)?;
        }
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

    /// Those of the maps that light is looked up in.
    fn want_light_pipelines(&mut self, plan: &Plan) {
        let wanted = &mut self.pipelines;
        if plan.shadows {
            let draws = self.draws.solid.iter().chain(&self.draws.blended);
            for draw in draws.filter(|draw| !draw.tinted) {
                wanted.want(draw.shadow_key(), 1);
            }
            wanted.want(PipelineKey::ShadowMips, 1);
            wanted.want(PipelineKey::GroundShadow, 1);
        }
        if plan.occlusion.is_some() {
            for draw in &self.draws.solid {
                wanted.want(draw.depth_key(), 1);
            }
            wanted.want(PipelineKey::Occlusion, 1);
            wanted.want(PipelineKey::OcclusionBlur, 1);
        }
    }

    /// All others.
    fn want_picture_pipelines(&mut self, frame: &Frame, samples: u32, plan: &Plan) {
        let wanted = &mut self.pipelines;
        let mut want = |key, samples| wanted.want(key, samples);
        for draw in self.draws.solid.iter().chain(&self.draws.blended) {
            want(draw.key, samples);
            if frame.wireframe {
                want(PipelineKey::Edges(draw.deform), samples);
            }
        }
        let multisampled = samples > 1;
        for (ground, _) in plan.parts() {
            want(
                PipelineKey::Compose {
                    multisampled,
                    ground,
                },
                1,
            );
        }
        if self.overlay.has_layer() {
            for key in [
                self.overlay.bone_pipeline(),
                PipelineKey::Dots,
                PipelineKey::Overlay { multisampled },
            ] {
                want(key, 1);
            }
        }
        if !self.overlay.lines.is_empty() {
            want(PipelineKey::Lines { multisampled }, 1);
        }
    }
}
