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
    for command in ["info", "pose", "render"] {
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
