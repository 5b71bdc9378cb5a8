//! Nodes of one name.

use std::collections::BTreeMap;

use super::words;
use crate::document::{Document, Finding, FindingCode, Severity};

/// `duplicate-names`: as stored, and where names come to be alike that differ in what
/// players are known to take out of them.
pub(super) fn check(document: &Document) -> Vec<Finding> {
    let mut stored: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, joint) in document.skeleton.joints.iter().enumerate() {
        if !joint.name.is_empty() {
            stored.entry(&joint.name).or_default().push(index);
        }
    }
    let mut cleaned: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (name, joints) in &stored {
        cleaned.entry(clean(name)).or_default().push(joints[0]);
    }
    let equal = stored
        .into_iter()
        .filter(|(_, joints)| joints.len() > 1)
        .map(|(name, joints)| {
            let nodes = nodes(document, &joints);
            let message = format!(
                "{} nodes are named {name:?}: {}",
                joints.len(),
                words::some_of(&nodes)
            );
            finding(document, Severity::Warning, message, &joints)
        });
    let alike = cleaned
        .into_iter()
        .filter(|(_, joints)| joints.len() > 1)
        .map(|(name, joints)| {
            let names: Vec<String> = joints
                .iter()
                .map(|&joint| words::node(document, joint))
                .collect();
            let message = format!(
                "{} are one name, {name:?}, to players that take dots, colons, slashes and brackets out of names",
                words::some_of(&names)
            );
            finding(document, Severity::Info, message, &joints)
        });
    equal.chain(alike).collect()
}

fn finding(document: &Document, severity: Severity, message: String, joints: &[usize]) -> Finding {
    Finding::new(FindingCode::DuplicateNames, severity, message)
        .at_node(document.skeleton.joints[joints[0]].node)
        .with("nodes", joints.len() as f64)
}

/// `node 3`: the name has been said.
fn nodes(document: &Document, joints: &[usize]) -> Vec<String> {
    let node = |&joint: &usize| format!("node {}", document.skeleton.joints[joint].node);
    joints.iter().map(node).collect()
}

/// What three.js makes of a name, so that its tracks can say `name.property`.
fn clean(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '[' | ']' | '.' | ':' | '/'))
        .map(|c| if c.is_whitespace() { '_' } else { c })
        .collect()
}
