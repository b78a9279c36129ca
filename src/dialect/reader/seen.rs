//! What a reader saw and could do nothing about, so that somebody can say so.

use super::JsonReader;
use crate::frame::Body;
use crate::json::{Scanner, Token, text};

/// How much there was of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Records that are no conversation, but hold a tag.
    pub unread: u64,
    /// Messages whose reasoning is signed and holds a section that should be emptied: all of it went.
    pub sealed: u64,
}

impl JsonReader<'_> {
    /// A record is no conversation.
    pub(super) fn unread(&mut self, body: &Body<'_>) {
        let holds = self.tags.may_hold(body.text, true) && self.holds_tag(body.text).unwrap_or_default();
        self.seen.unread += u64::from(holds);
    }

    /// Whether a string holds a tag, however it is spelled.
    fn holds_tag(&self, record: &[u8]) -> Option<bool> {
        let (mut s, mut plain) = (Scanner::new(record).ok()?, Vec::new());
        loop {
            match s.token().ok()? {
                Token::End => return Some(false),
                Token::String(literal) => {
                    plain.clear();
                    text::decode(literal.raw(record), &mut plain);
                    if self.tags.may_hold(&plain, false) {
                        return Some(true);
                    }
                }
                _ => (),
            }
        }
    }
}
