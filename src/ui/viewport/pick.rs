//! Which joint the pointer means.

use egui::{Pos2, Rect, pos2};
use glam::{Mat4, Vec3};

use crate::{scene::Frame, session::Session};

/// A joint within so many points of the pointer is hit.
const RADIUS: f32 = 12.0;
/// So much closer to the pointer beats nearer to the eye.
const TIE: f32 = 3.0;
/// A bone within so many points is hit where no joint is.
const BONE_RADIUS: f32 = 6.0;

/// World positions to points on the screen.
pub(super) struct Projection {
    clip_from_world: Mat4,
    rect: Rect,
}

impl Projection {
    pub(super) fn new(frame: &Frame, rect: Rect) -> Self {
        Self {
            clip_from_world: frame.camera.clip_from_view * frame.camera.view_from_world,
            rect,
        }
    }

    /// Where a point appears, and its reverse-Z depth (greater is nearer);
    /// `None` behind the eye.
    pub(super) fn point(&self, world: Vec3) -> Option<(Pos2, f32)> {
        let clip = self.clip_from_world * world.extend(1.0);
        if clip.w.is_nan() || clip.w <= 1e-9 {
            return None;
        }
        let ndc = clip.truncate() / clip.w;
        let center = self.rect.center();
        let half = self.rect.size() * 0.5;
        let at = pos2(center.x + ndc.x * half.x, center.y - ndc.y * half.y);
        at.is_finite().then_some((at, ndc.z))
    }
}

/// The joint at the pointer: the closest within reach, the nearest to the eye
/// among those about equally close; else the parent end of a bone that is hit.
pub(super) fn joint_at(
    session: &Session,
    frame: &Frame,
    rect: Rect,
    pointer: Pos2,
) -> Option<usize> {
    let character = session.character()?;
    let projection = Projection::new(frame, rect);
    let world_from_model = character.world_from_model;
    let mut hits: Vec<(usize, f32, f32)> = Vec::new();
    for (joint, matrix) in character.globals.worlds().enumerate() {
        let world = world_from_model.transform_point3(matrix.w_axis.truncate());
        if let Some((at, depth)) = projection.point(world) {
            let distance = at.distance(pointer);
            if distance <= RADIUS {
                hits.push((joint, distance, depth));
            }
        }
    }
    let closest = hits
        .iter()
        .fold(f32::INFINITY, |closest, hit| closest.min(hit.1));
    let best = hits
        .iter()
        .filter(|hit| hit.1 <= closest + TIE)
        .max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)));
    if let Some(hit) = best {
        return Some(hit.0);
    }
    let on_bone = frame.bones.iter().filter_map(|bone| {
        let (from, depth) = projection.point(bone.from)?;
        let (to, _) = projection.point(bone.to)?;
        (segment_distance(pointer, from, to) <= BONE_RADIUS).then_some((bone.joint, depth))
    });
    on_bone
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(joint, _)| joint)
}

fn segment_distance(point: Pos2, from: Pos2, to: Pos2) -> f32 {
    let along = to - from;
    let length_squared = along.length_sq();
    let t = if length_squared > 0.0 {
        ((point - from).dot(along) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (from + along * t).distance(point)
}
