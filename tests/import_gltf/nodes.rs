//! Hierarchy, transforms, scenes, cameras.

use glam::{EulerRot, Mat4, Quat, Vec3};
use rigscope::document::{FindingCode, Projection, Severity};
use serde_json::{Value, json};

use crate::{
    common::glb::Builder,
    fixture::{assert_names, finding, load, load_clean, quad, refusal, rig},
};

fn nodes(nodes: Value) -> Builder {
    let mut file = Builder::default();
    file.json["nodes"] = nodes;
    file
}

#[test]
fn parents_come_first_and_subtrees_stay_together() {
    let document = load_clean(&nodes(json!([
        {"name": "leaf"},
        {"name": "hand", "children": [0]},
        {"name": "other root"},
        {"name": "root", "children": [5, 1]},
        {"name": "last"},
        {"name": "foot"}
    ])));
    let skeleton = &document.skeleton;
    let names: Vec<_> = skeleton.joints.iter().map(|j| j.name.as_str()).collect();
    assert_eq!(
        names,
        ["other root", "root", "foot", "hand", "leaf", "last"]
    );
    let parents: Vec<_> = skeleton.joints.iter().map(|j| j.parent).collect();
    assert_eq!(parents, [None, None, Some(1), Some(1), Some(3), None]);
    assert_eq!(skeleton.joint_of_node, [4, 3, 0, 1, 5, 2]);
}

#[test]
fn names_are_kept_exactly() {
    let names = ["a/b\tc\"d\"", "  ", "骨", "a", "a", ""];
    let list: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
    let document = load_clean(&nodes(json!(list)));
    let kept: Vec<_> = document.skeleton.joints.iter().map(|j| &j.name).collect();
    assert_eq!(kept, names);
    assert_eq!(document.skeleton.joints[5].label(), "node 5");
}

#[test]
fn a_chain_of_100_000_nodes() {
    let count = 100_000;
    let list: Vec<_> = (0..count)
        .map(|i| {
            if i + 1 < count {
                json!({"children": [i + 1]})
            } else {
                json!({})
            }
        })
        .collect();
    let document = load_clean(&nodes(json!(list)));
    assert_eq!(document.skeleton.joints.len(), count);
    // Backwards, so that children come before their parents in the file.
    let list: Vec<_> = (0..count)
        .map(|i| {
            if i > 0 {
                json!({"children": [i - 1]})
            } else {
                json!({})
            }
        })
        .collect();
    let document = load_clean(&nodes(json!(list)));
    assert_eq!(document.skeleton.joints[count - 1].node, 0);
}

#[test]
fn broken_hierarchies_name_the_nodes() {
    let refused = |list: Value| refusal(&nodes(list));
    assert_names(
        &refused(json!([{"children": [1]}, {"name": "b", "children": [2]}, {"children": [1]}])),
        &["node 1 \"b\"", "both node 0 and node 2"],
    );
    assert_names(
        &refused(json!([{}, {"name": "b", "children": [2]}, {"name": "c", "children": [1]}])),
        &["cycle", "node 1 \"b\"", "node 2 \"c\"", "(2 nodes)"],
    );
    assert_names(
        &refused(json!([{"name": "a", "children": [0]}])),
        &["node 0 \"a\"", "own child"],
    );
    assert_names(
        &refused(json!([{"name": "a", "children": [4]}])),
        &["node 0 \"a\"", "node 4"],
    );
    // A long cycle does not fill the screen.
    let long: Vec<_> = (0..1000)
        .map(|i| json!({"children": [(i + 1) % 1000]}))
        .collect();
    let message = refused(json!(long));
    assert_names(&message, &["(1000 nodes)", "…"]);
    assert!(message.len() < 300, "{message}");
}

#[test]
fn a_child_listed_twice_is_one_child() {
    let document = load(&nodes(json!([{"children": [1, 1]}, {}])));
    assert_eq!(document.skeleton.children(), [vec![1], vec![]]);
    assert_names(
        &finding(&document, FindingCode::NodeInvalid).message,
        &["node 0", "node 1", "twice"],
    );
}

#[test]
fn transforms_by_parts() {
    let turn = Quat::from_euler(EulerRot::XYZ, 0.3, 0.2, -0.9);
    let document = load_clean(&nodes(json!([
        {"translation": [1, 2, 3], "rotation": turn.to_array(), "scale": [-1, 0, 2]}, {}
    ])));
    let joint = &document.skeleton.joints[0];
    assert_eq!(joint.translation, Vec3::new(1.0, 2.0, 3.0));
    assert!(joint.orientation.abs_diff_eq(turn, 1e-6));
    assert_eq!(joint.rest_rotation, Quat::IDENTITY);
    assert_eq!(joint.scale, Vec3::new(-1.0, 0.0, 2.0));
    assert_eq!(document.skeleton.joints[1].rest_mat4(), Mat4::IDENTITY);
}

#[test]
fn transforms_by_matrix() {
    let matrix = Mat4::from_scale_rotation_translation(
        Vec3::new(2.0, -3.0, 0.5),
        Quat::from_rotation_y(1.0),
        Vec3::new(1.0, 2.0, 3.0),
    );
    let sheared = matrix
        * Mat4::from_cols_array(&[
            1., 0., 0., 0., 0.7, 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.,
        ]);
    let document = load(&nodes(json!([
        {"matrix": matrix.to_cols_array()},
        {"name": "bent", "matrix": sheared.to_cols_array()},
        {"name": "flat", "matrix": vec![0; 16]},
        {"name": "rounded", "matrix": matrix.to_cols_array().map(|v| (v * 1e4).round() / 1e4)},
    ])));
    let joints = &document.skeleton.joints;
    assert_eq!(joints[0].rest_matrix, None);
    assert!(joints[0].rest().to_mat4().abs_diff_eq(matrix, 1e-5));
    assert!(joints[1].rest_mat4().abs_diff_eq(sheared, 1e-6));
    // Beside it the nearest transform: the lengths of the axes, mirrored.
    let scale = joints[1].scale;
    assert!(
        scale
            .abs()
            .abs_diff_eq(Vec3::new(2.0, 1.4_f32.hypot(3.0), 0.5), 1e-5)
    );
    assert!(scale.x * scale.y * scale.z < 0.0);
    assert_eq!(joints[2].rest_mat4().col(3), glam::Vec4::W);
    let about = |node: usize| {
        document
            .findings
            .iter()
            .filter(move |f| f.node == Some(node))
    };
    assert_eq!(about(0).count(), 0);
    assert_names(
        &about(1).next().expect("a finding").message,
        &["node 1 \"bent\"", "sheared"],
    );
    assert_eq!(about(2).count(), 2);
    // Written with few digits: kept as it is, without a word.
    assert_eq!(about(3).count(), 0);
    assert!(joints[3].rest_matrix.is_some());
    assert!(joints[3].rest().to_mat4().abs_diff_eq(matrix, 1e-3));
}

#[test]
fn broken_transforms_become_usable() {
    // Numbers beyond the range of f32 become infinite.
    let document = load(&nodes(json!([
        {"name": "a", "translation": [1e300, 0, 0]},
        {"name": "b", "scale": [1, 1e300, 1]},
        {"name": "c", "rotation": [0, 0, 0, 0]},
        {"name": "d", "rotation": [0, 0, 2, 0]},
        {"name": "e", "rotation": [1e300, 0, 0, 0]},
        {"name": "f", "matrix": [1e300, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]},
    ])));
    let joints = &document.skeleton.joints;
    assert_eq!(joints[0].translation, Vec3::ZERO);
    assert_eq!(joints[1].scale, Vec3::ONE);
    assert_eq!(joints[2].orientation, Quat::IDENTITY);
    assert_eq!(joints[3].orientation, Quat::from_xyzw(0.0, 0.0, 1.0, 0.0));
    assert_eq!(joints[4].orientation, Quat::IDENTITY);
    assert_eq!(joints[5].rest_mat4(), Mat4::IDENTITY);
    for (node, name) in ["a", "b", "c", "d", "e", "f"].iter().enumerate() {
        let about: Vec<_> = document
            .findings
            .iter()
            .filter(|f| f.node == Some(node))
            .collect();
        assert_eq!(about.len(), 1, "{name}");
        assert_names(&about[0].message, &[&format!("node {node} \"{name}\"")]);
        assert!(about[0].severity >= Severity::Warning);
    }
}

#[test]
fn only_the_default_scene_is_shown() {
    let shown = |scene: Value, scenes: Value| {
        let mut file = quad();
        file.json["nodes"] = json!([
            {"mesh": 0}, {"children": [2]}, {"mesh": 0}, {"mesh": 0, "children": [4]}, {"mesh": 0}
        ]);
        file.json["scenes"] = scenes;
        file.json["scene"] = scene;
        let document = load(&file);
        let nodes: Vec<_> = document
            .instances
            .iter()
            .filter(|i| i.in_scene)
            .map(|i| document.skeleton.joints[i.joint].node)
            .collect();
        assert_eq!(document.instances.len(), 4);
        (nodes, document.findings.len())
    };
    let scenes = json!([{"nodes": [0]}, {"nodes": [1, 3]}]);
    assert_eq!(shown(json!(1), scenes.clone()), (vec![2, 3, 4], 0));
    assert_eq!(shown(Value::Null, scenes.clone()), (vec![0], 0));
    assert_eq!(shown(Value::Null, json!([])), (vec![0, 2, 3, 4], 0));
    // A scene that is not there: everything, with a word about it.
    assert_eq!(shown(json!(7), scenes), (vec![0, 2, 3, 4], 1));
    assert_eq!(shown(json!(0), json!([{"nodes": [0, 70]}])), (vec![0], 1));
}

#[test]
fn references_to_nothing_are_dropped() {
    let mut file = rig();
    file.json["nodes"][0]["skin"] = json!(5);
    file.json["nodes"][1]["mesh"] = json!(6);
    file.json["nodes"][2]["camera"] = json!(7);
    let document = load(&file);
    assert_eq!(document.instances.len(), 1);
    assert_eq!(document.instances[0].skin, None);
    let messages: Vec<_> = document
        .findings
        .iter()
        .map(|f| f.message.as_str())
        .collect();
    for words in [
        ["\"Mesh\"", "skin 5"],
        ["\"lower\"", "mesh 6"],
        ["\"upper\"", "camera 7"],
    ] {
        assert!(
            messages.iter().any(|m| words.iter().all(|w| m.contains(w))),
            "{words:?} in {messages:#?}"
        );
    }
}

#[test]
fn cameras() {
    let mut file = nodes(json!([
        {"camera": 0}, {"camera": 1}, {"camera": 2}, {"camera": 1, "translation": [0, 0, 5]}
    ]));
    file.json["cameras"] = json!([
        {"name": "lens", "type": "perspective",
         "perspective": {"yfov": 0.8, "znear": 0.1, "aspectRatio": 1.5}},
        {"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 1, "znear": 0, "zfar": 10}},
        {"name": "odd", "type": "perspective", "perspective": {"yfov": 0, "znear": 0.1}}
    ]);
    let document = load(&file);
    assert_eq!(document.cameras.len(), 3);
    assert_eq!(document.cameras[0].name, "lens");
    assert_eq!(
        document.cameras[0].projection,
        Projection::Perspective {
            yfov_radians: 0.8,
            aspect: Some(1.5),
            near: 0.1,
            far: None
        }
    );
    assert_eq!(
        document.cameras[2].projection,
        Projection::Orthographic {
            xmag: 2.0,
            ymag: 1.0,
            near: 0.0,
            far: 10.0
        }
    );
    assert_eq!(document.cameras[2].joint, 3);
    assert_names(
        &finding(&document, FindingCode::ReferenceInvalid).message,
        &["camera 2 \"odd\"", "node 2"],
    );
}
