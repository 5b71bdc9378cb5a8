//! Clips at a time → poses → world matrices → skin matrices → vertices.
//!
//! ```text
//! Sampler::sample(t, modes) ─▶ Pose ─▶ globals ─▶ Globals ─▶ palette ─▶ M · M0⁻¹
//! ```
//! Plain functions over caller-owned buffers; nothing here allocates once warm.
//! A [`Sampler`] is a clip prepared for playing; [`sample()`] does the same from the
//! file's own tracks, once and readably.

mod deform;
mod globals;
mod matrices;
mod modes;
mod palette;
mod player;
mod pose;
mod presets;
mod sample;
mod sampler;
mod skinning;
mod technique;
mod timeline;

pub use deform::{
    Weights, deform_by_joint_frames, deform_by_skin_matrices, deform_normals, deform_normals_by,
    morphed_position, skinned_position, skinned_position_by, vertex_matrix,
};
pub use globals::{Globals, bind_globals, globals, globals_without_shear};
pub use modes::{Hemisphere, Interpolation, Modes, SplineReading, VectorInterpolation};
pub use palette::{SkinMatrix, palette, prepare_palette};
pub use player::{LoopPolicy, Player};
pub use pose::{Local, Pose};
pub use presets::{PRESETS, Preset};
pub use sample::{rotation_before_normalising, sample, sample_rotation};
pub use sampler::{Cursor, Sampler};
pub use skinning::Skinning;
pub use technique::{JOINT_LIMIT, Quirks, Technique};
