//! One shape for everything that is wrong with a file.

use core::fmt;

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
    /// Key index within its track.
    pub key: Option<usize>,
    /// Time of that key.
    pub time_secs: Option<f32>,
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
            key: None,
            time_secs: None,
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
    /// Key times that do not increase.
    TimesNotIncreasing = "times-not-increasing",
    /// A key that is NaN or infinite.
    KeysNonFinite = "keys-non-finite",
    /// A rotation whose length is not 1.
    RotationNotUnit = "rotation-not-unit",
    /// Two channels on one property.
    ChannelDuplicate = "channel-duplicate",
    /// A channel without a target node.
    ChannelNoTarget = "channel-no-target",
    /// A channel whose data cannot be used.
    ChannelInvalid = "channel-invalid",
    /// A clip without usable channels.
    ClipEmpty = "clip-empty",
    /// Weights that do not sum to 1 within the storage's rounding.
    WeightsNotNormalized = "weights-not-normalized",
    /// All weights of a vertex are zero.
    WeightsZero = "weights-zero",
    /// Weights that are NaN, infinite or negative.
    WeightsInvalid = "weights-invalid",
    /// A joint index past the skin's joints.
    JointIndexOutOfRange = "joint-index-out-of-range",
    /// No inverse bind matrices: identity assumed.
    InverseBindMissing = "inverse-bind-missing",
    /// An inverse bind matrix that cannot be inverted or is not affine.
    InverseBindSingular = "inverse-bind-singular",
    /// A skin or skeleton that breaks a rule and was repaired.
    SkinInvalid = "skin-invalid",
    /// A node whose transform is not finite or whose links are wrong.
    NodeInvalid = "node-invalid",
    /// Vertex data that is NaN or infinite.
    MeshNonFinite = "mesh-non-finite",
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
