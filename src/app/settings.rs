//! What is remembered between starts: a JSON file in the user's config folder.

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::overlay_settings::OverlaySettings;
use crate::{
    export,
    scene::{Background, Light, Shading, View},
    session::{Panels, RECENT_LIMIT, Session, TimelineView},
    ui::Arrangement,
};

/// Moves the settings to another folder, for tests and portable installations.
const FOLDER_VARIABLE: &str = "RIGSCOPE_CONFIG_DIR";
const FILE_NAME: &str = "settings.json";

/// Everything that outlives the window. Unknown fields are ignored and missing
/// ones take their defaults, so that versions can share a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
pub(super) struct Settings {
    window: WindowSettings,
    /// The panels' own choice unless a person made one.
    theme: Option<Theme>,
    panels: PanelSettings,
    /// Sizes of panels, open sections.
    arrangement: ArrangementSettings,
    view: ViewSettings,
    recent: Vec<PathBuf>,
}

/// Size of the window, in points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct WindowSettings {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) maximized: bool,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            width: 1280.0,
            height: 800.0,
            maximized: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Theme {
    Light,
    Dark,
    System,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct PanelSettings {
    outliner: bool,
    inspector: bool,
    timeline: bool,
    timeline_view: String,
}

impl Default for PanelSettings {
    fn default() -> Self {
        Self::of(Panels::default())
    }
}

const TIMELINE_VIEWS: [(TimelineView, &str); 4] = [
    (TimelineView::Bar, "bar"),
    (TimelineView::DopeSheet, "dope-sheet"),
    (TimelineView::Curves, "curves"),
    (TimelineView::Errors, "difference"),
];

impl PanelSettings {
    fn of(panels: Panels) -> Self {
        Self {
            outliner: panels.outliner,
            inspector: panels.inspector,
            timeline: panels.timeline,
            timeline_view: word(&TIMELINE_VIEWS, &panels.timeline_view),
        }
    }

    /// Sheets start closed.
    fn panels(&self) -> Panels {
        Panels {
            outliner: self.outliner,
            inspector: self.inspector,
            timeline: self.timeline,
            timeline_view: value(&TIMELINE_VIEWS, &self.timeline_view),
            ..Panels::default()
        }
    }
}

/// What a person made of the panels; see [`Arrangement`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
struct ArrangementSettings {
    outliner: Option<f32>,
    inspector: Option<f32>,
    timeline: Option<f32>,
    dope_sheet: Option<f32>,
    curves: Option<f32>,
    errors: Option<f32>,
    gutter: Option<f32>,
    sections: BTreeMap<String, bool>,
}

impl ArrangementSettings {
    fn of(arrangement: Arrangement) -> Self {
        let Arrangement {
            outliner,
            inspector,
            timeline,
            dope_sheet,
            curves,
            errors,
            gutter,
            sections,
        } = arrangement;
        Self {
            outliner,
            inspector,
            timeline,
            dope_sheet,
            curves,
            errors,
            gutter,
            sections,
        }
    }
}

/// The display switches that hold for any file; camera and selection do not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct ViewSettings {
    shading: String,
    light: String,
    background: String,
    mesh: bool,
    wireframe: bool,
    skeleton: bool,
    overlay: OverlaySettings,
    grid: bool,
    shadow: bool,
    ambient_occlusion: bool,
    reflections: bool,
    orthographic: bool,
    exposure_stops: f32,
}

/// Whether the skeleton shows through the skin until somebody chooses; from then on
/// `view.skeleton` in the settings file says so.
const SKELETON_AT_FIRST: bool = true;

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            skeleton: SKELETON_AT_FIRST,
            ..Self::of(&View::default())
        }
    }
}

const SHADINGS: [(Shading, &str); 3] = [
    (Shading::Shaded, "shaded"),
    (Shading::Normals, "normals"),
    (Shading::Clay, "clay"),
];
const BACKGROUNDS: [(Background, &str); 3] = [
    (Background::Dark, "dark"),
    (Background::Light, "light"),
    (Background::Transparent, "transparent"),
];
fn word<T: PartialEq>(table: &[(T, &str)], value: &T) -> String {
    let row = table.iter().find(|(known, _)| known == value);
    row.map_or(String::new(), |(_, word)| (*word).to_owned())
}

/// The value of a word; the default for a word of another version.
fn value<T: Copy + Default>(table: &[(T, &str)], word: &str) -> T {
    let row = table.iter().find(|(_, known)| *known == word);
    row.map_or(T::default(), |(value, _)| *value)
}

impl ViewSettings {
    fn of(view: &View) -> Self {
        Self {
            shading: word(&SHADINGS, &view.shading),
            light: view.light.as_str().to_owned(),
            background: word(&BACKGROUNDS, &view.background),
            mesh: view.mesh,
            wireframe: view.wireframe,
            skeleton: view.skeleton,
            overlay: OverlaySettings::of(view),
            grid: view.grid,
            shadow: view.shadow,
            ambient_occlusion: view.ambient_occlusion,
            reflections: view.reflections,
            orthographic: view.camera.orthographic,
            exposure_stops: view.exposure_stops,
        }
    }

    fn apply(&self, view: &mut View) {
        view.shading = value(&SHADINGS, &self.shading);
        view.light = value(
            &Light::ALL.map(|light| (light, light.as_str())),
            &self.light,
        );
        view.background = value(&BACKGROUNDS, &self.background);
        view.mesh = self.mesh;
        view.wireframe = self.wireframe;
        view.skeleton = self.skeleton;
        self.overlay.apply(view);
        view.grid = self.grid;
        view.shadow = self.shadow;
        view.ambient_occlusion = self.ambient_occlusion;
        view.reflections = self.reflections;
        view.camera.orthographic = self.orthographic;
        // What the slider allows.
        if self.exposure_stops.is_finite() {
            view.exposure_stops = self.exposure_stops.clamp(-4.0, 4.0);
        }
    }
}

impl Settings {
    /// What the window looks like now.
    pub(super) fn of(
        session: &Session,
        theme: Option<egui::ThemePreference>,
        window: WindowSettings,
        arrangement: Arrangement,
    ) -> Self {
        Self {
            window,
            theme: theme.map(|theme| match theme {
                egui::ThemePreference::Light => Theme::Light,
                egui::ThemePreference::Dark => Theme::Dark,
                egui::ThemePreference::System => Theme::System,
            }),
            panels: PanelSettings::of(session.panels),
            arrangement: ArrangementSettings::of(arrangement),
            view: ViewSettings {
                orthographic: session.settled_camera().orthographic,
                ..ViewSettings::of(&session.view)
            },
            recent: session.recent.clone(),
        }
    }

    /// Brings a new session into the remembered state.
    pub(super) fn apply(&self, session: &mut Session) {
        session.panels = self.panels.panels();
        self.view.apply(&mut session.view);
        session.recent = self.recent.iter().take(RECENT_LIMIT).cloned().collect();
    }

    /// Sizes of panels and open sections. Panels keep to what the window has room for.
    pub(super) fn arrangement(&self) -> Arrangement {
        let kept = &self.arrangement;
        let finite = |size: Option<f32>| size.filter(|size| size.is_finite() && *size > 0.0);
        Arrangement {
            outliner: finite(kept.outliner),
            inspector: finite(kept.inspector),
            timeline: finite(kept.timeline),
            dope_sheet: finite(kept.dope_sheet),
            curves: finite(kept.curves),
            errors: finite(kept.errors),
            gutter: finite(kept.gutter),
            sections: kept.sections.clone(),
        }
    }

    /// Light or dark, if anyone ever chose.
    pub(super) fn theme(&self) -> Option<egui::ThemePreference> {
        self.theme.map(|theme| match theme {
            Theme::Light => egui::ThemePreference::Light,
            Theme::Dark => egui::ThemePreference::Dark,
            Theme::System => egui::ThemePreference::System,
        })
    }

    /// Remembered size, kept within reason.
    pub(super) fn window(&self) -> WindowSettings {
        let side = |wanted: f64, default: f64| {
            if wanted.is_finite() {
                wanted.clamp(320.0, 8192.0)
            } else {
                default
            }
        };
        let default = WindowSettings::default();
        WindowSettings {
            width: side(self.window.width, default.width),
            height: side(self.window.height, default.height),
            maximized: self.window.maximized,
        }
    }
}

/// The settings file, where the system has a place for it.
pub(super) fn path() -> Option<PathBuf> {
    let folder = match env::var_os(FOLDER_VARIABLE) {
        Some(folder) if !folder.is_empty() => PathBuf::from(folder),
        _ => directories::ProjectDirs::from("", "", "rigscope")?
            .config_dir()
            .to_owned(),
    };
    Some(folder.join(FILE_NAME))
}

/// The remembered settings; the defaults where there are none yet.
///
/// # Errors
/// A readable sentence where the file is there but not usable; start from the
/// defaults then.
pub(super) fn load(path: &Path) -> Result<Settings, String> {
    let fail = |reason: String| {
        format!(
            "The settings cannot be read and start anew ({reason}): {}",
            path.display()
        )
    };
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| fail(error.to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Settings::default()),
        Err(error) => Err(fail(error.to_string())),
    }
}

/// Writes them; a crash leaves the old settings or the new, never half of them.
///
/// # Errors
/// A readable sentence.
pub(super) fn save(settings: &Settings, path: &Path) -> Result<(), String> {
    let write = || -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string_pretty(settings)?;
        export::replace_file(path, text.as_bytes())
    };
    write().map_err(|error| format!("cannot write the settings ({error}): {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed() -> Settings {
        let mut session = Session::default();
        session.recent = vec!["/a/hero.glb".into(), "/b/straße.gltf".into()];
        session.view.shading = Shading::Clay;
        session.view.light = Light::Outdoor;
        session.view.skeleton = true;
        session.view.camera.orthographic = true;
        session.view.exposure_stops = 1.5;
        session.panels.inspector = false;
        session.panels.help = true;
        session.panels.timeline_view = TimelineView::DopeSheet;
        let window = WindowSettings {
            width: 900.0,
            height: 700.0,
            maximized: true,
        };
        let arrangement = Arrangement {
            outliner: Some(310.0),
            dope_sheet: Some(420.0),
            gutter: Some(260.0),
            sections: [("Matrices".to_owned(), false)].into(),
            ..Arrangement::default()
        };
        let theme = Some(egui::ThemePreference::Light);
        Settings::of(&session, theme, window, arrangement)
    }

    #[test]
    fn what_is_saved_comes_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("deep/settings.json");
        assert_eq!(load(&path), Ok(Settings::default()));
        save(&changed(), &path).expect("written");
        let back = load(&path).expect("read");
        assert_eq!(back, changed());
        assert_eq!(
            fs::read_dir(path.parent().expect("folder"))
                .expect("listed")
                .count(),
            1
        );

        let mut session = Session::default();
        back.apply(&mut session);
        assert!(session.view.skeleton && session.view.camera.orthographic);
        assert_eq!(session.view.shading, Shading::Clay);
        assert_eq!(session.view.light, Light::Outdoor);
        assert_eq!(session.recent.len(), 2);
        assert!(!session.panels.inspector && !session.panels.help);
        assert_eq!(back.theme(), Some(egui::ThemePreference::Light));
        assert!(back.window().maximized);
        assert_eq!(session.panels.timeline_view, TimelineView::DopeSheet);
        assert_eq!(back.arrangement().outliner, Some(310.0));
        assert_eq!(back.arrangement().dope_sheet, Some(420.0));
        assert_eq!(back.arrangement().gutter, Some(260.0));
        assert_eq!(back.arrangement().sections.get("Matrices"), Some(&false));
    }

    #[test]
    fn other_versions_and_nonsense_are_met_calmly() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("settings.json");
        fs::write(
            &path,
            r#"{"future": 1, "view": {"shading": "holographic"}, "panels": {"timeline_view": "scroll"}}"#,
        )
        .expect("written");
        assert_eq!(load(&path).expect("read").view.shading, "holographic");
        let mut session = Session::default();
        load(&path).expect("read").apply(&mut session);
        assert_eq!(session.view.shading, Shading::Shaded);
        assert_eq!(session.panels, Panels::default());

        fs::write(&path, r#"{"window": {"width": -1e300}}"#).expect("written");
        assert_eq!(load(&path).expect("read").window().width, 320.0);

        fs::write(
            &path,
            r#"{"window": {"height": 1e9}, "view": {"exposure_stops": 99}}"#,
        )
        .expect("written");
        let settings = load(&path).expect("read");
        assert_eq!(settings.window().height, 8192.0);
        settings.apply(&mut session);
        assert_eq!(session.view.exposure_stops, 4.0);

        fs::write(&path, "{\"panels\": [").expect("written");
        let message = load(&path).expect_err("broken");
        assert!(
            message.contains("settings.json") && message.contains("line 1"),
            "{message}"
        );
    }
}
