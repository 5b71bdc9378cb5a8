//! Characters → words, numbers and signs.

use super::super::error::OgexProblem;

/// A place in the text. Copied to look ahead.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// From 1.
    pub(super) line: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    /// The byte here, without skipping anything.
    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// Goes on by one byte.
    pub(super) fn bump(&mut self) {
        if self.byte() == Some(b'\n') {
            self.line = self.line.saturating_add(1);
        }
        self.at += 1;
    }

    /// Skips white space and comments. An open `/*` ends with the file.
    pub(super) fn skip_space(&mut self) {
        loop {
            match self.rest() {
                // All control characters are white space to the format.
                [0..=32, ..] => self.bump(),
                [b'/', b'/', ..] => {
                    while self.byte().is_some_and(|byte| byte != b'\n') {
                        self.bump();
                    }
                }
                [b'/', b'*', ..] => {
                    self.at += 2;
                    while !self.rest().is_empty() && !self.rest().starts_with(b"*/") {
                        self.bump();
                    }
                    self.at = (self.at + 2).min(self.text.len());
                }
                _ => return,
            }
        }
    }

    /// The next sign after white space, not taken.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.skip_space();
        self.byte()
    }

    /// Takes this sign if it comes next.
    pub(super) fn take(&mut self, sign: u8) -> bool {
        let found = self.peek() == Some(sign);
        if found {
            self.bump();
        }
        found
    }

    /// Takes this sign.
    pub(super) fn expect(&mut self, sign: u8, expected: &'static str) -> Result<(), OgexProblem> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    /// What stands here is not what should.
    pub(super) fn unexpected(&self, expected: &'static str) -> OgexProblem {
        if self.rest().is_empty() {
            return OgexProblem::EndOfFile { expected };
        }
        OgexProblem::Syntax {
            expected,
            found: format!("\"{}\"", shortened(self.rest())),
        }
    }

    /// `[A-Za-z_][0-9A-Za-z_]*`, if one comes next.
    pub(super) fn identifier(&mut self) -> Option<&'a str> {
        let first = self.peek()?;
        if !(first.is_ascii_alphabetic() || first == b'_') {
            return None;
        }
        Some(self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
    }

    /// The bytes from here on that are `wanted`, none of which may be part of a longer
    /// character.
    pub(super) fn run(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest
            .iter()
            .position(|&byte| !wanted(byte))
            .unwrap_or(rest.len());
        let start = self.at;
        self.at += length;
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// A whole character.
    pub(super) fn character(&mut self) -> Option<char> {
        let character = self.text.get(self.at..)?.chars().next()?;
        if character == '\n' {
            self.line = self.line.saturating_add(1);
        }
        self.at += character.len_utf8();
        Some(character)
    }
}

/// The beginning of a text from the file for a message, up to the next space.
pub(super) fn shortened(text: &[u8]) -> String {
    const SHOWN: usize = 24;
    let length = text
        .iter()
        .position(|byte| *byte <= 32)
        .unwrap_or(text.len())
        .clamp(1, SHOWN);
    String::from_utf8_lossy(&text[..length.min(text.len())]).into_owned()
}
