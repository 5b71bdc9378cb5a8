//! Many small crisp shapes as one mesh.

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, pos2, vec2};

use super::sheet::KeyShape;

/// Corners of a disc.
const CORNERS: usize = 12;
/// Distance of two lines of a hatch along a row.
const HATCH_STEP: f32 = 7.0;

/// Triangles of one paint job. Edges that lie on the pixel grid are sharp, the others
/// fade over one pixel.
#[derive(Debug)]
pub struct Batch {
    mesh: Mesh,
    pixel: f32,
}

impl Batch {
    /// An empty one for the screen of this painter.
    pub fn new(painter: &Painter) -> Self {
        Self {
            mesh: Mesh::default(),
            pixel: 1.0 / painter.pixels_per_point(),
        }
    }

    /// Points that a pixel has.
    pub fn pixel(&self) -> f32 {
        self.pixel
    }

    /// Paints it.
    pub fn paint(self, painter: &Painter) {
        if !self.mesh.is_empty() {
            painter.add(Shape::mesh(self.mesh));
        }
    }

    /// A rectangle with its edges on the pixel grid.
    pub fn rect(&mut self, rect: Rect, color: Color32) {
        let snap = |value: f32| (value / self.pixel).round() * self.pixel;
        let min = pos2(snap(rect.left()), snap(rect.top()));
        let max = pos2(snap(rect.right()), snap(rect.bottom()));
        // Never thinner than a pixel.
        let max = pos2(max.x.max(min.x + self.pixel), max.y.max(min.y + self.pixel));
        self.mesh
            .add_colored_rect(Rect::from_min_max(min, max), color);
    }

    /// A key of about `radius`, its middle moved to the middle of a pixel.
    pub fn key(&mut self, shape: KeyShape, center: Pos2, radius: f32, color: Color32) {
        let middle = |value: f32| ((value / self.pixel).floor() + 0.5) * self.pixel;
        let center = pos2(middle(center.x), middle(center.y));
        match shape {
            KeyShape::Square => {
                // An odd number of pixels lies evenly about the middle.
                let pixels = (radius * 0.82 / self.pixel).round() * 2.0 + 1.0;
                let half = pixels * 0.5 * self.pixel;
                let square = Rect::from_center_size(center, vec2(half, half) * 2.0);
                self.rect(square, color);
            }
            KeyShape::Diamond => {
                let fade = self.pixel * 0.5 * core::f32::consts::SQRT_2;
                let corners = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
                self.convex(center, &corners, radius + fade * 0.5, fade, color);
            }
            KeyShape::Disc => {
                let corners: [(f32, f32); CORNERS] = core::array::from_fn(|corner| {
                    let turn = corner as f32 / CORNERS as f32 * core::f32::consts::TAU;
                    (turn.cos(), turn.sin())
                });
                self.convex(center, &corners, radius * 0.9, self.pixel * 0.5, color);
            }
        }
    }

    /// Corners at `radius` around a middle, fading from `fade` inside to `fade` outside.
    fn convex(
        &mut self,
        center: Pos2,
        corners: &[(f32, f32)],
        radius: f32,
        fade: f32,
        color: Color32,
    ) {
        let first = self.mesh.vertices.len() as u32;
        let count = corners.len() as u32;
        for &(x, y) in corners {
            let corner = vec2(x, y);
            self.mesh
                .colored_vertex(center + corner * (radius - fade).max(0.0), color);
            let outer = center + corner * (radius + fade);
            self.mesh.colored_vertex(outer, Color32::TRANSPARENT);
        }
        for corner in 1..count - 1 {
            let inner = first + 2 * corner;
            self.mesh.add_triangle(first, inner, inner + 2);
        }
        for corner in 0..count {
            let (a, b) = (first + 2 * corner, first + 2 * ((corner + 1) % count));
            self.mesh.add_triangle(a, a + 1, b);
            self.mesh.add_triangle(b, a + 1, b + 1);
        }
    }

    /// Diagonal lines over a rectangle; those of rectangles side by side or one above
    /// the other join.
    pub fn hatch(&mut self, rect: Rect, color: Color32) {
        if rect.width() < 1.0 || rect.height() < 1.0 {
            return;
        }
        let height = rect.height();
        // Lines of x + y = a multiple of the step.
        let first = ((rect.left() + rect.top()) / HATCH_STEP).ceil();
        let last = ((rect.right() + rect.bottom()) / HATCH_STEP).floor();
        let count = (last - first + 1.0).clamp(0.0, 8192.0) as usize;
        for index in 0..count {
            let sum = (first + index as f32) * HATCH_STEP;
            // From the lower left to the upper right, as far as the rectangle goes.
            let low = (sum - rect.bottom()).max(rect.left());
            let high = (sum - rect.top()).min(rect.right());
            if high > low && high - low <= height + 0.01 {
                self.line(pos2(low, sum - low), pos2(high, sum - high), color);
            }
        }
    }

    /// A diagonal hairline, a pixel wide and fading over one.
    fn line(&mut self, from: Pos2, to: Pos2, color: Color32) {
        let first = self.mesh.vertices.len() as u32;
        let side = vec2(1.0, 1.0) * (self.pixel * core::f32::consts::FRAC_1_SQRT_2);
        for at in [from, to] {
            self.mesh.colored_vertex(at - side, Color32::TRANSPARENT);
            self.mesh.colored_vertex(at, color);
            self.mesh.colored_vertex(at + side, Color32::TRANSPARENT);
        }
        for strip in [0, 1] {
            let (a, b) = (first + strip, first + 3 + strip);
            self.mesh.add_triangle(a, a + 1, b);
            self.mesh.add_triangle(b, a + 1, b + 1);
        }
    }

    #[cfg(test)]
    pub fn vertices(&self) -> usize {
        self.mesh.vertices.len()
    }

    #[cfg(test)]
    pub fn bounds(&self) -> Rect {
        self.mesh.calc_bounds()
    }
}
