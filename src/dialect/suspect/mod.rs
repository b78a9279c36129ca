//! Whether records that no dialect reads, and members that no dialect names, may hold reasoning.
//!
//! A value is suspect (behaviour.md, section 2) if it has a key or a type of the vocabulary with a text, a list or a
//! ciphertext under it, or a block of inline tags in one of its strings. The vocabulary is data: the keys and types of
//! the rows of [`super::DIALECTS`], those of formats that are not read yet (`unread`), and every name with a word for
//! reasoning (`words`). What is exempt is known by its shape (`keys`): arguments and results of tools, schemas,
//! settings, and text of other roles.

mod announced;
mod coded;
mod copies;
mod encoded;
mod fields;
mod hold;
mod keys;
mod labels;
mod level;
mod lined;
mod members;
mod named;
mod nested;
mod pairs;
mod pieces;
mod plain;
mod printed;
mod products;
mod quoted;
mod quotes;
pub mod remedy;
mod schema;
mod search;
mod sections;
mod summary;
mod table;
mod tagged;
mod unclear;
mod unread;
mod value;
mod word;
mod words;
mod yaml;

pub(super) use announced::Announced;
pub(super) use copies::CopySearch;
pub(super) use encoded::may_have_json;
pub(super) use hold::free;
pub(super) use lined::Lined;
pub(super) use members::indent;
pub(super) use named::{Look, Until};
pub(super) use nested::{behind_blanks, is_member, string_in};
pub(super) use pieces::Pieces;
pub(super) use plain::{Plain, sequence};
pub(super) use printed::{Printed, over_lines};
pub(super) use quoted::Keys;
pub(super) use quotes::Quotes;
pub(super) use search::Search;
pub(super) use sections::{Sections, is_quoted_next};
pub(super) use summary::Summaries;
pub(super) use unclear::is_unclear;
pub use unread::UNREAD;
#[cfg(feature = "cli")]
pub use unread::Unread;
pub(super) use word::{is_name, is_plain_word};
pub(super) use words::names_thought;

use crate::json::text::Needle;
use crate::json::{Literal, Scanner, Token, members, text};
use std::borrow::Cow;
use std::ops::Range;

/// Whether an object of this type, or a message in this role, is reasoning. The name is decoded.
pub(super) fn is_kind(name: &[u8]) -> bool {
    // Names of classes are longer: who reads them knows them.
    name.len() <= words::MAX_NAME_BYTES && keys::Vocabulary::get().is_kind(name)
}

/// Whether a key names reasoning. It is decoded.
pub fn names_reasoning(key: &[u8]) -> bool {
    named::weight(key).is_some()
}

/// Whether a string under this key may mark the text of its object.
pub(super) fn may_mark(text: &[u8], key: Literal) -> bool {
    matches!(&*key.decoded(text), b"type" | b"kind" | b"phase" | b"channel")
}

/// Whether a member marks the text of its object as reasoning: a flag, a type, or the channel of the analysis.
pub(super) fn is_mark(text: &[u8], key: Literal, token: Token) -> bool {
    match token {
        Token::True => is_flag(&key.decoded(text)),
        Token::String(word) => match &*key.decoded(text) {
            b"type" | b"kind" | b"phase" => is_kind(&word.decoded(text)),
            b"channel" => *word.decoded(text) == *b"analysis",
            _ => false,
        },
        _ => false,
    }
}

/// The same for a member whose value begins at an offset: what an object says about its text may stand in one of its own.
pub(super) fn is_marked(text: &[u8], (key, token): (Literal, Token), value: usize) -> bool {
    let inner =
        |key: Literal, token, about: fn(&[u8]) -> bool| token == Token::ObjectStart && about(&key.decoded(text));
    let marks = |(key, token, at): (Literal, Token, Range<usize>)| {
        let of_kind = inner(key, token, keys::names_kind);
        is_mark(text, key, token) || of_kind && members(text, at.start).any(|(key, token, _)| is_mark(text, key, token))
    };
    is_mark(text, key, token) || inner(key, token, |key| key == b"metadata") && members(text, value).any(marks)
}

/// Whether an object says in one of its own that its text is reasoning.
pub(super) fn is_marked_inside(text: &[u8]) -> bool {
    let inside = |(key, token, at): (Literal, Token, Range<usize>)| {
        token == Token::ObjectStart && is_marked(text, (key, token), at.start)
    };
    // Few objects have any: a search is quicker than a look at all members.
    static SIGN: Needle = Needle::new("metadata");
    SIGN.stands_in(text) && members(text, 0).any(inside)
}

/// Whether `true` under this key marks the text of its object as reasoning.
pub(super) fn is_flag(key: &[u8]) -> bool {
    std::str::from_utf8(key).is_ok_and(keys::is_flag)
}

/// Whether the strings of a list under this key may be pieces of a text of the model.
pub(super) fn may_be_pieces(key: &[u8]) -> bool {
    keys::is_plain(key)
}

/// Whether a value holds nothing but numbers, switches and single words: counts of tokens, say. It is a part of a record
/// that is JSON.
pub(super) fn is_counts(value: &[u8]) -> bool {
    let mut s = Scanner::within(value, 0);
    let mut counts = true;
    match s.token() {
        Ok(Token::ObjectStart | Token::ArrayStart) => {
            let passed = s.pass_values(|key, word, string| counts &= !string || is_count(value, key, word));
            counts && passed.is_ok()
        }
        Ok(Token::String(word)) => is_count(value, Literal { start: 0, end: 0, escaped: false }, word),
        token => token.is_ok(),
    }
}

/// Whether a string in such a value is a single word. `key`: the last key before it.
pub(super) fn is_count(text: &[u8], key: Literal, word: Literal) -> bool {
    is_plain(b"", word.raw(text)) && !keys::Vocabulary::get().holds_text(&key.decoded(text))
}

/// Whether a key may have a word that names reasoning: a quick check before the exact one.
pub(super) fn may_name_reasoning(key: Literal, record: &[u8]) -> bool {
    words::may_name_reasoning(&key.decoded(record))
}

/// Frequent names of identifiers: a string under them is no text (`keys::Part::Meta`).
const IDENTIFIERS: [&[u8]; 5] = [b"tool_call_id", b"model", b"name", b"object", b"system_fingerprint"];

/// Whether a member's string is one plain word, and its name has no word for reasoning: such a member needs no further
/// search. Most members are like that.
pub(super) fn is_plain(key: &[u8], raw: &[u8]) -> bool {
    IDENTIFIERS.contains(&key) || is_plain_word(raw) && is_plain_key(key)
}

/// Whether one word under this key is plain, and no other string.
pub(super) fn is_plain_key(key: &[u8]) -> bool {
    !words::may_name_reasoning(key) && !keys::Vocabulary::get().has(key) && !IDENTIFIERS.contains(&key)
}

/// Whether a value that no format reads may hold reasoning. `plain`: no delimiter is made of letters and digits alone.
#[inline]
pub(super) fn may_hold(record: &[u8], key: Option<Literal>, value: Token, plain: bool) -> bool {
    match value {
        Token::String(word) => {
            let name = key.map_or(Cow::Borrowed(&b""[..]), |key| key.decoded(record));
            word.start < word.end && !(plain && is_plain(&name, word.raw(record)))
        }
        value => matches!(value, Token::ObjectStart | Token::ArrayStart),
    }
}

/// The JSON Pointer (RFC 6901) of the member whose key begins at `at` with its quote, or of the value that begins there.
pub(super) fn pointer(record: &[u8], at: usize) -> String {
    let Ok(mut s) = Scanner::new(record) else { return String::new() };
    // For each open object or array: the step to the current value, and how many elements came before it.
    let mut path: Vec<(Option<Literal>, usize)> = Vec::new();
    let mut inside: Vec<bool> = Vec::new();
    while let Ok(token) = s.token() {
        let start = s.from();
        match token {
            Token::End => break,
            Token::Key(key) => {
                if let Some(step) = path.last_mut() {
                    step.0 = Some(key);
                }
                if start == at {
                    break;
                }
                continue;
            }
            Token::ObjectEnd | Token::ArrayEnd => {
                path.pop();
                inside.pop();
            }
            _ if start == at => break,
            Token::ObjectStart | Token::ArrayStart => {
                path.push((None, 0));
                inside.push(token == Token::ArrayStart);
                continue;
            }
            _ => (),
        }
        // A value is over.
        if inside.last() == Some(&true)
            && let Some(step) = path.last_mut()
        {
            step.1 += 1;
        }
    }
    let step = |(key, count): &(Option<Literal>, usize)| match key {
        Some(key) => shown(&text::utf8(&text::decoded(key.raw(record)))),
        None => count.to_string(),
    };
    path.iter().map(|s| format!("/{}", step(s))).collect()
}

/// A key as a step of a pointer, cut if it is long.
fn shown(key: &str) -> String {
    const MAX_KEY_CHARS: usize = 64;
    let short: String = key.chars().take(MAX_KEY_CHARS).collect();
    let more = if short.len() < key.len() { "…" } else { "" };
    format!("{}{more}", short.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::unread::UNREAD;
    use super::*;
    use crate::inline::Tags;

    #[test]
    fn every_row_proves_itself() {
        let tags = Tags::default();
        let mut search = Search::new(&tags);
        for row in UNREAD {
            for record in row.suspect {
                assert!(search.record(record.as_bytes()).is_some(), "{}: {record} is not suspect", row.name);
            }
            for record in row.clean {
                let found = search.record(record.as_bytes()).map(|at| pointer(record.as_bytes(), at));
                assert_eq!(found, None, "{}: {record}", row.name);
            }
        }
    }

    #[test]
    fn places() {
        let tags = Tags::default();
        let mut search = Search::new(&tags);
        for (record, want) in [
            (r#"{"a":[{"reasoning":"Add them."}]}"#, "/a/0/reasoning"),
            (r#"{"a":[1,[2,"<think>r</think>a"]]}"#, "/a/1/1"),
            (r#"{"a/b":{"~":"<think>r</think>a"}}"#, "/a~1b/~0"),
            (r#"{"x":{"type":"thinking","id":"1","text":"Add"}}"#, "/x/text"),
            (r#"{"x":{"text":"Add","type":"thinking"}}"#, "/x/text"),
            (r#"{"th\u0069nking":"Add them."}"#, "/thinking"),
            (r#"{"b":"{\"thinking\":\"Add them.\"}"}"#, "/b"),
            (r#"[{"a":1},{"thoughts":["Add them."]}]"#, "/1/thoughts/0"),
            (r#""<think>r</think>a""#, ""),
            (r#"{"a":["{\n","\"x\":\"{ \\\"y\\\": 1 }\",\n","\"thinking\":\"Add them.\"\n","}"]}"#, "/a/2"),
            (r#"{"a":["{\n","\"x\":\"{ \\\"y\\\": 1 }\",\n","\"thinking\":\n","\"Add them.\"\n","}"]}"#, "/a/0"),
        ] {
            let at = search.record(record.as_bytes()).unwrap_or_else(|| panic!("{record} is not suspect"));
            assert_eq!(pointer(record.as_bytes(), at), want, "{record}");
        }
    }

    #[test]
    fn what_is_plain() {
        for (key, raw, want) in [
            ("k", "2026-02-10T22:57:54.764Z", true),
            ("k", "5440873c-2d59-4c8c-88ec-c0a8c38a027d", true),
            ("k", "Thinking", false),
            ("k", "my_cot", false),
            ("k", "two words", false),
            ("k", "é", false),
            ("thoughts", "7", false),
            ("model", "two words", true),
        ] {
            assert_eq!(is_plain(key.as_bytes(), raw.as_bytes()), want, "{key}: {raw}");
        }
    }

    #[test]
    fn counts() {
        for (value, want) in [
            (r#"{"prompt_tokens":12,"details":{"cached_tokens": 3}}"#, true),
            (r#"{"service_tier":"standard","input_tokens":1}"#, true),
            ("{}", true),
            (r#""<think>a""#, false),
            (r#"{"a":1,"b" : "some words"}"#, false),
            (r#"{"a":1,"b":["some words"]}"#, false),
            (r#"{"a:":"some words"}"#, false),
            (r#"{"a\":":"word","b":[true,{"c":"x-1"}]}"#, true),
            (r#"{"text":"word"}"#, false),
            (r#"{"a":"w\u006frd"}"#, false),
        ] {
            assert_eq!(is_counts(value.as_bytes()), want, "{value}");
        }
    }
}
