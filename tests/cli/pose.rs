//! `rigscope pose`.

use super::*;

#[test]
fn json_of_a_small_file_number_by_number() {
    let pose = Bench::new().json(&["pose", "arm.glb", "--time", "1", "--vertices"]);
    let wanted: Value = serde_json::from_str(POSE_JSON).expect("JSON");
    assert_close(&pose, &wanted);
    let keys = |value: &Value| {
        value
            .as_object()
            .map(|o| o.keys().cloned().collect::<Vec<_>>())
    };
    assert_eq!(keys(&pose["nodes"][1]), keys(&wanted["nodes"][1]));
}

#[test]
fn half_way_the_rotation_is_half_and_the_orientation_stays() {
    let pose = Bench::new().json(&["pose", "arm.glb", "--time", "0.5"]);
    let eighth = core::f64::consts::FRAC_PI_8;
    let upper = &pose["nodes"][1];
    assert_close(
        &upper["rotation"],
        &json!([0, 0, eighth.sin(), eighth.cos()]),
    );
    let h = core::f64::consts::FRAC_1_SQRT_2;
    assert_close(&upper["orientation"], &json!([0, h, 0, h]));
    assert!(pose["meshes"][0].get("positions").is_none());
}

#[test]
fn modes_change_the_rotation_and_nothing_stored() {
    let bench = Bench::new();
    let rotation = |mode: &str| {
        let args = ["pose", "arm.glb", "--time", "0.5", "--interpolation", mode];
        let pose = bench.json(&args);
        let q: Vec<f64> =
            serde_json::from_value(pose["nodes"][1]["rotation"].clone()).expect("xyzw");
        (q[2], q[3])
    };
    let length = |(z, w): (f64, f64)| z.hypot(w);
    assert_eq!(rotation("step"), rotation("step"));
    assert!(rotation("step").0.abs() < 1e-6);
    assert!((length(rotation("nlerp")) - 1.0).abs() < 1e-6);
    // 45° apart in quaternion space: the chord's middle is cos 22.5° long.
    let chord = (core::f64::consts::FRAC_PI_4 / 2.0).cos();
    assert!((length(rotation("lerp")) - chord).abs() < 1e-6);
    assert_eq!(rotation("authored"), rotation("slerp"));
}

#[test]
fn rest_and_bind_have_no_clip() {
    let bench = Bench::new();
    for name in ["rest", "bind"] {
        let pose = bench.json(&["pose", "arm.glb", "--clip", name, "--vertices"]);
        assert_eq!((&pose["clip"], &pose["pose"]), (&Value::Null, &json!(name)));
        // Rest and bind agree in this file, so the mesh stands as stored.
        let stored = json!([[0, 0, 0], [0, 2, 0], [0, 1, 0], [0, 0, 1]]);
        assert_close(&pose["meshes"][0]["positions"], &stored);
        let parent_from_upper = &pose["nodes"][1];
        assert_close(&parent_from_upper["translation"], &json!([0, 1, 0]));
        assert_close(&parent_from_upper["rotation"], &json!([0, 0, 0, 1]));
    }
}

#[test]
fn a_bind_pose_apart_from_rest_is_told_relative_to_parents() {
    let bench = Bench::new();
    let mut arm = arm();
    arm.json["nodes"][1]["translation"] = json!([5, 5, 5]);
    fs::write(bench.folder.path().join("off.glb"), arm.glb()).expect("written");
    let pose = bench.json(&["pose", "off.glb", "--clip", "bind"]);
    assert_close(&pose["nodes"][1]["translation"], &json!([0, 1, 0]));
    let rest = bench.json(&["pose", "off.glb", "--clip", "rest"]);
    assert_close(&rest["nodes"][1]["translation"], &json!([5, 5, 5]));
}

#[test]
fn a_mesh_shown_with_and_without_its_skin_is_placed_by_the_node_there() {
    let bench = Bench::new();
    let mut arm = arm();
    let bare = arm.push(
        "nodes",
        json!({"name": "Bare", "mesh": 0, "translation": [0, 0, 7]}),
    );
    arm.json["scenes"][0]["nodes"] = json!([0, 2, bare]);
    fs::write(bench.folder.path().join("twice.glb"), arm.glb()).expect("written");
    let pose = bench.json(&["pose", "twice.glb", "--time", "1", "--vertices"]);
    let stored = json!([[0, 0, 7], [0, 2, 7], [0, 1, 7], [0, 0, 8]]);
    assert_eq!(pose["meshes"][1]["skin"], Value::Null);
    assert_close(&pose["meshes"][1]["positions"], &stored);
    let info = bench.json(&["info", "twice.glb", "--format", "json"]);
    assert_close(&info["bounds"]["max"], &json!([0, 2, 8]));
}

#[test]
fn a_sheared_node_prints_its_matrix_instead() {
    let bench = Bench::new();
    let mut arm = arm();
    let sheared = json!([1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1]);
    arm.json["nodes"][2]["matrix"] = sheared.clone();
    fs::write(bench.folder.path().join("sheared.glb"), arm.glb()).expect("written");
    let node = &bench.json(&["pose", "sheared.glb"])["nodes"][2];
    assert_close(&node["matrix"], &sheared);
    assert_close(&node["world_from_node"], &sheared);
    assert_eq!(
        node.as_object().map(serde_json::Map::len),
        Some(5),
        "{node}"
    );
}

#[test]
fn text_is_a_table() {
    let text = Bench::new().stdout(&["pose", "arm.glb", "--time", "1", "--format", "text"]);
    assert_eq!(text, POSE_TEXT);
}

#[test]
fn every_number_of_a_corpus_file_reads_back_and_is_finite() {
    let Some(shared) = common::shared() else {
        return;
    };
    let bench = Bench::new();
    for name in [
        "gltf/Fox.glb",
        "edge/edge_matrix_nodes.glb",
        "edge/edge_joints_not_in_scene.glb",
    ] {
        let file = shared.join("corpus").join(name);
        let pose = bench.json(&["pose", path(&file), "--time", "0.3", "--vertices"]);
        let nodes = pose["nodes"].as_array().expect("a list");
        for (index, node) in nodes.iter().enumerate() {
            assert_eq!(node["index"], index, "{name}");
            assert!(node["parent"].is_null() || node["parent"].as_u64() < Some(nodes.len() as u64));
        }
        assert!(
            !pose["meshes"].as_array().expect("a list").is_empty(),
            "{name}"
        );
        assert!(all_finite(&pose), "{name}");
    }
}

/// JSON writes what is not finite as null; only these may be null.
fn all_finite(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().all(|v| !v.is_null() && all_finite(v)),
        Value::Object(map) => map.iter().all(|(key, v)| {
            let may_be_null = ["parent", "skin", "clip"].contains(&key.as_str());
            (may_be_null || !v.is_null()) && all_finite(v)
        }),
        _ => true,
    }
}

/// Worked out by hand: `upper` at one second is T(0 1 0) · Ry 90° · Rz 90°.
const POSE_JSON: &str = r#"{
  "file": "arm.glb",
  "clip": {"index": 0, "name": "Bend", "duration_secs": 1},
  "time_secs": 1,
  "nodes": [
    {"index": 0, "name": "Arm", "parent": null,
     "translation": [0,0,0], "orientation": [0,0,0,1], "rotation": [0,0,0,1], "scale": [1,1,1],
     "world_from_node": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]},
    {"index": 1, "name": "upper", "parent": 2,
     "translation": [0,1,0], "orientation": [0,0.70710678,0,0.70710678],
     "rotation": [0,0,0.70710678,0.70710678], "scale": [1,1,1],
     "world_from_node": [0,1,0,0, 0,0,1,0, 1,0,0,0, 0,1,0,1]},
    {"index": 2, "name": "lower", "parent": null,
     "translation": [0,0,0], "orientation": [0,0,0,1], "rotation": [0,0,0,1], "scale": [1,1,1],
     "world_from_node": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}
  ],
  "skins": [
    {"index": 0, "joints": [2,1], "skin_matrices": [
      [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1],
      [1,0,0,0, 0,0,1,0, 0,-1,0,0, 0,1,-1,1]]}
  ],
  "meshes": [
    {"node": 0, "mesh": 0, "primitive": 0, "skin": 0, "vertex_count": 4,
     "bounds": {"min": [0,0,0], "max": [0,1,1]},
     "positions": [[0,0,0], [0,1,1], [0,1,0], [0,0,1]]}
  ]
}"#;

const POSE_TEXT: &str = r#"arm.glb: clip 0 "Bend" at 1 s

node  name     parent  world x  y  z  rotation  axis x  y  z  scale x  y  z
   0  "Arm"         -        0  0  0        0°       1  0  0        1  1  1
   1  "upper"       2        0  1  0       90°       0  0  1        1  1  1
   2  "lower"       -        0  0  0        0°       1  0  0        1  1  1

node 0 shows mesh 0 primitive 0 with skin 0: 4 vertices, from 0 0 0 to 0 1 1
"#;
