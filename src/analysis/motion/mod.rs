//! Checks of one clip: what its keys say, and what players make of that.
//!
//! - [`signs`]: what the signs and the sizes of the arcs between rotation keys do to
//!   players that take them as stored.
//! - [`pops`]: a turn far faster than the motion around it.
//! - [`cubic`]: splines of rotations that get short.
//! - [`steps`]: jumps within a frame, between plateaus.
//! - [`seam`]: whether the clip's end meets its beginning.
//! - [`channels`]: channels without effect, joints without keys, a late start.
//!
//! Rotation keys are judged as they are played: brought to unit length, and but for
//! [`signs`] up to their sign. So negating a key changes what [`signs`] finds (and
//! [`cubic`], whose splines are played as stored), and nothing else.
//!
//! One track of ten thousand bad keys must not bury the rest: see `Lane::few`.

mod channels;
mod clip;
mod cubic;
mod pops;
mod seam;
mod signs;
mod steps;
mod turns;
mod words;

use rayon::prelude::*;

use self::{clip::Motion, turns::Turns};
use super::{Effort, Found, Subject};
use crate::document::{Finding, JointTracks, Keys, MorphTracks, Property};

/// Clips of more keys than this are checked as a whole only on demand: some five
/// seconds on one slow core.
const USUAL_KEYS: usize = 20_000_000;

/// Everything about one clip.
pub(super) fn check(subject: &Subject<'_>, clip: usize) -> Found {
    check_up_to(USUAL_KEYS, subject, clip)
}

/// With another limit, for tests.
fn check_up_to(usual_keys: usize, subject: &Subject<'_>, clip: usize) -> Found {
    if subject.watch.is_cancelled() {
        return Found::default();
    }
    let motion = Motion::new(subject, clip);
    let mut findings = channels::check(&motion);
    findings.extend(seam::check(&motion));
    let keys = motion.clip.key_count();
    if keys > usual_keys && subject.effort == Effort::Usual {
        let left_out = format!(
            "The {keys} keys of {} were not looked at one by one: no search for flips, jumps and short splines",
            motion.label()
        );
        return Found {
            findings,
            left_out: vec![left_out],
        };
    }
    let joints = motion.clip.joints.par_iter();
    let joints = joints.map(|tracks| match subject.watch.is_cancelled() {
        true => Vec::new(),
        false => check_joint(&motion, tracks),
    });
    let morphs = motion.clip.morphs.par_iter();
    let morphs = morphs.map(|tracks| check_morphs(&motion, tracks));
    // In the order of the tracks, whichever core was first.
    findings.par_extend(joints.chain(morphs).flatten_iter());
    Found {
        findings,
        left_out: Vec::new(),
    }
}

fn check_joint(motion: &Motion<'_>, tracks: &JointTracks) -> Vec<Finding> {
    let mut findings = Vec::new();
    match tracks {
        JointTracks::Trs {
            joint,
            translation,
            rotation,
            scale,
        } => {
            if let Some(track) = translation
                && let Keys::Linear(keys) = &track.keys
            {
                let lane = motion.lane(*joint, Property::Translation, &track.times);
                findings.extend(steps::of_translation(&lane, keys));
            }
            if let Some(track) = scale
                && let Keys::Linear(keys) = &track.keys
            {
                let lane = motion.lane(*joint, Property::Scale, &track.times);
                findings.extend(steps::of_scale(&lane, keys));
            }
            if let Some(track) = rotation {
                let lane = motion.lane(*joint, Property::Rotation, &track.times);
                match &track.keys {
                    Keys::Step(_) => {}
                    Keys::Linear(keys) => check_turns(&Turns::new(lane, keys), &mut findings),
                    Keys::Cubic { .. } => findings.extend(cubic::check(&lane, &track.keys)),
                }
            }
        }
        JointTracks::Matrix { joint, matrix } => {
            if let Keys::Linear(keys) = &matrix.keys {
                let lane = motion.lane(*joint, Property::Matrix, &matrix.times);
                if let Some(turns) = Turns::of_matrices(lane, keys) {
                    check_turns(&turns, &mut findings);
                }
            }
        }
    }
    findings
}

fn check_turns(turns: &Turns<'_>, findings: &mut Vec<Finding>) {
    findings.extend(signs::check(turns));
    let (steps, of_steps) = steps::of_turns(turns);
    findings.extend(of_steps);
    findings.extend(pops::check(turns, &steps));
}

fn check_morphs(motion: &Motion<'_>, tracks: &MorphTracks) -> Vec<Finding> {
    match &tracks.weights.keys {
        Keys::Linear(weights) => {
            let lane = motion.lane(tracks.joint, Property::MorphWeights, &tracks.weights.times);
            steps::of_weights(&lane, weights, tracks.target_count)
        }
        Keys::Step(_) | Keys::Cubic { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::{
        analysis::Watch,
        document::{Clip, Document, FindingCode, Joint, Track},
    };

    #[test]
    fn a_clip_of_very_many_keys_is_looked_at_whole_on_demand() {
        let mut document = Document::default();
        document.skeleton.joints.push(Joint::default());
        document.clips.push(Clip {
            name: "Long".to_owned(),
            start_secs: 1.0,
            duration_secs: 2.0,
            joints: vec![JointTracks::Trs {
                joint: 0,
                translation: None,
                rotation: Some(Track {
                    times: [1.0, 2.0].into(),
                    keys: Keys::Linear(vec![Quat::IDENTITY, -Quat::from_rotation_x(0.1)]),
                }),
                scale: None,
            }],
            ..Clip::default()
        });
        let codes = |effort: Effort, usual_keys: usize| {
            let watch = Watch::new();
            let subject = Subject::new(&document, effort, &watch);
            let found = check_up_to(usual_keys, &subject, 0);
            let codes: Vec<_> = found.findings.iter().map(|f| f.code).collect();
            (codes, found.left_out)
        };
        let (all, none) = codes(Effort::Usual, 2);
        assert!(all.contains(&FindingCode::RotationSignFlip) && none.is_empty());
        let (some, left_out) = codes(Effort::Usual, 1);
        assert!(some.contains(&FindingCode::LateStart));
        assert!(!some.contains(&FindingCode::RotationSignFlip));
        assert!(
            left_out[0].contains("2 keys of clip \"Long\""),
            "{left_out:?}"
        );
        assert_eq!(codes(Effort::Whole, 1), (all, Vec::new()));
    }
}
