//! What is measured in the view: switches, and the numbers.

use egui::{
    Align, Align2, Color32, DragValue, FontId, Layout, Rect, Sense, Ui, UiBuilder, WidgetInfo, vec2,
};

use crate::{
    document::Joint,
    scene::{
        Character, GhostSpacing, Ghosts, MOST_GHOSTS, RulerEnd, Trail, View, accent, pinned_color,
    },
    session::{Action, Command},
    ui::{
        Context,
        icons::Icon,
        length::{common_unit, in_one_unit, length},
        shortcuts,
        text::display,
        theme::{CONTROL, GAP, PAD, ROW, SMALL, colors},
        widgets,
    },
};

pub(super) fn show(ui: &mut Ui, context: &mut Context<'_>) {
    ui.spacing_mut().item_spacing = vec2(PAD, GAP);
    let mut view = context.session.view.clone();
    switches(ui, &mut view);
    if let Some(character) = context.session.character() {
        to_parent(ui, context, character);
        trails(ui, context, character, &mut view);
        ghosts(ui, &mut view);
        ruler(ui, context, character);
    }
    if view != context.session.view {
        context.commands.push(Command::SetView(Box::new(view)));
    }
}

/// How many ghosts, and how far apart.
fn ghosts(ui: &mut Ui, view: &mut View) {
    let ghosts = &mut view.ghosts;
    let tooltip = shortcuts::tooltip(
        ui.ctx(),
        Action::ToggleGhosts.tooltip(),
        Action::ToggleGhosts,
    );
    widgets::check_box(ui, &mut ghosts.on, "Ghosts").on_hover_text(tooltip);
    if !ghosts.on {
        return;
    }
    widgets::labelled(ui, "Before, after", |ui| {
        ui.spacing_mut().item_spacing.x = PAD;
        for (count, name) in [
            (&mut ghosts.before, "Ghosts before"),
            (&mut ghosts.after, "Ghosts after"),
        ] {
            let drag = DragValue::new(count).range(0..=MOST_GHOSTS).speed(0.05);
            ui.add_sized(vec2(48.0, CONTROL), drag)
                .accessible_name(name)
                .on_hover_text(name);
        }
    });
    let entries = [
        (
            true,
            "At keys",
            "At the keys of the selected joint, or of all joints",
        ),
        (false, "In steps", "In even steps of time"),
    ];
    let at_keys = ghosts.spacing == GhostSpacing::Keys;
    let chosen = widgets::labelled(ui, "Where", |ui| {
        widgets::segmented(ui, "Ghosts", at_keys, &entries)
    });
    match chosen {
        Some(true) => ghosts.spacing = GhostSpacing::Keys,
        Some(false) => ghosts.spacing = Ghosts::default().spacing,
        None => {}
    }
    if let GhostSpacing::Seconds(secs) = &mut ghosts.spacing {
        widgets::labelled(ui, "Step", |ui| {
            let drag = DragValue::new(secs)
                .range(0.005..=5.0)
                .speed(0.002)
                .max_decimals(3)
                .suffix(" s");
            ui.add_sized(vec2(72.0, CONTROL), drag)
                .accessible_name("Seconds between ghosts");
        });
    }
}

/// Two columns of check boxes.
fn switches(ui: &mut Ui, view: &mut View) {
    let mut ruler = view.ruler.is_some();
    let bounds = &mut view.bounds;
    let by_action = |action: Action| (action.label(), action.tooltip(), Some(action));
    let cells = [
        (
            (
                "Bounds as stored",
                "Box around the positions as stored, under the nodes' rest transforms: what programs cull by that do not look at the skin",
                Some(Action::ToggleBounds),
            ),
            &mut bounds.stored,
        ),
        (by_action(Action::ToggleFigure), &mut view.figure),
        (
            (
                "Bounds now",
                "Box around the vertices in the present pose",
                Some(Action::ToggleBounds),
            ),
            &mut bounds.now,
        ),
        (by_action(Action::ToggleScaleBar), &mut view.scale_bar),
        (
            (
                "Bounds over clip",
                "Box around the vertices over the whole clip",
                Some(Action::ToggleBounds),
            ),
            &mut bounds.clip,
        ),
        (by_action(Action::ToggleTrail), &mut view.trail),
        (by_action(Action::ToggleRuler), &mut ruler),
    ];
    let rows = cells.len().div_ceil(2);
    let size = vec2(ui.available_width(), rows as f32 * CONTROL);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let cell = vec2(area.width() * 0.5, CONTROL);
    for (index, ((label, tooltip, action), on)) in cells.into_iter().enumerate() {
        let place = vec2((index % 2) as f32, (index / 2) as f32) * cell;
        let builder = UiBuilder::new()
            .max_rect(Rect::from_min_size(area.min + place, cell))
            .layout(Layout::left_to_right(Align::Center));
        ui.scope_builder(builder, |ui| {
            let tooltip = match action {
                Some(action) => shortcuts::tooltip(ui.ctx(), tooltip, action),
                None => tooltip.to_owned(),
            };
            widgets::check_box(ui, on, label).on_hover_text(tooltip);
        });
    }
    if ruler != view.ruler.is_some() {
        view.ruler = ruler.then(Default::default);
    }
}

/// A name at the left, a value at the right; both are read out as one.
fn fact(ui: &mut Ui, name: &str, value: &str, tooltip: &str) {
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW - 2.0), Sense::hover());
    response
        .widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("{name}: {value}")));
    let colors = colors(ui.visuals());
    let font = FontId::proportional(13.0);
    let value = ui
        .painter()
        .layout_no_wrap(value.to_owned(), font.clone(), colors.strong);
    let at = Align2::RIGHT_CENTER.anchor_size(rect.right_center(), value.size());
    ui.painter().galley(at.min, value, colors.strong);
    let room = at.left() - PAD - rect.left();
    let y = rect.center().y;
    let (_, cut) = widgets::fitted_text(ui, name, font, colors.weak, rect.left(), y, room);
    if cut {
        response.on_hover_text(format!("{}\n{tooltip}", display(name)));
    } else if !tooltip.is_empty() {
        response.on_hover_text(tooltip);
    }
}

fn to_parent(ui: &mut Ui, context: &Context<'_>, character: &Character) {
    let joints = &character.document.skeleton.joints;
    let Some(joint) = context.session.view.selected_joint else {
        return;
    };
    let Some(parent) = joints.get(joint).and_then(|joint| joint.parent) else {
        return;
    };
    if let (Some(from), Some(to)) = (character.place(parent), character.place(joint)) {
        let name = format!("{} to parent", joints[joint].label());
        let tooltip = format!("To {}, now", joints[parent].label());
        fact(ui, &name, &length(from.distance(to)), &display(&tooltip));
    }
}

fn trails(ui: &mut Ui, context: &mut Context<'_>, character: &Character, view: &mut View) {
    if !view.trail && view.pinned_trails.is_empty() {
        return;
    }
    if context.frame.trails.is_empty() {
        let text = match (character.clip(), view.selected_joint) {
            (None, _) => "No clip plays: there is no trail",
            (_, None) => "Select a joint to see its trail",
            _ => "The clip has no length: there is no trail",
        };
        widgets::word(ui, text);
        return;
    }
    for trail in &context.frame.trails {
        let place = view
            .pinned_trails
            .iter()
            .position(|&joint| joint == trail.joint);
        let background = view.background;
        // In a comparison A's trails have A's colour.
        let compares = context.session.comparison.is_some();
        let pinned = place.filter(|_| !compares);
        let color = pinned.map_or(accent(background), |place| pinned_color(place, background));
        let name = context.joint_label(trail.joint).unwrap_or_default();
        if trail_row(ui, trail, &name, color, place.is_some()) {
            match place {
                Some(place) => {
                    view.pinned_trails.remove(place);
                }
                None => view.pinned_trails.push(trail.joint),
            }
        }
    }
}

/// Swatch, joint, path and button; whether that was pressed.
fn trail_row(ui: &mut Ui, trail: &Trail, name: &str, [r, g, b]: [u8; 3], pinned: bool) -> bool {
    let palette = colors(ui.visuals());
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, 36.0), Sense::hover());
    let path = length(trail.length());
    let apart = length(trail.start_to_end());
    let detail = format!("path {path} · start to end {apart}");
    response.widget_info(|| {
        WidgetInfo::labeled(
            egui::Role::Label,
            true,
            format!("Trail of {name}: {detail}"),
        )
    });
    let swatch = Rect::from_center_size(
        rect.left_center() + vec2(3.0, 0.0),
        vec2(3.0, rect.height() - 10.0),
    );
    ui.painter()
        .rect_filled(swatch, 1.5, Color32::from_rgb(r, g, b));
    let x = rect.left() + 12.0;
    let room = rect.right() - 24.0 - x;
    let y = rect.center().y;
    let font = FontId::proportional(13.0);
    widgets::fitted_text(ui, name, font, palette.text, x, y - 8.0, room);
    let small = FontId::proportional(SMALL);
    widgets::fitted_text(ui, &detail, small, palette.weak, x, y + 8.5, room);
    let button = Rect::from_center_size(rect.right_center() - vec2(9.0, 0.0), vec2(18.0, 18.0));
    let id = ui.scope_id().with(("pin", trail.joint));
    let response = ui.interact(button, id, Sense::click());
    let label = format!(
        "{} the trail of {name}",
        if pinned { "Unpin" } else { "Pin" }
    );
    widgets::paint_icon_button(ui, button, &response, Icon::Pin, &label, Some(pinned));
    let tip = shortcuts::tooltip(ui.ctx(), Action::PinTrail.tooltip(), Action::PinTrail);
    response.on_hover_text(tip).clicked()
}

fn ruler(ui: &mut Ui, context: &Context<'_>, character: &Character) {
    let view = &context.session.view;
    let (Some(ruler), Some(measured)) = (view.ruler, context.frame.ruler) else {
        return;
    };
    let (Some(from), Some(to)) = (ruler.from, ruler.to) else {
        return;
    };
    let named = |end: RulerEnd| match end {
        RulerEnd::Joint(joint) => {
            let joint = character.document.skeleton.joints.get(joint);
            joint.map_or_else(String::new, Joint::label)
        }
        RulerEnd::Surface(_) => "surface".to_owned(),
        RulerEnd::Ground(_) => "ground".to_owned(),
        RulerEnd::Air(_) => "free point".to_owned(),
    };
    let name = format!("{} → {}", named(from), named(to));
    fact(
        ui,
        &name,
        &length(measured.distance()),
        "Now, as the crow flies",
    );
    let [x, y, z] = in_one_unit(measured.offset());
    let unit = common_unit(measured.offset());
    fact(
        ui,
        "Along x, y, z",
        &format!("{x}  {y}  {z} {unit}"),
        "From the first point to the second, along the world's axes",
    );
}
