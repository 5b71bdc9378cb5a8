//! Where pictures go: standard output, a file, or names with numbers in them.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use super::Error;
use crate::{
    export::{self, animation::Format},
    render::Pixels,
};

/// What `-o` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Output {
    /// `-`
    Stdout,
    /// One file.
    File(PathBuf),
    /// A file per picture.
    Numbered(Pattern),
    /// One file with all pictures.
    Moving(PathBuf, Format),
}

/// A file name with a place for a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    before: String,
    after: String,
    digits: usize,
}

impl Output {
    /// Reads `-o`. Only with `frames` does `%` mean anything in it.
    pub(super) fn new(path: &Path, frames: Option<u32>) -> Result<Self, Error> {
        let usage = |text: String| Err(Error::Usage(text));
        if path == Path::new("-") {
            return match frames {
                Some(count) if count > 1 => usage(format!(
                    "{count} pictures do not fit into one stream, give a pattern such as -o walk_%03d.png"
                )),
                _ => Ok(Self::Stdout),
            };
        }
        let is_png = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("png");
        if path.file_name().is_none() {
            return usage(format!("-o names no file: {}", path.display()));
        }
        if let Some(format) = Format::of(path) {
            return Ok(Self::Moving(path.to_owned(), format));
        }
        if !path.extension().is_none_or(is_png) {
            return usage(format!(
                "only PNG, GIF, APNG and WebP are written, the name must end in .png, .gif, .apng or .webp: {}",
                path.display()
            ));
        }
        let Some(count) = frames else {
            return Ok(Self::File(path.to_owned()));
        };
        let Some(text) = path.to_str() else {
            return usage(format!("a pattern must be UTF-8: {}", path.display()));
        };
        match (Pattern::parse(text).map_err(Error::Usage)?, count) {
            (Ok(pattern), _) => Ok(Self::Numbered(pattern)),
            (Err(plain), 1) => Ok(Self::File(plain.into())),
            (Err(_), _) => usage(format!(
                "{count} pictures need a place for their number, such as -o walk_%03d.png: {text}"
            )),
        }
    }

    /// The files that `count` pictures go to; none for standard output.
    fn paths(&self, count: u32) -> Vec<PathBuf> {
        match self {
            Self::Stdout => Vec::new(),
            Self::File(path) | Self::Moving(path, _) => vec![path.clone()],
            Self::Numbered(pattern) => (0..count).map(|index| pattern.path(index)).collect(),
        }
    }

    /// Says early what could not be written anyway: drawing may take minutes.
    pub(super) fn check_folders(&self, count: u32) -> Result<(), Error> {
        for path in self.paths(count) {
            let reason = match missing_folder(&path) {
                Some(reason) => reason,
                None if path.is_dir() => "it is a folder".to_owned(),
                None => continue,
            };
            return Err(Error::Output { path, reason });
        }
        Ok(())
    }

    /// Refuses to write over a file that the model was read from, under whatever
    /// name: an image of a model is a PNG too, and files are never changed.
    pub(super) fn check_sources(&self, count: u32, sources: &[PathBuf]) -> Result<(), Error> {
        let sources: Vec<_> = (sources.iter())
            .filter_map(|source| Some((source.canonicalize().ok()?, source)))
            .collect();
        for path in self.paths(count) {
            // What is not there yet is nobody's source.
            let Ok(target) = path.canonicalize() else {
                continue;
            };
            if let Some((_, source)) = sources.iter().find(|(real, _)| *real == target) {
                let reason = format!("the model is read from {}", source.display());
                return Err(Error::Output { path, reason });
            }
        }
        Ok(())
    }

    /// Writes picture `index` as PNG.
    pub(super) fn write(
        &self,
        index: u32,
        pixels: &Pixels,
        stdout: &mut dyn Write,
    ) -> Result<(), Error> {
        let png = export::png(pixels.width, pixels.height, &pixels.rgba)?;
        match self {
            Self::Stdout => {
                stdout.write_all(&png)?;
                stdout.flush()?;
            }
            Self::File(path) | Self::Moving(path, _) => replace(path, &png)?,
            Self::Numbered(pattern) => replace(&pattern.path(index), &png)?,
        }
        Ok(())
    }
}

impl Pattern {
    /// Finds the one `%d` or `%0Nd`; without one, the plain name with every `%%`
    /// made a `%`. `Err` says what is wrong with the pattern.
    fn parse(text: &str) -> Result<Result<Self, String>, String> {
        let mut found: Option<(String, usize)> = None;
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            plain.push_str(before);
            if let Some(after) = after.strip_prefix('%') {
                plain.push('%');
                rest = after;
                continue;
            }
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let width = match &after[..digits] {
                "" => Some(1),
                width => width.strip_prefix('0').and_then(|w| w.parse().ok()),
            };
            match (width, after[digits..].strip_prefix('d')) {
                (Some(width @ 1..=9), Some(after)) if found.is_none() => {
                    found = Some((core::mem::take(&mut plain), width));
                    rest = after;
                }
                (Some(1..=9), Some(_)) => {
                    return Err(format!("the number has two places in {text}"));
                }
                _ => {
                    return Err(format!(
                        "`%` must be followed by d, 01d … 09d or % in {text}"
                    ));
                }
            }
        }
        plain.push_str(rest);
        Ok(match found {
            Some((before, digits)) => Ok(Self {
                before,
                after: plain,
                digits,
            }),
            None => Err(plain),
        })
    }

    fn path(&self, index: u32) -> PathBuf {
        let Self {
            before,
            after,
            digits,
        } = self;
        format!("{before}{index:0digits$}{after}").into()
    }
}

pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    export::replace_file(path, bytes).map_err(|error| Error::Output {
        path: path.to_owned(),
        reason: missing_folder(path).unwrap_or_else(|| error.to_string()),
    })
}

fn missing_folder(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let missing = !folder.as_os_str().is_empty() && !folder.is_dir();
    missing.then(|| format!("there is no folder {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(path: &str, frames: Option<u32>) -> Result<Output, String> {
        Output::new(Path::new(path), frames).map_err(|error| error.to_string())
    }

    #[test]
    fn patterns_number_their_files() {
        let names = |pattern: &str| match output(pattern, Some(12)) {
            Ok(Output::Numbered(pattern)) => {
                [0, 11].map(|index| pattern.path(index).display().to_string())
            }
            other => panic!("{pattern}: {other:?}"),
        };
        assert_eq!(names("walk_%03d.png"), ["walk_000.png", "walk_011.png"]);
        assert_eq!(names("%d.PNG"), ["0.PNG", "11.PNG"]);
        assert_eq!(names("100%%_%02d.png"), ["100%_00.png", "100%_11.png"]);
        assert_eq!(names("ä/%04d_%%.png"), ["ä/0000_%.png", "ä/0011_%.png"]);
    }

    #[test]
    fn names_that_cannot_be() {
        for (path, frames, reason) in [
            ("walk.png", Some(2), "place for their number"),
            ("-", Some(2), "one stream"),
            ("%d_%d.png", Some(2), "two places"),
            ("%s.png", Some(2), "followed by"),
            ("%3d.png", Some(2), "followed by"),
            ("%", Some(2), "followed by"),
            ("%010d.png", Some(2), "followed by"),
            ("out.jpg", None, "only PNG"),
            ("out.avif", None, ".apng or .webp"),
            ("..", None, "names no file"),
        ] {
            let error = output(path, frames).expect_err(path);
            assert!(error.contains(reason), "{path}: {error}");
        }
        let file = |name: &str| Ok(Output::File(name.into()));
        assert_eq!(output("100%.png", None), file("100%.png"));
        assert_eq!(output("one.png", Some(1)), file("one.png"));
        assert_eq!(output("-", Some(1)), Ok(Output::Stdout));
        for frames in [None, Some(12)] {
            let moving = Ok(Output::Moving("100%.gif".into(), Format::Gif));
            assert_eq!(output("100%.gif", frames), moving, "no pattern");
        }
    }
}
