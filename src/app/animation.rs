//! Saving the clip as a moving picture: drawn on a thread and device of its own, so
//! that the window goes on.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use winit::event_loop::EventLoopProxy;

use super::event::{AppEvent, panic_text};
use crate::{
    export::{
        self,
        animation::{self, Format},
    },
    render::Studio,
    scene::{Stage, View},
};

/// Pictures a second: film's.
const FPS: f32 = 24.0;
/// How often the window hears how far it is.
const INTERVAL: Duration = Duration::from_millis(100);

/// What is to be drawn: the stage and view as they were when it was asked for.
#[derive(Debug)]
pub(super) struct Shot {
    pub stage: Stage,
    pub view: View,
    pub size: [u32; 2],
    pub pixels_per_point: f32,
}

/// A moving picture in the making; dropping it gives up on it.
#[derive(Debug)]
pub(super) struct Job {
    cancelled: Arc<AtomicBool>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Job {
    /// Starts to draw; progress and the end come as events.
    ///
    /// # Errors
    /// Where there is no thread to be had.
    pub(super) fn start(
        shot: Shot,
        path: PathBuf,
        proxy: EventLoopProxy<AppEvent>,
    ) -> io::Result<Self> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let job = Self {
            cancelled: cancelled.clone(),
        };
        let work = move || {
            let mut told = Instant::now();
            let go_on = |done: usize, all: usize| {
                if told.elapsed() >= INTERVAL {
                    told = Instant::now();
                    let fraction = done as f32 / all.max(1) as f32;
                    // Without an event loop nobody waits for the file either.
                    let event = AppEvent::AnimationProgress(fraction);
                    if proxy.send_event(event).is_err() {
                        return false;
                    }
                }
                !cancelled.load(Ordering::Relaxed)
            };
            let saved = catch_unwind(AssertUnwindSafe(|| write(shot, &path, go_on)))
                .unwrap_or_else(|payload| Err(panic_text(&*payload)));
            let saved = match saved {
                Ok(true) => Ok(Some(path)),
                Ok(false) => Ok(None),
                Err(reason) => Err(format!(
                    "Cannot write the animation ({reason}): {}",
                    path.display()
                )),
            };
            let _ = proxy.send_event(AppEvent::AnimationSaved(saved));
        };
        thread::Builder::new()
            .name("animation".into())
            .spawn(work)?;
        Ok(job)
    }
}

/// Draws and writes; `false` where `go_on` said no, and then there is no file.
fn write(
    mut shot: Shot,
    path: &Path,
    go_on: impl FnMut(usize, usize) -> bool,
) -> Result<bool, String> {
    let format = Format::of(path).ok_or("the name must end in .gif or .apng")?;
    let character = shot.stage.characters.first();
    let character = character.filter(|c| c.clip().is_some());
    let character = character.ok_or("there is no clip to draw")?;
    let seconds = character.player.duration_secs;
    let moments = animation::plan(seconds, FPS, character.loops(), format)
        .map_err(|error| error.to_string())?;
    let mut studio = Studio::open(shot.size).map_err(|error| error.to_string())?;
    studio.set_pixels_per_point(shot.pixels_per_point);
    let draw = |time_secs: f32| -> io::Result<Vec<u8>> {
        for character in &mut shot.stage.characters {
            character.player.seek(time_secs);
            character.update();
        }
        let pixels = studio.draw(&shot.stage, &shot.view);
        Ok(pixels.map_err(io::Error::other)?.rgba)
    };
    let bytes = animation::make(format, shot.size, &moments, draw, go_on)
        .map_err(|error| error.to_string())?;
    let Some(bytes) = bytes else {
        return Ok(false);
    };
    export::replace_file(path, &bytes).map_err(|error| error.to_string())?;
    Ok(true)
}

/// The path with an ending that says its format: `.gif` where a person gave none.
pub(super) fn with_ending(path: PathBuf) -> PathBuf {
    if Format::of(&path).is_some() || path.extension().is_some() {
        return path;
    }
    path.with_extension("gif")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{import, scene::Character};

    fn shot() -> Shot {
        Shot {
            stage: Stage {
                characters: vec![Character::new(Arc::new(import::built_in()))],
            },
            view: View::default(),
            size: [48, 32],
            pixels_per_point: 1.0,
        }
    }

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("walk.gif");
        let mut asked = 0;
        let stopped = write(shot(), &path, |done, all| {
            asked += 1;
            assert!(done < all);
            done < 12
        });
        assert_eq!((stopped, path.exists(), asked), (Ok(false), false, 13));
        assert_eq!(write(shot(), &path, |_, _| true), Ok(true));
        assert!(std::fs::read(&path).is_ok_and(|bytes| bytes.starts_with(b"GIF89a")));
        let refused = write(shot(), &folder.path().join("walk.mp4"), |_, _| true);
        assert!(refused.is_err_and(|reason| reason.contains(".gif")));
    }

    #[test]
    fn a_name_without_an_ending_gets_one() {
        let named = |name: &str| with_ending(name.into());
        assert_eq!(named("walk"), PathBuf::from("walk.gif"));
        assert_eq!(named("walk.apng"), PathBuf::from("walk.apng"));
        assert_eq!(named("walk.mp4"), PathBuf::from("walk.mp4"));
    }
}
