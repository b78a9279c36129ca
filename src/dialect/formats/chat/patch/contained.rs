//! Objects of a message in which providers and clients repeat its reasoning, usually as a second copy.

use super::chat::{Origin, thoughts};
use super::parse::{entries, inside, kind, structure};
use super::parsed::{At, ParsedMessage, Thought};
use super::plan::{Plan, losses};
use super::{Context, Target};
use crate::dialect::formats::chat::fields::field_of;
use crate::dialect::formats::chat::states::in_copies;
use crate::dialect::shape::{Rows, Slot};
use crate::json::with_commas;
use crate::model::Loss;
use std::borrow::Cow;

/// The reasoning in such objects.
#[derive(Debug, Default)]
pub(super) struct Contained {
    pub thoughts: Vec<Thought>,
    /// The members that go to remove it.
    gone: Vec<At>,
}

impl Contained {
    /// Reads one such object, and those inside of it.
    pub fn read(&mut self, record: &[u8], rows: Rows, value: &At) {
        for entry in entries(record, value) {
            let (at, key) = (entry.at(), entry.key.decoded(record));
            let slot = in_copies(&key, rows);
            let field = field_of(&key).filter(|_| slot == Slot::Thought);
            let first = kind(record, &entry.value);
            let thoughts = match field {
                Some(field) if !field.common || matches!(first, b'"' | b'[' | b'{' | b'n') => match first {
                    b'"' if field.opaque => {
                        vec![Thought { encrypted: Some(entry.value.clone()), ..Thought::default() }]
                    }
                    b'"' => {
                        let (text, source) = (Some(vec![inside(&entry.value)]), Some(Cow::Borrowed(field.key)));
                        vec![Thought { text, source, ..Thought::default() }]
                    }
                    b'[' | b'{' => structure(record, &entry.value, field.key),
                    _ => Vec::new(),
                },
                _ => {
                    if slot == Slot::Copies {
                        self.read(record, rows, &entry.value);
                    }
                    continue;
                }
            };
            self.thoughts.extend(thoughts);
            self.gone.push(at);
        }
    }
}

/// Whether some of this reasoning stands nowhere else in the message.
pub(super) fn is_more(record: &[u8], parsed: &ParsedMessage) -> bool {
    !parsed.contained.gone.is_empty()
        && thoughts(record, parsed, true).iter().any(|(origin, _, copy)| *origin == Origin::Contained && !copy)
}

/// Cuts the copies out of a message that was edited, or if reasoning goes into the content: it should stand nowhere
/// else then. A message that was not edited is in the target's form already.
pub(super) fn take_out(
    context: &Context<'_, '_>,
    parsed: &ParsedMessage,
    target: &Target,
    edited: bool,
    plan: &mut Plan,
) {
    let record = context.body.text;
    if parsed.contained.gone.is_empty() || !(edited || target.is_inline() || is_more(record, parsed)) {
        return;
    }
    let copies =
        thoughts(record, parsed, true).into_iter().filter(|(origin, _, copy)| *origin == Origin::Contained && *copy);
    for (_, thought, _) in copies {
        plan.losses.push_at(thought.start().map(|at| context.body.offset(at)), Loss::Copy);
        losses(context.body, thought, None, plan);
    }
    let empty = parsed.contained.thoughts.iter().filter(|thought| thought.text.is_none());
    empty.for_each(|thought| losses(context.body, thought, None, plan));
    let mut cuts = parsed.contained.gone.clone();
    with_commas(record, &mut cuts);
    plan.edits.extend(cuts.into_iter().map(|at| (context.body.span(at), Vec::new())));
}
