//! Orbit, pan and zoom.

use core::f32::consts::FRAC_PI_2;

use egui::{PointerButton, Pos2, Rect, Response, Ui, Vec2};
use glam::{Quat, Vec3};

use crate::{scene::OrbitCamera, session::Command, ui::Context};

/// Turn per point of drag.
const RADIANS_PER_POINT: f32 = 0.008;
/// Zoom per point of scrolling.
const ZOOM_PER_POINT: f32 = 0.0025;

/// Turns drags and wheel into a camera command.
pub(super) fn input(ui: &Ui, context: &mut Context<'_>, rect: Rect, response: &Response) {
    let mut camera = context.session.view.camera;
    let (scroll, pinch, shift) = ui.input(|input| {
        (
            input.smooth_scroll_delta(),
            input.zoom_delta(),
            input.modifiers.shift,
        )
    });
    let drag = response.drag_delta();
    let pans = response.dragged_by(PointerButton::Middle)
        || (response.dragged_by(PointerButton::Primary) && shift);
    if pans {
        pan(&mut camera, drag, rect.height());
    } else if response.dragged_by(PointerButton::Primary) {
        orbit(&mut camera, drag);
    }
    if response.contains_pointer()
        && let Some(pointer) = response.hover_pos()
    {
        // Shift turns the wheel sideways on some systems: both axes zoom.
        let travel = scroll.x + scroll.y;
        let factor = (-travel * ZOOM_PER_POINT).exp() / pinch.max(1e-3);
        zoom(&mut camera, factor, pointer, rect);
    }
    if camera != context.session.view.camera {
        context.commands.push(Command::SetCamera(camera));
    }
}

fn orbit(camera: &mut OrbitCamera, drag: Vec2) {
    // The near side follows the hand.
    camera.yaw_radians -= drag.x * RADIANS_PER_POINT;
    camera.pitch_radians =
        (camera.pitch_radians + drag.y * RADIANS_PER_POINT).clamp(-FRAC_PI_2, FRAC_PI_2);
}

/// World units per point at the target.
fn units_per_point(camera: &OrbitCamera, height: f32) -> f32 {
    2.0 * camera.distance * (camera.yfov_radians * 0.5).tan() / height.max(1.0)
}

fn pan(camera: &mut OrbitCamera, drag: Vec2, height: f32) {
    let turn: Quat = camera.world_from_view_rotation();
    let units = units_per_point(camera, height);
    camera.target += turn * Vec3::new(-drag.x, drag.y, 0.0) * units;
}

/// Moves the eye so that the point under the pointer, at the target's depth, stays.
fn zoom(camera: &mut OrbitCamera, factor: f32, pointer: Pos2, rect: Rect) {
    if factor == 1.0 || !factor.is_finite() {
        return;
    }
    let distance = (camera.distance * factor).clamp(1e-4, 1e7);
    let factor = distance / camera.distance;
    let from_center = pointer - rect.center();
    let units = units_per_point(camera, rect.height());
    let offset =
        camera.world_from_view_rotation() * Vec3::new(from_center.x, -from_center.y, 0.0) * units;
    camera.target += offset * (1.0 - factor);
    camera.distance = distance;
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;

    const VIEW: Rect = Rect {
        min: pos2(0.0, 0.0),
        max: pos2(800.0, 600.0),
    };

    fn project(camera: &OrbitCamera, point: Vec3) -> Pos2 {
        let clip = camera.clip_from_view(VIEW.aspect_ratio()) * camera.view_from_world();
        let ndc = clip.project_point3(point);
        pos2((ndc.x + 1.0) * 400.0, (1.0 - ndc.y) * 300.0)
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        for orthographic in [false, true] {
            let mut camera = OrbitCamera {
                target: Vec3::new(1.0, 2.0, 3.0),
                orthographic,
                ..OrbitCamera::default()
            };
            // A point of the target's plane, off centre.
            let offset = camera.world_from_view_rotation() * Vec3::new(0.4, -0.3, 0.0);
            let point = camera.target + offset;
            let before = project(&camera, point);
            zoom(&mut camera, 0.5, before, VIEW);
            let after = project(&camera, point);
            assert!(
                (after - before).length() < 0.05,
                "{before} moved to {after}"
            );
        }
    }

    #[test]
    fn panning_moves_the_target_with_the_hand() {
        let mut camera = OrbitCamera::default();
        let target = camera.target;
        pan(&mut camera, vec2(30.0, -20.0), VIEW.height());
        let moved = project(&camera, target) - VIEW.center();
        assert!((moved - vec2(30.0, -20.0)).length() < 0.05, "{moved}");
    }

    #[test]
    fn orbiting_stops_at_the_poles() {
        let mut camera = OrbitCamera::default();
        orbit(&mut camera, vec2(0.0, 1e6));
        assert_eq!(camera.pitch_radians, FRAC_PI_2);
    }
}
