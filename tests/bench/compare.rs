//! What comparisons cost: four sides against one, errors over a whole clip, and the polar
//! decomposition beside glam's.

use std::{
    hint::black_box,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use glam::{DMat3, Mat3, Mat4, Quat, Vec3};
use rigscope::{
    analysis::Watch,
    anim::{Interpolation, SkinMatrix},
    compare::{self, Options},
    document::{Document, JointTracks, Track},
    import::{self, Progress},
    math::Polar,
    scene::Character,
};

/// Four sides cost at most this many times one.
const MOST_SIDES: f64 = 4.0;
/// Errors over ten seconds at 60 Hz take at most this long.
const MOST_OVER_CLIP: Duration = Duration::from_secs(1);
const SECONDS: f32 = 10.0;
const VERTICES: usize = 20_000;

fn main() {
    polar();
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/blender/bl_rigify_full.glb");
    if !path.is_file() {
        println!("SKIPPED: ../shared is absent");
        return;
    }
    let document = import::load(&path, &Progress::default()).expect("the corpus file loads");
    let document = Arc::new(document);
    sides(&document);
    over_clip(&Arc::new(enlarged(&document)));
}

/// The least of several runs.
fn least(runs: usize, mut work: impl FnMut()) -> Duration {
    work();
    let time = |()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    std::iter::repeat_n((), runs)
        .map(time)
        .min()
        .unwrap_or_default()
}

fn polar() {
    let matrices: Vec<Mat4> = (0..1000)
        .map(|i| {
            let i = i as f32;
            let scale = Vec3::new(1.0 + 0.001 * i, 0.5, 2.0 - 0.001 * i);
            let turn = Quat::from_euler(glam::EulerRot::XYZ, i * 0.1, i * 0.07, i * 0.13);
            Mat4::from_scale_rotation_translation(scale, turn, Vec3::ONE)
        })
        .collect();
    let linear: Vec<DMat3> = matrices
        .iter()
        .map(|m| Mat3::from_mat4(*m).as_dmat3())
        .collect();
    let own = least(200, || {
        for matrix in &linear {
            black_box(Polar::new(black_box(*matrix)));
        }
    });
    let glam = least(200, || {
        for matrix in &matrices {
            black_box(black_box(*matrix).to_scale_rotation_translation());
        }
    });
    let nanos = |time: Duration| time.as_secs_f64() * 1e9 / matrices.len() as f64;
    println!(
        "polar decomposition        {:7.1} ns   glam's to_scale_rotation_translation {:6.1} ns   × {:.1}",
        nanos(own),
        nanos(glam),
        nanos(own) / nanos(glam)
    );
}

/// Poses, world matrices and palettes of one side and of four.
fn sides(document: &Arc<Document>) {
    let with = |interpolation| {
        let mut character = Character::new(document.clone());
        character.technique.modes.interpolation = interpolation;
        character
    };
    let mut four = [
        Interpolation::Slerp,
        Interpolation::Nlerp,
        Interpolation::Lerp,
        Interpolation::Authored,
    ]
    .map(with);
    let mut palette: Vec<SkinMatrix> = Vec::new();
    let mut play = |sides: &mut [Character]| {
        for step in 0..60 {
            for side in &mut *sides {
                side.player.time_secs = side.player.duration_secs * step as f32 / 60.0;
                side.update();
                palette.clear();
                for skin in 0..document.skins.len() {
                    side.palette_by(skin, side.technique.skinning, &mut palette);
                }
                black_box(&palette);
            }
        }
    };
    // In turns, so that a slow phase of the machine meets both.
    let (mut one, mut all) = (Duration::MAX, Duration::MAX);
    for _ in 0..40 {
        one = one.min(least(1, || play(&mut four[..1])));
        all = all.min(least(1, || play(&mut four)));
    }
    let ratio = all.as_secs_f64() / one.as_secs_f64();
    println!(
        "four sides of {} joints    {:7.1} µs   one {:6.1} µs   × {ratio:.2} (at most {MOST_SIDES})",
        document.skeleton.joints.len(),
        all.as_secs_f64() * 1e6 / 60.0,
        one.as_secs_f64() * 1e6 / 60.0,
    );
    assert!(ratio <= MOST_SIDES, "four sides cost {ratio:.2} times one");
}

/// The same rig with every vertex so often that there are 20 000, and a clip of ten seconds.
fn enlarged(document: &Document) -> Document {
    let mut large = document.clone();
    let shown: usize = (document
        .instances
        .iter()
        .filter(|instance| instance.in_scene))
    .map(|instance| document.meshes[instance.mesh].file_vertex_count())
    .sum();
    let times = VERTICES.div_ceil(shown);
    for primitive in large
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
    {
        let (positions, influences) = (&mut primitive.positions, &mut primitive.influences);
        *positions = positions.repeat(times);
        influences.joints = influences.joints.repeat(times);
        influences.weights = influences.weights.repeat(times);
        for target in &mut primitive.morph_targets {
            target.positions = target.positions.repeat(times);
        }
        primitive.file_vertex_count = primitive.positions.len();
    }
    let clip = &mut large.clips[0];
    let factor = SECONDS / clip.duration_secs;
    clip.duration_secs = SECONDS;
    fn stretch<T>(track: &mut Option<Track<T>>, factor: f32) {
        if let Some(track) = track {
            track.times = track.times.iter().map(|time| time * factor).collect();
        }
    }
    for tracks in &mut clip.joints {
        if let JointTracks::Trs {
            translation,
            rotation,
            scale,
            ..
        } = tracks
        {
            stretch(translation, factor);
            stretch(rotation, factor);
            stretch(scale, factor);
        }
    }
    large
}

/// Every joint and vertex over ten seconds.
fn over_clip(document: &Arc<Document>) {
    let a = Character::new(document.clone());
    let mut b = a.clone();
    b.technique.modes.interpolation = Interpolation::Lerp;
    let matching = compare::matching(document, document);
    let options = Options {
        range_secs: [None, Some(SECONDS)],
        ..Options::default()
    };
    let mut found = None;
    let time = least(3, || {
        found = compare::over_clip(&a, &b, &matching, &options, &Watch::new());
    });
    let found = found.unwrap_or_default();
    println!(
        "errors over 10 s: {} joints, {} vertices, {} moments   {:.3} s (at most {} s)",
        matching.joints.len(),
        found.vertices,
        found.moments.len(),
        time.as_secs_f64(),
        MOST_OVER_CLIP.as_secs(),
    );
    assert!(time <= MOST_OVER_CLIP, "errors over a clip take {time:?}");
}
