//! The program without a window: what is in a file, joints and skin matrices as
//! numbers, and pictures. One file per command; each takes its arguments and a
//! place to write its result to.

pub mod args;
mod check;
mod compare;
mod deformed;
mod info;
mod json;
mod open;
mod output;
mod overlay;
mod panes;
mod parse;
mod pose;
mod render;
mod table;
mod weights;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::CommandFactory as _;

pub use crate::render::StudioError;

use crate::import;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read; names file, object and number.
    #[error(transparent)]
    Import(#[from] import::ImportError),
    /// No scene of that name.
    #[error("no scene {id:?} in the lab, which has {has}")]
    NoScene {
        /// What was asked for.
        id: String,
        /// What there is.
        has: String,
    },
    /// No clip of that index or name.
    #[error("no clip {wanted:?}, the file {has}: {file}")]
    NoClip {
        /// The file as given.
        file: String,
        /// What was asked for.
        wanted: String,
        /// What there is.
        has: String,
    },
    /// Several clips of that name.
    #[error("clips {indices} are all named {wanted:?}, give the index: {file}")]
    AmbiguousClip {
        /// The file as given.
        file: String,
        /// What was asked for.
        wanted: String,
        /// Their indices.
        indices: String,
    },
    /// The window's file is not there.
    #[error("cannot read: {reason}: {}", path.display())]
    Missing {
        /// The file as given.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A word that is neither a file nor a command.
    #[error("no such file or command: {word}; the commands are {commands}")]
    NoSuchCommand {
        /// What was given.
        word: String,
        /// What there is.
        commands: String,
    },
    /// Two files that have neither a joint nor a mesh in common.
    #[error("nothing to compare: no joint or mesh of {a} has a partner in {b}")]
    NothingToCompare {
        /// The one file, as given.
        a: String,
        /// The other.
        b: String,
    },
    /// Arguments that do not fit together.
    #[error("{0}")]
    Usage(String),
    /// No graphics adapter, or it cannot draw this.
    #[error("cannot draw {file}: {reason}")]
    Draw {
        /// The file, as given.
        file: String,
        /// What the graphics side says.
        reason: StudioError,
    },
    /// A file could not be written.
    #[error("cannot write: {reason}: {}", path.display())]
    Output {
        /// The file that was to be written.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Standard output could not be written.
    #[error("cannot write standard output")]
    Stdout(#[from] io::Error),
}

impl Error {
    /// Whether the reader of standard output has gone, which is no failure: it has
    /// what it wanted (`rigscope pose … | head`).
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Stdout(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Whether the window's file is there, to be asked before a window opens: a slip of
/// the keyboard is answered in the terminal where it was made.
///
/// # Errors
/// [`Error::NoSuchCommand`] for a plain word, [`Error::Missing`] for anything else.
pub fn check_file(path: &Path) -> Result<(), Error> {
    if open::lab_id(path).is_some() {
        return open::open(Some(path)).map(|_| ());
    }
    let Err(error) = path.metadata() else {
        return Ok(());
    };
    match path.to_str() {
        Some(word) if !word.contains(['.', '/', '\\']) => Err(Error::NoSuchCommand {
            word: word.to_owned(),
            commands: args::Cli::command()
                .get_subcommands()
                .map(|command| command.get_name().to_owned())
                .collect::<Vec<_>>()
                .join(", "),
        }),
        _ => Err(Error::Missing {
            path: path.to_owned(),
            reason: error.to_string(),
        }),
    }
}

/// How a command ended that did what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing more to say.
    Done,
    /// What was asked for was found: a problem at or above `--deny`.
    Found,
    /// Some file could not be read, which was said; the others were done.
    Incomplete,
}

/// Carries out one command; its result goes to `stdout`.
pub fn run(command: &args::Command, stdout: &mut dyn Write) -> Result<Outcome, Error> {
    match command {
        args::Command::Check(args) => return check::run(args, stdout),
        args::Command::Info(args) => info::run(args, stdout),
        args::Command::Compare(args) => return compare::run(args, stdout),
        args::Command::Pose(args) => pose::run(args, stdout),
        args::Command::Render(args) => render::run(args, stdout),
    }?;
    Ok(Outcome::Done)
}

/// One line on stderr, for what is no result.
pub fn note(message: &str) {
    // A closed stderr is nobody's loss.
    let _ = writeln!(io::stderr(), "rigscope: {message}");
}
