//! Several views of one character, or of two files, at the same time: A, B, C and D.

use std::{borrow::Cow, path::PathBuf, sync::Arc};

use super::{ErrorKind, Session, SideErrors, load::find_clip, load::find_joint};
use crate::{
    anim::{Interpolation, Modes, Technique},
    compare::{Matching, matching_joints},
    document::Document,
    scene::{Character, PoseSource, Stage, View, WeightView, side_tint},
};

/// A and so many others at most.
pub const MOST_SIDES: usize = 4;

/// How sides share the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Layout {
    /// Each has a part of the view.
    #[default]
    SideBySide,
    /// A line parts the one from the other; of more than two, A from B.
    Wipe,
    /// All in one picture, the others translucent and each in its colour.
    Overlay,
}

impl Layout {
    /// All, in menu order.
    pub const ALL: [Self; 3] = [Self::SideBySide, Self::Wipe, Self::Overlay];

    /// The name in menus.
    pub const fn label(self) -> &'static str {
        match self {
            Self::SideBySide => "Side by side",
            Self::Wipe => "Wipe",
            Self::Overlay => "Overlay",
        }
    }
}

/// What is compared with the open document as it is played: that is A.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// How they share the view.
    pub layout: Layout,
    /// Share of the view's width that A has in a wipe.
    pub wipe: f32,
    /// B, C and D; at least B.
    pub sides: Vec<Side>,
    /// What of the errors is plotted and shown on surfaces.
    pub kind: ErrorKind,
    /// How far the errors over the clip are, 0 … 1, while they are worked out.
    pub measuring: Option<f32>,
}

impl Comparison {
    pub(super) fn new(layout: Layout, sides: Vec<Side>) -> Self {
        Self {
            layout,
            wipe: 0.5,
            sides,
            kind: ErrorKind::default(),
            measuring: None,
        }
    }
}

/// One of the others. It shares A's time, place and selection.
#[derive(Debug, Clone)]
pub struct Side {
    /// One character, alone on its stage.
    pub stage: Stage,
    /// The file, where it is another than A's.
    pub path: Option<PathBuf>,
    /// The clip or pose is its own, not A's.
    pub own_source: bool,
    /// Which of its joints are which of A's, and whose document A's was then.
    matching: Option<(Arc<Document>, Matching)>,
    /// How far it is from A over the clip, as of when that was worked out last.
    pub(super) errors: Option<Arc<SideErrors>>,
}

impl Side {
    pub(super) fn of(character: Character, own_source: bool) -> Self {
        Self {
            own_source,
            ..Self::new(character)
        }
    }

    fn new(character: Character) -> Self {
        Self {
            stage: Stage {
                characters: vec![character],
            },
            path: None,
            own_source: false,
            matching: None,
            errors: None,
        }
    }

    pub(super) fn joints_matched(&self) -> Option<&Matching> {
        self.matching.as_ref().map(|(_, matching)| matching)
    }

    /// Its character.
    pub fn character(&self) -> &Character {
        &self.stage.characters[0]
    }

    fn character_mut(&mut self) -> &mut Character {
        &mut self.stage.characters[0]
    }

    /// Brings it to A's time, place and, if it has none of its own, clip.
    fn follow(&mut self, a: &Character) {
        let own_source = self.own_source;
        let b = self.character_mut();
        let same = Arc::ptr_eq(&a.document, &b.document);
        if !own_source {
            let source = match a.source {
                PoseSource::Clip(index) if !same => find_clip(&a.document, index, &b.document),
                source => Some(source),
            };
            if let Some(source) = source
                && source != b.source
            {
                b.set_source(source);
            }
        }
        if same {
            b.set_held_morphs(a.held_morphs().to_vec());
            if a.reads_bind_transposed() != b.reads_bind_transposed() {
                b.read_bind_transposed(a.reads_bind_transposed());
            }
        }
        if (self.matching.as_ref()).is_none_or(|known| !Arc::ptr_eq(&known.0, &a.document)) {
            let b = &self.stage.characters[0].document;
            self.matching = Some((a.document.clone(), matching_joints(&a.document, b)));
        }
        let b = self.character_mut();
        b.skinned = a.skinned;
        b.world_from_model = a.world_from_model;
        b.player.playing = a.player.playing;
        b.player.seek(a.player.time_secs);
        b.update();
    }
}

impl Session {
    /// Adds one more side, which differs from A in the way to interpolate; the first one
    /// begins a comparison. Without effect where there are [`MOST_SIDES`].
    pub(super) fn add_side(&mut self) {
        let Some(a) = self.character() else { return };
        let mut side = a.clone();
        let taken: Vec<Interpolation> = (self.techniques())
            .map(|technique| technique.modes.interpolation)
            .collect();
        let usual = [
            Interpolation::Slerp,
            Interpolation::Lerp,
            Interpolation::Nlerp,
            Interpolation::MatrixLerp,
        ];
        // As authored is slerp for most files: lerp shows more.
        let mode = usual.into_iter().find(|mode| {
            let as_authored = *mode == Interpolation::Slerp && taken[0] == Interpolation::Authored;
            !as_authored && !taken.contains(mode)
        });
        side.technique.modes.interpolation = mode.unwrap_or_default();
        let comparison =
            (self.comparison).get_or_insert_with(|| Comparison::new(Layout::default(), Vec::new()));
        if comparison.sides.len() + 1 < MOST_SIDES {
            comparison.sides.push(Side::new(side));
        }
    }

    /// Takes a side away, B being 1; without B there is nothing to compare.
    pub(super) fn remove_side(&mut self, side: usize) {
        if let Some(comparison) = &mut self.comparison
            && (1..=comparison.sides.len()).contains(&side)
        {
            comparison.sides.remove(side - 1);
            if comparison.sides.is_empty() {
                self.end_comparison();
            }
        }
    }

    /// A alone again, and what takes two gone.
    pub(super) fn end_comparison(&mut self) {
        self.comparison = None;
        if self.view.weight_view == Some(WeightView::Difference) {
            self.view.weight_view = None;
        }
    }

    /// Shows another file beside the open one, in place of B's or as B.
    pub(super) fn show_beside(&mut self, document: Arc<Document>, path: PathBuf) {
        if self.character().is_none() {
            return;
        }
        let first = self.comparison.is_none();
        if first {
            self.add_side();
        }
        let technique = self.character().map(|a| a.technique.clone());
        let Some(side) = self.comparison.as_mut().and_then(|c| c.sides.first_mut()) else {
            return;
        };
        let mut character = Character::new(document);
        character.technique = match technique {
            // Files are compared as files, until somebody wants more.
            Some(technique) if first => Technique {
                joint_modes: Vec::new(),
                ..technique
            },
            _ => side.character().technique.clone(),
        };
        *side = Side {
            path: Some(path),
            ..Side::new(character)
        };
        if let Some(message) = self.unmatched() {
            self.messages.push(crate::document::Severity::Info, message);
        }
    }

    /// What of B cannot be compared with A, if anything.
    fn unmatched(&self) -> Option<String> {
        let a = self.document()?;
        let b = &self
            .comparison
            .as_ref()?
            .sides
            .first()?
            .character()
            .document;
        let missing = (0..a.skeleton.joints.len())
            .filter(|&joint| find_joint(a, joint, b).is_none())
            .count();
        (missing > 0).then(|| {
            format!(
                "{missing} of {} joints have no namesake in {}",
                a.skeleton.joints.len(),
                b.name
            )
        })
    }

    /// Exchanges what A and B do. Files stay where they are.
    pub(super) fn swap_sides(&mut self) {
        let Some(a) = self.stage.characters.first_mut() else {
            return;
        };
        let Some(side) = self.comparison.as_mut().and_then(|c| c.sides.first_mut()) else {
            return;
        };
        let b = &mut side.stage.characters[0];
        core::mem::swap(&mut a.technique, &mut b.technique);
        if !Arc::ptr_eq(&a.document, &b.document) {
            // Joints of other files are other joints.
            a.technique.joint_modes.clear();
            b.technique.joint_modes.clear();
        } else if side.own_source && a.source != b.source {
            let (time_secs, was) = (a.player.time_secs, a.source);
            a.set_source(b.source);
            a.player.seek(time_secs);
            b.set_source(was);
        }
        a.update();
    }

    /// Changes by what means a side is played, A being 0.
    pub(super) fn set_technique(&mut self, side: usize, mut technique: Technique) {
        let usable = |modes: &Modes| modes.threshold.is_finite();
        if !usable(&technique.modes) || !technique.joint_modes.iter().all(|own| usable(&own.1)) {
            return;
        }
        let Some(character) = self.side_mut(side) else {
            return;
        };
        let count = character.document.skeleton.joints.len();
        technique.joint_modes.retain(|own| own.0 < count);
        let all = core::iter::once(&mut technique.modes)
            .chain(technique.joint_modes.iter_mut().map(|own| &mut own.1));
        for modes in all {
            modes.threshold = modes.threshold.clamp(0.0, 1.0);
        }
        character.technique = technique;
        character.update();
    }

    /// Gives a side but A a clip or pose of its own, or A's with `None`.
    pub(super) fn set_side_source(&mut self, side: usize, source: Option<PoseSource>) {
        let sides = self.comparison.as_mut().map(|c| &mut c.sides);
        let place = side.checked_sub(1);
        if let Some((sides, place)) = sides.zip(place)
            && let Some(side) = sides.get_mut(place)
        {
            side.own_source = source.is_some();
            if let Some(source) = source {
                side.character_mut().set_source(source);
            }
        }
    }

    pub(super) fn change_comparison(&mut self, change: impl FnOnce(&mut Comparison)) {
        if let Some(comparison) = &mut self.comparison {
            change(comparison);
        }
    }

    fn side_mut(&mut self, side: usize) -> Option<&mut Character> {
        match side.checked_sub(1) {
            None => self.stage.characters.first_mut(),
            Some(place) => {
                let side = self.comparison.as_mut()?.sides.get_mut(place)?;
                Some(side.character_mut())
            }
        }
    }

    /// A side's character, A being 0.
    pub fn side(&self, side: usize) -> Option<&Character> {
        match side.checked_sub(1) {
            None => self.character(),
            Some(place) => Some(self.comparison.as_ref()?.sides.get(place)?.character()),
        }
    }

    /// How many there are: 1 without a comparison.
    pub fn side_count(&self) -> usize {
        1 + self.comparison.as_ref().map_or(0, |c| c.sides.len())
    }

    /// The layout of a comparison, if there is one.
    pub fn layout(&self) -> Option<Layout> {
        self.comparison.as_ref().map(|comparison| comparison.layout)
    }

    fn techniques(&self) -> impl Iterator<Item = &Technique> {
        let all = (0..self.side_count()).filter_map(|side| self.side(side));
        all.map(|character| &character.technique)
    }

    /// The view as a side's document has it: another file's joints go by name, and its
    /// meshes are all shown.
    pub fn side_view(&self, side: usize) -> Cow<'_, View> {
        let (Some(a), Some(b)) = (self.character(), self.side(side)) else {
            return Cow::Borrowed(&self.view);
        };
        let mut view = Cow::Borrowed(&self.view);
        if self.comparison.is_some() {
            view.to_mut().side = Some(side);
        }
        if view.weight_view == Some(WeightView::Difference) {
            let view = view.to_mut();
            // A is what the others are measured by.
            let numbers = (side > 0 && self.colors_errors()).then(|| self.surface_errors(side));
            view.numbers = numbers.flatten().map(Arc::new);
            if side == 0 || !self.colors_errors() {
                view.weight_view = None;
            }
        }
        if Arc::ptr_eq(&a.document, &b.document) {
            return view;
        }
        let of = |joint: Option<usize>| find_joint(&a.document, joint?, &b.document);
        let mut view = view.into_owned();
        view.selected_joint = of(view.selected_joint);
        view.hovered_joint = of(view.hovered_joint);
        view.pinned_trails = (view.pinned_trails.iter())
            .filter_map(|&joint| of(Some(joint)))
            .collect();
        view.selected_vertex = None;
        view.hidden_instances.clear();
        view.ruler = None;
        Cow::Owned(view)
    }

    /// All sides on one stage, the others tinted, where they are laid over each other.
    pub fn overlay_stage(&self) -> Option<Stage> {
        let comparison = self.comparison.as_ref()?;
        if comparison.layout != Layout::Overlay {
            return None;
        }
        let mut characters = vec![self.character()?.clone()];
        for (index, side) in comparison.sides.iter().enumerate() {
            let mut character = side.character().clone();
            character.tint = Some(side_tint(index + 1));
            characters.push(character);
        }
        Some(Stage { characters })
    }

    /// Brings all sides to A's time and place.
    pub(super) fn follow_a(&mut self) {
        if let (Some(a), Some(comparison)) = (self.stage.characters.first(), &mut self.comparison) {
            for side in &mut comparison.sides {
                side.follow(a);
            }
        }
    }

    /// After another document has come for A: who showed A's own file before shows this
    /// one; other files stay.
    pub(super) fn sides_reopened(&mut self, before: Option<&Arc<Document>>) {
        let (Some(a), Some(comparison)) = (self.stage.characters.first(), &mut self.comparison)
        else {
            return;
        };
        for side in &mut comparison.sides {
            let b = side.character();
            if before.is_some_and(|before| Arc::ptr_eq(before, &b.document)) {
                let mut technique = b.technique.clone();
                technique.joint_modes.clear();
                let mut character = a.clone();
                character.technique = technique;
                *side = Side::new(character);
            }
        }
    }
}
