//! Skips the walk for records that differ from an earlier one in a few values only: the new record is compared with the
//! earlier one, and only these values are looked at. A record that does not fit is walked.
//!
//! Equal bytes between the values leave the scanner in the same state, and the walk does not depend on the values
//! ([`FreeValue`]), so that the result of the earlier walk is valid with its positions moved. ADVICE: every position in
//! [`Walked`] must be moved in `refit`. The laws `gears` and `values_make_no_difference` compare with
//! this turned off.

use super::walked::{Entry, FreeKind, FreeValue, Node, UnnamedMember, Walked};
use crate::dialect::suspect;
use crate::json::{Literal, Scanner, Token, string_end};
use std::ops::Range;

/// The most values that may differ between two records that are alike.
pub(super) const MAX_DIFFERENT_VALUES: usize = 48;

/// The longest event that is kept, in bytes.
const MAX_EVENT_BYTES: usize = 2048;

/// The longest line of a log that is kept, in bytes. Most of it are texts, which may differ.
const MAX_LINE_BYTES: usize = 1 << 16;

/// The most bytes of a line that must be the same in others.
const MAX_FIXED_BYTES: usize = 4096;

/// A record, and what the walk found in it.
#[derive(Debug)]
pub(in crate::dialect) struct EventTemplate {
    /// The bytes before each value, and those behind the last one up to the last brace, without white space at their
    /// end.
    pub fixed: Vec<Vec<u8>>,
    /// The last brace, and the bytes behind it.
    pub behind: Vec<u8>,
    /// The values of the record that was compared last, and the position of its last brace.
    pub free_values: Vec<FreeValue>,
    pub(super) close: usize,
    /// How many values stand before each position of a node, an entry or a member to search, and so move it.
    nodes: Vec<[u8; 4]>,
    entries: Vec<[u8; 3]>,
    rest: Vec<u8>,
    /// The result of the walk, for the record that fitted last.
    pub walked: Walked,
}

impl EventTemplate {
    /// Whether a record is short enough to be kept. `log`: it is a line of a log.
    pub fn is_short(text: &[u8], log: bool) -> bool {
        text.len() <= if log { MAX_LINE_BYTES } else { MAX_EVENT_BYTES }
    }

    /// A record to compare others with, if it is short enough. Values that begin at `searched` were searched for
    /// reasoning, so that their strings must be equal. `log`: it is a line of a log.
    pub fn of(text: &[u8], walked: &Walked, searched: &[usize], log: bool) -> Option<Self> {
        let known = (log && !walked.asks_lost || !walked.has_unknown())
            && !walked.nodes.iter().any(|node| node.lost)
            && walked.free_values.len() <= MAX_DIFFERENT_VALUES
            && walked.nodes.len() < 256
            && walked.scattered.is_empty()
            && walked.pairs.is_none();
        if !known || !Self::is_short(text, log) {
            return None;
        }
        let searched: Vec<Range<usize>> = searched.iter().map(|at| *at..end(text, *at)).collect();
        let free = |spot: &&FreeValue| match spot.kind {
            FreeKind::Number => digits(spot.literal.raw(text)) == Some(spot.literal.end - spot.literal.start),
            kind => !searched.iter().any(|at| at.contains(&spot.literal.start)) && may_be(kind, spot.literal.raw(text)),
        };
        let free_values: Vec<FreeValue> = walked.free_values.iter().filter(free).copied().collect();
        let close = walked.nodes.first()?.value.end.checked_sub(1).filter(|at| text.get(*at) == Some(&b'}'))?;
        let (mut fixed, mut from) = (Vec::new(), 0);
        for spot in &free_values {
            fixed.push(text[from..spot.literal.start].to_vec());
            from = spot.literal.end;
        }
        fixed.push(text[from..close].trim_ascii_end().to_vec());
        if fixed.iter().map(Vec::len).sum::<usize>() > MAX_FIXED_BYTES {
            return None;
        }
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
        let mut kept = walked.clone();
        kept.outermost.clear();
        // Unknown members of its other nodes are facts of requests only.
        kept.unknown.clear();
        // Those of events are not asked for again.
        kept.rest.retain(|_| log);
        kept.rest.iter_mut().for_each(|rest| rest.searched = true);
        Some(Self {
            nodes: walked.nodes.iter().map(node).collect(),
            entries: walked.entries.iter().map(entry).collect(),
            // They are the same in all, so that no value that differs stands in them.
            rest: kept.rest.iter().map(|rest| moved(rest.value)).collect(),
            fixed,
            behind: text[close..].to_vec(),
            free_values,
            close,
            walked: kept,
        })
    }

    /// Makes `walked` what a walk would find in a record whose bytes around these values are the same. `close`: where its
    /// last brace stands. The values of the last record take the place of these.
    pub fn refit(&mut self, next: &mut Vec<FreeValue>, close: usize) {
        let mut by = [0usize; MAX_DIFFERENT_VALUES + 2];
        for (at, (old, new)) in self.free_values.iter().zip(&*next).enumerate() {
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
                if let Some(spot) = next.get(usize::from(*own)) {
                    *word = spot.literal;
                }
            }
        }
        for (UnnamedMember { key, value, end, .. }, n) in self.walked.rest.iter_mut().zip(&self.rest) {
            key.iter_mut()
                .flat_map(|key| [&mut key.start, &mut key.end])
                .chain([value, end])
                .for_each(|at| moved(at, *n));
        }
        std::mem::swap(&mut self.free_values, next);
        self.close = close;
    }
}

/// Compares the bytes around values of these kinds with the record that a text begins with, and gives each value to `found`.
/// Returns where the last brace stands, and where the record ends.
#[inline]
pub(super) fn values(
    fixed: &[Vec<u8>],
    kinds: impl Iterator<Item = FreeKind>,
    behind: &[u8],
    text: &[u8],
    mut found: impl FnMut(Literal, FreeKind),
) -> Option<(usize, usize)> {
    let (last, fixed) = fixed.split_last()?;
    let mut at = 0;
    for (fixed, kind) in fixed.iter().zip(kinds) {
        let literal = value(text, at, fixed, kind)?;
        found(literal, kind);
        at = literal.end;
    }
    closes_first(text, at, (last, behind))
}

/// The value of a kind that stands in a text at `at` behind these bytes.
#[inline]
pub(in crate::dialect) fn value(text: &[u8], at: usize, fixed: &[u8], kind: FreeKind) -> Option<Literal> {
    if !begins(text.get(at..)?, fixed) {
        return None;
    }
    let start = at + fixed.len();
    if kind == FreeKind::Number {
        return Some(Literal { start, end: start + digits(&text[start..])?, escaped: false });
    }
    let (end, escaped) = string_end(text, start).ok()?;
    let inside = &text[start..end];
    let valid = inside.is_ascii() || simdutf8::basic::from_utf8(inside).is_ok();
    (valid && may_be(kind, inside)).then_some(Literal { start, end, escaped })
}

/// Whether a text begins with these bytes. Most of them are few, so that a call for a comparison would cost more than it.
#[inline]
fn begins(text: &[u8], fixed: &[u8]) -> bool {
    let Some(text) = text.get(..fixed.len()) else { return false };
    let (Some(first), Some(last)) = (text.first_chunk::<16>(), text.last_chunk::<16>()) else { return text == fixed };
    let (Some(own_first), Some(own_last)) = (fixed.first_chunk::<16>(), fixed.last_chunk::<16>()) else { return false };
    first == own_first
        && last == own_last
        && (text.len() <= 32 || text[16..text.len() - 16] == fixed[16..text.len() - 16])
}

/// Where the last brace stands, if a text goes on at `at` with these bytes, and is over behind them.
#[inline]
pub(in crate::dialect) fn closes(text: &[u8], at: usize, (last, behind): (&[u8], &[u8])) -> Option<usize> {
    let rest = text[at..].strip_prefix(last)?;
    let blank = rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r'))?;
    (rest[blank..] == *behind).then_some(text.len() - rest.len() + blank)
}

/// Where the last brace of a record on a line stands, and where the record ends, if it goes on at `at` with these bytes. Others may
/// follow.
#[inline]
fn closes_first(text: &[u8], at: usize, (last, behind): (&[u8], &[u8])) -> Option<(usize, usize)> {
    let rest = text[at..].strip_prefix(last)?;
    let blank = rest.iter().position(|b| !matches!(b, b' ' | b'\t'))?;
    let close = text.len() - rest.len() + blank;
    rest[blank..].starts_with(behind).then_some((close, close + behind.len()))
}

/// Whether a string may stand in the place of one of this kind.
#[inline]
fn may_be(kind: FreeKind, raw: &[u8]) -> bool {
    match kind {
        FreeKind::Number => false,
        FreeKind::Text => true,
        FreeKind::Name => suspect::is_name(raw),
        FreeKind::Word => suspect::is_plain_word(raw),
    }
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

    /// Whether `text` is alike. If so, `walked` is what a walk would find in it.
    fn fits(alike: &mut EventTemplate, text: &[u8]) -> bool {
        let EventTemplate { fixed, behind, free_values, .. } = alike;
        let (kinds, mut next) = (free_values.iter().map(|spot| spot.kind), Vec::new());
        let close = values(fixed, kinds, behind, text, |literal, kind| next.push(FreeValue { literal, kind }));
        close.filter(|(_, end)| *end == text.len()).is_some_and(|(close, _)| {
            alike.refit(&mut next, close);
            true
        })
    }

    /// The result of a walk over a record that others are compared with.
    fn compared() -> Walked {
        Walked { compared: true, ..Walked::default() }
    }

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
                let mut walked = compared();
                walk((text.as_bytes(), b""), state, (true, &mut SearchedMembers::default()), &mut walked)
                    .ok()
                    .map(|()| walked)
            };
            for first in EVENTS {
                let Some(own) = walked(first) else { continue };
                let searched: Vec<usize> = own.rest.iter().map(|rest| rest.value).collect();
                let Some(mut alike) = EventTemplate::of(first.as_bytes(), &own, &searched, false) else { continue };
                assert!(fits(&mut alike, first.as_bytes()), "{first}");
                for text in EVENTS.iter().chain(EVENTS.iter().rev()) {
                    if fits(&mut alike, text.as_bytes()) {
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
        let (text, mut walked) = (event("end_turn", 1), compared());
        walk((text.as_bytes(), b""), state, (true, &mut SearchedMembers::default()), &mut walked).unwrap();
        let mut free = EventTemplate::of(text.as_bytes(), &walked, &[], false).unwrap();
        let delta = text.find("{\"stop").unwrap();
        let mut bound = EventTemplate::of(text.as_bytes(), &walked, &[delta], false).unwrap();
        for (other, tokens, want) in [("end_turn", 20, true), ("Let me think.", 3, false)] {
            assert!(fits(&mut free, event(other, tokens).as_bytes()));
            assert_eq!(fits(&mut bound, event(other, tokens).as_bytes()), want);
        }
    }
}
