//! Nodes of one name.

use std::collections::BTreeMap;

use super::{few, words};
use crate::document::{Document, Finding, FindingCode, Severity};

/// `duplicate-names`: as stored, and where names come to be alike that differ in what
/// players are known to take out of them.
pub(super) fn check(document: &Document) -> Vec<Finding> {
    // In the file's order of nodes, whatever that of the joints.
    let mut stored: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for &index in &document.skeleton.joint_of_node {
        let name = document.skeleton.joints[index].name.as_str();
        if !name.is_empty() {
            stored.entry(name).or_default().push(index);
        }
    }
    let mut cleaned: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (name, joints) in &stored {
        cleaned.entry(clean(name)).or_default().push(joints[0]);
    }
    let equal: Vec<Vec<usize>> = stored.into_values().filter(|j| j.len() > 1).collect();
    let alike: Vec<Vec<usize>> = cleaned.into_values().filter(|j| j.len() > 1).collect();
    let equal = equal.iter().map(|joints| {
        let name = &document.skeleton.joints[joints[0]].name;
        let nodes = words::some_of(&nodes(document, joints));
        let message = format!("{} nodes are named {name:?}: {nodes}", joints.len());
        finding(document, joints, Severity::Warning, message)
    });
    let alike = alike.iter().map(|joints| {
        let nodes: Vec<String> = joints.iter().map(|&j| words::node(document, j)).collect();
        let message = format!(
            "{} become one name, {:?}, in players that take dots, colons, slashes and brackets out of names",
            words::some_of(&nodes),
            clean(&document.skeleton.joints[joints[0]].name)
        );
        finding(document, joints, Severity::Info, message)
    });
    // Two copies of one character share all their names.
    let mut findings = few(equal.collect());
    findings.extend(few(alike.collect()));
    findings
}

fn finding(document: &Document, joints: &[usize], severity: Severity, message: String) -> Finding {
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
