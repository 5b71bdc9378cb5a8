//! WebP with several pictures: lossless VP8L pictures in the extended container (RFC 9649).

use std::io::{self, Write as _};

use image::{ExtendedColorType, codecs::webp::WebPEncoder};

use super::animation::{Bytes, changed, check_size};

/// The largest side that a lossless picture can have.
const MAX_SIDE: u32 = 1 << 14;
/// The canvas shows animation, and pictures may be translucent.
const FLAGS: u8 = 0b0001_0010;
/// A picture replaces what is below it, translucent or not, and stays.
const REPLACE: u8 = 0b10;

/// A WebP in the making. Of each picture after the first, the box that changed is stored.
#[derive(Debug)]
pub struct WebP {
    bytes: Bytes,
    width: usize,
    height: usize,
    previous: Vec<u8>,
}

/// The lowest three bytes, the lowest first.
fn u24(value: u32) -> [u8; 3] {
    let [a, b, c, _] = value.to_le_bytes();
    [a, b, c]
}

fn chunk(bytes: &mut Bytes, name: &[u8; 4], parts: &[&[u8]]) -> io::Result<()> {
    let size: usize = parts.iter().map(|part| part.len()).sum();
    let stored = u32::try_from(size).map_err(io::Error::other)?;
    bytes.write_all(name)?;
    bytes.write_all(&stored.to_le_bytes())?;
    parts.iter().try_for_each(|part| bytes.write_all(part))?;
    // Chunks begin at even places.
    bytes.write_all(&[0][..size % 2])
}

impl WebP {
    pub(super) fn new(width: u32, height: u32) -> io::Result<Self> {
        if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE {
            return Err(io::Error::other(format!(
                "a WebP has sides of 1 to {MAX_SIDE} pixels, not {width} × {height}"
            )));
        }
        let mut bytes = Bytes::default();
        // The size follows at the end.
        bytes.write_all(b"RIFF\0\0\0\0WEBP")?;
        let [last_x, last_y] = [width - 1, height - 1].map(u24);
        chunk(&mut bytes, b"VP8X", &[&[FLAGS, 0, 0, 0], &last_x, &last_y])?;
        // No background, and for ever.
        chunk(&mut bytes, b"ANIM", &[&[0; 4], &[0; 2]])?;
        Ok(Self {
            bytes,
            width: width as usize,
            height: height as usize,
            previous: Vec::new(),
        })
    }

    pub(super) fn push(&mut self, rgba: &[u8], milliseconds: u16) -> io::Result<()> {
        check_size(rgba, self.width, self.height)?;
        let [left, top, width, height] = if self.previous.is_empty() {
            [0, 0, self.width, self.height]
        } else {
            let (before, now) = (&self.previous, rgba);
            let is_changed = |i: usize| before[i * 4..][..4] != now[i * 4..][..4];
            let [left, top, width, height] = changed(self.width, self.height, is_changed);
            // Boxes begin at even places.
            let (odd_x, odd_y) = (left % 2, top % 2);
            [left - odd_x, top - odd_y, width + odd_x, height + odd_y]
        };
        let row = |y: usize| &rgba[(y * self.width + left) * 4..][..width * 4];
        let part: Vec<u8> = (top..top + height).flat_map(row).copied().collect();
        let picture = lossless(&part, width as u32, height as u32)?;
        let stored = (picture.len() as u32).to_le_bytes();
        let place = [left / 2, top / 2, width - 1, height - 1].map(|value| u24(value as u32));
        let [x, y, last_x, last_y] = &place;
        let duration = u24(u32::from(milliseconds));
        let parts: [&[u8]; 10] = [
            x,
            y,
            last_x,
            last_y,
            &duration,
            &[REPLACE],
            b"VP8L",
            &stored,
            &picture,
            &[0][..picture.len() % 2],
        ];
        chunk(&mut self.bytes, b"ANMF", &parts)?;
        self.previous.clear();
        self.previous.extend_from_slice(rgba);
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        let mut bytes = self.bytes.take();
        let size = u32::try_from(bytes.len() - 8).map_err(io::Error::other)?;
        bytes[4..8].copy_from_slice(&size.to_le_bytes());
        Ok(bytes)
    }
}

/// The content of the VP8L chunk of a picture.
fn lossless(rgba: &[u8], width: u32, height: u32) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    WebPEncoder::new_lossless(&mut file)
        .encode(rgba, width, height, ExtendedColorType::Rgba8)
        .map_err(io::Error::other)?;
    // After `RIFF`, a size and `WEBP`: chunks of a name, a size and content.
    let mut at = 12;
    while let Some(header) = file.get(at..at + 8) {
        let size = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        if header.starts_with(b"VP8L") {
            let content = file.get(at + 8..at + 8 + size);
            return content
                .map(<[u8]>::to_vec)
                .ok_or_else(|| io::Error::other("the WebP encoder's picture is cut"));
        }
        at += 8 + size + size % 2;
    }
    Err(io::Error::other(
        "the WebP encoder made no lossless picture",
    ))
}
