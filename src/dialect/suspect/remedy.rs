//! What a user can do about a record that may hold reasoning: the options of `strip` that take it out, and the product
//! that wrote it.
//!
//! Only a member whose own key names reasoning is offered to be dropped, and a string with a block of tags to be stripped of
//! it. Where a type or a flag beside a text says what it is, the same pointer names answers in other records.

use super::keys::Vocabulary;
use super::search::Search;
use super::{pointer, products};
use crate::dialect::field::{FieldValues, Pointer, find};
use crate::inline::Tags;
use crate::json::{Literal, text};
use std::ops::Range;

/// The most options that are offered for one record.
const MAX_REMEDIES: usize = 8;

/// The longest record that is searched again without what the options take out, in bytes.
const MAX_SEARCHED_BYTES: usize = 1 << 20;

/// The end of a message about a format that is not read.
const UNREAD: &str = "in no format that is read";

/// Before the name of a product, at the end of a message.
pub const LOOKS_LIKE: &str = ": it looks like ";

/// The message about a place that may be reasoning, with the name of the product whose files have it there.
pub fn with_product(what: &str, pointer: &str) -> String {
    match products::at(pointer) {
        Some((product, _)) if what.ends_with(UNREAD) => format!("{what}{LOOKS_LIKE}{}", product.name),
        _ => what.to_string(),
    }
}

/// The product whose files have reasoning at the place with this pointer.
#[cfg(feature = "cli")]
pub fn product_at(pointer: &str) -> Option<&'static str> {
    products::at(pointer).map(|(product, _)| product.name)
}

/// A pointer with `*` for its identifiers, by the table of products.
#[cfg(feature = "cli")]
pub fn place(pointer: &str) -> String {
    let Some((_, names)) = products::at(pointer) else { return pointer.to_string() };
    let steps = pointer.split('/').zip(names.split('/')).skip(1);
    let step = |(step, name): (&str, &str)| match step.bytes().all(|b| b.is_ascii_digit()) {
        true => format!("/{step}"),
        false => format!("/{name}"),
    };
    steps.map(step).collect()
}

/// The options of `strip` that take out what may be reasoning in a record, as words for a shell: the first is about the
/// place with this pointer. Empty if no pointer names reasoning only, or if some would be left.
pub fn remedies(tags: &Tags, record: &[u8], place: &str) -> Vec<String> {
    let mut search = Search::new(tags);
    let (mut record, mut place) = (record.to_vec(), place.to_string());
    let mut options = Vec::new();
    if let Some(found) = tokens(&record) {
        options.push(format!("--drop '{TOKENS}'"));
        record = without(&record, &found);
    }
    while options.len() < MAX_REMEDIES {
        let Some((names, is_named)) = general(&place) else { return Vec::new() };
        let Ok(parsed) = names.parse::<Pointer>() else { return Vec::new() };
        if !is_named && !is_tagged(&search, &record, &parsed) {
            return Vec::new();
        }
        let mut found = FieldValues::default();
        if find(&record, &[], &[parsed], &mut found).is_err() || found.dropped.is_empty() {
            return Vec::new();
        }
        let option = if is_named { "--drop" } else { "--field" };
        options.push(format!("{option} {}", quoted(&names)));
        if record.len() > MAX_SEARCHED_BYTES {
            return options;
        }
        record = without(&record, &found);
        match search.record(&record) {
            Some(at) => place = pointer(&record, at),
            None => return options,
        }
    }
    Vec::new()
}

/// Where the tokens of an answer stand, with those of its reasoning.
const TOKENS: &str = "/choices/*/logprobs";

/// The tokens that a record has there, if it has any: no search finds reasoning in their pieces.
fn tokens(record: &[u8]) -> Option<FieldValues> {
    let mut found = FieldValues::default();
    find(record, &[], &[TOKENS.parse().ok()?], &mut found).ok()?;
    let is_filled = |at: &Range<usize>| memchr::memmem::find(&record[at.clone()], b"\"token\"").is_some();
    found.dropped.iter().any(is_filled).then_some(found)
}

/// The option that takes out a column of a table, if its name says that it is reasoning. Others hold answers, too.
pub fn column(place: &str) -> Vec<String> {
    let is_named = general(place).is_some_and(|(_, is_named)| is_named);
    is_named.then(|| format!("--drop {}", quoted(place))).into_iter().collect()
}

/// Whether a string at this place has a block of tags, which `--field` cuts out of it, and is no JSON.
fn is_tagged(search: &Search, record: &[u8], place: &Pointer) -> bool {
    let mut found = FieldValues::default();
    let there = find(record, std::slice::from_ref(place), &[], &mut found).is_ok();
    let plain = |literal: &Literal| text::decoded(literal.raw(record));
    let is_json = |text: &[u8]| matches!(text.trim_ascii_start(), [b'{' | b'[' | b'"', ..]);
    there
        && found
            .strings
            .iter()
            .map(|named| plain(&named.literal))
            .any(|t| search.is_tagged(&t) && !search.is_recorded(&t))
        && !found.strings.iter().any(|named| is_json(&plain(&named.literal)))
}

/// The pointer of a place up to the first key that names reasoning, with `*` for indices and identifiers; and whether there
/// is such a key.
fn general(place: &str) -> Option<(String, bool)> {
    // A key that was cut names nothing.
    if place.contains('…') {
        return None;
    }
    let known = products::at(place).map(|(_, names)| names);
    let names = known.as_deref().unwrap_or(place);
    let (mut out, mut is_named) = (String::new(), false);
    for (step, name) in place.split('/').skip(1).zip(names.split('/').skip(1)) {
        let key = step.replace("~1", "/").replace("~0", "~");
        is_named = names_reasoning(&key);
        out.push('/');
        out.push_str(if !is_named && is_identifier(&key) { "*" } else { name });
        if is_named {
            break;
        }
    }
    (!out.is_empty()).then_some((out, is_named))
}

/// Whether a key has no other use than reasoning, or is one of the vocabulary.
fn names_reasoning(key: &str) -> bool {
    let facts = Vocabulary::get().facts(key);
    facts.weight.is_some() || facts.beside > 0
}

/// Whether a step is an index, or a key that identifies something: it differs from record to record.
fn is_identifier(key: &str) -> bool {
    let digits = key.bytes().filter(u8::is_ascii_digit).count();
    let plain = key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    !key.is_empty() && plain && (digits == key.len() || key.len() >= 12 && digits >= 2)
}

/// The record without what was found.
fn without(record: &[u8], found: &FieldValues) -> Vec<u8> {
    let mut cuts = found.cuts.clone();
    cuts.sort_by_key(|cut| cut.start);
    let (mut out, mut at) = (Vec::with_capacity(record.len()), 0);
    for cut in cuts {
        if cut.start >= at {
            out.extend_from_slice(&record[at..cut.start]);
            at = cut.end;
        }
    }
    out.extend_from_slice(&record[at..]);
    out
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_it_out() {
        let tags = Tags::default();
        for (record, want) in [
            (
                r#"{"messages":[{"type":"gemini","thoughts":[{"subject":"A sum","description":"I add."}]}]}"#,
                "--drop '/messages/*/thoughts'",
            ),
            (
                r#"[{"messages":[{"thoughts":[{"subject":"A sum","description":"I add."}]}]}]"#,
                "--drop '/*/messages/*/thoughts'",
            ),
            (
                r#"{"a":[{"reasoning":"Add them."},{"thought_signature":"EqQB"}]}"#,
                "--drop '/a/*/reasoning' --drop '/a/*/thought_signature'",
            ),
            (r#"{"runs":{"run_0a1b2c3d4e":{"reasoning":{"text":"Add them."}}}}"#, "--drop '/runs/*/reasoning'"),
            (r#"{"it's":{"cot":"Add them."}}"#, r"--drop '/it'\''s/cot'"),
            (r#"{"a/b":{"thinking":"Add them."}}"#, "--drop '/a~1b/thinking'"),
            (r#"{"user":"3+3?","analysis":"Add them.","final":"6"}"#, "--drop '/analysis'"),
            // The same pointer would name answers.
            (r#"{"fragments":[{"type":"THINK","content":"Add"},{"type":"RESPONSE","content":"4"}]}"#, ""),
            (r#"{"type":"reasoning-delta","id":"0","delta":"Add"}"#, ""),
            (r#"{"log":"{\"thinking\":\"Add them.\"}"}"#, ""),
            // What stands around tags stays.
            (r#"{"cot":"Add them.","log":["<think>Add.</think>6"]}"#, "--drop '/cot' --field '/log/*'"),
        ] {
            let at = Search::new(&tags).record(record.as_bytes()).unwrap_or_else(|| panic!("{record}"));
            let place = pointer(record.as_bytes(), at);
            assert_eq!(remedies(&tags, record.as_bytes(), &place).join(" "), want, "{record}: {place}");
        }
    }

    #[test]
    fn products_are_known_by_their_places() {
        for (place, want) in [
            ("/messages/0/content/1/reasoningContent", "Bedrock Converse"),
            ("/backups/2/messages/0/content/1/reasoningContent", "Bedrock Converse"),
            ("/output/message/content/0/reasoningContent/reasoningText/text", "Bedrock Converse"),
            ("/message/thinking", "Ollama"),
            ("/a/message/thinking", ""),
            ("/thinking", ""),
            ("", ""),
        ] {
            assert_eq!(products::at(place).map_or("", |(product, _)| product.name), want, "{place}");
            let what = with_product("may be reasoning, in no format that is read", place);
            assert_eq!(what.contains(": it looks like "), !want.is_empty(), "{what}");
        }
    }
}
