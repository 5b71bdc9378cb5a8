//! The built-in character moves as it should.

use std::sync::Arc;

use rigscope::{
    import,
    scene::{Character, PoseSource},
};

#[test]
fn every_clip_moves_and_loops_without_a_seam() {
    let document = Arc::new(import::built_in());
    let mut character = Character::new(document.clone());
    for (index, clip) in document.clips.iter().enumerate() {
        let mut worlds = |time_secs: f32| {
            character.set_source(PoseSource::Clip(index));
            character.player.time_secs = time_secs;
            character.update();
            character.globals.worlds().collect::<Vec<_>>()
        };
        let [first, middle, last] = [0.0, 0.4, 1.0].map(|part| worlds(part * clip.duration_secs));
        for (joint, (first, last)) in first.iter().zip(&last).enumerate() {
            let label = document.skeleton.joints[joint].label();
            assert!(
                first.abs_diff_eq(*last, 1e-3),
                "{}: {label} jumps from {first} to {last}",
                clip.name
            );
        }
        let moved = |(a, b): (&glam::Mat4, &glam::Mat4)| (a.w_axis - b.w_axis).length() > 1e-3;
        let moving = first
            .iter()
            .zip(&middle)
            .filter(|&pair| moved(pair))
            .count();
        assert!(moving > 20, "{}: only {moving} joints move", clip.name);
    }
}
