//! What nodes are there for: which of them move anything that is seen, and of which the
//! transform does not count.

use super::influences;
use crate::document::Document;

/// By joint index.
#[derive(Debug, Default)]
pub(super) struct Roles {
    /// It moves something that is seen, itself or through what hangs on it: vertices with
    /// weight, a mesh without skin, a camera. Every joint does in a file that shows nothing,
    /// for then the joints are all there is.
    pub moves: Vec<bool>,
    /// It shows a skinned mesh, which follows its joints and not this node.
    pub shows_skinned: Vec<bool>,
    /// By the rules its transform moves nothing: it shows a skinned mesh or stands above
    /// such ones, and above nothing else that it could move.
    pub ignored: Vec<bool>,
}

impl Roles {
    pub(super) fn new(document: &Document) -> Self {
        let joints = &document.skeleton.joints;
        // What a node moves, itself and below.
        let (mut skinned, mut other) = (vec![false; joints.len()], vec![false; joints.len()]);
        let mut shows_skinned = vec![false; joints.len()];
        for instance in document.instances.iter().filter(|shown| shown.in_scene) {
            let kind = if instance.skin.is_some() {
                &mut skinned
            } else {
                &mut other
            };
            kind[instance.joint] = true;
            shows_skinned[instance.joint] |= instance.skin.is_some();
        }
        for camera in &document.cameras {
            other[camera.joint] = true;
        }
        let mut above_joint = vec![false; joints.len()];
        for &joint in document.skins.iter().flat_map(|skin| &skin.joints) {
            above_joint[joint as usize] = true;
        }
        let mut moves = influences::used_joints(document);
        for (joint, moves) in moves.iter_mut().enumerate() {
            *moves |= other[joint];
        }
        for (joint, parent) in joints.iter().enumerate().rev() {
            if let Some(parent) = parent.parent {
                skinned[parent] |= skinned[joint];
                other[parent] |= other[joint];
                above_joint[parent] |= above_joint[joint];
                moves[parent] |= moves[joint];
            }
        }
        if !moves.contains(&true) {
            moves.fill(true);
        }
        let ignored = (0..joints.len()).map(|joint| {
            let above_skinned = skinned[joint] && !other[joint];
            !above_joint[joint] && (shows_skinned[joint] || above_skinned)
        });
        Self {
            ignored: ignored.collect(),
            moves,
            shows_skinned,
        }
    }
}
