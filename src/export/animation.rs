//! Moving pictures: which formats there are, when each picture is shown, and the
//! way from pictures to a file's bytes. Pictures go through one at a time; what is
//! kept is one of them and the compressed file.

use std::{
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use super::{apng::Apng, gif::Gif, webp::WebP};

/// Most pictures in one file: seven minutes at 24 a second.
pub const MAX_PICTURES: u32 = 10_000;
/// Most pictures a second: browsers show a GIF's picture for at least 1/50 s, and
/// slow down what asks for less.
pub const MAX_FPS: f32 = 50.0;
/// Largest file in bytes; it is put together in memory and written as a whole, so
/// that an interrupted run leaves nothing behind.
const MAX_BYTES: usize = 512 << 20;

/// A file format with several pictures in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// 256 colours, shown everywhere.
    Gif,
    /// All colours, shown by browsers and the better viewers.
    Apng,
    /// All colours in less room, shown by browsers.
    WebP,
}

impl Format {
    /// By the name's ending: `.gif`, `.apng` or `.webp`; `None` for a still picture's.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        let known = [
            ("gif", Self::Gif),
            ("apng", Self::Apng),
            ("webp", Self::WebP),
        ];
        known
            .into_iter()
            .find(|(name, _)| extension.eq_ignore_ascii_case(name))
            .map(|(_, format)| format)
    }

    /// Ticks of the format's clock in a second.
    fn ticks_per_sec(self) -> f64 {
        match self {
            Self::Gif => 100.0,
            Self::Apng | Self::WebP => 1000.0,
        }
    }
}

/// When one picture is drawn and for how long it is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Seconds from the clip's start.
    pub time_secs: f32,
    /// How long it is shown, in the format's ticks.
    ticks: u16,
}

/// Why a clip cannot be a moving picture.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// More pictures than [`MAX_PICTURES`].
    #[error(
        "{seconds} s at {fps} pictures a second are {count} pictures, more than {MAX_PICTURES}"
    )]
    TooMany {
        /// Length of the clip.
        seconds: f32,
        /// What was asked for.
        fps: f32,
        /// What that comes to.
        count: u64,
    },
    /// A picture would be shown for longer than the format can say.
    #[error("a picture would be shown for {seconds} s, more than the format's {limit} s")]
    TooLong {
        /// Time of one picture.
        seconds: f64,
        /// What the format can say.
        limit: f64,
    },
}

/// Spreads pictures over a clip. One that loops ends before its first picture would
/// come again; any other ends with its last pose. Ticks are rounded so that the whole
/// takes as long as the clip, to the tick.
///
/// # Errors
/// [`PlanError`] where that is more than the format or a person can want.
pub fn plan(
    duration_secs: f32,
    fps: f32,
    loops: bool,
    format: Format,
) -> Result<Vec<Moment>, PlanError> {
    let duration = f64::from(duration_secs.max(0.0));
    let count = (duration * f64::from(fps)).round().max(1.0);
    if count > f64::from(MAX_PICTURES) {
        return Err(PlanError::TooMany {
            seconds: duration_secs,
            fps,
            count: count as u64,
        });
    }
    let total_ticks = (duration * format.ticks_per_sec()).round().max(1.0);
    // Not even one tick a picture less than browsers honour.
    let count = match format {
        Format::Gif => count.min((total_ticks / 2.0).floor().max(1.0)),
        Format::Apng | Format::WebP => count,
    };
    let last = if loops { count } else { (count - 1.0).max(1.0) };
    (0..count as u32)
        .map(f64::from)
        .map(|index| {
            let boundary = |index: f64| (total_ticks * index / count).round();
            let ticks = boundary(index + 1.0) - boundary(index);
            Ok(Moment {
                time_secs: (duration * index / last) as f32,
                ticks: exactly_u16(ticks).ok_or(PlanError::TooLong {
                    seconds: ticks / format.ticks_per_sec(),
                    limit: f64::from(u16::MAX) / format.ticks_per_sec(),
                })?,
            })
        })
        .collect()
}

fn exactly_u16(ticks: f64) -> Option<u16> {
    (ticks <= f64::from(u16::MAX)).then_some(ticks as u16)
}

/// Which of `count` pictures a palette is made from: a few, evenly from the first to
/// the last.
fn palette_samples(count: usize) -> impl Iterator<Item = usize> {
    const SAMPLES: usize = 10;
    let wanted = count.min(SAMPLES);
    let gaps = wanted.saturating_sub(1).max(1);
    (0..wanted).map(move |i| i * count.saturating_sub(1) / gaps)
}

/// A moving picture in the making. Pictures are tightly packed RGBA rows from the
/// top, straight alpha, all of one size.
#[derive(Debug)]
enum Encoder {
    /// GIF.
    Gif(Box<Gif>),
    /// APNG.
    Apng(Box<Apng>),
    /// WebP.
    WebP(Box<WebP>),
}

impl Encoder {
    /// A file of `count` pictures that repeats for ever. `samples` are pictures that a
    /// GIF's palette is made from; the others need none.
    ///
    /// # Errors
    /// Where a side is 0 or more than the format can say.
    fn new<'a>(
        format: Format,
        width: u32,
        height: u32,
        count: u32,
        samples: impl IntoIterator<Item = &'a [u8]>,
    ) -> io::Result<Self> {
        Ok(match format {
            Format::Gif => Self::Gif(Box::new(Gif::new(width, height, samples)?)),
            Format::Apng => Self::Apng(Box::new(Apng::new(width, height, count)?)),
            Format::WebP => Self::WebP(Box::new(WebP::new(width, height)?)),
        })
    }

    /// Adds the next picture.
    ///
    /// # Errors
    /// Where the picture has another size, or the file grows past 512 MiB.
    fn push(&mut self, rgba: &[u8], moment: Moment) -> io::Result<()> {
        match self {
            Self::Gif(gif) => gif.push(rgba, moment.ticks),
            Self::Apng(apng) => apng.push(rgba, moment.ticks),
            Self::WebP(webp) => webp.push(rgba, moment.ticks),
        }
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// Where pictures are missing.
    fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Gif(gif) => gif.finish(),
            Self::Apng(apng) => apng.finish(),
            Self::WebP(webp) => webp.finish(),
        }
    }
}

/// Draws a clip's pictures one after the other and gives the file's bytes, or `None`
/// where `go_on`, asked with how many of how many pictures are done, says no. A GIF's
/// few sample pictures are drawn twice.
///
/// # Errors
/// What `draw` says, or the encoder.
pub fn make<E: From<io::Error>>(
    format: Format,
    [width, height]: [u32; 2],
    moments: &[Moment],
    mut draw: impl FnMut(f32) -> Result<Vec<u8>, E>,
    mut go_on: impl FnMut(usize, usize) -> bool,
) -> Result<Option<Vec<u8>>, E> {
    let samples: Vec<usize> = match format {
        Format::Gif => palette_samples(moments.len()).collect(),
        Format::Apng | Format::WebP => Vec::new(),
    };
    let all = samples.len() + moments.len();
    let mut pictures = Vec::new();
    for (done, index) in samples.into_iter().enumerate() {
        if !go_on(done, all) {
            return Ok(None);
        }
        let mut picture = draw(moments[index].time_secs)?;
        thin_out(&mut picture);
        pictures.push(picture);
    }
    let first = pictures.len();
    let count = moments.len() as u32;
    let samples = pictures.iter().map(Vec::as_slice);
    let mut encoder = Encoder::new(format, width, height, count, samples)?;
    drop(pictures);
    for (done, moment) in moments.iter().enumerate() {
        if !go_on(first + done, all) {
            return Ok(None);
        }
        encoder.push(&draw(moment.time_secs)?, *moment)?;
    }
    Ok(Some(encoder.finish()?))
}

/// Leaves so few of a picture's pixels that a handful of pictures take little memory.
fn thin_out(rgba: &mut Vec<u8>) {
    const PIXELS: usize = 60_000;
    // Odd steps visit all columns of the usual, even widths.
    let step = (rgba.len() / 4 / PIXELS).max(1) | 1;
    let kept = (rgba.len() / 4).div_ceil(step);
    for i in 0..kept {
        rgba.copy_within(i * step * 4..i * step * 4 + 4, i * 4);
    }
    rgba.truncate(kept * 4);
    rgba.shrink_to_fit();
}

/// Bytes in memory, up to a limit; clones share them, as encoders keep their writer.
#[derive(Debug, Clone, Default)]
pub(super) struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Bytes {
    /// What was written so far, leaving nothing.
    pub(super) fn take(&self) -> Vec<u8> {
        core::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if written.len() + bytes.len() > MAX_BYTES {
            return Err(io::Error::other(format!(
                "the file is larger than {} MiB, draw it smaller or with fewer pictures",
                MAX_BYTES >> 20
            )));
        }
        written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a picture has the size it should have.
pub(super) fn check_size(rgba: &[u8], width: usize, height: usize) -> io::Result<()> {
    let wanted = width * height * 4;
    if rgba.len() == wanted && wanted > 0 {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "{width} × {height} pixels take {wanted} bytes, not {}",
        rgba.len()
    )))
}

/// The smallest box (left, top, width, height) outside of which nothing changes;
/// one pixel where nothing does at all, as formats allow no empty picture.
pub(super) fn changed(
    width: usize,
    height: usize,
    is_changed: impl Fn(usize) -> bool,
) -> [usize; 4] {
    let row = |y: usize| (0..width).map(move |x| y * width + x);
    let has_change = |y: &usize| row(*y).any(&is_changed);
    let Some(top) = (0..height).find(has_change) else {
        return [0, 0, 1, 1];
    };
    let bottom = (top..height).rfind(has_change).unwrap_or(top);
    let column = |x: &usize| (top..=bottom).any(|y| is_changed(y * width + x));
    let left = (0..width).find(column).unwrap_or(0);
    let right = (left..width).rfind(column).unwrap_or(left);
    [left, top, right + 1 - left, bottom + 1 - top]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_takes_as_long_as_the_clip_and_ends_before_it_begins_again() {
        for (duration, fps, format, count) in [
            (1.0, 24.0, Format::Gif, 24),
            (1.0666, 24.0, Format::Gif, 26),
            (1.0, 30.0, Format::Apng, 30),
            (2.337, 50.0, Format::Gif, 117),
            (0.0, 24.0, Format::Gif, 1),
        ] {
            let moments = plan(duration, fps, true, format).expect("a plan");
            assert_eq!(moments.len(), count, "{duration} s");
            let ticks: f64 = moments.iter().map(|m| f64::from(m.ticks)).sum();
            let seconds = ticks / format.ticks_per_sec();
            assert!((seconds - f64::from(duration)).abs() < 0.0101, "{seconds}");
            assert_eq!(moments[0].time_secs, 0.0);
            let last = moments[count - 1].time_secs;
            assert!((duration - last - duration / count as f32).abs() < 1e-4);
            if format == Format::Gif && duration > 0.0 {
                assert!(moments.iter().all(|m| m.ticks >= 2), "{moments:?}");
            }
        }
    }

    #[test]
    fn a_clip_that_does_not_loop_ends_with_its_last_pose() {
        let moments = plan(2.0, 24.0, false, Format::Gif).expect("a plan");
        assert_eq!(moments.len(), 48);
        assert_eq!(moments[47].time_secs, 2.0);
    }

    #[test]
    fn what_is_too_much_is_refused_with_numbers() {
        let error = plan(600.0, 24.0, true, Format::Gif).expect_err("14400 pictures");
        let text = error.to_string();
        assert!(text.contains("14400") && text.contains("10000"), "{text}");
        let error = plan(700.0, 0.001, true, Format::Gif).expect_err("one picture");
        assert!(error.to_string().contains("655.35"), "{error}");
    }

    #[test]
    fn names_tell_the_format() {
        let of = |name: &str| Format::of(Path::new(name));
        assert_eq!(of("a/walk.gif"), Some(Format::Gif));
        assert_eq!(of("walk.APNG"), Some(Format::Apng));
        assert_eq!(of("walk.webp"), Some(Format::WebP));
        assert_eq!((of("walk.png"), of("-"), of("gif")), (None, None, None));
    }

    #[test]
    fn a_palette_looks_at_the_first_and_the_last_picture() {
        for count in [1, 2, 9, 24, 1000] {
            let samples: Vec<usize> = palette_samples(count).collect();
            assert_eq!((samples[0], samples.last()), (0, Some(&(count - 1))));
            assert!(
                samples.windows(2).all(|pair| pair[0] < pair[1]),
                "{samples:?}"
            );
        }
    }

    #[test]
    fn only_what_changed_is_kept() {
        let at = |list: &'static [usize]| changed(4, 3, move |i| list.contains(&i));
        assert_eq!(at(&[5, 10]), [1, 1, 2, 2]);
        assert_eq!(at(&[0, 11]), [0, 0, 4, 3]);
        assert_eq!(at(&[]), [0, 0, 1, 1]);
    }
}
