//! Whether a message was delivered: a relaying program records a message as received before it inspects it, and a later
//! record may say that the message was rejected.

use super::NodeReader;
use crate::dialect::read::{SearchedMembers, Walked, walk};
use crate::dialect::reader::{Hindsight, JsonReader};
use crate::dialect::shape::{Does, Slot};
use crate::json::{Scanner, Token};
use memchr::memmem;

/// How many later records are looked at, which are lines, or elements of the same list.
pub const AHEAD_RECORDS: usize = 16;

/// How many bytes of later records are looked at, if these records are long.
pub const AHEAD_BYTES: usize = 1 << 20;

impl JsonReader {
    /// Whether reading this record needs a look at later records. With streaming output nothing waits for them.
    pub fn looks_ahead(&self, record: &[u8]) -> bool {
        let wants = self.setup.options.wants;
        let waits = self.may_be_rejected_later && self.setup.options.hindsight != Hindsight::Nowhere;
        if !waits || !(wants.visible || wants.messages || wants.content) {
            return false;
        }
        let mut words = self.recogniser.shapes().filter_map(|shape| shape.delivery_words);
        words.any(|[received, _]| memmem::find(record, received.as_bytes()).is_some())
    }
}

impl NodeReader<'_> {
    /// Whether a later record rejects the message whose record is `node`.
    pub(super) fn is_rejected_later(&self, node: u32, id: &[u8]) -> bool {
        let Some([received, rejected]) = self.shape.delivery_words else { return false };
        let phase = self.walked.get(node, Slot::Delivery).map(|entry| entry.word(self.body.text));
        if id.is_empty() || phase.as_deref() != Some(received.as_bytes()) {
            return false;
        }
        if self.element {
            let behind = self.walked.nodes[node as usize].end;
            let next = self.walked.children(0, Slot::List).filter(|child| *child >= behind).take(AHEAD_RECORDS);
            if next.into_iter().any(|child| rejects(self.walked, self.body.text, child, id)) {
                return true;
            }
        }
        let has = |text: &[u8]| memmem::find(text, rejected.as_bytes()).is_some();
        if !has(self.body.ahead) {
            return false;
        }
        let (mut walked, mut searched) = (Walked::default(), SearchedMembers::default());
        let mut is_rejection = |record: &[u8]| {
            has(record)
                && walk((record, b""), self.shape.record, (self.setup.detail.plain, &mut searched), &mut walked).is_ok()
                && !walked.nodes.is_empty()
                && rejects(&walked, record, 0, id)
        };
        match self.body.ahead.trim_ascii_start().first() {
            Some(b',') => elements(self.body.ahead).take(AHEAD_RECORDS).any(is_rejection),
            _ => self.body.ahead.split(|b| *b == b'\n').any(&mut is_rejection),
        }
    }
}

/// The objects in the rest of a list.
fn elements(rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += rest[at..].iter().position(|b| !matches!(b, b',' | b' ' | b'\t'))?;
        let mut s = Scanner::within(rest, at);
        let object = s.token().ok().filter(|token| *token == Token::ObjectStart)?;
        s.skip(object).ok()?;
        Some(&rest[std::mem::replace(&mut at, s.at())..at])
    })
}

/// Whether a record says that the message with this identifier was delivered to nobody.
fn rejects(walked: &Walked, record: &[u8], node: u32, id: &[u8]) -> bool {
    let is = |child: u32| walked.get(child, Slot::Id).is_some_and(|entry| *entry.word(record) == *id);
    walked.nodes[node as usize].does == Does::Undelivered && walked.children(node, Slot::Inner).any(is)
}
