//! The file that most tests start from, and ways to look at the outcome.

use rigscope::{
    document::{Document, Finding, FindingCode, Primitive},
    import::from_glb_bytes,
};
use serde_json::{Value, json};

use crate::common::{
    glb::{Builder, U8, U16},
    validate,
};

/// A quad of two triangles.
pub const QUAD: [f32; 12] = [0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.];

/// A quad on two joints with a clip of one rotation channel:
///
/// nodes 0 `Mesh`, 1 `lower`, 2 `upper` (child of 1) · mesh `Quad` · skin `Rig` ·
/// clip `Bend` · accessors 0 positions, 1 indices, 2 joint slots, 3 weights, 4 inverse
/// bind matrices, 5 key times, 6 rotations.
pub fn rig() -> Builder {
    let mut file = Builder::default();
    file.floats("VEC3", &QUAD);
    file.accessor(U16, "SCALAR", 6, &bytes(&[0_u16, 1, 2, 0, 2, 3]));
    file.accessor(
        U8,
        "VEC4",
        4,
        &[0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    );
    file.floats("VEC4", &[1., 0., 0., 0.].repeat(4));
    let mut matrices = identity();
    matrices.extend(identity());
    matrices[16 + 13] = -1.0;
    file.floats("MAT4", &matrices);
    file.floats("SCALAR", &[0.0, 0.5, 1.0]);
    let half = core::f32::consts::FRAC_1_SQRT_2;
    file.floats(
        "VEC4",
        &[0., 0., 0., 1., 0., 0., half, half, 0., 0., 1., 0.],
    );
    let parts = json!({
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": "Mesh", "mesh": 0, "skin": 0},
            {"name": "lower", "children": [2]},
            {"name": "upper", "translation": [0, 1, 0]}
        ],
        "meshes": [{"name": "Quad", "primitives": [{
            "attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}, "indices": 1
        }]}],
        "skins": [{"name": "Rig", "joints": [1, 2], "inverseBindMatrices": 4}],
        "animations": [{"name": "Bend",
            "samplers": [{"input": 5, "output": 6}],
            "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]
        }]
    });
    for (key, value) in parts.as_object().expect("an object") {
        file.json[key] = value.clone();
    }
    file
}

/// Only a mesh on a node, to be given attributes.
pub fn quad() -> Builder {
    let mut file = rig();
    let root = file.json.as_object_mut().expect("an object");
    for part in ["skins", "animations"] {
        root.remove(part);
    }
    file.json["nodes"] = json!([{"name": "Mesh", "mesh": 0}]);
    file.json["scenes"] = json!([{"nodes": [0]}]);
    *primitive(&mut file) = json!({"attributes": {"POSITION": 0}, "indices": 1});
    file
}

/// JSON of the first primitive.
pub fn primitive(file: &mut Builder) -> &mut Value {
    &mut file.json["meshes"][0]["primitives"][0]
}

/// Adds an attribute to the first primitive.
pub fn attribute(file: &mut Builder, name: &str, accessor: usize) {
    primitive(file)["attributes"][name] = json!(accessor);
}

/// Little-endian bytes of 16-bit numbers.
pub fn bytes(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Sixteen numbers of an identity matrix.
pub fn identity() -> Vec<f32> {
    glam::Mat4::IDENTITY.to_cols_array().to_vec()
}

/// Loads, and checks what every document promises.
#[track_caller]
pub fn load(file: &Builder) -> Document {
    let document = from_glb_bytes("test.glb", &file.glb()).expect("the file loads");
    let violations = validate::violations(&document);
    assert!(violations.is_empty(), "{violations:#?}");
    document
}

/// Loads a file in which nothing is to be found.
#[track_caller]
pub fn load_clean(file: &Builder) -> Document {
    let document = load(file);
    assert_eq!(document.findings, []);
    document
}

/// The message of a file that must be refused; it names the file last.
#[track_caller]
pub fn refusal(file: &Builder) -> String {
    let message = from_glb_bytes("test.glb", &file.glb())
        .expect_err("the file is refused")
        .to_string();
    assert!(message.ends_with(": test.glb"), "{message}");
    message
}

/// Asserts that a text holds all of these.
#[track_caller]
pub fn assert_names(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{text:?} does not hold {word:?}");
    }
}

/// The one finding of a kind.
#[track_caller]
pub fn finding(document: &Document, code: FindingCode) -> &Finding {
    let mut found = document.findings.iter().filter(|f| f.code == code);
    let first = found.next();
    assert!(found.next().is_none(), "more than one {code}");
    first.unwrap_or_else(|| panic!("no {code} in {:#?}", document.findings))
}

/// The first primitive.
pub fn first(document: &Document) -> &Primitive {
    &document.meshes[0].primitives[0]
}
