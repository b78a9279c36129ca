//! JSON records that are refused for a block that is never closed.

use super::JsonReader;
use crate::dialect::draft::{Item, Record, Unit};
use crate::dialect::inline_text::decode;
use crate::error::Error;
use crate::frame::Body;
use crate::inline::{Note, Options, Start, TagScanner, Tags, Unclosed};
use crate::json::Literal;

impl JsonReader<'_> {
    /// Refuses a record with an unclosed block before any of its events is sent, if unclosed blocks are errors.
    pub(super) fn refuse(&mut self, body: &Body<'_>, record: &Record) -> Result<(), Error> {
        if self.options.inline.unclosed != Some(Unclosed::Error) {
            return Ok(());
        }
        for item in &record.items {
            let (Item::Message(draft) | Item::Choice(draft)) = item else {
                continue;
            };
            let mut inline = self.options.inline;
            for unit in &draft.units {
                let Unit::Text(literal) = unit else { continue };
                let seeded = inline.start == Start::Reasoning && literal.start < literal.end;
                if draft.is_model() && (seeded || self.tags.may_hold(literal.raw(body.text), literal.escaped)) {
                    self.must_close(body, *literal, inline)?;
                }
                if seeded {
                    inline.start = Start::Hindsight;
                }
            }
        }
        Ok(())
    }

    fn must_close(&mut self, body: &Body<'_>, literal: Literal, inline: Options) -> Result<(), Error> {
        let (_, map) = decode(body, literal, &mut self.room.scratch);
        let bad = unclosed(self.tags, inline, &self.room.scratch).map(|at| literal.start + map.raw(at));
        bad.map_or(Ok(()), |at| Err(Error::new(at, UNCLOSED)))
    }
}

/// The error for an unclosed block where unclosed blocks are errors.
pub const UNCLOSED: &str = "a block of reasoning that is never closed";

/// Where an unclosed block begins in `text`, if unclosed blocks are errors.
pub fn unclosed(tags: &Tags, inline: Options, text: &[u8]) -> Option<usize> {
    let mut scanner = TagScanner::new(tags, inline);
    scanner.feed(text, &mut |_| ());
    scanner.finish(&mut |_| ());
    scanner.notes().into_iter().find_map(|note| match note {
        Note::UnclosedError(at) => Some(at as usize),
        _ => None,
    })
}
