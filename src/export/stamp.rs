//! Words on a picture: what it shows, so that it can be told later.
//!
//! Laid out by egui's fonts, with the system's for scripts that these lack, and blended on
//! the CPU: a picture need not come from a window.

use std::sync::Arc;

use egui::{
    Color32, FontDefinitions, FontFamily, FontId,
    epaint::{
        TextOptions,
        text::{Fonts, Galley, LayoutJob, TextWrapping},
    },
};
use egui_system_font_provider::SystemFontProvider;

/// Height of letters, as a part of the picture's height and in pixels.
const SIZE: f32 = 1.0 / 32.0;
const SIZES: [f32; 2] = [11.0, 30.0];
/// From the picture's edge to the plate, and from the plate's edge to the text, as parts
/// of the letters' height.
const MARGIN: f32 = 0.7;
const PAD: f32 = 0.5;
/// Behind the text, so that it is read on any ground; straight alpha, sRGB.
const PLATE: [u8; 4] = [14, 16, 20, 165];
const INK: [u8; 3] = [238, 240, 244];

/// Writes on pictures.
pub struct Stamper {
    fonts: Fonts,
}

impl Default for Stamper {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Stamper {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Stamper").finish_non_exhaustive()
    }
}

impl Stamper {
    /// With egui's fonts and the system's.
    pub fn new() -> Self {
        let options = TextOptions {
            max_texture_side: 4096,
            ..TextOptions::default()
        };
        let system = Arc::new(SystemFontProvider::new());
        Self {
            fonts: Fonts::new(options, FontDefinitions::default())
                .with_font_providers(vec![system]),
        }
    }

    /// Writes lines into the lower left corner of a picture of tightly packed RGBA rows
    /// from the top, straight alpha. Lines that are too long end in an ellipsis; in a
    /// picture too small for any letter there are none.
    pub fn stamp(&mut self, rgba: &mut [u8], [width, height]: [u32; 2], lines: &[String]) {
        let whole = width as usize * height as usize * 4;
        let size = (height as f32 * SIZE).clamp(SIZES[0], SIZES[1]).round();
        let (margin, pad) = ((size * MARGIN).round(), (size * PAD).round());
        let room = width as f32 - 2.0 * (margin + pad);
        if rgba.len() != whole || room < size * 2.0 {
            return;
        }
        let font = FontId::new(size, FontFamily::Proportional);
        let mut galleys: Vec<Arc<Galley>> = Vec::new();
        for line in lines.iter().filter(|line| !line.is_empty()) {
            let color = Color32::WHITE;
            let mut job = LayoutJob::simple_singleline(line.clone(), font.clone(), color);
            job.wrap = TextWrapping::truncate_at_width(room);
            galleys.push(self.fonts.with_pixels_per_point(1.0).layout_job(job));
        }
        let atlas = self.fonts.image();
        let text_width = galleys.iter().map(|g| g.size().x).fold(0.0, f32::max);
        let text_height: f32 = galleys.iter().map(|galley| galley.size().y).sum();
        let plate = [text_width + 2.0 * pad, text_height + 2.0 * pad].map(f32::ceil);
        let top = height as f32 - margin - plate[1];
        if galleys.is_empty() || top < 0.0 {
            return;
        }
        let mut picture = Picture {
            rgba,
            size: [width, height].map(|side| side as usize),
        };
        let corner = [margin, top].map(|at| at as usize);
        for y in 0..plate[1] as usize {
            for x in 0..plate[0] as usize {
                let [r, g, b, a] = PLATE;
                picture.blend(
                    corner[0] + x,
                    corner[1] + y,
                    [r, g, b],
                    f32::from(a) / 255.0,
                );
            }
        }
        let mut y = top + pad;
        for galley in galleys {
            for placed in &galley.rows {
                for glyph in &placed.row.glyphs {
                    let uv = glyph.uv_rect;
                    let at = placed.pos.to_vec2() + glyph.pos.to_vec2() + uv.offset;
                    let left = (margin + pad + at.x).round() as isize;
                    let line = (y + at.y).round() as isize;
                    for v in uv.min[1]..uv.max[1] {
                        for u in uv.min[0]..uv.max[0] {
                            let texel = usize::from(v) * atlas.size[0] + usize::from(u);
                            let texel = atlas.pixels[texel];
                            let x = left + (u - uv.min[0]) as isize;
                            let y = line + (v - uv.min[1]) as isize;
                            if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) {
                                let ink = if glyph.is_color {
                                    let [r, g, b, _] = texel.to_srgba_unmultiplied();
                                    [r, g, b]
                                } else {
                                    INK
                                };
                                picture.blend(x, y, ink, f32::from(texel.a()) / 255.0);
                            }
                        }
                    }
                }
            }
            y += galley.size().y;
        }
    }
}

struct Picture<'a> {
    rgba: &'a mut [u8],
    size: [usize; 2],
}

impl Picture<'_> {
    /// A colour over a pixel; outside there is nothing to do.
    fn blend(&mut self, x: usize, y: usize, color: [u8; 3], alpha: f32) {
        if x >= self.size[0] || y >= self.size[1] || alpha <= 0.0 {
            return;
        }
        let at = (y * self.size[0] + x) * 4;
        let pixel = &mut self.rgba[at..at + 4];
        let below = f32::from(pixel[3]) / 255.0;
        let whole = alpha + below * (1.0 - alpha);
        for (channel, ink) in pixel.iter_mut().zip(color) {
            let mixed = f32::from(ink) * alpha + f32::from(*channel) * below * (1.0 - alpha);
            *channel = (mixed / whole).round() as u8;
        }
        pixel[3] = (whole * 255.0).round() as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamped(size: [u32; 2], pixel: [u8; 4], lines: &[&str]) -> Vec<[u8; 4]> {
        let mut rgba = pixel.repeat(size[0] as usize * size[1] as usize);
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        Stamper::new().stamp(&mut rgba, size, &lines);
        rgba.chunks_exact(4)
            .map(|p| [p[0], p[1], p[2], p[3]])
            .collect()
    }

    #[test]
    fn letters_stand_on_a_plate_in_the_corner_on_any_ground() {
        for ground in [[0, 0, 0, 255], [255, 255, 255, 255], [0, 0, 0, 0]] {
            let size = [320, 240];
            let pixels = stamped(size, ground, &["Fox.glb · Survey", "1.283 s"]);
            let at = |x: u32, y: u32| pixels[(y * 320 + x) as usize];
            assert_eq!(at(0, 0), ground, "the rest is as it was");
            assert_eq!(at(319, 239), ground);
            // Somewhere there is ink, and beside it the dark of the plate.
            let bright = pixels.iter().filter(|p| p[..3] == INK[..] && p[3] == 255);
            assert!(bright.count() > 20, "{ground:?}");
            let plate = at(9, 226);
            assert!(plate[0] < 110 && plate[3] >= 165, "{ground:?}: {plate:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_and_small_pictures_left_alone() {
        let long = "a name that nobody could fit into a picture of this size ".repeat(4);
        let size = [160, 120];
        let pixels = stamped(size, [0, 0, 0, 255], &[&long]);
        let right = (0..120).map(|y| pixels[y * 160 + 153]);
        assert!(right.clone().all(|p| p == [0, 0, 0, 255]), "kept inside");
        for size in [[20, 200], [300, 8], [0, 0]] {
            let pixels = stamped(size, [1, 2, 3, 255], &["Walk"]);
            assert!(pixels.iter().all(|p| *p == [1, 2, 3, 255]), "{size:?}");
        }
        let none = stamped([64, 64], [1, 2, 3, 255], &[""]);
        assert!(none.iter().all(|p| *p == [1, 2, 3, 255]));
    }

    #[test]
    fn a_picture_of_another_size_is_no_panic() {
        let mut rgba = vec![0; 7];
        Stamper::new().stamp(&mut rgba, [64, 64], &["Walk".to_owned()]);
        assert_eq!(rgba, [0; 7]);
    }
}
