//! Poses against the right answers in `../shared/oracle`: node matrices, skin
//! matrices and vertices on which two independent programs agree. Every file that
//! needs no decoder we lack, without exceptions.

#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

mod common;

use std::path::Path;

use glam::{DVec3, Mat3, Mat4, Vec3};
use rigscope::{
    anim::{
        Globals, Modes, Pose, SkinMatrix, Weights, deform_by_joint_frames, deform_by_skin_matrices,
        globals, morphed_position, palette, sample,
    },
    document::{Document, MeshInstance, Primitive},
    import::{GltfError, ImportError, Progress, load},
};
use serde_json::Value;

/// Extensions that need a decoder which is not part of the importer.
const DECODERS: [&str; 1] = ["KHR_texture_basisu"];

/// Largest relative difference between two right answers (the folder's README).
const TOLERANCE: f64 = 1e-4;

#[test]
fn poses_agree_with_the_right_answers() {
    let Some(shared) = common::shared() else {
        return;
    };
    let manifest = common::read_json(&shared.join("oracle/manifest.json"));
    let mut tally = Tally::default();
    let mut expected_poses = 0;
    for rig in manifest.as_array().expect("a list of rigs") {
        let name = text(&rig["name"]);
        let path = shared.join(text(&rig["file"]));
        let document = match load(&path, &Progress::new()) {
            Ok(document) => document,
            Err(ImportError::Gltf {
                problem: GltfError::ExtensionsRequired { list, .. },
                ..
            }) if list.iter().any(|e| DECODERS.contains(&e.as_str())) => {
                tally.skipped.push(format!("{name}: {}", list.join(", ")));
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        let poses = pose_files(&shared.join("oracle/poses"), name);
        let stated = rig["poses"].as_u64().expect("a count") as usize;
        assert_eq!(
            poses.len(),
            stated,
            "{name}: poses in the folder and in the manifest"
        );
        expected_poses += stated;
        tally.rigs += 1;
        for pose in &poses {
            check_pose(&document, pose, &mut tally);
        }
    }
    println!(
        "{} rigs, {} poses, {} node matrices, {} skin matrices, {} boxes, {} vertices compared by each route",
        tally.rigs, tally.poses, tally.nodes, tally.skin_matrices, tally.primitives, tally.vertices
    );
    println!(
        "worst relative difference {:.1e} in {}",
        tally.worst, tally.worst_at
    );
    println!("skipped {}:", tally.skipped.len());
    for skipped in &tally.skipped {
        println!("  {skipped}");
    }
    assert_eq!(tally.poses, expected_poses);
    assert_eq!(
        tally.rigs + tally.skipped.len(),
        manifest.as_array().map_or(0, Vec::len)
    );
    assert!(
        tally.failures.is_empty(),
        "{} differences, the first:\n{}",
        tally.failures.len(),
        tally.failures[..tally.failures.len().min(20)].join("\n")
    );
}

#[derive(Default)]
struct Tally {
    rigs: usize,
    poses: usize,
    nodes: usize,
    skin_matrices: usize,
    primitives: usize,
    vertices: usize,
    worst: f64,
    worst_at: String,
    skipped: Vec<String>,
    failures: Vec<String>,
}

impl Tally {
    /// Notes a relative difference.
    fn compare(&mut self, difference: f64, tolerance: f64, place: impl FnOnce() -> String) {
        let is_new_worst = difference > self.worst;
        let is_failure = difference.is_nan() || difference > tolerance;
        if is_new_worst || is_failure {
            let place = place();
            if is_failure {
                self.failures
                    .push(format!("{place}: {difference:.2e} > {tolerance:.2e}"));
            }
            if is_new_worst {
                (self.worst, self.worst_at) = (difference, place);
            }
        }
    }
}

fn pose_files(folder: &Path, name: &str) -> Vec<(String, Value)> {
    let prefix = format!("{name}.clip");
    common::files_below(folder, &["json"])
        .into_iter()
        .filter_map(|path| {
            let file = path.file_name()?.to_str()?.to_owned();
            file.starts_with(&prefix)
                .then(|| (file, common::read_json(&path)))
        })
        .collect()
}

fn check_pose(document: &Document, (file, answer): &(String, Value), tally: &mut Tally) {
    let mut pose = Pose::rest(document);
    let clip = answer["clip"].as_i64().expect("a clip index");
    if let Ok(clip) = usize::try_from(clip) {
        let time_secs = answer["time"].as_f64().expect("a time") as f32;
        let clip = &document.clips[clip];
        sample(clip, document, time_secs, &Modes::default(), &mut pose);
    }
    let mut world = Globals::default();
    globals(&document.skeleton, &pose, &mut world);

    let quaternion_error = answer["notes"]["maxQuatNormDev"].as_f64().unwrap_or(0.0);
    let context = Context {
        file,
        size: answer["scale"]
            .as_f64()
            .expect("the diagonal of the pose's box"),
        tolerance: TOLERANCE + 8.0 * quaternion_error,
        world: &world,
        document,
    };
    let nodes = answer["nodes"].as_array().expect("node matrices");
    assert_eq!(nodes.len(), document.skeleton.joint_of_node.len(), "{file}");
    for (node, matrix) in nodes.iter().enumerate() {
        let joint = document.skeleton.joint_of_node[node];
        context.matrix(world.world(joint), matrix, tally, || format!("node {node}"));
        tally.nodes += 1;
    }
    for skin in answer["skins"].as_array().expect("skins") {
        context.skin(skin, tally);
    }
    for (node, weights) in answer["weights"].as_object().expect("morph weights") {
        let joint = document.skeleton.joint_of_node[node.parse::<usize>().expect("a node")];
        let instance = document.instances.iter().position(|i| i.joint == joint);
        let ours = &pose.morph_weights[instance.expect("a mesh on the node")];
        for (target, weight) in weights.as_array().expect("weights").iter().enumerate() {
            let difference = (f64::from(ours[target]) - weight.as_f64().expect("a number")).abs();
            tally.compare(difference, context.tolerance, || {
                format!("{file}: morph weight {target} of node {node}")
            });
        }
    }
    let rule = text(&answer["notes"]["weightRule"]);
    for primitive in answer["primitives"].as_array().expect("primitives") {
        context.primitive(primitive, rule, &pose, tally);
    }
    tally.poses += 1;
}

struct Context<'a> {
    file: &'a str,
    /// Diagonal of the pose's box.
    size: f64,
    tolerance: f64,
    world: &'a Globals,
    document: &'a Document,
}

impl Context<'_> {
    /// 3×3 blocks over their largest entry, translations over the pose's size.
    fn matrix(&self, ours: Mat4, answer: &Value, tally: &mut Tally, place: impl Fn() -> String) {
        let answer: Vec<f32> = numbers(answer).iter().map(|&n| n as f32).collect();
        let answer = Mat4::from_cols_slice(&answer);
        let (a, b) = (Mat3::from_mat4(ours), Mat3::from_mat4(answer));
        let largest = b.abs().to_cols_array().into_iter().fold(0.0, f32::max);
        let difference = (a - b)
            .abs()
            .to_cols_array()
            .into_iter()
            .fold(0.0, f32::max);
        let relative = if largest > 0.0 {
            difference / largest
        } else {
            difference
        };
        tally.compare(relative.into(), self.tolerance, || {
            format!("{}: {} rotation and scale", self.file, place())
        });
        let difference = (ours.w_axis - answer.w_axis).truncate().abs().max_element();
        tally.compare(f64::from(difference) / self.size, self.tolerance, || {
            format!("{}: {} translation", self.file, place())
        });
    }

    fn skin(&self, answer: &Value, tally: &mut Tally) {
        let index = index(&answer["skin"]);
        let skin = &self.document.skins[index];
        let joints = numbers(&answer["joints"]);
        let mut matrices = Vec::new();
        palette(skin, self.world, &mut matrices);
        assert_eq!(matrices.len(), joints.len(), "{}: skin {index}", self.file);
        for (slot, matrix) in answer["matrices"]
            .as_array()
            .expect("matrices")
            .iter()
            .enumerate()
        {
            let joint = self.document.skeleton.joint_of_node[joints[slot] as usize];
            assert_eq!(
                skin.joints[slot] as usize, joint,
                "{}: skin {index}",
                self.file
            );
            self.matrix(matrices[slot].to_mat4(), matrix, tally, || {
                format!("skin {index} joint {slot}")
            });
            tally.skin_matrices += 1;
        }
    }

    fn primitive(&self, answer: &Value, rule: &str, pose: &Pose, tally: &mut Tally) {
        let [node, mesh, part] = ["node", "mesh", "primitive"].map(|key| index(&answer[key]));
        let place = format!("{}: node {node} mesh {mesh} primitive {part}", self.file);
        let joint = self.document.skeleton.joint_of_node[node];
        let instances = &self.document.instances;
        let at = instances
            .iter()
            .position(|i| i.joint == joint && i.mesh == mesh);
        let at = at.unwrap_or_else(|| panic!("{place} is not shown"));
        let primitive = &self.document.meshes[mesh].primitives[part];
        assert_eq!(
            instances[at].skin.is_some(),
            text(&answer["kind"]) == "skinned",
            "{place}: {}",
            answer["kind"]
        );
        assert_eq!(
            primitive.file_vertex_count,
            index(&answer["count"]),
            "{place}"
        );
        // Where weights sum to 1, both rules must give the answer.
        let rules: &[Weights] = match rule {
            "as stored" => &[Weights::Stored, Weights::Normalized],
            "normalised" => &[Weights::Normalized],
            other => panic!("unknown weight rule {other}"),
        };
        for &weights in rules {
            for (route, positions) in self.routes(&instances[at], primitive, pose, at, weights) {
                let place = format!("{place}, {route}, weights {}", weights.as_str());
                self.positions(&positions, answer, &place, tally);
            }
        }
        tally.primitives += 1;
        tally.vertices += answer["positions"].as_array().map_or(0, Vec::len);
    }

    /// World positions of the file's vertices by both routes.
    fn routes(
        &self,
        instance: &MeshInstance,
        primitive: &Primitive,
        pose: &Pose,
        at: usize,
        weights: Weights,
    ) -> [(&'static str, Vec<Vec3>); 2] {
        let morph = &pose.morph_weights[at];
        let (mut by_matrices, mut by_frames) = (Vec::new(), Vec::new());
        match instance.skin.map(|skin| &self.document.skins[skin]) {
            Some(skin) => {
                let mut matrices: Vec<SkinMatrix> = Vec::new();
                palette(skin, self.world, &mut matrices);
                deform_by_skin_matrices(primitive, &matrices, morph, weights, &mut by_matrices);
                deform_by_joint_frames(
                    primitive,
                    |slot| self.world.world(skin.joints[slot] as usize),
                    &skin.joint_from_mesh,
                    morph,
                    weights,
                    &mut by_frames,
                );
            }
            None => {
                let world = self.world.world(instance.joint);
                by_matrices.extend((0..primitive.vertex_count()).map(|vertex| {
                    world.transform_point3(morphed_position(primitive, vertex, morph))
                }));
                by_frames.clone_from(&by_matrices);
            }
        }
        for positions in [&mut by_matrices, &mut by_frames] {
            positions.truncate(primitive.file_vertex_count);
        }
        [("skin matrices", by_matrices), ("joint frames", by_frames)]
    }

    fn positions(&self, ours: &[Vec3], answer: &Value, place: &str, tally: &mut Tally) {
        let mut point = |ours: DVec3, key: &str, answer: &Value| {
            let answer = DVec3::from_slice(&numbers(answer));
            let difference = (ours - answer).abs().max_element() / self.size;
            tally.compare(difference, self.tolerance, || format!("{place}: {key}"));
        };
        let all = || ours.iter().map(|position| position.as_dvec3());
        let min = all().fold(DVec3::INFINITY, DVec3::min);
        let max = all().fold(DVec3::NEG_INFINITY, DVec3::max);
        point(min, "min", &answer["min"]);
        point(max, "max", &answer["max"]);
        let centroid = all().sum::<DVec3>() / ours.len() as f64;
        point(centroid, "centroid", &answer["centroid"]);
        if answer["kind"] != "rigid" {
            let vertices = numbers(&answer["vertices"]);
            let positions = answer["positions"].as_array().expect("positions");
            assert_eq!(vertices.len(), positions.len(), "{place}");
            for (&vertex, position) in vertices.iter().zip(positions) {
                let vertex = vertex as usize;
                point(
                    ours[vertex].as_dvec3(),
                    &format!("vertex {vertex}"),
                    position,
                );
            }
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn index(value: &Value) -> usize {
    value.as_u64().expect("an index") as usize
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list of numbers");
    list.iter().map(|n| n.as_f64().expect("a number")).collect()
}
