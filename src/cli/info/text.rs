//! `rigscope info` for people.

use std::io::{self, Write};

use super::{CameraInfo, ClipInfo, Info, MeshInfo, ProjectionInfo, SkinInfo, severity_counts};
use crate::{
    cli::table::{self, Table},
    document::Document,
};

pub(super) fn write(info: &Info<'_>, document: &Document, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", info.file)?;
    write_facts(info, document, out)?;
    write_skins(&info.skins, out)?;
    write_meshes(info, out)?;
    write_clips(&info.clips, out)?;
    section("Images", info.images.len(), out)?;
    let mut images = Table::new(2, &[">#", "name", "pixels"]);
    for image in &info.images {
        let problem = image
            .problem
            .map_or(String::new(), |problem| format!(" placeholder: {problem}"));
        let pixels = format!("{} × {}{problem}", image.width, image.height);
        images.row([image.index.to_string(), table::name(image.name), pixels]);
    }
    images.write(out)?;
    write_cameras(&info.cameras, out)?;
    section("Extensions", info.extensions.len(), out)?;
    for extension in &info.extensions {
        let required = if extension.required {
            "required"
        } else {
            "used"
        };
        let state = if extension.supported {
            "supported"
        } else {
            "ignored"
        };
        writeln!(out, "  {}  {required}, {state}", extension.name)?;
    }
    writeln!(out, "\nFindings: {}", severity_counts(document))?;
    let mut findings = Table::new(2, &["severity", "code", "message"]);
    for finding in &info.findings {
        findings.row([
            finding.severity.clone(),
            finding.code.to_owned(),
            finding.message.to_owned(),
        ]);
    }
    findings.write(out)?;
    // What has no path is our own.
    if info.sources.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\nThese were found while reading; rigscope check looks at clips, skins and weights too."
    )
}

/// A heading, unless there is nothing below it.
fn section(heading: &str, count: usize, out: &mut dyn Write) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    writeln!(out, "\n{heading}")
}

fn write_facts(info: &Info<'_>, document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let fact = |out: &mut dyn Write, label: &str, text: &str| writeln!(out, "  {label:<12}{text}");
    fact(out, "format", info.format)?;
    if let Some(generator) = info.generator {
        fact(out, "made by", &format!("{generator:?}"))?;
    }
    if let Some(copyright) = info.copyright {
        fact(out, "copyright", &format!("{copyright:?}"))?;
    }
    let files = match info.sources.len() {
        0 | 1 => String::new(),
        count => format!(" in {count} files"),
    };
    fact(
        out,
        "size",
        &format!("{}{files}", document.asset.size_text()),
    )?;
    if let (Some(bounds), Some(height)) = (&info.bounds, info.height_metres) {
        let corner = |corner: [f32; 3]| corner.map(table::number).join(" ");
        let text = format!(
            "{} m in the rest pose, from {} to {}",
            table::number(height),
            corner(bounds.min),
            corner(bounds.max)
        );
        fact(out, "height", &text)?;
    }
    let counts = [
        ("nodes", info.node_count),
        ("joints", info.joint_count),
        ("vertices", info.vertex_count),
        ("triangles", info.triangle_count),
        ("materials", info.materials.len()),
    ];
    for (label, count) in counts {
        fact(out, label, &count.to_string())?;
    }
    Ok(())
}

fn write_skins(skins: &[SkinInfo<'_>], out: &mut dyn Write) -> io::Result<()> {
    section("Skins", skins.len(), out)?;
    let mut table = Table::new(
        2,
        &[
            ">#",
            "name",
            ">joints",
            "inverse bind matrices",
            ">root node",
        ],
    );
    for skin in skins {
        let matrices = if skin.has_inverse_bind_matrices {
            "yes"
        } else {
            "none: identity"
        };
        table.row([
            skin.index.to_string(),
            table::name(skin.name),
            skin.joint_count.to_string(),
            matrices.to_owned(),
            skin.root.map_or("-".to_owned(), |node| node.to_string()),
        ]);
    }
    table.write(out)
}

fn write_meshes(info: &Info<'_>, out: &mut dyn Write) -> io::Result<()> {
    section("Meshes", info.meshes.len(), out)?;
    let mut table = Table::new(
        2,
        &[
            ">#",
            "name",
            ">nodes",
            ">vertices",
            ">triangles",
            ">influence sets",
            ">morphs",
            "materials",
        ],
    );
    for mesh in &info.meshes {
        let sets = mesh
            .primitives
            .iter()
            .map(|primitive| primitive.influence_sets)
            .max();
        table.row([
            mesh.index.to_string(),
            table::name(mesh.name),
            mesh.nodes.len().to_string(),
            mesh.vertex_count.to_string(),
            mesh.triangle_count.to_string(),
            sets.unwrap_or(0).to_string(),
            mesh.morph_targets.len().to_string(),
            material_names(info, mesh),
        ]);
    }
    table.write(out)
}

/// Names of a mesh's materials in the order of its primitives, each once.
fn material_names(info: &Info<'_>, mesh: &MeshInfo<'_>) -> String {
    let mut names: Vec<String> = Vec::new();
    for primitive in &mesh.primitives {
        let material = primitive
            .material
            .and_then(|index| info.materials.get(index));
        let name = match material {
            Some(material) if material.name.is_empty() => format!("material {}", material.index),
            Some(material) => table::name(material.name),
            None => "default".to_owned(),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

fn write_clips(clips: &[ClipInfo<'_>], out: &mut dyn Write) -> io::Result<()> {
    section("Clips", clips.len(), out)?;
    let mut table = Table::new(
        2,
        &[
            ">#",
            "name",
            ">seconds",
            ">first key",
            ">channels",
            ">keys",
            ">fps (guess)",
            "interpolation",
        ],
    );
    for clip in clips {
        table.row([
            clip.index.to_string(),
            table::name(clip.name),
            table::number(clip.duration_secs),
            table::number(clip.first_key_secs),
            clip.channel_count.to_string(),
            clip.key_count.to_string(),
            clip.guessed_fps.map_or("-".to_owned(), table::number),
            clip.interpolations.join(", "),
        ]);
    }
    table.write(out)
}

fn write_cameras(cameras: &[CameraInfo<'_>], out: &mut dyn Write) -> io::Result<()> {
    section("Cameras", cameras.len(), out)?;
    let mut table = Table::new(2, &["name", ">node", "lens"]);
    for camera in cameras {
        let lens = match camera.projection {
            ProjectionInfo::Perspective { yfov_degrees, .. } => {
                format!("perspective, {}° high", table::number(yfov_degrees))
            }
            ProjectionInfo::Orthographic { xmag, ymag, .. } => format!(
                "parallel, {} × {} units",
                table::number(2.0 * xmag),
                table::number(2.0 * ymag)
            ),
        };
        table.row([table::name(camera.name), camera.node.to_string(), lens]);
    }
    table.write(out)
}
