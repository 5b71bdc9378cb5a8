//! The panels: they read `&Session` and push [`Command`]s, nothing else.
//!
//! egui may run two passes a frame and hands the input to the first one only, so
//! every command is absolute and the shell keeps the queue across passes and
//! applies it once.

use egui::{CentralPanel, Rect, TextureId};

use crate::{
    scene::Frame,
    session::{Command, Session},
};

/// Widget state that outlives a frame.
#[derive(Debug, Default)]
pub struct Ui;

/// What the shell needs to know for the next picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UiOutput {
    /// Where the 3D view lies, in points.
    pub viewport_points: Rect,
    /// Its size in pixels; zero while it is not to be seen.
    pub viewport_pixels: [u32; 2],
}

impl Ui {
    /// Installs fonts and theme.
    pub fn new(_ctx: &egui::Context) -> Self {
        Self
    }

    /// Lays out all panels. `frame` is the picture that `viewport` shows.
    pub fn run(
        &mut self,
        ui: &mut egui::Ui,
        _session: &Session,
        _frame: &Frame,
        viewport: Option<TextureId>,
        _commands: &mut Vec<Command>,
    ) -> UiOutput {
        let points = CentralPanel::no_frame()
            .show(ui, |ui| {
                let rect = ui.max_rect();
                if let Some(texture) = viewport {
                    let uv = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
                    ui.painter()
                        .image(texture, rect, uv, egui::Color32::WHITE);
                }
                rect
            })
            .inner;
        let scale = ui.ctx().pixels_per_point();
        let pixels = |length: f32| (length * scale).round().max(0.0) as u32;
        UiOutput {
            viewport_points: points,
            viewport_pixels: [pixels(points.width()), pixels(points.height())],
        }
    }
}
