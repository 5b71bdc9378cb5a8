//! The panels: they read `&Session` and push [`Command`]s, nothing else.
//!
//! egui may run two passes a frame and hands the input to the first one only, so
//! every command is absolute, or an action that answers an event, and the shell
//! keeps the queue across passes and applies it once, in order.

mod arrangement;
mod banner;
mod fonts;
mod format;
mod help;
mod icons;
mod info;
mod inspector;
mod joint_menu;
mod length;
mod menu;
mod messages;
mod outliner;
mod palette;
mod problem;
mod script;
mod sheet;
pub mod shortcuts;
mod side;
mod technique;
mod text;
pub mod theme;
mod timeline;
mod tree;
mod viewport;
mod widgets;

use egui::{CentralPanel, Margin, Panel, Rect, TextureId, emath::GuiRounding as _};

pub use arrangement::Arrangement;
use arrangement::Dragged;

use crate::{
    document::Severity,
    scene::Frame,
    session::{Action, Command, OutlinerTab, Panels, Session, TimelineView},
};

/// Width of the outliner until somebody drags its edge.
const OUTLINER_WIDTH: f32 = 236.0;
/// Width of the inspector until somebody drags its edge.
const INSPECTOR_WIDTH: f32 = 304.0;
/// Narrower windows have room for one side panel only.
const BOTH_SIDES_FROM: f32 = 820.0;
/// Narrower windows do without side panels.
const SIDES_FROM: f32 = 480.0;
/// Lower windows do without the timeline.
const TIMELINE_FROM: f32 = 260.0;
/// In smaller windows there is nothing but the view.
const PANELS_FROM: f32 = 100.0;

/// Widget state that outlives a frame.
#[derive(Debug, Default)]
pub struct Ui {
    outliner: outliner::Outliner,
    inspector: inspector::Inspector,
    timeline: timeline::Timeline,
    viewport: viewport::Viewport,
    palette: palette::Palette,
    toasts: messages::Toasts,
    info: info::Info,
    fonts: fonts::SystemFonts,
    arrangement: Arrangement,
    /// Outliner, inspector, and the timeline's views.
    dragged: [Dragged; 6],
    /// Width over height of the view in the frame before, for framing.
    aspect: f32,
}

/// What the shell needs to know for the next picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UiOutput {
    /// Where the 3D view lies, in points.
    pub viewport_points: Rect,
    /// Size in pixels of each picture in it; zero while it is not to be seen.
    pub viewport_pixels: [u32; 2],
}

/// A picture of the 3D view as it was drawn last.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    /// What it shows.
    pub frame: &'a Frame,
    /// egui's name for it, once it is drawn.
    pub texture: Option<TextureId>,
}

/// What a panel gets for one pass.
struct Context<'a> {
    session: &'a Session,
    /// A's picture.
    frame: &'a Frame,
    /// All sides' pictures.
    pictures: &'a [Picture<'a>],
    commands: &'a mut Vec<Command>,
    aspect: f32,
    /// There is room for one side panel only: of two that are open, the outliner.
    is_narrow: bool,
    /// The joint under the pointer in this pass, wherever that is.
    hovered_joint: Option<usize>,
    /// The playhead is held in this pass.
    scrubbing: bool,
}

impl<'a> Context<'a> {
    /// Pushes an action; what it means is decided when its turn comes, after what
    /// was pushed before.
    fn act(&mut self, action: Action) {
        let command = self.command(action);
        self.commands.push(command);
    }

    /// The command for an action. In a narrow window the switch of a side panel goes
    /// by what is to be seen, and opening one closes the other.
    fn command(&self, action: Action) -> Command {
        match action {
            Action::ToggleOutliner | Action::ToggleInspector if self.is_narrow => {
                let opens = self.is_on(action) == Some(false);
                let mut panels = self.session.panels;
                panels.outliner = opens && action == Action::ToggleOutliner;
                panels.inspector = opens && action == Action::ToggleInspector;
                Command::SetPanels(panels)
            }
            // The list of problems takes the place of the inspector.
            Action::Problems if self.is_narrow && self.is_on(action) == Some(false) => {
                let mut panels = self.session.panels;
                (panels.outliner, panels.inspector) = (true, false);
                panels.outliner_tab = OutlinerTab::Problems;
                Command::SetPanels(panels)
            }
            _ => Command::Act {
                action,
                aspect: self.aspect,
            },
        }
    }

    /// Whether a switch is on, as it is to be seen.
    fn is_on(&self, action: Action) -> Option<bool> {
        match action {
            Action::ToggleInspector => Some(self.shows_inspector()),
            _ => action.is_on(self.session),
        }
    }

    fn shows_inspector(&self) -> bool {
        let panels = self.session.panels;
        panels.inspector && !(self.is_narrow && panels.outliner)
    }

    /// The picture of a side whose joints are A's: a click there means the same joint.
    fn frame_of(&self, side: usize) -> Option<&'a Frame> {
        let (a, b) = (self.session.character()?, self.session.side(side)?);
        let same = std::sync::Arc::ptr_eq(&a.document, &b.document);
        same.then(|| self.pictures.get(side).map(|picture| picture.frame))?
    }

    fn joint_label(&self, joint: usize) -> Option<String> {
        let document = self.session.document()?;
        Some(document.skeleton.joints.get(joint)?.label())
    }
}

impl Ui {
    /// Installs fonts and theme.
    pub fn new(ctx: &egui::Context) -> Self {
        theme::install(ctx);
        let ui = Self {
            aspect: 1.6,
            ..Self::default()
        };
        ui.fonts.install(ctx);
        ui
    }

    /// Sizes of panels and open sections as they are now, for the next start.
    pub fn arrangement(&self, ctx: &egui::Context) -> Arrangement {
        Arrangement {
            sections: arrangement::sections(ctx),
            gutter: timeline::gutter(ctx),
            ..self.arrangement.clone()
        }
    }

    /// Brings back what [`arrangement`](Self::arrangement) told; before the first frame.
    pub fn arrange(&mut self, ctx: &egui::Context, arrangement: Arrangement) {
        arrangement::set_sections(ctx, arrangement.sections.clone());
        timeline::set_gutter(ctx, arrangement.gutter);
        self.arrangement = arrangement;
    }

    /// Lays out all panels. There is a picture for each side of a comparison, A's first;
    /// of an overlay there is one.
    pub fn run(
        &mut self,
        ui: &mut egui::Ui,
        session: &Session,
        pictures: &[Picture<'_>],
        commands: &mut Vec<Command>,
    ) -> UiOutput {
        let Some(&Picture { frame, .. }) = pictures.first() else {
            return UiOutput {
                viewport_points: Rect::ZERO,
                viewport_pixels: [0, 0],
            };
        };
        let size = ui.ctx().content_rect().size();
        let mut context = Context {
            session,
            frame,
            pictures,
            commands,
            aspect: self.aspect,
            is_narrow: size.x < BOTH_SIDES_FROM,
            hovered_joint: None,
            scrubbing: false,
        };
        let context = &mut context;
        self.info.follow(session);
        shortcuts::run(ui.ctx(), context);
        if size.x >= PANELS_FROM && size.y >= PANELS_FROM {
            self.panels(ui, context, size);
        }
        banner::show(ui, context);
        let points = CentralPanel::no_frame()
            .show(ui, |ui| self.viewport.show(ui, context))
            .inner;
        if points.is_positive() {
            self.toasts.show(ui, context, points);
        }
        help::show(ui, context);
        self.info.show(ui, context);
        self.palette.show(ui, context);
        shortcuts::escape(ui.ctx(), context);
        if context.hovered_joint != session.view.hovered_joint {
            let command = Command::HoverJoint(context.hovered_joint);
            context.commands.push(command);
        }
        if context.scrubbing != session.scrubbing {
            let command = Command::SetScrubbing(context.scrubbing);
            context.commands.push(command);
        }
        let missing = self.fonts.follow(ui.ctx());
        if let Some(text) = script::missing_message(&missing) {
            context
                .commands
                .push(Command::Notify(Severity::Warning, text));
        }
        self.output(session, points, ui.ctx().pixels_per_point())
    }

    fn output(&mut self, session: &Session, points: Rect, scale: f32) -> UiOutput {
        if !points.is_positive() {
            return UiOutput {
                viewport_points: Rect::ZERO,
                viewport_pixels: [0, 0],
            };
        }
        let points = points.round_to_pixels(scale);
        let picture = viewport::Viewport::picture_size(session, points.size());
        self.aspect = picture.x / picture.y;
        let pixels = |length: f32| (length * scale).round().max(0.0) as u32;
        UiOutput {
            viewport_points: points,
            viewport_pixels: [pixels(picture.x), pixels(picture.y)],
        }
    }

    fn panels(&mut self, ui: &mut egui::Ui, context: &mut Context<'_>, size: egui::Vec2) {
        let colors = theme::colors(ui.visuals());
        let bare = egui::Frame::new().fill(colors.panel);
        Panel::top("menu bar")
            .frame(
                egui::Frame::new()
                    .fill(colors.bar)
                    .inner_margin(Margin::symmetric(theme::PAD as i8, 3)),
            )
            .show(ui, |ui| menu::show(ui, context, self.info.height_metres()));

        let before = context.session.panels;
        let mut panels: Panels = before;
        let sizes = &mut self.arrangement;
        let [outliner, inspector, heights @ ..] = &mut self.dragged;
        if size.y >= TIMELINE_FROM {
            let view = timeline::fitting(context.session, size);
            // Each view is a panel of its own and so has a height of its own.
            let (id, kept) = match view {
                TimelineView::Bar => ("timeline", &mut sizes.timeline),
                TimelineView::DopeSheet => ("dope sheet", &mut sizes.dope_sheet),
                TimelineView::Curves => ("curves", &mut sizes.curves),
                TimelineView::Errors => ("errors", &mut sizes.errors),
            };
            let shown = Panel::bottom(id)
                .frame(bare.inner_margin(Margin::symmetric(theme::MARGIN as i8, theme::PAD as i8)))
                .resizable(true)
                .default_size(kept.unwrap_or(timeline::default_height(view, size)))
                .size_range(timeline::height_range(view, size))
                .show_collapsible(ui, &mut panels.timeline, |ui| {
                    self.timeline.show(ui, context, view);
                });
            let shown = shown.map(|shown| shown.response);
            let height = shown.as_ref().map_or(0.0, |shown| shown.rect.height());
            for (known, dragged) in TimelineView::ALL.into_iter().zip(heights) {
                let shown = shown.as_ref().filter(|_| known == view);
                let height = dragged.follow(shown, height);
                if known == view {
                    *kept = height.or(*kept);
                }
            }
        }
        if size.x >= SIDES_FROM {
            let shown = Panel::left("outliner")
                .frame(bare)
                .resizable(true)
                .default_size(sizes.outliner.unwrap_or(OUTLINER_WIDTH))
                .size_range(180.0..=(size.x * 0.35).max(180.0))
                .show_collapsible(ui, &mut panels.outliner, |ui| {
                    self.outliner.show(ui, context);
                });
            let shown = shown.map(|shown| shown.response);
            let width = shown.as_ref().map_or(0.0, |shown| shown.rect.width());
            sizes.outliner = outliner.follow(shown.as_ref(), width).or(sizes.outliner);
        }
        if size.x >= SIDES_FROM {
            let mut open = context.shows_inspector();
            let open_before = open;
            let shown = Panel::right("inspector")
                .frame(bare)
                .resizable(true)
                .default_size(sizes.inspector.unwrap_or(INSPECTOR_WIDTH))
                .size_range(264.0..=(size.x * 0.4).max(264.0))
                .show_collapsible(ui, &mut open, |ui| {
                    self.inspector.show(ui, context);
                });
            let shown = shown.map(|shown| shown.response);
            let width = shown.as_ref().map_or(0.0, |shown| shown.rect.width());
            sizes.inspector = inspector.follow(shown.as_ref(), width).or(sizes.inspector);
            if open != open_before {
                panels.inspector = open;
            }
        }
        if panels != before {
            context.commands.push(Command::SetPanels(panels));
        }
    }
}
