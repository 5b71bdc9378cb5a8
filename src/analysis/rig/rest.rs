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
            children: document.skeleton.children(),
        }
    }

    /// Whether a joint is sheared at rest.
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
