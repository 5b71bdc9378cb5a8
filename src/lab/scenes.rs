//! The scenes' documents.

use glam::{EulerRot, Quat, Vec3};

use super::limb::{BLUE, Builder, CORAL, Limb, rotation, turns};
use crate::document::{Document, Keys};

/// Bends in the plane of the picture.
fn bend(degrees: f32) -> Quat {
    Quat::from_rotation_z(-degrees.to_radians())
}

fn arm(place: Vec3, accent: glam::Vec4) -> Limb<'static> {
    Limb {
        joints: &[("upper arm", 0.0), ("elbow", 0.72)],
        height: 1.4,
        place,
        blend: 0.24,
        accent,
    }
}

/// An arm that bends nearly half a turn and back.
fn bending(name: &str) -> Document {
    let mut builder = Builder::new(name);
    let joints = builder.limb(&arm(Vec3::ZERO, BLUE));
    let keys = [(0.0, bend(0.0)), (2.0, bend(170.0)), (4.0, bend(0.0))];
    builder.clip("Bend", vec![turns(joints[1], &keys)]);
    builder.done()
}

pub(super) fn half_turn() -> Document {
    bending("Half-turn elbow")
}

pub(super) fn collapse() -> Document {
    bending("Matrix collapse")
}

pub(super) fn two_roads() -> Document {
    bending("Two roads to a vertex")
}

pub(super) fn long_way() -> Document {
    let mut builder = Builder::new("The long way round");
    let joints = builder.limb(&arm(Vec3::ZERO, BLUE));
    // The same poses whatever the sign.
    let keys = [(0.0, bend(20.0)), (1.5, -bend(95.0)), (3.0, bend(20.0))];
    builder.clip("Bend", vec![turns(joints[1], &keys)]);
    builder.done()
}

pub(super) fn around_half() -> Document {
    let mut builder = Builder::new("179 and 181 degrees");
    let less = builder.limb(&arm(Vec3::X * -0.55, BLUE));
    let more = builder.limb(&Limb {
        joints: &[("upper arm 181", 0.0), ("elbow 181", 0.72)],
        ..arm(Vec3::X * 0.55, CORAL)
    });
    let to = |degrees: f32| [(0.0, bend(0.0)), (2.0, bend(degrees)), (4.0, bend(0.0))];
    builder.clip(
        "Bend",
        vec![turns(less[1], &to(179.0)), turns(more[1], &to(181.0))],
    );
    builder.done()
}

pub(super) fn candy() -> Document {
    let mut builder = Builder::new("Candy wrapper");
    let joints = builder.limb(&Limb {
        joints: &[("forearm", 0.0), ("wrist", 0.75)],
        // All the way between them: one twist for the whole forearm.
        blend: 1.1,
        ..arm(Vec3::ZERO, BLUE)
    });
    let twist = |degrees: f32| Quat::from_rotation_y(degrees.to_radians());
    let keys = [
        (0.0, twist(0.0)),
        (1.5, twist(90.0)),
        (3.0, twist(179.9)),
        (4.5, twist(90.0)),
        (6.0, twist(0.0)),
    ];
    builder.clip("Twist", vec![turns(joints[1], &keys)]);
    builder.done()
}

pub(super) fn spline() -> Document {
    let mut builder = Builder::new("Squash in the spline");
    let joints = builder.limb(&arm(Vec3::ZERO, BLUE));
    // Half way far from no rotation at all, where the ordinary formula would hide the loss.
    let values = vec![bend(0.0), bend(170.0), bend(0.0)];
    let still = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    // A slow start and end, flat at the turn.
    let run = (values[1] - values[0]) * 0.15;
    let keys = Keys::Cubic {
        in_tangents: vec![still, still, run * -1.0],
        out_tangents: vec![run, still, still],
        values,
    };
    let times = [0.0, 2.0, 4.0].into_iter();
    builder.clip("Swing", vec![rotation(joints[1], times, keys)]);
    builder.done()
}

pub(super) fn gimbal() -> Document {
    let mut builder = Builder::new("Gimbal detour");
    let joints = builder.limb(&Limb {
        joints: &[("upper arm", 0.0), ("ball joint", 0.72)],
        ..arm(Vec3::ZERO, BLUE)
    });
    let turn = |x: f32, y: f32, z: f32| {
        let [x, y, z] = [x, y, z].map(f32::to_radians);
        Quat::from_euler(EulerRot::XYZ, x, y, z)
    };
    // Found by a search for poses between which both orders stray the most: the tip goes
    // more than twice the way.
    let (from, to) = (turn(-59.0, 67.0, 90.0), turn(-123.0, -43.0, -153.0));
    builder.clip(
        "Reach",
        vec![turns(joints[1], &[(0.0, from), (2.0, to), (4.0, from)])],
    );
    builder.done()
}

pub(super) fn mirror() -> Document {
    let mut builder = Builder::new("Mirror and shear");
    let wide = builder.limb(&arm(Vec3::X * -0.55, BLUE));
    let mirrored = builder.limb(&Limb {
        joints: &[("mirrored arm", 0.0), ("mirrored elbow", 0.72)],
        ..arm(Vec3::X * 0.55, CORAL)
    });
    builder.scale(wide[0], Vec3::new(1.7, 1.0, 0.8));
    builder.scale(mirrored[0], Vec3::new(-1.7, 1.0, 0.8));
    let keys = [(0.0, bend(0.0)), (1.5, bend(60.0)), (3.0, bend(0.0))];
    builder.clip(
        "Bend",
        vec![turns(wide[1], &keys), turns(mirrored[1], &keys)],
    );
    builder.done()
}
