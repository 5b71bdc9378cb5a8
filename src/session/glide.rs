//! The camera on its way: framing and views from a side arrive in a moment instead
//! of at once, so that the eye keeps its bearings.
//!
//! Only where [`Session::smooth_camera`] is on, which is the window's choice: anything
//! scripted finds the camera where it was sent.

use core::f32::consts::{PI, TAU};

use super::Session;
use crate::scene::OrbitCamera;

/// How long a move takes, in seconds; a frame at a fifth of a second shows its end.
pub const GLIDE_SECS: f32 = 0.18;
/// Between perspective and parallel projection the lens narrows by this factor while
/// the eye backs off, so that what stands at the target keeps its size. What jumps at
/// the end is a tenth of the foreshortening that was there.
const NARROWEST: f32 = 0.1;

/// A move from one camera to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Glide {
    from: OrbitCamera,
    to: OrbitCamera,
    elapsed_secs: f32,
}

impl Glide {
    fn is_over(&self) -> bool {
        self.elapsed_secs >= GLIDE_SECS
    }

    /// The camera at this moment: fast at first, slow at the end, the shorter way
    /// round, upright all the way.
    fn camera(&self) -> OrbitCamera {
        if self.is_over() {
            return self.to;
        }
        let (from, to) = (&self.from, &self.to);
        let rest = 1.0 - self.elapsed_secs / GLIDE_SECS;
        let t = 1.0 - rest * rest * rest;
        let mix = |from: f32, to: f32| from + (to - from) * t;
        // Sizes and distances change by equal factors in equal steps.
        let scale = |from: f32, to: f32| from * (to / from).powf(t);
        let turn = to.yaw_radians - from.yaw_radians;
        let turn = (turn + PI).rem_euclid(TAU) - PI;
        let lens = |camera: &OrbitCamera, other: &OrbitCamera| {
            let is_narrow = camera.orthographic && !other.orthographic;
            tangent(camera) * if is_narrow { NARROWEST } else { 1.0 }
        };
        let tangent_now = scale(lens(from, to), lens(to, from));
        let half_height = scale(half_height(from), half_height(to));
        OrbitCamera {
            target: from.target.lerp(to.target, t),
            yaw_radians: from.yaw_radians + turn * t,
            pitch_radians: mix(from.pitch_radians, to.pitch_radians),
            distance: half_height / tangent_now,
            yfov_radians: 2.0 * tangent_now.atan(),
            orthographic: from.orthographic && to.orthographic,
        }
    }
}

fn tangent(camera: &OrbitCamera) -> f32 {
    (camera.yfov_radians * 0.5).tan()
}

/// Half of what the view shows from top to bottom at the target, world units.
fn half_height(camera: &OrbitCamera) -> f32 {
    camera.distance * tangent(camera)
}

impl Session {
    /// Where the camera is, or where it will be when its move is over.
    pub fn settled_camera(&self) -> OrbitCamera {
        self.glide.map_or(self.view.camera, |glide| glide.to)
    }

    /// Whether the camera is on its way.
    pub fn is_camera_moving(&self) -> bool {
        self.glide.is_some()
    }

    /// Sends the camera there: at once, or smoothly where that is wanted.
    pub(super) fn move_camera(&mut self, to: OrbitCamera) {
        if !is_usable(&to) {
            return;
        }
        let from = self.view.camera;
        if !self.smooth_camera || from == to {
            self.glide = None;
            self.view.camera = to;
            return;
        }
        self.glide = Some(Glide {
            from,
            to,
            elapsed_secs: 0.0,
        });
    }

    /// Puts the camera there and ends a move: a hand has taken over.
    pub(super) fn set_camera(&mut self, camera: OrbitCamera) {
        if !is_usable(&camera) {
            return;
        }
        let mut camera = camera;
        if let Some(glide) = self.glide.take() {
            // Half-way between two projections: what is shown stays as large.
            let half_height = half_height(&camera);
            camera.yfov_radians = glide.to.yfov_radians;
            camera.orthographic = glide.to.orthographic;
            camera.distance = half_height / tangent(&camera);
        }
        self.view.camera = camera;
    }

    /// Moves the camera on by `dt_secs` of real time.
    pub(super) fn advance_camera(&mut self, dt_secs: f32) {
        if let Some(glide) = &mut self.glide {
            glide.elapsed_secs += dt_secs.max(0.0);
            self.view.camera = glide.camera();
            if glide.is_over() {
                self.glide = None;
            }
        }
    }
}

/// Whether a camera can be looked through: finite, in front of its target, with a lens.
fn is_usable(camera: &OrbitCamera) -> bool {
    let numbers = [
        camera.yaw_radians,
        camera.pitch_radians,
        camera.distance,
        camera.yfov_radians,
    ];
    camera.target.is_finite()
        && numbers.iter().all(|number| number.is_finite())
        && camera.distance > 0.0
        && camera.yfov_radians > 0.0
}
