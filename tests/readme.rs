//! The README tells the truth: its keys are the program's, its commands are understood.

use std::{fs, path::Path};

use clap::Parser as _;
use rigscope::{
    cli::args::Cli,
    session::{Action, KeyChord},
};

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    fs::read_to_string(path).expect("README.md")
}

#[test]
fn the_table_of_keys_is_the_table_of_actions() {
    let readme = readme();
    let (_, section) = readme.split_once("\n## Keys\n").expect("a section on keys");
    let (section, _) = section.split_once("\n## ").expect("a section after it");
    let found: Vec<_> = section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let wanted: Vec<_> = Action::ALL
        .iter()
        .filter_map(|action| {
            let key = written(action.key()?);
            Some(format!(
                "| `{key}` | {} | {} |",
                action.label(),
                action.tooltip()
            ))
        })
        .collect();
    assert_eq!(found, wanted);
}

fn written(chord: KeyChord) -> String {
    let key = match chord.key {
        "ArrowLeft" => "←",
        "ArrowRight" => "→",
        "ArrowUp" => "↑",
        "ArrowDown" => "↓",
        key => key,
    };
    let command = if chord.command { "Ctrl+" } else { "" };
    let shift = if chord.shift { "Shift+" } else { "" };
    format!("{command}{shift}{key}")
}

#[test]
fn every_command_in_a_code_block_parses() {
    let mut count = 0;
    for block in readme().split("```sh\n").skip(1) {
        let (block, _) = block.split_once("```").expect("a closed block");
        for line in block.lines().filter(|line| line.starts_with("rigscope")) {
            let command = line.split('#').next().unwrap_or_default();
            if let Err(error) = Cli::try_parse_from(command.split_whitespace()) {
                panic!("{line}\n{error}");
            }
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} commands found");
}
