//! Which view of time is shown: bar, dope sheet or curves.

use egui::{FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::{
    session::{Action, Command, TimelineView},
    ui::{
        Context,
        icons::{Icon, square},
        shortcuts,
        theme::{CONTROL, RADIUS, colors},
        widgets,
    },
};

/// Width without words, of one view.
const ICON: f32 = 30.0;
/// Size of a glyph.
const GLYPH: f32 = 15.0;
/// Left of the glyph, between glyph and word, right of the word.
const MARGINS: [f32; 3] = [8.0, 6.0, 9.0];

/// Icon, word and tooltip of a view; the tooltip names the key that leads there.
fn parts(view: TimelineView) -> (Icon, &'static str, &'static str, Option<Action>) {
    match view {
        TimelineView::Bar => (Icon::KeyBar, "Bar", "All key times in one bar", None),
        TimelineView::DopeSheet => (
            Icon::DopeSheet,
            "Dope sheet",
            "Keys in rows, by joint and property",
            Some(Action::DopeSheet),
        ),
        TimelineView::Curves => (
            Icon::Curves,
            "Curves",
            "Values over time, as they are played",
            Some(Action::Curves),
        ),
        TimelineView::Errors => (
            Icon::Difference,
            "Difference",
            "How far the others are from A, all along the clip",
            Some(Action::ErrorCurve),
        ),
    }
}

/// The switch, with words beside its icons or without. `shown` is what is to be seen:
/// the bar in windows that are too low for more, whatever was chosen.
pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, shown: TimelineView, words: bool) {
    let session = context.session;
    let compares = session.comparison.is_some();
    let wanted = session.panels.timeline_view;
    let waits = wanted == TimelineView::Errors && !compares;
    let fits = shown == wanted || waits;
    let font = FontId::proportional(12.5);
    let weak = colors(ui.visuals()).weak;
    let offered = TimelineView::ALL.into_iter();
    let offered = offered.filter(|&view| view != TimelineView::Errors || compares);
    let segments = offered.map(|view| {
        let (_, word, ..) = parts(view);
        let galley = words.then(|| {
            ui.painter()
                .layout_no_wrap(word.to_owned(), font.clone(), weak)
        });
        let width = galley.as_ref().map_or(ICON, |galley| {
            MARGINS.iter().sum::<f32>() + GLYPH + galley.size().x
        });
        (view, galley, width)
    });
    let segments: Vec<_> = segments.collect();
    let width = segments.iter().map(|(.., width)| width).sum::<f32>();
    let (outer, _) = ui.allocate_exact_size(vec2(width, CONTROL), Sense::hover());
    ui.painter()
        .rect_filled(outer, RADIUS, colors(ui.visuals()).sunken);
    let mut x = outer.left();
    for (view, galley, width) in segments {
        let rect = Rect::from_min_size(pos2(x, outer.top()), vec2(width, CONTROL));
        let on = view == shown;
        // A choice that cannot show has to wait for a taller window.
        ui.add_enabled_ui(fits || on, |ui| {
            segment(ui, context, (view, on), galley, rect);
        });
        x += width;
    }
}

fn segment(
    ui: &Ui,
    context: &mut Context<'_>,
    (view, on): (TimelineView, bool),
    galley: Option<std::sync::Arc<egui::Galley>>,
    rect: Rect,
) {
    let colors = colors(ui.visuals());
    let (icon, word, tooltip, action) = parts(view);
    let response = ui.interact(rect, ui.scope_id().with(word), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Tab, ui.is_enabled(), on, word));
    let inner = rect.shrink(2.0);
    if on {
        ui.painter().rect_filled(inner, RADIUS - 1, colors.pressed);
    } else if response.hovered() {
        ui.painter().rect_filled(inner, RADIUS - 1, colors.raised);
    }
    widgets::focus_ring(ui, inner, &response);
    let color = match (on, response.hovered()) {
        (true, _) => colors.strong,
        (false, true) => colors.text,
        (false, false) => colors.weak,
    };
    let y = rect.center().y;
    let left = match &galley {
        Some(_) => rect.left() + MARGINS[0],
        None => rect.center().x - GLYPH * 0.5,
    };
    let glyph_color = if on { colors.accent } else { color };
    icon.paint(ui.painter(), square(left, y, GLYPH), glyph_color);
    if let Some(galley) = galley {
        let at = pos2(left + GLYPH + MARGINS[1], y - galley.size().y * 0.5);
        ui.painter()
            .galley_with_override_text_color(at, galley, color);
    }
    if response.clicked() && context.session.panels.timeline_view != view {
        let mut panels = context.session.panels;
        panels.timeline_view = view;
        context.commands.push(Command::SetPanels(panels));
    }
    let title = format!("{word}: {}", lower_first(tooltip));
    let title = match action {
        Some(action) => shortcuts::tooltip(ui.ctx(), &title, action),
        None => title,
    };
    response
        .on_hover_text(title)
        .on_disabled_hover_text("The window is too low for this view");
}

/// For the middle of a sentence.
fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}
