//! Matrix tracks: shown as stored, and played by polar decomposition or entry by entry.

use glam::Mat4;
use rigscope::{
    anim::{Globals, Interpolation, Modes, Pose, globals, sample},
    document::{Document, JointTracks, Keys},
};

use super::{UP, open, read};

/// The least that any joint's axis is scaled to in the world while a clip plays, of all
/// times at 240 Hz; where and when.
fn least_scale(document: &Document, clip: usize, interpolation: Interpolation) -> (f32, f32) {
    let modes = Modes {
        interpolation,
        ..Modes::default()
    };
    let clip = &document.clips[clip];
    let mut pose = Pose::rest(document);
    let mut worlds = Globals::default();
    let mut least = (f32::INFINITY, 0.0);
    for frame in 0..=(clip.duration_secs * 240.0) as usize {
        let secs = frame as f32 / 240.0;
        sample(clip, document, secs, &modes, &mut pose);
        globals(&document.skeleton, &pose, &mut worlds);
        for world in worlds.worlds() {
            let axes = [world.x_axis, world.y_axis, world.z_axis];
            let smallest = axes
                .iter()
                .map(|axis| axis.truncate().length())
                .fold(f32::INFINITY, f32::min);
            if smallest < least.0 {
                least = (smallest, secs);
            }
        }
    }
    least
}

/// A thigh and a shin that swing to and fro about x, 120° and 100° from key to key, as an
/// exporter of matrices writes it.
fn walk() -> Document {
    let matrix = |degrees: f32, y: f32| {
        let m = Mat4::from_rotation_x(degrees.to_radians()).to_cols_array();
        let mut m = m.map(|n| n.to_string());
        m[13] = y.to_string();
        format!("{{{}}}", m.join(", "))
    };
    let leg = |degrees: [f32; 3], y: f32| {
        let keys = degrees.map(|degrees| matrix(degrees, y)).join(", ");
        format!(
            "Transform %transform {{ float[16] {{{}}} }}
             Animation {{ Track (target = %transform) {{ Time {{ Key {{ float {{0, 0.5, 1}} }} }} Value {{ Key {{ float[16] {{{keys}}} }} }} }} }}",
            matrix(0.0, y)
        )
    };
    read(&format!(
        "{UP}BoneNode {{ Name {{ string {{\"thigh\"}} }} {} BoneNode {{ Name {{ string {{\"shin\"}} }} {} }} }}",
        leg([-60.0, 60.0, -60.0], 1.0),
        leg([100.0, 0.0, 100.0], -0.5)
    ))
}

#[test]
fn a_walk_in_matrices_collapses_entry_by_entry_and_not_by_polar() {
    let document = walk();
    let Some(JointTracks::Matrix { matrix, .. }) = document.clips[0].joint_tracks(0) else {
        panic!("matrices, as stored");
    };
    assert_eq!(matrix.times[..], [0.0, 0.5, 1.0]);
    for mode in [Interpolation::Authored, Interpolation::Polar] {
        let (least, _) = least_scale(&document, 0, mode);
        assert!((least - 1.0).abs() < 1e-5, "{mode:?}: {least}");
    }
    // Halfway between the keys the thigh is cos 60°, and the shin in it cos 50° of that.
    let (least, secs) = least_scale(&document, 0, Interpolation::MatrixLerp);
    let expected = 60_f32.to_radians().cos() * 50_f32.to_radians().cos();
    assert!((least - expected).abs() < 1e-5, "{least} {expected}");
    assert!([0.25, 0.75].contains(&secs), "{secs}");
    println!("built: {least} at {secs} s by matrix-lerp");
}

/// Every twelfth key of the corpus' walk, as a careless optimiser leaves it.
#[test]
fn the_corpus_walk_with_fewer_keys_collapses() {
    let Some(document) = open("blender/bl_human.ogex") else {
        return;
    };
    let mut document = document.expect("a good file");
    let (dense, _) = least_scale(&document, 0, Interpolation::MatrixLerp);
    for tracks in &mut document.clips[0].joints {
        let JointTracks::Matrix { matrix, .. } = tracks else {
            panic!("matrices");
        };
        let Keys::Linear(values) = &matrix.keys else {
            panic!("linear keys");
        };
        assert_eq!(values.len(), 25);
        matrix.times = matrix.times.iter().copied().step_by(12).collect();
        matrix.keys = Keys::Linear(values.iter().copied().step_by(12).collect());
    }
    let (naive, secs) = least_scale(&document, 0, Interpolation::MatrixLerp);
    println!("bl_human Walk by matrix-lerp: {dense} with all keys, {naive} at {secs} s with 3");
    for mode in [Interpolation::Authored, Interpolation::Polar] {
        let (least, _) = least_scale(&document, 0, mode);
        println!("{mode:?}: {least}");
        assert!((least - 1.0).abs() < 1e-3, "{mode:?}: {least}");
    }
    assert!(naive < 0.95, "{naive}");
}
