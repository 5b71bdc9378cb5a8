//! Motion trails: a joint's path over the clip.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use super::{Character, PoseSource};
use crate::{
    anim::{Cursor, Pose, Sampler, Technique},
    document::{Clip, Document, JointTracks},
};

/// Points of a trail a second, at least, up to [`MOST_POINTS`].
const POINTS_PER_SEC: f32 = 60.0;
/// Points of the longest trails: a picture has no room for more.
const MOST_POINTS: usize = 8192;
/// Joints posed for one trail at most, where a chain is thousands of joints deep.
const MOST_WORK: usize = 4_000_000;
/// Even dots at most.
const MOST_DOTS: f32 = 2000.0;
/// Dots are no closer on average than this share of the skeleton's size at rest, or of
/// the trail's where that is larger.
const DOT_SPACING: f32 = 0.012;
/// Frame rate where nothing can be guessed.
const DEFAULT_FPS: f32 = 30.0;

/// A joint's path through the clip in play, as the sampler plays it in the modes in
/// force; world space.
#[derive(Debug, Clone, PartialEq)]
pub struct Trail {
    /// The joint.
    pub joint: usize,
    /// The path, evenly in time from its start to its end.
    pub points: Vec<Vec3>,
    /// When each point is reached, in seconds.
    pub times_secs: Vec<f32>,
    /// Marks along the path.
    pub dots: Vec<TrailDot>,
    /// Frames a second between dots, guessed from the keys; a whole number of frames
    /// where every frame would be too dense.
    pub dots_per_sec: f32,
}

/// A mark on a trail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrailDot {
    /// When the joint is there, in seconds.
    pub time_secs: f32,
    /// World space.
    pub place: Vec3,
    /// The joint has a key of its own there.
    pub is_key: bool,
}

impl Trail {
    /// Samples a joint's path over the clip in play; `None` without a clip, without such
    /// a joint, or where the clip has no length.
    pub fn new(character: &Character, joint: usize) -> Option<Self> {
        let clip = character.clip()?;
        let document = &*character.document;
        if joint >= document.skeleton.joints.len() {
            return None;
        }
        let (start, end) = (character.player.start_secs, character.player.duration_secs);
        let seconds = end - start;
        // Written so that NaN fails.
        if !(seconds > 0.0 && seconds.is_finite()) {
            return None;
        }
        let fps = clip.guessed_fps().unwrap_or(DEFAULT_FPS);
        let mut chain = Chain::new(document, clip, joint, character);
        // So many points from frame to frame that there are enough a second, and whole
        // frames are among them.
        let finest = (POINTS_PER_SEC / fps).ceil().max(1.0);
        let most = MOST_POINTS.min(MOST_WORK / chain.joints.len()).max(16);
        let most = most as f32 / seconds;
        let rate = (fps * finest).min(most);
        let steps = (seconds * rate).ceil().max(1.0) as usize;
        let steps_secs = (0..steps).map(|step| start + step as f32 / rate);
        let times_secs: Vec<f32> = steps_secs.chain([end]).collect();
        let points = times_secs.iter().map(|&time| chain.place(time)).collect();
        let mut trail = Self {
            joint,
            points,
            times_secs,
            dots: Vec::new(),
            dots_per_sec: fps,
        };
        let rest = document.skeleton.rest_globals();
        let size = extent(rest.iter().map(|world| world.w_axis.truncate()));
        let spacing = size.max(extent(trail.points.iter().copied())) * DOT_SPACING;
        trail.add_dots(&mut chain, clip, spacing);
        Some(trail)
    }

    /// Even dots, no closer than `spacing` world units on average, and keys where they
    /// tell more than that every frame has one.
    fn add_dots(&mut self, chain: &mut Chain, clip: &Clip, spacing: f32) {
        let fps = self.dots_per_sec;
        let (Some(&start), Some(&end)) = (self.times_secs.first(), self.times_secs.last()) else {
            return;
        };
        let frames = ((end - start) * fps + 1e-3).floor();
        let room = self.length() / spacing.max(f32::MIN_POSITIVE);
        let room = room.clamp(1.0, MOST_DOTS);
        // Every frame, or every second, fifth, tenth, …
        let every = (0..6)
            .flat_map(|ten| [1.0, 2.0, 5.0].map(|part| part * 10f32.powi(ten)))
            .find(|every| frames / every <= room)
            .unwrap_or(frames.max(1.0));
        self.dots_per_sec = fps / every;
        let count = (frames / every) as usize;
        let mut keys: Vec<f32> = (clip.joint_tracks(self.joint).into_iter())
            .flat_map(JointTracks::times)
            .flat_map(|times| times.iter().copied())
            .filter(|time| (start..=end).contains(time))
            .collect();
        keys.sort_by(f32::total_cmp);
        keys.dedup();
        let is_baked = keys.len() as f32 > frames * 0.6;
        let keys = if is_baked { Vec::new() } else { keys };
        let even = (0..=count).map(|dot| (start + dot as f32 * every / fps).min(end));
        // A dot under a key's would only blur it.
        let near = |time: f32| {
            let (first, last) = (time - 0.25 / fps, time + 0.25 / fps);
            let next = keys.partition_point(|&key| key < first);
            keys.get(next).is_some_and(|&key| key < last)
        };
        let even: Vec<f32> = even.filter(|&time| !near(time)).collect();
        let all = (even.iter().map(|&time| (time, false)))
            .chain(keys.iter().take(MOST_POINTS).map(|&time| (time, true)));
        self.dots = all
            .map(|(time_secs, is_key)| TrailDot {
                time_secs,
                place: chain.place(time_secs),
                is_key,
            })
            .collect();
    }

    /// Length of the path, world units.
    pub fn length(&self) -> f32 {
        let steps = self.points.windows(2).map(|pair| pair[0].distance(pair[1]));
        // In double precision: thousands of short steps.
        steps
            .map(f64::from)
            .filter(|step| step.is_finite())
            .sum::<f64>() as f32
    }

    /// From where it starts to where it ends, as the crow flies, world units.
    pub fn start_to_end(&self) -> f32 {
        match (self.points.first(), self.points.last()) {
            (Some(first), Some(last)) => first.distance(*last),
            _ => 0.0,
        }
    }
}

/// Diagonal of the box around points.
fn extent(points: impl Iterator<Item = Vec3>) -> f32 {
    crate::math::Aabb::from_points(points).diagonal()
}

/// A joint with all above it, and a clip of nothing but what moves them: a trail costs
/// what its chain costs, however many joints the file has.
struct Chain {
    /// The joint, its parent, and so on up.
    joints: Vec<usize>,
    sampler: Sampler,
    technique: Technique,
    world_from_model: Mat4,
    cursor: Cursor,
    pose: Pose,
}

impl Chain {
    fn new(document: &Document, clip: &Clip, joint: usize, character: &Character) -> Self {
        let parent_of = |joint: usize| document.skeleton.joints[joint].parent;
        let joints: Vec<usize> =
            core::iter::successors(Some(joint), |&joint| parent_of(joint)).collect();
        // Parents have smaller indices: the chain counts down.
        let moves = |moved: usize| joints.binary_search_by(|known| moved.cmp(known)).is_ok();
        let tracks = clip.joints.iter();
        let moving = Clip {
            joints: tracks
                .filter(|tracks| moves(tracks.joint()))
                .cloned()
                .collect(),
            morphs: Vec::new(),
            name: String::new(),
            ..*clip
        };
        Self {
            joints,
            sampler: Sampler::new(document, &moving),
            technique: character.technique.clone(),
            world_from_model: character.world_from_model,
            cursor: Cursor::default(),
            pose: Pose::rest(document),
        }
    }

    /// Where the joint is at a time, world space.
    fn place(&mut self, time_secs: f32) -> Vec3 {
        let Self { cursor, pose, .. } = self;
        let technique = &self.technique;
        self.sampler
            .sample(time_secs, &technique.modes, cursor, pose);
        for (joint, modes) in &technique.joint_modes {
            self.sampler.sample_joint(*joint, time_secs, modes, pose);
        }
        let place = (self.joints.iter()).fold(Vec3::ZERO, |place, &joint| {
            self.pose.local(joint).to_mat4().transform_point3(place)
        });
        self.world_from_model.transform_point3(place)
    }
}

/// Trails made before, for as long as nothing about them changes.
#[derive(Debug, Clone, Default)]
pub(super) struct TrailCache {
    made_for: Option<MadeFor>,
    trails: Vec<Arc<Trail>>,
}

/// What trails depend on.
#[derive(Debug, Clone)]
struct MadeFor {
    document: Arc<Document>,
    source: PoseSource,
    technique: Technique,
    start_secs: f32,
    world_from_model: Mat4,
}

impl MadeFor {
    fn is_for(&self, character: &Character) -> bool {
        Arc::ptr_eq(&self.document, &character.document)
            && self.source == character.source
            && self.technique == character.technique
            && self.start_secs == character.player.start_secs
            && self.world_from_model == character.world_from_model
    }
}

impl TrailCache {
    /// The trail of a joint of this character, made now if it has to be.
    pub(super) fn trail(&mut self, character: &Character, joint: usize) -> Option<Arc<Trail>> {
        if self
            .made_for
            .as_ref()
            .is_none_or(|made| !made.is_for(character))
        {
            self.trails.clear();
            self.made_for = Some(MadeFor {
                document: character.document.clone(),
                source: character.source,
                technique: character.technique.clone(),
                start_secs: character.player.start_secs,
                world_from_model: character.world_from_model,
            });
        }
        if let Some(known) = self.trails.iter().find(|trail| trail.joint == joint) {
            return Some(known.clone());
        }
        let trail = Arc::new(Trail::new(character, joint)?);
        self.trails.push(trail.clone());
        Some(trail)
    }

    /// Forgets all trails but these joints', so that a walk through the skeleton does
    /// not pile them up.
    pub(super) fn keep(&mut self, joints: impl Fn(usize) -> bool) {
        self.trails.retain(|trail| joints(trail.joint));
    }
}
