//! Colours on a terminal.

use crate::document::Severity;

/// Colours, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ink {
    on: bool,
}

impl Ink {
    /// Colours on a terminal, unless `NO_COLOR` is set to something or the terminal says
    /// that it has none.
    pub(super) fn new(is_terminal: bool) -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            on: is_terminal && !is_set("NO_COLOR") && !is_dumb,
        }
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// For headings.
    pub(super) fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// For what is less important.
    pub(super) fn weak(self, text: &str) -> String {
        self.with("2", text)
    }

    /// In a severity's colour: told apart by the word too.
    pub(super) fn severity(self, severity: Severity, text: &str) -> String {
        let code = match severity {
            Severity::Error => "1;31",
            Severity::Warning => "33",
            Severity::Info => "36",
        };
        self.with(code, text)
    }
}

/// Columns to wrap text at: those of the terminal, but no more than are good to read.
pub(super) fn terminal_width() -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size()?;
    Some(usize::from(columns).clamp(40, 120))
}

/// `text` in lines of at most `width` columns (one line without), the first after what
/// is there already, the others behind `indent` blanks.
pub(super) fn wrapped(text: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let room = width.saturating_sub(indent).max(20);
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > room {
            out.push('\n');
            out.extend(core::iter::repeat_n(' ', indent));
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_to_the_width_and_words_stay_whole() {
        let text = "one two three four five six seven eight";
        let lines = wrapped(text, 4, Some(26));
        assert_eq!(lines, "one two three four\n    five six seven eight");
        assert_eq!(wrapped(text, 4, None), text);
        let long = wrapped("a veryveryveryveryverylongword b", 0, Some(20));
        assert_eq!(long, "a\nveryveryveryveryverylongword\nb");
    }

    #[test]
    fn without_a_terminal_there_are_no_colours() {
        let ink = Ink::new(false);
        assert_eq!(ink.strong("a"), "a");
        assert_eq!(ink.severity(Severity::Error, "a"), "a");
        let ink = Ink { on: true };
        assert_eq!(ink.weak("a"), "\u{1b}[2ma\u{1b}[0m");
    }
}
