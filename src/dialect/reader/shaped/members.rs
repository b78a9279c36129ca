//! Members of a message or a block that are reasoning, and go by themselves.

use crate::dialect::draft::{Draft, Unit};
use crate::dialect::read::Walked;
use crate::dialect::shape::Slot;
use crate::model::Source;
use std::ops::Range;

/// Adds reasoning that stands in members of the message itself.
pub(super) fn of_message(walked: &Walked, record: &[u8], node: u32, draft: &mut Draft) {
    let mut gone = Vec::new();
    for entry in walked.all(node, Slot::Thought).chain(walked.all(node, Slot::Shadow)) {
        draft.units.push(match entry.literal().filter(|text| text.start < text.end) {
            Some(text) => Unit::Field(MEMBER, text),
            None => Unit::Void(MEMBER),
        });
        gone.push(entry.key.start - 1..entry.value.end);
    }
    gone.sort_unstable_by_key(|at| at.start);
    cuts(record, &gone, &mut draft.cuts);
}

/// The source of reasoning in a member of a message.
const MEMBER: Source = "part";

/// Adds the cuts of members, in the order of the record, each with a comma beside it.
fn cuts(record: &[u8], gone: &[Range<usize>], out: &mut Vec<Range<usize>>) {
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

/// A signature of reasoning on a block that is none.
pub(super) fn seals(walked: &Walked, record: &[u8], node: u32, draft: &mut Draft) {
    let gone: Vec<_> = walked.all(node, Slot::Seal).map(|entry| entry.key.start - 1..entry.value.end).collect();
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
