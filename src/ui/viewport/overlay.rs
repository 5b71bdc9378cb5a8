//! Over the picture: mode badge, loading progress, drop hint and target, axes.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use glam::Vec3;

use super::{Ink, labels::outlined};
use crate::{
    anim::{Hemisphere, Interpolation, Modes, Weights},
    scene::{Character, PoseSource},
    session::{Loading, Session},
    ui::{
        Context,
        icons::{Icon, square},
        theme::{self, MARGIN, PAD, colors},
    },
};

pub(super) fn show(ui: &Ui, context: &Context<'_>, rect: Rect, ink: Ink) {
    let session = context.session;
    let painter = ui.painter_at(rect);
    if rect.width() > 200.0 && rect.height() > 160.0 {
        gizmo(&painter, context, rect, ink);
    }
    if let Some(text) = session.character().and_then(badge) {
        plate(
            &painter,
            rect.left_bottom() + vec2(MARGIN, -MARGIN),
            Align2::LEFT_BOTTOM,
            &text,
            ink,
        );
    }
    match &session.loading {
        Some(loading) => progress(ui, &painter, rect, loading),
        None if wants_hint(session) => {
            let at = rect.left_top() + vec2(MARGIN, MARGIN);
            plate(&painter, at, Align2::LEFT_TOP, "Drop a glTF file here", ink);
        }
        None => {}
    }
    if ui.input(|input| !input.raw.hovered_files.is_empty()) {
        drop_target(ui, &painter, rect);
    }
}

/// Only the built-in character, or nothing, is open.
fn wants_hint(session: &Session) -> bool {
    session.path.is_none()
}

/// What differs from an ordinary playback, such as `lerp · keep`.
pub(super) fn badge(character: &Character) -> Option<String> {
    let modes = &character.modes;
    let defaults = Modes::default();
    let mut parts: Vec<String> = Vec::new();
    match character.source {
        PoseSource::Rest => parts.push("rest pose".to_owned()),
        PoseSource::Bind => parts.push("bind pose".to_owned()),
        PoseSource::Clip(_) => {
            if modes.interpolation != Interpolation::default() {
                parts.push(modes.interpolation.as_str().to_owned());
            }
            if modes.hemisphere != Hemisphere::default() {
                parts.push(modes.hemisphere.as_str().to_owned());
            }
            let slerps = matches!(
                modes.interpolation,
                Interpolation::Slerp | Interpolation::Authored
            );
            if slerps && modes.threshold != defaults.threshold {
                parts.push(format!("threshold {:.4}", modes.threshold));
            }
        }
    }
    if !character.skinning {
        parts.push("skinning off".to_owned());
    }
    if character.weights != Weights::default() {
        parts.push("stored weights".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn plate(painter: &Painter, at: Pos2, anchor: Align2, text: &str, ink: Ink) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.5), ink.text);
    let area = anchor.anchor_size(at, galley.size() + vec2(16.0, 8.0));
    painter.rect_filled(area, theme::RADIUS, ink.plate);
    painter.galley(area.min + vec2(8.0, 4.0), galley, ink.text);
}

fn progress(ui: &Ui, painter: &Painter, rect: Rect, loading: &Loading) {
    let colors = colors(ui.visuals());
    let width = 260f32.min(rect.width() - 2.0 * MARGIN);
    if width < 60.0 {
        return;
    }
    let card = Rect::from_min_size(rect.left_top() + vec2(MARGIN, MARGIN), vec2(width, 52.0));
    painter.rect(
        card,
        6.0,
        colors.popup,
        Stroke::new(1.0, colors.line),
        StrokeKind::Inside,
    );
    let name = loading.path.file_name().map_or_else(
        || "file".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    let verb = if loading.reload {
        "Reloading"
    } else {
        "Loading"
    };
    let inner = card.shrink2(vec2(MARGIN, PAD));
    let (stage_left, _) = {
        let galley = painter.layout_no_wrap(
            loading.stage.clone(),
            FontId::proportional(theme::SMALL),
            colors.weak,
        );
        let at =
            Align2::RIGHT_CENTER.anchor_size(pos2(inner.right(), inner.top() + 9.0), galley.size());
        painter.galley(at.min, galley, colors.weak);
        (at.left(), at)
    };
    crate::ui::widgets::fitted_text(
        ui,
        &format!("{verb} {name}"),
        FontId::proportional(13.0),
        colors.text,
        inner.left(),
        inner.top() + 9.0,
        stage_left - PAD - inner.left(),
    );
    let track = Rect::from_min_size(
        pos2(inner.left(), inner.bottom() - 7.0),
        vec2(inner.width(), 4.0),
    );
    painter.rect_filled(track, 2.0, colors.sunken);
    let fraction = if loading.fraction.is_finite() {
        loading.fraction.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mut bar = track;
    bar.set_width(track.width() * fraction);
    painter.rect_filled(bar, 2.0, colors.accent);
}

fn drop_target(ui: &Ui, painter: &Painter, rect: Rect) {
    let colors = colors(ui.visuals());
    painter.rect_filled(rect, 0.0, colors.accent.gamma_multiply(0.14));
    painter.rect_stroke(
        rect.shrink(6.0),
        8.0,
        Stroke::new(2.0, colors.accent),
        StrokeKind::Inside,
    );
    let galley = painter.layout_no_wrap(
        "Drop to open".to_owned(),
        FontId::proportional(16.0),
        colors.strong,
    );
    let size = vec2(galley.size().x + 28.0 + 24.0 + PAD, 44.0);
    let card = Rect::from_center_size(rect.center(), size);
    painter.rect_filled(card, 8.0, colors.popup);
    let icon = square(card.left() + 14.0, card.center().y, 22.0);
    Icon::Drop.paint(painter, icon, colors.accent);
    let at =
        Align2::LEFT_CENTER.anchor_size(pos2(icon.right() + PAD, card.center().y), galley.size());
    painter.galley(at.min, galley, colors.strong);
}

/// The world's axes as the camera sees them; far ends first.
fn gizmo(painter: &Painter, context: &Context<'_>, rect: Rect, ink: Ink) {
    const ARM: f32 = 22.0;
    let center = rect.right_top() + vec2(-MARGIN - ARM - 8.0, MARGIN + ARM + 8.0);
    let view_from_world = context
        .session
        .view
        .camera
        .world_from_view_rotation()
        .inverse();
    let tints = if ink.text == theme::DARK.strong {
        theme::DARK.axes
    } else {
        theme::LIGHT.axes
    };
    let mut arms: Vec<(Vec3, Color32, Option<&str>)> = Vec::with_capacity(6);
    for (axis, tint, letter) in [
        (Vec3::X, tints[0], "X"),
        (Vec3::Y, tints[1], "Y"),
        (Vec3::Z, tints[2], "Z"),
    ] {
        let arm = view_from_world * axis;
        arms.push((arm, tint, Some(letter)));
        arms.push((-arm, tint.gamma_multiply(0.45), None));
    }
    arms.sort_by(|a, b| a.0.z.total_cmp(&b.0.z));
    for (arm, tint, letter) in arms {
        let end = center + vec2(arm.x, -arm.y) * ARM;
        match letter {
            Some(letter) => {
                painter.line_segment([center, end], Stroke::new(2.0, tint));
                painter.circle_filled(end, 7.0, tint);
                let color = if tints[0] == theme::DARK.axes[0] {
                    theme::DARK.on_accent
                } else {
                    theme::LIGHT.on_accent
                };
                let galley =
                    painter.layout_no_wrap(letter.to_owned(), FontId::proportional(10.5), color);
                let at = Align2::CENTER_CENTER.anchor_size(end, galley.size());
                painter.galley(at.min, galley, color);
            }
            None => {
                painter.circle_filled(end, 3.5, tint);
            }
        }
    }
    if context.session.view.camera.orthographic {
        let galley =
            painter.layout_no_wrap("parallel".to_owned(), FontId::proportional(11.0), ink.text);
        let at = Align2::CENTER_TOP.anchor_size(center + vec2(0.0, ARM + 10.0), galley.size());
        outlined(painter, at.min, &galley, ink.outline);
    }
}
