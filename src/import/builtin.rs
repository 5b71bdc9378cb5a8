//! The character that comes with the program.

use super::from_glb_bytes;
use crate::document::Document;

/// Made by the scripts in `assets/mannequin/`; `assets/README.md` describes it.
const MANNEQUIN: &[u8] = include_bytes!("../../assets/mannequin.glb");

/// The built-in character: a figure 1.75 m tall with 61 joints, three morph targets
/// (`Breath`, `Smile`, `EyesClosed`), texture coordinates and eight clips, of which the
/// first is its walk.
pub fn built_in() -> Document {
    from_glb_bytes("built-in character", MANNEQUIN)
        .expect("the embedded file is valid, a test loads it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Severity;

    #[test]
    fn it_has_joints_a_surface_and_a_clip_that_walks() {
        let document = built_in();
        assert_eq!(document.skinned_joint_count(), 61);
        assert!(document.triangle_count() > 1000);
        assert_eq!(document.clips[0].name, "Walk");
        let troubles = document
            .findings
            .iter()
            .filter(|f| f.severity > Severity::Info);
        assert_eq!(troubles.map(|f| &f.message).collect::<Vec<_>>(), [""; 0]);
    }
}
