//! The text of messages as it becomes known (`split -o text`): text that no later byte can change is written at once.
//!
//! Messages are written in the order in which they began: while the first of them is open, the text of the others
//! waits. The answer of the first message is written up to its last word, since white space at its end goes if
//! something was cut (behaviour.md, section 4, rule 5). Its reasoning is written as it comes only for the first source
//! that has text, since that of another source may be a copy.

use super::chars::{lead, solid};
use super::options::TextOptions;
use super::thoughts::Thoughts;
use crate::agents::fold::joined;
use crate::inline::is_message;
use crate::json::text::incomplete;
use crate::model::{Event, Lane, MessageFact, Piece, PieceKind, Role, is_glued};
use std::collections::VecDeque;

/// Writes the text of messages.
#[derive(Debug, Default)]
pub(super) struct TextWriter {
    pub options: TextOptions,
    /// Messages that are open, or wait for one that is, in the order in which they began.
    messages: VecDeque<ReportedMessage>,
    /// How many of them are over.
    over: usize,
    /// Bytes that can be written.
    pub out: Vec<u8>,
    /// Bytes that can be written to the other place.
    pub aside: Vec<u8>,
    /// How many messages were written.
    pub written: u64,
    /// The last text does not end a line, and something was cut from it.
    unended: bool,
    trimmed: bool,
    /// A line end is needed before the next message.
    parts: bool,
}

/// One message.
#[derive(Debug)]
struct ReportedMessage {
    /// Its lane, while it is open.
    lane: Option<Lane>,
    text: Text,
}

#[derive(Debug)]
enum Text {
    /// Nothing of it is written.
    Nothing,
    /// It is given whole when it is over.
    Buffered,
    /// It was given whole: its answer and its reasoning.
    Given(Vec<u8>, Vec<u8>),
    /// It is written as it comes.
    Flows(Box<MessageTexts>),
}

#[derive(Debug, Default)]
struct MessageTexts {
    answer: Answer,
    thoughts: Thoughts,
    refused: bool,
    /// Whether the open call is a message of its own.
    apart: Option<bool>,
    /// The part of the answer that can be written once the messages before are over.
    ready: Vec<u8>,
}

impl TextWriter {
    /// For one input.
    pub fn new(options: TextOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Reads an event. Returns whether the event's message has to be given whole.
    pub fn event(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Piece(piece) => return self.piece(piece),
            Event::MessageStart { lane, role, .. } if !lane.is_snapshot() => {
                let text = match role {
                    Role::Assistant if self.options.hold => Text::Buffered,
                    Role::Assistant => Text::Flows(Box::default()),
                    _ => Text::Nothing,
                };
                self.messages.push_back(ReportedMessage { lane: Some(*lane), text });
            }
            Event::Fact(lane, MessageFact::AnswerFollows) if !self.options.streaming => {
                if let Some(i) = self.find(*lane) {
                    self.messages[i].text = Text::Buffered;
                }
            }
            Event::Fact(lane, MessageFact::Answer(_)) => {
                return self.find(*lane).is_some_and(|i| matches!(self.messages[i].text, Text::Buffered));
            }
            Event::MessageEnd { lane, .. } => {
                if let Some(i) = self.find(*lane) {
                    self.messages[i].lane = None;
                    if let Text::Flows(flow) = &mut self.messages[i].text {
                        flow.finish(&self.options);
                    }
                }
                self.release();
            }
            _ => (),
        }
        true
    }

    /// The index of the open message in this lane.
    fn find(&self, lane: Lane) -> Option<usize> {
        self.messages.iter().rposition(|message| message.lane == Some(lane))
    }

    fn piece(&mut self, piece: &Piece<'_>) -> bool {
        let Some(i) = self.find(piece.lane) else { return false };
        match &mut self.messages[i].text {
            Text::Nothing | Text::Given(..) => false,
            Text::Buffered => true,
            Text::Flows(flow) => {
                // A line end may be needed between the messages of a text.
                if i == 0 && !self.options.raw {
                    flow.piece(piece, &self.options, Some(&mut self.out));
                    let to = if self.options.reasoning { &mut self.out } else { &mut self.aside };
                    to.append(flow.thoughts.ready());
                } else {
                    flow.piece(piece, &self.options, None);
                    self.release();
                }
                false
            }
        }
    }

    /// Gives the next message that is over, in the order in which they began. `text` makes its answer and its reasoning
    /// if it was not written as it came; `None` if it does not count.
    pub fn whole(&mut self, text: impl FnOnce() -> Option<(Vec<u8>, Vec<u8>)>) {
        let waits = self.messages.get_mut(self.over).map(|message| &mut message.text);
        match waits {
            Some(buffered @ Text::Buffered) => {
                *buffered = text().map_or(Text::Nothing, |(text, thoughts)| Text::Given(text, thoughts))
            }
            Some(_) => (),
            None => return,
        }
        self.over += 1;
        self.release();
    }

    /// Moves text that can be written to `out`.
    fn release(&mut self) {
        while let Some(ReportedMessage { lane, text }) = self.messages.front_mut() {
            let over = lane.is_none() && !matches!(text, Text::Buffered);
            let (mut none, mut no_thoughts) = (Vec::new(), Vec::new());
            let (answer, thoughts, counts, trimmed) = match text {
                Text::Buffered => return,
                Text::Nothing => (&mut none, &mut no_thoughts, false, false),
                Text::Given(answer, thoughts) => {
                    let trimmed = !answer.is_empty();
                    (answer, thoughts, true, trimmed)
                }
                Text::Flows(flow) => {
                    let trimmed = flow.answer.cut && flow.answer.begun;
                    (&mut flow.ready, flow.thoughts.ready(), !flow.refused, trimmed)
                }
            };
            let out = &mut self.out;
            if self.options.visible && (over && counts || !answer.is_empty()) {
                // A raw text has several messages if it has headers with roles.
                let parts = std::mem::take(&mut self.parts) && self.unended;
                out.extend_from_slice(if parts { b"\n" } else { b"" });
            }
            if let Some(last) = answer.last() {
                self.unended = *last != b'\n';
            }
            out.append(answer);
            let to = if self.options.reasoning { out } else { &mut self.aside };
            to.append(thoughts);
            if !over || self.over == 0 {
                return;
            }
            if counts {
                self.written += 1;
                (self.trimmed, self.parts) = (trimmed, self.options.raw);
            }
            self.messages.pop_front();
            self.over -= 1;
        }
    }

    /// Ends the input. `newline`: it ends with a line end, and so must the text that is left.
    pub fn finish(&mut self, newline: bool) {
        if self.options.raw && self.options.visible && newline && self.unended && self.trimmed {
            self.out.push(b'\n');
        }
    }

    /// How many bytes of text wait.
    pub fn buffered(&self) -> usize {
        let text = |message: &ReportedMessage| match &message.text {
            Text::Flows(flow) => flow.answer.pending.len() + flow.ready.len() + flow.thoughts.buffered(),
            Text::Given(answer, reasoning) => answer.len() + reasoning.len(),
            Text::Buffered | Text::Nothing => 0,
        };
        self.messages.iter().map(text).sum()
    }
}

impl MessageTexts {
    /// Reads a piece of the message. Its answer is written to `to`, or waits.
    fn piece(&mut self, piece: &Piece<'_>, options: &TextOptions, to: Option<&mut Vec<u8>>) {
        let is_apart = piece.kind == PieceKind::Tool && self.is_apart(piece);
        let to = to.unwrap_or(&mut self.ready);
        match piece.kind {
            _ if self.refused => (),
            PieceKind::Tool if is_apart && options.visible => self.answer.cut(options, to),
            PieceKind::Visible | PieceKind::Mention | PieceKind::Commentary | PieceKind::Tool | PieceKind::Gap
                if options.visible =>
            {
                self.answer.text(piece.fresh, piece.text, options, to);
            }
            PieceKind::Delimiter | PieceKind::Stray | PieceKind::Frame | PieceKind::Structure if options.visible => {
                self.answer.cut(options, to);
            }
            PieceKind::Reasoning(source) if options.reasoning || options.aside => {
                self.thoughts.text(source, piece.fresh, piece.text, options);
            }
            PieceKind::NextItem => self.thoughts.settle(options),
            PieceKind::Refused => {
                self.refused = true;
                self.answer.pending.clear();
            }
            _ => (),
        }
    }

    /// Whether this part of a tool call belongs to one that is a message of its own, and no part of the answer.
    fn is_apart(&mut self, piece: &Piece<'_>) -> bool {
        let apart = *self.apart.get_or_insert_with(|| is_message(piece.text));
        if piece.whole {
            self.apart = None;
        }
        apart
    }

    fn finish(&mut self, options: &TextOptions) {
        if !self.refused || self.answer.begun {
            self.answer.finish(options, &mut self.ready);
        }
        if !self.refused {
            self.thoughts.finish(options);
        }
    }
}

/// The visible text of a message, by rule 5 of behaviour.md, section 4.
#[derive(Debug, Default)]
struct Answer {
    /// Text that waits: white space at the end, or a whole text that begins with white space which may still go.
    pending: Vec<u8>,
    /// Where in the pending text something was cut.
    cuts: Vec<usize>,
    /// How many bytes of the pending text are white space.
    blank: usize,
    cut: bool,
    begun: bool,
    last: Option<u8>,
}

impl Answer {
    fn text(&mut self, fresh: bool, text: &[u8], options: &TextOptions, to: &mut Vec<u8>) {
        let Some(last) = text.last() else { return };
        // Two messages of one answer begin separate lines.
        let glued = fresh && self.last.is_some_and(|before| is_glued(&[before], text));
        self.last = Some(*last);
        let mut text = text;
        // The common case: text that follows a word and ends with one.
        if self.begun && self.blank == self.pending.len() && self.cuts.is_empty() && !glued {
            let end = solid(text, 0);
            if end > 0 {
                options.put(&self.pending, to);
                options.put(&text[..end], to);
                self.pending.clear();
                self.blank = 0;
                text = &text[end..];
            }
            if text.is_empty() {
                return;
            }
        }
        self.pending.extend_from_slice(if glued { b"\n" } else { b"" });
        self.pending.extend_from_slice(text);
        self.settle(options, to);
    }

    fn cut(&mut self, options: &TextOptions, to: &mut Vec<u8>) {
        self.cut = true;
        if self.cuts.last() != Some(&self.pending.len()) {
            self.cuts.push(self.pending.len());
        }
        self.settle(options, to);
    }

    fn settle(&mut self, options: &TextOptions, to: &mut Vec<u8>) {
        if !self.begun {
            let start = lead(&self.pending, self.blank);
            self.blank = start;
            // All text so far is white space, or may be.
            if start + incomplete(&self.pending[start..]) == self.pending.len() {
                return;
            }
            let before = self.cuts.first().is_some_and(|cut| *cut <= start);
            if start > 0 && !self.cut && !options.streaming {
                return;
            }
            if before || self.cut && !options.streaming {
                self.drop_front(start);
            }
            self.begun = true;
            self.blank = 0;
        }
        let end = solid(&self.pending, self.blank);
        if end > self.blank {
            self.write(end, options, to);
            self.blank = 0;
        }
        self.blank = self.pending.len() - incomplete(&self.pending[self.blank..]);
    }

    /// Writes the pending text up to `end`.
    fn write(&mut self, end: usize, options: &TextOptions, to: &mut Vec<u8>) {
        let n = self.cuts.partition_point(|cut| *cut < end);
        match n {
            0 => options.put(&self.pending[..end], to),
            n => options.put(&joined(&self.pending[..end], &self.cuts[..n]), to),
        }
        self.drop_front(end);
    }

    fn drop_front(&mut self, n: usize) {
        self.pending.drain(..n);
        self.cuts.retain(|cut| *cut >= n);
        self.cuts.iter_mut().for_each(|cut| *cut -= n);
    }

    fn finish(&mut self, options: &TextOptions, to: &mut Vec<u8>) {
        if self.cut {
            // The rest is white space, and an incomplete character.
            self.pending.drain(..self.blank.min(self.pending.len()));
        }
        options.put(&self.pending, to);
        self.pending.clear();
        if options.visible && !options.raw {
            to.push(b'\n');
        }
    }
}
