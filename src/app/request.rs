//! What a session asks of its shell, and what comes back.

use std::{
    io,
    path::{Path, PathBuf},
    time::Instant,
};

use super::{
    animation, dialog,
    event::AppEvent,
    loader::Wanted,
    picture,
    reload::Reload,
    shell::{PROGRESS_INTERVAL, Shell},
};
use crate::{
    analysis::Effort,
    document::Severity,
    import,
    scene::{Stage, View, WeightView},
    session::{Command, Request, Saving},
};

impl Shell {
    pub(super) fn carry_out(&mut self, request: Request) {
        match request {
            Request::Load(path) => self.start_load(Wanted::Open(absolute(&path))),
            Request::Reload(path) => self.start_load(Wanted::Reload(path)),
            Request::SceneOpened => {
                self.loader.cancel();
                self.session.apply(Command::LoadCancelled);
                self.reload = Reload::default();
                self.framing_due = true;
                self.analyse(Effort::Usual);
            }
            Request::LoadBeside(path) => self.start_load(Wanted::Beside(absolute(&path))),
            Request::OpenBesideDialog => self.open_dialog(true),
            Request::LoadBuiltIn => self.start_load(Wanted::BuiltIn),
            Request::Analyse(effort) => self.analyse(effort),
            Request::OpenDialog => self.open_dialog(false),
            Request::SavePicture => self.save_picture(),
            Request::SaveAnimation => self.ask_for_animation(),
            Request::CancelSave => {
                // The thread answers when it has stopped.
                self.animation = None;
            }
            Request::CopyText(text) => {
                if let Some(open) = &mut self.open {
                    open.input.set_clipboard_text(text);
                }
            }
            Request::Quit => self.quit = true,
        }
    }

    fn start_load(&mut self, what: Wanted) {
        self.reload.retry_at = None;
        self.session.apply(Command::LoadCancelled);
        self.loader.start(what);
        self.progress_at = Some(Instant::now() + PROGRESS_INTERVAL);
    }

    /// Asks for a file to open, or to show beside the open one.
    fn open_dialog(&mut self, beside: bool) {
        let Some(open) = &self.open else { return };
        if !self.dialog_open {
            let folder = self.session.path.as_deref().and_then(Path::parent);
            let proxy = self.proxy.clone();
            let asked = dialog::open(&open.window, folder, move |answer| {
                let _ = proxy.send_event(AppEvent::FileChosen { answer, beside });
            });
            self.dialog_asked(asked);
        }
    }

    /// Draws the picture now and leaves the rest to a thread: asking where to,
    /// encoding, writing.
    fn save_picture(&mut self) {
        let Some(open) = &mut self.open else { return };
        let Some(graphics) = &mut open.graphics else {
            return;
        };
        if self.dialog_open {
            return;
        }
        let joint = animation::Joint::new(&self.session, open.ctx.pixels_per_point());
        let frames = core::iter::once(&self.frame).chain(&self.side_frames);
        let pictures: Result<Vec<_>, _> = frames.map(|frame| graphics.picture(frame)).collect();
        let pixels = match pictures {
            Ok(pictures) => joint.join(&pictures),
            Err(error) => {
                let message = format!("Cannot draw the picture: {error}");
                return self.perform(Command::Notify(Severity::Error, message));
            }
        };
        let name = picture::default_name(&self.session);
        let proxy = self.proxy.clone();
        self.ask_where(&dialog::PICTURE, name, move |path| {
            let saved = path.and_then(|path| match path {
                Some(path) => picture::write(&pixels, &path).map(|()| Some(path)),
                None => Ok(None),
            });
            let _ = proxy.send_event(AppEvent::PictureSaved(saved));
        });
    }

    /// Stages and views as they are seen, A's first; of an overlay there is one.
    fn shown_sides(&self) -> Vec<(Stage, View)> {
        let session = &self.session;
        let view = |side: usize| {
            let mut view = session.side_view(side).into_owned();
            view.hovered_joint = None;
            if view.weight_view == Some(WeightView::Difference) {
                // Its numbers are those of one moment.
                (view.weight_view, view.numbers) = (None, None);
            }
            view
        };
        let first = session.overlay_stage();
        let first = first.unwrap_or_else(|| session.stage.clone());
        let others = session.comparison.iter().flat_map(|c| &c.sides);
        let others = others.take(self.side_frames.len()).enumerate();
        let others = others.map(|(index, side)| (side.stage.clone(), view(index + 1)));
        core::iter::once((first, view(0))).chain(others).collect()
    }

    /// Asks where to; drawing begins with the answer.
    fn ask_for_animation(&mut self) {
        if self.dialog_open || self.session.saving.is_some() {
            return;
        }
        let name = picture::animation_name(&self.session);
        let proxy = self.proxy.clone();
        self.ask_where(&dialog::ANIMATION, name, move |path| {
            let _ = proxy.send_event(AppEvent::AnimationChosen(path));
        });
    }

    /// Asks for a place to write to; `then` hears it on another thread. Where there is
    /// no dialog, a free name in the pictures folder will do.
    fn ask_where(
        &mut self,
        saved: &'static dialog::Saved,
        name: String,
        then: impl FnOnce(dialog::Answer) + Send + 'static,
    ) {
        let Some(open) = &self.open else { return };
        let folder = picture::default_folder();
        let asked = dialog::save(
            &open.window,
            saved,
            &folder.clone(),
            &name.clone(),
            move |answer| {
                then(answer.or_else(|_| {
                    picture::free_path(&folder, &name)
                        .map(Some)
                        .map_err(|error| format!("Cannot write the {}: {error}", saved.what))
                }));
            },
        );
        self.dialog_asked(asked);
    }

    pub(super) fn animation_chosen(&mut self, answer: Result<Option<PathBuf>, String>) {
        self.dialog_open = false;
        let path = match answer {
            Ok(Some(path)) => animation::with_ending(path),
            Ok(None) => return,
            Err(message) => return self.perform(Command::Notify(Severity::Error, message)),
        };
        let pixels_per_point = (self.open.as_ref()).map_or(1.0, |open| open.ctx.pixels_per_point());
        let shot = animation::Shot {
            sides: self.shown_sides(),
            joint: animation::Joint::new(&self.session, pixels_per_point),
            size: self.view_pixels.map(|side| side.max(1)),
            pixels_per_point,
        };
        match animation::Job::start(shot, path.clone(), self.proxy.clone()) {
            Ok(job) => {
                self.animation = Some(job);
                let fraction = 0.0;
                self.perform(Command::SaveProgress(Some(Saving { path, fraction })));
            }
            Err(error) => {
                let message = format!("Cannot start a thread to draw an animation: {error}");
                self.perform(Command::Notify(Severity::Error, message));
            }
        }
    }

    pub(super) fn animation_progress(&mut self, fraction: f32) {
        if let Some(saving) = &self.session.saving {
            let path = saving.path.clone();
            self.session
                .apply(Command::SaveProgress(Some(Saving { path, fraction })));
            self.redraw_now();
        }
    }

    pub(super) fn animation_saved(&mut self, saved: Result<Option<PathBuf>, String>) {
        self.animation = None;
        self.perform(Command::SaveProgress(None));
        let (severity, message) = match saved {
            Ok(Some(path)) => (
                Severity::Info,
                format!("Animation written: {}", path.display()),
            ),
            Ok(None) => return,
            Err(message) => (Severity::Error, message),
        };
        self.perform(Command::Notify(severity, message));
    }

    fn dialog_asked(&mut self, asked: io::Result<()>) {
        self.dialog_open = asked.is_ok();
        if let Err(error) = asked {
            let message = format!("Cannot start a thread for a dialog: {error}");
            self.perform(Command::Notify(Severity::Error, message));
        }
    }

    pub(super) fn file_chosen(&mut self, answer: dialog::Answer, beside: bool) {
        self.dialog_open = false;
        match answer {
            Ok(Some(path)) if beside => self.perform(Command::OpenBeside(path)),
            Ok(Some(path)) => self.perform(Command::Open(path)),
            Ok(None) => {}
            Err(reason) => self.perform(Command::Notify(
                Severity::Warning,
                format!(
                    "There is no file dialog to show: {reason}. Drop a file on the window, \
                     or name it on the command line: rigscope FILE"
                ),
            )),
        }
    }

    pub(super) fn picture_saved(&mut self, saved: Result<Option<PathBuf>, String>) {
        self.dialog_open = false;
        match saved {
            Ok(Some(path)) => {
                let message = format!("Picture written: {}", path.display());
                self.perform(Command::Notify(Severity::Info, message));
            }
            Ok(None) => {}
            Err(message) => self.perform(Command::Notify(Severity::Error, message)),
        }
    }

    /// Opens the first dropped file that could be a character; a second one beside it.
    pub(super) fn open_dropped(&mut self) {
        let dropped = std::mem::take(&mut self.dropped);
        let supported = |path: &&PathBuf| {
            path.extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| {
                    import::EXTENSIONS
                        .iter()
                        .any(|known| known.eq_ignore_ascii_case(extension))
                })
        };
        let mut usable = dropped.iter().filter(supported);
        if let Some(path) = usable.next() {
            self.beside = usable.next().cloned();
            self.perform(Command::Open(path.clone()));
        } else if let Some(path) = dropped.first() {
            let message = format!(
                "rigscope reads glTF 2.0 (.glb and .gltf) and OpenGEX (.ogex), not this: {}",
                path.display()
            );
            self.perform(Command::Notify(Severity::Warning, message));
        }
    }
}

/// Relative paths would lose their meaning in the recent list.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
