//! File info: what is in the file, what it needs, how many problems it has.

use std::sync::{Arc, Weak};

use egui::{Grid, Label, RichText, Ui, vec2};
use glam::Vec3;

use super::{
    Context,
    format::{count, plural},
    sheet,
    text::display,
    theme::{GAP, MARGIN, PAD, SMALL, colors},
};
use crate::{
    document::{Document, Severity},
    scene::{PoseSource, animated_bounds},
    session::{Analysis, Command, OutlinerTab, Session},
};

/// Width of the sheet.
const WIDTH: f32 = 560.0;

/// Facts counted once per document.
#[derive(Debug, Default)]
pub struct Info {
    document: Weak<Document>,
    /// Of the rest pose, file units.
    height: f32,
    facts: Vec<(&'static str, String)>,
}

impl Info {
    /// Counts a new document's facts; call it before the others.
    pub fn follow(&mut self, session: &Session) {
        let Some(character) = session.character() else {
            *self = Self::default();
            return;
        };
        if !std::ptr::eq(self.document.as_ptr(), Arc::as_ptr(&character.document)) {
            let mut rest = character.clone();
            rest.set_source(PoseSource::Rest);
            let size = animated_bounds(&rest).size();
            self.document = Arc::downgrade(&character.document);
            self.height = size.y;
            self.facts = facts(&character.document, size);
        }
    }

    /// What stands in the file, from top to bottom in the rest pose.
    pub fn height_metres(&self) -> f32 {
        self.height
    }

    /// Shows the window while it is open.
    pub fn show(&self, ui: &mut Ui, context: &mut Context<'_>) {
        if !context.session.panels.info {
            return;
        }
        let Some(character) = context.session.character() else {
            close(context);
            return;
        };
        let document = &character.document;
        let closed = sheet::show(ui, "File info", WIDTH, |ui| {
            self.contents(ui, context, document);
        });
        if closed {
            close(context);
        }
    }

    fn contents(&self, ui: &mut Ui, context: &mut Context<'_>, document: &Document) {
        let colors = colors(ui.visuals());
        let name = RichText::new(display(&document.name))
            .heading()
            .color(colors.strong);
        ui.add(Label::new(name).truncate());
        ui.add_space(GAP);
        Grid::new("facts")
            .num_columns(2)
            .spacing(vec2(MARGIN * 2.0, 3.0))
            .min_row_height(18.0)
            .show(ui, |ui| {
                for (label, value) in &self.facts {
                    ui.label(RichText::new(*label).color(colors.weak));
                    ui.add(Label::new(RichText::new(display(value)).color(colors.text)).wrap());
                    ui.end_row();
                }
            });
        ui.add_space(PAD);
        extensions(ui, document);
        problems(ui, context);
    }
}

fn close(context: &mut Context<'_>) {
    let mut panels = context.session.panels;
    panels.info = false;
    context.commands.push(Command::SetPanels(panels));
}

fn facts(document: &Document, size: Vec3) -> Vec<(&'static str, String)> {
    let asset = &document.asset;
    let mut facts = vec![("Format", asset.format.clone())];
    if let Some(generator) = &asset.generator {
        facts.push(("Generator", generator.clone()));
    }
    if let Some(copyright) = &asset.copyright {
        facts.push(("Copyright", copyright.clone()));
    }
    if asset.size_bytes > 0 {
        let files = match document.sources.len() {
            0 | 1 => String::new(),
            files => format!(" in {}", plural(files, "file")),
        };
        facts.push(("Size on disk", format!("{}{files}", asset.size_text())));
    }
    facts.push((
        "Height",
        format!(
            "{:.3} m in the rest pose, {:.3} m wide and {:.3} m deep",
            size.y, size.x, size.z
        ),
    ));
    facts.push((
        "Nodes",
        format!(
            "{}, of them {} in {}",
            count(document.skeleton.joints.len()),
            plural(document.skinned_joint_count(), "joint"),
            plural(document.skins.len(), "skin"),
        ),
    ));
    facts.push((
        "Meshes",
        format!(
            "{} · {} · {}",
            plural(document.meshes.len(), "mesh"),
            plural(document.vertex_count(), "vertex"),
            plural(document.triangle_count(), "triangle"),
        ),
    ));
    facts.push((
        "Materials",
        format!(
            "{} · {}",
            plural(document.materials.len(), "material"),
            plural(document.images.len(), "image"),
        ),
    ));
    facts.push(("Clips", clips(document)));
    facts
}

fn clips(document: &Document) -> String {
    let names: Vec<String> = document
        .clips
        .iter()
        .enumerate()
        .take(6)
        .map(|(index, clip)| clip.label(index))
        .collect();
    let more = document.clips.len().saturating_sub(names.len());
    match (document.clips.len(), more) {
        (0, _) => "none".to_owned(),
        (total, 0) => format!("{}: {}", count(total), names.join(", ")),
        (total, more) => format!(
            "{}: {} and {} more",
            count(total),
            names.join(", "),
            count(more)
        ),
    }
}

fn extensions(ui: &mut Ui, document: &Document) {
    if document.asset.extensions.is_empty() {
        return;
    }
    let colors = colors(ui.visuals());
    ui.label(RichText::new("Extensions").size(14.0).color(colors.strong));
    for extension in &document.asset.extensions {
        ui.horizontal(|ui| {
            ui.set_height(16.0);
            ui.spacing_mut().item_spacing = vec2(PAD, 0.0);
            ui.spacing_mut().interact_size.y = 16.0;
            ui.label(
                RichText::new(&extension.name)
                    .monospace()
                    .color(colors.text),
            );
            let (state, color) = match (extension.supported, extension.required) {
                (true, true) => ("supported, required", colors.weak),
                (true, false) => ("supported", colors.weak),
                (false, true) => ("not supported, required", colors.error),
                (false, false) => ("ignored", colors.warning),
            };
            ui.label(RichText::new(state).size(SMALL).color(color));
        });
    }
    ui.add_space(PAD);
}

/// How many there are; the list itself is the outliner's.
fn problems(ui: &mut Ui, context: &mut Context<'_>) {
    let colors = colors(ui.visuals());
    let session = context.session;
    let notes = session.finding_count(Severity::Info);
    let problems = session.findings().len() - notes;
    let title = match (problems, notes) {
        (0, 0) => "No problems".to_owned(),
        (0, notes) => plural(notes, "note"),
        (problems, 0) => plural(problems, "problem"),
        (problems, notes) => format!("{}, {}", plural(problems, "problem"), plural(notes, "note")),
    };
    ui.label(RichText::new(title).size(14.0).color(colors.strong));
    match session.analysis {
        Analysis::Running(_) => ui.weak("The checks still run."),
        Analysis::Done(_) if problems + notes == 0 => ui.weak("All checks are done."),
        Analysis::Done(_) => ui.weak("The list says where they are, why, and what to do."),
    };
    if problems + notes > 0 && ui.button("Show the list").clicked() {
        let mut panels = session.panels;
        panels.info = false;
        panels.outliner = true;
        panels.outliner_tab = OutlinerTab::Problems;
        context.commands.push(Command::SetPanels(panels));
    }
}
