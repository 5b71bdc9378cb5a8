//! `rigscope check`.

use std::time::{Duration, Instant};

use rigscope::document::FindingCode;

use super::*;

/// A bench with `arm.glb`, and in `models/` a clean file, one with a warning and an
/// error, one that is no glTF, and what nobody asked for.
fn bench() -> Bench {
    let bench = Bench::new();
    let folder = bench.folder.path().join("models");
    fs::create_dir_all(folder.join("deep")).expect("made");
    fs::write(folder.join("b_clean.glb"), arm().glb()).expect("written");
    fs::write(folder.join("a_odd.glb"), odd().glb()).expect("written");
    fs::write(folder.join("deep/c_broken.vrm"), "hello").expect("written");
    fs::write(folder.join("notes.txt"), "hello").expect("written");
    bench
}

/// The arm with an unknown extension (a warning) and a weight that is no number (an error).
fn odd() -> Builder {
    let mut odd = arm();
    odd.push("extensionsUsed", json!("VENDOR_sparkles"));
    let view = odd.json["accessors"][3]["bufferView"]
        .as_u64()
        .expect("a view");
    let at = odd.json["bufferViews"][view as usize]["byteOffset"].as_u64();
    let at = at.expect("an offset") as usize;
    odd.bin[at..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    odd
}

/// What the file without its findings of codes that come and go with rules says.
const ONLY: &str = "--only=weights-zero,weights-invalid,extension-unsupported";

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn text_of_a_folder() {
    let output = bench().run(&["check", "models", ONLY]);
    assert_eq!(code(&output), Some(2), "one cannot be read");
    assert_eq!(text(&output.stdout), TEXT);
    let stderr = text(&output.stderr);
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(
        stderr.starts_with("rigscope: ") && stderr.contains("c_broken.vrm"),
        "{stderr}"
    );
}

#[test]
fn json_is_an_object_for_each_file_on_a_line_of_its_own() {
    let output = bench().run(&["check", "models", "--format", "json", ONLY]);
    assert_eq!(code(&output), Some(2));
    let stdout = text(&output.stdout);
    let lines: Vec<Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [odd, clean, broken] = &lines[..] else {
        panic!("{stdout}");
    };
    assert_eq!(odd["file"], path(&Path::new("models").join("a_odd.glb")));
    let findings = odd["findings"].as_array().expect("a list");
    let codes: Vec<_> = findings.iter().map(|f| f["code"].clone()).collect();
    assert!(codes.contains(&json!("weights-invalid")), "{codes:?}");
    let first = findings[0].as_object().expect("an object");
    for name in ["code", "severity", "mesh", "message", "values"] {
        assert!(first.contains_key(name), "{name} in {first:?}");
    }
    assert!(
        !first.contains_key("key"),
        "left out where it does not apply"
    );
    assert_eq!(
        clean,
        &json!({"file": path(&Path::new("models").join("b_clean.glb")), "findings": []})
    );
    let keys: Vec<_> = broken.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["error", "file"]);
    assert!(
        broken["error"]
            .as_str()
            .is_some_and(|e| e.contains("c_broken.vrm"))
    );
}

#[test]
fn the_exit_code_says_whether_something_is_denied() {
    let bench = bench();
    let odd = "models/a_odd.glb";
    let ignore = "--ignore=weights-zero,weights-invalid,weights-not-normalized";
    for (args, wanted) in [
        (&["check", odd, ONLY][..], 1),
        (&["check", odd, ONLY, "--deny", "warning"], 1),
        (&["check", odd, ONLY, "--deny", "none"], 0),
        (&["check", odd, "--only", "extension-unsupported"], 0),
        (
            &[
                "check",
                odd,
                "--only",
                "extension-unsupported",
                "--deny",
                "warning",
            ],
            1,
        ),
        (&["check", odd, ignore], 0),
        (&["check", odd, ONLY, ignore, "--deny", "info"], 1),
        (
            &[
                "check",
                odd,
                "--only",
                "weights-zero",
                "--ignore",
                "weights-zero",
                "--deny",
                "info",
            ],
            0,
        ),
        (&["check", "models/b_clean.glb", ONLY, "--deny", "info"], 0),
        (&["check", "none.glb", odd, "--deny", "none"], 2),
        (&["check", odd, "models/deep", "--deny", "none"], 2),
    ] {
        let output = bench.run(args);
        assert_eq!(
            code(&output),
            Some(wanted),
            "{args:?}: {}",
            text(&output.stdout)
        );
        assert_eq!(wanted == 2, !output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn the_others_are_checked_when_one_cannot_be_read() {
    let output = bench().run(&["check", "none.glb", "models/a_odd.glb", ONLY]);
    assert!(text(&output.stderr).contains("none.glb"));
    let stdout = text(&output.stdout);
    assert!(stdout.contains("weights-invalid"), "{stdout}");
    assert!(stdout.starts_with("none.glb\n  unreadable\n"), "{stdout}");
    assert!(stdout.contains("1 unreadable; failed: "), "{stdout}");
}

#[test]
fn a_folder_without_models_is_said() {
    let bench = bench();
    fs::create_dir(bench.folder.path().join("empty")).expect("made");
    let output = bench.run(&["check", "empty"]);
    assert_eq!(code(&output), Some(2));
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("no model below this folder") && stderr.contains("empty"),
        "{stderr}"
    );
}

#[test]
fn without_a_file_it_checks_the_built_in_character() {
    let output = Bench::new().run(&["check", "--format", "json"]);
    let line: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(line["file"], "built-in character");
    assert_eq!(code(&output), Some(0), "our own has no errors");
}

#[test]
fn every_code_is_explained_and_listed() {
    let bench = Bench::new();
    let help = bench.stdout(&["check", "--help"]);
    for &code in FindingCode::ALL {
        let explained = bench.stdout(&["check", "--explain", code.as_str()]);
        for label in [
            "what it is",
            "rigscope",
            "elsewhere",
            "what to do",
            "Blender",
        ] {
            assert!(explained.contains(label), "{code}: {explained}");
        }
        assert!(help.contains(&format!("\n  {code} ")), "{code}: {help}");
    }
}

#[test]
fn many_of_one_code_are_cut_and_listed_on_request() {
    let bench = Bench::new();
    let mut many = arm();
    for number in 0..9 {
        many.push("extensionsUsed", json!(format!("VENDOR_{number}")));
    }
    fs::write(bench.folder.path().join("many.glb"), many.glb()).expect("written");
    let only = "--only=extension-unsupported";
    let short = bench.stdout(&["check", "many.glb", only]);
    assert_eq!(short.matches("extension VENDOR_").count(), 5, "{short}");
    assert!(
        short.contains("… and 4 more (--limit 0 lists all)"),
        "{short}"
    );
    assert!(short.contains("9×"), "{short}");
    let whole = bench.stdout(&["check", "many.glb", only, "--limit", "0"]);
    assert_eq!(whole.matches("extension VENDOR_").count(), 9, "{whole}");
    // One that is over is written out rather than counted.
    let eight = bench.stdout(&["check", "many.glb", only, "--limit", "8"]);
    assert_eq!(eight.matches("extension VENDOR_").count(), 9, "{eight}");
}

#[test]
fn names_cannot_play_tricks_on_the_terminal() {
    let bench = Bench::new();
    let name = "tricky_\u{1b}[31m.glb";
    if fs::write(bench.folder.path().join(name), odd().glb()).is_err() {
        println!("SKIPPED: no such names here");
        return;
    }
    let output = bench.run(&["check", name, ONLY]);
    assert!(!text(&output.stdout).contains('\u{1b}'));
}

#[test]
fn a_reader_of_results_that_leaves_is_no_failure() {
    let bench = bench();
    for number in 0..200 {
        let name = format!("models/x{number:03}.glb");
        fs::write(bench.folder.path().join(name), odd().glb()).expect("written");
    }
    let mut child = bench
        .command(&["check", "models", "--ignore", "channel-no-target"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdout.take().expect("piped");
    let mut first = [0; 10];
    pipe.read_exact(&mut first).expect("a result");
    drop(pipe);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(code(&output), Some(0), "{}", text(&output.stderr));
}

#[test]
fn a_thousand_small_files_take_seconds() {
    let bench = Bench::new();
    let bytes = odd().glb();
    let folder = bench.folder.path().join("thousand");
    for number in 0..1000 {
        let group = folder.join(format!("group_{:02}", number / 50));
        fs::create_dir_all(&group).expect("made");
        fs::write(group.join(format!("{number:04}.glb")), &bytes).expect("written");
    }
    let started = Instant::now();
    let output = bench.run(&["check", "thousand", "--format", "json"]);
    let took = started.elapsed();
    println!("1000 files: {took:?}");
    let stdout = text(&output.stdout);
    let files: Vec<String> = stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["file"].to_string())
        .collect();
    assert_eq!(files.len(), 1000);
    assert!(files.is_sorted(), "in order, whichever was done first");
    assert_eq!(
        text(&output.stderr),
        "",
        "no bar where there is no terminal"
    );
    assert!(took < Duration::from_secs(20), "{took:?}");
}

const TEXT: &str = r#"models/a_odd.glb
  error    weights-invalid  Weights are no weights
           mesh 0 "Strip" primitive 0: 1 weight is NaN or infinite, the first at vertex 0; 0 is used instead
  warning  extension-unsupported  Extension is not read
           extension VENDOR_sparkles is ignored: what it adds is not shown

models/deep/c_broken.vrm
  unreadable

weights-invalid  Weights are no weights
  elsewhere    Vertices fly off, or the mesh disappears.
  what to do   Blender: Weight Paint mode, Weights > Clean, then Normalize All. Maya: Skin > Prune Small Weights, then Normalize Weights. Then export again and look at scripts in between.
extension-unsupported  Extension is not read
  elsewhere    Players that know it show more than this program does; others ignore it too.
  what to do   Usually nothing to do: VRM extensions carry avatar data (humanoid, spring bones) and do not change the pose. Special materials can be switched off in the glTF export of Blender or Maya, and textures stored as PNG or JPEG instead of Basis Universal, if the file must work everywhere.

3 files: 1 error, 1 warning, 1 unreadable; failed: 1 at or above --deny error
"#;

#[test]
fn a_refused_file_has_the_code_of_what_is_wrong_with_it() {
    let bench = Bench::new();
    let needs = r#"{"asset": {"version": "2.0"}, "extensionsUsed": ["XX_unheard_of"],
        "extensionsRequired": ["XX_unheard_of"]}"#;
    fs::write(bench.folder.path().join("needs.gltf"), needs).expect("written");
    let output = bench.run(&["check", "needs.gltf", "--format", "json"]);
    let line: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(line["code"], "extension-unsupported");
    assert!(
        line["error"]
            .as_str()
            .is_some_and(|e| e.contains("XX_unheard_of"))
    );
}
