//! The state machine: the text of one message comes in pieces, decided stretches of it go out.
//!
//! Text is held back only while a later byte could change what it is: behind a delimiter that is not complete, behind
//! an opener that counts only if it is closed, behind a closer that may not be the last, and, with hindsight, from
//! the start to the first delimiter (SPEC section 4, rule 7). The same stretches come out however the text is cut.
//!
//! ADVICE: offsets inside this file are into `text`; `base` is what has gone out before it. Positions that survive a
//! call must be shifted in `compact`. A look that ends in "need more" must remember how far it looked (`wait`).

use super::code::{Code, Inside};
use super::marks::{Hit, Mark, Role, Tags};
use super::tags::{Blocks, Unclosed};
use memchr::{memchr, memchr2};
use std::ops::Range;

/// Where a block ends (SPEC section 4, rule 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Close {
    /// At the first closer.
    First,
    /// At the closer that brings the depth to zero, or else the last one.
    #[default]
    Balanced,
    /// At the last closer of the message.
    Last,
}

/// What a message begins with (SPEC section 4, rule 7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The first delimiter decides, with hindsight.
    #[default]
    Hindsight,
    /// Visible text, since what has been passed on cannot be called back; a closer that comes first is an error.
    Live,
    /// Visible text.
    Visible,
    /// Reasoning.
    Reasoning,
}

/// How tags are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Where a block ends.
    pub close: Close,
    /// What a message begins with.
    pub start: Start,
    /// What an opener without a closer means, where it is not as the row says.
    pub unclosed: Option<Unclosed>,
    /// How many blocks count, where it is not as the row says.
    pub blocks: Option<Blocks>,
}

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text of the answer.
    Visible,
    /// A delimiter that opens a block. An implied one is empty.
    Open,
    /// Text of the reasoning.
    Reasoning,
    /// A delimiter that closes a block. Empty where the input does not close it.
    Close,
    /// A closer without a block, or the wrapper of an answer.
    Stray,
    /// What stands behind an opener that should have been closed ([`Note::UnclosedError`]).
    Refused,
}

/// A decided stretch of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// What it is.
    pub part: Part,
    /// Offset of its first byte in the message's text.
    pub at: u64,
    /// Its bytes.
    pub text: &'a [u8],
}

/// Something that the user may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A closer without a block was removed.
    Stray,
    /// A block was never closed.
    Unclosed,
    /// The user wanted an error for a block that is never closed; it opens at this offset of the text.
    UnclosedError(u64),
    /// A closer came when the text before it had been passed on as visible; its offset.
    LateCloser(u64),
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    Visible,
    Block(Block),
}

#[derive(Clone, Copy, Debug)]
struct Block {
    /// `None`: the opener is implied, and every row that may lack one closes it.
    row: Option<usize>,
    open: (usize, usize),
    depth: usize,
    /// Counts only if it is closed: nothing of it goes out before.
    tentative: bool,
    /// The last closer, if the block may end there.
    closer: Option<(usize, usize)>,
    /// The first tool marker, if the block may end there.
    tool: Option<usize>,
    /// Its opener has gone out.
    begun: bool,
    /// A delimiter was seen in it.
    marked: bool,
}

impl Block {
    fn new(row: Option<usize>, open: (usize, usize), tentative: bool) -> Self {
        Self { row, open, depth: 1, tentative, closer: None, tool: None, begun: false, marked: false }
    }
}

/// What must arrive before it is worth looking again, and how far the last look went.
#[derive(Clone, Copy, Debug)]
enum Wait {
    Attributes(usize),
    Code { tick: bool, searched: usize },
}

/// One message's text on its way through. See the module's documentation.
pub struct Lane<'t> {
    tags: &'t Tags,
    options: Options,
    text: Vec<u8>,
    base: u64,
    /// Everything before has gone out.
    out: usize,
    /// Everything before has been searched for delimiters.
    scan: usize,
    mode: Mode,
    /// No delimiter has decided yet what the message began with.
    open_start: bool,
    /// Stray delimiters that go out when the start is decided.
    strays: Vec<(usize, usize)>,
    /// A block was taken; a block of a strict row was.
    seen: bool,
    seen_strict: bool,
    /// Rows of which no closer comes any more, as bits.
    dead: u64,
    code: Code,
    /// `code` has seen the visible text up to here.
    coded: usize,
    /// Up to here text is known to be code; where the last look for its end stopped.
    in_code: usize,
    look: usize,
    wait: Option<Wait>,
    /// A block of this row has just ended and only white space followed: its wrapper may open.
    wrapper_of: Option<usize>,
    /// The wrapper that is open: row and number.
    wrapped: Option<(usize, u8)>,
    /// The last bytes of visible text that went out.
    recent: Vec<u8>,
    /// The beginning of a delimiter that stands before a cut at `scan`.
    join: Vec<u8>,
    notes: Vec<Note>,
    refused: bool,
}

/// Longer than any exact delimiter, so that one which a cut would put together is seen.
const RECENT: usize = 64;

/// What to do after a delimiter was looked at.
enum Next {
    Go,
    Wait,
}

impl<'t> Lane<'t> {
    /// The start of a message.
    pub fn new(tags: &'t Tags, options: Options) -> Self {
        let implied = Block::new(None, (0, 0), false);
        let reasoning = options.start == Start::Reasoning;
        Self {
            tags,
            options,
            text: Vec::new(),
            base: 0,
            out: 0,
            scan: 0,
            mode: if reasoning { Mode::Block(implied) } else { Mode::Visible },
            open_start: options.start == Start::Hindsight,
            strays: Vec::new(),
            seen: false,
            seen_strict: false,
            dead: 0,
            code: Code::default(),
            coded: 0,
            in_code: 0,
            look: 0,
            wait: None,
            wrapper_of: None,
            wrapped: None,
            recent: Vec::new(),
            join: Vec::new(),
            notes: Vec::new(),
            refused: false,
        }
    }

    /// More text. Every stretch that it decides goes to `sink`, in order.
    pub fn feed(&mut self, text: &[u8], sink: &mut dyn FnMut(Found<'_>)) {
        self.text.extend_from_slice(text);
        self.run(false, sink);
    }

    /// The message is over: the rest is decided.
    pub fn finish(&mut self, sink: &mut dyn FnMut(Found<'_>)) {
        self.wait = None;
        loop {
            self.run(true, sink);
            if !self.end(sink) {
                break;
            }
        }
        self.visible(self.text.len(), sink);
    }

    /// The offset up to which everything has gone out.
    pub fn decided(&self) -> u64 {
        self.base + self.out as u64
    }

    /// What was noticed since the last call.
    pub fn notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    fn run(&mut self, eof: bool, sink: &mut dyn FnMut(Found<'_>)) {
        if self.waits(eof) {
            return;
        }
        if !self.join.is_empty() && !self.joined(eof, sink) {
            return;
        }
        loop {
            let Some(i) = self.tags.candidate(&self.text, self.scan) else {
                self.scan = self.text.len();
                break;
            };
            self.scan = i;
            match self.tags.at(&self.text, i, eof) {
                Hit::No => self.scan = i + 1,
                Hit::Partial => break,
                Hit::Attributes => {
                    self.wait = Some(Wait::Attributes(self.text.len()));
                    break;
                }
                Hit::Yes(mark) => {
                    if let Next::Wait = self.mark(i, mark, eof, sink) {
                        break;
                    }
                    if !self.join.is_empty() && !self.joined(eof, sink) {
                        break;
                    }
                }
            }
        }
        self.release(sink);
        self.compact();
    }

    /// Whether what a look needs has not arrived.
    fn waits(&mut self, eof: bool) -> bool {
        let (from, found) = match self.wait {
            None => return false,
            Some(Wait::Attributes(from)) => (from, memchr2(b'<', b'>', &self.text[from..])),
            Some(Wait::Code { tick: true, searched }) => (searched, memchr2(b'`', b'\n', &self.text[searched..])),
            Some(Wait::Code { tick: false, searched }) => (searched, memchr(b'\n', &self.text[searched..])),
        };
        if found.is_some() || eof {
            self.wait = None;
            return false;
        }
        let all = self.text.len().max(from);
        match &mut self.wait {
            Some(Wait::Attributes(from)) => *from = all,
            Some(Wait::Code { searched, .. }) => *searched = all,
            None => (),
        }
        true
    }

    fn mark(&mut self, i: usize, mark: Mark, eof: bool, sink: &mut dyn FnMut(Found<'_>)) -> Next {
        let end = i + mark.len;
        if let Mode::Block(block) = self.mode {
            self.mark_in_block(block, (i, end), mark, sink);
            return Next::Go;
        }
        let row = &self.tags.rows()[mark.row];
        let strict = row.strict && matches!(mark.role, Role::Open | Role::Close);
        if !strict && !matches!(mark.role, Role::Tool) {
            match self.is_code(i, eof) {
                None => return Next::Wait,
                Some(true) => {
                    self.scan = i + 1;
                    return Next::Go;
                }
                Some(false) => (),
            }
        }
        match mark.role {
            Role::Tool => self.scan = end,
            Role::WrapOpen(n) if self.wrapper_of == Some(mark.row) && self.blank_since(i) => {
                self.wrapped = Some((mark.row, n));
                self.stray((i, end), sink);
                self.wrapper_of = None;
            }
            Role::WrapClose(n) if self.wrapped == Some((mark.row, n)) => {
                self.wrapped = None;
                self.stray((i, end), sink);
            }
            Role::WrapOpen(_) | Role::WrapClose(_) => self.scan = end,
            Role::Open => self.opener((i, end), mark.row, sink),
            Role::Close if strict => self.scan = end,
            Role::Close if self.open_start && row.missing_open => self.implied((i, end), mark.row, sink),
            Role::Close => {
                let late = self.options.start == Start::Live && row.missing_open && !self.seen;
                let note = if late { Note::LateCloser(self.base + i as u64) } else { Note::Stray };
                self.notes.push(note);
                self.stray((i, end), sink);
            }
        }
        Next::Go
    }

    /// A closer at the end of reasoning whose opener is not in the text.
    fn implied(&mut self, at: (usize, usize), row: usize, sink: &mut dyn FnMut(Found<'_>)) {
        self.strays.clear();
        self.emit(Part::Open, self.out, sink);
        self.emit(Part::Reasoning, at.0, sink);
        self.emit(Part::Close, at.1, sink);
        self.code = Code::default();
        self.block_ended(Some(row), at.1);
    }

    fn opener(&mut self, at: (usize, usize), row: usize, sink: &mut dyn FnMut(Found<'_>)) {
        let tag = &self.tags.rows()[row];
        let blocks = self.options.blocks.unwrap_or(tag.blocks);
        if blocks == Blocks::One && (self.seen_strict || self.seen && !tag.strict) {
            self.scan = at.1;
            return;
        }
        let unclosed = self.options.unclosed.unwrap_or(tag.unclosed);
        let place = if tag.strict { unclosed != Unclosed::Visible } else { self.at_boundary(at.0) };
        let tentative = !place || unclosed != Unclosed::Reasoning;
        if tentative && self.dead & bit(row) != 0 {
            if place && unclosed == Unclosed::Error {
                self.visible(at.0, sink);
                self.refuse(at.0);
            }
            self.scan = at.1;
            return;
        }
        let mut block = Block::new(Some(row), at, tentative);
        if !tentative {
            self.open_start = false;
            self.begin_block(&mut block, sink);
        }
        self.mode = Mode::Block(block);
        self.scan = at.1;
    }

    /// Rule 6: the start of the message, of a line, or right after a block.
    fn at_boundary(&mut self, i: usize) -> bool {
        self.look_at_code(i);
        self.code.margin()
    }

    fn mark_in_block(&mut self, mut block: Block, at: (usize, usize), mark: Mark, sink: &mut dyn FnMut(Found<'_>)) {
        self.scan = at.1;
        let mine = match block.row {
            Some(row) => row == mark.row,
            None => self.tags.rows()[mark.row].missing_open || self.tags.rows().len() == 1,
        };
        // An opener that stands where an implied one was assumed is the real one.
        let first = block.row.is_none() && !block.marked && self.blank_start(at.0);
        block.marked = true;
        match mark.role {
            Role::Open if first => {
                (block.row, block.open) = (Some(mark.row), at);
                self.begin_block(&mut block, sink);
            }
            Role::Open if mine => block.depth += 1,
            Role::Close if mine => {
                block.depth = block.depth.saturating_sub(1);
                block.closer = Some(at);
                let done = match self.options.close {
                    Close::First => true,
                    Close::Balanced => block.depth == 0,
                    Close::Last => false,
                };
                if done {
                    return self.close_block(block, at, sink);
                }
            }
            Role::Tool if mine && block.tool.is_none() => block.tool = Some(at.0),
            _ => (),
        }
        self.mode = Mode::Block(block);
    }

    /// The block ends with the closer at `at`.
    fn close_block(&mut self, mut block: Block, at: (usize, usize), sink: &mut dyn FnMut(Found<'_>)) {
        self.begin_block(&mut block, sink);
        self.emit(Part::Reasoning, at.0, sink);
        self.emit(Part::Close, at.1, sink);
        self.block_ended(block.row, at.1);
    }

    /// The block is one: its opener goes out, and what was held back in front of it.
    fn begin_block(&mut self, block: &mut Block, sink: &mut dyn FnMut(Found<'_>)) {
        if !std::mem::replace(&mut block.begun, true) {
            self.visible(block.open.0, sink);
            self.emit(Part::Open, block.open.1, sink);
        }
    }

    fn block_ended(&mut self, row: Option<usize>, end: usize) {
        self.open_start = false;
        self.seen = true;
        self.seen_strict |= row.is_some_and(|row| self.tags.rows()[row].strict);
        self.mode = Mode::Visible;
        self.wrapper_of = row.or_else(|| self.tags.rows().iter().position(|r| r.missing_open));
        self.code.after_block();
        self.cut_at(end);
    }

    /// Text goes on at `end` after a cut: a delimiter may be put together there.
    fn cut_at(&mut self, end: usize) {
        (self.scan, self.coded, self.in_code, self.look) = (end, end, end, end);
        let recent = std::mem::take(&mut self.recent);
        self.join.clear();
        let begun = |i: &usize| matches!(self.tags.at(&recent, *i, false), Hit::Partial | Hit::Attributes);
        let mut from = 0;
        while let Some(i) = self.tags.candidate(&recent, from) {
            if begun(&i) {
                self.join = recent[i..].to_vec();
                break;
            }
            from = i + 1;
        }
        self.recent = recent;
    }

    /// Whether the beginning of a delimiter before a cut is settled: with the text after the cut it makes one, whose
    /// second half then goes as well, or it does not.
    fn joined(&mut self, eof: bool, sink: &mut dyn FnMut(Found<'_>)) -> bool {
        while !self.join.is_empty() {
            let rest = &self.text[self.scan..];
            let mut text = self.join.clone();
            text.extend_from_slice(&rest[..rest.len().min(4 * RECENT)]);
            let whole = eof || rest.len() > 4 * RECENT;
            match self.tags.at(&text, 0, whole) {
                Hit::Yes(Mark { role: Role::Open | Role::Close, len, .. }) if len > self.join.len() => {
                    self.notes.push(Note::Stray);
                    self.stray((self.scan, self.scan + len - self.join.len()), sink);
                }
                Hit::Partial | Hit::Attributes => return false,
                _ => self.join.clear(),
            }
        }
        true
    }

    /// A delimiter that is no part of a block leaves visible text.
    fn stray(&mut self, at: (usize, usize), sink: &mut dyn FnMut(Found<'_>)) {
        if self.open_start {
            self.look_at_code(at.0);
            let from = self.strays.last().map_or(self.out, |s| s.1);
            remember(&mut self.recent, &self.text[from..at.0]);
            self.strays.push(at);
        } else {
            self.visible(at.0, sink);
            self.emit(Part::Stray, at.1, sink);
        }
        self.cut_at(at.1);
    }

    /// The end of the message inside a block. Whether there is something left to search.
    fn end(&mut self, sink: &mut dyn FnMut(Found<'_>)) -> bool {
        let Mode::Block(mut block) = self.mode else {
            return false;
        };
        let row = block.row.map(|row| &self.tags.rows()[row]);
        if let Some(row) = block.row {
            self.dead |= bit(row);
        }
        if let Some(at) = block.closer {
            self.close_block(block, at, sink);
            return true;
        }
        let unclosed = self.options.unclosed.or(row.map(|r| r.unclosed)).unwrap_or(Unclosed::Reasoning);
        let place = match (row, block.tentative) {
            (_, false) => true,
            (Some(r), true) if r.strict => true,
            _ => unclosed != Unclosed::Reasoning && self.at_boundary(block.open.0),
        };
        if unclosed == Unclosed::Error && place {
            self.visible(block.open.0, sink);
            self.refuse(block.open.0);
        }
        if block.tentative || unclosed == Unclosed::Visible {
            // The opener is text; what stands after it is searched again.
            self.mode = Mode::Visible;
            self.scan = block.open.1;
            return true;
        }
        self.notes.push(Note::Unclosed);
        self.begin_block(&mut block, sink);
        let end = block.tool.unwrap_or(self.text.len());
        self.emit(Part::Reasoning, end, sink);
        self.emit(Part::Close, end, sink);
        self.block_ended(block.row, end);
        true
    }

    fn refuse(&mut self, at: usize) {
        if !std::mem::replace(&mut self.refused, true) {
            self.notes.push(Note::UnclosedError(self.base + at as u64));
        }
    }

    /// Whether `i` is inside code; `None` while that cannot be known.
    fn is_code(&mut self, i: usize, eof: bool) -> Option<bool> {
        self.look_at_code(i);
        if i < self.in_code {
            return Some(true);
        }
        match self.code.inside(&self.text, i, self.look, eof) {
            Inside::No => Some(false),
            Inside::Yes(end) => {
                self.in_code = end;
                Some(true)
            }
            Inside::Later { from, tick } => {
                self.look = from;
                self.wait = Some(Wait::Code { tick, searched: self.text.len() });
                None
            }
        }
    }

    /// Shows the visible text up to `i` to the code tracker.
    fn look_at_code(&mut self, i: usize) {
        if self.coded < i {
            self.code.pass(&self.text[self.coded..i]);
            self.coded = i;
        }
    }

    fn blank_since(&self, i: usize) -> bool {
        self.code.margin() && self.text[self.out.min(i)..i].iter().all(u8::is_ascii_whitespace)
    }

    /// Lets go of what no later byte can change.
    fn release(&mut self, sink: &mut dyn FnMut(Found<'_>)) {
        match self.mode {
            Mode::Visible if self.open_start => (),
            Mode::Visible => self.visible(self.scan, sink),
            Mode::Block(mut block) => {
                let unclosed = self.options.unclosed.unwrap_or(Unclosed::Reasoning);
                let undecided = block.row.is_none() && (unclosed != Unclosed::Reasoning || self.blank_start(self.scan));
                if block.tentative || undecided {
                    return;
                }
                self.begin_block(&mut block, sink);
                let held = block.closer.map(|c| c.0).into_iter().chain(block.tool).min().unwrap_or(usize::MAX);
                self.emit(Part::Reasoning, held.min(self.scan), sink);
                self.mode = Mode::Block(block);
            }
        }
    }

    /// Only white space stands before `i`, and nothing has gone out.
    fn blank_start(&self, i: usize) -> bool {
        self.base == 0 && self.out == 0 && self.text[..i].iter().all(u8::is_ascii_whitespace)
    }

    /// Visible text goes out up to `end`, and the stray delimiters in it.
    fn visible(&mut self, end: usize, sink: &mut dyn FnMut(Found<'_>)) {
        for (from, to) in std::mem::take(&mut self.strays) {
            self.emit(Part::Visible, from, sink);
            self.emit(Part::Stray, to, sink);
        }
        self.emit(Part::Visible, end, sink);
    }

    fn emit(&mut self, part: Part, end: usize, sink: &mut dyn FnMut(Found<'_>)) {
        if part == Part::Visible && end <= self.out || end < self.out {
            return;
        }
        let Range { start, end } = self.out..end;
        if part == Part::Visible {
            self.look_at_code(end);
            if self.wrapper_of.is_some() && !self.text[start..end].iter().all(u8::is_ascii_whitespace) {
                self.wrapper_of = None;
            }
            remember(&mut self.recent, &self.text[start..end]);
        }
        let part = if self.refused && part == Part::Visible { Part::Refused } else { part };
        if part != Part::Reasoning || start < end {
            sink(Found { part, at: self.base + start as u64, text: &self.text[start..end] });
        }
        self.out = end;
    }

    /// Forgets what has gone out, when that is most of the text.
    fn compact(&mut self) {
        let n = self.out;
        if n < self.text.len() / 2 + 1 {
            return;
        }
        self.text.drain(..n);
        self.base += n as u64;
        self.out = 0;
        let shift = |at: &mut usize| *at = at.saturating_sub(n);
        [&mut self.scan, &mut self.coded, &mut self.in_code, &mut self.look].into_iter().for_each(shift);
        match &mut self.wait {
            Some(Wait::Attributes(at) | Wait::Code { searched: at, .. }) => shift(at),
            None => (),
        }
        if let Mode::Block(b) = &mut self.mode {
            shift(&mut b.open.0);
            shift(&mut b.open.1);
            for at in b.closer.iter_mut().flat_map(|(a, z)| [a, z]).chain(&mut b.tool) {
                shift(at);
            }
        }
    }
}

fn bit(row: usize) -> u64 {
    1 << (row % Tags::MAX_ROWS)
}

fn remember(recent: &mut Vec<u8>, text: &[u8]) {
    let tail = &text[text.len().saturating_sub(RECENT)..];
    let keep = RECENT - tail.len();
    let from = recent.len().saturating_sub(keep);
    recent.drain(..from);
    recent.extend_from_slice(tail);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `v` visible, `[` open, `r` reasoning, `]` close, `!` stray; runs of one part are put together.
    fn parts(text: &str, options: Options, piece: usize) -> String {
        let tags = Tags::default();
        let mut lane = Lane::new(&tags, options);
        let mut found: Vec<(Part, Vec<u8>, u64)> = Vec::new();
        let mut sink = |f: Found<'_>| match found.last_mut() {
            Some((part, text, _)) if *part == f.part && matches!(part, Part::Visible | Part::Reasoning) => {
                text.extend_from_slice(f.text);
            }
            _ => found.push((f.part, f.text.to_vec(), f.at)),
        };
        for chunk in text.as_bytes().chunks(piece) {
            lane.feed(chunk, &mut sink);
        }
        lane.finish(&mut sink);
        assert_eq!(lane.decided(), text.len() as u64);
        let whole: Vec<u8> = found.iter().flat_map(|(_, text, _)| text.clone()).collect();
        assert_eq!(whole, text.as_bytes(), "every byte comes out once");
        let name = |part: &Part| match part {
            Part::Visible => "v",
            Part::Open => "[",
            Part::Reasoning => "r",
            Part::Close => "]",
            Part::Stray => "!",
            Part::Refused => "x",
        };
        let show = |(part, text, _): &(Part, Vec<u8>, u64)| match part {
            Part::Visible | Part::Reasoning | Part::Refused => {
                format!("{}({})", name(part), String::from_utf8_lossy(text))
            }
            _ => name(part).to_string(),
        };
        found.iter().map(show).collect()
    }

    fn check(text: &str, options: Options, want: &str) {
        for piece in [usize::MAX, 1, 2, 3, 7] {
            assert_eq!(parts(text, options, piece), want, "{text:?} in pieces of {piece}");
        }
    }

    #[test]
    fn blocks() {
        for (text, want) in [
            ("", ""),
            ("a", "v(a)"),
            ("<think>r</think>a", "[r(r)]v(a)"),
            ("<think></think>a", "[]v(a)"),
            ("p <think>r</think> q", "v(p )[r(r)]v( q)"),
            ("<think>r</think>a<think>s</think>b", "[r(r)]v(a)[r(s)]v(b)"),
            ("<think>r<think>s</think>t</think>a", "[r(r<think>s</think>t)]v(a)"),
            ("<think><think>r</think>a", "[r(<think>r)]v(a)"),
            ("<think>r</think>a</think>b", "[r(r)]v(a)!v(b)"),
            ("<think>r", "[r(r)]"),
            ("<think>r</thi", "[r(r</thi)]"),
            ("a</thi", "v(a</thi)"),
            ("r</think>a", "[r(r)]v(a)"),
            ("</think>a", "[]v(a)"),
            ("r</think>a</think>b", "[r(r)]v(a)!v(b)"),
            ("a</thinking>b", "v(a)!v(b)"),
            ("x</thinking>r</think>a", "[r(x</thinking>r)]v(a)"),
            ("Use <think> so.", "v(Use <think> so.)"),
            ("a\n<think>r", "v(a\n)[r(r)]"),
            ("`<think>`r</think>a", "[r(`<think>`r)]v(a)"),
            ("`</think>` a", "v(`</think>` a)"),
            ("```\n<think>\n```\na", "v(```\n<think>\n```\na)"),
            ("```\n<think>r", "v(```\n)[r(r)]"),
            ("<think>r<tool_call>{}", "[r(r)]v(<tool_call>{})"),
            ("<think>r<tool_call>{}</think>a", "[r(r<tool_call>{})]v(a)"),
            ("<think>r<reasoning>s</think>a</reasoning>b", "[r(r<reasoning>s)]v(a)!v(b)"),
            ("<REASONING>r", "v(<REASONING>r)"),
            ("a</REASONING>", "v(a</REASONING>)"),
            ("a <REASONING>r</REASONING> b", "v(a )[r(r)]v( b)"),
            ("<REASONING>r<REASONING>s</REASONING>a", "[r(r<REASONING>s)]v(a)"),
            ("x <think> y <reasoning>r</reasoning> z", "v(x <think> y )[r(r)]v( z)"),
            ("<think>r</think>\n<answer>a</answer>b", "[r(r)]v(\n)!v(a)!v(b)"),
            ("<th</thinking>ink>x", "v(<th)!!v(x)"),
            ("<th<think>r</think>ink>x", "v(<th)[r(r)]!v(x)"),
            ("<think>r</think> <think>s", "[r(r)]v( )[r(s)]"),
            ("<<think>r</think>", "v(<)[r(r)]"),
        ] {
            check(text, Options::default(), want);
        }
    }

    #[test]
    fn options() {
        let live = Options { start: Start::Live, ..Options::default() };
        let reasoning = Options { start: Start::Reasoning, ..Options::default() };
        let first = Options { close: Close::First, ..Options::default() };
        let last = Options { close: Close::Last, ..Options::default() };
        let visible = Options { unclosed: Some(Unclosed::Visible), ..Options::default() };
        let error = Options { unclosed: Some(Unclosed::Error), ..Options::default() };
        let kept = Options { unclosed: Some(Unclosed::Reasoning), ..Options::default() };
        let all = Options { blocks: Some(Blocks::All), ..Options::default() };
        for (options, text, want) in [
            (live, "r</think>a", "v(r)!v(a)"),
            (live, "<think>r</think>a", "[r(r)]v(a)"),
            (reasoning, "r</think>a", "[r(r)]v(a)"),
            (reasoning, " <think>r</think>a", "v( )[r(r)]v(a)"),
            (reasoning, "r", "[r(r)]"),
            (reasoning, "r <think> s</think>t</think>a", "[r(r <think> s</think>t)]v(a)"),
            (first, "<think>r<think>s</think>t</think>a", "[r(r<think>s)]v(t)!v(a)"),
            (last, "<think>r</think>s</think>a", "[r(r</think>s)]v(a)"),
            (visible, "<think>a", "v(<think>a)"),
            (kept, "a<REASONING>r", "v(a)[r(r)]"),
            (error, "a\n<think>r", "v(a\n)x(<think>r)"),
            (all, "<REASONING>r</REASONING>a<REASONING>s</REASONING>b", "[r(r)]v(a)[r(s)]v(b)"),
        ] {
            check(text, options, want);
        }
    }

    #[test]
    fn notes_say_what_was_removed() {
        let tags = Tags::default();
        let notes = |text: &str, options: Options| {
            let mut lane = Lane::new(&tags, options);
            lane.feed(text.as_bytes(), &mut |_| ());
            lane.finish(&mut |_| ());
            lane.notes()
        };
        let live = Options { start: Start::Live, ..Options::default() };
        let error = Options { unclosed: Some(Unclosed::Error), ..Options::default() };
        assert_eq!(notes("r</think>a", live), [Note::LateCloser(1)]);
        assert_eq!(notes("a</thinking>b", Options::default()), [Note::Stray]);
        assert_eq!(notes("<think>r", Options::default()), [Note::Unclosed]);
        assert_eq!(notes("<think>r", error), [Note::UnclosedError(0)]);
        assert_eq!(notes("a <think> b", error), []);
        assert_eq!(notes("<think>r</think>a", error), []);
    }

    #[test]
    fn every_row_proves_itself() {
        for row in crate::inline::TAGS {
            assert!(!row.examples.is_empty(), "{} has no examples", row.name);
            for (text, want) in row.examples {
                let (tags, mut visible, mut cut) = (Tags::default(), Vec::new(), false);
                let mut lane = Lane::new(&tags, Options::default());
                let mut sink = |f: Found<'_>| match f.part {
                    Part::Visible => visible.extend_from_slice(f.text),
                    _ => cut = true,
                };
                text.as_bytes().chunks(1).for_each(|c| lane.feed(c, &mut sink));
                lane.finish(&mut sink);
                let visible = String::from_utf8(visible).unwrap();
                let visible = if cut { visible.trim() } else { &visible };
                assert_eq!(visible, *want, "row {}: {text}", row.name);
            }
        }
    }
}
