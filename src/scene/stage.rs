//! What is on stage: characters with their playheads and poses.

use std::sync::Arc;

use glam::{Mat4, Vec4};

use crate::{
    analysis::bind,
    anim::{self, Cursor, Globals, Local, Player, Pose, Sampler, SkinMatrix, Skinning, Technique},
    document::{Clip, Document, Severity, Skin},
    math::{Aabb, Transform},
};

/// Where a pose comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoseSource {
    /// The clip of this index, at the player's time.
    Clip(usize),
    /// The node transforms as stored.
    Rest,
    /// The inverses of the inverse bind matrices: the pose the mesh was bound in.
    Bind,
}

/// A morph target whose weight a hand holds, whatever the clip says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldMorph {
    /// Index of the mesh instance.
    pub instance: usize,
    /// Index of the target.
    pub target: usize,
    /// The weight; finite.
    pub weight: f32,
}

/// The tint of a side of a comparison, B being 1; linear RGBA. Vermilion, bluish green and
/// reddish purple of M. Okabe and K. Ito's colour-blind safe palette; A has the blue of
/// selections.
pub fn side_tint(side: usize) -> Vec4 {
    match side {
        0 | 1 => Vec4::new(0.67, 0.11, 0.0, 0.6),
        2 => Vec4::new(0.0, 0.34, 0.17, 0.6),
        _ => Vec4::new(0.6, 0.19, 0.38, 0.6),
    }
}

/// All characters, sharing a world.
#[derive(Debug, Clone, Default)]
pub struct Stage {
    /// In drawing order.
    pub characters: Vec<Character>,
}

/// One document on stage with its playhead, modes and current pose.
#[derive(Debug, Clone)]
pub struct Character {
    /// What it shows.
    pub document: Arc<Document>,
    /// Clip, rest or bind pose.
    pub source: PoseSource,
    /// The playhead.
    pub player: Player,
    /// By what means the clip becomes vertices.
    pub technique: Technique,
    /// Off shows the mesh undeformed, as stored.
    pub skinned: bool,
    /// Placement on the stage.
    pub world_from_model: Mat4,
    /// Drawn as a translucent figure of this colour, linear RGBA, in place of its
    /// materials.
    pub tint: Option<Vec4>,
    /// The worst finding about each joint, for colouring; joints past its end have none.
    /// See [`joint_marks`](super::joint_marks).
    pub joint_marks: Arc<[Option<Severity>]>,
    /// Joints relative to parents, as of the last [`Character::update`].
    pub pose: Pose,
    /// World matrices, as of the last [`Character::update`].
    pub globals: Globals,
    /// The document's skins with the matrices read row by row that look written so.
    turned_skins: Option<Arc<[Skin]>>,
    /// Laid over every pose.
    held_morphs: Vec<HeldMorph>,
    /// The clip made ready for playing, once it has been asked for.
    playback: Option<Playback>,
}

/// A clip's [`Sampler`], and what it was made from.
#[derive(Debug, Clone)]
struct Playback {
    document: Arc<Document>,
    clip: usize,
    sampler: Arc<Sampler>,
    cursor: Cursor,
}

impl Playback {
    fn new(document: &Arc<Document>, clip: usize) -> Option<Self> {
        let tracks = document.clips.get(clip)?;
        Some(Self {
            document: document.clone(),
            clip,
            sampler: Arc::new(Sampler::new(document, tracks)),
            cursor: Cursor::default(),
        })
    }

    fn is_of(&self, document: &Arc<Document>, clip: usize) -> bool {
        self.clip == clip && Arc::ptr_eq(&self.document, document)
    }
}

impl Character {
    /// Puts a document on stage: first clip if there is one, else the rest pose.
    pub fn new(document: Arc<Document>) -> Self {
        let mut character = Self {
            pose: Pose::rest(&document),
            globals: Globals::default(),
            source: PoseSource::Rest,
            player: Player::default(),
            technique: Technique::default(),
            skinned: true,
            world_from_model: Mat4::IDENTITY,
            tint: None,
            turned_skins: None,
            held_morphs: Vec::new(),
            joint_marks: Arc::default(),
            playback: None,
            document,
        };
        let source = if character.document.clips.is_empty() {
            PoseSource::Rest
        } else {
            PoseSource::Clip(0)
        };
        character.set_source(source);
        character
    }

    /// The clip in play, if the pose comes from one.
    pub fn clip(&self) -> Option<&Clip> {
        match self.source {
            PoseSource::Clip(index) => self.document.clips.get(index),
            PoseSource::Rest | PoseSource::Bind => None,
        }
    }

    /// Switches clip, rest or bind pose, and rewinds. A clip index past the end
    /// falls back to the rest pose.
    pub fn set_source(&mut self, source: PoseSource) {
        self.source = match source {
            PoseSource::Clip(index) if index >= self.document.clips.len() => PoseSource::Rest,
            source => source,
        };
        let end = self.clip().map_or(0.0, |clip| clip.duration_secs);
        self.player.set_range(0.0, end);
        self.player.seek(0.0);
        self.player.returning = false;
        self.update();
    }

    /// Morph targets whose weights a hand holds.
    pub fn held_morphs(&self) -> &[HeldMorph] {
        &self.held_morphs
    }

    /// Replaces them all; those that the document has no target for are left out.
    /// Takes effect with the next [`update`](Self::update).
    pub fn set_held_morphs(&mut self, held: Vec<HeldMorph>) {
        let instances = &self.document.instances;
        self.held_morphs = held;
        self.held_morphs.retain(|held| {
            (instances.get(held.instance))
                .is_some_and(|instance| held.target < instance.morph_weights.len())
        });
    }

    /// Holds the weight of one target, or gives it back to the clip with `None`. Takes
    /// effect with the next [`update`](Self::update).
    pub fn hold_morph(&mut self, instance: usize, target: usize, weight: Option<f32>) {
        let mut held = std::mem::take(&mut self.held_morphs);
        held.retain(|held| (held.instance, held.target) != (instance, target));
        held.extend(weight.map(|weight| HeldMorph {
            instance,
            target,
            weight,
        }));
        self.set_held_morphs(held);
    }

    /// Gives all weights back to the clip, with the next [`update`](Self::update).
    pub fn release_morphs(&mut self) {
        self.held_morphs.clear();
    }

    /// The skins as they are read now: the document's, or with rows and columns
    /// exchanged ([`read_bind_transposed`](Self::read_bind_transposed)).
    pub fn skins(&self) -> &[Skin] {
        (self.turned_skins.as_deref()).unwrap_or(&self.document.skins)
    }

    /// Whether inverse bind matrices that look written row by row are read so.
    pub fn reads_bind_transposed(&self) -> bool {
        self.turned_skins.is_some()
    }

    /// Reads inverse bind matrices that look written row by row as if they were; without
    /// effect where none do. Takes effect with the next [`update`](Self::update).
    pub fn read_bind_transposed(&mut self, on: bool) {
        let skins = &self.document.skins;
        let turned = skins.iter().map(bind::transposed).collect::<Vec<_>>();
        self.turned_skins = (on && turned.iter().any(Option::is_some)).then(|| {
            let pairs = skins.iter().zip(turned);
            pairs
                .map(|(skin, turned)| turned.unwrap_or_else(|| skin.clone()))
                .collect()
        });
    }

    /// A joint relative to its parent in the present pose. In the bind pose world
    /// matrices come first, so what stands between parent and child is worked out
    /// from them.
    pub fn local(&self, joint: usize) -> Local {
        let sampled = self.pose.local(joint);
        if self.source != PoseSource::Bind {
            return sampled;
        }
        let parent = self.document.skeleton.joints[joint].parent;
        let parent_from_world = parent.map_or(Mat4::IDENTITY, |parent| {
            self.globals.world(parent).inverse()
        });
        let matrix = parent_from_world * self.globals.world(joint);
        if !matrix.is_finite() || matrix.abs_diff_eq(sampled.to_mat4(), 1e-6) {
            return sampled;
        }
        Transform::from_mat4(matrix, 1e-4).map_or(Local::Matrix(matrix), Local::Trs)
    }

    /// Whether the clip ends as it begins, so that it can be repeated without a jump:
    /// no joint is off by more than a hundredth of the skeleton's size or some 2°. False
    /// without a clip.
    pub fn loops(&self) -> bool {
        if self.clip().is_none() {
            return false;
        }
        let mut posed = self.clone();
        let mut worlds = |time_secs: f32| -> Vec<Mat4> {
            posed.player.seek(time_secs);
            posed.update();
            posed.globals.worlds().collect()
        };
        let (first, last) = (worlds(0.0), worlds(self.player.duration_secs));
        let place = |matrix: &Mat4| matrix.w_axis.truncate();
        let size = Aabb::from_points(first.iter().map(place)).diagonal();
        first.iter().zip(&last).all(|(a, b)| {
            let axes = [
                (a.x_axis, b.x_axis),
                (a.y_axis, b.y_axis),
                (a.z_axis, b.z_axis),
            ];
            place(a).distance(place(b)) <= size * 0.01
                && axes
                    .iter()
                    .all(|(a, b)| a.distance(*b) <= a.length() * 0.04)
        })
    }

    /// Where a joint is in the world, in the present pose; `None` without such a joint,
    /// or where a broken pose puts it nowhere.
    pub fn place(&self, joint: usize) -> Option<glam::Vec3> {
        let matrix = self.globals.worlds().nth(joint)?;
        let place = (self.world_from_model * matrix.w_axis).truncate();
        place.is_finite().then_some(place)
    }

    /// `M · M0⁻¹` for each joint of a skin, appended to `out`. In the bind pose they
    /// are identities by definition, also where a matrix cannot be inverted or two
    /// skins disagree about a joint.
    pub fn palette(&self, skin: usize, out: &mut Vec<SkinMatrix>) {
        let skin = &self.skins()[skin];
        if self.source == PoseSource::Bind {
            out.extend(core::iter::repeat_n(
                SkinMatrix::IDENTITY,
                skin.joints.len(),
            ));
        } else {
            anim::palette(skin, &self.globals, out);
        }
    }

    /// [`palette`](Self::palette) as a method of skinning reads it, with the technique's
    /// quirks ([`anim::prepare_palette`]), appended to `out`.
    pub fn palette_by(&self, skin: usize, skinning: Skinning, out: &mut Vec<SkinMatrix>) {
        let start = out.len();
        self.palette(skin, out);
        let quirks = self.technique.quirks;
        anim::prepare_palette(&self.skins()[skin], skinning, quirks, start, out);
    }

    /// What is left to do to an instance after its skin, or instead: to world space.
    pub fn world_from_mesh(&self, instance: usize) -> Mat4 {
        self.world_from_model * self.model_from_mesh(instance)
    }

    /// [`Self::world_from_mesh`] but for the placement on the stage.
    pub(super) fn model_from_mesh(&self, instance: usize) -> Mat4 {
        let instance = &self.document.instances[instance];
        // A skin takes the place of the node's transform, also while it is off.
        if instance.skin.is_some() && !self.technique.quirks.mesh_transform_twice {
            Mat4::IDENTITY
        } else {
            self.globals.world(instance.joint)
        }
    }

    /// Samples the pose and world matrices at the player's time. Allocates only
    /// where clip or document have changed since the last call, or joints first become
    /// matrices.
    pub fn update(&mut self) {
        let document = &*self.document;
        let clip = match self.source {
            PoseSource::Clip(clip) => Some(clip),
            PoseSource::Rest | PoseSource::Bind => None,
        };
        self.playback = clip.and_then(|clip| {
            let kept = self.playback.take();
            kept.filter(|playback| playback.is_of(&self.document, clip))
                .or_else(|| Playback::new(&self.document, clip))
        });
        let technique = &self.technique;
        match &mut self.playback {
            Some(Playback {
                sampler, cursor, ..
            }) => {
                let mut time_secs = self.player.time_secs;
                if technique.quirks.skip_lead_in {
                    let lead_in = clip.map_or(0.0, |clip| document.clips[clip].start_secs);
                    time_secs += lead_in;
                }
                sampler.sample(time_secs, &technique.modes, cursor, &mut self.pose);
                for (joint, modes) in &technique.joint_modes {
                    sampler.sample_joint(*joint, time_secs, modes, &mut self.pose);
                }
            }
            None => self.pose.set_rest(document),
        }
        for held in &self.held_morphs {
            self.pose.morph_weights[held.instance][held.target] = held.weight;
        }
        if technique.quirks.drop_shear {
            anim::globals_without_shear(&document.skeleton, &self.pose, &mut self.globals);
        } else {
            anim::globals(&document.skeleton, &self.pose, &mut self.globals);
        }
        if self.source == PoseSource::Bind {
            let skins = (self.turned_skins.as_deref()).unwrap_or(&document.skins);
            anim::bind_globals(skins, &mut self.globals);
        }
    }
}
