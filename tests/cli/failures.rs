//! What cannot be done, and how it is said.

use super::*;

#[test]
fn each_names_the_file_and_the_reason_in_one_line() {
    let bench = Bench::new();
    fs::write(bench.folder.path().join("empty.glb"), "").expect("written");
    fs::write(bench.folder.path().join("notes.txt"), "hello").expect("written");
    for (args, words) in [
        (&["info", "none.glb"][..], &["none.glb", "No such file"][..]),
        (&["pose", "empty.glb"], &["empty.glb", "empty"]),
        (&["info", "notes.txt"], &["notes.txt", "glTF"]),
        (&["info", "."], &["."]),
        (&["none.glb"], &["none.glb", "No such file"]),
        (
            &["chek", "arm.glb"],
            &[
                "no such file or command: chek",
                "info, check, pose, compare, render",
            ],
        ),
        (
            &["pose", "arm.glb", "--clip", "Run"],
            &["arm.glb", "\"Run\"", "0 \"Bend\""],
        ),
        (&["pose", "arm.glb", "--clip", "1"], &["arm.glb", "\"1\""]),
        (
            &["render", "none.glb", "-o", "x.png"],
            &["none.glb", "No such file"],
        ),
        (
            &["render", "none.glb", "-o", "none/x.png"],
            &["there is no folder none"],
        ),
        (
            &["render", "arm.glb", "-o", "x.png", "--trail", "nose"],
            &["arm.glb", "\"nose\""],
        ),
        (
            &[
                "render", "arm.glb", "-o", "x.png", "--clip", "rest", "--trail", "1",
            ],
            &["arm.glb", "clip"],
        ),
        (&["render", "arm.glb", "-o", "x.jpg"], &["x.jpg", "PNG"]),
        (
            &["render", "arm.glb", "-o", "x.png", "--frames", "2"],
            &["x.png", "%03d"],
        ),
    ] {
        let message = bench.failure(args);
        assert!(message.starts_with("rigscope: "), "{args:?}: {message}");
        assert_eq!(message.lines().count(), 1, "{args:?}: {message}");
        for word in words {
            assert!(message.contains(word), "{args:?} lacks {word}: {message}");
        }
    }
    assert!(!bench.folder.path().join("x.png").exists());
}

#[test]
fn usage_errors_say_what_is_possible() {
    let bench = Bench::new();
    for (args, word) in [
        (
            &["pose", "arm.glb", "--interpolation", "sine"][..],
            "authored, step, lerp, nlerp, slerp",
        ),
        (&["pose", "--hemisphere", "left"], "align, align-all, keep"),
        (&["pose", "--weights", "heavy"], "normalized, stored"),
        (
            &["render", "-o", "x.png", "--bones", "thick"],
            "octahedra, sticks",
        ),
        (
            &["render", "-o", "x.png", "--color-by", "mood"],
            "plain, findings, shear, determinant",
        ),
        (&["pose", "--time", "NaN"], "finite"),
        (&["pose", "--threshold", "2"], "0 (nlerp) to 1 (slerp)"),
        (&["info", "--format", "xml"], "text, json"),
        (&["render", "arm.glb"], "--output"),
        (&["render", "-o", "x.png", "--size", "640"], "WIDTHxHEIGHT"),
        (&["render", "-o", "x.png", "--camera", "1"], "YAW,PITCH"),
        (&["render", "-o", "x.png", "--camera", "foo"], "YAW,PITCH"),
        (
            &["render", "-o", "x.png", "--view", "x-ray"],
            "shaded, normals, skeleton, wireframe",
        ),
        (&["render", "-o", "x.png", "--frames", "0"], "whole number"),
        (&["check", "--deny", "all"], "error, warning, info, none"),
        (&["check", "--only", "rotation-flip"], "rotation-flip"),
        (&["check", "--explain"], "--explain"),
        (
            &["check", "arm.glb", "--explain", "loop-seam"],
            "cannot be used with",
        ),
        (&["--fast"], "unexpected argument"),
    ] {
        let message = bench.failure(args);
        assert!(message.contains(word), "{args:?} lacks {word}: {message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_display_the_window_says_what_to_do_instead() {
    let bench = Bench::new();
    let mut command = bench.command(&["arm.glb", "arm.glb", "other.glb"]);
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    let output = command.output().expect("the program starts");
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(text(&output.stdout), "");
    let lines: Vec<_> = stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{stderr}");
    assert!(
        lines[0].contains("arm.glb and arm.glb; not opened: other.glb"),
        "{stderr}"
    );
    assert!(
        !stderr.contains(".)")
            && lines[1].contains("display")
            && lines[1].contains("rigscope render"),
        "{stderr}"
    );
}

#[test]
fn every_broken_corpus_file_gets_one_line_or_a_pose() {
    let Some(shared) = common::shared() else {
        return;
    };
    let bench = Bench::new();
    let files = common::files_below(&shared.join("corpus/bad"), &["glb", "gltf"]);
    assert!(files.len() >= 50, "{}", files.len());
    for file in files {
        let output = bench.run(&["pose", path(&file), "--time", "0.3", "--vertices"]);
        let stderr = text(&output.stderr);
        match output.status.code() {
            Some(0) => assert!(output.stdout.starts_with(b"{"), "{}", file.display()),
            Some(2) => {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                assert!(stderr.contains(&*name), "{stderr}");
                assert_eq!(stderr.lines().count(), 1, "{stderr}");
            }
            code => panic!("{}: {code:?}\n{stderr}", file.display()),
        }
    }
}

#[test]
fn a_broken_ogex_file_is_told_by_line_and_structure() {
    let bench = Bench::new();
    let path = bench.folder.path().join("broken.ogex");
    let begin = "Metric (key = \"up\") {string {\"y\"}}\nNode $root\n{\n  Transform\n  {\n";
    for (rest, expected) in [
        (
            "float[16] {{1, 2}}}}",
            "line 6: Node $root › Transform › float: elements in a subarray: 2, not 16",
        ),
        (
            "float[16] {{1, x",
            "line 6: Node $root › Transform › float: expected number, found \"x\"",
        ),
        (
            "",
            "line 6: Node $root › Transform: the file ends where the closing \"}\" should be",
        ),
    ] {
        fs::write(&path, format!("{begin}{rest}")).expect("written");
        for command in ["info", "check", "pose"] {
            let output = bench.run(&[command, "broken.ogex"]);
            assert_eq!(output.status.code(), Some(2));
            let message = text(&output.stderr);
            assert_eq!(
                message.trim_end(),
                format!("rigscope: {expected}: broken.ogex"),
                "{command}"
            );
        }
    }
}
