//! Skips the walk for events of a stream that differ from an earlier event in a few values only: the new event is
//! compared with the earlier one, and only these values are looked at. An event that does not fit is walked.
//!
//! Equal bytes between the values leave the scanner in the same state, and the walk does not depend on the values
//! ([`FreeValue`]), so that the result of the earlier walk is valid with its positions moved. ADVICE: every position in
//! [`Walked`] must be moved in `refit`. The law `gears` compares with this turned off.

use super::walked::{Entry, FreeValue, Node, Walked};
use crate::json::{Literal, Scanner, Token, string_end};
use std::ops::Range;

/// The most values that may differ between two events that are alike.
pub(super) const MAX_DIFFERENT_VALUES: usize = 32;

/// The longest event that is kept, in bytes.
const MAX_EVENT_BYTES: usize = 2048;

/// An event, and what the walk found in it.
#[derive(Debug)]
pub(in crate::dialect) struct EventTemplate {
    /// The bytes before each value, and those behind the last one up to the last brace, without white space at their
    /// end.
    pub(super) fixed: Vec<Vec<u8>>,
    /// The last brace, and the bytes behind it.
    pub(super) behind: Vec<u8>,
    /// The values of the event that was compared last, and the position of its last brace.
    pub(super) free_values: Vec<FreeValue>,
    pub(super) close: usize,
    /// How many values stand before each position of a node or an entry, and so move it.
    nodes: Vec<[u8; 4]>,
    entries: Vec<[u8; 3]>,
    /// The values of the event that is being compared.
    next: Vec<FreeValue>,
    /// The result of the walk, for the event that fitted last.
    pub walked: Walked,
}

impl EventTemplate {
    /// Whether a record is short enough to be kept.
    pub fn is_short(text: &[u8]) -> bool {
        text.len() <= MAX_EVENT_BYTES
    }

    /// An event to compare others with, if it is short enough. Values that begin at `searched` were searched for
    /// reasoning, so that their strings must be equal.
    pub fn of(text: &[u8], walked: &Walked, searched: &[usize]) -> Option<Self> {
        let known = !walked.has_unknown()
            && !walked.nodes.iter().any(|node| node.lost)
            && walked.free_values.len() <= MAX_DIFFERENT_VALUES
            && walked.nodes.len() < 256;
        if !known || !Self::is_short(text) {
            return None;
        }
        let searched: Vec<Range<usize>> = searched.iter().map(|at| *at..end(text, *at)).collect();
        let free = |spot: &&FreeValue| match spot.string {
            true => !searched.iter().any(|at| at.contains(&spot.literal.start)),
            false => digits(spot.literal.raw(text)) == Some(spot.literal.end - spot.literal.start),
        };
        let free_values: Vec<FreeValue> = walked.free_values.iter().filter(free).copied().collect();
        let close = walked.nodes.first()?.value.end.checked_sub(1).filter(|at| text.get(*at) == Some(&b'}'))?;
        let (mut fixed, mut from) = (Vec::new(), 0);
        for spot in &free_values {
            fixed.push(text[from..spot.literal.start].to_vec());
            from = spot.literal.end;
        }
        fixed.push(text[from..close].trim_ascii_end().to_vec());
        let moved = |at: usize| match at > close {
            true => free_values.len() as u8 + 1,
            false => {
                free_values.iter().take_while(|spot| spot.literal.end <= at && spot.literal.start < at).count() as u8
            }
        };
        let node = |node: &Node| {
            let (list, last) = node.element.unwrap_or_default();
            [moved(node.value.start), moved(node.value.end), moved(list), moved(last)]
        };
        let entry = |entry: &Entry| {
            let own = |spot: &FreeValue| matches!(entry.token, Token::String(word) if word.start == spot.literal.start);
            let own = free_values.iter().position(own).map_or(u8::MAX, |at| at as u8);
            [moved(entry.value.start), moved(entry.value.end), own]
        };
        let (nodes, entries) = (walked.nodes.iter().map(node).collect(), walked.entries.iter().map(entry).collect());
        let mut walked = walked.clone();
        walked.rest.clear();
        walked.outermost.clear();
        // Unknown members of its other nodes are facts of requests only.
        walked.unknown.clear();
        Some(Self {
            fixed,
            behind: text[close..].to_vec(),
            free_values,
            close,
            nodes,
            entries,
            next: Vec::new(),
            walked,
        })
    }

    /// The first bytes of every event that is alike.
    pub fn head(&self) -> &[u8] {
        self.fixed.first().map_or(b"", Vec::as_slice)
    }

    /// Whether `text` is alike. If so, `walked` is what a walk would find in it.
    #[inline]
    pub fn fits(&mut self, text: &[u8]) -> bool {
        let Some(close) = self.compare(text) else { return false };
        self.refit(close);
        true
    }

    /// Compares the bytes, and notes the values. Returns where the last brace stands.
    #[inline]
    fn compare(&mut self, text: &[u8]) -> Option<usize> {
        let Self { fixed, free_values, behind, next, .. } = self;
        next.clear();
        let strings = free_values.iter().map(|spot| spot.string);
        values(fixed, strings, behind, text, |literal, string| next.push(FreeValue { literal, string }))
    }

    /// Moves all positions by the changed lengths of the values before them.
    fn refit(&mut self, close: usize) {
        let mut by = [0usize; MAX_DIFFERENT_VALUES + 2];
        for (at, (old, new)) in self.free_values.iter().zip(&self.next).enumerate() {
            by[at + 1] = new.literal.end.wrapping_sub(old.literal.end);
        }
        by[self.free_values.len() + 1] = close.wrapping_sub(self.close);
        let moved = |at: &mut usize, n: u8| *at = at.wrapping_add(by[usize::from(n)]);
        for (node, [start, end, list, last]) in self.walked.nodes.iter_mut().zip(&self.nodes) {
            moved(&mut node.value.start, *start);
            moved(&mut node.value.end, *end);
            if let Some(element) = &mut node.element {
                moved(&mut element.0, *list);
                moved(&mut element.1, *last);
            }
        }
        for (entry, [start, end, own]) in self.walked.entries.iter_mut().zip(&self.entries) {
            moved(&mut entry.key.start, *start);
            moved(&mut entry.key.end, *start);
            moved(&mut entry.value.start, *start);
            moved(&mut entry.value.end, *end);
            if let Token::String(word) = &mut entry.token {
                moved(&mut word.start, *start);
                moved(&mut word.end, *start);
                if let Some(spot) = self.next.get(usize::from(*own)) {
                    *word = spot.literal;
                }
            }
        }
        std::mem::swap(&mut self.free_values, &mut self.next);
        self.close = close;
    }
}

/// Compares the bytes around values, and gives each value to `found`: whether it is a string says `strings`. Returns
/// where the last brace stands.
#[inline]
pub(super) fn values(
    fixed: &[Vec<u8>],
    strings: impl Iterator<Item = bool>,
    behind: &[u8],
    text: &[u8],
    mut found: impl FnMut(Literal, bool),
) -> Option<usize> {
    let (last, fixed) = fixed.split_last()?;
    let mut at = 0;
    for (fixed, string) in fixed.iter().zip(strings) {
        let rest = text[at..].strip_prefix(fixed.as_slice())?;
        let start = text.len() - rest.len();
        let (end, escaped) = match string {
            true => string_end(text, start).ok()?,
            false => (start + digits(rest)?, false),
        };
        let inside = &text[start..end];
        if string && !inside.is_ascii() && simdutf8::basic::from_utf8(inside).is_err() {
            return None;
        }
        found(Literal { start, end, escaped }, string);
        at = end;
    }
    let rest = text[at..].strip_prefix(last.as_slice())?;
    let blank = rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r'))?;
    (rest[blank..] == *behind).then_some(text.len() - rest.len() + blank)
}

/// Where the value at `at` ends, or stops to be JSON.
fn end(text: &[u8], at: usize) -> usize {
    let mut s = Scanner::within(text, at);
    let _ = s.token().and_then(|token| s.skip(token));
    s.at()
}

/// How many digits a whole number has at the start of this text.
fn digits(text: &[u8]) -> Option<usize> {
    let count = text.iter().take_while(|b| b.is_ascii_digit()).count();
    (count == 1 || count > 1 && text[0] != b'0').then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::DIALECTS;
    use crate::dialect::read::{SearchedMembers, walk};

    const EVENTS: &[&str] = &[
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"a"}}"#,
        r#"{"type":"content_block_delta","index":12,"delta":{"type":"thinking_delta","thinking":""}   }"#,
        r#"{"type":"content_block_delta","index":7,"delta":{"type":"thinking_delta","thinking":"b\n\u00e9 é"}} "#,
        r#"{"type":"content_block_delta","index":07,"delta":{"type":"thinking_delta","thinking":"b"}}"#,
        r#"{"type":"content_block_delta","index":1.5,"delta":{"type":"thinking_delta","thinking":"b"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"b\x"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"b"}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"b","x":"reason"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"b"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","note":"a b c"},"usage":{"output_tokens":8}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","note":"a b c"},"usage":{"output_tokens":80}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","note":"b c d"},"usage":{"output_tokens":80}}"#,
        r#"{"type":"response.output_text.delta","item_id":"i","output_index":1,"delta":"x","sequence_number":3}"#,
        r#"{"type":"response.output_text.delta","item_id":"","output_index":10,"delta":"","sequence_number":30}"#,
        r#"{"type":"response.output_item.done","item":{"type":"reasoning","id":"a","content":[{"type":"reasoning_text","text":"a b"},
            {"type":"reasoning_text","text":"c"}],"summary":[]},"output_index":0,"temperature":1.0}"#,
        r#"{"type":"response.output_item.done","item":{"type":"reasoning","id":"","content":[{"type":"reasoning_text","text":""},
            {"type":"reasoning_text","text":"\\\""}],"summary":[]},"output_index":11,"temperature":1.0}"#,
    ];

    /// What later stages look at.
    fn found(walked: &Walked) -> String {
        format!("{:?} {:?} {} {}", walked.nodes, walked.entries, walked.sure, walked.shape_hash)
    }

    #[test]
    fn what_fits_is_what_a_walk_would_find() {
        let shapes = DIALECTS.iter().filter(|row| matches!(row.name, "anthropic" | "responses"));
        let mut hits = 0;
        for state in shapes.map(|row| row.shape.unwrap().record) {
            let walked = |text: &str| {
                let mut walked = Walked::default();
                walk((text.as_bytes(), b""), state, (true, &mut SearchedMembers::default()), &mut walked)
                    .ok()
                    .map(|()| walked)
            };
            for first in EVENTS {
                let Some(own) = walked(first) else { continue };
                let searched: Vec<usize> = own.rest.iter().map(|rest| rest.value).collect();
                let Some(mut alike) = EventTemplate::of(first.as_bytes(), &own, &searched) else { continue };
                assert!(alike.fits(first.as_bytes()), "{first}");
                for text in EVENTS.iter().chain(EVENTS.iter().rev()) {
                    if alike.fits(text.as_bytes()) {
                        let other = walked(text).unwrap_or_else(|| panic!("{text} is wrong, but fits {first}"));
                        assert_eq!(found(&alike.walked), found(&other), "{text} after {first}");
                        hits += usize::from(text != first);
                    }
                }
            }
        }
        assert!(hits >= 12, "{hits}");
    }

    #[test]
    fn what_was_searched_must_be_the_same() {
        let state = DIALECTS.iter().find(|row| row.name == "anthropic").unwrap().shape.unwrap().record;
        let event = |text: &str, tokens: u32| {
            format!(
                r#"{{"type":"message_delta","delta":{{"stop_reason":"{text}"}},"usage":{{"output_tokens":{tokens}}}}}"#
            )
        };
        let (text, mut walked) = (event("end_turn", 1), Walked::default());
        walk((text.as_bytes(), b""), state, (true, &mut SearchedMembers::default()), &mut walked).unwrap();
        let mut free = EventTemplate::of(text.as_bytes(), &walked, &[]).unwrap();
        let delta = text.find("{\"stop").unwrap();
        let mut bound = EventTemplate::of(text.as_bytes(), &walked, &[delta]).unwrap();
        for (other, tokens, want) in [("end_turn", 20, true), ("Let me think.", 3, false)] {
            assert!(free.fits(event(other, tokens).as_bytes()));
            assert_eq!(bound.fits(event(other, tokens).as_bytes()), want);
        }
    }
}
