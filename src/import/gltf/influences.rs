//! Joints and weights: any number of sets, repaired to be safe to use.

use super::{
    component::Integers,
    counted,
    error::GltfError,
    vertices::{Attributes, Place},
};
use crate::document::{Finding, FindingCode, Influences, Severity};

/// Reads all sets of a primitive. `slots` is how many joints every skin has that
/// shows the mesh; `None` means that none does, and then there is nothing to read.
pub(super) fn read(
    attributes: &Attributes<'_>,
    slots: Option<usize>,
    findings: &mut Vec<Finding>,
) -> Result<Influences, GltfError> {
    let numbers = complete_sets(attributes, findings);
    let Some(slots) = slots else {
        return Ok(Influences::default());
    };
    let mut sets = Vec::with_capacity(numbers.len());
    for set in numbers {
        let joints = attributes.joints(&format!("JOINTS_{set}"))?;
        let weights: Option<Vec<[f32; 4]>> =
            attributes.floats(&format!("WEIGHTS_{set}"), Integers::Normalized)?;
        sets.extend(joints.zip(weights));
    }
    let per_vertex = 4 * sets.len();
    let mut influences = Influences {
        per_vertex,
        joints: Vec::with_capacity(per_vertex * attributes.vertices),
        weights: Vec::with_capacity(per_vertex * attributes.vertices),
    };
    for vertex in 0..attributes.vertices {
        for (joints, weights) in &sets {
            influences.joints.extend_from_slice(&joints[vertex]);
            influences.weights.extend_from_slice(&weights[vertex]);
        }
    }
    mend(
        &mut influences,
        slots,
        attributes.weight_rounding(),
        (attributes.owner, attributes.place),
        findings,
    );
    Ok(influences)
}

/// Makes joints and weights of any format safe to use, and says what was wrong. `slots`
/// is how many joints there are, `rounding` the error of one stored weight.
pub(in crate::import) fn mend(
    influences: &mut Influences,
    slots: usize,
    rounding: f64,
    (name, place): (&str, Place),
    findings: &mut Vec<Finding>,
) {
    let owner = Owner { name, place };
    let broken = mend_weights(influences, owner, findings);
    // Of the weights as stored: what is taken away with a joint is told with that joint.
    check_sums(influences, &broken, rounding, owner, findings);
    mend_joints(influences, slots, owner, findings);
}

/// The numbers `n` for which there are both `JOINTS_n` and `WEIGHTS_n`, in order.
fn complete_sets(attributes: &Attributes<'_>, findings: &mut Vec<Finding>) -> Vec<u32> {
    let mut numbers: Vec<u32> = attributes
        .stored
        .keys()
        .filter_map(|name| {
            let number = name
                .strip_prefix("JOINTS_")
                .or_else(|| name.strip_prefix("WEIGHTS_"))?;
            number.parse().ok()
        })
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.retain(|set| {
        let [joints, weights] = ["JOINTS", "WEIGHTS"].map(|kind| format!("{kind}_{set}"));
        let has = |name: &String| attributes.stored.contains_key(name);
        let (present, absent) = match (has(&joints), has(&weights)) {
            (true, false) => (joints, weights),
            (false, true) => (weights, joints),
            // `JOINTS_00` and the like: not the format's name for set 0.
            (false, false) => return false,
            (true, true) => return true,
        };
        findings.push(
            Finding::new(
                FindingCode::WeightsInvalid,
                Severity::Error,
                format!(
                    "{} has {present}, but no {absent}: the set is left out",
                    attributes.owner
                ),
            )
            .at_mesh(attributes.place.mesh),
        );
        false
    });
    numbers
}

/// The primitive in messages and findings.
#[derive(Clone, Copy)]
struct Owner<'a> {
    name: &'a str,
    place: Place,
}

/// Counts what is wrong and remembers the first place.
#[derive(Default)]
struct Tally {
    count: usize,
    first_vertex: usize,
}

impl Tally {
    fn add(&mut self, vertex: usize) {
        if self.count == 0 {
            self.first_vertex = vertex;
        }
        self.count += 1;
    }

    /// A finding at the first vertex, if anything was counted.
    fn finding(
        &self,
        code: FindingCode,
        severity: Severity,
        place: Place,
        message: impl FnOnce(&Self) -> String,
    ) -> Option<Finding> {
        (self.count > 0).then(|| {
            let finding = Finding::new(code, severity, message(self))
                .with("count", self.count as f64)
                .with("first_vertex", self.first_vertex as f64);
            place.mark(finding, self.first_vertex)
        })
    }
}

/// Largest weight that is taken for one. Weights are shares, near 1 in sum; far
/// beyond, sums and products with matrices overflow.
const MAX_WEIGHT: f32 = 1e6;

/// Weights become finite, not negative and not absurdly large. Returns the vertices that
/// had one that was no number, in order.
fn mend_weights(
    influences: &mut Influences,
    owner: Owner<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<usize> {
    let mut vertices = Vec::new();
    let per_vertex = influences.per_vertex;
    let [mut broken, mut negative, mut large] = <[Tally; 3]>::default();
    for (at, weight) in influences.weights.iter_mut().enumerate() {
        if !weight.is_finite() {
            broken.add(at / per_vertex);
            vertices.push(at / per_vertex);
            *weight = 0.0;
        } else if *weight < 0.0 {
            negative.add(at / per_vertex);
            *weight = 0.0;
        } else if *weight > MAX_WEIGHT {
            large.add(at / per_vertex);
            vertices.push(at / per_vertex);
            *weight = 0.0;
        }
    }
    let kinds = [
        (broken, "NaN or infinite"),
        (negative, "negative"),
        (large, "larger than 1000000"),
    ];
    for (tally, what) in kinds {
        findings.extend(tally.finding(
            FindingCode::WeightsInvalid,
            Severity::Error,
            owner.place,
            |tally| {
                format!(
                    "{}: {} {what}, the first at vertex {}; 0 is used instead",
                    owner.name,
                    counted(tally.count, "weight is", "weights are"),
                    tally.first_vertex
                )
            },
        ));
    }
    vertices
}

/// Joint slots become smaller than the skins' joint count.
fn mend_joints(
    influences: &mut Influences,
    slots: usize,
    owner: Owner<'_>,
    findings: &mut Vec<Finding>,
) {
    let per_vertex = influences.per_vertex;
    // Without a weight, and with one; the largest index of each.
    let mut tallies = [Tally::default(), Tally::default()];
    let mut largest = [0; 2];
    let pairs = influences.joints.iter_mut().zip(&mut influences.weights);
    for (at, (joint, weight)) in pairs.enumerate() {
        if usize::from(*joint) >= slots {
            let kind = usize::from(*weight > 0.0);
            tallies[kind].add(at / per_vertex);
            largest[kind] = largest[kind].max(*joint);
            (*joint, *weight) = (0, 0.0);
        }
    }
    let kinds = [
        (Severity::Info, "with no weight, so nothing changes"),
        (Severity::Error, "with a weight, which is taken away"),
    ];
    for ((tally, largest), (severity, outcome)) in tallies.iter().zip(largest).zip(kinds) {
        findings.extend(
            tally
                .finding(FindingCode::JointIndexOutOfRange, severity, owner.place, |tally| {
                    format!(
                        "{}: {} out of range (the largest is {largest}, the skin has {}); the first is at vertex {}, {outcome}",
                        owner.name,
                        counted(tally.count, "joint index is", "joint indices are"),
                        counted(slots, "joint", "joints"),
                        tally.first_vertex
                    )
                })
                .map(|finding| {
                    finding
                        .with("largest_index", f64::from(largest))
                        .with("joints", slots as f64)
                }),
        );
    }
}

/// Reports vertices whose weights sum to 0 or not to 1. Weights stay as stored; vertices
/// that are `broken` have their finding, and no sum.
///
/// `rounding` is the error of one stored weight; what `n` of them may add up to is
/// no fault. (glTF 2.0 wants integers to sum exactly; the error this can make is
/// below what the storage shows anyway.)
fn check_sums(
    influences: &Influences,
    broken: &[usize],
    rounding: f64,
    owner: Owner<'_>,
    findings: &mut Vec<Finding>,
) {
    if influences.is_empty() {
        return;
    }
    let (mut zero, mut off) = (Tally::default(), Tally::default());
    // Sum and vertex.
    let mut worst = (1.0_f64, 0);
    for (vertex, weights) in influences
        .weights
        .chunks_exact(influences.per_vertex)
        .enumerate()
    {
        if broken.binary_search(&vertex).is_ok() {
            continue;
        }
        let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
        let used = weights.iter().filter(|&&weight| weight > 0.0).count();
        // What is below rounds to 0 where it is used: `anim::Weights::MIN_SUM`.
        if sum < f64::from(f32::MIN_POSITIVE) {
            zero.add(vertex);
        } else if (sum - 1.0).abs() > rounding * used as f64 {
            off.add(vertex);
            if (sum - 1.0).abs() > (worst.0 - 1.0).abs() {
                worst = (sum, vertex);
            }
        }
    }
    findings.extend(
        zero.finding(FindingCode::WeightsZero, Severity::Error, owner.place, |tally| {
            format!(
                "{}: all weights of {} are 0 or too small to use, the first is vertex {}; such vertices stay at their bind position",
                owner.name,
                counted(tally.count, "vertex", "vertices"),
                tally.first_vertex
            )
        }),
    );
    findings.extend(
        off.finding(
            FindingCode::WeightsNotNormalized,
            Severity::Warning,
            owner.place,
            |tally| {
                format!(
                    "{}: the weights of {} do not sum to 1, the first is vertex {}, the worst is vertex {} with {:.6}",
                    owner.name,
                    counted(tally.count, "vertex", "vertices"),
                    tally.first_vertex,
                    worst.1,
                    worst.0
                )
            },
        )
        // The worst is what to look at; the first is among the values.
        .map(|finding| owner.place.mark(finding.with("worst_sum", worst.0), worst.1)),
    );
}
