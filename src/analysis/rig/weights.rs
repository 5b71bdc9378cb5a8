//! Joints named twice by a vertex, and what does not fit into four influences.

use rayon::prelude::*;

use super::words;
use crate::{
    analysis::{
        Effort, Subject, Watch,
        influences::{self, BeyondFour, Four, Keep, PER_SET, Posed},
    },
    anim::{Globals, Modes, Pose, SkinMatrix, Weights, globals, palette, sample},
    document::{Document, Finding, FindingCode, Primitive, Severity},
};

/// Poses over all clips in which dropped influences are weighed, besides the rest pose.
const USUAL_POSES: usize = 48;
/// Poses of each clip where everything is asked for.
const WHOLE_POSES: usize = 16;
/// Vertices placed in all these poses together before the usual effort takes fewer.
const USUAL_VERTICES: usize = 4_000_000;

/// `weights-duplicate-joint` and `weights-beyond-four` of every primitive.
pub(super) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let document = subject.document;
    let primitives: Vec<Place<'_>> = document
        .meshes
        .iter()
        .enumerate()
        .flat_map(|(mesh, stored)| {
            let primitives = stored.primitives.iter().enumerate();
            primitives.map(move |(index, primitive)| Place {
                document,
                mesh,
                index,
                primitive,
            })
        })
        .collect();
    let findings = primitives.par_iter().flat_map_iter(|place| {
        let twice = twice(place);
        twice.into_iter().chain(beyond(subject, place))
    });
    findings.collect()
}

/// A primitive with its place.
struct Place<'a> {
    document: &'a Document,
    mesh: usize,
    index: usize,
    primitive: &'a Primitive,
}

impl Place<'_> {
    /// `mesh 0 "Body" primitive 1`, of a mesh with several.
    fn name(&self) -> String {
        let mesh = words::mesh(self.document, self.mesh);
        match self.document.meshes[self.mesh].primitives.len() {
            1 => mesh,
            _ => format!("{mesh} primitive {}", self.index),
        }
    }

    fn finding(&self, code: FindingCode, severity: Severity, message: String) -> Finding {
        Finding::new(code, severity, message).at_mesh(self.mesh)
    }
}

/// The slot that a vertex names more than once with weight, and the two weights.
fn twice_in(slots: &[u16], weights: &[f32]) -> Option<(u16, [f32; 2])> {
    let with_weight = || {
        slots
            .iter()
            .zip(weights)
            .enumerate()
            .filter(|(_, (_, w))| **w > 0.0)
    };
    with_weight().find_map(|(place, (slot, &weight))| {
        let mut later = with_weight().filter(|&(other, (same, _))| other > place && same == slot);
        later
            .next()
            .map(|(_, (_, &second))| (*slot, [weight, second]))
    })
}

fn twice(place: &Place<'_>) -> Option<Finding> {
    let vertices = influences::file_vertices(place.primitive).enumerate();
    let mut twice = vertices.filter_map(|(vertex, (slots, weights))| {
        twice_in(slots, weights).map(|(slot, pair)| (vertex, slot, pair))
    });
    let (vertex, slot, [first, second]) = twice.next()?;
    let count = 1 + twice.count();
    // Slots are of the skin that shows the mesh; of several, the first names the joint.
    let shown = place.document.instances.iter();
    let skin = shown.filter(|i| i.mesh == place.mesh).find_map(|i| i.skin);
    let joint = skin.map(|skin| place.document.skins[skin].joints[usize::from(slot)] as usize);
    let name = joint.map_or_else(
        || format!("joint {slot}"),
        |joint| words::node(place.document, joint),
    );
    let message = format!(
        "{}: {} a joint twice, the first is vertex {vertex}: {name} with {} and {}",
        place.name(),
        words::counted(count, "vertex names", "vertices name"),
        words::number(f64::from(first)),
        words::number(f64::from(second)),
    );
    let mut finding = place
        .finding(
            FindingCode::WeightsDuplicateJoint,
            Severity::Warning,
            message,
        )
        .at_vertex(place.index, vertex)
        .with("count", count as f64)
        .with("weight", f64::from(first))
        .with("second_weight", f64::from(second));
    finding.skin = skin;
    finding.node = joint.map(|joint| place.document.skeleton.joints[joint].node);
    Some(finding)
}

/// Where dropping influences moves a vertex furthest.
#[derive(Debug, Clone, Copy, Default)]
struct Worst {
    metres: f32,
    vertex: usize,
    /// Clip and time; the rest pose without.
    at: Option<(usize, f32)>,
}

impl Worst {
    /// The larger; the first of equals. What overflows is no displacement.
    fn or(self, other: Self) -> Self {
        if other.metres > self.metres && other.metres.is_finite() {
            other
        } else {
            self
        }
    }
}

fn beyond(subject: &Subject<'_>, place: &Place<'_>) -> Option<Finding> {
    let beyond = influences::beyond_four(place.primitive);
    if beyond.vertices == 0 {
        return None;
    }
    // What an engine that divides by the sum shows, and one that does not.
    let [divided, stored] = displacements(subject, place);
    let mut message = format!(
        "{}: {} of {} weight beyond the first four influences, up to {} influences in all",
        place.name(),
        beyond.vertices,
        words::counted(
            place.primitive.file_vertex_count,
            "vertex has",
            "vertices have"
        ),
        beyond.most,
    );
    message += &off_by(place.document, divided, stored);
    if beyond.outweighed > 0 {
        message += &format!(
            "; in {} a weight beyond is larger than one of the first four",
            words::counted(beyond.outweighed, "vertex", "vertices")
        );
    }
    let shown = if divided.metres > UNSEEN {
        divided
    } else {
        stored
    };
    let mut finding = values(
        place.finding(FindingCode::WeightsBeyondFour, Severity::Info, message),
        &beyond,
    )
    .at_vertex(place.index, shown.vertex)
    .with("displacement_mm", f64::from(divided.metres) * 1e3)
    .with("displacement_stored_mm", f64::from(stored.metres) * 1e3);
    if let Some((clip, time)) = shown.at {
        finding.clip = Some(clip);
        finding.time_secs = Some(time);
    }
    Some(finding)
}

/// Below this a displacement is rounding, metres.
const UNSEEN: f32 = 1e-5;

/// `; without it vertex 3 is off by up to 12 mm in clip 0 "Walk" at 0.5 s, …`.
fn off_by(document: &Document, divided: Worst, stored: Worst) -> String {
    let phrase = |worst: Worst| {
        let distance = words::millimetres(f64::from(worst.metres));
        format!(
            "vertex {} is off by up to {distance}{}",
            worst.vertex,
            when(document, worst)
        )
    };
    match (divided.metres > UNSEEN, stored.metres > UNSEEN) {
        (true, _) => format!(
            "; without it {}, or by {} where the rest is not renormalised",
            phrase(divided),
            words::millimetres(f64::from(stored.metres))
        ),
        (false, true) => format!(
            "; without it and without renormalising the rest {}",
            phrase(stored)
        ),
        (false, false) => String::new(),
    }
}

fn values(finding: Finding, beyond: &BeyondFour) -> Finding {
    finding
        .with("vertices", beyond.vertices as f64)
        .with("most_influences", beyond.most as f64)
        .with("outweighed_vertices", beyond.outweighed as f64)
        .with(
            "largest_share",
            beyond.worst.map_or(0.0, |(_, share)| f64::from(share)),
        )
}

fn when(document: &Document, worst: Worst) -> String {
    worst.at.map_or_else(
        || " at rest".to_owned(),
        |(clip, time)| {
            let clip = words::clip(document, clip);
            format!(" in {clip} at {}", words::secs(time))
        },
    )
}

/// The largest displacements over a few poses: with the rest renormalised, and without.
fn displacements(subject: &Subject<'_>, place: &Place<'_>) -> [Worst; 2] {
    let document = subject.document;
    let vertices: Vec<usize> = influences::file_vertices(place.primitive)
        .enumerate()
        .filter(|(_, (_, weights))| weights.iter().skip(PER_SET).any(|&weight| weight > 0.0))
        .map(|(vertex, _)| vertex)
        .collect();
    // Where nothing moves, the vertex that loses most is the one to look at.
    let start = Worst {
        vertex: influences::beyond_four(place.primitive)
            .worst
            .map_or(0, |(vertex, _)| vertex),
        ..Worst::default()
    };
    let poses = poses(document, subject.effort, vertices.len());
    let worst: Vec<[Worst; 2]> = poses
        .par_iter()
        .map(|&at| in_pose(document, place, at, &vertices, subject.watch))
        .collect();
    worst
        .into_iter()
        .fold([start; 2], |[a, b], [c, d]| [a.or(c), b.or(d)])
}

/// Clip and time of the poses to look at, the rest pose first.
fn poses(document: &Document, effort: Effort, vertices: usize) -> Vec<Option<(usize, f32)>> {
    let clips = document.clips.len();
    let mut poses = vec![None];
    if clips == 0 {
        return poses;
    }
    let wanted = match effort {
        Effort::Usual => USUAL_POSES.min(USUAL_VERTICES / vertices.max(1)).max(1),
        Effort::Whole => WHOLE_POSES.saturating_mul(clips),
    };
    // Of more clips than poses every so many-th.
    let (per_clip, step) = ((wanted / clips).max(1), clips.div_ceil(wanted));
    for clip in (0..clips).step_by(step) {
        let duration = document.clips[clip].duration_secs;
        let part = |k: usize| (k as f32 + 0.5) / per_clip as f32;
        poses.extend((0..per_clip).map(|k| Some((clip, duration * part(k)))));
    }
    poses
}

fn in_pose(
    document: &Document,
    place: &Place<'_>,
    at: Option<(usize, f32)>,
    vertices: &[usize],
    watch: &Watch,
) -> [Worst; 2] {
    let mut worst = [Worst::default(); 2];
    if watch.is_cancelled() {
        return worst;
    }
    let mut pose = Pose::rest(document);
    if let Some((clip, time)) = at {
        sample(
            &document.clips[clip],
            document,
            time,
            &Modes::default(),
            &mut pose,
        );
    }
    let mut worlds = Globals::default();
    globals(&document.skeleton, &pose, &mut worlds);
    let instances = document.instances.iter().zip(&pose.morph_weights);
    for (instance, morph_weights) in instances.filter(|(i, _)| i.mesh == place.mesh) {
        let Some(skin) = instance.skin else { continue };
        let mut skin_matrices: Vec<SkinMatrix> = Vec::new();
        palette(&document.skins[skin], &worlds, &mut skin_matrices);
        let of = Posed {
            primitive: place.primitive,
            palette: &skin_matrices,
            morph_weights,
        };
        for (worst, weights) in worst.iter_mut().zip(Weights::ALL) {
            let keep = Keep::FirstSet;
            let four = Four { keep, weights };
            for &vertex in vertices {
                let metres = influences::moved(of, vertex, Weights::Normalized, four);
                *worst = worst.or(Worst { metres, vertex, at });
            }
        }
    }
    worst
}
