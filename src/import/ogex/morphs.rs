//! Curves of morph weights → one track for all weights of a mesh.

use std::collections::BTreeMap;

use super::{
    clips::{Owner, Reader},
    compose::exact,
    curve::{Curve, Shape, Side},
    ddl::Id,
    nodes::Node,
    resample::{Function, knots, sample},
};
use crate::document::{Clip, Finding, FindingCode, Keys, MorphTracks, Property, Severity, Track};

/// Weights that one track may have where its curves have keys at different times, so that
/// each key of one is a key of all: besides one for each byte of the file.
const MOST_WEIGHTS: usize = 1 << 20;

impl Reader<'_> {
    /// Joins the curves of a node's morph weights to one track of the joint that shows
    /// the mesh.
    pub(super) fn morphs(
        &mut self,
        clip: &mut Clip,
        index: usize,
        joint: usize,
        node: &Node,
        curves: &BTreeMap<Id, Curve>,
    ) {
        let tree = self.source.tree;
        let scene = self.scene;
        let Some(shapes) = scene.shapes.get(&joint).filter(|shapes| !shapes.is_empty()) else {
            return;
        };
        let rest = scene
            .instances
            .iter()
            .find(|instance| instance.joint == joint)
            .map_or(&[][..], |instance| &instance.morph_weights);
        let mut moved: Vec<Option<&Curve>> = vec![None; shapes.len()];
        for id in tree.of_kind(node.id, "MorphWeight") {
            let shape = tree.number(id, "index").ok().flatten().unwrap_or(0);
            if let (Ok(at), Some(curve)) = (shapes.binary_search(&shape), curves.get(&id)) {
                moved[at] = Some(curve);
            }
        }
        let weights = Weights {
            moved: &moved,
            rest,
            all: moved.iter().copied().flatten().collect(),
        };
        if weights.all.is_empty() {
            return;
        }
        let owner = Owner {
            clip: index,
            joint,
            property: Property::MorphWeights,
            name: &node.label,
        };
        let (secs, keys) = match weights.exact() {
            Some(track) => track,
            None if weights.size() > MOST_WEIGHTS + self.source.bytes => {
                self.findings.push(owner.place(Finding::new(
                    FindingCode::ChannelInvalid,
                    Severity::Error,
                    format!(
                        "clip {index}: the {} morph weights of {} have keys at {} times, which is {} weights in all: too many; they are left out",
                        shapes.len(),
                        node.label,
                        weights.size() / shapes.len(),
                        weights.size()
                    ),
                )));
                return;
            }
            None => {
                let value = |secs: f64, side: Side| weights.at(secs, side);
                let function = Function {
                    curves: &weights.all,
                    value: &value,
                    parts: &|_, _| 1,
                    is_near: &|a: &Vec<f64>, middle: &Vec<f64>, b: &Vec<f64>| {
                        let chord = a.iter().zip(b).map(|(a, b)| (a + b) * 0.5);
                        chord
                            .zip(middle)
                            .all(|(half, at)| (half - at).abs() <= 1e-4)
                    },
                };
                let (secs, values) = sample(&function, &mut self.budget);
                let values = values.into_iter().flatten().map(|weight| weight as f32);
                (secs, Keys::Linear(values.collect()))
            }
        };
        self.budget_spent(owner);
        clip.morphs.push(MorphTracks {
            joint,
            target_count: shapes.len(),
            weights: Track {
                times: secs.into(),
                keys,
            },
        });
    }
}

/// The weights of one mesh: each has a curve, or stays at rest.
struct Weights<'a> {
    moved: &'a [Option<&'a Curve>],
    rest: &'a [f32],
    all: Vec<&'a Curve>,
}

impl Weights<'_> {
    fn at_rest(&self, at: usize) -> f64 {
        self.rest.get(at).copied().map_or(0.0, f64::from)
    }

    fn at(&self, secs: f64, side: Side) -> Vec<f64> {
        let each = self.moved.iter().enumerate();
        each.map(|(at, curve)| curve.map_or(self.at_rest(at), |c| c.at(secs, side)[0]))
            .collect()
    }

    /// Weights of a track with all key times.
    fn size(&self) -> usize {
        knots(&self.all).len().saturating_mul(self.moved.len())
    }

    /// The keys as stored, where all curves have them at the same times and of one kind.
    fn exact(&self) -> Option<(Vec<f32>, Keys<f32>)> {
        let first = self.all.first()?;
        let kind = core::mem::discriminant(&first.shape);
        let alike = self.all.iter().all(|curve| {
            curve.secs == first.secs
                && core::mem::discriminant(&curve.shape) == kind
                && curve.has_even_time()
        });
        if !alike {
            return None;
        }
        let by_key = |pick: &dyn Fn(usize, usize) -> f64| -> Vec<f32> {
            let keys = 0..first.secs.len();
            keys.flat_map(|key| (0..self.moved.len()).map(move |at| (key, at)))
                .map(|(key, at)| pick(key, at) as f32)
                .collect()
        };
        let values = by_key(&|key, at| match self.moved[at] {
            Some(curve) => curve.values[key],
            None => self.at_rest(at),
        });
        let tangents = matches!(first.shape, Shape::Bezier { .. }).then(|| {
            let tangents = |curve: &Option<&Curve>| curve.and_then(Curve::tangents);
            let sides: Vec<_> = self.moved.iter().map(tangents).collect();
            let side = |at: usize| sides[at].as_ref();
            [
                by_key(&|key, at| side(at).map_or(0.0, |(arriving, _)| arriving[key])),
                by_key(&|key, at| side(at).map_or(0.0, |(_, leaving)| leaving[key])),
            ]
        });
        Some((first.secs.clone(), exact(first, values, tangents)?))
    }
}
