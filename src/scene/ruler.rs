//! A ruler between two points of the stage.

use glam::Vec3;

use super::{Character, SurfacePoint};
use crate::anim::SkinMatrix;

/// A ruler that is out: its two ends, each once it has been put somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ruler {
    /// Where it starts.
    pub from: Option<RulerEnd>,
    /// Where it ends.
    pub to: Option<RulerEnd>,
}

/// What an end of the ruler holds on to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RulerEnd {
    /// A joint, wherever it moves.
    Joint(usize),
    /// A point of a mesh, wherever the pose takes it.
    Surface(SurfacePoint),
    /// A fixed point of the ground, world space.
    Ground(Vec3),
    /// A fixed point in the air, world space.
    Air(Vec3),
}

/// What a ruler measures now, world space and world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Where it starts.
    pub from: Vec3,
    /// Where it ends; where it starts, until somebody has said.
    pub to: Vec3,
}

impl Measured {
    /// From one end to the other.
    pub fn offset(&self) -> Vec3 {
        self.to - self.from
    }

    /// As the crow flies.
    pub fn distance(&self) -> f32 {
        self.offset().length()
    }
}

impl Ruler {
    /// Whether an end is still to be put somewhere.
    pub fn is_waiting(&self) -> bool {
        self.from.is_none() || self.to.is_none()
    }

    /// With the next end put there: the first, then the second.
    #[must_use]
    pub fn with(self, end: RulerEnd) -> Self {
        match self.from {
            None => Self {
                from: Some(end),
                to: None,
            },
            Some(_) => Self {
                to: Some(end),
                ..self
            },
        }
    }

    /// Without the ends that hold on to joints and points which `keep` knows nothing of.
    #[must_use]
    pub fn retain(self, keep: impl Fn(RulerEnd) -> Option<RulerEnd>) -> Self {
        match self.from.and_then(&keep) {
            None => Self::default(),
            from => Self {
                from,
                to: self.to.and_then(&keep),
            },
        }
    }

    /// What it measures in the character's present pose; `None` before it starts
    /// anywhere, or where an end is nowhere.
    pub fn measured(
        &self,
        character: &Character,
        palette: &mut Vec<SkinMatrix>,
    ) -> Option<Measured> {
        let from = self.from?.place(character, palette)?;
        let to = match self.to {
            Some(end) => end.place(character, palette)?,
            None => from,
        };
        Some(Measured { from, to })
    }
}

impl RulerEnd {
    /// Where it is in the world; `None` where a broken pose puts it nowhere.
    pub fn place(&self, character: &Character, palette: &mut Vec<SkinMatrix>) -> Option<Vec3> {
        match self {
            Self::Joint(joint) => character.place(*joint),
            Self::Surface(point) => point.place(character, palette),
            Self::Ground(place) | Self::Air(place) => Some(*place),
        }
    }

    /// Whether the document on stage has what it holds on to.
    pub fn fits(&self, character: &Character) -> bool {
        let document = &character.document;
        match self {
            Self::Joint(joint) => *joint < document.skeleton.joints.len(),
            Self::Surface(point) => point.place(character, &mut Vec::new()).is_some(),
            Self::Ground(place) | Self::Air(place) => place.is_finite(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_put_one_after_the_other_and_fall_with_the_first() {
        let ruler = Ruler::default().with(RulerEnd::Joint(3));
        assert!(ruler.is_waiting());
        let ruler = ruler.with(RulerEnd::Ground(Vec3::X));
        assert!(!ruler.is_waiting());
        assert_eq!(ruler.with(RulerEnd::Joint(5)).to, Some(RulerEnd::Joint(5)));
        let without = |lost| ruler.retain(|end| Some(end).filter(|&end| end != lost));
        assert_eq!(without(RulerEnd::Joint(3)), Ruler::default());
        assert_eq!(without(RulerEnd::Ground(Vec3::X)).to, None);
        assert_eq!(without(RulerEnd::Joint(9)), ruler);
    }

    #[test]
    fn a_ruler_measures_offsets_along_the_axes() {
        let measured = Measured {
            from: Vec3::new(1.0, 2.0, 3.0),
            to: Vec3::new(4.0, 2.0, -1.0),
        };
        assert_eq!(measured.offset(), Vec3::new(3.0, 0.0, -4.0));
        assert_eq!(measured.distance(), 5.0);
    }
}
