//! The list of findings as a person asked to see it: filtered, grouped and ordered.
//! Panel and keys walk through the same list.

use std::collections::HashMap;

use super::{Command, Session};
use crate::{
    analysis::{advice, describe},
    document::{Document, Finding, FindingCode, Severity},
};

/// What goes under one heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Grouping {
    /// Findings of one joint, mesh or skin.
    #[default]
    Place,
    /// Findings of one code.
    Code,
}

/// Which group comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum GroupOrder {
    /// The worst severity.
    #[default]
    Worst,
    /// The most findings.
    Most,
    /// The smallest time in the first clip.
    Earliest,
}

impl GroupOrder {
    /// All, in menu order.
    pub const ALL: [Self; 3] = [Self::Worst, Self::Most, Self::Earliest];

    /// Two words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Worst => "Worst first",
            Self::Most => "Most first",
            Self::Earliest => "Earliest first",
        }
    }
}

/// What the list of problems shows, and how.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProblemView {
    /// Only what has all these words in its title, code, message or place.
    pub query: String,
    /// Errors are shown.
    pub errors: bool,
    /// Warnings are shown.
    pub warnings: bool,
    /// Notes are shown.
    pub infos: bool,
    /// Headings.
    pub grouping: Grouping,
    /// Their order.
    pub order: GroupOrder,
}

impl Default for ProblemView {
    fn default() -> Self {
        Self {
            query: String::new(),
            errors: true,
            warnings: true,
            infos: true,
            grouping: Grouping::default(),
            order: GroupOrder::default(),
        }
    }
}

impl ProblemView {
    /// Whether findings of a severity are shown.
    pub fn shows(&self, severity: Severity) -> bool {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
            Severity::Info => self.infos,
        }
    }
}

/// What a group's findings have in common, beside their severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroupKey {
    /// The file's node of this index.
    Node(usize),
    /// The mesh of this index.
    Mesh(usize),
    /// The skin of this index.
    Skin(usize),
    /// The clip of this index, and no joint in particular.
    Clip(usize),
    /// The file as a whole.
    File,
    /// The code.
    Code(FindingCode),
}

/// Findings under one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemGroup {
    /// Of all of them.
    pub severity: Severity,
    /// What they share.
    pub key: GroupKey,
    /// Indices into [`Session::findings`], by [`FindingCode::rank`], then clip and time.
    pub findings: Vec<usize>,
}

impl ProblemGroup {
    /// The heading: a joint's name, or what is wrong.
    pub fn title(&self, document: &Document) -> String {
        let named = |name: Option<&String>, what: &str, index: usize| match name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("{what} {index}"),
        };
        match self.key {
            GroupKey::Node(node) => {
                let joint = document.skeleton.joint_of_node.get(node);
                let joint = joint.and_then(|&joint| document.skeleton.joints.get(joint));
                named(joint.map(|joint| &joint.name), "node", node)
            }
            GroupKey::Mesh(mesh) => named(document.meshes.get(mesh).map(|m| &m.name), "mesh", mesh),
            GroupKey::Skin(skin) => named(document.skins.get(skin).map(|s| &s.name), "skin", skin),
            GroupKey::Clip(clip) => named(document.clips.get(clip).map(|c| &c.name), "clip", clip),
            GroupKey::File => "The whole file".to_owned(),
            GroupKey::Code(code) => advice(code).title.to_owned(),
        }
    }
}

impl Session {
    /// How many findings of a severity there are, whatever is shown.
    pub fn finding_count(&self, severity: Severity) -> usize {
        let findings = self.findings().iter();
        findings.filter(|f| f.severity == severity).count()
    }

    /// The findings as [`Session::problems`] asks for them. Costs a look at every finding:
    /// keep it as long as [`findings_revision`](Self::findings_revision) and the view stay.
    pub fn problem_groups(&self) -> Vec<ProblemGroup> {
        let Some(document) = self.document() else {
            return Vec::new();
        };
        let view = &self.problems;
        let words: Vec<String> = (view.query.split_whitespace())
            .map(str::to_lowercase)
            .collect();
        let mut groups: Vec<ProblemGroup> = Vec::new();
        let mut known: HashMap<(Severity, GroupKey), usize> = HashMap::new();
        let findings = self.findings();
        for (index, finding) in findings.iter().enumerate() {
            if !view.shows(finding.severity) || !matches(document, finding, &words) {
                continue;
            }
            let key = key_of(finding, view.grouping);
            let at = *known.entry((finding.severity, key)).or_insert_with(|| {
                groups.push(ProblemGroup {
                    severity: finding.severity,
                    key,
                    findings: Vec::new(),
                });
                groups.len() - 1
            });
            groups[at].findings.push(index);
        }
        let moment = |index: usize| {
            let finding = &findings[index];
            let nanos = finding.time_secs.map(|secs| (f64::from(secs) * 1e9) as i64);
            // Without a clip, before all clips; by index where two are at once.
            (finding.clip, nanos, index)
        };
        let rank = |index: usize| findings[index].code.rank();
        for group in &mut groups {
            // Of one place, the telling one comes first.
            group
                .findings
                .sort_by_key(|&index| (rank(index), moment(index)));
        }
        let worst = |group: &ProblemGroup| {
            let telling = group.findings.iter().map(|&index| rank(index)).min();
            (core::cmp::Reverse(group.severity), telling)
        };
        match view.order {
            GroupOrder::Worst => groups.sort_by_key(worst),
            GroupOrder::Most => groups.sort_by_key(|group| {
                let most = core::cmp::Reverse(group.findings.len());
                (most, worst(group))
            }),
            // What has no time comes last.
            GroupOrder::Earliest => groups.sort_by_key(|group| {
                let timed = group.findings.iter().map(|&index| moment(index));
                let first = timed.filter(|(_, nanos, _)| nanos.is_some()).min();
                (first.is_none(), first, worst(group))
            }),
        }
        groups
    }

    /// The next problem of the list, or the one before; round at the ends.
    pub(super) fn problem_step(&self, forward: bool, aspect: f32) -> Option<Command> {
        let groups = self.problem_groups();
        let order: Vec<usize> = groups.into_iter().flat_map(|g| g.findings).collect();
        let shown = self.shown_finding;
        let now = order.iter().position(|&index| Some(index) == shown);
        let last = order.len().checked_sub(1)?;
        let next = match now {
            None => {
                if forward {
                    0
                } else {
                    last
                }
            }
            Some(now) if forward => (now + 1) % order.len(),
            Some(now) => now.checked_sub(1).unwrap_or(last),
        };
        Some(Command::ShowFinding {
            index: order[next],
            aspect,
        })
    }
}

fn key_of(finding: &Finding, grouping: Grouping) -> GroupKey {
    let node = finding.node.map(GroupKey::Node);
    let mesh = finding.mesh.map(GroupKey::Mesh);
    let skin = finding.skin.map(GroupKey::Skin);
    let clip = finding.clip.map(GroupKey::Clip);
    match grouping {
        Grouping::Code => GroupKey::Code(finding.code),
        Grouping::Place => node.or(mesh).or(skin).or(clip).unwrap_or(GroupKey::File),
    }
}

/// Whether every word is somewhere in what is written about a finding.
fn matches(document: &Document, finding: &Finding, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let text = format!(
        "{} {} {} {} {}",
        advice(finding.code).title,
        finding.code,
        finding.severity,
        describe::place_line(document, finding),
        finding.message
    )
    .to_lowercase();
    words.iter().all(|word| text.contains(word))
}
