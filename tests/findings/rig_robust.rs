//! Numbers at the edge of what a file can hold.

use serde_json::json;

use crate::{
    asserts::{findings, load},
    file::{LOWER, UPPER, animate, arm, lower, rotation, turns, vector},
    rig::{inverse_binds, node},
};

#[test]
fn endless_scales_and_distances_give_findings_without_nonsense() {
    for size in [1e-30_f32, 1e-12, 1e12, 1e17] {
        let mut file = arm();
        for index in [LOWER, UPPER] {
            node(&mut file, index)["scale"] = json!([size, 1.0, size]);
            node(&mut file, index)["translation"] = json!([0.0, size, 0.0]);
            node(&mut file, index)["rotation"] = json!([0.0, 0.0, 0.6, 0.8]);
        }
        let end = file.push(
            "nodes",
            json!({"name": "end", "scale": [size, size, -size]}),
        );
        node(&mut file, UPPER)["children"] = json!([end]);
        file.json["skins"][0]["joints"] = json!([LOWER, UPPER, end]);
        let far = glam::Mat4::from_scale(glam::Vec3::splat(size));
        inverse_binds(&mut file, &[far; 3]);
        let keys = [glam::Vec3::splat(size), glam::Vec3::new(1.0, -size, 0.0)];
        animate(
            &mut file,
            "Endless",
            &[
                lower(),
                vector(LOWER, "scale", 0.5, &keys),
                rotation(UPPER, 0.5, &turns(&[0., 45., 90.])),
            ],
        );
        for finding in findings(&load(&file)) {
            let (message, values) = (&finding.message, &finding.values);
            assert!(!message.contains("NaN"), "{size}: {message}");
            assert!(
                values.iter().all(|(_, value)| !value.is_nan()),
                "{size}: {finding:#?}"
            );
        }
    }
}
