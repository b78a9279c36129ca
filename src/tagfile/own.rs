//! Rows in the form in which users write them, and in which `unthink list tags -o json` prints them.

use super::{Read, TagFileError, wrong};
use crate::inline::{Blocks, Missing, Pairs, Row, TAGS, TextList, Unclosed};
use crate::nearest::meant;
use crate::printable::shown;
use serde_json::Value;
use std::borrow::Cow;

/// The members of a row.
const MEMBERS: &[&str] = &[
    "name",
    "open",
    "close",
    "opens",
    "closes",
    "labels",
    "framing",
    "word",
    "suffix",
    "heading",
    "quoted",
    "loose",
    "phrase",
    "strict",
    "missing_open",
    "unclosed",
    "blocks",
    "wrappers",
    "markers",
    "tools",
    "headers",
    "default",
    "examples",
];

/// The members of `framing`, in order.
const FRAMING: [&str; 3] = ["after_open", "before_close", "after_close"];

/// The rows of an array.
pub(super) fn rows(values: &[Value]) -> Read<Vec<Row>> {
    values.iter().enumerate().map(|(i, value)| row(value, i + 1)).collect()
}

/// Reads a row. `at`: its number, for messages.
pub(super) fn row(value: &Value, at: usize) -> Read<Row> {
    let name = value.get("name").or_else(|| value.get("open")).and_then(Value::as_str);
    let place = name.map_or_else(|| format!("row {at}"), |name| format!("row {at} ({})", shown(name)));
    members(value).map_err(|TagFileError(e)| TagFileError(format!("{place}: {e}")))
}

fn members(value: &Value) -> Read<Row> {
    let Value::Object(object) = value else { return wrong("a row is an object") };
    let required = |key: &str| match object.get(key) {
        None => wrong(format!("{key}: it is missing")),
        Some(value) => text(key, value),
    };
    if let Some(key) = object.keys().find(|key| !MEMBERS.contains(&key.as_str())) {
        let near = meant(key, MEMBERS.iter().copied());
        return wrong(format!("{}: no such member{near}", shown(key)));
    }
    let (open, close) = (required("open")?, required("close")?);
    let mut row = Row::custom(&open, &close);
    for (key, value) in object {
        match key.as_str() {
            "name" => row.name = Cow::Owned(text(key, value)?),
            "opens" => row.opens = texts(key, value)?,
            "closes" => row.closes = texts(key, value)?,
            "labels" => row.labels = texts(key, value)?,
            "framing" => row.framing = framing(value)?,
            "word" => row.word = flag(key, value)?,
            "suffix" => row.suffix = flag(key, value)?,
            "heading" => row.heading = Cow::Owned(text(key, value)?),
            "quoted" => row.quoted = flag(key, value)?,
            "loose" => row.loose = flag(key, value)?,
            "phrase" => row.phrase = flag(key, value)?,
            "strict" => row.strict = flag(key, value)?,
            "default" => row.default = flag(key, value)?,
            "missing_open" => row.missing_open = missing(key, value)?,
            "unclosed" => {
                let all =
                    [("visible", Unclosed::Visible), ("reasoning", Unclosed::Reasoning), ("error", Unclosed::Error)];
                row.unclosed = choice(key, value, &all)?;
            }
            "blocks" => row.blocks = choice(key, value, &[("one", Blocks::One), ("all", Blocks::All)])?,
            "wrappers" => row.wrappers = pairs(key, value, TagSide::Open)?,
            "markers" => row.markers = pairs(key, value, TagSide::Close)?,
            "tools" => row.tools = pairs(key, value, TagSide::Open)?,
            "examples" => row.examples = pairs(key, value, TagSide::Neither)?,
            "headers" if flag(key, value)? => {
                let known = TAGS.iter().find(|r| r.headers.is_some() && r.open == open && r.close == close);
                let Some(known) = known else {
                    return wrong("headers: what the header of a message may say is known for rows of the table only");
                };
                row.headers = known.headers;
            }
            _ => (),
        }
    }
    if row.name.is_empty() {
        return wrong("name: it is empty");
    }
    one_sided(&row)?;
    Ok(row)
}

/// Checks that every pair has the sides that it needs.
fn one_sided(row: &Row) -> Read<()> {
    for (member, pairs) in [("wrappers", &row.wrappers), ("tools", &row.tools)] {
        if pairs.iter().any(|(open, _)| open.is_empty()) {
            return wrong(format!("{member}: a pair has an opener"));
        }
    }
    if row.markers.iter().any(|(open, close)| open.is_empty() && close.is_empty()) {
        return wrong("markers: a pair is not empty on both sides");
    }
    Ok(())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn must<T>(key: &str, want: &str, value: &Value) -> Read<T> {
    wrong(format!("{key}: it is {want}, not {}", kind(value)))
}

fn text(key: &str, value: &Value) -> Read<String> {
    value.as_str().map_or_else(|| must(key, "a string", value), |text| Ok(text.to_string()))
}

fn flag(key: &str, value: &Value) -> Read<bool> {
    value.as_bool().map_or_else(|| must(key, "true or false", value), Ok)
}

fn missing(key: &str, value: &Value) -> Read<Missing> {
    match value {
        Value::Bool(false) => Ok(Missing::No),
        Value::Bool(true) => Ok(Missing::Yes),
        Value::String(word) if word == "alone" => Ok(Missing::Alone),
        Value::String(word) => {
            wrong(format!("{key}: {} is not allowed; allowed is true, false, \"alone\"", shown(word)))
        }
        _ => must(key, "true, false or \"alone\"", value),
    }
}

fn choice<T: Copy>(key: &str, value: &Value, all: &[(&str, T)]) -> Read<T> {
    let word = text(key, value)?;
    let names = || all.iter().map(|(name, _)| *name);
    all.iter().find(|(name, _)| *name == word).map_or_else(
        || {
            let allowed = names().collect::<Vec<_>>().join(", ");
            let near = meant(&word, names());
            wrong(format!("{key}: {} is not allowed; allowed is {allowed}{near}", shown(&word)))
        },
        |(_, found)| Ok(*found),
    )
}

fn texts(key: &str, value: &Value) -> Read<TextList> {
    let Value::Array(all) = value else { return must(key, "an array of strings", value) };
    all.iter().map(|one| text(key, one).map(Cow::Owned)).collect::<Read<Vec<_>>>().map(Cow::Owned)
}

/// Reads three strings, in order or by name.
fn framing(value: &Value) -> Read<[Cow<'static, str>; 3]> {
    let mut out = Row::custom("", "").framing;
    match value {
        Value::Array(all) if all.len() == 3 => {
            for (out, value) in out.iter_mut().zip(all) {
                *out = Cow::Owned(text("framing", value)?);
            }
        }
        Value::Object(object) => {
            for (key, value) in object {
                let Some(at) = FRAMING.iter().position(|name| name == key) else {
                    let near = meant(key, FRAMING);
                    return wrong(format!("framing: {}: no such member{near}", shown(key)));
                };
                out[at] = Cow::Owned(text(&format!("framing: {key}"), value)?);
            }
        }
        _ => return wrong(format!("framing: it is an array of three strings: {}", FRAMING.join(", "))),
    }
    Ok(out)
}

/// The side of a pair that a single string stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TagSide {
    Open,
    Close,
    Neither,
}

fn pairs(key: &str, value: &Value, bare: TagSide) -> Read<Pairs> {
    let owned = |text: &str| Cow::Owned(text.to_string());
    let Value::Array(all) = value else { return must(key, "an array of pairs", value) };
    let pair = |(i, value): (usize, &Value)| match (value, bare) {
        (Value::String(text), TagSide::Open) => Ok((owned(text), Cow::Borrowed(""))),
        (Value::String(text), TagSide::Close) => Ok((Cow::Borrowed(""), owned(text))),
        (Value::Array(two), _) => match two.as_slice() {
            [Value::String(a), Value::String(b)] => Ok((owned(a), owned(b))),
            _ => wrong(format!("{key}: pair {}: it is an array of two strings", i + 1)),
        },
        _ => wrong(format!("{key}: pair {}: it is an array of two strings, not {}", i + 1, kind(value))),
    };
    all.iter().enumerate().map(pair).collect::<Read<Vec<_>>>().map(Cow::Owned)
}
