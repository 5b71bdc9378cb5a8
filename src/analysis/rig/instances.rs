//! Transforms of skinned meshes, which do not count.

use glam::Mat4;

use super::{few, rest::Rest, words};
use crate::{
    analysis::measures,
    document::{Document, Finding, FindingCode, MeshInstance, Severity},
};

/// `skinned-mesh-transform`: the transform of a skinned mesh's node, or of one above it,
/// is not the identity.
pub(super) fn check(document: &Document, rest: &Rest) -> Vec<Finding> {
    let instances = document.instances.iter();
    let ignored = instances.filter_map(|instance| ignored(document, rest, instance));
    few(ignored.collect())
}

fn is_identity(matrix: Mat4) -> bool {
    matrix.abs_diff_eq(Mat4::IDENTITY, 1e-5)
}

fn ignored(document: &Document, rest: &Rest, instance: &MeshInstance) -> Option<Finding> {
    let skin = instance.skin?;
    let joint = &document.skeleton.joints[instance.joint];
    let (world, own) = (rest.worlds[instance.joint], joint.rest_mat4());
    if is_identity(world) && is_identity(own) {
        return None;
    }
    // What would be added where it counts; of a transform that its parents undo, its own.
    let (value, whose) = match (is_identity(own), is_identity(world)) {
        (true, _) => (world, "from the nodes above it"),
        (false, true) => (own, "of its own, undone by the nodes above it"),
        (false, false) if joint.parent.is_some_and(|p| !is_identity(rest.worlds[p])) => {
            (world, "of its own and from the nodes above it")
        }
        (false, false) => (own, "of its own"),
    };
    let difference = measures::difference(value);
    // A shift below a hundredth of a millimetre is rounding.
    let what = words::difference(&difference, 0.1);
    let what = if what.is_empty() {
        "a shear".into()
    } else {
        what
    };
    let message = format!(
        "{} shows {} under {} and has a transform {whose} that does not count for a skinned mesh: {what}",
        words::node(document, instance.joint),
        words::mesh(document, instance.mesh),
        words::skin(document, skin),
    );
    Some(
        Finding::new(FindingCode::SkinnedMeshTransform, Severity::Info, message)
            .at_node(joint.node)
            .at_mesh(instance.mesh)
            .at_skin(skin)
            .with("turned_degrees", f64::from(difference.degrees))
            .with("moved", f64::from(difference.distance))
            .with("scaled", f64::from(difference.worst_scale())),
    )
}
