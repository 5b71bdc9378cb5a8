//! Which version and extensions are read.

use super::{
    error::GltfError,
    schema::{Asset, Root},
};
use crate::{
    document::{ExtensionUse, Finding, FindingCode, Severity},
    import::error::escaped,
};

/// Extensions that are understood.
const SUPPORTED: &[&str] = &[
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_transform",
];

/// Extensions that may be ignored even where a file requires them: they change
/// neither geometry nor motion nor surfaces, and the scene has lights of its own.
const HARMLESS: &[&str] = &["KHR_lights_punctual"];

/// The file's version, where it is one that is read.
pub(super) fn check_version(asset: &Asset) -> Result<String, GltfError> {
    let version = asset.version.clone().unwrap_or_default();
    let number = |text: &str| -> Option<(u32, u32)> {
        let (major, minor) = text.split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    let supported = match (&asset.min_version, number(&version)) {
        // A later 2.x is readable as far as its own lowest demand allows.
        (Some(min), Some((2, _))) => number(min) == Some((2, 0)),
        (None, Some((2, _))) => true,
        _ => false,
    };
    if supported {
        return Ok(version);
    }
    Err(GltfError::Version {
        version: match &asset.min_version {
            Some(min) => format!("{version:?} (at least {min:?})"),
            None => format!("{version:?}"),
        },
    })
}

/// Refuses a file that requires what is not supported, naming all of it; lists
/// the extensions of any other.
pub(super) fn check(
    root: &Root,
    findings: &mut Vec<Finding>,
) -> Result<Vec<ExtensionUse>, GltfError> {
    let mut uses: Vec<ExtensionUse> = Vec::new();
    for name in root.extensions_used.iter().chain(&root.extensions_required) {
        if !uses.iter().any(|known| known.name == *name) {
            uses.push(ExtensionUse {
                name: name.clone(),
                required: root.extensions_required.contains(name),
                supported: SUPPORTED.contains(&name.as_str()),
            });
        }
    }
    let is_harmless = |name: &String| HARMLESS.contains(&name.as_str());
    let refused: Vec<String> = uses
        .iter()
        .filter(|ext| ext.required && !ext.supported && !is_harmless(&ext.name))
        .map(|ext| ext.name.clone())
        .collect();
    if !refused.is_empty() {
        return Err(GltfError::ExtensionsRequired {
            names: escaped(refused.join(", ")),
            list: refused,
        });
    }
    findings.extend(uses.iter().filter(|ext| !ext.supported).map(|ext| {
        let (severity, reason) = if is_harmless(&ext.name) {
            (Severity::Info, "lights of the file are not shown")
        } else if ext.name == "VRM" || ext.name.starts_with("VRMC_") {
            // Its skeleton and meshes are plain glTF, and those are shown.
            (Severity::Info, "what it adds to the model is not shown")
        } else {
            (Severity::Warning, "what it adds is not shown")
        };
        Finding::new(
            FindingCode::ExtensionUnsupported,
            severity,
            format!("extension {} is ignored: {reason}", escaped(&ext.name)),
        )
    }));
    Ok(uses)
}
