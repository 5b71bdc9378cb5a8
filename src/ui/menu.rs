//! The menu bar, made from the action table, and the open file at its right.

mod badge;

use egui::{Align, Atom, Button, Layout, RichText, Role, ThemePreference, Ui, WidgetInfo, vec2};

use super::{
    Context,
    format::plural,
    icons::Icon,
    length, shortcuts,
    text::display,
    theme::{GAP, PAD, colors},
};
use crate::{
    anim::{Interpolation, Modes, PRESETS},
    lab::SCENES,
    scene::Background,
    session::{Action, Command, Scope},
};

/// Actions that begin a new group of their menu.
const GROUPS: &[Action] = &[
    Action::SavePicture,
    Action::CloseWindow,
    Action::FrameAll,
    Action::ToggleSkeleton,
    Action::ToggleTrail,
    Action::ToggleMesh,
    Action::ToggleSkinning,
    Action::ToggleOutliner,
    Action::Problems,
    Action::StepBack,
    Action::PreviousClip,
    Action::ModeAuthored,
];

/// Fills the bar; `height` in metres is what the open character measures.
pub fn show(ui: &mut Ui, context: &mut Context<'_>, height: f32) {
    egui::MenuBar::new().ui(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.spacing_mut().button_padding = vec2(PAD, 2.0);
        for scope in Scope::ALL {
            menu(ui, context, scope);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            status(ui, context, height);
        });
    });
}

fn menu(ui: &mut Ui, context: &mut Context<'_>, scope: Scope) {
    ui.menu_button(scope.label(), |ui| {
        ui.set_min_width(230.0);
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.spacing_mut().button_padding = vec2(6.0, 2.0);
        let actions = Action::ALL
            .iter()
            .copied()
            .filter(|action| action.scope() == scope);
        for (index, action) in actions.enumerate() {
            if action.weight_view().is_some() {
                // A menu of their own, where the first of them stands.
                if action == Action::ShowJointWeights {
                    weights_menu(ui, context);
                }
                continue;
            }
            if index > 0 && GROUPS.contains(&action) {
                ui.separator();
            }
            item(ui, context, action);
            if action == Action::Open {
                recent_files(ui, context);
            }
        }
        match scope {
            Scope::View => {
                ui.separator();
                theme_menu(ui, context);
            }
            Scope::Play => modes_menu(ui, context),
            Scope::Lab => {
                presets(ui, context);
                scenes(ui, context);
            }
            Scope::File | Scope::Help => {}
        }
    });
}

fn item(ui: &mut Ui, context: &mut Context<'_>, action: Action) {
    let enabled = action.is_enabled(context.session);
    let on = context.is_on(action);
    let mut button = Button::new((check_mark(on == Some(true)), action.label()));
    if let Some(chord) = action.key() {
        button = button.shortcut_text(shortcuts::text(ui.ctx(), chord));
    }
    let response = ui.add_enabled(enabled, button);
    response.widget_info(|| match on {
        Some(on) => WidgetInfo::selected(Role::MenuItemCheckBox, enabled, on, action.label()),
        None => WidgetInfo::labeled(Role::MenuItem, enabled, action.label()),
    });
    if let Some(chord) = action.key() {
        let keys = shortcuts::text(ui.ctx(), chord);
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_keyboard_shortcut(keys);
        });
    }
    if response.clicked() {
        context.act(action);
        ui.close();
    }
    response.on_hover_text(action.tooltip());
}

/// A column for the mark, so that all labels stand under each other.
fn check_mark(on: bool) -> Atom<'static> {
    Atom::paint(vec2(14.0, 14.0), move |ui, args| {
        if on {
            Icon::Check.paint(ui.painter(), args.rect, colors(ui.visuals()).accent);
        }
    })
}

fn recent_files(ui: &mut Ui, context: &mut Context<'_>) {
    let recent = &context.session.recent;
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button((check_mark(false), "Open recent"), |ui| {
            ui.set_max_width(420.0);
            for path in recent {
                let name = path.file_name().map_or_else(
                    || path.display().to_string(),
                    |name| name.to_string_lossy().into_owned(),
                );
                let folder = path
                    .parent()
                    .and_then(|folder| folder.file_name())
                    .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                // The name first; where it lies is dim, and follows it.
                let folder = RichText::new(display(&folder)).color(colors(ui.visuals()).weak);
                let button = Button::new((RichText::new(display(&name)), folder));
                let response = ui.add(button).on_hover_text(path.display().to_string());
                if response.clicked() {
                    context.commands.push(Command::Open(path.clone()));
                    ui.close();
                }
            }
        });
    });
}

/// What the surface can show of weights.
fn weights_menu(ui: &mut Ui, context: &mut Context<'_>) {
    ui.menu_button((check_mark(false), "Weights"), |ui| {
        ui.set_min_width(230.0);
        let actions = Action::ALL.iter().copied();
        for action in actions.filter(|action| action.weight_view().is_some()) {
            item(ui, context, action);
        }
    });
}

/// Every interpolation mode, the current one checked.
fn modes_menu(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(character) = context.session.character() else {
        return;
    };
    let modes = character.technique.modes;
    ui.menu_button((check_mark(false), "Interpolation"), |ui| {
        for mode in Interpolation::ALL {
            let on = mode == modes.interpolation;
            let response = ui.add(Button::new((check_mark(on), mode.as_str())));
            response.widget_info(|| {
                let label = format!("Interpolation: {}", mode.as_str());
                WidgetInfo::selected(Role::MenuItemRadio, true, on, label)
            });
            if response.clicked() {
                let interpolation = mode;
                let modes = Modes {
                    interpolation,
                    ..modes
                };
                context.commands.push(Command::SetModes(modes));
                ui.close();
            }
        }
    });
}

/// Faults of other players, to be seen on the open file.
fn presets(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(character) = context.session.character() else {
        return;
    };
    ui.separator();
    ui.menu_button((check_mark(false), "How others would play this"), |ui| {
        ui.set_min_width(230.0);
        for preset in &PRESETS {
            let on = (preset.is_on)(&character.technique);
            let response = ui.add(Button::new((check_mark(on), preset.title)));
            response.widget_info(|| {
                WidgetInfo::selected(Role::MenuItemCheckBox, true, on, preset.title)
            });
            if response.clicked() {
                let mut technique = Box::new(character.technique.clone());
                (preset.set)(&mut technique, !on);
                let side = 0;
                let command = Command::SetTechnique { side, technique };
                context.commands.push(command);
                ui.close();
            }
            response.on_hover_text(preset.text);
        }
    });
}

/// Scenes that show one thing each.
fn scenes(ui: &mut Ui, context: &mut Context<'_>) {
    ui.separator();
    for scene in &SCENES {
        let on = (context.session.lab.as_ref()).is_some_and(|lab| lab.scene.id == scene.id);
        let response = ui.add(Button::new((check_mark(on), scene.title)));
        response.widget_info(|| WidgetInfo::selected(Role::MenuItemRadio, true, on, scene.title));
        if response.clicked() {
            context.commands.push(Command::OpenLab(scene));
            ui.close();
        }
        response.on_hover_text(scene.text);
    }
}

/// The themes to choose from.
pub const THEMES: [ThemePreference; 3] = [
    ThemePreference::System,
    ThemePreference::Dark,
    ThemePreference::Light,
];

/// What a theme is called.
pub fn theme_label(preference: ThemePreference) -> &'static str {
    match preference {
        ThemePreference::System => "Follow the system",
        ThemePreference::Dark => "Dark",
        ThemePreference::Light => "Light",
    }
}

/// Puts a theme in force; the view's backdrop goes along.
pub fn set_theme(ctx: &egui::Context, context: &mut Context<'_>, preference: ThemePreference) {
    ctx.set_theme(preference);
    let background = match ctx.theme() {
        egui::Theme::Dark => Background::Dark,
        egui::Theme::Light => Background::Light,
    };
    let mut view = context.session.view.clone();
    if view.background != Background::Transparent && view.background != background {
        view.background = background;
        context.commands.push(Command::SetView(Box::new(view)));
    }
}

fn theme_menu(ui: &mut Ui, context: &mut Context<'_>) {
    let current = ui.ctx().options(|options| options.theme_preference);
    ui.menu_button((check_mark(false), "Theme"), |ui| {
        for preference in THEMES {
            let label = theme_label(preference);
            let mark = check_mark(preference == current);
            let response = ui.add(Button::new((mark, label)));
            response.widget_info(|| {
                let on = preference == current;
                WidgetInfo::selected(Role::MenuItemRadio, true, on, format!("Theme: {label}"))
            });
            if response.clicked() {
                set_theme(ui.ctx(), context, preference);
                ui.close();
            }
        }
    });
}

/// `hero.glb · 1.75 m · 65 joints · 2 problems`, right to left.
fn status(ui: &mut Ui, context: &mut Context<'_>, height: f32) {
    ui.spacing_mut().item_spacing.x = GAP;
    ui.add_space(GAP);
    let Some(document) = context.session.document() else {
        ui.weak("no file");
        return;
    };
    badge::show(ui, context);
    let joints = match document.skinned_joint_count() {
        0 => plural(document.skeleton.joints.len(), "node"),
        joints => plural(joints, "joint"),
    };
    ui.weak(format!("· {joints}"));
    measured(ui, height);
    let name = if document.name.is_empty() {
        "unnamed"
    } else {
        &document.name
    };
    let text = RichText::new(display(name)).color(colors(ui.visuals()).text);
    let label = ui.add(egui::Label::new(text).truncate().selectable(false));
    if let Some(path) = &context.session.path {
        label.on_hover_text(path.display().to_string());
    }
}

/// The character's height; marked where nobody is so tall, or so small.
fn measured(ui: &mut Ui, height: f32) {
    let text = format!("· {}", length::length(height));
    match length::doubt(height) {
        Some(why) => {
            let color = colors(ui.visuals()).warning;
            ui.label(RichText::new(format!("{text}?")).color(color))
                .on_hover_text(why);
        }
        None => {
            ui.weak(text).on_hover_text("Height in the rest pose");
        }
    }
}
