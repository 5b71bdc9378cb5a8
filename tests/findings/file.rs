//! The file that the tests start from: a rig in which nothing is to be found.

use glam::{Mat4, Quat, Vec3};
use serde_json::json;

use crate::common::glb::{Builder, U8, U16};

/// Node indices of [`arm`].
pub const MESH: usize = 0;
pub const LOWER: usize = 1;
pub const UPPER: usize = 2;

/// An upright strip, 2 m high, on two joints, without a clip:
///
/// nodes 0 `Mesh`, 1 `lower`, 2 `upper` (1 m above 1, its child) · mesh `Strip` · skin
/// `Rig` · accessors 0 positions, 1 indices, 2 joint slots, 3 weights, 4 inverse bind
/// matrices.
pub fn arm() -> Builder {
    let mut file = Builder::default();
    let (low, high) = (-0.1, 0.1);
    file.floats(
        "VEC3",
        &[
            low, 0., 0., high, 0., 0., low, 1., 0., high, 1., 0., low, 2., 0., high, 2., 0.,
        ],
    );
    let indices = [0_u16, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4];
    let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
    file.accessor(U16, "SCALAR", indices.len(), &bytes);
    file.accessor(U8, "VEC4", 6, &[0, 1, 0, 0].repeat(6));
    let weights = [
        [1.0, 0.0],
        [1.0, 0.0],
        [0.5, 0.5],
        [0.5, 0.5],
        [0.0, 1.0],
        [0.0, 1.0],
    ];
    let weights = weights.map(|[a, b]| [a, b, 0.0, 0.0]);
    file.floats("VEC4", weights.as_flattened());
    let matrices = [Mat4::IDENTITY, Mat4::from_translation(-Vec3::Y)];
    file.floats("MAT4", matrices.map(|m| m.to_cols_array()).as_flattened());
    let parts = json!({
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": "Mesh", "mesh": 0, "skin": 0},
            {"name": "lower", "children": [2]},
            {"name": "upper", "translation": [0, 1, 0]}
        ],
        "meshes": [{"name": "Strip", "primitives": [{
            "attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}, "indices": 1
        }]}],
        "skins": [{"name": "Rig", "joints": [1, 2], "inverseBindMatrices": 4}]
    });
    for (key, value) in parts.as_object().expect("an object") {
        file.json[key] = value.clone();
    }
    file
}

/// [`arm`] with a clip `Bend` of one second that keys both joints, begins at 0 and ends
/// as it began.
pub fn bending_arm() -> Builder {
    let mut file = arm();
    animate(
        &mut file,
        "Bend",
        &[lower(), rotation(UPPER, 0.5, &turns(&[0., 30., 0.]))],
    );
    file
}

/// A channel with key times of its own.
#[derive(Debug, Clone)]
pub struct Channel {
    pub node: usize,
    pub path: &'static str,
    pub interpolation: &'static str,
    pub times: Vec<f32>,
    /// Components of an output element: 4 for rotations, 3, or 1 for weights.
    pub width: usize,
    pub values: Vec<f32>,
}

/// The smallest clip: adds one with these channels; returns its index.
pub fn animate(file: &mut Builder, name: &str, channels: &[Channel]) -> usize {
    let (mut samplers, mut list) = (Vec::new(), Vec::new());
    for (number, channel) in channels.iter().enumerate() {
        let kind = ["SCALAR", "", "VEC3", "VEC4"][channel.width - 1];
        let input = file.floats("SCALAR", &channel.times);
        let output = file.floats(kind, &channel.values);
        samplers.push(json!({
            "input": input, "output": output, "interpolation": channel.interpolation
        }));
        list.push(json!({
            "sampler": number, "target": {"node": channel.node, "path": channel.path}
        }));
    }
    file.push(
        "animations",
        json!({"name": name, "samplers": samplers, "channels": list}),
    )
}

/// A LINEAR rotation channel with a key every `step_secs` from 0 on.
pub fn rotation(node: usize, step_secs: f32, keys: &[Quat]) -> Channel {
    Channel {
        node,
        path: "rotation",
        interpolation: "LINEAR",
        times: (0..keys.len()).map(|key| key as f32 * step_secs).collect(),
        width: 4,
        values: keys.iter().flat_map(Quat::to_array).collect(),
    }
}

/// A LINEAR translation or scale channel with a key every `step_secs` from 0 on.
pub fn vector(node: usize, path: &'static str, step_secs: f32, keys: &[Vec3]) -> Channel {
    Channel {
        node,
        path,
        interpolation: "LINEAR",
        times: (0..keys.len()).map(|key| key as f32 * step_secs).collect(),
        width: 3,
        values: keys.iter().flat_map(Vec3::to_array).collect(),
    }
}

/// Rotations about Z by these angles, all in one hemisphere up to a turn.
pub fn turns(degrees: &[f32]) -> Vec<Quat> {
    let turn = |degrees: &f32| Quat::from_rotation_z(degrees.to_radians());
    degrees.iter().map(turn).collect()
}

/// A plain motion of `lower`, for clips that are about `upper`.
pub fn lower() -> Channel {
    rotation(LOWER, 0.5, &turns(&[0., 10., 0.]))
}
