//! What a joint does over time, as numbers: keys as stored, and the curve that is
//! played between them. For plots; nothing here draws.
//!
//! A [`JointCurves`] holds one joint of one clip behind an [`anim::Sampler`] of its own,
//! whose lanes compute what a character's sampler computes, bit for bit: what is plotted
//! is what is played. [`JointCurves::trace`] gives as many points as a plot of some
//! width in pixels can show, and not more.
//!
//! [`anim::Sampler`]: crate::anim::Sampler

mod joint;
mod reduce;
mod trace;
mod turns;
mod winding;

pub use joint::{Dots, JointCurves, Reading};
pub use trace::{Resolution, Trace};

use crate::{document::Property, math::EulerOrder};

/// What can be plotted over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Curve {
    /// x, y, z, w of orientation · rotation; keys with the signs that the file has.
    QuaternionStored,
    /// The same with each key in the hemisphere of the key before it.
    QuaternionAligned,
    /// Length of the quaternion before the mode brings it to 1; of the keys, as stored.
    LengthBeforeNormalising,
    /// Angle of the rotation that animation adds to the orientation, in degrees:
    /// `2 acos |w|` of `orientation⁻¹ · key`.
    AngleFromOrientation,
    /// Per interval the angle between its keys in degrees: on the short arc, and on
    /// the arc between the keys as stored.
    AngleToPreviousKey,
    /// How fast the joint turns, in degrees per second.
    AngularSpeed,
    /// Angles in degrees about x, y and z of the rotation that animation adds to the
    /// orientation.
    Euler(EulerOrder),
    /// Relative to the parent, in metres.
    Translation,
    /// Along the joint's own axes.
    Scale,
    /// Weight of each morph target of the mesh that the joint shows.
    MorphWeights,
}

/// What the numbers of a curve are; curves of one unit fit one axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Components and length of quaternions.
    Quaternion,
    /// Degrees.
    Degrees,
    /// Degrees per second.
    DegreesPerSecond,
    /// Metres, the unit of glTF.
    Metres,
    /// A factor.
    Factor,
    /// A morph weight.
    Weight,
}

impl Unit {
    /// After a number; empty for plain numbers.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Quaternion | Self::Weight | Self::Factor => "",
            Self::Degrees => "°",
            Self::DegreesPerSecond => "°/s",
            Self::Metres => "m",
        }
    }

    /// In words, for an axis.
    pub fn label(self) -> &'static str {
        match self {
            Self::Quaternion => "quaternion",
            Self::Degrees => "degrees",
            Self::DegreesPerSecond => "degrees per second",
            Self::Metres => "metres",
            Self::Factor => "scale factor",
            Self::Weight => "morph weight",
        }
    }

    /// A spread of values that is noise or stillness rather than motion.
    pub fn stillness(self) -> f32 {
        match self {
            Self::Quaternion | Self::Factor | Self::Weight => 1e-4,
            Self::Degrees => 1e-2,
            Self::DegreesPerSecond => 0.1,
            Self::Metres => 1e-5,
        }
    }
}

impl Curve {
    /// All, in the order of lists.
    pub const ALL: [Self; 10] = [
        Self::QuaternionStored,
        Self::QuaternionAligned,
        Self::LengthBeforeNormalising,
        Self::AngleFromOrientation,
        Self::AngleToPreviousKey,
        Self::AngularSpeed,
        Self::Euler(EulerOrder::Xyz),
        Self::Translation,
        Self::Scale,
        Self::MorphWeights,
    ];

    /// In lists.
    pub fn label(self) -> &'static str {
        match self {
            Self::QuaternionStored => "Quaternion as stored",
            Self::QuaternionAligned => "Quaternion aligned",
            Self::LengthBeforeNormalising => "Quaternion length",
            Self::AngleFromOrientation => "Angle from rest",
            Self::AngleToPreviousKey => "Angle between keys",
            Self::AngularSpeed => "Angular speed",
            Self::Euler(_) => "Euler angles",
            Self::Translation => "Translation",
            Self::Scale => "Scale",
            Self::MorphWeights => "Morph weights",
        }
    }

    /// One sentence or two on what is plotted.
    pub fn description(self) -> &'static str {
        match self {
            Self::QuaternionStored => {
                "x, y, z, w of orientation · rotation: keys with the signs that the file has, and what is played between them"
            }
            Self::QuaternionAligned => {
                "The same with each key in the hemisphere of the one before: what differs from “as stored” is sign only, harmless where a player looks for the short way"
            }
            Self::LengthBeforeNormalising => {
                "Length of the raw spline or blend before it is brought to 1; keys as stored. Under 0.9 a player that does not normalise squashes the joint visibly"
            }
            Self::AngleFromOrientation => {
                "How far the joint is turned from its orientation: 2 acos |w| of orientation⁻¹ · key"
            }
            Self::AngleToPreviousKey => {
                "Per interval: the angle between its keys on the short arc, and on the arc between the keys as stored, which players without short path take"
            }
            Self::AngularSpeed => {
                "How fast the joint turns in the present mode: level under slerp, peaked under nlerp"
            }
            Self::Euler(_) => {
                "orientation⁻¹ · key as three turns about moving axes, in the chosen order"
            }
            Self::Translation => "Relative to the parent",
            Self::Scale => "Along the joint's own axes",
            Self::MorphWeights => "Weight of each morph target of the mesh at this node",
        }
    }

    /// What its numbers are.
    pub fn unit(self) -> Unit {
        match self {
            Self::QuaternionStored | Self::QuaternionAligned | Self::LengthBeforeNormalising => {
                Unit::Quaternion
            }
            Self::AngleFromOrientation | Self::AngleToPreviousKey | Self::Euler(_) => Unit::Degrees,
            Self::AngularSpeed => Unit::DegreesPerSecond,
            Self::Translation => Unit::Metres,
            Self::Scale => Unit::Factor,
            Self::MorphWeights => Unit::Weight,
        }
    }

    /// The track that it reads.
    pub fn property(self) -> Property {
        match self {
            Self::Translation => Property::Translation,
            Self::Scale => Property::Scale,
            Self::MorphWeights => Property::MorphWeights,
            _ => Property::Rotation,
        }
    }

    /// Whether the switch [`Reading::continuous`] changes it.
    pub fn can_be_continuous(self) -> bool {
        matches!(self, Self::AngleFromOrientation | Self::Euler(_))
    }

    /// Names of its components; empty for morph weights, whose names are the mesh's.
    pub fn components(self) -> &'static [&'static str] {
        match self {
            Self::QuaternionStored | Self::QuaternionAligned => &["x", "y", "z", "w"],
            Self::LengthBeforeNormalising => &["length"],
            Self::AngleFromOrientation => &["angle"],
            Self::AngleToPreviousKey => &["short", "stored"],
            Self::AngularSpeed => &["speed"],
            Self::Euler(_) | Self::Translation | Self::Scale => &["x", "y", "z"],
            Self::MorphWeights => &[],
        }
    }
}
