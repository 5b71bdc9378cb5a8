//! What a person has made of the panels: their sizes, and which sections are open.

use std::collections::BTreeMap;

use egui::{Context, Id, Response};

/// Sizes in points and open sections, for the next start. What nobody ever touched
/// is not in it and keeps its default.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arrangement {
    /// Width of the outliner.
    pub outliner: Option<f32>,
    /// Width of the inspector.
    pub inspector: Option<f32>,
    /// Height of the timeline with the bar.
    pub timeline: Option<f32>,
    /// Height of the timeline with the dope sheet.
    pub dope_sheet: Option<f32>,
    /// Height of the timeline with the curves.
    pub curves: Option<f32>,
    /// Height of the timeline with the differences of a comparison.
    pub errors: Option<f32>,
    /// Width of the names beside dope sheet and curves.
    pub gutter: Option<f32>,
    /// By title, whether a section is open.
    pub sections: BTreeMap<String, bool>,
}

/// Follows one panel's size and tells when a hand has changed it.
#[derive(Debug, Default)]
pub(super) struct Dragged {
    last: Option<f32>,
}

impl Dragged {
    /// The panel's size, where the pointer has just dragged its edge.
    pub(super) fn follow(&mut self, shown: Option<&Response>, size: f32) -> Option<f32> {
        let Some(response) = shown else {
            self.last = None;
            return None;
        };
        let last = self.last.replace(size)?;
        // Opening and closing, or another window size, change it without a hand.
        let is_held = response.ctx.input(|input| input.pointer.primary_down());
        (is_held && (size - last).abs() > 0.1).then_some(size)
    }
}

fn sections_id() -> Id {
    Id::unique("open sections")
}

/// Whether the section of this title is open.
pub(super) fn is_open(ctx: &Context, title: &str, default_open: bool) -> bool {
    sections(ctx).get(title).copied().unwrap_or(default_open)
}

/// Opens or closes a section.
pub(super) fn set_open(ctx: &Context, title: &str, open: bool) {
    let mut sections = sections(ctx);
    sections.insert(title.to_owned(), open);
    set_sections(ctx, sections);
}

/// All sections that were ever opened or closed.
pub(super) fn sections(ctx: &Context) -> BTreeMap<String, bool> {
    ctx.data(|data| data.get_temp(sections_id()))
        .unwrap_or_default()
}

/// Brings the sections of an earlier run back.
pub(super) fn set_sections(ctx: &Context, sections: BTreeMap<String, bool>) {
    ctx.data_mut(|data| data.insert_temp(sections_id(), sections));
}
