//! Weights as colours on the surface: a number or a colour for every vertex of every
//! skinned mesh instance, and what it takes to read them.

pub mod ramp;
mod values;

use std::sync::Arc;

use glam::Mat4;

use self::{
    ramp::Ramp,
    values::{Part, Tally},
};
use super::{Character, Stage, SurfaceNumbers, VertexRef, View, WeightView, frame::CharacterFrame};
use crate::{
    anim::{SkinMatrix, Weights},
    document::Document,
};

/// In place of the number of a vertex whose weights are all zero.
pub const NO_WEIGHTS: u32 = u32::MAX;

/// A weight view of a frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Heat {
    /// What is shown; `None` only before the first frame.
    pub view: Option<WeightView>,
    /// The joint it is about, for [`WeightView::Joint`].
    pub joint: Option<usize>,
    /// Colours of the numbers; `None` where the values are colours themselves.
    pub ramp: Option<Ramp>,
    /// By vertex: the bits of an `f32` or [`NO_WEIGHTS`], or sRGB with red in the lowest
    /// byte. Draws carry start indices.
    pub values: Vec<u32>,
    /// Vertices that it is about: with weight on the joint, with more than four
    /// influences, or out of place.
    pub vertices: usize,
    /// Vertices whose weights are all zero.
    pub without_weights: usize,
    /// Vertices by their number of influences, for [`WeightView::Influences`].
    pub counts: Vec<usize>,
    /// The number furthest from 0, for sums, for four influences and for differences.
    pub peak: Option<Peak>,
    /// The numbers are degrees, not world units.
    pub is_angle: bool,
}

/// The most remarkable vertex of a view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// Its number: world units, or sum of weights less 1.
    pub value: f32,
    /// Which it is.
    pub at: VertexRef,
}

/// What is kept from frame to frame.
#[derive(Debug, Clone, Default)]
pub(super) struct HeatCache {
    made_for: Option<Key>,
    /// By character and instance: where its values start.
    starts: Vec<Vec<Option<u32>>>,
}

/// What values depend on, but for the pose.
#[derive(Debug, Clone)]
struct Key {
    view: WeightView,
    joint: Option<usize>,
    characters: Vec<(Arc<Document>, Weights)>,
}

impl Key {
    fn is(&self, other: &Self) -> bool {
        self.view == other.view
            && self.joint == other.joint
            && self.characters.len() == other.characters.len()
            && (self.characters.iter().zip(&other.characters))
                .all(|(a, b)| Arc::ptr_eq(&a.0, &b.0) && a.1 == b.1)
    }
}

/// Makes the values of a view if anything that they depend on has changed, and tells
/// draws where theirs start.
pub(super) fn update(
    stage: &Stage,
    view: &View,
    size: f32,
    cache: &mut HeatCache,
    heat: &mut Option<Heat>,
    characters: &mut [CharacterFrame],
) {
    let Some(shown) = view.weight_view else {
        *heat = None;
        cache.made_for = None;
        return;
    };
    let key = Key {
        view: shown,
        joint: view.selected_joint.filter(|_| shown == WeightView::Joint),
        characters: (stage.characters.iter())
            .map(|character| (character.document.clone(), character.technique.weights))
            .collect(),
    };
    let kept = cache.made_for.as_ref().is_some_and(|made| made.is(&key));
    // Displacements change with the pose.
    let moves = matches!(shown, WeightView::FourInfluences | WeightView::Difference);
    if !kept || heat.is_none() || moves {
        let numbers = view.numbers.as_deref();
        fill(
            stage,
            &key,
            size,
            numbers,
            cache,
            heat.get_or_insert_default(),
        );
        cache.made_for = Some(key);
    }
    for (character, starts) in characters.iter_mut().zip(&cache.starts) {
        for draw in &mut character.draws {
            draw.heat_start = starts[draw.instance];
        }
    }
}

/// The skin matrices that the surface is drawn with, stage placement included.
fn shown_palette(character: &Character, skin: usize, palette: &mut Vec<SkinMatrix>) {
    palette.clear();
    if !character.skinned {
        let joints = character.document.skins[skin].joints.len();
        palette.extend(core::iter::repeat_n(SkinMatrix::IDENTITY, joints));
        return;
    }
    character.palette(skin, palette);
    if character.world_from_model != Mat4::IDENTITY {
        let placed = SkinMatrix::from_mat4(character.world_from_model);
        for matrix in palette {
            *matrix = placed.mul_mat4(&matrix.to_mat4());
        }
    }
}

/// Makes all values anew.
fn fill(
    stage: &Stage,
    key: &Key,
    size: f32,
    numbers: Option<&SurfaceNumbers>,
    cache: &mut HeatCache,
    heat: &mut Heat,
) {
    heat.view = Some(key.view);
    heat.is_angle = numbers.is_some_and(|numbers| numbers.is_angle);
    heat.joint = key.joint;
    heat.values.clear();
    cache.starts.clear();
    let mut tally = Tally::default();
    let mut palette: Vec<SkinMatrix> = Vec::new();
    for (place, character) in stage.characters.iter().enumerate() {
        // They are the first character's.
        let numbers = numbers.filter(|_| place == 0);
        let document = &*character.document;
        let mut starts = Vec::with_capacity(document.instances.len());
        for (index, instance) in document.instances.iter().enumerate() {
            let skin = instance.skin.filter(|_| instance.in_scene);
            let primitives = &document.meshes[instance.mesh].primitives;
            if key.view == WeightView::Difference {
                let own = numbers.and_then(|numbers| numbers.by_instance.get(index));
                let own = own.filter(|own| !own.is_empty() && instance.in_scene);
                starts.push(own.map(|_| heat.values.len() as u32));
                if let Some(own) = own {
                    let values = &mut heat.values;
                    values::differences(primitives, own, size * 1e-6, values, &mut tally);
                }
                continue;
            }
            starts.push(skin.map(|_| heat.values.len() as u32));
            let Some(skin) = skin else { continue };
            if key.view == WeightView::FourInfluences {
                shown_palette(character, skin, &mut palette);
            }
            for (p, primitive) in primitives.iter().enumerate() {
                let part = Part {
                    instance: index,
                    index: p,
                    primitive,
                    skin: &document.skins[skin],
                };
                let values = &mut heat.values;
                match key.view {
                    _ if primitive.influences.is_empty() => {
                        values::nothing(part, key.view, values);
                    }
                    WeightView::Joint => {
                        values::joint(
                            part,
                            key.joint,
                            character.technique.weights,
                            values,
                            &mut tally,
                        );
                    }
                    WeightView::Joints => values::joints(part, values, &mut tally),
                    WeightView::Influences => values::influences(part, values, &mut tally),
                    WeightView::Sum => values::sum(part, values, &mut tally),
                    // Done above.
                    WeightView::Difference => {}
                    WeightView::FourInfluences => values::four(
                        part,
                        &palette,
                        &character.pose.morph_weights[index],
                        character.technique.weights,
                        size * 1e-6,
                        values,
                        &mut tally,
                    ),
                }
            }
        }
        cache.starts.push(starts);
    }
    if let Some((value, at)) = numbers.and_then(|numbers| numbers.peak) {
        tally.peak = Some(Peak { value, at }).filter(|peak| peak.value > 0.0);
    }
    let peak = tally.peak.map_or(0.0, |peak| peak.value.abs());
    heat.ramp = match key.view {
        WeightView::Joint => Some(Ramp::amount(1.0)),
        WeightView::Sum => Some(Ramp::difference(ramp::nice(peak, 1e-3))),
        // In round steps, so that colours hold still while the largest one moves.
        WeightView::FourInfluences => Some(Ramp::amount(ramp::nice(peak, 1e-3))),
        WeightView::Difference => {
            let high = numbers.map_or(0.0, |numbers| numbers.high);
            Some(Ramp::amount(if high > 0.0 { high } else { 1e-3 }))
        }
        WeightView::Joints | WeightView::Influences => None,
    };
    heat.vertices = tally.vertices;
    heat.without_weights = tally.without_weights;
    heat.counts = tally.counts;
    heat.peak = tally.peak;
}
