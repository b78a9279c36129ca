//! JSON records that are refused for their tags: a block that is never closed, or a tag that may be a mention.

use super::JsonReader;
use super::shaped::role_of;
use crate::dialect::draft::{Draft, Item, Record, Unit};
use crate::dialect::inline_text::decode;
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::error::{Error, ErrorKind};
use crate::frame::Body;
use crate::inline::{Note, Options, Start, TagScanner, Tags};
use crate::json::{Literal, is_empty};
use crate::model::Role;

impl JsonReader<'_> {
    /// Refuses a record with an unclosed block where that is an error, or with a tag of which it is not certain whether
    /// it is used, before any of its events is sent.
    pub(super) fn refuse(&mut self, body: &Body<'_>, record: &mut Record) -> Result<(), Error> {
        let style = record.style;
        for item in &mut record.items {
            let (Item::Message(draft) | Item::Choice(draft)) = item else {
                continue;
            };
            draft.has.place_for_reasoning |= style.blocks || style.gemini || style.enveloped;
            if draft.is_model() {
                self.refuse_texts(body, draft)?;
            }
        }
        Ok(())
    }

    /// The same for the texts of one message of the assistant.
    pub(super) fn refuse_texts(&mut self, body: &Body<'_>, draft: &mut Draft) -> Result<(), Error> {
        let mut inline = self.options_of(draft);
        draft.has.no_tags = true;
        for unit in &draft.units {
            let Unit::Text(literal) = unit else { continue };
            let seeded = inline.start == Start::Reasoning && literal.start < literal.end;
            if seeded || self.tags.may_hold(literal.raw(body.text), literal.escaped) {
                draft.has.no_tags = false;
                self.must_be_certain(body, *literal, inline)?;
            }
            if seeded {
                inline.start = Start::Hindsight;
            }
        }
        Ok(())
    }

    /// The same for the messages of a record that was walked by a shape. Most formats have a place for reasoning.
    pub(super) fn refuse_nodes(&mut self, body: &Body<'_>, walked: &Walked) -> Result<(), Error> {
        let inlined = self.shapes.is_inline();
        for (number, node) in walked.nodes.iter().enumerate() {
            let (number, mut inline) = (number as u32, Options { apart: true, ..self.options.inline });
            let parent = walked.nodes.get(node.parent as usize).map(|parent| parent.does);
            let message = match (node.does, parent) {
                (Does::Message | Does::Turn(_), _) => number,
                (Does::Block(_), Some(Does::Message)) => node.parent,
                _ => continue,
            };
            let reasons = matches!(node.does, Does::Block(kind) if kind.is_reasoning());
            if reasons || walked.get(number, Slot::Text).is_none() {
                continue;
            }
            if !matches!(role_of(walked, body.text, message), None | Some(Role::Assistant)) {
                continue;
            }
            inline.apart &=
                !inlined || walked.all(number, Slot::Thought).any(|entry| !is_empty(&body.text[entry.value.clone()]));
            for literal in walked.all(number, Slot::Text).filter_map(Entry::literal) {
                if node.does == Does::Turn(Kind::Call) && !self.is_tagged_call(body, literal) {
                    continue;
                }
                let seeded = inlined && inline.start == Start::Reasoning && literal.start < literal.end;
                if seeded || self.tags.may_hold(literal.raw(body.text), literal.escaped) {
                    self.must_be_certain(body, literal, inline)?;
                }
                if seeded {
                    inline.start = Start::Hindsight;
                }
            }
        }
        Ok(())
    }

    /// How the tags of a whole message are read: a message with reasoning in a place of its own has no other in its
    /// texts for certain.
    pub(super) fn options_of(&self, draft: &Draft) -> Options {
        let reasons = |unit: &Unit| {
            matches!(unit, Unit::Field(_, text) if text.start < text.end) || matches!(unit, Unit::Deep(..))
        };
        let apart = draft.has.place_for_reasoning || draft.units.iter().any(reasons);
        Options { apart, ..self.options.inline }
    }

    fn must_be_certain(&mut self, body: &Body<'_>, literal: Literal, inline: Options) -> Result<(), Error> {
        let tagged = &mut self.room.tagged;
        (tagged.input, tagged.map) = decode(body, literal, &mut tagged.text);
        tagged.literal = Some(literal);
        let Some((at, what)) = uncertain(self.tags, inline, &tagged.text) else { return Ok(()) };
        let kind = if what == UNCLOSED { ErrorKind::Refused } else { ErrorKind::Undecided };
        Err(Error::of(kind, literal.start + tagged.map.raw(at), what))
    }
}

impl Draft {
    /// Whether one of its texts may hold a tag.
    pub(in crate::dialect) fn may_hold(&self, tags: &Tags, record: &[u8], text: Literal) -> bool {
        !self.has.no_tags && tags.may_hold(text.raw(record), text.escaped)
    }

    /// Whether this is the first of its texts, and none of them holds a tag.
    pub(in crate::dialect) fn is_tagless(&self, text: Literal) -> bool {
        let mut texts =
            self.units.iter().filter_map(|unit| if let Unit::Text(text) = unit { Some(text) } else { None });
        self.has.no_tags && texts.next().is_some_and(|first| first.start == text.start)
    }
}

/// The error for an unclosed block where unclosed blocks are errors.
pub const UNCLOSED: &str = "a block of reasoning that is never closed";

/// Where an unclosed block begins in `text`, if unclosed blocks are errors.
pub fn unclosed(tags: &Tags, inline: Options, text: &[u8]) -> Option<usize> {
    let (at, what) = uncertain(tags, inline, text)?;
    (what == UNCLOSED).then_some(at)
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
