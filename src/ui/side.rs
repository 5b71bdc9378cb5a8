//! How the sides of a comparison are told apart in panels and over the view.

use egui::{Color32, Rgba};

use crate::session::MOST_SIDES;

/// What a side is called.
pub const LETTERS: [&str; MOST_SIDES] = ["A", "B", "C", "D"];

/// The colour of a side's letter and line: that of its figure in an overlay, and the
/// accent for A.
pub fn color(side: usize, is_dark: bool, accent: Color32) -> Color32 {
    if side == 0 {
        return accent;
    }
    let [r, g, b] = crate::scene::side_tint(side).truncate().to_array();
    let color = Color32::from(Rgba::from_rgb(r, g, b));
    if is_dark {
        color.lerp_to_gamma(Color32::WHITE, 0.35)
    } else {
        color.lerp_to_gamma(Color32::BLACK, 0.35)
    }
}
