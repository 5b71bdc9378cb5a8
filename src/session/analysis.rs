//! What was found in the open document, and how to get to the place of it.

use std::sync::Arc;

use super::{Finding, PoseSource, Request, Session};
use crate::{
    analysis::{Effort, Report},
    document::Document,
};

/// The checks of the open document.
#[derive(Debug, Clone, PartialEq)]
pub enum Analysis {
    /// They run, so far done, 0 … 1. Until then [`Session::findings`] are the importer's.
    Running(f32),
    /// Done.
    Done(Arc<Report>),
}

impl Default for Analysis {
    fn default() -> Self {
        Self::Running(0.0)
    }
}

impl Session {
    /// What is wrong or remarkable in the open document; the importer's findings while
    /// the checks run.
    pub fn findings(&self) -> &[Finding] {
        match &self.analysis {
            Analysis::Done(report) => &report.findings,
            Analysis::Running(_) => self.document().map_or(&[], |d| &d.findings),
        }
    }

    pub(super) fn analysis_progress(&mut self, fraction: f32) {
        if let Analysis::Running(_) = self.analysis {
            self.analysis = Analysis::Running(fraction.clamp(0.0, 1.0));
        }
    }

    pub(super) fn analysis_finished(&mut self, document: &Arc<Document>, report: Arc<Report>) {
        let is_open = (self.character()).is_some_and(|c| Arc::ptr_eq(&c.document, document));
        if is_open {
            // Before the report an index meant another list.
            self.shown_finding = None;
            self.analysis = Analysis::Done(report);
            self.mark_joints();
        }
    }

    pub(super) fn analyse_whole(&mut self) -> Option<Request> {
        self.character()?;
        self.analysis = Analysis::default();
        self.shown_finding = None;
        Some(Request::Analyse(Effort::Whole))
    }

    /// Selects the joint, switches to the clip, jumps to the key and frames the joint.
    pub(super) fn show_finding(&mut self, index: usize, aspect: f32) {
        let Some(finding) = self.findings().get(index).cloned() else {
            return;
        };
        self.shown_finding = Some(index);
        if let Some(clip) = finding.clip {
            self.set_source(PoseSource::Clip(clip));
        }
        if let Some(time_secs) = finding.time_secs {
            self.edit(|c| {
                c.player.playing = false;
                c.player.seek(time_secs);
            });
        }
        let joint = (finding.node).and_then(|node| {
            let document = self.document()?;
            document.skeleton.joint_of_node.get(node).copied()
        });
        if joint.is_some() {
            self.view.selected_joint = joint;
            if let Some(command) = self.framed(aspect, true) {
                self.carry_out(command);
            }
        }
    }
}
