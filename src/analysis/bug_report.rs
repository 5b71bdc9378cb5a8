//! A finding as text for a bug report.

use super::{Advice, advice, describe};
use crate::document::{Document, Finding};

/// All that a maintainer asks for: file and exporter, clip, joint, keys, the numbers with
/// their units, what it means and what others do. `file` is its name or path; plain text,
/// a line each, ends in a line end.
pub fn report_text(file: &str, document: &Document, finding: &Finding) -> String {
    let Advice {
        title,
        wrong,
        here,
        elsewhere,
        fix,
    } = advice(finding.code);
    let mut lines = vec![
        format!("{title} ({}, {})", finding.code, finding.severity),
        format!("File: {}", one_line(file)),
    ];
    if let Some(generator) = &document.asset.generator {
        lines.push(format!("Made by: {}", one_line(generator)));
    }
    let rows = describe::place_rows(document, finding)
        .into_iter()
        .chain(describe::key_rows(document, finding))
        .chain(describe::value_rows(finding));
    lines.extend(rows.map(|(label, value)| format!("{label}: {}", one_line(&value))));
    lines.extend([
        String::new(),
        one_line(&finding.message),
        String::new(),
        format!("What is wrong: {wrong}"),
        format!("What rigscope shows: {here}"),
        format!("What other players do: {elsewhere}"),
        format!("What to do: {fix}"),
        String::new(),
        format!("Found by rigscope {}", env!("CARGO_PKG_VERSION")),
    ]);
    lines.join("\n") + "\n"
}

/// Names come from files: a line break in one would forge a line of the report.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
