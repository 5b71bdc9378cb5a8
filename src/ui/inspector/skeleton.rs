//! How the skeleton is shown: shape and colour of bones, names, axes.

use egui::{Ui, vec2};

use crate::{
    scene::{BoneColor, BoneStyle, JointScope},
    session::{Action, Command},
    ui::{
        Context, shortcuts,
        theme::{GAP, PAD},
        widgets,
    },
};

const STYLES: [(BoneStyle, &str, &str); 2] = [
    (
        BoneStyle::Octahedra,
        "Octahedra",
        "Tapered bones, thick at the parent's end",
    ),
    (BoneStyle::Sticks, "Sticks", "Balls and thin lines"),
];

const COLORS: [(BoneColor, &str, &str); 4] = [
    (
        BoneColor::Plain,
        "Plain",
        "Pale; grey where no vertex follows the joint; the selected joint's chain in the accent colour",
    ),
    (
        BoneColor::Findings,
        "Findings",
        "The worst finding about the joint",
    ),
    (
        BoneColor::Shear,
        "Shear",
        "How far the axes of the joint's world matrix are from right angles: what no translation, rotation and scale can say",
    ),
    (
        BoneColor::Determinant,
        "Determinant",
        "Its sign: which joints swap left and right",
    ),
];

const SCOPES: [(JointScope, &str); 4] = [
    (JointScope::Off, "Off"),
    (JointScope::Selected, "Selected joint"),
    (JointScope::Children, "Selected and below"),
    (JointScope::All, "All joints"),
];

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>) {
    ui.spacing_mut().item_spacing = vec2(PAD, GAP);
    let mut view = context.session.view.clone();
    let style = widgets::labelled(ui, "Bones", |ui| {
        widgets::segmented(ui, "Bones", view.bone_style, &STYLES)
    });
    view.bone_style = style.unwrap_or(view.bone_style);
    let entries = COLORS.map(|(value, text, tip)| (value, text.to_owned(), tip));
    let tip = tooltip(ui, "What colours bones and joints", Action::CycleBoneColor);
    let color = choose(ui, "Colour", view.bone_color, &tip, entries);
    view.bone_color = color.unwrap_or(view.bone_color);
    let entries = || SCOPES.map(|(value, text)| (value, text.to_owned(), ""));
    let tip = tooltip(ui, "Whose names are written", Action::ToggleNames);
    let names = choose(ui, "Names", view.names, &tip, entries());
    view.names = names.unwrap_or(view.names);
    let tip = tooltip(ui, "Whose local axes are drawn", Action::ToggleAxes);
    let axes = choose(ui, "Axes", view.axes, &tip, entries());
    view.axes = axes.unwrap_or(view.axes);
    if view != context.session.view {
        context.commands.push(Command::SetView(Box::new(view)));
    }
}

fn tooltip(ui: &Ui, text: &str, action: Action) -> String {
    shortcuts::tooltip(ui.ctx(), text, action)
}

/// A labelled chooser as wide as there is room; returns a new choice.
fn choose<T: Copy + PartialEq, const N: usize>(
    ui: &mut Ui,
    label: &str,
    current: T,
    tooltip: &str,
    entries: [(T, String, &'static str); N],
) -> Option<T> {
    widgets::labelled(ui, label, |ui| {
        let width = ui.available_width();
        let shown = entries.iter().find(|(value, ..)| *value == current);
        let text = shown.map_or_else(String::new, |(_, text, _)| text.clone());
        widgets::dropdown(ui, label, width, current, &text, tooltip, entries)
    })
}
