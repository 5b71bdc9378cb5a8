//! Over the picture: mode badge, loading progress, drop hint and target, axes.

use super::Ink;
use crate::{
    anim::{Hemisphere, Interpolation, Modes, PRESETS, Skinning, VectorInterpolation, Weights},
    scene::{Character, PoseSource},
    session::{Command, Loading, Session},
    ui::{
        Context,
        icons::{Icon, square},
        theme::{self, MARGIN, PAD, colors},
    },
};
use egui::{Align2, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

/// Seconds that the hint stays, and that it takes to fade.
const HINT_SECS: f64 = 10.0;
const HINT_FADE_SECS: f64 = 1.0;

/// The hint that files can be dropped: until it was there for a while, or somebody
/// has come to the view.
#[derive(Debug, Default)]
pub(super) struct Hint {
    since: Option<f64>,
    /// When it began to fade.
    seen: Option<f64>,
}

impl Hint {
    /// How much of it is left at `now`, 0 … 1.
    fn strength(&mut self, now: f64, is_pointed_at: bool) -> f32 {
        let since = *self.since.get_or_insert(now);
        if self.seen.is_none() && (is_pointed_at || now > since + HINT_SECS) {
            self.seen = Some(now);
        }
        self.seen.map_or(1.0, |seen| {
            (1.0 - (now - seen) / HINT_FADE_SECS).clamp(0.0, 1.0) as f32
        })
    }

    fn show(&mut self, ui: &Ui, painter: &Painter, rect: Rect, ink: Ink) {
        let (now, pointer) = ui.input(|input| (input.time, input.pointer.hover_pos()));
        let strength = self.strength(now, pointer.is_some_and(|at| rect.contains(at)));
        if strength <= 0.0 {
            return;
        }
        if self.seen.is_some() {
            ui.ctx().request_repaint();
        } else {
            let wait = std::time::Duration::from_secs_f64(HINT_SECS + 0.02);
            ui.ctx().request_repaint_after(wait);
        }
        let color = ink.text.gamma_multiply(0.6 * strength);
        let icon = square(rect.left() + MARGIN, rect.top() + MARGIN + 8.0, 16.0);
        Icon::Drop.paint(painter, icon, color);
        let font = FontId::proportional(12.5);
        let at = pos2(icon.right() + PAD, icon.center().y);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            "Drop a glTF file here",
            font,
            color,
        );
    }
}

pub(super) fn show(ui: &Ui, context: &mut Context<'_>, rect: Rect, ink: Ink, hint: &mut Hint) {
    let session = context.session;
    let painter = ui.painter_at(rect);
    if session.comparison.is_none()
        && let Some(text) = session.character().and_then(badge)
    {
        plate(
            &painter,
            rect.left_bottom() + vec2(MARGIN, -MARGIN),
            Align2::LEFT_BOTTOM,
            &text,
            ink,
        );
    }
    match &session.loading {
        Some(shown) => loading(ui, &painter, rect, shown),
        None if wants_hint(session) && session.saving.is_none() => {
            hint.show(ui, &painter, rect, ink);
        }
        None => {}
    }
    saving(ui, &painter, rect, context);
    if ui.input(|input| !input.raw.hovered_files.is_empty()) {
        drop_target(ui, &painter, rect);
    }
}

/// Only the built-in character, or nothing, is open.
fn wants_hint(session: &Session) -> bool {
    session.path.is_none() && session.lab.is_none()
}

/// What differs from an ordinary playback, such as `lerp · keep`.
pub(super) fn badge(character: &Character) -> Option<String> {
    let modes = &character.technique.modes;
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
            if modes.interpolation == Interpolation::Euler {
                parts.push(modes.euler_order.as_str().to_owned());
            }
            if modes.vectors != VectorInterpolation::default() {
                parts.push(format!("{} vectors", modes.vectors.as_str()));
            }
            if !modes.spline.normalize {
                parts.push("splines not normalised".to_owned());
            }
            if !modes.spline.scale_tangents {
                parts.push("tangents not scaled".to_owned());
            }
            match character.technique.joint_modes.len() {
                0 => {}
                1 => parts.push("1 joint by itself".to_owned()),
                count => parts.push(format!("{count} joints by themselves")),
            }
            if modes.interpolation.uses_threshold() && modes.threshold != defaults.threshold {
                parts.push(format!("threshold {:.4}", modes.threshold));
            }
        }
    }
    if !character.skinned {
        parts.push("skinning off".to_owned());
    }
    if character.technique.skinning != Skinning::default() {
        parts.push(character.technique.skinning.as_str().to_owned());
    }
    if character.technique.weights != Weights::default() {
        parts.push("stored weights".to_owned());
    }
    for preset in &PRESETS {
        if preset.is_quirk && (preset.is_on)(&character.technique) {
            parts.push(preset.title.to_lowercase());
        }
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn plate(painter: &Painter, at: Pos2, anchor: Align2, text: &str, ink: Ink) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.5), ink.text);
    let area = anchor.anchor_size(at, galley.size() + vec2(16.0, 8.0));
    painter.rect_filled(area, theme::RADIUS, ink.plate);
    painter.galley(area.min + vec2(8.0, 4.0), galley, ink.text);
}

/// Something long that goes on in the background.
struct Progress<'a> {
    title: &'a str,
    stage: &'a str,
    fraction: f32,
    /// Points from the view's left edge.
    left: f32,
}

/// A card in the corner; gives back what is left of it on the right for a button.
fn progress(ui: &Ui, painter: &Painter, rect: Rect, shown: &Progress<'_>) -> Option<Rect> {
    let colors = colors(ui.visuals());
    let width = 260f32.min(rect.width() - shown.left - MARGIN);
    if width < 60.0 {
        return None;
    }
    let card = Rect::from_min_size(
        rect.left_top() + vec2(shown.left, MARGIN),
        vec2(width, 52.0),
    );
    painter.rect(
        card,
        6.0,
        colors.popup,
        Stroke::new(1.0, colors.line),
        StrokeKind::Inside,
    );
    let inner = card.shrink2(vec2(MARGIN, PAD));
    let line = inner.top() + 9.0;
    let font = FontId::proportional(theme::SMALL);
    let stage = painter.layout_no_wrap(shown.stage.to_owned(), font, colors.weak);
    let at = Align2::RIGHT_CENTER.anchor_size(pos2(inner.right(), line), stage.size());
    painter.galley(at.min, stage, colors.weak);
    crate::ui::widgets::fitted_text(
        ui,
        shown.title,
        FontId::proportional(13.0),
        colors.text,
        inner.left(),
        line,
        at.left() - PAD - inner.left(),
    );
    let track = Rect::from_min_size(
        pos2(inner.left(), inner.bottom() - 7.0),
        vec2(inner.width(), 4.0),
    );
    painter.rect_filled(track, 2.0, colors.sunken);
    let fraction = if shown.fraction.is_finite() {
        shown.fraction.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mut bar = track;
    bar.set_width(track.width() * fraction);
    painter.rect_filled(bar, 2.0, colors.accent);
    Some(Rect::from_center_size(
        pos2(inner.right() - 8.0, line),
        vec2(24.0, 20.0),
    ))
}

fn loading(ui: &Ui, painter: &Painter, rect: Rect, loading: &Loading) {
    let verb = if loading.reload {
        "Reloading"
    } else {
        "Loading"
    };
    let shown = Progress {
        title: &format!("{verb} {}", file_name(&loading.path)),
        stage: &loading.stage,
        fraction: loading.fraction,
        left: MARGIN,
    };
    progress(ui, painter, rect, &shown);
}

/// How far a moving picture is, with a button that stops it.
fn saving(ui: &Ui, painter: &Painter, rect: Rect, context: &mut Context<'_>) {
    let session = context.session;
    let Some(saving) = &session.saving else {
        return;
    };
    let shown = Progress {
        title: &format!("Saving {}", file_name(&saving.path)),
        // Room for the button.
        stage: "      ",
        fraction: saving.fraction,
        left: if session.loading.is_some() {
            MARGIN * 2.0 + 260.0
        } else {
            MARGIN
        },
    };
    let Some(button) = progress(ui, painter, rect, &shown) else {
        return;
    };
    let colors = colors(ui.visuals());
    let response = ui.interact(
        button,
        ui.scope_id().with("stop saving"),
        egui::Sense::click(),
    );
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Button, ui.is_enabled(), "Stop saving")
    });
    let color = if response.hovered() {
        colors.strong
    } else {
        colors.weak
    };
    let arm = 4.0;
    for (x, y) in [(arm, arm), (arm, -arm)] {
        let (center, reach) = (button.center(), vec2(x, y));
        painter.line_segment([center - reach, center + reach], Stroke::new(1.5, color));
    }
    if response.on_hover_text("Stop saving").clicked() {
        context.commands.push(Command::CancelSave);
    }
}

fn file_name(path: &std::path::Path) -> String {
    path.file_name().map_or_else(
        || "file".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
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

#[cfg(test)]
mod tests {
    use super::Hint;

    #[test]
    fn the_hint_goes_after_a_while_or_when_somebody_comes() {
        let mut hint = Hint::default();
        assert_eq!(hint.strength(5.0, false), 1.0);
        assert_eq!(hint.strength(14.0, false), 1.0);
        assert!(hint.strength(15.5, false) > 0.9);
        assert_eq!(hint.strength(17.0, false), 0.0);
        let mut hint = Hint::default();
        assert_eq!(hint.strength(5.0, true), 1.0);
        assert_eq!(hint.strength(6.5, false), 0.0, "and stays away");
    }
}
