//! Joints relative to their parents.

use glam::{Mat4, Quat, Vec3, Vec4};

use crate::{
    document::{Document, Joint},
    math::{
        Affine, Transform,
        wide::{self, WideQuat, WideVec3},
    },
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
    /// A joint at rest.
    pub fn rest(joint: &Joint) -> Self {
        joint
            .rest_matrix
            .map_or_else(|| Self::Trs(joint.rest()), Self::Matrix)
    }

    /// `parent_from_joint`.
    pub fn to_mat4(&self) -> Mat4 {
        match self {
            Self::Trs(transform) => transform.to_mat4(),
            Self::Matrix(matrix) => *matrix,
        }
    }
}

/// All joints relative to their parents, and the morph weights.
///
/// Joints are kept in groups of four, component by component, which is how
/// [`super::Sampler`] writes and [`super::globals()`] reads them; [`Self::local`]
/// and [`Self::set_local`] speak of single joints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pose {
    len: usize,
    pub(super) translations: Vec<WideVec3>,
    pub(super) rotations: Vec<WideQuat>,
    pub(super) scales: Vec<WideVec3>,
    /// The few joints that are matrices, sorted by joint index.
    pub(super) matrices: Vec<(usize, Mat4)>,
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
        let joints = &document.skeleton.joints;
        self.len = joints.len();
        let groups = self.len.div_ceil(4);
        self.translations.clear();
        self.translations.resize(groups, [Vec4::ZERO; 3]);
        self.rotations.clear();
        self.rotations.resize(groups, wide::QUAT_IDENTITY);
        self.scales.clear();
        self.scales.resize(groups, [Vec4::ONE; 3]);
        self.matrices.clear();
        for (index, joint) in joints.iter().enumerate() {
            self.set_local(index, Local::rest(joint));
        }
        self.morph_weights
            .resize_with(document.instances.len(), Vec::new);
        for (weights, instance) in self.morph_weights.iter_mut().zip(&document.instances) {
            weights.clear();
            weights.extend_from_slice(&instance.morph_weights);
        }
    }

    /// Overwrites this pose by another, keeping its buffers.
    pub fn copy_from(&mut self, other: &Self) {
        self.len = other.len;
        self.translations.clone_from(&other.translations);
        self.rotations.clone_from(&other.rotations);
        self.scales.clone_from(&other.scales);
        self.matrices.clone_from(&other.matrices);
        self.morph_weights.clone_from(&other.morph_weights);
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no joint.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One joint relative to its parent; panics where `joint ≥ len()`.
    pub fn local(&self, joint: usize) -> Local {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        if let Ok(index) = self.matrices.binary_search_by_key(&joint, |&(j, _)| j) {
            return Local::Matrix(self.matrices[index].1);
        }
        let (group, lane) = (joint / 4, joint % 4);
        let vec3 = |v: &WideVec3| Vec3::new(v[0][lane], v[1][lane], v[2][lane]);
        let q = self.rotations[group];
        Local::Trs(Transform {
            translation: vec3(&self.translations[group]),
            rotation: Quat::from_xyzw(q[0][lane], q[1][lane], q[2][lane], q[3][lane]),
            scale: vec3(&self.scales[group]),
        })
    }

    /// Every joint in order.
    pub fn locals(&self) -> impl Iterator<Item = Local> + '_ {
        (0..self.len).map(|joint| self.local(joint))
    }

    /// Overwrites one joint; panics where `joint ≥ len()`.
    pub fn set_local(&mut self, joint: usize, local: Local) {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        let found = self.matrices.binary_search_by_key(&joint, |&(j, _)| j);
        match local {
            Local::Trs(transform) => {
                if let Ok(index) = found {
                    self.matrices.remove(index);
                }
                let (group, lane) = (joint / 4, joint % 4);
                for k in 0..3 {
                    self.translations[group][k][lane] = transform.translation[k];
                    self.scales[group][k][lane] = transform.scale[k];
                }
                for (k, component) in transform.rotation.to_array().into_iter().enumerate() {
                    self.rotations[group][k][lane] = component;
                }
            }
            Local::Matrix(matrix) => match found {
                Ok(index) => self.matrices[index].1 = matrix,
                Err(index) => self.matrices.insert(index, (joint, matrix)),
            },
        }
    }

    /// `parent_from_joint` of joints `4 group .. 4 group + 4`, matrices left out.
    #[inline]
    pub(super) fn affines(&self, group: usize) -> [Affine; 4] {
        wide::affines(
            &self.translations[group],
            &self.rotations[group],
            &self.scales[group],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Skeleton;

    fn document(joints: usize) -> Document {
        let joint = |index: usize| Joint {
            node: index,
            parent: index.checked_sub(1),
            translation: Vec3::splat(index as f32),
            orientation: Quat::from_rotation_x(index as f32),
            scale: Vec3::new(1.0, 2.0, index as f32),
            rest_matrix: (index == 5).then_some(Mat4::from_scale(Vec3::splat(5.0))),
            ..Joint::default()
        };
        Document {
            skeleton: Skeleton {
                joints: (0..joints).map(joint).collect(),
                joint_of_node: (0..joints).collect(),
            },
            ..Document::default()
        }
    }

    #[test]
    fn joints_go_in_and_out_of_their_groups_unchanged() {
        for count in 0..10 {
            let document = document(count);
            let pose = Pose::rest(&document);
            let rest: Vec<Local> = document.skeleton.joints.iter().map(Local::rest).collect();
            assert_eq!(pose.locals().collect::<Vec<_>>(), rest);
        }
    }

    #[test]
    fn a_joint_can_turn_from_matrix_to_transform_and_back() {
        let mut pose = Pose::rest(&document(7));
        let (matrix, trs) = (pose.local(5), pose.local(4));
        assert!(matches!(matrix, Local::Matrix(_)));
        pose.set_local(5, trs);
        assert_eq!(pose.local(5), trs);
        for joint in [6, 0, 3, 6] {
            pose.set_local(joint, matrix);
        }
        assert_eq!(
            pose.matrices.iter().map(|m| m.0).collect::<Vec<_>>(),
            [0, 3, 6]
        );
        assert_eq!(pose.local(4), trs);
    }
}
