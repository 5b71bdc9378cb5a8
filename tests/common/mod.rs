//! What several test programs share.
#![allow(dead_code, reason = "each test program uses its own part of this")]
#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

pub mod glb;
pub mod validate;

use std::path::{Path, PathBuf};

/// The folder with the corpus and the right answers, beside the repository; says
/// aloud that the test is skipped where there is none.
pub fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    if shared.is_dir() {
        return Some(shared);
    }
    println!("SKIPPED: ../shared is absent");
    None
}

/// Every glTF file of the corpus but those that are broken on purpose.
pub fn model_files() -> Option<Vec<PathBuf>> {
    let corpus = shared()?.join("corpus");
    let mut files = files_below(&corpus, &["glb", "gltf", "vrm", "vrma"]);
    files.retain(|path| !path.starts_with(corpus.join("bad")));
    Some(files)
}

/// Every file below `folder` with one of the extensions, sorted.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a readable folder entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if extensions
                .iter()
                .any(|known| path.extension().is_some_and(|e| e == *known))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A JSON file.
pub fn read_json(path: &Path) -> serde_json::Value {
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
