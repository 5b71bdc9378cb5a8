//! Which joints a skeleton overlay shows and how they connect: fixed per document.

use std::sync::Arc;

use glam::Vec3;

use super::Character;
use crate::{document::Document, math::Aabb};

/// The overlay's shape for one document.
#[derive(Debug, Clone)]
pub(super) struct Rig {
    /// What it was made from.
    pub document: Arc<Document>,
    /// Joints shown, in joint order.
    pub joints: Vec<RigJoint>,
    /// Bones between them, and tips of end joints.
    pub bones: Vec<RigBone>,
    /// The document has no surface to draw.
    pub alone: bool,
}

/// A joint shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RigJoint {
    pub joint: usize,
    /// Half the thickness of its stoutest bone at rest, world units.
    pub radius: f32,
    /// Length of its shortest bone at rest, world units; infinite without any.
    pub room: f32,
}

/// A bone shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RigBone {
    /// Joint at the thick end.
    pub from: usize,
    /// Where it ends.
    pub end: BoneEnd,
    /// The axis of `from`'s frame that is least along the bone.
    pub side: Vec3,
    /// Half the thickness at rest, world units.
    pub radius: f32,
    /// At rest, world units.
    pub length: f32,
}

/// Where a bone ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BoneEnd {
    /// At a child joint.
    Joint(usize),
    /// At a point of `from`'s frame: the short tip of an end joint.
    Tip(Vec3),
}

/// Half thickness of a bone as long as the rig's long ones, over its length.
const STOUTNESS: f32 = 0.052;
/// How thickness grows with length: less than in proportion, so that fingers read
/// beside thighs.
const GROWTH: f32 = 0.6;
/// Half thickness over length at most.
const STOUTEST: f32 = 0.11;
/// Length of an end joint's tip over that of the bone before it, and over the rig's
/// long bones at most: a control far from all else must not grow a spear.
const TIP: f32 = 0.35;
const LONGEST_TIP: f32 = 0.4;
/// Share of bones that are shorter than the rig's long ones.
const LONG: f32 = 0.85;

impl Rig {
    pub(super) fn new(document: &Arc<Document>) -> Self {
        let shown = shown_joints(document);
        let skeleton = &document.skeleton;
        let rest = skeleton.rest_globals();
        let at = |joint: usize| rest[joint].w_axis.truncate();
        let parent_of = |joint: usize| {
            let mut above = skeleton.joints[joint].parent;
            while let Some(parent) = above
                && !shown[parent]
            {
                above = skeleton.joints[parent].parent;
            }
            above
        };
        let joints = || (0..shown.len()).filter(|&joint| shown[joint]);
        let links: Vec<(usize, usize)> = joints()
            .filter_map(|joint| Some((parent_of(joint)?, joint)))
            .collect();
        let long = long_bone(links.iter().map(|&(from, to)| at(from).distance(at(to))));
        let mut rig = Self {
            document: document.clone(),
            joints: Vec::new(),
            bones: Vec::new(),
            alone: !has_surface(document),
        };
        let mut has_child = vec![false; shown.len()];
        for &(parent, joint) in &links {
            has_child[parent] = true;
            let local = rest[parent].inverse().transform_point3(at(joint));
            rig.bones.push(RigBone {
                from: parent,
                end: BoneEnd::Joint(joint),
                side: side_of(local),
                radius: radius_of(at(parent).distance(at(joint)), long),
                length: at(parent).distance(at(joint)),
            });
        }
        // End joints go on in the direction that leads to them.
        for &(parent, joint) in links.iter().filter(|&&(_, joint)| !has_child[joint]) {
            let along = (at(joint) - at(parent)) * TIP;
            let along = along.clamp_length_max(long * LONGEST_TIP);
            let tip = rest[joint].inverse().transform_vector3(along);
            if tip.is_finite() && tip != Vec3::ZERO {
                rig.bones.push(RigBone {
                    from: joint,
                    end: BoneEnd::Tip(tip),
                    side: side_of(tip),
                    radius: radius_of(along.length(), long),
                    length: along.length(),
                });
            }
        }
        let mut around = vec![(0f32, f32::INFINITY); shown.len()];
        for bone in &rig.bones {
            let mut touch = |joint: usize| {
                let (radius, room) = &mut around[joint];
                *radius = radius.max(bone.radius);
                // Joints in one place share a disc and need no room from each other.
                if bone.length > 0.0 {
                    *room = room.min(bone.length);
                }
            };
            touch(bone.from);
            if let BoneEnd::Joint(joint) = bone.end {
                touch(joint);
            }
        }
        rig.joints = joints()
            .map(|joint| match around[joint] {
                (radius, room) if radius > 0.0 => RigJoint {
                    joint,
                    radius,
                    room,
                },
                // Alone, or one of several in one place.
                _ => RigJoint {
                    joint,
                    radius: radius_of(long, long),
                    room: f32::INFINITY,
                },
            })
            .collect();
        rig
    }

    /// Box around the joints and bones shown, in the character's present pose, model
    /// space.
    pub(super) fn bounds(&self, character: &Character) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        for shown in &self.joints {
            bounds.grow(character.globals.world(shown.joint).w_axis.truncate());
        }
        for bone in &self.bones {
            if let BoneEnd::Tip(tip) = bone.end {
                bounds.grow(character.globals.world(bone.from).transform_point3(tip));
            }
        }
        bounds
    }
}

/// The length that all but the longest bones stay under; 0 without any. Unlike the
/// rig's size it does not care about a few controls far away.
fn long_bone(lengths: impl Iterator<Item = f32>) -> f32 {
    let mut lengths: Vec<f32> = lengths.filter(|l| l.is_finite() && *l > 0.0).collect();
    lengths.sort_by(f32::total_cmp);
    let at = (lengths.len() as f32 * LONG) as usize;
    let last = lengths.len().saturating_sub(1);
    lengths.get(at.min(last)).copied().unwrap_or(0.0)
}

/// Half thickness of a bone in a rig whose long bones are `long`.
fn radius_of(length: f32, long: f32) -> f32 {
    if length <= 0.0 || long <= 0.0 {
        return 0.0;
    }
    let radius = long * STOUTNESS * (length / long).powf(GROWTH);
    // A bone far longer than the others is as stout as they are.
    radius.min(length * STOUTEST).min(long * STOUTNESS * 1.5)
}

/// Whether anything in the scene has vertices.
fn has_surface(document: &Document) -> bool {
    document.instances.iter().any(|instance| {
        instance.in_scene
            && document.meshes[instance.mesh]
                .primitives
                .iter()
                .any(|primitive| !primitive.positions.is_empty())
    })
}

/// The unit axis least along a direction of a joint's frame.
fn side_of(direction: Vec3) -> Vec3 {
    let d = direction.abs();
    if d.x <= d.y && d.x <= d.z {
        Vec3::X
    } else if d.z <= d.y {
        Vec3::Z
    } else {
        Vec3::Y
    }
}

/// By joint index. With skins: their joints and the plain nodes that connect one
/// to another. Without: nodes that are animated or have children.
fn shown_joints(document: &Document) -> Vec<bool> {
    let joints = &document.skeleton.joints;
    let mut shown = vec![false; joints.len()];
    for skin in &document.skins {
        for &joint in &skin.joints {
            shown[joint as usize] = true;
        }
    }
    if shown.contains(&true) {
        // Children come after parents: by then, whether a node lies below a skin's
        // joint is known, and one that leads down to another is a connection.
        let mut below = shown.clone();
        for joint in 0..joints.len() {
            below[joint] |= joints[joint].parent.is_some_and(|parent| below[parent]);
        }
        for joint in (0..joints.len()).rev() {
            if let Some(parent) = joints[joint].parent {
                shown[parent] |= shown[joint] && below[parent];
            }
        }
        return shown;
    }
    for joint in joints {
        if let Some(parent) = joint.parent {
            shown[parent] = true;
        }
    }
    for tracks in document.clips.iter().flat_map(|clip| &clip.joints) {
        shown[tracks.joint()] = true;
    }
    shown
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use super::*;
    use crate::document::{Joint, Skeleton, Skin};

    /// Nodes in a row or tree, each one unit above its parent.
    fn document(parents: &[Option<usize>], skin: &[u32]) -> Arc<Document> {
        let joints = parents
            .iter()
            .enumerate()
            .map(|(node, &parent)| Joint {
                node,
                parent,
                translation: Vec3::Y,
                ..Joint::default()
            })
            .collect();
        let skins = if skin.is_empty() {
            Vec::new()
        } else {
            vec![Skin {
                joints: skin.to_vec(),
                joint_from_mesh: vec![Mat4::IDENTITY; skin.len()],
                ..Skin::default()
            }]
        };
        Arc::new(Document {
            skeleton: Skeleton {
                joints,
                joint_of_node: Vec::new(),
            },
            skins,
            ..Document::default()
        })
    }

    fn shown(document: &Arc<Document>) -> Vec<usize> {
        Rig::new(document).joints.iter().map(|j| j.joint).collect()
    }

    #[test]
    fn plain_nodes_between_joints_connect_and_those_above_do_not() {
        // armature – hips(skin) – plain – spine(skin) – end plain
        let document = document(&[None, Some(0), Some(1), Some(2), Some(3)], &[1, 3]);
        assert_eq!(shown(&document), [1, 2, 3]);
        let rig = Rig::new(&document);
        let ends: Vec<_> = rig.bones.iter().map(|b| (b.from, b.end)).collect();
        assert_eq!(ends[..2], [(1, BoneEnd::Joint(2)), (2, BoneEnd::Joint(3))]);
        let (3, BoneEnd::Tip(tip)) = ends[2] else {
            panic!("no tip: {:?}", ends[2]);
        };
        assert!(tip.abs_diff_eq(Vec3::Y * TIP, 1e-5));
        assert_eq!(ends.len(), 3);
    }

    #[test]
    fn two_trees_under_a_plain_root_stay_apart() {
        let document = document(&[None, Some(0), Some(0)], &[1, 2]);
        assert_eq!(shown(&document), [1, 2]);
        assert!(Rig::new(&document).bones.is_empty());
    }

    #[test]
    fn without_skins_parents_are_shown() {
        let document = document(&[None, Some(0), Some(1), Some(0)], &[]);
        assert_eq!(shown(&document), [0, 1]);
    }
}
