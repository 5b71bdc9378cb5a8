//! The rows that are shown: joints and properties by filter and by what is open.

use std::collections::HashMap;

use super::{marks::Marks, sheet::Sheet};
use crate::document::Property;

/// Clips that move no more joints than this begin with all of them open.
const OPEN_UP_TO: usize = 6;

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// All keys of a joint together; the line in the sheet.
    Joint(usize),
    /// One property of it: line and track.
    Track(usize, usize),
    /// A property that the clip leaves at rest: line and property.
    Rest(usize, Property),
    /// How many joints the clip does not key; always the last.
    Unkeyed(usize),
}

impl Row {
    /// The line in the sheet; none for the last.
    pub fn line(self) -> Option<usize> {
        match self {
            Self::Joint(line) | Self::Track(line, _) | Self::Rest(line, _) => Some(line),
            Self::Unkeyed(_) => None,
        }
    }
}

/// What a person wants to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filters {
    /// Part of a joint's name, in any case.
    pub query: String,
    /// The selected joint only.
    pub only_selected: bool,
    /// Only joints that something was found at.
    pub only_findings: bool,
    /// Only what the clip keys.
    pub only_keyed: bool,
    /// Opens the selected joint and scrolls to it.
    pub follow: bool,
}

impl Default for Filters {
    fn default() -> Self {
        Self {
            query: String::new(),
            only_selected: false,
            only_findings: false,
            only_keyed: true,
            follow: true,
        }
    }
}

/// All that the rows depend on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Key {
    sheet: u64,
    marks: u64,
    opened: u64,
    filters: Filters,
    selected: Option<usize>,
}

/// The rows, made anew only when something that they depend on changed.
#[derive(Debug, Default)]
pub struct Rows {
    key: Key,
    rows: Vec<Row>,
    /// By joint, what a person opened or closed; the others go by the rule.
    open: HashMap<usize, bool>,
    /// What all others are after "expand all" or "collapse all".
    all_open: Option<bool>,
    /// Counts changes of the two.
    opened: u64,
    /// Joints that the clip keys, and joints in all.
    keyed: usize,
    joints: usize,
    /// Counts how often the list was made anew.
    #[cfg(test)]
    made: u64,
}

impl Rows {
    /// The rows to show.
    pub fn follow(
        &mut self,
        sheet: &Sheet,
        marks: &Marks,
        filters: &Filters,
        selected: Option<usize>,
    ) -> &[Row] {
        let is_new_sheet = self.key.sheet != sheet.generation;
        if is_new_sheet {
            let keyed = sheet.lines.iter().filter(|line| !line.tracks.is_empty());
            self.keyed = keyed.count();
            // Another rig; a reloaded file and other clips keep what is open.
            if self.joints != sheet.lines.len() {
                self.joints = sheet.lines.len();
                self.open.clear();
                self.all_open = None;
            }
        }
        let key = Key {
            sheet: sheet.generation,
            marks: marks.generation,
            opened: self.opened,
            filters: filters.clone(),
            selected: selected.filter(|_| filters.only_selected || filters.follow),
        };
        if is_new_sheet || self.key != key {
            self.key = key;
            #[cfg(test)]
            {
                self.made += 1;
            }
            self.rows = self.list(sheet, marks);
        }
        &self.rows
    }

    /// The rows as they were last followed.
    pub fn all(&self) -> &[Row] {
        &self.rows
    }

    /// Whether a joint shows its properties.
    pub fn is_open(&self, joint: usize) -> bool {
        let by_rule = || {
            let is_selected = self.key.selected == Some(joint);
            is_selected || self.all_open.unwrap_or(self.keyed <= OPEN_UP_TO)
        };
        self.open.get(&joint).copied().unwrap_or_else(by_rule)
    }

    /// Opens or closes a joint.
    pub fn set_open(&mut self, joint: usize, open: bool) {
        self.open.insert(joint, open);
        self.opened += 1;
    }

    /// Opens or closes every joint.
    pub fn set_all_open(&mut self, open: bool) {
        self.open.clear();
        // The selected one would open by itself.
        if let Some(joint) = self.key.selected {
            self.open.insert(joint, open);
        }
        self.all_open = Some(open);
        self.opened += 1;
    }

    fn list(&self, sheet: &Sheet, marks: &Marks) -> Vec<Row> {
        let filters = &self.key.filters;
        let query = filters.query.trim().to_lowercase();
        let mut rows = Vec::new();
        for (index, line) in sheet.lines.iter().enumerate() {
            let is_shown = (!filters.only_keyed || !line.tracks.is_empty())
                && (!filters.only_selected || self.key.selected == Some(line.joint))
                && (!filters.only_findings || marks.of_joint(line.joint).is_some())
                && (query.is_empty() || line.haystack.contains(&query));
            if !is_shown {
                continue;
            }
            rows.push(Row::Joint(index));
            if line.tracks.is_empty() || !self.is_open(line.joint) {
                continue;
            }
            rows.extend((0..line.tracks.len()).map(|track| Row::Track(index, track)));
            if !filters.only_keyed {
                rows.extend(line.unkeyed().map(|property| Row::Rest(index, property)));
            }
        }
        let is_whole = query.is_empty() && !filters.only_selected && !filters.only_findings;
        if is_whole && filters.only_keyed && sheet.unkeyed > 0 {
            rows.push(Row::Unkeyed(sheet.unkeyed));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        document::{Document, Finding, FindingCode, Severity},
        session::{Command, Session},
    };

    /// Head (translation, rotation) and Leg (two targets) have keys; the head has a
    /// finding.
    struct Case {
        sheet: Sheet,
        marks: Marks,
        rows: Rows,
    }

    impl Case {
        fn new() -> Self {
            let mut document = Document::clone(&super::super::sheet::tests::document());
            let finding = Finding::new(FindingCode::RotationSignFlip, Severity::Warning, "flip")
                .in_clip(0)
                .at_node(3)
                .of(Property::Rotation)
                .at_key(1, 0.5)
                .until(1.0);
            document.findings = vec![finding];
            let document = Arc::new(document);
            let mut session = Session::default();
            session.apply(Command::LoadFinished {
                document: document.clone(),
                path: None,
            });
            let mut case = Self {
                sheet: Sheet::default(),
                marks: Marks::default(),
                rows: Rows::default(),
            };
            case.sheet.follow(&document, 0);
            case.marks.follow(&session, 0);
            case
        }

        fn rows(&mut self, filters: &Filters, selected: Option<usize>) -> Vec<Row> {
            self.rows
                .follow(&self.sheet, &self.marks, filters, selected)
                .to_vec()
        }
    }

    #[test]
    fn a_small_clip_is_open_and_says_what_it_does_not_key() {
        let mut case = Case::new();
        let rows = case.rows(&Filters::default(), None);
        let head = [Row::Joint(2), Row::Track(2, 0), Row::Track(2, 1)];
        assert_eq!(rows[..3], head);
        assert_eq!(
            rows[3..6],
            [Row::Joint(3), Row::Track(3, 0), Row::Track(3, 1)]
        );
        assert_eq!(rows[6..], [Row::Unkeyed(2)]);
        case.rows.set_open(3, false);
        assert_eq!(case.rows(&Filters::default(), None).len(), 5);
        case.rows.set_all_open(false);
        assert_eq!(case.rows(&Filters::default(), None).len(), 3);
        // The selected one opens by itself, unless a hand closes it.
        assert_eq!(case.rows(&Filters::default(), Some(3)).len(), 5);
        case.rows.set_all_open(false);
        assert_eq!(case.rows(&Filters::default(), Some(3)).len(), 3);
    }

    #[test]
    fn filters_leave_what_they_say() {
        let mut case = Case::new();
        let joints = |rows: &[Row]| -> Vec<usize> {
            let lines = rows.iter().filter_map(|row| match row {
                Row::Joint(line) => Some(*line),
                _ => None,
            });
            lines.collect()
        };
        let with = |change: fn(&mut Filters)| {
            let mut filters = Filters::default();
            change(&mut filters);
            filters
        };
        let all = with(|f| f.only_keyed = false);
        let rows = case.rows(&all, None);
        assert_eq!(joints(&rows), [0, 1, 2, 3]);
        assert!(rows.contains(&Row::Rest(2, Property::Scale)));
        assert!(!rows.contains(&Row::Unkeyed(2)), "they are listed");
        let found = with(|f| f.only_findings = true);
        assert_eq!(joints(&case.rows(&found, None)), [2]);
        let selected = with(|f| f.only_selected = true);
        assert!(case.rows(&selected, None).is_empty());
        assert_eq!(joints(&case.rows(&selected, Some(2))), [3]);
        let named = with(|f| f.query = " HEA".to_owned());
        assert_eq!(joints(&case.rows(&named, None)), [2]);
    }

    #[test]
    fn the_list_is_made_only_when_something_changed() {
        let mut case = Case::new();
        let filters = Filters {
            follow: false,
            ..Filters::default()
        };
        for selected in [None, Some(1), Some(2), None] {
            case.rows(&filters, selected);
        }
        assert_eq!(case.rows.made, 1, "selection is nothing to it");
        case.rows.set_open(2, false);
        case.rows(&filters, None);
        case.rows(&filters, None);
        assert_eq!(case.rows.made, 2);
    }

    #[test]
    fn a_finding_marks_its_row_and_its_joint_over_its_interval() {
        let case = Case::new();
        let row = case.marks.of_track(3, Property::Rotation).expect("marked");
        assert_eq!((row.timed[0].from_secs, row.timed[0].to_secs), (0.5, 1.0));
        assert_eq!(row.worst(), Some(Severity::Warning));
        assert_eq!(row.first_of_worst(), Some(0));
        assert!(case.marks.of_joint(3).is_some());
        assert!(case.marks.of_track(3, Property::Translation).is_none());
        assert!(case.marks.of_joint(2).is_none());
    }
}
