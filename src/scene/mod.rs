//! What to draw this frame, as plain data: no GPU types in here.

mod bounds;
mod camera;
mod frame;
mod heat;
mod overlay;
mod pick;
mod rig;
mod stage;
mod vertex;
mod view;

pub use bounds::{animated_bounds, shown_bounds};
pub use camera::OrbitCamera;
pub use frame::{
    Bone, CameraFrame, CharacterFrame, DrawInstance, Frame, FrameCache, Grid, JointDot, Label,
    Line, build,
};
pub use heat::{
    Heat, NO_WEIGHTS, Peak,
    ramp::{self, Ramp},
};
pub use overlay::{AXES, accent};
pub use pick::{Ray, vertex_at};
pub use stage::{Character, PoseSource, Stage};
pub use vertex::VertexMark;
pub use view::{Background, Light, NameScope, Shading, VertexRef, View, WeightView};
