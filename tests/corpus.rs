//! Every good glTF file of the shared corpus loads, and keeps the promises of
//! `document`.

mod common;

use rigscope::import::{GltfError, ImportError, Progress, load};

#[test]
fn every_file_loads_into_a_sound_document() {
    let Some(shared) = common::shared() else {
        return;
    };
    let mut loaded = 0;
    let mut refused = Vec::new();
    let files = common::files_below(&shared.join("corpus"), &["glb", "gltf", "vrm", "vrma"]);
    for path in files {
        if path.components().any(|part| part.as_os_str() == "bad") {
            continue;
        }
        let name = path.display();
        match load(&path, &Progress::new()) {
            Ok(document) => {
                let violations = common::validate::violations(&document);
                assert!(violations.is_empty(), "{name}: {violations:#?}");
                for f in &document.findings {
                    println!("{name}: {} {}: {}", f.severity, f.code, f.message);
                }
                loaded += 1;
            }
            Err(ImportError::Gltf {
                problem: GltfError::ExtensionsRequired { list, .. },
                ..
            }) => refused.push(format!("{name}: {}", list.join(", "))),
            Err(error) => panic!("{error}"),
        }
    }
    println!("{loaded} files loaded, {} refused:", refused.len());
    for line in refused {
        println!("  {line}");
    }
    assert!(loaded > 70, "only {loaded} files");
}
