//! Diagnostics: what the window is doing, one JSON object per line.

use std::{
    env,
    fs::{File, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::Serialize;

use crate::{scene::PoseSource, session::Session};

/// Names the file to append to.
const VARIABLE: &str = "RIGSCOPE_TRACE";
/// How often running time alone is worth a line.
const INTERVAL: Duration = Duration::from_millis(500);

/// Writes lines where `RIGSCOPE_TRACE` asks for them; does nothing otherwise.
pub(super) struct Trace {
    file: Option<File>,
    last: String,
    last_line: Option<Instant>,
}

/// One line. Points are egui's, pixels are physical.
#[derive(Serialize)]
struct Line<'a> {
    frames: u64,
    /// How long the window was busy with this frame.
    frame_ms: f32,
    time: f32,
    #[serde(flatten)]
    state: State<'a>,
}

/// What counts as a change.
#[derive(Serialize)]
struct State<'a> {
    name: &'a str,
    path: Option<&'a Path>,
    clip: Option<usize>,
    joints: usize,
    playing: bool,
    interpolation: &'static str,
    hemisphere: &'static str,
    selected_joint: Option<usize>,
    loading: bool,
    messages: Vec<&'a str>,
    recent: &'a [PathBuf],
    window_pixels: [u32; 2],
    view_points: [f32; 4],
}

impl Trace {
    /// Reads the environment; a path that cannot be opened is as good as none.
    pub(super) fn from_env() -> Self {
        let file = env::var_os(VARIABLE)
            .and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok());
        Self {
            file,
            last: String::new(),
            last_line: None,
        }
    }

    /// Writes a line for this frame, unless it only shows that time runs.
    pub(super) fn frame(
        &mut self,
        session: &Session,
        frames: u64,
        frame_secs: f32,
        window_pixels: [u32; 2],
        view_points: egui::Rect,
    ) {
        let Some(file) = &mut self.file else { return };
        let character = session.character();
        let state = State {
            name: session.document().map_or("", |document| &document.name),
            path: session.path.as_deref(),
            clip: character.and_then(|c| match c.source {
                PoseSource::Clip(index) => Some(index),
                PoseSource::Rest | PoseSource::Bind => None,
            }),
            joints: session.document().map_or(0, |d| d.skeleton.joints.len()),
            playing: character.is_some_and(|c| c.player.playing),
            interpolation: character.map_or("", |c| c.technique.modes.interpolation.as_str()),
            hemisphere: character.map_or("", |c| c.technique.modes.hemisphere.as_str()),
            selected_joint: session.view.selected_joint,
            loading: session.loading.is_some(),
            messages: session.messages.iter().map(|m| &*m.text).collect(),
            recent: &session.recent,
            window_pixels,
            view_points: [
                view_points.min.x,
                view_points.min.y,
                view_points.max.x,
                view_points.max.y,
            ],
        };
        let time = character.map_or(0.0, |c| c.player.time_secs);
        let key = serde_json::to_string(&state).unwrap_or_default();
        // While it stands still every frame has a reason; while it plays, time
        // alone is worth a line now and then.
        let due = self.last_line.is_none_or(|last| last.elapsed() >= INTERVAL);
        if session.is_animating() && key == self.last && !due {
            return;
        }
        let line = Line {
            frames,
            frame_ms: frame_secs * 1e3,
            time,
            state,
        };
        if let Ok(mut text) = serde_json::to_string(&line) {
            text.push('\n');
            let _ = file.write_all(text.as_bytes());
        }
        self.last = key;
        self.last_line = Some(Instant::now());
    }
}
