//! An X server with a screen, and the program on it.

use std::{
    cell::RefCell,
    ffi::OsStr,
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use image::RgbImage;
use serde::Deserialize;
use x11rb::{
    protocol::xproto::{ClientMessageEvent, ConnectionExt as _, EventMask},
    wrapper::ConnectionExt as _,
};

use super::{SOON, drop::Source};

const PACKAGES: &str = "on Debian: apt install xvfb xdotool imagemagick libxkbcommon-x11-0 \
                        mesa-vulkan-drivers libvulkan1";

/// An X server that ends with the test, and a folder for its files.
pub struct Desk {
    server: Child,
    display: String,
    folder: tempfile::TempDir,
}

/// The program, running.
pub struct App {
    child: RefCell<Child>,
    trace: PathBuf,
    window: u32,
}

/// A line of the program's trace.
#[derive(Debug, Clone, Deserialize)]
pub struct State {
    pub frames: u64,
    pub time: f32,
    pub name: String,
    pub path: Option<PathBuf>,
    pub joints: usize,
    pub playing: bool,
    pub interpolation: String,
    pub messages: Vec<String>,
    pub recent: Vec<PathBuf>,
    pub window_pixels: [u32; 2],
    pub view_points: [f32; 4],
}

/// What the screen shows.
#[derive(PartialEq)]
pub struct Screenshot(RgbImage);

impl Screenshot {
    /// Whether a square of the picture is more than one flat colour or gradient.
    pub fn has_detail(&self, [x, y]: [f32; 2], size: u32) -> bool {
        let (x, y) = (x.max(0.0) as u32, y.max(0.0) as u32);
        let crop = image::imageops::crop_imm(&self.0, x, y, size, size).to_image();
        let brightness =
            |pixel: &image::Rgb<u8>| pixel.0.iter().map(|&c| u32::from(c)).sum::<u32>();
        let darkest = crop.pixels().map(brightness).min().unwrap_or(0);
        let brightest = crop.pixels().map(brightness).max().unwrap_or(0);
        brightest > darkest + 150
    }
}

impl Desk {
    pub fn new() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24"])
            // Without -noreset the server starts over whenever its last client goes,
            // which every xdotool does.
            .args(["-nolisten", "tcp", "-ac", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("Xvfb does not start ({error}); {PACKAGES}"));
        let mut number = String::new();
        let output = server.stdout.take().expect("stdout is piped");
        BufReader::new(output)
            .read_line(&mut number)
            .expect("Xvfb tells its display");
        assert!(!number.trim().is_empty(), "Xvfb found no free display");
        Self {
            server,
            display: format!(":{}", number.trim()),
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn settings_path(&self) -> PathBuf {
        self.folder().join("config/settings.json")
    }

    /// The one PNG file that the program wrote into its working folder.
    pub fn saved_picture(&self) -> RgbImage {
        let entries = fs::read_dir(self.folder()).expect("the folder is listed");
        let pictures: Vec<PathBuf> = entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| {
                path.extension().is_some_and(|extension| extension == "png")
                    && !path.ends_with("screen.png")
            })
            .collect();
        assert_eq!(pictures.len(), 1, "{pictures:?}");
        image::open(&pictures[0]).expect("a PNG").into_rgb8()
    }

    /// Starts the program and waits for its window.
    pub fn start(&self, arguments: &[&OsStr]) -> App {
        let trace = self.folder().join("trace.jsonl");
        let _ = fs::remove_file(&trace);
        let child = Command::new(env!("CARGO_BIN_EXE_rigscope"))
            .args(arguments)
            .current_dir(self.folder())
            .env("DISPLAY", &self.display)
            .env("HOME", self.folder())
            .env("XDG_RUNTIME_DIR", self.folder())
            .env("RIGSCOPE_CONFIG_DIR", self.folder().join("config"))
            .env("RIGSCOPE_TRACE", &trace)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET")
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .spawn()
            .expect("the binary starts");
        let mut app = App {
            child: RefCell::new(child),
            trace,
            window: 0,
        };
        self.wait_for(SOON, "a window", || {
            assert_eq!(
                app.finished(),
                None,
                "the program ended before its window came"
            );
            let found = self.xdotool(&["search", "--onlyvisible", "--class", "^rigscope$"]);
            let Some(window) = found.lines().next().and_then(|line| line.parse().ok()) else {
                return false;
            };
            app.window = window;
            true
        });
        // Without a window manager nobody else gives it the keyboard.
        self.xdotool(&["windowfocus", "--sync", &app.window.to_string()]);
        app
    }

    /// What xdotool prints; an exit code means no more than "found nothing".
    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.display)
            .output()
            .unwrap_or_else(|error| panic!("xdotool does not start ({error}); {PACKAGES}"));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub fn window_title(&self, app: &App) -> String {
        let title = self.xdotool(&["getwindowname", &app.window.to_string()]);
        title.trim().to_owned()
    }

    pub fn key(&self, app: &App, key: &str) {
        self.xdotool(&["windowfocus", &app.window.to_string()]);
        self.xdotool(&["key", key]);
    }

    /// Presses the left button at one place of the window and lets go at another.
    pub fn drag(&self, app: &App, from: [u32; 2], to: [u32; 2]) {
        let window = app.window.to_string();
        let move_to = |[x, y]: [u32; 2]| {
            self.xdotool(&[
                "mousemove",
                "--window",
                &window,
                &x.to_string(),
                &y.to_string(),
            ]);
            // The pointer needs a frame at each place to be noticed there.
            thread::sleep(Duration::from_millis(150));
        };
        move_to(from);
        self.xdotool(&["mousedown", "1"]);
        thread::sleep(Duration::from_millis(150));
        for step in 1..=5 {
            move_to([0, 1].map(|axis| (from[axis] * (5 - step) + to[axis] * step) / 5));
        }
        self.xdotool(&["mouseup", "1"]);
    }

    pub fn resize(&self, app: &App, [width, height]: [u32; 2]) {
        let size = [width.to_string(), height.to_string()];
        self.xdotool(&["windowsize", &app.window.to_string(), &size[0], &size[1]]);
    }

    /// Asks the program to close the window, as a window manager does when its
    /// close button is pressed (ICCCM 4.2.8.1).
    pub fn ask_to_close(&self, app: &App) {
        let (x, _) = x11rb::connect(Some(&self.display)).expect("the X server answers");
        let atom = |name: &[u8]| {
            let cookie = x.intern_atom(false, name).expect("sent");
            cookie.reply().expect("answered").atom
        };
        let data = [atom(b"WM_DELETE_WINDOW"), x11rb::CURRENT_TIME, 0, 0, 0];
        let event = ClientMessageEvent::new(32, app.window, atom(b"WM_PROTOCOLS"), data);
        x.send_event(false, app.window, EventMask::NO_EVENT, event)
            .expect("sent");
        // The server may drop what a client sent last if the client is gone.
        x.sync().expect("handled");
    }

    /// Drags files over the window; they are dropped by [`Source::release`].
    pub fn carry(&self, app: &App) -> Source {
        Source::new(&self.display, app.window)
    }

    pub fn screenshot(&self) -> Screenshot {
        let path = self.folder().join("screen.png");
        let status = Command::new("import")
            .args(["-window", "root", "-display", &self.display])
            .arg(&path)
            .status()
            .unwrap_or_else(|error| panic!("import does not start ({error}); {PACKAGES}"));
        assert!(status.success(), "import took no picture");
        Screenshot(image::open(&path).expect("a PNG").into_rgb8())
    }

    pub fn wait_for_other_picture(&self, before: &Screenshot, what: &str) {
        self.wait_for(SOON, what, || self.screenshot() != *before);
    }

    pub fn wait_for(&self, limit: Duration, what: &str, mut done: impl FnMut() -> bool) {
        wait_for(limit, what, &mut done);
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl App {
    /// The last line of the trace.
    pub fn state(&self) -> State {
        self.last_state().expect("the program traced its state")
    }

    fn last_state(&self) -> Option<State> {
        let text = fs::read_to_string(&self.trace).ok()?;
        let whole = &text[..=text.rfind('\n')?];
        serde_json::from_str(whole.lines().last()?).ok()
    }

    /// The first state traced from now on that fits, or the present one.
    pub fn wait(&self, what: &str, fits: impl Fn(&State) -> bool) -> State {
        let mut found = None;
        let what = format!("{what}; last: {{state}}");
        let began = Instant::now();
        while found.is_none() {
            let state = self.last_state();
            if began.elapsed() > SOON {
                panic!(
                    "waited in vain for {}",
                    what.replace("{state}", &format!("{state:?}"))
                );
            }
            assert_eq!(
                self.finished(),
                None,
                "the program ended while waiting for {what}"
            );
            found = state.filter(&fits);
            thread::sleep(Duration::from_millis(20));
        }
        found.expect("the loop ends with one")
    }

    /// Waits until nothing has been drawn for a second, and returns the number of
    /// frames drawn until then.
    pub fn settled(&self) -> u64 {
        let began = Instant::now();
        let mut frames = self.cpu_ticks();
        loop {
            thread::sleep(Duration::from_secs(1));
            let now = self.cpu_ticks();
            if now - frames <= 1 {
                return self.state().frames;
            }
            assert!(began.elapsed() < SOON, "the program never rests");
            frames = now;
        }
    }

    /// Share of one core used during this time.
    pub fn cpu_share(&self, time: Duration) -> f64 {
        let (began, before) = (Instant::now(), self.cpu_ticks());
        thread::sleep(time);
        // Linux counts a hundred ticks a second for user space on every machine.
        (self.cpu_ticks() - before) as f64 / 100.0 / began.elapsed().as_secs_f64()
    }

    /// User and system time of all threads, from `/proc/PID/stat`.
    fn cpu_ticks(&self) -> u64 {
        let path = format!("/proc/{}/stat", self.child.borrow().id());
        let stat = fs::read_to_string(path).expect("the program runs");
        // The name in parentheses may hold spaces; fields are counted after it.
        let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
        let field = |index: usize| -> u64 {
            let text = fields.split_whitespace().nth(index - 3);
            text.and_then(|text| text.parse().ok()).expect("a number")
        };
        field(14) + field(15)
    }

    fn finished(&self) -> Option<i32> {
        let status = self.child.borrow_mut().try_wait().expect("a child of ours");
        status.map(|status| status.code().unwrap_or(-1))
    }

    /// Waits for the end; quitting must not take long.
    pub fn exit_code(&self) -> Option<i32> {
        wait_for(Duration::from_secs(10), "the program to end", &mut || {
            self.finished().is_some()
        });
        self.finished()
    }
}

impl Drop for App {
    fn drop(&mut self) {
        let child = self.child.get_mut();
        let _ = child.kill();
        let _ = child.wait();
    }
}

pub fn wait_for(limit: Duration, what: &str, done: &mut dyn FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < limit, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(50));
    }
}
