//! The transform hierarchy.

use glam::{Mat4, Quat, Vec3};

use crate::math::Transform;

/// Every transform node of the file, **parents before children**, so that world
/// matrices come from one loop without recursion. A rigid prop and an armature
/// need no second mechanism.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skeleton {
    /// The joints; the index here is the *joint index* used all over the program.
    pub joints: Vec<Joint>,
    /// Joint index of each node of the file, by the file's node index.
    pub joint_of_node: Vec<usize>,
}

/// One transform node.
///
/// `local = T · orientation · rotation · S`. The orientation is fixed and sets up
/// the joint's local frame; the rotation is what animation changes inside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Name as stored; empty where the file gives none.
    pub name: String,
    /// Index of this node in the file.
    pub node: usize,
    /// Joint index of the parent, always smaller than this joint's own.
    pub parent: Option<usize>,
    /// Rest position relative to the parent.
    pub translation: Vec3,
    /// Fixed unit quaternion relative to the parent. glTF: the node's rest
    /// rotation; FBX: the pre-rotation.
    pub orientation: Quat,
    /// Rest rotation inside the orientation's frame; glTF: identity.
    pub rest_rotation: Quat,
    /// Rest scale.
    pub scale: Vec3,
    /// `parent_from_joint` at rest where the file gives a matrix that is no
    /// product of translation, rotation and scale (sheared or singular); the
    /// fields above then hold the nearest such product.
    pub rest_matrix: Option<Mat4>,
}

impl Default for Joint {
    /// Node 0, a root without name or transform.
    fn default() -> Self {
        Self {
            name: String::new(),
            node: 0,
            parent: None,
            translation: Vec3::ZERO,
            orientation: Quat::IDENTITY,
            rest_rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
            rest_matrix: None,
        }
    }
}

impl Joint {
    /// The rest transform relative to the parent (see `rest_matrix` for sheared ones).
    pub fn rest(&self) -> Transform {
        Transform {
            translation: self.translation,
            rotation: self.orientation * self.rest_rotation,
            scale: self.scale,
        }
    }

    /// `parent_from_joint` at rest.
    pub fn rest_mat4(&self) -> Mat4 {
        self.rest_matrix.unwrap_or_else(|| self.rest().to_mat4())
    }

    /// What animation adds: the rotation in `orientation · rotation`, given that
    /// product. Not of unit length where mode `lerp` made it so.
    pub fn animated_rotation(&self, local_rotation: Quat) -> Quat {
        self.orientation.conjugate() * local_rotation
    }

    /// The stored name, or `node 12` where there is none.
    pub fn label(&self) -> String {
        super::label(&self.name, "node", self.node)
    }
}

impl Skeleton {
    /// Direct children of each joint, in joint order.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.joints.len()];
        for (index, joint) in self.joints.iter().enumerate() {
            if let Some(parent) = joint.parent {
                children[parent].push(index);
            }
        }
        children
    }

    /// World matrices at rest, `world_from_joint`, by joint index.
    pub fn rest_globals(&self) -> Vec<Mat4> {
        let mut globals: Vec<Mat4> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let local = joint.rest_mat4();
            globals.push(match joint.parent {
                Some(parent) => globals[parent] * local,
                None => local,
            });
        }
        globals
    }
}
