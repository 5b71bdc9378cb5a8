//! Small glTF files with something to see and something that moves.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

/// A chain of `joints` nodes with a square on each, turning for a second, with
/// its buffer inside. `version` changes the square's size.
pub fn rig(joints: usize, version: u32) -> String {
    let bytes = buffer(1.0 + version as f32);
    let uri = format!(
        "data:application/octet-stream;base64,{}",
        BASE64_STANDARD.encode(&bytes)
    );
    document(joints, &uri, bytes.len()).to_string()
}

/// The same with its buffer in a file of this name, and the buffer.
pub fn split_rig(joints: usize, buffer_name: &str, size: f32) -> (String, Vec<u8>) {
    let bytes = buffer(size);
    let json = document(joints, buffer_name, bytes.len()).to_string();
    (json, bytes)
}

/// Two triangles, two times, two rotations.
fn buffer(size: f32) -> Vec<u8> {
    let (a, b) = (0.0, 0.4 * size);
    #[rustfmt::skip]
    let corners = [a, a, 0.0,  b, a, 0.0,  b, b, 0.0,  a, a, 0.0,  b, b, 0.0,  a, b, 0.0];
    let times = [0.0, 1.0];
    let turn = std::f32::consts::FRAC_1_SQRT_2;
    let rotations = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, turn, turn];
    corners
        .into_iter()
        .chain(times)
        .chain(rotations)
        .flat_map(f32::to_le_bytes)
        .collect()
}

fn document(joints: usize, uri: &str, byte_length: usize) -> Value {
    let node = |index: usize| {
        let mut node = json!({
            "name": format!("joint{index}"), "mesh": 0, "translation": [0.0, 0.5, 0.0],
        });
        if index + 1 < joints {
            node["children"] = json!([index + 1]);
        }
        node
    };
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": (0..joints).map(node).collect::<Vec<_>>(),
        "materials": [{ "doubleSided": true, "emissiveFactor": [0.8, 0.3, 0.1] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "animations": [{
            "name": "Turn",
            "samplers": [{ "input": 1, "output": 2 }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "rotation" } }],
        }],
        "buffers": [{ "uri": uri, "byteLength": byte_length }],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 72 },
            { "buffer": 0, "byteOffset": 72, "byteLength": 8 },
            { "buffer": 0, "byteOffset": 80, "byteLength": 32 },
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3",
              "min": [0, 0, 0], "max": [2, 2, 0] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR",
              "min": [0], "max": [1] },
            { "bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC4" },
        ],
    })
}
