//! The direction of imports, as data: a module may name only modules and packages
//! of its row. Also the size of files.
#![allow(clippy::panic, reason = "a panic is how a helper fails a test")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// A row of the table in the crate docs.
struct Row {
    module: &'static str,
    modules: &'static [&'static str],
    packages: &'static [&'static str],
}

/// Packages that any module may use: types and traits without a world of their own.
const EVERYWHERE: &[&str] = &["core", "alloc", "std", "glam", "thiserror", "log"];

/// Packages that only tests inside `src/` may use.
const TESTS: &[&str] = &["proptest", "tempfile"];

const TABLE: &[Row] = &[
    Row {
        module: "math",
        modules: &[],
        packages: &[],
    },
    Row {
        module: "document",
        modules: &["math"],
        packages: &[],
    },
    Row {
        module: "import",
        modules: &["math", "document"],
        packages: &[
            "base64",
            "bevy_mikktspace",
            "draco_core",
            // Its own module; the package of that name is for tests only.
            "gltf",
            "image",
            "percent_encoding",
            "serde",
            "serde_json",
        ],
    },
    Row {
        module: "anim",
        modules: &["math", "document"],
        packages: &[],
    },
    Row {
        module: "export",
        modules: &[],
        packages: &[
            "egui",
            "egui_system_font_provider",
            "gif",
            "image",
            "png",
            "thiserror",
        ],
    },
    Row {
        module: "analysis",
        modules: &["math", "document", "anim"],
        packages: &["rayon"],
    },
    Row {
        module: "lab",
        modules: &["math", "document", "anim", "analysis"],
        packages: &[],
    },
    Row {
        module: "scene",
        modules: &["math", "document", "anim", "analysis"],
        packages: &[],
    },
    Row {
        module: "compare",
        modules: &["math", "document", "anim", "analysis", "scene"],
        packages: &["rayon", "rstar"],
    },
    Row {
        module: "session",
        modules: &[
            "math", "document", "anim", "analysis", "scene", "lab", "compare",
        ],
        packages: &[],
    },
    Row {
        module: "render",
        modules: &["math", "document", "anim", "scene"],
        packages: &["bytemuck", "pollster", "wgpu"],
    },
    Row {
        module: "ui",
        modules: &[
            "math", "document", "anim", "analysis", "scene", "session", "lab", "compare",
        ],
        packages: &[
            "egui",
            "egui_system_font_provider",
            "lucide_icons",
            "unicode_bidi",
        ],
    },
    Row {
        module: "app",
        modules: &[
            "math", "document", "import", "anim", "analysis", "export", "scene", "session",
            "render", "ui", "lab", "compare",
        ],
        packages: &[
            "directories",
            "egui",
            "egui_wgpu",
            "egui_winit",
            "notify",
            "pollster",
            "rfd",
            "serde",
            "serde_json",
            "wgpu",
            "winit",
        ],
    },
    Row {
        module: "cli",
        modules: &[
            "math", "document", "import", "anim", "analysis", "export", "scene", "session",
            "render", "lab", "compare",
        ],
        packages: &[
            "clap",
            "indicatif",
            "rayon",
            "serde",
            "serde_json",
            "terminal_size",
            "walkdir",
        ],
    },
    Row {
        module: "main",
        modules: &["app", "cli"],
        packages: &["anyhow", "clap", "env_logger", "rigscope"],
    },
];

#[test]
fn modules_import_only_from_their_row() {
    let packages = packages();
    let mut wrong = Vec::new();
    for path in files("src", "rs") {
        let relative = path.strip_prefix(root().join("src")).expect("below src");
        let mut parts: Vec<_> = relative
            .with_extension("")
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        if parts.last().is_some_and(|last| last == "mod") {
            parts.pop();
        }
        if parts == ["lib"] {
            continue;
        }
        let row = TABLE.iter().find(|row| row.module == parts[0]);
        let row = row.unwrap_or_else(|| panic!("{} is in no row of the table", relative.display()));
        let text = read(&path);
        for problem in violations(row, &parts, &text, &packages) {
            wrong.push(format!("{}: {problem}", relative.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_module_has_a_row_and_every_row_looks_upwards() {
    let library: BTreeSet<_> = read(&root().join("src/lib.rs"))
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    let known: BTreeSet<_> = TABLE.iter().map(|row| row.module.to_owned()).collect();
    let missing: Vec<_> = library.difference(&known).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
    for (index, row) in TABLE.iter().enumerate() {
        let above: Vec<_> = TABLE[..index].iter().map(|row| row.module).collect();
        for module in row.modules {
            assert!(
                above.contains(module),
                "{} looks down at {module}",
                row.module
            );
        }
    }
}

#[test]
fn the_check_sees_through_groups_comments_and_super() {
    let row = TABLE
        .iter()
        .find(|row| row.module == "anim")
        .expect("anim has a row");
    let found = |text: &str| {
        let file = ["anim".to_owned(), "pose".to_owned()];
        violations(row, &file, text, &packages())
    };
    for wrong in [
        "use crate::scene::Stage;",
        "use crate::{document::Clip, scene};",
        "use crate::{\n    document::Clip,\n    render::{Gpu, Target},\n};",
        "fn f() { crate::ui::draw(); }",
        "use super::super::scene;",
        "mod tests { use super::super::super::scene::Stage; }",
        "use wgpu::Device;",
        "use winit as w;",
        "fn f(x: egui::Ui) {}",
        "use ::wgpu::Device;",
        "use { wgpu::Device };",
        "use crate::*;",
    ] {
        assert!(!found(wrong).is_empty(), "missed: {wrong}");
    }
    for right in [
        "use crate::{document::{Clip, Document}, math::quat};",
        "// use crate::scene::Stage;\nuse glam::Mat4;",
        "/* crate::scene */ /// [`Stage`](crate::scene::Stage)",
        "const TEXT: &str = \"crate::scene // wgpu::\"; const C: char = '\"';",
        "const RAW: &str = r#\"crate::scene\"#;",
        "use super::scene; mod tests { use super::super::scene; }",
        "fn f(wgpu: usize) -> usize { self::wgpu::x() }",
        "fn f<'a>(x: &'a str) {} // 'a is no character",
    ] {
        assert_eq!(found(right), Vec::<String>::new(), "{right}");
    }
}

#[test]
fn files_are_short() {
    let long: Vec<_> = [("src", "rs"), ("tests", "rs"), ("shaders", "wgsl")]
        .into_iter()
        .flat_map(|(folder, extension)| files(folder, extension))
        .filter_map(|path| {
            let lines = read(&path).lines().count();
            (lines > 500).then(|| format!("{} has {lines} lines", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// What `text`, the file of module path `file`, names outside its row.
fn violations(row: &Row, file: &[String], text: &str, packages: &BTreeSet<String>) -> Vec<String> {
    let tokens = tokens(text);
    let mut wrong = Vec::new();
    let mut named = |name: &str| {
        if name != row.module && !row.modules.contains(&name) {
            wrong.push(format!("names crate::{name}"));
        }
    };
    // Depth in braces at which each inline module opened.
    let mut inline: Vec<usize> = Vec::new();
    let mut braces = 0;
    for (index, &token) in tokens.iter().enumerate() {
        match token {
            "{" => {
                braces += 1;
                if index >= 2 && tokens[index - 2] == "mod" {
                    inline.push(braces);
                }
            }
            "}" => {
                if inline.last() == Some(&braces) {
                    inline.pop();
                }
                braces -= 1;
            }
            "crate" => heads(&tokens, index + 1)
                .iter()
                .for_each(|name| named(name)),
            "super" if index == 0 || tokens[index - 1] != "::" => {
                let chain = tokens[index..]
                    .chunks(2)
                    .take_while(|pair| *pair == ["super", "::"]);
                let climbed = chain.count();
                if climbed == file.len() + inline.len() {
                    heads(&tokens, index + 2 * climbed - 1)
                        .iter()
                        .for_each(|name| named(name));
                }
            }
            _ => {}
        }
    }
    for (index, &token) in tokens.iter().enumerate() {
        let known =
            EVERYWHERE.contains(&token) || row.packages.contains(&token) || TESTS.contains(&token);
        if known || !packages.contains(token) {
            continue;
        }
        let before = index.checked_sub(1).map_or("", |index| tokens[index]);
        let leading = before == "::" && index.checked_sub(2).is_none_or(|i| !is_word(tokens[i]));
        let starts = before != "::" && before != "." || leading;
        let after = tokens.get(index + 1).copied().unwrap_or_default();
        let is_path = after == "::" || (before == "use" && matches!(after, ";" | "as"));
        if starts && is_path {
            wrong.push(format!("names package {token}"));
        }
    }
    wrong
}

/// First names behind the `::` at `at`: one, or those of a group.
fn heads<'a>(tokens: &[&'a str], at: usize) -> Vec<&'a str> {
    if tokens.get(at) != Some(&"::") {
        return Vec::new();
    }
    if tokens.get(at + 1) != Some(&"{") {
        return tokens.get(at + 1).copied().into_iter().collect();
    }
    let mut depth = 0;
    let mut heads = Vec::new();
    for pair in tokens[at + 1..].windows(2) {
        match pair[0] {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && matches!(pair[0], "{" | ",") && pair[1] != "}" {
            heads.push(pair[1]);
        }
    }
    heads
}

/// Whether a `::` behind it continues a path.
fn is_word(token: &str) -> bool {
    token != "use" && token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, `::` and single other characters, without comments, strings and characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(raw) = raw_string(rest) {
            raw
        } else if first == '"' {
            quoted(rest, '"')
        } else if first == '\'' {
            // A lifetime has no closing quote right behind its first character.
            let mut after = rest.chars().skip(1);
            let escaped = after.next() == Some('\\');
            if escaped || after.next() == Some('\'') {
                quoted(rest, '\'')
            } else {
                1
            }
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let length = if word(first) {
                rest.find(|c| !word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            tokens.push(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// Length of the quoted text at the start.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return index + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// Length of the raw string at the start, if there is one.
fn raw_string(text: &str) -> Option<usize> {
    let body = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let hashes = body.bytes().take_while(|&b| b == b'#').count();
    let inside = body[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(text.len() - inside.len() + length)
}

/// All packages of Cargo.toml by the names that code uses, and the standard ones.
fn packages() -> BTreeSet<String> {
    let manifest = read(&root().join("Cargo.toml"));
    let mut section = "";
    let mut packages = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
        } else if section.ends_with("dependencies")
            && line.starts_with(|c: char| c.is_ascii_alphabetic())
            && let Some((name, _)) = line.split_once(" =")
        {
            packages.insert(name.replace('-', "_"));
        }
    }
    assert!(packages.contains("wgpu") && packages.contains("egui_winit"));
    packages
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files of that kind below a folder of the project; none where it is absent.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut folders = vec![root().join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
