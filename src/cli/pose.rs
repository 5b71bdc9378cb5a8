//! `rigscope pose`: joints, skin matrices and vertices as numbers.

use std::io::{self, BufWriter, Write};

use glam::{Quat, Vec3};
use serde::{Serialize, Serializer, ser::SerializeSeq as _};

use super::{
    Error,
    args::{Format, PoseArgs},
    deformed::{self, DeformedPrimitive},
    json::{self, BoundsJson},
    open,
    table::{self, Table},
};
use crate::{
    anim::{Local, SkinMatrix},
    math::quat,
    scene::{Character, PoseSource},
};

pub(super) fn run(args: &PoseArgs, stdout: &mut dyn Write) -> Result<(), Error> {
    let opened = open::open(args.file.as_deref())?;
    let file = opened.name.clone();
    let character = opened.character(&args.sampling, args.time)?;
    let mut out = BufWriter::with_capacity(1 << 16, stdout);
    match args.format {
        Format::Json => json::write(&pose_json(&file, &character, args), &mut out)?,
        Format::Text => write_text(&file, &character, args, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

#[derive(Serialize)]
struct PoseJson<'a> {
    file: &'a str,
    clip: Option<ClipJson<'a>>,
    /// `rest` or `bind` where there is no clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pose: Option<&'static str>,
    time_secs: f32,
    nodes: Vec<NodeJson<'a>>,
    skins: Vec<SkinJson>,
    meshes: Vec<MeshJson>,
}

#[derive(Serialize)]
struct ClipJson<'a> {
    index: usize,
    name: &'a str,
    duration_secs: f32,
}

#[derive(Serialize)]
struct NodeJson<'a> {
    index: usize,
    /// Empty where the file gives none.
    name: &'a str,
    parent: Option<usize>,
    #[serde(flatten)]
    local: LocalJson,
    world_from_node: [f32; 16],
}

/// Relative to the parent.
#[derive(Serialize)]
#[serde(untagged)]
enum LocalJson {
    Trs {
        translation: [f32; 3],
        orientation: [f32; 4],
        rotation: [f32; 4],
        scale: [f32; 3],
    },
    Matrix {
        matrix: [f32; 16],
    },
}

#[derive(Serialize)]
struct SkinJson {
    index: usize,
    joints: Vec<usize>,
    skin_matrices: Vec<[f32; 16]>,
}

#[derive(Serialize)]
struct MeshJson {
    node: usize,
    mesh: usize,
    primitive: usize,
    skin: Option<usize>,
    vertex_count: usize,
    /// Null for a primitive without vertices.
    bounds: Option<BoundsJson>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "positions")]
    positions: Option<Vec<Vec3>>,
}

fn positions<S: Serializer>(
    positions: &Option<Vec<Vec3>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let positions = positions.as_deref().unwrap_or_default();
    let mut list = serializer.serialize_seq(Some(positions.len()))?;
    for position in positions {
        list.serialize_element(&position.to_array())?;
    }
    list.end()
}

fn pose_json<'a>(file: &'a str, character: &'a Character, args: &PoseArgs) -> PoseJson<'a> {
    let document = &*character.document;
    let clip = match character.source {
        PoseSource::Clip(index) => document.clips.get(index).map(|clip| ClipJson {
            index,
            name: &clip.name,
            duration_secs: clip.duration_secs,
        }),
        PoseSource::Rest | PoseSource::Bind => None,
    };
    let meshes =
        deformed::primitives(character).map(|primitive| mesh_json(primitive, args.vertices));
    PoseJson {
        file,
        clip,
        pose: match character.source {
            PoseSource::Clip(_) => None,
            PoseSource::Rest => Some("rest"),
            PoseSource::Bind => Some("bind"),
        },
        time_secs: args.time,
        nodes: nodes_json(character),
        skins: (0..document.skins.len())
            .map(|index| skin_json(character, index))
            .collect(),
        meshes: meshes.collect(),
    }
}

fn nodes_json(character: &Character) -> Vec<NodeJson<'_>> {
    let skeleton = &character.document.skeleton;
    let nodes = skeleton.joint_of_node.iter().enumerate();
    nodes
        .map(|(node, &index)| {
            let joint = &skeleton.joints[index];
            NodeJson {
                index: node,
                name: &joint.name,
                parent: joint.parent.map(|parent| skeleton.joints[parent].node),
                local: match character.local(index) {
                    Local::Trs(transform) => LocalJson::Trs {
                        translation: transform.translation.to_array(),
                        orientation: joint.orientation.to_array(),
                        rotation: joint.animated_rotation(transform.rotation).to_array(),
                        scale: transform.scale.to_array(),
                    },
                    Local::Matrix(matrix) => LocalJson::Matrix {
                        matrix: matrix.to_cols_array(),
                    },
                },
                world_from_node: character.globals.world(index).to_cols_array(),
            }
        })
        .collect()
}

fn skin_json(character: &Character, index: usize) -> SkinJson {
    let document = &*character.document;
    let joints = document.skins[index].joints.iter();
    SkinJson {
        index,
        joints: joints
            .map(|&joint| document.skeleton.joints[joint as usize].node)
            .collect(),
        skin_matrices: deformed::palette(character, index)
            .iter()
            .map(|matrix| SkinMatrix::to_mat4(*matrix).to_cols_array())
            .collect(),
    }
}

fn mesh_json(primitive: DeformedPrimitive, vertices: bool) -> MeshJson {
    MeshJson {
        node: primitive.node,
        mesh: primitive.mesh,
        primitive: primitive.primitive,
        skin: primitive.skin,
        vertex_count: primitive.positions.len(),
        bounds: BoundsJson::new(primitive.bounds()),
        positions: vertices.then_some(primitive.positions),
    }
}

fn write_text(
    file: &str,
    character: &Character,
    args: &PoseArgs,
    out: &mut dyn Write,
) -> io::Result<()> {
    let pose = match character.source {
        PoseSource::Clip(index) => {
            let clip = character.clip();
            let name = clip.map_or("", |clip| &clip.name);
            format!("clip {index} {} at {} s", table::name(name), args.time)
        }
        PoseSource::Rest => "rest pose".to_owned(),
        PoseSource::Bind => "bind pose".to_owned(),
    };
    writeln!(out, "{file}: {pose}\n")?;
    write_nodes(character, out)?;
    for primitive in deformed::primitives(character) {
        writeln!(out, "\n{}", primitive_line(&primitive))?;
        if args.vertices {
            let mut table = Table::new(2, &[">vertex", ">x", ">y", ">z"]);
            for (vertex, position) in primitive.positions.iter().enumerate() {
                let numbers = position.to_array().map(table::number);
                table.row(core::iter::once(vertex.to_string()).chain(numbers));
            }
            table.write(out)?;
        }
    }
    Ok(())
}

/// Where each joint is, and how it is turned by the animation.
fn write_nodes(character: &Character, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(
        0,
        &[
            ">node",
            "name",
            ">parent",
            ">world x",
            ">y",
            ">z",
            ">rotation",
            ">axis x",
            ">y",
            ">z",
            ">scale x",
            ">y",
            ">z",
        ],
    );
    let skeleton = &character.document.skeleton;
    for (node, &index) in skeleton.joint_of_node.iter().enumerate() {
        let joint = &skeleton.joints[index];
        let parent = joint.parent.map(|parent| skeleton.joints[parent].node);
        let mut cells = vec![
            node.to_string(),
            table::name(&joint.name),
            parent.map_or("-".to_owned(), |parent| parent.to_string()),
        ];
        let position = character.globals.world(index).w_axis.truncate();
        cells.extend(position.to_array().map(table::number));
        match character.local(index) {
            Local::Trs(transform) => {
                let turn = joint.animated_rotation(transform.rotation);
                let (axis, angle) = axis_angle(turn);
                cells.push(format!("{}°", table::number(angle.to_degrees())));
                cells.extend(axis.to_array().map(table::number));
                cells.extend(transform.scale.to_array().map(table::number));
            }
            Local::Matrix(_) => {
                cells.push("matrix".to_owned());
                cells.extend(core::iter::repeat_n("-".to_owned(), 6));
            }
        }
        table.row(cells);
    }
    table.write(out)
}

/// The short way round; the x axis for no turn at all.
fn axis_angle(q: Quat) -> (Vec3, f32) {
    let q = quat::normalize_or(quat::aligned(q, Quat::IDENTITY), Quat::IDENTITY);
    let axis = Vec3::new(q.x, q.y, q.z);
    let angle = 2.0 * axis.length().atan2(q.w);
    (axis.normalize_or(Vec3::X), angle)
}

fn primitive_line(primitive: &DeformedPrimitive) -> String {
    let DeformedPrimitive {
        node,
        mesh,
        primitive: index,
        skin,
        positions,
        in_scene: _,
    } = primitive;
    let skin = skin.map_or("no skin".to_owned(), |skin| format!("skin {skin}"));
    let bounds = primitive.bounds();
    let corner = |corner: Vec3| corner.to_array().map(table::number).join(" ");
    let range = if bounds.is_empty() {
        String::new()
    } else {
        format!(", from {} to {}", corner(bounds.min), corner(bounds.max))
    };
    format!(
        "node {node} shows mesh {mesh} primitive {index} with {skin}: {} vertices{range}",
        positions.len()
    )
}
