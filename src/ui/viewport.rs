//! Centre: the picture, the mouse on it, and what is written over it.

mod camera;
mod empty;
mod gizmo;
mod labels;
mod legend;
mod notes;
mod overlay;
mod pick;
mod problem;
mod ruler;
mod sides;
mod weights;

use egui::{
    Color32, CursorIcon, PointerButton, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo, pos2,
};

pub(super) use empty::told as told_in_the_middle;

use super::{Context, theme};
use crate::{scene::Background, session::Command};

/// The view's state.
#[derive(Debug, Default)]
pub struct Viewport {
    labels: labels::Labels,
    hint: overlay::Hint,
}

impl Viewport {
    /// Shows the pictures in all the room there is and returns where they lie.
    pub fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) -> Rect {
        let rect = ui.max_rect();
        if !rect.is_positive() || !rect.is_finite() {
            return Rect::NOTHING;
        }
        let response = ui.allocate_rect(rect, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, ui.is_enabled(), "3D view"));
        let parts = sides::parts(context.session, rect);
        for part in &parts {
            let painter = ui.painter_at(part.clip);
            let picture = context.pictures.get(part.side);
            match picture.and_then(|picture| picture.texture) {
                Some(texture) => {
                    let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                    painter.image(texture, part.rect, uv, Color32::WHITE);
                }
                None => {
                    painter.rect_filled(part.rect, 0.0, theme::colors(ui.visuals()).bar);
                }
            }
        }
        sides::seams(ui, rect, &parts);
        // The part that the pointer is in, or was when it was pressed.
        let at = ui.input(|input| input.pointer.press_origin().or(input.pointer.hover_pos()));
        let under = at.and_then(|at| parts.iter().find(|part| part.clip.contains(at)));
        let under = under.copied().unwrap_or(parts[0]);
        camera::input(ui, context, under.rect, &response);
        let ink = Ink::over(context.session.view.background, ui);
        let whole = rect;
        let rect = parts[0].rect;
        // Names keep clear of what else is written.
        let mut taken = notes::show(ui, context, rect, ink);
        taken.extend(legend::show(ui, context, rect, ink));
        taken.extend(ruler::show(ui, context, rect, ink));
        self.labels.show(ui, context, rect, ink, &taken);
        if ruler::is_picking(context) {
            ruler::pointer(ui, context, rect, ink, &response);
        } else {
            self.pointer(ui, context, under, &response);
            Self::joint_menu(ui, context, &response);
        }
        legend::scale_bar(ui, context, rect, ink);
        problem::show(ui, context, rect, ink);
        weights::mark(ui, context, rect, ink);
        overlay::show(ui, context, rect, ink, &mut self.hint);
        empty::show(ui, context, whole);
        gizmo::show(ui, context, whole, ink);
        // What is compared with A is in B's part.
        let colored = usize::from(context.session.colors_errors()).min(parts.len() - 1);
        weights::legend(ui, context, parts[colored], ink);
        sides::wipe(ui, context, whole, ink);
        sides::chips(ui, context, whole, &parts, ink);
        whole
    }

    /// Size of each picture in a view of this size.
    pub fn picture_size(session: &crate::session::Session, size: Vec2) -> Vec2 {
        sides::part_size(session, size)
    }

    /// The menu of the joint that was right-clicked, until it is closed.
    fn joint_menu(ui: &Ui, context: &mut Context<'_>, response: &Response) {
        let id = ui.scope_id().with("joint menu");
        let joint: Option<Option<usize>> = ui.data(|data| data.get_temp(id));
        if let Some(joint) = joint.flatten() {
            response.context_menu(|ui| super::joint_menu::show(ui, context, joint));
        }
    }

    /// Hover and click.
    fn pointer(&self, ui: &Ui, context: &mut Context<'_>, part: sides::Part, response: &Response) {
        let rect = part.rect;
        let Some(frame) = context.frame_of(part.side) else {
            return;
        };
        if response.dragged() {
            return;
        }
        let Some(pointer) = response.hover_pos() else {
            return;
        };
        if picks_vertices(ui, context) {
            ui.set_cursor_icon(CursorIcon::Crosshair);
            if response.clicked_by(PointerButton::Primary) {
                weights::pick(context, rect, pointer);
            }
            return;
        }
        let hit = pick::joint_at(context.session, frame, rect, pointer);
        if let Some(joint) = hit {
            context.hovered_joint = Some(joint);
        }
        if response.clicked_by(PointerButton::Primary) {
            context.commands.push(Command::SelectJoint(hit));
        }
        // The menu of the joint that was clicked last; a click beside all has none.
        let id = ui.scope_id().with("joint menu");
        if response.secondary_clicked() {
            ui.data_mut(|data| data.insert_temp(id, hit));
            if hit.is_some() {
                context.commands.push(Command::SelectJoint(hit));
            }
        }
        if response.double_clicked() && hit.is_some() {
            context.act(crate::session::Action::FrameSelected);
        }
        // Where the name is written already, its strong label is enough.
        let hit = hit.filter(|&joint| !self.labels.shows(joint));
        if let Some(name) = hit.and_then(|joint| context.joint_label(joint)) {
            let joint = hit.and_then(|joint| context.session.character()?.place(joint));
            let joint = joint.and_then(|place| pick::Projection::new(frame, rect).point(place));
            labels::tooltip(ui, rect, pointer, joint.map(|(at, _)| at), &name);
        }
    }
}

/// Whether a click means a vertex: while weights are shown, and with Ctrl otherwise.
/// Ctrl while weights are shown means joints.
fn picks_vertices(ui: &Ui, context: &Context<'_>) -> bool {
    let shows_weights = context.session.view.shows_weights();
    shows_weights != ui.input(|input| input.modifiers.command)
}

/// Colours of what is written over the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    /// The picture is dark.
    pub is_dark: bool,
    /// Text.
    pub text: Color32,
    /// Soft outline that keeps text readable on any surface.
    pub outline: Color32,
    /// Plates behind overlays.
    pub plate: Color32,
    /// The accent that fits.
    pub accent: Color32,
}

impl Ink {
    fn over(background: Background, ui: &Ui) -> Self {
        let is_dark = match background {
            Background::Dark => true,
            Background::Light => false,
            // The panels shine through.
            Background::Transparent => ui.visuals().dark_mode,
        };
        if is_dark {
            Self {
                is_dark,
                text: theme::DARK.strong,
                outline: Color32::from_black_alpha(200),
                plate: Color32::from_black_alpha(130),
                accent: theme::DARK.accent,
            }
        } else {
            Self {
                is_dark,
                text: theme::LIGHT.strong,
                outline: Color32::from_white_alpha(235),
                plate: Color32::from_white_alpha(190),
                accent: theme::LIGHT.accent,
            }
        }
    }
}
