//! The joint tree.

use std::sync::{Arc, Weak};

use egui::{FontId, Id, Key, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::{
    document::Document,
    session::{Action, Command},
    ui::{
        Context,
        icons::{Icon, square},
        theme::{MARGIN, PAD, ROW, colors},
        tree::{NodeKind, Tree, TreeRow},
        widgets::{self, RowStyle, fitted_text, row_background},
    },
};

/// Points per level of depth.
const INDENT: f32 = 11.0;
/// Width of the chevron's column.
const CHEVRON: f32 = 16.0;

/// The tree and what it has seen.
#[derive(Debug, Default)]
pub(super) struct JointTree {
    tree: Tree,
    seen_document: Weak<Document>,
    /// The selection that the tree has already scrolled to, or made itself.
    seen_selection: Option<usize>,
}

impl JointTree {
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, query: &str) {
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
        let scroll_to = target.and_then(|joint| rows.iter().position(|row| row.joint == joint));
        widgets::rows(
            ui,
            "joints",
            rows.len(),
            ROW,
            scroll_to,
            |ui, index, rect| {
                self.row(ui, context, document, rows[index], rect);
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
        let x = paint_guides(ui, row, rect);
        row_background(ui, rect, &response, style);
        self.paint_label(ui, context, row, rect, x, &label);

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
        response.context_menu(|ui| self.menu(ui, context, joint, row.has_children, &label));
        self.chevron(ui, row, rect, open, &label);
    }

    fn paint_label(
        &self,
        ui: &Ui,
        context: &Context<'_>,
        row: TreeRow,
        rect: Rect,
        x: f32,
        label: &str,
    ) {
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
        icon.paint(ui.painter(), square(x, y, 14.0), color);
        let x = x + 14.0 + 6.0;
        let has_keys = session
            .character()
            .and_then(|character| character.clip())
            .is_some_and(|clip| clip.joint_tracks(row.joint).is_some());
        let right = rect.right() - MARGIN - if has_keys { 14.0 } else { 0.0 };
        let text = if selected || row.is_match {
            colors.strong
        } else {
            colors.text
        };
        let font = FontId::proportional(13.0);
        fitted_text(ui, label, font, text, x, y, right - x);
        if has_keys {
            // A small key: the clip in play moves this joint.
            let mark = square(rect.right() - MARGIN - 10.0, y, 10.0);
            Icon::Key.paint(ui.painter(), mark, colors.weak.gamma_multiply(0.7));
        }
    }

    fn chevron(&mut self, ui: &mut Ui, row: TreeRow, rect: Rect, open: bool, label: &str) {
        if !row.has_children {
            return;
        }
        let x = rect.left() + PAD + indent_levels(row.depth, rect.width()) as f32 * INDENT;
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

    fn menu(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        joint: usize,
        has_children: bool,
        label: &str,
    ) {
        ui.set_min_width(160.0);
        ui.spacing_mut().button_padding = vec2(PAD, 2.0);
        if ui.button("Frame in view").clicked() {
            context.act(Action::FrameSelected);
            ui.close();
        }
        if ui.button("Copy name").clicked() {
            context.commands.push(Command::CopyText(label.to_owned()));
            ui.close();
        }
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

/// Guides of the ancestors; returns where the row's own contents start.
fn paint_guides(ui: &Ui, row: TreeRow, rect: Rect) -> f32 {
    let colors = colors(ui.visuals());
    let start = rect.left() + PAD;
    let shown = indent_levels(row.depth, rect.width());
    for level in 0..shown {
        let x = start + CHEVRON * 0.5 + level as f32 * INDENT;
        let stroke = Stroke::new(1.0, colors.line);
        ui.painter().vline(x.round() + 0.5, rect.y_range(), stroke);
    }
    start + shown as f32 * INDENT
}

/// Levels of indentation that leave room for a name, however deep the chain is.
fn indent_levels(depth: usize, width: f32) -> usize {
    let room = (width * 0.36 / INDENT).max(1.0) as usize;
    depth.min(room)
}
