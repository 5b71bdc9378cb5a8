//! Weights of a mesh in numbers: how many influences its vertices have, what they sum
//! to, and the vertices to look at first.

use std::sync::Arc;

use egui::{Align2, FontId, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::{
    analysis::influences::{Histogram, histogram},
    document::Document,
    math::color::srgb_bytes,
    scene::{VertexRef, WeightView, ramp},
    session::Command,
    ui::{
        Context, format,
        text::display,
        theme::{GAP, MONO, PAD, ROW, SMALL, colors},
        widgets::{self, focus_ring},
    },
};

/// Vertices listed whose sums are furthest from 1.
const WORST: usize = 5;
/// Counts of influences with a bar of their own; the last one stands for all above too.
const BARS: usize = 8;

/// Which mesh is shown, and what is known of the document's meshes.
#[derive(Debug, Default)]
pub(super) struct Weights {
    /// Mesh index chosen by hand.
    chosen: Option<usize>,
    known: Option<Known>,
}

#[derive(Debug)]
struct Known {
    document: Arc<Document>,
    meshes: Vec<Skinned>,
}

/// A mesh that is shown with a skin.
#[derive(Debug)]
struct Skinned {
    mesh: usize,
    /// The first instance that shows it so.
    instance: usize,
    name: String,
    /// Made when it is first looked at.
    histogram: Option<Histogram>,
}

impl Weights {
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let session = context.session;
        let Some(character) = session.character() else {
            return;
        };
        self.follow(&character.document);
        let of_vertex = (session.view.selected_vertex)
            .and_then(|at| character.document.instances.get(at.instance))
            .map(|instance| instance.mesh);
        let Some(known) = &mut self.known else { return };
        let is_known = |mesh: &usize| known.meshes.iter().any(|entry| entry.mesh == *mesh);
        let shown = self.chosen.or(of_vertex).filter(is_known);
        let shown = shown.or(known.meshes.first().map(|entry| entry.mesh));
        widgets::section(ui, "Skin weights", true, |ui| {
            let Some(shown) = shown else {
                let weak = colors(ui.visuals()).weak;
                ui.label(RichText::new("No mesh has a skin.").color(weak));
                return;
            };
            if known.meshes.len() > 1 {
                let entries = known.meshes.iter();
                let entries: Vec<_> = entries.map(|e| (e.mesh, e.name.clone(), "")).collect();
                let text = (entries.iter().find(|entry| entry.0 == shown))
                    .map_or_else(String::new, |entry| entry.1.clone());
                let chosen = widgets::labelled(ui, "Mesh", |ui| {
                    let width = ui.available_width() - PAD;
                    let tip = "Whose weights are counted";
                    widgets::dropdown(ui, "Mesh of the weights", width, shown, &text, tip, entries)
                });
                self.chosen = chosen.or(self.chosen);
                ui.add_space(GAP);
            }
            let Some(entry) = known.meshes.iter_mut().find(|entry| entry.mesh == shown) else {
                return;
            };
            let primitives = &known.document.meshes[shown].primitives;
            let histogram = (entry.histogram).get_or_insert_with(|| histogram(primitives));
            ui.spacing_mut().item_spacing.y = 0.0;
            bars(ui, context, histogram);
            sums(ui, context, histogram, entry.instance);
        });
    }

    fn follow(&mut self, document: &Arc<Document>) {
        if (self.known.as_ref()).is_some_and(|known| Arc::ptr_eq(&known.document, document)) {
            return;
        }
        let mut meshes: Vec<Skinned> = Vec::new();
        let mut seen = vec![false; document.meshes.len()];
        for (index, instance) in document.instances.iter().enumerate() {
            if instance.skin.is_none() || core::mem::replace(&mut seen[instance.mesh], true) {
                continue;
            }
            let name = &document.meshes[instance.mesh].name;
            let name = if name.is_empty() {
                document.skeleton.joints[instance.joint].label()
            } else {
                name.clone()
            };
            meshes.push(Skinned {
                mesh: instance.mesh,
                instance: index,
                name: display(&name).into_owned(),
                histogram: None,
            });
        }
        let size = |entry: &Skinned| document.meshes[entry.mesh].file_vertex_count();
        meshes.sort_by_key(|entry| core::cmp::Reverse(size(entry)));
        self.chosen = None;
        self.known = Some(Known {
            document: document.clone(),
            meshes,
        });
    }
}

/// A bar for every number of influences that some vertex has; a click shows them on the surface.
fn bars(ui: &mut Ui, context: &mut Context<'_>, histogram: &Histogram) {
    let counts = &histogram.vertices;
    let largest = counts.iter().copied().max().unwrap_or(0).max(1);
    let mut rows: Vec<(usize, usize)> = counts.iter().copied().enumerate().take(BARS).collect();
    let above: usize = counts.iter().skip(BARS).sum();
    if above > 0 {
        rows.push((BARS, above));
    }
    for (count, vertices) in rows {
        if vertices == 0 {
            continue;
        }
        let label = match count {
            BARS if counts.len() > BARS + 1 => format!("{BARS} and more"),
            1 => "1 joint".to_owned(),
            _ => format!("{count} joints"),
        };
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
        let said = format!("{label}: {}", format::plural(vertices, "vertex"));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &said));
        let palette = colors(ui.visuals());
        if response.hovered() {
            let area = rect.expand2(vec2(GAP, 0.0));
            ui.painter().rect_filled(area, 4.0, palette.raised);
        }
        focus_ring(ui, rect.expand2(vec2(GAP, 0.0)), &response);
        let y = rect.center().y;
        let font = FontId::proportional(SMALL + 0.5);
        let text = |x: f32, anchor: Align2, text: &str, font: FontId, color| {
            ui.painter().text(pos2(x, y), anchor, text, font, color);
        };
        text(rect.left(), Align2::LEFT_CENTER, &label, font, palette.weak);
        let number = format::count(vertices);
        let mono = FontId::monospace(MONO);
        text(
            rect.right(),
            Align2::RIGHT_CENTER,
            &number,
            mono,
            palette.text,
        );
        let track = Rect::from_min_max(
            pos2(rect.left() + 74.0, y - 5.0),
            pos2(rect.right() - 62.0, y + 5.0),
        );
        let mut bar = track;
        let share = vertices as f32 / largest as f32;
        // What is there is to be seen, however little.
        bar.set_width((track.width() * share).max(2.0));
        let [red, green, blue] = srgb_bytes(ramp::count_color(count));
        let color = egui::Color32::from_rgb(red, green, blue);
        ui.painter().rect_filled(bar, 2.0, color);
        if response.clicked() {
            let mut view = context.session.view.clone();
            view.weight_view = Some(WeightView::Influences);
            context.commands.push(Command::SetView(Box::new(view)));
        }
        response.on_hover_text("Show the numbers of influences on the surface");
    }
}

/// The range of sums, and the vertices furthest from 1.
fn sums(ui: &mut Ui, context: &mut Context<'_>, histogram: &Histogram, instance: usize) {
    let Some([low, high]) = histogram.sums else {
        return;
    };
    ui.add_space(GAP);
    let range = if low == high {
        format::weight_sum(low)
    } else {
        let (low, high) = (format::weight_sum(low), format::weight_sum(high));
        if low == high {
            low
        } else {
            format!("{low} … {high}")
        }
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let said = format!("Sums of stored weights: {range}");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    let palette = colors(ui.visuals());
    let font = FontId::proportional(SMALL + 0.5);
    let left = rect.left_center();
    (ui.painter()).text(
        left,
        Align2::LEFT_CENTER,
        "Sums",
        font.clone(),
        palette.weak,
    );
    let mono = FontId::monospace(MONO);
    let right = rect.right_center();
    (ui.painter()).text(
        right,
        Align2::RIGHT_CENTER,
        range,
        mono.clone(),
        palette.text,
    );
    for entry in histogram.worst.iter().take(WORST) {
        let at = VertexRef {
            instance,
            primitive: entry.primitive,
            vertex: entry.vertex,
        };
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
        let is_selected = context.session.view.selected_vertex == Some(at);
        let title = format!("Vertex {}", entry.vertex);
        let sum = format::weight_sum(entry.sum);
        let said = format!("{title} sums to {sum}");
        response.widget_info(|| {
            WidgetInfo::selected(Role::ListItem, ui.is_enabled(), is_selected, &said)
        });
        let area = rect.expand2(vec2(GAP, 0.0));
        if is_selected {
            ui.painter().rect_filled(area, 4.0, palette.selected);
        } else if response.hovered() {
            ui.painter().rect_filled(area, 4.0, palette.raised);
        }
        focus_ring(ui, area, &response);
        let left = rect.left_center() + vec2(PAD, 0.0);
        (ui.painter()).text(left, Align2::LEFT_CENTER, title, font.clone(), palette.text);
        let right = rect.right_center();
        let color = palette.warning;
        (ui.painter()).text(right, Align2::RIGHT_CENTER, sum, mono.clone(), color);
        if response.clicked() {
            context.commands.push(Command::SelectVertex(Some(at)));
        }
        response.on_hover_text("Select this vertex");
    }
}
