//! What to draw this frame, as plain data: no GPU types in here.

mod camera;
mod frame;
mod stage;
mod view;

pub use camera::OrbitCamera;
pub use frame::{
    Bone, CameraFrame, CharacterFrame, DrawInstance, Frame, Grid, JointDot, Label, Line, build,
};
pub use stage::{Character, PoseSource, Stage, animated_bounds};
pub use view::{Background, NameScope, Shading, View};
