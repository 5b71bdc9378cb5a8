//! How far the rows of the joint tree are indented.

use std::sync::{Arc, Weak};

use egui::{FontId, Ui};

use crate::document::Document;

/// Points per level of depth, where there is room.
const INDENT: f32 = 11.0;
/// Points per level at least; deeper rows stay where they are then.
const LEAST_INDENT: f32 = 4.0;
/// Indentation takes at most this part of a row.
const LARGEST_PART: f32 = 0.42;

/// The step from level to level that leaves room for the names of a document,
/// measured once for each document and width, and again when fonts were found for it.
#[derive(Debug, Default)]
pub(super) struct Steps {
    document: Weak<Document>,
    width: f32,
    fonts: usize,
    step: f32,
}

impl Steps {
    /// Points per level in a list `width` points wide, where `room` is for indentation
    /// and name together.
    pub(super) fn step(&mut self, ui: &Ui, document: &Arc<Document>, width: f32, room: f32) -> f32 {
        let is_known = std::ptr::eq(self.document.as_ptr(), Arc::as_ptr(document));
        let fonts = ui.fonts(|fonts| fonts.discovered_fonts().len());
        if !is_known || self.width != width || self.fonts != fonts {
            self.fonts = fonts;
            self.document = Arc::downgrade(document);
            self.width = width;
            let font = FontId::proportional(13.0);
            let names = names(document);
            self.step = ui.fonts_mut(|fonts| step(room, names, |c| fonts.glyph_width(&font, c)));
        }
        self.step
    }
}

/// Depth and name of each joint.
fn names(document: &Document) -> impl Iterator<Item = (usize, String)> + '_ {
    let joints = &document.skeleton.joints;
    let mut depths: Vec<usize> = Vec::with_capacity(joints.len());
    joints.iter().map(move |joint| {
        // Parents come before their children.
        let depth = joint.parent.map_or(0, |parent| depths[parent] + 1);
        depths.push(depth);
        (depth, joint.label())
    })
}

/// The largest step at which every name fits that can fit at all.
fn step(
    room: f32,
    names: impl Iterator<Item = (usize, String)>,
    mut width: impl FnMut(char) -> f32,
) -> f32 {
    let mut step = INDENT;
    for (depth, name) in names.filter(|&(depth, _)| depth > 0) {
        // A point for kerning.
        let name_width = name.chars().map(&mut width).sum::<f32>() + 1.0;
        let fitting = (room - name_width) / depth as f32;
        if fitting >= LEAST_INDENT {
            step = step.min(fitting);
        }
    }
    step
}

/// How far one row is indented.
#[derive(Debug, Clone, Copy)]
pub(super) struct Indent {
    /// Levels that show.
    pub(super) levels: usize,
    /// Points per level.
    pub(super) step: f32,
}

impl Indent {
    pub(super) fn new(depth: usize, step: f32, width: f32) -> Self {
        let room = width * LARGEST_PART;
        Self {
            levels: depth.min((room / step) as usize),
            step,
        }
    }

    pub(super) fn points(self) -> f32 {
        self.levels as f32 * self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seven points to a letter.
    fn step_for(names: &[(usize, &str)]) -> f32 {
        let names = names.iter().map(|&(depth, name)| (depth, name.to_owned()));
        step(170.0, names, |_| 7.0)
    }

    #[test]
    fn deep_names_get_their_room_and_hopeless_ones_do_not_cost_the_others_theirs() {
        assert_eq!(step_for(&[(0, "Hips"), (3, "Head")]), INDENT);
        let step = step_for(&[(9, "LowerArmTwist.L"), (3, "Head")]);
        assert!(step < INDENT && 9.0 * step + 15.0 * 7.0 <= 170.0, "{step}");
        let long = "a name that is longer than the panel is wide";
        assert_eq!(step_for(&[(2, long), (3, "Head")]), INDENT);
    }

    #[test]
    fn every_level_of_a_human_shows_and_a_long_chain_leaves_room_for_names() {
        let width = 232.0;
        let hand = Indent::new(9, 6.0, width);
        let finger = Indent::new(10, 6.0, width);
        assert!(finger.points() > hand.points() + 4.0);
        assert!(Indent::new(2500, LEAST_INDENT, width).points() < width * 0.45);
        assert!(Indent::new(2500, LEAST_INDENT, 1.0).points() <= 5.0);
    }
}
