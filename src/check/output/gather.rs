//! Gathers a message from its pieces, with their places in the input.

use super::SourceBytes;
use crate::agents::sequences::Number;
use crate::check::{ConversationKey, Handover, ReadStretch};
use crate::json::text::{Map, decode, decode_with_map, incomplete};
use crate::model::{Piece, PieceKind, Role, is_inline};
use crate::policy::{Ticket, Verdict};
use crate::span::Span;
use std::borrow::Cow;
use std::ops::Range;

/// The texts of a message, with its delimiters.
#[derive(Debug, Default)]
struct GatheredParts {
    texts: String,
    /// The bytes at the end of the last text that are an incomplete character.
    cut: Vec<u8>,
    /// The bytes of its delimiters.
    tags: String,
    spans: Vec<Span>,
    pieces: Vec<GatheredPart>,
    /// Parts that are delimiters whose bytes were not read yet.
    unresolved: Vec<usize>,
}

/// What decides whether a finding counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Awaited {
    /// The policy removes this reasoning.
    Removal(Ticket),
    /// The delegation of this number has no end.
    Delegation(u64),
    /// The sequence has no end.
    Sequence(Number),
}

/// What a message may repeat.
#[derive(Debug, Default)]
pub(super) struct CopyMarks {
    /// It repeats text of deltas.
    pub is_snapshot: bool,
    /// It repeats the reasoning of a message that was not examined yet when it ended.
    pub is_told: bool,
    /// It was delivered to nobody, so that it repeats no other message.
    pub is_undelivered: bool,
    /// It is the answer of a sequence of reasoning, whose last thought may be the same text.
    pub is_answer: bool,
}

/// What stands before a message.
#[derive(Debug, Default)]
pub(super) struct BeforeMessage {
    /// It is the first message of a record's list.
    pub is_first: bool,
    /// It is the first message after a stream ended.
    pub after_stream: bool,
    /// Instructions and descriptions of tools that stand beside the messages.
    pub instructions: Vec<String>,
}

/// A message, gathered from its pieces.
#[derive(Debug, Default)]
pub(super) struct GatheredMessage {
    pub record: u64,
    pub number: u64,
    pub role: Role,
    pub joined: bool,
    /// What it may repeat.
    pub copy: CopyMarks,
    /// The conversations that end with it.
    pub ends: Vec<ConversationKey>,
    pub conversation: ConversationKey,
    /// The number of its element in a top-level array, from 0.
    pub element: Option<u64>,
    /// What stands before it.
    pub start: BeforeMessage,
    /// If it is only a member or a column of a table: that, as a JSON Pointer.
    pub column: Option<String>,
    /// The offset of its first byte.
    pub first: Option<u64>,
    /// Where it hands the conversation to another agent, or back, each with the delegation's end, for which it waits.
    pub handovers: Vec<(Span, Handover, Option<Awaited>)>,
    /// The first reasoning that the policy removes or may remove.
    pub removed: Option<RemovedReasoning>,
    /// Its texts, with its delimiters.
    parts: GatheredParts,
}

/// Reasoning that the policy removes or may remove.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemovedReasoning {
    /// The ticket of a decision that is not made.
    pub ticket: Option<Ticket>,
    span: Span,
    /// Its bytes before this offset were looked at, while they were buffered.
    seen: u64,
    /// Those of them that are neither commas nor white space at its ends.
    ink: Option<Span>,
}

impl RemovedReasoning {
    fn new(ticket: Option<Ticket>, span: Span) -> Self {
        Self { ticket, span, seen: span.start, ink: None }
    }

    /// Looks at its bytes that came since the last call.
    fn resolve(&mut self, source: SourceBytes<'_>) {
        if self.seen >= self.span.end || self.seen < source.base {
            return;
        }
        let bytes = source.get(Span::new(self.seen, self.span.end));
        let is_ink = |b: &u8| !b.is_ascii_whitespace() && *b != b',';
        if let (Some(first), Some(last)) = (bytes.iter().position(is_ink), bytes.iter().rposition(is_ink)) {
            let start = self.ink.map_or(self.seen + first as u64, |ink| ink.start);
            self.ink = Some(Span::new(start, self.seen + last as u64 + 1));
        }
        self.seen = self.span.end;
    }

    /// Where it stands, without the commas and the white space around it.
    pub fn place(self) -> Span {
        self.ink.unwrap_or(self.span)
    }
}

/// Consecutive pieces of one kind.
#[derive(Debug)]
struct GatheredPart {
    kind: PieceKind,
    fresh: bool,
    /// It is a delimiter, or begins with the opening one of its block.
    is_tag: bool,
    text: Range<usize>,
    tag: Range<usize>,
    spans: Range<usize>,
}

impl GatheredMessage {
    /// Adds a piece.
    pub fn piece(&mut self, piece: &Piece<'_>, verdict: Verdict) {
        if self.first.is_none() {
            self.first = piece.at.first().map(|span| span.start);
        }
        let visible =
            piece.kind.is_visible() || matches!(piece.kind, PieceKind::Call | PieceKind::Turn(_) | PieceKind::Refused);
        if !visible {
            piece.at.iter().filter(|span| !span.is_empty()).for_each(|span| self.remove(*span, verdict));
        }
        if self.copy.is_snapshot {
            return;
        }
        let inline = matches!(piece.kind, PieceKind::Reasoning(source) if is_inline(source));
        let is_tag =
            matches!(piece.kind, PieceKind::Delimiter | PieceKind::Stray | PieceKind::Frame) || inline && piece.fresh;
        let goes_on = |last: &GatheredPart| last.kind == piece.kind && !piece.fresh && !is_tag && !last.is_tag;
        let goes_on = self.parts.pieces.last().is_some_and(goes_on);
        let text = self.text(piece.text, goes_on);
        let spans = self.parts.spans.len();
        self.parts.spans.extend(piece.at.iter().filter(|span| !span.is_empty()));
        let spans = spans..self.parts.spans.len();
        match self.parts.pieces.last_mut() {
            Some(last) if goes_on => {
                (last.text.end, last.spans.end) = (text.end, spans.end);
            }
            _ => {
                if is_tag && !spans.is_empty() {
                    self.parts.unresolved.push(self.parts.pieces.len());
                }
                self.parts.pieces.push(GatheredPart {
                    kind: piece.kind,
                    fresh: piece.fresh,
                    is_tag,
                    text,
                    tag: 0..0,
                    spans,
                });
            }
        }
    }

    /// Appends a text. If it continues the last text, a character that was cut in two is put together.
    fn text(&mut self, text: &[u8], goes_on: bool) -> Range<usize> {
        let start = self.parts.texts.len();
        let cut = Some(std::mem::take(&mut self.parts.cut)).filter(|cut| goes_on && !cut.is_empty());
        let text = match cut {
            Some(cut) => {
                self.parts.texts.truncate(start - cut.len());
                Cow::Owned([&cut, text].concat())
            }
            None => Cow::Borrowed(text),
        };
        append(&mut self.parts.texts, &text);
        self.parts.cut.extend_from_slice(&text[text.len() - incomplete(&text)..]);
        start..self.parts.texts.len()
    }

    /// Notes reasoning at this place, with its verdict.
    pub fn remove(&mut self, span: Span, verdict: Verdict) {
        self.first = self.first.or(Some(span.start));
        let ticket = match verdict {
            Verdict::Keep => return,
            Verdict::Drop => None,
            Verdict::Hold(ticket) => Some(ticket),
        };
        match &mut self.removed {
            Some(removed) if removed.span.end == span.start => removed.span.end = span.end,
            Some(_) => (),
            none => *none = Some(RemovedReasoning::new(ticket, span)),
        }
    }

    /// Notes a decision of the policy.
    pub fn settle(&mut self, ticket: Ticket, verdict: Verdict) {
        if let Some(removed) = self.removed.filter(|removed| removed.ticket == Some(ticket)) {
            let goes = verdict == Verdict::Drop;
            self.removed = goes.then_some(RemovedReasoning { ticket: None, ..removed });
        }
    }

    /// Reads the bytes of delimiters, and those around reasoning, while they are buffered.
    pub fn resolve(&mut self, source: SourceBytes<'_>, raw: bool) {
        self.removed.iter_mut().for_each(|removed| removed.resolve(source));
        for i in std::mem::take(&mut self.parts.unresolved) {
            let mut bytes = Vec::new();
            for span in
                self.parts.spans[self.parts.pieces[i].spans.clone()].iter().filter(|span| span.start >= source.base)
            {
                match raw {
                    true => bytes.extend_from_slice(source.get(*span)),
                    false => decode(source.get(*span), &mut bytes),
                }
            }
            self.parts.pieces[i].tag = append(&mut self.parts.tags, &bytes);
        }
    }

    /// Whether nothing about it is undecided.
    pub fn is_settled(&self) -> bool {
        self.parts.unresolved.is_empty() && self.removed.is_none_or(|removed| removed.ticket.is_none())
    }

    /// Frees memory that is needed only while it is open.
    pub fn shrink(&mut self) {
        self.parts.texts.shrink_to_fit();
        self.parts.spans.shrink_to_fit();
        self.parts.pieces.shrink_to_fit();
    }

    /// How many bytes of text it has.
    pub fn buffered(&self) -> usize {
        self.parts.texts.len()
    }

    /// Its visible text, for a message of another role than the assistant.
    pub fn visible(&self) -> String {
        let visible = |part: &&GatheredPart| part.kind.is_visible() || matches!(part.kind, PieceKind::Gap);
        let parts = self.parts.pieces.iter().filter(visible).map(|part| &self.parts.texts[part.text.clone()]);
        parts.collect::<Vec<_>>().join("\n")
    }

    /// The arguments and the results of tools in it.
    pub fn rest(&self) -> String {
        let parts = self.parts.pieces.iter().filter(|part| matches!(part.kind, PieceKind::Call | PieceKind::Tool));
        parts.map(|part| &self.parts.texts[part.text.clone()]).collect::<Vec<_>>().join("\n")
    }

    /// Its stretches, as its rules see them.
    pub fn stretches(&self) -> Vec<ReadStretch<'_>> {
        let stretch = |part: &GatheredPart| ReadStretch {
            kind: part.kind,
            fresh: part.fresh,
            text: &self.parts.texts[part.text.clone()],
            tag: &self.parts.tags[part.tag.clone()],
        };
        self.parts.pieces.iter().map(stretch).collect()
    }

    /// The spans of a stretch, its delimiter first: each with the offset of its first byte in the stretch's text, and
    /// its escapes.
    pub fn spans(&self, stretch: usize, source: SourceBytes<'_>) -> Vec<(usize, Span, Option<Map>)> {
        let part = &self.parts.pieces[stretch];
        let spans = &self.parts.spans[part.spans.clone()];
        let len = (part.text.len() + part.tag.len()) as u64;
        let plain = spans.iter().map(|span| span.len()).sum::<u64>() == len;
        let (mut at, mut bytes) = (0, Vec::new());
        let mut all: Vec<(usize, Span, Option<Map>)> = Vec::with_capacity(spans.len());
        for span in spans {
            // The bytes of a raw text may be gone from the buffer, but equal its text.
            if plain || span.start < source.base {
                // A character may span two adjacent spans.
                match all.last_mut() {
                    Some((_, last, None)) if last.end == span.start => last.end = span.end,
                    _ => all.push((at, *span, None)),
                }
                at += span.len() as usize;
                continue;
            }
            let mut map = Map::default();
            bytes.clear();
            decode_with_map(source.get(*span), &mut bytes, &mut map);
            all.push((at, *span, Some(map)));
            at += bytes.len();
        }
        all
    }

    /// How many characters stand before a stretch in its line, in a raw text.
    pub fn column(&self, stretch: usize) -> u64 {
        let mut line = 0;
        for part in &self.parts.pieces[..stretch] {
            for text in [&self.parts.tags[part.tag.clone()], &self.parts.texts[part.text.clone()]] {
                let last = text.rfind('\n');
                line = last.map_or(line, |_| 0) + text[last.map_or(0, |n| n + 1)..].chars().count() as u64;
            }
        }
        line
    }

    /// The span of the delimiter that opens a block without text.
    pub fn opener_of(&self, stretch: usize) -> Option<Span> {
        self.parts.spans[self.parts.pieces[stretch].spans.clone()].first().copied()
    }
}

/// Appends a text. Bytes that are not UTF-8 become as many `?`, so that offsets stay.
fn append(to: &mut String, text: &[u8]) -> Range<usize> {
    let start = to.len();
    if let Ok(text) = simdutf8::basic::from_utf8(text) {
        to.push_str(text);
        return start..to.len();
    }
    for chunk in text.utf8_chunks() {
        to.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|_| to.push('?'));
    }
    start..to.len()
}
