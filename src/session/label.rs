//! What a side of a comparison is called: what tells it from the others.

use super::Session;
use crate::{
    anim::{Interpolation, SplineReading, Technique},
    scene::{Character, PoseSource},
};

impl Session {
    /// What tells a side from the others, such as `slerp` or `hero_small.glb · rigid`.
    pub fn side_label(&self, side: usize) -> String {
        let all: Vec<Vec<String>> = (0..self.side_count())
            .filter_map(|side| Some(words(self.side(side)?)))
            .collect();
        let Some(own) = all.get(side) else {
            return String::new();
        };
        let telling = own.iter().enumerate().filter(|(index, word)| {
            let differs = |other: &String| !other.is_empty() && other != *word;
            !word.is_empty() && all.iter().any(|other| differs(&other[*index]))
        });
        let telling: Vec<&str> = telling.map(|(_, word)| word.as_str()).collect();
        telling.join(" · ")
    }
}

/// How a character is played, for a caption: the mode, and what else is not as usual.
pub fn ways(character: &Character) -> String {
    let mut usual = Character::new(character.document.clone());
    usual.set_source(character.source);
    let (own, usual) = (words(character), words(&usual));
    let told = own.iter().zip(&usual).enumerate();
    let told = told.filter(|(index, (own, usual))| {
        let is_mode = *index == MODE;
        let is_source = *index < MODE;
        !own.is_empty() && !is_source && (is_mode || own != usual)
    });
    let told: Vec<&str> = told.map(|(_, (own, _))| own.as_str()).collect();
    told.join(", ")
}

/// Place of the mode among [`words`], after file and clip.
const MODE: usize = 2;

/// A character's ways, one word each; words at the same place are about the same.
fn words(character: &Character) -> Vec<String> {
    let Technique {
        modes,
        joint_modes,
        skinning,
        weights,
        quirks: _,
    } = &character.technique;
    let source = match character.source {
        PoseSource::Clip(index) => {
            let clip = character.document.clips.get(index);
            clip.map_or_else(String::new, |clip| clip.label(index))
        }
        PoseSource::Rest => "rest pose".to_owned(),
        PoseSource::Bind => "bind pose".to_owned(),
    };
    let euler = modes.interpolation == Interpolation::Euler;
    let mode = if euler {
        format!("euler {}", modes.euler_order.as_str())
    } else {
        modes.interpolation.as_str().to_owned()
    };
    let threshold = if modes.interpolation.uses_threshold() {
        format!("threshold {:.4}", modes.threshold)
    } else {
        String::new()
    };
    let spline = match modes.spline {
        SplineReading {
            normalize: true,
            scale_tangents: true,
        } => "spline as specified",
        SplineReading {
            normalize: false,
            scale_tangents: true,
        } => "spline not normalised",
        SplineReading {
            normalize: true,
            scale_tangents: false,
        } => "tangents not scaled",
        SplineReading { .. } => "spline not normalised, tangents not scaled",
    };
    let quirks: Vec<&str> = crate::anim::PRESETS
        .iter()
        .filter(|preset| preset.is_quirk && (preset.is_on)(&character.technique))
        .map(|preset| preset.title)
        .collect();
    let own = match joint_modes.len() {
        0 => "all joints alike".to_owned(),
        1 => "1 joint by itself".to_owned(),
        count => format!("{count} joints by themselves"),
    };
    let quirks = if quirks.is_empty() {
        "as specified".to_owned()
    } else {
        quirks.join(", ")
    };
    vec![
        character.document.name.clone(),
        source,
        mode,
        modes.hemisphere.as_str().to_owned(),
        threshold,
        format!("{} vectors", modes.vectors.as_str()),
        spline.to_owned(),
        own,
        skinning.as_str().to_owned(),
        format!("{} weights", weights.as_str()),
        quirks,
    ]
}
