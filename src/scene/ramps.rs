//! Colours that mean a number or a kind, the same in the view and in its legend.
//!
//! All sRGB. Each set is told apart by lightness as well as by hue, so that it reads
//! with red-green blindness and in grey.

use crate::{document::Severity, math::Handedness};

/// Joints that a colouring has nothing to say about.
pub const UNREMARKABLE: [u8; 3] = [0x8e, 0x96, 0xa2];

/// Colour of the worst finding about a joint.
pub const fn severity_color(worst: Option<Severity>) -> [u8; 3] {
    match worst {
        None => UNREMARKABLE,
        Some(Severity::Info) => [0x6c, 0xb8, 0xf5],
        Some(Severity::Warning) => [0xf7, 0xd0, 0x5c],
        Some(Severity::Error) => [0xe0, 0x3e, 0x2d],
    }
}

/// Colour of what a joint's world matrix does to left and right.
pub const fn handedness_color(handedness: Handedness) -> [u8; 3] {
    match handedness {
        Handedness::Kept => [0x6f, 0x9e, 0xd6],
        Handedness::Mirrored => [0xf5, 0xb5, 0x41],
        Handedness::Flat => [0xe0, 0x3e, 0x2d],
    }
}

/// Shear in degrees at the upper end of [`shear_color`].
pub const MOST_SHEAR_DEGREES: f32 = 20.0;

/// Even steps in lightness from a quiet slate over teal to pale yellow.
const SHEAR: [[u8; 3]; 6] = [
    [0x74, 0x7d, 0x92],
    [0x5f, 0x90, 0xa6],
    [0x52, 0xa8, 0xa0],
    [0x6f, 0xc2, 0x8c],
    [0xb0, 0xd9, 0x6c],
    [0xff, 0xec, 0x5c],
];

/// Where an angle of shear lies on its ramp, 0 … 1: the square root of its share of
/// [`MOST_SHEAR_DEGREES`], for a degree matters and so do twenty.
pub fn shear_place(degrees: f32) -> f32 {
    (degrees.max(0.0) / MOST_SHEAR_DEGREES).sqrt().min(1.0)
}

/// The ramp of shear at a place, 0 … 1.
pub fn shear_color(place: f32) -> [u8; 3] {
    let last = SHEAR.len() - 1;
    let at = place.clamp(0.0, 1.0) * last as f32;
    let low = (at as usize).min(last - 1);
    let share = at - low as f32;
    let (from, to) = (SHEAR[low], SHEAR[low + 1]);
    core::array::from_fn(|i| {
        let (from, to) = (f32::from(from[i]), f32::from(to[i]));
        (from + (to - from) * share).round() as u8
    })
}

/// Colours of pinned trails, in the order of pinning, over and over.
pub const TRAILS: [[u8; 3]; 5] = [
    [0xf2, 0xa9, 0x3b],
    [0x3f, 0xbf, 0x9b],
    [0xe0, 0x82, 0xb4],
    [0xf0, 0xe0, 0x5a],
    [0xd5, 0xda, 0xe2],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Rec. 709 luma of encoded values: near enough to lightness for an order.
    fn luma([r, g, b]: [u8; 3]) -> f32 {
        0.2126 * f32::from(r) + 0.7152 * f32::from(g) + 0.0722 * f32::from(b)
    }

    #[test]
    fn the_ramp_of_shear_grows_lighter_all_the_way() {
        let steps = (0..=50).map(|step| luma(shear_color(step as f32 / 50.0)));
        let steps: Vec<f32> = steps.collect();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
        assert_eq!(shear_color(-1.0), SHEAR[0]);
        assert_eq!(shear_color(f32::MAX), SHEAR[5]);
    }

    #[test]
    fn shear_is_placed_so_that_small_angles_show() {
        assert_eq!(shear_place(0.0), 0.0);
        assert!((shear_place(5.0) - 0.5).abs() < 1e-6);
        assert_eq!(shear_place(90.0), 1.0);
        assert_eq!(shear_color(shear_place(f32::NAN)), SHEAR[0]);
    }

    #[test]
    fn kinds_differ_in_lightness() {
        let kinds = [
            severity_color(Some(Severity::Error)),
            severity_color(Some(Severity::Info)),
            severity_color(Some(Severity::Warning)),
        ];
        for pair in kinds.windows(2) {
            assert!(luma(pair[1]) - luma(pair[0]) > 25.0, "{pair:?}");
        }
        let hands = [Handedness::Flat, Handedness::Kept, Handedness::Mirrored];
        for pair in hands.windows(2) {
            let (a, b) = (
                luma(handedness_color(pair[0])),
                luma(handedness_color(pair[1])),
            );
            assert!(b - a > 25.0, "{pair:?}: {a} {b}");
        }
    }
}
