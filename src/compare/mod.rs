//! One character against another, in numbers: by what angle and distance joints differ,
//! by what distance vertices do, where and when.
//!
//! What differs between the two can be anything that [`Character`] has: the file, the clip,
//! the technique, rest against bind pose.

mod matching;

use glam::{DMat3, DQuat, DVec3, Mat3};
use rayon::prelude::*;

pub use matching::{Matching, matching};

use crate::{
    anim::SkinMatrix,
    math::{Affine, Polar},
    scene::{Character, Poser, VertexRef},
};

/// What is compared, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Moments a second; key times and the middles between them come on top, for errors
    /// hide between keys.
    pub rate_hz: f32,
    /// From and to, seconds; the part that both clips have otherwise.
    pub range_secs: Option<[f32; 2]>,
    /// Vertices too, not joints alone.
    pub vertices: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rate_hz: 60.0,
            range_secs: None,
            vertices: true,
        }
    }
}

/// The largest of some numbers, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worst<T> {
    /// Degrees or world units (metres in glTF); 0 where there is nothing to compare.
    pub value: f64,
    /// A's joint index or vertex; `None` where all are equal.
    pub at: Option<T>,
}

impl<T> Default for Worst<T> {
    fn default() -> Self {
        Self {
            value: 0.0,
            at: None,
        }
    }
}

impl<T: Copy> Worst<T> {
    fn take(&mut self, value: f64, at: T) {
        // What is not a number is the worst of all.
        if value > self.value || (value.is_nan() && !self.value.is_nan()) {
            *self = Self {
                value,
                at: Some(at),
            };
        }
    }
}

/// How far two characters are apart at one time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moment {
    /// Seconds on A's clip.
    pub time_secs: f32,
    /// Angle between the world rotations of a joint (polar parts), degrees.
    pub angle: Worst<usize>,
    /// Distance between the places of a joint, world units.
    pub position: Worst<usize>,
    /// Distance between the places of a vertex, world units.
    pub vertex: Worst<VertexRef>,
    /// Over all joints, degrees.
    pub mean_angle: f64,
    /// Over all joints, world units.
    pub mean_position: f64,
    /// Over all vertices, world units; 0 without any.
    pub mean_vertex: f64,
}

/// The worst of one joint over the clip.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JointError {
    /// A's joint index.
    pub joint: usize,
    /// Degrees, and when, seconds.
    pub angle: (f64, f32),
    /// World units, and when, seconds.
    pub position: (f64, f32),
}

/// Two characters over a stretch of time.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// In order of time; at least one.
    pub moments: Vec<Moment>,
    /// Every joint that both have, in A's order.
    pub joints: Vec<JointError>,
    /// How many vertices were compared.
    pub vertices: usize,
}

impl Comparison {
    /// The moment with the largest of something; the first of equals.
    pub fn worst(&self, by: impl Fn(&Moment) -> f64) -> Option<&Moment> {
        let larger = |best: &&Moment, next: &&Moment| {
            let (best, next) = (by(best), by(next));
            next > best || (next.is_nan() && !best.is_nan())
        };
        let mut moments = self.moments.iter();
        let first = moments.next()?;
        Some(moments.fold(
            first,
            |best, next| if larger(&best, &next) { next } else { best },
        ))
    }

    /// The mean of something over all moments.
    pub fn mean(&self, of: impl Fn(&Moment) -> f64) -> f64 {
        self.moments.iter().map(of).sum::<f64>() / self.moments.len().max(1) as f64
    }
}

/// The times at which two clips are compared: in steps of the rate over the part that both
/// have, with all key times and the middles between them.
pub fn times(a: &Character, b: &Character, options: &Options) -> Vec<f32> {
    /// Nobody waits for more.
    const MOST: usize = 100_000;
    let ends = [a, b].map(|side| side.clip().map(|clip| clip.duration_secs));
    let common = match ends {
        [Some(a), Some(b)] => a.min(b),
        [Some(end), None] | [None, Some(end)] => end,
        [None, None] => 0.0,
    };
    let [from, to] = options.range_secs.unwrap_or([0.0, common]);
    let span = (to - from).max(0.0);
    let steps = (f64::from(span) * f64::from(options.rate_hz.max(1e-3))).floor() as usize;
    let rate = options.rate_hz.max(1e-3);
    let mut times: Vec<f32> = (0..=steps.min(MOST))
        .map(|step| (from + step as f32 / rate).min(to))
        .collect();
    let keys = [a, b].into_iter().filter_map(Character::clip);
    let mut keys: Vec<f32> = keys
        .flat_map(|clip| clip.times().flat_map(|times| times.iter().copied()))
        .filter(|time| (from..=to).contains(time))
        .collect();
    keys.push(to);
    keys.sort_unstable_by(f32::total_cmp);
    keys.dedup();
    let middles = keys.windows(2).map(|pair| (pair[0] + pair[1]) * 0.5);
    times.extend(middles.take(MOST));
    times.extend(keys.iter().take(MOST));
    times.sort_unstable_by(f32::total_cmp);
    // Closer together than a tenth of a millisecond is the same moment.
    times.dedup_by(|next, kept| *next - *kept < 1e-4 && *next != to);
    times
}

/// Buffers that are kept from moment to moment.
#[derive(Debug, Default)]
struct Scratch {
    palette_a: Vec<SkinMatrix>,
    palette_b: Vec<SkinMatrix>,
}

/// How far the two are apart in their present poses.
pub fn now(a: &Character, b: &Character, matching: &Matching, vertices: bool) -> Moment {
    measure(
        a,
        b,
        matching,
        vertices,
        &mut Scratch::default(),
        |_, _, _| {},
    )
}

/// Compares the two over time. `is_wanted` is asked now and then; with `false` the rest is
/// left out.
pub fn over_clip(
    a: &Character,
    b: &Character,
    matching: &Matching,
    options: &Options,
    is_wanted: &(dyn Fn() -> bool + Sync),
) -> Comparison {
    let times = times(a, b, options);
    let fresh = || (a.clone(), b.clone(), Scratch::default());
    let measured: Vec<(Moment, Vec<(f64, f64)>)> = times
        .par_iter()
        .map_init(fresh, |(a, b, scratch), &time_secs| {
            if !is_wanted() {
                return (Moment::default(), Vec::new());
            }
            for side in [&mut *a, &mut *b] {
                side.player.time_secs = time_secs;
                side.update();
            }
            let mut joints = vec![(0.0, 0.0); matching.joints.len()];
            let moment = measure(
                a,
                b,
                matching,
                options.vertices,
                scratch,
                |pair, angle, off| {
                    joints[pair] = (angle, off);
                },
            );
            (
                Moment {
                    time_secs,
                    ..moment
                },
                joints,
            )
        })
        .collect();
    let mut joints: Vec<JointError> = (matching.joints.iter())
        .map(|&(joint, _)| JointError {
            joint,
            ..JointError::default()
        })
        .collect();
    for (moment, errors) in &measured {
        for (joint, &(angle, position)) in joints.iter_mut().zip(errors) {
            if angle > joint.angle.0 {
                joint.angle = (angle, moment.time_secs);
            }
            if position > joint.position.0 {
                joint.position = (position, moment.time_secs);
            }
        }
    }
    Comparison {
        moments: measured.into_iter().map(|(moment, _)| moment).collect(),
        joints,
        vertices: if options.vertices {
            matching.vertex_count(&a.document)
        } else {
            0
        },
    }
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
    let (worlds_a, worlds_b) = (a.globals.affines(), b.globals.affines());
    let (mut angles, mut distances) = (0.0, 0.0);
    for (pair, &(joint_a, joint_b)) in matching.joints.iter().enumerate() {
        let (world_a, world_b) = (&worlds_a[joint_a], &worlds_b[joint_b]);
        // Equal to the last bit is equal, whatever rounding does on the way.
        let (angle, distance) = if world_a == world_b {
            (0.0, 0.0)
        } else {
            let off = world_a.translation().as_dvec3() - world_b.translation().as_dvec3();
            (angle_between(world_a, world_b), off.length())
        };
        moment.angle.take(angle, joint_a);
        moment.position.take(distance, joint_a);
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
    for &(in_a, in_b) in &matching.instances {
        let mesh = |side: &Character, instance: usize| side.document.instances[instance].mesh;
        let meshes = (
            &a.document.meshes[mesh(a, in_a)],
            &b.document.meshes[mesh(b, in_b)],
        );
        let poser_a = Poser::new(a, in_a, &mut scratch.palette_a);
        let poser_b = Poser::new(b, in_b, &mut scratch.palette_b);
        let primitives = meshes.0.primitives.iter().zip(&meshes.1.primitives);
        for (primitive, (of_a, of_b)) in primitives.enumerate() {
            for vertex in 0..of_a.file_vertex_count {
                let off = poser_a.place(of_a, vertex) - poser_b.place(of_b, vertex);
                let off = f64::from(off.length());
                moment.vertex.take(
                    off,
                    VertexRef {
                        instance: in_a,
                        primitive,
                        vertex,
                    },
                );
                sum += off;
                count += 1;
            }
        }
    }
    moment.mean_vertex = sum / count.max(1) as f64;
    moment
}

/// Angle between the rotations nearest to two matrices, degrees.
fn angle_between(a: &Affine, b: &Affine) -> f64 {
    let rotation = |world: &Affine| -> DQuat {
        let [x, y, z] = world.rows.map(glam::Vec4::truncate);
        let linear: DMat3 = Mat3::from_cols(x, y, z).transpose().as_dmat3();
        Polar::new(linear).rotation
    };
    let turn = rotation(a).inverse() * rotation(b);
    let sine = DVec3::new(turn.x, turn.y, turn.z).length();
    (2.0 * sine.atan2(turn.w.abs())).to_degrees()
}
