//! By what means a side is played, as controls: the same for A in the inspector and for
//! the others at their chips.

use egui::{Ui, vec2};

use super::{
    theme::{GAP, PAD},
    widgets::{self, SliderField},
};
use crate::{
    anim::{
        Hemisphere, Interpolation, Modes, PRESETS, Skinning, Technique, VectorInterpolation,
        Weights,
    },
    math::EulerOrder,
};

/// Interpolation, hemisphere, threshold.
pub(super) fn modes(ui: &mut Ui, modes: &mut Modes) {
    let width = |ui: &Ui| (ui.available_width() - 2.0 * PAD).max(60.0);
    let current = modes.interpolation;
    let entries = Interpolation::ALL.map(|m| (m, m.as_str().to_owned(), m.description()));
    let chosen = widgets::labelled(ui, "Rotation", |ui| {
        let tip = "What happens between two rotation keys";
        let name = current.as_str();
        widgets::dropdown(ui, "Interpolation", width(ui), current, name, tip, entries)
    });
    modes.interpolation = chosen.unwrap_or(current);
    if modes.interpolation == Interpolation::Euler {
        let current = modes.euler_order;
        let entries = EulerOrder::ALL.map(|order| (order, order.as_str().to_owned(), ""));
        let chosen = widgets::labelled(ui, "Order", |ui| {
            let tip = "Order of turning about the moving axes";
            let name = current.as_str();
            widgets::dropdown(ui, "Euler order", width(ui), current, name, tip, entries)
        });
        modes.euler_order = chosen.unwrap_or(current);
    }
    let current = modes.hemisphere;
    let entries = Hemisphere::ALL.map(|h| (h, h.as_str().to_owned(), h.description()));
    let chosen = widgets::labelled(ui, "Hemisphere", |ui| {
        let tip = "Which of q and −q the second key counts as";
        let name = current.as_str();
        widgets::dropdown(ui, "Hemisphere", width(ui), current, name, tip, entries)
    });
    modes.hemisphere = chosen.unwrap_or(current);
    ui.add_enabled_ui(modes.interpolation.uses_threshold(), |ui| {
        widgets::labelled(ui, "Threshold", |ui| {
            SliderField {
                name: "Slerp threshold",
                tooltip: "Where |cos Ω| exceeds this, slerp falls back to nlerp: 1 is pure slerp, 0 pure nlerp; double-click for 0.9995",
                disabled_tooltip: "Only slerp, polar and authored keys use the threshold",
                range: 0.0..=1.0,
                neutral: Modes::default().threshold,
                decimals: 4,
                suffix: "",
                value_width: 60.0,
                width: ui.available_width(),
            }
            .show(ui, &mut modes.threshold);
        });
    });
    ui.add_enabled_ui(!modes.interpolation.is_by_matrix(), |ui| {
        let current = modes.vectors;
        let entries = VectorInterpolation::ALL.map(|v| (v, v.as_str().to_owned(), v.description()));
        let chosen = widgets::labelled(ui, "Vectors", |ui| {
            let tip = "What happens between two keys of translation or scale";
            let name = current.as_str();
            widgets::dropdown(
                ui,
                "Translation and scale",
                width(ui),
                current,
                name,
                tip,
                entries,
            )
        });
        modes.vectors = chosen.unwrap_or(current);
    });
}

/// Skinning and weights.
pub(super) fn skinning(ui: &mut Ui, technique: &mut Technique) {
    let current = technique.skinning;
    let entries = Skinning::ALL.map(|s| (s, s.as_str().to_owned(), s.description()));
    let chosen = widgets::labelled(ui, "Skinning", |ui| {
        let width = (ui.available_width() - 2.0 * PAD).max(60.0);
        let tip = "How joints move vertices";
        let name = current.as_str();
        widgets::dropdown(ui, "Skinning method", width, current, name, tip, entries)
    });
    technique.skinning = chosen.unwrap_or(current);
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
        widgets::segmented(ui, "Weights", technique.weights, &entries)
    });
    technique.weights = chosen.unwrap_or(technique.weights);
}

/// Faults of other players: cubic splines misread, and the presets.
pub(super) fn others(ui: &mut Ui, technique: &mut Technique) {
    for preset in &PRESETS {
        let mut on = (preset.is_on)(technique);
        let before = on;
        widgets::check_box(ui, &mut on, preset.title).on_hover_text(preset.text);
        if on != before {
            (preset.set)(technique, on);
        }
    }
    let spline = &mut technique.modes.spline;
    let mut raw = !spline.normalize;
    widgets::check_box(ui, &mut raw, "Cubic splines not normalised")
        .on_hover_text("The raw spline goes into the matrix: joints squash between keys");
    spline.normalize = !raw;
    let mut unscaled = !spline.scale_tangents;
    widgets::check_box(ui, &mut unscaled, "Tangents not scaled").on_hover_text(
        "Tangents of cubic splines are taken without the key spacing: motion overshoots",
    );
    spline.scale_tangents = !unscaled;
}

/// All of it, for a popup.
pub(super) fn everything(ui: &mut Ui, technique: &mut Technique) {
    ui.spacing_mut().item_spacing = vec2(PAD, GAP);
    modes(ui, &mut technique.modes);
    skinning(ui, technique);
    widgets::section(ui, "How others would play this", false, |ui| {
        others(ui, technique);
    });
}
