//! What the colours of bones mean, and the scale bar.

use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::Ink;
use crate::{
    document::Severity,
    math::{self, Handedness},
    scene::{BoneColor, ramps},
    session::{Analysis, Session},
    ui::{
        Context,
        length::round_length,
        text::display,
        theme::{self, MARGIN, PAD, SMALL},
    },
};

/// Height of a line of the legend.
const LINE: f32 = 17.0;
/// Length of the ramp.
const RAMP: f32 = 168.0;
/// Degrees written under it.
const TICKS: [f32; 4] = [0.0, 1.0, 5.0, ramps::MOST_SHEAR_DEGREES];
/// The scale bar lies below.
const ABOVE_BAR: f32 = 34.0;

/// Writes the legend where bones have colours to explain; `area` is where it may lie.
pub(super) fn show(ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink) -> Option<Rect> {
    let session = context.session;
    if context.frame.bones.is_empty() && context.frame.joints.is_empty() {
        return None;
    }
    let legend = match session.view.bone_color {
        BoneColor::Plain => return None,
        BoneColor::Findings => Legend {
            title: match session.analysis {
                Analysis::Running(_) => "Worst finding (still looking)".to_owned(),
                Analysis::Done(_) => "Worst finding".to_owned(),
            },
            rows: findings_rows(),
            ramp: false,
        },
        BoneColor::Shear => Legend {
            title: most_sheared(session),
            rows: Vec::new(),
            ramp: true,
        },
        BoneColor::Determinant => Legend {
            title: "Left and right".to_owned(),
            rows: handedness_rows(),
            ramp: false,
        },
    };
    legend.show(ui, rect, ink)
}

struct Legend {
    title: String,
    rows: Vec<([u8; 3], &'static str)>,
    ramp: bool,
}

fn findings_rows() -> Vec<([u8; 3], &'static str)> {
    let of = |severity, text| (ramps::severity_color(severity), text);
    vec![
        of(Some(Severity::Error), "error"),
        of(Some(Severity::Warning), "warning"),
        of(Some(Severity::Info), "note"),
        of(None, "nothing found"),
    ]
}

fn handedness_rows() -> Vec<([u8; 3], &'static str)> {
    let of = |handedness, text| (ramps::handedness_color(handedness), text);
    vec![
        of(Handedness::Kept, "kept: determinant above 0"),
        of(Handedness::Mirrored, "mirrored: below 0"),
        of(Handedness::Flat, "flattened: 0"),
    ]
}

/// `Shear: most at LowerArm.L, 12.3°`.
fn most_sheared(session: &Session) -> String {
    let plain = "Shear of the joint's axes".to_owned();
    let Some(character) = session.character() else {
        return plain;
    };
    let shears = character
        .globals
        .worlds()
        .enumerate()
        .map(|(joint, world)| {
            let world = character.world_from_model * world;
            (joint, math::axes::shear(glam::Mat3::from_mat4(world)))
        });
    match shears.max_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((joint, degrees)) if degrees >= 0.05 => {
            let name = character.document.skeleton.joints[joint].label();
            format!("Shear: most at {}, {degrees:.1}°", display(&name))
        }
        Some(_) => "Shear: none, all axes at right angles".to_owned(),
        None => plain,
    }
}

impl Legend {
    fn show(&self, ui: &Ui, view: Rect, ink: Ink) -> Option<Rect> {
        let painter = ui.painter_at(view);
        let written = |text: &str, size, color| {
            painter.layout_no_wrap(text.to_owned(), FontId::proportional(size), color)
        };
        let title = written(&self.title, 12.5, ink.text);
        let rows: Vec<_> = (self.rows.iter())
            .map(|(color, text)| (*color, written(text, SMALL, ink.text)))
            .collect();
        let widest = rows.iter().fold(title.size().x, |widest, (_, galley)| {
            widest.max(galley.size().x + 16.0)
        });
        let width = widest.max(if self.ramp { RAMP } else { 0.0 }) + 2.0 * PAD;
        let body = if self.ramp {
            32.0
        } else {
            rows.len() as f32 * LINE
        };
        let size = vec2(width, LINE + 6.0 + body + PAD);
        let corner = view.right_bottom() - vec2(MARGIN, MARGIN + ABOVE_BAR);
        let area = Align2::RIGHT_BOTTOM.anchor_size(corner, size);
        if !view.contains_rect(area) {
            return None;
        }
        painter.rect_filled(area, theme::RADIUS, ink.plate);
        let left = area.left() + PAD;
        let mut y = area.top() + 5.0 + LINE * 0.5;
        painter.galley(pos2(left, y - title.size().y * 0.5), title, ink.text);
        y += LINE + 1.0;
        for (color, galley) in rows {
            disc(&painter, pos2(left + 5.0, y), color, ink);
            painter.galley(
                pos2(left + 16.0, y - galley.size().y * 0.5),
                galley,
                ink.text,
            );
            y += LINE;
        }
        if self.ramp {
            ramp(&painter, pos2(left, y - 5.0), ink);
        }
        let response = ui.interact(area, ui.scope_id().with("legend"), Sense::hover());
        response.widget_info(|| {
            let text = format!("Legend: {}", self.title);
            WidgetInfo::labeled(egui::Role::Label, true, text)
        });
        Some(area)
    }
}

fn rgb([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgb(r, g, b)
}

fn disc(painter: &Painter, at: Pos2, color: [u8; 3], ink: Ink) {
    painter.circle(at, 4.5, rgb(color), Stroke::new(1.0, ink.outline));
}

/// The ramp of shear with its degrees below.
fn ramp(painter: &Painter, at: Pos2, ink: Ink) {
    let bar = Rect::from_min_size(at, vec2(RAMP, 9.0));
    let mut mesh = egui::Mesh::default();
    let steps = 24u32;
    for step in 0..=steps {
        let place = step as f32 / steps as f32;
        let color = rgb(ramps::shear_color(place));
        let x = bar.left() + bar.width() * place;
        mesh.colored_vertex(pos2(x, bar.top()), color);
        mesh.colored_vertex(pos2(x, bar.bottom()), color);
        if step > 0 {
            let last = step * 2;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.add(mesh);
    for (index, degrees) in TICKS.into_iter().enumerate() {
        let x = bar.left() + bar.width() * ramps::shear_place(degrees);
        let is_last = index + 1 == TICKS.len();
        let (anchor, text) = match (index, is_last) {
            (0, _) => (Align2::LEFT_TOP, format!("{degrees}°")),
            (_, true) => (Align2::RIGHT_TOP, format!("{degrees}° and more")),
            _ => (Align2::CENTER_TOP, format!("{degrees}°")),
        };
        let font = FontId::proportional(10.5);
        let at = pos2(x, bar.bottom() + 3.0);
        painter.text(at, anchor, text, font, ink.text);
    }
}

/// Lengths that a scale bar may have, times a power of ten.
const NICE: [f32; 3] = [1.0, 2.0, 5.0];

/// The longest nice length that takes at most `room` points, where a world unit takes
/// `points_per_unit`; `None` where there is none to be told.
fn nice_length(points_per_unit: f32, room: f32) -> Option<f32> {
    let most = room / points_per_unit;
    if !(most.is_finite() && most > 0.0) {
        return None;
    }
    let ten = 10f32.powf(most.log10().floor());
    let fits = NICE
        .into_iter()
        .map(|nice| nice * ten)
        .filter(|&l| l <= most * 1.000_1);
    fits.max_by(f32::total_cmp)
}

/// A bar of known length at the depth that the camera looks at, in the lower right.
pub(super) fn scale_bar(ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink) {
    let view = &context.session.view;
    if !view.scale_bar || rect.width() < 240.0 {
        return;
    }
    let camera = &view.camera;
    let height = 2.0 * camera.distance * (camera.yfov_radians * 0.5).tan();
    let points_per_unit = rect.height() / height;
    let Some(shown) = nice_length(points_per_unit, 140.0) else {
        return;
    };
    let painter = ui.painter_at(rect);
    let end = rect.right_bottom() + vec2(-MARGIN - 4.0, -MARGIN - 4.0);
    let start = end - vec2(shown * points_per_unit, 0.0);
    let strokes = [(4.0, ink.outline), (1.5, ink.text)];
    for (width, color) in strokes {
        let stroke = Stroke::new(width, color);
        for (from, to) in [
            (start, end),
            (start - vec2(0.0, 4.0), start + vec2(0.0, 1.0)),
            (end - vec2(0.0, 4.0), end + vec2(0.0, 1.0)),
        ] {
            painter.line_segment([from, to], stroke);
        }
    }
    let text = if camera.orthographic {
        round_length(shown)
    } else {
        format!("{} at the middle", round_length(shown))
    };
    let font = FontId::proportional(SMALL);
    let galley = painter.layout_no_wrap(text.clone(), font, ink.text);
    let middle = pos2((start.x + end.x) * 0.5, end.y - 8.0);
    let mut area = Align2::CENTER_BOTTOM.anchor_size(middle, galley.size());
    let past = (area.right() - (rect.right() - MARGIN)).max(0.0);
    area = area.translate(vec2(-past, 0.0));
    super::labels::outlined(&painter, area.min, &galley, ink.outline);
    let response = ui.interact(area, ui.scope_id().with("scale bar"), Sense::hover());
    response
        .widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("Scale bar: {text}")));
}

#[cfg(test)]
mod tests {
    use super::nice_length;

    #[test]
    fn a_scale_bar_has_a_round_length_that_fits() {
        for (points_per_unit, wanted) in [(100.0, 1.0), (70.0, 2.0), (28.0, 5.0), (1400.0, 0.1)] {
            let found = nice_length(points_per_unit, 140.0).expect("it fits");
            assert!(
                (found / wanted - 1.0).abs() < 1e-4,
                "{found} for {points_per_unit}"
            );
        }
        for broken in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(nice_length(broken, 140.0), None);
        }
    }
}
