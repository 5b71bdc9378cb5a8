//! What a file has and a document has no place for: said, one finding per kind.

use std::collections::BTreeMap;

use super::{
    Source,
    ddl::{Data, Id, Tree},
};
use crate::document::{Finding, FindingCode, Severity};

/// Structures of the format, in all its versions.
const KNOWN: [&str; 40] = [
    "Animation",
    "Atten",
    "BoneCountArray",
    "BoneIndexArray",
    "BoneNode",
    "BoneRefArray",
    "BoneWeightArray",
    "CameraNode",
    "CameraObject",
    "Clip",
    "Color",
    "Extension",
    "GeometryNode",
    "GeometryObject",
    "IndexArray",
    "Key",
    "LightNode",
    "LightObject",
    "Material",
    "MaterialRef",
    "Mesh",
    "Metric",
    "Morph",
    "MorphWeight",
    "Name",
    "Node",
    "ObjectRef",
    "Param",
    "Rotation",
    "Scale",
    "Skeleton",
    "Skin",
    "Spectrum",
    "Texture",
    "Time",
    "Track",
    "Transform",
    "Translation",
    "Value",
    "VertexArray",
];

/// Kinds of structures unknown to the format that are named one by one.
const NAMED: usize = 16;

/// How many there are of one thing, and the line of the first.
struct Group {
    count: usize,
    line: u32,
}

/// Adds a finding for each kind of structure that nothing is made of.
pub(super) fn report(source: &Source<'_>, findings: &mut Vec<Finding>) {
    let tree = source.tree;
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    let mut further = 0;
    for id in tree.ids() {
        let Some(what) = left_out(tree, id) else {
            continue;
        };
        if let Some(group) = groups.get_mut(&what) {
            group.count += 1;
        } else if groups.len() < NAMED {
            let line = tree.get(id).line;
            groups.insert(what, Group { count: 1, line });
        } else {
            further += 1;
        }
    }
    let said = groups.into_iter().map(|(what, Group { count, line })| {
        if count == 1 {
            format!("line {line}: {what}")
        } else {
            format!("line {line} and {} more: {what}", count - 1)
        }
    });
    let rest = (further > 0).then(|| format!("{further} more structures are left out"));
    findings.extend(
        said.chain(rest).map(|message| {
            Finding::new(FindingCode::ExtensionUnsupported, Severity::Info, message)
        }),
    );
}

/// What is said of a structure from which nothing is made; `None` for one that is read,
/// or that goes with the one around it.
fn left_out(tree: &Tree<'_>, id: Id) -> Option<String> {
    let structure = tree.get(id);
    let parent = tree.parent(id).map(|parent| tree.get(parent).kind);
    let is_known = |kind: &str| KNOWN.contains(&kind);
    // Inside what is left out already, nothing is said again.
    if parent.is_some_and(|parent| !is_known(parent) || parent == "Extension") {
        return None;
    }
    Some(match structure.kind {
        "LightNode" => "the light is not shown, only its node".into(),
        "LightObject" => return None,
        "Extension" => "the extension of an application is not read".into(),
        "Spectrum" => "the colour as a spectrum is not read".into(),
        "Animation" if !parent.is_some_and(super::nodes::is_node) => {
            "the animation of something that is no node is not played".into()
        }
        kind if is_known(kind) || structure.data != Data::None => return None,
        kind => {
            let shown: String = kind.chars().take(40).collect();
            format!(
                "{shown} is a structure that the format does not know; it is left out with all in it"
            )
        }
    })
}
