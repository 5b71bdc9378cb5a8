//! The heads of the outliner's lists.

use egui::{
    Align2, Color32, FontId, Galley, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

use std::sync::Arc;

use crate::{
    document::{Document, Severity},
    session::{Command, OutlinerTab, Session},
    ui::{
        Context,
        format::count as digits,
        icons::{Icon, square},
        theme::{MARGIN, colors},
        widgets,
    },
};

/// Height of the bar.
const HEIGHT: f32 = 32.0;
/// From a word to its number.
const NUMBER_GAP: f32 = 5.0;
/// Size of a tab's icon, where there is no room for words.
const ICON: f32 = 16.0;

/// One tab: what it shows and how much of it there is.
struct Entry {
    tab: OutlinerTab,
    text: &'static str,
    icon: Icon,
    count: usize,
    /// Of the number, where it is no ordinary one.
    color: Option<Color32>,
}

/// How the heads are written, the roomiest first.
#[derive(Clone, Copy)]
struct Style {
    words: bool,
    numbers: bool,
    gap: f32,
}

const STYLES: [Style; 4] = [
    Style {
        words: true,
        numbers: true,
        gap: 16.0,
    },
    Style {
        words: true,
        numbers: true,
        gap: 9.0,
    },
    Style {
        words: true,
        numbers: false,
        gap: 11.0,
    },
    Style {
        words: false,
        numbers: false,
        gap: 22.0,
    },
];

/// Lays the bar out; a click chooses another list.
pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>) {
    let entries = entries(ui, context.session);
    let colors = colors(ui.visuals());
    let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let line = Stroke::new(1.0, colors.line);
    ui.painter().hline(bar.x_range(), bar.bottom() - 0.5, line);
    let heads: Vec<Head> = entries
        .into_iter()
        .map(|entry| Head::new(ui, entry))
        .collect();
    let room = bar.width() - 1.5 * MARGIN;
    let fits = |style: &&Style| {
        let words: f32 = heads.iter().map(|head| head.width(**style)).sum();
        words + style.gap * (heads.len() - 1) as f32 <= room
    };
    let style = *STYLES.iter().find(fits).unwrap_or(&STYLES[3]);
    let current = context.session.panels.outliner_tab;
    let mut x = bar.left() + MARGIN;
    for head in heads {
        let on = head.entry.tab == current;
        let tab = head.entry.tab;
        let width = head.width(style);
        if head.show(ui, bar, x, style, on).clicked() && !on {
            let mut panels = context.session.panels;
            panels.outliner_tab = tab;
            context.commands.push(Command::SetPanels(panels));
        }
        x += width + style.gap;
    }
}

fn entries(ui: &Ui, session: &Session) -> [Entry; 4] {
    let document = session.document();
    let count = |count: fn(&Document) -> usize| document.map_or(0, count);
    let (text, joints) = match document.map(|d| (d.skinned_joint_count(), d.skeleton.joints.len()))
    {
        Some((0, nodes)) if nodes > 0 => ("Nodes", nodes),
        Some((joints, _)) => ("Joints", joints),
        None => ("Joints", 0),
    };
    let colors = colors(ui.visuals());
    let errors = session.finding_count(Severity::Error);
    let warnings = session.finding_count(Severity::Warning);
    let (problems, color) = match (errors, warnings) {
        (0, 0) => (session.findings().len(), None),
        (0, warnings) => (warnings, Some(colors.warning)),
        (errors, warnings) => (errors + warnings, Some(colors.error)),
    };
    let entry = |tab, text, icon, count| Entry {
        tab,
        text,
        icon,
        count,
        color: None,
    };
    [
        entry(OutlinerTab::Joints, text, Icon::Joint, joints),
        entry(
            OutlinerTab::Meshes,
            "Meshes",
            Icon::Mesh,
            count(|d| d.instances.len()),
        ),
        entry(
            OutlinerTab::Clips,
            "Clips",
            Icon::Clip,
            count(|d| d.clips.len()),
        ),
        Entry {
            color,
            ..entry(OutlinerTab::Problems, "Problems", Icon::Warning, problems)
        },
    ]
}

/// A tab with its texts laid out.
struct Head {
    entry: Entry,
    word: Arc<Galley>,
    number: Arc<Galley>,
}

impl Head {
    fn new(ui: &Ui, entry: Entry) -> Self {
        let weak = colors(ui.visuals()).weak;
        let painter = ui.painter();
        let word = FontId::proportional(13.0);
        let number = FontId::proportional(11.0);
        Self {
            word: painter.layout_no_wrap(entry.text.to_owned(), word, Color32::PLACEHOLDER),
            number: painter.layout_no_wrap(
                digits(entry.count),
                number,
                entry.color.unwrap_or(weak),
            ),
            entry,
        }
    }

    fn width(&self, style: Style) -> f32 {
        match style {
            Style { words: false, .. } => ICON,
            Style { numbers: false, .. } => self.word.size().x,
            _ => self.word.size().x + NUMBER_GAP + self.number.size().x,
        }
    }

    fn show(self, ui: &Ui, bar: Rect, x: f32, style: Style, on: bool) -> Response {
        let colors = colors(ui.visuals());
        let width = self.width(style);
        let Self {
            entry,
            word,
            number,
        } = self;
        let reach = (style.gap * 0.5).min(5.0);
        let rect = Rect::from_x_y_ranges((x - reach)..=(x + width + reach), bar.y_range());
        let response = ui.interact(rect, ui.scope_id().with(entry.text), Sense::click());
        let name = format!("{} ({})", entry.text, entry.count);
        response.widget_info(|| WidgetInfo::selected(Role::Tab, ui.is_enabled(), on, &name));
        let color = if on || response.hovered() {
            colors.strong
        } else {
            colors.weak
        };
        let painter = ui.painter();
        let y = bar.center().y;
        if style.words {
            let at = Align2::LEFT_CENTER.anchor_size(pos2(x, y), word.size());
            painter.galley(at.min, word, color);
            if style.numbers {
                let at = pos2(at.right() + NUMBER_GAP, y + 0.5);
                let at = Align2::LEFT_CENTER.anchor_size(at, number.size());
                painter.galley(at.min, number, colors.weak);
            }
        } else {
            let color = entry.color.unwrap_or(color);
            entry.icon.paint(painter, square(x, y, ICON), color);
        }
        if on {
            let line = Rect::from_x_y_ranges(x..=(x + width), (bar.bottom() - 2.0)..=bar.bottom());
            painter.rect_filled(line, 1.0, colors.accent);
        }
        widgets::focus_ring(ui, rect.shrink2(vec2(0.0, 3.0)), &response);
        if style.numbers {
            response
        } else {
            response.on_hover_text(name)
        }
    }
}
