//! Which script a letter belongs to, for telling what font is missing.

use std::collections::BTreeSet;

/// A script, or a group of them that fonts cover together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Script {
    /// Chinese characters, wherever they are used.
    Han,
    /// Hiragana and katakana.
    Kana,
    /// Korean.
    Hangul,
    /// Arabic and its neighbours.
    Arabic,
    /// Hebrew.
    Hebrew,
    /// Thai.
    Thai,
    /// Devanagari.
    Devanagari,
    /// Emoji and pictographs.
    Emoji,
    /// Letters of another script.
    Other,
}

impl Script {
    /// The script of a letter, by its Unicode block.
    pub fn of(letter: char) -> Self {
        match letter {
            '\u{590}'..='\u{5ff}' | '\u{fb1d}'..='\u{fb4f}' => Self::Hebrew,
            '\u{600}'..='\u{6ff}'
            | '\u{750}'..='\u{77f}'
            | '\u{8a0}'..='\u{8ff}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{feff}' => Self::Arabic,
            '\u{900}'..='\u{97f}' => Self::Devanagari,
            '\u{e00}'..='\u{e7f}' => Self::Thai,
            '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff65}'..='\u{ff9f}' => {
                Self::Kana
            }
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7ff}' => {
                Self::Hangul
            }
            '\u{2e80}'..='\u{303f}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{20000}'..='\u{3ffff}' => Self::Han,
            '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' => Self::Emoji,
            _ => Self::Other,
        }
    }

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Han => "Chinese characters",
            Self::Kana => "Japanese letters",
            Self::Hangul => "Korean letters",
            Self::Arabic => "Arabic letters",
            Self::Hebrew => "Hebrew letters",
            Self::Thai => "Thai letters",
            Self::Devanagari => "Devanagari letters",
            Self::Emoji => "emoji",
            Self::Other => "some letters",
        }
    }

    /// The Debian package with a font for it.
    fn package(self) -> &'static str {
        match self {
            Self::Han | Self::Kana | Self::Hangul => "fonts-noto-cjk",
            Self::Emoji => "fonts-noto-color-emoji",
            _ => "fonts-noto-core",
        }
    }
}

/// Tells that names cannot be read, and what helps; `None` for no scripts.
pub fn missing_message(scripts: &[Script]) -> Option<String> {
    let (last, rest) = scripts.split_last()?;
    let rest: Vec<&str> = rest.iter().map(|script| script.label()).collect();
    let labels = if rest.is_empty() {
        last.label().to_owned()
    } else {
        format!("{} and {}", rest.join(", "), last.label())
    };
    let mut text = format!("No font on this system has {labels}: boxes stand for them.");
    if cfg!(target_os = "linux") {
        let packages: BTreeSet<&str> = scripts.iter().map(|script| script.package()).collect();
        let packages: Vec<&str> = packages.into_iter().collect();
        text += &format!(" On Debian: apt install {}", packages.join(" "));
    }
    Some(text)
}

/// Whose shapes of the Chinese characters fit these letters: kana are Japanese,
/// hangul Korean; `None` leaves it to the system's language.
pub fn han_locale(letters: &BTreeSet<char>) -> Option<&'static str> {
    let has = |script| letters.iter().any(|&letter| Script::of(letter) == script);
    match (has(Script::Kana), has(Script::Hangul)) {
        (true, false) => Some("ja"),
        (false, true) => Some("ko"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_known_by_their_script() {
        for (letter, script) in [
            ('腕', Script::Han),
            ('ほ', Script::Kana),
            ('팔', Script::Hangul),
            ('ذ', Script::Arabic),
            ('ש', Script::Hebrew),
            ('ก', Script::Thai),
            ('ह', Script::Devanagari),
            ('🦴', Script::Emoji),
            ('ᚠ', Script::Other),
        ] {
            assert_eq!(Script::of(letter), script, "{letter}");
        }
    }

    #[test]
    fn the_message_names_what_is_missing_and_what_brings_it() {
        assert_eq!(missing_message(&[]), None);
        let text = missing_message(&[Script::Han, Script::Hangul, Script::Thai]).expect("some");
        assert!(text.contains("Chinese characters, Korean letters and Thai letters"));
        if cfg!(target_os = "linux") {
            assert!(
                text.ends_with("apt install fonts-noto-cjk fonts-noto-core"),
                "{text}"
            );
        }
    }

    #[test]
    fn kana_and_hangul_say_whose_characters_they_stand_among() {
        let of = |text: &str| han_locale(&text.chars().collect());
        assert_eq!(of("左腕"), None);
        assert_eq!(of("左うで"), Some("ja"));
        assert_eq!(of("왼팔 左"), Some("ko"));
    }
}
