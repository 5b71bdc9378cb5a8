//! The event loop's handler: routes events, carries out requests, decides when
//! the next frame is due.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use egui_winit::accesskit_winit;
use winit::{
    application::ApplicationHandler,
    dpi::{LogicalSize, PhysicalSize},
    event::WindowEvent,
    event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy},
    window::{Window, WindowAttributes, WindowId},
};

use super::{
    AppError, Options,
    analyst::Analyst,
    animation,
    comparer::Comparer,
    event::AppEvent,
    graphics::Graphics,
    icon,
    loader::{Loader, Wanted},
    reload::Reload,
    request::absolute,
    settings::{self, Settings, WindowSettings},
    trace::Trace,
};
use crate::{
    document::Severity,
    lab,
    scene::Frame,
    session::{Analysis, Command, Session},
    ui::Ui,
};

/// How often the window shows how far a load is.
pub(super) const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// What title bar and desktop panel may take of a screen's height, in points.
const AROUND_WINDOW: f64 = 72.0;

/// The program while its window is open.
pub(super) struct Shell {
    pub(super) session: Session,
    pub(super) proxy: EventLoopProxy<AppEvent>,
    pub(super) loader: Loader,
    pub(super) analyst: Analyst,
    pub(super) comparer: Comparer,
    pub(super) reload: Reload,
    pub(super) open: Option<Open>,
    pub(super) frame: Frame,
    /// Those of a comparison's other sides.
    pub(super) side_frames: Vec<Frame>,
    /// A file to be shown beside the one that is being read.
    pub(super) beside: Option<PathBuf>,
    /// The view's size in pixels, as laid out last.
    pub(super) view_pixels: [u32; 2],
    pub(super) view_points: egui::Rect,
    /// Pictures that stand side by side in the view, as of the last frame.
    pub(super) parts: usize,
    /// The session changed since the view was drawn.
    pub(super) scene_changed: bool,
    /// The camera is to be set for a new document.
    pub(super) framing_due: bool,
    /// When time was advanced last, while it runs.
    pub(super) last_advance: Option<Instant>,
    /// Frames drawn so far.
    pub(super) frames: u64,
    pub(super) trace: Trace,
    /// Why the window closes, if it is not because someone wants it to.
    pub(super) failure: Option<AppError>,
    /// When the next frame is due; `None` for when something happens.
    redraw_at: Option<Instant>,
    pub(super) progress_at: Option<Instant>,
    pub(super) quit: bool,
    pub(super) dialog_open: bool,
    /// A moving picture in the making.
    pub(super) animation: Option<animation::Job>,
    pub(super) dropped: Vec<PathBuf>,
    settings: Settings,
    settings_path: Option<PathBuf>,
    window_settings: WindowSettings,
}

/// What exists once there is a window. Fields are dropped in this order: what
/// draws before what it draws on.
pub(super) struct Open {
    /// `None` only while the device is being opened again.
    pub(super) graphics: Option<Graphics>,
    /// When the device was opened.
    pub(super) graphics_since: Instant,
    pub(super) ui: Ui,
    pub(super) input: egui_winit::State,
    pub(super) ctx: egui::Context,
    pub(super) title: String,
    /// The window's inner size as last reported; asking takes a round trip on X11.
    pub(super) size: PhysicalSize<u32>,
    /// The system says that nobody can see the window.
    occluded: bool,
    pub(super) window: Arc<Window>,
}

impl Open {
    /// Whether drawing would be for nobody. Some systems do not tell that a window
    /// was minimized, so a frame has to ask for that too.
    pub(super) fn is_hidden(&self) -> bool {
        self.occluded || self.size.width == 0 || self.size.height == 0
    }
}

impl Shell {
    /// Starts to read the file; the window comes when the event loop runs.
    pub(super) fn new(options: Options, proxy: EventLoopProxy<AppEvent>) -> Self {
        let mut session = Session::default();
        let settings_path = settings::path();
        let settings = match settings_path.as_deref().map(settings::load) {
            Some(Ok(settings)) => settings,
            Some(Err(message)) => {
                session.apply(Command::Notify(Severity::Warning, message));
                Settings::default()
            }
            None => Settings::default(),
        };
        settings.apply(&mut session);
        session.smooth_camera = true;
        let mut loader = Loader::new(proxy.clone());
        let scene = (options.file.as_deref())
            .and_then(|path| path.to_str()?.strip_prefix("lab:"))
            .and_then(lab::find);
        match options.file {
            _ if scene.is_some() => {}
            Some(path) => loader.start(Wanted::Open(absolute(&path))),
            None => loader.start(Wanted::BuiltIn),
        }
        let mut shell = Self {
            session,
            loader,
            proxy,
            analyst: Analyst::default(),
            comparer: Comparer::default(),
            reload: Reload::default(),
            open: None,
            frame: Frame::default(),
            side_frames: Vec::new(),
            beside: options.beside.as_deref().map(absolute),
            view_pixels: [0, 0],
            view_points: egui::Rect::NOTHING,
            parts: 1,
            scene_changed: true,
            framing_due: false,
            last_advance: None,
            frames: 0,
            trace: Trace::from_env(),
            failure: None,
            redraw_at: None,
            progress_at: Some(Instant::now() + PROGRESS_INTERVAL),
            quit: false,
            dialog_open: false,
            animation: None,
            dropped: Vec::new(),
            window_settings: settings.window(),
            settings,
            settings_path,
        };
        if let Some(scene) = scene {
            shell.perform(Command::OpenLab(scene));
        }
        shell
    }

    /// How it ended.
    ///
    /// # Errors
    /// Why the window could not stay open.
    pub(super) fn finish(mut self) -> Result<(), AppError> {
        self.loader.cancel();
        self.save_settings();
        self.failure.map_or(Ok(()), Err)
    }

    /// Makes the window, hidden until accessibility is set up, as that demands.
    fn open_window(&self, event_loop: &ActiveEventLoop) -> Result<Open, AppError> {
        let size = self.fitting_size(event_loop);
        let attributes = WindowAttributes::default()
            .with_title("rigscope")
            .with_inner_size(size)
            .with_maximized(self.window_settings.maximized)
            .with_window_icon(icon::window_icon())
            .with_visible(false);
        let window = event_loop
            .create_window(with_app_id(attributes))
            .map_err(|error| AppError::Window(super::reason(&error)))?;
        let window = Arc::new(window);
        let graphics = Graphics::new(&window, &event_loop.owned_display_handle())?;
        let ctx = egui::Context::default();
        let limit = graphics.gpu.device.limits().max_texture_dimension_2d;
        let mut input = egui_winit::State::new(
            ctx.clone(),
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            window.theme(),
            Some(limit as usize),
        );
        input.init_accesskit(event_loop, &window, self.proxy.clone());
        let mut ui = Ui::new(&ctx);
        ui.arrange(&ctx, self.settings.arrangement());
        if let Some(theme) = self.settings.theme() {
            ctx.set_theme(theme);
        }
        Ok(Open {
            graphics: Some(graphics),
            graphics_since: Instant::now(),
            ui,
            input,
            ctx,
            title: String::new(),
            size: window.inner_size(),
            occluded: false,
            window,
        })
    }

    /// The remembered size, no larger than the largest screen there is now, with room
    /// for a title bar and the desktop's own panel: else the timeline, at the lower
    /// edge, would lie below the screen.
    fn fitting_size(&self, event_loop: &ActiveEventLoop) -> LogicalSize<f64> {
        let mut size = LogicalSize::new(self.window_settings.width, self.window_settings.height);
        let screens = event_loop
            .available_monitors()
            .map(|screen| screen.size().to_logical::<f64>(screen.scale_factor()))
            .filter(|screen| screen.width >= 1.0 && screen.height >= 1.0);
        let largest = screens.max_by(|a, b| (a.width * a.height).total_cmp(&(b.width * b.height)));
        if let Some(screen) = largest {
            size.width = size.width.min(screen.width);
            let height = (screen.height - AROUND_WINDOW).max(screen.height * 0.5);
            size.height = size.height.min(height);
        }
        size
    }

    /// Applies a command, does what it asks for, and asks for a frame.
    pub(super) fn perform(&mut self, command: Command) {
        // Panels may repeat what the pointer is over in every frame.
        if let Command::HoverJoint(joint) = command
            && joint == self.session.view.hovered_joint
        {
            return;
        }
        self.scene_changed = true;
        self.redraw_now();
        if let Some(request) = self.session.apply(command) {
            self.carry_out(request);
        }
    }

    fn accessibility(&mut self, event: accesskit_winit::WindowEvent) {
        let Some(open) = &mut self.open else { return };
        match event {
            accesskit_winit::WindowEvent::InitialTreeRequested => open.ctx.enable_accesskit(),
            accesskit_winit::WindowEvent::ActionRequested(request) => {
                open.input.on_accesskit_action_request(request);
            }
            accesskit_winit::WindowEvent::AccessibilityDeactivated => {
                open.ctx.disable_accesskit();
            }
        }
        self.redraw_now();
    }

    /// Asks for a frame as soon as possible.
    pub(super) fn redraw_now(&mut self) {
        self.redraw_at = Some(Instant::now());
    }

    /// Asks for a frame after this time, unless one comes sooner.
    pub(super) fn redraw_after(&mut self, delay: Duration) {
        let at = Instant::now().checked_add(delay);
        if let Some(at) = at {
            self.redraw_at = Some(self.redraw_at.map_or(at, |known| known.min(at)));
        }
    }

    /// Writes what is to be remembered; trouble with that is told, not fatal.
    pub(super) fn save_settings(&mut self) {
        let Some(path) = &self.settings_path else {
            return;
        };
        let theme = (self.open.as_ref())
            .map(|open| open.ctx.options(|options| options.theme_preference))
            .or(self.settings.theme());
        let arrangement = (self.open.as_ref()).map_or_else(
            || self.settings.arrangement(),
            |open| open.ui.arrangement(&open.ctx),
        );
        let settings = Settings::of(&self.session, theme, self.window_settings, arrangement);
        if settings == self.settings {
            return;
        }
        if let Err(message) = settings::save(&settings, path) {
            self.session
                .apply(Command::Notify(Severity::Warning, message));
        }
        self.settings = settings;
    }

    fn remember_window(&mut self) {
        let Some(open) = &self.open else { return };
        let maximized = open.window.is_maximized();
        self.window_settings.maximized = maximized;
        let size: LogicalSize<f64> = open.size.to_logical(open.window.scale_factor());
        // A window shrunk to a stamp is not what anyone wants to start with.
        if !maximized && size.width >= 320.0 && size.height >= 240.0 {
            self.window_settings.width = size.width;
            self.window_settings.height = size.height;
        }
    }

    /// What is due at this moment, and when to wake up next.
    fn tick(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        if self.reload.retry_at.is_some_and(|at| at <= now) {
            self.sources_changed();
        }
        self.show_progress(now);
        if self.quit || self.failure.is_some() {
            event_loop.exit();
            return;
        }
        let hidden = self.open.as_ref().is_none_or(Open::is_hidden);
        if hidden {
            // The event that shows the window asks for a frame.
            self.redraw_at = None;
            self.last_advance = None;
        } else if self.redraw_at.is_some_and(|at| at <= now) {
            self.redraw_at = None;
            if let Some(open) = &self.open {
                open.window.request_redraw();
            }
        }
        let next = [self.redraw_at, self.progress_at, self.reload.retry_at];
        event_loop.set_control_flow(match next.into_iter().flatten().min() {
            Some(at) => ControlFlow::WaitUntil(at),
            None => ControlFlow::Wait,
        });
    }

    fn show_progress(&mut self, now: Instant) {
        let works = [self.analyst.fraction(), self.comparer.fraction()];
        if self.loader.current().is_none() && works == [None, None] {
            self.progress_at = None;
        } else if self.progress_at.is_none_or(|at| at <= now) {
            self.progress_at = Some(now + PROGRESS_INTERVAL);
            if let Some(fraction) = self.analyst.fraction()
                && self.session.analysis != Analysis::Running(fraction)
            {
                self.session.apply(Command::AnalysisProgress(fraction));
                self.redraw_now();
            }
            let comparing = self.comparer.fraction();
            if comparing.is_some() {
                self.session.apply(Command::ErrorsProgress(comparing));
                self.redraw_now();
            }
            if let Some(loading) = self.loader.loading()
                && self.session.loading.as_ref() != Some(&loading)
            {
                self.session.apply(Command::LoadProgress(loading));
                self.redraw_now();
            }
        }
    }
}

impl ApplicationHandler<AppEvent> for Shell {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_some() {
            return;
        }
        match self.open_window(event_loop) {
            Ok(open) => {
                let window = open.window.clone();
                self.open = Some(open);
                // The first picture before the window, so that it does not flash.
                self.draw(event_loop);
                window.set_visible(true);
                if self.window_settings.maximized {
                    // Some window managers do not hear it from a hidden window.
                    window.set_maximized(true);
                }
                self.redraw_now();
            }
            Err(error) => {
                self.failure = Some(error);
                event_loop.exit();
            }
        }
    }

    fn user_event(&mut self, _event_loop: &ActiveEventLoop, event: AppEvent) {
        match event {
            AppEvent::Accessibility(event) => self.accessibility(event.window_event),
            AppEvent::Loaded(loaded) => self.loaded(*loaded),
            AppEvent::Analysed { document, report } => self.analysed(document, report),
            AppEvent::ErrorsMeasured(measured) => self.errors_measured(measured),
            AppEvent::SourcesChanged => self.sources_changed(),
            AppEvent::FileChosen { answer, beside } => self.file_chosen(answer, beside),
            AppEvent::PictureSaved(saved) => self.picture_saved(saved),
            AppEvent::AnimationChosen(answer) => self.animation_chosen(answer),
            AppEvent::AnimationProgress(fraction) => self.animation_progress(fraction),
            AppEvent::AnimationSaved(saved) => self.animation_saved(saved),
            AppEvent::Trouble(message) => {
                self.perform(Command::Notify(Severity::Error, message));
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else { return };
        if matches!(event, WindowEvent::RedrawRequested) {
            self.draw(event_loop);
            return;
        }
        let response = open.input.on_window_event(&open.window, &event);
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => self.quit = true,
            WindowEvent::Occluded(occluded) => open.occluded = occluded,
            WindowEvent::DroppedFile(path) => self.dropped.push(path),
            WindowEvent::Resized(size) => {
                open.size = size;
                self.remember_window();
            }
            _ => {}
        }
        if response.repaint {
            self.redraw_now();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if !self.dropped.is_empty() {
            self.open_dropped();
        }
        self.tick(event_loop);
    }
}

/// Names the program to the desktop, which finds icon and groups by it.
#[cfg(all(unix, not(target_os = "macos")))]
fn with_app_id(attributes: WindowAttributes) -> WindowAttributes {
    use winit::platform::{wayland, x11};
    let attributes =
        wayland::WindowAttributesExtWayland::with_name(attributes, "rigscope", "rigscope");
    x11::WindowAttributesExtX11::with_name(attributes, "rigscope", "rigscope")
}

/// Other systems know programs by their files.
#[cfg(not(all(unix, not(target_os = "macos"))))]
fn with_app_id(attributes: WindowAttributes) -> WindowAttributes {
    attributes
}
