//! Errors that a provider wrote in place of an answer.

use crate::json::text::Needle;
use crate::json::{Token, members, text};
use std::ops::Range;

/// The keys that may stand beside an error that is all of a record: identifiers and settings of the request. A record
/// with other keys is one of another kind, such as a line of a log.
const BESIDE: &[&[u8]] = &[
    b"error_type",
    b"type",
    b"status",
    b"status_code",
    b"code",
    b"message",
    b"param",
    b"request_id",
    b"event_id",
    b"sequence_number",
    b"id",
    b"custom_id",
    b"user_id",
    b"object",
    b"created",
    b"model",
    b"provider",
    b"choices",
    b"usage",
    b"system_fingerprint",
    b"body",
    b"response",
    b"result",
    b"success",
];

/// What every such error has.
pub(in crate::dialect) static ERROR: Needle = Needle::new("error");

/// What a tool says in place of a result: in Google's formats an object that has it as a text, and nothing else.
pub(in crate::dialect) fn failure_in(result: &[u8], start: usize) -> Option<Range<usize>> {
    let mut all = members(result, start);
    let (_, token, at) = all.next().filter(|(key, ..)| key.is(result, ERROR.word()))?;
    (matches!(token, Token::String(_)) && all.next().is_none()).then_some(at)
}

/// How many objects are looked into: a line of a batch has a response, which has a body.
const MAX_OBJECT_DEPTH: usize = 4;

/// An error of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dialect) struct ProviderError {
    /// Where it begins in the record.
    pub at: usize,
    /// Its type, or its code. Empty if it has none.
    pub kind: Vec<u8>,
    /// What it says.
    pub message: Vec<u8>,
}

/// The error that a record is, or that stands in its response: OpenAI's, Anthropic's, Google's (a list), that of an
/// event or of a line of a batch, and the plain text of local servers.
pub(in crate::dialect) fn provider_error(record: &[u8]) -> Option<ProviderError> {
    if !ERROR.may_be_in(record) {
        return None;
    }
    let start = record.len() - record.trim_ascii_start().len();
    let first = match record.get(start)? {
        b'[' => start + 1 + record[start + 1..].iter().position(|b| !b.is_ascii_whitespace())?,
        _ => start,
    };
    error_in(record, first, 0)
}

/// The error in the object at `start`.
fn error_in(record: &[u8], start: usize, depth: usize) -> Option<ProviderError> {
    if depth > MAX_OBJECT_DEPTH {
        return None;
    }
    let (mut own, mut inner, mut only, mut failed) = (None, Vec::new(), true, false);
    let mut said = ProviderError { at: start, kind: Vec::new(), message: Vec::new() };
    let mut named: Vec<u8> = Vec::new();
    let mut all = members(record, start);
    for (key, value, at) in all.by_ref() {
        let key = key.decoded(record);
        let word = if let Token::String(word) = value { text::decoded(word.raw(record)) } else { Vec::new() };
        match (&*key, value) {
            (b"error", Token::ObjectStart) => own = Some(at.start),
            (b"error", Token::String(_)) if !word.is_empty() => (own, said.message) = (Some(start), word),
            (b"error", _) => (),
            (b"response" | b"body" | b"result", Token::ObjectStart) => inner.push(at.start),
            (b"message", Token::String(_)) => said.message = word,
            (b"type" | b"object", Token::String(_)) if word == b"error" => named = word,
            (b"type" | b"code", Token::String(_)) if said.kind.is_empty() => said.kind = word,
            (b"status", Token::String(_)) => failed |= word == b"failed",
            _ => only &= BESIDE.contains(&&*key),
        }
    }
    all.end()?;
    let here = only || failed || depth > 0;
    if let Some(at) = own.filter(|_| here) {
        return if at == start {
            Some(said)
        } else {
            Some(error_in(record, at, depth + 1).unwrap_or_else(|| words(record, at)))
        };
    }
    if !named.is_empty() && !said.message.is_empty() && here {
        return Some(said);
    }
    inner.into_iter().find_map(|at| error_in(record, at, depth + 1))
}

/// What the error object at `at` says.
fn words(record: &[u8], at: usize) -> ProviderError {
    let mut found = ProviderError { at, kind: Vec::new(), message: Vec::new() };
    for (key, value, at) in members(record, at) {
        let word = match value {
            Token::String(word) => text::decoded(word.raw(record)),
            Token::Number => record[at].to_vec(),
            _ => continue,
        };
        match &*key.decoded(record) {
            b"message" => found.message = word,
            b"type" | b"status" => found.kind = word,
            b"code" if found.kind.is_empty() => found.kind = word,
            _ => (),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_providers() {
        for (record, want) in [
            (
                r#"{"error":{"message":"No quota","type":"insufficient_quota","code":"x"}}"#,
                "insufficient_quota|No quota",
            ),
            (r#"{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}"#, "overloaded_error|Busy"),
            (r#"[{"error":{"code":429,"message":"Spent","status":"RESOURCE_EXHAUSTED"}}]"#, "RESOURCE_EXHAUSTED|Spent"),
            (r#"{"error":"model not found"}"#, "|model not found"),
            (r#"{"\u0065rror":"model not found"}"#, "|model not found"),
            (r#"{"type":"error","code":"x","message":"m","param":null,"sequence_number":1}"#, "x|m"),
            (r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"c","message":"m"}}}"#, "c|m"),
            (r#"{"id":"r","status":"failed","error":{"code":"c","message":"m"},"output":[]}"#, "c|m"),
            (r#"{"custom_id":"a","response":{"status_code":400,"body":{"error":{"message":"m"}}},"error":null}"#, "|m"),
            (
                r#"{"custom_id":"a","result":{"type":"errored","error":{"type":"error","error":{"type":"t","message":"m"}}}}"#,
                "t|m",
            ),
            (r#"{"object":"error","message":"m","type":"BadRequestError","code":400}"#, "BadRequestError|m"),
        ] {
            let found = provider_error(record.as_bytes()).expect(record);
            let said = [found.kind, found.message].join(&b"|"[..]);
            assert_eq!(String::from_utf8_lossy(&said), want, "{record}");
        }
        for record in [
            r#"{"error":null,"choices":[]}"#,
            r#"{"level":"warn","error":"timeout"}"#,
            r#"{"level":"warn","error":{"message":"timeout"}}"#,
            r#"{"errors":[]}"#,
            r#"{"messages":[{"role":"user","content":"error"}]}"#,
        ] {
            assert_eq!(provider_error(record.as_bytes()), None, "{record}");
        }
    }
}
