//! Left: what is in the file, as joints, meshes and clips.

mod clips;
mod indent;
mod joints;
mod meshes;

use egui::{Align2, FontId, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::{
    Context,
    theme::{MARGIN, PAD, colors},
    widgets,
};

/// Narrower panels show no numbers beside the tabs.
const COUNTS_FROM: f32 = 212.0;

/// Which list is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tab {
    #[default]
    Joints,
    Meshes,
    Clips,
}

/// The panel's state.
#[derive(Debug, Default)]
pub struct Outliner {
    tab: Tab,
    joint_query: String,
    mesh_query: String,
    clip_query: String,
    joints: joints::JointTree,
    clips: clips::ClipList,
}

impl Outliner {
    /// Fills the panel.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.spacing_mut().item_spacing.y = 0.0;
        self.tabs(ui, context);
        let (query, hint) = match self.tab {
            Tab::Joints => (&mut self.joint_query, "Search joints"),
            Tab::Meshes => (&mut self.mesh_query, "Search all parts"),
            Tab::Clips => (&mut self.clip_query, "Search clips"),
        };
        let seek = egui::Frame::new()
            .inner_margin(egui::Margin::symmetric(PAD as i8, PAD as i8))
            .show(ui, |ui| widgets::search_field(ui, query, hint))
            .inner;
        match self.tab {
            Tab::Joints => self.joints.show(ui, context, &self.joint_query, seek),
            Tab::Meshes => meshes::show(ui, context, &self.mesh_query, seek),
            Tab::Clips => self.clips.show(ui, context, &self.clip_query, seek),
        }
    }

    fn tabs(&mut self, ui: &mut Ui, context: &Context<'_>) {
        let document = context.session.document();
        let count = |count: fn(&crate::document::Document) -> usize| document.map_or(0, count);
        let entries = [
            match document.map(|d| (d.skinned_joint_count(), d.skeleton.joints.len())) {
                Some((0, nodes)) if nodes > 0 => (Tab::Joints, "Nodes", nodes),
                Some((joints, _)) => (Tab::Joints, "Joints", joints),
                None => (Tab::Joints, "Joints", 0),
            },
            (Tab::Meshes, "Meshes", count(|d| d.instances.len())),
            (Tab::Clips, "Clips", count(|d| d.clips.len())),
        ];
        let colors = colors(ui.visuals());
        let height = 32.0;
        let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        ui.painter().hline(
            bar.x_range(),
            bar.bottom() - 0.5,
            Stroke::new(1.0, colors.line),
        );
        let mut x = bar.left() + MARGIN;
        for (tab, text, count) in entries {
            let on = self.tab == tab;
            let color = if on { colors.strong } else { colors.weak };
            let galley =
                ui.painter()
                    .layout_no_wrap(text.to_owned(), FontId::proportional(13.0), color);
            let number = ui.painter().layout_no_wrap(
                count.to_string(),
                FontId::proportional(11.0),
                colors.weak,
            );
            let has_count = bar.width() >= COUNTS_FROM;
            let width = if has_count {
                galley.size().x + 5.0 + number.size().x
            } else {
                galley.size().x
            };
            let rect = Rect::from_min_size(pos2(x - 5.0, bar.top()), vec2(width + 10.0, height));
            let response = ui.interact(rect, ui.scope_id().with(text), Sense::click());
            response.widget_info(|| {
                WidgetInfo::selected(Role::Tab, ui.is_enabled(), on, format!("{text} ({count})"))
            });
            if response.clicked() {
                self.tab = tab;
            }
            let color = if response.hovered() {
                colors.strong
            } else {
                color
            };
            let at = Align2::LEFT_CENTER.anchor_size(pos2(x, bar.center().y), galley.size());
            let end = at.right();
            ui.painter()
                .galley_with_override_text_color(at.min, galley, color);
            let at = Align2::LEFT_CENTER
                .anchor_size(pos2(end + 5.0, bar.center().y + 0.5), number.size());
            if has_count {
                ui.painter().galley(at.min, number, colors.weak);
            }
            if on {
                let line =
                    Rect::from_min_max(pos2(x, bar.bottom() - 2.0), pos2(x + width, bar.bottom()));
                ui.painter().rect_filled(line, 1.0, colors.accent);
            }
            widgets::focus_ring(ui, rect.shrink2(vec2(0.0, 3.0)), &response);
            x += width + 16.0;
        }
    }
}
