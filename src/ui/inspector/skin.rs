//! A skin: its joints, the limits they cross, bind pose against rest pose.

use std::sync::{Arc, Weak};

use egui::{Align2, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::facts::{self, fact, fact_with, joint_link, link, quiet};
use crate::{
    analysis::{
        bind::{self, BindRow, BindTable},
        influences,
        measures::{self, Difference},
    },
    anim::SkinMatrix,
    document::{Document, Skin},
    scene::Character,
    session::{Command, Inspected},
    ui::{
        Context,
        format::{self, count, plural},
        icons::Icon,
        text::display,
        theme::{GAP, MONO, PAD, ROW, SMALL, colors},
        widgets::{self, RowStyle},
    },
};

/// Facts and table of one skin, worked out once.
#[derive(Debug, Default)]
pub(super) struct SkinFacts {
    document: Weak<Document>,
    key: (usize, bool),
    rows: Vec<(&'static str, String, &'static str)>,
    table: Option<BindTable>,
}

impl SkinFacts {
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        character: &Character,
        index: usize,
    ) {
        let document = &character.document;
        let key = (index, character.reads_bind_transposed());
        if !std::ptr::eq(self.document.as_ptr(), Arc::as_ptr(document)) || self.key != key {
            *self = Self::new(character, index);
        }
        let skin = &document.skins[index];
        facts::header(
            ui,
            context,
            Icon::Skin,
            &skin.label(index),
            |ui, context| {
                quiet(ui, &format!("Skin {index}"));
                if let Some(root) = skin.root {
                    quiet(ui, "· names as root");
                    joint_link(ui, context, root);
                }
            },
        );
        for (label, value, tooltip) in &self.rows {
            let response = fact(ui, label, value);
            if !tooltip.is_empty() {
                response.on_hover_text(*tooltip);
            }
        }
        for (instance, user) in document.instances.iter().enumerate() {
            if user.skin == Some(index) {
                fact_with(ui, "Moves", |ui| {
                    let name = format::mesh_name(document, user);
                    if link(ui, &name, "Show the mesh").clicked() {
                        let command = Command::Inspect(Inspected::Mesh(instance));
                        context.commands.push(command);
                    }
                });
            }
        }
        ui.add_space(PAD);
        widgets::section(ui, "Bind pose against rest pose", true, |ui| {
            super::pose_buttons(ui, context, character);
            ui.add_space(GAP);
            transposed(ui, context, character, skin);
            if let Some(table) = &self.table {
                summary(ui, table);
                bind_rows(ui, context, document, table);
            }
        });
    }

    fn new(character: &Character, index: usize) -> Self {
        let document = &character.document;
        let table = bind::table_read_as(document, index, &character.skins()[index]);
        Self {
            rows: rows(document, index),
            table: Some(table),
            document: Arc::downgrade(document),
            key: (index, character.reads_bind_transposed()),
        }
    }
}

fn rows(document: &Document, index: usize) -> Vec<(&'static str, String, &'static str)> {
    let skin = &document.skins[index];
    let joints = skin.joints.len();
    let usage = influences::slot_usage(document, index);
    let unused = usage.iter().filter(|&&vertices| vertices == 0).count();
    let mut rows = vec![("Joints", count(joints), "")];
    if unused > 0 {
        rows.push((
            "Without weight",
            plural(unused, "joint"),
            "They move no vertex of this skin's meshes",
        ));
    }
    let crossed = measures::limits_crossed(joints);
    let limits = match (crossed, crossed.len() < measures::JOINT_LIMITS.len()) {
        ([], _) => format!("none: under {}", measures::JOINT_LIMITS[0]),
        (crossed, _) => {
            let list: Vec<String> = crossed.iter().map(usize::to_string).collect();
            format!("over {}", list.join(", "))
        }
    };
    rows.push((
        "Limits crossed",
        limits,
        "64: uniform arrays on phones · 128 · 256: a 16 KiB uniform block, indices of 8 bits · 1023: textures of 4096 pixels",
    ));
    let here = joints * size_of::<SkinMatrix>();
    rows.push((
        "On the GPU",
        format!("{} bytes a pose", count(here)),
        "48 bytes a joint here; 64 where engines upload whole matrices",
    ));
    let shared = (document.skins.iter().enumerate())
        .filter(|&(other, _)| other != index)
        .filter_map(|(other, them)| {
            let common = them
                .joints
                .iter()
                .filter(|joint| skin.joints.contains(joint));
            let common = common.count();
            (common > 0).then(|| format!("{} with {}", count(common), them.label(other)))
        });
    let shared: Vec<String> = shared.take(6).collect();
    if !shared.is_empty() {
        rows.push((
            "Shared joints",
            shared.join(", "),
            "Skins over the same joints could be one: fewer uploads",
        ));
    }
    if !skin.has_inverse_bind_matrices {
        rows.push((
            "Inverse bind",
            "none stored: identity".to_owned(),
            "The accessor is optional; the mesh is then bound where its joints have no transform",
        ));
    }
    rows
}

/// The hint that matrices look written row by row, and the switch that tries it out.
fn transposed(ui: &mut Ui, context: &mut Context<'_>, character: &Character, skin: &Skin) {
    if skin.transposed_bind.is_none() {
        return;
    }
    let color = colors(ui.visuals()).warning;
    facts::notice(
        ui,
        Icon::Warning,
        color,
        "The inverse bind matrices look written row by row: their translations stand in the fourth row, where glTF reads columns.",
    );
    let mut on = character.reads_bind_transposed();
    if widgets::check_box(ui, &mut on, "Preview them transposed").changed() {
        context.commands.push(Command::ReadBindTransposed(on));
    }
    ui.add_space(GAP);
}

fn summary(ui: &mut Ui, table: &BindTable) {
    let common = difference_text(&table.common_difference());
    let moves = common != NOTHING;
    if moves {
        let text = format!(
            "At rest the whole mesh stands elsewhere than it was bound, by one and the same transform: {common}."
        );
        quiet(ui, &text);
    }
    let text = match table.differing() {
        0 if moves => "Beyond that no joint differs.".to_owned(),
        0 => "The rest pose is the bind pose.".to_owned(),
        differing => format!(
            "{} of {} stand elsewhere at rest than where they were bound; first those that differ most by themselves.",
            count(differing),
            plural(table.rows.len(), "joint"),
        ),
    };
    quiet(ui, &text);
    ui.add_space(GAP);
}

/// A difference that is none, in words.
const NOTHING: &str = "nothing to speak of";

/// A difference in words.
fn difference_text(difference: &Difference) -> String {
    let mut parts = Vec::new();
    if difference.degrees > 0.05 {
        parts.push(format!("{:.1}° of turn", difference.degrees));
    }
    if difference.distance > 1e-4 {
        parts.push(format!("{:.3} m", difference.distance));
    }
    if !difference.scale.abs_diff_eq(glam::Vec3::ONE, 1e-3) {
        parts.push(format!("scale {}", scale_text(difference.scale)));
    }
    if parts.is_empty() {
        parts.push(NOTHING.to_owned());
    }
    parts.join(", ")
}

/// One number where it is the same along all axes.
fn scale_text(scale: glam::Vec3) -> String {
    let number = |value: f32| format::number(value, Some(3)).trim().to_owned();
    if (scale.max_element() - scale.min_element()).abs() < 1e-3 {
        number(scale.x)
    } else {
        scale.to_array().map(number).join(" ")
    }
}

/// Right edges of the columns of numbers, from the right.
const COLUMNS: [(&str, f32, &str); 3] = [
    ("scale", 0.0, "Factors of M · M0⁻¹ at rest"),
    (
        "move, m",
        62.0,
        "From the joint's place at bind to that at rest",
    ),
    ("turn, °", 124.0, "Turn of M · M0⁻¹ at rest"),
];

fn bind_rows(ui: &mut Ui, context: &mut Context<'_>, document: &Document, table: &BindTable) {
    let width = ui.available_width();
    let (head, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let weak = colors(ui.visuals()).weak;
    let small = FontId::proportional(SMALL);
    let left = head.left_center();
    ui.painter()
        .text(left, Align2::LEFT_CENTER, "Joint", small.clone(), weak);
    for (title, offset, _) in COLUMNS {
        let at = pos2(head.right() - offset, head.center().y);
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, title, small.clone(), weak);
    }
    // One place for all rows; only those to be seen are laid out.
    let height = table.rows.len() as f32 * ROW;
    let (all, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    let seen = ui.clip_rect();
    let first = ((seen.top() - all.top()) / ROW).floor().max(0.0) as usize;
    let last = ((seen.bottom() - all.top()) / ROW).ceil().max(0.0) as usize;
    for index in first..last.min(table.rows.len()) {
        let corner = all.left_top() + vec2(0.0, index as f32 * ROW);
        let rect = Rect::from_min_size(corner, vec2(width, ROW));
        bind_row(ui, context, document, &table.rows[index], rect);
    }
}

fn bind_row(
    ui: &mut Ui,
    context: &mut Context<'_>,
    document: &Document,
    row: &BindRow,
    rect: Rect,
) {
    let label = document.skeleton.joints[row.joint].label();
    let texts = if row.has_bind {
        [
            scale_text(row.whole.scale),
            format::number(row.whole.distance, Some(3))
                .trim()
                .to_owned(),
            format::number(row.whole.degrees, Some(1)).trim().to_owned(),
        ]
    } else {
        ["", "", "no inverse"].map(str::to_owned)
    };
    let response = ui.interact(
        rect,
        ui.scope_id().with(("bind row", row.slot)),
        Sense::click(),
    );
    response.widget_info(|| {
        let text = format!("{label}: {}°, {} m, scale {}", texts[2], texts[1], texts[0]);
        WidgetInfo::labeled(Role::ListItem, ui.is_enabled(), text)
    });
    let view = &context.session.view;
    let style = RowStyle {
        selected: view.selected_joint == Some(row.joint),
        highlighted: view.hovered_joint == Some(row.joint),
    };
    widgets::row_background(ui, rect.expand2(vec2(GAP, 0.0)), &response, style);
    let colors = colors(ui.visuals());
    let strong = if row.differs {
        colors.text
    } else {
        colors.weak
    };
    let name = if row.is_used {
        strong
    } else {
        colors.weak.gamma_multiply(0.7)
    };
    let width = rect.width() - COLUMNS[2].1 - 52.0;
    let font = FontId::proportional(13.0);
    widgets::fitted_text(ui, &label, font, name, rect.left(), rect.center().y, width);
    for ((_, offset, _), text) in COLUMNS.iter().zip(&texts) {
        let at = pos2(rect.right() - offset, rect.center().y);
        let font = FontId::monospace(MONO);
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, text, font, strong);
    }
    if response.hovered() {
        context.hovered_joint = Some(row.joint);
    }
    if response.clicked() {
        // The skin stays in the inspector: the table is walked through row by row.
        let skin = context.session.inspected;
        context.commands.push(Command::SelectJoint(Some(row.joint)));
        context.commands.push(Command::Inspect(skin));
    }
    response.on_hover_ui(|ui| tooltip(ui, row, &label));
}

fn tooltip(ui: &mut Ui, row: &BindRow, label: &str) {
    ui.strong(display(label));
    let own = &row.own;
    let own = format!(
        "Of its own, relative to its parent: {:.2}°, {:.4} m, scale {}",
        own.degrees,
        own.distance,
        scale_text(own.scale)
    );
    ui.label(own);
    if !row.is_used {
        ui.weak("No vertex has weight on it");
    }
    ui.weak("M · M0⁻¹ at rest:");
    for line in 0..4 {
        let numbers = row.residual.row(line).to_array();
        let text: Vec<String> = (numbers.iter())
            .map(|&number| format::number(number, Some(4)))
            .collect();
        ui.monospace(text.join(" "));
    }
}
