//! The 255 colours of a GIF, and pixels as mixtures of them.

/// Colours besides the one that stands for transparency.
pub(super) const COLORS: usize = 255;
/// Rounds of moving each colour to the middle of what it stands for.
const ROUNDS: usize = 4;

/// Colours with a table from any colour to the nearest of them.
pub(super) struct Palette {
    colors: Vec<[u8; 3]>,
    /// By 7 bits of red, green and blue: index of the nearest colour plus one, 0 for
    /// what was not asked for yet.
    nearest: Vec<u16>,
}

type Weighted = ([u8; 3], u32);

impl Palette {
    /// Colours that stand for those of opaque pixels in `samples` (RGBA) with little
    /// error: median cut by variance, then k-means.
    pub(super) fn new<'a>(samples: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut seen = std::collections::BTreeMap::<[u8; 3], u32>::new();
        for sample in samples {
            for pixel in sample.chunks_exact(4) {
                if pixel[3] >= 128 {
                    *seen.entry([pixel[0], pixel[1], pixel[2]]).or_default() += 1;
                }
            }
        }
        // A few pixels of a colour matter more than their number says: an accent.
        let mut all: Vec<Weighted> = seen
            .into_iter()
            .map(|(color, count)| (color, f64::from(count).sqrt().ceil() as u32))
            .collect();
        let mut palette = Self {
            colors: cut(&mut all),
            nearest: Vec::new(),
        };
        if palette.colors.is_empty() {
            palette.colors.push([0; 3]);
        }
        for _ in 0..ROUNDS {
            palette.forget();
            palette.settle(&all);
        }
        palette.forget();
        palette
    }

    /// Red, green, blue of each colour in turn.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    fn forget(&mut self) {
        self.nearest.clear();
        self.nearest.resize(1 << 21, 0);
    }

    /// Moves each colour to the mean of the colours that it is nearest to.
    fn settle(&mut self, all: &[Weighted]) {
        let mut sums = vec![([0u64; 3], 0u64); self.colors.len()];
        for &(color, weight) in all {
            let (sum, total) = &mut sums[self.nearest(color.map(i32::from))];
            for (sum, value) in sum.iter_mut().zip(color) {
                *sum += u64::from(value) * u64::from(weight);
            }
            *total += u64::from(weight);
        }
        for (color, (sum, total)) in self.colors.iter_mut().zip(sums) {
            if total > 0 {
                *color = sum.map(|sum| ((sum + total / 2) / total) as u8);
            }
        }
    }

    /// Index of the colour nearest to one that may lie outside of what bytes can say.
    fn nearest(&mut self, color: [i32; 3]) -> usize {
        let [r, g, b] = color.map(|value| value.clamp(0, 255) as usize >> 1);
        let slot = r << 14 | g << 7 | b;
        if self.nearest[slot] == 0 {
            let wanted = [r, g, b].map(|value| (value * 2 + 1) as i32);
            let index = (0..self.colors.len())
                .min_by_key(|&index| distance(self.colors[index].map(i32::from), wanted));
            self.nearest[slot] = index.unwrap_or(0) as u16 + 1;
        }
        usize::from(self.nearest[slot]) - 1
    }

    /// The index for an opaque pixel at (x, y). Between two colours it takes the one
    /// or the other by a pattern that stays where it is from picture to picture, so
    /// that what stands still does not flicker.
    pub(super) fn index(&mut self, color: [u8; 3], x: usize, y: usize) -> u8 {
        /// Colours farther apart are not mixed: that would be grain, not shading.
        const FAR: i32 = 24 * 24 * 4;
        let wanted = color.map(i32::from);
        let first = self.nearest(wanted);
        let a = self.colors[first].map(i32::from);
        let beyond: [i32; 3] = core::array::from_fn(|i| wanted[i] + (wanted[i] - a[i]));
        let second = self.nearest(beyond);
        let b = self.colors[second].map(i32::from);
        let apart = distance(a, b);
        if first == second || apart > FAR {
            return first as u8;
        }
        // How far the colour is on the way from the one to the other.
        let along: i32 = (0..3)
            .map(|i| WEIGHTS[i] * (wanted[i] - a[i]) * (b[i] - a[i]))
            .sum();
        let share = along as f32 / apart as f32;
        let chosen = if share > threshold(x, y) {
            second
        } else {
            first
        };
        chosen as u8
    }
}

/// How much the eye cares for red, green, blue.
const WEIGHTS: [i32; 3] = [3, 6, 1];

fn distance(a: [i32; 3], b: [i32; 3]) -> i32 {
    (0..3).map(|i| WEIGHTS[i] * (a[i] - b[i]).pow(2)).sum()
}

/// Interleaved gradient noise in 0 … 1 (J. Jimenez, SIGGRAPH 2014): neighbours differ
/// much, as in blue noise.
fn threshold(x: usize, y: usize) -> f32 {
    let dot = x as f32 * 0.067_110_56 + y as f32 * 0.005_837_15;
    (52.982_918 * dot.fract()).fract()
}

/// Cuts the colours into at most [`COLORS`] boxes, always the one with the largest
/// error along its longest side, and gives the mean of each.
fn cut(all: &mut [Weighted]) -> Vec<[u8; 3]> {
    let mut boxes: Vec<(f64, usize, core::ops::Range<usize>)> = Vec::new();
    let whole = 0..all.len();
    if !whole.is_empty() {
        let (error, axis) = spread(all);
        boxes.push((error, axis, whole));
    }
    while boxes.len() < COLORS {
        let Some(at) = (0..boxes.len()).max_by(|&a, &b| boxes[a].0.total_cmp(&boxes[b].0)) else {
            break;
        };
        let (error, axis, range) = boxes[at].clone();
        if error <= 0.0 {
            break;
        }
        let part = &mut all[range.clone()];
        part.sort_unstable_by_key(|&(color, _)| color[axis]);
        let mean = mean(part)[axis];
        let split = part.partition_point(|&(color, _)| f64::from(color[axis]) <= mean);
        let middle = range.start + split.clamp(1, part.len() - 1);
        for (slot, range) in [(Some(at), range.start..middle), (None, middle..range.end)] {
            let (error, axis) = spread(&all[range.clone()]);
            match slot {
                Some(at) => boxes[at] = (error, axis, range),
                None => boxes.push((error, axis, range)),
            }
        }
    }
    boxes
        .into_iter()
        .map(|(_, _, range)| mean(&all[range]).map(|value| value.round() as u8))
        .collect()
}

fn mean(part: &[Weighted]) -> [f64; 3] {
    let total: f64 = part.iter().map(|&(_, weight)| f64::from(weight)).sum();
    core::array::from_fn(|i| {
        let sum: f64 = part
            .iter()
            .map(|&(c, w)| f64::from(c[i]) * f64::from(w))
            .sum();
        sum / total.max(1.0)
    })
}

/// Squared error against the mean, over all pixels, and the axis with most of it.
fn spread(part: &[Weighted]) -> (f64, usize) {
    let mean = mean(part);
    let errors: [f64; 3] = core::array::from_fn(|i| {
        let sum: f64 = part
            .iter()
            .map(|&(c, w)| (f64::from(c[i]) - mean[i]).powi(2) * f64::from(w))
            .sum();
        sum * f64::from(WEIGHTS[i])
    });
    let axis = (0..3).max_by(|&a, &b| errors[a].total_cmp(&errors[b]));
    (errors.iter().sum(), axis.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_exactly() {
        let colors = [[0, 0, 0], [255, 255, 255], [200, 30, 40], [76, 178, 255]];
        let rgba: Vec<u8> = colors
            .iter()
            .flat_map(|&[r, g, b]| [r, g, b, 255].repeat(50))
            .collect();
        let mut palette = Palette::new([rgba.as_slice()]);
        assert_eq!(palette.colors.len(), 4);
        for color in colors {
            let index = usize::from(palette.index(color, 3, 5));
            assert_eq!(palette.colors[index], color);
        }
    }

    #[test]
    fn a_smooth_gradient_keeps_its_mean_everywhere_and_its_pattern() {
        // 1024 shades in eight bits, with a colour that fills the palette up.
        let shade = |x: usize| [20 + x as u8 / 8, 21 + x as u8 / 8, 24 + x as u8 / 8];
        let mut rgba = Vec::new();
        for i in 0..256 * 64 {
            let [r, g, b] = shade(i % 256);
            rgba.extend([r, g, b, 255]);
            rgba.extend([
                (i * 7 % 256) as u8,
                (i * 13 % 256) as u8,
                (i * 29 % 256) as u8,
                255,
            ]);
        }
        let mut palette = Palette::new([rgba.as_slice()]);
        for x in (0..256).step_by(16) {
            let mean = |palette: &mut Palette| {
                let mut sum = 0;
                for i in 0..256 {
                    let index = usize::from(palette.index(shade(x), i % 16, i / 16));
                    sum += u32::from(palette.colors[index][1]);
                }
                sum as f32 / 256.0
            };
            let (first, again) = (mean(&mut palette), mean(&mut palette));
            assert_eq!(first, again);
            let wanted = f32::from(shade(x)[1]);
            assert!((first - wanted).abs() < 2.0, "{first} for {wanted}");
        }
    }

    #[test]
    fn without_opaque_pixels_there_is_a_palette_all_the_same() {
        let mut palette = Palette::new([[9, 9, 9, 0].as_slice()]);
        assert_eq!(palette.colors, [[0; 3]]);
        assert_eq!(palette.index([1, 2, 3], 0, 0), 0);
    }
}
