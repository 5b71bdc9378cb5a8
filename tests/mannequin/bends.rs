//! Hard bends: how the skin bears them.

use glam::{Quat, Vec3};
use rigscope::anim::{self, Globals, Local, Pose, Weights};

use super::{body, face_normal, joint, rest, volume, volume_from};

/// Places and normals of the skin after turns about world axes: each a joint, an axis and degrees.
fn bent(turns: &[(&str, Vec3, f32)]) -> (Vec<Vec3>, Vec<Vec3>) {
    let body = body();
    let document = &body.document;
    let mut pose = Pose::rest(document);
    let rest = rest();
    for &(name, axis, degrees) in turns {
        let index = joint(name);
        let Local::Trs(mut local) = pose.local(index) else {
            unreachable!("no joint of this file is a matrix");
        };
        let world = rest[index].to_scale_rotation_translation().1;
        let axis = world.inverse() * axis.normalize();
        let turn = Quat::from_axis_angle(axis, degrees.to_radians());
        local.rotation *= turn;
        pose.set_local(index, Local::Trs(local));
        if name.starts_with("Upper") {
            // As in every clip the twist joint takes back part of its limb's roll.
            let twist = joint(&name.replace('.', "Twist."));
            let roll = 2.0 * turn.y.atan2(turn.w);
            if let Local::Trs(mut local) = pose.local(twist) {
                local.rotation *= Quat::from_rotation_y(-0.6 * roll);
                pose.set_local(twist, Local::Trs(local));
            }
        }
    }
    let mut globals = Globals::default();
    anim::globals(&document.skeleton, &pose, &mut globals);
    let mut palette = Vec::new();
    anim::palette(&document.skins[0], &globals, &mut palette);
    let (mut places, mut normals) = (Vec::new(), Vec::new());
    for primitive in document.primitives() {
        let (still, weights) = ([0.0; 3], Weights::default());
        let (mut points, mut directions) = (Vec::new(), Vec::new());
        anim::deform_by_skin_matrices(primitive, &palette, &still, weights, &mut points);
        anim::deform_normals(primitive, &palette, &still, weights, &mut directions);
        places.push(points);
        normals.push(directions);
    }
    let of = |all: &[Vec<Vec3>]| body.source.iter().map(|&(p, v)| all[p][v]).collect();
    (of(&places), of(&normals))
}

/// One hard bend: the joint, how far around it the skin counts, the turns, the least share of
/// its volume that is left, and how many triangles of its crease may turn over.
struct Bend {
    joint: &'static str,
    reach: f32,
    turns: &'static [(&'static str, Vec3, f32)],
    volume: f32,
    turned: usize,
    /// Towards the inside of the bend: no triangle beyond the joint turns over.
    inside: Vec3,
}

const BENDS: [Bend; 5] = [
    Bend {
        joint: "LowerArm.L",
        reach: 0.112,
        turns: &[("LowerArm.L", Vec3::new(-0.669, -0.743, 0.0), 120.0)],
        volume: 0.90,
        turned: 20,
        inside: Vec3::Z,
    },
    Bend {
        joint: "LowerLeg.L",
        reach: 0.16,
        turns: &[("LowerLeg.L", Vec3::X, 120.0)],
        volume: 0.90,
        turned: 32,
        inside: Vec3::NEG_Z,
    },
    Bend {
        joint: "UpperLeg.L",
        reach: 0.208,
        turns: &[("UpperLeg.L", Vec3::X, -120.0)],
        volume: 0.88,
        turned: 45,
        inside: Vec3::Z,
    },
    // The collar bone takes a share of a raised arm, as it does in every clip.
    Bend {
        joint: "UpperArm.L",
        reach: 0.192,
        turns: &[("Shoulder.L", Vec3::Z, 24.0), ("UpperArm.L", Vec3::Z, 96.0)],
        volume: 0.85,
        turned: 4,
        inside: Vec3::Y,
    },
    Bend {
        joint: "UpperArm.L",
        reach: 0.192,
        turns: &[
            ("Shoulder.L", Vec3::Y, -15.0),
            ("UpperArm.L", Vec3::X, -105.0),
        ],
        volume: 0.85,
        turned: 4,
        inside: Vec3::Z,
    },
];

#[test]
fn bends_of_120_degrees_keep_the_volume_and_the_surface() {
    let body = body();
    let rest_places = &body.places;
    let whole = volume(rest_places, &body.faces);
    for bend in &BENDS {
        let middle = rest()[joint(bend.joint)].w_axis.truncate();
        let centre = |face: &[usize; 3]| face.iter().map(|&v| rest_places[v]).sum::<Vec3>() / 3.0;
        let near = body.faces.iter().copied();
        let near = near.filter(|face| centre(face).distance(middle) < bend.reach);
        let local = volume_from(rest_places, near, middle).abs();
        let (places, normals) = bent(bend.turns);
        let left = 1.0 + (volume(&places, &body.faces) - whole) / local;
        let kind = format!("{} {:?}", bend.joint, bend.turns);
        // Turned over: the triangle looks away from the side that its corners are shaded as.
        let mut over = 0;
        for face in &body.faces {
            let shaded: Vec3 = face.iter().map(|&v| normals[v]).sum();
            if face_normal(&places, *face).angle_between(shaded) > 100_f32.to_radians() {
                let depth = (centre(face) - middle).dot(bend.inside);
                assert!(
                    depth > 0.0,
                    "{kind}: turned over {depth} outside the crease"
                );
                over += 1;
            }
        }
        let longest = longest_edge_growth(&places);
        println!(
            "{kind}: {left:.3} of {local:.5} m³, {over} turned over, an edge grows {longest:.2} times"
        );
        assert!(left >= bend.volume, "{kind}: {left} of the volume");
        assert!(left < 1.25, "{kind}: {left} of the volume, a swelling");
        assert!(over <= bend.turned, "{kind}: {over} triangles turned over");
        assert!(
            longest < 5.0,
            "{kind}: an edge grows {longest} times, a spike"
        );
    }
}

fn longest_edge_growth(places: &[Vec3]) -> f32 {
    let body = body();
    let growth = |a: usize, b: usize| {
        places[a].distance(places[b]) / body.places[a].distance(body.places[b]).max(0.002)
    };
    let edges = body
        .faces
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    edges.map(|(a, b)| growth(a, b)).fold(0.0, f32::max)
}
