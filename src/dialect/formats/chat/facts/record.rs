//! The facts of records beside their messages: of requests, of errors, and of the lines of a batch.

use super::lost;
use crate::dialect::draft::{Fact, What as Item};
use crate::dialect::formats::shared::{ERROR, list_in};
use crate::json::text::{Needle, escapes_ascii, may_hold};
use crate::json::{Literal, Scanner, Token, members};
use crate::model::content::{Attribute, Stop};
use std::borrow::Cow;
use std::ops::Range;

/// Where the request or response begins: a line of a batch wraps it. Looked up once for a record, for all functions
/// that read its members.
pub(in crate::dialect) fn body(record: &[u8]) -> usize {
    // Most records are not lines of a batch, and need no walk over their members.
    static WRAPPERS: [Needle; 2] = [Needle::new("body"), Needle::new("response")];
    if !may_hold(record, &WRAPPERS) {
        return record.len() - record.trim_ascii_start().len();
    }
    let (mut start, mut inner) = (0, Some(record.len() - record.trim_ascii_start().len()));
    while let Some(next) = inner.take() {
        start = next;
        let mut own = false;
        members(record, start).decoded().for_each(|(key, token, at)| match (&*key, token) {
            (b"response" | b"body", Token::ObjectStart) => inner = Some(at.start),
            (b"choices" | b"messages" | b"input", Token::ArrayStart) => own = true,
            _ => (),
        });
        inner = inner.filter(|_| !own);
    }
    start
}

/// The facts of a line of a batch: the key that pairs request and response, and the line's own identifier.
pub(in crate::dialect) fn of_batch(record: &[u8], body: usize) -> Vec<(Attribute, Range<usize>)> {
    let mut found = Vec::new();
    if body > record.len() - record.trim_ascii_start().len() {
        members(record, 0).decoded().for_each(|(key, token, at)| match (&*key, token) {
            (b"custom_id", Token::String(_)) => found.push((Attribute::Batch, at)),
            (b"id", Token::String(_)) => found.push((Attribute::BatchId, at)),
            _ => (),
        });
    }
    found
}

/// The members beside an answer that is in no message, from this offset on, as losses.
pub(in crate::dialect) fn beside_answer(record: &[u8], answer: usize) -> Vec<Fact> {
    let mut out = Vec::new();
    lost(record, 0, |_, value| !value.contains(&answer), &mut out);
    out
}

/// The facts of an error, which a stream has in a chunk or in place of one.
pub(in crate::dialect) fn of_error(record: &[u8]) -> Vec<Fact> {
    let mut out = Vec::new();
    if !ERROR.may_be_in(record) {
        return out;
    }
    let is_error = |(key, token, _): &(Literal, Token, _)| key.is(record, "error") && *token == Token::ObjectStart;
    if let Some((.., at)) = members(record, 0).filter(is_error).last() {
        let fact = |what, at| Fact { after: 0, block: None, what, at };
        out.extend([fact(Item::Stop(Stop::Error), 0..0), fact(Item::Set(Attribute::Error), at)]);
    }
    out
}

/// The stop reason for a word.
pub(super) fn stop(word: &[u8]) -> Option<Stop> {
    Some(match word {
        b"stop" => Stop::End,
        b"tool_calls" | b"function_call" => Stop::Calls,
        b"length" => Stop::Length,
        b"content_filter" => Stop::Filter,
        b"error" => Stop::Error,
        _ => return None,
    })
}

/// The keys of parameters of a request.
const PARAMETERS: &[&str] = &[
    "temperature",
    "top_p",
    "stream",
    "stream_options",
    "stop",
    "n",
    "seed",
    "tool_choice",
    "parallel_tool_calls",
    "response_format",
    "reasoning",
    "reasoning_effort",
    "presence_penalty",
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "top_logprobs",
    "metadata",
    "store",
    "user",
    "service_tier",
    "modalities",
    "prediction",
];

/// The key of a list of messages under `input`, the name of another family: requests to a gateway use it. Logs of
/// conversations use it too, but have other members, or no model.
pub(in crate::dialect) fn misnamed(record: &[u8]) -> Option<Range<usize>> {
    // If the messages stand under their usual name, `input` is searched only as it is, without escapes.
    static INPUT: Needle = Needle::new("input");
    static MESSAGES: Needle = Needle::new("messages");
    if !INPUT.is_in(record) && (MESSAGES.is_in(record) || !escapes_ascii(record)) {
        return None;
    }
    let (mut found, mut model) = (None, false);
    for (key, token, _) in members(record, body(record)) {
        match (&*key.decoded(record), token) {
            (b"input", Token::ArrayStart) => found = Some(key.start..key.end),
            (b"model", Token::String(_)) => model = true,
            (b"tools" | b"max_tokens" | b"max_completion_tokens", _) => (),
            (key, _) if PARAMETERS.iter().any(|name| name.as_bytes() == key) => (),
            _ => return None,
        }
    }
    found.filter(|_| model)
}

/// A fact of a request: which, the key, and the value.
type OfRequest<'r> = (Attribute, Range<usize>, Cow<'r, [u8]>);

/// Where messages of a request begin; and, for elements of its lists, where the list begins and the element ends. Both
/// sorted: a request may have many members beside many messages.
type Messages<'m> = (&'m [usize], &'m [(usize, usize)]);

/// The facts of a request beside its messages.
pub(in crate::dialect) fn of_request<'r>(
    record: &'r [u8],
    body: usize,
    (messages, elements): Messages<'_>,
) -> Vec<OfRequest<'r>> {
    let mut out = Vec::new();
    let mut s = Scanner::within(record, body);
    if s.token() != Ok(Token::ObjectStart) {
        return out;
    }
    while let Ok(Token::Key(key)) = s.token() {
        let from = s.next_value();
        let Ok(token) = s.token() else { break };
        if token == Token::ArrayStart
            && let Some((list, end)) = elements[..elements.partition_point(|(list, _)| *list < s.at())].last()
            && list + 1 == s.at()
        {
            // The messages were walked before, and are most of the record.
            s.pass_elements(*end);
        }
        if s.skip(token).is_err() {
            break;
        }
        let has_messages = matches!(token, Token::ArrayStart | Token::ObjectStart)
            && messages
                .get(messages.partition_point(|message| *message < from))
                .is_some_and(|message| *message < s.at());
        let mut value = Cow::Borrowed(&record[from..s.at()]);
        let name = match (&*key.decoded(record), token) {
            (b"messages" | b"conversations" | b"history", _) => continue,
            _ if has_messages => continue,
            (b"model", Token::String(_)) => Attribute::Model,
            (b"tools", Token::ArrayStart) => Attribute::Tools,
            (b"tools", Token::String(text)) => match list_in(&text.decoded(record)) {
                Some(list) => {
                    value = Cow::Owned(list);
                    Attribute::Tools
                }
                None => Attribute::Extra,
            },
            (b"max_tokens" | b"max_completion_tokens", Token::Number) => Attribute::Limit,
            (key, _) if PARAMETERS.iter().any(|name| name.as_bytes() == key) => Attribute::Parameter,
            _ => Attribute::Extra,
        };
        out.push((name, key.start..key.end, value));
    }
    out
}
