//! Reads values of a record that was walked before: objects of reasoning, by the keys of any provider.

use super::thought::{ReasoningPlace, RecordRange, Thought};
use crate::dialect::draft::PartMember;
use crate::dialect::formats::shared::{Holds, deep_literals, holds};
use crate::json::{self, Literal, elements, members};
use std::borrow::Cow;

/// The first byte of a value, which determines its type.
pub(super) fn kind(text: &[u8], at: &RecordRange) -> u8 {
    text.get(at.start).copied().unwrap_or(0)
}

/// The inside of a string value.
pub(super) fn inside(at: &RecordRange) -> RecordRange {
    at.start + 1..at.end - 1
}

/// The members of the object that begins at `at`.
pub(super) fn entries(record: &[u8], at: &RecordRange) -> Vec<PartMember> {
    members(record, at.start).map(PartMember::of).collect()
}

/// Whether a part or a member would be missed: a text of blanks would not.
pub(super) fn is_filled(record: &[u8], at: &RecordRange) -> bool {
    let value = &record[at.clone()];
    let blank = matches!(value, [b'"', text @ .., b'"'] if text.trim_ascii().is_empty());
    !blank && json::is_filled(value)
}

/// The text of a string, decoded; nothing for another value.
pub(super) fn string<'a>(record: &'a [u8], at: &RecordRange) -> Cow<'a, [u8]> {
    if kind(record, at) == b'"' { literal(record, at).decoded(record) } else { Cow::default() }
}

/// A string value as a literal.
pub(super) fn literal(record: &[u8], at: &RecordRange) -> Literal {
    let (start, end) = (at.start + 1, at.end - 1);
    Literal { start, end, escaped: memchr::memchr(b'\\', &record[start..end]).is_some() }
}

/// The insides of the strings that a text is made of.
fn strings(record: &[u8], at: &RecordRange) -> Vec<RecordRange> {
    let inner = deep_literals(&record[at.clone()]).into_iter();
    inner.map(|text| at.start + text.start..at.start + text.end).collect()
}

/// The reasoning in an object, by the keys of any provider.
pub(super) fn thought(
    record: &[u8],
    at: &RecordRange,
    origin: ReasoningPlace,
    source: Option<&'static str>,
) -> Thought {
    let source = source.map(Cow::Borrowed);
    let mut out = Thought { origin, source, block: Some(at.clone()), ..Thought::default() };
    for entry in entries(record, at) {
        let value = || Some(entry.value.clone()).filter(|v| kind(record, v) != b'n');
        let key = entry.key.decoded(record);
        match holds(&key) {
            _ if *key == *b"type" => (),
            Some(Holds::SourceField) => {
                let named = value().filter(|v| kind(record, v) == b'"').map(|v| string(record, &v));
                out.named = true;
                out.first |= out.text.is_none();
                out.source = named.map(|name| Cow::Owned(String::from_utf8_lossy(&name).into_owned()));
            }
            Some(Holds::Signature) if out.signature.is_none() => out.signature = value(),
            Some(Holds::Hidden) if out.hidden.is_none() => out.hidden = value(),
            Some(Holds::Ciphertext) if out.encrypted.is_none() => out.encrypted = value(),
            Some(Holds::Text) if out.text.is_none() && matches!(kind(record, &entry.value), b'"' | b'[' | b'{') => {
                if *key == *b"thinking" && out.source.is_none() {
                    out.source = Some("thinking".into());
                }
                out.text = Some(strings(record, &entry.value));
            }
            _ if *key == *b"thought" && kind(record, &entry.value) == b't' => (),
            _ => out.extras.push(entry.at()),
        }
    }
    out
}

/// The reasoning under a key: a string, a list of strings and objects, or an object.
pub(super) fn thoughts(record: &[u8], at: &RecordRange, origin: ReasoningPlace, key: &'static str) -> Vec<Thought> {
    let one = |at: RecordRange| match kind(record, &at) {
        b'{' => Thought { source: Some(key.into()), ..thought(record, &at, origin, None) },
        _ => Thought {
            origin,
            source: Some(key.into()),
            block: Some(at.clone()),
            text: matches!(kind(record, &at), b'"' | b'[').then(|| strings(record, &at)),
            ..Thought::default()
        },
    };
    match kind(record, at) {
        b'[' => elements(record, at.start).map(|(_, at)| at).map(one).collect(),
        _ => vec![one(at.clone())],
    }
}
