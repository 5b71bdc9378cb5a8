//! The lab: small scenes made in code, each of which shows one thing about interpolation
//! or skinning, and the ways to play it side by side.

mod facing;
mod limb;
mod scenes;

use crate::{
    analysis::curves::Curve,
    anim::{Hemisphere, Interpolation, Modes, Quirks, Skinning, SplineReading, Technique},
    document::Document,
    math::EulerOrder,
};

/// One scene.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// The word on the command line, after `lab:`.
    pub id: &'static str,
    /// The name in menus.
    pub title: &'static str,
    /// What is to be seen, why, and what to try.
    pub text: &'static str,
    /// Makes it.
    pub document: fn() -> Document,
    /// Views from left to right, at least one.
    pub sides: &'static [Side],
    /// The joint it is about, by name.
    pub joint: &'static str,
    /// What to plot of that joint.
    pub curve: Curve,
    /// What the timeline shows.
    pub below: Below,
    /// Show joints and bones.
    pub skeleton: bool,
    /// Show the path of the first joint that is called `tip`.
    pub trail: bool,
    /// From where to look: turn about +Y and height, degrees.
    pub camera: [f32; 2],
}

/// What the timeline shows of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Below {
    /// The scene's curve.
    Curves,
    /// How far the others' joints are turned from A's.
    Angle,
    /// How far the others' joints are from A's.
    Position,
    /// How far the others' vertices are from A's.
    Vertex,
}

/// One view of a scene.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// By what means it is played.
    pub technique: fn() -> Technique,
    /// Index of the clip.
    pub clip: usize,
}

/// A side of the first clip with these modes.
macro_rules! modes {
    ($($field:ident: $value:expr),* $(,)?) => {
        Side {
            technique: || Technique {
                modes: Modes { $($field: $value,)* ..Modes::default() },
                ..Technique::default()
            },
            clip: 0,
        }
    };
}

/// A side with another way to interpolate, by slerp all along the arc.
macro_rules! by {
    ($mode:ident) => {
        modes! { interpolation: Interpolation::$mode, threshold: 1.0 }
    };
}

const AS_IT_IS: Side = modes! {};

/// All, in menu order.
pub const SCENES: [Scene; 10] = [
    Scene {
        id: "half-turn-elbow",
        title: "Half-turn elbow",
        text: "One arm, three ways between the same two keys, 170° apart. Slerp turns steadily; \
               nlerp lags behind and then hurries; lerp forgets to normalise and squashes the arm. \
               Drag A's threshold from 1 to 0 and slerp becomes nlerp.",
        document: scenes::half_turn,
        sides: &[by!(Slerp), by!(Nlerp), by!(Lerp)],
        joint: "elbow",
        curve: Curve::AngleFromOrientation,
        below: Below::Angle,
        skeleton: true,
        trail: true,
        camera: [0.0, 8.0],
    },
    Scene {
        id: "the-long-way-round",
        title: "The long way round",
        text: "The middle key has the opposite sign: the same pose, but the arc between the numbers \
               goes the other way round. A aligns signs first, as the format asks for; B takes the \
               keys as they are, and the elbow flips.",
        document: scenes::long_way,
        sides: &[
            by!(Slerp),
            modes! { interpolation: Interpolation::Slerp, hemisphere: Hemisphere::Keep, threshold: 1.0 },
        ],
        joint: "elbow",
        curve: Curve::QuaternionStored,
        below: Below::Angle,
        skeleton: true,
        trail: true,
        camera: [0.0, 8.0],
    },
    Scene {
        id: "179-and-181-degrees",
        title: "179 and 181 degrees",
        text: "Two keys hold no direction. The blue arm turns 179° and does what was meant; 181° is \
               179° the other way, so with the short path the red arm bends backwards. Taken as \
               stored (B) it is the red arm that is right.",
        document: scenes::around_half,
        sides: &[
            by!(Slerp),
            modes! { interpolation: Interpolation::Slerp, hemisphere: Hemisphere::Keep, threshold: 1.0 },
        ],
        joint: "elbow 181",
        curve: Curve::AngleFromOrientation,
        below: Below::Curves,
        skeleton: true,
        trail: false,
        camera: [0.0, 8.0],
    },
    Scene {
        id: "candy-wrapper",
        title: "Candy wrapper",
        text: "The wrist turns half round and the forearm is blended between two joints. Blended \
               matrices cancel out in the middle, and it closes like a sweet's paper; dual \
               quaternions blend the motion itself and keep the volume.",
        document: scenes::candy,
        sides: &[
            AS_IT_IS,
            Side {
                technique: || Technique {
                    skinning: Skinning::DualQuaternion,
                    ..Technique::default()
                },
                clip: 0,
            },
        ],
        joint: "wrist",
        curve: Curve::AngleFromOrientation,
        below: Below::Vertex,
        skeleton: true,
        trail: false,
        camera: [0.0, 8.0],
    },
    Scene {
        id: "matrix-collapse",
        title: "Matrix collapse",
        text: "A blends the sixteen numbers of the elbow's matrix: half way between two keys 170° \
               apart, nine tenths of the arm are gone. B splits each matrix into rotation and \
               stretch first, turns the one and blends the other.",
        document: scenes::collapse,
        sides: &[by!(MatrixLerp), by!(Polar)],
        joint: "elbow",
        curve: Curve::Scale,
        below: Below::Position,
        skeleton: true,
        trail: true,
        camera: [0.0, 8.0],
    },
    Scene {
        id: "squash-in-the-spline",
        title: "Squash in the spline",
        text: "A cubic spline runs through quaternions as if they were points, and leaves the unit \
               sphere between keys. A normalises the result; B forgets to, and the arm shrinks; C \
               takes the tangents without the key spacing and loses the swing.",
        document: scenes::spline,
        sides: &[
            AS_IT_IS,
            modes! { spline: SplineReading { normalize: false, scale_tangents: true } },
            modes! { spline: SplineReading { normalize: true, scale_tangents: false } },
        ],
        joint: "elbow",
        curve: Curve::LengthBeforeNormalising,
        below: Below::Curves,
        skeleton: true,
        trail: true,
        camera: [0.0, 8.0],
    },
    Scene {
        id: "gimbal-detour",
        title: "Gimbal detour",
        text: "The same two poses. Slerp takes the straight way on the sphere. Three angles, each \
               blended by itself, take a detour that depends on their order: near a right angle in \
               the middle, two of them turn about nearly the same axis.",
        document: scenes::gimbal,
        sides: &[
            by!(Slerp),
            modes! { interpolation: Interpolation::Euler, euler_order: EulerOrder::Xyz },
            modes! { interpolation: Interpolation::Euler, euler_order: EulerOrder::Zyx },
        ],
        joint: "ball joint",
        curve: Curve::Euler(EulerOrder::Xyz),
        below: Below::Curves,
        skeleton: true,
        trail: true,
        camera: [25.0, 12.0],
    },
    Scene {
        id: "mirror-and-shear",
        title: "Mirror and shear",
        text: "Both roots are wider than high, one is mirrored as well. A turn below such a scale \
               shears: no translation, rotation and scale gives that. B is a player that keeps \
               world transforms as those three: the shear is dropped, and the arms differ.",
        document: scenes::mirror,
        sides: &[
            AS_IT_IS,
            Side {
                technique: || Technique {
                    quirks: Quirks {
                        drop_shear: true,
                        joint_bytes: false,
                        joint_limit: false,
                        skip_lead_in: false,
                        mesh_transform_twice: false,
                        naive_normals: false,
                    },
                    ..Technique::default()
                },
                clip: 0,
            },
        ],
        joint: "elbow",
        curve: Curve::Scale,
        below: Below::Curves,
        skeleton: true,
        trail: false,
        camera: [0.0, 8.0],
    },
    Scene {
        id: "two-roads-to-a-vertex",
        title: "Two roads to a vertex",
        text: "M·M0⁻¹·v takes the vertex as it was bound into the joint's frame and out again where \
               the joint is now. M·d starts from d, the vertex as the joint sees it. It is one road \
               in two halves: both end at the same point, to the last digits. Select a joint and \
               read M, M0⁻¹ and their product on the right.",
        document: scenes::two_roads,
        sides: &[AS_IT_IS],
        joint: "elbow",
        curve: Curve::AngleFromOrientation,
        below: Below::Vertex,
        skeleton: true,
        trail: false,
        camera: [0.0, 8.0],
    },
    Scene {
        id: "turning-to-face",
        title: "Turning to face",
        text: "Each frame the head turns a share of what is left towards the ball, and the last 2° \
               at once. Slerp (A) takes the short way. Component lerp without a look at signs (B) \
               and Euler angles (C) go the long way round when the ball passes behind.",
        document: facing::document,
        sides: &[
            Side {
                technique: Technique::default,
                clip: 0,
            },
            Side {
                technique: Technique::default,
                clip: 1,
            },
            Side {
                technique: Technique::default,
                clip: 2,
            },
        ],
        joint: "head",
        curve: Curve::AngularSpeed,
        below: Below::Curves,
        skeleton: false,
        trail: false,
        camera: [0.0, 18.0],
    },
];

/// The scene of this [`Scene::id`].
pub fn find(id: &str) -> Option<&'static Scene> {
    SCENES.iter().find(|scene| scene.id == id)
}
