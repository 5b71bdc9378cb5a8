//! Findings, sorted to the rows that they are about.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use crate::{
    analysis::Report,
    document::{Document, Finding, Property, Severity},
    session::{Analysis, Session},
};

/// A stretch of a row that something was found in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// Seconds; where it begins.
    pub from_secs: f32,
    /// Where it ends; the same for what happens at one key.
    pub to_secs: f32,
    /// How bad.
    pub severity: Severity,
    /// Index into [`Session::findings`].
    pub finding: usize,
}

/// What was found in one row.
#[derive(Debug, Default)]
pub struct RowMarks {
    /// In the order of their beginnings.
    pub timed: Vec<Mark>,
    /// About the row as a whole: severity and index.
    pub whole: Vec<(Severity, usize)>,
}

impl RowMarks {
    /// The worst severity.
    pub fn worst(&self) -> Option<Severity> {
        let timed = self.timed.iter().map(|mark| mark.severity);
        timed
            .chain(self.whole.iter().map(|(severity, _)| *severity))
            .max()
    }

    /// Findings in all.
    pub fn count(&self) -> usize {
        self.timed.len() + self.whole.len()
    }

    /// The index of the first finding of the worst severity.
    pub fn first_of_worst(&self) -> Option<usize> {
        let worst = self.worst()?;
        let timed = self.timed.iter().map(|mark| (mark.severity, mark.finding));
        let mut all = self.whole.iter().copied().chain(timed);
        all.find(|(severity, _)| *severity == worst)
            .map(|(_, finding)| finding)
    }

    fn add(&mut self, finding: &Finding, index: usize) {
        match finding.time_secs {
            Some(from_secs) => self.timed.push(Mark {
                from_secs,
                to_secs: finding.end_secs.unwrap_or(from_secs).max(from_secs),
                severity: finding.severity,
                finding: index,
            }),
            None => self.whole.push((finding.severity, index)),
        }
    }
}

/// What the marks were made from; a weak link keeps its address from being used again.
#[derive(Debug, Clone)]
enum Source {
    Document(Weak<Document>),
    Report(Weak<Report>),
}

impl Source {
    fn of(session: &Session) -> Option<Self> {
        match &session.analysis {
            Analysis::Done(report) => Some(Self::Report(Arc::downgrade(report))),
            Analysis::Running(_) => session
                .character()
                .map(|character| Self::Document(Arc::downgrade(&character.document))),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Document(a), Self::Document(b)) => Weak::ptr_eq(a, b),
            (Self::Report(a), Self::Report(b)) => Weak::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// The findings of one clip, by row; made anew only when findings or clip change.
#[derive(Debug, Default)]
pub struct Marks {
    source: Option<Source>,
    clip: usize,
    /// Of a joint as a whole: what names no property, and all that its properties have.
    joints: HashMap<usize, RowMarks>,
    tracks: HashMap<(usize, Property), RowMarks>,
    /// Counts how often they were made anew.
    pub generation: u64,
}

impl Marks {
    /// Follows the findings.
    pub fn follow(&mut self, session: &Session, clip: usize) {
        let source = Source::of(session);
        let is_same = match (&self.source, &source) {
            (Some(known), Some(source)) => known.is_same(source),
            (None, None) => true,
            _ => false,
        };
        if is_same && self.clip == clip {
            return;
        }
        self.source = source;
        self.clip = clip;
        self.generation += 1;
        self.joints.clear();
        self.tracks.clear();
        let Some(document) = session.document() else {
            return;
        };
        for (index, finding) in session.findings().iter().enumerate() {
            let joint = finding
                .node
                .and_then(|node| document.skeleton.joint_of_node.get(node));
            let Some(&joint) = joint.filter(|_| finding.clip == Some(clip)) else {
                continue;
            };
            self.joints.entry(joint).or_default().add(finding, index);
            if let Some(property) = finding.property {
                let row = self.tracks.entry((joint, property)).or_default();
                row.add(finding, index);
            }
        }
        for row in self.joints.values_mut().chain(self.tracks.values_mut()) {
            row.timed
                .sort_by(|a, b| a.from_secs.total_cmp(&b.from_secs));
        }
    }

    /// All of a joint.
    pub fn of_joint(&self, joint: usize) -> Option<&RowMarks> {
        self.joints.get(&joint)
    }

    /// Of one property of a joint.
    pub fn of_track(&self, joint: usize, property: Property) -> Option<&RowMarks> {
        self.tracks.get(&(joint, property))
    }
}
