//! `rigscope check` for people.

use std::{
    cmp::Reverse,
    io::{self, Write},
};

use super::{
    Checked, Tally,
    ink::{Ink, wrapped},
};
use crate::{
    analysis::{Advice, advice},
    document::{Finding, FindingCode},
};

/// Where messages begin: after two blanks, the longest severity and two blanks.
const MESSAGES: usize = 11;
/// Where the paragraphs about a code begin.
const WORDS: usize = 15;

/// Writes file after file, then what the codes mean.
pub(super) struct Text {
    limit: usize,
    ink: Ink,
    width: Option<usize>,
    /// Codes seen so far, with their number.
    seen: Vec<(FindingCode, usize)>,
}

impl Text {
    /// `limit` is how many findings of one code are listed for a file, 0 for all.
    pub(super) fn new(limit: usize, ink: Ink, width: Option<usize>) -> Self {
        Self {
            limit: if limit == 0 { usize::MAX } else { limit },
            ink,
            width,
            seen: Vec::new(),
        }
    }

    /// One file: its name, then its findings by severity and code. Nothing for a file
    /// without any, for the last line counts it.
    pub(super) fn file(&mut self, checked: &Checked, out: &mut dyn Write) -> io::Result<()> {
        let Ok(found) = &checked.result else {
            // Why stands on stderr; a report without it names the file at least.
            let name = self.ink.strong(&escaped(&checked.name));
            return writeln!(out, "{name}\n  unreadable\n");
        };
        if found.findings.is_empty() {
            return Ok(());
        }
        writeln!(out, "{}", self.ink.strong(&escaped(&checked.name)))?;
        let mut findings: Vec<&Finding> = found.findings.iter().collect();
        findings.sort_by_key(|finding| (Reverse(finding.severity), finding.code.rank()));
        for group in findings.chunk_by(|a, b| (a.severity, a.code) == (b.severity, b.code)) {
            self.group(group, &found.clips, out)?;
        }
        writeln!(out)
    }

    fn group(
        &mut self,
        group: &[&Finding],
        clips: &[String],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (severity, code) = (group[0].severity, group[0].code);
        match self.seen.iter_mut().find(|(known, _)| *known == code) {
            Some((_, count)) => *count += group.len(),
            None => self.seen.push((code, group.len())),
        }
        let word = severity.to_string();
        let padding = " ".repeat(MESSAGES - 2 - word.len());
        let count = match group.len() {
            1 => String::new(),
            count => format!("  {count}×"),
        };
        writeln!(
            out,
            "  {}{padding}{}  {}{}",
            self.ink.severity(severity, &word),
            self.ink.strong(code.as_str()),
            advice(code).title,
            self.ink.weak(&count)
        )?;
        let indent = " ".repeat(MESSAGES);
        // One more line says no less than that there is one more.
        let shown = match group.len() {
            count if count <= self.limit.saturating_add(1) => count,
            _ => self.limit,
        };
        for finding in &group[..shown] {
            let message = escaped(&sentence(finding, clips));
            writeln!(out, "{indent}{}", wrapped(&message, MESSAGES, self.width))?;
        }
        if shown < group.len() {
            let more = format!("… and {} more (--limit 0 lists all)", group.len() - shown);
            writeln!(out, "{indent}{}", self.ink.weak(&more))?;
        }
        Ok(())
    }

    /// What the codes that were found mean, and the line that sums up.
    pub(super) fn end(&mut self, tally: &Tally, out: &mut dyn Write) -> io::Result<()> {
        self.seen.sort_by_key(|&(code, _)| code.rank());
        for &(code, _) in &self.seen {
            let Advice {
                title,
                elsewhere,
                fix,
                ..
            } = advice(code);
            let heading = self.ink.strong(code.as_str());
            writeln!(out, "{heading}  {title}")?;
            self.paragraph("elsewhere", elsewhere, out)?;
            self.paragraph("what to do", fix, out)?;
        }
        if !self.seen.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "{}", self.ink.strong(&summary(tally)))
    }

    fn paragraph(&self, label: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
        let label = format!("{label:<width$}", width = WORDS - 2);
        let text = wrapped(text, WORDS, self.width);
        writeln!(out, "  {}{text}", self.ink.weak(&label))
    }
}

/// Everything about one code.
pub(super) fn explain(
    code: FindingCode,
    ink: Ink,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Advice {
        title,
        wrong,
        here,
        elsewhere,
        fix,
    } = advice(code);
    let text = Text::new(0, ink, width);
    writeln!(out, "{}  {title}\n", ink.strong(code.as_str()))?;
    text.paragraph("what it is", wrong, out)?;
    text.paragraph("rigscope", here, out)?;
    text.paragraph("elsewhere", elsewhere, out)?;
    text.paragraph("what to do", fix, out)?;
    out.flush()
}

/// `158 files: 3 errors, 12 warnings, 2 unreadable`.
fn summary(tally: &Tally) -> String {
    let counted = |count: usize, noun: &str| {
        let many = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {noun}{many}"))
    };
    let unreadable = (tally.unreadable > 0).then(|| format!("{} unreadable", tally.unreadable));
    let parts: Vec<String> = [
        counted(tally.errors, "error"),
        counted(tally.warnings, "warning"),
        counted(tally.infos, "info"),
        unreadable,
    ]
    .into_iter()
    .flatten()
    .collect();
    let files = counted(tally.files, "file").unwrap_or_else(|| "no files".to_owned());
    if parts.is_empty() {
        format!("{files}: nothing to report")
    } else {
        let failed = match (tally.denied, tally.deny) {
            (0, _) | (_, None) => String::new(),
            (denied, Some(deny)) => format!("; failed: {denied} at or above --deny {deny}"),
        };
        format!("{files}: {}{failed}", parts.join(", "))
    }
}

/// The message, with its clip in front where it does not name it.
fn sentence(finding: &Finding, clips: &[String]) -> String {
    let message = &finding.message;
    match finding.clip.and_then(|clip| clips.get(clip)) {
        Some(clip) if !message.contains(clip.as_str()) => format!("{clip}: {message}"),
        _ => message.clone(),
    }
}

/// Names come from files: an escape sequence in one could do anything to a terminal.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Severity;

    #[test]
    fn the_last_line_counts_what_there_is() {
        let mut tally = Tally {
            files: 1,
            ..Tally::default()
        };
        assert_eq!(summary(&tally), "1 file: nothing to report");
        (tally.files, tally.errors, tally.infos, tally.unreadable) = (158, 1, 12, 2);
        assert_eq!(
            summary(&tally),
            "158 files: 1 error, 12 infos, 2 unreadable"
        );
    }

    #[test]
    fn messages_stand_under_the_code() {
        assert_eq!(MESSAGES, 2 + Severity::Warning.to_string().len() + 2);
    }
}
