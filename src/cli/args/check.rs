//! Arguments of `rigscope check`.

use std::path::PathBuf;

use clap::{Args, builder::TypedValueParser};

use super::{Format, format_parser, one_of};
use crate::{
    analysis::advice,
    document::{FindingCode, Severity},
};

/// Arguments of `rigscope check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files, and folders with all .glb, .gltf, .vrm, .vrma and .ogex files below them;
    /// the built-in character if none is given
    #[arg(value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,

    /// Findings of this severity or worse make the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = deny_parser())]
    pub deny: Deny,

    /// Only findings of these codes
    #[arg(
        long,
        value_name = "CODE,…",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = code_parser()
    )]
    pub only: Vec<FindingCode>,

    /// No findings of these codes
    #[arg(
        long,
        value_name = "CODE,…",
        value_delimiter = ',',
        hide_possible_values = true,
        value_parser = code_parser()
    )]
    pub ignore: Vec<FindingCode>,

    /// Say what a code means and what to do about it, and check nothing
    #[arg(
        long,
        value_name = "CODE",
        conflicts_with_all = ["paths", "only", "ignore", "deny", "whole", "limit"],
        hide_possible_values = true,
        value_parser = code_parser()
    )]
    pub explain: Option<FindingCode>,

    /// Look at everything, also where a file is so large that it takes long
    #[arg(long, visible_alias = "all")]
    pub whole: bool,

    /// Findings of one code to list for each file, in text; 0 for all of them
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub limit: usize,

    /// Form of the result
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    pub format: Format,
}

impl CheckArgs {
    /// Whether findings of a code are wanted.
    pub fn wants(&self, code: FindingCode) -> bool {
        (self.only.is_empty() || self.only.contains(&code)) && !self.ignore.contains(&code)
    }
}

/// From which severity on a finding fails the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deny {
    /// That severity or worse.
    From(Severity),
    /// None does.
    None,
}

impl Deny {
    /// The word on the command line, where it denies anything.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::From(Severity::Error) => Some("error"),
            Self::From(Severity::Warning) => Some("warning"),
            Self::From(Severity::Info) => Some("info"),
            Self::None => None,
        }
    }

    /// Whether findings of a severity fail the check.
    pub fn denies(self, severity: Severity) -> bool {
        match self {
            Self::From(least) => severity >= least,
            Self::None => false,
        }
    }
}

fn deny_parser() -> impl TypedValueParser<Value = Deny> {
    one_of([
        ("error", "errors only", Deny::From(Severity::Error)),
        (
            "warning",
            "warnings and errors",
            Deny::From(Severity::Warning),
        ),
        ("info", "any finding", Deny::From(Severity::Info)),
        ("none", "nothing", Deny::None),
    ])
}

fn code_parser() -> impl TypedValueParser<Value = FindingCode> {
    one_of(
        FindingCode::ALL
            .iter()
            .map(|&code| (code.as_str(), advice(code).title, code)),
    )
}

/// What stands below the flags in `--help`, with the table of codes.
pub(super) fn help() -> String {
    let width = FindingCode::ALL.iter().map(|code| code.as_str().len());
    let width = width.max().unwrap_or(0);
    let codes = FindingCode::ALL.iter().map(|&code| {
        let title = advice(code).title;
        format!("\n  {:width$}  {title}", code.as_str())
    });
    format!("{EXAMPLES}\n\nCodes:{}", codes.collect::<String>())
}

const EXAMPLES: &str = "\
Examples:
  rigscope check hero.glb
  rigscope check assets/ --deny warning           in a build script
  rigscope check assets/ --format json > findings.jsonl
  rigscope check hero.glb --only rotation-sign-flip,rotation-pop --limit 0
  rigscope check --explain rotation-sign-flip

JSON has one object for each file, one per line: {\"file\", \"findings\": [{\"code\",
\"severity\", \"clip\", \"node\", \"key\", \"time_secs\", \"message\", \"values\", …}]}, and
{\"file\", \"error\"} for a file that cannot be read. Indices are the file's own; fields
that do not apply are left out.

Exit codes: 0 nothing at or above --deny; 1 something; 2 a file could not be read or
the arguments are wrong (on stderr). One unreadable file does not stop the others.";
