//! The fixed yardstick: what one writes with glam on a first afternoon. A binary
//! search per track, `Quat::slerp`, a `Mat4` hierarchy, `Mat4` skin matrices. It is
//! not to be improved: targets are ratios to it.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use rigscope::document::{Document, JointTracks, Track};

/// A rig with a clip, shared by all characters.
pub struct Rig {
    joints: Vec<Joint>,
    inverse_binds: Vec<Mat4>,
}

struct Joint {
    parent: Option<usize>,
    translation: Vec3,
    rotation: Quat,
    scale: Vec3,
    translation_keys: Option<Keys<Vec3>>,
    rotation_keys: Option<Keys<Quat>>,
}

struct Keys<T> {
    times: Arc<[f32]>,
    values: Vec<T>,
}

/// One character's buffers.
#[derive(Default)]
pub struct Character {
    pub time_secs: f32,
    locals: Vec<(Vec3, Quat, Vec3)>,
    worlds: Vec<Mat4>,
    pub skin_matrices: Vec<Mat4>,
}

impl<T: Copy> Keys<T> {
    fn of(track: &Option<Track<T>>) -> Option<Self> {
        track.as_ref().map(|track| Self {
            times: track.times.clone(),
            values: track.keys.values().to_vec(),
        })
    }

    fn sample(&self, time_secs: f32, blend: impl Fn(T, T, f32) -> T) -> T {
        let after = self.times.partition_point(|&t| t <= time_secs);
        if after == 0 {
            return self.values[0];
        }
        if after == self.times.len() {
            return self.values[after - 1];
        }
        let (start, end) = (self.times[after - 1], self.times[after]);
        let u = (time_secs - start) / (end - start);
        blend(self.values[after - 1], self.values[after], u)
    }
}

impl Character {
    /// At a time of its own.
    pub fn at(time_secs: f32) -> Self {
        Self {
            time_secs,
            ..Self::default()
        }
    }
}

impl Rig {
    pub fn new(document: &Document) -> Self {
        let clip = &document.clips[0];
        let joints = document.skeleton.joints.iter().enumerate();
        let joints = joints.map(|(index, joint)| {
            let (translation_keys, rotation_keys) = match clip.joint_tracks(index) {
                Some(JointTracks::Trs {
                    translation,
                    rotation,
                    ..
                }) => (Keys::of(translation), Keys::of(rotation)),
                _ => (None, None),
            };
            let rest = joint.rest();
            Joint {
                parent: joint.parent,
                translation: rest.translation,
                rotation: rest.rotation,
                scale: rest.scale,
                translation_keys,
                rotation_keys,
            }
        });
        Self {
            joints: joints.collect(),
            inverse_binds: document.skins[0].joint_from_mesh.clone(),
        }
    }

    pub fn update(&self, character: &mut Character) {
        let Character {
            time_secs,
            locals,
            worlds,
            skin_matrices,
        } = character;
        locals.clear();
        for joint in &self.joints {
            let translation = match &joint.translation_keys {
                Some(keys) => keys.sample(*time_secs, Vec3::lerp),
                None => joint.translation,
            };
            let rotation = match &joint.rotation_keys {
                Some(keys) => keys.sample(*time_secs, Quat::slerp),
                None => joint.rotation,
            };
            locals.push((translation, rotation, joint.scale));
        }
        worlds.clear();
        for (joint, &(translation, rotation, scale)) in self.joints.iter().zip(&*locals) {
            let local = Mat4::from_scale_rotation_translation(scale, rotation, translation);
            let world = match joint.parent {
                Some(parent) => worlds[parent] * local,
                None => local,
            };
            worlds.push(world);
        }
        skin_matrices.clear();
        let pairs = worlds.iter().zip(&self.inverse_binds);
        skin_matrices.extend(pairs.map(|(world, inverse_bind)| world * inverse_bind));
    }
}
