//! What is remembered of skeleton, bounds and measures: the part of the settings that
//! is about what lies over the picture.

use serde::{Deserialize, Serialize};

use crate::scene::{BoneColor, BoneStyle, BoundsShown, JointScope, View};

/// Words are those of the command line; one of another version gives the default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct OverlaySettings {
    bones: String,
    color_by: String,
    names: String,
    axes: String,
    bounds: Bounds,
    figure: bool,
    scale_bar: bool,
    trail: bool,
}

/// Which boxes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
struct Bounds {
    stored: bool,
    now: bool,
    clip: bool,
}

impl Default for OverlaySettings {
    fn default() -> Self {
        Self::of(&View::default())
    }
}

/// The value of which `as_str` is this word.
fn named<T: Copy + Default>(all: &[T], as_str: fn(T) -> &'static str, word: &str) -> T {
    let found = all.iter().find(|&&value| as_str(value) == word);
    found.copied().unwrap_or_default()
}

impl OverlaySettings {
    pub(super) fn of(view: &View) -> Self {
        let BoundsShown { stored, now, clip } = view.bounds;
        Self {
            bones: view.bone_style.as_str().to_owned(),
            color_by: view.bone_color.as_str().to_owned(),
            names: view.names.as_str().to_owned(),
            axes: view.axes.as_str().to_owned(),
            bounds: Bounds { stored, now, clip },
            figure: view.figure,
            scale_bar: view.scale_bar,
            trail: view.trail,
        }
    }

    pub(super) fn apply(&self, view: &mut View) {
        let Bounds { stored, now, clip } = self.bounds;
        view.bone_style = named(&BoneStyle::ALL, BoneStyle::as_str, &self.bones);
        view.bone_color = named(&BoneColor::ALL, BoneColor::as_str, &self.color_by);
        view.names = named(&JointScope::ALL, JointScope::as_str, &self.names);
        view.axes = named(&JointScope::ALL, JointScope::as_str, &self.axes);
        view.bounds = BoundsShown { stored, now, clip };
        view.figure = self.figure;
        view.scale_bar = self.scale_bar;
        view.trail = self.trail;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(text: &str) -> View {
        let settings: OverlaySettings = serde_json::from_str(text).expect("it is JSON");
        let mut view = View::default();
        settings.apply(&mut view);
        view
    }

    #[test]
    fn what_lies_over_the_picture_comes_back() {
        let wanted = View {
            bone_style: BoneStyle::Sticks,
            bone_color: BoneColor::Shear,
            names: JointScope::All,
            axes: JointScope::Children,
            bounds: BoundsShown {
                clip: true,
                ..BoundsShown::default()
            },
            figure: true,
            scale_bar: true,
            trail: true,
            ..View::default()
        };
        let text = serde_json::to_string(&OverlaySettings::of(&wanted)).expect("written");
        assert_eq!(back(&text), wanted);
    }

    #[test]
    fn words_of_other_versions_are_the_defaults() {
        let text = r#"{"bones": "spheres", "axes": "all", "bounds": {"now": true}, "new": 1}"#;
        let view = back(text);
        assert_eq!(view.bone_style, BoneStyle::Octahedra);
        assert_eq!(view.axes, JointScope::All);
        assert!(view.bounds.now && !view.bounds.clip);
        assert_eq!(back("{}"), View::default());
    }
}
