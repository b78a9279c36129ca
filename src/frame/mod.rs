//! Stage 1: bytes to frames. Knows where records begin and end, and nothing about their content.
//!
//! A framer is a sans-I/O step function over the bytes that are there: it returns a frame and its length, or that it
//! needs more bytes. It is called again with the same bytes and more, and keeps how far it has searched, so that input
//! in one-byte pieces costs no more than input at once.

pub mod binary;
pub mod csv;
mod framing;
pub mod http;
mod json;
mod jsonl;
pub(crate) mod log;
mod sniff;
pub mod sse;
mod text;

use crate::error::Error;
use crate::json::Literal;
use crate::json::text::{Map, decode_with_map};
use crate::span::Span;
use std::ops::Range;

pub use framing::Framing;
pub use json::{MAX_CONVERSATION_BYTES, SEPARATOR, value_ends};
pub use sniff::{MAX_SNIFFED_BYTES, SniffHints, sniff};

/// The message about an event without the blank line that ends it.
pub(crate) const INCOMPLETE: &str = "an incomplete event at the end of the input";

/// The result of a framer's step.
#[derive(Debug, PartialEq, Eq)]
pub enum FrameStep {
    /// The frame at the start of the buffer is not complete.
    Need,
    /// A complete frame, at the start of the buffer.
    Frame(Frame),
    /// The input is over.
    End,
}

/// A frame at the start of the buffer.
#[derive(Debug, PartialEq, Eq)]
pub struct Frame {
    /// How many bytes it covers.
    pub len: usize,
    /// Its kind.
    pub kind: FrameKind,
    /// The range of its payload.
    pub body: Range<usize>,
}

/// The kind of a frame.
#[derive(Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// Bytes between records: blank lines, brackets, comments. They always stay.
    Glue,
    /// Such bytes with a bracket between two conversations: the records before and after it belong to different ones.
    Edge,
    /// A record.
    Record,
    /// An element of a top-level array: a record with a comma before or after it.
    Element {
        /// The offset of the comma before it.
        comma: Option<usize>,
    },
    /// An event of several data lines, whose ranges are in [`Framer::lines`].
    Lines,
    /// An event that the end of the input cut off; the ranges of its lines are in [`Framer::lines`].
    Unfinished,
    /// A piece of raw text.
    Text,
    /// The second half of the line end of the frame before it.
    Tail,
    /// Bytes that are no record.
    Bad(Error),
    /// More bytes of a bad frame.
    Waste,
}

impl Frame {
    fn step(len: usize, kind: FrameKind, body: Range<usize>) -> FrameStep {
        FrameStep::Frame(Frame { len, kind, body })
    }

    fn glue(len: usize) -> FrameStep {
        Frame::step(len, FrameKind::Glue, 0..len)
    }
}

/// White space between JSON values (RFC 8259, section 2), which does not include form feeds.
fn is_space(b: &u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}

/// One of the framers.
#[derive(Debug)]
pub enum Framer {
    /// For JSON Lines.
    Jsonl(jsonl::Jsonl),
    /// For one JSON value.
    Json(json::JsonFramer),
    /// For an event stream.
    Sse(sse::Sse),
    /// For raw text.
    Text(text::TextFramer),
    /// For tables.
    Csv(csv::Csv),
}

impl Framer {
    /// A framer for the start of an input, behind its byte order mark. With `strict` only one JSON value is allowed,
    /// since the user has named the framing.
    pub fn new(framing: Framing, strict: bool) -> Self {
        match framing {
            Framing::Jsonl => Framer::Jsonl(jsonl::Jsonl::new(strict)),
            Framing::Json => Framer::Json(json::JsonFramer::new(strict)),
            Framing::Sse => Framer::Sse(sse::Sse::default()),
            Framing::Text => Framer::Text(text::TextFramer::new(0)),
            Framing::Csv => Framer::Csv(csv::Csv::new(None)),
            Framing::Tsv => Framer::Csv(csv::Csv::new(Some(b'\t'))),
        }
    }

    /// The same for JSON, where a list of messages is one record, up to a number of bytes.
    pub fn of_conversations(strict: bool, most: usize) -> Self {
        Framer::Json(json::JsonFramer::new(strict).of_conversations(most))
    }

    /// A framer for a sequence of JSON values behind record separators (RFC 7464).
    pub fn sequence() -> Self {
        Framer::Json(json::JsonFramer::sequence())
    }

    /// A framer for raw text, whose frames may wait for more, up to a number of bytes.
    pub fn text_that_waits(longest: usize) -> Self {
        Framer::Text(text::TextFramer::new(longest.max(1)))
    }

    /// The last `n` bytes of the last frame of raw text wait for more.
    pub fn wait(&mut self, n: usize) {
        if let Framer::Text(f) = self {
            f.wait(n);
        }
    }

    /// The last `n` bytes of the last frame of raw text come again.
    pub fn back(&mut self, n: usize) {
        if let Framer::Text(f) = self {
            f.back(n);
        }
    }

    /// Whether the last frame of raw text does not wait for more, whatever it is.
    pub fn is_full(&self) -> bool {
        matches!(self, Framer::Text(f) if f.is_full())
    }

    /// A framer for input that is refused as a whole.
    pub fn broken() -> Self {
        Framer::Json(json::JsonFramer::broken_from_the_start())
    }

    /// Whether there were lines that no event stream has.
    pub fn is_strange(&self) -> bool {
        matches!(self, Framer::Sse(f) if f.is_strange())
    }

    /// Finds the next frame in `buf`, which begins where the last frame ended. `eof`: no bytes follow it.
    #[inline]
    pub fn step(&mut self, buf: &[u8], eof: bool) -> FrameStep {
        match self {
            Framer::Jsonl(f) => f.step(buf, eof),
            Framer::Json(f) => f.step(buf, eof),
            Framer::Sse(f) => f.step(buf, eof),
            Framer::Text(f) => f.step(buf, eof),
            Framer::Csv(f) => f.step(buf, eof),
        }
    }

    /// The ranges of the last frame's data lines in its buffer.
    pub fn lines(&self) -> &[Range<usize>] {
        match self {
            Framer::Sse(f) => f.lines(),
            _ => &[],
        }
    }

    /// What stands in the lines of the last event that are no data, and may be JSON or text: ranges of the last frame.
    pub fn others(&self) -> &[Range<usize>] {
        match self {
            Framer::Sse(f) => f.others(),
            _ => &[],
        }
    }

    /// The first NUL byte of the last frame of raw text.
    pub fn marks(&self) -> &[usize] {
        match self {
            Framer::Text(f) => f.marks(),
            _ => &[],
        }
    }

    /// The range of the event's name in the last frame's buffer; empty if it has none.
    pub fn name(&self) -> Range<usize> {
        match self {
            Framer::Sse(f) => f.name(),
            _ => 0..0,
        }
    }

    /// Notes that the first `n` bytes of an incomplete frame, all of them searched, were dropped.
    pub fn forget(&mut self, n: usize) {
        match self {
            Framer::Jsonl(f) => f.forget(n),
            Framer::Json(f) => f.forget(n),
            Framer::Sse(f) => f.forget(n),
            Framer::Text(f) => f.forget(n),
            Framer::Csv(f) => f.forget(n),
        }
    }
}

/// The payload of a frame, and how its offsets map to the input.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// The payload: for an event of several data lines, the lines joined by LF.
    pub text: &'a [u8],
    /// The name of its event; empty if it has none.
    pub event: &'a [u8],
    /// If the payload is an array, its elements may be read as records instead.
    pub comes_apart: bool,
    /// It is the data of an event of an event stream.
    pub is_event: bool,
    /// Where each joined line begins: offset in `text`, offset in the input. Never empty.
    lines: &'a [(usize, u64)],
}

impl<'a> Body<'a> {
    /// The payload of an event with this name, whose lines begin at `lines`.
    pub fn new(text: &'a [u8], event: &'a [u8], lines: &'a [(usize, u64)]) -> Self {
        Self { text, event, comes_apart: false, is_event: false, lines }
    }

    /// The same payload, as that of an event with this name.
    pub fn named(self, event: &'a [u8]) -> Self {
        Self { event, ..self }
    }

    /// The same payload, of which an array may be read by its elements.
    pub fn apart(self, comes_apart: bool) -> Self {
        Self { comes_apart, ..self }
    }

    /// The same payload, as the data of an event of an event stream.
    pub fn of_event(self, is_event: bool) -> Self {
        Self { is_event, ..self }
    }

    /// The part of the payload at `range`, as a payload of its own. `lines`: room for where its lines begin.
    pub fn part<'b>(&'b self, range: &Range<usize>, lines: &'b mut Vec<(usize, u64)>) -> Body<'b> {
        lines.clear();
        lines.push((0, self.offset(range.start)));
        lines.extend(self.breaks(range).iter().map(|(at, input)| (at - range.start, *input)));
        Body { text: &self.text[range.clone()], event: b"", comes_apart: false, is_event: false, lines }
    }

    /// The parts of the payload at `ranges`, joined by LF: the data lines of one event. `text`, `lines`: room for it, and for
    /// where its parts stand in the input.
    pub fn joined<'b>(
        &self,
        ranges: &[Range<usize>],
        text: &'b mut Vec<u8>,
        lines: &'b mut Vec<(usize, u64)>,
    ) -> Body<'b> {
        text.clear();
        lines.clear();
        for (number, range) in ranges.iter().enumerate() {
            text.extend_from_slice(if number > 0 { b"\n" } else { b"" });
            let start = text.len();
            lines.push((start, self.offset(range.start)));
            lines.extend(self.breaks(range).iter().map(|(at, input)| (start + at - range.start, *input)));
            text.extend_from_slice(&self.text[range.clone()]);
        }
        Body { text, event: b"", comes_apart: false, is_event: false, lines }
    }

    /// Where pieces begin inside of a range, behind its first byte.
    fn breaks(&self, range: &Range<usize>) -> &[(usize, u64)] {
        let first = self.lines.partition_point(|(at, _)| *at <= range.start);
        &self.lines[first..self.lines.partition_point(|(at, _)| *at < range.end).max(first)]
    }

    /// Whether it stands in the input as one piece.
    pub fn is_one_line(&self) -> bool {
        self.lines.len() == 1
    }

    /// The input offset of the byte at `at`.
    #[inline]
    pub fn offset(&self, at: usize) -> u64 {
        if let [(joined, input)] = self.lines {
            return input + (at - joined) as u64;
        }
        let n = self.lines.partition_point(|&(joined, _)| joined <= at);
        let (joined, input) = self.lines[n.saturating_sub(1)];
        input + (at - joined) as u64
    }

    /// The offset in `text` of the byte at this input offset.
    pub fn at(&self, offset: u64) -> usize {
        let n = self.lines.partition_point(|&(_, input)| input <= offset);
        let (joined, input) = self.lines[n.saturating_sub(1)];
        joined + (offset - input) as usize
    }

    /// The range of the input for `range`. Unless it is empty, it must not begin or end with the LF that joins two
    /// lines, or inside of a character.
    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.offset(range.start), self.offset(range.end))
    }

    /// The bytes of the payload at this range of the input, if it stands in the payload as one piece.
    pub fn get(&self, span: Span) -> Option<&'a [u8]> {
        let inside = self.offset(0) <= span.start && span.end <= self.offset(self.text.len());
        let start = inside.then(|| self.at(span.start))?;
        let range = start..start + span.len() as usize;
        (range.end <= self.text.len() && self.span(range.clone()) == span).then(|| &self.text[range])
    }

    /// The text in `literal`, a string of the payload, as a payload of its own. `text`, `lines`: room for it, and for
    /// where its parts stand in the input.
    pub fn inside<'b>(&self, literal: Literal, text: &'b mut Vec<u8>, lines: &'b mut Vec<(usize, u64)>) -> Body<'b> {
        let map = self.decode(literal, text);
        let base = self.offset(literal.start);
        lines.clear();
        lines.push((0, base));
        lines.extend(map.points().iter().map(|(decoded, raw)| (*decoded, base + *raw as u64)));
        Body { text, event: b"", comes_apart: false, is_event: false, lines }
    }

    /// Decodes a string of the payload into `out`. The map leads from its text to the bytes of the input from
    /// [`Body::offset`] of its start on.
    pub fn decode(&self, literal: Literal, out: &mut Vec<u8>) -> Map {
        let (raw, mut map) = (literal.raw(self.text), Map::default());
        out.clear();
        match literal.escaped {
            true => decode_with_map(raw, out, &mut map),
            false => out.extend_from_slice(raw),
        }
        let inner = self.breaks(&(literal.start..literal.end));
        if !inner.is_empty() {
            // The payload is itself the text of a string, in which escapes stand for characters of this one.
            let base = self.offset(literal.start);
            map.through(inner.iter().map(|(at, _)| at - literal.start), |raw| {
                (self.offset(literal.start + raw) - base) as usize
            });
        }
        map
    }
}
