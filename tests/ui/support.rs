//! Documents built in code, and a harness that runs the panels without a window.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use rigscope::{
    document::{
        Clip, Document, ExtensionUse, Finding, FindingCode, Influences, Joint, JointTracks, Keys,
        Material, Mesh, MeshInstance, Primitive, Severity, Skeleton, Skin, Track,
    },
    math::Aabb,
    scene::{Frame, Label},
    session::{Command, Session},
    ui::{Arrangement, Picture, Ui, UiOutput},
};

/// Name, parent, offset from it.
const BODY: &[(&str, Option<usize>, [f32; 3])] = &[
    ("Armature", None, [0.0, 0.0, 0.0]),
    ("Hips", Some(0), [0.0, 0.95, 0.0]),
    ("Spine", Some(1), [0.0, 0.12, 0.0]),
    ("Chest", Some(2), [0.0, 0.16, 0.0]),
    ("UpperChest", Some(3), [0.0, 0.14, 0.0]),
    ("Neck", Some(4), [0.0, 0.13, 0.0]),
    ("Head", Some(5), [0.0, 0.1, 0.02]),
    ("Shoulder.L", Some(4), [0.06, 0.09, 0.0]),
    ("UpperArm.L", Some(7), [0.13, 0.0, 0.0]),
    ("LowerArm.L", Some(8), [0.27, 0.0, 0.0]),
    ("Hand.L", Some(9), [0.25, 0.0, 0.0]),
    ("Shoulder.R", Some(4), [-0.06, 0.09, 0.0]),
    ("UpperArm.R", Some(11), [-0.13, 0.0, 0.0]),
    ("LowerArm.R", Some(12), [-0.27, 0.0, 0.0]),
    ("Hand.R", Some(13), [-0.25, 0.0, 0.0]),
    ("UpperLeg.L", Some(1), [0.1, -0.06, 0.0]),
    ("LowerLeg.L", Some(15), [0.0, -0.42, 0.0]),
    ("Foot.L", Some(16), [0.0, -0.42, -0.02]),
    ("Toes.L", Some(17), [0.0, -0.05, 0.13]),
    ("UpperLeg.R", Some(1), [-0.1, -0.06, 0.0]),
    ("LowerLeg.R", Some(19), [0.0, -0.42, 0.0]),
    ("Foot.R", Some(20), [0.0, -0.42, -0.02]),
    ("Toes.R", Some(21), [0.0, -0.05, 0.13]),
    ("Body", Some(0), [0.0, 0.0, 0.0]),
];

/// Joint index of the left elbow.
pub const LOWER_ARM: usize = 9;

pub fn joint(node: usize, name: &str, parent: Option<usize>, translation: Vec3) -> Joint {
    Joint {
        name: name.to_owned(),
        node,
        parent,
        translation,
        ..Joint::default()
    }
}

fn swing(
    joint: usize,
    axis: Vec3,
    degrees: f32,
    phase: f32,
    start: f32,
    keys: usize,
) -> JointTracks {
    let times: Vec<f32> = (0..keys).map(|key| start + key as f32 / 24.0).collect();
    let rotations = times
        .iter()
        .map(|time| {
            let angle = degrees.to_radians() * ((time + phase) * core::f32::consts::TAU).sin();
            Quat::from_axis_angle(axis, angle)
        })
        .collect();
    JointTracks::Trs {
        joint,
        translation: None,
        rotation: Some(Track {
            times: times.into(),
            keys: Keys::Linear(rotations),
        }),
        scale: None,
    }
}

fn clip(name: &str, start: f32, keys: usize) -> Clip {
    let mut joints = vec![
        swing(3, Vec3::Y, 8.0, 0.0, start, keys),
        swing(8, Vec3::Y, 35.0, 0.0, start, keys),
        swing(LOWER_ARM, Vec3::Y, 28.0, 0.1, start, keys),
        swing(12, Vec3::Y, 35.0, 0.5, start, keys),
        swing(15, Vec3::X, 32.0, 0.0, start, keys),
        swing(16, Vec3::X, 24.0, 0.3, start, keys),
        swing(19, Vec3::X, 32.0, 0.5, start, keys),
        swing(20, Vec3::X, 24.0, 0.8, start, keys),
    ];
    joints.sort_by_key(JointTracks::joint);
    Clip {
        name: name.to_owned(),
        duration_secs: start + (keys - 1) as f32 / 24.0,
        start_secs: start,
        joints,
        morphs: Vec::new(),
    }
}

/// A figure of 24 nodes with a skin, a mesh, three clips (walk of 1 s at 24
/// frames a second, a late one that starts at 0.5 s, one without name) and findings.
pub fn human() -> Document {
    let joints: Vec<Joint> = BODY
        .iter()
        .enumerate()
        .map(|(index, (name, parent, at))| joint(index, name, *parent, Vec3::from(*at)))
        .collect();
    let skeleton = Skeleton {
        joint_of_node: (0..joints.len()).collect(),
        joints,
    };
    let globals = skeleton.rest_globals();
    let skinned: Vec<u32> = (1..23).collect();
    let positions = skinned
        .iter()
        .map(|&joint| globals[joint as usize].w_axis.truncate())
        .collect();
    let skin = Skin {
        name: "Armature".to_owned(),
        joint_from_mesh: skinned
            .iter()
            .map(|&joint| globals[joint as usize].inverse())
            .collect(),
        joints: skinned,
        has_inverse_bind_matrices: true,
        root: None,
        transposed_bind: None,
    };
    Document {
        name: "hero.glb".to_owned(),
        skeleton,
        meshes: vec![mesh("Body", positions)],
        skins: vec![skin],
        instances: vec![MeshInstance {
            joint: 23,
            mesh: 0,
            skin: Some(0),
            in_scene: true,
            morph_weights: Vec::new(),
        }],
        materials: vec![Material {
            name: "Cloth".to_owned(),
            ..Material::default()
        }],
        clips: vec![clip("Walk", 0.0, 25), clip("Wave", 0.5, 37), clip("", 0.0, 12)],
        findings: vec![
            Finding::new(
                FindingCode::WeightsNotNormalized,
                Severity::Warning,
                "mesh 0 \"Body\": the weights of 131 of 4 096 vertices do not sum to 1 (worst 0.982 at vertex 77)",
            )
            .at_mesh(0),
            Finding::new(
                FindingCode::ExtensionUnsupported,
                Severity::Warning,
                "KHR_materials_sheen is used but ignored",
            ),
            Finding::new(
                FindingCode::RotationNotUnit,
                Severity::Info,
                "clip \"Walk\", node 9 \"LowerArm.L\": key 12 has length 0.9987",
            )
            .in_clip(0)
            .at_node(9),
        ],
        asset: rigscope::document::Asset {
            format: "glTF 2.0 binary".to_owned(),
            generator: Some("Khronos glTF Blender I/O v4.5.47".to_owned()),
            copyright: Some("2024 Somebody".to_owned()),
            extensions: vec![
                extension("KHR_texture_transform", false, true),
                extension("KHR_materials_sheen", false, false),
            ],
            size_bytes: 1_482_311,
        },
        ..Document::default()
    }
}

fn extension(name: &str, required: bool, supported: bool) -> ExtensionUse {
    ExtensionUse {
        name: name.to_owned(),
        required,
        supported,
    }
}

/// A vertex at each of `positions`, moved by the joint slot of the same number.
fn mesh(name: &str, positions: Vec<Vec3>) -> Mesh {
    let count = positions.len();
    let influences = (0..count).flat_map(|vertex| [vertex as u16, 0, 0, 0]);
    Mesh {
        name: name.to_owned(),
        primitives: vec![Primitive {
            indices: (0..(count / 3 * 3) as u32).collect(),
            bounds: Aabb::from_points(positions.iter().copied()),
            positions,
            file_vertex_count: count,
            influences: Influences {
                per_vertex: 4,
                joints: influences.collect(),
                weights: [1.0, 0.0, 0.0, 0.0].repeat(count),
            },
            material: Some(0),
            ..Primitive::default()
        }],
        ..Mesh::default()
    }
}

/// `count` nodes: half of them one chain, the other half side by side under its
/// root, each with `keys` keys.
pub fn crowd(count: usize, keys: usize) -> Document {
    let joints: Vec<Joint> = (0..count)
        .map(|index| {
            let parent = match index {
                0 => None,
                _ if index < count / 2 => Some(index - 1),
                _ => Some(0),
            };
            joint(
                index,
                &format!("Node_{index:05}"),
                parent,
                Vec3::new(0.0, 0.001, 0.0),
            )
        })
        .collect();
    let times: Arc<[f32]> = (0..keys).map(|key| key as f32 * 0.001).collect();
    let tracks = (0..count)
        .map(|joint| JointTracks::Trs {
            joint,
            translation: None,
            rotation: Some(Track {
                times: times.clone(),
                keys: Keys::Linear(vec![Quat::IDENTITY; keys]),
            }),
            scale: None,
        })
        .collect();
    Document {
        name: "crowd.glb".to_owned(),
        skins: vec![Skin {
            name: String::new(),
            joints: (0..count as u32).collect(),
            joint_from_mesh: vec![Mat4::IDENTITY; count],
            has_inverse_bind_matrices: true,
            root: None,
            transposed_bind: None,
        }],
        skeleton: Skeleton {
            joint_of_node: (0..count).collect(),
            joints,
        },
        clips: vec![Clip {
            name: "Long".to_owned(),
            duration_secs: (keys - 1) as f32 * 0.001,
            start_secs: 0.0,
            joints: tracks,
            morphs: Vec::new(),
        }],
        ..Document::default()
    }
}

/// A joint's world matrix.
pub fn world(session: &Session, joint: usize) -> Mat4 {
    let character = session.character().expect("a document is open");
    character.globals.world(joint)
}

/// Session, panels and what came out of the last frame.
pub struct App {
    pub session: Session,
    pub frame: Frame,
    pub side_frames: Vec<Frame>,
    pub ui: Option<Ui>,
    pub commands: Vec<Command>,
    /// All commands since the start, as debug text.
    pub log: Vec<String>,
    pub output: Option<UiOutput>,
    /// What an earlier run left of the panels' sizes.
    pub arrangement: Arrangement,
}

impl App {
    pub fn new(document: Document) -> Self {
        let mut session = Session::default();
        session.apply(Command::LoadFinished {
            document: Arc::new(document),
            path: Some("/characters/hero.glb".into()),
        });
        session.apply(Command::SetPlaying(false));
        let mut app = Self::empty();
        app.session = session;
        app
    }

    pub fn empty() -> Self {
        Self {
            session: Session::default(),
            frame: Frame::default(),
            side_frames: Vec::new(),
            ui: None,
            commands: Vec::new(),
            log: Vec::new(),
            output: None,
            arrangement: Arrangement::default(),
        }
    }

    /// What the shell does in a frame, without picture: panels, commands, frame.
    pub fn run(&mut self, ui: &mut egui::Ui, texture: Option<egui::TextureId>) {
        let panels = self.ui.get_or_insert_with(|| {
            let mut panels = Ui::new(ui.ctx());
            panels.arrange(ui.ctx(), self.arrangement.clone());
            panels
        });
        let frames = std::iter::once(&self.frame).chain(&self.side_frames);
        let pictures: Vec<Picture<'_>> = frames.map(|frame| Picture { frame, texture }).collect();
        let output = panels.run(ui, &self.session, &pictures, &mut self.commands);
        self.output = Some(output);
        for command in self.commands.drain(..) {
            self.log.push(format!("{command:?}"));
            self.session.apply(command);
        }
        self.build();
    }

    pub fn build(&mut self) {
        let points = self.output.map_or(egui::Rect::ZERO, |o| o.viewport_points);
        let aspect = if points.is_positive() {
            points.aspect_ratio()
        } else {
            1.0
        };
        rigscope::scene::build(
            &self.session.stage,
            &self.session.view,
            aspect,
            &mut self.frame,
        );
        // Names come from the scene; here a stand-in, so that panels are tested alone.
        if self.frame.labels.is_empty()
            && self.session.view.names == rigscope::scene::JointScope::All
            && let Some(document) = self.session.document()
        {
            self.frame.labels = (0..document.skeleton.joints.len())
                .map(|joint| Label {
                    joint,
                    position: world(&self.session, joint).w_axis.truncate(),
                    strong: self.session.view.selected_joint == Some(joint),
                })
                .collect();
        }
    }
}
