//! The checked reader: types, strides, sparse data, and what does not fit.

use glam::Vec3;
use serde_json::json;

use crate::{
    common::glb::{Builder, F32, I8, I16, U8, U16, U32},
    fixture::{QUAD, assert_names, attribute, bytes, first, load, load_clean, quad, refusal, rig},
};

/// Positions from an accessor of other numbers.
fn positions(component: u32, normalized: bool, raw: &[u8]) -> Vec<Vec3> {
    let mut file = quad();
    let size =
        [I8, U8].contains(&component) as usize + 2 * [I16, U16].contains(&component) as usize;
    let accessor = file.accessor(component, "VEC3", raw.len() / size / 3, raw);
    file.json["accessors"][accessor]["normalized"] = json!(normalized);
    attribute(&mut file, "POSITION", accessor);
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    first(&load(&file)).positions.clone()
}

#[test]
fn quantised_positions_of_every_type() {
    let signed: Vec<u8> = [-128_i8, -127, 0, 127, 1, 64, 2, 3, 4, 5, 6, 7]
        .map(|v| v as u8)
        .to_vec();
    let values = positions(I8, true, &signed);
    assert_eq!(values[0], Vec3::new(-1.0, -1.0, 0.0));
    assert_eq!(values[1], Vec3::new(127.0, 1.0, 64.0) / 127.0);
    assert_eq!(
        positions(I8, false, &signed)[0],
        Vec3::new(-128.0, -127.0, 0.0)
    );

    let unsigned: Vec<u8> = vec![0, 255, 51, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    assert!(positions(U8, true, &unsigned)[0].abs_diff_eq(Vec3::new(0.0, 1.0, 0.2), 1e-7));
    assert_eq!(
        positions(U8, false, &unsigned)[0],
        Vec3::new(0.0, 255.0, 51.0)
    );

    let words = bytes(&[0x8000, 0x8001, 0x7fff, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(positions(I16, true, &words)[0], Vec3::new(-1.0, -1.0, 1.0));
    assert_eq!(
        positions(I16, false, &words)[0],
        Vec3::new(-32768.0, -32767.0, 32767.0)
    );
    let words = bytes(&[0xffff, 0, 13107, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(positions(U16, true, &words)[0].abs_diff_eq(Vec3::new(1.0, 0.0, 0.2), 1e-7));
    assert_eq!(
        positions(U16, false, &words)[0],
        Vec3::new(65535.0, 0.0, 13107.0)
    );
}

#[test]
fn strides_and_odd_offsets() {
    // Position and two bytes of something else, from an odd byte on.
    let mut raw = vec![9; 3];
    for vertex in QUAD.chunks(3) {
        raw.extend(vertex.iter().flat_map(|v| v.to_le_bytes()));
        raw.extend([7, 7]);
    }
    // The last element needs no padding behind it.
    raw.truncate(raw.len() - 2);
    let mut file = quad();
    let view = file.view(&raw);
    file.json["bufferViews"][view]["byteStride"] = json!(14);
    let accessor = file.push(
        "accessors",
        json!({"bufferView": view, "byteOffset": 3, "componentType": F32, "type": "VEC3", "count": 4}),
    );
    attribute(&mut file, "POSITION", accessor);
    let document = load_clean(&file);
    assert_eq!(first(&document).positions[2], Vec3::new(1.0, 1.0, 0.0));

    file.json["accessors"][accessor]["byteOffset"] = json!(4);
    assert_names(
        &refusal(&file),
        &[
            &format!("accessor {accessor} (POSITION"),
            "58 bytes",
            "57 are",
        ],
    );
}

/// Adds a sparse part that moves vertices 1 and 3.
fn sparse(file: &mut Builder, component: u32, indices: &[u8]) -> serde_json::Value {
    let indices = file.view(indices);
    let values: Vec<u8> = [5.0_f32, 6.0, 7.0, 8.0, 9.0, 10.0]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let values = file.view(&values);
    json!({
        "count": 2,
        "indices": {"bufferView": indices, "componentType": component},
        "values": {"bufferView": values}
    })
}

#[test]
fn sparse_elements_over_a_base_and_over_zeros() {
    for (component, indices) in [
        (U8, vec![1, 3]),
        (U16, bytes(&[1, 3])),
        (U32, vec![1, 0, 0, 0, 3, 0, 0, 0]),
    ] {
        let mut file = quad();
        let part = sparse(&mut file, component, &indices);
        file.json["accessors"][0]["sparse"] = part;
        let positions = first(&load_clean(&file)).positions.clone();
        assert_eq!(positions[1], Vec3::new(5.0, 6.0, 7.0));
        assert_eq!(positions[2], Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(positions[3], Vec3::new(8.0, 9.0, 10.0));

        let accessor = file.json["accessors"][0]
            .as_object_mut()
            .expect("an object");
        accessor.remove("bufferView");
        let positions = first(&load_clean(&file)).positions.clone();
        assert_eq!(positions[0], Vec3::ZERO);
        assert_eq!(positions[1], Vec3::new(5.0, 6.0, 7.0));
    }
}

#[test]
fn broken_sparse_elements() {
    let mut file = quad();
    let part = sparse(&mut file, U8, &[1, 4]);
    file.json["accessors"][0]["sparse"] = part;
    assert_names(
        &refusal(&file),
        &["accessor 0", "sparse index 4", "4 elements"],
    );
    file.json["accessors"][0]["sparse"]["count"] = json!(5);
    assert_names(&refusal(&file), &["accessor 0", "5 sparse", "count of 4"]);
    file.json["accessors"][0]["sparse"]["count"] = json!(3);
    assert_names(
        &refusal(&file),
        &["accessor 0", "sparse indices", "3 bytes"],
    );
    file.json["accessors"][0]["sparse"]["indices"]["componentType"] = json!(F32);
    assert_names(&refusal(&file), &["accessor 0", "sparse indices", "5126"]);
    file.json["accessors"][0]["sparse"] = json!({"count": 1, "indices": {"componentType": U8}});
    assert_names(&refusal(&file), &["accessor 0", "bufferView"]);
}

#[test]
fn ranges_are_checked_before_anything_is_read() {
    let huge = 1_u64 << 62;
    for (path, value, words) in [
        (
            "/accessors/0/count",
            5,
            &["accessor 0", "60 bytes", "48 are"][..],
        ),
        ("/accessors/0/count", huge, &["accessor 0", "unpack to"]),
        ("/accessors/0/byteOffset", huge, &["accessor 0", "48 are"]),
        (
            "/accessors/0/bufferView",
            99,
            &["accessor 0", "bufferView 99"],
        ),
        (
            "/accessors/0/componentType",
            5125,
            &["accessor 0", "UNSIGNED_INT", "FLOAT"],
        ),
        (
            "/accessors/0/componentType",
            7,
            &["accessor 0", "unknown component type 7"],
        ),
        (
            "/bufferViews/0/byteOffset",
            huge,
            &["bufferView 0", "buffer 0"],
        ),
        (
            "/bufferViews/0/byteLength",
            huge,
            &["bufferView 0", "buffer 0"],
        ),
        ("/bufferViews/0/buffer", 3, &["bufferView 0", "buffer 3"]),
        (
            "/bufferViews/0/byteStride",
            8,
            &["bufferView 0", "stride of 8", "12 bytes"],
        ),
        ("/bufferViews/0/byteStride", huge, &["accessor 0", "48 are"]),
        (
            "/accessors/1/componentType",
            5126,
            &["accessor 1", "indices of mesh 0", "FLOAT"],
        ),
        (
            "/accessors/2/componentType",
            5126,
            &["accessor 2", "JOINTS_0", "FLOAT"],
        ),
        (
            "/meshes/0/primitives/0/indices",
            70,
            &["indices of mesh 0", "accessor 70"],
        ),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            70,
            &["POSITION", "accessor 70"],
        ),
        (
            "/skins/0/inverseBindMatrices",
            70,
            &["skin 0 \"Rig\"", "accessor 70"],
        ),
    ] {
        let mut file = rig();
        set(&mut file, path, json!(value));
        let message = refusal(&file);
        assert_names(&message, words);
    }
    let mut file = rig();
    file.json["accessors"][0]["type"] = json!("VEC2");
    assert_names(&refusal(&file), &["accessor 0", "VEC2", "3 components"]);
}

/// Sets a value by JSON pointer, making the last field if it is missing.
fn set(file: &mut Builder, pointer: &str, value: serde_json::Value) {
    let (parent, field) = pointer.rsplit_once('/').expect("a path");
    let parent = file.json.pointer_mut(parent).expect("an object there");
    parent[field] = value;
}

#[test]
fn zeros_without_bytes_are_limited_in_all() {
    let mut file = quad();
    let zeros = json!({"componentType": F32, "type": "VEC3", "count": 20_000_000});
    let targets: Vec<_> = (0..4)
        .map(|_| file.push("accessors", zeros.clone()))
        .collect();
    for &accessor in &targets {
        file.json["accessors"][accessor]["count"] = json!(4);
    }
    file.json["meshes"][0]["primitives"][0]["targets"] = json!(
        targets
            .iter()
            .map(|a| json!({"POSITION": a}))
            .collect::<Vec<_>>()
    );
    assert_eq!(first(&load_clean(&file)).morph_targets.len(), 4);
    file.json["accessors"][targets[0]]["count"] = json!(50_000_000);
    assert_names(&refusal(&file), &["unpack to 600000000 bytes"]);
}

#[test]
fn data_that_nothing_uses_may_be_broken() {
    let mut file = quad();
    let unused = file.floats("VEC3", &QUAD);
    file.json["accessors"][unused]["count"] = json!(100);
    let document = load(&file);
    assert_names(
        &document.findings[0].message,
        &[
            &format!("accessor {unused}"),
            "1200 bytes",
            "nothing uses it",
        ],
    );
    // Matrices that we never read have paddings of their own: not our business.
    file.json["accessors"][unused]["type"] = json!("MAT3");
    load_clean(&file);
}

#[test]
fn a_buffer_that_is_shorter_than_it_says() {
    let mut file = rig();
    file.json["buffers"] = json!([{"byteLength": file.bin.len() + 100}]);
    let (stated, actual) = (file.bin.len() + 100, file.bin.len().next_multiple_of(4));
    assert_names(
        &refusal(&file),
        &["buffer 0", &stated.to_string(), &actual.to_string()],
    );
}
