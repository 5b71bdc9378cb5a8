//! three.js in a Node process, a block of frames on demand.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use glam::{Quat, Vec3};
use rigscope::document::{Document, JointTracks, Track};
use serde_json::{Value, json};

/// A running `three_runtime.mjs`.
pub struct Three {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Three {
    /// Starts it on this rig; says aloud why not where it cannot.
    pub fn start(document: &Document, count: usize, frames: usize) -> Option<Self> {
        match Self::try_start(document, count, frames) {
            Ok(three) => Some(three),
            Err(why) => {
                println!("SKIPPED: no comparison with three.js at {count} characters: {why}");
                None
            }
        }
    }

    fn try_start(document: &Document, count: usize, frames: usize) -> Result<Self, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/three_runtime.mjs");
        let mut child = Command::new("node")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("node does not start ({error})"))?;
        let input = child.stdin.take().ok_or("no pipe to node")?;
        let output = child.stdout.take().ok_or("no pipe from node")?;
        let mut three = Self {
            child,
            input,
            output: BufReader::new(output),
        };
        let mut job = rig(document);
        job["count"] = json!(count);
        job["frames"] = json!(frames);
        let answer = three.ask(&job.to_string()).ok_or("node went away")?;
        match answer.strip_prefix("ready ") {
            Some(sum) => {
                println!("same work: three.js {sum}");
                Ok(three)
            }
            None => Err(answer),
        }
    }

    /// Nanoseconds that one block takes.
    pub fn block(&mut self) -> Option<f64> {
        self.ask("block")?.parse().ok()
    }

    fn ask(&mut self, line: &str) -> Option<String> {
        writeln!(self.input, "{line}").ok()?;
        self.input.flush().ok()?;
        let mut answer = String::new();
        let length = self.output.read_line(&mut answer).ok()?;
        (length > 0).then(|| answer.trim_end().to_owned())
    }
}

impl Drop for Three {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The rig as plain numbers.
fn rig(document: &Document) -> Value {
    let joints = document.skeleton.joints.iter().map(
        |joint| json!({ "parent": joint.parent, "translation": joint.translation.to_array() }),
    );
    let mut tracks = Vec::new();
    for joint in &document.clips[0].joints {
        let JointTracks::Trs {
            joint,
            translation,
            rotation,
            ..
        } = joint
        else {
            continue;
        };
        if let Some(Track { times, keys }) = rotation {
            let values: Vec<f32> = keys.values().iter().flat_map(Quat::to_array).collect();
            tracks.push(track(*joint, "quaternion", times, &values));
        }
        if let Some(Track { times, keys }) = translation {
            let values: Vec<f32> = keys.values().iter().flat_map(Vec3::to_array).collect();
            tracks.push(track(*joint, "position", times, &values));
        }
    }
    let inverse_binds = document.skins[0].joint_from_mesh.iter();
    json!({
        "joints": joints.collect::<Vec<_>>(),
        "tracks": tracks,
        "inverse_binds": inverse_binds.map(glam::Mat4::to_cols_array).collect::<Vec<_>>(),
        "duration": document.clips[0].duration_secs,
    })
}

fn track(joint: usize, path: &str, times: &[f32], values: &[f32]) -> Value {
    json!({ "joint": joint, "path": path, "times": times, "values": values })
}
