//! Bottom: transport, modes, and time as bar, dope sheet or curves.

mod areas;
mod axis;
mod columns;
mod controls;
mod curves;
mod dope;
mod errors;
mod marks;
mod ruler;
mod scrub;
mod tabs;

pub use areas::{gutter, set_gutter};
use egui::{Rangef, Ui, Vec2};

use super::{Context, theme};
use crate::session::{Session, TimelineView};

/// Lower windows have the bar only.
const TALL_VIEWS_FROM: f32 = 320.0;
/// At least so much of the window's height is the 3D view's.
const VIEW_SHARE: f32 = 0.45;
/// Above the 3D view.
const MENU_BAR: f32 = 31.0;
/// Ruler and a few rows, besides the controls.
const LEAST_ROWS: f32 = 74.0;

/// What there is room for in a window of this size, and something to show.
pub fn fitting(session: &Session, window: Vec2) -> TimelineView {
    match session.panels.timeline_view {
        TimelineView::Errors if session.comparison.is_none() => TimelineView::Bar,
        view if window.y >= TALL_VIEWS_FROM => view,
        _ => TimelineView::Bar,
    }
}

/// A height for windows of this size, before anyone drags the panel's edge.
pub fn default_height(view: TimelineView, window: Vec2) -> f32 {
    let range = height_range(view, window);
    match view {
        TimelineView::Bar => range.min,
        TimelineView::DopeSheet => range.clamp(window.y * 0.4),
        TimelineView::Curves => range.clamp(window.y * 0.42),
        TimelineView::Errors => range.clamp(window.y * 0.38),
    }
}

/// Between which heights the panel's edge can be dragged.
pub fn height_range(view: TimelineView, window: Vec2) -> Rangef {
    let bar = if window.x >= controls::ONE_ROW_FROM {
        112.0
    } else {
        132.0
    };
    match view {
        TimelineView::Bar => Rangef::new(bar, (window.y * 0.4).max(bar)),
        TimelineView::DopeSheet | TimelineView::Curves | TimelineView::Errors => {
            let least = bar - 56.0 + LEAST_ROWS;
            let most = window.y * (1.0 - VIEW_SHARE) - MENU_BAR;
            Rangef::new(least, most.max(least))
        }
    }
}

/// The panel's state.
#[derive(Debug, Default)]
pub struct Timeline {
    dope: dope::DopeSheet,
    curves: curves::Curves,
    marks: marks::Marks,
}

impl Timeline {
    /// Fills the panel.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, view: TimelineView) {
        ui.spacing_mut().item_spacing.y = theme::GAP;
        controls::show(ui, context, view);
        ui.add_space(theme::GAP);
        match view {
            TimelineView::Bar => scrub::show(ui, context, &mut self.marks),
            TimelineView::DopeSheet => self.dope.show(ui, context),
            TimelineView::Curves => self.curves.show(ui, context),
            TimelineView::Errors => errors::show(ui, context),
        }
    }
}
