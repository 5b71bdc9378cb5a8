//! The window: event loop, loader thread, file watching, dialogs, settings.
//!
//! One frame is: time → [`scene::build`](crate::scene::build) → the view's texture →
//! input → panels, with names laid out for that picture → commands, once after all
//! of egui's passes → egui paints → present. What commands change is in the next
//! frame's picture. A frame is drawn only when something changed or plays:
//! paused and untouched, the event loop sleeps. What takes long (reading files,
//! dialogs, writing pictures) happens on threads of its own, which answer by
//! events.
//!
//! # Diagnostics
//!
//! With the environment variable `RIGSCOPE_TRACE` set to a path, the window
//! appends one JSON object per line to that file for every frame that it draws,
//! and while a clip plays only where the state changed or half a second went by:
//! open file, clip, time, modes, messages, frames drawn. `RIGSCOPE_CONFIG_DIR` moves
//! the settings file to another folder.

mod analyst;
mod animation;
mod comparer;
mod dialog;
mod event;
mod frame;
mod graphics;
mod icon;
mod loader;
mod overlay_settings;
mod picture;
mod reload;
mod request;
mod settings;
mod shell;
mod surface;
mod trace;
mod watch;

use std::path::PathBuf;

use winit::event_loop::{ControlFlow, EventLoop};

use crate::render::{GpuError, RenderError};
use event::AppEvent;

/// What the command line says about the window.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The file to open; the built-in character if none.
    pub file: Option<PathBuf>,
    /// A file to compare it with.
    pub beside: Option<PathBuf>,
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// Neither a Wayland compositor nor an X server answers.
    #[error(
        "there is no display to open a window on ({0}); \
         `rigscope render` draws pictures without one"
    )]
    NoDisplay(String),
    /// The windowing system's libraries are missing.
    #[error(
        "the libraries of the windowing system cannot be loaded ({0}); \
         on Debian: apt install libxkbcommon-x11-0 libx11-xcb1"
    )]
    NoWindowingLibrary(String),
    /// The event loop broke down.
    #[error("the window system stopped answering ({0})")]
    EventLoop(String),
    /// The system refuses a window.
    #[error("cannot open a window ({0})")]
    Window(String),
    /// The window cannot be drawn on.
    #[error("cannot draw on the window ({0})")]
    Surface(String),
    /// No usable graphics adapter.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The device is there but cannot draw the scene.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The graphics device went away and could not be had again.
    #[error("the graphics device was lost and did not come back ({0})")]
    DeviceLost(String),
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// Says why there is no window, or no window any more; nothing about files,
/// which are reported in the window.
pub fn run(options: Options) -> Result<(), AppError> {
    let event_loop = event_loop()?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let mut shell = shell::Shell::new(options, event_loop.create_proxy());
    event_loop
        .run_app(&mut shell)
        .map_err(|error| AppError::EventLoop(reason(&error)))?;
    shell.finish()
}

/// The event loop; winit panics where a library that it loads at run time is
/// missing, which is no bug of ours and deserves a message.
fn event_loop() -> Result<EventLoop<AppEvent>, AppError> {
    match std::panic::catch_unwind(|| EventLoop::with_user_event().build()) {
        Ok(built) => built.map_err(|error| AppError::NoDisplay(reason(&error))),
        Err(payload) => Err(AppError::NoWindowingLibrary(event::panic_text(&*payload))),
    }
}

/// What a winit error says, without the place in winit's source that it begins
/// with: `os error at …/mod.rs:788: Failed to open connection`.
fn reason(error: &dyn std::error::Error) -> String {
    let text = error.to_string();
    let after_place = text.split_once(".rs:").and_then(|(place, rest)| {
        let (line, reason) = rest.split_once(": ")?;
        let is_place = place.starts_with("os error at") && line.parse::<u32>().is_ok();
        is_place.then(|| reason.to_owned())
    });
    // It goes into parentheses, where a full stop has no place.
    let reason = after_place.unwrap_or(text);
    reason.trim_end_matches('.').to_owned()
}
