//! `rigscope render`: the picture the window would show, without a window.

use std::{
    io::{self, IsTerminal as _, Write},
    mem, panic,
    path::Path,
    thread,
};

use super::{
    Error,
    args::{RenderArgs, ViewMode},
    note, open,
    output::{Output, replace},
    panes::{self, Panes},
    weights,
};
use crate::{
    export::animation::{self, Format, MAX_FPS, Moment},
    render::{Prepared, RenderError, Studio, StudioError},
    scene::{Background, Character, Frame, Shading, View},
};

/// Pictures a second unless something else is asked for: film's.
const DEFAULT_FPS: f32 = 24.0;

pub(super) fn run(args: &RenderArgs, stdout: &mut dyn Write) -> Result<(), Error> {
    let output = Output::new(&args.output, args.frames)?;
    check_fps(args, &output)?;
    let count = args.frames.unwrap_or(1);
    output.check_folders(count)?;
    // Waking the graphics driver takes as long as reading most files.
    let (ready, studio) = thread::scope(|scope| {
        let studio = scope.spawn(|| Studio::open(panes::pane_size(args.size, args.compare.len())));
        let ready = Ready::new(args, &output, count);
        let studio = studio.join().unwrap_or_else(|p| panic::resume_unwind(p));
        (ready, studio)
    });
    let Ready {
        file,
        sides,
        view,
        frame,
        prepared,
    } = ready?;
    let cannot_draw = |reason: StudioError| Error::Draw {
        file: file.clone(),
        reason,
    };
    let mut studio = studio.map_err(cannot_draw)?;
    let prepared = prepared.map_err(|reason| cannot_draw(reason.into()))?;
    studio.expect(frame, prepared);
    // Sides may stand still beside one that moves.
    let moves = |side: &&Character| side.clip().is_some();
    let first = sides.iter().find(moves).unwrap_or(&sides[0]);
    let mut panes;
    if let Output::Moving(path, format) = &output {
        let moments = moments(first, args, *format, &file)?;
        panes = Panes::new(sides, &view, args);
        let mut draw = |time_secs| -> Result<Vec<u8>, Error> {
            let pixels = panes.draw(&mut studio, time_secs);
            Ok(pixels.map_err(cannot_draw)?.rgba)
        };
        write_moving(path, *format, args.size, &moments, &mut draw)?;
    } else {
        let times = times(first, args, &file)?;
        panes = Panes::new(sides, &view, args);
        for (index, time_secs) in (0..).zip(times) {
            let pixels = panes.draw(&mut studio, time_secs);
            let pixels = pixels.map_err(cannot_draw)?;
            output.write(index, &pixels, stdout)?;
        }
    }
    if let Some(heat) = studio.heat()
        && let Some(text) = weights::summary(heat, panes.first())
    {
        note(&format!("{text}: {file}"));
    }
    if let Some(most) = panes.most_difference() {
        let most = most * 1e3;
        note(&format!(
            "vertices are up to {most:.3} mm from A's over the clip: {file}"
        ));
    }
    for message in studio.take_messages() {
        note(&format!("{message}: {file}"));
    }
    // The process ends here, and the system takes everything back at once; taking the
    // device apart first would only let the user wait some more.
    mem::forget(studio);
    Ok(())
}

/// All of a picture that needs no device.
struct Ready {
    /// What was opened, for messages.
    file: String,
    /// At least one.
    sides: Vec<Character>,
    view: View,
    /// Knows the character's bounds.
    frame: Frame,
    prepared: Result<Prepared, RenderError>,
}

impl Ready {
    fn new(args: &RenderArgs, output: &Output, count: u32) -> Result<Self, Error> {
        let opened = open::open(args.file.as_deref())?;
        output.check_sources(count, &opened.document.sources)?;
        let file = opened.name.clone();
        let mut sides = panes::sides(&opened, args)?;
        let mut frame = Frame::default();
        let mut view = view(&mut sides[0], args, &mut frame, &file)?;
        if sides.len() > 1 {
            let [width, height] = panes::pane_size(args.size, sides.len());
            panes::frame_all(&sides, &mut view, &mut frame, width as f32 / height as f32);
            if let Some(distance) = args.camera.and_then(|camera| camera.distance) {
                view.camera.distance = distance;
            }
        }
        Ok(Self {
            view,
            file,
            prepared: Prepared::new(&opened.document),
            frame,
            sides,
        })
    }
}

/// Whether what is asked for fits a still or a moving picture.
fn check_fps(args: &RenderArgs, output: &Output) -> Result<(), Error> {
    let is_moving = matches!(output, Output::Moving(..));
    let problem = match args.fps {
        Some(fps) if !is_moving => {
            format!("--fps {fps} is for a moving picture, whose name ends in .gif, .apng or .webp")
        }
        _ if is_moving && args.time > 0.0 => {
            format!(
                "--time {} is for a still picture, a moving one has them all",
                args.time
            )
        }
        _ => return Ok(()),
    };
    Err(Error::Usage(format!(
        "{problem}: {}",
        args.output.display()
    )))
}

/// The pictures of a moving one.
fn moments(
    character: &Character,
    args: &RenderArgs,
    format: Format,
    file: &str,
) -> Result<Vec<Moment>, Error> {
    let usage = |problem: String| Error::Usage(format!("{problem}: {file}"));
    if character.clip().is_none() {
        return Err(usage(
            "there is no clip in this pose to make a moving picture of".to_owned(),
        ));
    }
    let seconds = character.player.duration_secs;
    let fps = match args.frames {
        Some(count) if count as f32 > seconds * MAX_FPS => {
            return Err(usage(format!(
                "{count} pictures in {seconds} s are more than {MAX_FPS} a second"
            )));
        }
        Some(count) => count as f32 / seconds,
        None => args.fps.unwrap_or(DEFAULT_FPS),
    };
    animation::plan(seconds, fps, character.loops(), format)
        .map_err(|error| usage(error.to_string()))
}

/// Draws all pictures and writes the file, which is there as a whole or not at all.
fn write_moving(
    path: &Path,
    format: Format,
    size: [u32; 2],
    moments: &[Moment],
    draw: &mut dyn FnMut(f32) -> Result<Vec<u8>, Error>,
) -> Result<(), Error> {
    let mut progress = Progress::new();
    let made = animation::make(format, size, moments, draw, |done, all| {
        progress.show(done, all);
        true
    });
    drop(progress);
    let made = made.map_err(|error| match error {
        // Nothing has gone to standard output: this is the encoder's complaint.
        Error::Stdout(reason) => Error::Output {
            path: path.to_owned(),
            reason: reason.to_string(),
        },
        other => other,
    })?;
    // Nobody says stop here: an interrupt ends the program before anything is written.
    made.map_or(Ok(()), |bytes| replace(path, &bytes))
}

/// A line on the terminal that tells how far it is, and goes away at the end.
struct Progress {
    is_shown: bool,
}

impl Progress {
    fn new() -> Self {
        Self {
            is_shown: io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, done: usize, all: usize) {
        if self.is_shown {
            // A closed stderr is nobody's loss.
            let _ = write!(io::stderr(), "\rdrawing: {:3} %", done * 100 / all.max(1));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
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

/// Camera and display switches for the arguments. `frame` keeps what is found out about
/// the character on the way.
fn view(
    character: &mut Character,
    args: &RenderArgs,
    frame: &mut Frame,
    file: &str,
) -> Result<View, Error> {
    let [width, height] = args.size;
    let aspect = width as f32 / height as f32;
    let mut view = View {
        shading: match args.view {
            ViewMode::Shaded => Shading::Shaded,
            ViewMode::Normals => Shading::Normals,
            ViewMode::Skeleton | ViewMode::Wireframe => Shading::Clay,
            ViewMode::Weights(_) => Shading::Shaded,
        },
        weight_view: match args.view {
            ViewMode::Weights(view) => Some(view),
            _ => None,
        },
        skeleton: args.view == ViewMode::Skeleton,
        wireframe: args.view == ViewMode::Wireframe,
        light: args.light,
        background: args.background,
        ..View::default()
    };
    args.overlay.apply(&mut view, character, file)?;
    if let Some(joint) = weights::joint(&character.document, args, file)? {
        view.selected_joint = Some(joint);
    }
    if args.transparent {
        view.background = Background::Transparent;
        view.grid = false;
        view.shadow = false;
    }
    view.grid &= !args.no_grid;
    view.shadow &= !args.no_shadow;
    view.ambient_occlusion &= !args.no_occlusion;
    view.reflections &= !args.no_reflections;
    let camera = &mut view.camera;
    if let Some(wanted) = args.camera {
        camera.yaw_radians = wanted.yaw_degrees.to_radians();
        camera.pitch_radians = wanted.pitch_degrees.to_radians();
    }
    let bounds = frame.framed_bounds(character, &view);
    let camera = &mut view.camera;
    camera.frame(bounds, aspect);
    if let Some(distance) = args.camera.and_then(|wanted| wanted.distance) {
        camera.distance = distance;
    }
    Ok(view)
}
