//! The messages of a raw text: where each begins and ends, and what of the text is theirs.

use super::calls::TextCalls;
use crate::dialect::ReadOptions;
use crate::dialect::formats::chat::in_place::TextRewriter;
use crate::dialect::formats::shared::author;
use crate::dialect::inline_text::Noted;
use crate::json::quote::quoted;
use crate::model::content::Attribute;
use crate::model::{Event, Lane, MessageFact, Piece, PieceKind, Role, Sink};
use crate::out::SourceBytes;
use crate::span::Span;

/// The messages of a raw text, and where they are sent.
pub(super) struct RawMessages {
    /// A message is open.
    open: bool,
    /// How many have begun.
    pub messages: u64,
    /// They say who speaks.
    turns: bool,
    /// White space before the first message: its text and its ranges in the input.
    blank: (Vec<u8>, Vec<Span>),
    /// Rewrites the text in another dialect.
    rewriter: Option<TextRewriter>,
    /// Set if messages are built of the text.
    between: Option<Between>,
}

/// What stands between messages, and is no part of them: it waits until it is known what follows.
#[derive(Default)]
struct Between {
    /// A line end, as text of this kind: the last one belongs to the file, unless a delimiter follows it.
    line_end: Option<PieceKind>,
    /// White space behind the end of a message, in a text with several.
    blank: Vec<u8>,
    ended: bool,
    /// What waits begins a text of its own.
    fresh: bool,
    /// Calls in messages of their own, and what the tools said.
    calls: TextCalls,
}

impl RawMessages {
    pub fn new(options: &ReadOptions) -> Self {
        let edited = options.in_place().filter(|target| target.is_inline());
        let rewriter = edited.cloned().map(TextRewriter::new);
        let between = options.to.as_ref().map(|_| Between::default());
        Self { open: false, messages: 0, turns: false, blank: (Vec::new(), Vec::new()), rewriter, between }
    }

    /// Reads notes of the text reader.
    pub fn note(&mut self, notes: &[Noted]) {
        self.rewriter.iter_mut().for_each(|rewriter| rewriter.note(notes));
    }

    /// The offset from which on nothing is written yet, if the text is edited.
    pub fn from(&self) -> Option<u64> {
        self.rewriter.as_ref().and_then(TextRewriter::from)
    }

    /// The text is over. `source`: what of the input is buffered.
    pub fn finish(&mut self, source: SourceBytes<'_>, sink: &mut dyn Sink) {
        if self.messages == 0 {
            self.lead(sink);
        }
        if let Some(mut rewriter) = self.rewriter.take() {
            rewriter.finish(source, sink);
        }
        self.end(sink);
    }

    fn begin(&mut self, role: Role, sink: &mut dyn Sink) {
        if !std::mem::replace(&mut self.open, true) {
            self.messages += 1;
            sink.event(&Event::start_of_text(Lane::ONLY, role));
        }
    }

    /// Begins the first message, with the white space at the start as its text.
    fn lead(&mut self, sink: &mut dyn Sink) {
        self.begin(Role::Assistant, sink);
        let (text, at) = std::mem::take(&mut self.blank);
        if !text.is_empty() {
            let (lane, kind, text, at) = (Lane::ONLY, PieceKind::Visible, text.as_slice(), at.as_slice());
            sink.event(&Event::Piece(Piece { lane, kind, fresh: false, text, escaped: false, whole: false, at }));
        }
    }

    fn end(&mut self, sink: &mut dyn Sink) {
        self.between.iter_mut().for_each(|between| between.calls.end(Lane::ONLY, sink));
        if std::mem::replace(&mut self.open, false) {
            sink.event(&Event::MessageEnd { lane: Lane::ONLY, element: None });
        }
    }

    pub fn piece(&mut self, piece: &Piece<'_>, sink: &mut dyn Sink) {
        // White space before the first header of a transcript is no message.
        if !self.open && self.messages == 0 && self.rewriter.is_none() {
            if piece.kind == PieceKind::Visible && piece.text.trim_ascii().is_empty() {
                self.blank.0.extend_from_slice(piece.text);
                self.blank.1.extend_from_slice(piece.at);
                return;
            }
            if !matches!(piece.kind, PieceKind::Turn(_)) {
                self.lead(sink);
            }
        }
        match piece.kind {
            PieceKind::Turn(role) => {
                self.between.iter_mut().for_each(|between| between.line_end(Lane::ONLY, sink));
                self.turns = true;
                self.end(sink);
                self.begin(role, sink);
                self.between.iter_mut().for_each(|between| between.calls.begin(role));
            }
            PieceKind::Tool => {
                self.begin(Role::Assistant, sink);
                sink.event(&Event::Fact(Lane::ONLY, MessageFact::ToolCall));
            }
            _ => self.begin(Role::Assistant, sink),
        }
        match (&mut self.rewriter, &mut self.between) {
            (Some(rewriter), _) => rewriter.piece(piece, sink),
            (None, _) if matches!(piece.kind, PieceKind::Turn(_)) => (),
            (None, Some(between)) => between.piece(piece, self.turns, sink),
            (None, None) => sink.event(&Event::Piece(*piece)),
        }
    }
}

impl Between {
    /// Sends the line end that waits.
    fn line_end(&mut self, lane: Lane, sink: &mut dyn Sink) {
        if let Some(kind) = self.line_end.take() {
            self.send((lane, kind), b"\n", sink);
        }
    }

    /// Sends a piece of a message that is built anew. `turns`: the text has messages of several roles.
    fn piece(&mut self, piece: &Piece<'_>, turns: bool, sink: &mut dyn Sink) {
        if !piece.at.is_empty() {
            self.line_end(piece.lane, sink);
        }
        if self.calls.call(piece, sink) {
            return;
        }
        match piece.kind {
            PieceKind::Structure | PieceKind::Frame => {
                self.blank.clear();
                self.ended = turns && !piece.text.ends_with(b"<|message|>");
            }
            PieceKind::Delimiter => self.ended |= turns,
            kind if kind.is_visible() && !piece.text.is_empty() => {
                self.fresh |= piece.fresh;
                if self.ended && piece.text.trim_ascii().is_empty() {
                    return self.blank.extend_from_slice(piece.text);
                }
                self.ended = false;
                let blank = std::mem::take(&mut self.blank);
                if !blank.is_empty() {
                    self.send((piece.lane, kind), &blank, sink);
                }
            }
            _ => (),
        }
        if piece.kind == PieceKind::Structure
            && let Some(author) = author(piece.text)
            && !self.calls.author(author)
        {
            sink.event(&Event::of_message(piece.lane, Attribute::Author, &quoted(author)));
        }
        let spoken = piece.kind.is_visible() && piece.kind != PieceKind::Structure;
        let text = piece.text.strip_suffix(b"\n").filter(|_| spoken);
        if text.is_some() {
            self.line_end = Some(piece.kind);
        }
        if text != Some(b"") {
            let fresh = if spoken { std::mem::take(&mut self.fresh) } else { piece.fresh };
            self.calls.piece(Piece { text: text.unwrap_or(piece.text), fresh, ..*piece }, sink);
        }
    }

    /// Sends text that waited.
    fn send(&mut self, (lane, kind): (Lane, PieceKind), text: &[u8], sink: &mut dyn Sink) {
        let fresh = std::mem::take(&mut self.fresh);
        self.calls.piece(Piece { lane, kind, fresh, text, escaped: false, whole: false, at: &[] }, sink);
    }
}
