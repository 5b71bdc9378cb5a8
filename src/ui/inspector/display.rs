//! Display switches. The panel edits a copy of the view and pushes it when changed.

use egui::{Slider, Ui, vec2};

use crate::{
    anim::Weights,
    scene::{Background, NameScope, Shading, View},
    session::{Action, Command},
    ui::{
        Context, shortcuts,
        theme::{GAP, PAD},
        widgets,
    },
};

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>) {
    ui.spacing_mut().item_spacing = vec2(PAD, GAP);
    let mut view = context.session.view.clone();
    labels(ui, &mut view);
    if let Some(weights) = context.session.character().map(|c| c.weights) {
        let entries = [
            (
                Weights::Normalized,
                "Normalized",
                "Each vertex's weights divided by their sum, as most viewers do",
            ),
            (
                Weights::Stored,
                "As stored",
                "Weights as the file gives them",
            ),
        ];
        let chosen = widgets::labelled(ui, "Weights", |ui| {
            widgets::segmented(ui, "Weights", weights, &entries)
        });
        if let Some(weights) = chosen {
            context.commands.push(Command::SetWeights(weights));
        }
    }
    ui.add_space(GAP);
    switches(ui, context, &mut view);
    ui.add_space(GAP);
    widgets::labelled(ui, "Exposure", |ui| {
        ui.spacing_mut().item_spacing.x = PAD;
        ui.spacing_mut().slider_width = (ui.available_width() - 68.0).max(40.0);
        let slider = Slider::new(&mut view.exposure_stops, -4.0..=4.0)
            .fixed_decimals(1)
            .suffix(" EV");
        let response = ui.add(slider).accessible_name("Exposure in stops");
        if response.double_clicked() {
            view.exposure_stops = 0.0;
        }
        response.on_hover_text("Stops; double-click for neutral");
    });
    if view != context.session.view {
        context.commands.push(Command::SetView(Box::new(view)));
    }
}

fn labels(ui: &mut Ui, view: &mut View) {
    let shadings = [
        (Shading::Shaded, "Shaded", "Materials under light"),
        (
            Shading::Normals,
            "Normals",
            "World-space normals as colours",
        ),
        (Shading::Clay, "Clay", "One calm colour, for reading form"),
    ];
    let names = [
        (NameScope::Off, "Off", "No names in the view"),
        (NameScope::Selected, "Selected", "The selected joint's name"),
        (NameScope::All, "All", "Every joint's name"),
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
    let names = widgets::labelled(ui, "Names", |ui| {
        widgets::segmented(ui, "Names", view.names, &names)
    });
    let background = widgets::labelled(ui, "Backdrop", |ui| {
        widgets::segmented(ui, "Backdrop", view.background, &backgrounds)
    });
    view.shading = shading.unwrap_or(view.shading);
    view.names = names.unwrap_or(view.names);
    view.background = background.unwrap_or(view.background);
}

/// Two columns of check boxes, texts and tooltips from the action table.
fn switches(ui: &mut Ui, context: &mut Context<'_>, view: &mut View) {
    let skinning = context.session.character().map(|c| c.skinning);
    let width = (ui.available_width() - PAD) * 0.5;
    let cell = |ui: &mut Ui, action: Action, on: &mut bool| {
        ui.allocate_ui(vec2(width, 0.0), |ui| {
            ui.set_min_width(width);
            let key = action.key().map(|key| shortcuts::text(ui.ctx(), key));
            let tooltip = match key {
                Some(key) => format!("{}  ({key})", action.tooltip()),
                None => action.tooltip().to_owned(),
            };
            ui.checkbox(on, action.label()).on_hover_text(tooltip);
        });
    };
    let mut skinned = skinning.unwrap_or(false);
    ui.horizontal(|ui| {
        cell(ui, Action::ToggleMesh, &mut view.mesh);
        cell(ui, Action::ToggleSkeleton, &mut view.skeleton);
    });
    ui.horizontal(|ui| {
        cell(ui, Action::ToggleWireframe, &mut view.wireframe);
        cell(ui, Action::ToggleAxes, &mut view.axes);
    });
    ui.horizontal(|ui| {
        ui.add_enabled_ui(skinning.is_some(), |ui| {
            cell(ui, Action::ToggleSkinning, &mut skinned);
        });
        cell(ui, Action::ToggleGrid, &mut view.grid);
    });
    ui.horizontal(|ui| {
        cell(ui, Action::ToggleShadow, &mut view.shadow);
    });
    if skinning.is_some_and(|before| before != skinned) {
        context.commands.push(Command::SetSkinning(skinned));
    }
}
