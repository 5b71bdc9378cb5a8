//! `rigscope render`: the picture the window would show, without a window.

use std::{io::Write, panic, thread};

use super::{
    Error,
    args::{RenderArgs, ViewMode},
    note, open,
    output::Output,
};
use crate::{
    render::{Gpu, GpuError, GpuOptions, Pixels, Quality, RenderError, Renderer, Target},
    scene::{self, Background, Character, Frame, Shading, Stage, View},
};

pub(super) fn run(args: &RenderArgs, stdout: &mut dyn Write) -> Result<(), Error> {
    let output = Output::new(&args.output, args.frames)?;
    let count = args.frames.unwrap_or(1);
    output.check_folders(count)?;
    // Waking the graphics driver takes as long as reading most files.
    let (opened, studio) = thread::scope(|scope| {
        let studio = scope.spawn(|| Studio::open(args.size));
        let opened = open::open(args.file.as_deref());
        let studio = studio.join().unwrap_or_else(|p| panic::resume_unwind(p));
        (opened, studio)
    });
    let opened = opened?;
    output.check_sources(count, &opened.document.sources)?;
    let file = opened.name.clone();
    let cannot_draw = |reason: StudioError| Error::Draw {
        file: file.clone(),
        reason,
    };
    let mut studio = studio.map_err(cannot_draw)?;
    let character = opened.character(&args.sampling, args.time)?;
    let times = times(&character, args, &file)?;

    let mut stage = Stage::default();
    let view = view(&character, args, studio.target.aspect());
    stage.characters.push(character);
    for (index, time_secs) in (0..).zip(times) {
        for character in &mut stage.characters {
            character.player.seek(time_secs);
            character.update();
        }
        let pixels = studio.draw(&stage, &view).map_err(cannot_draw)?;
        output.write(index, &pixels, stdout)?;
    }
    for message in studio.renderer.take_messages() {
        note(&format!("{message}: {file}"));
    }
    Ok(())
}

/// The times to draw, in seconds.
fn times(character: &Character, args: &RenderArgs, file: &str) -> Result<Vec<f32>, Error> {
    let Some(count) = args.frames else {
        return Ok(vec![args.time]);
    };
    if character.clip().is_none() && count > 1 {
        return Err(Error::Usage(format!(
            "--frames {count} needs a clip to spread them over, and there is none in this pose: {file}"
        )));
    }
    let duration_secs = f64::from(character.player.duration_secs);
    let time = |index| (duration_secs * f64::from(index) / f64::from(count)) as f32;
    Ok((0..count).map(time).collect())
}

/// Camera and display switches for the arguments.
fn view(character: &Character, args: &RenderArgs, aspect: f32) -> View {
    let mut view = View {
        shading: match args.view {
            ViewMode::Shaded => Shading::Shaded,
            ViewMode::Normals => Shading::Normals,
            ViewMode::Skeleton | ViewMode::Wireframe => Shading::Clay,
        },
        skeleton: args.skeleton || args.view == ViewMode::Skeleton,
        wireframe: args.view == ViewMode::Wireframe,
        ..View::default()
    };
    if args.light {
        view.background = Background::Light;
    }
    if args.transparent {
        view.background = Background::Transparent;
        view.grid = false;
        view.shadow = false;
    }
    let camera = &mut view.camera;
    if let Some(wanted) = args.camera {
        camera.yaw_radians = wanted.yaw_degrees.to_radians();
        camera.pitch_radians = wanted.pitch_degrees.to_radians();
    }
    camera.frame(scene::shown_bounds(character, view.skeleton), aspect);
    if let Some(distance) = args.camera.and_then(|wanted| wanted.distance) {
        camera.distance = distance;
    }
    view
}

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
struct Studio {
    gpu: Gpu,
    target: Target,
    renderer: Renderer,
    frame: Frame,
}

impl Studio {
    fn open(size: [u32; 2]) -> Result<Self, StudioError> {
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

    /// Builds the frame, draws it and reads it back.
    fn draw(&mut self, stage: &Stage, view: &View) -> Result<Pixels, StudioError> {
        scene::build(stage, view, self.target.aspect(), &mut self.frame);
        self.renderer.render(&self.frame, &self.target)?;
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
