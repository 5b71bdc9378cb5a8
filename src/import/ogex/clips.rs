//! Animations → clips.
//!
//! All `Animation` structures with one clip index are one clip; its name is that of the
//! `Clip` structure. Where an animation has a `begin` or an `end`, its curves are cut
//! there, and hold the value at the cut where others play on. A curve becomes keys that play it exactly where there are such:
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

use std::collections::BTreeMap;

use glam::{Mat4, Quat, Vec3};

use super::{
    Failure, Source,
    compose::{Composed, compose},
    curve::Curve,
    ddl::{Id, Value},
    error::{OgexError, OgexProblem},
    meshes::Scene,
    nodes::{Node, Nodes, name},
    resample::Budget,
    track::Span,
    transform::Kind,
};
use crate::{
    document::{Clip, Finding, FindingCode, JointTracks, Keys, Property, Severity, Track},
    import::{
        gltf::{
            keys::{Channel, Interpolation, KeyValue, Times, track, usable},
            vertices::{Finite as _, MAX_MAGNITUDE, mend},
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
    for (joint, node) in nodes.stored() {
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
        nodes,
        budget: Budget::new(source.bytes),
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
            reader.joint(&mut clip, index, joint, &structures)?;
        }
        // Joints of objects come after those of nodes.
        clip.joints.sort_by_key(JointTracks::joint);
        clip.morphs.sort_by_key(|tracks| tracks.joint);
        finish(&mut clip, index, reader.findings);
        clips.push(clip);
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

/// What reading clips takes.
pub(super) struct Reader<'a> {
    pub(super) source: &'a Source<'a>,
    nodes: &'a Nodes,
    pub(super) scene: &'a Scene,
    pub(super) budget: Budget,
    pub(super) findings: &'a mut Vec<Finding>,
}

/// The track's place, for findings.
#[derive(Clone, Copy)]
pub(super) struct Owner<'a> {
    pub(super) clip: usize,
    pub(super) joint: usize,
    pub(super) property: Property,
    pub(super) name: &'a str,
}

impl Owner<'_> {
    pub(super) fn place(&self, finding: Finding) -> Finding {
        finding
            .in_clip(self.clip)
            .at_node(self.joint)
            .of(self.property)
    }
}

impl Reader<'_> {
    /// All that one clip does to one node: its joint and its object's.
    fn joint(
        &mut self,
        clip: &mut Clip,
        index: usize,
        joint: usize,
        animations: &[Id],
    ) -> Result<(), OgexError> {
        let node = &self.nodes.list[joint];
        let curves = self.curves(index, joint, animations)?;
        self.morphs(clip, index, node.object.unwrap_or(joint), node, &curves);
        self.tracks(clip, index, joint, &curves);
        if let Some(object) = node.object {
            self.tracks(clip, index, object, &curves);
        }
        Ok(())
    }

    /// The curves of a node's animations, by the structure they move.
    fn curves(
        &mut self,
        index: usize,
        joint: usize,
        animations: &[Id],
    ) -> Result<BTreeMap<Id, Curve>, OgexError> {
        let tree = self.source.tree;
        let node = &self.nodes.list[joint];
        let mut curves = BTreeMap::new();
        let mut tracks = Vec::new();
        for &animation in animations {
            let span = Span::read(tree, animation)?;
            tracks.extend(tree.of_kind(animation, "Track").map(|id| (id, span)));
        }
        for (id, span) in tracks {
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
            let read = self.target(id, node).and_then(|target| {
                owner.property = target.property;
                let Some(kind) = target.kind else {
                    let straight = |a: &[f64], b: &[f64], s: f64| vec![a[0] + (b[0] - a[0]) * s];
                    return Ok((target, self.curve(id, 1, (span, &straight), owner)?));
                };
                let between = |a: &[f64], b: &[f64], s: f64| kind.between(a, b, s);
                Ok((
                    target,
                    self.curve(id, kind.width(), (span, &between), owner)?,
                ))
            });
            match read {
                Ok((target, curve)) => {
                    if target.is_idle {
                        self.findings.push(owner.place(Finding::new(
                            FindingCode::ChannelIgnoredTransform,
                            Severity::Info,
                            format!("{name} moves the node's object and not its children: it has nothing to move, for the object is skinned or not shown"),
                        )));
                    }
                    if curves.insert(target.id, curve).is_some() {
                        self.findings.push(owner.place(Finding::new(
                            FindingCode::ChannelDuplicate,
                            Severity::Warning,
                            format!(
                                "{name} is the second for {}; this later one is played",
                                tree.label(target.id)
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
        Ok(curves)
    }

    /// The tracks that a joint has of these curves.
    fn tracks(
        &mut self,
        clip: &mut Clip,
        index: usize,
        joint: usize,
        curves: &BTreeMap<Id, Curve>,
    ) {
        let node = &self.nodes.list[joint];
        if !node
            .own_parts()
            .iter()
            .any(|part| curves.contains_key(&part.id))
        {
            return;
        }
        let owner = |property| Owner {
            clip: index,
            joint,
            property,
            name: &node.label,
        };
        let composed = compose(
            node,
            |part| curves.get(&part.id),
            &self.source.metrics,
            &mut self.budget,
        );
        self.budget_spent(owner(Property::Rotation));
        clip.joints.push(match composed {
            Composed::Matrix((secs, keys)) => JointTracks::Matrix {
                joint,
                matrix: Track {
                    keys: self.usable(keys, &secs, owner(Property::Matrix)),
                    times: secs.into(),
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

    /// Says once that curves from this joint on had to be played by fewer keys than
    /// they need.
    pub(super) fn budget_spent(&mut self, owner: Owner<'_>) {
        let Some(added) = self.budget.spent() else {
            return;
        };
        self.findings.push(
            Finding::new(
                FindingCode::ChannelInvalid,
                Severity::Error,
                format!(
                    "clip {} turns {} faster or bends its curves more than the {added} keys can follow that a file of this size may gain: here and in what comes after, motion is coarser and whole turns are lost",
                    owner.clip, owner.name
                ),
            )
            .in_clip(owner.clip)
            .at_node(owner.joint)
            .with("added_keys", added as f64),
        );
    }

    /// Products of large numbers may be too large, each of which is not.
    fn usable(&mut self, mut keys: Keys<Mat4>, secs: &[f32], owner: Owner<'_>) -> Keys<Mat4> {
        let values = match &mut keys {
            Keys::Step(values) | Keys::Linear(values) => values,
            Keys::Cubic {
                in_tangents,
                values,
                out_tangents,
            } => {
                for tangent in in_tangents.iter_mut().chain(out_tangents) {
                    if !tangent.is_usable() {
                        *tangent = Mat4::ZERO;
                    }
                }
                values
            }
        };
        let rest = self.nodes.skeleton.joints[owner.joint].rest_mat4();
        if let Some((count, first)) = mend(values, rest) {
            self.findings.push(
                owner
                    .place(Finding::new(
                        FindingCode::KeysNonFinite,
                        Severity::Error,
                        format!("the matrices of {}: {count} are not finite or beyond {MAX_MAGNITUDE:e}, the first at key {first}; the key before it holds", owner.name),
                    ))
                    .at_key(first, secs[first])
                    .with("count", count as f64),
            );
        }
        keys
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

    /// What a track moves.
    fn target(&self, id: Id, node: &Node) -> Result<Target, OgexError> {
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
            return Ok(Target {
                id: target,
                property: Property::MorphWeights,
                kind: None,
                is_idle: false,
            });
        }
        let part = node
            .parts
            .iter()
            .find(|part| part.id == target)
            .ok_or_else(|| lost("transform or morph weight"))?;
        Ok(Target {
            id: target,
            property: match part.kind {
                Kind::Translation(_) => Property::Translation,
                Kind::Rotation(_) => Property::Rotation,
                Kind::Scale(_) => Property::Scale,
                Kind::Matrix => Property::Matrix,
            },
            kind: Some(part.kind),
            is_idle: part.is_object && node.object.is_none(),
        })
    }
}

/// What a track moves.
struct Target {
    id: Id,
    property: Property,
    /// `None` for a morph weight.
    kind: Option<Kind>,
    /// Whether it is the transform of an object that has no joint.
    is_idle: bool,
}
