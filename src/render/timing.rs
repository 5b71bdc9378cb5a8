//! How long the device spends on each stage of a frame.

use super::{RenderError, Renderer};

/// A stage of a frame, in the order of drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Casters into the key light's map.
    Shadow,
    /// The map's smaller levels.
    ShadowLevels,
    /// The soft shadow on the ground.
    GroundShadow,
    /// Depth of what occludes ambient light.
    OcclusionDepth,
    /// Ambient occlusion from that depth.
    Occlusion,
    /// Its noise averaged away.
    OcclusionBlur,
    /// Meshes.
    Scene,
    /// Samples, ground and background.
    Compose,
    /// The skeleton overlay's own layer.
    Layer,
    /// That layer and lines over the picture.
    Overlay,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Self; 10] = [
        Self::Shadow,
        Self::ShadowLevels,
        Self::GroundShadow,
        Self::OcclusionDepth,
        Self::Occlusion,
        Self::OcclusionBlur,
        Self::Scene,
        Self::Compose,
        Self::Layer,
        Self::Overlay,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shadow => "shadow map",
            Self::ShadowLevels => "shadow levels",
            Self::GroundShadow => "ground shadow",
            Self::OcclusionDepth => "occlusion depth",
            Self::Occlusion => "occlusion",
            Self::OcclusionBlur => "occlusion blur",
            Self::Scene => "scene",
            Self::Compose => "compose",
            Self::Layer => "skeleton layer",
            Self::Overlay => "overlay",
        }
    }
}

impl Renderer {
    /// Starts or stops measuring stages; `false` where the device has no time stamps.
    pub fn measure(&mut self, on: bool) -> bool {
        self.timer = on.then(|| StageTimer::new(&self.gpu.device)).flatten();
        self.timer.is_some()
    }

    /// Waits for the device, then gives the milliseconds of each stage that the last
    /// frame had; none unless [`Self::measure`] was switched on before it.
    ///
    /// # Errors
    /// [`RenderError::Readback`].
    pub fn stage_times(&self) -> Result<Vec<(Stage, f64)>, RenderError> {
        self.timer.as_ref().map_or(Ok(Vec::new()), |timer| {
            timer.read(&self.gpu.device, &self.gpu.queue, &self.drawn)
        })
    }
}

/// Two time stamps a stage, and the buffers that bring them back.
#[derive(Debug)]
pub(super) struct StageTimer {
    stamps: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    copied: wgpu::Buffer,
}

const STAMPS: u32 = 2 * Stage::ALL.len() as u32;
const BYTES: u64 = STAMPS as u64 * 8;

impl StageTimer {
    /// `None` where the device has no time stamps.
    pub(super) fn new(device: &wgpu::Device) -> Option<Self> {
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("time stamps"),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        Some(Self {
            stamps: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("time stamps"),
                ty: wgpu::QueryType::Timestamp,
                count: STAMPS,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            copied: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
        })
    }

    /// What a pass writes: its beginning if it is the `first` of its stage, its end
    /// if it is the `last`.
    pub(super) fn writes(
        &self,
        stage: Stage,
        first: bool,
        last: bool,
    ) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let index = stage as u32 * 2;
        (first || last).then(|| wgpu::RenderPassTimestampWrites {
            query_set: &self.stamps,
            beginning_of_pass_write_index: first.then_some(index),
            end_of_pass_write_index: last.then_some(index + 1),
        })
    }

    /// Copies the stamps of the stages that were drawn to where they can be read.
    pub(super) fn resolve(&self, encoder: &mut wgpu::CommandEncoder, drawn: &[Stage]) {
        for &stage in drawn {
            // A resolve's offset is a multiple of 256: one at a time goes through
            // the front of a buffer of its own.
            let index = stage as u32 * 2;
            encoder.resolve_query_set(&self.stamps, index..index + 2, &self.resolved, 0);
            encoder.copy_buffer_to_buffer(
                &self.resolved,
                0,
                &self.copied,
                u64::from(index) * 8,
                16,
            );
        }
    }

    /// Waits, then gives the milliseconds of each stage that was drawn.
    pub(super) fn read(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        drawn: &[Stage],
    ) -> Result<Vec<(Stage, f64)>, RenderError> {
        let failed = |error: &dyn std::fmt::Display| RenderError::Readback(error.to_string());
        let (sender, receiver) = std::sync::mpsc::channel();
        self.copied
            .map_async(wgpu::MapMode::Read, .., move |result| {
                // A receiver that is gone has given up on the answer.
                let _ = sender.send(result);
            });
        device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| failed(&error))?;
        receiver
            .recv()
            .map_err(|error| failed(&error))?
            .map_err(|error| failed(&error))?;
        let stamps: Vec<u64> = {
            let mapped = self
                .copied
                .get_mapped_range(..)
                .map_err(|error| failed(&error))?;
            mapped
                .chunks_exact(8)
                .map(bytemuck::pod_read_unaligned)
                .collect()
        };
        self.copied.unmap();
        let ms_per_tick = f64::from(queue.get_timestamp_period()) * 1e-6;
        Ok(drawn
            .iter()
            .map(|&stage| {
                let at = stage as usize * 2;
                let ticks = stamps[at + 1].saturating_sub(stamps[at]);
                (stage, ticks as f64 * ms_per_tick)
            })
            .collect())
    }
}
