//! How long the panels take in a frame, by view of the timeline.
//!
//! `cargo bench --bench panels`: `blender/bl_rigify_full.glb` (222 joints; a rig built
//! here where the corpus is absent) with outliner, inspector and timeline open in a
//! window of 1600 × 1000, and a rig of as many joints with 10 000 keys a channel. A
//! script hovers over rows, selects joints and scrubs. Measured is what a frame takes
//! without the graphics card: laying out the panels, turning them into triangles,
//! carrying out the commands and building the picture's data.
#![allow(clippy::panic, reason = "a panic is how a bench fails")]

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use egui::{Event, PointerButton, Pos2, RawInput, Rect, pos2, vec2};
use glam::{Quat, Vec3};
use rigscope::{
    analysis::{Effort, Watch, analyse},
    document::{Clip, Document, Joint, JointTracks, Keys, Skeleton, Track},
    import::{self, Progress},
    scene::{self, Frame},
    session::{Command, Session, TimelineView},
    ui::Ui,
};

const SIZE: egui::Vec2 = vec2(1600.0, 1000.0);
/// Frames that fonts and caches get before the clock runs.
const WARM_UP: usize = 30;
const FRAMES: usize = 240;
/// Milliseconds that a frame's panels and update may take, median of the worst script.
const TARGET: f64 = 8.0;
/// Joints of the rig built here, as many as Blender's full Rigify human has.
const JOINTS: usize = 222;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rigify = root.join("../shared/corpus/blender/bl_rigify_full.glb");
    let mut documents = vec![("10 000 keys a channel", Arc::new(built(10_000)))];
    if rigify.is_file() {
        let document = match import::load(&rigify, &Progress::new()) {
            Ok(document) => document,
            Err(error) => panic!("{error}"),
        };
        documents.insert(0, ("bl_rigify_full", Arc::new(document)));
    } else {
        println!("panels: ../shared is absent, a rig of {JOINTS} joints stands in");
        documents.insert(0, ("built here", Arc::new(built(250))));
    }
    let mut worst = 0.0f64;
    for (name, document) in &documents {
        println!("panels: {name}, {} joints", document.skeleton.joints.len());
        for view in TimelineView::ALL {
            for script in Script::ALL {
                let times = run(document, view, script);
                worst = worst.max(report(view, script, &times));
            }
        }
    }
    println!(
        "panels: worst median {worst:.2} ms (target {TARGET:.2} ms) {}",
        if worst < TARGET { "ok" } else { "MISSED" }
    );
}

/// What a hand does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Script {
    /// Moves over the timeline's rows.
    Hover,
    /// Selects one joint after the other.
    Select,
    /// Drags the playhead.
    Scrub,
}

impl Script {
    const ALL: [Self; 3] = [Self::Hover, Self::Select, Self::Scrub];

    /// Events and commands of one frame.
    fn frame(self, index: usize, timeline: Rect, joints: usize) -> (Vec<Event>, Option<Command>) {
        let part = index as f32 / FRAMES as f32;
        let zigzag = 1.0 - (part * 6.0 % 2.0 - 1.0).abs();
        match self {
            Self::Hover => {
                let (x, y) = (zigzag * timeline.width(), part * timeline.height());
                (vec![Event::PointerMoved(timeline.min + vec2(x, y))], None)
            }
            Self::Select => {
                let joint = (index / 4 * 7) % joints.max(1);
                let change = index.is_multiple_of(4);
                (
                    Vec::new(),
                    change.then_some(Command::SelectJoint(Some(joint))),
                )
            }
            Self::Scrub => {
                let x = timeline.left() + timeline.width() * (0.3 + 0.6 * zigzag);
                let at = pos2(x, timeline.top() + 16.0);
                let mut events = vec![Event::PointerMoved(at)];
                if index == 0 {
                    events.push(press(at));
                }
                (events, None)
            }
        }
    }
}

fn press(pos: Pos2) -> Event {
    Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed: true,
        modifiers: egui::Modifiers::NONE,
    }
}

/// What the parts of one frame took.
#[derive(Debug, Clone, Copy, Default)]
struct Times {
    panels: Duration,
    triangles: Duration,
    update: Duration,
}

impl Times {
    /// What the target is about: panels and update.
    fn counted(&self) -> f64 {
        ms(self.panels) + ms(self.update)
    }
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn run(document: &Arc<Document>, view: TimelineView, script: Script) -> Vec<Times> {
    let mut session = Session::default();
    session.apply(Command::LoadFinished {
        document: document.clone(),
        path: None,
    });
    let watch = Watch::default();
    if let Some(report) = analyse(document, Effort::Usual, &watch) {
        session.apply(Command::AnalysisFinished {
            document: document.clone(),
            report: Arc::new(report),
        });
    }
    session.apply(Command::SetPlaying(script == Script::Hover));
    session.panels.timeline_view = view;
    let ctx = egui::Context::default();
    let mut ui = Ui::new(&ctx);
    let mut frame = Frame::default();
    let mut commands = Vec::new();
    let mut timeline = Rect::from_min_max(pos2(0.0, 700.0), SIZE.to_pos2());
    let mut times = Vec::new();
    for index in 0..WARM_UP + FRAMES {
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(index as f64 / 60.0),
            ..RawInput::default()
        };
        if let Some(index) = index.checked_sub(WARM_UP) {
            let joints = document.skeleton.joints.len();
            let (events, command) = script.frame(index, timeline, joints);
            input.events = events;
            commands.extend(command);
        }
        let mut spent = Times::default();
        let start = Instant::now();
        let mut output = None;
        let mut full = ctx.run_ui(input, |root| {
            output = Some(ui.run(
                root,
                &session,
                &[rigscope::ui::Picture {
                    frame: &frame,
                    texture: None,
                }],
                &mut commands,
            ));
        });
        spent.panels = start.elapsed();
        let start = Instant::now();
        let triangles = ctx.tessellate(core::mem::take(&mut full.shapes), full.pixels_per_point);
        spent.triangles = start.elapsed();
        core::hint::black_box(triangles.len());
        // There is no graphics card to hand them to.
        full.textures_delta.clear();
        let start = Instant::now();
        for command in commands.drain(..) {
            session.apply(command);
        }
        session.advance(1.0 / 60.0);
        let points = output.map_or(Rect::ZERO, |output| output.viewport_points);
        let aspect = points.width().max(1.0) / points.height().max(1.0);
        scene::build(&session.stage, &session.view, aspect, &mut frame);
        spent.update = start.elapsed();
        // Below the transport and its modes, and above the window's edge.
        timeline.min.y = points.bottom() + 48.0;
        timeline.max.y = SIZE.y - 12.0;
        if index >= WARM_UP {
            times.push(spent);
        }
    }
    times
}

/// Prints a line; returns the median of what counts, which neighbours on the machine
/// distort least.
fn report(view: TimelineView, script: Script, times: &[Times]) -> f64 {
    let at = |part: fn(&Times) -> f64, percent: usize| {
        let mut sorted: Vec<f64> = times.iter().map(part).collect();
        sorted.sort_by(f64::total_cmp);
        let index = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(index).copied().unwrap_or_default()
    };
    let (median, late) = (at(Times::counted, 50), at(Times::counted, 95));
    println!(
        "panels/{:<10} {:<7} {median:6.2} ms (95 %: {late:5.2}) = panels {:5.2} + update {:5.2}; triangles {:5.2}",
        format!("{view:?}"),
        format!("{script:?}"),
        at(|times| ms(times.panels), 50),
        at(|times| ms(times.update), 50),
        at(|times| ms(times.triangles), 50),
    );
    median
}

/// A tree of joints, three children each, every property with `keys` keys at 100 Hz.
fn built(keys: usize) -> Document {
    let joints: Vec<Joint> = (0..JOINTS)
        .map(|index| Joint {
            name: format!("Joint.{index:03}"),
            node: index,
            parent: index.checked_sub(1).map(|index| index / 3),
            translation: Vec3::Y * 0.1,
            ..Joint::default()
        })
        .collect();
    let times: Arc<[f32]> = (0..keys).map(|key| key as f32 * 0.01).collect();
    let wave = |joint: usize, key: usize| ((key + joint * 13) as f32 * 0.02).sin();
    let joint_tracks = (0..JOINTS).map(|joint| JointTracks::Trs {
        joint,
        translation: Some(Track {
            times: times.clone(),
            keys: Keys::Linear((0..keys).map(|key| Vec3::Y * wave(joint, key)).collect()),
        }),
        rotation: Some(Track {
            times: times.clone(),
            keys: Keys::Linear(
                (0..keys)
                    .map(|key| Quat::from_rotation_x(wave(joint, key)))
                    .collect(),
            ),
        }),
        scale: Some(Track {
            times: times.clone(),
            keys: Keys::Linear(vec![Vec3::ONE; keys]),
        }),
    });
    Document {
        name: "built.glb".to_owned(),
        clips: vec![Clip {
            name: "Long".to_owned(),
            duration_secs: (keys - 1) as f32 * 0.01,
            joints: joint_tracks.collect(),
            ..Clip::default()
        }],
        skeleton: Skeleton {
            joint_of_node: (0..JOINTS).collect(),
            joints,
        },
        ..Document::default()
    }
}
