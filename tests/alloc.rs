//! Playing allocates nothing once its buffers are warm.

#[path = "support/counting.rs"]
mod counting;
#[path = "bench/synthetic.rs"]
#[allow(dead_code, reason = "the bench uses more of it")]
mod synthetic;

use counting::allocations;
use glam::{Mat4, Vec3};
use rigscope::{
    anim::{
        self, Cursor, Globals, Hemisphere, Interpolation, LoopPolicy, Modes, Player, Pose, Sampler,
        Weights,
    },
    document::{
        Document, Influences, JointTracks, Keys, MeshInstance, MorphTarget, MorphTracks, Primitive,
        Track,
    },
    scene::Character,
};

/// The synthetic rig with a bit of everything: a cubic and a stepped track, whole
/// matrices, a joint at rest with a matrix, and morph weights on two instances.
fn document() -> Document {
    let mut document = synthetic::document();
    for joint in [3, 9] {
        document.instances.push(MeshInstance {
            in_scene: true,
            joint,
            mesh: 0,
            skin: Some(0),
            morph_weights: vec![0.0, 0.5],
        });
    }
    document.skeleton.joints[20].rest_matrix = Some(Mat4::from_scale(Vec3::ONE));
    let clip = &mut document.clips[0];
    let mut times = None;
    for tracks in &mut clip.joints {
        let JointTracks::Trs {
            joint, rotation, ..
        } = tracks
        else {
            continue;
        };
        let track = rotation.as_mut().expect("every joint of the rig turns");
        times = Some(track.times.clone());
        let values = track.keys.values().to_vec();
        match *joint {
            5 => track.keys = Keys::Step(values),
            6 => {
                track.keys = Keys::Cubic {
                    in_tangents: values.clone(),
                    out_tangents: values.clone(),
                    values,
                }
            }
            _ => {}
        }
    }
    let times = times.expect("the rig has joints");
    clip.joints[20] = JointTracks::Matrix {
        joint: 20,
        matrix: Track {
            keys: Keys::Step(vec![Mat4::IDENTITY; times.len()]),
            times: times.clone(),
        },
    };
    clip.morphs.push(MorphTracks {
        joint: 3,
        target_count: 2,
        weights: Track {
            keys: Keys::Linear((0..2 * times.len()).map(|i| i as f32 / 100.0).collect()),
            times,
        },
    });
    document
}

fn primitive() -> Primitive {
    Primitive {
        positions: vec![Vec3::X; 30],
        normals: vec![Vec3::Y; 30],
        influences: Influences {
            per_vertex: 4,
            joints: (0..120).map(|i| i % 67).collect(),
            weights: vec![0.25; 120],
        },
        morph_targets: vec![
            MorphTarget {
                positions: vec![Vec3::Z; 30],
                ..MorphTarget::default()
            };
            2
        ],
        ..Primitive::default()
    }
}

fn every_mode() -> impl Iterator<Item = Modes> {
    Interpolation::ALL.into_iter().flat_map(|interpolation| {
        Hemisphere::ALL.into_iter().map(move |hemisphere| Modes {
            interpolation,
            hemisphere,
            ..Modes::default()
        })
    })
}

fn by_matrix() -> Modes {
    Modes {
        interpolation: Interpolation::MatrixLerp,
        ..Modes::default()
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))), 1);
    assert_eq!(allocations(|| {}), 0);
}

#[test]
fn seconds_of_playing_allocate_nothing() {
    let document = document();
    let primitive = primitive();
    let sampler = Sampler::new(&document, &document.clips[0]);
    let mut player = Player {
        duration_secs: document.clips[0].duration_secs,
        ..Player::default()
    };
    let (mut cursor, mut pose, mut globals) =
        (Cursor::default(), Pose::default(), Globals::default());
    let (mut palette, mut positions, mut normals) = (Vec::new(), Vec::new(), Vec::new());
    let mut frame = |player: &mut Player, modes: &Modes| {
        player.advance(1.0 / 60.0);
        sampler.sample(player.time_secs, modes, &mut cursor, &mut pose);
        anim::globals(&document.skeleton, &pose, &mut globals);
        palette.clear();
        anim::palette(&document.skins[0], &globals, &mut palette);
        let (morphs, weights) = (&pose.morph_weights[0], Weights::Normalized);
        anim::deform_by_skin_matrices(&primitive, &palette, morphs, weights, &mut positions);
        anim::deform_normals(&primitive, &palette, morphs, weights, &mut normals);
        anim::deform_by_joint_frames(
            &primitive,
            |slot| globals.world(slot),
            &document.skins[0].joint_from_mesh,
            morphs,
            weights,
            &mut positions,
        );
    };
    frame(&mut player, &Modes::default());
    // Room for matrices is made when joints first become some.
    frame(&mut player, &by_matrix());
    let count = allocations(|| {
        for modes in every_mode() {
            for policy in LoopPolicy::ALL {
                player.loop_policy = policy;
                player.play();
                // Three seconds of a two-second clip, then a jump.
                (0..180).for_each(|_| frame(&mut player, &modes));
                player.seek(0.9);
            }
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn a_character_on_stage_allocates_nothing_either() {
    let mut character = Character::new(document().into());
    character.update();
    character.technique.modes = by_matrix();
    character.update();
    let count = allocations(|| {
        for modes in every_mode() {
            character.technique.modes = modes;
            for _ in 0..180 {
                character.player.advance(1.0 / 60.0);
                character.update();
            }
        }
    });
    assert_eq!(count, 0);
}
