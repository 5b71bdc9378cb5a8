//! From process start to a PNG on disk: `rigscope render` beside `f3d`, in turns.
//!
//! f3d (Debian package `f3d`) draws the bind pose by OpenGL and needs a display, so
//! an Xvfb is started before the clock. Both draw with Mesa's software rasteriser
//! where the machine has no graphics card.
//!
//! The built-in character takes turns with them: its first picture may take a tenth
//! longer than that of `CesiumMan`. Of both it also prints what the very first start costs,
//! when Mesa has compiled no shader yet.
#![allow(clippy::panic, reason = "a panic is how a bench fails")]

use std::{
    io::Read as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

const SIZE: &str = "640,480";
const ROUNDS: usize = 9;
/// Our time over f3d's, minima.
const TARGET: f64 = 0.60;
/// The built-in character's time over that of `CesiumMan`, minima.
const BUILT_IN_TARGET: f64 = 1.10;
/// Starts without compiled shaders.
const COLD_ROUNDS: usize = 3;

/// What one run took.
struct Run {
    secs: f64,
    /// Largest resident set.
    mib: f64,
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = root.join("../shared/corpus/gltf/CesiumMan.glb");
    let (name, model) = if corpus.is_file() {
        ("CesiumMan", corpus)
    } else {
        println!("startup: ../shared is absent, the built-in character stands in for CesiumMan");
        ("mannequin", root.join("assets/mannequin.glb"))
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let picture = |name: &str| folder.path().join(name);

    let render = |file: Option<&Path>, cache: Option<&Path>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
        command.arg("render").args(file);
        command.args(["--size", &SIZE.replace(',', "x")]);
        command.arg("-o").arg(picture("ours.png"));
        command.envs(cache.map(|folder| ("MESA_SHADER_CACHE_DIR", folder)));
        measure(command, &picture("ours.png"))
    };
    let ours = || render(Some(&model), None);
    let display = f3d_version().and_then(|version| {
        println!("startup: against {version}");
        Display::start()
    });
    let theirs = |display: &Display| {
        let mut command = Command::new("f3d");
        command.args(["--dry-run", "--quiet", "--resolution", SIZE, "--output"]);
        command.arg(picture("theirs.png")).arg(&model);
        command.env("DISPLAY", &display.name);
        measure(command, &picture("theirs.png"))
    };

    let (mut our_runs, mut their_runs) = (Vec::new(), Vec::new());
    let mut built_in_runs = Vec::new();
    // The first round warms the file cache.
    for round in 0..=ROUNDS {
        let our_run = ours();
        let their_run = display.as_ref().map(&theirs);
        let built_in_run = render(None, None);
        if round > 0 {
            built_in_runs.push(built_in_run);
            our_runs.push(our_run);
            their_runs.extend(their_run);
        }
    }
    let size = SIZE.replace(',', "x");
    let ratio = best(&built_in_runs) / best(&our_runs);
    println!(
        "startup/built-in {size}: {}, over {name} {ratio:.2} (target {BUILT_IN_TARGET:.2}) {}",
        summary(&built_in_runs),
        verdict(ratio <= BUILT_IN_TARGET),
    );
    for (name, file) in [(name, Some(model.as_path())), ("built-in", None)] {
        let cold = |_| {
            let cache = tempfile::tempdir().expect("a temporary folder");
            render(file, Some(cache.path()))
        };
        let runs: Vec<Run> = (0..COLD_ROUNDS).map(cold).collect();
        println!("startup/{name}, no shader compiled yet: {}", summary(&runs));
    }
    print!("startup/{name} {size}: ours {}", summary(&our_runs));
    if their_runs.is_empty() {
        println!(" (f3d or Xvfb is not here: nothing to compare with; install f3d, xvfb)");
        return;
    }
    let ratio = best(&our_runs) / best(&their_runs);
    let lighter = peak(&our_runs) <= peak(&their_runs);
    println!(
        ", f3d {}, ratio {ratio:.2} (target {TARGET:.2}) {}, memory {}",
        summary(&their_runs),
        verdict(ratio <= TARGET),
        verdict(lighter),
    );
}

fn verdict(good: bool) -> &'static str {
    if good { "ok" } else { "MISSED" }
}

fn best(runs: &[Run]) -> f64 {
    runs.iter()
        .map(|run| run.secs)
        .fold(f64::INFINITY, f64::min)
}

fn peak(runs: &[Run]) -> f64 {
    runs.iter().map(|run| run.mib).fold(0.0, f64::max)
}

/// `0.35 s (median 0.40) 120 MiB`.
fn summary(runs: &[Run]) -> String {
    let mut secs: Vec<f64> = runs.iter().map(|run| run.secs).collect();
    secs.sort_by(f64::total_cmp);
    let median = secs[secs.len() / 2];
    format!(
        "{:.3} s (median {median:.3}) {:.0} MiB",
        secs[0],
        peak(runs)
    )
}

/// Runs to the end; the picture must be there then.
fn measure(mut command: Command, picture: &Path) -> Run {
    let _ = std::fs::remove_file(picture);
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (status, peak_kib) = wait(&mut child);
    let secs = start.elapsed().as_secs_f64();
    if !status.success() {
        // Short enough to have waited in the pipe.
        let mut said = String::new();
        let _ = child
            .stderr
            .take()
            .map(|mut pipe| pipe.read_to_string(&mut said));
        panic!("{command:?} failed: {status}\n{said}");
    }
    assert!(
        picture.is_file(),
        "{command:?} wrote no {}",
        picture.display()
    );
    Run {
        secs,
        mib: peak_kib as f64 / 1024.0,
    }
}

/// Waits for the end, reading the peak of resident memory on the way: the kernel
/// keeps it in `/proc` as long as the process lives. 0 where there is no `/proc`.
fn wait(child: &mut Child) -> (std::process::ExitStatus, u64) {
    let status_file = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak_kib = 0;
    loop {
        if let Some(status) = child.try_wait().expect("our own child") {
            return (status, peak_kib);
        }
        let text = std::fs::read_to_string(&status_file).unwrap_or_default();
        let high_water = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = high_water.and_then(|text| text.split_whitespace().next()?.parse().ok());
        peak_kib = peak_kib.max(kib.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn f3d_version() -> Option<String> {
    let output = Command::new("f3d").arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .find(|line| !line.trim().is_empty())
        .map(|line| line.trim().to_owned())
}

/// An X server without a screen, ended with this value.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Lets the server choose a free number, which it writes once it is ready.
    fn start() -> Option<Self> {
        use std::io::{BufRead as _, BufReader};
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x800x24",
                "-nolisten",
                "tcp",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut line = String::new();
        let stdout = server.stdout.take()?;
        BufReader::new(stdout).read_line(&mut line).ok()?;
        let name = format!(":{}", line.trim());
        Some(Self { server, name })
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
