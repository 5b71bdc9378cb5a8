//! GIF (89a; `CompuServe`, 1990), with one palette for the whole animation.

use std::{borrow::Cow, io};

use gif::{DisposalMethod, EncodingError, Frame, Repeat};

use super::{
    animation::{Bytes, changed, check_size},
    palette::{COLORS, Palette},
};

/// The index that stands for transparency.
const CLEAR: u8 = COLORS as u8;

/// A GIF in the making. Of each opaque picture after the first, the box that changed
/// is stored, with the pixels in it that did not change left out; one with holes is
/// stored as it is, and taken away before the next.
pub struct Gif {
    encoder: gif::Encoder<Bytes>,
    bytes: Bytes,
    width: usize,
    height: usize,
    palette: Palette,
    /// What is on the screen, as indices; empty before the first picture.
    shown: Vec<u8>,
    indices: Vec<u8>,
}

impl core::fmt::Debug for Gif {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Gif")
            .field("width", &self.width)
            .field("height", &self.height)
            .finish_non_exhaustive()
    }
}

impl Gif {
    pub(super) fn new<'a>(
        width: u32,
        height: u32,
        samples: impl IntoIterator<Item = &'a [u8]>,
    ) -> io::Result<Self> {
        let side = |side: u32| {
            u16::try_from(side).map_err(|_| {
                let most = u16::MAX;
                io::Error::other(format!(
                    "a GIF has at most {most} pixels a side, not {side}"
                ))
            })
        };
        let palette = Palette::new(samples);
        let mut table = palette.bytes();
        table.resize((COLORS + 1) * 3, 0);
        let bytes = Bytes::default();
        let mut encoder = gif::Encoder::new(bytes.clone(), side(width)?, side(height)?, &table)
            .map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self {
            encoder,
            bytes,
            width: width as usize,
            height: height as usize,
            palette,
            shown: Vec::new(),
            indices: Vec::new(),
        })
    }

    pub(super) fn push(&mut self, rgba: &[u8], centiseconds: u16) -> io::Result<()> {
        check_size(rgba, self.width, self.height)?;
        self.indices.clear();
        for (i, pixel) in rgba.chunks_exact(4).enumerate() {
            self.indices.push(if pixel[3] < 128 {
                CLEAR
            } else {
                let color = [pixel[0], pixel[1], pixel[2]];
                self.palette.index(color, i % self.width, i / self.width)
            });
        }
        let has_holes = self.indices.contains(&CLEAR);
        let is_first = self.shown.is_empty();
        let area = if is_first || has_holes {
            [0, 0, self.width, self.height]
        } else {
            changed(self.width, self.height, |i| {
                self.indices[i] != self.shown[i]
            })
        };
        let [left, top, width, height] = area;
        let mut part = Vec::with_capacity(width * height);
        for y in top..top + height {
            let row = y * self.width;
            part.extend((row + left..row + left + width).map(|i| {
                let is_same = !is_first && !has_holes && self.indices[i] == self.shown[i];
                if is_same { CLEAR } else { self.indices[i] }
            }));
        }
        let small = |value: usize| value as u16;
        let frame = Frame {
            delay: centiseconds,
            dispose: if has_holes {
                DisposalMethod::Background
            } else {
                DisposalMethod::Keep
            },
            transparent: Some(CLEAR),
            left: small(left),
            top: small(top),
            width: small(width),
            height: small(height),
            buffer: Cow::Owned(part),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(failed)?;
        self.shown.clear();
        if has_holes {
            // Taken away before the next picture.
            self.shown.resize(self.indices.len(), CLEAR);
        } else {
            self.shown.extend_from_slice(&self.indices);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        // Writes the trailer.
        self.encoder.into_inner().map_err(failed)?;
        Ok(self.bytes.take())
    }
}

fn failed(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}
