//! A mesh where a node shows it: counts, parts, morph targets.

use egui::Ui;

use super::{
    Inspector,
    facts::{self, fact, fact_with, joint_link, link, quiet},
    values::{self, Block},
};
use crate::{
    document::{Document, MeshInstance, Primitive, Topology},
    math::Transform,
    scene::Character,
    session::{Command, Inspected},
    ui::{
        Context,
        format::{self, count, plural},
        icons::Icon,
        theme::{GAP, PAD, colors},
        widgets::{self, SliderField},
    },
};

/// Morph targets laid out at most; a search narrows them down.
const TARGETS_SHOWN: usize = 100;

impl Inspector {
    pub(super) fn mesh_facts(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        character: &Character,
        index: usize,
    ) {
        let document = &*character.document;
        let instance = &document.instances[index];
        let mesh = &document.meshes[instance.mesh];
        let name = format::mesh_name(document, instance);
        facts::header(ui, context, Icon::Mesh, &name, |ui, context| {
            quiet(ui, &format!("Mesh {} · at node", instance.mesh));
            joint_link(ui, context, instance.joint);
        });
        widgets::section(ui, "Geometry", true, |ui| {
            geometry(ui, context, document, instance);
        });
        if instance.skin.is_some() {
            ignored_transform(ui, context, character, instance);
        }
        widgets::section(ui, "Parts", true, |ui| {
            for (number, primitive) in mesh.primitives.iter().enumerate() {
                ui.push_id(number, |ui| part(ui, context, document, primitive));
            }
        });
        if !mesh.morph_weights.is_empty() {
            widgets::section(ui, "Morph targets", true, |ui| {
                self.morphs(ui, context, character, index);
            });
        }
    }

    /// A slider for each morph target of a mesh instance.
    pub(super) fn morphs(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        character: &Character,
        index: usize,
    ) {
        let mesh = &character.document.meshes[character.document.instances[index].mesh];
        let weights = &character.pose.morph_weights[index];
        let held: Vec<usize> = (character.held_morphs().iter())
            .filter(|held| held.instance == index)
            .map(|held| held.target)
            .collect();
        if weights.len() > 12 {
            widgets::search_field(ui, &mut self.morph_query, "Search morph targets");
            ui.add_space(GAP);
        }
        let query = self.morph_query.trim().to_lowercase();
        let label = |target: usize| match mesh.morph_names.get(target) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("target {target}"),
        };
        let hits: Vec<usize> = (0..weights.len())
            .filter(|&target| query.is_empty() || label(target).to_lowercase().contains(&query))
            .collect();
        for &target in hits.iter().take(TARGETS_SHOWN) {
            let mut weight = weights[target];
            let is_held = held.contains(&target);
            let name = label(target);
            ui.push_id(target, |ui| {
                let ends = (weight.min(0.0), weight.max(1.0));
                widgets::labelled(ui, &name, |ui| {
                    let width = ui.available_width() - 22.0;
                    SliderField {
                        name: &name,
                        tooltip: "Weight of the morph target; moving it holds it against the clip",
                        disabled_tooltip: "",
                        range: ends.0..=ends.1,
                        neutral: 0.0,
                        decimals: 2,
                        suffix: "",
                        value_width: 48.0,
                        width,
                    }
                    .show(ui, &mut weight);
                    let release = format!("Give {name} back to the clip");
                    if is_held && widgets::small_icon_button(ui, Icon::Close, &release).clicked() {
                        context.commands.push(Command::HoldMorph {
                            instance: index,
                            target,
                            weight: None,
                        });
                    }
                });
            });
            if weight != weights[target] {
                context.commands.push(Command::HoldMorph {
                    instance: index,
                    target,
                    weight: Some(weight),
                });
            }
        }
        if hits.len() > TARGETS_SHOWN {
            let more = count(hits.len() - TARGETS_SHOWN);
            quiet(ui, &format!("and {more} more: search for them"));
        }
        if held.is_empty() {
            return;
        }
        ui.add_space(GAP);
        if ui.button("Give all back to the clip").clicked() {
            context.commands.push(Command::ReleaseMorphs);
        }
    }
}

fn geometry(ui: &mut Ui, context: &mut Context<'_>, document: &Document, instance: &MeshInstance) {
    let mesh = &document.meshes[instance.mesh];
    fact(ui, "Vertices", &count(mesh.file_vertex_count()));
    fact(ui, "Triangles", &count(mesh.triangle_count()));
    let most = (mesh.primitives.iter())
        .map(|primitive| primitive.influences.per_vertex)
        .max();
    let sets = most.unwrap_or(0) / 4;
    if sets > 0 {
        let text = format!("{} (up to {} per vertex)", plural(sets, "set"), sets * 4);
        fact(ui, "Influences", &text);
    }
    fact_with(ui, "Skin", |ui| match instance.skin {
        Some(skin) => {
            let label = document.skins[skin].label(skin);
            if link(ui, &label, "Show the skin").clicked() {
                let command = Command::Inspect(Inspected::Skin(skin));
                context.commands.push(command);
            }
        }
        None => {
            ui.label("none: moves as a whole");
        }
    });
    let targets = mesh.morph_weights.len();
    if targets > 0 {
        fact(ui, "Morph targets", &count(targets));
    }
    let users = (document.instances.iter()).filter(|other| other.mesh == instance.mesh);
    let users = users.count();
    if users > 1 {
        fact(ui, "Shown by", &plural(users, "node"));
    }
    if !instance.in_scene {
        fact(ui, "Scene", "in none that is shown: not drawn");
    }
    let size = (mesh.primitives.iter())
        .fold(crate::math::Aabb::EMPTY, |size, p| size.union(p.bounds))
        .size();
    if size.is_finite() {
        let text = format!("{:.3} × {:.3} × {:.3} m", size.x, size.y, size.z);
        fact(ui, "Size as stored", &text).on_hover_text("x × y × z, before node, skin and morphs");
    }
}

/// A skinned mesh follows its joints alone: what its own node adds counts for nothing,
/// but some players apply it.
fn ignored_transform(
    ui: &mut Ui,
    context: &mut Context<'_>,
    character: &Character,
    instance: &MeshInstance,
) {
    let world = character.globals.world(instance.joint);
    if world.abs_diff_eq(glam::Mat4::IDENTITY, 1e-5) {
        return;
    }
    widgets::section(ui, "Ignored transform", true, |ui| {
        let color = colors(ui.visuals()).info;
        facts::notice(
            ui,
            Icon::Info,
            color,
            "A skinned mesh follows its joints alone. Where its node stands counts for nothing; players that apply it show the mesh displaced by this:",
        );
        ui.add_space(GAP);
        match Transform::from_mat4(world, 1e-4) {
            Some(transform) => {
                values::column_letters(ui);
                let rows = [
                    ("Translation", transform.translation.to_array().to_vec()),
                    ("Rotation", transform.rotation.to_array().to_vec()),
                    ("Scale", transform.scale.to_array().to_vec()),
                ];
                for (title, values) in &rows {
                    Block {
                        title,
                        tooltip: "Of the mesh's node in the world, now",
                        values,
                        decimals: 4,
                        unit: "",
                        copy: format::exact(values),
                    }
                    .show(ui, context, |_| {});
                }
            }
            None => values::matrix(
                ui,
                context,
                "World matrix of the node",
                "No product of translation, rotation and scale",
                &world,
                |_| {},
            ),
        }
    });
}

fn part(ui: &mut Ui, context: &mut Context<'_>, document: &Document, primitive: &Primitive) {
    fact_with(ui, "Material", |ui| match primitive.material {
        Some(material) => {
            let label = format::material_label(document, material);
            if link(ui, &label, "Show the material").clicked() {
                let command = Command::Inspect(Inspected::Material(material));
                context.commands.push(command);
            }
        }
        None => {
            ui.label("none: plain white");
        }
    });
    let shape = match primitive.topology {
        Topology::Triangles => plural(primitive.triangle_count(), "triangle"),
        Topology::Lines => plural(primitive.indices.len() / 2, "line"),
        Topology::Points => plural(primitive.indices.len(), "point"),
    };
    let vertices = plural(primitive.file_vertex_count, "vertex");
    fact(ui, "Geometry", &format!("{vertices}, {shape}"));
    fact(ui, "Attributes", &attributes(primitive));
    ui.add_space(PAD);
}

/// What a primitive stores beside positions.
fn attributes(primitive: &Primitive) -> String {
    let mut parts = Vec::new();
    if primitive.flat_shading {
        parts.push("no normals (flat)".to_owned());
    } else if !primitive.normals.is_empty() {
        parts.push("normals".to_owned());
    }
    if !primitive.tangents.is_empty() {
        parts.push("tangents".to_owned());
    }
    match (primitive.uvs.iter()).filter(|set| !set.is_empty()).count() {
        0 => {}
        sets => parts.push(plural(sets, "UV set")),
    }
    if !primitive.colors.is_empty() {
        parts.push("colours".to_owned());
    }
    if parts.is_empty() {
        parts.push("positions only".to_owned());
    }
    parts.join(", ")
}
