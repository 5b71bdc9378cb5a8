//! How many problems the open file has, always in sight; a click lists them.

use egui::{
    Align2, Color32, FontId, Painter, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, vec2,
};

use crate::{
    document::Severity,
    session::{Action, Analysis, Command, OutlinerTab, Session},
    ui::{
        Context,
        format::plural,
        icons::{Icon, square},
        shortcuts,
        theme::{Colors, GAP, PAD, colors},
        widgets,
    },
};

/// Size of the glyph.
const GLYPH: f32 = 14.0;

/// What the badge says.
struct Words {
    text: String,
    color: Color32,
    icon: Icon,
}

impl Words {
    fn of(session: &Session, colors: &Colors) -> Self {
        let problems =
            session.finding_count(Severity::Error) + session.finding_count(Severity::Warning);
        let notes = session.finding_count(Severity::Info);
        let worst = session
            .findings()
            .iter()
            .map(|finding| finding.severity)
            .max();
        match worst {
            Some(Severity::Info) => Self {
                text: plural(notes, "note"),
                color: colors.info,
                icon: Icon::Info,
            },
            Some(severity) => Self {
                text: plural(problems, "problem"),
                color: colors.severity(severity),
                icon: Icon::of_severity(severity),
            },
            None => Self {
                text: match session.analysis {
                    Analysis::Running(_) => "checking …".to_owned(),
                    Analysis::Done(_) => "no problems".to_owned(),
                },
                color: colors.weak,
                icon: Icon::Check,
            },
        }
    }
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>) {
    let session = context.session;
    let colors = colors(ui.visuals());
    let Words { text, color, icon } = Words::of(session, colors);
    let font = FontId::proportional(13.0);
    let galley = ui.painter().layout_no_wrap(text.clone(), font, color);
    let size = vec2(galley.size().x + GLYPH + GAP + 2.0 * PAD, 20.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &text));
    if response.hovered() {
        ui.painter().rect_filled(rect, 10.0, colors.raised);
    }
    widgets::focus_ring(ui, rect, &response);
    let glyph = square(rect.left() + PAD, rect.center().y, GLYPH);
    let running = match session.analysis {
        Analysis::Running(fraction) => Some(fraction),
        Analysis::Done(_) => None,
    };
    match running {
        Some(fraction) => ring(ui.painter(), glyph, fraction, color, colors.pressed),
        None => icon.paint(ui.painter(), glyph, color),
    }
    let at = glyph.right_center() + vec2(GAP, 0.0);
    let at = Align2::LEFT_CENTER.anchor_size(at, galley.size());
    ui.painter().galley(at.min, galley, color);
    if response.clicked() {
        let mut panels = session.panels;
        panels.outliner = true;
        panels.outliner_tab = OutlinerTab::Problems;
        context.commands.push(Command::SetPanels(panels));
    }
    let tooltip = match running {
        Some(fraction) => format!("The checks run: {:.0} % done", fraction * 100.0),
        None => shortcuts::tooltip(ui.ctx(), "List of problems", Action::Problems),
    };
    response.on_hover_text(tooltip);
}

/// A circle that closes as the checks go on.
fn ring(painter: &Painter, rect: Rect, fraction: f32, color: Color32, track: Color32) {
    const STEPS: usize = 40;
    let (center, radius) = (rect.center(), rect.width() * 0.5 - 1.5);
    painter.circle_stroke(center, radius, Stroke::new(2.0, track));
    let end = (fraction.clamp(0.0, 1.0) * STEPS as f32).round() as usize;
    let points = (0..=end).map(|step| {
        let angle = step as f32 / STEPS as f32 * core::f32::consts::TAU;
        center + vec2(angle.sin(), -angle.cos()) * radius
    });
    painter.add(Shape::line(points.collect(), Stroke::new(2.0, color)));
}
