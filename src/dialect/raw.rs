//! The reader for raw text: one assistant message, from the first byte to the last, or, where the text has headers with
//! roles, the messages of a conversation.
//!
//! With hindsight, a text is undecided up to its first delimiter. A long undecided text is read ahead without a copy
//! ([`Ahead`]), and a second time when its beginning is known; its bytes stay in the buffer of the input. The same goes
//! for a long text behind an opening tag that counts only if it is closed: it is read when a closing tag has come.

use super::formats::chat::patch::{Target, TextRewriter};
use super::inline_text::{Noted, TextReader};
use super::lines::{Other, TextLines};
use super::reader::Suspect;
use crate::inline::{Ahead, Beginning, Known, LastClose, Note, Options, Tags};
use crate::json::text::Map;
use crate::model::{Event, Facts, Kind, Piece, Role, Sink};
use crate::span::Span;
use std::collections::VecDeque;

/// Reads one raw text.
pub struct RawReader<'t> {
    tags: &'t Tags,
    options: Options,
    pass: Pass,
    text_reader: TextReader<'t>,
    /// What the first pass found the text to begin with.
    beginning: Option<Beginning>,
    /// Reads a long undecided text without a copy.
    ahead: Option<Ahead<'t>>,
    second: SecondRead<'t>,
    /// No closing tag begins at or behind this offset of the text.
    no_close_from: Option<u64>,
    /// The text has begun.
    started: bool,
    /// How many messages [`Facts`] have counted so far.
    counted: u64,
    talk: RawMessages<'t>,
    notes: Vec<Noted>,
}

/// Text that waits to be read, or to be read a second time.
#[derive(Default)]
struct SecondRead<'t> {
    /// The ranges of that text in the input.
    texts: VecDeque<Span>,
    /// The text is read up to this offset of the input. What stands between it and new text is read first.
    read_to: u64,
    again: bool,
    /// Set while an opening tag waits for its closing tag: only closing tags are searched for until one comes.
    paused: Option<LastClose<'t>>,
}

/// How often a raw text is read. Without a first pass, nothing can go out before its first delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Once. If more than so many bytes wait for the first delimiter, they are read again instead of copied.
    Once(usize),
    /// The first of two: only what the text begins with is looked for. No closing tag begins at or behind this offset.
    First(u64),
    /// The second of two, with what the first found.
    Second(Known),
}

impl Default for Pass {
    fn default() -> Self {
        Pass::Once(1 << 20)
    }
}

/// The most bytes that are read a second time in one call.
const AGAIN: u64 = 1 << 20;

/// The messages of a raw text, and where they are sent.
struct RawMessages<'t> {
    /// A message is open.
    open: bool,
    /// How many have begun.
    messages: u64,
    /// White space before the first message: its text and its ranges in the input.
    blank: (Vec<u8>, Vec<Span>),
    /// Rewrites the text in another dialect.
    rewriter: Option<TextRewriter>,
    /// Looks for other formats among the visible lines, if that is wanted.
    lines: Option<Box<TextLines<'t>>>,
    /// The last line in another format, and where the first one begins that stays in the output.
    read_line: Option<Other>,
    other: Option<u64>,
    /// The last piece that was sent is visible, so that it stays.
    stays: bool,
}

impl RawMessages<'_> {
    fn begin(&mut self, role: Role, sink: &mut dyn Sink) {
        if !std::mem::replace(&mut self.open, true) {
            self.messages += 1;
            sink.event(&Event::MessageStart { lane: 0, role, joined: false, bare: false, conversation: 0 });
        }
    }

    /// Begins the first message, with the white space at the start as its text.
    fn lead(&mut self, sink: &mut dyn Sink) {
        self.begin(Role::Assistant, sink);
        let (text, at) = std::mem::take(&mut self.blank);
        if !text.is_empty() {
            let (lane, kind, text, at) = (0, Kind::Visible, text.as_slice(), at.as_slice());
            sink.event(&Event::Piece(Piece { lane, kind, fresh: false, text, escaped: false, whole: false, at }));
        }
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        if std::mem::replace(&mut self.open, false) {
            sink.event(&Event::MessageEnd { lane: 0, element: None });
        }
    }

    fn piece(&mut self, piece: &Piece<'_>, sink: &mut dyn Sink) {
        // A line in another format is reported only if it stays.
        if let Some(line) =
            self.read_line.filter(|line| piece.at.iter().any(|at| at.start <= line.end && line.end < at.end))
        {
            self.read_line = None;
            self.other = self.other.or(piece.kind.is_visible().then_some(line.line));
        }
        if !piece.at.is_empty() {
            self.stays = piece.kind.is_visible();
        }
        // White space before the first header of a transcript is no message.
        if !self.open && self.messages == 0 && self.rewriter.is_none() {
            if piece.kind == Kind::Visible && piece.text.trim_ascii().is_empty() {
                self.blank.0.extend_from_slice(piece.text);
                self.blank.1.extend_from_slice(piece.at);
                return;
            }
            if !matches!(piece.kind, Kind::Turn(_)) {
                self.lead(sink);
            }
        }
        match piece.kind {
            Kind::Turn(role) => {
                self.end(sink);
                self.begin(role, sink);
            }
            Kind::Tool => {
                self.begin(Role::Assistant, sink);
                sink.event(&Event::ToolCall(0));
            }
            _ => self.begin(Role::Assistant, sink),
        }
        match &mut self.rewriter {
            Some(rewriter) => rewriter.piece(piece, sink),
            None if matches!(piece.kind, Kind::Turn(_)) => (),
            None => sink.event(&Event::Piece(*piece)),
        }
    }
}

impl<'t> RawReader<'t> {
    /// A reader for one text. `lines` looks for other formats in it.
    pub fn new(
        tags: &'t Tags,
        options: Options,
        pass: Pass,
        to: Option<Target>,
        lines: Option<Box<TextLines<'t>>>,
    ) -> Self {
        let blank = (Vec::new(), Vec::new());
        let rewriter = to.map(TextRewriter::new);
        let talk =
            RawMessages { open: false, messages: 0, blank, rewriter, lines, read_line: None, other: None, stays: true };
        let text_reader = match pass {
            Pass::Second(Known { beginning, no_close_from }) => {
                TextReader::knowing(tags, options, beginning, Some(no_close_from))
            }
            Pass::Once(_) | Pass::First(_) => TextReader::new(tags, options, true),
        };
        let ahead = match pass {
            Pass::First(no_close_from) => Some(Ahead::new(tags, options, Some(no_close_from))),
            Pass::Once(_) | Pass::Second(_) => None,
        };
        Self {
            tags,
            options,
            pass,
            beginning: None,
            text_reader,
            ahead,
            second: SecondRead::default(),
            no_close_from: None,
            started: false,
            counted: 0,
            talk,
            notes: Vec::new(),
        }
    }

    /// Reads more of the text, which stands at `input` and has a `{` or a `:` at each of the `marks`.
    pub fn read(&mut self, text: &[u8], marks: &[usize], input: u64, sink: &mut dyn Sink) -> Facts {
        let first = !std::mem::replace(&mut self.started, true);
        let talk = &mut self.talk;
        talk.read_line = talk.lines.as_mut().and_then(|lines| lines.look(text, marks, input)).or(talk.read_line);
        self.keep(input, text.len());
        match &mut self.second.paused {
            Some(last_close) => {
                last_close.feed(text);
                if last_close.found() {
                    self.second.paused = None;
                    self.second.again = true;
                }
            }
            None => self.take(text, input, sink),
        }
        Facts { dialect: first.then_some(super::text::ROW.name), ..self.facts() }
    }

    /// Reads text for the first time, or again with what is known by now.
    fn take(&mut self, text: &[u8], input: u64, sink: &mut dyn Sink) {
        self.second.read_to = input + text.len() as u64;
        if let Some(ahead) = &mut self.ahead {
            if let Some(beginning) = ahead.feed(text) {
                self.begin(beginning);
            }
            return;
        }
        self.feed(text, input, sink);
        let buffered = self.text_reader.buffered();
        let large = matches!(self.pass, Pass::Once(copied) if buffered > copied) && !self.tags.has_marker();
        let open = self.text_reader.is_open() && !self.tags.has_marker();
        while let Some(first) = self.second.texts.front_mut().filter(|_| !open) {
            first.start = first.start.max(self.second.read_to.min(first.end));
            if first.start < first.end {
                break;
            }
            self.second.texts.pop_front();
        }
        if large && !self.second.again && self.text_reader.waits_for_close() {
            self.second.paused = Some(self.text_reader.look_for_close(self.tags));
        } else if large && open {
            let text_reader = std::mem::replace(&mut self.text_reader, TextReader::new(self.tags, self.options, true));
            self.ahead = Some(text_reader.ahead());
        }
    }

    /// The messages that were not counted yet. Text counts as a message even while all of it is undecided.
    fn facts(&mut self) -> Facts {
        let before = std::mem::replace(&mut self.counted, self.talk.messages.max(u64::from(self.started)));
        Facts { messages: self.counted - before, ..Facts::default() }
    }

    fn feed(&mut self, text: &[u8], input: u64, sink: &mut dyn Sink) {
        let (talk, noted) = (&mut self.talk, self.notes.len());
        self.text_reader.feed(text, input, Map::default(), &mut self.notes, &mut |piece| talk.piece(piece, sink));
        talk.rewriter.iter_mut().for_each(|rewriter| rewriter.note(&self.notes[noted..]));
    }

    /// Keeps the range of a text that may be read a second time.
    fn keep(&mut self, input: u64, len: usize) {
        if self.is_first() {
            return;
        }
        let end = input + len as u64;
        match self.second.texts.back_mut() {
            Some(last) if last.end == input => last.end = end,
            _ => self.second.texts.push_back(Span::new(input, end)),
        }
    }

    fn begin(&mut self, beginning: Beginning) {
        if self.is_first() {
            self.beginning = Some(beginning);
            return;
        }
        self.ahead = None;
        self.text_reader = TextReader::knowing(self.tags, self.options, beginning, self.no_close_from);
        self.second.read_to = self.second.texts.front().map_or(self.second.read_to, |text| text.start);
        self.second.again = true;
    }

    fn is_first(&self) -> bool {
        matches!(self.pass, Pass::First(_))
    }

    /// What the first pass found the text to begin with, once that is known.
    pub fn beginning(&self) -> Option<Beginning> {
        self.beginning
    }

    /// All text has come. Returns whether some of it is still to be read, or to be read again.
    pub fn all_is_there(&mut self, sink: &mut dyn Sink) -> bool {
        if let Some(ahead) = self.ahead.take() {
            self.begin(ahead.finish());
        }
        if let Some(last_close) = self.second.paused.take() {
            if !last_close.finds() {
                let talk = &mut self.talk;
                self.text_reader.nothing_closes(&mut self.notes, &mut |piece| talk.piece(piece, sink));
                self.no_close_from = self.text_reader.no_close_from();
            }
            self.second.again = true;
        }
        self.second.again &= self.behind().is_some();
        self.second.again
    }

    /// The next range that [`RawReader::again`] must read before new text, if there is one.
    pub fn behind(&self) -> Option<Span> {
        let next = self.second.texts.iter().find(|text| self.second.again && text.end > self.second.read_to)?;
        let start = next.start.max(self.second.read_to);
        Some(Span::new(start, next.end.min(start + AGAIN)))
    }

    /// Reads the range that [`RawReader::behind`] returned.
    pub fn again(&mut self, text: &[u8], input: u64, sink: &mut dyn Sink) -> Facts {
        self.take(text, input, sink);
        self.second.again &= self.behind().is_some();
        self.facts()
    }

    /// The text is over.
    pub fn finish(&mut self, sink: &mut dyn Sink) -> Facts {
        self.second.texts.clear();
        if self.started && !self.is_first() {
            let talk = &mut self.talk;
            let noted = self.notes.len();
            talk.read_line = talk.lines.as_mut().and_then(|lines| lines.finish()).or(talk.read_line);
            self.text_reader.finish(&mut self.notes, &mut |piece| talk.piece(piece, sink));
            talk.rewriter.iter_mut().for_each(|rewriter| rewriter.note(&self.notes[noted..]));
            if talk.messages == 0 {
                talk.lead(sink);
            }
            if let Some(mut rewriter) = talk.rewriter.take() {
                rewriter.finish(sink);
            }
            talk.end(sink);
            // The last line may have been sent before its end was known.
            let last = talk.read_line.filter(|_| talk.stays);
            talk.other = talk.other.or(last.map(|line| line.line));
        }
        self.facts()
    }

    /// The part of a line at `offset` that may be reasoning, if the line is JSON.
    pub fn suspect(&mut self, line: &[u8], offset: u64) -> Option<Suspect> {
        self.talk.lines.as_mut()?.suspect(line, offset)
    }

    /// Where the first visible line in another format that may hold reasoning begins: an offset in the input.
    pub fn other(&self) -> Option<u64> {
        self.talk.other
    }

    /// Whether the next text is in a block of reasoning, whatever follows.
    pub fn thinks(&self) -> bool {
        self.ahead.as_ref().map_or_else(|| self.text_reader.thinks(), Ahead::thinks)
    }

    /// How many bytes of text are buffered in a copy.
    pub fn buffered(&self) -> usize {
        self.text_reader.buffered()
    }

    /// The first byte that may be read a second time.
    pub fn needed(&self) -> Option<u64> {
        self.second.texts.front().map(|text| text.start)
    }

    /// The first byte of the input that is not decided yet.
    pub fn undecided(&self) -> Option<u64> {
        let whole = self.talk.rewriter.as_ref().filter(|_| self.started).and_then(TextRewriter::from);
        whole.or_else(|| self.text_reader.undecided()).into_iter().chain(self.needed()).min()
    }

    /// What was noticed since the last call.
    pub fn notes(&mut self) -> Vec<(u64, Note)> {
        std::mem::take(&mut self.notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline::Unclosed;

    struct Nobody;

    impl Sink for Nobody {
        fn event(&mut self, _: &Event<'_>) {}
    }

    /// No copy is kept of a long text behind an opening tag that counts only if it is closed, also if there are several.
    #[test]
    fn text_that_waits_for_a_closing_tag_is_not_copied() {
        let tags = Tags::default();
        let options = Options { unclosed: Some(Unclosed::Visible), ..Options::default() };
        let mut reader = RawReader::new(&tags, options, Pass::Once(100), None, None);
        let text = format!("<think>{}</think>", "Add them up. ".repeat(100)).repeat(3).into_bytes();
        let mut most = 0;
        for (i, piece) in text.chunks(50).enumerate() {
            reader.read(piece, &[], i as u64 * 50, &mut Nobody);
            while let Some(span) = reader.behind() {
                reader.again(&text[span.start as usize..span.end as usize], span.start, &mut Nobody);
            }
            most = most.max(reader.buffered());
        }
        assert!(most < 200, "{most}");
    }
}
