//! Pure maths on `glam` types: no files, no state, no GPU.
//!
//! Matrices are column-major and act on column vectors; `target_from_source`
//! names say which space they map from and to.

pub mod aabb;
pub mod affine;
pub mod axes;
pub mod color;
mod dual_quat;
mod euler;
mod handedness;
mod polar;
pub mod quat;
mod segment;
pub mod transform;
pub mod wide;

pub use aabb::Aabb;
pub use affine::Affine;
pub use dual_quat::DualQuat;
pub use euler::EulerOrder;
pub use handedness::{Handedness, handedness};
pub use polar::Polar;
pub use segment::segment_distance;
pub use transform::Transform;
