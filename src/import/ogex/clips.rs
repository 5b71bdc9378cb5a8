//! Animations → clips.
//!
//! All `Animation` structures with one clip index are one clip; its name is that of the
//! `Clip` structure. A curve becomes keys that play it exactly where there are such:
//!
//! | curve | keys |
//! |---|---|
//! | constant | STEP |
//! | linear, even time | LINEAR (quaternions as stored) |
//! | bezier or tcb, even time | CUBICSPLINE |
//! | anything else | LINEAR, dense: see below |
//!
//! Uneven time (Bézier control points of times off the thirds), angles about axes and
//! several factors of one kind are resampled: at all key times, and in between until the
//! keys are within 0.01° for rotations, and for other values within 1/10000 of the
//! largest number. An angle never turns further than 45° between two keys, so that whole
//! turns are kept. A transform that is a matrix, or factors in another order than
//! translation, rotation, scale, becomes a track of matrices, as stored where a single
//! matrix moves.

use std::{collections::BTreeMap, sync::Arc};

use glam::{Quat, Vec3};

use super::{
    Failure, Source,
    compose::{Composed, compose, exact},
    curve::{Curve, Shape, Side, tcb},
    ddl::{Data, Id, Value},
    error::{OgexError, OgexProblem},
    meshes::Scene,
    nodes::{Node, Nodes, name},
    resample::{Budget, Function, sample},
    transform::floats,
};
use crate::{
    document::{
        Clip, Finding, FindingCode, JointTracks, Keys, MorphTracks, Property, Severity, Track,
    },
    import::{
        gltf::{
            keys::{Channel, Interpolation, KeyValue, Times, track, usable},
            vertices::{Finite as _, MAX_MAGNITUDE},
        },
        progress::Stage,
    },
};

/// Reads all animations of nodes. A track that cannot be used is left out with a finding.
pub(super) fn read(
    source: &Source<'_>,
    nodes: &Nodes,
    scene: &Scene,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Clip>, Failure> {
    let tree = source.tree;
    let mut names: BTreeMap<u32, String> = BTreeMap::new();
    for id in tree.ids() {
        if tree.get(id).kind == "Clip" && tree.parent(id).is_none() {
            names.insert(tree.number(id, "index")?.unwrap_or(0), name(tree, id));
        }
    }
    // By clip index, then joint: the structures.
    let mut animations: BTreeMap<u32, BTreeMap<usize, Vec<Id>>> = BTreeMap::new();
    for (joint, node) in nodes.list.iter().enumerate() {
        for id in tree.of_kind(node.id, "Animation") {
            let clip = tree.number(id, "clip")?.unwrap_or(0);
            let joints = animations.entry(clip).or_default();
            joints.entry(joint).or_default().push(id);
        }
    }
    for &clip in names.keys() {
        animations.entry(clip).or_default();
    }
    let mut reader = Reader {
        source,
        scene,
        budget: Budget::default(),
        findings,
    };
    let total = animations.len();
    let mut clips = Vec::with_capacity(total);
    for (number, joints) in animations {
        source.check(Stage::Clips, clips.len(), total)?;
        let mut clip = Clip {
            name: names.get(&number).cloned().unwrap_or_default(),
            ..Clip::default()
        };
        let index = clips.len();
        for (joint, structures) in joints {
            reader.joint(&mut clip, index, joint, &nodes.list[joint], &structures);
        }
        finish(&mut clip, index, reader.findings);
        clips.push(clip);
    }
    if reader.budget.is_spent {
        findings.push(Finding::new(
            FindingCode::ChannelInvalid,
            Severity::Warning,
            "the curves of this file would take more than 65536 added keys to play within the stated error; some are coarser",
        ));
    }
    Ok(clips)
}

/// Sets the times of a clip, and says when there is nothing in it.
fn finish(clip: &mut Clip, index: usize, findings: &mut Vec<Finding>) {
    let spans: Vec<(f32, f32)> = clip
        .times()
        .filter_map(|times| Some((*times.first()?, *times.last()?)))
        .collect();
    clip.start_secs = spans
        .iter()
        .map(|span| span.0)
        .reduce(f32::min)
        .unwrap_or(0.0);
    clip.duration_secs = spans
        .iter()
        .map(|span| span.1)
        .reduce(f32::max)
        .unwrap_or(0.0);
    if spans.is_empty() {
        findings.push(
            Finding::new(
                FindingCode::ClipEmpty,
                Severity::Warning,
                format!(
                    "clip {index} {:?} has no usable tracks: it shows the rest pose",
                    clip.name
                ),
            )
            .in_clip(index),
        );
    }
}

struct Reader<'a> {
    source: &'a Source<'a>,
    scene: &'a Scene,
    budget: Budget,
    findings: &'a mut Vec<Finding>,
}

/// The track's place, for findings.
#[derive(Clone, Copy)]
struct Owner<'a> {
    clip: usize,
    joint: usize,
    property: Property,
    name: &'a str,
}

impl Owner<'_> {
    fn place(&self, finding: Finding) -> Finding {
        finding
            .in_clip(self.clip)
            .at_node(self.joint)
            .of(self.property)
    }
}

impl Reader<'_> {
    /// All that one clip does to one joint.
    fn joint(
        &mut self,
        clip: &mut Clip,
        index: usize,
        joint: usize,
        node: &Node,
        animations: &[Id],
    ) {
        let tree = self.source.tree;
        let mut curves: BTreeMap<Id, Curve> = BTreeMap::new();
        let tracks = animations
            .iter()
            .flat_map(|&animation| tree.of_kind(animation, "Track"));
        for id in tracks {
            let name = format!(
                "clip {index} track at line {} ({})",
                tree.get(id).line,
                node.label
            );
            let mut owner = Owner {
                clip: index,
                joint,
                property: Property::Matrix,
                name: &name,
            };
            let read = self.target(id, node).and_then(|(target, property, width)| {
                owner.property = property;
                Ok((target, self.curve(id, width, owner)?))
            });
            match read {
                Ok((target, curve)) => {
                    if curves.insert(target, curve).is_some() {
                        self.findings.push(owner.place(Finding::new(
                            FindingCode::ChannelDuplicate,
                            Severity::Warning,
                            format!(
                                "{name} is the second for {}; this later one is played",
                                tree.label(target)
                            ),
                        )));
                    }
                }
                Err(error) => self.findings.push(owner.place(Finding::new(
                    FindingCode::ChannelInvalid,
                    Severity::Error,
                    format!("{name} is left out: {error}"),
                ))),
            }
        }
        self.morphs(clip, index, joint, node, &curves);
        if !node
            .own_parts()
            .iter()
            .any(|part| curves.contains_key(&part.id))
        {
            return;
        }
        let composed = compose(
            node,
            |part| curves.get(&part.id),
            &self.source.metrics,
            &mut self.budget,
        );
        let owner = |property| Owner {
            clip: index,
            joint,
            property,
            name: &node.label,
        };
        clip.joints.push(match composed {
            Composed::Matrix((secs, keys)) => JointTracks::Matrix {
                joint,
                matrix: Track {
                    times: secs.into(),
                    keys,
                },
            },
            Composed::Trs {
                translation,
                rotation,
                scale,
            } => JointTracks::Trs {
                joint,
                translation: translation
                    .map(|keys| self.checked(keys, Vec3::ZERO, owner(Property::Translation))),
                rotation: rotation
                    .map(|keys| self.checked(keys, Quat::IDENTITY, owner(Property::Rotation))),
                scale: scale.map(|keys| self.checked(keys, Vec3::ONE, owner(Property::Scale))),
            },
        });
    }

    /// The same checks of values as for glTF: lengths of rotations, numbers too large.
    fn checked<T: KeyValue>(
        &mut self,
        (secs, keys): (Vec<f32>, Keys<T>),
        rest: T,
        owner: Owner<'_>,
    ) -> Track<T> {
        let (interpolation, stored) = match keys {
            Keys::Step(values) => (Interpolation::Step, values),
            Keys::Linear(values) => (Interpolation::Linear, values),
            Keys::Cubic {
                in_tangents,
                values,
                out_tangents,
            } => {
                let mut stored = Vec::with_capacity(values.len() * 3);
                for (key, value) in values.into_iter().enumerate() {
                    stored.extend([in_tangents[key], value, out_tangents[key]]);
                }
                (Interpolation::Cubic, stored)
            }
        };
        let times: Times = usable(&secs);
        let channel = Channel {
            times: &times,
            interpolation,
            owner: owner.name,
            clip: owner.clip,
            node: owner.joint,
            property: owner.property,
        };
        track(&channel, 1, &stored, rest, self.findings)
    }

    /// What a track moves: the structure, the property, numbers per key.
    fn target(&self, id: Id, node: &Node) -> Result<(Id, Property, usize), OgexError> {
        let tree = self.source.tree;
        let Some(Value::Ref(Some(names))) = tree.property(id, "target") else {
            return Err(tree.error(id, OgexProblem::Missing { what: "target" }));
        };
        let lost = |expected| {
            tree.error(
                id,
                OgexProblem::Reference {
                    reference: super::ddl::spelled(Some(names)),
                    expected,
                },
            )
        };
        let target = tree
            .resolve(id, names)
            .filter(|&target| tree.parent(target) == Some(node.id))
            .ok_or_else(|| lost("transform of this node"))?;
        if tree.get(target).kind == "MorphWeight" {
            return Ok((target, Property::MorphWeights, 1));
        }
        let part = node
            .parts
            .iter()
            .find(|part| part.id == target)
            .ok_or_else(|| lost("transform or morph weight"))?;
        if part.is_object {
            return Err(lost(
                "transform that children inherit (those of objects are not animated here)",
            ));
        }
        let property = match tree.get(target).kind {
            "Translation" => Property::Translation,
            "Rotation" => Property::Rotation,
            "Scale" => Property::Scale,
            _ => Property::Matrix,
        };
        Ok((target, property, part.kind.width()))
    }

    /// Reads the time and the value curve of a track.
    fn curve(&mut self, id: Id, width: usize, owner: Owner<'_>) -> Result<Curve, OgexError> {
        let tree = self.source.tree;
        let child = |kind: &'static str| {
            tree.child(id, kind)
                .ok_or_else(|| tree.error(id, OgexProblem::Missing { what: kind }))
        };
        let (time, value) = (child("Time")?, child("Value")?);
        let factor = self.source.metrics.time;
        let stored: Vec<f32> = self
            .keys(time, "value", 1)?
            .iter()
            .map(|secs| secs * factor)
            .collect();
        let times = usable(&stored);
        if times.secs.is_empty() {
            return Err(tree.error(
                time,
                OgexProblem::Missing {
                    what: "usable keys",
                },
            ));
        }
        if let Some(repair) = times.repair {
            self.findings.push(owner.place(Finding::new(
                FindingCode::TimesNotIncreasing,
                Severity::Error,
                format!(
                    "{}: the key times do not increase from 0 on, the first wrong one is key {} at {} s; keys are sorted, {} of {} dropped",
                    owner.name, repair.first_key, repair.first_secs, repair.dropped, times.stored
                ),
            )).with("first_wrong_key", repair.first_key as f64).with("dropped", repair.dropped as f64));
        }
        // One row per usable key, of arrays that have one per stored key.
        let rows = |numbers: &[f32], width: usize, of: Id| -> Result<Vec<f64>, OgexError> {
            if numbers.len() != times.stored * width {
                return Err(tree.error(
                    of,
                    OgexProblem::Count {
                        what: "keys",
                        actual: numbers.len() / width,
                        expected: times.stored,
                    },
                ));
            }
            let row = |key: usize| numbers[key * width..(key + 1) * width].iter();
            Ok(match &times.kept {
                Some(kept) => kept
                    .iter()
                    .flat_map(|&key| row(key))
                    .map(|&n| f64::from(n))
                    .collect(),
                None => numbers.iter().map(|&n| f64::from(n)).collect(),
            })
        };
        let mut values = rows(self.keys(value, "value", width)?, width, value)?;
        self.mend(&mut values, width, &times.secs, owner);
        let word =
            |id: Id| Ok::<_, OgexError>(tree.text(id, "curve")?.unwrap_or("linear").to_owned());
        let unknown = |id: Id, word: &str, expected| {
            tree.error(
                id,
                OgexProblem::Property {
                    property: "curve",
                    value: format!("{word:?}"),
                    expected,
                },
            )
        };
        let controls = |id: Id, width: usize| -> Result<(Vec<f64>, Vec<f64>), OgexError> {
            Ok((
                rows(self.keys(id, "-control", width)?, width, id)?,
                rows(self.keys(id, "+control", width)?, width, id)?,
            ))
        };
        let finite = |numbers: &mut Vec<f64>, fallback: &[f64]| {
            for (number, &fallback) in numbers.iter_mut().zip(fallback) {
                if !(number.abs() <= f64::from(MAX_MAGNITUDE)) {
                    *number = fallback;
                }
            }
        };
        let time_controls = match word(time)?.as_str() {
            "linear" => None,
            "bezier" => {
                let (mut before, mut after) = controls(time, 1)?;
                for numbers in [&mut before, &mut after] {
                    for number in numbers.iter_mut() {
                        *number *= f64::from(factor);
                    }
                    let keys: Vec<f64> = times.secs.iter().map(|&secs| f64::from(secs)).collect();
                    finite(numbers, &keys);
                }
                Some((before, after))
            }
            word => return Err(unknown(time, word, "linear or bezier is expected")),
        };
        let shape = match word(value)?.as_str() {
            "constant" => Shape::Constant,
            "linear" => Shape::Linear,
            "bezier" => {
                let (mut before, mut after) = controls(value, width)?;
                finite(&mut before, &values);
                finite(&mut after, &values);
                Shape::Bezier { before, after }
            }
            "tcb" => {
                let mut params = Vec::new();
                for kind in ["tension", "continuity", "bias"] {
                    let mut numbers = rows(self.keys(value, kind, 1)?, 1, value)?;
                    let zeros = vec![0.0; numbers.len()];
                    finite(&mut numbers, &zeros);
                    params.push(numbers);
                }
                let params: Vec<[f64; 3]> = (0..times.secs.len())
                    .map(|key| [params[0][key], params[1][key], params[2][key]])
                    .collect();
                tcb(&times.secs, &values, width, &params)
            }
            word => {
                return Err(unknown(
                    value,
                    word,
                    "constant, linear, bezier or tcb is expected",
                ));
            }
        };
        Ok(Curve {
            secs: times.secs.to_vec(),
            time_controls,
            width,
            values,
            shape,
        })
    }

    /// The numbers of the first `Key` of a kind.
    fn keys(&self, owner: Id, kind: &'static str, width: usize) -> Result<&[f32], OgexError> {
        let tree = self.source.tree;
        for id in tree.of_kind(owner, "Key") {
            if tree.text(id, "kind")?.unwrap_or("value") == kind {
                let is_scalar = width == 1 || ["tension", "continuity", "bias"].contains(&kind);
                let width = if is_scalar { 1 } else { width };
                let data = tree.data(id).map(|data| &data.data);
                if data == Some(&Data::Floats(Vec::new())) {
                    break;
                }
                return floats(tree, id, width);
            }
        }
        Err(tree.error(
            owner,
            OgexProblem::Missing {
                what: kind_name(kind),
            },
        ))
    }

    /// A key with a number that is none takes the key before it, or the first usable one.
    fn mend(&mut self, values: &mut [f64], width: usize, secs: &Arc<[f32]>, owner: Owner<'_>) {
        let is_good = |row: &[f64]| row.iter().all(|&number| (number as f32).is_usable());
        let mut last = values
            .chunks_exact(width)
            .find(|row| is_good(row))
            .map_or_else(|| vec![0.0; width], <[f64]>::to_vec);
        let (mut count, mut first) = (0, None);
        for (key, row) in values.chunks_exact_mut(width).enumerate() {
            if is_good(row) {
                last.copy_from_slice(row);
            } else {
                row.copy_from_slice(&last);
                count += 1;
                first.get_or_insert(key);
            }
        }
        if let Some(key) = first {
            self.findings.push(
                owner
                    .place(Finding::new(
                        FindingCode::KeysNonFinite,
                        Severity::Error,
                        format!("{}: {count} key values are NaN, infinite or beyond {MAX_MAGNITUDE:e}, the first at key {key}; the key before it holds", owner.name),
                    ))
                    .at_key(key, secs[key])
                    .with("count", f64::from(count)),
            );
        }
    }

    /// Joins the curves of a node's morph weights to one track.
    fn morphs(
        &mut self,
        clip: &mut Clip,
        index: usize,
        joint: usize,
        node: &Node,
        curves: &BTreeMap<Id, Curve>,
    ) {
        let tree = self.source.tree;
        let Some(shapes) = self
            .scene
            .shapes
            .get(&joint)
            .filter(|shapes| !shapes.is_empty())
        else {
            return;
        };
        let instances = &self.scene.instances;
        let rest = instances
            .iter()
            .find(|instance| instance.joint == joint)
            .map(|instance| instance.morph_weights.clone())
            .unwrap_or_default();
        let mut moved: Vec<Option<&Curve>> = vec![None; shapes.len()];
        for id in tree.of_kind(node.id, "MorphWeight") {
            let shape = tree.number(id, "index").ok().flatten().unwrap_or(0);
            if let (Ok(at), Some(curve)) = (shapes.binary_search(&shape), curves.get(&id)) {
                moved[at] = Some(curve);
            }
        }
        let all: Vec<&Curve> = moved.iter().copied().flatten().collect();
        let Some(first) = all.first() else { return };
        let count = shapes.len();
        let alike = all.iter().all(|curve| {
            curve.secs == first.secs
                && core::mem::discriminant(&curve.shape) == core::mem::discriminant(&first.shape)
                && curve.has_even_time()
        });
        let by_key = |pick: &dyn Fn(usize, Option<&Curve>, usize) -> f64| -> Vec<f32> {
            let keys = 0..first.secs.len();
            keys.flat_map(|key| (0..count).map(move |at| (key, at)))
                .map(|(key, at)| pick(at, moved[at], key) as f32)
                .collect()
        };
        let values = by_key(&|at, curve, key| curve.map_or(f64::from(rest[at]), |c| c.values[key]));
        let tangents = matches!(first.shape, Shape::Bezier { .. }).then(|| {
            let sides: Vec<_> = moved
                .iter()
                .map(|curve| curve.and_then(Curve::tangents))
                .collect();
            [
                by_key(&|at, _, key| {
                    sides[at]
                        .as_ref()
                        .map_or(0.0, |(arriving, _)| arriving[key])
                }),
                by_key(&|at, _, key| sides[at].as_ref().map_or(0.0, |(_, leaving)| leaving[key])),
            ]
        });
        let (secs, keys) = match alike.then(|| exact(first, values, tangents)).flatten() {
            Some(keys) => (first.secs.clone(), keys),
            None => {
                let value = |secs: f64, side: Side| -> Vec<f64> {
                    let each = moved.iter().zip(&rest);
                    each.map(|(curve, &rest)| {
                        curve.map_or(f64::from(rest), |c| c.at(secs, side)[0])
                    })
                    .collect()
                };
                let function = Function {
                    curves: &all,
                    value: &value,
                    parts: &|_, _| 1,
                    is_near: &|a: &Vec<f64>, middle: &Vec<f64>, b: &Vec<f64>| {
                        (0..count).all(|i| ((a[i] + b[i]) * 0.5 - middle[i]).abs() <= 1e-4)
                    },
                };
                let (secs, values) = sample(&function, &mut self.budget);
                (
                    secs,
                    Keys::Linear(values.into_iter().flatten().map(|w| w as f32).collect()),
                )
            }
        };
        let _ = index;
        clip.morphs.push(MorphTracks {
            joint,
            target_count: count,
            weights: Track {
                times: secs.into(),
                keys,
            },
        });
    }
}

/// The kind of a key for a message.
fn kind_name(kind: &'static str) -> &'static str {
    match kind {
        "value" => "keys",
        "-control" => "keys of the kind \"-control\"",
        "+control" => "keys of the kind \"+control\"",
        "tension" => "keys of the kind \"tension\"",
        "continuity" => "keys of the kind \"continuity\"",
        _ => "keys of the kind \"bias\"",
    }
}
