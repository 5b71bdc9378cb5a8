//! What to draw this frame, as plain data: no GPU types in here.

mod bounds;
mod boxes;
mod camera;
mod figure;
mod frame;
mod ghosts;
mod heat;
mod marks;
mod measure;
mod overlay;
mod pick;
mod poser;
pub mod ramps;
mod rig;
mod ruler;
mod skeleton_view;
mod stage;
mod surface;
mod trail;
mod vertex;
mod view;

pub use bounds::{animated_bounds, framed_bounds, shown_bounds};
pub use camera::OrbitCamera;
pub use figure::FIGURE_HEIGHT;
pub use frame::{
    Bone, CameraFrame, CharacterFrame, DrawInstance, Frame, FrameCache, Grid, JointDot, Label,
    Line, build, shown_skinning,
};
pub use ghosts::{GhostSpacing, Ghosts, MOST_GHOSTS};
pub use heat::{
    Heat, NO_WEIGHTS, Peak,
    ramp::{self, Ramp},
};
pub use marks::joint_marks;
pub use measure::{BoundsKind, Note, NoteText, pinned_color};
pub use overlay::{AXES, accent};
pub use pick::{Ray, surface_at, vertex_at};
pub use poser::Poser;
pub use ruler::{Measured, Ruler, RulerEnd};
pub use skeleton_view::{BoneColor, BoneStyle, BoundsShown, JointScope};
pub use stage::{Character, HeldMorph, PoseSource, Stage, side_tint};
pub use surface::SurfacePoint;
pub use trail::{Trail, TrailDot};
pub use vertex::VertexMark;
pub use view::{Background, Light, Shading, SurfaceNumbers, VertexRef, View, WeightView};
