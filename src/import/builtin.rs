//! The character that comes with the program.

use super::from_glb_bytes;
use crate::document::Document;

/// Made by `assets/mannequin.py`.
const MANNEQUIN: &[u8] = include_bytes!("../../assets/mannequin.glb");

/// The built-in character: a walking figure, 1.75 m tall.
pub fn built_in() -> Document {
    from_glb_bytes("built-in character", MANNEQUIN)
        .expect("the embedded file is valid, a test loads it")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        document::Severity,
        scene::{Character, PoseSource},
    };

    #[test]
    fn it_has_joints_and_a_clip_that_walks() {
        let document = built_in();
        assert!(document.skinned_joint_count() >= 20);
        assert!(document.triangle_count() > 1000);
        assert_eq!(document.clips[0].name, "Walk");
        let troubles = document
            .findings
            .iter()
            .filter(|f| f.severity > Severity::Info);
        assert_eq!(troubles.map(|f| &f.message).collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn every_clip_loops_without_a_seam() {
        let document = Arc::new(built_in());
        let mut character = Character::new(document.clone());
        for (index, clip) in document.clips.iter().enumerate() {
            let mut matrices = [0.0, clip.duration_secs].map(|time_secs| {
                character.set_source(PoseSource::Clip(index));
                character.player.time_secs = time_secs;
                character.update();
                character.globals.worlds().collect::<Vec<_>>()
            });
            let [first, last] = &mut matrices;
            for (joint, (first, last)) in first.iter().zip(last.iter()).enumerate() {
                let label = document.skeleton.joints[joint].label();
                assert!(
                    first.abs_diff_eq(*last, 1e-3),
                    "{}: {label} jumps from {first} to {last}",
                    clip.name
                );
            }
        }
    }
}
