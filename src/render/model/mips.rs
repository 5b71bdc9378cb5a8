//! Smaller levels of textures, made on the CPU: for one picture that is faster
//! than compiling a shader for it.

use std::sync::LazyLock;

use crate::document::Image;

/// Steps of the linear-light tables: fine enough to bring every 8-bit sRGB value
/// back to itself.
const STEPS: usize = 1 << 13;

struct Tables {
    linear_from_srgb: [u16; 256],
    srgb_from_linear: Vec<u8>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let linear = |encoded: f32| {
        if encoded <= 0.04045 {
            encoded / 12.92
        } else {
            ((encoded + 0.055) / 1.055).powf(2.4)
        }
    };
    let encoded = |linear: f32| {
        if linear <= 0.003_130_8 {
            linear * 12.92
        } else {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        }
    };
    let top = (STEPS - 1) as f32;
    Tables {
        linear_from_srgb: core::array::from_fn(|i| (linear(i as f32 / 255.0) * top).round() as u16),
        srgb_from_linear: (0..STEPS)
            .map(|i| (encoded(i as f32 / top) * 255.0).round() as u8)
            .collect(),
    }
});

/// An RGBA8 picture.
#[derive(Debug, Clone, PartialEq)]
struct Level {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// Halves a picture, rounding sizes down but not below 1: the mean of 2×2 texels,
/// colours in linear light if they are `srgb`, and weighted by alpha so that what
/// hides behind transparency does not bleed.
fn half(width: u32, height: u32, pixels: &[u8], srgb: bool) -> Level {
    let (w, h) = ((width / 2).max(1), (height / 2).max(1));
    let mut out = Vec::with_capacity(w as usize * h as usize * 4);
    let tables = &*TABLES;
    let row_bytes = width as usize * 4;
    for y in 0..h {
        let row0 = (2 * y).min(height - 1) as usize * row_bytes;
        let row1 = (2 * y + 1).min(height - 1) as usize * row_bytes;
        let (row0, row1) = (
            &pixels[row0..row0 + row_bytes],
            &pixels[row1..row1 + row_bytes],
        );
        for x in 0..w {
            let x0 = (2 * x).min(width - 1) as usize * 4;
            let x1 = (2 * x + 1).min(width - 1) as usize * 4;
            let texels = [
                &row0[x0..x0 + 4],
                &row0[x1..x1 + 4],
                &row1[x0..x0 + 4],
                &row1[x1..x1 + 4],
            ];
            out.extend_from_slice(&mean(tables, texels, srgb));
        }
    }
    Level {
        width: w,
        height: h,
        pixels: out,
    }
}

#[inline]
fn mean(tables: &Tables, texels: [&[u8]; 4], srgb: bool) -> [u8; 4] {
    let alpha: u32 = texels.iter().map(|t| u32::from(t[3])).sum();
    // Opaque, or nothing to weigh by: all texels count alike.
    let even = alpha == 4 * 255 || alpha == 0;
    let mut out = [0, 0, 0, ((alpha + 2) / 4) as u8];
    for (channel, out) in out.iter_mut().take(3).enumerate() {
        let value = |t: &[u8]| {
            if srgb {
                u32::from(tables.linear_from_srgb[usize::from(t[channel])])
            } else {
                u32::from(t[channel])
            }
        };
        let mean = if even {
            (texels.iter().map(|t| value(t)).sum::<u32>() + 2) / 4
        } else {
            let sum: u32 = texels.iter().map(|t| value(t) * u32::from(t[3])).sum();
            (sum + alpha / 2) / alpha
        };
        *out = if srgb {
            tables.srgb_from_linear[mean as usize]
        } else {
            mean as u8
        };
    }
    out
}

/// The smaller levels of an image that have been made so far, largest first.
#[derive(Debug, Default)]
pub(super) struct Smaller(Vec<Level>);

impl Smaller {
    /// Every smaller level of an image.
    pub(super) fn all(image: &Image, srgb: bool) -> Self {
        let (width, height) = (image.width.max(1), image.height.max(1));
        let mut made = Self::default();
        made.level(image, srgb, level_count(width, height) - 1);
        made
    }

    /// Width, height and pixels of a level, 0 being the image itself, which is the same
    /// in every call. Makes what is missing.
    pub(super) fn level<'a>(
        &'a mut self,
        image: &'a Image,
        srgb: bool,
        number: u32,
    ) -> (u32, u32, &'a [u8]) {
        let whole = (image.width.max(1), image.height.max(1), &*image.pixels);
        let parts = |level: &'a Level| (level.width, level.height, &*level.pixels);
        while self.0.len() < number as usize {
            let (width, height, pixels) = match self.0.last() {
                Some(above) => (above.width, above.height, &*above.pixels),
                None => whole,
            };
            let made = half(width, height, pixels, srgb);
            self.0.push(made);
        }
        match number.checked_sub(1) {
            Some(index) => parts(&self.0[index as usize]),
            None => whole,
        }
    }
}

/// Levels of a full chain, the picture itself included.
pub(super) fn level_count(width: u32, height: u32) -> u32 {
    u32::BITS - width.max(height).max(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_srgb_value_survives_and_black_with_white_makes_188() {
        for value in 0..=255u8 {
            let pixels = [value, value, value, 255].repeat(4);
            assert_eq!(half(2, 2, &pixels, true).pixels, [value, value, value, 255]);
        }
        let checker = [[0, 0, 0, 255], [255, 255, 255, 255]].concat().repeat(2);
        assert_eq!(half(2, 2, &checker, true).pixels, [188, 188, 188, 255]);
        assert_eq!(half(2, 2, &checker, false).pixels, [128, 128, 128, 255]);
    }

    #[test]
    fn hidden_colours_do_not_bleed() {
        let pixels = [[200, 0, 0, 255], [0, 255, 0, 0]].concat().repeat(2);
        assert_eq!(half(2, 2, &pixels, true).pixels, [200, 0, 0, 128]);
    }

    #[test]
    fn odd_sizes_round_down_to_one() {
        let level = half(5, 1, &[9; 20], false);
        assert_eq!((level.width, level.height), (2, 1));
        assert_eq!(level.pixels, [9; 8]);
        assert_eq!(level_count(5, 1), 3);
        assert_eq!(level_count(1024, 512), 11);
    }
}
