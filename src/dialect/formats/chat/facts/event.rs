//! The facts of typed events, whose part of the message stands at the top level.

use super::lost;
use super::record::stop;
use crate::dialect::draft::{Fact, What as Item};
use crate::dialect::formats::chat::row::{EventContent, Typed};
use crate::json::{Literal, Token, members};
use crate::model::content::{Attribute, Stop, What};

/// The facts of an event. `call`: a number for the call in it, if it has one.
pub(in crate::dialect) fn of_event(record: &[u8], typed: Typed, call: u32) -> Vec<Fact> {
    let Typed { events, row, .. } = typed;
    let mut out = Vec::new();
    let fact = |block, what, at| Fact { after: 0, block, what, at };
    let (mut name, mut arguments, mut answered) = (None, None, false);
    let calls = row.content == EventContent::Call;
    for (key, token, at) in members(record, 0) {
        let is = |name: &str| key.is(record, name);
        let usage = events.usage.iter().find(|(name, _)| is(name));
        match (row.texts.iter().position(|text| is(text)), usage, token) {
            (Some(n), _, Token::String(_)) if calls && n + 1 == row.texts.len() => arguments = Some(at),
            (Some(_), _, Token::String(_)) if calls => name = Some(at),
            (Some(_), _, Token::String(s)) => answered |= row.content == EventContent::WholeMessage && s.start < s.end,
            (None, Some((_, name)), Token::Number) => out.push(fact(None, Item::Set(*name), at)),
            (None, _, Token::String(_)) if is(events.response) => out.push(fact(None, Item::Set(Attribute::Id), at)),
            (None, _, Token::String(_)) if is(events.model) => out.push(fact(None, Item::Set(Attribute::Model), at)),
            (None, _, Token::String(word)) if is(events.stop) => match stop(&word.decoded(record)) {
                Some(stop) => out.push(fact(None, Item::Stop(stop), at)),
                None => out.push(fact(None, Item::Set(Attribute::StopDetail), at)),
            },
            _ => (),
        }
    }
    let ended = out.iter().any(|fact| matches!(fact.what, Item::Stop(_) | Item::Set(Attribute::StopDetail)));
    if answered && !ended {
        // The answer ends all calls before it.
        out.push(fact(None, Item::Stop(Stop::End), 0..0));
    }
    if calls {
        out.push(fact(Some(call), Item::Block(What::Call), 0..0));
        out.extend(name.map(|at| fact(Some(call), Item::Set(Attribute::Name), at)));
        out.extend(arguments.map(|at| fact(Some(call), Item::Set(Attribute::Arguments), at)));
        out.push(fact(Some(call), Item::Over, 0..0));
    }
    lost_members(record, typed, &mut out);
    out
}

/// Adds the members that other formats have no place for, as losses. The number of an event in its stream is no loss.
fn lost_members(record: &[u8], Typed { events, row, .. }: Typed, out: &mut Vec<Fact>) {
    let own = [&events.response, &events.reasoning, &events.model, &events.stop, &"type"];
    let known = || own.into_iter().chain(&events.numbers).chain(events.silent).chain(row.texts);
    let is_known = |key: Literal| {
        let usage = events.usage.iter().map(|(name, _)| name);
        known().chain(usage).any(|name| key.is(record, name))
    };
    lost(record, 0, |key, _| !is_known(key), out);
}
