//! Which joint a pointer means.

use glam::{Vec2, Vec3};

use super::Frame;

/// So many pixels nearer to the pointer beat being nearer to the eye.
const TIE: f32 = 2.0;

/// The joint of the frame's overlay under a pointer.
///
/// `pointer` is in pixels from the top left of a picture of `size` pixels.
/// The joint nearest to it within `radius` pixels, and among about equally near
/// ones the one nearest to the eye; failing that the parent end of a bone within
/// half that radius. `None` where there is neither.
pub fn pick_joint(frame: &Frame, pointer: Vec2, size: Vec2, radius: f32) -> Option<usize> {
    let clip_from_world = frame.camera.clip_from_view * frame.camera.view_from_world;
    // Pixels, and reverse-Z depth: greater is nearer.
    let project = |world: Vec3| {
        let clip = clip_from_world * world.extend(1.0);
        let ndc = clip.truncate() / clip.w;
        let at = Vec2::new(ndc.x * 0.5 + 0.5, 0.5 - ndc.y * 0.5) * size;
        (clip.w > 0.0 && at.is_finite()).then_some((at, ndc.z))
    };
    let mut best: Option<(usize, f32, f32)> = None;
    for dot in &frame.joints {
        let Some((at, depth)) = project(dot.position) else {
            continue;
        };
        let distance = at.distance(pointer);
        if distance > radius {
            continue;
        }
        let better = best.is_none_or(|(_, best_distance, best_depth)| {
            distance < best_distance - TIE || (distance < best_distance + TIE && depth > best_depth)
        });
        if better {
            best = Some((dot.joint, distance, depth));
        }
    }
    if let Some((joint, ..)) = best {
        return Some(joint);
    }
    frame
        .bones
        .iter()
        .filter_map(|bone| {
            let (from, depth) = project(bone.from)?;
            let (to, _) = project(bone.to)?;
            let near = segment_distance(pointer, from, to) <= radius * 0.5;
            near.then_some((bone.joint, depth))
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(joint, _)| joint)
}

fn segment_distance(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    let along = to - from;
    let length_squared = along.length_squared();
    let t = if length_squared > 0.0 {
        ((point - from).dot(along) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (from + along * t).distance(point)
}

#[cfg(test)]
mod tests {
    use glam::Vec4;

    use super::*;
    use crate::scene::{Bone, CameraFrame, JointDot, OrbitCamera};

    const SIZE: Vec2 = Vec2::new(200.0, 100.0);

    fn frame() -> Frame {
        let camera = OrbitCamera {
            yaw_radians: 0.0,
            pitch_radians: 0.0,
            ..OrbitCamera::default()
        };
        let dot = |joint, position| JointDot {
            joint,
            position,
            radius: 0.01,
            least_radius: 2.0,
            color: Vec4::ONE,
        };
        let mut frame = Frame::default();
        frame.joints.extend([
            dot(3, Vec3::ZERO),
            dot(4, Vec3::new(0.0, 0.0, 1.0)),
            dot(5, Vec3::new(0.5, 0.0, 0.0)),
            // Behind the eye, straight in line with the first.
            dot(6, Vec3::new(0.0, 0.0, 9.0)),
        ]);
        frame.bones.push(Bone {
            joint: 5,
            from: Vec3::new(0.5, 0.0, 0.0),
            to: Vec3::new(1.5, 0.0, 0.0),
            side: Vec3::Y,
            radius: 0.05,
            color: Vec4::ONE,
        });
        frame.camera = CameraFrame {
            view_from_world: camera.view_from_world(),
            clip_from_view: camera.clip_from_view(2.0),
            eye: camera.eye(),
        };
        frame
    }

    #[test]
    fn the_nearer_of_two_in_line_wins_and_behind_the_eye_is_nothing() {
        let center = SIZE * 0.5;
        assert_eq!(pick_joint(&frame(), center, SIZE, 8.0), Some(4));
        assert_eq!(
            pick_joint(&frame(), center + Vec2::new(0.0, 40.0), SIZE, 8.0),
            None
        );
    }

    #[test]
    fn a_bone_is_hit_where_no_joint_is() {
        // Half way along the bone: one world unit is 100 / (2 · 4 · tan 17.5°) pixels.
        let pixels = 100.0 / (8.0 * 17.5f32.to_radians().tan());
        let middle = SIZE * 0.5 + Vec2::new(pixels, 2.0);
        assert_eq!(pick_joint(&frame(), middle, SIZE, 8.0), Some(5));
        assert_eq!(
            pick_joint(&frame(), middle + Vec2::Y * 10.0, SIZE, 8.0),
            None
        );
    }
}
