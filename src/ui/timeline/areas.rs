//! Where things stand in dope sheet and curves: names at the left, time at the right.

use egui::{Context, CursorIcon, Id, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::ruler::RULER;
use crate::ui::theme::{PAD, colors};

/// Width of the names until somebody drags their edge.
const DEFAULT: f32 = 232.0;
/// Narrower names could not be read, nor the filters above them be used.
const LEAST: f32 = 184.0;
/// Names take at most this part of the width.
const LARGEST_PART: f32 = 0.5;

/// The parts of a view of time. Both views lay them out alike, so that changing the
/// view leaves every second where it is.
#[derive(Debug, Clone, Copy)]
pub struct Areas {
    /// Above the names: filters.
    pub corner: Rect,
    /// Above the plot: the ruler.
    pub ruler: Rect,
    /// Names.
    pub names: Rect,
    /// Keys or curves over time.
    pub plot: Rect,
}

/// Takes the rest of the panel, and lets the edge between names and plot be dragged.
pub fn areas(ui: &mut Ui) -> Areas {
    let (rect, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    let most = (rect.width() * LARGEST_PART).max(LEAST);
    let wanted = gutter(ui.ctx()).unwrap_or(DEFAULT);
    let mut width = wanted.clamp(LEAST, most);
    let x = rect.left() + width + PAD * 0.5;
    let handle = Rect::from_x_y_ranges(x - 3.0..=x + 3.0, rect.y_range());
    let response = ui.interact(handle, ui.scope_id().with("names edge"), Sense::drag());
    if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        width = (pointer.x - PAD * 0.5 - rect.left()).clamp(LEAST, most);
        set_gutter(ui.ctx(), Some(width));
    }
    if response.hovered() || response.dragged() {
        let color = colors(ui.visuals()).accent.gamma_multiply(0.7);
        ui.painter()
            .vline(x, rect.y_range(), Stroke::new(1.5, color));
    }
    let _ = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    let split = rect.left() + width;
    let top = rect.top() + RULER.min(rect.height());
    let plot_left = (split + PAD).min(rect.right());
    Areas {
        corner: Rect::from_min_max(rect.min, pos2(split, top)),
        ruler: Rect::from_min_max(pos2(plot_left, rect.top()), pos2(rect.right(), top)),
        names: Rect::from_min_max(pos2(rect.left(), top), pos2(split, rect.bottom())),
        plot: Rect::from_min_size(
            pos2(plot_left, top),
            vec2(rect.right() - plot_left, rect.bottom() - top),
        ),
    }
}

fn gutter_id() -> Id {
    Id::unique("width of timeline names")
}

/// The width of the names, if anyone ever dragged their edge.
pub fn gutter(ctx: &Context) -> Option<f32> {
    ctx.data(|data| data.get_temp(gutter_id()))
}

/// Brings the width of an earlier run back.
pub fn set_gutter(ctx: &Context, width: Option<f32>) {
    ctx.data_mut(|data| {
        data.remove::<f32>(gutter_id());
        if let Some(width) = width {
            data.insert_temp(gutter_id(), width);
        }
    });
}
