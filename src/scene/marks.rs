//! The worst finding about each joint, for colouring.

use std::sync::Arc;

use crate::document::{Document, Finding, Severity};

/// The worst severity among the findings that name each joint, by joint index. What
/// names no node (a mesh, a file) marks nothing. Of every clip, whichever plays.
pub fn joint_marks(document: &Document, findings: &[Finding]) -> Arc<[Option<Severity>]> {
    let mut marks = vec![None; document.skeleton.joints.len()];
    for finding in findings {
        let joint = finding
            .node
            .and_then(|node| document.skeleton.joint_of_node.get(node));
        if let Some(mark) = joint.and_then(|&joint| marks.get_mut(joint)) {
            *mark = (*mark).max(Some(finding.severity));
        }
    }
    marks.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{FindingCode, Joint, Skeleton};

    #[test]
    fn the_worst_finding_counts_and_nodes_are_not_joints() {
        // Node 0 is joint 1 and the other way round.
        let document = Document {
            skeleton: Skeleton {
                joints: [1, 0]
                    .map(|node| Joint {
                        node,
                        ..Joint::default()
                    })
                    .to_vec(),
                joint_of_node: vec![1, 0],
            },
            ..Document::default()
        };
        let finding = |severity, node: Option<usize>| Finding {
            node,
            ..Finding::new(FindingCode::RotationNotUnit, severity, "")
        };
        let findings = [
            finding(Severity::Warning, Some(0)),
            finding(Severity::Info, Some(0)),
            finding(Severity::Error, None),
            finding(Severity::Error, Some(7)),
        ];
        let marks = joint_marks(&document, &findings);
        assert_eq!(*marks, [None, Some(Severity::Warning)]);
    }
}
