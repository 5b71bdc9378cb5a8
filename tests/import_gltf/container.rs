//! GLB container, JSON, version and extensions.

use rigscope::{
    document::{FindingCode, Severity},
    import::{GltfError, ImportError, from_glb_bytes},
};
use serde_json::json;

use crate::{
    common::glb::pack,
    fixture::{assert_names, finding, load, load_clean, refusal, rig},
};

#[test]
fn the_fixture_is_sound_and_complete() {
    let document = load_clean(&rig());
    assert_eq!(document.name, "test.glb");
    assert_eq!(document.asset.format, "glTF 2.0 binary");
    assert_eq!(document.asset.size_bytes, rig().glb().len() as u64);
    assert_eq!((document.vertex_count(), document.triangle_count()), (4, 2));
    assert_eq!(document.skins[0].joints, [1, 2]);
    assert_eq!(document.clips[0].duration_secs, 1.0);
}

#[test]
fn broken_containers_name_the_lengths() {
    let refused = |bytes: &[u8]| {
        let error = from_glb_bytes("test.glb", bytes).expect_err("a broken container");
        error.to_string()
    };
    let good = rig().glb();
    let length = good.len();
    assert_eq!(refused(&[]), "the file is empty (0 bytes): test.glb");
    assert_names(&refused(&good[..7]), &["header is cut off", "7"]);
    let cut = &good[..length - 10];
    assert_names(
        &refused(cut),
        &[&length.to_string(), &(length - 10).to_string()],
    );

    let mut other = good.clone();
    other[4] = 1;
    assert_names(&refused(&other), &["container version 1"]);
    let mut other = good.clone();
    other[16..20].copy_from_slice(b"JSOM");
    assert_names(&refused(&other), &["first GLB chunk", "JSOM"]);
    let mut other = good;
    other[12..16].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    assert_names(&refused(&other), &["chunk 0", "4294967280"]);
}

#[test]
fn extra_bytes_and_chunks_are_said_and_skipped() {
    let good = rig().glb();
    let mut trailing = good.clone();
    trailing.extend_from_slice(b"more");
    let document = from_glb_bytes("test.glb", &trailing).expect("it loads");
    assert_names(
        &finding(&document, FindingCode::ContainerInvalid).message,
        &["4 bytes follow", &good.len().to_string()],
    );

    // A chunk of another type is legal, a second BIN is not.
    for (kind, findings) in [(b"XTRA", 0), (b"BIN\0", 1)] {
        let mut file = good.clone();
        file.extend_from_slice(&4_u32.to_le_bytes());
        file.extend_from_slice(kind);
        file.extend_from_slice(&[1; 4]);
        let length = (file.len() as u32).to_le_bytes();
        file[8..12].copy_from_slice(&length);
        let document = from_glb_bytes("test.glb", &file).expect("it loads");
        assert_eq!(document.findings.len(), findings);
    }
}

#[test]
fn json_that_does_not_fit_names_the_object() {
    let refused = |json: &str| {
        let glb = pack(json.as_bytes(), &[]);
        from_glb_bytes("test.glb", &glb)
            .expect_err("broken JSON")
            .to_string()
    };
    assert_names(&refused("{\"asset\":"), &["JSON does not parse", "line 1"]);
    let node = r#"{"asset":{"version":"2.0"},"nodes":[{},{"name":"arm","scale":[1,2]}]}"#;
    assert_names(&refused(node), &["node 1 \"arm\"", "length 2"]);
    let accessor = r#"{"asset":{"version":"2.0"},"accessors":[{"count":-1}]}"#;
    assert_names(&refused(accessor), &["accessor 0", "-1"]);
    let mesh = r#"{"asset":{"version":"2.0"},"meshes":[{"primitives":7}]}"#;
    assert_names(&refused(mesh), &["mesh 0", "7"]);
}

#[test]
fn versions() {
    for (version, minimum, loads) in [
        ("2.0", None, true),
        ("2.1", None, true),
        ("2.1", Some("2.0"), true),
        ("2.1", Some("2.1"), false),
        ("1.0", None, false),
        ("3.0", None, false),
        ("", None, false),
    ] {
        let mut file = rig();
        file.json["asset"] = json!({"version": version});
        if let Some(minimum) = minimum {
            file.json["asset"]["minVersion"] = json!(minimum);
        }
        if loads {
            load_clean(&file);
        } else {
            assert_names(&refusal(&file), &["version", minimum.unwrap_or(version)]);
        }
    }
}

#[test]
fn all_required_extensions_that_are_missing_are_named() {
    let mut file = rig();
    file.json["extensionsRequired"] = json!(["VENDOR_a", "KHR_mesh_quantization", "VENDOR_b"]);
    assert_names(&refusal(&file), &["VENDOR_a, VENDOR_b"]);
    let error = from_glb_bytes("test.glb", &file.glb()).expect_err("refused");
    match error {
        ImportError::Gltf {
            problem: GltfError::ExtensionsRequired { list, .. },
            ..
        } => assert_eq!(list, ["VENDOR_a", "VENDOR_b"]),
        other => panic!("{other}"),
    }
}

#[test]
fn control_characters_are_escaped_in_messages() {
    let mut file = rig();
    file.json["extensionsRequired"] = json!(["a\u{1b}[2J\nb"]);
    let error = from_glb_bytes("x\ny.glb", &file.glb()).expect_err("refused");
    let message = error.to_string();
    assert!(!message.contains(char::is_control), "{message:?}");
    assert_names(&message, &["a\\u{1b}[2J\\nb", "x\\ny.glb"]);
}

#[test]
fn used_extensions_are_listed_and_ignored() {
    let mut file = rig();
    file.json["extensionsUsed"] = json!([
        "VENDOR_a",
        "KHR_texture_transform",
        "KHR_lights_punctual",
        "VRMC_vrm"
    ]);
    file.json["extensionsRequired"] = json!(["KHR_lights_punctual"]);
    let document = load(&file);
    let uses: Vec<_> = document
        .asset
        .extensions
        .iter()
        .map(|e| (e.name.as_str(), e.required, e.supported))
        .collect();
    assert_eq!(
        uses,
        [
            ("VENDOR_a", false, false),
            ("KHR_texture_transform", false, true),
            ("KHR_lights_punctual", true, false),
            ("VRMC_vrm", false, false)
        ]
    );
    let severities: Vec<_> = document
        .findings
        .iter()
        .map(|f| (f.code, f.severity))
        .collect();
    // Lights change neither shape nor motion.
    assert_eq!(
        severities,
        [
            (FindingCode::ExtensionUnsupported, Severity::Warning),
            (FindingCode::ExtensionUnsupported, Severity::Info),
            (FindingCode::ExtensionUnsupported, Severity::Info)
        ]
    );
}
