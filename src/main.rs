//! Parses arguments, hands over to the window or a command, and turns errors into
//! exit codes: 0 done, 1 done and found what was asked for, 2 not done, with one
//! message on stderr.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use clap::Parser as _;
use rigscope::{
    app,
    cli::{self, Outcome, args::Cli},
};

/// A problem at or above `--deny`.
const FOUND: u8 = 1;
/// Usage, an unreadable file, no graphics adapter, no display.
const NOT_DONE: u8 = 2;

fn main() -> ExitCode {
    quiet_device_selection();
    // Quiet unless asked: graphics drivers warn about a great deal that works.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => return print(&answer),
    };
    let result = match &cli.command {
        Some(command) => run_command(command),
        None => open_window(&cli).map(|()| Outcome::Done),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(FOUND),
        Ok(Outcome::Incomplete) => ExitCode::from(NOT_DONE),
        Err(error) => {
            cli::note(&format!("{error:#}"));
            ExitCode::from(NOT_DONE)
        }
    }
}

/// Help, version or what is wrong with the arguments. A reader that has gone had what
/// it wanted; a full disk is told.
fn print(answer: &clap::Error) -> ExitCode {
    match answer.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            cli::note(&format!("cannot write: {error}"));
            ExitCode::from(NOT_DONE)
        }
        _ if answer.use_stderr() => ExitCode::from(NOT_DONE),
        _ => ExitCode::SUCCESS,
    }
}

fn run_command(command: &cli::args::Command) -> anyhow::Result<Outcome> {
    match cli::run(command, &mut io::stdout().lock()) {
        Err(error) if error.is_closed_pipe() => Ok(Outcome::Done),
        result => Ok(result?),
    }
}

fn open_window(cli: &Cli) -> anyhow::Result<()> {
    if let Some(first) = cli.files.first() {
        cli::check_file(first)?;
    }
    if let Some(second) = cli.files.get(1) {
        cli::check_file(second)?;
    }
    if let [first, second, others @ ..] = &cli.files[..]
        && !others.is_empty()
    {
        cli::note(&format!(
            "the window compares two files, {} and {}; not opened: {}",
            first.display(),
            second.display(),
            others
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
                .join(", ")
        ));
    }
    let (file, beside) = (cli.files.first().cloned(), cli.files.get(1).cloned());
    Ok(app::run(app::Options { file, beside })?)
}

/// Mesa's device selection layer asks for a Wayland display even to draw off screen,
/// and complains on stderr where there is no desktop session. It has nothing to
/// select there; elsewhere, and where the person has set the variable, it is left alone.
fn quiet_device_selection() {
    const SWITCH: &str = "NODEVICE_SELECT";
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() && std::env::var_os(SWITCH).is_none() {
        #[expect(unsafe_code, reason = "first thing in main: no other thread runs yet")]
        // SAFETY: single-threaded, so nothing reads the environment at the same time.
        unsafe {
            std::env::set_var(SWITCH, "1");
        }
    }
}
