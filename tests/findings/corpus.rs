//! The whole corpus: what is found in it, for reading, and what must or must not be.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use rigscope::{
    analysis::{Effort, Watch, analyse},
    document::{Document, Finding, FindingCode, JointTracks, Severity},
    import::{Progress, load},
};

use crate::common;

/// Every file below a folder of the corpus that loads, and its findings.
fn below(folder: &str) -> Vec<(String, Document, Vec<Finding>)> {
    let Some(shared) = common::shared() else {
        return Vec::new();
    };
    let corpus = shared.join("corpus");
    let (mut importing, mut checking) = (Duration::ZERO, Duration::ZERO);
    let files = common::files_below(&corpus.join(folder), &["glb", "gltf", "vrm", "vrma"]);
    let found = files
        .into_iter()
        .filter(|path| folder == BAD || !path.starts_with(corpus.join(BAD)))
        .filter_map(|path| {
            let start = Instant::now();
            let document = load(&path, &Progress::new()).ok()?;
            importing += start.elapsed();
            let start = Instant::now();
            let report = analyse(&document, Effort::Usual, &Watch::new())?;
            checking += start.elapsed();
            assert_eq!(report.left_out, Vec::<String>::new());
            let name = path.strip_prefix(&corpus).unwrap_or(&path);
            Some((name.display().to_string(), document, report.findings))
        })
        .collect();
    println!("import {importing:.2?}, checks {checking:.2?}");
    found
}

/// The folder of files that are broken on purpose.
const BAD: &str = "bad";

/// A line of the list: code, place and message.
fn line(finding: &Finding) -> String {
    let clip = finding
        .clip
        .map_or_else(String::new, |clip| format!("clip {clip}: "));
    format!(
        "{} {} · {clip}{}",
        finding.severity, finding.code, finding.message
    )
}

/// Codes × findings and files; with `-- --nocapture --include-ignored` a line for each.
#[test]
fn table_of_codes() {
    let mut table: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (_, _, findings) in below("") {
        let mut of_file: BTreeMap<String, usize> = BTreeMap::new();
        for finding in &findings {
            *of_file
                .entry(format!("{} ({})", finding.code, finding.severity))
                .or_default() += 1;
        }
        for (code, count) in of_file {
            let row = table.entry(code).or_default();
            *row = (row.0 + count, row.1 + 1);
        }
    }
    println!("{:44} {:>8} {:>6}", "code", "findings", "files");
    for (code, (count, files)) in table {
        println!("{code:44} {count:8} {files:6}");
    }
}

#[test]
#[ignore = "prints every finding of the corpus for reading"]
fn list_of_findings() {
    for (name, _, findings) in below("").into_iter().chain(below(BAD)) {
        println!("{name}: {} findings", findings.len());
        for finding in &findings {
            println!("    {}", line(finding));
        }
    }
}

fn open(name: &str) -> Option<(Document, Vec<Finding>)> {
    let path = common::shared()?.join("corpus").join(name);
    let document = load(&path, &Progress::new()).expect("a good file of the corpus");
    let report = analyse(&document, Effort::Usual, &Watch::new())?;
    Some((document, report.findings))
}

/// The warnings and errors of a file about its clips, in short: code, joint and key.
fn complaints((document, findings): &(Document, Vec<Finding>)) -> Vec<String> {
    findings
        .iter()
        .filter(|finding| finding.clip.is_some() && finding.severity > Severity::Info)
        .map(|finding| {
            let joint = finding
                .node
                .map(|node| document.skeleton.joint_of_node[node]);
            let name = joint.map_or_else(String::new, |j| document.skeleton.joints[j].label());
            format!("{} {name} {}", finding.code, finding.key.unwrap_or(0))
        })
        .collect()
}

/// Known faults of known files, and nothing beside them.
#[test]
fn known_faults_are_found_and_no_others() {
    for (file, expected) in [
        // KhronosGroup/glTF-Sample-Models#185: the last quarter turn runs backwards.
        (
            "gltf/AnimatedTriangle.gltf",
            &["rotation-sign-flip node 0 3"][..],
        ),
        // KhronosGroup/glTF-Sample-Assets#74: keys exactly half a turn apart.
        (
            "gltf/BoxAnimated.glb",
            &["rotation-near-half-turn node 2 0"],
        ),
        (
            "blender/bl_flip_sampled.glb",
            &["rotation-sign-flip fore 12"],
        ),
        (
            "blender/bl_human.glb",
            &[
                "rotation-sign-flip thigh.L 0",
                "rotation-sign-flip thigh.L 11",
                "rotation-sign-flip thigh.R 12",
                "rotation-sign-flip thigh.R 23",
            ],
        ),
        (
            "blender/bl_human_keys.glb",
            &[
                "cubic-degenerate thigh.L 0",
                "cubic-degenerate thigh.L 2",
                "cubic-degenerate thigh.R 3",
                "cubic-degenerate thigh.R 5",
            ],
        ),
        (
            "variants/cubic_signs_alternate.glb",
            &[
                "cubic-degenerate fore 0",
                "cubic-degenerate fore 1",
                "cubic-degenerate fore 2",
            ],
        ),
        ("blender/bl_interp_cubic.glb", &[]),
        ("blender/bl_interp_linear.glb", &[]),
        ("blender/bl_interp_step.glb", &[]),
        ("blender/bl_sign_flip_keys.glb", &[]),
        (
            "blender/bl_rigify_full.glb",
            &["scale-shear DEF-spine.006 0"],
        ),
        ("blender/bl_tentacle.glb", &[]),
        ("gltf/CesiumMan.glb", &[]),
        ("gltf/Fox.glb", &[]),
        ("gltf/RiggedFigure.glb", &[]),
        ("gltf/interpolation_test/interpolation_test.gltf", &[]),
    ] {
        let Some(found) = open(file) else {
            return;
        };
        assert_eq!(complaints(&found), expected, "{file}");
    }
}

/// 174 of its channels flip, and a few knees and heels snap.
#[test]
fn the_knight_has_as_many_flipping_channels_as_are_known() {
    let Some((_, findings)) = open("gltf/Knight.glb") else {
        return;
    };
    let is_sign = |finding: &&Finding| {
        matches!(
            finding.code,
            FindingCode::RotationSignFlip | FindingCode::RotationLostTurn
        )
    };
    let mut channels: Vec<_> = findings
        .iter()
        .filter(is_sign)
        .map(|finding| (finding.clip, finding.node))
        .collect();
    channels.dedup();
    assert_eq!(channels.len(), 174);
    let of = |code: FindingCode| findings.iter().filter(|f| f.code == code).count();
    assert_eq!(of(FindingCode::RotationPop), 8);
    assert_eq!(of(FindingCode::ProbableLostStep), 0);
}

/// Negated keys are found one by one, whatever the motion.
#[test]
fn every_negated_key_counts() {
    let Some((document, findings)) = open("variants/human_signs_alternate.glb") else {
        return;
    };
    let mut expected = 0;
    for tracks in document.clips.iter().flat_map(|clip| &clip.joints) {
        if let JointTracks::Trs {
            rotation: Some(track),
            ..
        } = tracks
        {
            let pairs = track.keys.values().windows(2);
            expected += pairs.filter(|pair| pair[0].dot(pair[1]) < 0.0).count();
        }
    }
    let count = |finding: &Finding| {
        let count = finding.values.iter().find(|(name, _)| *name == "count");
        count.map_or(1.0, |(_, count)| *count)
    };
    let flips = (findings.iter()).filter(|f| f.code == FindingCode::RotationSignFlip);
    let found: f64 = flips.map(count).sum();
    assert!(expected > 1000);
    assert_eq!(found, expected as f64);
}
