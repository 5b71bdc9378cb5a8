//! A comparison as JSON. What is not a number is `null`.

use serde::Serialize;

use super::{CompareArgs, Compared, source_name};
use crate::{compare::Moment, scene::Character};

impl Compared {
    pub(super) fn json(&self, args: &CompareArgs, failures: &[String]) -> CompareJson {
        let comparison = &self.comparison;
        let side = |index: usize, side: &Character| SideJson {
            file: self.names[index].clone(),
            source: source_name(side),
            duration_secs: side.clip().map(|clip| clip.duration_secs),
            changes: self.specs[index].clone(),
        };
        let node = |joint: usize| self.a.document.skeleton.joints[joint].node;
        let angle = comparison.worst(|m| m.angle.value);
        let position = comparison.worst(|m| m.position.value);
        let vertex = comparison.worst(|m| m.vertex.value);
        let place = |moment: Option<&Moment>, value: f64, joint: Option<usize>| WorstJson {
            value,
            node: joint.map(node),
            name: joint.map(|joint| self.joint_name(joint)),
            time_secs: moment.map(|m| m.time_secs),
            ..WorstJson::default()
        };
        let worst_vertex = vertex.map(|m| m.vertex).unwrap_or_default();
        CompareJson {
            a: side(0, &self.a),
            b: side(1, &self.b),
            joints: self.matching.joints.len(),
            vertices: comparison.vertices,
            moments: comparison.moments.len(),
            from_secs: comparison.moments.first().map_or(0.0, |m| m.time_secs),
            to_secs: comparison.moments.last().map_or(0.0, |m| m.time_secs),
            equal: self.is_equal() && self.matching.is_whole(),
            only_a: self
                .matching
                .only_a
                .iter()
                .map(|&joint| self.joint_name(joint))
                .collect(),
            only_b: (self.matching.only_b.iter())
                .map(|&joint| self.b.document.skeleton.joints[joint].label())
                .collect(),
            not_compared: self.matching.left_out.clone(),
            worst_angle_deg: place(
                angle,
                angle.map_or(0.0, |m| m.angle.value),
                angle.and_then(|m| m.angle.at),
            ),
            worst_position_m: place(
                position,
                position.map_or(0.0, |m| m.position.value),
                position.and_then(|m| m.position.at),
            ),
            worst_vertex_m: WorstJson {
                value: worst_vertex.value,
                time_secs: vertex.map(|m| m.time_secs),
                node: worst_vertex
                    .at
                    .map(|at| node(self.a.document.instances[at.instance].joint)),
                primitive: worst_vertex.at.map(|at| at.primitive),
                vertex: worst_vertex.at.map(|at| at.vertex),
                name: None,
            },
            mean_angle_deg: comparison.mean(|m| m.mean_angle),
            mean_position_m: comparison.mean(|m| m.mean_position),
            mean_vertex_m: comparison.mean(|m| m.mean_vertex),
            exceeded: failures.to_vec(),
            worst_joints: (self.worst_joints(args.limit).into_iter())
                .map(|error| JointJson {
                    node: node(error.joint),
                    name: self.joint_name(error.joint),
                    angle_deg: error.angle.0,
                    angle_time_secs: error.angle.1,
                    position_m: error.position.0,
                    position_time_secs: error.position.1,
                })
                .collect(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct CompareJson {
    a: SideJson,
    b: SideJson,
    joints: usize,
    vertices: usize,
    moments: usize,
    from_secs: f32,
    to_secs: f32,
    equal: bool,
    only_a: Vec<String>,
    only_b: Vec<String>,
    not_compared: Vec<String>,
    worst_angle_deg: WorstJson,
    worst_position_m: WorstJson,
    worst_vertex_m: WorstJson,
    mean_angle_deg: f64,
    mean_position_m: f64,
    mean_vertex_m: f64,
    exceeded: Vec<String>,
    worst_joints: Vec<JointJson>,
}

#[derive(Serialize)]
struct SideJson {
    file: String,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_secs: Option<f32>,
    changes: String,
}

#[derive(Serialize, Default)]
struct WorstJson {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_secs: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    primitive: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertex: Option<usize>,
}

#[derive(Serialize)]
struct JointJson {
    node: usize,
    name: String,
    angle_deg: f64,
    angle_time_secs: f32,
    position_m: f64,
    position_time_secs: f32,
}
