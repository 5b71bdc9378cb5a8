//! `OpenDDL` 2.0 and 3.0, the language that `OpenGEX` is written in: text → a tree of
//! structures, whatever they are called.
//!
//! The tree is one flat list in the file's order, linked by index, built by a loop
//! with a stack of its own: no depth of nesting can exhaust the thread's stack, and
//! what is stored stays within a fixed multiple of the text.

mod lex;
mod literal;
mod parse;
mod tree;

pub(super) use parse::parse;
pub(super) use tree::{Data, Id, Tree, Value, spelled};

/// The first word of a text and the sign behind it.
pub(super) fn first_word(text: &str) -> Option<(&str, u8)> {
    let mut cursor = lex::Cursor::new(text);
    let word = cursor.identifier()?;
    Some((word, cursor.peek()?))
}
