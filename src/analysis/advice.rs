//! Every kind of finding in plain words: what is wrong, what this program shows, what
//! other players do, and what to do about it. One text for panel, command line and
//! bug reports.

mod clips;
mod files;
mod meshes;
mod rigs;

use crate::document::FindingCode;

/// The words for one kind of finding. All but the title are one or two whole sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advice {
    /// A few words for lists, without a full stop: `Rotation flips sign`.
    pub title: &'static str,
    /// What is wrong with the data.
    pub wrong: &'static str,
    /// What this program shows, so that nobody takes a repair for the file.
    pub here: &'static str,
    /// What other players and engines make of it.
    pub elsewhere: &'static str,
    /// What to do about it in Blender or Maya.
    pub fix: &'static str,
}

/// The words for a kind of finding.
pub fn advice(code: FindingCode) -> &'static Advice {
    use FindingCode as Code;
    match code {
        Code::ContainerInvalid => &files::CONTAINER_INVALID,
        Code::AccessorInvalid => &files::ACCESSOR_INVALID,
        Code::RotationSignFlip => &clips::ROTATION_SIGN_FLIP,
        Code::RotationNearHalfTurn => &clips::ROTATION_NEAR_HALF_TURN,
        Code::RotationLostTurn => &clips::ROTATION_LOST_TURN,
        Code::RotationPop => &clips::ROTATION_POP,
        Code::RotationNotUnit => &clips::ROTATION_NOT_UNIT,
        Code::CubicDegenerate => &clips::CUBIC_DEGENERATE,
        Code::ProbableLostStep => &clips::PROBABLE_LOST_STEP,
        Code::LoopSeam => &clips::LOOP_SEAM,
        Code::LateStart => &clips::LATE_START,
        Code::ChannelNoEffect => &clips::CHANNEL_NO_EFFECT,
        Code::ChannelDuplicate => &clips::CHANNEL_DUPLICATE,
        Code::ChannelNoTarget => &clips::CHANNEL_NO_TARGET,
        Code::ChannelIgnoredTransform => &clips::CHANNEL_IGNORED_TRANSFORM,
        Code::ChannelInvalid => &clips::CHANNEL_INVALID,
        Code::TimesNotIncreasing => &clips::TIMES_NOT_INCREASING,
        Code::KeysNonFinite => &clips::KEYS_NON_FINITE,
        Code::ClipEmpty => &clips::CLIP_EMPTY,
        Code::ClipUnkeyedJoints => &clips::CLIP_UNKEYED_JOINTS,
        Code::WeightsNotNormalized => &meshes::WEIGHTS_NOT_NORMALIZED,
        Code::WeightsZero => &meshes::WEIGHTS_ZERO,
        Code::WeightsDuplicateJoint => &meshes::WEIGHTS_DUPLICATE_JOINT,
        Code::WeightsBeyondFour => &meshes::WEIGHTS_BEYOND_FOUR,
        Code::WeightsInvalid => &meshes::WEIGHTS_INVALID,
        Code::JointIndexOutOfRange => &meshes::JOINT_INDEX_OUT_OF_RANGE,
        Code::InverseBindMissing => &rigs::INVERSE_BIND_MISSING,
        Code::InverseBindSingular => &rigs::INVERSE_BIND_SINGULAR,
        Code::InverseBindTransposed => &rigs::INVERSE_BIND_TRANSPOSED,
        Code::BindRestMismatch => &rigs::BIND_REST_MISMATCH,
        Code::SkinnedMeshTransform => &rigs::SKINNED_MESH_TRANSFORM,
        Code::JointCount => &rigs::JOINT_COUNT,
        Code::ScaleShear => &rigs::SCALE_SHEAR,
        Code::ScaleMirrored => &rigs::SCALE_MIRRORED,
        Code::ScaleZero => &rigs::SCALE_ZERO,
        Code::RootScale => &rigs::ROOT_SCALE,
        Code::DuplicateNames => &rigs::DUPLICATE_NAMES,
        Code::SkinInvalid => &rigs::SKIN_INVALID,
        Code::NodeInvalid => &rigs::NODE_INVALID,
        Code::MeshNonFinite => &meshes::MESH_NON_FINITE,
        Code::MeshIndexOutOfRange => &meshes::MESH_INDEX_OUT_OF_RANGE,
        Code::MeshInvalid => &meshes::MESH_INVALID,
        Code::ImageUnreadable => &files::IMAGE_UNREADABLE,
        Code::ReferenceInvalid => &files::REFERENCE_INVALID,
        Code::ExtensionUnsupported => &files::EXTENSION_UNSUPPORTED,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_code_has_whole_sentences_of_its_own() {
        let mut titles = HashSet::new();
        for &code in FindingCode::ALL {
            let Advice {
                title,
                wrong,
                here,
                elsewhere,
                fix,
            } = *advice(code);
            assert!(titles.insert(title), "{code}: {title} twice");
            assert!((8..=34).contains(&title.len()), "{code}: {title}");
            assert!(!title.ends_with('.'), "{code}: {title}");
            for text in [wrong, here, elsewhere, fix] {
                assert!(text.ends_with('.'), "{code}: {text}");
                assert!(!text.contains("  "), "{code}: {text}");
                let first = text.chars().next();
                assert!(first.is_some_and(char::is_uppercase), "{code}: {text}");
                assert!((20..=330).contains(&text.len()), "{code}: {text}");
            }
        }
    }

    #[test]
    fn what_to_do_names_a_program() {
        for &code in FindingCode::ALL {
            let fix = advice(code).fix;
            assert!(fix.contains("Blender"), "{code}: {fix}");
        }
    }
}
