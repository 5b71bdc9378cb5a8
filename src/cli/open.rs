//! From arguments to a character on stage.

use std::{path::Path, sync::Arc};

use super::{
    Error,
    args::{ClipChoice, SamplingArgs},
};
use crate::{
    document::Document,
    import::{self, Progress},
    lab,
    scene::{Character, PoseSource},
};

/// A document with the name to print for it: the path as given, or that of the
/// built-in character.
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) document: Arc<Document>,
}

/// Reads a file, makes a scene of the lab, or gives the built-in character without one.
pub(super) fn open(file: Option<&Path>) -> Result<Opened, Error> {
    if let Some(id) = file.and_then(lab_id) {
        let scene = lab::find(id).ok_or_else(|| Error::NoScene {
            id: id.to_owned(),
            has: join(lab::SCENES.iter().map(|scene| scene.id)),
        })?;
        return Ok(Opened {
            name: format!("lab:{id}"),
            document: Arc::new((scene.document)()),
        });
    }
    Ok(match file {
        Some(path) => Opened {
            name: path.display().to_string(),
            document: Arc::new(import::load(path, &Progress::default())?),
        },
        None => {
            let document = Arc::new(import::built_in());
            Opened {
                name: document.name.clone(),
                document,
            }
        }
    })
}

/// The scene that `lab:half-turn-elbow` names.
pub(super) fn lab_id(file: &Path) -> Option<&str> {
    file.to_str()?.strip_prefix("lab:")
}

impl Opened {
    /// Puts it on stage in the wanted pose; `name` is the document's for messages.
    pub(super) fn character(
        self,
        sampling: &SamplingArgs,
        time_secs: f32,
    ) -> Result<Character, Error> {
        self.character_of(sampling, sampling.clip.as_ref(), time_secs)
    }

    /// The same with a clip of one's own.
    pub(super) fn character_of(
        self,
        sampling: &SamplingArgs,
        clip: Option<&ClipChoice>,
        time_secs: f32,
    ) -> Result<Character, Error> {
        let source = pose_source(&self, clip)?;
        let mut character = Character::new(self.document);
        character.technique = sampling.technique();
        character.set_source(source);
        character.player.playing = false;
        character.player.seek(time_secs);
        character.update();
        Ok(character)
    }
}

/// The clip of that index, or else of that name.
fn pose_source(opened: &Opened, choice: Option<&ClipChoice>) -> Result<PoseSource, Error> {
    let clips = &opened.document.clips;
    let wanted = match choice {
        Some(ClipChoice::Rest) => return Ok(PoseSource::Rest),
        Some(ClipChoice::Bind) => return Ok(PoseSource::Bind),
        None if clips.is_empty() => return Ok(PoseSource::Rest),
        None => return Ok(PoseSource::Clip(0)),
        Some(ClipChoice::Clip(wanted)) => wanted,
    };
    if let Ok(index) = wanted.parse::<usize>()
        && index < clips.len()
    {
        return Ok(PoseSource::Clip(index));
    }
    let named: Vec<usize> = (0..clips.len())
        .filter(|&index| clips[index].name == *wanted)
        .collect();
    match named[..] {
        [index] => Ok(PoseSource::Clip(index)),
        [] => Err(Error::NoClip {
            file: opened.name.clone(),
            wanted: wanted.clone(),
            has: list_clips(&opened.document),
        }),
        _ => Err(Error::AmbiguousClip {
            file: opened.name.clone(),
            wanted: wanted.clone(),
            indices: join(named.iter()),
        }),
    }
}

/// `0 "Walk", 1 "Wave"`, cut after a few.
fn list_clips(document: &Document) -> String {
    const SHOWN: usize = 12;
    let clips = &document.clips;
    if clips.is_empty() {
        return "has no clips".to_owned();
    }
    let shown = clips.iter().enumerate().take(SHOWN);
    let list = join(shown.map(|(index, clip)| format!("{index} {:?}", clip.name)));
    match clips.len().saturating_sub(SHOWN) {
        0 => format!("has {list}"),
        more => format!("has {list} and {more} more"),
    }
}

fn join(items: impl Iterator<Item = impl ToString>) -> String {
    items
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Clip;

    fn opened(names: &[&str]) -> Opened {
        let clips = names.iter().map(|name| Clip {
            name: (*name).to_owned(),
            ..Clip::default()
        });
        Opened {
            name: "rig.glb".to_owned(),
            document: Arc::new(Document {
                clips: clips.collect(),
                ..Document::default()
            }),
        }
    }

    #[test]
    fn clips_by_index_by_name_and_neither() {
        let find = |opened: &Opened, text: &str| {
            pose_source(opened, Some(&ClipChoice::from(text.to_owned()))).map_err(|e| e.to_string())
        };
        let rig = opened(&["Walk", "7", "Wave", "Wave"]);
        assert_eq!(find(&rig, "1"), Ok(PoseSource::Clip(1)));
        assert_eq!(find(&rig, "7"), Ok(PoseSource::Clip(1)));
        assert_eq!(find(&rig, "Walk"), Ok(PoseSource::Clip(0)));
        assert_eq!(find(&rig, "rest"), Ok(PoseSource::Rest));
        assert_eq!(find(&rig, "bind"), Ok(PoseSource::Bind));
        assert_eq!(pose_source(&rig, None).ok(), Some(PoseSource::Clip(0)));
        assert_eq!(pose_source(&opened(&[]), None).ok(), Some(PoseSource::Rest));

        let missing = find(&rig, "Run").expect_err("no such clip");
        assert!(
            missing.contains("rig.glb") && missing.contains("0 \"Walk\""),
            "{missing}"
        );
        let twice = find(&rig, "Wave").expect_err("two of them");
        assert!(twice.contains("2, 3"), "{twice}");
    }
}
