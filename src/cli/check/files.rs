//! From paths to the files to check.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

use super::Source;
use crate::import::EXTENSIONS;

/// The files that `paths` name, in their order; those below a folder sorted by name,
/// each once. A file that is named is taken whatever it is called; of a folder those
/// whose names end like a model's. Links to folders inside a folder are not followed,
/// so that no loop of them matters.
pub(super) fn collect(paths: &[PathBuf]) -> Vec<Source> {
    let mut sources = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = sources.len();
            below(path, &mut sources);
            if sources.len() == before {
                let ends = EXTENSIONS.map(|end| format!(".{end}")).join(", ");
                let reason = format!("no model below this folder ({ends})");
                sources.push(Source::Trouble(path.clone(), reason));
            }
        } else {
            // Also what is not there: reading it says why.
            sources.push(Source::File(path.clone()));
        }
    }
    let mut seen = HashSet::new();
    sources.retain(|source| match source {
        Source::File(path) => seen.insert(path.clone()),
        Source::BuiltIn | Source::Trouble(..) => true,
    });
    sources
}

fn below(folder: &Path, sources: &mut Vec<Source>) {
    for entry in WalkDir::new(folder).sort_by_file_name() {
        match entry {
            Ok(entry) => {
                let path = entry.path();
                // Asks what a link leads to.
                if is_model(path) && path.is_file() {
                    sources.push(Source::File(path.to_owned()));
                }
            }
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                let reason = match error.io_error() {
                    Some(error) => format!("cannot read the folder: {error}"),
                    None => "cannot read the folder: links run in a circle".to_owned(),
                };
                sources.push(Source::Trouble(path, reason));
            }
        }
    }
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    EXTENSIONS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn names(sources: &[Source], root: &Path) -> Vec<String> {
        let name = |path: &Path| {
            let path = path.strip_prefix(root).unwrap_or(path);
            path.display().to_string()
        };
        sources
            .iter()
            .map(|source| match source {
                Source::File(path) => name(path),
                Source::Trouble(path, reason) => format!("{}: {reason}", name(path)),
                Source::BuiltIn => "built in".to_owned(),
            })
            .collect()
    }

    #[test]
    fn folders_are_sorted_and_each_file_comes_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        fs::create_dir_all(root.join("b/deep")).expect("made");
        for name in ["b/deep/x.GLB", "a.glb", "c.vrm", "b/notes.txt", "b/y.gltf"] {
            fs::write(root.join(name), "").expect("written");
        }
        let all = collect(&[root.to_owned(), root.join("a.glb")]);
        assert_eq!(
            names(&all, root),
            ["a.glb", "b/deep/x.GLB", "b/y.gltf", "c.vrm"]
        );
        let named = collect(&[root.join("b/notes.txt"), root.join("none.glb")]);
        assert_eq!(names(&named, root), ["b/notes.txt", "none.glb"]);
    }

    #[test]
    fn a_folder_without_models_is_trouble() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let found = collect(&[folder.path().to_owned()]);
        let [Source::Trouble(_, reason)] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(reason.contains(".glb, .gltf"), "{reason}");
    }

    #[test]
    #[cfg(unix)]
    fn links_in_a_circle_end() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        fs::create_dir(root.join("inner")).expect("made");
        fs::write(root.join("inner/a.glb"), "").expect("written");
        std::os::unix::fs::symlink(root, root.join("inner/up")).expect("linked");
        std::os::unix::fs::symlink(root.join("inner/a.glb"), root.join("linked.glb"))
            .expect("linked");
        let found = collect(&[root.to_owned()]);
        assert_eq!(names(&found, root), ["inner/a.glb", "linked.glb"]);
    }
}
