//! `interpolation=lerp,skinning=rigid`: what a side of a comparison does differently.

use super::ClipChoice;
use crate::{
    anim::{Hemisphere, Interpolation, PRESETS, Skinning, Technique, VectorInterpolation, Weights},
    math::EulerOrder,
};

/// Changes to a technique, and a clip of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SideSpec {
    /// As written.
    pub text: String,
    /// The side's own clip.
    pub clip: Option<ClipChoice>,
    pairs: Vec<(String, String)>,
}

impl SideSpec {
    /// Several as one; what comes later holds.
    pub fn joined(specs: &[Self]) -> Self {
        let texts: Vec<&str> = specs.iter().map(|spec| spec.text.as_str()).collect();
        let mut clips = specs.iter().filter_map(|spec| spec.clip.clone());
        Self {
            text: texts.join(","),
            clip: clips.next_back(),
            pairs: specs.iter().flat_map(|spec| spec.pairs.clone()).collect(),
        }
    }

    /// Makes the changes.
    pub fn apply(&self, technique: &mut Technique) {
        for (key, value) in &self.pairs {
            // Checked when it was read.
            let _ = set(technique, key, value);
        }
    }
}

/// Reads `KEY=VALUE,KEY=VALUE`.
pub(super) fn parse(text: &str) -> Result<SideSpec, String> {
    let mut spec = SideSpec {
        text: text.to_owned(),
        ..SideSpec::default()
    };
    let mut trial = Technique::default();
    for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, "on"));
        let (key, value) = (key.trim(), value.trim());
        if key == "clip" {
            spec.clip = Some(ClipChoice::from(value.to_owned()));
        } else {
            set(&mut trial, key, value)?;
            spec.pairs.push((key.to_owned(), value.to_owned()));
        }
    }
    Ok(spec)
}

/// The keys, for messages.
const KEYS: &str = "clip, interpolation, hemisphere, threshold, euler-order, vectors, spline, \
                    skinning, weights";

fn set(technique: &mut Technique, key: &str, value: &str) -> Result<(), String> {
    let modes = &mut technique.modes;
    match key {
        "interpolation" => {
            modes.interpolation = choose(key, value, Interpolation::ALL, Interpolation::as_str)?;
        }
        "hemisphere" => {
            modes.hemisphere = choose(key, value, Hemisphere::ALL, Hemisphere::as_str)?;
        }
        "euler-order" => {
            modes.euler_order = choose(key, value, EulerOrder::ALL, EulerOrder::as_str)?;
        }
        "vectors" => {
            modes.vectors = choose(
                key,
                value,
                VectorInterpolation::ALL,
                VectorInterpolation::as_str,
            )?;
        }
        "skinning" => {
            technique.skinning = choose(key, value, Skinning::ALL, Skinning::as_str)?;
        }
        "weights" => {
            technique.weights = choose(key, value, Weights::ALL, Weights::as_str)?;
        }
        "threshold" => {
            modes.threshold = super::super::parse::threshold(value)
                .map_err(|error| format!("threshold {value:?}: {error}"))?;
        }
        "spline" => match value {
            "as-specified" => modes.spline = Default::default(),
            "normalize" => modes.spline.normalize = true,
            "no-normalize" => modes.spline.normalize = false,
            "scaled-tangents" => modes.spline.scale_tangents = true,
            "unscaled-tangents" => modes.spline.scale_tangents = false,
            _ => {
                return Err(unknown(
                    key,
                    value,
                    "as-specified, normalize, no-normalize, scaled-tangents, unscaled-tangents",
                ));
            }
        },
        _ => {
            let Some(preset) = PRESETS.iter().find(|preset| preset.id == key) else {
                let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.id).collect();
                return Err(format!(
                    "unknown key {key:?}; there are {KEYS}, and {}",
                    presets.join(", ")
                ));
            };
            let on = match value {
                "on" => true,
                "off" => false,
                _ => return Err(unknown(key, value, "on, off")),
            };
            (preset.set)(technique, on);
        }
    }
    Ok(())
}

fn choose<T: Copy, const N: usize>(
    key: &str,
    value: &str,
    all: [T; N],
    name: impl Fn(T) -> &'static str,
) -> Result<T, String> {
    let is_it = |known: &&T| name(**known).eq_ignore_ascii_case(value);
    all.iter().find(is_it).copied().ok_or_else(|| {
        let words = all.map(|known| name(known).to_lowercase());
        unknown(key, value, &words.join(", "))
    })
}

fn unknown(key: &str, value: &str, known: &str) -> String {
    format!("{key} can not be {value:?}; there are {known}")
}
