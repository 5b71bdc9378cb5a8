//! What happens to the session when a file arrives or fails to.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{RECENT_LIMIT, Session, measures, start_at_first_key, undo::History};
use crate::{
    document::{Document, Severity},
    scene::{Character, PoseSource, VertexRef},
};

impl Session {
    /// Puts a document on stage. Modes, speed and loop policy stay as they are; a
    /// reload of the open file also keeps clip, time, selection, hidden meshes and
    /// whether it plays, matched by name. Another file starts to play.
    pub(super) fn show(&mut self, document: Arc<Document>, path: Option<PathBuf>) {
        self.loading = None;
        let reload = path.is_some() && path == self.path;
        let document_before = self.character().map(|old| old.document.clone());
        let mut character = Character::new(document);
        start_at_first_key(&mut character, self.start_at_first_key);
        if let Some(old) = self.stage.characters.first() {
            character.technique = old.technique.clone();
            // Joints go by name, and only in a newer version of one file.
            let own = std::mem::take(&mut character.technique.joint_modes);
            for (joint, modes) in own {
                if let Some(joint) = find_joint(&old.document, joint, &character.document)
                    && reload
                {
                    character.technique.set_modes_of(joint, Some(modes));
                }
            }
            character.player.speed = old.player.speed;
            character.player.loop_policy = old.player.loop_policy;
            self.left_clip = self.left_clip.filter(|_| reload).and_then(|(index, time)| {
                match find_clip(&old.document, index, &character.document)? {
                    PoseSource::Clip(index) => Some((index, time)),
                    PoseSource::Rest | PoseSource::Bind => None,
                }
            });
            if reload {
                carry_over(old, &mut character, self.start_at_first_key);
                let view = &mut self.view;
                view.selected_joint = view
                    .selected_joint
                    .and_then(|joint| find_joint(&old.document, joint, &character.document));
                view.selected_vertex = (view.selected_vertex)
                    .and_then(|vertex| find_vertex(&old.document, vertex, &character.document));
                view.hidden_instances =
                    find_instances(&old.document, &view.hidden_instances, &character.document);
                let (before, now) = (&old.document, &character.document);
                measures::carry_over(view, before, now, |joint| find_joint(before, joint, now));
            }
        }
        if !reload {
            self.shown_times = None;
            self.view.selected_joint = None;
            self.view.selected_vertex = None;
            self.view.hidden_instances.clear();
            self.view.pinned_trails.clear();
            self.view.ruler = None;
        }
        self.view.hovered_joint = None;
        self.view.camera = self.settled_camera();
        self.glide = None;
        character.update();
        if let Some(path) = &path {
            self.recent.retain(|known| known != path);
            self.recent.insert(0, path.clone());
            self.recent.truncate(RECENT_LIMIT);
        }
        self.path = path;
        let before = self.stage.characters.first().filter(|_| reload);
        let before = before.map(|old| old.document.clone());
        self.restart_analysis(before.as_deref(), &character.document);
        self.stage.characters = vec![character];
        self.sides_reopened(document_before.as_ref());
        self.find_shown_again();
        self.inspect_again(reload);
        self.history = History::default();
        self.mark_joints();
        self.keep_measures();
    }

    pub(super) fn load_failed(&mut self, path: &Path, message: &str) {
        self.loading = None;
        let kept = match self.document() {
            Some(_) if self.path.as_deref() == Some(path) => {
                " The version read before stays open.".to_owned()
            }
            Some(document) => format!(" {} stays open.", document.name),
            None => String::new(),
        };
        let message = message.trim_end();
        let stop = if kept.is_empty() || message.ends_with(['.', '!', '?']) {
            ""
        } else {
            "."
        };
        self.messages
            .push(Severity::Error, format!("{message}{stop}{kept}"));
    }
}

/// Clip and time, by clip name and then by index; switches that belong to the view.
fn carry_over(old: &Character, new: &mut Character, at_first_key: bool) {
    let source = match old.source {
        PoseSource::Clip(index) => find_clip(&old.document, index, &new.document),
        // Nobody chose the rest pose where there was nothing else.
        PoseSource::Rest if old.document.clips.is_empty() => None,
        other => Some(other),
    };
    if let Some(source) = source {
        if source != new.source {
            new.set_source(source);
            start_at_first_key(new, at_first_key);
        }
        new.player.seek(old.player.time_secs);
        new.player.returning = old.player.returning;
    }
    new.player.playing = old.player.playing;
    new.skinned = old.skinned;
    new.set_held_morphs(old.held_morphs().to_vec());
    new.read_bind_transposed(old.reads_bind_transposed());
    new.world_from_model = old.world_from_model;
}

pub(super) fn find_clip(old: &Document, index: usize, new: &Document) -> Option<PoseSource> {
    let name = &old.clips.get(index)?.name;
    let names = new.clips.iter().map(|clip| &*clip.name);
    // A renamed clip is most likely the one in the same place.
    match_name(index, name, names)
        .or((index < new.clips.len()).then_some(index))
        .map(PoseSource::Clip)
}

pub(super) fn find_joint(old: &Document, joint: usize, new: &Document) -> Option<usize> {
    let name = &old.skeleton.joints.get(joint)?.name;
    let names = new.skeleton.joints.iter().map(|joint| &*joint.name);
    match_name(joint, name, names)
}

/// Mesh instances have no names of their own: their joints stand for them.
fn find_instances(old: &Document, hidden: &[usize], new: &Document) -> Vec<usize> {
    let joint_name = |document: &Document, instance: usize| {
        let joint = document.instances.get(instance)?.joint;
        Some(document.skeleton.joints.get(joint)?.name.clone())
    };
    let names: Vec<String> = (0..new.instances.len())
        .map(|instance| joint_name(new, instance).unwrap_or_default())
        .collect();
    hidden
        .iter()
        .filter_map(|&instance| {
            let name = joint_name(old, instance)?;
            match_name(instance, &name, names.iter().map(String::as_str))
        })
        .collect()
}

/// A vertex goes by its number, as long as its mesh instance is still there and has it.
fn find_vertex(old: &Document, vertex: VertexRef, new: &Document) -> Option<VertexRef> {
    let [instance] = find_instances(old, &[vertex.instance], new)[..] else {
        return None;
    };
    let found = VertexRef { instance, ..vertex };
    found.resolve(new).map(|_| found)
}

/// Where something of this index and name is now: at the same index if the name
/// is still the same, else at the first equal name; the index alone decides only
/// for what has no name.
fn match_name<'a>(
    index: usize,
    name: &str,
    mut names: impl Iterator<Item = &'a str> + Clone,
) -> Option<usize> {
    match names.clone().nth(index) {
        Some(there) if there == name => Some(index),
        _ if name.is_empty() => None,
        _ => names.position(|there| there == name),
    }
}
