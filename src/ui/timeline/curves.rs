//! Curves: what joints do over time, as lines.
//!
//! One lane for each curve that is switched on, all over the time axis that bar and
//! dope sheet use. Painted by hand rather than by a plotting library: lanes share one
//! axis with the ruler above, lines and dots come in strokes per joint, keys are hit
//! exactly, and a still frame costs no more than its triangles.

mod choice;
mod draw;
mod keys;
mod kinds;
mod lanes;
mod lines;
mod marks;
mod palette;
mod pointer;
mod readout;
mod store;

use std::sync::Arc;

use egui::{Align2, FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2};

use self::{
    choice::{Choice, Compare},
    lanes::Lane,
    store::Store,
};
use super::{
    areas::{self, Areas},
    axis::TimeAxis,
    ruler,
};
use crate::{
    analysis::curves::{Curve, Reading},
    anim::Modes,
    scene::{Character, PoseSource},
    session::Session,
    ui::{
        Context,
        text::display,
        theme::{PAD, RADIUS, colors},
        widgets,
    },
};

/// Room for the labels of the value axes, left of the plot.
const LABELS: f32 = 38.0;
/// Width of the read-out.
const READOUT: f32 = 274.0;
/// Narrower plots do without the read-out.
const PLOT_FROM: f32 = 300.0;

/// The view's state.
#[derive(Debug, Default)]
pub struct Curves {
    choice: Choice,
    store: Store,
    /// Low and high of lanes that were moved by hand, by index in [`Curve::ALL`].
    heights: [Option<[f32; 2]>; Curve::ALL.len()],
    grab: Option<pointer::Grab>,
    /// What the heights were set for: another selection or clip fits them anew.
    subject: (Option<usize>, Vec<(usize, usize)>),
    /// The scene of the lab whose curve was chosen.
    scene_seen: u64,
}

/// All that painting, pointer and read-out need to know of one frame.
struct View<'a> {
    session: &'a Session,
    character: &'a Character,
    /// Joint and number of its stroke; the selected one first.
    joints: Vec<(usize, usize)>,
    /// What is played.
    reading: Reading,
    /// What is plotted faintly beside it.
    ghost: Option<Reading>,
    axis: TimeAxis,
    plot: Rect,
    lanes: Vec<Lane>,
}

impl View<'_> {
    fn x_of(&self, secs: f32) -> f32 {
        self.axis.x_of(self.plot, secs)
    }

    fn joint_label(&self, joint: usize) -> String {
        let joints = &self.character.document.skeleton.joints;
        joints
            .get(joint)
            .map_or_else(String::new, crate::document::Joint::label)
    }

    /// What is plotted faintly beside a curve; angles between keys hang on no mode.
    fn ghost_of(&self, curve: Curve) -> Option<&Reading> {
        self.ghost
            .as_ref()
            .filter(|_| curve != Curve::AngleToPreviousKey)
    }
}

impl Curves {
    /// Fills the place below the controls.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        if let Some(lab) = &context.session.lab
            && self.scene_seen != lab.opened
        {
            self.scene_seen = lab.opened;
            self.choice = Choice::of(lab.scene.curve);
        }
        let compared = context.session.comparison.is_some();
        self.choice.follow_comparison(compared);
        let areas = areas::areas(ui);
        let (areas, readout) = with_readout(areas);
        let session = context.session;
        let names = Rect::from_min_max(
            areas.names.min,
            pos2(areas.names.right() - LABELS, areas.names.bottom()),
        );
        let fits = kinds::corner(ui, &mut self.choice, areas.corner);
        kinds::list(ui, &mut self.choice, names);
        let axis = TimeAxis::of(session, areas.ruler);
        ruler::show(ui, context, areas.ruler, axis);
        if fits {
            self.fit(context);
        }
        ui.painter()
            .rect_filled(areas.plot, RADIUS, colors(ui.visuals()).sunken);
        let Some(character) = session.character() else {
            describe(ui, areas.plot, "no file is open");
            return;
        };
        let clip = match character.source {
            PoseSource::Clip(clip) => Some(clip),
            PoseSource::Rest | PoseSource::Bind => None,
        };
        if let Some(before) = self.store.begin(&character.document, clip) {
            self.choice.follow(before.as_deref(), &character.document);
        }
        let joints = self.choice.joints(session.view.selected_joint);
        if let Some((title, hint)) = self.nothing(character, &joints) {
            empty(ui, areas.plot, title, hint);
            return;
        }
        if self.subject != (clip, joints.clone()) {
            self.subject = (clip, joints.clone());
            self.heights = Default::default();
        }
        let mut view = View {
            session,
            character,
            joints,
            reading: self.choice.reading(character.technique.modes),
            ghost: self
                .other_modes(session, character)
                .map(|modes| self.choice.reading(modes)),
            axis,
            plot: areas.plot,
            lanes: Vec::new(),
        };
        view.lanes = self.lanes(&view);
        let hit = self.pointer(ui, context, &view);
        // A hand that moves a lane sees it move in this frame.
        view.lanes = self.lanes(&view);
        self.paint(
            ui,
            &view,
            &hit,
            areas.names.right() - LABELS..=areas.plot.left() - 4.0,
        );
        if let Some(rect) = readout {
            self.readout(ui, context, &view, &hit, rect);
        }
    }

    /// The modes of what is plotted faintly.
    fn other_modes(&self, session: &Session, a: &Character) -> Option<Modes> {
        if self.choice.compare != Compare::Side {
            return self.choice.compare.modes(a.technique.modes);
        }
        let b = session.side(1)?;
        let same = Arc::ptr_eq(&a.document, &b.document) && a.source == b.source;
        same.then_some(b.technique.modes)
            .filter(|modes| *modes != a.technique.modes)
    }

    /// Why there is nothing to plot, and what to do about it.
    fn nothing(
        &self,
        character: &Character,
        joints: &[(usize, usize)],
    ) -> Option<(&'static str, &'static str)> {
        match character.source {
            PoseSource::Rest => Some((
                "Rest pose: nothing moves",
                "Choose a clip to see what its joints do over time.",
            )),
            PoseSource::Bind => Some((
                "Bind pose: nothing moves",
                "Choose a clip to see what its joints do over time.",
            )),
            PoseSource::Clip(_) if joints.is_empty() => Some((
                "No joint selected",
                "Select one in the view or the outliner. A pin keeps its curves beside those of the next.",
            )),
            PoseSource::Clip(_) if self.choice.shown().next().is_none() => Some((
                "No curve switched on",
                "Switch some on in the list at the left.",
            )),
            PoseSource::Clip(_) => None,
        }
    }

    /// The whole clip, and every lane as high as its curves.
    fn fit(&mut self, context: &mut Context<'_>) {
        self.heights = Default::default();
        context
            .commands
            .push(crate::session::Command::ShowTimes(None));
    }

    fn lanes(&mut self, view: &View<'_>) -> Vec<Lane> {
        let shown: Vec<usize> = self.choice.shown().collect();
        let rects = lanes::rects(view.plot, shown.len());
        let mut lanes = Vec::with_capacity(shown.len());
        for (index, rect) in shown.into_iter().zip(rects) {
            let curve = self.choice.curve(index);
            let mut wholes = Vec::new();
            for &(joint, _) in &view.joints {
                wholes.push(self.store.whole(joint, curve, &view.reading));
                if let Some(ghost) = view.ghost_of(curve) {
                    wholes.push(self.store.whole(joint, curve, ghost));
                }
            }
            let fitted = lanes::fit(curve, wholes.iter().map(|whole| &**whole));
            let [low, high] = self.heights[index].unwrap_or(fitted);
            lanes.push(Lane {
                index,
                curve,
                rect,
                low,
                high,
                fitted,
                own_scale: self.choice.own_scale[index],
            });
        }
        lanes
    }
}

/// Takes the read-out from the right of ruler and plot, where there is room.
fn with_readout(areas: Areas) -> (Areas, Option<Rect>) {
    if areas.plot.width() < PLOT_FROM + READOUT {
        return (areas, None);
    }
    let right = areas.plot.right() - READOUT;
    let cut = |rect: Rect| Rect::from_min_max(rect.min, pos2(right, rect.bottom()));
    let readout = Rect::from_min_max(pos2(right + PAD, areas.ruler.top()), areas.plot.max);
    let areas = Areas {
        ruler: cut(areas.ruler),
        plot: cut(areas.plot),
        ..areas
    };
    (areas, Some(readout))
}

/// The plot for assistive tools, where there is nothing in it.
fn describe(ui: &Ui, plot: Rect, text: &str) {
    let response = ui.interact(plot, ui.scope_id().with("plot"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Curves: {text}")));
}

/// An empty plot that says what would be there.
fn empty(ui: &Ui, plot: Rect, title: &str, hint: &str) {
    describe(ui, plot, title);
    let colors = colors(ui.visuals());
    let painter = ui.painter_at(plot);
    let center = plot.center();
    painter.text(
        center - egui::vec2(0.0, 3.0),
        Align2::CENTER_BOTTOM,
        title,
        FontId::proportional(13.0),
        colors.text,
    );
    let job = egui::text::LayoutJob::simple(
        hint.to_owned(),
        FontId::proportional(12.0),
        colors.weak,
        (plot.width() - 4.0 * PAD).max(80.0),
    );
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let at = pos2(center.x - galley.size().x * 0.5, center.y + 3.0);
    painter.galley(at, galley, colors.weak);
}

/// Text with a ground of its own, so that lines behind do not cross it; returns its
/// right edge.
fn plate(
    ui: &Ui,
    painter: &egui::Painter,
    at: egui::Pos2,
    align: Align2,
    text: &str,
    size: f32,
    color: egui::Color32,
) -> Rect {
    let font = FontId::proportional(size);
    let galley = painter.layout_no_wrap(display(text).into_owned(), font, color);
    let rect = align.anchor_size(at, galley.size());
    let ground = colors(ui.visuals()).sunken.gamma_multiply(0.82);
    painter.rect_filled(rect.expand2(egui::vec2(2.0, 0.0)), 2.0, ground);
    painter.galley(rect.min, galley, color);
    rect
}

/// Outline of the plot where the keyboard acts on it.
fn focus(ui: &Ui, plot: Rect, response: &egui::Response) {
    widgets::focus_ring(ui, plot, response);
}
