//! The reader for raw text: one assistant message, from the first byte to the last, or, where the text has headers with
//! roles, the messages of a conversation.
//!
//! With hindsight, a text is undecided up to its first delimiter. A long undecided text is read ahead without a copy
//! ([`Ahead`]), and a second time when its beginning is known; its bytes stay in the buffer of the input. The same goes
//! for a long text behind an opening tag that counts only if it is closed: it is read when a closing tag has come.

mod calls;
mod messages;

use self::messages::RawMessages;
use super::ReadOptions;
use super::inline_text::{Noted, TextReader};
use crate::inline::{Ahead, Beginning, KnownBeginning, LastClose, Note, Options, Tags};
use crate::json::text::Map;
use crate::model::{Facts, Lane, Piece, PieceKind, Sink};
use crate::out::SourceBytes;
use crate::span::Span;
use std::collections::VecDeque;

/// Reads one raw text.
pub struct RawReader {
    tags: Tags,
    options: Options,
    pass: Pass,
    text_reader: TextReader,
    /// What the first pass found the text to begin with.
    beginning: Option<Beginning>,
    /// Reads a long undecided text without a copy.
    ahead: Option<Ahead>,
    second: SecondRead,
    /// No closing tag begins at or behind this offset of the text.
    no_close_from: Option<u64>,
    /// The text has begun; how many bytes of it have come.
    started: bool,
    read: u64,
    /// How many messages [`Facts`] have counted so far.
    counted: u64,
    talk: RawMessages,
    notes: Vec<Noted>,
}

/// Text that waits to be read, or to be read a second time.
#[derive(Default)]
struct SecondRead {
    /// The ranges of that text in the input.
    texts: VecDeque<Span>,
    /// The text is read up to this offset of the input. What stands between it and new text is read first.
    read_to: u64,
    again: bool,
    /// Set while an opening tag waits for its closing tag: only closing tags are searched for until one comes.
    paused: Option<LastClose>,
}

/// How often a raw text is read. Without a first pass, nothing can go out before its first delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "some columns are for the command"))]
pub enum Pass {
    /// Once. If more than so many bytes wait for the first delimiter, they are read again instead of copied.
    Once(usize),
    /// The first of two: only what the text begins with is looked for. No closing tag begins at or behind this offset.
    First(u64),
    /// The second of two, with what the first found.
    Second(KnownBeginning),
}

impl Default for Pass {
    fn default() -> Self {
        Pass::Once(1 << 20)
    }
}

/// The most bytes that are read a second time in one call.
const AGAIN: u64 = 1 << 20;

impl RawReader {
    /// A reader for one text.
    pub fn new(tags: &Tags, options: &ReadOptions, pass: Pass) -> Self {
        let talk = RawMessages::new(options);
        let options = options.in_stream(tags);
        let text_reader = match pass {
            Pass::Second(KnownBeginning { beginning, no_close_from }) => {
                TextReader::knowing(tags, options, beginning, Some(no_close_from))
            }
            Pass::Once(_) | Pass::First(_) => TextReader::new(tags, options, true),
        };
        let ahead = match pass {
            Pass::First(no_close_from) => Some(Ahead::new(tags, options, Some(no_close_from))),
            Pass::Once(_) | Pass::Second(_) => None,
        };
        Self {
            tags: tags.clone(),
            options,
            pass,
            beginning: None,
            text_reader,
            ahead,
            second: SecondRead::default(),
            no_close_from: None,
            started: false,
            read: 0,
            counted: 0,
            talk,
            notes: Vec::new(),
        }
    }

    /// Reads more of the text, which stands at `input`.
    pub fn read(&mut self, text: &[u8], input: u64, sink: &mut dyn Sink) -> Facts {
        let first = !std::mem::replace(&mut self.started, true);
        self.read += text.len() as u64;
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
            self.second.paused = Some(self.text_reader.look_for_close(&self.tags));
        } else if large && open {
            let text_reader = std::mem::replace(&mut self.text_reader, TextReader::new(&self.tags, self.options, true));
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
        talk.note(&self.notes[noted..]);
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
            self.beginning.get_or_insert(beginning);
            return;
        }
        self.ahead = None;
        self.text_reader = TextReader::knowing(&self.tags, self.options, beginning, self.no_close_from);
        self.second.read_to = self.second.texts.front().map_or(self.second.read_to, |text| text.start);
        self.second.again = true;
    }

    fn is_first(&self) -> bool {
        matches!(self.pass, Pass::First(_))
    }

    /// What the first pass found the text to begin with, once that is known.
    #[cfg(feature = "cli")]
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
        if !self.second.again {
            return None;
        }
        // The texts are in the order of the input.
        let read = self.second.texts.partition_point(|text| text.end <= self.second.read_to);
        let next = self.second.texts.get(read)?;
        let start = next.start.max(self.second.read_to);
        Some(Span::new(start, next.end.min(start + AGAIN)))
    }

    /// Reads the range that [`RawReader::behind`] returned.
    pub fn again(&mut self, text: &[u8], input: u64, sink: &mut dyn Sink) -> Facts {
        self.take(text, input, sink);
        self.second.again &= self.behind().is_some();
        self.facts()
    }

    /// A turn of a recorded terminal begins, with `len` bytes of colours at `input`, which go with its reasoning. A turn is
    /// read like a text of its own.
    pub fn turn(&mut self, input: u64, len: usize, sink: &mut dyn Sink) -> Facts {
        let first = !std::mem::replace(&mut self.started, true);
        self.read += len as u64;
        let (talk, noted) = (&mut self.talk, self.notes.len());
        self.text_reader.finish(&mut self.notes, &mut |piece| talk.piece(piece, sink));
        talk.note(&self.notes[noted..]);
        self.text_reader = TextReader::new(&self.tags, self.options, true);
        self.second.texts.clear();
        if len > 0 {
            let (kind, at) = (PieceKind::Delimiter, [Span::new(input, input + len as u64)]);
            let piece =
                Piece { lane: Lane::ONLY, kind, fresh: false, text: b"", escaped: false, whole: false, at: &at };
            talk.piece(&piece, sink);
        }
        Facts { dialect: first.then_some(super::text::ROW.name), ..self.facts() }
    }

    /// The text is over. `source`: what of the input is buffered.
    pub fn finish(&mut self, source: SourceBytes<'_>, sink: &mut dyn Sink) -> Facts {
        self.second.texts.clear();
        if self.started && !self.is_first() {
            let talk = &mut self.talk;
            let noted = self.notes.len();
            self.text_reader.finish(&mut self.notes, &mut |piece| talk.piece(piece, sink));
            talk.note(&self.notes[noted..]);
            talk.finish(source, sink);
        }
        self.facts()
    }

    /// Whether the next text is in a block of reasoning, whatever follows. What a first pass found does not count, so that
    /// the answer does not depend on how often the text is read.
    pub fn thinks(&self) -> bool {
        if let Pass::Second(KnownBeginning { beginning: Beginning::Reasoning { end, late, .. }, .. }) = self.pass
            && (late || self.read < end)
        {
            return false;
        }
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
        let whole = self.talk.from().filter(|_| self.started);
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
    use crate::model::Nobody;

    /// No copy is kept of a long text behind an opening tag that counts only if it is closed, also if there are several.
    #[test]
    fn text_that_waits_for_a_closing_tag_is_not_copied() {
        let tags = Tags::default();
        let inline = Options { unclosed: Some(Unclosed::Visible), ..Options::default() };
        let options = ReadOptions { inline, ..ReadOptions::default() };
        let mut reader = RawReader::new(&tags, &options, Pass::Once(100));
        let text = format!("<think>{}</think>", "Add them up. ".repeat(100)).repeat(3) + "So.";
        let text = text.into_bytes();
        let mut most = 0;
        for (i, piece) in text.chunks(50).enumerate() {
            reader.read(piece, i as u64 * 50, &mut Nobody);
            while let Some(span) = reader.behind() {
                reader.again(&text[span.start as usize..span.end as usize], span.start, &mut Nobody);
            }
            most = most.max(reader.buffered());
        }
        assert!(most < 200, "{most}");
    }
}
