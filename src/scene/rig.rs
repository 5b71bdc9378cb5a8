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
    /// By joint index: no vertex follows it, where others have vertices that do.
    pub idle: Vec<bool>,
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
        let (shown, bare) = shown_joints(document);
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
            idle: idle_joints(document),
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
        // End joints go on in the direction that leads to them; a bare end is itself
        // where the joint before it ends.
        let ends = links.iter().filter(|&&(_, j)| !has_child[j] && !bare[j]);
        for &(parent, joint) in ends {
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

/// By joint index: what is shown, and which of that are bare ends.
///
/// With skins: their joints; bones lead from each to the nearest above, across plain
/// nodes between. Without: nodes that are animated or have children. And in both cases
/// a single bare node at the end of a joint that has nothing below: exporters mark the
/// end of the last bone that way. Where the file has nothing else to show, every bare
/// node at an end.
fn shown_joints(document: &Document) -> (Vec<bool>, Vec<bool>) {
    let joints = &document.skeleton.joints;
    let mut shown = vec![false; joints.len()];
    for skin in &document.skins {
        for &joint in &skin.joints {
            shown[joint as usize] = true;
        }
    }
    let has_skins = shown.contains(&true);
    if !has_skins {
        for joint in joints {
            if let Some(parent) = joint.parent {
                shown[parent] = true;
            }
        }
        for tracks in document.clips.iter().flat_map(|clip| &clip.joints) {
            shown[tracks.joint()] = true;
        }
    }
    let bare = bare_ends(document, &shown, !has_skins && !has_surface(document));
    for (shown, bare) in shown.iter_mut().zip(&bare) {
        *shown |= bare;
    }
    (shown, bare)
}

/// Nodes without content and children below a joint that is shown: the only child of
/// it, or one of `any` number.
fn bare_ends(document: &Document, shown: &[bool], any: bool) -> Vec<bool> {
    let joints = &document.skeleton.joints;
    let mut children = vec![0u32; joints.len()];
    for parent in joints.iter().filter_map(|joint| joint.parent) {
        children[parent] += 1;
    }
    let mut bare: Vec<bool> = (joints.iter().enumerate())
        .map(|(index, joint)| {
            let ends = |p: usize| shown[p] && (any || children[p] == 1);
            joint.parent.is_some_and(ends) && children[index] == 0 && !shown[index]
        })
        .collect();
    let content = (document.instances.iter().map(|instance| instance.joint))
        .chain(document.cameras.iter().map(|camera| camera.joint));
    for joint in content {
        bare[joint] = false;
    }
    bare
}

/// By joint index: which ones no vertex follows, where others have vertices that do.
fn idle_joints(document: &Document) -> Vec<bool> {
    let mut idle = vec![true; document.skeleton.joints.len()];
    let mut looked_at: Vec<(usize, usize)> = Vec::new();
    for instance in &document.instances {
        let Some(skin) = instance.skin else { continue };
        if looked_at.contains(&(instance.mesh, skin)) {
            continue;
        }
        looked_at.push((instance.mesh, skin));
        let joints = &document.skins[skin].joints;
        for primitive in &document.meshes[instance.mesh].primitives {
            let influences = &primitive.influences;
            for (&slot, &weight) in influences.joints.iter().zip(&influences.weights) {
                if weight > 0.0 {
                    idle[joints[usize::from(slot)] as usize] = false;
                }
            }
        }
    }
    if idle.iter().all(|&idle| idle) {
        idle.fill(false);
    }
    idle
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use super::*;
    use crate::document::{Influences, Joint, Mesh, MeshInstance, Primitive, Skeleton, Skin};

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

    fn instance(joint: usize, skin: Option<usize>) -> MeshInstance {
        MeshInstance {
            joint,
            mesh: 0,
            skin,
            in_scene: true,
            morph_weights: Vec::new(),
        }
    }

    /// One vertex, and the influences that it has.
    fn mesh(influences: Influences) -> Mesh {
        Mesh {
            primitives: vec![Primitive {
                positions: vec![Vec3::ZERO],
                influences,
                ..Primitive::default()
            }],
            ..Mesh::default()
        }
    }

    fn shown(document: &Arc<Document>) -> Vec<usize> {
        Rig::new(document).joints.iter().map(|j| j.joint).collect()
    }

    fn bones(document: &Arc<Document>) -> Vec<(usize, BoneEnd)> {
        let rig = Rig::new(document);
        rig.bones.iter().map(|bone| (bone.from, bone.end)).collect()
    }

    #[test]
    fn a_bone_leads_across_plain_nodes_and_none_comes_from_above() {
        // armature – hips(skin) – plain – spine(skin)
        let document = document(&[None, Some(0), Some(1), Some(2)], &[1, 3]);
        assert_eq!(shown(&document), [1, 3]);
        let ends = bones(&document);
        assert_eq!(ends[0], (1, BoneEnd::Joint(3)));
        let (3, BoneEnd::Tip(tip)) = ends[1] else {
            panic!("no tip: {:?}", ends[1]);
        };
        // Two units from joint to joint.
        assert!(tip.abs_diff_eq(Vec3::Y * 2.0 * TIP, 1e-5), "{tip}");
        assert_eq!(ends.len(), 2);
    }

    #[test]
    fn a_bare_node_is_the_end_of_the_last_bone() {
        let chain = [None, Some(0), Some(1)];
        assert_eq!(shown(&document(&chain, &[0, 1])), [0, 1, 2]);
        let ends = bones(&document(&chain, &[0, 1]));
        assert_eq!(ends, [(0, BoneEnd::Joint(1)), (1, BoneEnd::Joint(2))]);
        // Two of them are something else, and so is one that carries a mesh.
        let two = document(&[None, Some(0), Some(1), Some(1)], &[0, 1]);
        assert_eq!(shown(&two), [0, 1]);
        let mut with_mesh = Document::clone(&document(&chain, &[0, 1]));
        with_mesh.meshes.push(Mesh::default());
        with_mesh.instances.push(instance(2, None));
        assert_eq!(shown(&Arc::new(with_mesh)), [0, 1]);
    }

    #[test]
    fn joints_that_no_vertex_follows_are_idle_unless_all_are() {
        let mut document = Document::clone(&document(&[None, Some(0), Some(1)], &[2, 0, 1]));
        let idle = |document: &Document| Rig::new(&Arc::new(document.clone())).idle;
        assert_eq!(idle(&document), [false; 3], "there is no vertex at all");
        document.meshes.push(mesh(Influences {
            per_vertex: 3,
            joints: vec![0, 1, 2],
            weights: vec![0.4, 0.0, 0.6],
        }));
        document.instances.push(instance(0, Some(0)));
        // Slot 1 is joint 0.
        assert_eq!(idle(&document), [true, false, false]);
    }

    #[test]
    fn two_trees_under_a_plain_root_stay_apart() {
        let document = document(&[None, Some(0), Some(0)], &[1, 2]);
        assert_eq!(shown(&document), [1, 2]);
        assert!(Rig::new(&document).bones.is_empty());
    }

    #[test]
    fn without_skins_parents_are_shown_and_ends_as_far_as_nothing_else_is() {
        let chain = [None, Some(0), Some(1), Some(0)];
        assert_eq!(shown(&document(&chain, &[])), [0, 1, 2, 3]);
        let mut with_mesh = Document::clone(&document(&chain, &[]));
        with_mesh.meshes.push(mesh(Influences::default()));
        with_mesh.instances.push(instance(0, None));
        assert_eq!(shown(&Arc::new(with_mesh)), [0, 1, 2]);
    }
}
