//! A clip as measurements: joints, and the skin of the feet, at every half drawing.

use std::sync::{Arc, OnceLock};

use glam::{Mat4, Quat, Vec3};
use rigscope::{
    anim::{Hemisphere, Weights, skinned_position},
    document::{Clip, Document},
    import,
    scene::{Character, PoseSource},
};

/// Drawings a second.
pub const FPS: f32 = 24.0;
/// Left, then right.
pub const SIDES: [char; 2] = ['L', 'R'];

/// The built-in character, read once.
pub fn document() -> &'static Arc<Document> {
    static DOCUMENT: OnceLock<Arc<Document>> = OnceLock::new();
    DOCUMENT.get_or_init(|| Arc::new(import::built_in()))
}

/// A clip by its name.
pub fn clip(name: &str) -> (usize, &'static Clip) {
    let clips = &document().clips;
    let index = clips.iter().position(|clip| clip.name == name);
    let index = index.unwrap_or_else(|| unreachable!("there is a clip {name}"));
    (index, &clips[index])
}

/// A joint by its name.
pub fn joint(name: &str) -> usize {
    let joints = &document().skeleton.joints;
    let index = joints.iter().position(|joint| joint.name == name);
    index.unwrap_or_else(|| unreachable!("there is a joint {name}"))
}

/// How fast the ground runs under a clip, in metres per drawing: the clip's
/// `extras.groundSpeed` in metres a second, 0 where it says nothing.
pub fn ground_speed(name: &str) -> f32 {
    let bytes = include_bytes!("../../assets/mannequin.glb");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let json: serde_json::Value =
        serde_json::from_slice(&bytes[20..20 + length]).expect("a GLB starts with JSON");
    let animations = json["animations"].as_array().expect("there are clips");
    let animation = animations
        .iter()
        .find(|animation| animation["name"] == name);
    let speed = animation.and_then(|animation| animation["extras"]["groundSpeed"].as_f64());
    speed.unwrap_or(0.0) as f32 / FPS
}

/// One moment.
pub struct Shot {
    /// In drawings from the clip's start.
    pub drawing: f32,
    /// World matrices of all joints.
    pub worlds: Vec<Mat4>,
    /// The skin below the ankle, left and right.
    pub soles: [Vec<Vec3>; 2],
}

/// A whole clip.
pub struct Film {
    /// From the first key to the last, two a drawing.
    pub shots: Vec<Shot>,
    /// Metres per drawing.
    pub speed: f32,
}

/// Vertices of the two soles: primitive and vertex.
fn sole_vertices() -> [Vec<(usize, usize)>; 2] {
    let mut soles = [Vec::new(), Vec::new()];
    for (p, primitive) in document().primitives().enumerate() {
        for (v, position) in primitive.positions.iter().enumerate() {
            if position.y < 0.08 {
                soles[usize::from(position.x < 0.0)].push((p, v));
            }
        }
    }
    soles
}

impl Film {
    /// Films a clip with the library's default modes.
    pub fn of(name: &str) -> Self {
        Self::with(name, 0.5, Hemisphere::default())
    }

    /// Films a clip every `step` drawings.
    pub fn with(name: &str, step: f32, hemisphere: Hemisphere) -> Self {
        let (index, clip) = clip(name);
        let mut character = Character::new(document().clone());
        character.set_source(PoseSource::Clip(index));
        character.technique.modes.hemisphere = hemisphere;
        let vertices = sole_vertices();
        let primitives: Vec<_> = document().primitives().collect();
        let count = (clip.duration_secs * FPS / step).round() as usize;
        let mut palette = Vec::new();
        let shots = (0..=count).map(|k| {
            let drawing = k as f32 * step;
            character.player.time_secs = (drawing / FPS).min(clip.duration_secs);
            character.update();
            palette.clear();
            character.palette(0, &mut palette);
            let soles = vertices.each_ref().map(|sole| {
                let place = |&(p, v): &(usize, usize)| {
                    let flat = vec![0.0; primitives[p].morph_targets.len()];
                    skinned_position(primitives[p], v, &palette, &flat, Weights::default())
                };
                sole.iter().map(place).collect()
            });
            let worlds = character.globals.worlds().collect();
            Shot {
                drawing,
                worlds,
                soles,
            }
        });
        let shots = shots.collect();
        let speed = ground_speed(name);
        Self { shots, speed }
    }

    /// The shots at whole drawings.
    pub fn drawings(&self) -> impl Iterator<Item = &Shot> {
        self.shots.iter().filter(|shot| shot.drawing.fract() < 1e-3)
    }

    /// The shot at a drawing; a loop goes on after its end.
    pub fn at(&self, drawing: f32) -> &Shot {
        let last = self.shots.len() - 1;
        &self.shots[(drawing * 2.0).round() as usize % last]
    }

    /// Worst way of a foot over the ground while it bears weight, in millimetres per
    /// drawing, between shots `every` apart; and the share of the time that each foot bears.
    ///
    /// A foot bears while its lowest point is within `near` of the ground at both moments.
    /// The point that is measured is the one that stays nearest to the ground.
    pub fn slide(&self, every: usize, near: f32) -> (f32, [f32; 2]) {
        let mut worst = 0.0_f32;
        let mut bearing = [0.0; 2];
        let shots: Vec<_> = self.shots.iter().step_by(every).collect();
        let gap = every as f32 * 0.5;
        for pair in shots.windows(2) {
            for (foot, share) in bearing.iter_mut().enumerate() {
                let points = pair[0].soles[foot].iter().zip(&pair[1].soles[foot]);
                let height = |(a, b): &(&Vec3, &Vec3)| a.y.max(b.y);
                let lowest = points.min_by(|a, b| height(a).total_cmp(&height(b)));
                let (a, b) = lowest.expect("a foot has skin");
                if a.y.max(b.y) < near {
                    *share += 1.0 / (shots.len() - 1) as f32;
                    let way = *b - *a + Vec3::Z * self.speed * gap;
                    worst = worst.max(way.with_y(0.0).length() * 1000.0 / gap);
                }
            }
        }
        (worst, bearing)
    }

    /// The lowest point of both feet over the whole clip, in millimetres.
    pub fn lowest_mm(&self) -> f32 {
        let heights = self
            .shots
            .iter()
            .flat_map(|shot| [shot.sole_height(0), shot.sole_height(1)]);
        heights.fold(f32::INFINITY, f32::min) * 1000.0
    }

    /// Largest change of both knees per drawing, and of that change, in degrees.
    pub fn knee_jerk(&self) -> (f32, f32) {
        let mut worst = (0.0_f32, 0.0_f32);
        for side in SIDES {
            let knees: Vec<f32> = self.drawings().map(|shot| shot.knee(side)).collect();
            for three in knees.windows(3) {
                worst.0 = worst
                    .0
                    .max((three[1] - three[0]).abs())
                    .max((three[2] - three[1]).abs());
                worst.1 = worst.1.max((three[2] - 2.0 * three[1] + three[0]).abs());
            }
        }
        worst
    }
}

impl Shot {
    /// Where a joint is.
    pub fn place(&self, name: &str) -> Vec3 {
        self.worlds[joint(name)].w_axis.truncate()
    }

    /// A joint's turn away from rest, in world space.
    pub fn turn(&self, name: &str) -> Quat {
        static REST: OnceLock<Vec<Mat4>> = OnceLock::new();
        let rest = REST.get_or_init(|| document().skeleton.rest_globals());
        let rotation = |matrix: &Mat4| matrix.to_scale_rotation_translation().1;
        rotation(&self.worlds[joint(name)]) * rotation(&rest[joint(name)]).inverse()
    }

    /// How far a joint's front looks to the left, in degrees.
    pub fn yaw(&self, name: &str) -> f32 {
        let front = self.turn(name) * Vec3::Z;
        front.x.atan2(front.z).to_degrees()
    }

    /// How far a joint's front looks up, in degrees.
    pub fn up(&self, name: &str) -> f32 {
        (self.turn(name) * Vec3::Z).y.asin().to_degrees()
    }

    /// How much higher a joint's left is than its right, in degrees.
    pub fn roll(&self, name: &str) -> f32 {
        (self.turn(name) * Vec3::X).y.asin().to_degrees()
    }

    /// How far a joint's top is ahead of it, in degrees.
    pub fn lean(&self, name: &str) -> f32 {
        let top = self.turn(name) * Vec3::Y;
        top.z.atan2(top.y).to_degrees()
    }

    /// The inner angle at the middle one of three joints, in degrees.
    pub fn angle(&self, a: &str, b: &str, c: &str) -> f32 {
        let middle = self.place(b);
        (self.place(a) - middle)
            .angle_between(self.place(c) - middle)
            .to_degrees()
    }

    /// A knee's inner angle in degrees; 180 is straight.
    pub fn knee(&self, side: char) -> f32 {
        let [a, b, c] = ["UpperLeg", "LowerLeg", "Foot"].map(|name| format!("{name}.{side}"));
        self.angle(&a, &b, &c)
    }

    /// An elbow's inner angle in degrees; 180 is straight.
    pub fn elbow(&self, side: char) -> f32 {
        let [a, b, c] = ["UpperArm", "LowerArm", "Hand"].map(|name| format!("{name}.{side}"));
        self.angle(&a, &b, &c)
    }

    /// The lowest point of a foot (0 left, 1 right), in metres.
    pub fn sole_height(&self, foot: usize) -> f32 {
        self.soles[foot]
            .iter()
            .map(|point| point.y)
            .fold(f32::INFINITY, f32::min)
    }
}

/// Largest minus smallest.
pub fn range(values: impl Iterator<Item = f32>) -> f32 {
    let (low, high) = values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    high - low
}

/// The drawing at which a loop's first harmonic of some measure peaks, and its size.
pub fn peak(film: &Film, measure: impl Fn(&Shot) -> f32) -> (f32, f32) {
    let count = film.shots.len() - 1;
    let period = film.shots[count].drawing;
    let (mut re, mut im) = (0.0, 0.0);
    for shot in &film.shots[..count] {
        let turn = std::f32::consts::TAU * shot.drawing / period;
        let value = measure(shot) * 2.0 / count as f32;
        re += value * turn.cos();
        im += value * turn.sin();
    }
    let at = im.atan2(re) / std::f32::consts::TAU * period;
    (at.rem_euclid(period), re.hypot(im))
}
