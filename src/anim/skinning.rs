//! How influences move vertices.

/// What a vertex's influences do to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Skinning {
    /// Linear blend skinning by all of them: `Σ w M M0⁻¹`.
    #[default]
    Linear,
    /// Rigid motions are blended as dual quaternions, each in the hemisphere of the
    /// heaviest influence's; stretch is blended linearly before that, about each joint's
    /// place in the bind pose. Influences count by their share, whatever the rule for
    /// [`Weights`](super::Weights).
    DualQuaternion,
    /// The same without looking at hemispheres: motions of opposite sign take the long way
    /// round, as in players that forget to check.
    DualQuaternionUnaligned,
    /// Linear by those of the first attribute set alone, as engines do that know four
    /// a vertex. With [`Weights::Normalized`](super::Weights) what is kept is divided by
    /// its own sum; with `Stored` the weight of the rest is lost.
    FourInfluences,
    /// The heaviest influence alone.
    Rigid,
}

impl Skinning {
    /// All, in menu order.
    pub const ALL: [Self; 5] = [
        Self::Linear,
        Self::DualQuaternion,
        Self::DualQuaternionUnaligned,
        Self::FourInfluences,
        Self::Rigid,
    ];

    /// The word in settings and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::DualQuaternion => "dual-quaternion",
            Self::DualQuaternionUnaligned => "dual-quaternion-unaligned",
            Self::FourInfluences => "four-influences",
            Self::Rigid => "rigid",
        }
    }

    /// One sentence on what a person sees.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Linear => "Blends matrices: the standard; loses volume in twists",
            Self::DualQuaternion => "Blends rigid motions: keeps volume, bulges at bends",
            Self::DualQuaternionUnaligned => {
                "Dual quaternions without a hemisphere check: some vertices go the long way round"
            }
            Self::FourInfluences => {
                "Linear, influences past the fourth dropped, as many engines do"
            }
            Self::Rigid => "The heaviest joint alone: cracks and corners",
        }
    }

    /// How many of a vertex's stored influences count.
    pub const fn kept(self, stored: usize) -> usize {
        match self {
            Self::FourInfluences if stored > 4 => 4,
            _ => stored,
        }
    }

    /// Whether a palette holds two entries a joint, stretch and motion, in place of one.
    pub const fn is_dual(self) -> bool {
        matches!(self, Self::DualQuaternion | Self::DualQuaternionUnaligned)
    }

    /// Entries a joint takes in a palette.
    pub const fn entries(self) -> usize {
        if self.is_dual() { 2 } else { 1 }
    }
}
