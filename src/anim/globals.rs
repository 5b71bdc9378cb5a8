//! World matrices.

use glam::{Mat3, Mat4, Vec3};

use super::{Local, Pose};
use crate::{
    document::{Skeleton, Skin},
    math::{Affine, Polar, Transform},
};

/// World matrices of all joints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Globals {
    world_from_joint: Vec<Affine>,
}

impl Globals {
    /// Number of joints.
    pub fn len(&self) -> usize {
        self.world_from_joint.len()
    }

    /// Whether there is no joint.
    pub fn is_empty(&self) -> bool {
        self.world_from_joint.is_empty()
    }

    /// `M`, the world matrix of a joint; panics where `joint ≥ len()`.
    pub fn world(&self, joint: usize) -> Mat4 {
        self.world_from_joint[joint].to_mat4()
    }

    /// Every world matrix, by joint index.
    pub fn worlds(&self) -> impl Iterator<Item = Mat4> + '_ {
        self.world_from_joint.iter().map(|world| world.to_mat4())
    }

    /// Overwrites one world matrix; its fourth row is taken as 0 0 0 1.
    pub fn set_world(&mut self, joint: usize, world_from_joint: Mat4) {
        self.world_from_joint[joint] = Affine::from_mat4(world_from_joint);
    }

    /// Every world matrix by rows, by joint index.
    pub fn affines(&self) -> &[Affine] {
        &self.world_from_joint
    }
}

/// World matrices from a pose of this skeleton, in one loop: parents come before
/// children.
pub fn globals(skeleton: &Skeleton, pose: &Pose, out: &mut Globals) {
    let worlds = &mut out.world_from_joint;
    worlds.resize(skeleton.joints.len(), Affine::IDENTITY);
    let mut matrices = pose.matrices.iter().peekable();
    for (group, joints) in skeleton.joints.chunks(4).enumerate() {
        let mut locals = pose.affines(group);
        while let Some((joint, matrix)) = matrices.next_if(|(joint, _)| joint / 4 == group) {
            locals[joint % 4] = Affine::from_mat4(*matrix);
        }
        for (lane, (joint, local)) in joints.iter().zip(&locals).enumerate() {
            worlds[group * 4 + lane] = match joint.parent {
                Some(parent) => &worlds[parent] * local,
                None => *local,
            };
        }
    }
}

/// World matrices as players make them that keep world transforms as translation, rotation
/// and scale: rotations are multiplied with rotations and scales with scales, so that a turn
/// below an uneven scale shears nothing. A local matrix counts by its polar rotation and the
/// diagonal of its stretch.
pub fn globals_without_shear(skeleton: &Skeleton, pose: &Pose, out: &mut Globals) {
    let mut worlds: Vec<Transform> = Vec::with_capacity(skeleton.joints.len());
    for (joint, local) in skeleton.joints.iter().zip(pose.locals()) {
        let local = match local {
            Local::Trs(transform) => transform,
            Local::Matrix(matrix) => {
                let (rotation, stretch) = Polar::split(Mat3::from_mat4(matrix));
                Transform {
                    translation: matrix.w_axis.truncate(),
                    rotation,
                    scale: Vec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z),
                }
            }
        };
        worlds.push(match joint.parent.map(|parent| worlds[parent]) {
            Some(parent) => Transform {
                translation: parent.to_mat4().transform_point3(local.translation),
                rotation: parent.rotation * local.rotation,
                scale: parent.scale * local.scale,
            },
            None => local,
        });
    }
    let affine = |world: &Transform| Affine::from_mat4(world.to_mat4());
    out.world_from_joint.clear();
    out.world_from_joint.extend(worlds.iter().map(affine));
}

/// Replaces the world matrix of every skinned joint by `M0`, the inverse of its
/// inverse bind matrix, so that every skin matrix is the identity. A singular
/// matrix leaves its joint alone; where skins share a joint the first one counts.
pub fn bind_globals(skins: &[Skin], out: &mut Globals) {
    // Last to first, so that what the first skin writes stays.
    for skin in skins.iter().rev() {
        let slots = skin.joints.iter().zip(&skin.joint_from_mesh);
        for (&joint, joint_from_mesh) in slots.rev() {
            let inverse = joint_from_mesh.inverse();
            if joint_from_mesh.determinant() != 0.0 && inverse.is_finite() {
                out.set_world(joint as usize, inverse);
            }
        }
    }
}
