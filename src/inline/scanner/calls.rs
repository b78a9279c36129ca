//! Tool calls in text: their content is data, and its tags do not count (behaviour.md, section 4, rules 3 and 9).

use super::messages::START;
use super::types::{Scanned, StretchKind};
use super::{Mode, TagScanner};
use crate::inline::headers::MessageKind;
use crate::inline::marks::MarkRole;
use memchr::memmem;

/// An open tool call.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenToolCall {
    /// Where it begins.
    pub from: usize,
    /// The tool pair that closes it (row and number), and where its body begins. `None` for a message that calls a
    /// tool, which ends where messages end.
    pub close: Option<((usize, u8), usize)>,
    /// Its arguments are JSON; then up to where they were followed, and whether that place is in a string or behind a
    /// backslash.
    json: bool,
    at: usize,
    string: bool,
    escaped: bool,
    /// Its arguments are not JSON: quotes have no meaning.
    plain: bool,
}

impl OpenToolCall {
    /// Shifts offsets after the first `n` bytes of the text were dropped.
    pub fn shift(&mut self, n: usize) {
        let body = self.close.as_mut().map(|(_, body)| body);
        [&mut self.from, &mut self.at].into_iter().chain(body).for_each(|at| *at = at.saturating_sub(n));
    }
}

impl TagScanner {
    /// Begins the call of a message whose body begins at `body`.
    pub(super) fn message_call(&mut self, from: usize, body: usize) {
        let (json, string, escaped, plain) = (false, false, false, false);
        self.mode = Mode::Call(OpenToolCall { from, close: None, json, at: body, string, escaped, plain });
        self.place.scan = body;
    }

    /// Reads a delimiter in a message that calls a tool.
    pub(super) fn mark_in_call(
        &mut self,
        mut call: OpenToolCall,
        at: (usize, usize),
        role: MarkRole,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) {
        self.follow(&mut call, at.0);
        self.mode = Mode::Call(call);
        let start = self.text[at.0..].starts_with(b"<|start|>");
        let end = match role {
            MarkRole::End if !call.string => at.1,
            // Damaged arguments must not swallow the rest of a conversation.
            MarkRole::Header(kind) if !call.string || start || kind == MessageKind::Reasoning => at.0,
            _ => {
                self.place.scan = at.1;
                return;
            }
        };
        self.tool(call.from.max(self.place.out), end, sink);
        if matches!(role, MarkRole::End) {
            self.visible.commentary = false;
        }
    }

    /// Follows the arguments up to `end`, before they are sent.
    pub(super) fn followed(&mut self, mut call: OpenToolCall, end: usize) {
        self.follow(&mut call, end);
        self.mode = Mode::Call(call);
    }

    /// Follows the arguments up to `end`.
    fn follow(&self, call: &mut OpenToolCall, end: usize) {
        let mut at = call.at;
        while at < end && !call.plain {
            let b = self.text[at];
            match b {
                _ if call.escaped => call.escaped = false,
                b'{' | b'[' if !call.json && !call.string => call.json = true,
                b'\\' if call.string => call.escaped = true,
                b'"' if call.json => call.string = !call.string,
                // A JSON string does not span lines.
                b'\n' => call.string = false,
                _ if !call.json && !b.is_ascii_whitespace() => call.plain = true,
                _ => (),
            }
            at += 1;
        }
        call.at = call.at.max(end);
    }

    /// Reads the opening delimiter of a tool pair in visible text. It counts wherever it stands, since a cut before it
    /// must not change that.
    pub(super) fn tool_opener(&mut self, at: (usize, usize), row: usize, number: u8) {
        let (_, close) = &self.tags.rows()[row].tools[usize::from(number)];
        let known = !close.is_empty() && !self.visible.open_tools.contains(&(row, number));
        self.place.scan = at.1;
        if known {
            let (json, string, escaped, plain) = (false, false, false, true);
            let close = Some(((row, number), at.1));
            self.mode = Mode::Call(OpenToolCall { from: at.0, close, json, at: at.1, string, escaped, plain });
        }
    }

    /// Whether a call follows the opening delimiter of a tool in a block, which ends at it if nothing else ends it: a model that
    /// thinks of calls may name it. None: more text decides.
    pub(super) fn begins_call(&self, end: usize, eof: bool) -> Option<bool> {
        // More of a delimiter that is only the beginning of a tag follows.
        if !self.text[..end].ends_with(b">") && !self.text[..end].ends_with(b"]") {
            return Some(true);
        }
        let near = &self.text[end..self.text.len().min(end + MAX_NEAR_BYTES)];
        match near.iter().position(|b| !matches!(b, b' ' | b'\t')) {
            Some(0) => Some(near[0].is_ascii_alphanumeric() || begins_body(near[0])),
            Some(at) => Some(begins_body(near[at])),
            None if near.len() == MAX_NEAR_BYTES => Some(false),
            None => eof.then_some(true),
        }
    }

    /// Searches for the end of a call of a tool pair. Returns whether scanning can go on.
    pub(super) fn span(
        &mut self,
        call: OpenToolCall,
        (pair, body): ((usize, u8), usize),
        eof: bool,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> bool {
        let (open, close) = &self.tags.rows()[pair.0].tools[usize::from(pair.1)];
        let Some(begins) = begins_arguments(&self.text[body..]).or(eof.then_some(false)) else { return false };
        let rest = &self.text[self.place.scan..];
        let another = match begins {
            false => memmem::find(rest, open.as_bytes()),
            // Arguments may quote an opening delimiter, but not on a line of its own.
            true => memmem::find(rest, format!("\n{open}").as_bytes()).map(|n| n + 1),
        };
        // Arguments do not span messages, either.
        let near = &rest[..another.unwrap_or(rest.len())];
        let over =
            [END, START].iter().filter(|_| self.messages.found_header).filter_map(|token| memmem::find(near, token));
        let limit = another.into_iter().chain(over).min();
        let found = memmem::find(&rest[..limit.unwrap_or(rest.len())], close.as_bytes());
        if limit.is_some() && found.is_none() {
            // Calls do not nest: the first opening delimiter was only a mention, and reasoning may follow it.
            self.mode = Mode::Visible;
            self.place.scan = body;
            return true;
        }
        if let Some(n) = found {
            // What ends the call may be the beginning of what shows that it is none.
            let tokens: &[&[u8]] = if self.messages.found_header { &[END, START] } else { &[] };
            if !eof && tokens.iter().chain([&open.as_bytes()]).any(|word| may_begin(rest, n, word)) {
                return false;
            }
            let end = self.place.scan + n + close.len();
            self.tool(call.from, end, sink);
            return true;
        }
        if eof {
            // The call's text is scanned like any other. But if the call is the whole message, closing tags in it are
            // arguments of a call that was cut off. Behind other text, one may end reasoning that began there.
            self.visible.open_tools.push(pair);
            let before = self.text.get(self.visible.blank_to..call.from).unwrap_or_default();
            let only = memmem::find(&self.text[body..], open.as_bytes()).is_none();
            self.visible.cut_call |=
                only && !self.visible.sent_text && !self.visible.has_text && before.trim_ascii().is_empty();
            self.mode = Mode::Visible;
            self.place.scan = body;
            return true;
        }
        self.place.scan = self
            .place
            .scan
            .max((self.text.len() + 1).saturating_sub((open.len() + 1).max(close.len()).max(START.len())));
        false
    }

    /// Sends the call from `from` to `end`.
    fn tool(&mut self, from: usize, end: usize, sink: &mut dyn FnMut(Scanned<'_>)) {
        self.mode = Mode::Visible;
        if self.start.open {
            self.look_at_code(from);
            self.start.strays.push((from, end, StretchKind::Tool));
        } else {
            self.visible(from, sink);
            self.send(StretchKind::Tool, end, sink);
            self.call_over(sink);
        }
        self.go_on_at(end);
        self.code.tracker.after_block();
    }

    /// Ends the last call that was sent: another may follow it directly.
    pub(super) fn call_over(&mut self, sink: &mut dyn FnMut(Scanned<'_>)) {
        if !self.blocks.refused {
            sink(Scanned { part: StretchKind::Tool, at: self.place.base + self.place.out as u64, text: b"" });
        }
    }
}

/// Whether the end of a text is the beginning of a word, at `last` or before.
fn may_begin(text: &[u8], last: usize, word: &[u8]) -> bool {
    let from = (text.len() + 1).saturating_sub(word.len());
    (from..=last).any(|at| word.starts_with(&text[at..]))
}

/// Ends a message, in a text of messages with headers.
const END: &[u8] = b"<|end|>";

/// How arguments begin, in contrast to prose behind an opening delimiter that is only mentioned.
const ARGUMENTS: [&[u8]; 5] = [b"{", b"[", b"<function", b"<invoke", b"<parameter"];

/// How far behind the delimiter of a tool its call is looked for, in bytes.
const MAX_NEAR_BYTES: usize = 64;

/// Whether a call may begin with a byte, behind blanks.
fn begins_body(byte: u8) -> bool {
    matches!(byte, b'{' | b'[' | b'<' | b'"' | b'\n' | b'\r')
}

/// Whether `text`, behind the opening delimiter of a call, is arguments; `None` while that is not known. Text before
/// the delimiter does not count, since a cut may change it.
fn begins_arguments(text: &[u8]) -> Option<bool> {
    // Not any number of blanks, which would be searched again with every piece.
    let (text, room) = (text[..text.len().min(64)].trim_ascii_start(), text.len() < 64);
    if ARGUMENTS.iter().any(|begin| text.starts_with(begin)) {
        return Some(true);
    }
    let open = room && ARGUMENTS.iter().any(|begin| begin.starts_with(text));
    (!open).then_some(false)
}
