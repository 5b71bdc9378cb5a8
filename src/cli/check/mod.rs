//! `rigscope check`: what is wrong with files and whole folders of them.

mod files;
mod ink;
mod text;
mod work;

use std::{
    io::{self, BufWriter, IsTerminal as _, Write},
    path::PathBuf,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::{
    Error, Outcome,
    args::{CheckArgs, Format},
    json::FindingJson,
    note,
};
use crate::{
    analysis::Effort,
    document::{Finding, FindingCode, Severity},
    import::ImportError,
};
use ink::Ink;

/// What came of one file.
#[derive(Debug)]
struct Checked {
    /// The path as given or found, or the built-in character's name.
    name: String,
    /// What was found, or why it could not be read.
    result: Result<Found, Refusal>,
}

/// Why a file could not be read.
#[derive(Debug)]
struct Refusal {
    /// A sentence that names the file.
    reason: String,
    /// The finding that it would be in a file that can be read, where there is one.
    code: Option<FindingCode>,
}

impl Refusal {
    fn of(reason: String) -> Self {
        Self { reason, code: None }
    }
}

impl From<&ImportError> for Refusal {
    fn from(error: &ImportError) -> Self {
        Self {
            reason: error.to_string(),
            code: error.finding().map(|finding| finding.code),
        }
    }
}

#[derive(Debug, Default)]
struct Found {
    findings: Vec<Finding>,
    /// What the clips are called, by index.
    clips: Vec<String>,
    /// What was not looked at, a sentence each.
    left_out: Vec<String>,
}

/// Where a document to check comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    BuiltIn,
    File(PathBuf),
    /// A folder that cannot be read, or without files to check: name and reason.
    Trouble(PathBuf, String),
}

pub(super) fn run(args: &CheckArgs, stdout: &mut dyn Write) -> Result<Outcome, Error> {
    let is_terminal = io::stdout().is_terminal();
    let ink = Ink::new(is_terminal);
    let width = is_terminal.then(ink::terminal_width).flatten();
    if let Some(code) = args.explain {
        text::explain(code, ink, width, stdout)?;
        return Ok(Outcome::Done);
    }
    let sources = if args.paths.is_empty() {
        vec![Source::BuiltIn]
    } else {
        files::collect(&args.paths)
    };
    let effort = if args.whole {
        Effort::Whole
    } else {
        Effort::Usual
    };
    let bar = progress_bar(sources.len());
    let mut out = BufWriter::new(stdout);
    let mut text = text::Text::new(args.limit, ink, width);
    let mut tally = Tally {
        deny: args.deny.word(),
        ..Tally::default()
    };
    work::check_all(&sources, effort, &mut |mut checked: Checked| {
        if let Ok(found) = &mut checked.result {
            (found.findings).retain(|finding| args.wants(finding.code));
        }
        tally.count(&checked, args);
        let written = bar.suspend(|| -> io::Result<()> {
            tell(&checked);
            match args.format {
                Format::Text => text.file(&checked, &mut out)?,
                Format::Json => write_line(&checked, &mut out)?,
            }
            // Whoever watches a terminal or a pipe sees each file as it is done.
            out.flush()
        });
        bar.inc(1);
        written
    })?;
    bar.finish_and_clear();
    if args.format == Format::Text {
        text.end(&tally, &mut out)?;
    }
    out.flush()?;
    Ok(tally.outcome())
}

/// What belongs on stderr: files that cannot be read, and what was left out.
fn tell(checked: &Checked) {
    match &checked.result {
        Err(refusal) => note(&refusal.reason),
        Ok(found) => {
            for sentence in &found.left_out {
                note(&format!("{sentence} (--whole looks): {}", checked.name));
            }
        }
    }
}

/// Numbers over all files.
#[derive(Debug, Default)]
struct Tally {
    files: usize,
    unreadable: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    /// Findings at or above `--deny`.
    denied: usize,
    /// The word after `--deny`, where it denies anything.
    deny: Option<&'static str>,
}

impl Tally {
    fn count(&mut self, checked: &Checked, args: &CheckArgs) {
        self.files += 1;
        let Ok(found) = &checked.result else {
            self.unreadable += 1;
            return;
        };
        for finding in &found.findings {
            match finding.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Info => self.infos += 1,
            }
            self.denied += usize::from(args.deny.denies(finding.severity));
        }
    }

    fn outcome(&self) -> Outcome {
        match (self.unreadable, self.denied) {
            (0, 0) => Outcome::Done,
            (0, _) => Outcome::Found,
            _ => Outcome::Incomplete,
        }
    }
}

/// A bar on stderr where that is a terminal and there is something to wait for.
fn progress_bar(files: usize) -> ProgressBar {
    if files < 2 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("  {bar:32} {pos} of {len} files");
    // The template is a constant; without it the default bar would do.
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A file as JSON, on one line.
#[derive(Serialize)]
#[serde(untagged)]
enum FileJson<'a> {
    Read {
        file: &'a str,
        findings: Vec<FindingJson<'a>>,
    },
    Unread {
        file: &'a str,
        error: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<&'static str>,
    },
}

fn write_line(checked: &Checked, out: &mut dyn Write) -> io::Result<()> {
    let file = &*checked.name;
    let line = match &checked.result {
        Ok(found) => FileJson::Read {
            file,
            findings: found.findings.iter().map(FindingJson::from).collect(),
        },
        Err(refusal) => FileJson::Unread {
            file,
            error: &refusal.reason,
            code: refusal.code.map(FindingCode::as_str),
        },
    };
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")
}
