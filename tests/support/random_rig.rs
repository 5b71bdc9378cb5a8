//! Random tracks and rigs for property tests.

use std::sync::Arc;

use glam::{EulerRot, Mat4, Quat, Vec3};
use proptest::{collection::vec, option, prelude::*, sample::select};
use rigscope::document::{
    Clip, Document, Joint, JointTracks, Keys, Mesh, MeshInstance, MorphTracks, Skeleton, Track,
};

pub const TARGETS: usize = 3;

pub fn vec3(size: f32) -> impl Strategy<Value = Vec3> {
    [-size..size, -size..size, -size..size].prop_map(Vec3::from_array)
}

pub fn unit_quat() -> impl Strategy<Value = Quat> {
    [-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0]
        .prop_map(Quat::from_array)
        .prop_filter("has a direction", |q| q.length() > 0.1)
        .prop_map(Quat::normalize)
}

/// Key times with uneven gaps.
pub fn times(gaps: std::ops::Range<f32>) -> impl Strategy<Value = Arc<[f32]>> {
    (0.0_f32..0.5, vec(gaps, 0..7)).prop_map(|(start, gaps)| {
        let mut times = vec![start];
        times.extend(gaps.iter().scan(start, |time, gap| {
            *time += gap;
            Some(*time)
        }));
        times.into()
    })
}

/// A track on these times, of any interpolation.
pub fn track_on<T: Clone + std::fmt::Debug + 'static>(
    times: Arc<[f32]>,
    value: impl Strategy<Value = T> + Clone + 'static,
    tangent: impl Strategy<Value = T> + Clone + 'static,
    values_per_key: usize,
) -> impl Strategy<Value = Track<T>> {
    let count = times.len() * values_per_key;
    let (values, tangents) = (vec(value, count), vec((tangent.clone(), tangent), count));
    (values, tangents, 0..3).prop_map(move |(values, tangents, kind)| {
        let (in_tangents, out_tangents) = tangents.into_iter().unzip();
        Track {
            times: times.clone(),
            keys: match kind {
                0 => Keys::Step(values),
                1 => Keys::Linear(values),
                _ => Keys::Cubic {
                    in_tangents,
                    values,
                    out_tangents,
                },
            },
        }
    })
}

fn tangent_quat() -> impl Strategy<Value = Quat> + Clone {
    let range = -2.0_f32..2.0;
    [range.clone(), range.clone(), range.clone(), range].prop_map(Quat::from_array)
}

/// Keys of an unequal kind: unit, off unit length, zero, tiny, huge, or the
/// same as, opposite to or half a turn from a common one.
pub fn wild_quat() -> impl Strategy<Value = Quat> + Clone {
    let common = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5);
    prop_oneof![
        unit_quat(),
        (unit_quat(), 0.5_f32..2.0).prop_map(|(q, length)| q * length),
        Just(common),
        Just(-common),
        Just(Quat::from_xyzw(0.5, 0.5, 0.5, -0.5)),
        Just(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        Just(Quat::from_xyzw(1e-30, 0.0, -1e-30, 0.0)),
        Just(Quat::from_xyzw(1e30, 1e30, 0.0, 0.0)),
    ]
    .boxed()
}

pub fn rotation_track() -> impl Strategy<Value = Track<Quat>> {
    times(0.05..1.5)
        .prop_flat_map(|times| track_on(times, unit_quat().boxed(), tangent_quat().boxed(), 1))
}

pub fn wild_rotation_track() -> impl Strategy<Value = Track<Quat>> {
    times(0.05..1.5)
        .prop_flat_map(|times| track_on(times, wild_quat().boxed(), wild_quat().boxed(), 1))
}

pub fn matrix() -> impl Strategy<Value = Mat4> {
    (vec3(2.0), unit_quat(), vec3(1.5)).prop_map(|(translation, rotation, scale)| {
        let scale = scale + scale.signum() * 0.3;
        Mat4::from_scale_rotation_translation(scale, rotation, translation)
    })
}

fn joint(index: usize) -> impl Strategy<Value = Joint> {
    let parent = if index == 0 {
        Just(None).boxed()
    } else {
        option::weighted(0.9, 0..index).boxed()
    };
    let rest_matrix = option::weighted(0.15, matrix());
    (parent, vec3(2.0), unit_quat(), vec3(0.4), rest_matrix).prop_map(
        move |(parent, translation, orientation, scale, rest_matrix)| Joint {
            name: format!("joint {index}"),
            node: index,
            parent,
            translation,
            orientation,
            rest_rotation: Quat::from_euler(EulerRot::XYZ, 0.1, 0.2, 0.3),
            scale: Vec3::ONE + scale,
            rest_matrix,
        },
    )
}

fn joint_tracks(joint: usize, pool: Vec<Arc<[f32]>>) -> impl Strategy<Value = JointTracks> {
    let pick = move || select(pool.clone());
    let vector = |size| {
        pick().prop_flat_map(move |t| track_on(t, vec3(size).boxed(), vec3(size).boxed(), 1))
    };
    let rotation =
        pick().prop_flat_map(|t| track_on(t, unit_quat().boxed(), tangent_quat().boxed(), 1));
    let matrices = pick().prop_flat_map(|times| {
        vec(matrix(), times.len()).prop_map(move |values| Track {
            times: times.clone(),
            keys: Keys::Linear(values),
        })
    });
    let trs = (
        option::of(vector(2.0)),
        option::weighted(0.8, rotation),
        option::of(vector(0.8)),
    )
        .prop_map(move |(translation, rotation, scale)| JointTracks::Trs {
            joint,
            translation,
            rotation,
            scale,
        });
    let whole = matrices.prop_map(move |matrix| JointTracks::Matrix { joint, matrix });
    prop_oneof![8 => trs, 1 => whole]
}

/// A rig of up to 13 joints with one clip that animates most of them, and a mesh
/// with morph weights on its first node.
pub fn document() -> impl Strategy<Value = Document> {
    let skeleton = (1_usize..14).prop_flat_map(|n| (0..n).map(joint).collect::<Vec<_>>());
    (skeleton, vec(times(0.05..1.0), 1..4)).prop_flat_map(|(joints, pool)| {
        let tracks = (0..joints.len())
            .map(|joint| option::weighted(0.8, joint_tracks(joint, pool.clone())))
            .collect::<Vec<_>>();
        let weight = -1.0_f32..1.0;
        let morph = select(pool)
            .prop_flat_map(move |t| track_on(t, weight.clone(), weight.clone(), TARGETS));
        (Just(joints), tracks, morph).prop_map(|(joints, tracks, weights)| Document {
            skeleton: Skeleton {
                joint_of_node: (0..joints.len()).collect(),
                joints,
            },
            meshes: vec![Mesh::default()],
            instances: vec![MeshInstance {
                joint: 0,
                mesh: 0,
                skin: None,
                in_scene: true,
                morph_weights: vec![0.25; TARGETS],
            }],
            clips: vec![Clip {
                joints: tracks.into_iter().flatten().collect(),
                morphs: vec![MorphTracks {
                    joint: 0,
                    target_count: TARGETS,
                    weights,
                }],
                duration_secs: 4.0,
                ..Clip::default()
            }],
            ..Document::default()
        })
    })
}
