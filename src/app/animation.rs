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
    render::{Pixels, Studio},
    scene::{Stage, View},
    session::{Layout, Session},
};

/// Pictures a second: film's.
const FPS: f32 = 24.0;
/// How often the window hears how far it is.
const INTERVAL: Duration = Duration::from_millis(100);

/// What is to be drawn: stages and views as they were when it was asked for.
#[derive(Debug)]
pub(super) struct Shot {
    /// A's and what stands beside it; one where all share a stage.
    pub sides: Vec<(Stage, View)>,
    /// How the sides share the picture.
    pub joint: Joint,
    /// Of each side.
    pub size: [u32; 2],
    pub pixels_per_point: f32,
}

/// How pictures of several sides become one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Joint {
    /// So many pixels apart.
    Beside(u32),
    /// A line at this share of the width, so many pixels wide.
    Wipe(f32, u32),
}

impl Joint {
    /// As the window has it.
    pub(super) fn new(session: &Session, pixels_per_point: f32) -> Self {
        let pixels = |points: f32| (points * pixels_per_point).round().max(1.0) as u32;
        match &session.comparison {
            Some(comparison) if comparison.layout == Layout::Wipe => {
                Self::Wipe(comparison.wipe, pixels(1.5))
            }
            _ => Self::Beside(pixels(2.0)),
        }
    }

    /// Of the sides' pictures one.
    pub(super) fn join(self, parts: &[Pixels]) -> Pixels {
        match (self, parts) {
            (Self::Wipe(share, line), [a, b, ..]) => Pixels::wiped(a, b, share, line),
            (Self::Beside(gap), _) => Pixels::beside(parts, gap),
            (Self::Wipe(..), _) => Pixels::beside(parts, 0),
        }
    }
}

impl Shot {
    /// Of the whole picture.
    fn size(&self) -> [u32; 2] {
        let [width, height] = self.size;
        match self.joint {
            Joint::Wipe(..) => self.size,
            Joint::Beside(gap) => {
                let count = self.sides.len().max(1) as u32;
                [width * count + gap * (count - 1), height]
            }
        }
    }
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
    let format = Format::of(path).ok_or("the name must end in .gif, .apng or .webp")?;
    let first = shot.sides.first();
    let character = first.and_then(|(stage, _)| stage.characters.first());
    let character = character.filter(|c| c.clip().is_some());
    let character = character.ok_or("there is no clip to draw")?;
    let seconds = character.player.duration_secs;
    let moments = animation::plan(seconds, FPS, character.loops(), format)
        .map_err(|error| error.to_string())?;
    let mut studio = Studio::open(shot.size).map_err(|error| error.to_string())?;
    studio.set_pixels_per_point(shot.pixels_per_point);
    let mut frames = Vec::new();
    let size = shot.size();
    let draw = |time_secs: f32| -> io::Result<Vec<u8>> {
        let stages = shot.sides.iter_mut();
        for character in stages.flat_map(|(stage, _)| &mut stage.characters) {
            character.player.seek(time_secs);
            character.update();
        }
        let sides: Vec<(&Stage, &View)> = (shot.sides.iter())
            .map(|(stage, view)| (stage, view))
            .collect();
        let pictures = studio.draw_sides(&sides, &mut frames);
        let pictures = pictures.map_err(io::Error::other)?;
        Ok(shot.joint.join(&pictures).rgba)
    };
    let bytes =
        animation::make(format, size, &moments, draw, go_on).map_err(|error| error.to_string())?;
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
            sides: vec![(
                Stage {
                    characters: vec![Character::new(Arc::new(import::built_in()))],
                },
                View::default(),
            )],
            joint: Joint::Beside(2),
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
    fn all_sides_of_a_comparison_are_in_the_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("both.gif");
        let mut both = shot();
        let (mut stage, view) = both.sides[0].clone();
        // As far away as nothing to be seen.
        stage.characters[0].world_from_model = glam::Mat4::from_translation(glam::Vec3::Z * 1e4);
        both.sides.push((stage, view));
        let size = both.size();
        assert_eq!(size, [98, 32]);
        assert_eq!(write(both, &path, |_, _| true), Ok(true));
        let bytes = std::fs::read(&path).expect("written");
        let sides = [&bytes[6..8], &bytes[8..10]];
        let sides = sides.map(|side| u32::from(u16::from_le_bytes([side[0], side[1]])));
        assert_eq!(sides, size, "width and height of the GIF");
        let mut wiped = shot();
        wiped.joint = Joint::Wipe(0.5, 1);
        assert_eq!(wiped.size(), [48, 32]);
    }

    #[test]
    fn a_name_without_an_ending_gets_one() {
        let named = |name: &str| with_ending(name.into());
        assert_eq!(named("walk"), PathBuf::from("walk.gif"));
        assert_eq!(named("walk.apng"), PathBuf::from("walk.apng"));
        assert_eq!(named("walk.mp4"), PathBuf::from("walk.mp4"));
    }
}
