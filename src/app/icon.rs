//! The window's icon, drawn by code: three joints of a bent limb.

use winit::window::Icon;

use crate::{
    math::segment_distance,
    scene::{Background, accent},
};

const SIZE: u32 = 64;

/// Joints of the limb in icon coordinates, 0 … 1 from the top left.
const JOINTS: [[f32; 2]; 3] = [[0.28, 0.22], [0.66, 0.46], [0.36, 0.80]];

/// The icon, or `None` where the system refuses it.
pub(super) fn window_icon() -> Option<Icon> {
    Icon::from_rgba(pixels(), SIZE, SIZE).ok()
}

/// Straight-alpha RGBA rows from the top.
fn pixels() -> Vec<u8> {
    let mut rgba = Vec::with_capacity((SIZE * SIZE * 4) as usize);
    for y in 0..SIZE {
        for x in 0..SIZE {
            let point = [x, y].map(|c| (c as f32 + 0.5) / SIZE as f32);
            let mut color = [0.0; 4];
            blend(
                &mut color,
                [0.13, 0.14, 0.17],
                0.47 - square_distance(point),
            );
            for bone in JOINTS.windows(2) {
                let away = distance(point, bone[0], bone[1]);
                blend(&mut color, [0.80, 0.82, 0.86], 0.045 - away);
            }
            for (index, &joint) in JOINTS.iter().enumerate() {
                // The middle joint is the selected one.
                let fill = if index == 1 {
                    accent(Background::Dark).map(|channel| f32::from(channel) / 255.0)
                } else {
                    [0.95, 0.96, 0.98]
                };
                blend(&mut color, fill, 0.095 - distance(point, joint, joint));
            }
            rgba.extend(color.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8));
        }
    }
    rgba
}

/// Paints over by how far inside a shape the pixel lies, one pixel soft.
fn blend(under: &mut [f32; 4], over: [f32; 3], inside: f32) {
    let cover = (inside * SIZE as f32 + 0.5).clamp(0.0, 1.0);
    let alpha = cover + under[3] * (1.0 - cover);
    if alpha > 0.0 {
        let kept = under[3] * (1.0 - cover);
        for (channel, over) in under.iter_mut().zip(over) {
            *channel = (over * cover + *channel * kept) / alpha;
        }
    }
    under[3] = alpha;
}

/// From the middle of a square with round corners, which is at 0.47 on its edge.
fn square_distance([x, y]: [f32; 2]) -> f32 {
    const CORNER: f32 = 0.14;
    let out = [x - 0.5, y - 0.5].map(|c| (c.abs() - (0.47 - CORNER)).max(0.0));
    (out[0].hypot(out[1])) + (0.47 - CORNER)
}

fn distance(point: [f32; 2], from: [f32; 2], to: [f32; 2]) -> f32 {
    segment_distance(point.into(), from.into(), to.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_clear_and_the_middle_joint_is_the_accent() {
        let rgba = pixels();
        assert_eq!(rgba.len(), (SIZE * SIZE * 4) as usize);
        let at = |x: f32, y: f32| {
            let index = ((y * SIZE as f32) as u32 * SIZE + (x * SIZE as f32) as u32) as usize * 4;
            [
                rgba[index],
                rgba[index + 1],
                rgba[index + 2],
                rgba[index + 3],
            ]
        };
        assert_eq!(at(0.0, 0.0)[3], 0);
        let [r, g, b] = accent(Background::Dark);
        assert_eq!(at(0.66, 0.46), [r, g, b, 255]);
        assert_eq!(at(0.1, 0.5)[3], 255);
    }
}
