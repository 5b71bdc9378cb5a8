//! Icons: glyphs of the icon font, and the few that it lacks, painted from lines.

use egui::{Align2, Color32, FontFamily, FontId, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};
use lucide_icons::Icon as Glyph;

use super::fonts;

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
    /// Joints with their inverse bind matrices.
    Skin,
    /// A material.
    Material,
    /// A picture.
    Image,
    /// A clip.
    Clip,
    /// A still pose.
    Pose,
    /// Counts for nothing.
    Ignored,
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
    /// Keep.
    Pin,
    /// Keys on one line.
    KeyBar,
    /// Bars in rows.
    DopeSheet,
    /// A curve between two points.
    Curves,
    /// A line over its area.
    Difference,
    /// A painter's palette.
    Paint,
    /// An arrow pointer.
    Pointer,
    /// Cross-hairs.
    Follow,
    /// Corners of a frame.
    Fit,
    /// Arrows up and down from a line.
    OwnScale,
    /// An arrow down beside bars that get shorter.
    Sort,
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
    /// As wide as the strokes of the icon font: 2 units of 24.
    fn stroke(&self) -> Stroke {
        Stroke::new((16.0 / 12.0 * self.unit).max(1.0), self.color)
    }
    fn line(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&p| self.at(p)).collect();
        self.painter.add(Shape::line(points, self.stroke()));
    }
    fn outline(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&p| self.at(p)).collect();
        self.painter.add(Shape::closed_line(points, self.stroke()));
    }
    fn ring(&self, center: (f32, f32), radius: f32) {
        self.painter
            .circle_stroke(self.at(center), radius * self.unit, self.stroke());
    }
    fn diamond(&self, (x, y): (f32, f32), r: f32) {
        let corners = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
        let corners = corners.iter().map(|&p| self.at(p)).collect();
        self.painter
            .add(Shape::convex_polygon(corners, self.color, Stroke::NONE));
    }
}

impl Icon {
    /// Paints it into the largest centred square of `rect`.
    pub fn paint(self, painter: &Painter, rect: Rect, color: Color32) {
        let size = rect.width().min(rect.height());
        let square = Rect::from_center_size(rect.center(), vec2(size, size));
        if let Some(glyph) = self.glyph() {
            let font = FontId::new(size, FontFamily::Name(fonts::ICONS.into()));
            let text = char::from(glyph);
            // The glyphs fill the em, and a line of this font is one em high.
            painter.text(square.center(), Align2::CENTER_CENTER, text, font, color);
            return;
        }
        self.paint_own(&Pen {
            painter,
            origin: square.min,
            unit: size / 16.0,
            color,
        });
    }

    /// The icon font's glyph; `None` for what no icon font has: keys and joints.
    fn glyph(self) -> Option<Glyph> {
        Some(match self {
            Self::Play => Glyph::Play,
            Self::Pause => Glyph::Pause,
            Self::ToStart => Glyph::SkipBack,
            Self::ToEnd => Glyph::SkipForward,
            Self::PreviousFrame => Glyph::ChevronLeft,
            Self::NextFrame | Self::ChevronRight => Glyph::ChevronRight,
            Self::Loop => Glyph::Repeat,
            Self::Once => Glyph::ArrowRightToLine,
            Self::PingPong => Glyph::ArrowLeftRight,
            Self::Node => Glyph::CircleSmall,
            Self::Mesh => Glyph::Box,
            Self::Camera => Glyph::Video,
            Self::Skin => Glyph::Waypoints,
            Self::Material => Glyph::Palette,
            Self::Image => Glyph::Image,
            Self::Clip => Glyph::Film,
            Self::Pose => Glyph::PersonStanding,
            Self::Ignored => Glyph::Ban,
            Self::Eye => Glyph::Eye,
            Self::EyeOff => Glyph::EyeClosed,
            Self::Copy => Glyph::Copy,
            Self::Close => Glyph::X,
            Self::Search => Glyph::Search,
            Self::Check => Glyph::Check,
            Self::ChevronDown => Glyph::ChevronDown,
            Self::Info => Glyph::Info,
            Self::Warning => Glyph::TriangleAlert,
            Self::Error => Glyph::CircleAlert,
            Self::Drop => Glyph::Download,
            Self::Pin => Glyph::Pin,
            Self::DopeSheet => Glyph::ChartNoAxesGantt,
            Self::Curves => Glyph::Spline,
            Self::Difference => Glyph::ChartArea,
            Self::Paint => Glyph::Palette,
            Self::Pointer => Glyph::MousePointer2,
            Self::Follow => Glyph::LocateFixed,
            Self::Fit => Glyph::Maximize,
            Self::OwnScale => Glyph::UnfoldVertical,
            Self::Sort => Glyph::ArrowDownWideNarrow,
            Self::PreviousKey
            | Self::NextKey
            | Self::FirstKey
            | Self::Key
            | Self::KeyBar
            | Self::Joint => {
                return None;
            }
        })
    }

    fn paint_own(self, pen: &Pen<'_>) {
        match self {
            Self::PreviousKey => {
                pen.line(&[(13.2, 4.5), (9.7, 8.0), (13.2, 11.5)]);
                pen.diamond((5.2, 8.0), 3.6);
            }
            Self::NextKey => {
                pen.line(&[(2.8, 4.5), (6.3, 8.0), (2.8, 11.5)]);
                pen.diamond((10.8, 8.0), 3.6);
            }
            Self::FirstKey => {
                // The clip's start, then a gap, then the key.
                pen.line(&[(2.7, 3.2), (2.7, 12.8)]);
                pen.line(&[(2.7, 8.0), (6.6, 8.0)]);
                pen.diamond((10.8, 8.0), 3.6);
            }
            Self::KeyBar => {
                pen.line(&[(1.5, 8.0), (14.5, 8.0)]);
                pen.diamond((4.6, 8.0), 3.0);
                pen.diamond((11.4, 8.0), 3.0);
            }
            Self::Joint => {
                pen.ring((4.4, 11.6), 2.2);
                pen.outline(&[(6.0, 8.6), (12.8, 3.2), (7.4, 10.0)]);
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
