//! The system's open and save dialogs, each on a thread of its own.

use std::{
    env,
    future::Future,
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rfd::{AsyncFileDialog, FileHandle};
use winit::window::Window;

use crate::import;

/// Nobody reads, decides and clicks in this time: a dialog that closes sooner
/// was never shown.
const NEVER_SHOWN: Duration = Duration::from_millis(300);

/// What a dialog gave: a path, nothing because it was cancelled, or why there
/// was no dialog.
pub(super) type Answer = Result<Option<PathBuf>, String>;

/// Asks for a file to open; `then` hears the answer on another thread.
///
/// # Errors
/// Where there is no other thread to be had; nobody hears anything then.
pub(super) fn open(
    window: &Window,
    folder: Option<&Path>,
    then: impl FnOnce(Answer) + Send + 'static,
) -> io::Result<()> {
    let mut dialog = AsyncFileDialog::new()
        .set_title("Open a character")
        .add_filter("Characters (glTF 2.0, OpenGEX)", &import::EXTENSIONS)
        .add_filter("All files", &["*"])
        .set_parent(window);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    ask(dialog.pick_file(), then)
}

/// What a save dialog is about.
pub(super) struct Saved {
    /// In the sentence "Cannot write the …".
    pub(super) what: &'static str,
    title: &'static str,
    /// Names of formats with their file endings.
    formats: &'static [(&'static str, &'static [&'static str])],
}

pub(super) const PICTURE: Saved = Saved {
    what: "picture",
    title: "Save picture",
    formats: &[("PNG", &["png"])],
};

pub(super) const ANIMATION: Saved = Saved {
    what: "animation",
    title: "Save animation",
    formats: &[
        ("GIF: 256 colours, shown everywhere", &["gif"]),
        ("APNG: all colours", &["apng"]),
        ("WebP: all colours, small", &["webp"]),
    ],
};

/// Asks where to write; like [`open`].
///
/// # Errors
/// As [`open`].
pub(super) fn save(
    window: &Window,
    saved: &Saved,
    folder: &Path,
    name: &str,
    then: impl FnOnce(Answer) + Send + 'static,
) -> io::Result<()> {
    let mut dialog = AsyncFileDialog::new()
        .set_title(saved.title)
        .set_directory(folder)
        .set_file_name(name)
        .set_parent(window);
    for &(format, endings) in saved.formats {
        dialog = dialog.add_filter(format, endings);
    }
    ask(dialog.save_file(), then)
}

fn ask(
    dialog: impl Future<Output = Option<FileHandle>> + Send + 'static,
    then: impl FnOnce(Answer) + Send + 'static,
) -> io::Result<()> {
    let work = move || {
        if !available() {
            return then(Err("the desktop offers no file dialog".to_owned()));
        }
        let asked = Instant::now();
        let chosen = pollster::block_on(dialog).map(|file| file.path().to_owned());
        if chosen.is_none() && asked.elapsed() < NEVER_SHOWN {
            return then(Err("the desktop's file dialog did not come up".to_owned()));
        }
        then(Ok(chosen));
    };
    thread::Builder::new().name("dialog".into()).spawn(work)?;
    Ok(())
}

/// Whether anything could show a dialog. On Linux that is the desktop portal,
/// reached over the session bus, or else zenity; asking an absent bus can take
/// half a minute to fail.
fn available() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let bus = env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some_and(|address| !address.is_empty())
        || env::var_os("XDG_RUNTIME_DIR")
            .is_some_and(|folder| Path::new(&folder).join("bus").exists());
    let zenity = env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join("zenity").exists()));
    bus || zenity
}
