//! Clips, and the rest and bind poses beside them.

use std::sync::{Arc, Weak};

use egui::{Id, Ui};

use crate::{
    document::{Clip, Document},
    scene::PoseSource,
    session::{Command, Inspected},
    ui::{
        Context,
        format::{plural, seconds},
        icons::Icon,
        theme::TALL_ROW,
        widgets::{self, Row, RowStyle, Seek},
    },
};

/// Names and facts, counted once per document.
#[derive(Debug, Default)]
pub(super) struct ClipList {
    document: Weak<Document>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    source: PoseSource,
    icon: Icon,
    title: String,
    detail: String,
}

impl ClipList {
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        query: &str,
        seek: Option<Seek>,
    ) {
        let Some(character) = context.session.character() else {
            widgets::empty_state(ui, Icon::Clip, "No file open", "Drop a glTF file here");
            return;
        };
        if !std::ptr::eq(self.document.as_ptr(), Arc::as_ptr(&character.document)) {
            self.document = Arc::downgrade(&character.document);
            self.entries = entries(&character.document);
        }
        let query = query.trim().to_lowercase();
        let shown: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|entry| query.is_empty() || entry.title.to_lowercase().contains(&query))
            .collect();
        if shown.is_empty() {
            widgets::empty_state(ui, Icon::Search, "No match", "No clip has this in its name");
            return;
        }
        let current = shown
            .iter()
            .position(|entry| entry.source == character.source);
        let target = seek.and_then(|seek| seek.target(current, shown.len()));
        if let Some(target) = target {
            let source = shown[target].source;
            context.commands.push(Command::SetSource(source));
        }
        widgets::rows(
            ui,
            "clips",
            shown.len(),
            TALL_ROW,
            target,
            |ui, index, rect| {
                let entry = shown[index];
                let response = Row {
                    id: Id::unique(("clip row", index, &entry.title)),
                    icon: entry.icon,
                    title: &entry.title,
                    detail: &entry.detail,
                    style: RowStyle {
                        selected: character.source == entry.source,
                        highlighted: false,
                    },
                    reserve: 0.0,
                }
                .show(ui, rect);
                if response.clicked() {
                    context.commands.push(Command::SetSource(entry.source));
                    if let PoseSource::Clip(index) = entry.source {
                        context
                            .commands
                            .push(Command::Inspect(Inspected::Clip(index)));
                    }
                    if matches!(entry.source, PoseSource::Clip(_)) {
                        context.commands.push(Command::SetPlaying(true));
                    }
                }
            },
        );
    }
}

fn entries(document: &Document) -> Vec<Entry> {
    let clips = document
        .clips
        .iter()
        .enumerate()
        .map(|(index, clip)| Entry {
            source: PoseSource::Clip(index),
            icon: Icon::Clip,
            title: clip.label(index),
            detail: detail(clip),
        });
    let rest = Entry {
        source: PoseSource::Rest,
        icon: Icon::Pose,
        title: "Rest pose".to_owned(),
        detail: "Node transforms as stored".to_owned(),
    };
    let bind = Entry {
        source: PoseSource::Bind,
        icon: Icon::Pose,
        title: "Bind pose".to_owned(),
        detail: "Inverses of the inverse bind matrices".to_owned(),
    };
    clips.chain([rest, bind]).collect()
}

fn detail(clip: &Clip) -> String {
    let mut parts = vec![seconds(clip.duration_secs)];
    if !clip.joints.is_empty() {
        parts.push(plural(clip.joints.len(), "joint"));
    }
    if !clip.morphs.is_empty() {
        parts.push(plural(clip.morphs.len(), "morph"));
    }
    parts.push(plural(clip.key_count(), "key"));
    parts.join(" · ")
}
