//! What the scenes are made of: smooth limbs of revolution with stripes, made in code.

use core::f32::consts::TAU;

use glam::{Mat4, Quat, Vec3, Vec4};

use crate::{
    document::{
        Clip, Document, Influences, Joint, JointTracks, Keys, Material, Mesh, MeshInstance,
        Primitive, Skin, Track,
    },
    math::Aabb,
};

/// Vertices around.
const AROUND: usize = 48;

/// Linear colours, soft beside each other and apart for red-green blindness.
pub(super) const SAND: Vec4 = Vec4::new(0.56, 0.40, 0.25, 1.0);
pub(super) const CREAM: Vec4 = Vec4::new(0.80, 0.70, 0.55, 1.0);
pub(super) const BLUE: Vec4 = Vec4::new(0.05, 0.20, 0.46, 1.0);
pub(super) const SLATE: Vec4 = Vec4::new(0.045, 0.05, 0.062, 1.0);
pub(super) const CORAL: Vec4 = Vec4::new(0.75, 0.16, 0.09, 1.0);

/// A document in the making.
pub(super) struct Builder {
    document: Document,
}

/// A limb that stands on the ground: along +Y, from a foot to a round tip.
pub(super) struct Limb<'a> {
    /// Joints from the ground up and how high they are; the first is the root.
    pub joints: &'a [(&'a str, f32)],
    /// Where the tip is, metres.
    pub height: f32,
    /// Where the limb stands.
    pub place: Vec3,
    /// Height over which weights go over from joint to joint, about each joint.
    pub blend: f32,
    /// Colour of the bands on the last part.
    pub accent: Vec4,
}

impl Builder {
    pub(super) fn new(name: &str) -> Self {
        let material = Material {
            name: "Painted wood".to_owned(),
            metallic: 0.0,
            roughness: 0.55,
            ..Material::default()
        };
        Self {
            document: Document {
                name: name.to_owned(),
                materials: vec![material],
                asset: crate::document::Asset {
                    format: "made in code".to_owned(),
                    ..Default::default()
                },
                ..Document::default()
            },
        }
    }

    /// A joint below another, or a root.
    pub(super) fn joint(&mut self, name: &str, parent: Option<usize>, at: Vec3) -> usize {
        let joints = &mut self.document.skeleton.joints;
        let joint = joints.len();
        joints.push(Joint {
            name: name.to_owned(),
            node: joint,
            parent,
            translation: at,
            ..Joint::default()
        });
        self.document.skeleton.joint_of_node.push(joint);
        joint
    }

    /// A joint's scale at rest, also while the mesh is bound: it counts as motion.
    pub(super) fn scale(&mut self, joint: usize, scale: Vec3) {
        self.document.skeleton.joints[joint].scale = scale;
    }

    /// A limb with its joints, skin and mesh; returns its joints.
    pub(super) fn limb(&mut self, limb: &Limb<'_>) -> Vec<usize> {
        let mut joints = Vec::new();
        let mut below = (None, 0.0, limb.place);
        for &(name, height) in limb.joints {
            let (parent, from, base) = below;
            let joint = self.joint(name, parent, base + Vec3::Y * (height - from));
            joints.push(joint);
            below = (Some(joint), height, Vec3::ZERO);
        }
        let (last, from, _) = below;
        self.joint("tip", last, Vec3::Y * (limb.height - from));
        let inverse =
            |&(_, height): &(&str, f32)| Mat4::from_translation(-(limb.place + Vec3::Y * height));
        let skin = Skin {
            name: "limb".to_owned(),
            joints: joints.iter().map(|&joint| joint as u32).collect(),
            joint_from_mesh: limb.joints.iter().map(inverse).collect(),
            has_inverse_bind_matrices: true,
            ..Skin::default()
        };
        self.document.skins.push(skin);
        let skin = self.document.skins.len() - 1;
        let node = self.joint("mesh", None, Vec3::ZERO);
        self.show(limb.mesh(), node, Some(skin));
        joints
    }

    /// A solid that a joint carries.
    pub(super) fn solid(&mut self, joint: usize, profile: &[(f32, f32)], color: Vec4) {
        let primitive = lathe(profile, |_, _| color);
        self.show(primitive, joint, None);
    }

    fn show(&mut self, primitive: Primitive, joint: usize, skin: Option<usize>) {
        self.document.meshes.push(Mesh {
            name: self.document.skeleton.joints[joint].name.clone(),
            primitives: vec![primitive],
            ..Mesh::default()
        });
        self.document.instances.push(MeshInstance {
            joint,
            mesh: self.document.meshes.len() - 1,
            skin,
            in_scene: true,
            morph_weights: Vec::new(),
        });
    }

    /// A clip of these tracks.
    pub(super) fn clip(&mut self, name: &str, mut joints: Vec<JointTracks>) {
        joints.sort_by_key(JointTracks::joint);
        let ends = joints.iter().flat_map(JointTracks::times);
        let duration_secs = ends.filter_map(|times| times.last().copied());
        let duration_secs = duration_secs.fold(0.0, f32::max);
        self.document.clips.push(Clip {
            name: name.to_owned(),
            duration_secs,
            start_secs: 0.0,
            joints,
            morphs: Vec::new(),
        });
    }

    pub(super) fn done(self) -> Document {
        self.document
    }
}

/// Rotation keys at these times, LINEAR.
pub(super) fn turns(joint: usize, keys: &[(f32, Quat)]) -> JointTracks {
    let values = keys.iter().map(|key| key.1).collect();
    rotation(joint, keys.iter().map(|key| key.0), Keys::Linear(values))
}

/// Rotation keys as they are.
pub(super) fn rotation(
    joint: usize,
    times: impl Iterator<Item = f32>,
    keys: Keys<Quat>,
) -> JointTracks {
    JointTracks::Trs {
        joint,
        translation: None,
        rotation: Some(Track {
            times: times.collect(),
            keys,
        }),
        scale: None,
    }
}

impl Limb<'_> {
    fn mesh(&self) -> Primitive {
        let rings = 110;
        let mut profile = vec![(0.0, 0.0), (0.0, 0.15), (0.008, 0.165), (0.03, 0.165)];
        profile.extend([(0.04, 0.155), (0.055, 0.115), (0.075, 0.094)]);
        let (first, tip) = (0.1, 0.062);
        let last = self.height - tip;
        for ring in 0..=rings {
            let share = ring as f32 / rings as f32;
            let y = first + (last - first) * share;
            profile.push((y, 0.09 + (tip - 0.09) * share));
        }
        for step in 1..=12 {
            let (sin, cos) = (step as f32 / 12.0 * TAU / 4.0).sin_cos();
            profile.push((last + tip * sin, tip * cos));
        }
        let last_joint = self.joints.last().map_or(0.0, |joint| joint.1);
        let mut primitive = lathe(&profile, |y, around| {
            let stripe = (around * 4.0).fract() < 0.12;
            match y {
                _ if y < 0.075 => SLATE,
                _ if stripe => SLATE,
                _ if y < last_joint => SAND,
                _ if ((y - last_joint) / 0.1) as i32 % 2 == 0 => self.accent,
                _ => CREAM,
            }
        });
        let mut influences = Influences {
            per_vertex: 4,
            ..Influences::default()
        };
        for position in &primitive.positions {
            let weights = self.weights(position.y);
            influences.joints.extend([weights[0].0, weights[1].0, 0, 0]);
            influences
                .weights
                .extend([weights[0].1, weights[1].1, 0.0, 0.0]);
        }
        primitive.influences = influences;
        for position in &mut primitive.positions {
            *position += self.place;
        }
        primitive.bounds = Aabb::from_points(primitive.positions.iter().copied());
        primitive
    }

    /// Two slots with their weights at a height: smooth from below a joint to above it.
    fn weights(&self, y: f32) -> [(u16, f32); 2] {
        let above = self.joints.iter().skip(1);
        let crossed = above
            .map(|&(_, height)| ((y - height) / self.blend + 0.5).clamp(0.0, 1.0))
            .map(|share| share * share * (3.0 - 2.0 * share));
        let mut slot = 0;
        let mut part = 0.0;
        for (index, share) in crossed.enumerate() {
            if share > 0.0 {
                (slot, part) = (index, share);
            }
        }
        [(slot as u16, 1.0 - part), (slot as u16 + 1, part)]
    }
}

/// A solid of revolution about +Y from (height, radius), bottom to top; colours by height
/// and share of a turn.
pub(super) fn lathe(profile: &[(f32, f32)], color: impl Fn(f32, f32) -> Vec4) -> Primitive {
    let mut primitive = Primitive {
        material: Some(0),
        ..Primitive::default()
    };
    let columns = AROUND + 1;
    for (ring, &(y, radius)) in profile.iter().enumerate() {
        let (before, after) = (
            profile[ring.saturating_sub(1)],
            profile[(ring + 1).min(profile.len() - 1)],
        );
        let slope = Vec3::new(after.0 - before.0, before.1 - after.1, 0.0);
        let slope = slope.normalize_or(Vec3::Y);
        for column in 0..columns {
            let share = column as f32 / AROUND as f32;
            let (sin, cos) = (share * TAU).sin_cos();
            primitive
                .positions
                .push(Vec3::new(radius * sin, y, radius * cos));
            let normal = Vec3::new(slope.x * sin, slope.y, slope.x * cos);
            primitive.normals.push(normal.normalize_or(Vec3::Y));
            // The middle of a cell, so that columns and bands have an edge.
            let cell = (column % AROUND) as f32 / AROUND as f32;
            primitive.colors.push(color(y + 1e-4, cell));
        }
    }
    for ring in 0..profile.len() - 1 {
        for column in 0..AROUND {
            let a = (ring * columns + column) as u32;
            let (b, c) = (a + 1, a + columns as u32);
            primitive.indices.extend([a, b, c, b, c + 1, c]);
        }
    }
    primitive.file_vertex_count = primitive.positions.len();
    primitive.bounds = Aabb::from_points(primitive.positions.iter().copied());
    primitive
}

/// A ball, for [`Builder::solid`].
pub(super) fn ball(radius: f32) -> Vec<(f32, f32)> {
    (0..=24)
        .map(|step| {
            let (sin, cos) = (step as f32 / 24.0 * TAU / 2.0).sin_cos();
            (-radius * cos, radius * sin)
        })
        .collect()
}
