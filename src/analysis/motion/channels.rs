//! Channels as a whole: those without effect, joints without any, a late start.

use glam::{Quat, Vec3};
use rayon::prelude::*;

use super::{clip::Motion, turns::degrees_between, words};
use crate::{
    document::{Finding, FindingCode, JointTracks, Keys, MorphTracks, Property, Severity, Track},
    math::quat,
};

/// A rotation this close to rest moves nothing: a millimetre at the end of a 3 m arm.
const REST_DEGREES: f64 = 0.02;
/// A translation this close, of the rig's height: 0.02 mm of a grown-up.
const REST_TRAVEL: f64 = 1e-5;
/// A scale or a morph weight this close.
const REST_SCALE: f32 = 1e-4;

/// So many channels without effect are listed one by one; more make one finding, for
/// exporters that key everything write hundreds of them.
const LISTED: usize = 4;

/// A clip that begins within this has not begun late.
const LATE_SECS: f32 = 1e-4;

/// One channel of the clip.
#[derive(Debug, Clone, Copy)]
struct Channel {
    joint: usize,
    property: Property,
    key_count: usize,
    /// Whether every key, and the way between them, is the rest pose.
    rests: bool,
}

pub(super) fn check(motion: &Motion<'_>) -> Vec<Finding> {
    let clip = motion.clip;
    let joints = clip.joints.par_iter();
    let joints = joints.flat_map_iter(|tracks| channels(motion, tracks));
    let morphs = clip.morphs.par_iter().map(|tracks| morph(motion, tracks));
    let channels: Vec<Channel> = joints.chain(morphs).collect();
    let mut findings: Vec<Finding> = late_start(motion).into_iter().collect();
    findings.extend(without_effect(motion, &channels));
    findings.extend(ignored(motion, &channels));
    findings.extend(unkeyed(motion));
    findings
}

fn late_start(motion: &Motion<'_>) -> Option<Finding> {
    let start = motion.clip.start_secs;
    if start <= LATE_SECS {
        return None;
    }
    let message = format!(
        "The first key of {} is at {}, not at 0: until then it holds its first pose",
        motion.label(),
        words::secs(start)
    );
    let mut finding = motion
        .finding(FindingCode::LateStart, Severity::Info, message)
        .with("start_secs", f64::from(start))
        .until(start);
    finding.time_secs = Some(0.0);
    Some(finding)
}

/// Whether the importer has put something else in the place of stored keys, or left some
/// out: what is played then says nothing about what the file holds.
fn is_mended(motion: &Motion<'_>, node: usize, property: Property) -> bool {
    motion.document.findings.iter().any(|finding| {
        let code = matches!(
            finding.code,
            FindingCode::KeysNonFinite
                | FindingCode::TimesNotIncreasing
                | FindingCode::RotationNotUnit
        );
        code && finding.clip == Some(motion.index)
            && finding.node == Some(node)
            && finding.property == Some(property)
    })
}

fn channels(motion: &Motion<'_>, tracks: &JointTracks) -> Vec<Channel> {
    let joint = tracks.joint();
    let stored = &motion.document.skeleton.joints[joint];
    let rest = stored.rest();
    // Components in place of a matrix are a change in themselves.
    let is_trs = stored.rest_matrix.is_none();
    let channel = |property: Property, key_count: usize, rests: bool| Channel {
        joint,
        property,
        key_count,
        rests: rests && is_trs && !is_mended(motion, stored.node, property),
    };
    match tracks {
        JointTracks::Trs {
            translation,
            rotation,
            scale,
            ..
        } => {
            let unit = motion.unit_of_translation(joint);
            let metres = |a: Vec3, b: Vec3| f64::from(a.distance(b)) * unit;
            let height = if motion.height > 0.0 {
                motion.height
            } else {
                1.0
            };
            let reach = height * REST_TRAVEL;
            let translation = translation.as_ref().map(|track| {
                let rests = vectors_rest(track, |v| metres(v, rest.translation) <= reach);
                channel(Property::Translation, track.times.len(), rests)
            });
            let rotation = rotation.as_ref().map(|track| {
                let rests = rotations_rest(track, rest.rotation);
                channel(Property::Rotation, track.times.len(), rests)
            });
            let scale = scale.as_ref().map(|track| {
                let rests = vectors_rest(track, |v| v.abs_diff_eq(rest.scale, REST_SCALE));
                channel(Property::Scale, track.times.len(), rests)
            });
            [translation, rotation, scale]
                .into_iter()
                .flatten()
                .collect()
        }
        JointTracks::Matrix { matrix, .. } => {
            let (rest, keys) = (stored.rest_mat4(), matrix.keys.values());
            let rests = keys.iter().all(|key| key.abs_diff_eq(rest, REST_SCALE));
            vec![Channel {
                joint,
                property: Property::Matrix,
                key_count: keys.len(),
                rests,
            }]
        }
    }
}

/// Whether all keys of a track are at rest, and its tangents too flat to leave it.
fn vectors_rest(track: &Track<Vec3>, at_rest: impl Fn(Vec3) -> bool) -> bool {
    track.keys.values().iter().all(|&key| at_rest(key))
        && match &track.keys {
            Keys::Step(_) | Keys::Linear(_) => true,
            Keys::Cubic {
                in_tangents,
                values,
                out_tangents,
            } => (track.times.windows(2).enumerate()).all(|(key, gap)| {
                let secs = gap[1] - gap[0];
                at_rest(values[key] + out_tangents[key] * secs)
                    && at_rest(values[key + 1] - in_tangents[key + 1] * secs)
            }),
        }
}

fn rotations_rest(track: &Track<Quat>, rest: Quat) -> bool {
    let rest = quat::normalize_or(rest, Quat::IDENTITY);
    let at_rest =
        |q: Quat| degrees_between(quat::normalize_or(q, Quat::IDENTITY), rest) <= REST_DEGREES;
    track.keys.values().iter().all(|&key| at_rest(key))
        && match &track.keys {
            Keys::Step(_) | Keys::Linear(_) => true,
            Keys::Cubic {
                in_tangents,
                values,
                out_tangents,
            } => (track.times.windows(2).enumerate()).all(|(key, gap)| {
                let secs = gap[1] - gap[0];
                quat::dot(values[key], values[key + 1]) > 0.0
                    && at_rest(values[key] + out_tangents[key] * secs)
                    && at_rest(values[key + 1] - in_tangents[key + 1] * secs)
            }),
        }
}

fn morph(motion: &Motion<'_>, tracks: &MorphTracks) -> Channel {
    let weights = tracks.weights.keys.values();
    let tangents_rest = match &tracks.weights.keys {
        Keys::Step(_) | Keys::Linear(_) => true,
        Keys::Cubic {
            in_tangents,
            out_tangents,
            ..
        } => {
            let flat = |tangent: &f32| tangent.abs() <= REST_SCALE;
            in_tangents.iter().all(flat) && out_tangents.iter().all(flat)
        }
    };
    let mut shown = motion.document.instances.iter().filter(|instance| {
        instance.joint == tracks.joint && instance.morph_weights.len() == tracks.target_count
    });
    let rests = shown.all(|instance| {
        let rest = &instance.morph_weights;
        let mut keys = weights.chunks_exact(tracks.target_count.max(1));
        keys.all(|key| {
            key.iter()
                .zip(rest)
                .all(|(a, b)| (a - b).abs() <= REST_SCALE)
        })
    });
    Channel {
        joint: tracks.joint,
        property: Property::MorphWeights,
        key_count: tracks.weights.times.len(),
        rests: rests && tangents_rest,
    }
}

fn without_effect(motion: &Motion<'_>, channels: &[Channel]) -> Vec<Finding> {
    let resting: Vec<&Channel> = channels.iter().filter(|channel| channel.rests).collect();
    if resting.len() <= LISTED {
        return resting
            .into_iter()
            .map(
                |&Channel {
                     joint,
                     property,
                     key_count,
                     ..
                 }| {
                    let keys = if key_count == 1 {
                        "its only key is".to_owned()
                    } else {
                        format!("all its {key_count} keys are")
                    };
                    let message = format!(
                        "The {} channel of {} has no effect: {keys} at rest",
                        property.as_str(),
                        motion.name(joint)
                    );
                    motion
                        .joint_finding(FindingCode::ChannelNoEffect, Severity::Info, joint, message)
                        .of(property)
                        .with("keys", key_count as f64)
                },
            )
            .collect();
    }
    let kinds: Vec<String> = Property::ALL
        .into_iter()
        .filter_map(|property| {
            let count = resting.iter().filter(|c| c.property == property).count();
            (count > 0).then(|| format!("{count} {}", property.as_str()))
        })
        .collect();
    let mut joints: Vec<usize> = resting.iter().map(|channel| channel.joint).collect();
    joints.dedup();
    let message = format!(
        "{} of {} channels have no effect, every key is the rest pose: {} (of {})",
        resting.len(),
        channels.len(),
        kinds.join(", "),
        words::some_of(joints.iter().map(|&joint| motion.name(joint)))
    );
    vec![
        motion
            .finding(FindingCode::ChannelNoEffect, Severity::Info, message)
            .with("count", resting.len() as f64)
            .with("channels", channels.len() as f64),
    ]
}

/// Channels that move a skinned mesh's own node, or a node above it that moves nothing
/// else: by the rules a skinned mesh stands where its joints are. One finding a node.
fn ignored(motion: &Motion<'_>, channels: &[Channel]) -> Vec<Finding> {
    let own = &motion.roles.shows_skinned;
    let moving: Vec<&Channel> = channels
        .iter()
        .filter(|c| {
            !c.rests && c.property != Property::MorphWeights && motion.roles.ignored[c.joint]
        })
        .collect();
    moving
        .chunk_by(|a, b| a.joint == b.joint)
        .map(|of_node| {
            let joint = of_node[0].joint;
            let words: Vec<&str> = of_node.iter().map(|c| c.property.as_str()).collect();
            let place = if own[joint] {
                "shows a skinned mesh, and such a mesh follows its joints, not its own node"
            } else {
                "stands above a skinned mesh but above none of its joints, which alone move it"
            };
            let message = format!(
                "The clip moves {} ({}) without effect: the node {place}",
                motion.name(joint),
                words.join(", ")
            );
            motion
                .joint_finding(
                    FindingCode::ChannelIgnoredTransform,
                    Severity::Warning,
                    joint,
                    message,
                )
                .of(of_node[0].property)
        })
        .collect()
}

/// Joints without a track, of skins of which the clip moves any joint at all.
fn unkeyed(motion: &Motion<'_>) -> Option<Finding> {
    let document = motion.document;
    let mut keyed = vec![false; document.skeleton.joints.len()];
    for tracks in &motion.clip.joints {
        keyed[tracks.joint()] = true;
    }
    let mut joints: Vec<usize> = document
        .skins
        .iter()
        .map(|skin| skin.joints.iter().map(|&joint| joint as usize))
        .filter(|joints| joints.clone().any(|joint| keyed[joint]))
        .flatten()
        .collect();
    joints.sort_unstable();
    joints.dedup();
    let all = joints.len();
    joints.retain(|&joint| !keyed[joint]);
    let count = joints.len();
    (count > 0).then(|| {
        let message = format!(
            "The clip has no keys for {count} of {}: {}",
            words::counted(all, "joint", "joints"),
            words::some_of(joints.iter().map(|&joint| motion.name(joint)))
        );
        motion
            .finding(FindingCode::ClipUnkeyedJoints, Severity::Info, message)
            .with("unkeyed_joints", count as f64)
            .with("joints", all as f64)
    })
}
