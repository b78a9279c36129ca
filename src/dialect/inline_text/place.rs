//! Where the stretches of a message's text stand in the input.

use crate::json::text::Map;
use crate::span::Span;
use std::collections::VecDeque;

/// Where a stretch of a message's text stands in the input.
#[derive(Debug)]
pub(super) struct StretchPlace {
    /// Offset and length in the message's text.
    pub at: u64,
    pub len: u64,
    /// Offset in the input.
    pub input: u64,
    /// Maps offsets in the decoded stretch to offsets in its raw form, which may have escapes.
    pub map: Map,
}

/// The index of the place that holds this offset of the text.
pub(super) fn begins(places: &VecDeque<StretchPlace>, at: u64) -> usize {
    places.partition_point(|p| p.at + p.len <= at)
}

/// The ranges of the input that `from..end` of the text stands in. `hint` is the index of a place at or before the one
/// that holds `from`, and is moved to it.
pub(super) fn spans(places: &VecDeque<StretchPlace>, hint: &mut usize, from: u64, end: u64, out: &mut Vec<Span>) {
    out.clear();
    while places.get(*hint).is_some_and(|p| p.at + p.len <= from) {
        *hint += 1;
    }
    for p in places.range((*hint).min(places.len())..).take_while(|p| p.at < end) {
        let (a, z) = (from.max(p.at) - p.at, end.min(p.at + p.len) - p.at);
        let raw = |at: u64| p.input + p.map.raw(at as usize) as u64;
        if a < z {
            out.push(Span::new(raw(a), raw(z)));
        }
    }
}

/// The offset in the input of an offset in the text, if its place is known.
pub(super) fn input_of(places: &VecDeque<StretchPlace>, at: u64) -> Option<u64> {
    let place = places.get(begins(places, at)).filter(|place| place.at <= at)?;
    Some(place.input + place.map.raw((at - place.at) as usize) as u64)
}

/// The bytes of a line end of this length.
pub(super) fn newline(len: u64, cr: bool) -> &'static [u8] {
    match (len, cr) {
        (2, _) => b"\r\n",
        (_, true) => b"\r",
        _ => b"\n",
    }
}

/// Length of the line end that `text` ends with.
pub(super) fn line_end(text: &[u8]) -> usize {
    match text {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n' | b'\r'] => 1,
        _ => 0,
    }
}
