//! Fonts: what the program carries, and the system's for scripts that it lacks.
//!
//! egui's own fonts hold Latin, Greek and Cyrillic letters. Any other letter is asked
//! of the system, once it is about to be drawn and not before: a thread looks for a
//! face, which may take some hundred milliseconds the first time; boxes stand in until
//! it is found. The face's file is mapped into memory, not read, so that of a CJK
//! collection of 20 MB only the pages with the glyphs in use are ever loaded.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use egui::{
    Color32, Context, FontData, FontDefinitions, FontFamily, FontId,
    epaint::{
        TextOptions,
        text::{FallbackRequest, FontInsert, FontProvider, FontTweak, Fonts},
    },
};
use egui_system_font_provider::SystemFontProvider;

use super::script::{self, Script};

/// The family of the icon font.
pub const ICONS: &str = "icons";
/// Letters looked for at most: more than all living scripts need, and an end for files
/// that hold every code point there is.
const LETTERS: usize = 30_000;
/// How often a waiting window looks whether the search is over.
const POLL: Duration = Duration::from_millis(20);

/// What the program carries: text, and the icons as a family of their own.
pub fn carried() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    // Hack has the arrows, superscripts and Greek that Ubuntu Light lacks.
    if let Some(family) = fonts.families.get_mut(&FontFamily::Proportional) {
        family.push("Hack".to_owned());
    }
    // The hinter would bend drawings as it straightens letters.
    let tweak = FontTweak {
        hinting: Some(false),
        subpixel_binning: Some(false),
        ..FontTweak::default()
    };
    let icons = FontData::from_static(lucide_icons::LUCIDE_FONT_BYTES).tweak(tweak);
    fonts.font_data.insert(ICONS.to_owned(), Arc::new(icons));
    let family = FontFamily::Name(ICONS.into());
    fonts.families.insert(family, vec![ICONS.to_owned()]);
    fonts
}

/// The system's fonts, found when they are needed.
#[derive(Default)]
pub struct SystemFonts {
    shared: Arc<Shared>,
    /// Scripts that have been reported as missing.
    reported: BTreeSet<Script>,
}

#[derive(Default)]
struct Shared {
    search: Mutex<Search>,
}

#[derive(Default)]
struct Search {
    /// Present from the first search on.
    system: Option<Arc<SystemFontProvider>>,
    /// Letters that were drawn and that nobody has looked for yet.
    wanted: BTreeSet<char>,
    /// For each letter that was looked for, how far its face has to be moved to stand
    /// on our line, in parts of the font size; `None` where the system has no face.
    found: BTreeMap<char, Option<f32>>,
    /// A thread is looking.
    is_running: bool,
    /// The last search found something that egui does not know of yet.
    is_news: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Search> {
        // The state is whole after every statement.
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks for faces for these letters; on a thread of its own.
    fn look_for(&self, letters: &BTreeSet<char>) {
        let known = self.lock().system.clone();
        let system = known.unwrap_or_else(|| {
            let locale = script::han_locale(letters);
            let provider = SystemFontProvider::new();
            Arc::new(match locale {
                Some(locale) => provider.with_locale(Some(locale)),
                None => provider,
            })
        });
        // Many letters come from few faces, and a face is measured once.
        let mut offsets: BTreeMap<String, f32> = BTreeMap::new();
        let mut offset = |insert: FontInsert, letter| {
            let known = offsets.entry(insert.name.clone());
            *known.or_insert_with(|| line_offset(insert, letter))
        };
        // The provider remembers what it found, so that asking again is quick.
        let found: BTreeMap<char, Option<f32>> = letters
            .iter()
            .map(|&letter| {
                let mut utf8 = [0; 4];
                let request = FallbackRequest {
                    cluster: letter.encode_utf8(&mut utf8),
                    family: &FontFamily::Proportional,
                };
                let insert = system.font_for(&request);
                (letter, insert.map(|insert| offset(insert, letter)))
            })
            .collect();
        let mut search = self.lock();
        search.is_news |= found.values().any(Option::is_some);
        search.found.extend(found);
        search.system = Some(system);
        search.is_running = false;
    }
}

/// How far down a face has to be moved so that its letters stand on the line of ours,
/// in parts of the font size. epaint centres the heights of two faces on each other,
/// which for most scripts is not where their lines meet.
fn line_offset(insert: FontInsert, letter: char) -> f32 {
    /// Large enough that rounding to pixels does not matter.
    const SIZE: f32 = 200.0;
    let ours = FontDefinitions::default();
    let theirs = move |_: &FallbackRequest<'_>| Some(insert.clone());
    let mut fonts =
        Fonts::new(TextOptions::default(), ours).with_font_providers(vec![Arc::new(theirs)]);
    let galley = fonts.with_pixels_per_point(1.0).layout_no_wrap(
        format!("x{letter}"),
        FontId::proportional(SIZE),
        Color32::WHITE,
    );
    let glyphs = galley.rows.first().map(|row| &row.row.glyphs[..]);
    match glyphs {
        Some([ours, theirs, ..]) => (ours.pos.y - theirs.pos.y) / SIZE,
        _ => 0.0,
    }
}

impl FontProvider for Shared {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let letter = request.cluster.chars().next()?;
        let (system, offset) = {
            let mut search = self.lock();
            let Some(&found) = search.found.get(&letter) else {
                if search.found.len() + search.wanted.len() < LETTERS {
                    search.wanted.insert(letter);
                }
                return None;
            };
            (search.system.clone()?, found?)
        };
        let mut insert = system.font_for(request)?;
        insert.data.tweak.y_offset_factor = offset;
        Some(insert)
    }
}

impl SystemFonts {
    /// Lets egui ask for letters that it has not.
    pub fn install(&self, ctx: &Context) {
        ctx.set_font_providers(vec![self.shared.clone()]);
    }

    /// Once a frame, after everything was laid out: starts a search for letters that
    /// were missing and takes over what the last one found. Returns the scripts that
    /// this system has no font for, each once.
    pub fn follow(&mut self, ctx: &Context) -> Vec<Script> {
        let mut search = self.shared.lock();
        if search.is_running {
            ctx.request_repaint_after(POLL);
            return Vec::new();
        }
        let is_news = core::mem::take(&mut search.is_news);
        let missing = search.found.iter().filter(|(_, found)| found.is_none());
        let missing: BTreeSet<Script> = missing.map(|(&letter, _)| Script::of(letter)).collect();
        let wanted = core::mem::take(&mut search.wanted);
        if !wanted.is_empty() {
            search.is_running = true;
            let shared = self.shared.clone();
            let letters = wanted.clone();
            let thread = thread::Builder::new().name("fonts".to_owned());
            if thread.spawn(move || shared.look_for(&letters)).is_err() {
                search.is_running = false;
                search.found.extend(wanted.into_iter().map(|c| (c, None)));
            }
            ctx.request_repaint_after(POLL);
        }
        drop(search);
        if is_news {
            // egui forgets which letters it asked for in vain.
            self.install(ctx);
        }
        let new: Vec<Script> = missing.difference(&self.reported).copied().collect();
        self.reported.extend(&new);
        new
    }
}

impl core::fmt::Debug for SystemFonts {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let search = self.shared.lock();
        f.debug_struct("SystemFonts")
            .field("found", &search.found.len())
            .field("is_running", &search.is_running)
            .finish_non_exhaustive()
    }
}
