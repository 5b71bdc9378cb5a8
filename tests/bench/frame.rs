//! How long a frame takes, by stage and by what is switched on.
//!
//! `cargo bench --bench frame`: the built-in character plays at 1280 × 720 with
//! shadows, ambient occlusion and skeleton. All variants take turns, a frame each, so
//! that a slow phase of the machine strikes all of them; minima over the same poses
//! are compared. Stages come from the device's own time stamps, variants from the
//! clock, from the call to the finished picture.
#![allow(clippy::panic, reason = "a panic is how a bench fails")]
#![allow(missing_docs, reason = "a bench has no readers of its documentation")]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rigscope::{
    import,
    render::{Gpu, GpuOptions, Quality, RenderError, Renderer, Stage, Target},
    scene::{self, Character, Frame, View},
};

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 720;
const ROUNDS: usize = 40;
/// Whole frame over the plainest shading.
const TARGET: f64 = 3.0;

/// One way to draw the character.
struct Variant {
    name: &'static str,
    view: View,
    best_ms: f64,
    /// Time that all threads spent on processors: what neighbours on the machine
    /// distort least, where drawing is done by processors.
    best_cpu_ms: f64,
    /// Minimum by stage.
    stages: Vec<(Stage, f64)>,
}

fn main() {
    if let Err(error) = run() {
        panic!("{error}");
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::headless(&GpuOptions::default())?;
    let quality = Quality::for_gpu(&gpu);
    let target = Target::new(&gpu, WIDTH, HEIGHT, &quality);
    let mut renderer = Renderer::new(&gpu, &quality)?;
    renderer.split_ground(true);
    let stamps = renderer.measure(true);
    let mut character = Character::new(Arc::new(import::built_in()));
    let mut variants = variants(&character, target.aspect());
    let duration = character.player.duration_secs;
    println!(
        "frame: {} × {HEIGHT}, {} samples, {}, time stamps: {}",
        WIDTH,
        target.samples(),
        gpu.info.name,
        if stamps { "yes" } else { "no" },
    );
    let mut stage = scene::Stage {
        characters: vec![character.clone()],
    };
    let mut frame = Frame::default();
    // The first round compiles pipelines.
    for round in 0..=ROUNDS {
        character
            .player
            .seek(duration * round as f32 / ROUNDS as f32);
        character.update();
        stage.characters[0] = character.clone();
        for variant in &mut variants {
            scene::build(&stage, &variant.view, target.aspect(), &mut frame);
            let (start, busy) = (Instant::now(), busy_ms());
            draw(&gpu, &mut renderer, &frame, &target)?;
            let took = (start.elapsed(), busy_ms() - busy);
            let stages = renderer.stage_times()?;
            if round > 0 {
                variant.add(took, &stages);
            }
        }
    }
    report(&variants);
    Ok(())
}

/// Draws and waits.
fn draw(
    gpu: &Gpu,
    renderer: &mut Renderer,
    frame: &Frame,
    target: &Target,
) -> Result<(), RenderError> {
    renderer.render(frame, target)?;
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .map_err(|error| RenderError::Readback(error.to_string()))?;
    let errors = gpu.take_errors();
    assert!(errors.is_empty(), "{errors:?}");
    Ok(())
}

/// Milliseconds that this process's threads have run so far; 0 where Linux does not say.
fn busy_ms() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    tasks
        .filter_map(|task| {
            let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<f64>().ok()
        })
        .sum::<f64>()
        * 1e-6
}

impl Variant {
    fn add(&mut self, (took, busy_ms): (Duration, f64), stages: &[(Stage, f64)]) {
        self.best_ms = self.best_ms.min(took.as_secs_f64() * 1e3);
        self.best_cpu_ms = self.best_cpu_ms.min(busy_ms);
        for &(stage, ms) in stages {
            match self.stages.iter_mut().find(|(known, _)| *known == stage) {
                Some((_, best)) => *best = best.min(ms),
                None => self.stages.push((stage, ms)),
            }
        }
    }
}

fn variants(character: &Character, aspect: f32) -> Vec<Variant> {
    let mut whole = View {
        skeleton: true,
        ..View::default()
    };
    whole
        .camera
        .frame(scene::animated_bounds(character), aspect);
    let without = |name, change: fn(&mut View)| {
        let mut view = whole.clone();
        change(&mut view);
        Variant {
            name,
            view,
            best_ms: f64::INFINITY,
            best_cpu_ms: f64::INFINITY,
            stages: Vec::new(),
        }
    };
    vec![
        without("whole frame", |_| {}),
        without("without shadows", |view| view.shadow = false),
        without("without ambient occlusion", |view| {
            view.ambient_occlusion = false;
        }),
        without("without reflections", |view| view.reflections = false),
        without("without overlay", |view| view.skeleton = false),
        without("without grid", |view| view.grid = false),
        without("plainest", |view| {
            view.shadow = false;
            view.ambient_occlusion = false;
            view.reflections = false;
            view.skeleton = false;
        }),
        without("nothing", |view| {
            view.shadow = false;
            view.ambient_occlusion = false;
            view.skeleton = false;
            view.mesh = false;
        }),
    ]
}

fn report(variants: &[Variant]) {
    let whole = variants[0].best_ms;
    for variant in variants {
        let stages: Vec<String> = variant
            .stages
            .iter()
            .map(|(stage, ms)| format!("{} {ms:.2}", stage.name()))
            .collect();
        println!(
            "frame/{:<26} {:6.2} ms ({:+.2}), processors {:6.2} ms; {}",
            variant.name,
            variant.best_ms,
            variant.best_ms - whole,
            variant.best_cpu_ms,
            stages.join(", "),
        );
    }
    let Some(plainest) = variants.iter().find(|v| v.name == "plainest") else {
        return;
    };
    let ratio = whole / plainest.best_ms;
    println!(
        "frame/whole over plainest: {ratio:.2}, of processor time {:.2} (target {TARGET:.2}) {}",
        variants[0].best_cpu_ms / plainest.best_cpu_ms,
        if ratio < TARGET { "ok" } else { "MISSED" }
    );
}
