//! `rigscope info`.

use super::*;

#[test]
fn text_of_a_small_file() {
    assert_eq!(Bench::new().stdout(&["info", "arm.glb"]), INFO_TEXT);
}

#[test]
fn json_of_a_small_file() {
    let bench = Bench::new();
    assert_eq!(
        bench.stdout(&["info", "arm.glb", "--format", "json"]),
        INFO_JSON
    );
}

#[test]
fn without_a_file_it_describes_the_built_in_character() {
    let info = Bench::new().json(&["info", "--format", "json"]);
    assert_eq!(info["file"], "built-in character");
    assert_eq!(info["clips"][0]["name"], "Walk");
    let height = info["height_metres"].as_f64().expect("a number");
    assert!((1.6..1.9).contains(&height), "{height}");
    assert_eq!(info["findings"], json!([]));
}

#[test]
fn findings_come_worst_first_with_place_and_numbers() {
    let bench = Bench::new();
    let mut arm = arm();
    arm.push("extensionsUsed", json!("VENDOR_sparkles"));
    let weights = 3;
    let view = arm.json["accessors"][weights]["bufferView"]
        .as_u64()
        .expect("a view");
    let at = arm.json["bufferViews"][view as usize]["byteOffset"]
        .as_u64()
        .expect("an offset");
    arm.bin[at as usize..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(bench.folder.path().join("odd.glb"), arm.glb()).expect("written");
    let info = bench.json(&["info", "odd.glb", "--format", "json"]);
    let rank = |finding: &Value| {
        let severity = finding["severity"].as_str().expect("a word");
        ["error", "warning", "info"]
            .iter()
            .position(|known| *known == severity)
    };
    let findings = info["findings"].as_array().expect("a list");
    assert!(findings.len() >= 2, "{findings:?}");
    assert!(findings.is_sorted_by_key(rank), "{findings:?}");
    assert!(
        findings
            .iter()
            .all(|f| rank(f).is_some() && f.get("key").is_none())
    );
    assert!(findings.iter().any(|f| {
        f["code"] == "extension-unsupported"
            && f["message"]
                .as_str()
                .is_some_and(|m| m.contains("VENDOR_sparkles"))
    }));
    let text = bench.stdout(&["info", "odd.glb"]);
    assert!(
        text.contains("weights-invalid") && text.contains("VENDOR_sparkles  used, ignored"),
        "{text}"
    );
}

const INFO_TEXT: &str = r#"arm.glb

  format      glTF 2.0 binary
  made by     "by hand"
  size        1.8 KiB
  height      2 m in the rest pose, from 0 0 0 to 0 2 1
  nodes       3
  joints      2
  vertices    4
  triangles   1
  materials   1

Skins
  #  name  joints  inverse bind matrices  root node
  0  -          2  yes                            -

Meshes
  #  name     nodes  vertices  triangles  influence sets  morphs  materials
  0  "Strip"      1         4          1               1       0  "Paper"

Clips
  #  name    seconds  first key  channels  keys  fps (guess)  interpolation
  0  "Bend"        1          0         1     2            1  LINEAR

Findings: none

These were found while reading; rigscope check looks at clips, skins and weights too.
"#;

const INFO_JSON: &str = r#"{
  "file": "arm.glb",
  "format": "glTF 2.0 binary",
  "generator": "by hand",
  "copyright": null,
  "sources": [
    "arm.glb"
  ],
  "size_bytes": 1792,
  "bounds": {"min": [0.0,0.0,0.0], "max": [0.0,2.0,1.0]},
  "height_metres": 2.0,
  "node_count": 3,
  "joint_count": 2,
  "vertex_count": 4,
  "triangle_count": 1,
  "skins": [
    {"index": 0, "name": "", "joint_count": 2, "has_inverse_bind_matrices": true, "root": null}
  ],
  "meshes": [
    {"index": 0, "name": "Strip", "nodes": [0], "vertex_count": 4, "triangle_count": 1, "morph_targets": [], "primitives": [{"topology": "triangles", "vertex_count": 4, "element_count": 1, "influence_sets": 1, "material": 0}]}
  ],
  "materials": [
    {"index": 0, "name": "Paper"}
  ],
  "clips": [
    {"index": 0, "name": "Bend", "duration_secs": 1.0, "first_key_secs": 0.0, "channel_count": 1, "key_count": 2, "interpolations": ["LINEAR"], "guessed_fps": 1.0}
  ],
  "images": [],
  "cameras": [],
  "extensions": [],
  "findings": []
}
"#;
