//! The README tells the truth: its keys are the program's, its commands are understood.

use std::{fs, path::Path};

use clap::Parser as _;
use rigscope::{
    cli::{
        self,
        args::{Cli, Command},
    },
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

/// The pictures that the README shows are drawn by the commands under them: each is
/// drawn here at a stamp's size.
#[test]
fn every_picture_is_drawn_by_the_command_under_it() {
    let readme = readme();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut shown = 0;
    for (at, _) in readme.match_indices("](assets/") {
        let (name, rest) = readme[at + 2..].split_once(')').expect("a closed link");
        let command = rest.trim_start().strip_prefix("```sh\n").expect(name);
        let line = command.lines().next().unwrap_or_default();
        let cli = Cli::try_parse_from(line.split_whitespace()).expect(line);
        let Some(mut command) = cli.command else {
            panic!("no command: {line}");
        };
        let Command::Render(args) = &mut command else {
            panic!("no picture: {line}");
        };
        assert_eq!(args.output, Path::new(name), "{line}");
        let file = fs::metadata(root.join(name)).expect(name);
        assert!(file.len() < 2_000_000, "{name} has {} bytes", file.len());
        args.size = [64, 36];
        args.output = folder.path().join(args.output.file_name().expect("a file"));
        let output = args.output.clone();
        cli::run(&command, &mut Vec::new()).expect(line);
        let picture = image::open(&output).expect(name).to_rgb8();
        assert_eq!(picture.dimensions(), (64, 36));
        let colors: std::collections::HashSet<_> = picture.pixels().map(|p| p.0).collect();
        assert!(colors.len() > 40, "{line} draws {} colours", colors.len());
        shown += 1;
    }
    assert_eq!(shown, 3, "a large picture and two moving ones");
}
