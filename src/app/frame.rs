//! One frame, in the order of the module's documentation.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use winit::event_loop::ActiveEventLoop;

use super::{
    AppError,
    graphics::{Graphics, Painted},
    shell::{Open, Shell},
};
use crate::{
    document::Severity,
    scene,
    scene::{Frame, Trail},
    session::{Action, Command, Layout, Session},
    ui::{Picture, UiOutput},
};

/// The longest step of time in one frame: after a stall the character goes on
/// where it was instead of jumping.
const LONGEST_STEP: Duration = Duration::from_millis(250);
/// Frames come no faster than this where presenting does not wait for the screen.
const SHORTEST_FRAME: Duration = Duration::from_millis(4);
/// A device that is lost sooner after it was opened is not opened once more.
const SHORTEST_LIFE: Duration = Duration::from_secs(2);

impl Shell {
    /// Draws a frame and asks for the next one if it is needed.
    pub(super) fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let hidden = |open: &Open| open.is_hidden() || open.window.is_minimized() == Some(true);
        if self.open.as_ref().is_none_or(hidden) {
            // Being shown again brings an event that asks for a frame.
            self.last_advance = None;
            return;
        }
        let began = Instant::now();
        self.check_device(event_loop);
        self.frame_new_document();
        self.advance();
        self.measure_errors();
        self.render_view();
        let Some(open) = &mut self.open else { return };
        let size = open.size;
        let Open {
            graphics: Some(graphics),
            ui,
            input,
            ctx,
            window,
            ..
        } = open
        else {
            return;
        };
        graphics.surface.resize(size);
        let mut commands = Vec::new();
        let mut layout: Option<UiOutput> = None;
        let session = &self.session;
        let frames = core::iter::once(&self.frame).chain(&self.side_frames);
        let pictures: Vec<Picture<'_>> = frames
            .enumerate()
            .map(|(index, frame)| Picture {
                frame,
                texture: graphics.texture(index),
            })
            .collect();
        let output = ctx.run_ui(input.take_egui_input(window), |root| {
            layout = Some(ui.run(root, session, &pictures, &mut commands));
        });
        input.handle_platform_output_with_event_loop(window, event_loop, output.platform_output);
        let still = ctx.input(|input| {
            !input.pointer.any_down() && input.smooth_scroll_delta() == egui::Vec2::ZERO
        });
        let delay = output
            .viewport_output
            .get(&egui::ViewportId::ROOT)
            .map_or(Duration::MAX, |root| root.repaint_delay);
        let shapes = ctx.tessellate(output.shapes, output.pixels_per_point);

        let before = self.view_pixels;
        if let Some(layout) = layout {
            self.view_pixels = layout.viewport_pixels;
            self.view_points = layout.viewport_points;
        }
        self.keep_whole(before);
        for command in commands {
            self.perform(command);
        }
        self.frame_new_document();
        if still {
            self.session.checkpoint();
        }
        if self.view_pixels != before && self.render_view() {
            // What is written over the view was laid out for the other size.
            self.redraw_now();
        }
        self.redraw_after(delay);

        let mut textures = output.textures_delta;
        let graphics = self.open.as_mut().and_then(|open| open.graphics.as_mut());
        let Some(graphics) = graphics else {
            textures.clear();
            return;
        };
        match graphics.paint(&mut textures, &shapes, output.pixels_per_point) {
            Painted::Presented => {}
            Painted::Later(delay) => self.redraw_after(delay),
            // Not every system tells when such a window is seen again.
            Painted::Hidden => self.redraw_after(Duration::from_millis(250)),
        }
        self.frames += 1;
        self.show_title();
        if self.session.is_animating() {
            self.redraw_after(SHORTEST_FRAME.saturating_sub(began.elapsed()));
        }
        self.trace.frame(
            &self.session,
            self.frames,
            began.elapsed().as_secs_f32(),
            [size.width, size.height],
            self.view_points,
        );
    }

    /// Width over height of the view; 1 before there is one.
    fn aspect(&self) -> f32 {
        let [width, height] = self.view_pixels;
        if width > 0 && height > 0 {
            width as f32 / height as f32
        } else {
            1.0
        }
    }

    /// Points the camera at a document that was just opened, once the view has a
    /// shape to fit it into.
    fn frame_new_document(&mut self) {
        if self.framing_due && self.view_pixels.iter().all(|&side| side > 0) {
            self.framing_due = false;
            let command = Action::FrameAll.command(&self.session, self.aspect());
            if let Some(Command::MoveCamera(camera)) = command {
                // Nothing was to be seen before: there is nowhere to come from.
                self.perform(Command::SetCamera(camera));
            }
        }
    }

    /// Goes on to show the whole character where pictures have got narrower or wider
    /// because sides came or went.
    fn keep_whole(&mut self, before: [u32; 2]) {
        let session = &self.session;
        let parts = match session.layout() {
            Some(Layout::SideBySide) => session.side_count(),
            _ => 1,
        };
        let changed = std::mem::replace(&mut self.parts, parts) != parts;
        let aspect = |[width, height]: [u32; 2]| {
            let both = width > 0 && height > 0;
            both.then(|| width as f32 / height as f32)
        };
        if changed && let (Some(before), Some(now)) = (aspect(before), aspect(self.view_pixels)) {
            self.session.keep_whole(before, now);
            self.scene_changed = true;
            self.redraw_now();
        }
    }

    fn advance(&mut self) {
        if !self.session.is_animating() {
            self.last_advance = None;
            return;
        }
        let now = Instant::now();
        if let Some(last) = self.last_advance.replace(now) {
            let step = now.duration_since(last).min(LONGEST_STEP);
            self.session.advance(step.as_secs_f32());
            self.scene_changed = true;
        }
    }

    /// Draws the scene where it changed. Before the panels, so that names and hover
    /// are laid out for the picture that they lie on; whether it did anything.
    fn render_view(&mut self) -> bool {
        let aspect = self.aspect();
        let Some(open) = &mut self.open else {
            return false;
        };
        let Some(graphics) = &mut open.graphics else {
            return false;
        };
        let session = &self.session;
        let others = match session.layout() {
            Some(Layout::SideBySide) => session.side_count() - 1,
            Some(Layout::Wipe) => 1,
            Some(Layout::Overlay) | None => 0,
        };
        let resized = graphics.resize_views(1 + others, self.view_pixels);
        if !resized && !self.scene_changed && self.side_frames.len() == others {
            return false;
        }
        self.scene_changed = false;
        match session.overlay_stage() {
            Some(stage) => scene::build(&stage, &session.side_view(0), aspect, &mut self.frame),
            None => scene::build(
                &session.stage,
                &session.side_view(0),
                aspect,
                &mut self.frame,
            ),
        }
        self.side_frames.resize_with(others, Frame::default);
        let sides = session.comparison.iter().flat_map(|c| &c.sides);
        for ((index, side), frame) in sides.enumerate().zip(&mut self.side_frames) {
            scene::build(&side.stage, &session.side_view(index + 1), aspect, frame);
            // One ground under all, or they would seem to hop when they are compared.
            frame.share_ground(&self.frame);
        }
        share_trails(session, &mut self.frame, &mut self.side_frames);
        let scale = open.ctx.pixels_per_point();
        let mut rendered = graphics.render_view(0, &self.frame, scale);
        for (index, frame) in self.side_frames.iter().enumerate() {
            rendered = rendered.and_then(|()| graphics.render_view(index + 1, frame, scale));
        }
        let mut notices: Vec<Command> = (graphics.take_messages().into_iter())
            .map(|message| Command::Notify(Severity::Warning, message))
            .collect();
        if let Err(error) = rendered {
            let message = format!("Cannot draw the view: {error}");
            notices.push(Command::Notify(Severity::Error, message));
        }
        for notice in notices {
            // The list shows a repeated message once.
            self.session.apply(notice);
        }
        true
    }

    fn show_title(&mut self) {
        let Some(open) = &mut self.open else { return };
        let title = match (self.session.document(), &self.session.path) {
            (Some(document), Some(_)) => format!("{} — rigscope", document.name),
            _ => "rigscope".to_owned(),
        };
        if title != open.title {
            open.window.set_title(&title);
            open.title = title;
        }
    }

    /// Tells what the device complained about, and opens it anew if it is gone.
    fn check_device(&mut self, event_loop: &ActiveEventLoop) {
        let Some(open) = &mut self.open else { return };
        let Some(graphics) = &open.graphics else {
            return;
        };
        let errors = graphics.gpu.take_errors();
        if graphics.gpu.is_lost() {
            // A window has room for one swap chain: the old one goes first.
            open.graphics = None;
            let reopened = if open.graphics_since.elapsed() > SHORTEST_LIFE {
                Graphics::new(&open.window, &event_loop.owned_display_handle())
                    .map_err(|error| error.to_string())
            } else {
                Err(errors.join("; "))
            };
            match reopened {
                Ok(graphics) => {
                    open.graphics = Some(graphics);
                    open.graphics_since = Instant::now();
                    // Makes egui send its font texture again.
                    open.ctx.set_glyph_rasterizers(Vec::new());
                    self.scene_changed = true;
                }
                Err(reason) => {
                    self.failure = Some(AppError::DeviceLost(reason));
                    event_loop.exit();
                }
            }
        }
        for error in errors {
            self.perform(Command::Notify(Severity::Error, error));
        }
    }
}

/// Shows the trails of every side in every picture, where joints are the same.
fn share_trails(session: &Session, first: &mut Frame, others: &mut [Frame]) {
    if others.is_empty() {
        return;
    }
    let all = core::iter::once(&*first).chain(&*others);
    let trails: Vec<Vec<Arc<Trail>>> = all.map(|frame| frame.trails.clone()).collect();
    let document = |side: usize| session.side(side).map(|side| &side.document);
    let pictures = core::iter::once(first).chain(others).enumerate();
    for (own, frame) in pictures {
        for (side, trails) in trails.iter().enumerate().filter(|&(side, _)| side != own) {
            let same = (document(own).zip(document(side))).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
            if let Some(character) = session.side(side).filter(|_| same) {
                frame.add_trails(trails, side, character.player.time_secs);
            }
        }
    }
}
