//! The selected vertex: where it is, and every joint that pulls it.

use core::fmt::Write as _;

use egui::{Align2, FontId, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::values::Block;
use crate::{
    analysis::influences::{self, InfluenceRow},
    document::Document,
    scene::{Character, VertexRef},
    session::Command,
    ui::{
        Context, format,
        icons::Icon,
        text::display,
        theme::{GAP, MONO, PAD, RADIUS, ROW, SMALL, colors},
        widgets::{self, fitted_text, focus_ring},
    },
};

/// Influences listed at most: the most a sane file has is 16.
const MOST: usize = 64;
/// Height of an influence with weight.
const TALL: f32 = 38.0;
/// Room for set and place.
const PLACE: f32 = 30.0;
/// Room for the stored weight and the share.
const NUMBERS: f32 = 112.0;

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, character: &Character, at: VertexRef) {
    let document = &*character.document;
    let Some((instance, primitive)) = at.resolve(document) else {
        return;
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    let rows = influences::of_vertex(document, at.instance, at.primitive, at.vertex);
    let stored = primitive.positions[at.vertex].to_array();
    let now = context.frame.vertex.filter(|mark| mark.at == at);
    let now = now.map(|mark| mark.position.to_array());
    let owner = owner(document, at);
    header(ui, context, at, &owner, || {
        report(document, at, &owner, stored, now, &rows)
    });
    ui.add_space(GAP);
    let mut block = |title, tooltip, values: &[f32; 3]| {
        Block {
            title,
            tooltip,
            values,
            decimals: 4,
            unit: "",
            copy: format::exact(values),
        }
        .show(ui, context, |_| {});
    };
    block("Position, stored", "Mesh space, as in the file", &stored);
    match &now {
        Some(now) => block("Position now", "World space, as it is drawn", now),
        None => {
            let text = "Hidden, or nowhere in this pose";
            ui.label(RichText::new(text).color(colors(ui.visuals()).weak));
        }
    }
    if rows.is_empty() {
        let text = if instance.skin.is_some() {
            "No influences: it stays where it was bound."
        } else {
            "No skin: it moves with its node."
        };
        let weak = colors(ui.visuals()).weak;
        ui.label(RichText::new(text).size(SMALL + 0.5).color(weak));
        return;
    }
    column_titles(ui);
    for row in rows.iter().take(MOST) {
        influence(ui, context, document, row);
    }
    if rows.len() > MOST {
        ui.weak(format!("and {} more", format::count(rows.len() - MOST)));
    }
    sums(ui, &rows);
}

/// `Body`, or `Body · primitive 2` where there are several.
fn owner(document: &Document, at: VertexRef) -> String {
    let instance = &document.instances[at.instance];
    let mesh = &document.meshes[instance.mesh];
    let name = if mesh.name.is_empty() {
        document.skeleton.joints[instance.joint].label()
    } else {
        mesh.name.clone()
    };
    if mesh.primitives.len() > 1 {
        format!("{name} · primitive {}", at.primitive)
    } else {
        name
    }
}

fn header(
    ui: &mut Ui,
    context: &mut Context<'_>,
    at: VertexRef,
    owner: &str,
    report: impl FnOnce() -> String,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if widgets::small_icon_button(ui, Icon::Close, "Deselect vertex").clicked() {
                context.commands.push(Command::SelectVertex(None));
            }
            if widgets::copy_button(ui, "Copy influences").clicked() {
                context.commands.push(Command::CopyText(report()));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let strong = colors(ui.visuals()).strong;
                let title = format!("Vertex {}", at.vertex);
                ui.label(RichText::new(title).heading().color(strong));
            });
        });
    });
    let weak = colors(ui.visuals()).weak;
    let text = RichText::new(display(owner)).size(SMALL + 0.5).color(weak);
    ui.add(egui::Label::new(text).truncate());
}

fn column_titles(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let weak = colors(ui.visuals()).weak;
    let font = FontId::proportional(SMALL);
    let y = rect.center().y;
    for (x, anchor, text) in [
        (rect.left(), Align2::LEFT_CENTER, "Set"),
        (rect.left() + PLACE, Align2::LEFT_CENTER, "Joint"),
        (rect.right() - 54.0, Align2::RIGHT_CENTER, "stored"),
        (rect.right(), Align2::RIGHT_CENTER, "share"),
    ] {
        ui.painter()
            .text(pos2(x, y), anchor, text, font.clone(), weak);
    }
}

/// What is remarkable about an influence, in a word and in a sentence.
fn remark(row: &InfluenceRow) -> Option<(&'static str, &'static str)> {
    if row.is_duplicate {
        Some(("twice", "Another row of this vertex names the same joint"))
    } else if row.is_beyond_four {
        Some((
            "dropped by many",
            "Most engines know the first set of four only",
        ))
    } else {
        None
    }
}

/// A row that selects its joint.
fn influence(ui: &mut Ui, context: &mut Context<'_>, document: &Document, row: &InfluenceRow) {
    let name = document.skeleton.joints[row.joint].label();
    let height = if row.is_zero { ROW } else { TALL };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let is_selected = context.session.view.selected_joint == Some(row.joint);
    let remark = remark(row);
    response.widget_info(|| {
        let mut text = format!(
            "{name}: stored {:.4}, share {:.1} %, set {}, place {}",
            row.stored,
            row.normalized * 100.0,
            row.set,
            row.lane
        );
        if let Some((word, _)) = remark {
            let _ = write!(text, ", {word}");
        }
        WidgetInfo::selected(Role::ListItem, ui.is_enabled(), is_selected, text)
    });
    let response = response.on_hover_ui(|ui| {
        ui.label(display(&name));
        if let Some((_, sentence)) = remark {
            ui.label(sentence);
        }
        ui.weak(format!(
            "Slot {} of the skin, place {} of set {}; stored {}",
            row.slot, row.lane, row.set, row.stored
        ));
    });
    if response.hovered() {
        context.hovered_joint = Some(row.joint);
    }
    if response.clicked() {
        context.commands.push(Command::SelectJoint(Some(row.joint)));
    }
    if ui.is_rect_visible(rect) {
        paint_influence(ui, rect, &response, &name, row, is_selected);
    }
}

fn paint_influence(
    ui: &Ui,
    rect: Rect,
    response: &egui::Response,
    name: &str,
    row: &InfluenceRow,
    is_selected: bool,
) {
    let colors = colors(ui.visuals());
    let background = rect.expand2(vec2(GAP, 0.0));
    if is_selected {
        ui.painter()
            .rect_filled(background, RADIUS, colors.selected);
    } else if response.hovered() {
        ui.painter().rect_filled(background, RADIUS, colors.raised);
    }
    focus_ring(ui, background, response);
    let faded = if row.is_zero { 0.55 } else { 1.0 };
    let y = if row.is_zero {
        rect.center().y
    } else {
        rect.top() + 12.0
    };
    let place = format!("{}·{}", row.set, row.lane);
    let mono = FontId::monospace(MONO);
    let weak = colors.weak.gamma_multiply(faded);
    let left = pos2(rect.left(), y);
    (ui.painter()).text(left, Align2::LEFT_CENTER, place, mono.clone(), weak);
    let x = rect.left() + PLACE;
    let number = |y: f32, right: f32, text: String| {
        let at = pos2(right, y);
        let color = colors.text.gamma_multiply(faded);
        (ui.painter()).text(at, Align2::RIGHT_CENTER, text, mono.clone(), color);
    };
    let mut right = rect.right();
    if row.is_zero {
        number(y, right - 54.0, "0".to_owned());
        right -= NUMBERS;
    } else if let Some((word, _)) = remark(row) {
        let font = FontId::proportional(SMALL);
        let galley = (ui.painter()).layout_no_wrap(word.to_owned(), font, colors.warning);
        right -= galley.size().x;
        let at = Align2::LEFT_CENTER.anchor_size(pos2(right, y), galley.size());
        ui.painter().galley(at.min, galley, colors.warning);
        right -= PAD;
    }
    let color = if is_selected {
        colors.strong
    } else {
        colors.text.gamma_multiply(faded)
    };
    fitted_text(ui, name, FontId::proportional(13.0), color, x, y, right - x);
    if row.is_zero {
        return;
    }
    let y = rect.bottom() - 11.0;
    number(y, rect.right() - 54.0, format!("{:.4}", row.stored));
    number(y, rect.right(), format!("{:.1} %", row.normalized * 100.0));
    let track = Rect::from_min_max(pos2(x, y - 3.0), pos2(rect.right() - NUMBERS, y + 3.0));
    ui.painter().rect_filled(track, 3.0, colors.sunken);
    let mut filled = track;
    filled.set_width(track.width() * row.normalized.clamp(0.0, 1.0));
    let color = if row.is_beyond_four {
        colors.warning
    } else {
        colors.accent
    };
    ui.painter().rect_filled(filled, 3.0, color);
}

/// The stored weights' sum, and that of the first set where there are more.
fn sums(ui: &mut Ui, rows: &[InfluenceRow]) {
    let sum = |rows: &mut dyn Iterator<Item = &InfluenceRow>| -> f64 {
        rows.map(|row| f64::from(row.stored)).sum()
    };
    let all = sum(&mut rows.iter());
    ui.add_space(2.0);
    let is_off = (all - 1.0).abs() > 1e-3;
    sum_line(ui, "Sum of stored weights", all, is_off);
    if rows.iter().any(|row| row.is_beyond_four) {
        let first = sum(&mut rows.iter().filter(|row| row.set == 0));
        sum_line(ui, "Sum of the first four", first, true);
    }
    if all < f64::from(crate::anim::Weights::MIN_SUM) {
        let text = "All weights are 0: it stays where it was bound.";
        let color = colors(ui.visuals()).warning;
        ui.label(RichText::new(text).size(SMALL + 0.5).color(color));
    }
}

fn sum_line(ui: &mut Ui, title: &str, sum: f64, is_off: bool) {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW - 2.0), Sense::hover());
    let text = format::weight_sum(sum);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{title}: {text}")));
    let colors = colors(ui.visuals());
    let font = FontId::proportional(SMALL + 0.5);
    let left = rect.left_center();
    (ui.painter()).text(left, Align2::LEFT_CENTER, title, font, colors.weak);
    let color = if is_off { colors.warning } else { colors.text };
    let right = rect.right_center() - vec2(54.0, 0.0);
    (ui.painter()).text(
        right,
        Align2::RIGHT_CENTER,
        text,
        FontId::monospace(MONO),
        color,
    );
}

/// All of it as text, for a bug report.
fn report(
    document: &Document,
    at: VertexRef,
    owner: &str,
    stored: [f32; 3],
    now: Option<[f32; 3]>,
    rows: &[InfluenceRow],
) -> String {
    let mesh = document.instances[at.instance].mesh;
    let mut text = format!(
        "{}: vertex {} of mesh {mesh} \"{owner}\", primitive {}\nposition stored {}",
        document.name,
        at.vertex,
        at.primitive,
        format::exact(&stored)
    );
    // Writing to a string cannot fail.
    if let Some(now) = now {
        let _ = write!(text, ", now {}", format::exact(&now));
    }
    for row in rows {
        let joint = &document.skeleton.joints[row.joint];
        let _ = write!(
            text,
            "\nset {} place {}: node {} \"{}\" (slot {}), weight {:?}, share {:.2} %",
            row.set,
            row.lane,
            joint.node,
            joint.label(),
            row.slot,
            row.stored,
            row.normalized * 100.0
        );
        if row.is_duplicate {
            text.push_str(", twice");
        }
        if row.is_beyond_four {
            text.push_str(", outside the first four");
        }
    }
    if !rows.is_empty() {
        let sum: f64 = rows.iter().map(|row| f64::from(row.stored)).sum();
        let _ = write!(text, "\nsum of stored weights {}", format::weight_sum(sum));
    }
    text
}
