//! The reader for raw text: one assistant message, from the first byte to the last, or, where the text says who speaks,
//! the messages of a conversation.

use super::emit::{Noted, Script};
use super::lines::{Other, TextLines};
use super::reader::Suspect;
use super::rewrite::{Retold, Target};
use crate::inline::{Note, Options, Tags};
use crate::json::text::Map;
use crate::model::{Event, Facts, Kind, Piece, Role, Sink};
use crate::span::Span;

/// Reads one raw text.
pub struct RawReader<'t> {
    script: Script<'t>,
    /// The text has begun.
    started: bool,
    talk: Talk<'t>,
    notes: Vec<Noted>,
}

/// The messages of a text.
struct Talk<'t> {
    /// A message is open.
    open: bool,
    /// How many have begun.
    messages: u64,
    /// White space before the first message: its text and its places.
    blank: (Vec<u8>, Vec<Span>),
    /// The text as it is told in another dialect.
    retold: Option<Retold>,
    /// Looks for other formats among the visible lines, unless nobody asks.
    lines: Option<Box<TextLines<'t>>>,
    /// One that was seen, and what is to be told.
    seen: Option<Other>,
    other: Option<u64>,
}

impl Talk<'_> {
    fn begin(&mut self, role: Role, sink: &mut dyn Sink) {
        if !std::mem::replace(&mut self.open, true) {
            self.messages += 1;
            sink.event(&Event::MessageStart { lane: 0, role, joined: false, bare: false });
        }
    }

    /// The white space at the start is text of the first message.
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
        // A line in another format counts if it stays.
        if let Some(line) = self.seen.filter(|line| piece.at.iter().any(|at| at.start <= line.end && line.end < at.end))
        {
            self.seen = None;
            self.other = self.other.or(piece.kind.is_visible().then_some(line.line));
        }
        // White space may stand before the first header of a transcript, and is no message then.
        if !self.open && self.messages == 0 && self.retold.is_none() {
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
        match &mut self.retold {
            Some(retold) => retold.piece(piece, sink),
            None if matches!(piece.kind, Kind::Turn(_)) => (),
            None => sink.event(&Event::Piece(*piece)),
        }
    }
}

impl<'t> RawReader<'t> {
    /// A reader for one text. `lines` looks for other formats in it.
    pub fn new(tags: &'t Tags, options: Options, to: Option<Target>, lines: Option<Box<TextLines<'t>>>) -> Self {
        let blank = (Vec::new(), Vec::new());
        let retold = to.map(Retold::new);
        let talk = Talk { open: false, messages: 0, blank, retold, lines, seen: None, other: None };
        Self { script: Script::new(tags, options, true), started: false, talk, notes: Vec::new() }
    }

    /// More of the text; it stands at `input`. Another format may begin at the `marks`.
    pub fn read(&mut self, text: &[u8], marks: &[usize], input: u64, sink: &mut dyn Sink) -> Facts {
        let first = !std::mem::replace(&mut self.started, true);
        let before = self.talk.messages;
        let talk = &mut self.talk;
        talk.seen = talk.lines.as_mut().and_then(|lines| lines.look(text, marks, input)).or(talk.seen);
        let noted = self.notes.len();
        self.script.feed(text, input, Map::default(), &mut self.notes, &mut |piece| talk.piece(piece, sink));
        talk.retold.iter_mut().for_each(|retold| retold.note(&self.notes[noted..]));
        // A text is a message, also while nothing is known of it.
        let messages = self.talk.messages.max(1) - before.max(u64::from(!first));
        Facts { dialect: first.then_some(super::text::ROW.name), messages, ..Facts::default() }
    }

    /// The text is over.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        if self.started {
            let talk = &mut self.talk;
            let noted = self.notes.len();
            talk.seen = talk.lines.as_mut().and_then(|lines| lines.finish()).or(talk.seen);
            self.script.finish(&mut self.notes, &mut |piece| talk.piece(piece, sink));
            talk.retold.iter_mut().for_each(|retold| retold.note(&self.notes[noted..]));
            if talk.messages == 0 {
                talk.lead(sink);
            }
            if let Some(mut retold) = talk.retold.take() {
                retold.finish(sink);
            }
            talk.end(sink);
            // What was open to the end may have been passed on already.
            talk.other = talk.other.or(talk.seen.map(|line| line.line));
        }
    }

    /// What may be reasoning in a line that stands at `offset`, if the line is JSON.
    pub fn suspect(&mut self, line: &[u8], offset: u64) -> Option<Suspect> {
        self.talk.lines.as_mut()?.suspect(line, offset)
    }

    /// Where the visible text first has a line in another format that may hold reasoning: offset in the input.
    pub fn other(&self) -> Option<u64> {
        self.talk.other
    }

    /// Whether the text is in a block of reasoning, whatever follows.
    pub fn thinks(&self) -> bool {
        self.script.thinks()
    }

    /// The first byte about which nothing is decided.
    pub fn undecided(&self) -> Option<u64> {
        let whole = self.talk.retold.as_ref().filter(|_| self.started).and_then(Retold::from);
        whole.or_else(|| self.script.undecided())
    }

    /// What was noticed since the last call.
    pub fn notes(&mut self) -> Vec<(u64, Note)> {
        std::mem::take(&mut self.notes)
    }
}
