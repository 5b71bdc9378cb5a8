//! The command line as a person meets it: whole outputs, exit codes, messages.
#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

mod check;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod failures;
mod info;
mod moving;
mod pose;
mod render;
mod streams;

use std::{
    fs,
    io::Read as _,
    path::Path,
    process::{Command, Output, Stdio},
};

use common::glb::Builder;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with `arm.glb` in it, in which the program runs.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("arm.glb"), arm().glb()).expect("written");
        Self { folder }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.args(args).current_dir(&self.folder);
        command.env_remove("RUST_LOG").env_remove("NODEVICE_SELECT");
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the program starts")
    }

    /// Standard output of a run that must succeed and say nothing else.
    fn stdout(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(text(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        text(&output.stdout)
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.stdout(args)).expect("valid JSON")
    }

    /// The message of a run that must fail with exit code 2 and no result.
    fn failure(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output.stdout), "", "{args:?}");
        text(&output.stderr)
    }

    /// A picture, decoded.
    fn picture(&self, name: &str) -> image::RgbaImage {
        let path = self.folder.path().join(name);
        image::open(&path)
            .unwrap_or_else(|e| panic!("{name}: {e}"))
            .to_rgba8()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Two joints, four vertices. `upper` sits one above `lower`, is turned by 90° about
/// y at rest, and the clip turns it by another 90° about its own z in one second.
fn arm() -> Builder {
    const H: f32 = core::f32::consts::FRAC_1_SQRT_2;
    let mut arm = Builder::default();
    arm.json["asset"]["generator"] = json!("by hand");
    let positions = arm.floats("VEC3", &[0., 0., 0., 0., 2., 0., 0., 1., 0., 0., 0., 1.]);
    arm.json["accessors"][positions]["min"] = json!([0, 0, 0]);
    arm.json["accessors"][positions]["max"] = json!([0, 2, 1]);
    let indices = arm.accessor(common::glb::U16, "SCALAR", 3, &[0, 0, 1, 0, 3, 0]);
    let joints = [[0, 1, 0, 0]; 4].concat();
    let joints = arm.accessor(common::glb::U8, "VEC4", 4, &joints);
    let weights = arm.floats(
        "VEC4",
        &[
            1., 0., 0., 0., 0., 1., 0., 0., 0.5, 0.5, 0., 0., 1., 0., 0., 0.,
        ],
    );
    let inverse_bind = arm.floats(
        "MAT4",
        &[
            1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., // lower
            0., 0., 1., 0., 0., 1., 0., 0., -1., 0., 0., 0., 0., -1., 0., 1., // upper
        ],
    );
    let times = arm.floats("SCALAR", &[0., 1.]);
    arm.json["accessors"][times]["min"] = json!([0]);
    arm.json["accessors"][times]["max"] = json!([1]);
    let rotations = arm.floats("VEC4", &[0., H, 0., H, 0.5, 0.5, 0.5, 0.5]);
    arm.push(
        "meshes",
        json!({"name": "Strip", "primitives": [{
            "attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights},
            "indices": indices, "material": 0,
        }]}),
    );
    arm.push("materials", json!({"name": "Paper"}));
    arm.push("nodes", json!({"name": "Arm", "mesh": 0, "skin": 0}));
    arm.push(
        "nodes",
        json!({"name": "upper", "translation": [0, 1, 0], "rotation": [0, H, 0, H]}),
    );
    arm.push("nodes", json!({"name": "lower", "children": [1]}));
    arm.push(
        "skins",
        json!({"joints": [2, 1], "inverseBindMatrices": inverse_bind}),
    );
    arm.push("scenes", json!({"nodes": [0, 2]}));
    arm.json["scene"] = json!(0);
    arm.push(
        "animations",
        json!({"name": "Bend",
            "samplers": [{"input": times, "output": rotations}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}),
    );
    arm
}

/// Whether two JSON values are the same but for the last digits of numbers.
fn close(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (
                a.as_f64().unwrap_or(f64::NAN),
                b.as_f64().unwrap_or(f64::NAN),
            );
            (a - b).abs() < 1e-6
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| close(a, b)))
        }
        _ => a == b,
    }
}

#[track_caller]
fn assert_close(found: &Value, wanted: &Value) {
    assert!(close(found, wanted), "found  {found}\nwanted {wanted}");
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}
