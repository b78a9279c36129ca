//! What is written into the content of a message: edits in its texts, and what goes in front of them.

use super::Context;
use super::edits::{MemberEdits, ObjectStyle, Plan, RangeEdits, copies, text};
use super::reading::{ContentPart, Reading};
use super::thought::RecordRange;
use super::values::kind;
use crate::dialect::draft::Draft;
use crate::frame::Body;
use crate::json::Literal;
use crate::model::{Bit, Loss};

/// What becomes of the texts of a content.
#[derive(Default)]
pub(super) struct Written {
    /// What goes in front of the first text, escaped for a string.
    pub prefix: Vec<Bit>,
    /// Edits in the texts: ranges of the record, in order.
    pub edits: Vec<(RecordRange, Vec<Bit>)>,
    /// How many texts had a delimiter that is escaped.
    pub(super) escaped: usize,
}

impl Written {
    /// Texts that stay, behind a prefix.
    pub fn of(prefix: Vec<Bit>) -> Self {
        Self { prefix, ..Self::default() }
    }

    /// Whether all stays as it is.
    pub fn is_empty(&self) -> bool {
        self.prefix.is_empty() && self.edits.is_empty()
    }

    /// A text with its edits, as bits inside of a string.
    pub fn bits_of(&self, body: &Body<'_>, literal: Literal) -> Vec<Bit> {
        let (mut bits, mut from) = (Vec::new(), literal.start);
        let inside = |(at, _): &&(RecordRange, Vec<Bit>)| literal.start <= at.start && at.end <= literal.end;
        for (at, with) in self.edits.iter().filter(inside) {
            copies(body, std::slice::from_ref(&(from..at.start)), &mut bits);
            bits.extend(with.iter().cloned());
            from = at.end;
        }
        copies(body, std::slice::from_ref(&(from..literal.end)), &mut bits);
        bits
    }
}

/// Adds the edits of the content of a message, and writes the prefix in front of it.
pub(super) fn put(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    out: Written,
    members: &mut MemberEdits<'_>,
    plan: &mut Plan,
) {
    let (body, behind) = (context.body, !out.prefix.is_empty());
    let value = reading.content.map(|i| &draft.members.list[i].value);
    let Some(value) = value.filter(|value| matches!(kind(body.text, value), b'"' | b'[' | b'{')) else {
        if behind {
            plan.losses.push(Loss::Null);
            let written = member(&members.style, "content", out.prefix);
            match reading.content {
                Some(i) => members.put(i, written),
                None => members.insert(reading.role, written, body, plan),
            }
        }
        return;
    };
    let own = plan.edits.len();
    if behind {
        match reading.texts.first().map(|words| words.literal.start) {
            Some(at) => plan.edits.push((body.span(at..at), out.prefix)),
            None => in_front(body, reading, value, out.prefix, &mut plan.edits),
        }
    }
    plan.edits.extend(out.edits.into_iter().map(|(at, bits)| (body.span(at), bits)));
    let gone = reading.parts.iter().any(|part| matches!(part, ContentPart::Thought(_)));
    let inside = |at: &&RecordRange| value.start < at.start && at.end < value.end;
    let cuts = draft.cuts.iter().filter(inside).filter(|_| gone);
    plan.edits.extend(cuts.map(|at| (body.span(at.clone()), Vec::new())));
    plan.edits[own..].sort_by_key(|(at, _)| (at.start, at.end));
}

/// Puts a part with the prefix in front of a list without text.
fn in_front(body: &Body<'_>, reading: &Reading, value: &RecordRange, prefix: Vec<Bit>, edits: &mut RangeEdits) {
    let mut bits = vec![text("{\"type\":\"text\",\"text\":\"")];
    bits.extend(prefix);
    // The content may be a single part, without a list.
    if kind(body.text, value) == b'{' {
        bits.insert(0, text("["));
        bits.push(text("\"},"));
        edits.push((body.span(value.start..value.start), bits));
        edits.push((body.span(value.end..value.end), vec![text("]")]));
        return;
    }
    let others = reading.parts.iter().any(|part| !matches!(part, ContentPart::Thought(_)));
    bits.push(text(if others { "\"}," } else { "\"}" }));
    edits.push((body.span(value.start + 1..value.start + 1), bits));
}

/// A member whose value is a string.
pub(super) fn member(style: &ObjectStyle, name: &str, mut inside: Vec<Bit>) -> Vec<Bit> {
    inside.insert(0, text("\""));
    inside.insert(0, style.name(name));
    inside.push(text("\""));
    inside
}
