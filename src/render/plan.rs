//! Which parts of the picture need which work.
//!
//! A rasteriser on the CPU pays for every pixel and for every branch that a shader
//! might have taken. So the ground is drawn with its shadow only where characters can
//! darken it, with its grid only below the horizon, and not at all above.

use core::ops::Range;

use glam::{Mat4, Vec2, Vec3};

use super::{
    pipelines::Ground,
    view::{self, Extent},
};
use crate::{math::Aabb, scene::Frame};

/// A kind of ground, and where it is drawn.
type Part = (Ground, Region);

/// What a frame's passes do where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub shadows: bool,
    /// Where characters may occlude; `None` without ambient occlusion.
    pub occlusion: Option<Region>,
    /// What makes up the whole picture, without overlaps; some are empty.
    parts: [Part; PARTS],
}

/// The sky; the ground in three kinds, two of them around another.
const PARTS: usize = 10;

impl Plan {
    /// `radius` is that of ambient occlusion. Without `split` the costliest kind of
    /// ground is drawn everywhere: fewer pipelines to compile.
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
        let shadow = extent.shadow.is_some();
        let costliest = match (view::has_ground(frame), shadow || extent.occlusion) {
            (false, _) => Ground::None,
            (true, false) => Ground::Grid,
            (true, true) => Ground::Darkened {
                shadow,
                occlusion: extent.occlusion,
            },
        };
        let parts = if split && costliest != Ground::None {
            let occluded = extent.occlusion.then(|| {
                let base = flat(frame.bounds, radius, frame.ground_height);
                Region::of(&[base], clip, size)
            });
            let shadowed = extent.shadow.map(|fit| {
                let margin = fit.widest_blur().max(radius);
                shadow_on_ground(frame.bounds, margin, frame.ground_height, towards_light)
                    .map_or(whole, |reach| Region::of(&[reach], clip, size))
            });
            split_ground(whole, view::ground_rows(frame, size.1), shadowed, occluded)
        } else {
            let mut parts = [(Ground::None, Region::default()); PARTS];
            parts[0] = (costliest, whole);
            parts
        };
        Self {
            shadows: shadow,
            occlusion: extent
                .occlusion
                .then(|| Region::of(&[grown(frame.bounds, radius)], clip, size)),
            parts,
        }
    }

    /// What to draw where; together the whole picture.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> {
        self.parts
            .iter()
            .copied()
            .filter(|(_, region)| !region.is_empty())
    }
}

/// Rows without ground; then the ground, with its shadow, and its ambient occlusion,
/// where there may be any.
fn split_ground(
    whole: Region,
    rows: Range<u32>,
    shadowed: Option<Region>,
    occluded: Option<Region>,
) -> [Part; PARTS] {
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
    let ground = band(rows.start, rows.end);
    // Where the one reaches over the other, which rounding can do, both are drawn.
    let inner = occluded.unwrap_or_default().within(ground);
    let outer = shadowed.unwrap_or_default().union(inner).within(ground);
    let shadow = shadowed.is_some();
    let darkened = |occlusion| {
        if shadow || occlusion {
            Ground::Darkened { shadow, occlusion }
        } else {
            Ground::Grid
        }
    };
    let mut parts = [(Ground::None, sky); PARTS];
    parts[1] = (darkened(occluded.is_some()), inner);
    for (index, region) in outer.without(inner.within(outer)).into_iter().enumerate() {
        parts[2 + index] = (darkened(false), region);
    }
    for (index, region) in ground.without(outer).into_iter().enumerate() {
        parts[6 + index] = (Ground::Grid, region);
    }
    parts
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
    pub(super) fn of(boxes: &[Aabb], clip_from_world: Mat4, size: (u32, u32)) -> Self {
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
            width: (high.x.ceil() as u32 - x)
                .next_multiple_of(2)
                .min(size.0 - x),
            height: (high.y.ceil() as u32 - y)
                .next_multiple_of(2)
                .min(size.1 - y),
        }
    }

    /// What both have; empty at this one's corner if there is nothing.
    fn within(self, other: Self) -> Self {
        let (left, top) = (self.x.max(other.x), self.y.max(other.y));
        let right = (self.x + self.width).min(other.x + other.width);
        let bottom = (self.y + self.height).min(other.y + other.height);
        if left >= right || top >= bottom {
            return Self {
                x: other.x,
                y: other.y,
                width: 0,
                height: 0,
            };
        }
        Self {
            x: left,
            y: top,
            width: right - left,
            height: bottom - top,
        }
    }

    /// The least region that holds both.
    fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self {
            x,
            y,
            width: (self.x + self.width).max(other.x + other.width) - x,
            height: (self.y + self.height).max(other.y + other.height) - y,
        }
    }

    /// What lies over, under, left and right of a region inside this one.
    fn without(self, hole: Self) -> [Self; 4] {
        let (right, bottom) = (hole.x + hole.width, hole.y + hole.height);
        let rows = |y: u32, end: u32| Self {
            y,
            height: end - y,
            ..self
        };
        let beside = |x: u32, end: u32| Self {
            x,
            y: hole.y,
            width: end - x,
            height: hole.height,
        };
        [
            rows(self.y, hole.y),
            rows(bottom, self.y + self.height),
            beside(self.x, hole.x),
            beside(right, self.x + self.width),
        ]
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

/// The ground under a box and around it.
fn flat(characters: Aabb, margin: f32, ground_height: f32) -> Aabb {
    let mut base = grown(characters, margin);
    (base.min.y, base.max.y) = (ground_height, ground_height);
    base
}

/// Where on the ground a box and its surroundings can throw a shadow. `None` where the
/// light is so low that there is no telling.
fn shadow_on_ground(
    characters: Aabb,
    margin: f32,
    ground_height: f32,
    towards_light: Vec3,
) -> Option<Aabb> {
    let towards_ground = |corner: Vec3| {
        let height = corner.y - ground_height;
        (corner - towards_light * (height / towards_light.y)).with_y(ground_height)
    };
    (towards_light.y > 0.05).then(|| {
        let thrown = Aabb::from_points(characters.corners().map(towards_ground));
        flat(thrown, margin, ground_height)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::OrbitCamera;

    /// Every pixel is drawn once, whatever is where.
    #[test]
    fn parts_make_up_the_picture_without_overlaps() {
        let whole = Region::whole((13, 9));
        let region = |x, y, width, height| Region {
            x,
            y,
            width,
            height,
        };
        let regions = [
            None,
            Some(Region::default()),
            Some(whole),
            Some(region(4, 2, 6, 5)),
            Some(region(6, 4, 2, 2)),
            Some(region(0, 6, 13, 3)),
        ];
        for rows in [0..9, 0..0, 9..9, 4..9, 0..5, 8..9, 1..9] {
            for (shadowed, occluded) in regions.iter().flat_map(|&a| regions.map(|b| (a, b))) {
                let mut seen = [[0; 13]; 9];
                for (ground, part) in split_ground(whole, rows.clone(), shadowed, occluded) {
                    for y in part.y..part.y + part.height {
                        for x in part.x..part.x + part.width {
                            seen[y as usize][x as usize] += 1;
                            let sky = !rows.contains(&y);
                            assert_eq!(sky, ground == Ground::None, "{rows:?} {x} {y}");
                            let inside = |r: Option<Region>| {
                                r.is_some_and(|r| {
                                    (r.x..r.x + r.width).contains(&x)
                                        && (r.y..r.y + r.height).contains(&y)
                                })
                            };
                            let (mut shadow, mut occlusion) = (false, false);
                            if let Ground::Darkened {
                                shadow: s,
                                occlusion: o,
                            } = ground
                            {
                                (shadow, occlusion) = (s, o);
                            }
                            assert!(sky || shadow || !inside(shadowed));
                            assert!(sky || occlusion || !inside(occluded));
                        }
                    }
                }
                assert_eq!(seen, [[1; 13]; 9], "{rows:?} {shadowed:?} {occluded:?}");
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
