//! APNG: PNG with several pictures (PNG, third edition, 2025).

use std::io;

use png::{BlendOp, DisposeOp};

use super::animation::{Bytes, changed, check_size};

/// An APNG in the making. Of each picture after the first, the box that changed is
/// stored; where pictures are opaque, unchanged pixels in it are left out too.
pub struct Apng {
    writer: png::Writer<Bytes>,
    bytes: Bytes,
    width: usize,
    height: usize,
    previous: Vec<u8>,
    part: Vec<u8>,
}

impl core::fmt::Debug for Apng {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Apng")
            .field("width", &self.width)
            .field("height", &self.height)
            .finish_non_exhaustive()
    }
}

impl Apng {
    pub(super) fn new(width: u32, height: u32, count: u32) -> io::Result<Self> {
        let bytes = Bytes::default();
        let mut encoder = png::Encoder::new(bytes.clone(), width, height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        encoder.set_animated(count, 0)?;
        encoder.validate_sequence(true);
        Ok(Self {
            writer: encoder.write_header()?,
            bytes,
            width: width as usize,
            height: height as usize,
            previous: Vec::new(),
            part: Vec::new(),
        })
    }

    pub(super) fn push(&mut self, rgba: &[u8], milliseconds: u16) -> io::Result<()> {
        check_size(rgba, self.width, self.height)?;
        let Self {
            writer,
            previous,
            part,
            ..
        } = self;
        writer.set_frame_delay(milliseconds, 1000)?;
        if previous.is_empty() {
            writer.write_image_data(rgba)?;
            previous.extend_from_slice(rgba);
            return Ok(());
        }
        let across = self.width;
        let is_same = |i: usize| rgba[i * 4..][..4] == previous[i * 4..][..4];
        let [left, top, width, height] = changed(self.width, self.height, |i| !is_same(i));
        let pixels =
            (top..top + height).flat_map(|y| (left..left + width).map(move |x| y * across + x));
        // Blended over, alpha 0 leaves the pixel; translucent ones must replace.
        let opaque = pixels.clone().all(|i| rgba[i * 4 + 3] == 255);
        part.clear();
        for i in pixels {
            if opaque && is_same(i) {
                part.extend([0; 4]);
            } else {
                part.extend_from_slice(&rgba[i * 4..][..4]);
            }
        }
        writer.reset_frame_position()?;
        writer.set_frame_dimension(width as u32, height as u32)?;
        writer.set_frame_position(left as u32, top as u32)?;
        writer.set_dispose_op(DisposeOp::None)?;
        writer.set_blend_op(if opaque {
            BlendOp::Over
        } else {
            BlendOp::Source
        })?;
        writer.write_image_data(part)?;
        previous.copy_from_slice(rgba);
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        self.writer.finish()?;
        Ok(self.bytes.take())
    }
}
