//! Shear, mirrors, scales to nothing and scales of units, at rest.

use std::collections::BTreeMap;

use glam::{Mat3, Vec3};

use super::{
    few,
    rest::{Rest, is_known, is_uneven},
    words,
};
use crate::{
    analysis::measures,
    document::{Document, Finding, FindingCode, Severity},
    math::Aabb,
};

/// `scale-shear`, `scale-mirrored`, `scale-zero` and `root-scale` at rest.
pub(super) fn check(document: &Document, rest: &Rest) -> Vec<Finding> {
    let mut findings = shears(document, rest);
    findings.extend(few(mirrors(document, rest)));
    findings.extend(few(zeros(document, rest)));
    findings.extend(few(root_scales(document, rest)));
    findings
}

/// A finding for each transform that brings a shear about, at the worst joint.
fn shears(document: &Document, rest: &Rest) -> Vec<Finding> {
    let joints = &document.skeleton.joints;
    // By joint: whose scale or matrix shears it.
    let mut causes: Vec<Option<usize>> = vec![None; joints.len()];
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, joint) in joints.iter().enumerate() {
        if !rest.is_sheared(index) || !rest.counts[index] {
            continue;
        }
        let own = measures::shear(Mat3::from_mat4(joint.rest_mat4())) > measures::SHEAR_DEGREES;
        let inherited = || {
            let parent = joint.parent?;
            causes[parent].or(rest.uneven_above[parent])
        };
        let cause = if own { None } else { inherited() }.unwrap_or(index);
        causes[index] = Some(cause);
        groups.entry(cause).or_default().push(index);
    }
    let findings = groups.into_iter().filter_map(|(cause, sheared)| {
        // A matrix of its own, of which the importer has told.
        if is_known(document, FindingCode::ScaleShear, cause) {
            return None;
        }
        // The first of equals.
        let worst = sheared
            .iter()
            .copied()
            .reduce(|a, b| if rest.shear[b] > rest.shear[a] { b } else { a })?;
        let count = words::counted(sheared.len(), "joint is", "joints are");
        let by = if cause == worst {
            "by its own matrix".to_owned()
        } else {
            format!(
                "by the uneven scale {} of {}",
                words::scale(joints[cause].scale),
                words::node(document, cause)
            )
        };
        let message = format!(
            "{count} sheared at rest {by}; the worst is {}, its axes {:.1}° off right angles",
            words::node(document, worst),
            rest.shear[worst]
        );
        Some(
            Finding::new(FindingCode::ScaleShear, Severity::Warning, message)
                .at_node(joints[worst].node)
                .with("shear_degrees", f64::from(rest.shear[worst]))
                .with("joints", sheared.len() as f64)
                .with("cause_node", joints[cause].node as f64),
        )
    });
    findings.collect()
}

/// A finding for each joint that mirrors what its parent does not.
fn mirrors(document: &Document, rest: &Rest) -> Vec<Finding> {
    let joints = &document.skeleton.joints;
    let is_mirrored = |joint: usize| measures::is_mirrored(Mat3::from_mat4(rest.worlds[joint]));
    let is_top = |&joint: &usize| {
        let above = joints[joint].parent.is_some_and(is_mirrored);
        rest.counts[joint] && is_mirrored(joint) && !above
    };
    let tops = (0..joints.len()).filter(is_top).map(|top| {
        let message = format!(
            "{} mirrors at rest: scale {}{}",
            words::node(document, top),
            words::scale(joints[top].scale),
            and_below(rest, top)
        );
        Finding::new(FindingCode::ScaleMirrored, Severity::Info, message)
            .at_node(joints[top].node)
            .with("below", rest.below(top) as f64)
    });
    tops.collect()
}

/// A finding for each joint scaled to nothing below one that is not.
fn zeros(document: &Document, rest: &Rest) -> Vec<Finding> {
    let joints = &document.skeleton.joints;
    let mut is_zero = vec![false; joints.len()];
    // The transform of a skinned mesh does not count, nor does a scale in it.
    let ignored = |joint: usize| {
        let mut skinned = document.instances.iter().filter(|i| i.skin.is_some());
        !rest.counts[joint] && skinned.any(|instance| instance.joint == joint)
    };
    let mut findings = Vec::new();
    for (index, joint) in joints.iter().enumerate() {
        let above = joint.parent.is_some_and(|parent| is_zero[parent]);
        let own = measures::is_flat(Mat3::from_mat4(joint.rest_mat4()));
        is_zero[index] = above || own;
        if !own || above || ignored(index) || is_known(document, FindingCode::ScaleZero, index) {
            continue;
        }
        let message = format!(
            "{} is scaled to nothing at rest: scale {}{}",
            words::node(document, index),
            words::scale(joint.scale),
            and_below(rest, index)
        );
        let [x, y, z] = joint.scale.to_array().map(f64::from);
        findings.push(
            Finding::new(FindingCode::ScaleZero, Severity::Warning, message)
                .at_node(joint.node)
                .with("scale_x", x)
                .with("scale_y", y)
                .with("scale_z", z)
                .with("below", rest.below(index) as f64),
        );
    }
    findings
}

/// `, with 3 joints below it`, or nothing.
fn and_below(rest: &Rest, joint: usize) -> String {
    match rest.below(joint) {
        0 => String::new(),
        below => format!(
            ", with {} below it",
            words::counted(below, "joint", "joints")
        ),
    }
}

/// The factor of units that a scale looks like, if it is even and near one: centimetres
/// taken for metres, or the way back.
fn unit_factor(scale: Vec3) -> Option<f32> {
    let factor = scale.element_product().abs().cbrt();
    let is_near = |unit: f32| (factor / unit - 1.0).abs() < 0.05;
    (!is_uneven(Mat3::from_diagonal(scale)) && (is_near(0.01) || is_near(100.0))).then_some(factor)
}

/// `root-scale`: roots of the file, topmost joints of skins and what is above them.
fn root_scales(document: &Document, rest: &Rest) -> Vec<Finding> {
    let joints = &document.skeleton.joints;
    let roots = roots(document);
    let found = (0..joints.len()).filter_map(|index| {
        let factor = roots[index].then(|| unit_factor(joints[index].scale))??;
        let size = size_below(rest, index);
        let undone = rest.children[index].iter().find(|&&child| {
            unit_factor(joints[child].scale).is_some_and(|other| (other * factor - 1.0).abs() < 0.1)
        });
        let outcome = match undone {
            Some(&child) => format!(", which {} undoes", words::node(document, child)),
            None if size > 0.0 => format!("; its joints then span {} m", words::number(size)),
            None => String::new(),
        };
        let message = format!(
            "{} scales what is below it by {}, as from centimetres to metres or back{outcome}",
            words::node(document, index),
            words::number(f64::from(factor))
        );
        Some(
            Finding::new(FindingCode::RootScale, Severity::Info, message)
                .at_node(joints[index].node)
                .with("scale", f64::from(factor))
                .with("size", size),
        )
    });
    found.collect()
}

/// By joint: whether it is a root of the file, the topmost joint of a skin, or above one.
fn roots(document: &Document) -> Vec<bool> {
    let joints = &document.skeleton.joints;
    let mut is_root: Vec<bool> = joints.iter().map(|joint| joint.parent.is_none()).collect();
    let mut is_skinned = vec![false; joints.len()];
    let skinned = document.skins.iter().flat_map(|skin| &skin.joints);
    for &joint in skinned {
        is_skinned[joint as usize] = true;
    }
    // Whether a joint of a skin is above: parents come first.
    let mut is_inside = vec![false; joints.len()];
    for (index, joint) in joints.iter().enumerate() {
        is_inside[index] = joint.parent.is_some_and(|p| is_skinned[p] || is_inside[p]);
    }
    for top in (0..joints.len()).filter(|&joint| is_skinned[joint] && !is_inside[joint]) {
        let mut next = Some(top);
        while let Some(joint) = next {
            // What is above one that is known is known, but for the roots.
            if is_root[joint] && joints[joint].parent.is_some() {
                break;
            }
            is_root[joint] = true;
            next = joints[joint].parent;
        }
    }
    is_root
}

/// Diagonal of the box around the joints from this one on down, at rest.
fn size_below(rest: &Rest, joint: usize) -> f64 {
    let mut below = vec![joint];
    let mut at = 0;
    while let Some(&next) = below.get(at) {
        below.extend(&rest.children[next]);
        at += 1;
    }
    let origins = below.iter().map(|&j| rest.worlds[j].w_axis.truncate());
    let bounds = Aabb::from_points(origins);
    f64::from((bounds.max - bounds.min).length())
}
