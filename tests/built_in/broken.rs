//! The clip that is broken on purpose.

use rigscope::{
    anim::Hemisphere,
    document::{JointTracks, Keys},
};

use crate::film::{Film, clip, joint};

#[test]
fn one_joint_flips_once_at_an_elbow_that_bends() {
    let (_, clip) = clip("Broken elbow");
    let elbow = joint("LowerArm.L");
    let Some(JointTracks::Trs {
        rotation: Some(track),
        ..
    }) = clip.joint_tracks(elbow)
    else {
        unreachable!("the elbow has a rotation track");
    };
    let Keys::Linear(keys) = &track.keys else {
        unreachable!("LINEAR");
    };
    let flips: Vec<usize> = (1..keys.len())
        .filter(|&k| keys[k - 1].dot(keys[k]) < 0.0)
        .collect();
    assert_eq!(flips.len(), 1, "{flips:?}");
    let film = Film::of("Broken elbow");
    let angles = || film.shots.iter().map(|shot| shot.elbow('L'));
    let (bent, straight) = (angles().fold(180.0, f32::min), angles().fold(0.0, f32::max));
    assert!(bent < 80.0 && straight > 150.0, "from {bent} to {straight}");
}

#[test]
fn aligned_it_plays_clean_and_kept_it_whips_the_long_way() {
    let fastest = |hemisphere| {
        let film = Film::with("Broken elbow", 0.5, hemisphere);
        let turns = film.shots.windows(2).map(|pair| {
            let of = |k: usize| pair[k].turn("LowerArm.L");
            of(0).angle_between(of(1)).to_degrees() * 2.0
        });
        turns.fold(0.0, f32::max)
    };
    let (clean, whip) = (fastest(Hemisphere::Align), fastest(Hemisphere::Keep));
    assert!(clean < 20.0, "{clean} degrees per drawing");
    assert!(whip > 80.0, "{whip} degrees per drawing");
}
