//! Which parts of the picture need which work.
//!
//! A rasteriser on the CPU pays for every pixel and for every branch that a shader
//! might have taken. So the ground is drawn with its shadow only where characters can
//! darken it, with its grid only below the horizon, and not at all above.

use glam::{Mat4, Vec2, Vec3};

use super::{
    pipelines::Ground,
    view::{self, Extent},
};
use crate::{math::Aabb, scene::Frame};

/// What a frame's passes do where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub shadows: bool,
    /// Where characters may occlude; `None` without ambient occlusion.
    pub occlusion: Option<Region>,
    /// Grounds and regions that make up the whole picture, without overlaps.
    parts: [(Ground, Region); 6],
}

impl Plan {
    /// `radius` is that of ambient occlusion. Without `split` the costliest kind of
    /// ground is drawn everywhere: one pipeline less to compile.
    pub(super) fn new(
        frame: &Frame,
        extent: &Extent,
        radius: f32,
        towards_light: Vec3,
        split: bool,
    ) -> Self {
        let size = extent.size;
        let whole = Region::whole(size);
        let clip = frame.camera.clip_from_view * frame.camera.view_from_world;
        let blur = extent.shadow.map_or(0.0, |fit| fit.widest_blur());
        let darkens = extent.shadow.is_some() || extent.occlusion;
        let costliest = if !view::has_ground(frame) {
            Ground::None
        } else if darkens {
            Ground::Darkened {
                occlusion: extent.occlusion,
            }
        } else {
            Ground::Grid
        };
        let darkened = if darkens {
            ground_reach(
                frame.bounds,
                radius.max(blur),
                frame.ground_height,
                towards_light,
            )
            .map_or(whole, |boxes| Region::of(&boxes, clip, size))
        } else {
            Region::default()
        };
        let parts = if split && costliest != Ground::None {
            split_ground(
                whole,
                view::ground_rows(frame, size.1),
                darkened,
                costliest,
            )
        } else {
            let mut parts = [(Ground::None, Region::default()); 6];
            parts[0] = (costliest, whole);
            parts
        };
        Self {
            shadows: extent.shadow.is_some(),
            occlusion: extent
                .occlusion
                .then(|| Region::of(&[grown(frame.bounds, radius)], clip, size)),
            parts,
        }
    }

    /// What to draw where; together the whole picture.
    pub(super) fn parts(&self) -> impl Iterator<Item = (Ground, Region)> {
        self.parts
            .iter()
            .copied()
            .filter(|(_, region)| !region.is_empty())
    }
}

/// Rows with ground and without, and of the ground what is darkened, with what lies
/// over, under, left and right of that.
fn split_ground(
    whole: Region,
    rows: core::ops::Range<u32>,
    darkened: Region,
    costliest: Ground,
) -> [(Ground, Region); 6] {
    let band = |from: u32, to: u32| Region {
        y: from,
        height: to.saturating_sub(from),
        ..whole
    };
    let sky = if rows.start > 0 {
        band(0, rows.start)
    } else {
        band(rows.end, whole.height)
    };
    let top = darkened.y.clamp(rows.start, rows.end);
    let bottom = (darkened.y + darkened.height).clamp(top, rows.end);
    let right = darkened.x + darkened.width;
    let middle = |x: u32, width: u32| Region {
        x,
        y: top,
        width,
        height: bottom - top,
    };
    [
        (Ground::None, sky),
        (costliest, middle(darkened.x, darkened.width)),
        (Ground::Grid, band(rows.start, top)),
        (Ground::Grid, band(bottom, rows.end)),
        (Ground::Grid, middle(0, darkened.x)),
        (Ground::Grid, middle(right, whole.width - right)),
    ]
}

/// A rectangle of a target in pixels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Region {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Region {
    pub(super) fn whole((width, height): (u32, u32)) -> Self {
        Self {
            x: 0,
            y: 0,
            width,
            height,
        }
    }

    /// Pixels that may show something inside the boxes: all of them if a corner is
    /// not before the eye.
    pub(super) fn of(
        boxes: &[Aabb],
        clip_from_world: Mat4,
        size: (u32, u32),
    ) -> Self {
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let extent = Vec2::new(size.0 as f32, size.1 as f32);
        for corner in boxes.iter().flat_map(Aabb::corners) {
            let clip = clip_from_world * corner.extend(1.0);
            let at = clip.truncate().truncate() / clip.w;
            if clip.w <= 0.0 || !at.is_finite() {
                return Self::whole(size);
            }
            let pixel = (at * Vec2::new(0.5, -0.5) + 0.5) * extent;
            (low, high) = (low.min(pixel), high.max(pixel));
        }
        // Filters reach over the edge.
        let low = (low - 8.0).clamp(Vec2::ZERO, extent);
        let high = (high + 8.0).clamp(low, extent);
        // Even, for the map of half the resolution.
        let (x, y) = (low.x as u32 / 2 * 2, low.y as u32 / 2 * 2);
        Self {
            x,
            y,
            width: (high.x.ceil() as u32 - x).next_multiple_of(2).min(size.0 - x),
            height: (high.y.ceil() as u32 - y).next_multiple_of(2).min(size.1 - y),
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// The same in texels of half the resolution.
    pub(super) fn halved(self) -> Self {
        Self {
            x: self.x / 2,
            y: self.y / 2,
            width: self.width.div_ceil(2),
            height: self.height.div_ceil(2),
        }
    }

    pub(super) fn scissor(self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_scissor_rect(self.x, self.y, self.width, self.height);
    }
}

/// A box with air around it.
fn grown(characters: Aabb, margin: f32) -> Aabb {
    Aabb {
        min: characters.min - margin,
        max: characters.max + margin,
    }
}

/// The box grown by `margin` on all sides, and its shadow on the ground: what can
/// darken, and where the ground can be darkened. `None` where the light is so low
/// that there is no telling.
fn ground_reach(
    characters: Aabb,
    margin: f32,
    ground_height: f32,
    towards_light: Vec3,
) -> Option<[Aabb; 2]> {
    if towards_light.y < 0.05 {
        return None;
    }
    let grown = grown(characters, margin);
    let thrown = grown.corners().map(|corner| {
        corner - towards_light * ((corner.y - ground_height) / towards_light.y)
    });
    Some([grown, Aabb::from_points(thrown)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::OrbitCamera;

    /// Every pixel is drawn once, whatever is where.
    #[test]
    fn parts_make_up_the_picture_without_overlaps() {
        let whole = Region::whole((13, 9));
        let darkened = Region {
            x: 4,
            y: 2,
            width: 6,
            height: 5,
        };
        let kind = Ground::Darkened { occlusion: true };
        for rows in [0..9, 0..0, 9..9, 4..9, 0..5, 8..9, 1..9] {
            for region in [darkened, Region::default(), whole] {
                let mut seen = [[0; 13]; 9];
                for (ground, part) in split_ground(whole, rows.clone(), region, kind) {
                    for y in part.y..part.y + part.height {
                        for x in part.x..part.x + part.width {
                            seen[y as usize][x as usize] += 1;
                            let sky = !rows.contains(&y);
                            assert_eq!(sky, ground == Ground::None, "{rows:?} {x} {y}");
                        }
                    }
                }
                assert_eq!(seen, [[1; 13]; 9], "{rows:?} {region:?}");
            }
        }
    }

    #[test]
    fn a_region_holds_what_it_should_and_stays_inside() {
        let clip = OrbitCamera::default();
        let clip = clip.clip_from_view(2.0) * clip.view_from_world();
        let small = Aabb::from_points([Vec3::splat(-0.1), Vec3::splat(0.1)]);
        let region = Region::of(&[small], clip, (201, 99));
        for corner in small.corners() {
            let at = clip.project_point3(corner);
            let (x, y) = ((at.x * 0.5 + 0.5) * 201.0, (0.5 - at.y * 0.5) * 99.0);
            assert!(x >= region.x as f32 && x <= (region.x + region.width) as f32);
            assert!(y >= region.y as f32 && y <= (region.y + region.height) as f32);
        }
        assert!(region.width < 100 && region.height < 60, "{region:?}");
        assert!(region.x.is_multiple_of(2) && region.y.is_multiple_of(2));
        let around_the_eye = Aabb::from_points([Vec3::splat(-9.0), Vec3::splat(9.0)]);
        let whole = Region::whole((201, 99));
        assert_eq!(Region::of(&[around_the_eye], clip, (201, 99)), whole);
    }
}
