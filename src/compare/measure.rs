//! Two characters in poses of the same time.

use core::iter;
use std::collections::HashMap;

use glam::{DMat3, DQuat, DVec3, Mat3, Mat4};
use rayon::prelude::*;

use super::{Comparison, JointError, Matching, MeshPair, Moment, Options, VertexPairs, times};
use crate::{
    analysis::Watch,
    anim::SkinMatrix,
    document::{Mesh, Primitive},
    math::{Affine, Polar},
    scene::{Character, Poser, VertexRef},
};

/// Moments that one core measures in a row.
const CHUNK: usize = 16;

/// Buffers that are kept from moment to moment.
#[derive(Debug, Default)]
struct Scratch {
    palette_a: Vec<SkinMatrix>,
    palette_b: Vec<SkinMatrix>,
}

/// How far the two are apart in their present poses.
pub fn now(a: &Character, b: &Character, matching: &Matching, vertices: bool) -> Moment {
    let scratch = &mut Scratch::default();
    measure(a, b, matching, vertices, scratch, |_, _, _| {})
}

/// Compares the two over time, on all cores. `None` if `watch` was cancelled.
pub fn over_clip(
    a: &Character,
    b: &Character,
    matching: &Matching,
    options: &Options,
    watch: &Watch,
) -> Option<Comparison> {
    let times = times(a, b, options);
    let chunks = times.secs.par_chunks(CHUNK);
    watch.expect(chunks.len());
    let still = || -> Vec<JointError> {
        let joints = matching.joints.iter();
        joints
            .map(|&(joint, _)| JointError {
                joint,
                ..JointError::default()
            })
            .collect()
    };
    let measured = chunks
        .map_init(
            || (a.clone(), b.clone(), Scratch::default()),
            |(a, b, scratch), times| {
                let mut joints = still();
                let mut moments = Vec::with_capacity(times.len());
                for &time_secs in times {
                    if watch.is_cancelled() {
                        return None;
                    }
                    for side in [&mut *a, &mut *b] {
                        side.player.time_secs = time_secs;
                        side.update();
                    }
                    let each = |pair: usize, angle: f64, position: f64| {
                        let joint = &mut joints[pair];
                        joint.take(&JointError {
                            joint: joint.joint,
                            angle: (angle, time_secs),
                            position: (position, time_secs),
                        });
                    };
                    let vertices = options.vertices;
                    let moment = measure(a, b, matching, vertices, scratch, each);
                    moments.push(moment);
                }
                watch.done();
                Some((moments, joints))
            },
        )
        .reduce(
            || Some((Vec::new(), Vec::new())),
            |before, after| {
                let ((mut moments, mut joints), mut after) = (before?, after?);
                moments.append(&mut after.0);
                if joints.is_empty() {
                    joints = after.1;
                } else {
                    for (joint, other) in joints.iter_mut().zip(&after.1) {
                        joint.take(other);
                    }
                }
                Some((moments, joints))
            },
        );
    let (moments, joints) = measured?;
    Some(Comparison {
        moments,
        joints,
        vertices: if options.vertices {
            matching.vertex_count(&a.document)
        } else {
            0
        },
        left_out: times.left_out,
    })
}

/// World matrices of joints, with the character's place on the stage.
fn worlds(side: &Character) -> impl Fn(usize) -> Affine + '_ {
    let joints = side.globals.affines();
    let placed =
        (side.world_from_model != Mat4::IDENTITY).then(|| Affine::from_mat4(side.world_from_model));
    move |joint| match &placed {
        Some(placed) => placed * &joints[joint],
        None => joints[joint],
    }
}

/// Angle in degrees and distance in world units of every pair of joints, in order.
fn joint_errors<'a>(
    a: &'a Character,
    b: &'a Character,
    matching: &'a Matching,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    let (world_a, world_b) = (worlds(a), worlds(b));
    matching.joints.iter().map(move |&(in_a, in_b)| {
        let (of_a, of_b) = (world_a(in_a), world_b(in_b));
        // Equal to the last bit is equal, whatever rounding does on the way.
        if of_a == of_b {
            return (0.0, 0.0);
        }
        let off = of_a.translation().as_dvec3() - of_b.translation().as_dvec3();
        (angle_between(&of_a, &of_b), off.length())
    })
}

fn measure(
    a: &Character,
    b: &Character,
    matching: &Matching,
    vertices: bool,
    scratch: &mut Scratch,
    mut each: impl FnMut(usize, f64, f64),
) -> Moment {
    let mut moment = Moment {
        time_secs: a.player.time_secs,
        ..Moment::default()
    };
    let (mut angles, mut distances) = (0.0, 0.0);
    for (pair, (angle, distance)) in joint_errors(a, b, matching).enumerate() {
        let (joint, _) = matching.joints[pair];
        moment.angle.take(angle, joint);
        moment.position.take(distance, joint);
        angles += angle;
        distances += distance;
        each(pair, angle, distance);
    }
    let count = matching.joints.len().max(1) as f64;
    (moment.mean_angle, moment.mean_position) = (angles / count, distances / count);
    if !vertices {
        return moment;
    }
    let (mut sum, mut count) = (0.0, 0_usize);
    for pair in &matching.meshes {
        vertex_distances(a, b, pair, scratch, |(primitive, vertex), _, off| {
            let at = VertexRef {
                instance: pair.a,
                primitive,
                vertex,
            };
            moment.vertex.take(off, at);
            sum += off;
            count += 1;
        });
    }
    moment.mean_vertex = sum / count.max(1) as f64;
    moment
}

/// Tells primitive and vertex in A and in B and the distance, world units, of every pair.
fn vertex_distances(
    a: &Character,
    b: &Character,
    pair: &MeshPair,
    scratch: &mut Scratch,
    mut each: impl FnMut((usize, usize), (usize, usize), f64),
) {
    let poser_a = Poser::new(a, pair.a, &mut scratch.palette_a);
    let poser_b = Poser::new(b, pair.b, &mut scratch.palette_b);
    let (mesh_a, mesh_b) = (mesh(a, pair.a), mesh(b, pair.b));
    let mut tell = |at_a: (usize, usize), at_b: (usize, usize)| {
        let place_a = poser_a.place(&mesh_a.primitives[at_a.0], at_a.1);
        let place_b = poser_b.place(&mesh_b.primitives[at_b.0], at_b.1);
        each(at_a, at_b, f64::from((place_a - place_b).length()));
    };
    match &pair.vertices {
        VertexPairs::SameOrder => {
            for (index, primitive) in mesh_a.primitives.iter().enumerate() {
                for vertex in 0..primitive.file_vertex_count {
                    tell((index, vertex), (index, vertex));
                }
            }
        }
        VertexPairs::Nearest(pairs) => {
            let wide = |(primitive, vertex): (u32, u32)| (primitive as usize, vertex as usize);
            for pair in pairs {
                tell(wide(pair.a), wide(pair.b));
            }
        }
    }
}

fn mesh(side: &Character, instance: usize) -> &Mesh {
    &side.document.meshes[side.document.instances[instance].mesh]
}

/// Angle between the rotations nearest to two matrices, degrees; NaN where either is not
/// finite.
fn angle_between(a: &Affine, b: &Affine) -> f64 {
    let rotation = |world: &Affine| -> Option<DQuat> {
        let [x, y, z] = world.rows.map(glam::Vec4::truncate);
        let linear: DMat3 = Mat3::from_cols(x, y, z).transpose().as_dmat3();
        linear.is_finite().then(|| Polar::new(linear).rotation)
    };
    let (Some(a), Some(b)) = (rotation(a), rotation(b)) else {
        return f64::NAN;
    };
    let turn = a.inverse() * b;
    let sine = DVec3::new(turn.x, turn.y, turn.z).length();
    (2.0 * sine.atan2(turn.w.abs())).to_degrees()
}

/// What is measured at each vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Measure {
    /// Distance between the two places of a vertex, world units.
    #[default]
    Distance,
    /// Angle between the two rotations of a vertex's joints, by their weights, degrees.
    Angle,
}

/// The present errors of B's vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VertexErrors {
    /// By B's mesh instance: all vertices of all its primitives, split copies too, in order.
    /// NaN where a vertex has no partner, or a broken pose puts it nowhere. Empty where the
    /// mesh has no partner.
    pub by_instance: Vec<Vec<f32>>,
    /// The largest, and B's vertex.
    pub worst: Option<(f32, VertexRef)>,
}

/// Present errors for each of B's vertices.
pub fn vertex_errors(
    a: &Character,
    b: &Character,
    matching: &Matching,
    measure: Measure,
) -> VertexErrors {
    let mut errors = VertexErrors {
        by_instance: vec![Vec::new(); b.document.instances.len()],
        worst: None,
    };
    let angles = match measure {
        Measure::Distance => Vec::new(),
        Measure::Angle => joint_angles(a, b, matching),
    };
    let mut scratch = Scratch::default();
    for pair in &matching.meshes {
        let mesh = mesh(b, pair.b);
        let mut starts = Vec::with_capacity(mesh.primitives.len());
        let mut values: Vec<f32> = Vec::new();
        for primitive in &mesh.primitives {
            starts.push(values.len());
            values.extend(iter::repeat_n(f32::NAN, primitive.vertex_count()));
        }
        let skin = b.document.instances[pair.b].skin;
        let skin = skin.map(|skin| &b.document.skins[skin].joints);
        let own = b.document.instances[pair.b].joint;
        vertex_distances(a, b, pair, &mut scratch, |_, (primitive, vertex), off| {
            let value = match measure {
                Measure::Distance => off as f32,
                Measure::Angle => {
                    let influences = &mesh.primitives[primitive].influences;
                    match skin {
                        Some(joints) if !influences.is_empty() => {
                            let (mut sum, mut whole) = (0.0, 0.0);
                            let used = influences.of_vertex(vertex);
                            for (slot, weight) in used.filter(|&(_, weight)| weight > 0.0) {
                                sum += weight * angles[joints[usize::from(slot)] as usize];
                                whole += weight;
                            }
                            if whole > 0.0 { sum / whole } else { 0.0 }
                        }
                        _ => angles[own],
                    }
                }
            };
            let place = &mut values[starts[primitive] + vertex];
            // Several of A's may have the same partner.
            *place = place.max(value);
            if errors.worst.is_none_or(|(worst, _)| value > worst) {
                let at = VertexRef {
                    instance: pair.b,
                    primitive,
                    vertex,
                };
                errors.worst = Some((value, at));
            }
        });
        for (primitive, start) in mesh.primitives.iter().zip(starts) {
            fill_copies(primitive, &mut values[start..][..primitive.vertex_count()]);
        }
        errors.by_instance[pair.b] = values;
    }
    errors
}

/// By B's joint, degrees; NaN where a joint has no partner.
fn joint_angles(a: &Character, b: &Character, matching: &Matching) -> Vec<f32> {
    let mut angles = vec![f32::NAN; b.document.skeleton.joints.len()];
    let errors = joint_errors(a, b, matching);
    for (&(_, joint), (angle, _)) in matching.joints.iter().zip(errors) {
        angles[joint] = angle as f32;
    }
    angles
}

/// Gives copies that tangent generation split off the value of a vertex in their place.
fn fill_copies(primitive: &Primitive, values: &mut [f32]) {
    let count = primitive.file_vertex_count;
    if values.len() <= count {
        return;
    }
    let place = |vertex: usize| primitive.positions[vertex].to_array().map(f32::to_bits);
    let known: HashMap<[u32; 3], f32> = (0..count).map(|i| (place(i), values[i])).collect();
    for (vertex, value) in values.iter_mut().enumerate().skip(count) {
        *value = known.get(&place(vertex)).copied().unwrap_or(f32::NAN);
    }
}
