//! Which joint the pointer means.

use egui::{Pos2, Rect, pos2};
use glam::{Mat4, Vec2, Vec3};

use crate::{math::segment_distance, scene::Frame, session::Session};

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
        (segment_distance(plane(pointer), plane(from), plane(to)) <= BONE_RADIUS)
            .then_some((bone.joint, depth))
    });
    on_bone
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(joint, _)| joint)
}

fn plane(point: Pos2) -> Vec2 {
    Vec2::new(point.x, point.y)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use egui::vec2;

    use super::*;
    use crate::{
        document::{Document, Joint},
        scene::{self, View},
        session::Command,
    };

    const VIEW: Rect = Rect {
        min: pos2(10.0, 20.0),
        max: pos2(210.0, 120.0),
    };

    /// Joints at these places, each the child of the one before, seen from the front
    /// from 4 units away.
    fn scene(places: &[Vec3]) -> (Session, Frame) {
        let mut document = Document::default();
        for (index, place) in places.iter().enumerate() {
            let parent = index.checked_sub(1);
            document.skeleton.joints.push(Joint {
                node: index,
                parent,
                translation: *place - parent.map_or(Vec3::ZERO, |parent| places[parent]),
                ..Joint::default()
            });
        }
        let mut session = Session::default();
        session.apply(Command::LoadFinished {
            document: Arc::new(document),
            path: None,
        });
        let mut view = View::default();
        (view.camera.yaw_radians, view.camera.pitch_radians) = (0.0, 0.0);
        let mut frame = Frame::default();
        scene::build(&session.stage, &view, VIEW.aspect_ratio(), &mut frame);
        (session, frame)
    }

    #[test]
    fn of_joints_in_line_the_near_one_is_meant_and_none_behind_the_eye() {
        let (session, frame) = scene(&[Vec3::ZERO, Vec3::Z, Vec3::Z * 9.0]);
        let at = |offset| joint_at(&session, &frame, VIEW, VIEW.center() + offset);
        assert_eq!(at(vec2(0.0, 0.0)), Some(1));
        assert_eq!(at(vec2(0.0, 40.0)), None);
    }

    #[test]
    fn a_bone_is_meant_where_no_joint_is() {
        let (session, frame) = scene(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0]);
        // One unit in points, by the lens of 35°.
        let unit = VIEW.height() / (8.0 * 17.5f32.to_radians().tan());
        let at = |offset| joint_at(&session, &frame, VIEW, VIEW.center() + offset);
        assert_eq!(at(vec2(unit * 0.5, 2.0)), Some(0));
        assert_eq!(at(vec2(unit * 0.5, 12.0)), None);
    }
}
