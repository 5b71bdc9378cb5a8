//! Notices and errors shown in the window.

use crate::document::Severity;

/// Kept at most; older ones go first.
const LIMIT: usize = 20;

/// Something to tell the person.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Unique in this session.
    pub id: u64,
    /// Errors stay until dismissed; others may fade.
    pub severity: Severity,
    /// One or two sentences that name the file and the reason.
    pub text: String,
}

/// The open messages, newest last.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Messages {
    list: Vec<Message>,
    next_id: u64,
}

impl Messages {
    /// Adds one; a repeat of an open message is not shown twice.
    pub fn push(&mut self, severity: Severity, text: impl Into<String>) {
        let text = text.into();
        self.list
            .retain(|known| known.text != text || known.severity != severity);
        self.list.push(Message {
            id: self.next_id,
            severity,
            text,
        });
        self.next_id += 1;
        if self.list.len() > LIMIT {
            self.list.remove(0);
        }
    }

    /// Takes one away; an unknown id is ignored.
    pub fn dismiss(&mut self, id: u64) {
        self.list.retain(|message| message.id != id);
    }

    /// The open ones, newest last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.list.iter()
    }
}
