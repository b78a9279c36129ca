//! Skips the walk for events of a stream that differ from the last one in one string only: the event is compared with
//! the last one, and only the string is looked at. An event that does not fit is walked.
//!
//! Equal bytes before the string leave the scanner in the same state, and equal bytes after it mean the same, so that
//! the draft of the last event is valid with its positions moved. ADVICE: every position in [`Record`] must be moved in
//! `refit`. The law `gears` compares with this turned off.

use crate::dialect::draft::{DeltaDraft, Draft, Item, Record, Unit};
use crate::frame::Body;
use crate::json::{Literal, string_end};
use crate::model::Facts;
use std::ops::Range;

/// The bytes of an event around its one string.
#[derive(Debug)]
pub(super) struct Template {
    /// The name of the event, which may decide what the string means.
    event: Vec<u8>,
    before: Vec<u8>,
    after: Vec<u8>,
    /// The position of the string in the record that was read last.
    literal: Literal,
    /// The facts of the last event that fitted, if it continued a message and had nothing but the string.
    pub facts: Option<Facts>,
}

impl Template {
    /// The template of an event that was walked, if it has exactly one string that is not empty.
    pub fn of(body: &Body<'_>, record: &Record) -> Option<Self> {
        let [Item::Delta(draft)] = record.items.as_slice() else { return None };
        let Draft { units, delta: DeltaDraft { finished: false, .. }, .. } = draft.as_ref() else { return None };
        let mut found = None;
        for unit in units {
            match unit {
                Unit::Text(s) | Unit::Field(_, s) if s.start < s.end && found.is_none() => found = Some(*s),
                Unit::Text(s) | Unit::Field(_, s) if s.start == s.end => (),
                Unit::Void(_) => (),
                _ => return None,
            }
        }
        let literal = found?;
        let (before, after) = (body.text[..literal.start].to_vec(), body.text[literal.end..].to_vec());
        Some(Self { event: body.event.to_vec(), before, after, literal, facts: None })
    }

    /// Notes the facts of an event that fitted. If it continued a message, the next that fits needs no further look.
    pub fn learn(&mut self, record: &Record, facts: &Facts) {
        let [Item::Delta(draft)] = record.items.as_slice() else { return };
        let only = draft.delta.event.is_none() && record.logged.is_none() && !record.style.enveloped;
        self.facts = Some(*facts).filter(|facts| only && facts.stream && facts.messages == 0);
    }

    /// Whether `body` fits. If so, `record` now describes it.
    pub fn fits(&mut self, body: &Body<'_>, record: &mut Record) -> bool {
        let Body { text: body, event, .. } = *body;
        if body.len() < self.before.len() + self.after.len()
            || !body.starts_with(&self.before)
            || !body.ends_with(&self.after)
            || event != self.event
        {
            return false;
        }
        let (start, end) = (self.before.len(), body.len() - self.after.len());
        let Ok((at, escaped)) = string_end(body, start) else { return false };
        if at != end || simdutf8::basic::from_utf8(&body[start..end]).is_err() {
            return false;
        }
        let literal = Literal { start, end, escaped };
        refit(record, self.literal, literal);
        self.literal = literal;
        true
    }
}

/// Moves the positions behind the string.
fn refit(record: &mut Record, old: Literal, new: Literal) {
    let moved = |at: usize| if at >= old.end { at - old.end + new.end } else { at };
    let range = |r: &mut Range<usize>| *r = moved(r.start)..moved(r.end);
    let literal = |s: &mut Literal| {
        *s = if s.start == old.start { new } else { Literal { start: moved(s.start), end: moved(s.end), ..*s } };
    };
    record.id.iter_mut().for_each(literal);
    for item in &mut record.items {
        let Item::Delta(draft) = item else { continue };
        draft.cuts.iter_mut().for_each(range);
        for unit in &mut draft.units {
            match unit {
                Unit::Text(s) | Unit::Field(_, s) => literal(s),
                Unit::Deep(_, at) | Unit::Call(at) => range(at),
                Unit::Void(_) | Unit::Opaque(_) => (),
            }
        }
    }
}
