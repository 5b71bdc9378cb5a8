//! Animations → clips.

use std::collections::{BTreeMap, HashSet};

use glam::{Quat, Vec3};

use super::{
    Origin,
    accessor::Accessors,
    component::{Component, Integers},
    error::GltfError,
    keys::{Channel, Interpolation, KeyValue, Repair, TimeCache, Times, track},
    label,
    nodes::Nodes,
    schema::{self, Root},
};
use crate::{
    document::{
        Clip, Finding, FindingCode, JointTracks, Mesh, MorphTracks, Property, Severity, Track,
    },
    import::progress::Stage,
};

/// Reads all animations. A channel that cannot be used is left out with a finding;
/// its clip keeps its place in the list even when nothing is left of it.
pub(super) fn read(
    root: &Root,
    accessors: &Accessors<'_>,
    nodes: &Nodes,
    meshes: &[Mesh],
    origin: &Origin<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Clip>, GltfError> {
    let mut reader = Reader {
        root,
        accessors,
        nodes,
        meshes,
        times: TimeCache::default(),
        reported: HashSet::new(),
        findings,
    };
    let total = root.animations.len();
    let mut clips = Vec::with_capacity(total);
    for (index, animation) in root.animations.iter().enumerate() {
        origin.check(Stage::Clips, index, total)?;
        clips.push(reader.clip(index, animation)?);
    }
    Ok(clips)
}

struct Reader<'a> {
    root: &'a Root,
    accessors: &'a Accessors<'a>,
    nodes: &'a Nodes,
    meshes: &'a [Mesh],
    times: TimeCache,
    /// Input accessors of this clip whose times were reported already.
    reported: HashSet<usize>,
    findings: &'a mut Vec<Finding>,
}

/// What a clip does to one joint, gathered channel by channel.
#[derive(Default)]
struct Gathered {
    translation: Option<Track<Vec3>>,
    rotation: Option<Track<Quat>>,
    scale: Option<Track<Vec3>>,
    weights: Option<MorphTracks>,
}

/// A channel with its target found.
struct Target<'a> {
    clip: usize,
    /// `clip 0 "Bend" channel 1 (rotation of node 2 "upper")`.
    owner: String,
    node: usize,
    joint: usize,
    path: &'a str,
    /// What the path means; `None` for a word that the format does not know.
    property: Option<Property>,
}

impl Target<'_> {
    /// Adds what is known of the place.
    fn place(&self, finding: Finding) -> Finding {
        let finding = finding.in_clip(self.clip).at_node(self.node);
        match self.property {
            Some(property) => finding.of(property),
            None => finding,
        }
    }
}

/// The format's four words.
fn property_of(path: &str) -> Option<Property> {
    match path {
        "translation" => Some(Property::Translation),
        "rotation" => Some(Property::Rotation),
        "scale" => Some(Property::Scale),
        "weights" => Some(Property::MorphWeights),
        _ => None,
    }
}

impl Reader<'_> {
    fn clip(&mut self, index: usize, stored: &schema::Animation) -> Result<Clip, GltfError> {
        let name = label("clip", index, &stored.name);
        let mut gathered: BTreeMap<usize, Gathered> = BTreeMap::new();
        self.reported.clear();
        for (number, channel) in stored.channels.iter().enumerate() {
            let Some(target) = self.target(index, &name, number, channel) else {
                continue;
            };
            let joint = gathered.entry(target.joint).or_default();
            match self.channel(stored, channel, &target, joint) {
                Ok(()) => {}
                // Too much memory is no matter of one channel.
                Err(error @ (GltfError::AccessorTooLarge { .. } | GltfError::Cancelled)) => {
                    return Err(error);
                }
                Err(error) => self.invalid(&target, &error.to_string()),
            }
        }
        let mut clip = Clip {
            name: stored.name.clone(),
            ..Clip::default()
        };
        collect(gathered, &mut clip);
        if clip.joints.is_empty() && clip.morphs.is_empty() {
            self.findings.push(
                Finding::new(
                    FindingCode::ClipEmpty,
                    Severity::Warning,
                    format!("{name} has no usable channels: it shows the rest pose"),
                )
                .in_clip(index),
            );
        }
        Ok(clip)
    }

    /// Finds the joint that a channel moves, if there is one.
    fn target<'c>(
        &mut self,
        clip: usize,
        clip_name: &str,
        number: usize,
        channel: &'c schema::Channel,
    ) -> Option<Target<'c>> {
        let path = channel.target.path.as_str();
        let Some(node) = channel.target.node else {
            // Legal: an extension may say what moves.
            self.findings.push(
                Finding::new(
                    FindingCode::ChannelNoTarget,
                    Severity::Info,
                    format!("{clip_name} channel {number} has no target node and is left out"),
                )
                .in_clip(clip),
            );
            return None;
        };
        let owner = format!(
            "{clip_name} channel {number} ({path} of {})",
            self.nodes.label(node)
        );
        let Some(joint) = self.nodes.joint(node) else {
            self.findings.push(
                Finding::new(
                    FindingCode::ChannelInvalid,
                    Severity::Error,
                    format!(
                        "{owner} is left out: the file has {} nodes",
                        self.nodes.skeleton.joints.len()
                    ),
                )
                .in_clip(clip)
                .at_node(node),
            );
            return None;
        };
        Some(Target {
            clip,
            owner,
            node,
            joint,
            path,
            property: property_of(path),
        })
    }

    fn invalid(&mut self, target: &Target<'_>, why: &str) {
        self.findings.push(target.place(Finding::new(
            FindingCode::ChannelInvalid,
            Severity::Error,
            format!("{} is left out: {why}", target.owner),
        )));
    }

    /// Against the format, but played.
    fn odd(&mut self, target: &Target<'_>, what: &str) {
        self.findings.push(target.place(Finding::new(
            FindingCode::ChannelInvalid,
            Severity::Warning,
            format!("{}: {what}", target.owner),
        )));
    }

    fn times_mended(&mut self, target: &Target<'_>, sampler: usize, times: &Times, repair: Repair) {
        let Repair {
            dropped,
            first_key,
            first_secs,
            mended_key,
        } = repair;
        let finding = target
            .place(Finding::new(
                FindingCode::TimesNotIncreasing,
                Severity::Error,
                format!(
                    "{}: the key times of sampler {sampler} do not increase from 0 on, the first wrong one is key {first_key} at {first_secs} s; keys are sorted, {dropped} of {} dropped",
                    target.owner, times.stored
                ),
            ))
            .with("first_wrong_key", first_key as f64)
            .with("dropped", dropped as f64);
        // Where it plays now, for who jumps there.
        self.findings.push(match mended_key {
            Some(key) => finding.at_key(key, times.secs[key]),
            None => finding,
        });
    }

    fn channel(
        &mut self,
        animation: &schema::Animation,
        stored: &schema::Channel,
        target: &Target<'_>,
        joint: &mut Gathered,
    ) -> Result<(), GltfError> {
        let count = animation.samplers.len();
        let number = stored.sampler.unwrap_or(usize::MAX);
        let Some(sampler) = animation.samplers.get(number) else {
            let named = stored.sampler.map_or("none".into(), |s| s.to_string());
            self.invalid(
                target,
                &format!("its sampler is {named}, the clip has {count}"),
            );
            return Ok(());
        };
        let (Some(input), Some(output)) = (sampler.input, sampler.output) else {
            self.invalid(
                target,
                &format!("sampler {number} has no input or no output"),
            );
            return Ok(());
        };
        let Some(interpolation) = Interpolation::from_gltf(sampler.interpolation.as_deref()) else {
            let word = sampler.interpolation.as_deref().unwrap_or_default();
            self.invalid(
                target,
                &format!("sampler {number} has the unknown interpolation {word:?}"),
            );
            return Ok(());
        };
        let times = self.times.read(self.accessors, input, &target.owner)?;
        if let Some(repair) = times.repair
            && self.reported.insert(input)
        {
            self.times_mended(target, number, &times, repair);
        }
        if times.secs.is_empty() {
            self.invalid(target, &format!("sampler {number} has no usable keys"));
            return Ok(());
        }
        let Some(property) = target.property else {
            self.invalid(target, &format!("the path {:?} is unknown", target.path));
            return Ok(());
        };
        if interpolation == Interpolation::Cubic && times.stored == 1 {
            self.odd(
                target,
                &format!("sampler {number} is a spline of one key, the format wants two; it holds"),
            );
        }
        let channel = Channel {
            times: &times,
            interpolation,
            owner: &target.owner,
            clip: target.clip,
            node: target.node,
            property,
        };
        self.keys(&channel, output, target, joint)
    }

    fn keys(
        &mut self,
        channel: &Channel<'_>,
        output: usize,
        target: &Target<'_>,
        gathered: &mut Gathered,
    ) -> Result<(), GltfError> {
        let rest = self.nodes.skeleton.joints[target.joint].rest();
        if channel.property != Property::MorphWeights
            && self.root.nodes[target.node].matrix.is_some()
        {
            self.odd(
                target,
                "the node has a matrix, and the format forbids to animate one; the track plays over the matrix's parts",
            );
        }
        let is_second = match channel.property {
            Property::Translation => {
                let track =
                    self.vectors(channel, output, target, Component::FLOAT, rest.translation)?;
                replace(&mut gathered.translation, track)
            }
            Property::Scale => {
                let track = self.vectors(channel, output, target, Component::FLOAT, rest.scale)?;
                replace(&mut gathered.scale, track)
            }
            Property::Rotation => {
                let track = self.rotations(channel, output, target, rest.rotation)?;
                replace(&mut gathered.rotation, track)
            }
            Property::MorphWeights => {
                let track = self.weights(channel, output, target)?;
                replace(&mut gathered.weights, track)
            }
            // The format has no path for it.
            Property::Matrix => false,
        };
        if is_second {
            self.findings.push(target.place(Finding::new(
                FindingCode::ChannelDuplicate,
                Severity::Warning,
                format!(
                    "{} is the second for this property; this later one is played, as by players that apply channels in order",
                    target.owner
                ),
            )));
        }
        Ok(())
    }

    fn vectors(
        &mut self,
        channel: &Channel<'_>,
        output: usize,
        target: &Target<'_>,
        accepted: &[Component],
        rest: Vec3,
    ) -> Result<Option<Track<Vec3>>, GltfError> {
        let usage = format_args!("values of {}", target.owner);
        let values = self
            .accessors
            .floats(output, usage, accepted, Integers::Normalized)?;
        Ok(self.track(channel, 1, &values, rest, target))
    }

    fn rotations(
        &mut self,
        channel: &Channel<'_>,
        output: usize,
        target: &Target<'_>,
        rest: Quat,
    ) -> Result<Option<Track<Quat>>, GltfError> {
        let usage = format_args!("values of {}", target.owner);
        let values: Vec<[f32; 4]> =
            self.accessors
                .floats(output, usage, Component::VERTEX, Integers::Normalized)?;
        let values: Vec<Quat> = values.into_iter().map(Quat::from_array).collect();
        Ok(self.track(channel, 1, &values, rest, target))
    }

    fn weights(
        &mut self,
        channel: &Channel<'_>,
        output: usize,
        target: &Target<'_>,
    ) -> Result<Option<MorphTracks>, GltfError> {
        let mesh = self.root.nodes[target.node].mesh;
        let target_count = mesh
            .and_then(|mesh| self.meshes.get(mesh))
            .map_or(0, |mesh| mesh.morph_weights.len());
        if target_count == 0 {
            self.invalid(target, "the node shows no mesh with morph targets");
            return Ok(None);
        }
        let usage = format_args!("values of {}", target.owner);
        let values: Vec<[f32; 1]> =
            self.accessors
                .floats(output, usage, Component::VERTEX, Integers::Normalized)?;
        let values: Vec<f32> = values.into_iter().map(|[weight]| weight).collect();
        let track = self.track(channel, target_count, &values, 0.0, target);
        Ok(track.map(|weights| MorphTracks {
            joint: target.joint,
            target_count,
            weights,
        }))
    }

    /// Checks the count and makes the track.
    fn track<T: KeyValue>(
        &mut self,
        channel: &Channel<'_>,
        width: usize,
        values: &[T],
        rest: T,
        target: &Target<'_>,
    ) -> Option<Track<T>> {
        let keys = channel.times.stored;
        let per_key = channel.interpolation.per_key() * width;
        if keys.checked_mul(per_key) != Some(values.len()) {
            self.invalid(
                target,
                &format!(
                    "{} {} ({per_key} each), there are {}",
                    if keys == 1 {
                        "1 key needs".to_owned()
                    } else {
                        format!("{keys} keys need")
                    },
                    match keys.saturating_mul(per_key) {
                        1 => "1 value".to_owned(),
                        wanted => format!("{wanted} values"),
                    },
                    values.len()
                ),
            );
            return None;
        }
        Some(track(channel, width, values, rest, self.findings))
    }
}

/// Puts a usable track in its place; whether there was one already.
fn replace<T>(place: &mut Option<T>, track: Option<T>) -> bool {
    track.is_some_and(|track| place.replace(track).is_some())
}

/// Sorted tracks, and the times of the first and last key of all.
fn collect(gathered: BTreeMap<usize, Gathered>, clip: &mut Clip) {
    let mut span: Option<(f32, f32)> = None;
    let mut extend = |start: f32, end: f32| {
        let (first, last) = span.unwrap_or((start, end));
        span = Some((first.min(start), last.max(end)));
    };
    for (joint, tracks) in gathered {
        let Gathered {
            translation,
            rotation,
            scale,
            weights,
        } = tracks;
        for track in [&translation, &scale].into_iter().flatten() {
            extend(track.start_secs(), track.end_secs());
        }
        if let Some(track) = &rotation {
            extend(track.start_secs(), track.end_secs());
        }
        if let Some(morphs) = &weights {
            extend(morphs.weights.start_secs(), morphs.weights.end_secs());
        }
        if translation.is_some() || rotation.is_some() || scale.is_some() {
            clip.joints.push(JointTracks::Trs {
                joint,
                translation,
                rotation,
                scale,
            });
        }
        clip.morphs.extend(weights);
    }
    (clip.start_secs, clip.duration_secs) = span.unwrap_or_default();
}
