//! Rigs built in code, for tests that need the GPU.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use rigscope::{
    document::{
        Clip, Document, Influences, Joint, JointTracks, Keys, Material, Mesh, MeshInstance,
        MorphTarget, Primitive, Skeleton, Skin, Track,
    },
    math::Aabb,
    render::{Gpu, GpuOptions, Pixels, Quality, Renderer, Target},
    scene::{self, Background, Character, Frame, OrbitCamera, Stage, View, animated_bounds},
};

/// The device for tests, or a failure that says what to install.
pub fn gpu() -> Gpu {
    Gpu::headless(&GpuOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A joint with a translation only.
pub fn joint(name: &str, parent: Option<usize>, translation: Vec3) -> Joint {
    Joint {
        name: name.to_owned(),
        parent,
        translation,
        ..Joint::default()
    }
}

/// Numbers the joints as the file's nodes.
pub fn skeleton(mut joints: Vec<Joint>) -> Skeleton {
    for (index, joint) in joints.iter_mut().enumerate() {
        joint.node = index;
    }
    Skeleton {
        joint_of_node: (0..joints.len()).collect(),
        joints,
    }
}

/// Fills in what follows from the positions.
pub fn finished(mut primitive: Primitive) -> Primitive {
    primitive.bounds = Aabb::from_points(primitive.positions.iter().copied());
    primitive.file_vertex_count = primitive.positions.len();
    primitive
}

/// One mesh with one primitive, shown by joint 0 without a skin.
pub fn document(name: &str, joints: Vec<Joint>, primitive: Primitive) -> Document {
    let weights = vec![0.0; primitive.morph_targets.len()];
    Document {
        name: name.to_owned(),
        skeleton: skeleton(joints),
        meshes: vec![Mesh {
            name: name.to_owned(),
            morph_names: vec![String::new(); weights.len()],
            morph_weights: weights.clone(),
            primitives: vec![primitive],
        }],
        instances: vec![MeshInstance {
            in_scene: true,
            joint: 0,
            mesh: 0,
            skin: None,
            morph_weights: weights,
        }],
        ..Document::default()
    }
}

/// A smooth closed tube along +Y from 0 to `height`, in rings.
pub fn tube(radius: f32, height: f32, rings: usize, sides: usize) -> Primitive {
    let mut primitive = Primitive::default();
    for ring in 0..=rings {
        let v = ring as f32 / rings as f32;
        // Round ends.
        let end = (v.min(1.0 - v) * height / radius).min(1.0);
        let r = radius * (1.0 - (1.0 - end) * (1.0 - end)).sqrt().max(1e-3);
        let tilt = if v < 0.5 { end - 1.0 } else { 1.0 - end };
        for side in 0..=sides {
            let u = side as f32 / sides as f32;
            let angle = u * core::f32::consts::TAU;
            let out = Vec3::new(angle.sin(), 0.0, angle.cos());
            primitive.positions.push(out * r + Vec3::Y * (v * height));
            primitive
                .normals
                .push((out * (1.0 - tilt * tilt).sqrt() + Vec3::Y * tilt).normalize());
            primitive.uvs[0].push(Vec2::new(u, 1.0 - v));
        }
    }
    let row = sides as u32 + 1;
    for ring in 0..rings as u32 {
        for side in 0..sides as u32 {
            let a = ring * row + side;
            let (b, c, d) = (a + 1, a + row, a + row + 1);
            primitive.indices.extend([a, b, d, a, d, c]);
        }
    }
    finished(primitive)
}

/// A unit cube about the origin with flat faces.
pub fn cube(size: f32) -> Primitive {
    let mut primitive = Primitive::default();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut n = Vec3::ZERO;
            n[axis] = sign;
            let u = Vec3::new(n.z, n.x, n.y);
            let v = n.cross(u);
            let first = primitive.positions.len() as u32;
            for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                primitive.positions.push((n + u * x + v * y) * (size * 0.5));
                primitive.normals.push(n);
                primitive.uvs[0].push(Vec2::new(x, -y) * 0.5 + 0.5);
            }
            primitive
                .indices
                .extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
        }
    }
    finished(primitive)
}

/// The corners of [`weighted_square`].
pub const SQUARE: [(f32, f32); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];

/// A square of 2 × 2 about the origin that faces +Z and whose corners have these influences, slot and weight. Joint 0 is the root,
/// joints 1 and 2 are far outside the picture.
pub fn weighted_square(corners: [&[(u16, f32)]; 4]) -> Document {
    let sets = corners.iter().map(|list| list.len().div_ceil(4)).max();
    let per_vertex = sets.unwrap_or(1).max(1) * 4;
    let mut influences = Influences {
        per_vertex,
        ..Influences::default()
    };
    for corner in corners {
        for place in 0..per_vertex {
            let (slot, weight) = corner.get(place).copied().unwrap_or_default();
            influences.joints.push(slot);
            influences.weights.push(weight);
        }
    }
    let primitive = finished(Primitive {
        positions: SQUARE.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        material: Some(0),
        influences,
        ..Primitive::default()
    });
    let far = Vec3::new(40.0, 0.0, 0.0);
    let joints = vec![
        joint("root", None, -far),
        joint("one", Some(0), far * 2.0),
        joint("two", Some(0), far * 2.0),
    ];
    let mut document = document("square", joints, primitive);
    let globals = document.skeleton.rest_globals();
    document.skins = vec![Skin {
        joints: vec![0, 1, 2],
        joint_from_mesh: globals.iter().map(Mat4::inverse).collect(),
        has_inverse_bind_matrices: true,
        ..Skin::default()
    }];
    document.instances[0].skin = Some(0);
    document.materials = vec![paint(Vec4::ONE, 0.0, 1.0)];
    document
}

/// A material of one colour.
pub fn paint(base_color: Vec4, metallic: f32, roughness: f32) -> Material {
    Material {
        base_color,
        metallic,
        roughness,
        ..Material::default()
    }
}

/// A tube of `joints` joints in a chain, `per_vertex` influences a vertex, and a
/// clip of one second that bends it to the side.
pub fn bending_tube(joints: usize, per_vertex: usize) -> Document {
    let height = 2.0;
    let step = height / joints as f32;
    let chain: Vec<Joint> = (0..joints)
        .map(|i| {
            joint(
                &format!("bone {i}"),
                i.checked_sub(1),
                if i == 0 { Vec3::ZERO } else { Vec3::Y * step },
            )
        })
        .collect();
    let rings = (joints * 2).clamp(24, 1400);
    let mut primitive = tube(0.25, height, rings, if joints > 50 { 8 } else { 32 });
    primitive.influences = spread(&primitive.positions, joints, step, per_vertex);
    primitive.material = Some(0);
    let bend =
        Quat::from_rotation_z(-1.4 / joints as f32) * Quat::from_rotation_y(0.3 / joints as f32);
    let clip = Clip {
        name: "Bend".to_owned(),
        duration_secs: 1.0,
        start_secs: 0.0,
        joints: (0..joints)
            .map(|joint| JointTracks::Trs {
                joint,
                translation: None,
                rotation: Some(Track {
                    times: Arc::from([0.0, 1.0]),
                    keys: Keys::Linear(vec![Quat::IDENTITY, bend]),
                }),
                scale: None,
            })
            .collect(),
        morphs: Vec::new(),
    };
    let mut document = document("tube", chain, primitive);
    document.skins = vec![Skin {
        name: "tube".to_owned(),
        joints: (0..joints as u32).collect(),
        joint_from_mesh: (0..joints)
            .map(|i| Mat4::from_translation(Vec3::Y * (-step * i as f32)))
            .collect(),
        has_inverse_bind_matrices: true,
        root: Some(0),
        transposed_bind: None,
    }];
    document.instances[0].skin = Some(0);
    document.clips = vec![clip];
    document.materials = vec![paint(Vec4::new(0.80, 0.35, 0.22, 1.0), 0.0, 0.45)];
    document
}

/// Weights by distance along Y to the joints' middles, unevenly and not summing to 1.
fn spread(positions: &[Vec3], joints: usize, step: f32, per_vertex: usize) -> Influences {
    let mut influences = Influences {
        per_vertex,
        ..Influences::default()
    };
    for position in positions {
        let at = position.y / step - 0.5;
        let first = (at.floor() as i64 - per_vertex as i64 / 2 + 1)
            .clamp(0, joints.saturating_sub(per_vertex) as i64) as usize;
        for i in 0..per_vertex {
            let joint = (first + i).min(joints - 1);
            let distance = (at - joint as f32).abs() * 4.0 / per_vertex as f32;
            influences.joints.push(joint as u16);
            influences
                .weights
                .push((1.2 - distance * 0.6).max(0.0) * if first + i < joints { 1.0 } else { 0.0 });
        }
    }
    influences
}

/// Adds a morph target that swells the middle, with normals if `normals`.
pub fn add_swell(document: &mut Document, amount: f32, normals: bool) {
    let mesh = &mut document.meshes[0];
    for primitive in &mut mesh.primitives {
        let mut target = MorphTarget::default();
        for (position, normal) in primitive.positions.iter().zip(&primitive.normals) {
            let bump = (-(position.y - 1.0) * (position.y - 1.0) * 8.0).exp();
            target.positions.push(*normal * (bump * amount));
            if normals {
                target.normals.push(Vec3::Y * (-bump * 0.3 * amount));
            }
        }
        primitive.morph_targets.push(target);
    }
    mesh.morph_weights.push(0.0);
    mesh.morph_names.push(String::new());
    for instance in &mut document.instances {
        instance.morph_weights.push(0.0);
    }
}

/// A device with a square target, and a camera's trigger.
pub struct Studio {
    pub gpu: Gpu,
    pub renderer: Renderer,
    pub target: Target,
}

impl Studio {
    /// For reproducible pictures of `size` × `size` pixels.
    pub fn new(size: u32) -> Self {
        Self::with_quality(size, &Quality::deterministic())
    }

    /// Of any quality.
    pub fn with_quality(size: u32, quality: &Quality) -> Self {
        let gpu = gpu();
        Self {
            renderer: Renderer::new(&gpu, quality).expect("the device is fresh"),
            target: Target::new(&gpu, size, size, quality),
            gpu,
        }
    }

    /// Builds the frame, draws it and reads it; device errors fail the test.
    pub fn shoot(&mut self, characters: Vec<Character>, view: &View) -> Pixels {
        let mut frame = Frame::default();
        scene::build(
            &Stage { characters },
            view,
            self.target.aspect(),
            &mut frame,
        );
        self.shoot_frame(&frame)
    }

    /// The same for a frame that is already built.
    pub fn shoot_frame(&mut self, frame: &Frame) -> Pixels {
        self.renderer
            .render(frame, &self.target)
            .expect("the frame fits the device");
        let pixels = self
            .renderer
            .read_pixels(&self.target)
            .expect("the picture can be read");
        assert_eq!(self.gpu.take_errors(), Vec::<String>::new());
        pixels
    }

    /// Middle pixel of a document seen straight from the front, with nothing around.
    pub fn middle(&mut self, document: Document) -> [u8; 4] {
        let pixels = self.shoot(vec![Character::new(Arc::new(document))], &front_view());
        pixels.pixel(pixels.width / 2, pixels.height / 2)
    }
}

/// From +Z, on a transparent background, without ground.
pub fn front_view() -> View {
    View {
        camera: OrbitCamera {
            yaw_radians: 0.0,
            pitch_radians: 0.0,
            distance: 3.0,
            ..OrbitCamera::default()
        },
        grid: false,
        shadow: false,
        ambient_occlusion: false,
        background: Background::Transparent,
        ..View::default()
    }
}

/// A view that frames a character over its clip.
pub fn framed(character: &Character) -> View {
    let mut view = View::default();
    view.camera.frame(animated_bounds(character), 1.0);
    view
}
