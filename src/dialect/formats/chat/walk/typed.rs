//! Typed events: each of one kind, with its text at the top level. A record is read as one only if its walk found no
//! messages, and its type or the name of its event is known.

use super::*;
use crate::dialect::formats::chat::row::{EventContent, Typed, TypedEvent, TypedEvents};
use crate::dialect::formats::shared;
use std::borrow::Cow;

/// What was found in an event.
#[derive(Default)]
struct Found {
    /// A text of its kind: the number of its key.
    text: Option<usize>,
    reasoning: bool,
    stats: bool,
    /// A member that is not of the format, and that outputs of events show.
    more: bool,
    /// A member that no event of the format has.
    strange: bool,
    /// The whole answer of a message, with the number of its key.
    answer: Option<(usize, Literal)>,
    response: Option<Literal>,
    /// The first of the two numbers that identify the response.
    number: Option<usize>,
    numbers: Option<Literal>,
}

impl Found {
    /// Whether it is an event of this kind. The type alone is not enough, since other formats use the words, too,
    /// unless `only` this dialect is read.
    fn is(&self, row: &TypedEvent, typed: bool, only: bool) -> bool {
        let text = match row.content {
            EventContent::WholeMessage if self.reasoning || self.stats => true,
            EventContent::WholeMessage if typed && !only && self.response.is_none() => self.text == Some(0),
            EventContent::Usage | EventContent::End => true,
            EventContent::WholeReasoning => self.reasoning,
            // Another document may have such a type and a text.
            _ if typed && !only && self.response.is_none() => self.text.is_some() && !self.strange,
            _ => self.text.is_some(),
        };
        text && (typed || only || self.response.is_some())
    }
}

impl Walk<'_, '_> {
    /// Reads the record as an event with this name, if it is one.
    pub(super) fn typed_event(&mut self, event: &[u8]) -> Done {
        let text = self.s.text();
        let kind = self.kind.take().map(|kind| match kind.raw(text) {
            raw if raw.contains(&b'\\') => Cow::Owned(text::decoded(raw)),
            raw => Cow::Borrowed(raw),
        });
        let Some(typed) = self.names.typed_event(event, kind.as_deref()) else { return Ok(()) };
        let Typed { events, row, .. } = typed;
        let mut draft = self.record.draft();
        let mut logged = None;
        let found = read(text, (events, row, self.names), &mut draft, self.detail, &mut logged);
        if !found.is(row, kind.is_some(), self.names.only) {
            return Ok(());
        }
        draft.delta.event = Some(row);
        let known = |key: &[u8]| is_own(events, row, key) || row.texts.iter().any(|name| name.as_bytes() == key);
        self.record.rest.retain(|rest| rest.key.is_none_or(|key| !known(&text::decoded(key.raw(text)))));
        self.record.style.event = Some(typed);
        self.record.id = found.response.or(found.numbers);
        if row.content == EventContent::Usage && self.detail.usage {
            logged = shared::logged(text);
        }
        self.record.logged = logged.or(self.record.logged);
        let text_only = matches!(
            row.content,
            EventContent::Reasoning | EventContent::Answer | EventContent::Commentary | EventContent::WholeReasoning
        );
        self.record.marks.payload = !text_only || found.more;
        match row.content {
            EventContent::Reasoning | EventContent::Answer | EventContent::Commentary => {
                self.record.items.push(Item::Delta(draft))
            }
            EventContent::Call => {
                draft.has.tool = true;
                self.record.items.push(Item::Delta(draft));
            }
            EventContent::WholeReasoning => self.record.items.push(Item::Restated(draft)),
            EventContent::WholeMessage => {
                draft.role = Some(Role::Assistant);
                draft.units.extend(found.answer.map(|(_, literal)| Unit::Text(literal)));
                self.record.items.extend([Item::Restated(draft), Item::Over]);
            }
            EventContent::End => self.record.items.push(Item::Over),
            EventContent::Usage => (),
        }
        Ok(())
    }
}

/// Whether events of the format may have this member beside their text.
fn is_own(events: &TypedEvents, row: &TypedEvent, name: &[u8]) -> bool {
    let own = [events.response, events.reasoning, events.stats, "type"];
    own.iter().chain(&events.numbers).chain(row.beside).any(|own| own.as_bytes() == name)
}

/// The source of the reasoning in a member. `repeated`: its key is that of repeated reasoning. `text`: it is a text.
fn source(events: &'static TypedEvents, row: &'static TypedEvent, repeated: bool, text: bool) -> Option<Source> {
    match row.content {
        _ if repeated => Some(events.reasoning),
        EventContent::Reasoning if text => Some(row.name),
        _ => None,
    }
}

/// Reads the members of an event.
fn read(
    text: &[u8],
    (events, row, names): (&'static TypedEvents, &'static TypedEvent, &Names),
    draft: &mut Draft,
    detail: Detail,
    logged: &mut Option<u64>,
) -> Found {
    let (mut found, mut cuts) = (Found::default(), Cuts::default());
    for (key, value, at) in members(text, 0) {
        let (from, number) = (key.start - 1, found.number.take());
        let plain = key.decoded(text);
        let is = |name: &str| *plain == *name.as_bytes();
        let text_number = row.texts.iter().position(|name| is(name));
        let name = names.get(State::Record, text, key);
        found.more |= matches!(name, Name::Content | Name::ToolCalls | Name::Visible);
        found.strange |= text_number.is_none() && !is_own(events, row, &plain);
        if detail.members {
            let name = if is(events.response) { Name::Id } else { name };
            draft.members.list.push(Member { name, key, value: at.clone() });
        }
        let source = source(events, row, is(events.reasoning), text_number.is_some());
        let unit = source.and_then(|source| match value {
            Token::String(s) => Some(Unit::Field(source, s)),
            // Null under this key means that there is no reasoning: it stays.
            Token::Null if is(events.reasoning) => {
                found.reasoning = true;
                None
            }
            Token::Null => Some(Unit::Void(source)),
            Token::ObjectStart | Token::ArrayStart => Some(Unit::Deep(source, at.clone())),
            _ => None,
        });
        if let Some(unit) = unit {
            found.reasoning |= is(events.reasoning);
            found.text = found.text.or(text_number.filter(|_| matches!(value, Token::String(_))));
            draft.units.push(unit);
            draft.cuts.extend(cuts.drop(from, at.end));
            continue;
        }
        draft.cuts.extend(cuts.keep(from));
        cuts.end(at.end);
        match (text_number, value) {
            (Some(n), Token::String(s)) => {
                found.text = Some(found.text.map_or(n, |other| n.min(other)));
                match row.content {
                    EventContent::Call if detail.usage || detail.members => draft.units.push(Unit::Call(at)),
                    EventContent::Answer | EventContent::Commentary => draft.units.push(Unit::Text(s)),
                    EventContent::WholeMessage if found.answer.is_none_or(|(other, _)| n <= other) => {
                        found.answer = Some((n, s))
                    }
                    _ => (),
                }
            }
            // A null answer is an answer, too.
            (Some(n), Token::Null) if row.content == EventContent::WholeMessage => {
                found.text = Some(found.text.map_or(n, |other| n.min(other)));
            }
            (_, Token::String(s)) if is(events.response) => found.response = Some(s),
            (_, Token::Number) if is(events.numbers[0]) => found.number = Some(at.start),
            (_, Token::Number) if is(events.numbers[1]) => {
                found.numbers = number.map(|start| Literal { start, end: at.end, escaped: false });
            }
            (_, Token::ObjectStart) if is(events.stats) => {
                found.stats = true;
                *logged = if detail.usage { shared::logged(&text[at]) } else { None };
            }
            _ => (),
        }
    }
    draft.cuts.extend(cuts.close());
    let start = text.len() - text.trim_ascii_start().len();
    draft.object = start..text.trim_ascii_end().len();
    found
}

/// The texts of an event, and the members that may stand beside them, by name.
pub(in crate::dialect) fn said(text: &[u8], row: &TypedEvent) -> Vec<(&'static str, Option<String>)> {
    let said = |(key, value, _): (Literal, Token, _)| {
        let name = row.texts.iter().chain(row.beside).find(|name| key.is(text, name))?;
        match value {
            Token::String(word) => Some((*name, Some(text::utf8(&word.decoded(text)).into_owned()))),
            Token::Null => Some((*name, None)),
            _ => None,
        }
    };
    members(text, 0).filter_map(said).collect()
}
