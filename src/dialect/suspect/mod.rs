//! Whether records that no dialect reads, and members that no dialect names, may hold reasoning.
//!
//! A value is suspect (SPEC section 2) if it has a key or a type of the vocabulary with a text, a list or a ciphertext
//! under it, or a block of inline tags in one of its strings. The vocabulary is data: the keys and types of the rows of
//! [`super::DIALECTS`], those of formats that are not read yet (`unread`), and every name with a word for reasoning
//! (`words`). What is exempt is known by its shape (`keys`): arguments and results of tools, schemas, settings, and
//! text of other roles.

mod copies;
mod hold;
mod keys;
mod labels;
mod level;
mod members;
mod nested;
mod pieces;
mod plain;
mod products;
mod quoted;
mod quotes;
pub mod remedy;
mod schema;
mod search;
mod tagged;
mod unclear;
mod unread;
mod words;

pub(super) use copies::Copies;
pub(super) use hold::free;
pub(super) use members::indent;
pub(super) use nested::{behind_blanks, may_have_json};
pub(super) use pieces::Pieces;
pub(super) use plain::{Plain, sequence};
pub use products::Product;
pub(super) use quoted::{Keys, Look, Until};
pub(super) use quotes::Quotes;
pub(super) use search::Search;
pub(super) use unclear::is_unclear;
pub use unread::{UNREAD, Unread};
pub(super) use words::names_thought;

use crate::json::{Literal, Scanner, Token, text};

/// Whether an object of this type, or a message in this role, is reasoning. The name is decoded.
pub(super) fn is_kind(name: &[u8]) -> bool {
    // Names of classes are longer: who reads them knows them.
    name.len() <= words::LONGEST && keys::Vocabulary::get().is_kind(name)
}

/// Whether `true` under this key marks the text of its object as reasoning.
pub(super) fn is_flag(key: &[u8]) -> bool {
    std::str::from_utf8(key).is_ok_and(keys::is_flag)
}

/// Whether a string is a name, an identifier or a time, and no text.
pub(super) fn is_name(raw: &[u8]) -> bool {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_-.:/@+=, ()#".contains(b);
    raw.len() <= 128 && raw.iter().all(plain)
}

/// Whether a value holds nothing but numbers, switches and single words: counts of tokens, say.
pub(super) fn is_counts(value: &[u8]) -> bool {
    if is_numbers(value) {
        return true;
    }
    let (Ok(mut s), mut name) = (Scanner::new(value), None) else { return false };
    let holds_text = |key: Literal| keys::Vocabulary::get().holds_text(&key.decoded(value));
    loop {
        match s.token() {
            Ok(Token::End) => return true,
            Ok(Token::Key(key)) => name = Some(key),
            Ok(Token::String(word)) if !is_plain(b"", word.raw(value)) || name.is_some_and(holds_text) => return false,
            Ok(_) => (),
            Err(_) => return false,
        }
    }
}

/// Whether an object of JSON certainly has no string but its keys: a quick check before the exact one.
fn is_numbers(value: &[u8]) -> bool {
    let mut behind_colon = false;
    let object = value.first() == Some(&b'{');
    object
        && value.iter().all(|b| {
            match b {
                b':' => behind_colon = true,
                b'"' if behind_colon => return false,
                b'[' | b'\\' => return false,
                b' ' | b'\t' | b'\n' | b'\r' => (),
                _ => behind_colon = false,
            }
            true
        })
}

/// Whether a key may have a word that names reasoning: a quick check before the exact one.
pub(super) fn may_name_reasoning(key: Literal, record: &[u8]) -> bool {
    key.escaped || keys::may_name_reasoning(key.raw(record))
}

/// Frequent names of identifiers: a string under them is no text (`keys::Part::Meta`).
const IDENTIFIERS: [&[u8]; 5] = [b"tool_call_id", b"model", b"name", b"object", b"system_fingerprint"];

/// Whether a member's string is one plain word, and its name has no word for reasoning: such a member needs no further
/// search. Most members are like that.
pub(super) fn is_plain(key: &[u8], raw: &[u8]) -> bool {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':');
    IDENTIFIERS.contains(&key)
        || raw.len() <= 40
            && raw.iter().all(plain)
            && !keys::may_name_reasoning(key)
            && !keys::may_name_reasoning(raw)
            && !keys::Vocabulary::get().has(key)
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
    const LONGEST: usize = 64;
    let short: String = key.chars().take(LONGEST).collect();
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
        ] {
            let at = search.record(record.as_bytes()).unwrap_or_else(|| panic!("{record} is not suspect"));
            assert_eq!(pointer(record.as_bytes(), at), want, "{record}");
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
        ] {
            assert_eq!(is_counts(value.as_bytes()), want, "{value}");
        }
    }
}
