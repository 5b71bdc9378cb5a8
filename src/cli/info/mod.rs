//! `rigscope info`: what is in a file.

mod text;

use std::io::{BufWriter, Write};

use serde::Serialize;

use super::{
    Error,
    args::{Format, InfoArgs},
    deformed,
    json::{self, BoundsJson, FindingJson},
    open,
};
use crate::{
    document::{
        Camera, Clip, Document, JointTracks, Mesh, Projection, Severity, Skin, Topology, Track,
    },
    math::Aabb,
    scene::{Character, PoseSource},
};

pub(super) fn run(args: &InfoArgs, stdout: &mut dyn Write) -> Result<(), Error> {
    let opened = open::open(args.file.as_deref())?;
    let document = opened.document;
    let mut character = Character::new(document.clone());
    character.set_source(PoseSource::Rest);
    let info = Info::new(&opened.name, &document, deformed::bounds(&character));
    let mut out = BufWriter::new(stdout);
    match args.format {
        Format::Json => json::write(&info, &mut out)?,
        Format::Text => text::write(&info, &document, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

/// All that is said about a file, in the order in which it is said. Names are
/// empty where the file gives none; `index`, `node` and the like are the file's.
#[derive(Serialize)]
struct Info<'a> {
    file: &'a str,
    format: &'a str,
    generator: Option<&'a str>,
    copyright: Option<&'a str>,
    /// Every file read, the model first.
    sources: Vec<String>,
    size_bytes: u64,
    /// Rest pose, morphed and skinned, world space; null for an empty file.
    bounds: Option<BoundsJson>,
    height_metres: Option<f32>,
    node_count: usize,
    /// Distinct joints of all skins.
    joint_count: usize,
    vertex_count: usize,
    triangle_count: usize,
    skins: Vec<SkinInfo<'a>>,
    meshes: Vec<MeshInfo<'a>>,
    materials: Vec<NameInfo<'a>>,
    clips: Vec<ClipInfo<'a>>,
    images: Vec<ImageInfo<'a>>,
    cameras: Vec<CameraInfo<'a>>,
    extensions: Vec<ExtensionInfo<'a>>,
    findings: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
struct SkinInfo<'a> {
    index: usize,
    name: &'a str,
    joint_count: usize,
    has_inverse_bind_matrices: bool,
    /// The node that the file names as `skeleton`.
    root: Option<usize>,
}

#[derive(Serialize)]
struct MeshInfo<'a> {
    index: usize,
    name: &'a str,
    /// Nodes that show it, in the scene or not.
    nodes: Vec<usize>,
    vertex_count: usize,
    triangle_count: usize,
    /// Names of the morph targets.
    morph_targets: Vec<&'a str>,
    primitives: Vec<PrimitiveInfo>,
}

#[derive(Serialize)]
struct PrimitiveInfo {
    /// Strips, fans and loops count as what they are made of.
    topology: &'static str,
    vertex_count: usize,
    /// Triangles, lines or points.
    element_count: usize,
    /// Attribute sets of four joints and weights each.
    influence_sets: usize,
    material: Option<usize>,
}

#[derive(Serialize)]
struct NameInfo<'a> {
    index: usize,
    name: &'a str,
}

#[derive(Serialize)]
struct ClipInfo<'a> {
    index: usize,
    name: &'a str,
    duration_secs: f32,
    first_key_secs: f32,
    channel_count: usize,
    key_count: usize,
    /// Which of STEP, LINEAR and CUBICSPLINE occur.
    interpolations: Vec<&'static str>,
    /// From the key spacing; null where that gives nothing.
    guessed_fps: Option<f32>,
}

#[derive(Serialize)]
struct ImageInfo<'a> {
    index: usize,
    name: &'a str,
    width: u32,
    height: u32,
    /// Why only a placeholder is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<&'a str>,
}

#[derive(Serialize)]
struct CameraInfo<'a> {
    name: &'a str,
    node: usize,
    #[serde(flatten)]
    projection: ProjectionInfo,
}

#[derive(Serialize)]
#[serde(tag = "projection", rename_all = "lowercase")]
enum ProjectionInfo {
    Perspective {
        yfov_degrees: f32,
        aspect: Option<f32>,
        near: f32,
        far: Option<f32>,
    },
    Orthographic {
        xmag: f32,
        ymag: f32,
        near: f32,
        far: f32,
    },
}

#[derive(Serialize)]
struct ExtensionInfo<'a> {
    name: &'a str,
    required: bool,
    supported: bool,
}

impl<'a> Info<'a> {
    fn new(file: &'a str, document: &'a Document, bounds: Aabb) -> Self {
        let asset = &document.asset;
        let mut findings: Vec<_> = document.findings.iter().collect();
        // Worst first; the importer's order within one severity.
        findings.sort_by_key(|finding| core::cmp::Reverse(finding.severity));
        Self {
            file,
            format: &asset.format,
            generator: asset.generator.as_deref(),
            copyright: asset.copyright.as_deref(),
            sources: document
                .sources
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            size_bytes: asset.size_bytes,
            height_metres: (!bounds.is_empty()).then(|| bounds.size().y),
            bounds: BoundsJson::new(bounds),
            node_count: document.skeleton.joints.len(),
            joint_count: document.skinned_joint_count(),
            vertex_count: document.vertex_count(),
            triangle_count: document.triangle_count(),
            skins: indexed(&document.skins, |index, skin| {
                skin_info(document, index, skin)
            }),
            meshes: indexed(&document.meshes, |index, mesh| {
                mesh_info(document, index, mesh)
            }),
            materials: indexed(&document.materials, |index, material| NameInfo {
                index,
                name: &material.name,
            }),
            clips: indexed(&document.clips, clip_info),
            images: indexed(&document.images, |index, image| ImageInfo {
                index,
                name: &image.name,
                width: image.width,
                height: image.height,
                problem: image.placeholder.as_deref(),
            }),
            cameras: indexed(&document.cameras, |_, camera| camera_info(document, camera)),
            extensions: indexed(&asset.extensions, |_, extension| ExtensionInfo {
                name: &extension.name,
                required: extension.required,
                supported: extension.supported,
            }),
            findings: findings.into_iter().map(FindingJson::from).collect(),
        }
    }
}

fn indexed<'a, T, U>(items: &'a [T], info: impl Fn(usize, &'a T) -> U) -> Vec<U> {
    let items = items.iter().enumerate();
    items.map(|(index, item)| info(index, item)).collect()
}

fn skin_info<'a>(document: &Document, index: usize, skin: &'a Skin) -> SkinInfo<'a> {
    SkinInfo {
        index,
        name: &skin.name,
        joint_count: skin.joints.len(),
        has_inverse_bind_matrices: skin.has_inverse_bind_matrices,
        root: skin.root.map(|joint| document.skeleton.joints[joint].node),
    }
}

fn mesh_info<'a>(document: &Document, index: usize, mesh: &'a Mesh) -> MeshInfo<'a> {
    let primitives: Vec<_> = mesh
        .primitives
        .iter()
        .map(|primitive| {
            let (topology, corners) = match primitive.topology {
                Topology::Points => ("points", 1),
                Topology::Lines => ("lines", 2),
                Topology::Triangles => ("triangles", 3),
            };
            PrimitiveInfo {
                topology,
                vertex_count: primitive.file_vertex_count,
                element_count: primitive.indices.len() / corners,
                influence_sets: primitive.influences.per_vertex.div_ceil(4),
                material: primitive.material,
            }
        })
        .collect();
    let shown = document
        .instances
        .iter()
        .filter(|instance| instance.mesh == index);
    MeshInfo {
        index,
        name: &mesh.name,
        nodes: shown
            .map(|instance| document.skeleton.joints[instance.joint].node)
            .collect(),
        vertex_count: mesh.file_vertex_count(),
        triangle_count: mesh.triangle_count(),
        morph_targets: mesh.morph_names.iter().map(String::as_str).collect(),
        primitives,
    }
}

fn clip_info(index: usize, clip: &Clip) -> ClipInfo<'_> {
    let mut interpolations: Vec<_> = interpolation_names(clip);
    interpolations.sort_unstable();
    interpolations.dedup();
    ClipInfo {
        index,
        name: &clip.name,
        duration_secs: clip.duration_secs,
        first_key_secs: clip.start_secs,
        channel_count: clip.times().count(),
        key_count: clip.key_count(),
        interpolations,
        guessed_fps: clip.guessed_fps(),
    }
}

/// One word per channel.
fn interpolation_names(clip: &Clip) -> Vec<&'static str> {
    fn name<T>(track: Option<&Track<T>>) -> Option<&'static str> {
        track.map(|track| track.keys.interpolation_name())
    }
    let of_joint = |tracks: &JointTracks| match tracks {
        JointTracks::Trs {
            translation,
            rotation,
            scale,
            ..
        } => [
            name(translation.as_ref()),
            name(rotation.as_ref()),
            name(scale.as_ref()),
        ],
        JointTracks::Matrix { matrix, .. } => [name(Some(matrix)), None, None],
    };
    let morphs = clip
        .morphs
        .iter()
        .map(|morph| morph.weights.keys.interpolation_name());
    clip.joints
        .iter()
        .flat_map(of_joint)
        .flatten()
        .chain(morphs)
        .collect()
}

fn camera_info<'a>(document: &Document, camera: &'a Camera) -> CameraInfo<'a> {
    CameraInfo {
        name: &camera.name,
        node: document.skeleton.joints[camera.joint].node,
        projection: match camera.projection {
            Projection::Perspective {
                yfov_radians,
                aspect,
                near,
                far,
            } => ProjectionInfo::Perspective {
                yfov_degrees: yfov_radians.to_degrees(),
                aspect,
                near,
                far,
            },
            Projection::Orthographic {
                xmag,
                ymag,
                near,
                far,
            } => ProjectionInfo::Orthographic {
                xmag,
                ymag,
                near,
                far,
            },
        },
    }
}

/// `2 warnings, 1 info`, worst first; `none`.
fn severity_counts(document: &Document) -> String {
    let counts = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "info", "infos"),
    ]
    .map(|(severity, one, many)| {
        let found = document
            .findings
            .iter()
            .filter(|finding| finding.severity == severity);
        match found.count() {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {many}")),
        }
    });
    let counts: Vec<_> = counts.into_iter().flatten().collect();
    if counts.is_empty() {
        "none".to_owned()
    } else {
        counts.join(", ")
    }
}
