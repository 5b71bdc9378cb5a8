//! Every broken or hostile file of the shared corpus: the verdict of `BAD.md`, a
//! message that names the object and the number, quickly and within a gigabyte.

mod common;

use std::{collections::BTreeMap, path::Path, sync::mpsc, thread, time::Duration};

use rigscope::{
    anim::{Globals, Modes, Pose, globals, sample},
    document::{Document, Severity},
    import::{ImportError, Progress, load},
};

/// What has to become of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Refused; the message holds all these words.
    Reject(&'static [&'static str]),
    /// Loaded, with one finding of at least a warning that holds all these words.
    Warn(&'static [&'static str]),
    /// Loaded, with nothing worse than an info.
    Load,
    /// Loaded without any finding.
    Clean,
}
use Verdict::{Clean, Load, Reject, Warn};

/// The table of `BAD.md`: names and numbers that a message must hold.
const VERDICTS: &[(&str, Verdict)] = &[
    ("00_control_ok.glb", Clean),
    ("01_truncated.glb", Reject(&["truncated", "3196", "2996"])),
    ("02_wrong_magic.glb", Reject(&["not a GLB", "glTX"])),
    (
        "03_chunk_past_end.glb",
        Reject(&["chunk 1", "BIN", "2147483647", "840"]),
    ),
    ("04_empty.glb", Reject(&["empty"])),
    (
        "05_accessor_oob.glb",
        Reject(&["accessor 0", "POSITION", "bufferView 0", "60000", "144"]),
    ),
    (
        "06_bufferview_past_buffer.glb",
        Reject(&["bufferView 3", "840"]),
    ),
    (
        "07_offset_overflow.glb",
        Reject(&["bufferView 0", "buffer 0"]),
    ),
    (
        "08_stride_lies.glb",
        Reject(&["bufferView 0", "stride of 4", "12 bytes"]),
    ),
    (
        "09_stride_past_end.glb",
        Reject(&["accessor 3", "bufferView 3", "192"]),
    ),
    (
        "10_nan_position.glb",
        Warn(&["StripMesh", "POSITION", "2 of 12", "vertex 5"]),
    ),
    (
        "11_nan_weight.glb",
        Warn(&["StripMesh", "2 weights are", "NaN", "vertex 3"]),
    ),
    (
        "12_nan_keyframe.glb",
        Warn(&["Bend", "upper", "NaN", "key 1"]),
    ),
    (
        "13_joint_index_oob.glb",
        Warn(&["StripMesh", "255", "2 joints"]),
    ),
    (
        "14_skin_no_joints.glb",
        Reject(&["skin 0 \"Skin\"", "joints"]),
    ),
    ("15_no_ibm.glb", Load),
    (
        "16_ibm_singular.glb",
        Warn(&["Skin", "upper", "cannot be inverted"]),
    ),
    (
        "17_ibm_not_affine.glb",
        Warn(&["Skin", "joint", "last row", "0.5"]),
    ),
    ("18_node_cycle.glb", Reject(&["cycle", "lower", "upper"])),
    (
        "19_node_self_child.glb",
        Reject(&["cycle", "upper", "own child"]),
    ),
    ("20_two_parents.glb", Reject(&["upper", "lower", "Strip"])),
    (
        "21_times_decrease.glb",
        Warn(&["Bend", "sampler 0", "key 2", "0.5 s"]),
    ),
    (
        "22_times_duplicate.glb",
        Warn(&["Bend", "key 2", "1 of 3 dropped"]),
    ),
    (
        "23_output_count.glb",
        Warn(&["Bend", "channel 0", "3 values", "are 2"]),
    ),
    (
        "24_cubic_count.glb",
        Warn(&["Bend", "channel 0", "9 values", "are 3"]),
    ),
    (
        "25_target_missing_node.glb",
        Warn(&["Bend", "channel 0", "node 99", "3 nodes"]),
    ),
    ("26_target_no_node.glb", Load),
    (
        "27_weights_zero.glb",
        Warn(&["StripMesh", "12 vertices", "are 0"]),
    ),
    (
        "28_weights_sum_2.glb",
        Warn(&["StripMesh", "do not sum to 1", "2.0"]),
    ),
    (
        "29_quat_unnormalised.glb",
        Warn(&["Bend", "upper", "key 1", "3"]),
    ),
    (
        "30_quat_zero.glb",
        Warn(&["Bend", "upper", "key 1", "no length"]),
    ),
    ("31_png_bomb.glb", Warn(&["Tex", "65536×65536"])),
    (
        "32_uri_traversal.gltf",
        Reject(&["buffer 0", "leaves", "../.."]),
    ),
    (
        "33_uri_http.gltf",
        Reject(&["buffer 0", "http", "not fetched"]),
    ),
    (
        "34_uri_bad_base64.gltf",
        Reject(&["buffer 0", "'@' at letter 0", "base64"]),
    ),
    (
        "35_uri_missing_file.gltf",
        Reject(&["buffer 0", "corpus/bad/"]),
    ),
    // The extras are skipped without recursion, so the file loads; refusing is fine too.
    ("36_deep_json.gltf", Load),
    ("37_node_chain_5000.glb", Load),
    (
        "38_unknown_required_ext.glb",
        Reject(&["VENDOR_time_travel"]),
    ),
    (
        "39_huge_accessor.glb",
        Reject(&["accessor 0", "12000000000"]),
    ),
    ("40_sparse_oob.glb", Reject(&["accessor 0", "4000", "12"])),
    (
        "41_no_primitives.glb",
        Warn(&["StripMesh", "no primitives"]),
    ),
    ("42_non_triangles.glb", Load),
    (
        "43_index_oob.glb",
        Reject(&["StripMesh", "60000", "12 vertices"]),
    ),
    (
        "44_empty_animation.glb",
        Warn(&["clip 1", "no usable channels"]),
    ),
    ("45_single_key.glb", Load),
    ("46_no_position.glb", Warn(&["StripMesh", "POSITION"])),
    (
        "47_attr_counts_differ.glb",
        Reject(&["StripMesh", "WEIGHTS_0", "11", "12"]),
    ),
    ("48_version_3.gltf", Reject(&["3.0"])),
    ("49_not_json.gltf", Reject(&["JSON", "line 1 column"])),
    // Of the Khronos validator.
    (
        "validator/accessor__invalid_sparse_count_and_stride.gltf",
        Warn(&["accessor 0", "2 sparse", "count of 1"]),
    ),
    (
        "validator/animation__channel_duplicate_targets.gltf",
        Warn(&["clip 0 channel 1", "second"]),
    ),
    (
        "validator/animation__sampler_output_count_invalid.gltf",
        Warn(&["clip 0 channel 0", "1 value (1 each)", "are 2"]),
    ),
    (
        "validator/animation__sampler_too_few_cubic_frames.gltf",
        Warn(&["clip 0 channel 0", "node 0", "no length"]),
    ),
    (
        "validator/animation__unresolved_channel_target.gltf",
        Warn(&["clip 0 channel 0", "node 0", "0 nodes"]),
    ),
    (
        "validator/animation_data__invalid_input_values.gltf",
        Warn(&["clip 0 channel 0", "sampler 0", "key"]),
    ),
    (
        "validator/buffer__invalid_uri_data.gltf",
        Reject(&["buffer 0", "data URI"]),
    ),
    (
        "validator/glb__two_bin_chunks.glb",
        Reject(&["first GLB chunk", "BIN"]),
    ),
    (
        "validator/glb__unaligned_chunk.glb",
        Warn(&["chunk 0", "27"]),
    ),
    (
        "validator/glb__truncated_chunk_header.glb",
        Reject(&["chunk 0", "8 bytes", "1 are left"]),
    ),
    (
        "validator/mesh__unequal_joints.gltf",
        Warn(&["mesh 0", "JOINTS_1", "WEIGHTS_1"]),
    ),
    (
        "validator/mesh__morph_unequal_targets_count.gltf",
        Warn(&["mesh 0", "0 to 2 morph targets"]),
    ),
    (
        "validator/mesh_data__joints_weights_complex.gltf",
        Warn(&["mesh 0", "out of range"]),
    ),
    (
        "validator/node__node_loop.gltf",
        Reject(&["cycle", "node 0", "node 1", "node 2"]),
    ),
    (
        "validator/node__node_parent_override.gltf",
        Reject(&["node 2", "node 0", "node 1"]),
    ),
    (
        "validator/node__matrix_indecomposable.gltf",
        Warn(&["node 0", "no product"]),
    ),
    (
        "validator/skin__ibm_invalid_count.gltf",
        Warn(&["skin 2", "3 joints", "only 2"]),
    ),
    (
        "validator/skin__no_common_root.gltf",
        Warn(&["skin 0", "node 0", "node 1", "common root"]),
    ),
    (
        "validator/skin__ignored_parent_transform.gltf",
        Warn(&["mesh 0", "weights"]),
    ),
    (
        "validator/skin_data__invalid_ibm.gltf",
        Warn(&["skin 0", "node"]),
    ),
];

#[test]
fn every_broken_file_gets_its_verdict() {
    let Some(shared) = common::shared() else {
        return;
    };
    let folder = shared.join("corpus/bad");
    let mut verdicts: BTreeMap<&str, Verdict> = VERDICTS.iter().copied().collect();
    assert_eq!(verdicts.len(), VERDICTS.len(), "a file is listed twice");
    let before = peak_memory_kib();
    let mut failures = Vec::new();
    for path in common::files_below(&folder, &["glb", "gltf"]) {
        let name = path.strip_prefix(&folder).expect("below the folder");
        let name = name.to_string_lossy().replace('\\', "/");
        let Some(verdict) = verdicts.remove(name.as_str()) else {
            failures.push(format!("{name} is not in the table"));
            continue;
        };
        let Some(outcome) = load_in_time(&path) else {
            failures.push(format!("{name} took more than {LIMIT:?}"));
            continue;
        };
        match &outcome {
            Ok(document) => {
                for finding in &document.findings {
                    println!(
                        "{name}: {} {}: {}",
                        finding.severity, finding.code, finding.message
                    );
                }
                failures.extend(
                    unsound(document)
                        .into_iter()
                        .map(|v| format!("{name}: {v}")),
                );
            }
            Err(error) => println!("{name}: REFUSED {error}"),
        }
        failures.extend(
            judge(verdict, &name, &outcome.map_err(|error| error.to_string()))
                .map(|problem| format!("{name}: {problem}")),
        );
    }
    failures.extend(verdicts.keys().map(|name| format!("{name} is missing")));
    if let (Some(before), Some(after)) = (before, peak_memory_kib()) {
        println!("peak memory {before} KiB before, {after} KiB after");
        if after - before > 1 << 20 {
            failures.push(format!("peak memory rose from {before} to {after} KiB"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What no file may take longer than, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(2);

/// Loads on a thread of its own (whose stack is small), so that a hang is a failure
/// of one file. `None` where it takes too long.
fn load_in_time(path: &Path) -> Option<Result<Document, ImportError>> {
    let (sender, receiver) = mpsc::channel();
    let owned = path.to_owned();
    let thread = thread::spawn(move || {
        // A receiver that has gone has given up on this file.
        let _ = sender.send(load(&owned, &Progress::new()));
    });
    let outcome = receiver.recv_timeout(LIMIT);
    match outcome {
        Ok(outcome) => Some(outcome),
        Err(mpsc::RecvTimeoutError::Timeout) => None,
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            let panic = thread.join().expect_err("nothing was sent");
            std::panic::resume_unwind(panic);
        }
    }
}

/// What is wrong with an outcome, if anything.
fn judge(verdict: Verdict, name: &str, outcome: &Result<Document, String>) -> Option<String> {
    let has = |text: &str, words: &[&str]| words.iter().all(|word| text.contains(word));
    match (verdict, outcome) {
        (Reject(words), Err(message)) => {
            let file = name.rsplit('/').next().unwrap_or(name);
            let named = has(message, words) && message.ends_with(file) || name.starts_with("35_");
            (!named).then(|| format!("{message:?} lacks some of {words:?} or the file at its end"))
        }
        (Reject(_), Ok(_)) => Some("was loaded, but must be refused".into()),
        (_, Err(message)) => Some(format!("must load, but: {message}")),
        (Warn(words), Ok(document)) => {
            let named = document
                .findings
                .iter()
                .any(|f| f.severity >= Severity::Warning && has(&f.message, words));
            (!named).then(|| format!("no warning holds all of {words:?}"))
        }
        (Load | Clean, Ok(document)) => {
            let limit = if verdict == Clean {
                Severity::Info
            } else {
                Severity::Warning
            };
            document
                .findings
                .iter()
                .find(|f| f.severity >= limit)
                .map(|f| format!("must load in peace, but: {}", f.message))
        }
    }
}

/// The promises of `document`, and poses that stay finite.
fn unsound(document: &Document) -> Vec<String> {
    let mut violations = common::validate::violations(document);
    let (mut pose, mut world) = (Pose::default(), Globals::default());
    for (index, clip) in document.clips.iter().enumerate() {
        for step in 0..=8 {
            let time_secs = clip.duration_secs * step as f32 / 8.0;
            sample(clip, document, time_secs, &Modes::default(), &mut pose);
            globals(&document.skeleton, &pose, &mut world);
            if !world.worlds().all(|m| m.is_finite()) {
                violations.push(format!("clip {index} at {time_secs} s is not finite"));
            }
        }
    }
    violations
}

/// The largest memory this process has held, where the system tells (Linux).
fn peak_memory_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
