//! Pictures that are looked at together, in one.

use super::Pixels;

/// Between two pictures that stand side by side, sRGB.
const SEAM: [u8; 4] = [24, 26, 31, 255];
/// The line of a wipe.
const LINE: [u8; 4] = [235, 238, 242, 255];

impl Pixels {
    /// From left to right, `gap` pixels apart.
    #[must_use]
    pub fn beside(parts: &[Self], gap: u32) -> Self {
        Self::beside_in(0, parts, gap)
    }

    /// The same in a picture at least so wide; what is left over is seam.
    #[must_use]
    pub fn beside_in(width: u32, parts: &[Self], gap: u32) -> Self {
        let gaps = gap * (parts.len().max(1) as u32 - 1);
        let needed = parts.iter().map(|part| part.width).sum::<u32>() + gaps;
        let width = width.max(needed);
        let height = parts.iter().map(|part| part.height).max().unwrap_or(0);
        let mut whole = Self {
            width,
            height,
            rgba: SEAM.repeat(width as usize * height as usize),
        };
        let mut left = 0;
        for part in parts {
            whole.paste(part, left, 0..part.width);
            left += part.width + gap;
        }
        whole
    }

    /// A left of a line at this share of the width, B right of it; the line is `line`
    /// pixels wide.
    #[must_use]
    pub fn wiped(a: &Self, b: &Self, share: f32, line: u32) -> Self {
        let mut whole = a.clone();
        let at = (a.width as f32 * share.clamp(0.0, 1.0)).round() as u32;
        whole.paste(b, 0, at..b.width);
        let line = at.saturating_sub(line / 2)..(at + line.div_ceil(2)).min(a.width);
        for y in 0..whole.height as usize {
            for x in line.clone() {
                let start = (y * whole.width as usize + x as usize) * 4;
                whole.rgba[start..start + 4].copy_from_slice(&LINE);
            }
        }
        whole
    }

    /// Puts columns of another picture over this one's, the other's left edge at `left`;
    /// what is over the edge is cut.
    fn paste(&mut self, part: &Self, left: u32, columns: core::ops::Range<u32>) {
        let end = columns.end.min(self.width.saturating_sub(left));
        let columns = columns.start as usize..end as usize;
        if columns.is_empty() {
            return;
        }
        let (row, of_part) = (self.width as usize * 4, part.width as usize * 4);
        for y in 0..part.height.min(self.height) as usize {
            let from = &part.rgba[y * of_part..][columns.start * 4..columns.end * 4];
            let start = y * row + (left as usize + columns.start) * 4;
            self.rgba[start..start + from.len()].copy_from_slice(from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: u32, height: u32, byte: u8) -> Pixels {
        Pixels {
            width,
            height,
            rgba: vec![byte; width as usize * height as usize * 4],
        }
    }

    #[test]
    fn side_by_side_with_a_seam() {
        let both = Pixels::beside(&[plain(2, 2, 1), plain(3, 1, 9)], 1);
        assert_eq!((both.width, both.height), (6, 2));
        let row = |y: u32| -> Vec<[u8; 4]> { (0..6).map(|x| both.pixel(x, y)).collect() };
        let (a, b) = ([1; 4], [9; 4]);
        assert_eq!(row(0), [a, a, SEAM, b, b, b]);
        assert_eq!(row(1), [a, a, SEAM, SEAM, SEAM, SEAM]);
        assert_eq!(Pixels::beside(&[plain(2, 1, 1)], 4), plain(2, 1, 1));
        assert_eq!(Pixels::beside(&[], 4).width, 0);
        let wide = Pixels::beside_in(4, &[plain(1, 1, 1), plain(1, 1, 9)], 1);
        let row: Vec<[u8; 4]> = (0..4).map(|x| wide.pixel(x, 0)).collect();
        assert_eq!(row, [a, SEAM, b, SEAM]);
    }

    #[test]
    fn a_wipe_has_a_line_between() {
        let whole = Pixels::wiped(&plain(8, 1, 1), &plain(8, 1, 9), 0.5, 2);
        let row: Vec<[u8; 4]> = (0..8).map(|x| whole.pixel(x, 0)).collect();
        let (a, b) = ([1; 4], [9; 4]);
        assert_eq!(row, [a, a, a, LINE, LINE, b, b, b]);
        for (share, side) in [(0.0, b), (1.0, a)] {
            let whole = Pixels::wiped(&plain(8, 1, 1), &plain(8, 1, 9), share, 2);
            assert_eq!(whole.pixel(4, 0), side);
        }
    }
}
