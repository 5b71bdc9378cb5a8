//! Builds small GLB files in code.

use serde_json::{Value, json};

/// A glTF file in the making: JSON plus one buffer that grows.
#[derive(Debug, Clone)]
pub struct Builder {
    /// The JSON, to be changed at will.
    pub json: Value,
    /// Content of buffer 0.
    pub bin: Vec<u8>,
}

/// Numbers of accessor types in glTF.
pub const I8: u32 = 5120;
pub const U8: u32 = 5121;
pub const I16: u32 = 5122;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

impl Default for Builder {
    fn default() -> Self {
        Self {
            json: json!({"asset": {"version": "2.0"}}),
            bin: Vec::new(),
        }
    }
}

impl Builder {
    /// Appends to a top-level array and returns the index.
    pub fn push(&mut self, array: &str, value: Value) -> usize {
        let root = self.json.as_object_mut().expect("the root is an object");
        let list = root.entry(array).or_insert_with(|| json!([]));
        let list = list.as_array_mut().expect("a top-level array");
        list.push(value);
        list.len() - 1
    }

    /// Appends bytes as a buffer view, aligned to four.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.push(
            "bufferViews",
            json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}),
        )
    }

    /// An accessor over bytes of its own.
    pub fn accessor(&mut self, component: u32, kind: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": component, "type": kind, "count": count}),
        )
    }

    /// An accessor of floats; the count follows from the type.
    pub fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("unknown type {other}"),
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(F32, kind, values.len() / width, &bytes)
    }

    /// The JSON with its buffer described, as a GLB.
    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json.get("buffers").is_none() && !self.bin.is_empty() {
            json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        }
        pack(&serde_json::to_vec(&json).expect("JSON"), &self.bin)
    }
}

/// A GLB of JSON text and binary content.
pub fn pack(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, content, fill) in [(b"JSON", json, b' '), (b"BIN\0", bin, 0)] {
        if content.is_empty() {
            continue;
        }
        let padded = content.len().next_multiple_of(4);
        glb.extend_from_slice(&(padded as u32).to_le_bytes());
        glb.extend_from_slice(kind);
        glb.extend_from_slice(content);
        glb.resize(glb.len() + padded - content.len(), fill);
    }
    let length = (glb.len() as u32).to_le_bytes();
    glb[8..12].copy_from_slice(&length);
    glb
}
