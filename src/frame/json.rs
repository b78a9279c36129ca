//! One JSON value. The elements of a top-level array are records of their own, so that an array of any length
//! passes through in the memory of its largest element. Where it is asked for, a list of messages is one record instead, up to
//! [`MAX_CONVERSATION_BYTES`]: what becomes of a message may depend on the others.
//!
//! Only strings and brackets are followed here. Whether an element is valid JSON is checked by its reader.

use super::{Frame, FrameKind, FrameStep, is_space};
use crate::error::ErrorKind::{CutOff, Invalid};
use crate::error::{Error, ErrorKind};
use crate::json::member;
use memchr::{memchr, memchr2};

/// The record separator of a sequence.
pub const SEPARATOR: u8 = 0x1E;

/// The framer for one JSON value; if not `strict`, for several, one after another. In a `sequence` (RFC 7464) a record
/// separator stands before each value, and each value is one record.
#[derive(Debug)]
pub struct JsonFramer {
    strict: bool,
    sequence: bool,
    state: JsonState,
    /// Brackets and strings were followed up to here.
    scanned: usize,
    value: BracketState,
    comma: Option<usize>,
    /// How many values are complete.
    values: u64,
    /// The value ends here; a line end may follow.
    ended: Option<usize>,
    /// The top-level array is looked at for messages.
    list: Option<ListState>,
}

/// The longest list of messages that is read as one record, in bytes.
pub const MAX_CONVERSATION_BYTES: usize = 16 << 20;

/// What is known of a top-level array before any of it is given out.
#[derive(Debug, Default)]
struct ListState {
    /// The most bytes of one.
    most: usize,
    /// Its first element, and all of it, each with how far brackets and strings were followed.
    first: Option<(BracketState, usize)>,
    all: Option<(BracketState, usize)>,
    /// Its first element is a message.
    is_conversation: bool,
}

/// The position of the buffer's start in the top level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JsonState {
    /// Before a value.
    Before,
    /// After `[`.
    First,
    /// After an element.
    After,
    /// After the comma that follows an element.
    Next,
    /// Inside a value that is not an array.
    Whole,
    /// Inside an element.
    Element,
    /// The brackets do not match: nothing more is understood.
    Broken,
}

/// The state while brackets and strings of a value are followed.
#[derive(Debug, Default)]
pub(super) struct BracketState {
    start: usize,
    depth: usize,
    string: bool,
    bare: bool,
}

impl JsonFramer {
    pub(super) fn new(strict: bool) -> Self {
        let (state, value, comma) = (JsonState::Before, BracketState::default(), None);
        Self { strict, sequence: false, state, scanned: 0, value, comma, values: 0, ended: None, list: None }
    }

    /// The same, where a list of messages is one record.
    pub(super) fn of_conversations(self, most: usize) -> Self {
        Self { list: Some(ListState { most, ..ListState::default() }), ..self }
    }

    pub(super) fn sequence() -> Self {
        Self { sequence: true, ..Self::new(false) }
    }

    pub(super) fn broken_from_the_start() -> Self {
        Self { state: JsonState::Broken, ..Self::new(false) }
    }

    pub(super) fn step(&mut self, buf: &[u8], eof: bool) -> FrameStep {
        loop {
            match self.state {
                JsonState::Broken if buf.is_empty() => return if eof { FrameStep::End } else { FrameStep::Need },
                JsonState::Broken => return Frame::step(buf.len(), FrameKind::Waste, 0..0),
                JsonState::Whole | JsonState::Element => return self.inside(buf, eof),
                _ => (),
            }
            let between = |b: &&u8| is_space(b) || self.sequence && **b == SEPARATOR;
            self.scanned += buf[self.scanned..].iter().take_while(between).count();
            let Some(&byte) = buf.get(self.scanned) else {
                return self.at_end(buf, eof);
            };
            match (self.state, byte) {
                (JsonState::Before, _) if self.strict && self.values > 0 => {
                    return self.broken(buf, Invalid, self.scanned, "text after the value");
                }
                (JsonState::Before, b'[') if !self.sequence => {
                    let whole = match &mut self.list {
                        Some(list) => list.is_conversation(buf, self.scanned, eof),
                        None => Some(false),
                    };
                    let Some(whole) = whole else { return FrameStep::Need };
                    self.list = self.list.take().map(|list| ListState { most: list.most, ..ListState::default() });
                    if whole {
                        self.begin(JsonState::Whole, byte);
                        continue;
                    }
                    self.state = JsonState::First;
                    return self.glue(if self.values > 0 { FrameKind::Edge } else { FrameKind::Glue });
                }
                (JsonState::Before, _) => self.begin(JsonState::Whole, byte),
                (JsonState::First | JsonState::After, b']') => {
                    self.state = JsonState::Before;
                    self.values += 1;
                    return self.glue(FrameKind::Edge);
                }
                (JsonState::After, b',') => {
                    self.comma = Some(self.scanned);
                    self.scanned += 1;
                    self.state = JsonState::Next;
                }
                (JsonState::After, _) => return self.broken(buf, Invalid, self.scanned, "a comma or ] is missing"),
                (JsonState::Next, b']' | b',') => {
                    return self.broken(buf, Invalid, self.scanned, "a comma without an element");
                }
                _ => self.begin(JsonState::Element, byte),
            }
        }
    }

    pub(super) fn forget(&mut self, n: usize) {
        self.scanned = self.scanned.saturating_sub(n);
        self.value.start = self.value.start.saturating_sub(n);
        self.ended = self.ended.map(|end| end.saturating_sub(n));
        self.comma = None;
    }

    /// A frame of the bytes between records up to the one at `scanned`.
    fn glue(&mut self, kind: FrameKind) -> FrameStep {
        let len = self.scanned + 1;
        self.scanned = 0;
        Frame::step(len, kind, 0..len)
    }

    fn at_end(&mut self, buf: &[u8], eof: bool) -> FrameStep {
        if !eof {
            return FrameStep::Need;
        }
        if self.state != JsonState::Before {
            return self.broken(buf, CutOff, buf.len(), "the array is cut off");
        }
        if self.strict && self.values == 0 {
            return self.broken(buf, Invalid, buf.len(), "no JSON value");
        }
        self.scanned = 0;
        if buf.is_empty() { FrameStep::End } else { Frame::glue(buf.len()) }
    }

    #[cold]
    fn broken(&mut self, buf: &[u8], kind: ErrorKind, at: usize, what: &'static str) -> FrameStep {
        self.state = JsonState::Broken;
        Frame::step(buf.len(), FrameKind::Bad(Error::of(kind, at, what)), 0..0)
    }

    fn begin(&mut self, state: JsonState, byte: u8) {
        self.state = state;
        let bare = !matches!(byte, b'{' | b'[' | b'"');
        self.value = BracketState { start: self.scanned, bare, ..BracketState::default() };
    }

    fn inside(&mut self, buf: &[u8], eof: bool) -> FrameStep {
        let before = self.scanned;
        let found = self.ended.take().or_else(|| self.value.end(buf, &mut self.scanned));
        // No value holds a record separator: a value that one cuts off is damaged, but not the next value.
        let cut = if self.sequence { memchr(SEPARATOR, &buf[before..self.scanned]).map(|n| before + n) } else { None };
        let end = match cut.or(found) {
            Some(end) => end,
            None if !eof => return FrameStep::Need,
            None => buf.len(),
        };
        // The line end behind a value of a sequence belongs to it.
        let len = match (self.sequence && cut.is_none(), buf.get(end), buf.get(end + 1)) {
            (true, None, _) | (true, Some(b'\r'), None) if !eof => {
                self.ended = Some(end);
                return FrameStep::Need;
            }
            (true, Some(b'\n'), _) => end + 1,
            (true, Some(b'\r'), Some(b'\n')) => end + 2,
            _ => end,
        };
        let element = self.state == JsonState::Element;
        let kind = if element { FrameKind::Element { comma: self.comma.take() } } else { FrameKind::Record };
        self.state = if element { JsonState::After } else { JsonState::Before };
        self.values += u64::from(!element);
        self.scanned = 0;
        Frame::step(len, kind, self.value.start..end)
    }
}

/// Where each of several values in a text ends, if these follow each other.
pub fn value_ends(text: &[u8]) -> Vec<usize> {
    let (mut framer, mut ends, mut at) = (JsonFramer { sequence: true, ..JsonFramer::new(false) }, Vec::new(), 0);
    while let FrameStep::Frame(Frame { kind: FrameKind::Record, body, .. }) = framer.step(&text[at..], true) {
        at += body.end;
        ends.push(at);
    }
    ends
}

impl ListState {
    /// Whether the array that begins at `start` is one list of messages. None while more bytes decide.
    fn is_conversation(&mut self, buf: &[u8], start: usize, eof: bool) -> Option<bool> {
        let reach = &buf[..buf.len().min(start.saturating_add(self.most))];
        let open = if eof || reach.len() < buf.len() { Some(false) } else { None };
        let from = |at: usize| (BracketState { start: at, ..BracketState::default() }, at);
        if !self.is_conversation {
            let first = reach.iter().skip(start + 1).position(|b| !is_space(b));
            let Some(first) = first.map(|n| start + 1 + n) else { return open };
            if buf[first] != b'{' {
                return Some(false);
            }
            let (value, scanned) = self.first.get_or_insert_with(|| from(first));
            let Some(end) = value.end(reach, scanned) else { return open };
            self.is_conversation = member(&buf[first..end], 0, "role").is_some();
            if !self.is_conversation {
                return Some(false);
            }
        }
        let (value, scanned) = self.all.get_or_insert_with(|| from(start));
        if value.end(reach, scanned).is_some() { Some(true) } else { open }
    }
}

impl BracketState {
    /// The end of the value. The search goes on at `scanned`.
    pub(super) fn end(&mut self, buf: &[u8], scanned: &mut usize) -> Option<usize> {
        if self.bare {
            let stop = |b: &u8| is_space(b) || matches!(b, b',' | b']' | b'}');
            let n = buf[*scanned..].iter().position(stop);
            *scanned = n.map_or(buf.len(), |n| *scanned + n);
            // A single `]` or `}` in place of a value is a record of its own, and bad.
            return n.map(|_| (*scanned).max(self.start + 1));
        }
        while let Some(&byte) = buf.get(*scanned) {
            if self.string {
                match memchr2(b'"', b'\\', &buf[*scanned..]) {
                    None => *scanned = buf.len(),
                    Some(n) if buf[*scanned + n] == b'"' => {
                        *scanned += n + 1;
                        self.string = false;
                        if self.depth == 0 {
                            return Some(*scanned);
                        }
                    }
                    Some(n) if *scanned + n + 1 < buf.len() => *scanned += n + 2,
                    Some(n) => {
                        *scanned += n;
                        return None;
                    }
                }
                continue;
            }
            *scanned += 1;
            match byte {
                b'"' => self.string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(*scanned);
                    }
                }
                _ => (),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames of `text`: `g` glue, `r` record, `e` element, `!` bad.
    fn frames(text: &str, strict: bool, piece: usize) -> String {
        all(JsonFramer::new(strict), text, piece)
    }

    fn all(mut json: JsonFramer, text: &str, piece: usize) -> String {
        let mut out = String::new();
        let (mut from, mut to) = (0, 0);
        loop {
            match json.step(&text.as_bytes()[from..to], to == text.len()) {
                FrameStep::Need => to = (to + piece).min(text.len()),
                FrameStep::End => return out,
                FrameStep::Frame(Frame { len, kind, body }) => {
                    let bytes = &text[from + body.start..from + body.end];
                    match kind {
                        FrameKind::Glue | FrameKind::Edge if !out.ends_with('g') => out.push('g'),
                        FrameKind::Record => out.push_str(&format!("r{bytes}")),
                        FrameKind::Element { .. } => out.push_str(&format!("e{bytes}")),
                        FrameKind::Bad(_) => out.push('!'),
                        _ => (),
                    }
                    from += len;
                    to = to.max(from);
                }
            }
        }
    }

    #[test]
    fn sequences() {
        for (text, want) in [
            ("\u{1e}{\"a\":1}\n\u{1e}[1]\n", "r{\"a\":1}r[1]"),
            ("\u{1e}{\n\"a\":1\n}\r\n\u{1e}2\n", "r{\n\"a\":1\n}r2"),
            ("\u{1e}{\"a\":\"x\u{1e}{\"b\":2}", "r{\"a\":\"xr{\"b\":2}"),
            ("\u{1e}\u{1e}{}\n", "r{}"),
        ] {
            for piece in [1, 2, 3, 100] {
                assert_eq!(all(JsonFramer::sequence(), text, piece), want, "{text:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn lists_of_messages() {
        for (text, most, want) in [
            (" [{\"role\":\"user\"}, 1]\n[{\"role\":\"x\"}]", 100, "r[{\"role\":\"user\"}, 1]r[{\"role\":\"x\"}]"),
            ("[{\"role\":\"user\"},1]", 19, "r[{\"role\":\"user\"},1]"),
            ("[{\"role\":\"user\"},1]", 18, "ge{\"role\":\"user\"}e1g"),
            ("[{\"role\":\"user\"},1", 100, "ge{\"role\":\"user\"}e1!"),
            ("[{\"a\":\"role\"},1][{\"role\":\"x\"}]", 100, "ge{\"a\":\"role\"}e1gr[{\"role\":\"x\"}]"),
            ("[ 1,{\"role\":\"x\"}]", 100, "ge1e{\"role\":\"x\"}g"),
            ("[]{}", 100, "gr{}"),
        ] {
            for piece in [1, 2, 3, 7, 100] {
                let framer = JsonFramer::new(false).of_conversations(most);
                assert_eq!(all(framer, text, piece), want, "{text:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn outlines() {
        for (text, strict, want) in [
            ("", false, ""),
            ("", true, "!"),
            (" {\"a\":[1,\"]\"]} ", true, "r{\"a\":[1,\"]\"]}g"),
            ("[1, {\"a\":2} ,\"x,]\"]\n", true, "ge1e{\"a\":2}e\"x,]\"g"),
            ("[]", true, "g"),
            ("[1", true, "ge1!"),
            ("[1,]", true, "ge1!"),
            ("[1 2]", true, "ge1!"),
            ("{}{}", true, "r{}!"),
            ("{}\n{}[3]", false, "r{}r{}ge3g"),
            ("\"a\\\"b\"", true, "r\"a\\\"b\""),
            ("[[[1]],[]]", true, "ge[[1]]e[]g"),
            ("]", true, "r]"),
            ("\u{c}[]", true, "r\u{c}[!"),
            ("{\"a\"", true, "r{\"a\""),
        ] {
            for piece in [1, 2, 3, 100] {
                assert_eq!(frames(text, strict, piece), want, "{text} in pieces of {piece}");
            }
        }
    }
}
