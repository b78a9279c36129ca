//! The facts of chat messages for writers of other families: tool calls and results, signatures, and members that are
//! lost. The same for related formats with parts or blocks in place of content.

mod record;
mod response;

pub(in crate::dialect) use record::{beside_answer, body, misnamed, of_batch, of_error, of_request};
pub(in crate::dialect) use response::{Response, of_usage};

use crate::dialect::draft::{Draft, Fact, Part, Unit, What as Item};
use crate::dialect::formats::shared::{Holds, holds, is_blank};
use crate::dialect::shape::Slot;
use crate::json::{Literal, Token, elements, is_empty, members};
use crate::model::Role;
use crate::model::content::{Attribute, What};
use std::ops::Range;

/// Adds a fact for each member of an object that a conversion loses, unless its value is empty.
fn lost(record: &[u8], start: usize, is_lost: impl Fn(Literal, &Range<usize>) -> bool, out: &mut Vec<Fact>) {
    let lost = members(record, start).filter(|(key, _, at)| is_lost(*key, at) && !is_empty(&record[at.clone()]));
    out.extend(lost.map(|(key, ..)| Fact::member(key)));
}

fn number(record: &[u8], at: Range<usize>) -> Option<u32> {
    std::str::from_utf8(&record[at]).ok()?.parse().ok()
}

/// Adds the facts of a tool call in any of the family's spellings.
fn call(record: &[u8], start: usize, place: u32, after: usize, out: &mut Vec<Fact>) {
    let (mut number_of, mut facts) = (place, Vec::new());
    let mut read = |key: &[u8], token: Token, at: Range<usize>| match (key, token) {
        (b"index", Token::Number) => number_of = number(record, at).unwrap_or(place),
        (b"id" | b"callId", Token::String(s)) if s.start < s.end => facts.push((Attribute::CallId, at)),
        (b"name", Token::String(s)) if s.start < s.end => facts.push((Attribute::Name, at)),
        (b"arguments" | b"args" | b"parameters" | b"input", Token::String(_) | Token::ObjectStart) => {
            facts.push((Attribute::Arguments, at));
        }
        _ => (),
    };
    let (mut inner, mut free) = (None, None);
    members(record, start).decoded().for_each(|(key, token, at)| match (&*key, token) {
        // The member for the other kind of call may be there, and empty.
        (b"function" | b"functionCall" | b"custom", Token::ObjectStart) if is_blank(record, at.start) => (),
        (b"function" | b"functionCall", Token::ObjectStart) => inner = Some(at.start),
        (b"custom", Token::ObjectStart) => {
            inner = Some(at.start);
            free = Some((Attribute::Free, at));
        }
        _ => read(&key, token, at),
    });
    if let Some(start) = inner {
        members(record, start).decoded().for_each(|(key, token, at)| read(&key, token, at));
    }
    facts.extend(free);
    out.push(Fact { after, block: Some(number_of), what: Item::Block(What::Call), at: start..start });
    // The name and the identifier go before the arguments, which may be one of several pieces.
    facts.sort_by_key(|(name, _)| *name == Attribute::Arguments);
    out.extend(facts.into_iter().map(|(name, at)| Fact { after, block: Some(number_of), what: Item::Set(name), at }));
}

/// Adds the facts of a tool result in a part.
fn result(record: &[u8], start: usize, place: u32, after: usize, out: &mut Vec<Fact>) {
    out.push(Fact { after, block: Some(place), what: Item::Block(What::Result), at: start..start });
    let mut inner = None;
    let mut read = |key: &[u8], at: Range<usize>| {
        let name = match key {
            // If it has no identifier, it answers a call of this tool.
            b"name" | b"toolName" if record[at.start] == b'"' && !is_empty(&record[at.clone()]) => Attribute::Name,
            b"callId" | b"tool_use_id" | b"id" => Attribute::ResultOf,
            b"result" | b"content" | b"response" | b"output" => Attribute::Result,
            b"is_error" | b"isError" => Attribute::IsError,
            _ => return,
        };
        out.push(Fact { after, block: Some(place), what: Item::Set(name), at });
    };
    members(record, start).decoded().for_each(|(key, token, at)| match (&*key, token) {
        (b"functionResponse", Token::ObjectStart) => inner = Some(at.start),
        _ => read(&key, at),
    });
    if let Some(start) = inner {
        members(record, start).decoded().for_each(|(key, _, at)| read(&key, at));
    }
}

fn starts(unit: &Unit) -> usize {
    match unit {
        Unit::Text(Literal { start, .. }) | Unit::Field(_, Literal { start, .. }) => *start,
        Unit::Deep(_, at) | Unit::Call(at) => at.start,
        Unit::Opaque(_) | Unit::Void(_) => 0,
    }
}

/// Adds the facts of a content part that is not text. `after`: how many units stand before it.
fn part(record: &[u8], part: &Part, place: u32, after: usize, out: &mut Vec<Fact>) {
    let start = part.at.start;
    if record.get(start) != Some(&b'{') {
        return;
    }
    if part.reasoning {
        return thought(record, start, &["type"], after + 1, out);
    }
    let (mut kind, mut calls, mut results, mut text, mut lost) = (Vec::new(), false, false, false, None);
    let mut refusal = None;
    members(record, start).decoded().for_each(|(key, token, at)| match (&*key, token) {
        (b"type", Token::String(word)) => kind = word.decoded(record).into_owned(),
        (b"functionCall", Token::ObjectStart) => calls = true,
        (b"functionResponse", Token::ObjectStart) => results = true,
        (b"text", Token::String(_)) => text = true,
        (b"refusal", Token::String(_)) => refusal = Some(at),
        _ => lost = lost.take().or(Some(at).filter(|at| !is_empty(&record[at.clone()]))),
    });
    match kind.as_slice() {
        b"tool_call" | b"tool_use" => call(record, start, place, after, out),
        b"tool_response" | b"tool_result" => result(record, start, place, after, out),
        _ if calls => call(record, start, place, after, out),
        _ if results => result(record, start, place, after, out),
        b"refusal" if refusal.is_some() => {
            let what = Item::Set(Attribute::Refusal);
            out.extend(refusal.map(|at| Fact { after: after + 1, block: None, what, at }));
        }
        _ if text => {
            out.extend(lost.map(|at| Fact { after: after + 1, block: None, what: Item::Set(Attribute::Extra), at }));
        }
        b"image_url" | b"image" | b"input_audio" | b"file" | b"media" | b"document" => {
            out.push(Fact { after, block: Some(place), what: Item::Block(What::Media), at: start..start });
        }
        _ => out.push(Fact { after, block: Some(place), what: Item::Block(What::Other), at: start..start }),
    }
}

/// Adds the facts of an object of reasoning: what stands beside its text. Members that are neither that nor `usual` are
/// lost.
fn thought(record: &[u8], start: usize, usual: &[&str], after: usize, out: &mut Vec<Fact>) {
    let (fact, mut lost) = (|name, at| Fact { after, block: None, what: Item::Set(name), at }, None);
    for (key, token, at) in members(record, start).filter(|(.., at)| !is_empty(&record[at.clone()])) {
        match (holds(&key.decoded(record)), token) {
            // Its text, or the flag that it is one.
            (Some(Holds::Text), _) => (),
            (Some(Holds::Signature), Token::String(_)) => out.push(fact(Attribute::Signature, at)),
            (Some(Holds::Ciphertext), Token::String(_)) => out.push(fact(Attribute::Ciphertext, at)),
            (Some(Holds::Hidden), Token::True) => out.push(fact(Attribute::Hidden, at)),
            (Some(Holds::SourceField), Token::String(_)) => out.push(fact(Attribute::SourceField, at)),
            _ if usual.iter().any(|name| key.is(record, name)) => (),
            _ => lost = lost.or(Some(at)),
        }
    }
    out.extend(lost.map(|at| fact(Attribute::Extra, at)));
}

/// Adds the facts of a reasoning field: a string, an object, or a list of objects.
fn field(record: &[u8], draft: &Draft, value: &Range<usize>, out: &mut Vec<Fact>) {
    let own = |unit: &Unit| matches!(unit, Unit::Deep(_, at) if at == value);
    let Some(after) = draft.units.iter().position(own).map(|at| at + 1) else { return };
    let usual = &["type", "id", "index", "format"];
    thought(record, value.start, usual, after, out);
    elements(record, value.start).for_each(|(_, at)| thought(record, at.start, usual, after, out));
}

/// The facts of a message or a delta.
pub(in crate::dialect) fn of_message(record: &[u8], draft: &Draft) -> Vec<Fact> {
    let mut out = Vec::new();
    let mut starts: Vec<usize> = draft.units.iter().map(starts).collect();
    starts.sort_unstable();
    for (place, found) in draft.members.parts.iter().enumerate() {
        let after = starts.partition_point(|start| *start < found.at.start);
        part(record, found, place as u32, after, &mut out);
    }
    let behind = draft.units.len();
    let (mut answers, mut tool, mut lost) = (None, None, None);
    for member in &draft.members.list {
        let (key, at) = (member.key.decoded(record), member.value.clone());
        match &*key {
            b"tool_calls" => {
                for (place, (_, list)) in elements(record, at.start).enumerate() {
                    call(record, list.start, place as u32, behind, &mut out);
                }
            }
            b"function_call" if is_blank(record, at.start) => (),
            b"function_call" if record.get(at.start) == Some(&b'{') => call(record, at.start, 0, behind, &mut out),
            b"tool_call_id" => answers = Some(at),
            b"name" if draft.role == Some(Role::Tool) && record[at.start] == b'"' => {
                tool = Some(at.clone());
                lost = lost.or(Some(at).filter(|at| !is_empty(&record[at.clone()])));
            }
            _ if member.slot == Slot::Thought => field(record, draft, &at, &mut out),
            // The other families have no member for the name of a speaker, for a sound, or for what programs add.
            b"refusal" if record[at.clone()].len() > 2 && record[at.start] == b'"' => {
                out.push(Fact { after: behind, block: None, what: Item::Set(Attribute::Refusal), at });
            }
            b"refusal" => (),
            _ if matches!(member.slot, Slot::Unnamed | Slot::Shown) => {
                lost = lost.or(Some(at).filter(|at| !is_empty(&record[at.clone()])));
            }
            _ => (),
        }
    }
    let content = draft.members.list.iter().find(|member| member.is(record, "content"));
    if let (Some(Role::Tool), Some(content)) =
        (draft.role, content.filter(|_| out.iter().all(|fact| !fact.is_result())))
    {
        let fact = |what, at| Fact { after: 0, block: Some(0), what, at };
        out.push(fact(Item::Block(What::Result), content.value.start..content.value.start));
        out.extend(answers.map(|at| fact(Item::Set(Attribute::ResultOf), at)));
        out.extend(tool.map(|at| fact(Item::Set(Attribute::Name), at)));
        out.push(fact(Item::Set(Attribute::Result), content.value.clone()));
    }
    // A signature of no text has no place elsewhere.
    let opaque = draft.units.iter().any(|unit| matches!(unit, Unit::Opaque(_)));
    let lost = lost.or(opaque.then(|| draft.object.clone()));
    out.extend(lost.map(|at| Fact { after: behind, block: None, what: Item::Set(Attribute::Extra), at }));
    out.sort_by_key(|fact| fact.after);
    out
}
