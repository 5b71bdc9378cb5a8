//! Colours of components and strokes of joints.
//!
//! Hues follow the axes of the view; x, y, z and w differ in lightness as well, and every
//! line carries its letter at its end, so that nothing hangs on telling red from green.

use egui::{Color32, Painter, Pos2, Shape, Stroke, Visuals, pos2};

use crate::analysis::curves::Curve;

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// x, y, z, w.
const DARK_AXES: [Color32; 4] = [
    rgb(0xff_70_5c),
    rgb(0xb9_e8_4c),
    rgb(0x5f_8d_ff),
    rgb(0xe6_e8_ec),
];
const LIGHT_AXES: [Color32; 4] = [
    rgb(0xb8_26_18),
    rgb(0x6d_98_00),
    rgb(0x25_4b_da),
    rgb(0x3c_42_4c),
];
/// What has no axis: the true and the stored; morph targets go through all.
const DARK_OTHERS: [Color32; 6] = [
    rgb(0x4f_d3_c4),
    rgb(0xf2_b4_45),
    rgb(0xc8_9b_f5),
    rgb(0x8d_c8_f5),
    rgb(0xf0_8f_b8),
    rgb(0xd8_d9_8a),
];
const LIGHT_OTHERS: [Color32; 6] = [
    rgb(0x0b_86_7c),
    rgb(0xa0_68_00),
    rgb(0x81_3f_c2),
    rgb(0x1f_78_b8),
    rgb(0xb8_36_70),
    rgb(0x6b_6c_10),
];

/// The colour of a curve's component.
pub fn component(visuals: &Visuals, curve: Curve, index: usize) -> Color32 {
    let (axes, others) = if visuals.dark_mode {
        (&DARK_AXES, &DARK_OTHERS)
    } else {
        (&LIGHT_AXES, &LIGHT_OTHERS)
    };
    match curve {
        Curve::QuaternionStored
        | Curve::QuaternionAligned
        | Curve::Euler(_)
        | Curve::Translation
        | Curve::Scale => axes[index % axes.len()],
        Curve::AngularSpeed => others[2],
        Curve::AngleFromOrientation => others[3],
        _ => others[index % others.len()],
    }
}

/// How the lines of a joint are drawn: whole for the selected one, broken for those that
/// are pinned beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineStyle(pub usize);

impl LineStyle {
    /// Dashes and gaps; empty for a whole line.
    fn dashes(self) -> (&'static [f32], &'static [f32]) {
        match self.0 {
            0 => (&[], &[]),
            n => match n % 3 {
                1 => (&[7.0], &[3.5]),
                2 => (&[1.8], &[2.6]),
                _ => (&[8.0, 1.8], &[3.0, 3.0]),
            },
        }
    }

    /// A line through these points.
    pub fn paint(self, painter: &Painter, points: Vec<Pos2>, stroke: Stroke) {
        if points.len() < 2 {
            return;
        }
        let (dashes, gaps) = self.dashes();
        if dashes.is_empty() {
            painter.line(points, stroke);
        } else {
            let line = Shape::dashed_line_with_offset(&points, stroke, dashes, gaps, 0.0);
            painter.extend(line);
        }
    }

    /// A short level piece of it, for legends.
    pub fn sample(self, painter: &Painter, left: Pos2, width: f32, stroke: Stroke) {
        let points = vec![left, pos2(left.x + width, left.y)];
        self.paint(painter, points, stroke);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2).
    fn luminance(color: Color32) -> f32 {
        let linear = |byte: u8| {
            let value = f32::from(byte) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    }

    fn contrast(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn lines_stand_out_and_red_differs_from_green_in_lightness() {
        for (colors, axes, others) in [
            (&crate::ui::theme::DARK, DARK_AXES, DARK_OTHERS),
            (&crate::ui::theme::LIGHT, LIGHT_AXES, LIGHT_OTHERS),
        ] {
            for color in axes.into_iter().chain(others) {
                let ratio = contrast(color, colors.sunken);
                assert!(ratio >= 3.0, "{color:?} on the plot: {ratio:.2}");
            }
            let ratio = contrast(axes[0], axes[1]);
            assert!(ratio >= 1.6, "x and y: {ratio:.2}");
        }
    }
}
