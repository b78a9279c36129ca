//! Texts that are read by themselves, each as a message or as nothing at all, though a program may have written the pieces of one
//! text: a block of inline tags may go over several of them.

use super::{NotUnderstood, SUSPECT, Watch};
use crate::dialect::draft::{Item, Record};
use crate::dialect::read::Walked;
use crate::dialect::shape::Does;
use crate::frame::Body;
use crate::inline::Tags;
use memchr::memmem;

/// The longest record that is taken for a piece, in bytes.
const MAX_PIECE_BYTES: usize = 1 << 12;

/// How far from the end of a text a delimiter is looked for that may have only begun, in bytes.
const TAIL: usize = 48;

/// What records say of pieces: in a type, or in a key.
const WORDS: [&[u8]; 5] = [b"elta\"", b"\"partial\":", b"\"append\":", b"\"ContentPart\"", CHUNK];

/// What a piece of a response of the chat family says. Some servers have the message of a whole one in it.
const CHUNK: &[u8] = b"\"chat.completion.chunk\"";

/// Whether a text, the inside of a JSON string, ends with a delimiter, or with what may be the beginning of one.
fn may_begin(tags: &Tags, text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let tail = &text[text.len().saturating_sub(TAIL)..];
    // Most texts end with a word, and have no bracket near their end.
    let ends = tail.last().is_some_and(|b| matches!(b, b'>' | b']' | b'|' | 0x80..));
    if !ends && !tail.iter().any(|b| matches!(b, b'<' | b'[' | b'\\')) {
        return false;
    }
    let mut at = 0;
    loop {
        at = match tags.stands(tail, at) {
            Ok(Some(found)) if found.at.end == tail.len() => return true,
            Ok(Some(found)) => found.at.end,
            // An escape may spell anything.
            Ok(None) => return memmem::find(tail, b"\\u00").is_some(),
            Err(_) => return true,
        }
    }
}

/// Whether the value that begins at `at` is a list of objects which say that they are pieces. Other lists are of lines, of
/// documents or of answers to choose from, each of which is a text by itself.
pub(super) fn are_pieces(text: &[u8], at: usize) -> bool {
    let Some(rest) = text[at..].strip_prefix(b"[") else { return false };
    let listed = rest.trim_ascii_start().starts_with(b"{");
    // Each of a list says the same, also as a string of JSON.
    let says = |word: &&[u8]| memmem::find(&rest[..rest.len().min(MAX_ELEMENT_BYTES)], word).is_some();
    listed && WORDS.iter().chain([&&b"elta\\\""[..]]).any(says)
}

/// How many bytes of a list are looked at for that.
const MAX_ELEMENT_BYTES: usize = 4096;

impl Watch {
    /// Searches a record of the chat family.
    ///
    /// # Errors
    /// When it is part of a block that began in another record, and suspect records do not pass.
    pub fn spread(&mut self, body: &Body<'_>, record: &Record) -> Result<(), NotUnderstood> {
        // A message that is the record: a list of them is no piece of a text.
        let draft = match record.items.as_slice() {
            [Item::Message(draft)] => draft,
            [Item::Choice(draft)] if body.text.len() <= MAX_PIECE_BYTES && memmem::find(body.text, CHUNK).is_some() => {
                draft
            }
            _ => return Ok(()),
        };
        if draft.element.is_some() || record.is_unread() || record.answer.is_some() {
            return Ok(());
        }
        let mut texts = draft.units.iter().filter_map(|unit| unit.text());
        let begins = texts.any(|literal| may_begin(&self.setup.tags, literal.raw(body.text)));
        self.spreads(body, begins, false)
    }

    /// Searches a record that was walked by a shape.
    ///
    /// # Errors
    /// As [`Watch::spread`].
    pub fn spread_nodes(&mut self, body: &Body<'_>, walked: &Walked) -> Result<(), NotUnderstood> {
        let reads = |does: &Does| {
            matches!(does, Does::Message | Does::Request | Does::Turn(_) | Does::Envelope | Does::Repeat(_))
        };
        let passes = |does: &Does| matches!(does, Does::Nothing);
        let alone =
            |does: &Does| reads(does) || passes(does) || matches!(does, Does::Block(_) | Does::Rest | Does::Mark(_));
        let is_message = |does: &Does| matches!(does, Does::Message | Does::Turn(_) | Does::Repeat(_));
        let messages = walked.nodes.iter().filter(|node| is_message(&node.does));
        if messages.count() > 1 || !walked.nodes.iter().all(|node| alone(&node.does)) {
            return Ok(());
        }
        let ignored = walked.nodes.last().is_some_and(|node| passes(&node.does));
        let (tags, mut texts) = (&self.setup.tags, walked.texts().filter_map(|entry| entry.literal()));
        let begins = texts.any(|literal| may_begin(tags, literal.raw(body.text)));
        self.spreads(body, begins, ignored)
    }

    /// `begins`: a block may begin at the end of one of its texts; `ignored`: the record is not read, whatever its texts are.
    fn spreads(&mut self, body: &Body<'_>, begins: bool, ignored: bool) -> Result<(), NotUnderstood> {
        let text = body.text;
        if self.search.is_none() || self.examines || self.spans.is_some() || text.len() > MAX_PIECE_BYTES {
            return Ok(());
        }
        let waits = self.pieces.wait();
        if !waits && !ignored && !begins {
            return Ok(());
        }
        let says = WORDS.iter().any(|word| memmem::find(text, word).is_some());
        if !waits && ignored && !says {
            return Ok(());
        }
        match self.pieces.whole(&self.setup.tags, text, !says) {
            Some(at) => self.suspect_at(body, at, SUSPECT),
            None => Ok(()),
        }
    }
}
