//! JSON records that are refused for their tags: a block that is never closed, or a tag that may be a mention.

use super::options::Setup;
use super::roles::{is_last, speaker_of};
use super::understood::Authors;
use crate::dialect::draft::{Draft, Item, Record, Stretch};
use crate::dialect::inline_text::decode;
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::dialect::stream::Streams;
use crate::error::{Error, ErrorKind};
use crate::frame::Body;
use crate::inline::{Note, Options, Start, TagScanner, Tags};
use crate::json::text::Map;
use crate::json::{Literal, is_empty};
use crate::model::Role;

/// Checks that tags are used for certain. Keeps the last text that it has decoded for who reads it next.
#[derive(Default)]
pub(super) struct TagCheck {
    /// Where the text stands in the record; `None` if it is of another record.
    pub literal: Option<Literal>,
    /// The text, and its offset in the input.
    pub text: Vec<u8>,
    pub input: u64,
    pub map: Map,
}

impl TagCheck {
    /// Refuses a record with an unclosed block where that is an error, or with a tag of which it is not certain whether
    /// it is used, before any of its events is sent.
    pub fn record(&mut self, setup: &Setup, body: &Body<'_>, record: &mut Record) -> Result<(), Error> {
        let style = record.style;
        for item in &mut record.items {
            let (Item::Message(draft) | Item::Choice(draft)) = item else {
                continue;
            };
            draft.has.place_for_reasoning |= style.blocks || style.gemini || style.enveloped;
            if draft.is_model() {
                let texts = draft.units.iter().filter_map(Stretch::text);
                draft.has.no_tags = self.texts(setup, body, texts, (setup.options_of(draft), true))?;
            }
        }
        Ok(())
    }

    /// The same for the texts of one message of the assistant. `seeds`: the first of them may be said to begin with
    /// reasoning. Returns whether none may hold a tag.
    fn texts(
        &mut self,
        setup: &Setup,
        body: &Body<'_>,
        texts: impl Iterator<Item = Literal>,
        (mut inline, seeds): (Options, bool),
    ) -> Result<bool, Error> {
        let mut clean = true;
        for literal in texts {
            let seeded = seeds && inline.start == Start::Reasoning && literal.start < literal.end;
            if seeded || setup.tags.may_hold(literal.raw(body.text), literal.escaped) {
                clean = false;
                self.must_be_certain(setup, body, literal, inline)?;
            }
            if seeded {
                inline.start = Start::Hindsight;
            }
        }
        Ok(clean)
    }

    /// The same for the messages of a record that was walked by a shape, but for those that go on with one of `streams`:
    /// their tags are read with what came before. Most formats have a place for reasoning. `inlined`: this one has none.
    pub fn nodes(
        &mut self,
        (setup, streams): (&Setup, &Streams),
        body: &Body<'_>,
        (walked, inlined): (&Walked, bool),
    ) -> Result<(), Error> {
        let authors = Authors::new(walked, body.text);
        for (number, node) in walked.nodes.iter().enumerate() {
            let (number, mut inline) = (number as u32, Options { apart: true, ..setup.options.inline });
            let parent = walked.nodes.get(node.parent as usize).map(|parent| parent.does);
            let message = match (node.does, parent) {
                (Does::Message | Does::Turn(_), _) => number,
                (Does::Block(_), Some(Does::Message)) => node.parent,
                (Does::Block(_), _) if node.slot == Slot::Apart && !authors.is_others(number) => number,
                _ => continue,
            };
            let reasons = matches!(node.does, Does::Block(kind) if kind.is_reasoning());
            if reasons || walked.get(number, Slot::Text).is_none() || goes_on(streams, walked, body.text, message) {
                continue;
            }
            if !matches!(speaker_of(walked, body.text, message), None | Some(Role::Assistant)) {
                continue;
            }
            let thinks = |child| matches!(walked.nodes[child as usize].does, Does::Block(kind) if kind.is_reasoning());
            inline.apart &= !inlined
                || walked.all(number, Slot::Thought).any(|entry| !is_empty(&body.text[entry.value.clone()]))
                || walked.children(number, Slot::MadeOf).any(thinks);
            let is_call = node.does == Does::Turn(Kind::Call);
            let texts = walked.all(number, Slot::Text).filter_map(Entry::literal);
            let texts = texts.filter(|text| !is_call || setup.is_tagged_call(body.text, *text));
            self.texts(setup, body, texts, (inline, inlined))?;
        }
        Ok(())
    }

    /// The same for a string that the user named.
    pub fn named(&mut self, setup: &Setup, body: &Body<'_>, literal: Literal, inline: Options) -> Result<(), Error> {
        self.texts(setup, body, std::iter::once(literal), (inline, true)).map(|_| ())
    }

    fn must_be_certain(
        &mut self,
        setup: &Setup,
        body: &Body<'_>,
        literal: Literal,
        inline: Options,
    ) -> Result<(), Error> {
        (self.input, self.map) = decode(body, literal, &mut self.text);
        self.literal = Some(literal);
        let Some(error) = doubt(&setup.tags, inline, &self.text) else { return Ok(()) };
        Err(Error::of(error.kind, literal.start + self.map.raw(error.offset), error.what))
    }
}

impl Draft {
    /// Whether one of its texts may hold a tag.
    pub(in crate::dialect) fn may_hold(&self, tags: &Tags, record: &[u8], text: Literal) -> bool {
        !self.has.no_tags && tags.may_hold(text.raw(record), text.escaped)
    }

    /// Whether this is the first of its texts, and none of them holds a tag.
    pub(in crate::dialect) fn is_tagless(&self, text: Literal) -> bool {
        let first = self.units.iter().find_map(Stretch::text);
        self.has.no_tags && first.is_some_and(|first| first.start == text.start)
    }
}

/// Whether a message is a piece of a response that looks like the whole, and is not all of it.
fn goes_on(streams: &Streams, walked: &Walked, record: &[u8], message: u32) -> bool {
    let piece = walked.nodes[message as usize].parent;
    if walked.nodes.get(piece as usize).is_none_or(|node| !matches!(node.does, Does::Piece)) {
        return false;
    }
    let id = walked.literal(piece, Slot::Id).map(|id| id.decoded(record));
    let before = walked.nodes[..piece as usize].iter().any(|node| matches!(node.does, Does::Piece));
    !is_last(walked, message) || before || streams.goes_on(id.as_deref())
}

/// The error for an unclosed block where unclosed blocks are errors.
pub const UNCLOSED: &str = "a block of reasoning that is never closed";

/// Where an unclosed block begins in `text`, if unclosed blocks are errors.
pub fn unclosed(tags: &Tags, inline: Options, text: &[u8]) -> Option<usize> {
    let (at, what) = uncertain(tags, inline, text)?;
    (what == UNCLOSED).then_some(at)
}

/// The error for a text that cannot be read for certain, with its offset in the text.
pub(in crate::dialect) fn doubt(tags: &Tags, inline: Options, text: &[u8]) -> Option<Error> {
    let (at, what) = uncertain(tags, inline, text)?;
    let kind = if what == UNCLOSED { ErrorKind::Refused } else { ErrorKind::Undecided };
    Some(Error::of(kind, at, what))
}

/// Where a text cannot be read for certain, and why.
fn uncertain(tags: &Tags, inline: Options, text: &[u8]) -> Option<(usize, &'static str)> {
    let mut scanner = TagScanner::new(tags, inline);
    scanner.feed(text, &mut |_| ());
    scanner.finish(&mut |_| ());
    scanner.notes().into_iter().find_map(|note| match note {
        Note::UnclosedError(at) => Some((at as usize, UNCLOSED)),
        Note::Undecided { at, doubt, passed: false } => Some((at as usize, doubt.what())),
        _ => None,
    })
}
