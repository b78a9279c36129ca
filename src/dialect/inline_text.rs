//! Makes pieces of text with inline tags: which stretch is reasoning, and which bytes of the input it stands in.

mod inside;
mod passed;
mod place;
mod quoted;
mod within;

use self::place::{StretchPlace, begins, input_of, line_end, newline, spans};
use self::quoted::Quotation;
use self::within::Within;
use crate::frame::Body;
use crate::inline::{
    Ahead, Beginning, Delimiters, LastClose, Moves, Note, Options, Scanned, Seam, StretchKind, TagScanner, Tags,
};
use crate::json::Literal;
use crate::json::text::Map;
use crate::model::{HARMONY, Lane, MARKER, Piece, PieceKind, Source, TAGS};
use crate::span::Span;
use std::collections::VecDeque;

/// A note with its place in the input.
pub(super) type Noted = (u64, Note);

/// Reads the text of one message through a [`TagScanner`], and maps what is found back to bytes of the input.
pub(super) struct TextReader {
    scanner: TagScanner,
    seam: Seam,
    places: VecDeque<StretchPlace>,
    /// Length of the text so far.
    len: u64,
    /// Raw text keeps its last newline. So a newline that would go waits here, as a range of the text, for more text.
    last_newline: bool,
    newline: Option<(u64, u64)>,
    /// The newline that waits is a CR so far.
    newline_cr: bool,
    /// The next visible text begins a text of its own.
    fresh: bool,
    /// The source of the block that began last.
    source: Source,
    /// Where that block begins, in the text and in the input.
    opened: (u64, u64),
    /// A note about text that has not come, as a first pass finds it.
    early: Option<Note>,
    /// Finds the sections of blocks that `--redact` empties.
    within: Option<Within>,
    /// The text of the open block, if it is a quotation.
    quotation: Option<Quotation>,
    spans: Vec<Span>,
}

impl TextReader {
    pub fn new(tags: &Tags, options: Options, last_newline: bool) -> Self {
        Self::of(TagScanner::new(tags, options), tags, last_newline)
    }

    /// A text whose beginning is known from a first reading.
    pub fn knowing(tags: &Tags, options: Options, beginning: Beginning, no_close_from: Option<u64>) -> Self {
        Self::of(TagScanner::knowing(tags, options, beginning, no_close_from), tags, true)
    }

    fn of(scanner: TagScanner, tags: &Tags, last_newline: bool) -> Self {
        Self {
            scanner,
            seam: Seam::default(),
            places: VecDeque::new(),
            len: 0,
            last_newline,
            newline: None,
            newline_cr: false,
            fresh: false,
            source: TAGS,
            opened: (0, 0),
            early: None,
            within: tags.redactions().map(Within::new),
            quotation: None,
            spans: Vec::new(),
        }
    }

    /// The message has another place for reasoning; `moves`: what becomes of uncertain tags, if reasoning from
    /// there goes in front of the text.
    pub fn set_apart(&mut self, moves: Moves) {
        self.scanner.set_apart(moves);
    }

    /// Its visible text begins a text of its own, after another text of the same message.
    pub fn again(mut self) -> Self {
        self.fresh = true;
        self
    }

    /// Reads more of the text, decoded. Its raw form stands at `input`; `map` has its escapes.
    pub fn feed(&mut self, text: &[u8], input: u64, map: Map, notes: &mut Vec<Noted>, to: &mut dyn FnMut(&Piece<'_>)) {
        self.places.push_back(StretchPlace { at: self.len, len: text.len() as u64, input, map });
        self.len += text.len() as u64;
        self.run(notes, to, |scanner, sink| scanner.feed(text, sink));
        self.forget();
    }

    /// Another part of the message follows, so that no delimiter behind it can decide what the text begins with.
    pub fn begins_visible(&mut self, notes: &mut Vec<Noted>, to: &mut dyn FnMut(&Piece<'_>)) {
        self.run(notes, to, |scanner, sink| scanner.begins_visible(sink));
        self.forget();
    }

    /// The message is over.
    pub fn finish(&mut self, notes: &mut Vec<Noted>, to: &mut dyn FnMut(&Piece<'_>)) {
        self.run(notes, to, |scanner, sink| scanner.finish(sink));
        if let Some((from, end)) = self.newline.take() {
            spans(&self.places, &mut 0, from, end, &mut self.spans);
            let text = newline(end - from, self.newline_cr);
            to(&Piece {
                lane: Lane::ONLY,
                kind: PieceKind::Visible,
                fresh: false,
                text,
                escaped: false,
                whole: false,
                at: &self.spans,
            });
        }
        self.places.clear();
    }

    /// Whether all text waits, since it is not known whether the text begins with reasoning.
    pub fn is_open(&self) -> bool {
        self.scanner.beginning().is_none()
    }

    /// How many bytes of it are buffered.
    pub fn buffered(&self) -> usize {
        self.scanner.buffered()
    }

    /// Whether text is buffered behind an opening tag that counts only if a closing tag follows.
    pub fn waits_for_close(&self) -> bool {
        self.scanner.awaits_close()
    }

    /// Makes a search for a closing tag in the text that follows.
    pub fn look_for_close(&self, tags: &Tags) -> LastClose {
        let mut last_close = LastClose::new(tags);
        last_close.feed(self.scanner.partial_delimiter());
        last_close
    }

    /// The offset of the text from which on no closing tag begins, if that is known.
    pub fn no_close_from(&self) -> Option<u64> {
        self.scanner.no_close_from()
    }

    /// No closing tag follows.
    pub fn nothing_closes(&mut self, notes: &mut Vec<Noted>, to: &mut dyn FnMut(&Piece<'_>)) {
        self.run(notes, to, |scanner, sink| scanner.no_close_follows(sink));
        self.forget();
    }

    /// A reader that reads ahead without a copy. Only if no piece of the text was sent.
    pub fn ahead(self) -> Ahead {
        Ahead::of(self.scanner)
    }

    /// Whether the next text is reasoning, whatever follows it.
    pub fn thinks(&self) -> bool {
        self.scanner.thinks()
    }

    /// The first byte of the input that is not decided yet.
    pub fn undecided(&self) -> Option<u64> {
        let at = self.decided();
        let place = self.places.get(begins(&self.places, at))?;
        Some(place.input + place.map.raw(at.saturating_sub(place.at) as usize) as u64)
    }

    fn run(
        &mut self,
        notes: &mut Vec<Noted>,
        to: &mut dyn FnMut(&Piece<'_>),
        work: impl FnOnce(&mut TagScanner, &mut dyn FnMut(Scanned<'_>)),
    ) {
        let Self { scanner, seam, places, spans, newline, newline_cr, fresh, source, opened, within, .. } = self;
        let quotation = &mut self.quotation;
        let (last_newline, before) = (&self.last_newline, *opened);
        let mut out = Out {
            seam,
            places,
            spans,
            newline,
            newline_cr,
            fresh,
            source,
            opened,
            within,
            quotation,
            hint: 0,
            last_newline: *last_newline,
            to,
        };
        work(scanner, &mut |found| out.found(&found));
        for note in self.early.take().into_iter().chain(scanner.notes()) {
            let (Note::LateClose(at) | Note::UnclosedError(at) | Note::Undecided { at, .. }) = note else {
                notes.push((0, note));
                continue;
            };
            if at >= self.len && self.len > 0 {
                self.early = Some(note);
                continue;
            }
            // The place of a block that was sent long ago is forgotten.
            let opened = [self.opened, before].into_iter().find(|opened| at == opened.0).unwrap_or_default();
            notes.push((input_of(places, at).unwrap_or(opened.1), note));
        }
    }

    /// The offset in the text up to which everything is decided.
    fn decided(&self) -> u64 {
        let at = self.newline.map_or(self.scanner.decided(), |(at, _)| at);
        let inside = self.within.as_ref().and_then(Within::decided).map_or(at, |inside| at.min(inside));
        self.quotation.as_ref().and_then(Quotation::decided).map_or(inside, |at| at.min(inside))
    }

    /// Drops places that are not needed any more.
    fn forget(&mut self) {
        let at = self.decided();
        while self.places.front().is_some_and(|p| p.at + p.len <= at) {
            self.places.pop_front();
        }
    }
}

/// Turns the findings of a scanner into pieces.
struct Out<'a, 'b> {
    seam: &'a mut Seam,
    places: &'a VecDeque<StretchPlace>,
    spans: &'a mut Vec<Span>,
    newline: &'a mut Option<(u64, u64)>,
    newline_cr: &'a mut bool,
    fresh: &'a mut bool,
    source: &'a mut Source,
    opened: &'a mut (u64, u64),
    within: &'a mut Option<Within>,
    quotation: &'a mut Option<Quotation>,
    /// The place of the last piece: pieces come in the order of their places.
    hint: usize,
    last_newline: bool,
    to: &'b mut dyn FnMut(&Piece<'_>),
}

impl Out<'_, '_> {
    fn found(&mut self, found: &Scanned<'_>) {
        let turn = matches!(found.part, StretchKind::Turn(_));
        if turn || !found.text.is_empty() && !matches!(found.part, StretchKind::Visible | StretchKind::Commentary) {
            self.flush_newline();
        }
        match found.part {
            StretchKind::Visible => self.visible(PieceKind::Visible, found),
            StretchKind::Mention => self.visible(PieceKind::Mention, found),
            // An opening tag begins the block's text, so that an empty block is one too.
            StretchKind::Open(form) => {
                *self.source = match form {
                    Delimiters::Tags | Delimiters::Quoted => TAGS,
                    Delimiters::Headers => HARMONY,
                    Delimiters::Marker => MARKER,
                };
                *self.opened = input_of(self.places, found.at).map_or((0, 0), |input| (found.at, input));
                self.block(PieceKind::Reasoning(self.source), true, found, b"");
                *self.quotation = (form == Delimiters::Quoted).then(Quotation::default);
                self.sections(|within, _| within.begin(found.at + found.text.len() as u64));
            }
            StretchKind::Reasoning => {
                self.reasoning(found);
                self.sections(|within, to| within.feed(found.text, to));
            }
            StretchKind::Close => {
                self.sections(|within, to| within.end(to));
                self.quoted(found.at, b"", true);
                self.block(PieceKind::Delimiter, false, found, b"");
            }
            StretchKind::Commentary => self.visible(PieceKind::Commentary, found),
            StretchKind::Tool if found.text.is_empty() => self.call_over(),
            StretchKind::Tool => {
                self.seam.visible(found.text);
                // The delimiters of the call part it from the text before and after it.
                *self.fresh = false;
                self.piece(PieceKind::Tool, false, found.at, found.text.len(), found.text);
            }
            StretchKind::Header => self.between(PieceKind::Frame, found),
            StretchKind::Structure => self.between(PieceKind::Structure, found),
            StretchKind::Turn(role) => self.piece(PieceKind::Turn(role), false, found.at, 0, b""),
            StretchKind::Stray => self.piece(PieceKind::Stray, false, found.at, found.text.len(), b""),
            StretchKind::Refused => self.piece(PieceKind::Refused, false, found.at, found.text.len(), b""),
        }
    }

    /// Sends the ranges of sections to empty that `work` finds.
    fn sections(&mut self, work: impl FnOnce(&mut Within, &mut dyn FnMut(u64, u64))) {
        let Self { within: Some(within), places, to, .. } = self else { return };
        let mut at = Vec::new();
        work(within, &mut |from, end| {
            spans(places, &mut begins(places, from), from, end, &mut at);
            let (kind, at) = (PieceKind::Redacted, at.as_slice());
            to(&Piece { lane: Lane::ONLY, kind, fresh: false, text: b"", escaped: false, whole: false, at });
        });
    }

    fn block(&mut self, kind: PieceKind, fresh: bool, found: &Scanned<'_>, text: &[u8]) {
        self.seam.block();
        self.piece(kind, fresh, found.at, found.text.len(), text);
    }

    /// A header or other structure between two texts.
    fn between(&mut self, kind: PieceKind, found: &Scanned<'_>) {
        let text = if kind == PieceKind::Structure { found.text } else { b"" };
        // Structure stays, as visible text: a cut before it takes nothing behind it.
        if kind == PieceKind::Structure {
            self.seam.visible(text);
        }
        self.piece(kind, false, found.at, found.text.len(), text);
        *self.fresh = true;
    }

    fn visible(&mut self, kind: PieceKind, found: &Scanned<'_>) {
        let mut gap = self.seam.visible(found.text).gap;
        let text = found.text;
        let end = gap.end;
        let waits = match self.last_newline && end == text.len() {
            true => line_end(&text[gap.clone()]),
            false => 0,
        };
        gap.end -= waits;
        // An LF continues the CR that waits.
        let joined = self.newline.filter(|_| *self.newline_cr && gap.is_empty() && text == b"\n");
        if joined.is_none() {
            self.flush_newline();
        }
        for (kind, range) in [(kind, 0..gap.start), (PieceKind::Gap, gap.clone()), (kind, end..text.len())] {
            if !range.is_empty() {
                let fresh = kind != PieceKind::Gap && std::mem::take(self.fresh);
                self.piece(kind, fresh, found.at + range.start as u64, range.len(), &text[range]);
            }
        }
        if waits > 0 {
            let from = joined.map_or(found.at + gap.end as u64, |(from, _)| from);
            *self.newline = Some((from, found.at + end as u64));
            *self.newline_cr = text.ends_with(b"\r");
        }
    }

    /// More text came: the newline that waits is not the last one, and is sent.
    fn flush_newline(&mut self) {
        if let Some((from, end)) = self.newline.take() {
            self.piece(PieceKind::Gap, false, from, (end - from) as usize, newline(end - from, *self.newline_cr));
        }
    }

    fn call_over(&mut self) {
        let kind = PieceKind::Tool;
        (self.to)(&Piece { lane: Lane::ONLY, kind, fresh: false, text: b"", escaped: false, whole: true, at: &[] });
    }

    fn piece(&mut self, kind: PieceKind, fresh: bool, at: u64, len: usize, text: &[u8]) {
        spans(self.places, &mut self.hint, at, at + len as u64, self.spans);
        (self.to)(&Piece { lane: Lane::ONLY, kind, fresh, text, escaped: false, whole: false, at: self.spans });
    }
}

/// The text of a piece of text, with its escapes if `raw` and it has any. What was held back from an earlier record is
/// decoded.
pub(super) fn as_it_came<'p>(body: &Body<'p>, piece: &Piece<'p>, raw: bool) -> (&'p [u8], bool) {
    match piece.at {
        [at] if raw && at.len() != piece.text.len() as u64 && !piece.text.is_empty() => {
            body.get(*at).map_or((piece.text, false), |bytes| (bytes, true))
        }
        _ => (piece.text, false),
    }
}

/// Decodes a literal. Returns its offset in the input, and the map from decoded to raw offsets.
pub(super) fn decode(body: &Body<'_>, literal: Literal, out: &mut Vec<u8>) -> (u64, Map) {
    let map = body.decode(literal, out);
    (body.offset(literal.start), map)
}
