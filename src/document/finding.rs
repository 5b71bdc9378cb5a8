//! One shape for everything that is wrong with a file.

use core::fmt;

use super::Property;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Players will differ, or something was repaired.
    Warning,
    /// Cannot be shown as stored.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// Something wrong or remarkable: a code, a severity, a place and numbers. The
/// same for panel, command line and tests. Fields that do not apply are `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What kind.
    pub code: FindingCode,
    /// How bad.
    pub severity: Severity,
    /// Clip index.
    pub clip: Option<usize>,
    /// The file's node index.
    pub node: Option<usize>,
    /// Mesh index.
    pub mesh: Option<usize>,
    /// Skin index.
    pub skin: Option<usize>,
    /// Primitive index within its mesh.
    pub primitive: Option<usize>,
    /// The file's vertex index within its primitive.
    pub vertex: Option<usize>,
    /// Which of the node's tracks.
    pub property: Option<Property>,
    /// Key index within its track.
    pub key: Option<usize>,
    /// Time of that key, or where the trouble begins.
    pub time_secs: Option<f32>,
    /// Where it ends, for what fills an interval.
    pub end_secs: Option<f32>,
    /// One sentence that names the object and the number.
    pub message: String,
    /// Named numbers, such as `("true_angle_deg", 21.0)`.
    pub values: Vec<(&'static str, f64)>,
}

impl Finding {
    /// A finding without a place; add one with the `with_…` or `at_…` methods.
    pub fn new(code: FindingCode, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            clip: None,
            node: None,
            mesh: None,
            skin: None,
            primitive: None,
            vertex: None,
            property: None,
            key: None,
            time_secs: None,
            end_secs: None,
            message: message.into(),
            values: Vec::new(),
        }
    }

    /// Names the clip.
    #[must_use]
    pub fn in_clip(mut self, clip: usize) -> Self {
        self.clip = Some(clip);
        self
    }

    /// Names the node by the file's index.
    #[must_use]
    pub fn at_node(mut self, node: usize) -> Self {
        self.node = Some(node);
        self
    }

    /// Names the mesh.
    #[must_use]
    pub fn at_mesh(mut self, mesh: usize) -> Self {
        self.mesh = Some(mesh);
        self
    }

    /// Names the skin.
    #[must_use]
    pub fn at_skin(mut self, skin: usize) -> Self {
        self.skin = Some(skin);
        self
    }

    /// Names the vertex by the file's index, and its primitive.
    #[must_use]
    pub fn at_vertex(mut self, primitive: usize, vertex: usize) -> Self {
        self.primitive = Some(primitive);
        self.vertex = Some(vertex);
        self
    }

    /// Names the track among the node's.
    #[must_use]
    pub fn of(mut self, property: Property) -> Self {
        self.property = Some(property);
        self
    }

    /// Says where it ends, in seconds.
    #[must_use]
    pub fn until(mut self, end_secs: f32) -> Self {
        self.end_secs = Some(end_secs);
        self
    }

    /// Names the key and its time.
    #[must_use]
    pub fn at_key(mut self, key: usize, time_secs: f32) -> Self {
        self.key = Some(key);
        self.time_secs = Some(time_secs);
        self
    }

    /// Adds a named number.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: f64) -> Self {
        self.values.push((name, value));
        self
    }
}

macro_rules! finding_codes {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What kind of finding; printed in kebab case.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum FindingCode { $($(#[$doc])* $variant,)* }

        impl FindingCode {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its place among all: what explains a wrong motion comes before what goes
            /// with it.
            pub fn rank(self) -> usize {
                let mut all = Self::ALL.iter();
                all.position(|&known| known == self).unwrap_or(usize::MAX)
            }

            /// The stable name used in reports and on the command line.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

finding_codes! {
    /// A container or file header that breaks a rule and was read all the same.
    ContainerInvalid = "container-invalid",
    /// Stored data that nothing uses and that could not be read.
    AccessorInvalid = "accessor-invalid",
    /// Neighbouring LINEAR rotation keys of opposite sign: the long arc for players
    /// that do not look for the short one.
    RotationSignFlip = "rotation-sign-flip",
    /// Neighbouring rotation keys almost half a turn apart: the direction is a coin toss.
    RotationNearHalfTurn = "rotation-near-half-turn",
    /// Neighbouring rotation keys equal up to sign, a whole turn apart as stored.
    RotationLostTurn = "rotation-lost-turn",
    /// One interval turns far faster than the motion around it.
    RotationPop = "rotation-pop",
    /// A rotation whose length is not 1.
    RotationNotUnit = "rotation-not-unit",
    /// A cubic spline of rotations that gets short between two keys.
    CubicDegenerate = "cubic-degenerate",
    /// A jump within one frame between plateaus, stored as LINEAR.
    ProbableLostStep = "probable-lost-step",
    /// The last pose differs from the first.
    LoopSeam = "loop-seam",
    /// The first key is later than 0.
    LateStart = "late-start",
    /// A channel whose keys all equal the rest pose.
    ChannelNoEffect = "channel-no-effect",
    /// Two channels on one property.
    ChannelDuplicate = "channel-duplicate",
    /// A channel without a target node.
    ChannelNoTarget = "channel-no-target",
    /// A channel that moves a skinned mesh's own node, to no effect.
    ChannelIgnoredTransform = "channel-ignored-transform",
    /// A channel whose data cannot be used.
    ChannelInvalid = "channel-invalid",
    /// Key times that do not increase.
    TimesNotIncreasing = "times-not-increasing",
    /// A key that is NaN or infinite.
    KeysNonFinite = "keys-non-finite",
    /// A clip without usable channels.
    ClipEmpty = "clip-empty",
    /// Joints that a clip never keys.
    ClipUnkeyedJoints = "clip-unkeyed-joints",
    /// Weights that do not sum to 1 within the storage's rounding.
    WeightsNotNormalized = "weights-not-normalized",
    /// All weights of a vertex are zero.
    WeightsZero = "weights-zero",
    /// One joint twice on a vertex, each time with weight.
    WeightsDuplicateJoint = "weights-duplicate-joint",
    /// More than four influences in use.
    WeightsBeyondFour = "weights-beyond-four",
    /// Weights that are NaN, infinite or negative.
    WeightsInvalid = "weights-invalid",
    /// A joint index past the skin's joints.
    JointIndexOutOfRange = "joint-index-out-of-range",
    /// No inverse bind matrices: identity assumed.
    InverseBindMissing = "inverse-bind-missing",
    /// An inverse bind matrix that cannot be inverted or is not affine.
    InverseBindSingular = "inverse-bind-singular",
    /// Inverse bind matrices that look written row by row.
    InverseBindTransposed = "inverse-bind-transposed",
    /// The rest pose differs from the bind pose.
    BindRestMismatch = "bind-rest-mismatch",
    /// A skinned mesh under a transform that counts for nothing.
    SkinnedMeshTransform = "skinned-mesh-transform",
    /// More joints in a skin than common limits.
    JointCount = "joint-count",
    /// A world matrix that is no product of translation, rotation and scale.
    ScaleShear = "scale-shear",
    /// A world matrix that mirrors.
    ScaleMirrored = "scale-mirrored",
    /// A joint scaled to nothing.
    ScaleZero = "scale-zero",
    /// A root scaled as if by a unit: near 0.01 or 100.
    RootScale = "root-scale",
    /// Two nodes of one name.
    DuplicateNames = "duplicate-names",
    /// A skin or skeleton that breaks a rule and was repaired.
    SkinInvalid = "skin-invalid",
    /// A node whose transform is not finite or whose links are wrong.
    NodeInvalid = "node-invalid",
    /// Vertex data that is NaN or infinite.
    MeshNonFinite = "mesh-non-finite",
    /// A vertex index past the vertices.
    MeshIndexOutOfRange = "mesh-index-out-of-range",
    /// A primitive that cannot be drawn.
    MeshInvalid = "mesh-invalid",
    /// An image that could not be read; a placeholder stands in.
    ImageUnreadable = "image-unreadable",
    /// A material, texture or camera reference that was dropped.
    ReferenceInvalid = "reference-invalid",
    /// A used extension that is ignored.
    ExtensionUnsupported = "extension-unsupported",
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
