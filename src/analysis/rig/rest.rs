//! The skeleton at rest, as several checks need it.

use glam::{Mat3, Mat4};

use crate::{
    analysis::measures,
    document::{Document, FindingCode},
};

/// Scale factors this far apart, relative to the largest, are not the same. A tenth of
/// what it takes to make a shear of [`measures::SHEAR_DEGREES`].
const UNEVEN: f32 = 1e-3;

/// World matrices at rest and what they amount to, by joint index.
pub(super) struct Rest {
    pub(super) worlds: Vec<Mat4>,
    /// How far the world matrix's axes are from right angles, degrees.
    pub(super) shear: Vec<f32>,
    /// Whether the joint's own transform, or one above it, scales its axes unlike.
    pub(super) uneven_above: Vec<Option<usize>>,
    /// Whether a scale there can be seen: something is shown by or below it, or it is
    /// part of a skin's skeleton. Exporters leave many a node that is neither.
    pub(super) counts: Vec<bool>,
    /// Children of each joint.
    pub(super) children: Vec<Vec<usize>>,
}

impl Rest {
    pub(super) fn new(document: &Document) -> Self {
        let worlds = document.skeleton.rest_globals();
        let axes = worlds.iter().map(|world| Mat3::from_mat4(*world));
        let shear = axes.map(measures::shear).collect();
        let mut uneven_above: Vec<Option<usize>> = Vec::with_capacity(worlds.len());
        for (index, joint) in document.skeleton.joints.iter().enumerate() {
            let own = is_uneven(Mat3::from_mat4(joint.rest_mat4())).then_some(index);
            uneven_above.push(own.or_else(|| uneven_above[joint.parent?]));
        }
        Self {
            worlds,
            shear,
            uneven_above,
            counts: counts(document),
            children: document.skeleton.children(),
        }
    }

    /// Whether a joint is sheared at rest, by enough to tell.
    pub(super) fn is_sheared(&self, joint: usize) -> bool {
        self.shear[joint] > measures::SHEAR_DEGREES
    }

    /// Joints below this one, however deep.
    pub(super) fn below(&self, joint: usize) -> usize {
        let mut pending = vec![joint];
        let mut count = 0;
        while let Some(next) = pending.pop() {
            count += self.children[next].len();
            pending.extend(&self.children[next]);
        }
        count
    }
}

/// By joint: [`Rest::counts`].
fn counts(document: &Document) -> Vec<bool> {
    let joints = &document.skeleton.joints;
    if document.skins.is_empty() && document.instances.is_empty() {
        // A file of joints alone: they are what there is to see.
        return vec![true; joints.len()];
    }
    let mut is_shown = vec![false; joints.len()];
    let mut is_skinned = vec![false; joints.len()];
    // The node of a skinned mesh does not move what it shows.
    let rigid = document.instances.iter().filter(|i| i.skin.is_none());
    let shown = rigid.map(|instance| instance.joint);
    for joint in shown.chain(document.cameras.iter().map(|camera| camera.joint)) {
        is_shown[joint] = true;
    }
    for &joint in document.skins.iter().flat_map(|skin| &skin.joints) {
        (is_skinned[joint as usize], is_shown[joint as usize]) = (true, true);
    }
    // Down from the skin's joints to the ends of the skeleton, and up from what is shown.
    for (index, joint) in joints.iter().enumerate() {
        is_skinned[index] |= joint.parent.is_some_and(|parent| is_skinned[parent]);
    }
    for (index, joint) in joints.iter().enumerate().rev() {
        if let Some(parent) = joint.parent.filter(|_| is_shown[index]) {
            is_shown[parent] = true;
        }
    }
    let either = is_shown.into_iter().zip(is_skinned);
    either.map(|(shown, skinned)| shown || skinned).collect()
}

/// Whether the scale is not the same along all axes.
pub(super) fn is_uneven(axes: Mat3) -> bool {
    let scale = measures::scale(axes);
    scale.max_element() - scale.min_element() > UNEVEN * scale.max_element()
}

/// Whether the importer has said this of a joint's own matrix.
pub(super) fn is_known(document: &Document, code: FindingCode, joint: usize) -> bool {
    let node = document.skeleton.joints[joint].node;
    let mut findings = document.findings.iter();
    findings.any(|finding| finding.code == code && finding.node == Some(node))
}
