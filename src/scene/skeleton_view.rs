//! How skeleton and bounds are shown: the choices that a view offers.

/// Which joints something is shown of: names, axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum JointScope {
    /// None.
    #[default]
    Off,
    /// The selected one; of names, the one under the pointer too.
    Selected,
    /// The selected one and all that it moves.
    Children,
    /// Every one.
    All,
}

impl JointScope {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: [Self; 4] = [Self::Off, Self::Selected, Self::Children, Self::All];

    /// The word in settings and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Selected => "selected",
            Self::Children => "children",
            Self::All => "all",
        }
    }

    /// The one that comes after this. Without a selected joint the ones about it are
    /// passed over: they would show nothing.
    #[must_use]
    pub fn next(self, has_selection: bool) -> Self {
        match self {
            Self::Off if has_selection => Self::Selected,
            Self::Selected if has_selection => Self::Children,
            Self::All => Self::Off,
            Self::Off | Self::Selected | Self::Children => Self::All,
        }
    }
}

/// How bones are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum BoneStyle {
    /// Tapered octahedra, thick at the parent's end.
    #[default]
    Octahedra,
    /// Balls and thin lines.
    Sticks,
}

impl BoneStyle {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Octahedra, Self::Sticks];

    /// The word in settings and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Octahedra => "octahedra",
            Self::Sticks => "sticks",
        }
    }

    /// A few words for people.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Octahedra => "tapered bones, thick at the parent's end",
            Self::Sticks => "balls and thin lines",
        }
    }
}

/// What joints and bones are coloured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum BoneColor {
    /// Pale, with the selected joint's chain in the accent colour.
    #[default]
    Plain,
    /// The worst finding about the joint.
    Findings,
    /// How far the axes of the joint's world matrix are from right angles.
    Shear,
    /// The sign of the determinant of the joint's world matrix.
    Determinant,
}

impl BoneColor {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Findings, Self::Shear, Self::Determinant];

    /// The word in settings and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Findings => "findings",
            Self::Shear => "shear",
            Self::Determinant => "determinant",
        }
    }

    /// A few words for people.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Plain => "pale, the selected joint's chain in the accent colour",
            Self::Findings => "the worst finding about each joint",
            Self::Shear => "how far the joint's axes are from right angles",
            Self::Determinant => "which joints mirror: the sign of the determinant",
        }
    }

    /// The one that comes after this, round and round.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Plain => Self::Findings,
            Self::Findings => Self::Shear,
            Self::Shear => Self::Determinant,
            Self::Determinant => Self::Plain,
        }
    }
}

/// Which boxes are drawn around the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct BoundsShown {
    /// Around the positions as stored, under the rest pose of the nodes that show
    /// them: what a program without skinning in mind goes by.
    pub stored: bool,
    /// Around the vertices in the present pose.
    pub now: bool,
    /// Around the vertices over the whole clip.
    pub clip: bool,
}

impl BoundsShown {
    /// Every box.
    pub const ALL: Self = Self {
        stored: true,
        now: true,
        clip: true,
    };

    /// Whether any box is drawn.
    pub const fn any(self) -> bool {
        self.stored || self.now || self.clip
    }
}
