//! Sample → globals → palette on one thread: ours against the plain glam yardstick
//! and, where Node and three.js are at hand, against three.js.
//!
//! `cargo bench --bench runtime`. All rivals take turns, a block each, in one run,
//! so that a slow phase of the machine strikes all of them; ratios are of minima.
//! For three.js: `npm install --prefix DIR three`, then `THREE_DIR=DIR cargo bench …`.

#![allow(missing_docs, reason = "a bench has no readers of its documentation")]

mod synthetic;
mod three;
mod yardstick;

use std::{hint::black_box, path::Path, time::Instant};

use rigscope::{
    anim::{
        self, Cursor, Globals, Hemisphere, Interpolation, Local, Modes, Player, Pose, Sampler,
        SkinMatrix, SplineReading, VectorInterpolation,
    },
    document::{Document, JointTracks},
    math::EulerOrder,
};

use synthetic::{JOINTS, KEYS, LENGTH};

const FRAME_SECS: f32 = 1.0 / 60.0;
/// Sum over the joints of the length of the skin matrix's translation at 0.71 s, on
/// which peers agree (perf-anchors.md).
const CHECK_SECS: f32 = 0.71;
const CHECK_SUM: f32 = 103.227_45;

/// Slerp for every key pair, however close: nothing falls back to nlerp.
const FULL_SLERP: Modes = Modes {
    interpolation: Interpolation::Slerp,
    hemisphere: Hemisphere::Align,
    threshold: 1.0,
    euler_order: EulerOrder::Xyz,
    vectors: VectorInterpolation::Authored,
    spline: SplineReading {
        normalize: true,
        scale_tangents: true,
    },
};

/// One of our characters with its buffers.
#[derive(Default)]
struct Character {
    player: Player,
    cursor: Cursor,
    pose: Pose,
    globals: Globals,
    palette: Vec<SkinMatrix>,
}

fn update(document: &Document, sampler: &Sampler, modes: &Modes, character: &mut Character) {
    let Character {
        player,
        cursor,
        pose,
        globals,
        palette,
    } = character;
    sampler.sample(player.time_secs, modes, cursor, pose);
    anim::globals(&document.skeleton, pose, globals);
    palette.clear();
    anim::palette(&document.skins[0], globals, palette);
}

/// Where character `index` of `count` starts, so that no two are in step.
fn phase(index: usize, count: usize) -> f32 {
    LENGTH * index as f32 / count as f32
}

/// Nanoseconds that `work` takes.
fn nanoseconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e9
}

/// Blocks of one rival, in nanoseconds per character and frame.
struct Times(Vec<f64>);

impl Times {
    fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let joint = self.min() / JOINTS as f64;
        let (min, median) = (self.min() / 1e3, self.median() / 1e3);
        write!(f, "{min:.2}/{median:.2} µs ({joint:.1} ns/joint)")
    }
}

fn report(label: &str, ours: &Times, name: &str, theirs: &Times, target: f64) {
    let ratio = ours.min() / theirs.min();
    let verdict = if ratio <= target { "ok" } else { "MISSED" };
    println!(
        "{label}: ours {ours}, {name} {theirs}, ratio {ratio:.3} (target {target:.2}) {verdict}"
    );
}

/// Everyone takes turns with `count` characters.
fn compare(document: &Document, sampler: &Sampler, count: usize) {
    let frames = (240 / count).max(1);
    let blocks = if count == 1 { 400 } else { 120 };
    let per_call = |block: f64| block / (frames * count) as f64;

    let mut slerping: Vec<Character> = (0..count).map(|_| Character::default()).collect();
    let mut authored: Vec<Character> = (0..count).map(|_| Character::default()).collect();
    for characters in [&mut slerping, &mut authored] {
        for (index, character) in characters.iter_mut().enumerate() {
            character.player.set_range(0.0, LENGTH);
            character.player.seek(phase(index, count));
        }
    }
    let rig = yardstick::Rig::new(document);
    let mut plain: Vec<yardstick::Character> = (0..count)
        .map(|index| yardstick::Character::at(phase(index, count)))
        .collect();
    let mut three = three::Three::start(document, count, frames);

    let block_of_ours = |characters: &mut [Character], modes: &Modes| {
        per_call(nanoseconds(|| {
            for _ in 0..frames {
                for character in &mut *characters {
                    character.player.advance(FRAME_SECS);
                    update(document, sampler, modes, character);
                    black_box(&character.palette);
                }
            }
        }))
    };
    let block_of_yardstick = |characters: &mut [yardstick::Character]| {
        per_call(nanoseconds(|| {
            for _ in 0..frames {
                for character in &mut *characters {
                    character.time_secs = (character.time_secs + FRAME_SECS).rem_euclid(LENGTH);
                    rig.update(character);
                    black_box(&character.skin_matrices);
                }
            }
        }))
    };

    let [mut ours, mut usual, mut theirs, mut nodes] = [const { Vec::new() }; 4];
    for block in 0..blocks {
        ours.push(block_of_ours(&mut slerping, &FULL_SLERP));
        theirs.push(block_of_yardstick(&mut plain));
        usual.push(block_of_ours(&mut authored, &Modes::default()));
        // A block of three.js takes as long as ten of ours and more.
        if block % 4 == 0 {
            nodes.extend(three.as_mut().and_then(three::Three::block).map(per_call));
        }
    }
    let [ours, usual, theirs, nodes] = [ours, usual, theirs, nodes].map(Times);
    let label = format!("runtime/{count}x{JOINTS}");
    report(&label, &ours, "yardstick", &theirs, 0.7);
    let usual_label = format!("{label}, default modes");
    report(&usual_label, &usual, "yardstick", &theirs, 0.7);
    if !nodes.0.is_empty() {
        report(&label, &ours, "three.js", &nodes, 0.1);
    }
}

/// What the stages of one character cost, best of many blocks.
fn stages(document: &Document, sampler: &Sampler) {
    const FRAMES: usize = 240;
    let mut character = Character::default();
    character.player.set_range(0.0, LENGTH);
    update(document, sampler, &FULL_SLERP, &mut character);
    let [mut sample, mut seek, mut globals, mut palette] = [f64::INFINITY; 4];
    for _ in 0..400 {
        let Character {
            player,
            cursor,
            pose,
            globals: worlds,
            palette: skin,
        } = &mut character;
        let best = |best: &mut f64, work: &mut dyn FnMut()| {
            let time = nanoseconds(|| (0..FRAMES).for_each(|_| work()));
            *best = best.min(time / FRAMES as f64);
        };
        best(&mut sample, &mut || {
            player.advance(FRAME_SECS);
            sampler.sample(player.time_secs, &FULL_SLERP, cursor, black_box(pose));
        });
        best(&mut seek, &mut || {
            player.advance(1.234_567);
            sampler.sample(player.time_secs, &FULL_SLERP, cursor, black_box(pose));
        });
        best(&mut globals, &mut || {
            anim::globals(&document.skeleton, black_box(pose), black_box(worlds));
        });
        best(&mut palette, &mut || {
            skin.clear();
            anim::palette(&document.skins[0], black_box(worlds), black_box(skin));
        });
    }
    println!(
        "runtime/stages of 1x{JOINTS}: sample {sample:.0} ns, sample after a jump {seek:.0} ns, globals {globals:.0} ns, palette {palette:.0} ns"
    );
}

/// What it costs when no two joints share their key times, as after an optimiser that
/// drops keys joint by joint: a search and a quarter-filled group for each.
fn scattered(document: &Document) {
    let mut document = document.clone();
    for (index, tracks) in document.clips[0].joints.iter_mut().enumerate() {
        if let JointTracks::Trs {
            rotation: Some(track),
            ..
        } = tracks
        {
            let shift = index as f32 * 1e-4;
            track.times = track.times.iter().map(|time| time + shift).collect();
        }
    }
    let sampler = Sampler::new(&document, &document.clips[0]);
    let rig = yardstick::Rig::new(&document);
    let mut character = Character::default();
    character.player.set_range(0.0, LENGTH);
    let mut plain = yardstick::Character::at(0.0);
    let [mut ours, mut theirs] = [const { Vec::new() }; 2];
    for _ in 0..200 {
        ours.push(nanoseconds(|| {
            for _ in 0..120 {
                character.player.advance(FRAME_SECS);
                update(&document, &sampler, &FULL_SLERP, &mut character);
            }
        }));
        theirs.push(nanoseconds(|| {
            for _ in 0..120 {
                plain.time_secs = (plain.time_secs + FRAME_SECS).rem_euclid(LENGTH);
                rig.update(&mut plain);
            }
        }));
    }
    let [ours, theirs] = [ours, theirs].map(|t| Times(t.iter().map(|t| t / 120.0).collect()));
    let label = format!("runtime/1x{JOINTS}, key times all different");
    report(&label, &ours, "yardstick", &theirs, 0.7);
}

/// Both do the same work: their numbers agree with each other and with all peers'.
fn check(document: &Document, sampler: &Sampler) {
    let mut ours = Character::default();
    ours.player.set_range(0.0, LENGTH);
    ours.player.seek(CHECK_SECS);
    update(document, sampler, &FULL_SLERP, &mut ours);
    let mut plain = yardstick::Character::at(CHECK_SECS);
    yardstick::Rig::new(document).update(&mut plain);
    let ours: f32 = ours.palette.iter().map(|m| m.translation().length()).sum();
    let matrices = plain.skin_matrices.iter();
    let theirs: f32 = matrices.map(|m| m.w_axis.truncate().length()).sum();
    println!("same work: ours {ours:.5}, yardstick {theirs:.5}, peers {CHECK_SUM:.5}");
    assert!((ours - CHECK_SUM).abs() < 2e-4, "ours is off");
    assert!((theirs - CHECK_SUM).abs() < 2e-4, "the yardstick is off");

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/perf/synthetic67.glb");
    match synthetic::difference_to_file(document, &file) {
        Some(worst) => {
            println!("same rig as synthetic67.glb: largest difference {worst:.1e}");
            assert!(worst < 2e-7, "another rig");
        }
        None => println!("SKIPPED: ../shared/perf/synthetic67.glb is absent, rig not compared"),
    }
}

/// Largest error of a sampled rotation against slerp of the same keys in double
/// precision, in radians; peers' numbers are in perf-anchors.md.
fn accuracy(document: &Document, sampler: &Sampler) {
    let (mut cursor, mut pose) = (Cursor::default(), Pose::default());
    let mut worst: f64 = 0.0;
    for step in 0..480 {
        let time = step as f32 * LENGTH / 480.0;
        sampler.sample(time, &FULL_SLERP, &mut cursor, &mut pose);
        for (local, tracks) in pose.locals().zip(&document.clips[0].joints) {
            let (Local::Trs(got), JointTracks::Trs { rotation, .. }) = (local, tracks) else {
                continue;
            };
            let Some(track) = rotation else { continue };
            let after = track.times.partition_point(|&t| t <= time).min(KEYS - 1);
            let key = |key: usize| track.keys.values()[key].as_dquat().normalize();
            let times = [after - 1, after].map(|key| f64::from(track.times[key]));
            let u = (f64::from(time) - times[0]) / (times[1] - times[0]);
            let wanted = key(after - 1).slerp(key(after), u);
            let got = got.rotation.as_dquat().normalize();
            let got = if got.dot(wanted) < 0.0 { -got } else { got };
            worst = worst.max(4.0 * (got - wanted).length().atan2((got + wanted).length()));
        }
    }
    println!("accuracy: largest rotation error {worst:.1e} rad (limit 2e-6)");
    assert!(worst < 2e-6, "too far off");
}

fn main() {
    let document = synthetic::document();
    let sampler = Sampler::new(&document, &document.clips[0]);
    check(&document, &sampler);
    accuracy(&document, &sampler);
    stages(&document, &sampler);
    scattered(&document);
    for count in [1, 1000] {
        compare(&document, &sampler, count);
    }
}
