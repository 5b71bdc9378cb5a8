//! Mesh instances with their sizes and an eye to hide them.

use egui::{Id, Sense, Ui};

use crate::{
    document::{Document, MeshInstance},
    session::Command,
    ui::{
        Context,
        format::{count, plural},
        icons::{Icon, square},
        text::display,
        theme::{MARGIN, TALL_ROW},
        widgets::{self, Row, RowStyle, Seek},
    },
};

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, query: &str, seek: Option<Seek>) {
    let session = context.session;
    let Some(document) = session.document() else {
        widgets::empty_state(ui, Icon::Mesh, "No file open", "Drop a glTF file here");
        return;
    };
    let query = query.trim().to_lowercase();
    let shown: Vec<usize> = (0..document.instances.len())
        .filter(|&index| {
            query.is_empty()
                || mesh_name(document, &document.instances[index])
                    .to_lowercase()
                    .contains(&query)
        })
        .collect();
    if shown.is_empty() {
        let (title, hint) = if document.instances.is_empty() {
            ("No meshes", "This file holds a skeleton only")
        } else {
            ("No match", "No mesh has this in its name")
        };
        widgets::empty_state(ui, Icon::Mesh, title, hint);
        return;
    }
    let selected = session.view.selected_joint;
    let joint_of = |&index: &usize| document.instances[index].joint;
    let current = shown
        .iter()
        .position(|index| Some(joint_of(index)) == selected);
    let target = seek.and_then(|seek| seek.target(current, shown.len()));
    if let Some(target) = target {
        let command = Command::SelectJoint(Some(joint_of(&shown[target])));
        context.commands.push(command);
    }
    widgets::rows(
        ui,
        "meshes",
        shown.len(),
        TALL_ROW,
        target,
        |ui, row, rect| {
            let index = shown[row];
            let instance = &document.instances[index];
            let name = mesh_name(document, instance);
            let hidden = session.view.hidden_instances.contains(&index);
            let response = Row {
                id: Id::unique(("mesh row", index)),
                icon: Icon::Mesh,
                title: &name,
                detail: &detail(document, instance),
                style: RowStyle {
                    selected: session.view.selected_joint == Some(instance.joint),
                    highlighted: session.view.hovered_joint == Some(instance.joint),
                },
                reserve: 24.0,
            }
            .show(ui, rect);
            if response.hovered() {
                context.hovered_joint = Some(instance.joint);
            }
            if response.clicked() {
                let command = Command::SelectJoint(Some(instance.joint));
                context.commands.push(command);
            }
            let target = square(rect.right() - MARGIN - 18.0, rect.center().y, 22.0);
            let eye = ui.interact(target, Id::unique(("mesh eye", index)), Sense::click());
            let (icon, verb) = if hidden {
                (Icon::EyeOff, "Show")
            } else {
                (Icon::Eye, "Hide")
            };
            let label = format!("{verb} {name}");
            widgets::paint_icon_button(ui, target, &eye, icon, &label, None);
            if eye.on_hover_text(display(&label)).clicked() {
                let mut view = session.view.clone();
                if hidden {
                    view.hidden_instances.retain(|&known| known != index);
                } else {
                    view.hidden_instances.push(index);
                }
                context.commands.push(Command::SetView(Box::new(view)));
            }
        },
    );
}

/// The mesh's name, or its node's.
fn mesh_name(document: &Document, instance: &MeshInstance) -> String {
    let name = &document.meshes[instance.mesh].name;
    if name.is_empty() {
        document.skeleton.joints[instance.joint].label()
    } else {
        name.clone()
    }
}

fn detail(document: &Document, instance: &MeshInstance) -> String {
    let mesh = &document.meshes[instance.mesh];
    let mut parts = vec![
        format!("{} vert", count(mesh.file_vertex_count())),
        format!("{} tri", count(mesh.triangle_count())),
    ];
    if let Some(skin) = instance.skin {
        parts.push(document.skins[skin].label(skin));
    }
    let mut materials: Vec<usize> = mesh.primitives.iter().filter_map(|p| p.material).collect();
    materials.sort_unstable();
    materials.dedup();
    match materials[..] {
        [] => {}
        [material] if !document.materials[material].name.is_empty() => {
            parts.push(document.materials[material].name.clone());
        }
        _ => parts.push(plural(materials.len(), "material")),
    }
    parts.join(" · ")
}
