//! Display switches. The panel edits a copy of the view and pushes it when changed.

use egui::{Align, Layout, Rect, Sense, Ui, UiBuilder, vec2};

use crate::{
    scene::{Background, Light, Shading, View, WeightView},
    session::{Action, Command},
    ui::{
        Context, shortcuts, technique,
        theme::{CONTROL, GAP, PAD},
        widgets::{self, SliderField},
    },
};

/// How joints move vertices, and what other players do.
fn technique(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(character) = context.session.character() else {
        return;
    };
    let mut technique = character.technique.clone();
    technique::skinning(ui, &mut technique);
    widgets::section(ui, "How others would play this", false, |ui| {
        technique::others(ui, &mut technique);
    });
    if technique != character.technique {
        let (side, technique) = (0, Box::new(technique));
        context
            .commands
            .push(Command::SetTechnique { side, technique });
    }
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>) {
    ui.spacing_mut().item_spacing = vec2(PAD, GAP);
    let mut view = context.session.view.clone();
    if let Some(character) = context.session.character() {
        super::pose_buttons(ui, context, character);
    }
    labels(ui, &mut view);
    heat_map(ui, context, &mut view);
    technique(ui, context);
    ui.add_space(GAP);
    switches(ui, context, &mut view);
    ui.add_space(GAP);
    widgets::labelled(ui, "Exposure", |ui| {
        SliderField {
            name: "Exposure",
            tooltip: "Stops; double-click the slider for neutral",
            disabled_tooltip: "",
            range: -4.0..=4.0,
            neutral: 0.0,
            decimals: 1,
            suffix: " EV",
            value_width: 60.0,
            width: ui.available_width(),
        }
        .show(ui, &mut view.exposure_stops);
    });
    if view != context.session.view {
        context.commands.push(Command::SetView(Box::new(view)));
    }
}

fn labels(ui: &mut Ui, view: &mut View) {
    let normals = "World-space normals as colours";
    let normals = shortcuts::tooltip(ui.ctx(), normals, Action::ToggleNormals);
    let shadings = [
        (Shading::Shaded, "Shaded", "Materials under light"),
        (Shading::Normals, "Normals", &*normals),
        (Shading::Clay, "Clay", "One calm colour, for reading form"),
    ];
    let lights = [
        (
            Light::Studio,
            "Studio",
            "Soft boxes: key from the upper left, fill, rims",
        ),
        (
            Light::Outdoor,
            "Outdoor",
            "A clear day: sun, blue sky, warm ground",
        ),
    ];
    let backgrounds = [
        (Background::Dark, "Dark", ""),
        (Background::Light, "Light", ""),
        (
            Background::Transparent,
            "None",
            "Alpha 0, for saved pictures",
        ),
    ];
    let shading = widgets::labelled(ui, "Surface", |ui| {
        widgets::segmented(ui, "Surface", view.shading, &shadings)
    });
    let light = widgets::labelled(ui, "Light", |ui| {
        widgets::segmented(ui, "Light", view.light, &lights)
    });
    let background = widgets::labelled(ui, "Backdrop", |ui| {
        widgets::segmented(ui, "Backdrop", view.background, &backgrounds)
    });
    if let Some(shading) = shading {
        view.shading = shading;
        // To be seen at once.
        view.weight_view = None;
    }
    view.light = light.unwrap_or(view.light);
    view.background = background.unwrap_or(view.background);
}

/// What the surface shows of weights.
fn heat_map(ui: &mut Ui, context: &Context<'_>, view: &mut View) {
    let has_skin = (context.session.document()).is_some_and(|d| !d.skins.is_empty());
    let views = WeightView::ALL.map(|shown| (Some(shown), shown.label(), shown.description()));
    let other = context.session.comparison.as_ref().map(|_| {
        let shown = WeightView::Difference;
        (Some(shown), shown.label(), shown.description())
    });
    let entries = core::iter::once((None, "Off", "the surface as above"))
        .chain(views)
        .chain(other);
    let entries: Vec<_> = entries
        .map(|(shown, label, description)| (shown, label.to_owned(), description))
        .collect();
    let current = view.weight_view;
    let text = current.map_or("Off", WeightView::label);
    let hint = "What the surface shows of the skin's weights";
    let tooltip = shortcuts::tooltip(ui.ctx(), hint, Action::ShowJointWeights);
    let chosen = widgets::labelled(ui, "Heat map", |ui| {
        if !has_skin && context.session.comparison.is_none() {
            ui.disable();
        }
        let width = ui.available_width() - PAD;
        widgets::dropdown(ui, "Heat map", width, current, text, &tooltip, entries)
    });
    view.weight_view = chosen.unwrap_or(current);
}

/// Two columns of check boxes, texts and tooltips from the action table.
fn switches(ui: &mut Ui, context: &mut Context<'_>, view: &mut View) {
    let skinning = context.session.character().map(|c| c.skinned);
    let mut skinned = skinning.unwrap_or(false);
    let cells = [
        (Action::ToggleMesh, &mut view.mesh),
        (Action::ToggleSkeleton, &mut view.skeleton),
        (Action::ToggleWireframe, &mut view.wireframe),
        (Action::ToggleSkinning, &mut skinned),
        (Action::ToggleGrid, &mut view.grid),
        (Action::ToggleShadow, &mut view.shadow),
        (Action::ToggleOcclusion, &mut view.ambient_occlusion),
        (Action::ToggleReflections, &mut view.reflections),
    ];
    let rows = cells.len().div_ceil(2);
    let size = vec2(ui.available_width(), rows as f32 * CONTROL);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let cell_size = vec2(area.width() * 0.5, CONTROL);
    for (index, (action, on)) in cells.into_iter().enumerate() {
        let place = vec2((index % 2) as f32, (index / 2) as f32) * cell_size;
        let rect = Rect::from_min_size(area.min + place, cell_size);
        let builder = UiBuilder::new()
            .max_rect(rect)
            .layout(Layout::left_to_right(Align::Center));
        ui.scope_builder(builder, |ui| {
            if action == Action::ToggleSkinning && skinning.is_none() {
                ui.disable();
            }
            let tooltip = shortcuts::tooltip(ui.ctx(), action.tooltip(), action);
            widgets::check_box(ui, on, action.label()).on_hover_text(tooltip);
        });
    }
    if skinning.is_some_and(|before| before != skinned) {
        context.commands.push(Command::SetSkinning(skinned));
    }
}
