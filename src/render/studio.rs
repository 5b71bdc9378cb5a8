//! All it takes to draw pictures without a window.

use super::{Gpu, GpuError, GpuOptions, Pixels, Prepared, Quality, RenderError, Renderer, Target};
use crate::scene::{self, Frame, Heat, Stage, View};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// No device.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The device cannot draw this.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The device allows no target of that size.
    #[error(
        "a picture of {} × {} pixels is too large for {adapter}, which allows {} along a side",
        size[0], size[1], limit
    )]
    Size {
        /// What was asked for.
        size: [u32; 2],
        /// What can be had.
        limit: u32,
        /// The adapter's name.
        adapter: String,
    },
    /// The driver reported an error that nobody expected.
    #[error("the graphics driver of {adapter} reports: {message}")]
    Driver {
        /// The adapter's name.
        adapter: String,
        /// What it says.
        message: String,
    },
}

/// A device with all it takes to draw pictures of one size.
#[derive(Debug)]
pub struct Studio {
    gpu: Gpu,
    target: Target,
    renderer: Renderer,
    frame: Frame,
}

impl Studio {
    /// Opens a device of its own, for pictures of `size` pixels.
    ///
    /// # Errors
    /// Where there is no device, or it allows no picture of that size.
    pub fn open(size: [u32; 2]) -> Result<Self, StudioError> {
        let gpu = Gpu::headless(&GpuOptions::default())?;
        let quality = Quality::for_gpu(&gpu);
        let target = Target::new(&gpu, size[0], size[1], &quality);
        let (width, height) = target.size();
        if [width, height] != size {
            return Err(StudioError::Size {
                size,
                limit: width.max(height),
                adapter: gpu.info.name,
            });
        }
        let renderer = Renderer::new(&gpu, &quality)?;
        Ok(Self {
            gpu,
            target,
            renderer,
            frame: Frame::default(),
        })
    }

    /// What takes drawing on a denser display: see
    /// [`Renderer::set_pixels_per_point`].
    pub fn set_pixels_per_point(&mut self, pixels_per_point: f32) {
        self.renderer.set_pixels_per_point(pixels_per_point);
    }

    /// The weight view of the last picture, with its numbers.
    pub fn heat(&self) -> Option<&Heat> {
        self.frame.heat.as_ref()
    }

    /// What had to be changed to fit the device since the last call.
    pub fn take_messages(&mut self) -> Vec<String> {
        self.renderer.take_messages()
    }

    /// Takes what was found out about the stage and its first character while the
    /// device was being opened.
    pub fn expect(&mut self, frame: Frame, prepared: Prepared) {
        self.frame = frame;
        self.renderer.expect(prepared);
    }

    /// Builds the frame, draws it and reads it back.
    ///
    /// # Errors
    /// What the device cannot draw, or what its driver reports.
    pub fn draw(&mut self, stage: &Stage, view: &View) -> Result<Pixels, StudioError> {
        scene::build(stage, view, self.target.aspect(), &mut self.frame);
        self.renderer.render(&self.frame, &self.target)?;
        self.read()
    }

    /// The same with a frame of its own, on the ground of what [`draw`](Self::draw) drew
    /// last: for pictures that are looked at side by side.
    ///
    /// # Errors
    /// As [`draw`](Self::draw).
    pub fn draw_beside(
        &mut self,
        frame: &mut Frame,
        stage: &Stage,
        view: &View,
    ) -> Result<Pixels, StudioError> {
        scene::build(stage, view, self.target.aspect(), frame);
        frame.share_ground(&self.frame);
        self.renderer.render(frame, &self.target)?;
        self.read()
    }

    fn read(&mut self) -> Result<Pixels, StudioError> {
        let pixels = self.renderer.read_pixels(&self.target);
        // An error of the driver explains a picture that could not be read.
        if let Some(message) = self.gpu.take_errors().into_iter().next() {
            return Err(StudioError::Driver {
                adapter: self.gpu.info.name.clone(),
                message,
            });
        }
        Ok(pixels?)
    }
}
