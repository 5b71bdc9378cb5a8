//! Which joint the pointer means.

use egui::{Pos2, Rect, pos2};
use glam::{Mat4, Vec2, Vec3};

use crate::{math::segment_distance, scene::Frame, session::Session};

/// A joint within so many points of the pointer is hit.
const RADIUS: f32 = 14.0;
/// So much closer to the pointer beats nearer to the eye.
const TIE: f32 = 3.0;
/// A bone within so many points of its axis is hit where no joint is, however thin.
const BONE_RADIUS: f32 = 6.0;
/// Points around a bone's drawn thickness that still hit it.
const BONE_ROOM: f32 = 2.0;

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

    /// The part of a segment that is before the eye, world space.
    fn visible(&self, from: Vec3, to: Vec3) -> Option<(Vec3, Vec3)> {
        let room = |p: Vec3| {
            let clip = self.clip_from_world * p.extend(1.0);
            // Reverse-Z: before the near plane z exceeds w.
            clip.w - clip.z
        };
        let (a, b) = (room(from), room(to));
        let cut = |inside: Vec3, outside: Vec3, share: f32| inside.lerp(outside, share * 0.999);
        match (a > 0.0, b > 0.0) {
            (true, true) => Some((from, to)),
            (true, false) => Some((from, cut(from, to, a / (a - b)))),
            (false, true) => Some((cut(to, from, b / (b - a)), to)),
            (false, false) => None,
        }
    }

    /// Points that a world unit takes up at this place.
    fn points_per_unit(&self, world: Vec3) -> f32 {
        let clip = self.clip_from_world * world.extend(1.0);
        let row = self.clip_from_world.row(1).truncate().length();
        row * self.rect.height() * 0.5 / clip.w.max(1e-9)
    }
}

/// The joint at the pointer: the closest within reach, the nearest to the eye
/// among those about equally close; else the parent end of a bone that is hit. Where
/// the skeleton is shown, what it shows; else any node of the file.
pub(super) fn joint_at(
    session: &Session,
    frame: &Frame,
    rect: Rect,
    pointer: Pos2,
) -> Option<usize> {
    let character = session.character()?;
    let projection = Projection::new(frame, rect);
    let reached = |joint: usize, world: Vec3| {
        let (at, depth) = projection.point(world)?;
        let distance = at.distance(pointer);
        (distance <= RADIUS).then_some((joint, distance, depth))
    };
    let hits: Vec<(usize, f32, f32)> = if session.view.skeleton || frame.joints.len() > 1 {
        let shown = frame.joints.iter();
        shown
            .filter_map(|dot| reached(dot.joint, dot.position))
            .collect()
    } else {
        let world_from_model = character.world_from_model;
        let all = character.globals.worlds().enumerate();
        all.filter_map(|(joint, matrix)| {
            let place = matrix.w_axis.truncate();
            reached(joint, world_from_model.transform_point3(place))
        })
        .collect()
    };
    let closest = hits
        .iter()
        .fold(f32::INFINITY, |closest, hit| closest.min(hit.1));
    let best = hits
        .iter()
        .filter(|hit| hit.1 <= closest + TIE)
        .max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)));
    best.map(|hit| hit.0)
        .or_else(|| bone_at(frame, &projection, pointer))
}

/// The parent end of the bone nearest to the eye among those at the pointer.
fn bone_at(frame: &Frame, projection: &Projection, pointer: Pos2) -> Option<usize> {
    let hits = frame.bones.iter().filter_map(|bone| {
        let (from, to) = projection.visible(bone.from, bone.to)?;
        // By its far end: of one that comes close, no more than what is drawn.
        let scale = (projection.points_per_unit(from)).min(projection.points_per_unit(to));
        let half = bone.radius * scale;
        let ((from, from_depth), (to, to_depth)) = (projection.point(from)?, projection.point(to)?);
        let reach = (half + BONE_ROOM).max(BONE_RADIUS);
        if segment_distance(plane(pointer), plane(from), plane(to)) > reach {
            return None;
        }
        // Depth is even along the line on the screen.
        let run = to - from;
        let share = (pointer - from).dot(run) / run.length_sq().max(1e-6);
        let depth = from_depth + (to_depth - from_depth) * share.clamp(0.0, 1.0);
        Some((bone.joint, depth))
    });
    hits.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
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

    #[test]
    fn the_closest_joint_is_meant_and_all_are_within_a_generous_reach() {
        // Five fingertips a thumb's width apart, and a plain view from four units away.
        let places: Vec<Vec3> = (0..5).map(|i| Vec3::X * (0.25 * i as f32 - 0.5)).collect();
        let (session, frame) = scene(&places);
        let at = |offset| joint_at(&session, &frame, VIEW, VIEW.center() + offset);
        let unit = VIEW.height() / (8.0 * 17.5f32.to_radians().tan());
        for (joint, place) in places[..4].iter().enumerate() {
            let x = place.x * unit;
            assert_eq!(at(vec2(x, 0.0)), Some(joint));
            assert_eq!(at(vec2(x + 2.0, 3.0)), Some(joint), "beside joint {joint}");
        }
        assert_eq!(at(vec2(places[0].x * unit - 13.5, 0.0)), Some(0));
        assert_eq!(at(vec2(places[0].x * unit - 14.5, 0.0)), None);
    }

    #[test]
    fn a_thick_bone_is_meant_all_across_and_one_past_the_eye_as_far_as_it_is_seen() {
        let (session, mut frame) = scene(&[Vec3::ZERO, Vec3::X * 2.0, Vec3::X * 4.0]);
        let unit = VIEW.height() / (8.0 * 17.5f32.to_radians().tan());
        frame.bones[0].radius = 20.0 / unit;
        let at = |frame: &Frame, offset| joint_at(&session, frame, VIEW, VIEW.center() + offset);
        assert_eq!(at(&frame, vec2(unit, 20.0)), Some(0));
        assert_eq!(at(&frame, vec2(unit, 24.0)), None);
        frame.bones[0].radius = 0.01;
        frame.bones[0].to = Vec3::new(1.0, 0.0, 30.0);
        assert_eq!(at(&frame, vec2(40.0, 0.0)), Some(0));
        assert_eq!(at(&frame, vec2(-40.0, 0.0)), None);
    }

    #[test]
    fn with_the_skeleton_shown_only_its_joints_are_meant() {
        let (mut session, mut frame) = scene(&[Vec3::ZERO, Vec3::X * 2.0, Vec3::X * 4.0]);
        let at = |session: &Session, frame: &Frame| joint_at(session, frame, VIEW, VIEW.center());
        session.view.skeleton = true;
        assert_eq!(at(&session, &frame), Some(0));
        frame.joints.retain(|dot| dot.joint != 0);
        frame.bones.clear();
        assert_eq!(at(&session, &frame), None);
    }
}
