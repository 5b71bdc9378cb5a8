//! Rest pose against bind pose, and how many joints there are.

use rayon::prelude::*;

use super::{rest::Rest, words};
use crate::{
    analysis::{
        bind::{self, BindRow, BindTable},
        influences, measures,
    },
    document::{Document, Finding, FindingCode, Severity},
};

/// `bind-rest-mismatch` and `joint-count` of every skin.
pub(super) fn check(document: &Document, rest: &Rest) -> Vec<Finding> {
    let skins = (0..document.skins.len()).into_par_iter();
    let findings = skins.flat_map_iter(|skin| {
        let mismatch = mismatch(document, rest, skin);
        mismatch.into_iter().chain(count(document, skin))
    });
    findings.collect()
}

/// One finding per skin. Not where no bind pose is given, or none that can be meant: that
/// is a finding of its own, and this its consequence.
fn mismatch(document: &Document, rest: &Rest, skin: usize) -> Option<Finding> {
    let stored = &document.skins[skin];
    if !stored.has_inverse_bind_matrices || stored.transposed_bind.is_some() {
        return None;
    }
    let table = bind::table(document, skin);
    // Joints that move nothing may say what they like: exporters write identities for
    // the ends of chains.
    let is_used = table.rows.iter().any(|row| row.is_used);
    let rows: Vec<&BindRow> = table
        .rows
        .iter()
        .filter(|row| row.has_bind && (row.is_used || !is_used))
        .collect();
    let differing = rows.iter().filter(|row| row.differs);
    let count = differing.clone().count();
    match differing.clone().next() {
        Some(worst) => {
            let joints: Vec<usize> = differing.map(|row| row.joint).collect();
            let rigid = rigid_meshes(document, rest, &joints);
            Some(bent(
                document,
                skin,
                &table,
                worst,
                [count, rows.len(), rigid],
            ))
        }
        None => {
            let is_news = table.moves_as_a_whole()
                && !is_told_by_nodes(document, rest, skin, &table)
                && !is_quantization(document, &table);
            is_news.then(|| moved(document, skin, &table))
        }
    }
}

/// Whether the nodes that show the skin's meshes have the same matrix: the mesh rests just
/// where its node would put it, and `skinned-mesh-transform` speaks of that.
fn is_told_by_nodes(document: &Document, rest: &Rest, skin: usize, table: &BindTable) -> bool {
    let instances = document.instances.iter();
    let mut shown = instances
        .filter(|instance| instance.skin == Some(skin) && instance.in_scene)
        .peekable();
    shown.peek().is_some() && shown.all(|instance| table.is_common(rest.worlds[instance.joint]))
}

/// Whether what moves the mesh as a whole is what takes quantised positions back to their
/// units: stored in the bind matrices, for a skinned mesh has nowhere else to put it.
fn is_quantization(document: &Document, table: &BindTable) -> bool {
    let mut extensions = document.asset.extensions.iter();
    let common = table.common_difference();
    let [x, y, z] = common.scale.to_array();
    let is_even = (x - y).abs().max((x - z).abs()) <= x.abs() * 1e-3;
    extensions.any(|extension| extension.name == "KHR_mesh_quantization")
        && common.degrees < 0.5
        && is_even
}

/// Joints rest elsewhere than they were bound.
fn bent(
    document: &Document,
    skin: usize,
    table: &BindTable,
    worst: &BindRow,
    [count, joints, rigid]: [usize; 3],
) -> Finding {
    let own = words::difference(&worst.own, table.size);
    let (difference, how) = if own.is_empty() {
        let whole = words::difference(&worst.whole, table.size);
        (worst.whole, format!("{whole} with what is above it"))
    } else {
        (worst.own, own)
    };
    let hanging = match rigid {
        0 => String::new(),
        _ => format!(
            "; {} such joints",
            words::counted(rigid, "unskinned mesh hangs on", "unskinned meshes hang on")
        ),
    };
    let message = format!(
        "{}: {count} of {} {} elsewhere at rest than at bind; the worst is {}, {how}{hanging}",
        words::skin(document, skin),
        words::counted(joints, "joint", "joints"),
        if count == 1 { "is" } else { "are" },
        words::node(document, worst.joint),
    );
    mismatch_finding(message, skin)
        .at_node(document.skeleton.joints[worst.joint].node)
        .with("joints", count as f64)
        .with("of", joints as f64)
        .with("turned_degrees", f64::from(difference.degrees))
        .with("moved", f64::from(difference.distance))
        .with("scaled", f64::from(difference.worst_scale()))
}

/// One matrix moves all joints, and nothing bends.
fn moved(document: &Document, skin: usize, table: &BindTable) -> Finding {
    let common = table.common_difference();
    let message = format!(
        "{}: the rest pose is the bind pose moved as a whole by one matrix: {}; no joint bends",
        words::skin(document, skin),
        words::difference(&common, table.size),
    );
    mismatch_finding(message, skin)
        .with("joints", 0.0)
        .with("of", table.rows.len() as f64)
        .with("turned_degrees", f64::from(common.degrees))
        .with("moved", f64::from(common.distance))
        .with("scaled", f64::from(common.worst_scale()))
}

fn mismatch_finding(message: String, skin: usize) -> Finding {
    Finding::new(FindingCode::BindRestMismatch, Severity::Info, message).at_skin(skin)
}

/// Meshes without a skin at or below one of these joints: they are seen at rest, beside a
/// skin that was bound elsewhere.
fn rigid_meshes(document: &Document, rest: &Rest, joints: &[usize]) -> usize {
    let mut is_below = vec![false; rest.worlds.len()];
    for &joint in joints {
        is_below[joint] = true;
    }
    for (index, joint) in document.skeleton.joints.iter().enumerate() {
        is_below[index] |= joint.parent.is_some_and(|parent| is_below[parent]);
    }
    let rigid = document.instances.iter().filter(|i| i.skin.is_none());
    rigid.filter(|instance| is_below[instance.joint]).count()
}

/// More joints than common limits.
fn count(document: &Document, skin: usize) -> Option<Finding> {
    let joints = document.skins[skin].joints.len();
    let crossed = measures::limits_crossed(joints);
    let limit = *crossed.last()?;
    let usage = influences::slot_usage(document, skin);
    let used = usage.iter().filter(|&&vertices| vertices > 0).count();
    let limits: Vec<String> = crossed.iter().map(usize::to_string).collect();
    let message = format!(
        "{} has {joints} joints, of which {used} move vertices: more than the {} that some engines take",
        words::skin(document, skin),
        words::listed(&limits),
    );
    Some(
        Finding::new(FindingCode::JointCount, Severity::Info, message)
            .at_skin(skin)
            .with("joints", joints as f64)
            .with("used_joints", used as f64)
            .with("limit", limit as f64),
    )
}
