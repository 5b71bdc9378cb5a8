//! Names in any script: the system's fonts, or a message that says what is missing.

use std::{
    thread,
    time::{Duration, Instant},
};

use egui::{Color32, FontId, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use rigscope::document::{Document, Skeleton};

use crate::support::{App, joint};

/// Names of joints, and what the message calls their letters.
const NAMES: [(&str, &str); 8] = [
    ("左腕_Arm \u{ff28}", "Chinese characters"),
    ("ひだりうで", "Japanese letters"),
    ("왼팔", "Korean letters"),
    ("ذراع يسار", "Arabic letters"),
    ("זרוע", "Hebrew letters"),
    ("กระดูก", "Thai letters"),
    ("हाथ", "Devanagari letters"),
    ("Левая рука", "none: egui has them"),
];

fn document() -> Document {
    let joints: Vec<_> = NAMES
        .iter()
        .enumerate()
        .map(|(index, (name, _))| joint(index, name, index.checked_sub(1), glam::Vec3::Y))
        .collect();
    Document {
        name: "文字.glb".to_owned(),
        skeleton: Skeleton {
            joint_of_node: (0..joints.len()).collect(),
            joints,
        },
        ..Document::default()
    }
}

fn has_glyphs(harness: &Harness<'_, App>, text: &str) -> bool {
    let font = FontId::proportional(13.0);
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    harness
        .ctx
        .fonts_mut(|fonts| letters.iter().all(|&c| fonts.has_glyph(&font, c)))
}

/// A window on these names, after the system was asked for fonts.
fn settled() -> Harness<'static, App> {
    let mut harness = Harness::builder()
        .with_size(vec2(1280.0, 800.0))
        .with_step_dt(0.02)
        .allow_missing_glyphs()
        .build_ui_state(|ui, app: &mut App| app.run(ui, None), App::new(document()));
    let began = Instant::now();
    loop {
        harness.run_steps(2);
        let told = messages(&harness);
        let is_settled = NAMES
            .iter()
            .all(|(name, label)| told.contains(label) || has_glyphs(&harness, name));
        if is_settled {
            harness.run_steps(3);
            return harness;
        }
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "neither fonts nor a message: {told:?}"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

fn messages(harness: &Harness<'_, App>) -> String {
    let messages = harness.state().session.messages.iter();
    let texts: Vec<&str> = messages.map(|message| &*message.text).collect();
    texts.join("\n")
}

#[test]
fn names_are_readable_or_a_message_says_what_font_is_missing() {
    let harness = settled();
    let told = messages(&harness);
    for (name, label) in NAMES {
        if told.contains(label) {
            println!("SKIPPED: no font on this system has {label}");
        } else {
            assert!(has_glyphs(&harness, name), "{name}");
        }
        // Lookup, selection and screen readers have the name as the file has it.
        assert!(harness.query_all_by_label(name).count() > 0, "{name}");
    }
    let fonts = harness.ctx.fonts(|fonts| fonts.discovered_fonts().len());
    assert!(fonts <= 2 * NAMES.len(), "{fonts} fonts for eight names");
    // And then it is quiet: nothing asks for frames, nothing is told twice.
    assert!(
        told.matches("No font on this system").count() <= 1,
        "{told}"
    );
}

#[test]
fn latin_and_chinese_stand_on_one_line_of_one_height() {
    let harness = settled();
    if messages(&harness).contains("Chinese") {
        println!("SKIPPED: no font on this system has Chinese characters");
        return;
    }
    let layout = |text: &str, size| {
        let font = FontId::proportional(size);
        harness
            .ctx
            .fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font, Color32::WHITE))
    };
    let (mixed, latin) = (layout("左腕_Arm", 13.0), layout("Left_Arm", 13.0));
    assert_eq!(mixed.size().y, latin.size().y);
    // A letter of ours beside the same letter of the Chinese font: both stand on the
    // line, whatever the heights of their fonts.
    let pair = layout("H\u{ff28}", 64.0);
    let bottoms: Vec<f32> = (pair.rows[0].row.glyphs.iter())
        .map(|glyph| glyph.pos.y + glyph.uv_rect.offset.y + glyph.uv_rect.size.y)
        .collect();
    assert!((bottoms[0] - bottoms[1]).abs() <= 1.5, "{bottoms:?}");
    // The ink of the characters keeps to the row of a list.
    assert!(mixed.mesh_bounds.height() < 20.0, "{:?}", mixed.mesh_bounds);
}

#[test]
fn arabic_runs_to_the_left_word_by_word_and_its_letters_join() {
    let harness = settled();
    if messages(&harness).contains("Arabic") {
        println!("SKIPPED: no font on this system has Arabic letters");
        return;
    }
    let mut texts = Vec::new();
    for clipped in &harness.output().shapes {
        if let egui::Shape::Text(text) = &clipped.shape
            && text.galley.text().contains('ذ')
        {
            texts.push(text.galley.clone());
        }
    }
    assert!(!texts.is_empty(), "the tree shows the Arabic name");
    for galley in texts {
        let row = &galley.rows[0].row;
        let x = |letter: char| {
            let glyph = row.glyphs.iter().find(|glyph| glyph.chr == letter);
            glyph.map(|glyph| glyph.pos.x).expect("the letter is drawn")
        };
        // The first word, and its first letter, stand at the right.
        assert!(x('ذ') > x('ع') && x('ع') > x('ي'), "{:?}", galley.text());
    }
    // Joined letters are narrower than letters by themselves.
    let width = |text: &str| {
        let font = FontId::proportional(26.0);
        let layout = |fonts: &mut egui::epaint::text::FontsView<'_>| {
            fonts.layout_no_wrap(text.to_owned(), font, Color32::WHITE)
        };
        harness.ctx.fonts_mut(layout).size().x
    };
    let apart = width("ي") + width("س") + width("ا") + width("ر");
    assert!(width("يسار") < apart * 0.95, "{} of {apart}", width("يسار"));
}
