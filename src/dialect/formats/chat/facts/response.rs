//! The facts of responses beside their messages, and those of each of their choices. The record is scanned once,
//! however many choices it has.

use super::{lost, number, of_error, record::stop};
use crate::dialect::draft::{Fact, What as Item};
use crate::json::text::{Needle, may_hold};
use crate::json::{Literal, Token, elements, members};
use crate::model::content::Attribute;
use std::cell::OnceCell;
use std::ops::Range;

/// A response, or a chunk of one.
pub(in crate::dialect) struct Response<'r> {
    record: &'r [u8],
    /// Where it begins.
    body: usize,
    /// The facts that all its choices share.
    shared: Vec<Fact>,
    /// Where its choices begin, in order.
    choices: Vec<usize>,
    /// Their own numbers, sorted, each with the place of its choice.
    numbers: Vec<(u32, usize)>,
    /// A delta without a list of choices stands beside its reason to stop.
    bare: bool,
    /// A choice may have members that are lost.
    loses: bool,
    /// Members that are lost if it is a completion.
    completion: OnceCell<Vec<Fact>>,
}

/// The token usage of an event behind the last piece of the message.
pub(in crate::dialect) fn of_usage(record: &[u8], body: usize) -> Vec<Fact> {
    let mut facts = Response::of(record, body).facts(0);
    facts.retain(|fact| {
        !matches!(fact.what, Item::Set(Attribute::Id | Attribute::Model | Attribute::Created) | Item::Stop(_))
    });
    facts
}

static OF_RESPONSE: [Needle; 2] = [Needle::new("service_tier"), Needle::new("provider")];
static OF_USAGE: [Needle; 1] = [Needle::new("cost")];
static OF_CHOICE: [Needle; 2] = [Needle::new("logprobs"), Needle::new("native_finish_reason")];

impl<'r> Response<'r> {
    /// Scans the response that begins at `body`.
    pub fn of(record: &'r [u8], body: usize) -> Self {
        let mut shared = Vec::new();
        let mut set = |name, at| shared.push(Fact { after: 0, block: None, what: Item::Set(name), at });
        let (mut list, mut used, mut bare) = (None, None, false);
        members(record, body).decoded().for_each(|(key, token, at)| match (&*key, token) {
            (b"id", Token::String(_)) => set(Attribute::Id, at),
            (b"delta", Token::ObjectStart) => bare = true,
            (b"model", Token::String(_)) => set(Attribute::Model, at),
            (b"created", Token::Number) if &record[at.clone()] != b"0" => set(Attribute::Created, at),
            (b"usage", Token::ObjectStart) => used = Some(at.start),
            (b"choices", Token::ArrayStart) => list = Some(at.start),
            _ => (),
        });
        shared.extend(of_error(record));
        used.into_iter().for_each(|start| usage(record, start, &mut shared));
        if may_hold(record, &OF_RESPONSE) {
            lost_members(record, body, &OF_RESPONSE, b"", &mut shared);
        }
        if used.is_some() && may_hold(record, &OF_USAGE) {
            used.into_iter().for_each(|start| lost_members(record, start, &OF_USAGE, b"", &mut shared));
        }
        let choices: Vec<usize> =
            list.map_or_else(Vec::new, |list| elements(record, list).map(|(_, at)| at.start).collect());
        let (bare, loses, completion) = (bare && list.is_none(), may_hold(record, &OF_CHOICE), OnceCell::new());
        let own = |(place, start): (usize, &usize)| Some((own_number(record, *start)?, place));
        let mut numbers: Vec<(u32, usize)> = choices.iter().enumerate().filter_map(own).collect();
        numbers.sort_unstable();
        Self { record, body, shared, choices, numbers, bare, loses, completion }
    }

    /// The facts beside the message of the choice with this number.
    pub fn facts(&self, choice: u32) -> Vec<Fact> {
        let (record, mut out) = (self.record, self.shared.clone());
        let Some(start) = self.choice_at(choice).or(self.bare.then_some(self.body)) else { return out };
        if self.loses {
            let reasons = members(record, start).filter(|(key, ..)| key.is(record, "finish_reason"));
            let reason = reasons.last().map_or(&b""[..], |(.., at)| &record[at]);
            lost_members(record, start, &OF_CHOICE, reason, &mut out);
        }
        members(record, start).for_each(|(key, token, at)| {
            if let (true, Token::String(word)) = (key.is(record, "finish_reason"), token) {
                let fact = |what, at| Fact { after: 0, block: None, what, at };
                match stop(&word.decoded(record)) {
                    Some(stop) => out.push(fact(Item::Stop(stop), at)),
                    None if word.start < word.end => out.push(fact(Item::Set(Attribute::StopDetail), at)),
                    None => (),
                }
            }
        });
        out
    }

    /// Where the choice with this number begins. A delta is found by the number in it, whatever its place in the list.
    fn choice_at(&self, choice: u32) -> Option<usize> {
        let at = self.numbers.partition_point(|(number, _)| *number < choice);
        let own = self.numbers.get(at).filter(|(number, _)| *number == choice).map(|(_, place)| *place);
        self.choices.get(own.unwrap_or(choice as usize)).copied()
    }

    /// The members of a completion, and of this choice of it, that no other format has a place for, as losses.
    pub fn beside_completion(&self, choice: u32) -> Vec<Fact> {
        const RESPONSE: &[&str] = &["id", "object", "created", "model", "choices", "usage", "system_fingerprint"];
        const CHOICE: &[&str] = &["text", "index", "finish_reason"];
        let none_of = |start: usize, keys: &'static [&str], out: &mut Vec<Fact>| {
            lost(self.record, start, |key, _| !keys.iter().any(|k| key.is(self.record, k)), out);
        };
        let shared = self.completion.get_or_init(|| {
            let mut out = Vec::new();
            none_of(self.body, RESPONSE, &mut out);
            out
        });
        let mut out = shared.clone();
        self.choice_at(choice).into_iter().for_each(|start| none_of(start, CHOICE, &mut out));
        out
    }
}

/// The number that a choice has itself.
fn own_number(record: &[u8], start: usize) -> Option<u32> {
    let numbers = members(record, start).filter(|(key, token, _)| key.is(record, "index") && *token == Token::Number);
    numbers.last().and_then(|(.., at)| number(record, at))
}

/// Adds the token counts of a response.
fn usage(record: &[u8], start: usize, out: &mut Vec<Fact>) {
    let mut set = |name, at| out.push(Fact { after: 0, block: None, what: Item::Set(name), at });
    let mut details = Vec::new();
    members(record, start).decoded().for_each(|(key, token, at)| match (&*key, token) {
        (b"prompt_tokens" | b"input_tokens", Token::Number) => set(Attribute::Input, at),
        (b"completion_tokens" | b"output_tokens", Token::Number) => set(Attribute::Output, at),
        (b"prompt_tokens_details" | b"input_tokens_details", Token::ObjectStart)
        | (b"completion_tokens_details" | b"output_tokens_details", Token::ObjectStart) => details.push(at.start),
        _ => (),
    });
    for start in details {
        members(record, start).decoded().for_each(|(key, token, at)| match (&*key, token) {
            (b"cached_tokens", Token::Number) => set(Attribute::Cached, at),
            (b"reasoning_tokens", Token::Number) => set(Attribute::Thought, at),
            _ => (),
        });
    }
}

/// Adds the members of an object that other families have no place for, as losses. A default value, or the value of
/// another member, is no loss.
fn lost_members(record: &[u8], start: usize, names: &[Needle], other: &[u8], out: &mut Vec<Fact>) {
    let says_nothing = |value: &[u8]| matches!(value, b"\"default\"" | b"\"auto\"" | b"0" | b"0.0") || value == other;
    let is_lost = |key: Literal, value: &Range<usize>| {
        names.iter().any(|name| key.is(record, name.word())) && !says_nothing(&record[value.clone()])
    };
    lost(record, start, is_lost, out);
}
