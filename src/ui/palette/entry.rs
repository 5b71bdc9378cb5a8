//! What the palette lists, and how it is found.

use egui::ThemePreference;

use crate::{
    anim::{Hemisphere, Interpolation, LoopPolicy},
    document::Document,
    scene::PoseSource,
    session::{Action, Command, KeyChord},
    ui::{Context, menu},
};

/// Entries found at most.
const LIMIT: usize = 200;
/// What a joint's match is worth less than that of a command.
const JOINT_MALUS: i32 = 4;

/// Something that the palette can do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entry {
    Act(Action),
    Interpolation(Interpolation),
    Hemisphere(Hemisphere),
    Loop(LoopPolicy),
    Theme(ThemePreference),
    /// A clip by index and name.
    Clip(usize, String),
    /// A joint by index and name.
    Joint(usize, String),
}

impl Entry {
    /// What sort of thing it is.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Act(action) => action.scope().label(),
            Self::Interpolation(_) => "Interpolation",
            Self::Hemisphere(_) => "Hemisphere",
            Self::Loop(_) => "At the end",
            Self::Theme(_) => "Theme",
            Self::Clip(..) => "Clip",
            Self::Joint(..) => "Joint",
        }
    }

    /// What it is called.
    pub(super) fn title(&self) -> &str {
        match self {
            Self::Act(action) => action.label(),
            Self::Interpolation(mode) => mode.as_str(),
            Self::Hemisphere(rule) => rule.as_str(),
            Self::Loop(policy) => policy.as_str(),
            Self::Theme(preference) => menu::theme_label(*preference),
            Self::Clip(_, name) | Self::Joint(_, name) => name,
        }
    }

    /// One sentence on it; may be empty.
    pub(super) fn detail(&self) -> &'static str {
        match self {
            Self::Act(action) => action.tooltip(),
            Self::Interpolation(mode) => mode.description(),
            Self::Hemisphere(rule) => rule.description(),
            Self::Loop(LoopPolicy::Loop) => "Start over",
            Self::Loop(LoopPolicy::Once) => "Stop",
            Self::Loop(LoopPolicy::PingPong) => "Turn round",
            Self::Theme(_) | Self::Clip(..) | Self::Joint(..) => "",
        }
    }

    /// The shortcut, if it has one.
    pub(super) fn key(&self) -> Option<KeyChord> {
        match self {
            Self::Act(action) => action.key(),
            _ => None,
        }
    }

    /// Whether it can be done now.
    pub(super) fn is_enabled(&self, context: &Context<'_>) -> bool {
        match self {
            Self::Act(action) => action.is_enabled(context.session),
            Self::Theme(_) => true,
            _ => context.session.character().is_some(),
        }
    }

    /// Whether it is the choice in force.
    pub(super) fn is_current(&self, context: &Context<'_>) -> bool {
        let Some(character) = context.session.character() else {
            return false;
        };
        match self {
            Self::Act(_) | Self::Theme(_) => false,
            Self::Interpolation(mode) => character.technique.modes.interpolation == *mode,
            Self::Hemisphere(rule) => character.technique.modes.hemisphere == *rule,
            Self::Loop(policy) => character.player.loop_policy == *policy,
            Self::Clip(index, _) => character.source == PoseSource::Clip(*index),
            Self::Joint(joint, _) => context.session.view.selected_joint == Some(*joint),
        }
    }

    /// Does it. The palette's own closing has been pushed before.
    pub(super) fn run(self, ctx: &egui::Context, context: &mut Context<'_>) {
        let modes = context.session.character().map(|c| c.technique.modes);
        let command = match self {
            Self::Act(action) => match context.command(action) {
                Command::SetPanels(mut wanted) => {
                    wanted.palette = false;
                    Command::SetPanels(wanted)
                }
                command => command,
            },
            Self::Theme(preference) => {
                menu::set_theme(ctx, context, preference);
                return;
            }
            Self::Interpolation(interpolation) => {
                let Some(mut modes) = modes else { return };
                modes.interpolation = interpolation;
                Command::SetModes(modes)
            }
            Self::Hemisphere(hemisphere) => {
                let Some(mut modes) = modes else { return };
                modes.hemisphere = hemisphere;
                Command::SetModes(modes)
            }
            Self::Loop(policy) => Command::SetLoopPolicy(policy),
            Self::Clip(index, _) => Command::SetSource(PoseSource::Clip(index)),
            Self::Joint(joint, _) => Command::SelectJoint(Some(joint)),
        };
        context.commands.push(command);
    }
}

/// What matches, best first. The label has the typed letters in order; or the tooltip
/// has them as they are, or the kind and label together. Clips and joints only once
/// something is typed.
pub(super) fn search(query: &str, document: Option<&Document>) -> Vec<Entry> {
    let wanted = query.trim().to_lowercase();
    let mut entries = fixed();
    if let Some(document) = document.filter(|_| !wanted.is_empty()) {
        let clips = document.clips.iter().enumerate();
        entries.extend(clips.map(|(index, clip)| Entry::Clip(index, clip.label(index))));
        let joints = document.skeleton.joints.iter().enumerate();
        entries.extend(joints.map(|(index, joint)| Entry::Joint(index, joint.label())));
    }
    let mut found: Vec<(i32, usize, Entry)> = entries
        .into_iter()
        .enumerate()
        .filter_map(|(index, entry)| Some((rank(&entry, &wanted)?, index, entry)))
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    found.truncate(LIMIT);
    found.into_iter().map(|(_, _, entry)| entry).collect()
}

/// Whatever the document: actions first, in their own order.
fn fixed() -> Vec<Entry> {
    // The palette is open already, and the modes are listed by themselves.
    let is_listed =
        |action: &Action| !matches!(action, Action::CommandPalette | Action::ModeAuthored);
    let actions = Action::ALL.iter().copied().filter(is_listed);
    let mut entries: Vec<Entry> = actions.map(Entry::Act).collect();
    entries.extend(Interpolation::ALL.map(Entry::Interpolation));
    entries.extend(Hemisphere::ALL.map(Entry::Hemisphere));
    entries.extend(LoopPolicy::ALL.map(Entry::Loop));
    entries.extend(menu::THEMES.map(Entry::Theme));
    entries
}

fn rank(entry: &Entry, wanted: &str) -> Option<i32> {
    let title = score(entry.title(), wanted);
    if let Entry::Joint(..) = entry {
        return title.map(|score| score - JOINT_MALUS);
    }
    // Any letters in order would find nearly every sentence.
    let has = |text: &str| wanted.chars().count() > 2 && text.to_lowercase().contains(wanted);
    let with_kind = match entry {
        Entry::Act(_) => None,
        _ => has(&format!("{} {}", entry.kind(), entry.title())).then_some(0),
    };
    let in_detail = has(entry.detail()).then_some(-40);
    title.max(with_kind).max(in_detail)
}

/// How well `text` matches: letters in order, with points for runs and for the
/// beginnings of words; `None` where a letter is missing.
fn score(text: &str, query: &str) -> Option<i32> {
    if query.trim().is_empty() {
        // The table's own order.
        return Some(0);
    }
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let mut at = 0;
    let mut total = 0;
    let mut last = None;
    for wanted in query.to_lowercase().chars().filter(|c| !c.is_whitespace()) {
        let found = at + text.get(at..)?.iter().position(|&c| c == wanted)?;
        let starts_word = found == 0 || !text[found - 1].is_alphanumeric();
        let continues = last.is_some_and(|last: usize| last + 1 == found);
        total += match (continues, starts_word) {
            (true, _) => 8,
            (_, true) => 6,
            _ => -((found - at) as i32).min(6),
        };
        if found == 0 {
            total += 6;
        }
        last = Some(found);
        at = found + 1;
    }
    Some(total - text.len() as i32 / 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Clip, Joint};

    fn actions(query: &str) -> Vec<Action> {
        let found = search(query, None).into_iter();
        let action = |entry| match entry {
            Entry::Act(action) => Some(action),
            _ => None,
        };
        found.filter_map(action).collect()
    }

    #[test]
    fn few_letters_find_the_action() {
        let best = |query: &str| actions(query).first().copied();
        assert_eq!(best("skel"), Some(Action::ToggleSkeleton));
        assert_eq!(best("nk"), Some(Action::NextKey));
        assert_eq!(best("Rest"), Some(Action::RestPose));
        assert_eq!(best("wire"), Some(Action::ToggleWireframe));
        assert_eq!(best("zzzz"), None);
        assert_eq!(best("nor"), Some(Action::ToggleNormals));
        let few = Action::ALL.len() / 10;
        assert!(actions("nor").len() <= few, "{:?}", actions("nor"));
        assert!(actions("triangle").contains(&Action::ToggleWireframe));
        assert_eq!(actions("").len(), Action::ALL.len() - 2);
    }

    #[test]
    fn modes_rules_themes_clips_and_joints_are_found_by_name() {
        let mut document = Document::default();
        for name in ["Hips", "LowerArm.L", "左腕"] {
            document.skeleton.joints.push(Joint {
                name: name.to_owned(),
                ..Joint::default()
            });
        }
        document.clips.push(Clip {
            name: "Walk".to_owned(),
            duration_secs: 1.0,
            start_secs: 0.0,
            joints: Vec::new(),
            morphs: Vec::new(),
        });
        let best = |query: &str| search(query, Some(&document)).into_iter().next();
        assert_eq!(
            best("nlerp"),
            Some(Entry::Interpolation(Interpolation::Nlerp))
        );
        assert_eq!(
            best("hemisphere keep"),
            Some(Entry::Hemisphere(Hemisphere::Keep))
        );
        assert_eq!(best("ping"), Some(Entry::Loop(LoopPolicy::PingPong)));
        assert_eq!(best("theme li"), Some(Entry::Theme(ThemePreference::Light)));
        assert_eq!(best("walk"), Some(Entry::Clip(0, "Walk".to_owned())));
        assert_eq!(
            best("lowera"),
            Some(Entry::Joint(1, "LowerArm.L".to_owned()))
        );
        assert_eq!(best("左"), Some(Entry::Joint(2, "左腕".to_owned())));
        let all = search("", Some(&document));
        assert!(!all.iter().any(|entry| matches!(entry, Entry::Joint(..))));
    }
}
