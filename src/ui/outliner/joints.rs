//! The joint tree.

use std::sync::{Arc, Weak};

use egui::{FontId, Id, Key, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::indent::{Indent, Steps};
use crate::{
    document::Document,
    session::{Action, Command},
    ui::{
        Context,
        icons::{Icon, square},
        joint_menu,
        text::display,
        theme::{GAP, MARGIN, PAD, ROW, colors},
        tree::{NodeKind, Tree, TreeRow},
        widgets::{self, RowStyle, Seek, fitted_text, row_background},
    },
};

/// Width of the chevron's column.
const CHEVRON: f32 = 15.0;
/// Size of the glyph that says what a joint is, and of the gap after it.
const GLYPH: f32 = 14.0;
const GLYPH_GAP: f32 = 5.0;
/// Size of the mark of joints that the clip moves, with the gap before it.
const KEY_MARK: f32 = 8.0;
/// Size of the mark of nodes whose transform counts for nothing.
const IGNORED_MARK: f32 = 12.0;
/// From a row's end to its key mark, so that the scroll bar covers none.
const RIGHT: f32 = MARGIN;

/// The tree and what it has seen.
#[derive(Debug, Default)]
pub(super) struct JointTree {
    tree: Tree,
    seen_document: Weak<Document>,
    /// The selection that the tree has already scrolled to, or made itself.
    seen_selection: Option<usize>,
    steps: Steps,
}

impl JointTree {
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        query: &str,
        seek: Option<Seek>,
    ) {
        let Some(character) = context.session.character() else {
            widgets::empty_state(ui, Icon::Joint, "No file open", "Drop a glTF file here");
            return;
        };
        let document = &character.document;
        self.tree.rows(document, query);
        let target = self.new_selection(document, context.session.view.selected_joint);
        let rows: &[TreeRow] = self.tree.rows(document, query);
        if rows.is_empty() {
            let (title, hint) = if document.skeleton.joints.is_empty() {
                ("No nodes", "This file has no transform nodes")
            } else {
                ("No match", "No joint has this in its name")
            };
            widgets::empty_state(ui, Icon::Search, title, hint);
            return;
        }
        let rows = rows.to_vec();
        let width = ui.available_width();
        let step = self.steps.step(ui, document, width, text_room(width));
        if let Some(seek) = seek {
            let is_hit = |row: &&TreeRow| row.is_match || query.trim().is_empty();
            let hits: Vec<usize> = rows.iter().filter(is_hit).map(|row| row.joint).collect();
            let selected = context.session.view.selected_joint;
            let current = hits.iter().position(|&joint| Some(joint) == selected);
            if let Some(hit) = seek.target(current, hits.len()) {
                let command = Command::SelectJoint(Some(hits[hit]));
                context.commands.push(command);
            }
        }
        let scroll_to = target.and_then(|joint| rows.iter().position(|row| row.joint == joint));
        widgets::rows(
            ui,
            "joints",
            rows.len(),
            ROW,
            scroll_to,
            |ui, index, rect| {
                self.row(ui, context, document, rows[index], step, rect);
            },
        );
    }

    /// The selected joint, if something else than this tree selected it.
    fn new_selection(
        &mut self,
        document: &Arc<Document>,
        selected: Option<usize>,
    ) -> Option<usize> {
        let is_new_document = !std::ptr::eq(self.seen_document.as_ptr(), Arc::as_ptr(document));
        self.seen_document = Arc::downgrade(document);
        if selected == self.seen_selection && !is_new_document {
            return None;
        }
        self.seen_selection = selected;
        if let Some(joint) = selected {
            self.tree.reveal(document, joint);
        }
        selected
    }

    fn row(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        document: &Arc<Document>,
        row: TreeRow,
        step: f32,
        rect: Rect,
    ) {
        let joint = row.joint;
        let id = Id::unique(("joint row", joint));
        let response = ui.interact(rect, id, Sense::click());
        let label = document.skeleton.joints[joint].label();
        let view = &context.session.view;
        let selected = view.selected_joint == Some(joint);
        let open = self.tree.is_open(joint);
        response.widget_info(|| {
            WidgetInfo::selected(Role::TreeItem, ui.is_enabled(), selected, &label)
        });
        ui.ctx().accesskit_node_builder(id, |node| {
            node.set_level(row.depth + 1);
            if row.has_children {
                node.set_expanded(open);
            }
        });
        let highlighted = view.hovered_joint == Some(joint);
        let style = RowStyle {
            selected,
            highlighted,
        };
        let indent = Indent::new(row.depth, step, rect.width());
        let x = paint_guides(ui, indent, rect);
        row_background(ui, rect, &response, style);
        let is_cut = self.paint_label(ui, context, row, rect, x, &label);

        if response.hovered() {
            context.hovered_joint = Some(joint);
        }
        if response.clicked() || response.secondary_clicked() {
            self.seen_selection = Some(joint);
            context.commands.push(Command::SelectJoint(Some(joint)));
        }
        if response.double_clicked() {
            context.act(Action::FrameSelected);
        }
        if response.has_focus() && row.has_children {
            self.arrow_keys(ui, joint);
        }
        response.context_menu(|ui| self.menu(ui, context, joint, row.has_children));
        self.chevron(ui, row, rect, x, &label);
        let ignored = self.tree.is_ignored(joint).then_some(
            "Its transform counts for nothing: the mesh here follows its skin's joints alone",
        );
        match (is_cut, ignored) {
            (_, Some(ignored)) => {
                response.on_hover_text(format!("{}\n{ignored}", display(&label)));
            }
            (true, None) => {
                response.on_hover_text(display(&label));
            }
            (false, None) => {}
        }
    }

    /// Glyph, name and key mark; returns whether the name had to be cut.
    fn paint_label(
        &self,
        ui: &Ui,
        context: &Context<'_>,
        row: TreeRow,
        rect: Rect,
        x: f32,
        label: &str,
    ) -> bool {
        let colors = colors(ui.visuals());
        let session = context.session;
        let selected = session.view.selected_joint == Some(row.joint);
        let y = rect.center().y;
        let (icon, color) = match self.tree.kind(row.joint) {
            NodeKind::Plain => (Icon::Node, colors.weak),
            NodeKind::Joint => (Icon::Joint, colors.weak),
            NodeKind::Mesh => (Icon::Mesh, colors.weak),
            NodeKind::Camera => (Icon::Camera, colors.weak),
        };
        let color = if selected { colors.accent } else { color };
        let x = x + CHEVRON;
        icon.paint(ui.painter(), square(x, y, GLYPH), color);
        let x = x + GLYPH + GLYPH_GAP;
        let has_keys = session
            .character()
            .and_then(|character| character.clip())
            .is_some_and(|clip| clip.joint_tracks(row.joint).is_some());
        let is_ignored = self.tree.is_ignored(row.joint);
        let marks = rect.right() - RIGHT - if is_ignored { IGNORED_MARK + GAP } else { 0.0 };
        let right = marks - if has_keys { KEY_MARK + GAP } else { 0.0 };
        let text = if selected || row.is_match {
            colors.strong
        } else {
            colors.text
        };
        let font = FontId::proportional(13.0);
        let (_, is_cut) = fitted_text(ui, label, font, text, x, y, right - x);
        if has_keys {
            // A small key: the clip in play moves this joint.
            let mark = square(marks - KEY_MARK, y, KEY_MARK);
            Icon::Key.paint(ui.painter(), mark, colors.weak.gamma_multiply(0.7));
        }
        if is_ignored {
            let mark = square(rect.right() - RIGHT - IGNORED_MARK, y, IGNORED_MARK);
            Icon::Ignored.paint(ui.painter(), mark, colors.info);
        }
        is_cut
    }

    fn chevron(&mut self, ui: &mut Ui, row: TreeRow, rect: Rect, x: f32, label: &str) {
        if !row.has_children {
            return;
        }
        let open = self.tree.is_open(row.joint);
        let target = Rect::from_min_size(pos2(x, rect.top()), vec2(CHEVRON, rect.height()));
        let id = Id::unique(("joint chevron", row.joint));
        let response = ui.interact(target, id, Sense::click());
        response.widget_info(|| {
            let verb = if open { "Collapse" } else { "Expand" };
            WidgetInfo::labeled(Role::Button, ui.is_enabled(), format!("{verb} {label}"))
        });
        let colors = colors(ui.visuals());
        let color = if response.hovered() {
            colors.strong
        } else {
            colors.weak
        };
        let icon = if open {
            Icon::ChevronDown
        } else {
            Icon::ChevronRight
        };
        icon.paint(ui.painter(), square(x + 1.5, rect.center().y, 13.0), color);
        if response.clicked() {
            if ui.input(|input| input.modifiers.shift) {
                self.tree.set_open_below(row.joint, !open);
            } else {
                self.tree.set_open(row.joint, !open);
            }
        }
        response.on_hover_text("Shift-click: all below");
    }

    /// Left closes, right opens the focused row.
    fn arrow_keys(&mut self, ui: &Ui, joint: usize) {
        let (close, open) = ui.input_mut(|input| {
            (
                input.consume_key(egui::Modifiers::NONE, Key::ArrowLeft),
                input.consume_key(egui::Modifiers::NONE, Key::ArrowRight),
            )
        });
        if close || open {
            self.tree.set_open(joint, open);
        }
    }

    fn menu(&mut self, ui: &mut Ui, context: &mut Context<'_>, joint: usize, has_children: bool) {
        joint_menu::show(ui, context, joint);
        if has_children {
            ui.separator();
            if ui.button("Expand all below").clicked() {
                self.tree.set_open_below(joint, true);
                ui.close();
            }
            if ui.button("Collapse all below").clicked() {
                self.tree.set_open_below(joint, false);
                ui.close();
            }
        }
    }
}

/// Room for indentation and name together in rows of this width.
fn text_room(width: f32) -> f32 {
    width - PAD - CHEVRON - GLYPH - GLYPH_GAP - GAP - KEY_MARK - RIGHT
}

/// Guides of the ancestors; returns where the row's own contents start.
fn paint_guides(ui: &Ui, indent: Indent, rect: Rect) -> f32 {
    let colors = colors(ui.visuals());
    let start = rect.left() + PAD;
    for level in 0..indent.levels {
        let x = start + CHEVRON * 0.5 + level as f32 * indent.step;
        let stroke = Stroke::new(1.0, colors.line.gamma_multiply(0.7));
        ui.painter().vline(x.round() + 0.5, rect.y_range(), stroke);
    }
    start + indent.points()
}
