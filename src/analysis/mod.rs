//! What is wrong with a rig and its clips, and the numbers behind it: data for the
//! panels, the command line and the tests; nothing here draws.
//!
//! [`analyse`] runs every check over a document and gives back one list, the
//! importer's findings among them. It is meant for a thread of its own: a [`Watch`]
//! tells how far it is and stops it.
//!
//! The numbers that panels show, each asked for what is on show: [`influences`] of
//! vertices and what four of them lose, [`bind`] against rest, [`measures`] of matrices.

mod advice;
pub mod bind;
mod bug_report;
pub mod curves;
pub mod describe;
pub mod influences;
pub mod measures;
mod motion;
mod rig;
mod roles;
mod watch;

use std::{cmp::Reverse, sync::OnceLock};

use rayon::prelude::*;

pub use advice::{Advice, advice};
pub use bug_report::report_text;
pub use watch::Watch;

use roles::Roles;

use crate::document::{Document, Finding};

/// How far to go where a file is very large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// Checks that would take longer than a few seconds are left out and named in
    /// [`Report::left_out`].
    #[default]
    Usual,
    /// Everything, however long it takes.
    Whole,
}

/// All that was found in a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The importer's findings and those of the checks, the worst first; within one
    /// severity by clip, node, property and key.
    pub findings: Vec<Finding>,
    /// What was not looked at because the file is large, a sentence each; empty after
    /// [`Effort::Whole`].
    pub left_out: Vec<String>,
}

/// What every check gets.
struct Subject<'a> {
    document: &'a Document,
    effort: Effort,
    watch: &'a Watch,
    roles: OnceLock<Roles>,
}

impl<'a> Subject<'a> {
    fn new(document: &'a Document, effort: Effort, watch: &'a Watch) -> Self {
        Self {
            document,
            effort,
            watch,
            roles: OnceLock::new(),
        }
    }

    /// What the document's nodes are there for, looked at once.
    fn roles(&self) -> &Roles {
        self.roles.get_or_init(|| Roles::new(self.document))
    }
}

/// What every check gives: findings, and what it left out.
#[derive(Debug, Default)]
struct Found {
    findings: Vec<Finding>,
    left_out: Vec<String>,
}

impl From<Vec<Finding>> for Found {
    fn from(findings: Vec<Finding>) -> Self {
        Self {
            findings,
            left_out: Vec::new(),
        }
    }
}

impl Found {
    fn append(&mut self, mut other: Self) {
        self.findings.append(&mut other.findings);
        self.left_out.append(&mut other.left_out);
    }
}

/// Runs every check; `None` if `watch` was cancelled. The same document gives the same
/// report, on any number of cores.
pub fn analyse(document: &Document, effort: Effort, watch: &Watch) -> Option<Report> {
    let subject = Subject::new(document, effort, watch);
    // One unit for the rig, one for each clip.
    watch.expect(1 + document.clips.len());
    let (rig, clips): (Found, Vec<Found>) = rayon::join(
        || {
            let found = rig::check(&subject);
            watch.done();
            found
        },
        || {
            let clips = (0..document.clips.len()).into_par_iter();
            clips
                .map(|clip| {
                    let found = motion::check(&subject, clip);
                    watch.done();
                    found
                })
                .collect()
        },
    );
    if watch.is_cancelled() {
        return None;
    }
    let mut found = rig;
    clips.into_iter().for_each(|clip| found.append(clip));
    let mut findings = document.findings.clone();
    findings.append(&mut found.findings);
    findings.sort_by_key(|finding| {
        (
            Reverse(finding.severity),
            finding.clip,
            finding.node,
            finding.property,
            finding.key,
        )
    });
    Some(Report {
        findings,
        left_out: found.left_out,
    })
}
