//! Which pose, and by what means: the flags that `pose` and `render` share.

use clap::{Args, builder::TypedValueParser};

use super::{super::parse, one_of};
use crate::{
    anim::{
        Hemisphere, Interpolation, Modes, Skinning, SplineReading, Technique, VectorInterpolation,
        Weights,
    },
    math::EulerOrder,
};

/// Which pose: the flags that `pose` and `render` share.
#[derive(Debug, Args)]
pub struct SamplingArgs {
    /// Clip by index or name, or `rest` or `bind`; the first clip by default, or
    /// the rest pose where there is none
    #[arg(long, value_name = "INDEX|NAME|rest|bind")]
    pub clip: Option<ClipChoice>,

    /// How to get from one rotation key to the next
    #[arg(long, value_name = "MODE", default_value = Interpolation::default().as_str(), value_parser = interpolation_parser())]
    pub interpolation: Interpolation,

    /// Which of the two quaternions of a rotation the second key counts as
    #[arg(long, value_name = "RULE", default_value = Hemisphere::default().as_str(), value_parser = hemisphere_parser())]
    pub hemisphere: Hemisphere,

    /// |cos| of the angle between two keys above which slerp becomes nlerp: 1 is
    /// pure slerp, 0 is pure nlerp
    #[arg(long, value_name = "X", default_value_t = Modes::default().threshold, value_parser = parse::threshold)]
    pub threshold: f32,

    /// Order of turning for `--interpolation euler`
    #[arg(long, value_name = "ORDER", default_value = "xyz", value_parser = euler_parser())]
    pub euler_order: EulerOrder,

    /// How to get from one key of translation or scale to the next
    #[arg(long, value_name = "MODE", default_value = VectorInterpolation::default().as_str(), value_parser = vectors_parser())]
    pub vectors: VectorInterpolation,

    /// How joints move vertices
    #[arg(long, value_name = "METHOD", default_value = Skinning::default().as_str(), value_parser = skinning_parser())]
    pub skinning: Skinning,

    /// Vertex weights divided by their sum, or as the file stores them
    #[arg(long, value_name = "RULE", default_value = Weights::default().as_str(), value_parser = weights_parser())]
    pub weights: Weights,
}

impl SamplingArgs {
    /// By what means the clip becomes vertices.
    pub fn technique(&self) -> Technique {
        Technique {
            modes: Modes {
                interpolation: self.interpolation,
                hemisphere: self.hemisphere,
                threshold: self.threshold,
                euler_order: self.euler_order,
                vectors: self.vectors,
                spline: SplineReading::default(),
            },
            skinning: self.skinning,
            weights: self.weights,
            ..Technique::default()
        }
    }
}

/// What `--clip` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClipChoice {
    /// Node transforms as stored.
    Rest,
    /// Inverses of the inverse bind matrices.
    Bind,
    /// An index or a name, as written.
    Clip(String),
}

fn interpolation_parser() -> impl TypedValueParser<Value = Interpolation> {
    one_of(Interpolation::ALL.map(|mode| (mode.as_str(), mode.description(), mode)))
}

fn hemisphere_parser() -> impl TypedValueParser<Value = Hemisphere> {
    one_of(Hemisphere::ALL.map(|rule| (rule.as_str(), rule.description(), rule)))
}

fn euler_parser() -> impl TypedValueParser<Value = EulerOrder> {
    one_of([
        ("xyz", "x, then the new y, then the new z", EulerOrder::Xyz),
        ("xzy", "x, z, y", EulerOrder::Xzy),
        ("yxz", "y, x, z", EulerOrder::Yxz),
        ("yzx", "y, z, x", EulerOrder::Yzx),
        ("zxy", "z, x, y", EulerOrder::Zxy),
        ("zyx", "z, y, x", EulerOrder::Zyx),
    ])
}

fn vectors_parser() -> impl TypedValueParser<Value = VectorInterpolation> {
    one_of(VectorInterpolation::ALL.map(|mode| (mode.as_str(), mode.description(), mode)))
}

fn skinning_parser() -> impl TypedValueParser<Value = Skinning> {
    one_of(Skinning::ALL.map(|method| (method.as_str(), method.description(), method)))
}

fn weights_parser() -> impl TypedValueParser<Value = Weights> {
    one_of(Weights::ALL.map(|rule| {
        let help = match rule {
            Weights::Normalized => "each vertex's weights divided by their sum",
            Weights::Stored => "as the file stores them",
        };
        (rule.as_str(), help, rule)
    }))
}
