//! Files beside the model, and files that must not be read.

use std::{fs, path::Path};

use image::ImageFormat;
use rigscope::{
    document::{Document, FindingCode},
    import::{ImportError, Progress, load},
};
use serde_json::json;

use crate::{
    common::{glb::Builder, validate},
    fixture::{assert_names, finding, rig},
    surfaces::{data_uri, picture},
};

/// The fixture as text whose buffer and texture lie at these URIs.
fn text(buffer: &str, image: &str) -> Vec<u8> {
    let file = rig();
    let mut json = file.json;
    json["buffers"] = json!([{"byteLength": file.bin.len(), "uri": buffer}]);
    json["images"] = json!([{"uri": image}]);
    json["textures"] = json!([{"source": 0}]);
    json["materials"] = json!([{"emissiveTexture": {"index": 0}}]);
    serde_json::to_vec(&json).expect("JSON")
}

fn open(path: &Path) -> Result<Document, ImportError> {
    let document = load(path, &Progress::new())?;
    assert_eq!(validate::violations(&document), Vec::<String>::new());
    Ok(document)
}

/// A folder `outer/inner` with a model in it, and a buffer and a picture everywhere.
fn folders() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    let inner = root.path().join("outer/inner");
    fs::create_dir_all(inner.join("tex")).expect("folders");
    for folder in [
        root.path(),
        &root.path().join("outer"),
        &inner,
        &inner.join("tex"),
    ] {
        fs::write(folder.join("a b.bin"), rig().bin).expect("a buffer");
        fs::write(folder.join("ä.png"), picture(ImageFormat::Png, [1, 2, 3])).expect("a picture");
    }
    root
}

#[test]
fn files_in_and_beside_the_models_folder_are_read() {
    let root = folders();
    let inner = root.path().join("outer/inner");
    let model = inner.join("rig.gltf");
    for (buffer, image, image_path) in [
        ("a%20b.bin", "%C3%A4.png", inner.join("ä.png")),
        ("./a b.bin", "tex/ä.png", inner.join("tex/ä.png")),
        ("tex\\a%20b.bin", "../ä.png", inner.join("../ä.png")),
    ] {
        fs::write(&model, text(buffer, image)).expect("a model");
        let document = open(&model).expect("it loads");
        assert_eq!(document.findings, []);
        assert_eq!(document.name, "rig.gltf");
        assert_eq!(document.asset.format, "glTF 2.0");
        assert_eq!(document.sources[0], model);
        assert_eq!(document.sources[2], image_path);
        assert_eq!(document.sources.len(), 3);
        let size: u64 = document
            .sources
            .iter()
            .map(|path| fs::metadata(path).expect("a file").len())
            .sum();
        assert_eq!(document.asset.size_bytes, size);
    }
}

#[test]
fn files_elsewhere_are_refused_and_never_opened() {
    let root = folders();
    let model = root.path().join("outer/inner/rig.gltf");
    let absolute = root.path().join("a b.bin");
    for (uri, words) in [
        ("../../a%20b.bin", &["leaves"][..]),
        ("..%2F..%2Fa%20b.bin", &["leaves"]),
        ("tex/../../../a%20b.bin", &["leaves"]),
        ("..\\..\\a b.bin", &["leaves"]),
        (absolute.to_str().expect("a plain path"), &["absolute path"]),
        ("file:///etc/passwd", &["\"file\"", "not fetched"]),
        ("HTTP://127.0.0.1:9/a.bin", &["\"HTTP\"", "not fetched"]),
        ("a%00.bin", &["no file name"]),
        ("tex", &["no ordinary file"]),
        ("nowhere/x.bin", &["nowhere/x.bin", "outer/inner"]),
    ] {
        fs::write(&model, text(uri, "ä.png")).expect("a model");
        let error = open(&model).expect_err(uri).to_string();
        assert_names(&error, words);
        assert_names(&error, &["buffer 0"]);
        assert!(error.ends_with("rig.gltf"), "{error}");

        // The same for an image costs only the image.
        fs::write(&model, text("a%20b.bin", uri)).expect("a model");
        let document = open(&model).expect("it loads");
        let found = finding(&document, FindingCode::ImageUnreadable);
        assert_names(&found.message, words);
        assert_eq!(document.sources.len(), 2);
    }
}

#[test]
fn a_buffer_file_that_is_too_short() {
    let root = folders();
    let model = root.path().join("outer/inner/rig.gltf");
    fs::write(&model, text("short.bin", "ä.png")).expect("a model");
    fs::write(model.with_file_name("short.bin"), [0; 10]).expect("a buffer");
    let error = open(&model).expect_err("too short").to_string();
    let stated = rig().bin.len().to_string();
    assert_names(&error, &["buffer 0", &stated, "only 10"]);
}

#[test]
fn data_uris() {
    let root = folders();
    let model = root.path().join("rig.gltf");
    let image = data_uri(&picture(ImageFormat::Jpeg, [9, 9, 9]));
    fs::write(&model, text(&data_uri(&rig().bin), &image)).expect("a model");
    let document = open(&model).expect("it loads");
    assert_eq!(document.findings, []);
    assert_eq!(document.sources, std::slice::from_ref(&model));
    assert_eq!(document.vertex_count(), 4);

    fs::write(&model, text("data:;base64,@@@@", &image)).expect("a model");
    assert_names(
        &open(&model).expect_err("bad").to_string(),
        &["buffer 0", "base64"],
    );
    fs::write(&model, text("data:;base64,AAAA", &image)).expect("a model");
    assert_names(
        &open(&model).expect_err("bad").to_string(),
        &["buffer 0", "only 3"],
    );
}

#[test]
fn a_byte_order_mark_before_the_text() {
    let root = folders();
    let model = root.path().join("outer/inner/rig.gltf");
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(text("a%20b.bin", "ä.png"));
    fs::write(&model, marked).expect("a model");
    open(&model).expect("it loads");
}

#[test]
fn the_content_decides_more_than_the_name() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str, bytes: &[u8]| {
        let path = root.path().join(name);
        fs::write(&path, bytes).expect("a file");
        open(&path).map_err(|error| error.to_string())
    };
    let glb = rig().glb();
    for name in ["a.glb", "a.gltf", "a.vrm", "a.vrma", "a.bin", "a"] {
        assert!(at(name, &glb).is_ok(), "{name}");
    }
    assert!(at("b.glb", br#" {"asset":{"version":"2.0"}}"#).is_ok());
    let refused = |name: &str, bytes: &[u8]| at(name, bytes).expect_err("refused");
    assert_names(
        &refused("c.glb", b"what is this"),
        &["not a GLB", "what", "c.glb"],
    );
    assert_names(
        &refused("c.gltf", b"what is this"),
        &["JSON", "it begins with", "c.gltf"],
    );
    assert_names(
        &refused("c.fbx", b"Kaydara FBX Binary"),
        &["not a format", "c.fbx"],
    );
    assert_names(&refused("c.glb", b""), &["empty"]);
    let folder = open(root.path()).expect_err("a folder").to_string();
    assert_names(&folder, &["no ordinary file"]);
    // A pipe that nobody writes to would block whoever opens it.
    let pipe = root.path().join("pipe.glb");
    if std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .is_ok_and(|status| status.success())
    {
        let message = open(&pipe).expect_err("a pipe").to_string();
        assert_names(&message, &["no ordinary file", "pipe.glb"]);
    }
    let nothing = open(&root.path().join("none.glb")).expect_err("nothing there");
    assert_names(&nothing.to_string(), &["cannot read", "none.glb"]);
}

#[test]
fn a_file_in_memory_has_nothing_beside_it() {
    let mut file: Builder = rig();
    file.json["buffers"] = json!([{"byteLength": file.bin.len(), "uri": "a.bin"}]);
    let message = crate::fixture::refusal(&file);
    assert_names(&message, &["buffer 0", "in memory", "a.bin"]);
}
