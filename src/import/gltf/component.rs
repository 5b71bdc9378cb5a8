//! What the numbers in accessors are made of.

/// Component types of glTF by their number in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    /// What vertex attributes other than joints may be made of: floats, and the
    /// integers that `KHR_mesh_quantization` allows.
    pub(super) const VERTEX: &'static [Self] =
        &[Self::F32, Self::I8, Self::U8, Self::I16, Self::U16];
    /// Everything that the format knows.
    pub(super) const ALL: &'static [Self] = &[
        Self::I8,
        Self::U8,
        Self::I16,
        Self::U16,
        Self::U32,
        Self::F32,
    ];
    /// Key times, inverse bind matrices: nothing but floats.
    pub(super) const FLOAT: &'static [Self] = &[Self::F32];
    /// Joint slots.
    pub(super) const JOINT: &'static [Self] = &[Self::U8, Self::U16];
    /// Vertex indices, also of sparse elements.
    pub(super) const INDEX: &'static [Self] = &[Self::U8, Self::U16, Self::U32];

    /// By the file's number; `None` for an unknown one.
    pub(super) fn from_gltf(number: u32) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    /// Size of one.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The specification's word.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::I8 => "BYTE",
            Self::U8 => "UNSIGNED_BYTE",
            Self::I16 => "SHORT",
            Self::U16 => "UNSIGNED_SHORT",
            Self::U32 => "UNSIGNED_INT",
            Self::F32 => "FLOAT",
        }
    }
}

/// How integers become floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integers {
    /// As the accessor's `normalized` says.
    AsFlagged,
    /// Always normalised: weights, colours and rotation keys know no other form.
    Normalized,
}

/// Components of an accessor's type, such as 3 for `VEC3`.
pub(super) fn width_of(name: &str) -> Option<usize> {
    Some(match name {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        _ => return None,
    })
}

/// glTF 2.0, 3.6.2.2: a normalised signed integer is max(c / max, −1).
pub(super) fn signed(value: f32, max: f32, normalized: bool) -> f32 {
    if normalized {
        (value / max).max(-1.0)
    } else {
        value
    }
}
