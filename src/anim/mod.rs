//! Clips at a time → poses → world matrices → skin matrices → vertices.
//!
//! ```text
//! sample(clip, skeleton, t, modes) ─▶ Pose ─▶ globals ─▶ world_from_joint ─▶ palette ─▶ M · M0⁻¹
//! ```
//! Plain functions over caller-owned buffers; nothing here allocates once warm.

mod deform;
mod modes;
mod palette;
mod player;
mod pose;
mod sample;

pub use deform::{Weights, deform_by_joint_frames, deform_by_skin_matrices};
pub use modes::{Hemisphere, Interpolation, Modes};
pub use palette::{SkinMatrix, palette};
pub use player::{LoopPolicy, Player};
pub use pose::{Globals, Local, Pose, bind_globals, globals};
pub use sample::sample;
