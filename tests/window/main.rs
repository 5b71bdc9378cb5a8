//! The real binary in a real window, on an X server of the test's own.
//!
//! What the window shows is looked at (`import` of `ImageMagick` takes pictures of
//! the screen); what it means by that is read from `RIGSCOPE_TRACE`. Mouse and
//! keys come from `xdotool`.
#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]
#![cfg(target_os = "linux")]

mod desk;
mod drop;
mod file;

use std::{fs, time::Duration};

use desk::Desk;
use file::rig;

/// How long a step may take on a machine that is busy with other tests.
const SOON: Duration = Duration::from_secs(60);

#[test]
fn the_built_in_character_plays_pauses_scrubs_and_closes() {
    let desk = Desk::new();
    let app = desk.start(&[]);
    let open = app.wait("the built-in character walks", |state| {
        state.joints >= 20 && state.playing && state.path.is_none()
    });
    assert_eq!(desk.window_title(&app), "rigscope");

    let before = desk.screenshot();
    app.wait("time runs", |state| state.time != open.time);
    desk.wait_for_other_picture(&before, "the character moves");

    desk.key(&app, "space");
    app.wait("space stops time", |state| !state.playing);
    let frames = app.settled();
    let before = desk.screenshot();
    let cpu = app.cpu_share(Duration::from_secs(2));
    assert!(
        cpu < 0.03,
        "paused and untouched it uses {:.1} % of a core",
        cpu * 100.0
    );
    assert!(
        before == desk.screenshot(),
        "paused, but the picture changed"
    );
    assert_eq!(app.state().frames, frames, "paused, but frames were drawn");

    // The timeline's track lies along the lower edge.
    let [width, height] = app.state().window_pixels;
    let y = height - 30;
    desk.drag(&app, [width / 4, y], [width * 3 / 4, y]);
    let scrubbed = app.wait("a drag on the timeline moves the playhead", |state| {
        // About three quarters of the walk's 0.75 s.
        (0.45..0.68).contains(&state.time)
    });
    assert!(!scrubbed.playing);
    desk.wait_for_other_picture(&before, "scrubbing shows another pose");

    // Scrubbing works while it plays too, and so does a change of mode.
    desk.key(&app, "space");
    app.wait("space runs time", |state| state.playing);
    desk.key(&app, "l");
    app.wait("the mode changes while it plays", |state| {
        state.interpolation == "step" && state.playing
    });

    // No desktop here, so no dialogs: a hint for one, the working folder for the other.
    desk.key(&app, "ctrl+o");
    app.wait("a hint how to open files without a dialog", |state| {
        state
            .messages
            .iter()
            .any(|text| text.contains("rigscope FILE"))
    });
    desk.key(&app, "ctrl+s");
    let saved = app.wait("a picture is written", |state| {
        state
            .messages
            .iter()
            .any(|text| text.contains("Picture written"))
    });
    let [left, top, right, bottom] = saved.view_points;
    let picture = desk.saved_picture();
    assert_eq!(
        picture.dimensions(),
        ((right - left) as u32, (bottom - top) as u32)
    );

    desk.resize(&app, [120, 90]);
    app.wait("tiny", |state| state.window_pixels == [120, 90]);
    desk.resize(&app, [1, 1]);
    app.wait("one pixel", |state| state.window_pixels == [1, 1]);
    desk.resize(&app, [1000, 700]);
    let back = app.wait("large again", |state| state.window_pixels == [1000, 700]);
    assert_eq!(back.interpolation, "step");
    desk.wait_for(SOON, "the view is drawn after all that", || {
        let [left, top, right, bottom] = app.state().view_points;
        let picture = desk.screenshot();
        let middle = [(left + right) / 2.0, (top + bottom) / 2.0];
        picture.has_detail([middle[0] - 80.0, middle[1] - 80.0], 160)
    });

    desk.ask_to_close(&app);
    assert_eq!(app.exit_code(), Some(0));
}

#[test]
fn files_open_reload_and_are_remembered() {
    let desk = Desk::new();
    let first = desk.folder().join("first.gltf");
    fs::write(&first, rig(3, 0)).expect("written");
    let app = desk.start(&[first.as_os_str()]);
    let open = app.wait("the file named on the command line opens", |state| {
        state.name == "first.gltf" && state.joints == 3
    });
    assert_eq!(open.recent, std::slice::from_ref(&first));
    assert_eq!(desk.window_title(&app), "first.gltf — rigscope");
    desk.key(&app, "space");
    app.wait("paused", |state| !state.playing);
    app.settled();
    let before = desk.screenshot();

    // Rewritten in place: the window follows.
    fs::write(&first, rig(5, 1)).expect("written");
    let reloaded = app.wait("a rewritten file is read again", |state| state.joints == 5);
    assert_eq!(reloaded.messages, ["Reloaded first.gltf"]);
    assert!(
        !reloaded.playing,
        "a reload keeps what plays and what does not"
    );
    desk.wait_for_other_picture(&before, "the window shows the new version");
    app.settled();

    // Half a file: the old version stays and a message says why, after a while.
    let before = desk.screenshot();
    let whole = rig(7, 0);
    fs::write(&first, &whole[..whole.len() / 2]).expect("written");
    let complaint = |text: &String| text.contains("stays open");
    let broken = app.wait("a message about the broken file", |state| {
        state.messages.iter().any(complaint)
    });
    assert_eq!(broken.joints, 5, "the old version stays open");
    let message = broken.messages.iter().find(|text| complaint(text));
    let message = message.expect("waited for it");
    assert!(message.contains("first.gltf"), "{message}");
    desk.wait_for_other_picture(&before, "the message is shown");

    // Replaced by renaming, as editors do: the message goes.
    let neighbour = desk.folder().join("first.gltf.new");
    fs::write(&neighbour, &whole).expect("written");
    fs::rename(&neighbour, &first).expect("renamed");
    app.wait("the mended file is read", |state| {
        state.joints == 7 && !state.messages.iter().any(complaint)
    });

    desk.key(&app, "ctrl+q");
    assert_eq!(app.exit_code(), Some(0));

    // The next start remembers, and a second file opens by argument.
    let second = desk.folder().join("second.gltf");
    fs::write(&second, rig(2, 0)).expect("written");
    let app = desk.start(&[second.as_os_str()]);
    let open = app.wait("the second file opens", |state| state.name == "second.gltf");
    assert_eq!(open.recent, [second, first]);

    desk.ask_to_close(&app);
    assert_eq!(app.exit_code(), Some(0));
}

#[test]
fn a_buffer_beside_the_file_is_watched_and_failures_leave_a_window() {
    let desk = Desk::new();
    let path = desk.folder().join("split.gltf");
    let buffer = desk.folder().join("split.bin");
    let (json, bytes) = file::split_rig(4, "split.bin", 1.0);
    fs::write(&buffer, bytes).expect("written");
    fs::write(&path, json).expect("written");
    let app = desk.start(&[path.as_os_str()]);
    app.wait("it opens", |state| {
        state.joints == 4 && state.messages.is_empty()
    });
    desk.key(&app, "space");
    app.wait("paused", |state| !state.playing);
    app.settled();
    let before = desk.screenshot();
    let (_, bytes) = file::split_rig(4, "split.bin", 3.0);
    fs::write(&buffer, bytes).expect("written");
    desk.wait_for_other_picture(&before, "a changed buffer changes the picture");
    desk.ask_to_close(&app);
    assert_eq!(app.exit_code(), Some(0));

    // A broken file and a settings file that is broken: a window with a message each.
    fs::write(desk.settings_path(), "{ not json").expect("written");
    let broken = desk.folder().join("broken.glb");
    fs::write(&broken, "not a character").expect("written");
    let app = desk.start(&[broken.as_os_str()]);
    let failed = app.wait("both messages", |state| state.messages.len() == 2);
    assert!(
        failed
            .messages
            .iter()
            .any(|text| text.contains("broken.glb"))
    );
    assert!(
        failed
            .messages
            .iter()
            .any(|text| text.contains("settings.json"))
    );
    desk.ask_to_close(&app);
    assert_eq!(app.exit_code(), Some(0));
    let settings = fs::read_to_string(desk.settings_path()).expect("settings were written");
    assert!(settings.contains("\"panels\""), "{settings}");
}

#[test]
fn files_dropped_on_the_window_open() {
    let desk = Desk::new();
    let app = desk.start(&[]);
    app.wait("the built-in character", |state| state.joints >= 20);
    desk.key(&app, "space");
    app.wait("paused", |state| !state.playing);
    app.settled();
    let before = desk.screenshot();

    let notes = desk.folder().join("notes.txt");
    let dropped = desk.folder().join("dropped.GLTF");
    fs::write(&notes, "not a character").expect("written");
    fs::write(&dropped, rig(6, 0)).expect("written");
    let files = [notes.as_path(), dropped.as_path()];
    let source = desk.carry(&app);
    source.hover(&files, [600, 300]);
    desk.wait_for_other_picture(&before, "a hint while files are held over it");
    source.release(&files);
    let open = app.wait("the first file of a known kind opens", |state| {
        state.joints == 6
    });
    assert_eq!(open.path.as_deref(), Some(dropped.as_path()));
    assert!(open.playing, "another file starts to play");

    let files = [notes.as_path()];
    let source = desk.carry(&app);
    source.hover(&files, [600, 300]);
    source.release(&files);
    let refused = app.wait("a message about the other kind", |state| {
        !state.messages.is_empty()
    });
    assert_eq!(refused.joints, 6, "what was open stays open");
    assert!(
        refused.messages[0].contains("notes.txt"),
        "{:?}",
        refused.messages
    );
    desk.ask_to_close(&app);
    assert_eq!(app.exit_code(), Some(0));
}

#[test]
fn without_a_display_there_is_a_message_and_exit_code_2() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_rigscope"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .expect("the binary starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("no display"), "{message}");
    assert!(!message.contains(".rs"), "{message}");
    assert!(message.contains("rigscope render"), "{message}");
}
