//! OpenGEX files: those of the shared corpus, ones built in code, and broken ones.
#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

#[path = "../common/mod.rs"]
mod common;

mod broken;
mod corpus;
mod matrix;
mod meshes;
mod motion;

use rigscope::{
    document::{Document, FindingCode},
    import::{ImportError, Progress, from_ogex_text, load},
};

fn open(name: &str) -> Option<Result<Document, ImportError>> {
    let path = common::shared()?.join("corpus").join(name);
    Some(load(&path, &Progress::new()))
}

fn read(text: &str) -> Document {
    let document = from_ogex_text("test.ogex", text.as_bytes()).expect("a good text");
    let violations = common::validate::violations(&document);
    assert!(violations.is_empty(), "{violations:#?}");
    document
}

const UP: &str = "Metric (key = \"up\") {string {\"y\"}}\n";

const QUAD: &str = r#"GeometryObject $g { Mesh (primitive = "quads") {
    VertexArray (attrib = "position") { float[3] {{0,0,0},{1,0,0},{1,1,0},{0,1,0}} }
    VertexArray (attrib = "position", morph = 1) { float[3] {{0,0,1},{1,0,1},{1,1,1},{0,1,1}} }
    SKIN } Morph (index = 1, base = 0) { Name { string {"out"} } } }"#;

/// A node whose one factor a track of these curves moves.
fn track(kind: &str, rest: &str, curves: &str) -> Document {
    read(&format!(
        "{UP}Node {{ {kind} {{ {rest} }} Animation {{ Track (target = %t) {{ {curves} }} }} }}"
    ))
}

/// The messages of the findings with a code.
fn messages(document: &Document, code: FindingCode) -> Vec<&str> {
    let findings = document.findings.iter().filter(|f| f.code == code);
    findings.map(|finding| finding.message.as_str()).collect()
}
