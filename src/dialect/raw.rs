//! The reader for raw text: one assistant message, from the first byte to the last, or, where the text says who speaks,
//! the messages of a conversation.

use super::emit::{Noted, Script};
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
    talk: Talk,
    notes: Vec<Noted>,
}

/// The messages of a text.
struct Talk {
    /// A message is open.
    open: bool,
    /// How many have begun.
    messages: u64,
    /// White space before the first message: its text and its places.
    blank: (Vec<u8>, Vec<Span>),
    /// The text as it is told in another dialect.
    retold: Option<Retold>,
}

impl Talk {
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
    /// A reader for one text.
    pub fn new(tags: &'t Tags, options: Options, to: Option<Target>) -> Self {
        let blank = (Vec::new(), Vec::new());
        let talk = Talk { open: false, messages: 0, blank, retold: to.map(Retold::new) };
        Self { script: Script::new(tags, options, true), started: false, talk, notes: Vec::new() }
    }

    /// More of the text; it stands at `input`.
    pub fn read(&mut self, text: &[u8], input: u64, sink: &mut dyn Sink) -> Facts {
        let first = !std::mem::replace(&mut self.started, true);
        let before = self.talk.messages;
        let talk = &mut self.talk;
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
            self.script.finish(&mut self.notes, &mut |piece| talk.piece(piece, sink));
            talk.retold.iter_mut().for_each(|retold| retold.note(&self.notes[noted..]));
            if talk.messages == 0 {
                talk.lead(sink);
            }
            if let Some(mut retold) = talk.retold.take() {
                retold.finish(sink);
            }
            talk.end(sink);
        }
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
