//! How to get from one key to the next.

/// How rotations are interpolated between two keys.
///
/// Any mode but `Authored` overrules the file for every rotation track: it works on
/// the values at the keys, so STEP tracks start to move and the tangents of cubic
/// splines are left out. Translation, scale and morph weights follow the file, or
/// hold in mode `Step`; whole-matrix tracks hold in every mode.
///
/// Keys are brought to unit length first (one of no length counts as no rotation),
/// so that what a mode shows is the mode's doing; only authored cubic splines take
/// keys and tangents literally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Interpolation {
    /// As the file says; LINEAR is slerp on the short arc, cubic splines are
    /// component-wise Hermite, then normalised.
    #[default]
    Authored,
    /// Holds the key.
    Step,
    /// Component-wise, **not** normalised: shows the squash of players that forget to.
    Lerp,
    /// Component-wise, normalised: right path, uneven speed.
    Nlerp,
    /// Constant speed along the arc; [`Modes::threshold`] falls back to nlerp.
    Slerp,
}

impl Interpolation {
    /// Every mode, in menu order.
    pub const ALL: [Self; 5] = [
        Self::Authored,
        Self::Step,
        Self::Lerp,
        Self::Nlerp,
        Self::Slerp,
    ];

    /// The name on the command line and in menus.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Authored => "authored",
            Self::Step => "step",
            Self::Lerp => "lerp",
            Self::Nlerp => "nlerp",
            Self::Slerp => "slerp",
        }
    }

    /// One sentence on what a person sees.
    pub fn description(self) -> &'static str {
        match self {
            Self::Authored => "As the file says: the format's own result",
            Self::Step => "Holds each key: snapping",
            Self::Lerp => {
                "Component-wise, not normalised: limbs squash between keys, as in engines that forget to normalise"
            }
            Self::Nlerp => "Component-wise, normalised: right path, fast in the middle",
            Self::Slerp => "Constant speed along the arc; falls back to nlerp above the threshold",
        }
    }
}

/// What to do about keys of opposite sign (`q` and `−q` are the same rotation,
/// but the arc between neighbours differs). It matters between keys only, in every
/// mode that blends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Hemisphere {
    /// Negate the second key where the dot product is negative: the short arc.
    /// Authored cubic splines stay literally as stored, as glTF specifies.
    #[default]
    Align,
    /// Align cubic keys together with their tangents too.
    AlignAll,
    /// As stored: shows joint flips. Where the dot product is negative slerp takes
    /// the long arc, and lerp and nlerp pass close to zero.
    Keep,
}

impl Hemisphere {
    /// Every choice, in menu order.
    pub const ALL: [Self; 3] = [Self::Align, Self::AlignAll, Self::Keep];

    /// The name on the command line and in menus.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Align => "align",
            Self::AlignAll => "align-all",
            Self::Keep => "keep",
        }
    }

    /// One sentence on what it does.
    pub fn description(self) -> &'static str {
        match self {
            Self::Align => "Short arc between keys; authored cubic splines stay as stored",
            Self::AlignAll => "Short arc for cubic splines too, with their tangents",
            Self::Keep => "Keys as stored: shows joint flips",
        }
    }
}

/// All that decides how a clip is sampled; never changes the stored keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Modes {
    /// Between two rotation keys.
    pub interpolation: Interpolation,
    /// Which of `q`, `−q`.
    pub hemisphere: Hemisphere,
    /// `|cos Ω|` above which slerp, also the authored one, falls back to nlerp:
    /// 1 = pure slerp, 0 = pure nlerp.
    pub threshold: f32,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            interpolation: Interpolation::default(),
            hemisphere: Hemisphere::default(),
            threshold: 0.9995,
        }
    }
}
