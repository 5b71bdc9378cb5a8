//! The joint tree.

use std::sync::{Arc, Weak};

use egui::{FontId, Id, Key, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::{
    document::Document,
    session::{Action, Command},
    ui::{
        Context,
        icons::{Icon, square},
        text::display,
        theme::{MARGIN, PAD, ROW, colors},
        tree::{NodeKind, Tree, TreeRow},
        widgets::{self, RowStyle, Seek, fitted_text, row_background},
    },
};

/// Points per level of depth, where there is room.
const INDENT: f32 = 11.0;
/// Points per level at least; deeper rows stay where they are then.
const LEAST_INDENT: f32 = 5.0;
/// Width of the chevron's column.
const CHEVRON: f32 = 15.0;

/// The tree and what it has seen.
#[derive(Debug, Default)]
pub(super) struct JointTree {
    tree: Tree,
    seen_document: Weak<Document>,
    /// The selection that the tree has already scrolled to, or made itself.
    seen_selection: Option<usize>,
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
        let indent = Indent::new(row.depth, self.tree.max_depth(), rect.width());
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
        response.context_menu(|ui| self.menu(ui, context, joint, row.has_children, &label));
        self.chevron(ui, row, rect, x, &label);
        if is_cut {
            response.on_hover_text(display(&label));
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
        let (_, is_cut) = fitted_text(ui, label, font, text, x, y, right - x);
        if has_keys {
            // A small key: the clip in play moves this joint.
            let mark = square(rect.right() - MARGIN - 10.0, y, 10.0);
            Icon::Key.paint(ui.painter(), mark, colors.weak.gamma_multiply(0.7));
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

/// How far a row is indented, and the step from level to level: deep trees have
/// smaller steps, so that names keep more than half of the width.
#[derive(Debug, Clone, Copy)]
struct Indent {
    levels: usize,
    step: f32,
}

impl Indent {
    fn new(depth: usize, max_depth: usize, width: f32) -> Self {
        let room = (width * 0.42).max(LEAST_INDENT);
        let step = (room / max_depth.max(1) as f32).clamp(LEAST_INDENT, INDENT);
        Self {
            levels: depth.min((room / step) as usize),
            step,
        }
    }

    fn points(self) -> f32 {
        self.levels as f32 * self.step
    }
}

/// Guides of the ancestors; returns where the row's own contents start.
fn paint_guides(ui: &Ui, indent: Indent, rect: Rect) -> f32 {
    let colors = colors(ui.visuals());
    let start = rect.left() + PAD;
    for level in 0..indent.levels {
        let x = start + CHEVRON * 0.5 + level as f32 * indent.step;
        let stroke = Stroke::new(1.0, colors.line);
        ui.painter().vline(x.round() + 0.5, rect.y_range(), stroke);
    }
    start + indent.points()
}

#[cfg(test)]
mod tests {
    use super::Indent;

    #[test]
    fn every_level_of_a_human_shows_and_a_long_chain_leaves_room_for_names() {
        let width = 232.0;
        let hand = Indent::new(9, 11, width);
        let finger = Indent::new(10, 11, width);
        assert!(finger.points() > hand.points() + 4.0);
        assert!(Indent::new(2500, 2500, width).points() < width * 0.45);
        assert!(Indent::new(2500, 2500, 1.0).points() <= 5.0);
    }
}
