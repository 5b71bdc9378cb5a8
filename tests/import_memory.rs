//! Loading holds each buffer and image at most twice, and reads no more of a file
//! than its beginning asks for. One test, so that nothing else in the process adds
//! to the peak.

mod common;

use std::{fs::File, io::Write as _, path::Path};

use rigscope::import::{Progress, load};
use serde_json::json;

const MIB: usize = 1 << 20;

#[test]
fn memory_is_bounded() {
    if !reset_peak() {
        println!("SKIPPED: the system does not tell the peak memory");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    // 48 MiB of positions, used by a point cloud.
    let vertices = 4 * MIB;
    let size = vertices * 12;
    let mut json = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 0}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": vertices}],
        "bufferViews": [{"buffer": 0, "byteLength": size}],
        "buffers": [{"byteLength": size}]
    });
    let zeros = vec![0_u8; size];
    let glb = folder.path().join("a.glb");
    std::fs::write(
        &glb,
        common::glb::pack(&serde_json::to_vec(&json).expect("JSON"), &zeros),
    )
    .expect("a file");
    std::fs::write(folder.path().join("a.bin"), &zeros).expect("a file");
    drop(zeros);
    json["buffers"][0]["uri"] = json!("a.bin");
    let external = folder.path().join("external.gltf");
    std::fs::write(&external, serde_json::to_vec(&json).expect("JSON")).expect("a file");
    // In base64 the buffer itself is a third larger.
    let base64 = "A".repeat(size / 3 * 4);
    json["buffers"][0]["uri"] = json!(format!("data:;base64,{base64}"));
    drop(base64);
    let embedded = folder.path().join("embedded.gltf");
    std::fs::write(&embedded, serde_json::to_vec(&json).expect("JSON")).expect("a file");
    drop(json);

    for (path, once) in [(glb, size), (external, size), (embedded, size / 3 * 4)] {
        reset_peak();
        let before = memory_kib("VmRSS:").expect("told above");
        let document = load(&path, &Progress::new()).expect("it loads");
        let peak = memory_kib("VmHWM:").expect("told above");
        let grown = (peak - before) * 1024;
        // What remains in the document is its positions and their indices.
        let name = path.file_name().unwrap_or_default().display();
        println!(
            "{name}: once is {} MiB, the peak {} MiB",
            once / MIB,
            grown / MIB
        );
        let indices = vertices * 4;
        assert!(
            grown < 2 * once + indices + 8 * MIB,
            "{name}: {} MiB for {} MiB",
            grown / MIB,
            once / MIB
        );
        assert_eq!(document.vertex_count(), vertices);
    }
    junk_is_not_read(folder.path());
}

/// Large files with nothing in them: holes that take no room on the disk.
fn junk_is_not_read(folder: &Path) {
    let file = |name: &str, begin: &[u8], length: u64| {
        let path = folder.join(name);
        let mut file = File::create(&path).expect("a file");
        file.write_all(begin).expect("its beginning");
        file.set_len(length).expect("a hole");
        path
    };
    let json = br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":4}],"nodes":[{}]}   "#;
    let mut glb = common::glb::pack(json, &[1; 4]);
    // The BIN chunk is the last: eight bytes of header and four of content.
    let bin = glb.len() - 12;
    let large = 1_u32 << 30;
    glb[bin..bin + 4].copy_from_slice(&large.to_le_bytes());
    let length = bin as u32 + 8 + large;
    glb[8..12].copy_from_slice(&length.to_le_bytes());

    let gib = u64::from(large);
    for (path, expected) in [
        (file("zeros.glb", b"", 3 * gib), "not a GLB"),
        (file("zeros.gltf", b"", 3 * gib), "it begins with"),
        (
            file("brace.gltf", b" {", gib),
            "1073741824 bytes long, more than the 268435456",
        ),
        (file("hole.glb", &glb, length.into()), ""),
    ] {
        reset_peak();
        let before = memory_kib("VmRSS:").expect("told above");
        let outcome = load(&path, &Progress::new());
        let grown = (memory_kib("VmHWM:").expect("told above") - before) * 1024;
        let message = outcome
            .err()
            .map_or(String::new(), |error| error.to_string());
        assert!(message.contains(expected), "{message}");
        assert_eq!(message.is_empty(), expected.is_empty(), "{message}");
        assert!(grown < 8 * MIB, "{}: {} MiB", path.display(), grown / MIB);
    }
}

/// Makes the system forget the largest memory so far (Linux); whether it did.
fn reset_peak() -> bool {
    std::fs::write("/proc/self/clear_refs", "5").is_ok() && memory_kib("VmHWM:").is_some()
}

fn memory_kib(field: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
