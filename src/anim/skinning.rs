//! How influences move vertices.

/// What a vertex's influences do to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Skinning {
    /// Linear blend skinning by all of them.
    #[default]
    Linear,
    /// The same by those of the first attribute set alone, as engines do that know four
    /// a vertex. With [`Weights::Normalized`](super::Weights) what is kept is divided by
    /// its own sum; with `Stored` the weight of the rest is lost.
    FourInfluences,
}

impl Skinning {
    /// All, in menu order.
    pub const ALL: [Self; 2] = [Self::Linear, Self::FourInfluences];

    /// The word in settings and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::FourInfluences => "four-influences",
        }
    }

    /// How many of a vertex's stored influences count.
    pub const fn kept(self, stored: usize) -> usize {
        match self {
            Self::FourInfluences if stored > 4 => 4,
            _ => stored,
        }
    }
}
