//! Pipes and help.

use super::*;

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let bench = Bench::new();
    let mut child = bench
        .command(&["pose", "--vertices"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdout.take().expect("piped");
    let mut first = [0; 10];
    pipe.read_exact(&mut first).expect("a result");
    drop(pipe);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(0), String::new())
    );
}

#[test]
fn help_and_version_go_to_stdout() {
    let bench = Bench::new();
    let help = bench.stdout(&["--help"]);
    for word in ["rigscope info", "skin matrix", "Exit codes"] {
        assert!(help.contains(word), "{help}");
    }
    for command in ["info", "check", "pose", "render"] {
        let help = bench.stdout(&[command, "--help"]);
        assert!(help.contains("Examples:"), "{help}");
        assert!(
            help.lines().all(|line| line.chars().count() <= 100),
            "{help}"
        );
    }
    let version = format!("rigscope {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(bench.stdout(&["--version"]), version);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_once() {
    let bench = Bench::new();
    for args in [&["pose"][..], &["--help"]] {
        let full = fs::File::create("/dev/full").expect("Linux has it");
        let output = bench.command(args).stdout(full).output().expect("starts");
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(stderr.matches("No space left").count(), 1, "{stderr}");
    }
}
