//! Converts raw text that stays text: only its delimiters change. For a target with messages, the text is read as a
//! message, and written as any other.

use super::ConversionTarget;
use super::delimiters::{self, AGAIN, CLOSE, END, OPEN, escape};
use super::edits::text;
use super::retag::is_foreign;
use crate::dialect::inline_text::Noted;
use crate::inline::Note;
use crate::json::text::decoded;
use crate::model::{Bit, Event, Loss, Losses, Piece, PieceKind, Sink, is_glued};
use crate::out::SourceBytes;
use crate::span::Span;
use std::borrow::Cow;

/// Rewrites one text.
pub(in crate::dialect) struct TextRewriter {
    target: ConversionTarget,
    /// The range of the text, once it has begun.
    at: Option<Span>,
    /// The visible text, and whether it has more than white space. Only for Harmony, as the blocks.
    visible: PlacedText,
    said: bool,
    /// Its last byte.
    last: Option<u8>,
    /// Its blocks of reasoning, each with whether visible text came before.
    blocks: Vec<(PlacedText, bool)>,
    /// It has messages of several roles.
    turns: bool,
    /// It has messages with headers. To Harmony, it stays as it is then.
    headed: bool,
    /// The last piece was the header or the end of a message.
    frame: bool,
    /// The open block whose delimiters are replaced.
    block: Option<OpenRawBlock>,
    losses: Losses,
}

/// A text, as the bytes of the input that it stands in: they are buffered there until it is written.
#[derive(Default)]
struct PlacedText {
    bits: Vec<Bit>,
}

impl PlacedText {
    fn push(&mut self, piece: &Piece<'_>) {
        if piece.text.is_empty() {
            return;
        }
        // The marks of a quotation are no part of its text.
        if piece.at.iter().map(|at| at.len()).sum::<u64>() != piece.text.len() as u64 {
            return self.bits.push(Bit::Text(Cow::Owned(piece.text.to_vec())));
        }
        for at in piece.at.iter().filter(|at| !at.is_empty()) {
            match self.bits.last_mut() {
                Some(Bit::Copy(last)) if last.end == at.start => last.end = at.end,
                _ => self.bits.push(Bit::Copy(*at)),
            }
        }
    }

    /// Its bytes.
    fn parts<'t>(&'t self, source: SourceBytes<'t>) -> Vec<&'t [u8]> {
        self.bits.iter().map(|bit| bit.bytes(|at| source.get(at))).collect()
    }
}

/// An open block.
struct OpenRawBlock {
    /// From its opening tag to its end so far.
    at: Span,
    text: Vec<u8>,
    spans: Vec<Span>,
}

impl TextRewriter {
    pub fn new(target: ConversionTarget) -> Self {
        let (said, turns, headed, frame) = (false, false, false, false);
        let (visible, blocks, losses) = (PlacedText::default(), Vec::new(), Losses::default());
        Self { target, at: None, visible, said, last: None, blocks, turns, headed, frame, block: None, losses }
    }

    /// The offset from which on nothing is written yet.
    pub fn from(&self) -> Option<u64> {
        match self.target.placement.is_headed() {
            true if self.headed => None,
            true => Some(self.at.map_or(0, |at| at.start)),
            false => self.block.as_ref().map(|block| block.at.start),
        }
    }

    pub fn piece(&mut self, piece: &Piece<'_>, sink: &mut dyn Sink) {
        let harmony = self.target.placement.is_headed();
        if !harmony {
            self.retag(piece, sink);
        }
        if let (Some(first), Some(last)) = (piece.at.first(), piece.at.last()) {
            let start = self.at.map_or(first.start, |at| at.start.min(first.start));
            self.at = Some(Span::new(start, last.end));
        }
        self.headed |= matches!(piece.kind, PieceKind::Frame | PieceKind::Structure);
        match piece.kind {
            PieceKind::Turn(_) => self.turns = true,
            PieceKind::Reasoning(source) => {
                self.headed |= harmony && !is_foreign(source, &self.target);
                self.reasoning(piece, harmony);
            }
            PieceKind::Visible | PieceKind::Commentary | PieceKind::Tool | PieceKind::Gap | PieceKind::Structure => {
                self.losses.extend((piece.kind == PieceKind::Commentary && piece.fresh).then_some(Loss::Channel));
                self.last = piece.text.last().copied().or(self.last);
                if harmony {
                    self.said |= !piece.text.trim_ascii().is_empty();
                    self.visible.push(piece);
                }
            }
            _ => (),
        }
        if self.headed {
            (self.visible, self.blocks) = (PlacedText::default(), Vec::new());
        }
        self.frame = piece.kind == PieceKind::Frame || self.frame && !piece.kind.is_visible();
    }

    fn reasoning(&mut self, piece: &Piece<'_>, harmony: bool) {
        if harmony && piece.fresh {
            self.blocks.push((PlacedText::default(), self.said));
        }
        if let Some((block, _)) = self.blocks.last_mut() {
            block.push(piece);
        }
    }

    /// Reads notes of the text reader: the name of an unknown channel is a loss.
    pub fn note(&mut self, notes: &[Noted]) {
        self.losses.extend(notes.iter().filter(|(_, note)| *note == Note::Channel).map(|_| Loss::Channel));
    }

    /// Replaces the delimiters of a piece.
    fn retag(&mut self, piece: &Piece<'_>, sink: &mut dyn Sink) {
        let put = |at: &[Span], text: Vec<u8>, sink: &mut dyn Sink| {
            for (i, at) in at.iter().enumerate() {
                // A tag may span two reads of the input: the delimiter replaces the first part, the second is cut.
                let bits = if i == 0 { vec![Bit::Text(Cow::Owned(text.clone()))] } else { Vec::new() };
                sink.event(&Event::Edit { at: *at, with: &bits });
            }
        };
        match (piece.kind, &mut self.block) {
            (PieceKind::Reasoning(source), _) if piece.fresh => {
                let Some(first) = piece.at.first().filter(|_| is_foreign(source, &self.target)) else { return };
                // In a conversation of several roles, every message keeps its header.
                let header = if self.turns { [AGAIN, "<|message|>"].concat() } else { String::new() };
                put(piece.at, [header.into_bytes(), decoded(self.target.open.as_bytes())].concat(), sink);
                let at = Span::new(first.start, piece.at.last().map_or(first.end, |last| last.end));
                self.block = Some(OpenRawBlock { at, text: Vec::new(), spans: Vec::new() });
            }
            (PieceKind::Reasoning(_), Some(block)) => {
                block.text.extend_from_slice(piece.text);
                block.spans.extend_from_slice(piece.at);
                block.at.end = piece.at.last().map_or(block.at.end, |last| last.end);
            }
            (PieceKind::Delimiter, Some(block)) => {
                if delimiters::closes(&block.text, &self.target) {
                    put(&block.spans, escape(&block.text, &self.target), sink);
                    let mut losses = Losses::default();
                    losses.push_at(Some(block.at.start), Loss::Escaped);
                    losses.send(sink);
                }
                let end = [Span::new(block.at.end, block.at.end)];
                let header = if self.turns { "<|end|>" } else { "" };
                let close = [decoded(self.target.close.as_bytes()), header.as_bytes().to_vec()].concat();
                put(if piece.at.is_empty() { &end } else { piece.at }, close, sink);
                self.block = None;
            }
            (PieceKind::Delimiter, None) if self.target.retag => {
                put(piece.at, decoded(self.target.close.as_bytes()), sink)
            }
            (PieceKind::Frame, _) => put(piece.at, Vec::new(), sink),
            (PieceKind::Visible | PieceKind::Commentary | PieceKind::Tool, _) if !self.turns => {
                let joins = piece.fresh && self.frame && is_glued(self.last.as_slice(), piece.text);
                if let Some(at) = piece.at.first().filter(|_| joins) {
                    put(&[Span::new(at.start, at.start)], b"\n".to_vec(), sink);
                }
            }
            _ => (),
        }
    }

    /// Ends the text: as messages of Harmony, unless it is in that form. `source`: what of the input is buffered.
    pub fn finish(&mut self, source: SourceBytes<'_>, sink: &mut dyn Sink) {
        let Some(at) = self.at else { return };
        let written = match self.target.placement.is_headed() {
            true if self.headed || self.blocks.is_empty() => return,
            true => Some(self.harmony(source)),
            false => None,
        };
        self.losses.send(sink);
        if let Some(written) = written {
            let mut losses = Losses::default();
            losses.extend(self.blocks.iter().filter(|(_, late)| *late).map(|_| Loss::Order));
            losses.send(sink);
            write_over(at, written, sink);
        }
    }

    /// The text as messages of Harmony, with its reasoning in front.
    fn harmony(&mut self, source: SourceBytes<'_>) -> Vec<Bit> {
        let blocks: Vec<Vec<&[u8]>> = self.blocks.iter().map(|(block, _)| block.parts(source)).collect();
        let visible = self.visible.parts(source);
        let reads = delimiters::are_read_messages(&blocks, &visible);
        if !reads && !blocks.iter().chain([&visible]).all(|parts| delimiters::are_utf8(parts)) {
            self.losses.push(Loss::Escaped);
            let harmless = |parts: &Vec<&[u8]>| escape(&parts.concat(), &self.target);
            let safe: Vec<Vec<u8>> = blocks.iter().map(harmless).collect();
            let safe: Vec<&[u8]> = safe.iter().map(Vec::as_slice).collect();
            return vec![text(delimiters::as_messages(&safe, &harmless(&visible)))];
        }
        let places = |parts: &Vec<&[u8]>| if reads { Vec::new() } else { delimiters::places(parts, &self.target) };
        let of_blocks: Vec<Vec<usize>> = blocks.iter().map(places).collect();
        let of_visible = places(&visible);
        self.losses.extend((!reads).then_some(Loss::Escaped));
        let mut bits = Vec::new();
        for (i, ((block, _), places)) in self.blocks.iter_mut().zip(of_blocks).enumerate() {
            bits.extend((i > 0).then(|| [text(END), text(AGAIN)]).into_iter().flatten());
            bits.push(text(OPEN));
            escaped(std::mem::take(&mut block.bits), &places, &mut bits);
        }
        bits.push(text(CLOSE));
        escaped(std::mem::take(&mut self.visible.bits), &of_visible, &mut bits);
        bits
    }
}

/// Adds a text with a backslash at each of these offsets.
fn escaped(text: Vec<Bit>, mut places: &[usize], out: &mut Vec<Bit>) {
    let mut from = 0;
    for mut bit in text {
        while let Some((place, rest)) = places.split_first()
            && let (before, Some(behind)) = parted(&bit, place - from)
        {
            out.extend([before, Bit::Text(Cow::Borrowed(b"\\"))]);
            (bit, from, places) = (behind, *place, rest);
        }
        from += len(&bit);
        out.push(bit);
    }
}

fn len(bit: &Bit) -> usize {
    match bit {
        Bit::Copy(at) => at.len() as usize,
        written => written.bytes(|_| b"").len(),
    }
}

/// The first bytes of a bit, and the others, if there are any.
fn parted(bit: &Bit, at: usize) -> (Bit, Option<Bit>) {
    if at >= len(bit) {
        return (bit.clone(), None);
    }
    match bit {
        Bit::Copy(span) => {
            let middle = span.start + at as u64;
            (Bit::Copy(Span::new(span.start, middle)), Some(Bit::Copy(Span::new(middle, span.end))))
        }
        written => {
            let text = written.bytes(|_| b"");
            let [before, behind] = [&text[..at], &text[at..]].map(|part| Bit::Text(Cow::Owned(part.to_vec())));
            (before, Some(behind))
        }
    }
}

/// Sends the edits that write these bits in place of a text. What stays in its order is not touched, so that it need not be
/// in memory a second time.
fn write_over(at: Span, bits: Vec<Bit>, sink: &mut dyn Sink) {
    let copied = bits.iter().filter_map(|bit| if let Bit::Copy(span) = bit { Some(span) } else { None });
    if !copied.is_sorted_by(|one, next| one.end <= next.start) {
        return sink.event(&Event::Edit { at, with: &bits });
    }
    let mut send = |at: Span, with: &[Bit]| {
        if !at.is_empty() || !with.is_empty() {
            sink.event(&Event::Edit { at, with });
        }
    };
    let (mut from, mut with) = (at.start, Vec::new());
    for bit in bits {
        match bit {
            Bit::Copy(span) => {
                send(Span::new(from, span.start), &with);
                with.clear();
                from = span.end;
            }
            text => with.push(text),
        }
    }
    if from == at.end && !with.is_empty() {
        // What stands behind the last byte belongs to no frame: it goes with that byte.
        from -= 1;
        with.insert(0, Bit::Copy(Span::new(from, at.end)));
    }
    send(Span::new(from, at.end), &with);
}
