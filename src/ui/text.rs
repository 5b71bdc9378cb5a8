//! Text in the order in which it is drawn.
//!
//! epaint shapes each stretch of one font by itself (letters join, and within such a
//! stretch right-to-left text runs to the left) and puts the stretches side by side
//! as they come. What it lacks is the Unicode bidirectional algorithm (UAX #9), which
//! says where each stretch belongs; [`display`] does that. Only for display: names
//! that are searched, compared, copied or read aloud stay as the file has them.

use std::borrow::Cow;

use unicode_bidi::BidiInfo;

/// Where the right-to-left scripts begin: anything before needs no second look.
const FIRST_RTL: char = '\u{590}';

/// `text` with its stretches in visual order, for drawing from left to right.
/// The base direction of a line is that of its first strong character.
pub fn display(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c < FIRST_RTL) {
        return Cow::Borrowed(text);
    }
    let info = BidiInfo::new(text, None);
    if !info.has_rtl() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for paragraph in &info.paragraphs {
        // A line's end stays at the end, whatever the line's direction.
        let line = &text[paragraph.range.clone()];
        let content = line.trim_end_matches(['\n', '\r', '\u{2029}']);
        let range = paragraph.range.start..paragraph.range.start + content.len();
        let (levels, runs) = info.visual_runs(paragraph, range);
        for run in runs {
            if levels[run.start].is_rtl() {
                push_reversed(&text[run], &mut out);
            } else {
                out.push_str(&text[run]);
            }
        }
        out.push_str(&line[content.len()..]);
    }
    Cow::Owned(out)
}

/// What a character is to the shaper: letters of one script come from one font and
/// are turned round by it; anything else is drawn as it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// Hebrew letters.
    Hebrew,
    /// Arabic letters, and those of the scripts beside them.
    Arabic,
    /// Belongs to the letter before: marks and joiners.
    Mark,
    /// Spaces, punctuation, symbols.
    Other,
}

impl Piece {
    fn of(c: char) -> Self {
        use unicode_bidi::{BidiClass, bidi_class};
        match (bidi_class(c), c) {
            (BidiClass::NSM | BidiClass::BN, _) => Self::Mark,
            (_, '\u{590}'..='\u{5ff}' | '\u{fb1d}'..='\u{fb4f}') => Self::Hebrew,
            (BidiClass::R | BidiClass::AL, _) | (_, '\u{600}'..='\u{8ff}') => Self::Arabic,
            _ => Self::Other,
        }
    }
}

/// Appends a right-to-left run: its words from last to first, each in logical order,
/// for the shaper reverses their letters; brackets are mirrored.
fn push_reversed(run: &str, out: &mut String) {
    let mut pieces: Vec<(Piece, core::ops::Range<usize>)> = Vec::new();
    for (at, c) in run.char_indices() {
        let end = at + c.len_utf8();
        let kind = Piece::of(c);
        match pieces.last_mut() {
            Some((last, range))
                if kind == Piece::Mark || (kind == *last && kind != Piece::Other) =>
            {
                range.end = end;
                // A mark that begins a run takes the script of what it stands on.
                if *last == Piece::Mark {
                    *last = kind;
                }
            }
            _ => pieces.push((kind, at..end)),
        }
    }
    for (kind, range) in pieces.into_iter().rev() {
        if kind == Piece::Other {
            out.extend(run[range].chars().map(mirrored));
        } else {
            out.push_str(&run[range]);
        }
    }
}

/// The other bracket of a pair (UAX #9, rule L4).
fn mirrored(c: char) -> char {
    const PAIRS: [(char, char); 6] = [
        ('(', ')'),
        ('[', ']'),
        ('{', '}'),
        ('<', '>'),
        ('«', '»'),
        ('‹', '›'),
    ];
    PAIRS
        .iter()
        .find_map(|&(open, close)| match c {
            _ if c == open => Some(close),
            _ if c == close => Some(open),
            _ => None,
        })
        .unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_to_the_right_is_left_alone() {
        for text in ["", "Arm_L.001", "左腕_Left", "Рука", "하나 arm", "กระดูก"]
        {
            assert!(matches!(display(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn words_change_places_and_keep_their_letters_order() {
        // Two Arabic words: the first stands at the right.
        assert_eq!(display("ذراع يسار"), "يسار ذراع");
        assert_eq!(display("Arm ذراع يسار end"), "Arm يسار ذراع end");
        // Numbers keep their digits' order, and follow to the left.
        assert_eq!(display("ذراع_12"), "12_ذراع");
        assert_eq!(display("זרוע (שמאל)"), "(שמאל) זרוע");
        assert_eq!(display("שלוםذراع"), "ذراعשלום");
        assert_eq!(display("a\nذراع يسار\nb"), "a\nيسار ذراع\nb");
        // Marks stay on their letters.
        assert_eq!(display("שָׁלוֹם אָב"), "אָב שָׁלוֹם");
    }
}
