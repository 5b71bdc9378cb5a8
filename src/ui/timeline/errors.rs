//! How far the sides of a comparison are from A, over time: a line for each, its worst
//! place at the left.

mod list;
mod plot;

use egui::{Align, Align2, FontId, Layout, Rect, Ui, UiBuilder, pos2};

use super::{areas, axis::TimeAxis, ruler};
use crate::{
    compare::Moment,
    session::{Action, Command, ErrorKind, Session, SideErrors},
    ui::{
        Context,
        icons::Icon,
        length,
        theme::{CONTROL, PAD, RADIUS, colors},
        widgets,
    },
};

/// Room for the labels of the value axis, left of the plot.
const LABELS: f32 = 38.0;

/// A side and its errors.
struct Line<'a> {
    side: usize,
    errors: &'a SideErrors,
    /// They are those of what is played now.
    is_current: bool,
}

/// Fills the place below the controls.
pub fn show(ui: &mut Ui, context: &mut Context<'_>) {
    let session = context.session;
    let Some(comparison) = &session.comparison else {
        return;
    };
    let kind = comparison.kind;
    let areas = areas::areas(ui);
    corner(ui, context, kind, areas.corner);
    let names = Rect::from_min_max(
        areas.names.min,
        pos2(areas.names.right() - LABELS, areas.names.bottom()),
    );
    list::show(ui, context, kind, names);
    let axis = TimeAxis::of(session, areas.ruler);
    ruler::show(ui, context, areas.ruler, axis);
    ui.painter()
        .rect_filled(areas.plot, RADIUS, colors(ui.visuals()).sunken);
    let lines = lines(session);
    let labels = areas.plot.left() - 4.0;
    plot::show(ui, context, kind, &lines, areas.plot, axis, labels);
    if let Some(so_far) = comparison.measuring {
        let text = format!("Working out the clip: {:.0} %", so_far * 100.0);
        let at = areas.plot.right_top() + egui::vec2(-PAD, 4.0);
        let color = colors(ui.visuals()).weak;
        ui.painter().text(
            at,
            Align2::RIGHT_TOP,
            text,
            FontId::proportional(11.5),
            color,
        );
    }
}

fn lines(session: &Session) -> Vec<Line<'_>> {
    let sides = 1..session.side_count();
    sides
        .filter_map(|side| {
            let (errors, is_current) = session.errors_over_clip(side)?;
            Some(Line {
                side,
                errors,
                is_current,
            })
        })
        .collect()
}

/// What is measured, and whether surfaces show it.
fn corner(ui: &mut Ui, context: &mut Context<'_>, kind: ErrorKind, rect: Rect) {
    let builder = UiBuilder::new()
        .max_rect(rect)
        .layout(Layout::right_to_left(Align::Center))
        .id_salt("errors corner");
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let on = Action::ShowDifference.is_on(context.session);
        let enabled = Action::ShowDifference.is_enabled(context.session);
        let label = "Colour surfaces by the difference";
        let pressed = ui.add_enabled_ui(enabled, |ui| {
            widgets::icon_toggle(ui, Icon::Paint, label, on, CONTROL)
                .on_disabled_hover_text("Not where the sides are laid over each other")
        });
        if pressed.inner.clicked() {
            context.act(Action::ShowDifference);
        }
        let entries = ErrorKind::ALL.map(|kind| (kind, kind.label(), kind.description()));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            if let Some(kind) = widgets::segmented(ui, "Difference", kind, &entries) {
                context.commands.push(Command::SetErrorKind(kind));
            }
        });
    });
}

/// A value with its unit.
fn value_text(kind: ErrorKind, value: f64) -> String {
    if !value.is_finite() {
        return "not a number".to_owned();
    }
    if !kind.is_angle() {
        return length::length(value as f32);
    }
    match value {
        value if value >= 100.0 => format!("{value:.0}°"),
        value if value >= 10.0 => format!("{value:.1}°"),
        value => format!("{value:.2}°"),
    }
}

/// The joint or vertex that is worst, by A's names.
fn place_text(session: &Session, kind: ErrorKind, moment: &Moment) -> Option<String> {
    let document = session.document()?;
    let joint = |joint: Option<usize>| Some(document.skeleton.joints.get(joint?)?.label());
    match kind {
        ErrorKind::Angle => joint(moment.angle.at),
        ErrorKind::Position => joint(moment.position.at),
        ErrorKind::Vertex => {
            let at = moment.vertex.at?;
            let instance = document.instances.get(at.instance)?;
            Some(format!(
                "vertex {} of {}",
                at.vertex,
                joint(Some(instance.joint))?
            ))
        }
    }
}
