//! What was found in the open document, and how to get to the place of it.

use std::sync::Arc;

use super::{Finding, Inspected, PoseSource, Request, Session, load};
use crate::{
    analysis::{Effort, Report, describe},
    document::{Document, FindingCode, Property},
};

/// The checks of the open document.
#[derive(Debug, Clone, PartialEq)]
pub enum Analysis {
    /// They run, so far done, 0 … 1. Until then [`Session::findings`] are the importer's,
    /// or those of the checks before.
    Running(f32),
    /// Done.
    Done(Arc<Report>),
}

impl Default for Analysis {
    fn default() -> Self {
        Self::Running(0.0)
    }
}

/// What a finding is known by when another list takes the place of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Mark {
    code: FindingCode,
    clip: Option<usize>,
    node: Option<usize>,
    mesh: Option<usize>,
    vertex: Option<usize>,
    property: Option<Property>,
    key: Option<usize>,
}

impl Mark {
    fn of(finding: &Finding) -> Self {
        let &Finding {
            code,
            clip,
            node,
            mesh,
            vertex,
            property,
            key,
            ..
        } = finding;
        Self {
            code,
            clip,
            node,
            mesh,
            vertex,
            property,
            key,
        }
    }

    /// The same thing in another version of the document: clip and joint by name.
    fn moved(self, old: &Document, new: &Document) -> Option<Self> {
        let clip = |clip| match load::find_clip(old, clip, new)? {
            PoseSource::Clip(clip) => Some(clip),
            PoseSource::Rest | PoseSource::Bind => None,
        };
        let node = |node: usize| {
            let joint = *old.skeleton.joint_of_node.get(node)?;
            let joint = load::find_joint(old, joint, new)?;
            Some(new.skeleton.joints.get(joint)?.node)
        };
        // `None` twice: nothing to move, and nowhere to move it to.
        let kept = |index: Option<usize>, find: &dyn Fn(usize) -> Option<usize>| match index {
            Some(index) => find(index).map(Some),
            None => Some(None),
        };
        Some(Self {
            clip: kept(self.clip, &clip)?,
            node: kept(self.node, &node)?,
            ..self
        })
    }
}

/// The state behind [`Session::findings`] that nobody else needs to know.
#[derive(Debug, Default)]
pub(super) struct Followed {
    /// What the checks of this document found before they started anew.
    before: Option<Arc<Report>>,
    /// The finding that is shown, or will be again once it is found again.
    mark: Option<Mark>,
    /// Counts the lists that there were.
    revision: u64,
}

impl Session {
    /// What is wrong or remarkable in the open document. While the checks run: what they
    /// found before, or else what the importer found.
    pub fn findings(&self) -> &[Finding] {
        match (&self.analysis, &self.followed.before) {
            (Analysis::Done(report), _) | (Analysis::Running(_), Some(report)) => &report.findings,
            (Analysis::Running(_), None) => self.document().map_or(&[], |d| &d.findings),
        }
    }

    /// What was not looked at because the file is large, a sentence each.
    pub fn left_out(&self) -> &[String] {
        match &self.analysis {
            Analysis::Done(report) => &report.left_out,
            Analysis::Running(_) => &[],
        }
    }

    /// Changes whenever [`findings`](Self::findings) is another list.
    pub fn findings_revision(&self) -> u64 {
        self.followed.revision
    }

    /// The finding on show, if any.
    pub fn finding_on_show(&self) -> Option<&Finding> {
        self.findings().get(self.shown_finding?)
    }

    /// Another document is about to be on stage; `old` is its earlier version, if it is one.
    pub(super) fn restart_analysis(&mut self, old: Option<&Document>, new: &Document) {
        let mark = self.followed.mark.take();
        self.followed.mark = mark.zip(old).and_then(|(mark, old)| mark.moved(old, new));
        self.followed.before = None;
        self.analysis = Analysis::default();
        self.shown_finding = None;
    }

    /// Finds the finding on show in the present list.
    pub(super) fn find_shown_again(&mut self) {
        self.followed.revision += 1;
        let mark = self.followed.mark;
        let mut findings = self.findings().iter();
        self.shown_finding =
            mark.and_then(|mark| findings.position(|finding| Mark::of(finding) == mark));
    }

    pub(super) fn analysis_progress(&mut self, fraction: f32) {
        if let Analysis::Running(_) = self.analysis {
            self.analysis = Analysis::Running(fraction.clamp(0.0, 1.0));
        }
    }

    pub(super) fn analysis_finished(&mut self, document: &Arc<Document>, report: Arc<Report>) {
        let is_open = (self.character()).is_some_and(|c| Arc::ptr_eq(&c.document, document));
        if is_open {
            self.followed.before = None;
            self.analysis = Analysis::Done(report);
            self.find_shown_again();
            if self.shown_finding.is_none() {
                self.followed.mark = None;
            }
            self.mark_joints();
        }
    }

    pub(super) fn analyse_whole(&mut self) -> Option<Request> {
        self.character()?;
        if let Analysis::Done(report) = &self.analysis {
            self.followed.before = Some(report.clone());
        }
        self.analysis = Analysis::default();
        Some(Request::Analyse(Effort::Whole))
    }

    pub(super) fn hide_finding(&mut self) {
        self.shown_finding = None;
        self.followed.mark = None;
    }

    /// Selects the joint, switches to the pose that shows the fault, stops there and
    /// frames the place.
    pub(super) fn show_finding(&mut self, index: usize, aspect: f32) {
        let Some(finding) = self.findings().get(index).cloned() else {
            return;
        };
        self.shown_finding = Some(index);
        self.followed.mark = Some(Mark::of(&finding));
        let clips = self.document().map_or(0, |d| d.clips.len());
        if let Some(clip) = finding.clip.filter(|&clip| clip < clips) {
            self.set_source(PoseSource::Clip(clip));
        } else if finding.code == FindingCode::BindRestMismatch {
            self.set_source(PoseSource::Rest);
        }
        if let Some(time_secs) = telling_time(&finding) {
            self.edit(|c| {
                c.player.playing = false;
                c.player.seek(time_secs);
            });
        }
        let joint = (self.document()).and_then(|document| describe::joint_of(document, &finding));
        if joint.is_some() {
            self.view.selected_joint = joint;
        }
        self.view.selected_vertex = self.vertex_of(&finding);
        let vertex = self.view.selected_vertex;
        let about = match (joint, vertex, finding.skin, finding.clip) {
            (None, None, Some(skin), _) => Inspected::Skin(skin),
            (None, None, None, Some(clip)) => Inspected::Clip(clip),
            _ => Inspected::Joint,
        };
        self.inspect(about);
        if let Some(command) = self.framed_finding(&finding, aspect) {
            self.carry_out(command);
        }
    }
}

/// The time at which a fault is to be seen best: half way through what fills an interval,
/// where neighbouring keys are farthest from what they were meant to be; else its key.
fn telling_time(finding: &Finding) -> Option<f32> {
    let start = finding.time_secs?;
    match finding.end_secs {
        Some(end) if end > start => Some(start + (end - start) * 0.5),
        _ => Some(start),
    }
}
