//! The world's axes as the camera sees them; a click on an arm looks along it.

use core::f32::consts::{FRAC_PI_2, PI};

use egui::{Align2, FontId, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use glam::Vec3;

use super::{Ink, labels::outlined};
use crate::{
    session::{Action, Command},
    ui::{
        Context, shortcuts,
        theme::{DARK, LIGHT, MARGIN},
        widgets,
    },
};

/// From the centre to the end of an arm.
const ARM: f32 = 24.0;

struct Arm {
    name: &'static str,
    /// Letter of the positive arms.
    letter: Option<&'static str>,
    axis: Vec3,
    tint: usize,
    /// Where the eye goes.
    yaw_pitch: (f32, f32),
    /// The action that does the same.
    action: Option<Action>,
}

const FRONT: Option<Action> = Some(Action::ViewFront);
const RIGHT: Option<Action> = Some(Action::ViewRight);
const TOP: Option<Action> = Some(Action::ViewTop);

const ARMS: [Arm; 6] = [
    Arm::new(
        "Look from +X",
        Some("X"),
        Vec3::X,
        0,
        (FRAC_PI_2, 0.0),
        None,
    ),
    Arm::new(
        "Look from −X",
        None,
        Vec3::NEG_X,
        0,
        (-FRAC_PI_2, 0.0),
        RIGHT,
    ),
    Arm::new("Look from +Y", Some("Y"), Vec3::Y, 1, (0.0, FRAC_PI_2), TOP),
    Arm::new(
        "Look from −Y",
        None,
        Vec3::NEG_Y,
        1,
        (0.0, -FRAC_PI_2),
        None,
    ),
    Arm::new("Look from +Z", Some("Z"), Vec3::Z, 2, (0.0, 0.0), FRONT),
    Arm::new("Look from −Z", None, Vec3::NEG_Z, 2, (PI, 0.0), None),
];

impl Arm {
    const fn new(
        name: &'static str,
        letter: Option<&'static str>,
        axis: Vec3,
        tint: usize,
        yaw_pitch: (f32, f32),
        action: Option<Action>,
    ) -> Self {
        Self {
            name,
            letter,
            axis,
            tint,
            yaw_pitch,
            action,
        }
    }
}

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>, view: Rect, ink: Ink) {
    if view.width() < 200.0 || view.height() < 160.0 {
        return;
    }
    let camera = context.session.view.camera;
    let center = view.right_top() + vec2(-MARGIN - ARM - 8.0, MARGIN + ARM + 8.0);
    let view_from_world = camera.world_from_view_rotation().inverse();
    let colors = if ink.is_dark { &DARK } else { &LIGHT };
    let mut arms: Vec<(Vec3, &Arm)> = ARMS
        .iter()
        .map(|arm| (view_from_world * arm.axis, arm))
        .collect();
    // The near ends cover the far ones, for the eye and for the pointer.
    arms.sort_by(|a, b| a.0.z.total_cmp(&b.0.z));
    for (direction, arm) in arms {
        let end = center + vec2(direction.x, -direction.y) * ARM;
        let target = Rect::from_center_size(end, vec2(16.0, 16.0));
        let response = ui.interact(target, ui.scope_id().with(arm.name), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), arm.name));
        let tint = colors.axes[arm.tint];
        let painter = ui.painter_at(view);
        match arm.letter {
            Some(letter) => {
                painter.line_segment([center, end], Stroke::new(2.0, tint));
                painter.circle_filled(end, 7.5, tint);
                let font = FontId::proportional(11.0);
                let galley = painter.layout_no_wrap(letter.to_owned(), font, colors.on_accent);
                let at = Align2::CENTER_CENTER.anchor_size(end, galley.size());
                painter.galley(at.min, galley, colors.on_accent);
            }
            None => {
                painter.circle_filled(end, 4.0, tint.gamma_multiply(0.5));
            }
        }
        if response.hovered() {
            painter.circle_stroke(end, 8.5, Stroke::new(1.5, colors.strong));
        }
        widgets::focus_ring(ui, target, &response);
        if response.clicked() {
            let mut camera = context.session.settled_camera();
            (camera.yaw_radians, camera.pitch_radians) = arm.yaw_pitch;
            context.commands.push(Command::MoveCamera(camera));
        }
        response.on_hover_text(match arm.action {
            Some(action) => shortcuts::tooltip(ui.ctx(), arm.name, action),
            None => arm.name.to_owned(),
        });
    }
    if camera.orthographic {
        let painter = ui.painter_at(view);
        let font = FontId::proportional(11.0);
        let galley = painter.layout_no_wrap("parallel".to_owned(), font, ink.text);
        let at = center + vec2(0.0, ARM + 12.0);
        let at = Align2::CENTER_TOP.anchor_size(at, galley.size());
        outlined(&painter, at.min, &galley, ink.outline);
    }
}
