//! One place for every colour, size and font of the window.

use std::collections::BTreeMap;

use egui::{
    Color32, CornerRadius, FontId, Margin, Shadow, Stroke, Style, TextStyle, Theme, Visuals,
    epaint::TextOptions,
    style::{
        HandleShape, ScrollAnimation, ScrollStyle, Selection, Spacing, WidgetVisuals, Widgets,
    },
    vec2,
};

use crate::scene::{AXES, Background, accent};

/// Spacing scale in points: between parts of one thing.
pub const GAP: f32 = 4.0;
/// Between things.
pub const PAD: f32 = 8.0;
/// Between groups, and at the edges of panels.
pub const MARGIN: f32 = 12.0;
/// Height of a row in lists and trees.
pub const ROW: f32 = 22.0;
/// Height of a two-line row.
pub const TALL_ROW: f32 = 42.0;
/// Height of buttons and fields.
pub const CONTROL: f32 = 24.0;
/// Corner radius of controls.
pub const RADIUS: u8 = 4;
/// Corner radius of windows and popups.
pub const WINDOW_RADIUS: u8 = 8;
/// Size of secondary text.
pub const SMALL: f32 = 11.5;
/// Size of numbers in tables.
pub const MONO: f32 = 12.0;

/// The colours of one theme.
#[derive(Debug)]
pub struct Colors {
    /// Panels and windows.
    pub panel: Color32,
    /// Menu bar and panel headings, a step away from `panel`.
    pub bar: Color32,
    /// Popups, menus, toasts: a step nearer to the eye.
    pub popup: Color32,
    /// Controls at rest.
    pub raised: Color32,
    /// Controls under the pointer.
    pub hovered: Color32,
    /// Controls held down.
    pub pressed: Color32,
    /// Wells: text fields, tracks.
    pub sunken: Color32,
    /// Separators.
    pub line: Color32,
    /// Ordinary text.
    pub text: Color32,
    /// Secondary text.
    pub weak: Color32,
    /// Headings and values.
    pub strong: Color32,
    /// Selection, playhead, what is on.
    pub accent: Color32,
    /// Text on a filled accent.
    pub on_accent: Color32,
    /// Background of selected rows.
    pub selected: Color32,
    /// Errors.
    pub error: Color32,
    /// Warnings.
    pub warning: Color32,
    /// Notices.
    pub info: Color32,
    /// Axes x, y, z.
    pub axes: [Color32; 3],
    /// Key ticks.
    pub key: Color32,
    /// Behind popups.
    pub shadow: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// A colour of the view, so that panels and view agree.
const fn shared([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// Dark theme.
pub static DARK: Colors = Colors {
    panel: rgb(0x1c_1e_22),
    bar: rgb(0x17_19_1c),
    popup: rgb(0x25_28_2d),
    raised: rgb(0x2b_2f_35),
    hovered: rgb(0x36_3b_43),
    pressed: rgb(0x41_47_51),
    sunken: rgb(0x13_15_18),
    line: rgb(0x2c_2f_35),
    text: rgb(0xcf_d3_d9),
    weak: rgb(0x8c_93_9e),
    strong: rgb(0xf1_f3_f6),
    accent: shared(accent(Background::Dark)),
    on_accent: rgb(0x06_1a_2b),
    selected: rgb(0x22_3f_57),
    error: rgb(0xff_6b_66),
    warning: rgb(0xf0_b4_3c),
    info: rgb(0x7f_b4_e6),
    axes: [shared(AXES[0]), shared(AXES[1]), shared(AXES[2])],
    key: rgb(0xb4_ba_c4),
    shadow: Color32::from_black_alpha(110),
};

/// Light theme.
pub static LIGHT: Colors = Colors {
    panel: rgb(0xf6_f7_f9),
    bar: rgb(0xec_ee_f1),
    popup: rgb(0xff_ff_ff),
    raised: rgb(0xe4_e7_eb),
    hovered: rgb(0xd8_dc_e2),
    pressed: rgb(0xc8_ce_d6),
    sunken: rgb(0xff_ff_ff),
    line: rgb(0xdb_df_e5),
    text: rgb(0x2c_31_39),
    weak: rgb(0x65_6c_78),
    strong: rgb(0x0c_0f_14),
    accent: shared(accent(Background::Light)),
    on_accent: rgb(0xff_ff_ff),
    selected: rgb(0xcd_e4_f8),
    error: rgb(0xc9_2a_2a),
    warning: rgb(0x9a_67_00),
    info: rgb(0x2d_6a_a6),
    axes: [rgb(0xc9_36_36), rgb(0x3d_86_28), rgb(0x35_55_d6)],
    key: rgb(0x55_5d_69),
    shadow: Color32::from_black_alpha(36),
};

/// The colours that fit these visuals.
pub fn colors(visuals: &Visuals) -> &'static Colors {
    if visuals.dark_mode { &DARK } else { &LIGHT }
}

impl Colors {
    /// Colour of a severity.
    pub fn severity(&self, severity: crate::document::Severity) -> Color32 {
        use crate::document::Severity;
        match severity {
            Severity::Info => self.info,
            Severity::Warning => self.warning,
            Severity::Error => self.error,
        }
    }
}

/// Installs fonts and both themes; which one shows follows the system until the
/// person chooses.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(super::fonts::carried());
    ctx.set_style_of(Theme::Dark, style(&DARK, &Visuals::dark()));
    ctx.set_style_of(Theme::Light, style(&LIGHT, &Visuals::light()));
}

fn style(colors: &Colors, base: &Visuals) -> Style {
    let text_styles: BTreeMap<TextStyle, FontId> = [
        (TextStyle::Small, FontId::proportional(SMALL)),
        (TextStyle::Body, FontId::proportional(13.0)),
        (TextStyle::Button, FontId::proportional(13.0)),
        (TextStyle::Heading, FontId::proportional(16.0)),
        (TextStyle::Monospace, FontId::monospace(MONO)),
    ]
    .into();
    Style {
        text_styles,
        spacing: Spacing {
            item_spacing: vec2(PAD, GAP),
            window_margin: Margin::same(MARGIN as i8),
            menu_margin: Margin::same(5),
            button_padding: vec2(PAD, 3.0),
            indent: 16.0,
            interact_size: vec2(CONTROL, CONTROL),
            slider_width: 96.0,
            slider_rail_height: 4.0,
            combo_width: 72.0,
            icon_width: 16.0,
            icon_width_inner: 9.0,
            icon_spacing: 6.0,
            tooltip_width: 320.0,
            menu_width: 220.0,
            combo_height: 320.0,
            scroll: ScrollStyle {
                bar_width: 8.0,
                floating_width: 4.0,
                handle_min_length: 24.0,
                ..ScrollStyle::floating()
            },
            ..Spacing::default()
        },
        visuals: visuals(colors, base),
        animation_time: 0.12,
        scroll_animation: ScrollAnimation::new(3000.0, egui::Rangef::new(0.05, 0.15)),
        ..Style::default()
    }
}

fn visuals(colors: &Colors, base: &Visuals) -> Visuals {
    let shadow = |blur: u8, y: i8| Shadow {
        offset: [0, y],
        blur,
        spread: 0,
        color: colors.shadow,
    };
    Visuals {
        text_options: TextOptions {
            ..base.text_options
        },
        weak_text_color: Some(colors.weak),
        widgets: widgets(colors),
        selection: Selection {
            bg_fill: colors.selected,
            stroke: Stroke::new(1.0, colors.accent),
        },
        hyperlink_color: colors.accent,
        faint_bg_color: colors.bar,
        extreme_bg_color: colors.sunken,
        code_bg_color: colors.raised,
        warn_fg_color: colors.warning,
        error_fg_color: colors.error,
        window_corner_radius: CornerRadius::same(WINDOW_RADIUS),
        window_shadow: shadow(24, 8),
        window_fill: colors.popup,
        window_stroke: Stroke::new(1.0, colors.line),
        window_highlight_topmost: false,
        menu_corner_radius: CornerRadius::same(6),
        panel_fill: colors.panel,
        popup_shadow: shadow(14, 4),
        striped: false,
        slider_trailing_fill: true,
        handle_shape: HandleShape::Circle,
        disabled_alpha: 0.42,
        // Each blink would draw the whole window.
        text_cursor: egui::style::TextCursorStyle {
            blink: false,
            ..base.text_cursor
        },
        ..*base
    }
}

fn widgets(colors: &Colors) -> Widgets {
    let widget = |fill: Color32, text: Color32, border: Stroke| WidgetVisuals {
        weak_bg_fill: fill,
        bg_fill: fill,
        bg_stroke: border,
        fg_stroke: Stroke::new(1.0, text),
        corner_radius: CornerRadius::same(RADIUS),
        expansion: 0.0,
    };
    let separator = Stroke::new(1.0, colors.line);
    Widgets {
        noninteractive: widget(colors.panel, colors.text, separator),
        inactive: widget(colors.raised, colors.text, Stroke::NONE),
        hovered: widget(colors.hovered, colors.strong, Stroke::NONE),
        active: widget(colors.pressed, colors.strong, Stroke::NONE),
        open: widget(colors.popup, colors.strong, Stroke::NONE),
    }
}
