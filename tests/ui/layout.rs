//! Nothing is cut, nothing overlaps, nothing jitters: at every window size.

use egui::{FontId, PointerButton, Rect, Shape, epaint::ClippedShape, pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use rigscope::{
    session::{Command, Panels},
    ui::Arrangement,
};

use crate::{
    drive::{drag, sized},
    support::{App, LOWER_ARM, human},
};

/// From the smallest size that everything fits into to a large screen; the last two
/// are those where panels give way.
pub const SIZES: [[f32; 2]; 7] = [
    [1024.0, 640.0],
    [1280.0, 800.0],
    [1280.0, 728.0],
    [1366.0, 768.0],
    [2560.0, 1440.0],
    [700.0, 500.0],
    [500.0, 400.0],
];

/// A text as painted: what it says, where its ink is, and where it may be.
#[derive(Debug)]
struct Text {
    text: String,
    ink: Rect,
    clip: Rect,
    elided: bool,
}

fn collect(shape: &Shape, clip: Rect, texts: &mut Vec<Text>) {
    match shape {
        Shape::Vec(shapes) => {
            for shape in shapes {
                collect(shape, clip, texts);
            }
        }
        Shape::Text(text) if text.galley.mesh_bounds.is_positive() => texts.push(Text {
            text: text.galley.text().to_owned(),
            ink: text.galley.mesh_bounds.translate(text.pos.to_vec2()),
            clip,
            elided: text.galley.elided,
        }),
        _ => {}
    }
}

fn texts(harness: &Harness<'_, App>) -> Vec<Text> {
    let mut texts = Vec::new();
    for ClippedShape {
        clip_rect, shape, ..
    } in &harness.output().shapes
    {
        collect(shape, *clip_rect, &mut texts);
    }
    // What is scrolled out of sight is nobody's business.
    texts.retain(|text| text.ink.intersects(text.clip));
    texts
}

/// Asserts that texts stay in their places; `what` is open in a window of `size`.
pub fn check(harness: &Harness<'_, App>, what: &str, size: [f32; 2]) {
    let texts = texts(harness);
    assert!(texts.len() > 20, "{what} in {size:?}: {}", texts.len());
    let window = Rect::from_min_size(egui::Pos2::ZERO, vec2(size[0], size[1]));
    for text in &texts {
        let clip = text.clip.intersect(window);
        assert!(
            text.ink.left() >= clip.left() - 0.5 && text.ink.right() <= clip.right() + 0.5,
            "{what} in {size:?}: {} is cut at its side: {text:?}",
            text.text
        );
        assert!(
            text.ink.top() >= window.top() && text.ink.bottom() <= window.bottom(),
            "{what} in {size:?}: outside of the window: {text:?}"
        );
    }
    for (index, a) in texts.iter().enumerate() {
        for b in &texts[..index] {
            let both = a.ink.intersect(a.clip).intersect(b.ink.intersect(b.clip));
            assert!(
                both.width() < 1.0 || both.height() < 1.0,
                "{what} in {size:?}: {a:?} overlaps {b:?}"
            );
        }
    }
}

fn app() -> App {
    let mut app = App::new(human());
    app.session.apply(Command::SelectJoint(Some(LOWER_ARM)));
    app
}

#[test]
fn no_text_is_cut_or_overlaps_at_any_size() {
    for size in SIZES {
        let mut harness = sized(app(), size);
        harness.run_steps(8);
        check(&harness, "panels", size);
        for tab in ["Meshes (1)", "Clips (3)", "Problems (2)"] {
            if harness.query_all_by_label(tab).count() > 0 {
                harness.get_by_label(tab).click();
                harness.run_steps(4);
                check(&harness, tab, size);
            }
        }
        let show = Command::ShowFinding {
            index: 2,
            aspect: 1.0,
        };
        harness.state_mut().session.apply(show);
        harness.run_steps(8);
        check(&harness, "a problem", size);
        let harness = sized(App::empty(), size);
        check_empty(&harness, size);
    }
}

/// Without a document there are few texts, but they keep to the same rules.
fn check_empty(harness: &Harness<'_, App>, size: [f32; 2]) {
    for text in texts(harness) {
        assert!(
            text.ink.right() <= text.clip.right() + 0.5 && !text.elided,
            "empty in {size:?}: {text:?}"
        );
    }
}

#[test]
fn where_there_is_room_every_word_is_written_out() {
    for size in &SIZES[..5] {
        let mut harness = sized(app(), *size);
        harness.run_steps(8);
        for text in texts(&harness) {
            assert!(!text.elided, "{size:?}: {text:?}");
        }
    }
}

/// Sheets lie over the panels, so that overlaps are no fault here.
#[test]
fn sheets_cut_nothing() {
    for what in ["keys", "info", "palette"] {
        for size in SIZES {
            let mut app = app();
            app.session.panels = Panels {
                help: what == "keys",
                info: what == "info",
                palette: what == "palette",
                ..Panels::default()
            };
            let mut harness = sized(app, size);
            harness.run_steps(6);
            for text in texts(&harness) {
                assert!(
                    text.ink.left() >= text.clip.left() - 0.5
                        && text.ink.right() <= text.clip.right() + 0.5,
                    "{what} in {size:?}: {text:?}"
                );
            }
        }
    }
}

/// The ruler, all keys and the playhead stand whole above the window's lower edge.
#[test]
fn the_timeline_is_whole_at_every_size() {
    for size in SIZES {
        let mut harness = sized(app(), size);
        harness.run_steps(8);
        let track = harness.get_by_label("Timeline").rect();
        let bottom = size[1];
        assert!(track.bottom() <= bottom - 4.0, "{track:?} in {size:?}");
        assert!(track.height() >= 38.0, "{track:?} in {size:?}");
        let mut polygons = 0;
        for ClippedShape {
            clip_rect, shape, ..
        } in &harness.output().shapes
        {
            let Shape::Path(path) = shape else { continue };
            let bounds = Rect::from_points(&path.points);
            if path.closed && track.contains(bounds.center()) {
                polygons += 1;
                let inside = track.intersect(*clip_rect);
                assert!(
                    inside.contains_rect(bounds),
                    "{bounds:?} of {inside:?} in {size:?}"
                );
            }
        }
        // 25 keys and the head.
        assert!(polygons >= 26, "{polygons} in {size:?}");
    }
}

fn arrangement(harness: &Harness<'_, App>) -> Arrangement {
    let panels = harness.state().ui.as_ref().expect("a frame has run");
    panels.arrangement(&harness.ctx)
}

/// Where the view begins and ends, from left to right.
fn view(harness: &Harness<'_, App>) -> egui::Rangef {
    let output = harness.state().output.expect("a frame has run");
    output.viewport_points.x_range()
}

#[test]
fn what_was_dragged_or_closed_is_so_again_after_the_next_start() {
    let mut harness = sized(app(), [1280.0, 800.0]);
    let edge = view(&harness).min;
    assert_eq!(arrangement(&harness), Arrangement::default());
    let (from, to) = (pos2(edge - 1.0, 400.0), pos2(edge + 49.0, 400.0));
    drag(&mut harness, from, to, PointerButton::Primary);
    harness.get_by_label("Relative to parent").click();
    harness.run_steps(4);
    let moved = view(&harness).min - edge;
    assert!((moved - 50.0).abs() < 3.0, "moved by {moved} from {edge}");
    let kept = arrangement(&harness);
    assert_eq!(kept.inspector, None, "nobody touched it");

    let mut again = app();
    again.arrangement = kept.clone();
    let mut again = sized(again, [1280.0, 800.0]);
    again.run_steps(4);
    assert_eq!(view(&again), view(&harness));
    assert_eq!(again.query_all_by_label("Copy Translation").count(), 0);
    assert!(again.query_all_by_label("Copy World matrix M").count() > 0);
    // A wish that does not fit gives way and is not forgotten.
    again.set_size(vec2(500.0, 400.0));
    again.run_steps(4);
    assert!(view(&again).span() > 100.0);
    assert_eq!(arrangement(&again), kept);
}

/// Time, frame and values stand still while they count.
#[test]
fn all_digits_are_equally_wide() {
    let harness = sized(app(), [1280.0, 800.0]);
    for size in [11.0, 11.5, 12.0, 12.5, 13.0, 13.5] {
        for font in [FontId::proportional(size), FontId::monospace(size)] {
            let width = |digit| {
                harness
                    .ctx
                    .fonts_mut(|fonts| fonts.glyph_width(&font, digit))
            };
            let widths: Vec<f32> = ('0'..='9').map(width).collect();
            assert!(
                widths.iter().all(|w| (w - widths[0]).abs() < 1e-4),
                "{font:?}: {widths:?}"
            );
        }
    }
}
