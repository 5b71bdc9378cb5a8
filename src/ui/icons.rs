//! Small glyphs painted from lines, so that they are sharp at every scale and
//! need no icon font.

use core::f32::consts::TAU;

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

/// A glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    /// Solid triangle to the right.
    Play,
    /// Two bars.
    Pause,
    /// Bar and triangle to the left.
    ToStart,
    /// Triangle and bar to the right.
    ToEnd,
    /// Diamond with an arrow to the left.
    PreviousKey,
    /// Diamond with an arrow to the right.
    NextKey,
    /// Chevron to the left with a bar.
    PreviousFrame,
    /// Chevron to the right with a bar.
    NextFrame,
    /// Round arrow.
    Loop,
    /// Arrow to a wall.
    Once,
    /// Two arrows.
    PingPong,
    /// Start marker before a diamond.
    FirstKey,
    /// A skinned joint: a bone.
    Joint,
    /// A plain node.
    Node,
    /// A mesh.
    Mesh,
    /// A camera.
    Camera,
    /// A clip.
    Clip,
    /// A still pose.
    Pose,
    /// Shown.
    Eye,
    /// Hidden.
    EyeOff,
    /// Two sheets.
    Copy,
    /// A cross.
    Close,
    /// Magnifying glass.
    Search,
    /// A tick.
    Check,
    /// Closed group.
    ChevronRight,
    /// Open group.
    ChevronDown,
    /// i in a circle.
    Info,
    /// Triangle with a bang.
    Warning,
    /// Circle with a bang.
    Error,
    /// Key diamond.
    Key,
    /// Arrow into a tray.
    Drop,
}

/// Draws in a grid of 16 × 16 units laid over the target square.
struct Pen<'a> {
    painter: &'a Painter,
    origin: Pos2,
    unit: f32,
    color: Color32,
}

impl Pen<'_> {
    fn at(&self, (x, y): (f32, f32)) -> Pos2 {
        self.origin + vec2(x, y) * self.unit
    }
    fn stroke(&self) -> Stroke {
        Stroke::new((1.35 * self.unit).max(1.0), self.color)
    }
    fn line(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&p| self.at(p)).collect();
        self.painter.add(Shape::line(points, self.stroke()));
    }
    fn outline(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&p| self.at(p)).collect();
        self.painter.add(Shape::closed_line(points, self.stroke()));
    }
    /// A filled convex polygon.
    fn solid(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&p| self.at(p)).collect();
        self.painter
            .add(Shape::convex_polygon(points, self.color, Stroke::NONE));
    }
    fn ring(&self, center: (f32, f32), radius: f32) {
        self.painter
            .circle_stroke(self.at(center), radius * self.unit, self.stroke());
    }
    fn dot(&self, center: (f32, f32), radius: f32) {
        self.painter
            .circle_filled(self.at(center), radius * self.unit, self.color);
    }
    /// Part of a circle, angles in turns, clockwise from the right.
    fn arc(&self, center: (f32, f32), radius: f32, from: f32, to: f32) {
        let points: Vec<_> = (0..=16)
            .map(|step| {
                let angle = TAU * (from + (to - from) * step as f32 / 16.0);
                (
                    center.0 + radius * angle.cos(),
                    center.1 + radius * angle.sin(),
                )
            })
            .collect();
        self.line(&points);
    }
    fn diamond(&self, (x, y): (f32, f32), r: f32) {
        self.solid(&[(x, y - r), (x + r, y), (x, y + r), (x - r, y)]);
    }
    /// A copy that draws mirrored shapes would need its own maths; pairs of icons
    /// share this instead.
    fn mirrored(points: &[(f32, f32)], mirror: bool) -> Vec<(f32, f32)> {
        points
            .iter()
            .map(|&(x, y)| (if mirror { 16.0 - x } else { x }, y))
            .collect()
    }
}

impl Icon {
    /// Paints it into the largest centred square of `rect`.
    pub fn paint(self, painter: &Painter, rect: Rect, color: Color32) {
        let size = rect.width().min(rect.height());
        let square = Rect::from_center_size(rect.center(), vec2(size, size));
        let pen = Pen {
            painter,
            origin: square.min,
            unit: size / 16.0,
            color,
        };
        match self {
            Self::Play
            | Self::Pause
            | Self::ToStart
            | Self::ToEnd
            | Self::PreviousKey
            | Self::NextKey
            | Self::PreviousFrame
            | Self::NextFrame
            | Self::Loop
            | Self::Once
            | Self::PingPong
            | Self::FirstKey => self.paint_transport(&pen),
            _ => self.paint_object(&pen),
        }
    }

    fn paint_transport(self, pen: &Pen<'_>) {
        let back = matches!(
            self,
            Self::ToStart | Self::PreviousKey | Self::PreviousFrame
        );
        let flip = |points: &[(f32, f32)]| Pen::mirrored(points, back);
        match self {
            Self::Play => pen.solid(&[(4.5, 2.8), (13.5, 8.0), (4.5, 13.2)]),
            Self::Pause => {
                pen.solid(&[(4.0, 3.0), (6.8, 3.0), (6.8, 13.0), (4.0, 13.0)]);
                pen.solid(&[(9.2, 3.0), (12.0, 3.0), (12.0, 13.0), (9.2, 13.0)]);
            }
            Self::ToStart | Self::ToEnd => {
                pen.solid(&flip(&[(3.5, 3.5), (10.5, 8.0), (3.5, 12.5)]));
                pen.line(&flip(&[(12.2, 3.5), (12.2, 12.5)]));
            }
            Self::PreviousKey | Self::NextKey => {
                pen.line(&flip(&[(2.8, 4.5), (6.3, 8.0), (2.8, 11.5)]));
                let x = if back { 5.2 } else { 10.8 };
                pen.diamond((x, 8.0), 3.4);
            }
            Self::PreviousFrame | Self::NextFrame => {
                pen.line(&flip(&[(4.0, 3.8), (4.0, 12.2)]));
                pen.line(&flip(&[(7.6, 4.0), (11.6, 8.0), (7.6, 12.0)]));
            }
            Self::Loop => {
                pen.arc((8.0, 8.3), 4.8, -0.16, 0.68);
                pen.solid(&[(8.6, 1.2), (13.0, 4.2), (8.4, 6.6)]);
            }
            Self::Once => {
                pen.line(&[(2.5, 8.0), (10.6, 8.0)]);
                pen.line(&[(7.4, 4.8), (10.6, 8.0), (7.4, 11.2)]);
                pen.line(&[(13.2, 3.5), (13.2, 12.5)]);
            }
            Self::PingPong => {
                pen.line(&[(2.2, 5.4), (13.0, 5.4)]);
                pen.line(&[(10.4, 2.8), (13.2, 5.4), (10.4, 8.0)]);
                pen.line(&[(13.8, 11.0), (3.0, 11.0)]);
                pen.line(&[(5.6, 8.6), (2.8, 11.0), (5.6, 13.6)]);
            }
            _ => {
                // First key: the clip's start, then a gap, then the key.
                pen.line(&[(3.2, 3.2), (3.2, 12.8)]);
                pen.line(&[(3.2, 8.0), (6.6, 8.0)]);
                pen.diamond((10.6, 8.0), 3.6);
            }
        }
    }

    fn paint_object(self, pen: &Pen<'_>) {
        match self {
            Self::Joint => {
                pen.ring((4.4, 11.6), 2.2);
                pen.outline(&[(6.0, 8.6), (12.8, 3.2), (7.4, 10.0)]);
            }
            Self::Node => pen.ring((8.0, 8.0), 2.6),
            Self::Mesh => {
                pen.outline(&[
                    (8.0, 2.4),
                    (13.4, 5.2),
                    (13.4, 10.8),
                    (8.0, 13.6),
                    (2.6, 10.8),
                    (2.6, 5.2),
                ]);
                pen.line(&[(2.6, 5.2), (8.0, 8.0), (13.4, 5.2)]);
                pen.line(&[(8.0, 8.0), (8.0, 13.6)]);
            }
            Self::Camera => {
                pen.outline(&[(2.2, 4.6), (10.0, 4.6), (10.0, 11.4), (2.2, 11.4)]);
                pen.outline(&[(10.0, 7.2), (13.8, 5.2), (13.8, 10.8), (10.0, 8.8)]);
            }
            Self::Clip => {
                pen.outline(&[(2.4, 3.8), (13.6, 3.8), (13.6, 12.2), (2.4, 12.2)]);
                pen.solid(&[(6.4, 5.6), (10.8, 8.0), (6.4, 10.4)]);
            }
            Self::Pose => {
                pen.ring((8.0, 3.9), 1.8);
                pen.line(&[(3.0, 7.6), (13.0, 7.6)]);
                pen.line(&[(8.0, 6.0), (8.0, 10.0)]);
                pen.line(&[(4.8, 14.0), (8.0, 10.0), (11.2, 14.0)]);
            }
            Self::Eye | Self::EyeOff => {
                let lid = |sign: f32| -> Vec<(f32, f32)> {
                    (0..=12)
                        .map(|step| {
                            let t = step as f32 / 12.0;
                            let arch = 1.0 - (2.0 * t - 1.0).powi(2);
                            (1.8 + 12.4 * t, 8.0 + sign * 4.2 * arch)
                        })
                        .collect()
                };
                if self == Self::Eye {
                    pen.line(&lid(-1.0));
                    pen.dot((8.0, 8.0), 2.0);
                }
                pen.line(&lid(1.0));
                if self == Self::EyeOff {
                    pen.line(&[(3.6, 10.6), (2.4, 12.4)]);
                    pen.line(&[(8.0, 12.4), (8.0, 14.2)]);
                    pen.line(&[(12.4, 10.6), (13.6, 12.4)]);
                }
            }
            Self::Copy => {
                pen.outline(&[(5.8, 5.8), (13.2, 5.8), (13.2, 13.2), (5.8, 13.2)]);
                pen.line(&[
                    (3.6, 10.2),
                    (2.8, 10.2),
                    (2.8, 2.8),
                    (10.2, 2.8),
                    (10.2, 3.6),
                ]);
            }
            Self::Close => {
                pen.line(&[(4.0, 4.0), (12.0, 12.0)]);
                pen.line(&[(12.0, 4.0), (4.0, 12.0)]);
            }
            Self::Search => {
                pen.ring((6.8, 6.8), 4.0);
                pen.line(&[(9.8, 9.8), (13.4, 13.4)]);
            }
            Self::Check => pen.line(&[(3.4, 8.4), (6.6, 11.6), (12.8, 4.6)]),
            Self::ChevronRight => pen.line(&[(6.2, 4.2), (10.0, 8.0), (6.2, 11.8)]),
            Self::ChevronDown => pen.line(&[(4.2, 6.2), (8.0, 10.0), (11.8, 6.2)]),
            Self::Info | Self::Error => {
                pen.ring((8.0, 8.0), 6.0);
                let (stem, point) = if self == Self::Info {
                    ([(8.0, 7.2), (8.0, 11.2)], (8.0, 4.9))
                } else {
                    ([(8.0, 4.6), (8.0, 8.8)], (8.0, 11.2))
                };
                pen.line(&stem);
                pen.dot(point, 0.95);
            }
            Self::Warning => {
                pen.outline(&[(8.0, 2.4), (14.4, 13.2), (1.6, 13.2)]);
                pen.line(&[(8.0, 6.4), (8.0, 9.4)]);
                pen.dot((8.0, 11.3), 0.9);
            }
            Self::Drop => {
                pen.line(&[(8.0, 2.0), (8.0, 9.6)]);
                pen.line(&[(4.8, 6.6), (8.0, 9.8), (11.2, 6.6)]);
                pen.line(&[(2.6, 10.4), (2.6, 13.4), (13.4, 13.4), (13.4, 10.4)]);
            }
            _ => pen.diamond((8.0, 8.0), 3.8),
        }
    }

    /// The glyph of a severity.
    pub fn of_severity(severity: crate::document::Severity) -> Self {
        use crate::document::Severity;
        match severity {
            Severity::Info => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// A square of this size whose left edge is at `x`, centred on `y`.
pub fn square(x: f32, y: f32, size: f32) -> Rect {
    Rect::from_center_size(pos2(x + size * 0.5, y), vec2(size, size))
}
