//! What a person has chosen to see.

use std::collections::HashSet;

use crate::{
    analysis::curves::{Curve, Reading},
    anim::{Hemisphere, Interpolation, Modes},
    document::Document,
    math::EulerOrder,
};

/// More pinned joints than there are strokes to tell them by help nobody.
pub const MOST_PINNED: usize = 8;

/// What is plotted faintly beside what is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compare {
    /// Nothing.
    Nothing,
    /// As authored, on the short arc: the format's own result.
    #[default]
    Format,
    /// What side B of a comparison plays; nothing where that is another file or clip.
    Side,
    /// The present modes with another interpolation.
    Mode(Interpolation),
    /// The present modes with another hemisphere rule.
    Rule(Hemisphere),
}

impl Compare {
    /// Every choice, in menu order.
    pub const ALL: [Self; 14] = [
        Self::Nothing,
        Self::Format,
        Self::Side,
        Self::Mode(Interpolation::Step),
        Self::Mode(Interpolation::Lerp),
        Self::Mode(Interpolation::Nlerp),
        Self::Mode(Interpolation::Slerp),
        Self::Mode(Interpolation::Cubic),
        Self::Mode(Interpolation::MatrixLerp),
        Self::Mode(Interpolation::Polar),
        Self::Mode(Interpolation::Euler),
        Self::Rule(Hemisphere::Align),
        Self::Rule(Hemisphere::AlignAll),
        Self::Rule(Hemisphere::Keep),
    ];

    /// In the menu and the legend.
    pub fn label(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Format => "as authored",
            Self::Side => "side B",
            Self::Mode(mode) => mode.as_str(),
            Self::Rule(rule) => rule.as_str(),
        }
    }

    /// Heading of the group that it begins in the menu.
    pub fn heading(self) -> Option<&'static str> {
        match self {
            Self::Mode(Interpolation::Step) => Some("Other interpolation"),
            Self::Rule(Hemisphere::Align) => Some("Other hemisphere rule"),
            _ => None,
        }
    }

    /// One sentence on it.
    pub fn description(self) -> &'static str {
        match self {
            Self::Nothing => "What is played, alone",
            Self::Format => "What the format asks for, faintly, where other modes are set",
            Self::Side => "What side B of the comparison plays, faintly",
            Self::Mode(mode) => mode.description(),
            Self::Rule(rule) => rule.description(),
        }
    }

    /// The modes to plot faintly beside `modes`; `None` where they are the same.
    pub fn modes(self, modes: Modes) -> Option<Modes> {
        let other = match self {
            // Who knows the sides asks them.
            Self::Nothing | Self::Side => return None,
            Self::Format => Modes::default(),
            Self::Mode(interpolation) => Modes {
                interpolation,
                ..modes
            },
            Self::Rule(hemisphere) => Modes {
                hemisphere,
                ..modes
            },
        };
        (other != modes).then_some(other)
    }
}

/// What a person has chosen to see.
#[derive(Debug)]
pub struct Choice {
    /// By index in [`Curve::ALL`].
    pub shown: [bool; Curve::ALL.len()],
    /// Each component over its own span, by index in [`Curve::ALL`].
    pub own_scale: [bool; Curve::ALL.len()],
    /// Of Euler angles.
    pub order: EulerOrder,
    /// Angles go on past ±180°.
    pub continuous: bool,
    /// Beside what is played.
    pub compare: Compare,
    /// Joints that stay in the plot whatever is selected, oldest first.
    pub pinned: Vec<usize>,
}

impl Default for Choice {
    fn default() -> Self {
        let mut shown = [false; Curve::ALL.len()];
        shown[0] = true;
        Self {
            shown,
            own_scale: [false; Curve::ALL.len()],
            order: EulerOrder::default(),
            continuous: false,
            compare: Compare::default(),
            pinned: Vec::new(),
        }
    }
}

impl Choice {
    /// Plots B beside A as soon as there is one, unless a person wants something else.
    pub fn follow_comparison(&mut self, is_compared: bool) {
        self.compare = match self.compare {
            Compare::Format if is_compared => Compare::Side,
            Compare::Side if !is_compared => Compare::Format,
            compare => compare,
        };
    }

    /// One curve alone.
    pub fn of(curve: Curve) -> Self {
        let is_it =
            |known: &Curve| core::mem::discriminant(known) == core::mem::discriminant(&curve);
        Self {
            shown: Curve::ALL.each_ref().map(is_it),
            order: match curve {
                Curve::Euler(order) => order,
                _ => EulerOrder::default(),
            },
            // Angles past half a turn are what some scenes are about.
            continuous: true,
            ..Self::default()
        }
    }

    /// The curve of an index in [`Curve::ALL`], in the chosen order of turns.
    pub fn curve(&self, index: usize) -> Curve {
        match Curve::ALL[index] {
            Curve::Euler(_) => Curve::Euler(self.order),
            curve => curve,
        }
    }

    /// Indices in [`Curve::ALL`] of what is shown.
    pub fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.shown.len()).filter(|&index| self.shown[index])
    }

    /// How curves are to be read under some modes.
    pub fn reading(&self, modes: Modes) -> Reading {
        Reading {
            modes,
            continuous: self.continuous,
        }
    }

    /// Joints in the plot with the number of their stroke: the selected one first.
    pub fn joints(&self, selected: Option<usize>) -> Vec<(usize, usize)> {
        let pinned = self.pinned.iter().enumerate();
        let others = pinned
            .filter(|&(_, &joint)| Some(joint) != selected)
            .map(|(index, &joint)| (joint, index + 1));
        selected
            .map(|joint| (joint, 0))
            .into_iter()
            .chain(others)
            .collect()
    }

    /// Pins a joint, or lets go of it.
    pub fn toggle_pin(&mut self, joint: usize) {
        let before = self.pinned.len();
        self.pinned.retain(|&pinned| pinned != joint);
        if self.pinned.len() == before && before < MOST_PINNED {
            self.pinned.push(joint);
        }
    }

    /// Another document is open: pins go to joints of the same name, as after a reload.
    pub fn follow(&mut self, old: Option<&Document>, new: &Document) {
        let Some(old) = old else {
            self.pinned.clear();
            return;
        };
        let joints = &new.skeleton.joints;
        let mut seen = HashSet::new();
        self.pinned = core::mem::take(&mut self.pinned)
            .into_iter()
            .filter_map(|joint| {
                let name = &old.skeleton.joints.get(joint)?.name;
                let has_name = |joint: &crate::document::Joint| joint.name == *name;
                if joints.get(joint).is_some_and(has_name) {
                    return Some(joint);
                }
                joints.iter().position(has_name)
            })
            .filter(|&joint| seen.insert(joint))
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Joint;

    #[test]
    fn a_comparison_with_itself_is_none() {
        let modes = Modes::default();
        assert_eq!(Compare::Format.modes(modes), None);
        let nlerp = Modes {
            interpolation: Interpolation::Nlerp,
            ..modes
        };
        assert_eq!(Compare::Format.modes(nlerp), Some(modes));
        assert_eq!(Compare::Mode(Interpolation::Nlerp).modes(nlerp), None);
        let keep = Compare::Rule(Hemisphere::Keep).modes(nlerp);
        assert_eq!(keep.map(|m| m.interpolation), Some(Interpolation::Nlerp));
    }

    #[test]
    fn pins_follow_names_and_have_strokes_of_their_own() {
        let document = |names: &[&str]| {
            let mut document = Document::default();
            document
                .skeleton
                .joints
                .extend(names.iter().map(|name| Joint {
                    name: (*name).to_owned(),
                    ..Joint::default()
                }));
            document
        };
        let mut choice = Choice::default();
        choice.toggle_pin(1);
        choice.toggle_pin(2);
        assert_eq!(choice.joints(Some(1)), [(1, 0), (2, 2)]);
        assert_eq!(choice.joints(None), [(1, 1), (2, 2)]);
        let old = document(&["a", "b", "c"]);
        choice.follow(Some(&old), &document(&["c", "a", "x"]));
        assert_eq!(choice.pinned, [0]);
        choice.toggle_pin(0);
        assert!(choice.pinned.is_empty());
        for joint in 0..20 {
            choice.toggle_pin(joint);
        }
        assert_eq!(choice.pinned.len(), MOST_PINNED);
    }
}
