//! Members of a message or a block that are reasoning, and go by themselves.

use crate::dialect::draft::{Draft, Unit};
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{Shape, Slot};
use crate::json::{Token, is_filled};
use crate::model::Source;
use std::ops::Range;

/// Adds reasoning that stands in members of the message itself, and then its texts.
pub(super) fn of_message((walked, shape): (&Walked, &Shape), record: &[u8], node: u32, draft: &mut Draft) {
    let mut gone = Vec::new();
    for entry in walked.all(node, Slot::Thought) {
        if let Some(unit) = thought(shape, record, entry) {
            draft.units.push(unit);
            gone.push(of_entry(entry));
        }
    }
    for entry in walked.all(node, Slot::Shadow) {
        draft.units.push(match entry.token {
            Token::String(text) if text.start < text.end => Unit::Field(MEMBER, text),
            _ => Unit::Void(MEMBER),
        });
        gone.push(of_entry(entry));
    }
    for text in walked.all(node, Slot::Text).filter_map(Entry::literal) {
        draft.has.beside_results = true;
        draft.units.push(Unit::Text(text));
    }
    gone.sort_by_key(|member| member.start);
    cuts(record, &gone, &mut draft.cuts);
}

/// The range of a member, from its key on.
fn of_entry(entry: &Entry) -> Range<usize> {
    entry.key.start - 1..entry.value.end
}

/// The reasoning in a member. None if it says that there is none by a value that stays.
pub(super) fn thought(shape: &Shape, record: &[u8], entry: &Entry) -> Option<Unit> {
    let key = shape.keys.iter().find(|key| entry.key.is(record, key)).copied().unwrap_or(MEMBER);
    Some(match entry.token {
        Token::String(text) if text.start < text.end => Unit::Field(key, text),
        Token::ObjectStart | Token::ArrayStart if is_filled(&record[entry.value.clone()]) => {
            Unit::Deep(key, entry.value.clone())
        }
        Token::True | Token::False | Token::Number => return None,
        _ => Unit::Void(key),
    })
}

/// The source of reasoning in a member of a message.
const MEMBER: Source = "part";

/// Adds the cuts of members, in the order of the record, each with a comma beside it.
pub(super) fn cuts(record: &[u8], gone: &[Range<usize>], out: &mut Vec<Range<usize>>) {
    // Where the first of members begins that all go, while none before them stays in their object.
    let mut lead: Option<Range<usize>> = None;
    for at in gone {
        let before = record[..at.start].trim_ascii_end();
        let first = before.ends_with(b"{");
        let follows = lead.as_ref().is_some_and(|lead| {
            let between = record[lead.end..at.start].trim_ascii();
            between == b","
        });
        if follows {
            lead = lead.map(|lead| lead.start..at.end);
            continue;
        }
        out.extend(lead.take().map(|lead| with_comma(record, lead)));
        if first {
            lead = Some(at.clone());
            continue;
        }
        let end = before.strip_suffix(b",").map_or(at.start, |before| before.trim_ascii_end().len());
        out.push(end..at.end);
    }
    out.extend(lead.map(|lead| with_comma(record, lead)));
}

/// A range with the comma behind it, if there is one.
fn with_comma(record: &[u8], at: Range<usize>) -> Range<usize> {
    let blank = |from: usize| from + record[from..].len() - record[from..].trim_ascii_start().len();
    let comma = blank(at.end);
    if record.get(comma) == Some(&b',') { at.start..blank(comma + 1) } else { at }
}

/// What a block of reasoning says, if the block itself stays: its text becomes empty, and so do lists of its parts;
/// what seals it goes.
pub(super) fn shell(walked: &Walked, record: &[u8], node: u32, draft: &mut Draft) {
    let (mut said, mut gone) = (Vec::new(), Vec::new());
    for entry in walked.all_of(node) {
        match entry.slot {
            Slot::Text | Slot::List | Slot::Summary => said.push(entry.value.start + 1..entry.value.end - 1),
            Slot::Signature | Slot::Ciphertext | Slot::Seal | Slot::Shadow => {
                gone.push(entry.key.start - 1..entry.value.end);
            }
            _ => (),
        }
    }
    gone.sort_unstable_by_key(|at| at.start);
    cuts(record, &gone, &mut said);
    said.retain(|cut| !cut.is_empty());
    said.sort_unstable_by_key(|at| at.start);
    draft.cuts.append(&mut said);
}

/// Signatures of reasoning on nodes that are none.
pub(super) fn seals(walked: &Walked, record: &[u8], nodes: impl IntoIterator<Item = u32>, draft: &mut Draft) {
    let all = nodes.into_iter().flat_map(|node| walked.all(node, Slot::Seal));
    let mut gone: Vec<_> = all.map(|entry| entry.key.start - 1..entry.value.end).collect();
    gone.sort_unstable_by_key(|at| at.start);
    draft.units.extend(gone.iter().map(|_| Unit::Opaque(MEMBER)));
    cuts(record, &gone, &mut draft.cuts);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas() {
        for (record, want) in [
            (r#"{"x":1,"a":2}"#, r#"{"a":2}"#),
            (r#"{"x":1 , "x":2, "a":2}"#, r#"{"a":2}"#),
            (r#"{"a":1,"x":2}"#, r#"{"a":1}"#),
            (r#"{"a":1, "x":2, "x":3, "b":4}"#, r#"{"a":1, "b":4}"#),
            (r#"{ "x":2 }"#, r#"{  }"#),
            (r#"{"m":{"x":1,"a":2},"x":3}"#, r#"{"m":{"a":2}}"#),
            (r#"{"x":1,"m":{"x":2}}"#, r#"{"m":{}}"#),
            (r#"{"x":1,"a":1,"x":2,"b":2,"x":3}"#, r#"{"a":1,"b":2}"#),
        ] {
            let at = record.match_indices("\"x\":").map(|(at, found)| at..at + found.len() + 1);
            let mut out = Vec::new();
            cuts(record.as_bytes(), &at.collect::<Vec<_>>(), &mut out);
            let mut text = record.to_string();
            out.sort_by_key(|at| at.start);
            out.into_iter().rev().for_each(|at| text.replace_range(at, ""));
            assert_eq!(text, want, "{record}");
        }
    }
}
