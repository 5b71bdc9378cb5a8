//! How to get from one key to the next.

use crate::math::EulerOrder;

/// How rotations are interpolated between two keys.
///
/// Any mode but `Authored` overrules the file for every rotation track: it works on
/// the values at the keys, so STEP tracks start to move and the tangents of cubic
/// splines are left out. Translation and scale follow [`Modes::vectors`], morph weights
/// the file, or hold in mode `Step`.
///
/// Keys are brought to unit length first (one of no length counts as no rotation),
/// so that what a mode shows is the mode's doing; only authored cubic splines take
/// keys and tangents literally.
///
/// `MatrixLerp` and `Polar` work on the joint's whole matrix relative to its parent, as a
/// player does that bakes one at every key: at each time at which a track of the joint has
/// a key, from what the file says there. They rule translation and scale too.
///
/// A track that *stores* matrices is split at its keys into rotation, stretch and
/// translation (see [`Polar`](crate::math::Polar)): rotations go by the mode, the rest by
/// straight lines, `Authored` by slerp; `MatrixLerp` blends the stored entries.
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
    /// Catmull–Rom through the keys on their real spacing, normalised.
    Cubic,
    /// The 16 entries of the matrix, one by one: collapse and shear.
    MatrixLerp,
    /// Rotation × stretch by polar decomposition; slerp and straight lines.
    Polar,
    /// Euler angles in [`Modes::euler_order`], one by one: gimbal detours. With
    /// [`Hemisphere::Align`] the second key is read as the angles nearest to the first's;
    /// with `Keep` as they come, within ±180°.
    Euler,
}

impl Interpolation {
    /// Every mode, in menu order.
    pub const ALL: [Self; 9] = [
        Self::Authored,
        Self::Step,
        Self::Lerp,
        Self::Nlerp,
        Self::Slerp,
        Self::Cubic,
        Self::MatrixLerp,
        Self::Polar,
        Self::Euler,
    ];

    /// The name on the command line and in menus.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Authored => "authored",
            Self::Step => "step",
            Self::Lerp => "lerp",
            Self::Nlerp => "nlerp",
            Self::Slerp => "slerp",
            Self::Cubic => "cubic",
            Self::MatrixLerp => "matrix-lerp",
            Self::Polar => "polar",
            Self::Euler => "euler",
        }
    }

    /// Whether it makes matrices of joints that have separate tracks.
    pub const fn is_by_matrix(self) -> bool {
        matches!(self, Self::MatrixLerp | Self::Polar)
    }

    /// Whether [`Modes::threshold`] has a say.
    pub const fn uses_threshold(self) -> bool {
        matches!(self, Self::Slerp | Self::Authored | Self::Polar)
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
            Self::Cubic => "Catmull–Rom through the keys on their real spacing: smooth across keys",
            Self::MatrixLerp => {
                "Blends the entries of the joint's matrix: limbs collapse and shear"
            }
            Self::Polar => {
                "Splits matrices into rotation and stretch, then slerp: right for matrices too"
            }
            Self::Euler => "Blends Euler angles in a chosen order: detours near gimbal lock",
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

/// How translation and scale are interpolated between two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum VectorInterpolation {
    /// As the file says; held where rotations are in mode `Step`.
    #[default]
    Authored,
    /// Holds the key.
    Step,
    /// Straight lines at constant speed.
    Linear,
    /// Catmull–Rom through the keys on their real spacing.
    Cubic,
}

impl VectorInterpolation {
    /// Every choice, in menu order.
    pub const ALL: [Self; 4] = [Self::Authored, Self::Step, Self::Linear, Self::Cubic];

    /// The name on the command line and in menus.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Authored => "authored",
            Self::Step => "step",
            Self::Linear => "linear",
            Self::Cubic => "cubic",
        }
    }

    /// One sentence on what it does.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Authored => "Translation and scale as the file says",
            Self::Step => "Translation and scale hold each key",
            Self::Linear => "Straight lines between the keys of translation and scale",
            Self::Cubic => "Catmull–Rom through the keys of translation and scale",
        }
    }
}

/// How the file's cubic splines are read. Anything but the default is a fault that is
/// found in engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SplineReading {
    /// Rotations are brought to unit length after the spline.
    pub normalize: bool,
    /// Tangents are per second and count times the key spacing, as glTF says.
    pub scale_tangents: bool,
}

impl Default for SplineReading {
    fn default() -> Self {
        Self {
            normalize: true,
            scale_tangents: true,
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
    /// Order of turning in mode `Euler`.
    pub euler_order: EulerOrder,
    /// Between two keys of translation or scale.
    pub vectors: VectorInterpolation,
    /// What is done with authored cubic splines.
    pub spline: SplineReading,
}

impl Default for Modes {
    fn default() -> Self {
        Self {
            interpolation: Interpolation::default(),
            hemisphere: Hemisphere::default(),
            threshold: 0.9995,
            euler_order: EulerOrder::default(),
            vectors: VectorInterpolation::default(),
            spline: SplineReading::default(),
        }
    }
}

impl Modes {
    /// Whether the bands of a [`Sampler`](super::Sampler) know these modes.
    pub(super) fn are_wide(&self) -> bool {
        use Interpolation::{Authored, Lerp, Nlerp, Slerp, Step};
        matches!(self.interpolation, Authored | Step | Lerp | Nlerp | Slerp)
            && self.vectors == VectorInterpolation::Authored
            && self.spline == SplineReading::default()
    }
}
