//! Saving the view as a PNG file.

use std::{
    env, io,
    path::{Path, PathBuf},
};

use crate::{export, render::Pixels, session::Session};

/// Encodes and writes; a failure leaves no half file under the name.
///
/// # Errors
/// A readable sentence with the path.
pub(super) fn write(pixels: &Pixels, path: &Path) -> Result<(), String> {
    export::png(pixels.width, pixels.height, &pixels.rgba)
        .and_then(|png| export::replace_file(path, &png))
        .map_err(|error| format!("Cannot write the picture ({error}): {}", path.display()))
}

/// Where pictures go unless a person says otherwise: the pictures folder, or
/// else the folder the program was started in.
pub(super) fn default_folder() -> PathBuf {
    directories::UserDirs::new()
        .and_then(|dirs| dirs.picture_dir().map(Path::to_owned))
        .filter(|folder| folder.is_dir())
        .or_else(|| env::current_dir().ok())
        .unwrap_or_default()
}

/// `hero_0.417s.png` for the playhead at 0.417 s of `hero.glb`.
pub(super) fn default_name(session: &Session) -> String {
    let name = session.document().map_or("", |document| &document.name);
    let stem = Path::new(name).file_stem();
    let stem = stem.map_or("rigscope".into(), |stem| stem.to_string_lossy());
    let time = session.character().map_or(0.0, |c| c.player.time_secs);
    format!("{stem}_{time:.3}s.png")
}

/// `hero_Walk.gif` for the clip `Walk` of `hero.glb`.
pub(super) fn animation_name(session: &Session) -> String {
    let name = session.document().map_or("", |document| &document.name);
    let stem = Path::new(name).file_stem();
    let stem = stem.map_or("rigscope".into(), |stem| stem.to_string_lossy());
    let clip = session.character().and_then(|c| Some(&*c.clip()?.name));
    // What a clip is called may be no file name anywhere.
    let clip: String = (clip.unwrap_or_default().chars())
        .map(|c| {
            if c.is_alphanumeric() || " -.".contains(c) {
                c
            } else {
                '_'
            }
        })
        .take(60)
        .collect();
    match clip.trim() {
        "" => format!("{stem}.gif"),
        clip => format!("{stem}_{clip}.gif"),
    }
}

/// A path in the folder that no file has yet: `name.png`, `name (2).png`, …
///
/// # Errors
/// Where even the thousandth is taken, which is a folder gone mad.
pub(super) fn free_path(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "png"));
    let names = (2..1000).map(|number| format!("{stem} ({number}).{extension}"));
    std::iter::once(name.to_owned())
        .chain(names)
        .map(|name| folder.join(name))
        .find(|path| !path.exists())
        .ok_or_else(|| io::Error::other("the folder holds too many pictures of this name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_collide_and_failures_name_the_path() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let picture = Pixels {
            width: 2,
            height: 1,
            rgba: vec![255, 0, 0, 255, 10, 20, 30, 40],
        };
        let first = free_path(folder.path(), "a_0.500s.png").expect("free");
        write(&picture, &first).expect("written");
        let second = free_path(folder.path(), "a_0.500s.png").expect("free");
        assert_eq!(second, folder.path().join("a_0.500s (2).png"));

        let nowhere = write(&picture, &folder.path().join("no/such/folder.png"));
        assert!(nowhere.is_err_and(|message| message.contains("folder.png")));
    }

    #[test]
    fn the_name_tells_file_and_time() {
        assert_eq!(default_name(&Session::default()), "rigscope_0.000s.png");
        let mut session = Session::default();
        assert_eq!(animation_name(&session), "rigscope.gif");
        let mut document = crate::import::built_in();
        document.name = "hero.glb".to_owned();
        document.clips[0].name = "Run/../fast: 歩く".to_owned();
        session.apply(crate::session::Command::LoadFinished {
            document: std::sync::Arc::new(document),
            path: None,
        });
        assert_eq!(animation_name(&session), "hero_Run_.._fast_ 歩く.gif");
    }
}
