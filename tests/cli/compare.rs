//! `rigscope compare`.

use super::*;

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn a_file_and_its_copy_are_equal_to_the_last_bit() {
    let bench = Bench::new();
    let arm = bench.folder.path().join("arm.glb");
    fs::copy(&arm, bench.folder.path().join("copy.glb")).expect("copied");
    for args in [
        &["compare", "arm.glb", "copy.glb"][..],
        &["compare", "arm.glb"],
        &["compare"],
    ] {
        let text = bench.stdout(args);
        assert!(text.ends_with("\nequal\n"), "{args:?}: {text}");
    }
    let strict = [
        "compare",
        "arm.glb",
        "copy.glb",
        "--max-mm",
        "0",
        "--max-deg",
        "0",
    ];
    assert_eq!(code(&bench.run(&strict)), Some(0));
}

#[test]
fn closed_forms_of_a_turn_of_170_degrees() {
    let bench = Bench::new();
    let json = |a: &str, b: &str| {
        let (a, b) = (format!("interpolation={a}"), format!("interpolation={b}"));
        let args = [
            "compare",
            "lab:half-turn-elbow",
            "--threshold",
            "1",
            "--rate",
            "1000",
        ];
        let sides = ["--a", &a, "--b", &b, "--format", "json"];
        bench.json(&[&args[..], &sides].concat())
    };
    // nlerp lags most at u ≈ 0.235, by 6.758°.
    let lag = json("slerp", "nlerp");
    let worst = &lag["worst_angle_deg"];
    assert!(
        (worst["value"].as_f64().expect("a number") - 6.758).abs() < 0.001,
        "{worst}"
    );
    let time = worst["time_secs"].as_f64().expect("a time") / 2.0;
    let distance = [0.235, 0.765, 1.235, 1.765].map(|u| (time - u).abs());
    assert!(distance.iter().any(|off| *off < 0.003), "{time}");
    assert_eq!(worst["name"], "elbow");
    // matrix-lerp: 1 − cos 85° of the arm is lost half way.
    let collapse = json("polar", "matrix-lerp");
    let worst = collapse["worst_position_m"]["value"]
        .as_f64()
        .expect("a number");
    let wanted = 0.68 * (1.0 - 85_f64.to_radians().cos());
    assert!((worst - wanted).abs() < 1e-4, "{worst} for {wanted}");
    assert_eq!(collapse["worst_position_m"]["name"], "tip");
    let same = json("slerp", "polar");
    assert!(same["worst_vertex_m"]["value"].as_f64().expect("a number") < 1e-5);
}

#[test]
fn limits_decide_the_exit_code() {
    let bench = Bench::new();
    let args = [
        "compare",
        "lab:half-turn-elbow",
        "--b",
        "interpolation=lerp",
        "--no-vertices",
    ];
    let with = |limits: &[&str]| bench.run(&[&args[..], limits].concat());
    assert_eq!(code(&with(&[])), Some(0));
    assert_eq!(code(&with(&["--max-mm", "1000"])), Some(0));
    let over = with(&["--max-mm", "1", "--max-deg", "90"]);
    assert_eq!(code(&over), Some(1));
    let text = text(&over.stdout);
    assert!(text.contains("failed: a joint's place is off by"), "{text}");
    assert!(!text.contains("angle is off"), "{text}");
    let unlike = bench.run(&["compare", "arm.glb", "missing.glb"]);
    assert_eq!(code(&unlike), Some(2));
}

#[test]
fn unlike_rigs_say_what_has_no_partner() {
    let bench = Bench::new();
    let message = bench.failure(&["compare", "arm.glb", "lab:turning-to-face"]);
    assert!(message.contains("nothing to compare"), "{message}");
    // One arm and two.
    let args = ["compare", "lab:half-turn-elbow", "lab:mirror-and-shear"];
    let found = text(&bench.run(&args).stdout);
    for words in [
        "without a partner: ",
        " of B: mirrored arm, mirrored elbow",
        "of B has no partner in A",
        "s long",
        "was not compared",
    ] {
        assert!(found.contains(words), "{words:?} is not in {found}");
    }
    assert_eq!(code(&bench.run(&args)), Some(0));
    let strict = bench.run(&[&args[..], &["--all"]].concat());
    assert_eq!(code(&strict), Some(1));
    assert!(text(&strict.stdout).contains("failed: not all of both was compared"));
}

#[test]
fn a_range_and_repeated_changes() {
    let bench = Bench::new();
    let scene = "lab:half-turn-elbow";
    let json = |more: &[&str]| {
        let args = ["compare", scene, "--no-vertices", "--format", "json"];
        bench.json(&[&args[..], more].concat())
    };
    let part = json(&["--b", "interpolation=lerp", "--from", "0.25", "--to", "0.5"]);
    assert_eq!(
        (&part["from_secs"], &part["to_secs"]),
        (&0.25.into(), &0.5.into())
    );
    // The later of two holds.
    let twice = json(&[
        "--b",
        "interpolation=lerp",
        "--b",
        "interpolation=authored,spline=normalize",
    ]);
    assert_eq!(twice["equal"], true, "{twice}");
    let one = json(&["--b", "interpolation=lerp", "--b", "threshold=1"]);
    assert_eq!(one["equal"], false);
    let message = bench.failure(&["compare", scene, "--from", "2", "--to", "1"]);
    assert!(message.contains("--from 2 is after --to 1"), "{message}");
    let message = bench.failure(&["compare", scene, "--from", "200"]);
    assert!(
        message.contains("past the end, which is at 4 s"),
        "{message}"
    );
}

#[test]
fn a_side_that_is_no_side_lists_what_there_is() {
    let bench = Bench::new();
    for (side, words) in [
        ("interpolation=cosine", ["matrix-lerp", "polar"]),
        ("colour=red", ["euler-order", "drop-shear"]),
        ("spline=raw", ["no-normalize", "unscaled-tangents"]),
        ("threshold=2", ["threshold", "slerp"]),
        ("drop-shear=maybe", ["on", "off"]),
    ] {
        let message = bench.failure(&["compare", "arm.glb", "--b", side]);
        for word in words {
            assert!(message.contains(word), "{side} lacks {word}: {message}");
        }
    }
    let message = bench.failure(&["compare", "lab:no-such-scene"]);
    assert!(message.contains("half-turn-elbow"), "{message}");
}

#[test]
fn variants_of_a_corpus_file_differ_as_much_as_their_compression_takes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.is_dir() {
        println!("SKIPPED: ../shared is absent");
        return;
    }
    let bench = Bench::new();
    let path = |name: &str| corpus.join(name).display().to_string();
    let found = |original: &str, variant: &str| {
        let args = [
            "compare",
            &path(original),
            &path(variant),
            "--format",
            "json",
        ];
        bench.json(&args)
    };
    let number = |found: &Value, key: &str| found[key]["value"].as_f64().expect("a number");
    // The mesh is quantised and nothing else; the fox is 79 m high.
    let fox = found("gltf/Fox.glb", "variants/Fox_quantized.glb");
    assert_eq!(
        (number(&fox, "worst_angle_deg"), &fox["vertices"]),
        (0.0, &1728.into())
    );
    let off = number(&fox, "worst_vertex_m");
    assert!((0.001..0.02).contains(&off), "{off}");
    // This tool has merged vertices, dropped names and sampled keys anew 30 times a second:
    // fast turns between the old keys lose most, those of a shin.
    let man = found("gltf/CesiumMan.glb", "variants/CesiumMan_quantized.glb");
    assert_eq!(
        (&man["joints"], &man["vertices"]),
        (&19.into(), &3547.into())
    );
    let off_mm = number(&man, "worst_vertex_m") * 1e3;
    assert!((4.0..9.0).contains(&off_mm), "{off_mm}");
    let off = number(&man, "worst_angle_deg");
    assert!((0.5..2.5).contains(&off), "{off}");
    assert_eq!(man["worst_angle_deg"]["node"], 10);
}

/// What files packed by meshopt or Draco lose is what the tool before them took.
#[test]
fn compressed_variants_lose_only_what_their_tool_took() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.is_dir() {
        println!("SKIPPED: ../shared is absent");
        return;
    }
    let bench = Bench::new();
    let path = |name: &str| corpus.join(name).display().to_string();
    let found = |original: &str, variant: &str| {
        let [original, variant] = [path(original), path(variant)];
        bench.json(&["compare", &original, &variant, "--format", "json"])
    };
    let number = |found: &Value, key: &str| found[key]["value"].as_f64().expect("a number");
    // Rotations by the quaternion filter, root keys by the exponential one, positions
    // quantised; the fox is 79 m high, and a hand at the end of its chain is off most.
    let fox = found("gltf/Fox.glb", "variants/Fox_meshopt.glb");
    assert_eq!(
        (&fox["joints"], &fox["vertices"]),
        (&26.into(), &1728.into())
    );
    let off = number(&fox, "worst_angle_deg");
    assert!((0.001..0.02).contains(&off), "{off}");
    assert_eq!(fox["worst_angle_deg"]["name"], "b_RightHand_08");
    let off = number(&fox, "worst_vertex_m");
    assert!((0.005..0.05).contains(&off), "{off}");
    // Both from one tool with and without compression: not a bit is lost.
    let quantized = "variants/CesiumMan_quantized.glb";
    let man = found(quantized, "variants/CesiumMan_meshopt.glb");
    assert_eq!(
        (&man["joints"], &man["vertices"]),
        (&23.into(), &2612.into())
    );
    for key in ["worst_angle_deg", "worst_position_m", "worst_vertex_m"] {
        assert_eq!(number(&man, key), 0.0, "{key}");
    }
    // Draco packs the mesh alone, and counts its vertices anew.
    for (original, variant, joints) in [
        ("gltf/CesiumMan.glb", "variants/CesiumMan_draco.glb", 22),
        ("blender/bl_human.glb", "blender/bl_human_draco.glb", 28),
    ] {
        let packed = found(original, variant);
        assert_eq!(packed["joints"], joints, "{variant}");
        for key in ["worst_angle_deg", "worst_position_m"] {
            assert_eq!(number(&packed, key), 0.0, "{variant}: {key}");
        }
    }
}
