//! The text of messages as it becomes known (`split -o text`): what no later byte can change is written at once.
//!
//! Messages are written in the order in which they began: while the first of them is open, the text of the others
//! waits. Of that message the answer goes out up to its last word, since white space at its end goes if something was
//! cut (SPEC section 4, rule 5); and the reasoning of the source that has text first, since another source may be a
//! copy of it.

use super::chars::{incomplete, lead, solid};
use super::thoughts::Thoughts;
use crate::json::text::utf8;
use crate::model::fold::joined;
use crate::model::{Event, Kind, Lane, Piece, Role, SNAPSHOT, is_glued};
use std::collections::VecDeque;

/// What is written of messages.
#[derive(Clone, Debug, Default)]
pub(super) struct TextOptions {
    /// The answer.
    pub visible: bool,
    /// The reasoning, in the same place.
    pub reasoning: bool,
    /// The reasoning, in another place.
    pub aside: bool,
    /// What stands between blocks of reasoning.
    pub join: String,
    /// White space just inside tags is kept.
    pub verbatim: bool,
    /// A message begins as it stands: whether white space at its start goes is not known when the first word is
    /// written.
    pub streaming: bool,
    /// The input is one text, whose bytes need not be UTF-8.
    pub raw: bool,
    /// Messages are given whole ([`TextWriter::whole`]).
    pub hold: bool,
}

/// Writes the text of messages.
#[derive(Debug, Default)]
pub(super) struct TextWriter {
    pub options: TextOptions,
    /// Messages that are not over, or that wait for one that is not, in the order in which they began.
    messages: VecDeque<Message>,
    /// So many of them are over.
    over: usize,
    /// What can be written.
    pub out: Vec<u8>,
    /// The same of the other place.
    pub aside: Vec<u8>,
    /// Messages that were written.
    pub written: u64,
    /// What was written last does not end a line; something was cut from it.
    unended: bool,
    trimmed: bool,
    /// A line must end before the next message.
    parts: bool,
}

/// One message.
#[derive(Debug)]
struct Message {
    /// Its lane, while it is open.
    lane: Option<Lane>,
    text: Text,
}

#[derive(Debug)]
enum Text {
    /// Nothing is written of it.
    Nothing,
    /// It is given whole when it is over.
    Buffered,
    /// It was: its answer and its reasoning.
    Given(Vec<u8>, Vec<u8>),
    /// It is written as it comes.
    Flows(Box<Flow>),
}

#[derive(Debug, Default)]
struct Flow {
    answer: Answer,
    thoughts: Thoughts,
    refused: bool,
    /// What can be written of the answer when those before it are over.
    ready: Vec<u8>,
}

impl TextWriter {
    /// For one input.
    pub fn new(options: TextOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The next event. Whether a message needs it to be given whole.
    pub fn event(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Piece(piece) => return self.piece(piece),
            Event::MessageStart { lane, role, .. } if *lane < SNAPSHOT => {
                let text = match role {
                    Role::Assistant if self.options.hold => Text::Buffered,
                    Role::Assistant => Text::Flows(Box::default()),
                    _ => Text::Nothing,
                };
                self.messages.push_back(Message { lane: Some(*lane), text });
            }
            Event::AnswerFollows(lane) if !self.options.streaming => {
                if let Some(i) = self.find(*lane) {
                    self.messages[i].text = Text::Buffered;
                }
            }
            Event::Answer { lane, .. } => {
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

    /// Where the message of that lane stands, if it is open.
    fn find(&self, lane: Lane) -> Option<usize> {
        self.messages.iter().rposition(|message| message.lane == Some(lane))
    }

    fn piece(&mut self, piece: &Piece<'_>) -> bool {
        let Some(i) = self.find(piece.lane) else { return false };
        match &mut self.messages[i].text {
            Text::Nothing | Text::Given(..) => false,
            Text::Buffered => true,
            Text::Flows(flow) => {
                // Between the messages of a text a line may have to end.
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

    /// The next message that is over, in the order in which they began: `text` makes its answer and its reasoning, if
    /// it counts, where it was not written as it came.
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

    /// Writes what can be written.
    fn release(&mut self) {
        while let Some(Message { lane, text }) = self.messages.front_mut() {
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
                // A text with several roles may have several messages.
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

    /// The input is over; `newline`: it ends with a line end, and so does what is left of it.
    pub fn finish(&mut self, newline: bool) {
        if self.options.raw && self.options.visible && newline && self.unended && self.trimmed {
            self.out.push(b'\n');
        }
    }

    /// How much text waits.
    pub fn buffered(&self) -> usize {
        let text = |message: &Message| match &message.text {
            Text::Flows(flow) => flow.answer.pending.len() + flow.ready.len() + flow.thoughts.buffered(),
            Text::Given(answer, reasoning) => answer.len() + reasoning.len(),
            Text::Buffered | Text::Nothing => 0,
        };
        self.messages.iter().map(text).sum()
    }
}

impl Flow {
    /// A piece of it; its answer is written to `to`, or waits.
    fn piece(&mut self, piece: &Piece<'_>, options: &TextOptions, to: Option<&mut Vec<u8>>) {
        let to = to.unwrap_or(&mut self.ready);
        match piece.kind {
            _ if self.refused => (),
            Kind::Visible | Kind::Commentary | Kind::Tool | Kind::Gap if options.visible => {
                self.answer.text(piece.fresh, piece.text, options, to);
            }
            Kind::Delimiter | Kind::Stray | Kind::Frame | Kind::Structure if options.visible => {
                self.answer.cut(options, to);
            }
            Kind::Reasoning(source) if options.reasoning || options.aside => {
                self.thoughts.text(source, piece.fresh, piece.text, options);
            }
            Kind::NextItem => self.thoughts.settle(options),
            Kind::Refused => {
                self.refused = true;
                self.answer.pending.clear();
            }
            _ => (),
        }
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

/// The visible text of a message, by rule 5 of SPEC section 4.
#[derive(Debug, Default)]
struct Answer {
    /// What stands behind what was written: white space, and all of a text that begins with white space until that goes
    /// or stays.
    pending: Vec<u8>,
    /// Where something was cut from it.
    cuts: Vec<usize>,
    /// So much of the pending text is white space.
    blank: usize,
    cut: bool,
    begun: bool,
    last: Option<u8>,
}

impl Answer {
    fn text(&mut self, fresh: bool, text: &[u8], options: &TextOptions, to: &mut Vec<u8>) {
        let Some(last) = text.last() else { return };
        // Two messages of one answer stand on lines of their own.
        let glued = fresh && self.last.is_some_and(|before| is_glued(&[before], text));
        self.last = Some(*last);
        let mut text = text;
        // Most texts follow a word and end with one.
        if self.begun && self.blank == self.pending.len() && self.cuts.is_empty() && !glued {
            let end = solid(text, 0);
            if end > 0 {
                put(&self.pending, options, to);
                put(&text[..end], options, to);
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
            // Only white space so far, or what may be.
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
            0 => put(&self.pending[..end], options, to),
            n => put(&joined(&self.pending[..end], &self.cuts[..n]), options, to),
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
            // What is left is white space, and what is no character.
            self.pending.drain(..self.blank.min(self.pending.len()));
        }
        put(&self.pending, options, to);
        self.pending.clear();
        if options.visible && !options.raw {
            to.push(b'\n');
        }
    }
}

/// Text as it is written: JSON's becomes UTF-8.
pub(super) fn put(text: &[u8], options: &TextOptions, to: &mut Vec<u8>) {
    match options.raw {
        true => to.extend_from_slice(text),
        false => to.extend_from_slice(utf8(text).as_bytes()),
    }
}
