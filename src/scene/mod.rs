//! What to draw this frame, as plain data: no GPU types in here.

mod bounds;
mod camera;
mod frame;
mod overlay;
mod rig;
mod stage;
mod view;

pub use bounds::{animated_bounds, shown_bounds};
pub use camera::OrbitCamera;
pub use frame::{
    Bone, CameraFrame, CharacterFrame, DrawInstance, Frame, FrameCache, Grid, JointDot, Label,
    Line, build,
};
pub use overlay::{AXES, accent};
pub use stage::{Character, HeldMorph, PoseSource, Stage};
pub use view::{Background, Light, NameScope, Shading, View};
