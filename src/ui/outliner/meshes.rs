//! What the file holds beside joints and clips: mesh instances with their sizes and an
//! eye to hide them, skins, materials, pictures.

use egui::{Align2, FontId, Id, Rect, Sense, Ui, pos2};

use crate::{
    document::{Document, MeshInstance},
    session::{Command, Inspected},
    ui::{
        Context,
        format::{count, material_label, mesh_name, plural},
        icons::{Icon, square},
        text::display,
        theme::{MARGIN, SMALL, TALL_ROW, colors},
        widgets::{self, Row, RowStyle, Seek},
    },
};

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Heading(&'static str, usize),
    Thing(Inspected),
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, query: &str, seek: Option<Seek>) {
    let session = context.session;
    let Some(document) = session.document() else {
        widgets::empty_state(ui, Icon::Mesh, "No file open", "Drop a glTF file here");
        return;
    };
    let shown = items(document, &query.trim().to_lowercase());
    if shown.is_empty() {
        let (title, hint) = if query.trim().is_empty() {
            ("No meshes", "This file holds a skeleton only")
        } else {
            ("No match", "Nothing here has this in its name")
        };
        widgets::empty_state(ui, Icon::Mesh, title, hint);
        return;
    }
    let things: Vec<usize> = (0..shown.len())
        .filter(|&row| matches!(shown[row], Item::Thing(_)))
        .collect();
    let is_shown = |item: Item| match item {
        Item::Thing(thing) => is_selected(context, document, thing),
        Item::Heading(..) => false,
    };
    let current = things.iter().position(|&row| is_shown(shown[row]));
    let target = seek
        .and_then(|seek| seek.target(current, things.len()))
        .map(|hit| things[hit]);
    if let Some(Item::Thing(thing)) = target.map(|row| shown[row]) {
        choose(context, document, thing);
    }
    widgets::rows(
        ui,
        "meshes",
        shown.len(),
        TALL_ROW,
        target,
        |ui, row, rect| match shown[row] {
            Item::Heading(title, number) => heading(ui, rect, title, number),
            Item::Thing(Inspected::Mesh(index)) => mesh_row(ui, context, document, index, rect),
            Item::Thing(thing) => thing_row(ui, context, document, thing, rect),
        },
    );
}

/// Headings, and what has the (lower-case) text in its name.
fn items(document: &Document, query: &str) -> Vec<Item> {
    let fits = |name: &str| query.is_empty() || name.to_lowercase().contains(query);
    let groups: [(&str, Vec<Inspected>); 4] = [
        (
            "Meshes",
            (0..document.instances.len()).map(Inspected::Mesh).collect(),
        ),
        (
            "Skins",
            (0..document.skins.len()).map(Inspected::Skin).collect(),
        ),
        (
            "Materials",
            (0..document.materials.len())
                .map(Inspected::Material)
                .collect(),
        ),
        (
            "Pictures",
            (0..document.images.len()).map(Inspected::Image).collect(),
        ),
    ];
    let mut items = Vec::new();
    for (title, mut things) in groups {
        things.retain(|&thing| fits(&title_of(document, thing)));
        if !things.is_empty() {
            items.push(Item::Heading(title, things.len()));
            items.extend(things.into_iter().map(Item::Thing));
        }
    }
    // Meshes alone need no heading.
    let headings = items
        .iter()
        .filter(|item| matches!(item, Item::Heading(..)));
    if headings.count() == 1 && !document.instances.is_empty() && query.is_empty() {
        items.remove(0);
    }
    items
}

fn title_of(document: &Document, thing: Inspected) -> String {
    match thing {
        Inspected::Mesh(index) => mesh_name(document, &document.instances[index]),
        Inspected::Skin(index) => document.skins[index].label(index),
        Inspected::Material(index) => material_label(document, index),
        Inspected::Image(index) => document.images[index].name.clone(),
        Inspected::Joint | Inspected::Clip(_) => String::new(),
    }
}

/// A mesh counts as selected with its node too.
fn is_selected(context: &Context<'_>, document: &Document, thing: Inspected) -> bool {
    let session = context.session;
    match (session.inspected, thing) {
        (Inspected::Joint, Inspected::Mesh(index)) => {
            session.view.selected_joint == Some(document.instances[index].joint)
        }
        (inspected, thing) => inspected == thing,
    }
}

fn choose(context: &mut Context<'_>, document: &Document, thing: Inspected) {
    if let Inspected::Mesh(index) = thing {
        let joint = document.instances[index].joint;
        context.commands.push(Command::SelectJoint(Some(joint)));
    }
    context.commands.push(Command::Inspect(thing));
}

fn heading(ui: &Ui, rect: Rect, title: &str, number: usize) {
    let colors = colors(ui.visuals());
    let y = rect.bottom() - 12.0;
    let text = format!("{title}  {}", count(number));
    ui.painter().text(
        pos2(rect.left() + MARGIN, y),
        Align2::LEFT_CENTER,
        text,
        FontId::proportional(SMALL),
        colors.weak,
    );
}

fn thing_row(
    ui: &Ui,
    context: &mut Context<'_>,
    document: &Document,
    thing: Inspected,
    rect: Rect,
) {
    let (icon, detail) = match thing {
        Inspected::Skin(index) => (Icon::Skin, skin_detail(document, index)),
        Inspected::Material(index) => (Icon::Material, material_detail(document, index)),
        Inspected::Image(index) => {
            let image = &document.images[index];
            let size = format!("{} × {}", image.width, image.height);
            (Icon::Image, size)
        }
        Inspected::Mesh(_) | Inspected::Joint | Inspected::Clip(_) => return,
    };
    let response = Row {
        id: Id::unique(("thing row", thing)),
        icon,
        title: &title_of(document, thing),
        detail: &detail,
        style: RowStyle {
            selected: is_selected(context, document, thing),
            highlighted: false,
        },
        reserve: 0.0,
    }
    .show(ui, rect);
    if response.clicked() {
        choose(context, document, thing);
    }
}

fn skin_detail(document: &Document, index: usize) -> String {
    let skin = &document.skins[index];
    let users = document.instances.iter().filter(|i| i.skin == Some(index));
    let mut parts = vec![
        plural(skin.joints.len(), "joint"),
        plural(users.count(), "mesh"),
    ];
    if !skin.has_inverse_bind_matrices {
        parts.push("no inverse bind".to_owned());
    }
    parts.join(" · ")
}

fn material_detail(document: &Document, index: usize) -> String {
    let material = &document.materials[index];
    let textures = [
        material.base_color_texture,
        material.metallic_roughness_texture,
        material.normal_texture,
        material.occlusion_texture,
        material.emissive_texture,
    ];
    match textures.iter().flatten().count() {
        0 => "no texture".to_owned(),
        textures => plural(textures, "texture"),
    }
}

fn mesh_row(ui: &mut Ui, context: &mut Context<'_>, document: &Document, index: usize, rect: Rect) {
    let session = context.session;
    let instance = &document.instances[index];
    let name = mesh_name(document, instance);
    let hidden = session.view.hidden_instances.contains(&index);
    let response = Row {
        id: Id::unique(("mesh row", index)),
        icon: Icon::Mesh,
        title: &name,
        detail: &detail(document, instance),
        style: RowStyle {
            selected: is_selected(context, document, Inspected::Mesh(index)),
            highlighted: session.view.hovered_joint == Some(instance.joint),
        },
        reserve: 24.0,
    }
    .show(ui, rect);
    if response.hovered() {
        context.hovered_joint = Some(instance.joint);
    }
    if response.clicked() {
        choose(context, document, Inspected::Mesh(index));
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
