//! Poses and world matrices.

use glam::Mat4;

use crate::{
    document::{Document, Skeleton},
    math::Transform,
};

/// A joint relative to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Local {
    /// Translation, rotation (orientation · rotation) and scale.
    Trs(Transform),
    /// A matrix that is, or may be, no such product.
    Matrix(Mat4),
}

impl Local {
    /// `parent_from_joint`.
    pub fn to_mat4(&self) -> Mat4 {
        match self {
            Self::Trs(transform) => transform.to_mat4(),
            Self::Matrix(matrix) => *matrix,
        }
    }
}

/// All joints relative to their parents, and the morph weights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pose {
    /// By joint index.
    pub locals: Vec<Local>,
    /// Per mesh instance of the document, one weight per morph target.
    pub morph_weights: Vec<Vec<f32>>,
}

impl Pose {
    /// The rest pose of a document.
    pub fn rest(document: &Document) -> Self {
        let mut pose = Self::default();
        pose.set_rest(document);
        pose
    }

    /// Overwrites this pose by the rest pose, keeping its buffers.
    pub fn set_rest(&mut self, document: &Document) {
        self.locals.clear();
        self.locals
            .extend(document.skeleton.joints.iter().map(|joint| {
                joint
                    .rest_matrix
                    .map_or_else(|| Local::Trs(joint.rest()), Local::Matrix)
            }));
        self.morph_weights
            .resize_with(document.instances.len(), Vec::new);
        for (weights, instance) in self.morph_weights.iter_mut().zip(&document.instances) {
            weights.clear();
            weights.extend_from_slice(&instance.morph_weights);
        }
    }
}

/// World matrices of all joints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Globals {
    /// `M` by joint index.
    pub world_from_joint: Vec<Mat4>,
}

/// World matrices from a pose, in one loop: parents come before children.
pub fn globals(skeleton: &Skeleton, pose: &Pose, out: &mut Globals) {
    out.world_from_joint.clear();
    for (joint, local) in skeleton.joints.iter().zip(&pose.locals) {
        let local = local.to_mat4();
        let world = match joint.parent {
            Some(parent) => out.world_from_joint[parent] * local,
            None => local,
        };
        out.world_from_joint.push(world);
    }
}

/// Replaces the world matrix of every skinned joint by `M0`, the inverse of its
/// inverse bind matrix, so that every skin matrix is the identity. A singular
/// matrix leaves its joint alone; where skins share a joint the first one counts.
pub fn bind_globals(document: &Document, out: &mut Globals) {
    let mut done = vec![false; out.world_from_joint.len()];
    for skin in &document.skins {
        for (&joint, joint_from_mesh) in skin.joints.iter().zip(&skin.joint_from_mesh) {
            let joint = joint as usize;
            let inverse = joint_from_mesh.inverse();
            if !done[joint] && joint_from_mesh.determinant() != 0.0 && inverse.is_finite() {
                out.world_from_joint[joint] = inverse;
                done[joint] = true;
            }
        }
    }
}
