//! What holds for every clip.

use glam::Vec3;
use rigscope::document::{JointTracks, Keys};

use crate::film::{FPS, Film, document};

const LOOPS: [&str; 6] = ["Walk", "Run", "Idle", "Wave", "Look around", "Broken elbow"];

#[test]
fn the_walk_comes_first_and_all_are_there() {
    let names: Vec<&str> = document()
        .clips
        .iter()
        .map(|clip| clip.name.as_str())
        .collect();
    let wanted = [
        "Walk",
        "Run",
        "Idle",
        "Turn",
        "Wave",
        "Look around",
        "Sit down",
        "Broken elbow",
    ];
    assert_eq!(names, wanted);
}

#[test]
fn keys_are_straight_lines_at_24_a_second_or_fewer_and_on_one_hemisphere() {
    for clip in &document().clips {
        for tracks in &clip.joints {
            let JointTracks::Trs {
                joint, rotation, ..
            } = tracks
            else {
                unreachable!("glTF has no matrix tracks");
            };
            for times in tracks.times() {
                let least = times
                    .windows(2)
                    .map(|pair| pair[1] - pair[0])
                    .fold(1.0, f32::min);
                assert!(least > 0.99 / FPS, "{}: keys {least} s apart", clip.name);
            }
            let Some(rotation) = rotation else { continue };
            let Keys::Linear(keys) = &rotation.keys else {
                unreachable!("{} is LINEAR", clip.name);
            };
            let flips = keys
                .windows(2)
                .filter(|pair| pair[0].dot(pair[1]) < 0.0)
                .count();
            let label = document().skeleton.joints[*joint].label();
            if clip.name != "Broken elbow" || label != "LowerArm.L" {
                assert_eq!(flips, 0, "{}: {label} flips", clip.name);
            }
        }
    }
}

/// Places of all joints at each drawing.
fn places(film: &Film) -> Vec<Vec<Vec3>> {
    let of = |worlds: &[glam::Mat4]| worlds.iter().map(|m| m.w_axis.truncate()).collect();
    film.drawings().map(|shot| of(&shot.worlds)).collect()
}

#[test]
fn loops_have_no_seam_in_value_or_speed() {
    for name in LOOPS {
        let film = Film::of(name);
        let (first, last) = (&film.shots[0], &film.shots[film.shots.len() - 1]);
        for (joint, (a, b)) in first.worlds.iter().zip(&last.worlds).enumerate() {
            let label = document().skeleton.joints[joint].label();
            assert!(a.abs_diff_eq(*b, 1e-4), "{name}: {label} jumps");
        }
        // The change of speed over the seam is no larger than the largest within.
        let places = places(&film);
        let n = places.len() - 1;
        for (joint, rig) in document().skeleton.joints.iter().enumerate() {
            let bend = |a: usize, b: usize, c: usize| {
                (places[c][joint] - 2.0 * places[b][joint] + places[a][joint]).length()
            };
            let inside = (1..n).map(|k| bend(k - 1, k, k + 1)).fold(0.0, f32::max);
            let seam = bend(n - 1, 0, 1);
            let label = rig.label();
            assert!(
                seam <= 1.05 * inside + 5e-4,
                "{name}: {label}: {seam} m, within {inside} m"
            );
        }
    }
}

#[test]
fn every_clip_moves_the_whole_body_and_no_joint_jumps() {
    for clip in &document().clips {
        let film = Film::of(&clip.name);
        // Measured: at most 55 in the run's hands, 25 elsewhere.
        let limit = if clip.name == "Run" { 60.0 } else { 30.0 };
        let places = places(&film);
        let mut moving = 0;
        for joint in 0..places[0].len() {
            let away = |k: usize| (places[k][joint] - places[0][joint]).length();
            moving += usize::from((0..places.len()).map(away).fold(0.0, f32::max) > 1e-3);
        }
        assert!(moving > 40, "{}: only {moving} joints move", clip.name);
        for pair in film.shots.windows(2) {
            for joint in 0..places[0].len() {
                let turn = |k: usize| pair[k].worlds[joint].to_scale_rotation_translation().1;
                let degrees = turn(0).angle_between(turn(1)).to_degrees() * 2.0;
                let label = document().skeleton.joints[joint].label();
                assert!(
                    degrees < limit,
                    "{}: {label} turns by {degrees} in a drawing",
                    clip.name
                );
            }
        }
    }
}
